"""What a run has to say to go along a trace: the events of the trace in their order, whenever they come."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

from core.trace.builder import TraceBuilder
from core.trace.ids import NO_INDEX, UNSAID
from core.trace.trace import DTYPES, VALUES, Trace
from core.trace.vocabulary import KINDS, NUMBER

Level: TypeAlias = Literal["events", "facts"]
"""All events, with what led to each; or only what becomes of logs and of who leads them."""
STEPS: Final = frozenset(NUMBER[one] for one in ("step", "condition_not_met"))
_READERS: Final = ("consumed", "consume_parked", "consumer_out_of_range", "consumer_positioned")
"""What consumers read changes nothing in a replica."""
_FACTS: Final = (
    *("appended", "truncated", "log_reset", "log_loaded", "log_created", "log_deleted"),
    *("hw_moved", "hw_loaded", "epoch_assigned", "epoch_cache_cut", "epoch_cache_loaded"),
    *("became_leader", "became_follower", "leader_elected", "leaderless", "isr_committed", "elr_changed"),
    *("broker_crashed", "broker_stopped", "broker_starting", "broker_started"),
    *("step", "condition_not_met"),
)
_ASKED: Final[dict[Level, frozenset[int]]] = {
    "events": frozenset(one.number for one in KINDS if one.name not in _READERS),
    "facts": frozenset(NUMBER[one] for one in _FACTS),
}
_SAID: Final = ("kind", "partition", "broker", "replica", *VALUES)
_PLACES: Final = tuple(list(DTYPES).index(one) for one in _SAID)
_ISR: Final = list(DTYPES).index("isr")
_CAUSE: Final = list(DTYPES).index("cause")
_AT: Final = list(DTYPES).index("at")
_KIND: Final = list(DTYPES).index("kind")


class Row(NamedTuple):
    """What an event says, without its time."""

    said: tuple[int, ...]
    """The columns of `COLUMNS`, in order."""
    isr: tuple[int, ...] | None
    cause: int | None
    """Which of the wanted events led to it; None where none of them did, and where that is not asked."""

    @property
    def kind(self) -> int:
        """The number of its kind."""
        return self.said[0]

    @property
    def whose(self) -> tuple[int, ...]:
        """Partition and broker."""
        return self.said[1:3]

    def is_like(self, other: "Row") -> bool:
        """Whether both say the same, whatever led to them."""
        return (self.said, self.isr) == (other.said, other.isr)


COLUMNS: Final = _SAID
"""The names of what `Row.said` holds."""


@dataclass(frozen=True)
class Wanted:
    """The events of a trace that a run has to give, by level."""

    trace: Trace
    level: Level

    @cached_property
    def seqs(self) -> tuple[int, ...]:
        """The Seq of each."""
        asked = _ASKED[self.level]
        kinds: list[int] = self.trace.columns["kind"].tolist()
        return tuple(seq for seq, kind in enumerate(kinds) if kind in asked)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """What each says."""
        columns = [self.trace.columns[name].tolist() for name in _SAID]
        sets: list[int] = self.trace.columns["isr"].tolist()
        causes: list[int] = self.trace.columns["cause"].tolist()
        rank = {seq: place for place, seq in enumerate(self.seqs)}
        return tuple(
            Row(
                tuple(column[seq] for column in columns),
                None if sets[seq] == NO_INDEX else tuple(map(int, self.trace.isrs[sets[seq]])),
                rank.get(causes[seq]) if self.level == "events" else None,
            )
            for seq in self.seqs
        )

    @cached_property
    def times(self) -> tuple[int, ...]:
        """When each happened, in ns."""
        return tuple(self.trace.columns["at"][list(self.seqs)].tolist())

    def asks(self, kind: int) -> bool:
        """Whether events of a kind are wanted."""
        return kind in _ASKED[self.level]


class DepartsError(Exception):
    """A run says something else than what is wanted next."""

    def __init__(self, row: Row) -> None:
        """`row` is what it says."""
        super().__init__()
        self.row = row


class EarlyError(Exception):
    """A message or a timer leads to what is wanted next, and comes too early."""

    def __init__(self, due: int) -> None:
        """`due` is when it is wanted, in ns."""
        super().__init__()
        self.due = due


class Follower(TraceBuilder):
    """Takes the rows of a run, and raises DepartsError at the first that is not what is wanted next.

    Of all events it looks at the times, too: what leads to the next one at an earlier time raises EarlyError,
    and what has led to one before, at its time, departs. All that a message leads to happens at one time.
    """

    def __init__(self, wanted: Wanted) -> None:
        """Nothing was said yet."""
        super().__init__()
        self.wanted = wanted
        self.position = 0
        """How many of the wanted events have come."""
        self.in_time = True
        """Whether each has come at its own time. Never asked of facts."""
        self.handled_from = 0
        """How many had come when the message was taken that is dealt with."""
        self._sets: list[tuple[int, ...]] = []
        self._ranks: list[int | None] = []
        """By row, which of the wanted events it is."""

    def isr(self, members: Sequence[int]) -> int:
        """The index of an in-sync set."""
        index = super().isr(members)
        if index == len(self._sets):
            self._sets.append(tuple(members))
        return index

    def append(self, row: Sequence[int]) -> int:
        """Take a row. Raises DepartsError and EarlyError."""
        rank: int | None = None
        if self.wanted.asks(row[_KIND]):
            said = self._row(row)
            rows, rank = self.wanted.rows, self.position
            if rank >= len(rows) or rows[rank] != said:
                raise DepartsError(said)
            if self.wanted.level == "events":
                self._look_at_time(row[_AT], said, rank)
            self.position += 1
        self._ranks.append(rank)
        return super().append(row)

    def _look_at_time(self, at: int, said: Row, rank: int) -> None:
        due = self.wanted.times[rank]
        if at < due:
            if rank > self.handled_from:
                raise DepartsError(said)
            raise EarlyError(due)
        self.in_time &= at == due

    def _row(self, row: Sequence[int]) -> Row:
        isr, cause = row[_ISR], row[_CAUSE]
        led = None if cause == UNSAID or self.wanted.level == "facts" else self._ranks[cause]
        return Row(tuple(row[place] for place in _PLACES), None if isr == NO_INDEX else self._sets[isr], led)
