"""The variants of the model: one row of cells each. All that differs between protocols stands here."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from core.errors import QuestionError
from core.message import Listing, message


class Check(Enum):
    """By what a leader and a follower find that the follower has the leader's records up to some offset."""

    OFFSETS = "offsets"
    """The follower's log is long enough. In whose epoch, nobody asks."""
    RECORD_EPOCHS = "record-epochs"
    """The last of these records was written in the same epoch on both."""
    LEADER_EPOCH = "leader-epoch"
    """Its log is long enough, and both are in the same leader epoch."""


class Cut(Enum):
    """Where a replica cuts its log when it begins to follow."""

    HIGH_WATERMARK = "high-watermark"
    """At its own high watermark."""
    END_OF_EPOCH = "end-of-epoch"
    """Where its last epoch ends on the leader, as published: nothing happens where that is beyond its end."""
    END_OF_EPOCH_CLAMPED = "end-of-epoch-clamped"
    """The same, or at its own end if that is less, as Kafka does."""
    FIRST_DIFFERENCE = "first-difference"
    """After the last offset at which both logs hold the same record."""
    FENCED_FIRST_DIFFERENCE = "fenced-first-difference"
    """The same, if the leader is in the epoch of the request."""
    NOWHERE = "nowhere"
    """It keeps its log, and cuts it later, while it follows."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A protocol: the cells in which it differs from the others."""

    name: str
    cut: Cut
    cuts_later: bool
    """Whether a follower cuts its log when it sees that it differs from the leader's."""
    fetch: Check
    """What has to hold before a record is copied."""
    high_watermark: Check
    """What counts as the acknowledgement of a member of the in-sync replicas."""
    shrink: Check
    """What keeps a member in the in-sync replicas."""
    expand: Check
    """What lets a follower join them."""
    expand_waits: bool
    """Whether the leader's high watermark must have reached the start of its epoch first (KAFKA-7128)."""


TRUNCATE_TO_HW: Final = Variant(
    "truncate-to-hw",
    cut=Cut.HIGH_WATERMARK,
    cuts_later=False,
    fetch=Check.OFFSETS,
    high_watermark=Check.OFFSETS,
    shrink=Check.OFFSETS,
    expand=Check.OFFSETS,
    expand_waits=False,
)
KIP_101: Final = replace(TRUNCATE_TO_HW, name="kip-101", cut=Cut.END_OF_EPOCH)
KIP_101_CLAMPED: Final = replace(KIP_101, name="kip-101-clamped", cut=Cut.END_OF_EPOCH_CLAMPED)
KIP_279: Final = replace(KIP_101, name="kip-279", cut=Cut.FIRST_DIFFERENCE)
KIP_320_FIRST_TRY: Final = Variant(
    "kip-320-first-try",
    cut=Cut.NOWHERE,
    cuts_later=True,
    fetch=Check.RECORD_EPOCHS,
    high_watermark=Check.RECORD_EPOCHS,
    shrink=Check.RECORD_EPOCHS,
    expand=Check.RECORD_EPOCHS,
    expand_waits=True,
)
KIP_320: Final = Variant(
    "kip-320",
    cut=Cut.FENCED_FIRST_DIFFERENCE,
    cuts_later=False,
    fetch=Check.LEADER_EPOCH,
    high_watermark=Check.LEADER_EPOCH,
    shrink=Check.LEADER_EPOCH,
    expand=Check.LEADER_EPOCH,
    expand_waits=True,
)
VARIANTS: Final = (TRUNCATE_TO_HW, KIP_101, KIP_101_CLAMPED, KIP_279, KIP_320_FIRST_TRY, KIP_320)
ASYNC_ISR: Final = "async-isr"
"""The model of AlterPartition, which has a state of its own: core/model/async_isr.py."""
NAMES: Final = (*(one.name for one in VARIANTS), ASYNC_ISR)


def variant(name: str) -> Variant:
    """The variant of this name. Raises QuestionError."""
    for one in VARIANTS:
        if one.name == name:
            return one
    raise QuestionError(
        message("error.model.no-variant", name=name),
        advice=message("error.model.known", names=Listing(NAMES)),
    )


ABLATIONS: Final = ("fetch", "truncation", "high-watermark", "expand", "expand-wait", "shrink")
"""The guarded actions of kip-320, each of which can be swapped for what it was before."""


def ablated(name: str) -> Variant:
    """kip-320 without one of its guards. Raises QuestionError."""
    without = {
        "fetch": replace(KIP_320, fetch=Check.OFFSETS),
        "truncation": replace(KIP_320, cut=Cut.FIRST_DIFFERENCE),
        "high-watermark": replace(KIP_320, high_watermark=Check.OFFSETS),
        "expand": replace(KIP_320, expand=Check.OFFSETS, expand_waits=False),
        "expand-wait": replace(KIP_320, expand_waits=False),
        "shrink": replace(KIP_320, shrink=Check.OFFSETS),
    }
    if name not in without:
        raise QuestionError(
            message("error.model.no-ablation", name=name),
            advice=message("error.model.known", names=Listing(ABLATIONS)),
        )
    return replace(without[name], name=f"kip-320 without {name}")
