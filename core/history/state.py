"""The state of a partition at a cursor, and the step functions (values over cursors) that it is read from.

With a history `h` of one partition, `h.at(47).replica(1).leo` is the band of broker 1's log end offset after
47 events of the trace: `30–35` for a value from 30 to 35.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.history.record_time_caps import Caps
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

T = TypeVar("T")


class Role(StrEnum):
    """The role that a replica has by its own lines; OFFLINE is a broker that is stopped or crashed."""

    LEADER = "leader"
    FOLLOWER = "follower"
    STARTING = "starting"
    """Up, and notified of no role yet since its start."""
    SEEKING = "seeking"
    """A member of the metadata quorum that knows no leader in its epoch."""
    OFFLINE = "offline"
    ABSENT = "absent"
    """Of a broker that has deleted its log: it holds no replica of the partition."""
    UNKNOWN = "unknown"


WITHOUT_ROLE: Final = frozenset({Role.ABSENT, Role.UNKNOWN})
"""Of a broker that is up: nobody has told it to lead or to follow, as far as its lines say."""


@dataclass(frozen=True, slots=True)
class Band:
    """A value between two bounds, both inclusive; None is no bound. `rule` names what set a bound last."""

    lo: int | None
    hi: int | None
    basis: Basis
    rule: str = ""

    @property
    def exact(self) -> int | None:
        """The value where both bounds meet, else None."""
        return self.lo if self.lo is not None and self.lo == self.hi else None

    def under(self, limit: int | None, floor: int | None, rule: str) -> "Band":
        """This band with one more upper bound, by a rule that can fail: not one below the lower bound.

        `floor` is the lower bound to use where the band has none; `rule` names the new rule.
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


CAPPED = "time-stamps"
"""The name of the rule that bounds by the time stamps of records (core/history/record_time_caps.py)."""
UNKNOWN_BAND = Band(None, None, Basis.UNKNOWN)


@dataclass(frozen=True, slots=True)
class EpochRun:
    """Offsets [start, end) of one leader epoch in a replica's log. `epoch` is None where it is not known.

    `records` are the names of the records (simulation), empty where no event names them. `basis` is DERIVED
    for eras that do not store epochs in records (before 0.11).
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
    lso: Band = UNKNOWN_BAND
    """The last stable offset: up to where readers of committed transactions see (KIP-98)."""
    local_start: Band | None = None
    """Where its own disk begins (KIP-405); None where nothing tells of a remote tier."""


@dataclass(frozen=True, slots=True)
class PartitionState:
    """All replicas of a partition at one cursor. `leader` is -1 for no leader, None where it is not known."""

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

    def held_span(self, cursor: int) -> tuple[int, float]:
        """The cursors [first, end) over which the value of `at(cursor)` holds; the last value has no end."""
        after = bisect_right(self.cursors, cursor)
        return self.cursors[after - 1], self.cursors[after] if after < len(self.cursors) else inf

    def changes(self, first: int, last: int) -> Iterator[tuple[int, T, T]]:
        """(cursor, value before, value from it on) for each change in (first, last]."""
        begin, end = max(bisect_right(self.cursors, first), 1), bisect_right(self.cursors, last)
        for index in range(begin, end):
            yield self.cursors[index], self.values[index - 1], self.values[index]

    def spans(self, first: int, last: int) -> Iterator[tuple[int, int, T]]:
        """(from, to, value) for each value that holds in [first, last]; to is exclusive but for the last."""
        index = max(bisect_right(self.cursors, first) - 1, 0)
        while index < len(self.cursors) and self.cursors[index] <= last:
            end = self.cursors[index + 1] if index + 1 < len(self.cursors) else last
            yield max(self.cursors[index], first), min(end, last), self.values[index]
            index += 1


class StableOffset(Protocol):
    """The last stable offset of a replica: core/history/stable.py."""

    @property
    def cursors(self) -> tuple[int, ...]:
        """Those at which it may change though the high watermark does not."""
        ...

    @property
    def drawn(self) -> bool:
        """Whether transactions are known here, so that it may be another value than the high watermark."""
        ...

    def at(self, cursor: int, hw: Band, log_start: Band) -> Band:
        """The band at a cursor, from that of the high watermark."""
        ...


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
    """Bounds at moments between two events; None in a simulation, and where no segments were given."""
    stable: StableOffset | None = None
    """None where nothing is asked of transactions."""
    local_starts: Steps[Band] | None = None
    """Where its own disk begins, if that is above the log start: core/history/local_start.py."""

    @property
    def has_transactions(self) -> bool:
        """Whether any are known here: else the last stable offset says no more than the high watermark."""
        return self.stable is not None and self.stable.drawn

    def lso(self, cursor: int, hw: Band | None = None) -> Band:
        """The last stable offset at a cursor, from the high watermark there, or from another band of that."""
        if self.stable is None:
            return UNKNOWN_BAND
        return self.stable.at(cursor, self.hw.at(cursor) if hw is None else hw, self.log_start.at(cursor))

    def local_start(self, cursor: int) -> Band | None:
        """Where its own disk begins: never below the log start; None where nothing tells of a remote tier."""
        if self.local_starts is None:
            return None
        band = self.local_starts.at(cursor)
        if band.lo is None:
            return band
        low = max(band.lo, self.log_start.at(cursor).lo or 0)
        return replace(band, lo=low, hi=None if band.hi is None else max(band.hi, low))

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
        under = state.hw.under(hw, floor, CAPPED)
        return replace(state, leo=state.leo.under(leo, floor, CAPPED), hw=under, lso=self.lso(cursor, under))

    def held_span(self, cursor: int) -> tuple[int, float]:
        """The cursors [first, end) over which the state of `at(cursor)` holds."""
        known = (self.role, self.alive, self.in_isr, self.epoch, self.log_start, self.leo, self.hw)
        spans = [steps.held_span(cursor) for steps in (*known, self.epochs, self.runs, self.remote)]
        if self.local_starts is not None:
            spans.append(self.local_starts.held_span(cursor))
        first, end = max(first for first, _ in spans), min(end for _, end in spans)
        if self.stable is not None and self.stable.cursors:
            moves = self.stable.cursors
            place = bisect_right(moves, cursor)
            first = max(first, moves[place - 1]) if place else first
            end = min(end, moves[place]) if place < len(moves) else end
        return first, end

    def _at(self, cursor: int) -> ReplicaState:
        """The state at a cursor, without caps."""
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
            lso=self.lso(cursor),
            local_start=self.local_start(cursor),
        )


@dataclass(frozen=True, slots=True)
class History:
    """One partition of a trace, opened: made from its events when somebody opens it, never stored.

    `seqs` are the Seqs of the view's events (see Trace.seqs_of); all cursors are cursors of the whole trace.
    """

    trace: Trace
    partition: int
    seqs: NDArray[np.int64]
    leader: Steps[int | None]
    leader_epoch: Steps[int | None]
    isr: Steps[tuple[int, ...] | None]
    replicas: Mapping[int, ReplicaHistory]
    """By broker id, in the order of assignment, then of the first event."""

    def at(self, cursor: int, moment: int | None = None) -> PartitionState:
        """The state of the partition at a cursor 0..N of the trace, or at a moment before the next event."""
        if moment is not None:
            return self._at(cursor, moment)
        for history, known_cursor, state in tuple(_RECENT_STATES):
            if history is self and known_cursor == cursor:
                return state
        state = self._at(cursor, None)
        _RECENT_STATES.append((self, cursor, state))
        return state

    def _at(self, cursor: int, moment: int | None) -> PartitionState:
        """The state at a cursor, made anew."""
        return PartitionState(
            cursor=cursor,
            at=self.time_of(cursor),
            leader=self.leader.at(cursor),
            leader_epoch=self.leader_epoch.at(cursor),
            isr=self.isr.at(cursor),
            replicas=tuple(
                self._replicas_at(cursor)
                if moment is None
                else (replica.at(cursor, moment) for replica in self.replicas.values())
            ),
        )

    def _replicas_at(self, cursor: int) -> Iterator[ReplicaState]:
        """The state of each replica at a cursor; the object of the last answer where nothing has changed."""
        kept = _kept_states(self)
        for number, replica in enumerate(self.replicas.values()):
            first, end, state = kept[number]
            if state is None or not first <= cursor < end:
                # Over which cursors a state holds is found only where a second one is asked for.
                first, end = (cursor, cursor + 1) if state is None else replica.held_span(cursor)
                state = replica.at(cursor)
                kept[number] = first, end, state
            yield state

    def time_of(self, cursor: int) -> int | None:
        """Time of the last event applied at a cursor; None at cursor 0."""
        return int(self.trace.columns["at"][cursor - 1]) if cursor else None

    def rank(self, cursor: int) -> int:
        """How many events of this view have been applied: the 47 of "47 / 61"."""
        return int(self.seqs.searchsorted(cursor))

    def cursor_of_rank(self, rank: int) -> int:
        """The cursor just after the rank-th event of this view; rank 0 is cursor 0."""
        return 0 if rank <= 0 else int(self.seqs[min(rank, len(self.seqs)) - 1]) + 1


_RECENT_STATES: Final[deque[tuple[History, int, PartitionState]]] = deque(maxlen=8)
"""States asked for last: all panels ask for the same cursor, of up to four runs, and then for the next."""

_KeptStates = list[tuple[float, float, ReplicaState | None]]
"""By replica a state, and the cursors [first, end) over which it holds; None before the first."""
_KEPT: Final[deque[tuple[History, _KeptStates]]] = deque(maxlen=4)


def _kept_states(history: History) -> _KeptStates:
    """The states of a history's replicas that were made last, in a list to be written to."""
    for known, states in tuple(_KEPT):
        if known is history:
            return states
    states: _KeptStates = [(0, 0, None)] * len(history.replicas)
    _KEPT.append((history, states))
    return states
