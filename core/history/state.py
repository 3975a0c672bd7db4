"""What was true at a cursor: values with bounds, and the step functions that they come from."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.history.record_time_caps import Caps
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

T = TypeVar("T")


class Role(StrEnum):
    """The role that a replica believes in; offline is a stopped or crashed broker."""

    LEADER = "leader"
    FOLLOWER = "follower"
    STARTING = "starting"
    """Up, but told no role yet since its start."""
    OFFLINE = "offline"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Band:
    """A value between two bounds, both inclusive; None is no bound. `rule` names what narrowed it last."""

    lo: int | None
    hi: int | None
    basis: Basis
    rule: str = ""

    @property
    def exact(self) -> int | None:
        """The value where both bounds meet, else None."""
        return self.lo if self.lo is not None and self.lo == self.hi else None

    def under(self, limit: int | None, floor: int | None, rule: str) -> "Band":
        """The band under an upper bound that can fail: a bound below its lower one is not believed.

        `floor` is the lower bound where the band has none.
        """
        low = floor if self.lo is None else self.lo
        if limit is None or low is None or limit < low or (self.hi is not None and self.hi <= limit):
            return self
        return Band(low, limit, Basis.INFERRED, rule)

    def __str__(self) -> str:
        """30, 30-35 (with an en dash), >= 30, <= 35 or ?, as the gutter of a lane shows it."""
        if self.lo is None and self.hi is None:
            return "?"
        if self.lo == self.hi:
            return str(self.lo)
        if self.hi is None:
            return f"≥ {self.lo}"
        if self.lo is None:
            return f"≤ {self.hi}"
        return f"{self.lo}–{self.hi}"


CAPPED = "no record is older than its time stamp"
"""The rule by which Caps bound."""
UNKNOWN_BAND = Band(None, None, Basis.UNKNOWN)


@dataclass(frozen=True, slots=True)
class EpochRun:
    """Offsets [start, end) of one leader epoch in a replica's log. `epoch` None is not known.

    `records` are the names of the records (simulation), empty where nobody named them. `basis` is DERIVED for
    eras that do not store epochs in records (before 0.11).
    """

    epoch: int | None
    start: int
    end: int
    basis: Basis = Basis.OBSERVED
    records: tuple[str, ...] = ()
    latest: int | None = None
    """The latest epoch that an unknown one can be; None where nothing bounds it."""


Runs = tuple[EpochRun, ...]


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """One replica at one cursor. None is not known."""

    broker: int
    role: Role
    alive: bool | None
    in_isr: bool | None
    epoch: int | None
    log_start: Band
    leo: Band
    hw: Band
    epochs: tuple[tuple[int, int], ...] | None
    """The leader epoch cache: (epoch, start offset), rising. None is not known, () is known to be empty."""
    runs: tuple[EpochRun, ...] = ()
    """What the log holds, by epoch, as far as known, rising; ends at the highest known log end."""
    remote: tuple[tuple[int, int | None], ...] = ()
    """As a leader: (follower, remote log end offset); None until its first fetch in this epoch."""


@dataclass(frozen=True, slots=True)
class PartitionState:
    """All replicas of a partition at one cursor. `leader` -1 is none; None is not known."""

    cursor: int
    at: int | None
    """Time of the last event applied; None at cursor 0."""
    leader: int | None
    leader_epoch: int | None
    isr: tuple[int, ...] | None
    replicas: tuple[ReplicaState, ...]

    def replica(self, broker: int) -> ReplicaState:
        """The state of one broker's replica. Raises KeyError."""
        for replica in self.replicas:
            if replica.broker == broker:
                return replica
        raise KeyError(broker)


@dataclass(frozen=True, slots=True)
class Steps(Generic[T]):
    """A value that changes at cursors. `values[i]` holds from `cursors[i]` on; the first cursor is 0."""

    cursors: tuple[int, ...]
    values: Sequence[T]

    def at(self, cursor: int) -> T:
        """The value at a cursor: one search."""
        return self.values[bisect_right(self.cursors, cursor) - 1]

    def changed_at(self, cursor: int) -> int:
        """The cursor since which the value of `at(cursor)` holds."""
        return self.cursors[bisect_right(self.cursors, cursor) - 1]

    def stands(self, cursor: int) -> tuple[int, float]:
        """The cursors [first, end) at which the value is that of `at(cursor)`; the last one has no end."""
        after = bisect_right(self.cursors, cursor)
        return self.cursors[after - 1], self.cursors[after] if after < len(self.cursors) else inf

    def changes(self, first: int, last: int) -> Iterator[tuple[int, T, T]]:
        """(cursor, value before, value from it on) for each change in (first, last]."""
        begin, end = max(bisect_right(self.cursors, first), 1), bisect_right(self.cursors, last)
        for index in range(begin, end):
            yield self.cursors[index], self.values[index - 1], self.values[index]

    def spans(self, first: int, last: int) -> Iterator[tuple[int, int, T]]:
        """(from, to, value) for each stretch in [first, last], clipped; to is exclusive but for the last."""
        index = max(bisect_right(self.cursors, first) - 1, 0)
        while index < len(self.cursors) and self.cursors[index] <= last:
            end = self.cursors[index + 1] if index + 1 < len(self.cursors) else last
            yield max(self.cursors[index], first), min(end, last), self.values[index]
            index += 1


@dataclass(frozen=True, slots=True)
class ReplicaHistory:
    """Every attribute of one replica as a step function over the cursor."""

    broker: int
    role: Steps[Role]
    alive: Steps[bool | None]
    in_isr: Steps[bool | None]
    epoch: Steps[int | None]
    log_start: Steps[Band]
    leo: Steps[Band]
    hw: Steps[Band]
    epochs: Steps[tuple[tuple[int, int], ...] | None]
    runs: Steps[tuple[EpochRun, ...]]
    remote: Steps[tuple[tuple[int, int | None], ...]]
    caps: Caps | None = None
    """What is known of the moments between two events; None in a simulation, and without segments."""

    def at(self, cursor: int, moment: int | None = None) -> ReplicaState:
        """The state at a cursor: one search an attribute.

        With a moment, in ns, before the next event: its bands are those of that moment, not of the whole time
        until the next event.
        """
        state = self._at(cursor)
        if moment is None or self.caps is None:
            return state
        floor = state.log_start.lo or 0
        leo = self.caps.at(cursor, moment, watermark=False)
        hw = self.caps.at(cursor, moment, watermark=True)
        return replace(state, leo=state.leo.under(leo, floor, CAPPED), hw=state.hw.under(hw, floor, CAPPED))

    def stands(self, cursor: int) -> tuple[int, float]:
        """The cursors [first, end) at which the state is that of `at(cursor)`."""
        known = (self.role, self.alive, self.in_isr, self.epoch, self.log_start, self.leo, self.hw)
        spans = [steps.stands(cursor) for steps in (*known, self.epochs, self.runs, self.remote)]
        return max(first for first, _ in spans), min(end for _, end in spans)

    def _at(self, cursor: int) -> ReplicaState:
        return ReplicaState(
            broker=self.broker,
            role=self.role.at(cursor),
            alive=self.alive.at(cursor),
            in_isr=self.in_isr.at(cursor),
            epoch=self.epoch.at(cursor),
            log_start=self.log_start.at(cursor),
            leo=self.leo.at(cursor),
            hw=self.hw.at(cursor),
            epochs=self.epochs.at(cursor),
            runs=self.runs.at(cursor),
            remote=self.remote.at(cursor),
        )


@dataclass(frozen=True, slots=True)
class History:
    """One partition of a trace, opened. Computed when a partition is opened, never stored.

    `seqs` are the events of the view (see Trace.seqs_of); all cursors are cursors of the whole trace.
    """

    trace: Trace
    partition: int
    seqs: NDArray[np.int64]
    leader: Steps[int | None]
    leader_epoch: Steps[int | None]
    isr: Steps[tuple[int, ...] | None]
    replicas: Mapping[int, ReplicaHistory]
    """By broker id, in the order of assignment, then of first sight."""

    def at(self, cursor: int, moment: int | None = None) -> PartitionState:
        """The state of the partition at a cursor 0..N of the trace, or at a moment before the next event."""
        if moment is not None:
            return self._at(cursor, moment)
        for history, place, state in tuple(_RECENT):
            if history is self and place == cursor:
                return state
        state = self._at(cursor, None)
        _RECENT.append((self, cursor, state))
        return state

    def _at(self, cursor: int, moment: int | None) -> PartitionState:
        return PartitionState(
            cursor=cursor,
            at=self.time_of(cursor),
            leader=self.leader.at(cursor),
            leader_epoch=self.leader_epoch.at(cursor),
            isr=self.isr.at(cursor),
            replicas=tuple(
                self._standing(cursor)
                if moment is None
                else (replica.at(cursor, moment) for replica in self.replicas.values())
            ),
        )

    def _standing(self, cursor: int) -> Iterator[ReplicaState]:
        """The replicas: from one event to the next most stay the very same objects."""
        standing = _standing_of(self)
        for place, replica in enumerate(self.replicas.values()):
            first, end, state = standing[place]
            if state is None or not first <= cursor < end:
                # How long it stands is asked only of a history that is looked at again.
                first, end = (cursor, cursor + 1) if state is None else replica.stands(cursor)
                state = replica.at(cursor)
                standing[place] = first, end, state
            yield state

    def time_of(self, cursor: int) -> int | None:
        """Time of the last event applied at a cursor; None at cursor 0."""
        return int(self.trace.columns["at"][cursor - 1]) if cursor else None

    def rank(self, cursor: int) -> int:
        """How many events of this view have been applied: 47 of "47 / 61"."""
        return int(self.seqs.searchsorted(cursor))

    def cursor_of_rank(self, rank: int) -> int:
        """The cursor just after the rank-th event of this view; rank 0 is cursor 0."""
        return 0 if rank <= 0 else int(self.seqs[min(rank, len(self.seqs)) - 1]) + 1


_RECENT: Final[deque[tuple[History, int, PartitionState]]] = deque(maxlen=8)
"""A person scrubs, and each panel asks for the same place: of four runs, this one and the one before."""

_Standing = list[tuple[float, float, ReplicaState | None]]
"""Of each replica a state, and the cursors [first, end) at which it holds."""
_STANDING: Final[deque[tuple[History, _Standing]]] = deque(maxlen=4)


def _standing_of(history: History) -> _Standing:
    """What was found of the replicas of a history where it was looked at last."""
    for known, standing in tuple(_STANDING):
        if known is history:
            return standing
    standing: _Standing = [(0, 0, None)] * len(history.replicas)
    _STANDING.append((history, standing))
    return standing
