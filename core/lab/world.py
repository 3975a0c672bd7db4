"""The state of a partition at a cursor as the start of a scenario; what lies between bounds is taken."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from core.errors import QuestionError
from core.history.epoch_runs import slice_runs
from core.history.state import Band, PartitionState, ReplicaState, Runs, Steps
from core.lab.choices import Choice, Stance, within
from core.lab.faults import BACK, ENDS, Fault
from core.lab.material import Material
from core.message import Count, message
from core.trace.units import MILLISECOND_NS

_T = TypeVar("_T")
_LONG: Final = 20_000
"""Of a log with more records only those near the high watermarks and above are lifted."""
_BELOW: Final = 1_000
"""So many records below the lowest high watermark are lifted of such a log."""
_MOST: Final = 200_000
_DAY_NS: Final = 86_400_000 * MILLISECOND_NS


@dataclass(frozen=True, slots=True)
class Held:
    """One replica at the start. `runs` are (epoch, records) from the log start on."""

    broker: int
    log_start: int
    leo: int
    hw: int
    checkpoint: int
    runs: tuple[tuple[int, int], ...]
    epochs: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True)
class LiftedState:
    """A partition at the start, with what was taken. `down` is since when, in ns."""

    leader: int
    epoch: int
    isr: tuple[int, ...]
    replicas: tuple[Held, ...]
    down: Mapping[int, int]
    controller_back: int | None
    """When another controller begins, in ns since 1970; None where there is one."""
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class _Taken:
    """The numbers of a replica that were taken."""

    leo: int
    hw: int
    checkpoint: int


def leader_at(material: Material, cursor: int) -> int:
    """Who leads at a cursor, by what was stated last.

    Raises QuestionError where nobody does, or none is known.
    """
    leader = _last_known(material.history.leader, cursor)
    if leader is None or leader < 0 or leader not in material.history.replicas:
        raise QuestionError(message("error.lab.no-leader"), advice=message("error.lab.no-leader.do"))
    if leader not in _assigned(material, cursor):
        raise QuestionError(
            message("error.lab.reassigned", who=leader), advice=message("error.lab.reassigned.do")
        )
    return leader


def _assigned(material: Material, cursor: int) -> tuple[int, ...]:
    """The brokers that hold the partition at a cursor."""
    return material.assigned_at(int(material.trace.columns["at"][max(cursor - 1, 0)]))


def least_log_end(material: Material, cursor: int, at: int) -> int:
    """The log end that the leader has at least at a cursor: what a member of the in-sync set holds."""
    seen = _seen(material, cursor, at, Stance.BEST)
    return max(seen.leo(one).lo or 0 for one in seen.isr)


def _seen(material: Material, cursor: int, at: int, stance: Stance) -> "_Seen":
    """The bounds at a cursor. Over a leader that is not in the stated in-sync set the set is older."""
    leader = leader_at(material, cursor)
    stated = _last_known(material.history.isr, cursor) or _assigned(material, cursor)
    isr = tuple(one for one in stated if one in _assigned(material, cursor))
    last = {one.broker: one for one in material.faults if one.at <= at}
    members = isr if leader in isr else (leader, *isr)
    return _Seen(material, material.history.at(cursor), members, last, stance)


def state_at(material: Material, cursor: int, at: int, leader_leo: int, stance: Stance) -> LiftedState:
    """The state at a cursor, whose time is `at`. `leader_leo` is where the leader's log end was taken.

    Raises QuestionError where no leader is known, or nobody leads.
    """
    leader = leader_at(material, cursor)
    seen = _seen(material, cursor, at, stance)
    hw = seen.leader_hw(leader, leader_leo)
    taken = {leader: _Taken(leader_leo, hw, seen.checkpoint(leader, hw))}
    assigned = _assigned(material, cursor)
    for broker in assigned:
        if broker != leader:
            leo, own = seen.follower(broker, taken[leader])
            taken[broker] = _Taken(leo, own, seen.checkpoint(broker, own))
    base = _base(taken.values())
    epoch = _last_known(material.history.leader_epoch, cursor) or 0
    replicas = tuple(_held(seen.state.replica(broker), taken[broker], base, epoch) for broker in assigned)
    return LiftedState(
        leader=leader,
        epoch=max([epoch, *(run for one in replicas for run, _ in one.runs)]),
        isr=seen.isr,
        replicas=replicas,
        down=_down(seen.last, at),
        controller_back=_controller_back(material, at),
        choices=tuple(seen.choices(taken)),
    )


def _last_known(steps: Steps[_T | None], cursor: int) -> _T | None:
    """The last value up to a cursor that is known: it held once, and nothing says that it changed."""
    value, since = steps.at(cursor), steps.changed_at(cursor)
    while value is None and since > 0:
        value, since = steps.at(since - 1), steps.changed_at(since - 1)
    return value


@dataclass(frozen=True, slots=True)
class _Seen:
    """The bounds of all values, and which end of them is taken."""

    material: Material
    state: PartitionState
    isr: tuple[int, ...]
    last: Mapping[int, Fault]
    """By broker its last fault up to then."""
    stance: Stance

    def leo(self, broker: int) -> Band:
        """A log end; of a broker that is away the one with which it comes back, where that is known."""
        away = self.last.get(broker)
        back = None if away is None or away.kind in BACK else self.material.returned(away)
        return back or self.state.replica(broker).leo

    def leader_hw(self, leader: int, leader_leo: int) -> int:
        """The leader's high watermark: not above its log end, nor what a member of the in-sync set holds."""
        band = self.state.replica(leader).hw
        bounds = [leader_leo, band.hi, *(self.leo(one).hi for one in self.isr if one != leader)]
        high = min(one for one in bounds if one is not None)
        return within(high if self.stance is Stance.WORST else (band.lo or 0), band.lo, high)

    def follower(self, broker: int, leads: _Taken) -> tuple[int, int]:
        """Log end and high watermark of a follower."""
        band, own, in_sync = self.leo(broker), self.state.replica(broker).hw, broker in self.isr
        low = max(band.lo or 0, leads.hw if in_sync else 0)
        high = leads.leo if band.hi is None else band.hi
        high = max(min(high, leads.leo) if in_sync else high, low)
        leo = low if self.stance is Stance.WORST else high
        most = min(leo, leads.hw, leads.hw if own.hi is None else own.hi)
        least = max(own.lo or 0, self.written(broker) or 0)
        return leo, within(least if self.stance is Stance.WORST else most, None, most)

    def written(self, broker: int) -> int | None:
        """The checkpointed high watermark that a file states, or that a broker that is down will load."""
        found: int | None = None
        seqs = self.material.history.seqs
        for seq in seqs[: seqs.searchsorted(self.state.cursor)].tolist():
            event = self.material.trace.event(seq)
            if event.kind == "hw_checkpointed" and event.get("replica") == broker:
                found = event.get("hw")
        away = self.last.get(broker)
        if away is not None and away.kind in ENDS:
            later = self.material.rows_after(away.seq)
            loads = (one for one in later if one.kind == "hw_loaded" and one.get("replica") == broker)
            found = next((one.get("hw") for one in loads), found)
        return found

    def checkpoint_bounds(self, broker: int, hw: int) -> tuple[int, int]:
        """The bounds of the checkpointed high watermark, below the one in memory."""
        written = self.written(broker)
        if written is None:
            return min(self.state.replica(broker).hw.lo or 0, hw), hw
        return min(written, hw), min(written, hw)

    def checkpoint(self, broker: int, hw: int) -> int:
        """The checkpointed high watermark that is taken."""
        lo, hi = self.checkpoint_bounds(broker, hw)
        return lo if self.stance is Stance.WORST else hi

    def choices(self, taken: Mapping[int, _Taken]) -> Iterator[Choice]:
        """What lay between bounds."""
        for broker, one in taken.items():
            leo, hw = self.leo(broker), self.state.replica(broker).hw
            if leo.exact is None:
                yield Choice(message("lab.choice.leo", who=broker), leo.lo, leo.hi, one.leo)
            if hw.exact is None:
                yield Choice(message("lab.choice.hw", who=broker), hw.lo, hw.hi, one.hw)
            lo, hi = self.checkpoint_bounds(broker, one.hw)
            if lo != hi:
                yield Choice(message("lab.choice.checkpoint", who=broker), lo, hi, one.checkpoint)


def _base(taken: Collection[_Taken]) -> int:
    """From where on logs are lifted: from their start, or of long ones from a little below what may move.

    Raises QuestionError where too many records may move.
    """
    top = max(one.leo for one in taken)
    if top <= _LONG:
        return 0
    base = max(min(min(one.checkpoint, one.hw, one.leo) for one in taken) - _BELOW, 0)
    if top - base > _MOST:
        advice = message("error.lab.long.do", most=_MOST)
        raise QuestionError(message("error.lab.long", count=Count(top - base)), advice=advice)
    return base


def _held(replica: ReplicaState, taken: _Taken, base: int, epoch: int) -> Held:
    """A replica with its records by epoch."""
    start = min(max(replica.log_start.lo or 0, base), taken.checkpoint, taken.leo)
    runs = list(_runs(replica.runs, start, taken.leo, epoch))
    entries = replica.epochs
    if entries is None and base > 0:
        entries = _entries(replica.runs)
    if entries is not None:
        entries = tuple(one for one in entries if one[1] <= taken.leo)
    return Held(replica.broker, start, taken.leo, taken.hw, taken.checkpoint, tuple(runs), entries)


def _runs(runs: Runs, start: int, end: int, epoch: int) -> Iterator[tuple[int, int]]:
    """(epoch, records) of a log in [start, end). An unknown epoch is that of the records before."""
    at, last = start, 0
    for run in slice_runs(runs, start, end):
        last = max(last, last if run.epoch is None else run.epoch)
        if run.end > at:
            yield last, run.end - at
            at = run.end
    if at < end:
        yield max(last, epoch if not runs else last), end - at


def _entries(runs: Runs) -> tuple[tuple[int, int], ...]:
    """The epoch cache that records make."""
    first: dict[int, int] = {}
    for run in runs:
        if run.epoch is not None:
            first.setdefault(run.epoch, run.start)
    return tuple(sorted(first.items()))


def _down(last: Mapping[int, Fault], at: int) -> dict[int, int]:
    """By broker for how long it has been down, in ns. A clean stop closed its session."""
    return {
        broker: _DAY_NS if one.kind == "stop" else at - one.at
        for broker, one in last.items()
        if one.kind in ENDS
    }


def _controller_back(material: Material, at: int) -> int | None:
    """When the next controller begins, where that of before has died and none has followed."""
    if not any(one.with_controller and one.at <= at <= one.hi for one in material.faults):
        return None
    trace = material.trace
    later = (trace.event(seq) for seq in range(material.cursor_at(at), len(trace)))
    return next((one.at for one in later if one.kind == "controller_elected"), None)
