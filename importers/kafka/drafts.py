"""What one pass over bytes gives: drafts of events that do not know their broker, zone or place yet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final

from core.trace.vocabulary import Basis

SAID_VALUES: Final = (
    "leader", "epoch", "partition_epoch", "leo", "hw", "log_start", "from_offset", "offset", "aux", "stamp",
)  # fmt: skip
"""Fields of `Said` that are value columns of a trace, under the same names."""


MOST_EXAMPLES: Final = 20
"""Lines of one file that were not understood and are kept for the report."""


MOST_ID: Final = (1 << 31) - 1
"""Of a broker or a partition: Kafka keeps both in 32 bits."""
_MOST_VALUE: Final = (1 << 63) - 1


# Said and Draft are never changed, and yet not frozen: a frozen one takes five times as long to make, and a
# log makes a million of them.
@dataclass(slots=True, unsafe_hash=True)
class Said:
    """What a line states, column by column; None is not said.

    `broker` is the speaker if the line names it, `replica` whom it is about if that is somebody else.
    `assigned` are the assigned replicas in their order. `sends` and `receives` are keys that tie a message to
    its arrival on another broker (merge/order.py). `at_least` names values that are only a lower bound.
    `topic_id` tells topics apart that had the same name one after the other (2.8 and later). `life` is the
    broker epoch, which names one life of the broker that a line is about (ZooKeeper from 2.2, and KRaft); of
    a controller that is elected the least that it gives a broker: the offset of its first record (3.6).
    """

    kind: str
    tp: tuple[str, int] | None = None
    broker: int | None = None
    replica: int | None = None
    leader: int | None = None
    epoch: int | None = None
    partition_epoch: int | None = None
    leo: int | None = None
    hw: int | None = None
    log_start: int | None = None
    from_offset: int | None = None
    offset: int | None = None
    aux: int | None = None
    stamp: int | None = None
    isr: tuple[int, ...] | None = None
    assigned: tuple[int, ...] | None = None
    at_least: tuple[str, ...] = ()
    basis: Basis = Basis.OBSERVED
    sends: str | None = None
    receives: str | None = None
    topic_id: str | None = None
    life: int | None = None

    def values(self) -> dict[str, int]:
        """The value columns that are said."""
        pairs = zip(SAID_VALUES, _said_values(self), strict=True)
        return {name: value for name, value in pairs if value is not None}

    def fits(self) -> bool:
        """Whether all numbers are of the size that Kafka's own are: what is larger is damage."""
        for value in _numbers(self):
            if value is not None and not -1 <= value <= MOST_ID:
                return self._fits_each()
        ids = (*(self.isr or ()), *(self.assigned or ()))
        return self._fit_ids(ids) if ids else self.tp is None or -1 <= self.tp[1] <= MOST_ID

    def _fits_each(self) -> bool:
        """The same where some number is larger than an id may be."""
        ids = (self.broker, self.replica, self.leader, *(self.isr or ()), *(self.assigned or ()))
        values = (*_said_values(self), self.life)
        return self._fit_ids(ids) and all(value is None or abs(value) < _MOST_VALUE for value in values)

    def _fit_ids(self, ids: Sequence[int | None]) -> bool:
        partition = 0 if self.tp is None else self.tp[1]
        if not -1 <= partition <= MOST_ID:
            return False
        return all(one is None or -1 <= one <= MOST_ID for one in ids)


_said_values: Final[Callable[[Said], tuple[int | None, ...]]] = attrgetter(*SAID_VALUES)
_numbers: Final[Callable[[Said], tuple[int | None, ...]]] = attrgetter(
    *dict.fromkeys(("broker", "replica", "life", *SAID_VALUES))
)


@dataclass(slots=True, unsafe_hash=True)
class Draft:
    """One statement with its place. `local_ns` is the stamp of the line read as if its zone were UTC.

    `byte` and `line` are where its record begins, counted in the unpacked member; `ordinal` is its place
    among the drafts of one record. `fingerprint` is equal for equal text: the same line in two files of one
    broker is one.
    """

    local_ns: int
    byte: int
    line: int
    ordinal: int
    fingerprint: int
    rule: str
    said: Said


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a record states and that is no event: a version, a setting, the sign of a start."""

    name: str
    value: str
    local_ns: int
    byte: int
    line: int


class Fate(StrEnum):
    """What became of a line."""

    RECOGNISED = "recognised"
    NOISE = "noise"
    UNRECOGNISED = "unrecognised"
    """About replication as far as its words go, and no rule knows it."""
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Example:
    """A line that was not understood, for the report."""

    fate: Fate
    line: int
    text: str


def said_of(draft: Draft) -> dict[str, Any]:
    """A draft as one flat row: place, then every field of what it says. For tables."""
    row: dict[str, Any] = {name: getattr(draft, name) for name in Draft.__slots__ if name != "said"}
    row.update({name: getattr(draft.said, name) for name in Said.__slots__})
    return row
