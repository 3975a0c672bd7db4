"""The conditions of a script: their forms in words, and by which event those hold that wait for one."""

import re
from collections.abc import Mapping
from typing import Final

from core.sim.script import Condition

_NAME: Final = r"(?P<broker>\w[\w-]*)"
_OTHER: Final = r"(?P<other>\w[\w-]*)"
_NUMBER: Final = r"(?P<number>\d{1,15})"

FORMS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (kind, words, re.compile(pattern))
    for kind, words, pattern in (
        ("quiet", "quiet", r"quiet"),
        ("appended", "B has appended offset 1", rf"{_NAME} has appended offset {_NUMBER}"),
        ("leo", "B has log end offset 2", rf"{_NAME} has log end offset {_NUMBER}"),
        ("hw", "B has high watermark 1", rf"{_NAME} has high watermark {_NUMBER}"),
        (
            "checkpointed",
            "B has checkpointed high watermark 1",
            rf"{_NAME} has checkpointed high watermark {_NUMBER}",
        ),
        ("writes_checkpoint", "B writes a checkpoint", rf"{_NAME} writes a checkpoint"),
        (
            "remembers",
            "A remembers log end offset 2 of B",
            rf"{_NAME} remembers log end offset {_NUMBER} of {_OTHER}",
        ),
        ("sends_fetch", "B sends a fetch", rf"{_NAME} sends a fetch(?: at offset {_NUMBER})?"),
        ("parks_fetch", "A parks a fetch of B", rf"{_NAME} parks a fetch of {_OTHER}"),
        ("answers_fetch", "A answers a fetch of B", rf"{_NAME} answers a fetch of {_OTHER}"),
        ("asks_for_end", "B asks for the end of an epoch", rf"{_NAME} asks for the end of an epoch"),
        ("cuts", "B cuts its log", rf"{_NAME} cuts its log(?: to offset {_NUMBER})?"),
        ("acknowledges", "A acknowledges offset 1", rf"{_NAME} acknowledges offset {_NUMBER}"),
        ("proposes_isr", "A proposes an ISR", rf"{_NAME} proposes an ISR"),
        ("nobody_leads", "nobody leads", r"nobody leads"),
        ("leads_quorum", "K leads the quorum", rf"{_NAME} leads the quorum"),
        ("quorum_elects", "the quorum has a new leader", r"the quorum has a new leader"),
        ("leads", "B leads", rf"{_NAME} leads"),
        ("in_epoch", "B is in leader epoch 1", rf"{_NAME} is in leader epoch {_NUMBER}"),
        ("follows", "B follows A", rf"{_NAME} follows {_OTHER}"),
        ("in_isr", "B is in the ISR", rf"{_NAME} is in the ISR"),
        ("not_in_isr", "B is not in the ISR", rf"{_NAME} is not in the ISR"),
        ("registered", "B is registered", rf"{_NAME} is registered"),
        ("not_registered", "B is not registered", rf"{_NAME} is not registered"),
        ("down", "B is down", rf"{_NAME} is down"),
        ("controller", "a controller is elected", r"a controller is elected"),
    )
)
"""(kind, an example, pattern). A log end offset, a high watermark, an epoch: the number and above."""

CHECKPOINT_WRITTEN: Final = "checkpoint written"
"""Not an event of the trace, which tells a checkpoint only where it says something new."""
EVENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "sends_fetch": ("fetch_sent",),
    "parks_fetch": ("fetch_parked",),
    "answers_fetch": ("fetch_answered",),
    "asks_for_end": ("epoch_end_asked",),
    "cuts": ("truncated",),
    "acknowledges": ("acknowledged",),
    "proposes_isr": ("isr_shrink_proposed", "isr_expand_proposed"),
    "writes_checkpoint": (CHECKPOINT_WRITTEN,),
    "controller": ("controller_elected",),
    "quorum_elects": ("controller_elected",),
}
"""The kinds that hold when such an event was seen during the step."""
OF_QUORUM: Final = frozenset({"leads_quorum", "quorum_elects"})
"""The kinds that are about the metadata quorum. In eras without one they hold at once."""
BROKER_LEVEL: Final = OF_QUORUM | {
    *("quiet", "writes_checkpoint", "registered", "not_registered", "down", "controller")
}
"""The kinds that are not about a partition."""


def parse_condition(text: str) -> Condition | None:
    """The condition that the words say, or None if no form fits.

    One about a replica may end with "in partition 1"; without that it is about partition 0.
    """
    words = " ".join(text.split())
    main, _, index = words.partition(" in partition ")
    if index and not re.fullmatch(r"\d{1,4}", index):
        return None
    for kind, _, pattern in FORMS:
        match = pattern.fullmatch(main)
        if match and not (index and kind in BROKER_LEVEL):
            said = match.groupdict()
            number = said.get("number")
            return Condition(
                kind,
                broker=said.get("broker") or "",
                other=said.get("other") or "",
                number=None if number is None else int(number),
                text=words,
                partition=int(index or 0),
            )
    return None


def examples() -> str:
    """One example of each form, for a message."""
    return "; ".join(words for _, words, _ in FORMS)
