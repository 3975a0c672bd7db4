"""What the parts of one lane share: its box, its scales, its spans of constant state, its names."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, LiteralString

import numpy as np

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.running_bounds import Numbers, Places
from core.history.state import EpochRun, History, ReplicaHistory, ReplicaState, Role, Steps
from core.picture.axis import Axis
from core.picture.drawing import PLAIN, Drawing
from core.picture.leader_end import LeaderEnd
from core.picture.marks import Ref
from core.picture.memo import Same, remembered
from core.picture.scale import OffsetScale
from core.picture.trend import trends_of
from core.trace.trace import Event, Origin, Trace
from core.trace.vocabulary import NUMBER
from core.words import said

BAND_HEIGHT = 16.0
STRIP_HEIGHT = 4.0
_NONE = np.zeros(0, np.intp)
_ROLES: Final[Mapping[Role, LiteralString]] = {
    Role.LEADER: "picture.role.leader",
    Role.FOLLOWER: "picture.role.follower",
    Role.STARTING: "picture.role.starting",
    Role.SEEKING: "picture.role.seeking",
    Role.OFFLINE: "picture.role.offline",
    Role.ABSENT: "picture.role.absent",
    Role.UNKNOWN: "picture.role.unknown",
}


@dataclass(frozen=True)
class LaneBox:
    """The heights of one lane from its separator down (visual design, section 3).

    `area` 0 is a folded lane.
    """

    top: float
    area: float
    shelf: float = 0.0
    """Room above the band for callouts."""
    tight: bool = False
    """With less room over the band, under it and under the baseline."""

    @cached_property
    def band(self) -> float:
        """Top of the role band."""
        return self.top + (4 if self.tight else 9) + self.shelf

    @cached_property
    def strip(self) -> float:
        """Top of the strip of in-sync replicas."""
        return self.band + BAND_HEIGHT + 3

    @cached_property
    def area_top(self) -> float:
        """Top of the log area: 30 below the top of the band, or 25."""
        return self.band + (25 if self.tight else 30)

    @cached_property
    def bottom(self) -> float:
        """The baseline."""
        return self.area_top + self.area if self.area else self.strip + STRIP_HEIGHT

    @cached_property
    def rail(self) -> float:
        """Top of the difference rail."""
        return self.bottom + 3

    @cached_property
    def known(self) -> float:
        """Top of the rail that says how well the replica is known."""
        return self.bottom + (3 if self.tight else 7)

    @cached_property
    def end(self) -> float:
        """Where the next lane's separator is."""
        return self.bottom + (8 if self.tight else 12)


@lru_cache(maxsize=16)
def lane_boxes(
    top: float, sizes: tuple[tuple[float, float], ...], *, tight: bool = False
) -> tuple[LaneBox, ...]:
    """Boxes of lanes under one another, by area and shelf; the same ones for every window of time."""
    boxes: list[LaneBox] = []
    for area, shelf in sizes:
        boxes.append(LaneBox(top, area, shelf, tight))
        top = boxes[-1].end
    return tuple(boxes)


def fixed_height(area: float, *, tight: bool = False) -> float:
    """The whole height of a lane with this area."""
    return LaneBox(0.0, area, tight=tight).end


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Columns of a pixel that all lanes share where events stand closer than they could be drawn.

    `cursors` are those at the left edge of each column, and at the right edge of the last one.
    """

    left: float
    cursors: Numbers


@dataclass(frozen=True, slots=True)
class Lane:
    """One replica's lane before it is drawn."""

    history: History
    verdict: PartitionVerdict
    broker: int
    axis: Axis
    box: LaneBox
    offsets: OffsetScale
    run: int = 0
    bins: Bins | None = None
    """Not None: it is drawn by the extremes of these columns."""
    drawing: Drawing = PLAIN
    lag: LeaderEnd | None = None
    """Not None: heights are counted from the leader's log end."""

    def y(self, offset: int, cursor: int) -> float:
        """Where an offset is in the state at a cursor; `is_placed` says whether that is exact."""
        return self.offsets.y(offset - (0 if self.lag is None else self.lag.at(cursor).lo or 0))

    def is_placed(self, cursor: int) -> bool:
        """Whether heights mean something exact there: what they are counted from is known."""
        return self.lag is None or self.lag.at(cursor).exact is not None

    @property
    def replica(self) -> ReplicaHistory:
        """The history that this lane shows."""
        return self.history.replicas[self.broker]

    @property
    def trace(self) -> Trace:
        """The trace of the run."""
        return self.history.trace

    @property
    def origin(self) -> tuple[float, float]:
        """The phase of all hatches of this lane."""
        return self.axis.left, self.box.bottom

    @property
    def simulated(self) -> bool:
        """True where every value is known, so that samples would only repeat the lines."""
        return self.trace.origin is Origin.SIMULATED

    def event_ref(self, seq: int, text: str) -> Ref:
        """What a mark of an event stands for."""
        return Ref("event", self.run, seq, self.broker, text)


@dataclass(frozen=True, slots=True)
class StateSpan:
    """The state of a replica from x0 to x1. Where several changes share a pixel, the last one's state.

    `leo_extent` is the lowest and highest exact log end offset among the changes that share its first pixel.
    """

    x0: float
    x1: float
    cursor: int
    state: ReplicaState
    leo_extent: tuple[int, int] | None = None


def change_cursors(replica: ReplicaHistory, first: int, last: int) -> list[int]:
    """Cursors in (first, last] at which anything of the replica changes."""
    drawn: tuple[Steps[Any], ...] = (
        *(replica.role, replica.alive, replica.in_isr, replica.epoch),
        *(replica.log_start, replica.leo, replica.hw, replica.runs),
    )
    found: set[int] = set()
    for steps in drawn:
        found.update(steps.cursors[bisect_right(steps.cursors, first) : bisect_right(steps.cursors, last)])
    if replica.local_starts is not None:
        found.update(cursor for cursor, _, _ in replica.local_starts.changes(first, last))
    if replica.stable is not None:
        found.update(cursor for cursor in replica.stable.cursors if first < cursor <= last)
    return sorted(found)


def state_spans(replica: ReplicaHistory, axis: Axis, lag: LeaderEnd | None = None) -> tuple[StateSpan, ...]:
    """The states that a lane draws, left to right, one a pixel at most.

    With `lag` every offset is less the leader's log end.
    """
    cursors = change_cursors(replica, axis.first, axis.last)
    if lag is not None:
        cursors = sorted({*cursors, *lag.changes(axis.first, axis.last)})
    return tuple(
        StateSpan(x, end, group[-1], _state(replica, group[-1], lag), _extent(replica, group, lag))
        for x, end, group in _by_pixel(cursors, axis)
    )


def _state(replica: ReplicaHistory, cursor: int, lag: LeaderEnd | None) -> ReplicaState:
    state = replica.at(cursor)
    return state if lag is None else lag.behind(state, cursor)


def state_spans_by_column(lane: Lane, bins: Bins) -> tuple[StateSpan, ...]:
    """What band and strip show, by columns: one a column at most, however many changes it has."""
    band_states = trends_of(lane.history)[lane.broker].band_states
    places = band_states.places(bins.cursors[1:])
    which = band_states.which[places]
    begun = np.flatnonzero(np.diff(which, prepend=-1))
    xs = (bins.left + begun).tolist()
    since = np.maximum(band_states.cursors[places[begun]], lane.axis.first).tolist()
    states = (band_states.kinds[kind] for kind in which[begun].tolist())
    return tuple(map(StateSpan, xs, (*xs[1:], lane.axis.right), since, states))


def _by_pixel(cursors: Sequence[int], axis: Axis) -> list[tuple[float, float, list[int]]]:
    """Cursors that share a pixel, as (x, x of the next ones, cursors)."""
    groups: list[tuple[float, list[int]]] = [(axis.left, [axis.first])]
    for cursor in cursors:
        x = min(max(axis.x(cursor), axis.left), axis.right)
        if x - groups[-1][0] < 1.0:
            groups[-1][1].append(cursor)
        else:
            groups.append((x, [cursor]))
    ends = [*(x for x, _ in groups[1:]), axis.right]
    return [(x, end, group) for (x, group), end in zip(groups, ends, strict=True)]


def _extent(replica: ReplicaHistory, group: Sequence[int], lag: LeaderEnd | None) -> tuple[int, int] | None:
    if len(group) < 3:
        return None
    if lag is None:
        known = [value for cursor in group if (value := replica.leo.at(cursor).exact) is not None]
    else:
        states = (lag.behind(replica.at(cursor), cursor) for cursor in group)
        known = [value for state in states if (value := state.leo.exact) is not None]
    return (min(known), max(known)) if known else None


def events_in(history: History, axis: Axis, kinds: Sequence[str]) -> tuple[Event, ...]:
    """The events of some kinds that are drawn on an axis, in order."""
    return history.trace.events(seqs_in(history, axis, kinds))


def seqs_in(history: History, axis: Axis, kinds: Sequence[str]) -> Places:
    """Their Seqs."""
    found: list[Places] = []
    for kind in kinds:
        seqs = seqs_of_kind(history, kind)
        first, last = seqs.searchsorted([axis.first, axis.last])
        found.append(seqs[first:last])
    return np.sort(np.concatenate(found))


def seqs_of_kind(history: History, kind: str) -> Places:
    """All events of a kind, in order."""
    return _seqs_by_kind(Same((history,), history)).get(NUMBER[kind], _NONE)


@remembered
def _seqs_by_kind(same: Same[History]) -> Mapping[int, Places]:
    history = same.value
    kinds = history.trace.columns["kind"][history.seqs]
    order = np.argsort(kinds, kind="stable")
    names, firsts = np.unique(kinds[order], return_index=True)
    parts = np.split(history.seqs[order], firsts[1:])
    return dict(zip(names.tolist(), parts, strict=True))


def role_word(role: Role) -> str:
    """A role in words."""
    return said(_ROLES[role])


def number(value: int) -> str:
    """An offset or a count, thousands separated."""
    return f"{value:,}"


def offset_range(first: int, end: int) -> str:
    """Offsets [first, end) as a person reads them, both ends included: "30–44"."""
    return number(first) if end - first <= 1 else f"{number(first)}–{number(end - 1)}"


def names_in(runs: Sequence[EpochRun], first: int, end: int, epoch: int | None = None) -> tuple[str, ...]:
    """The names of records [first, end) in what one log holds; () where one is missing or unnamed."""
    names: list[str] = []
    for run in runs:
        if run.records and (epoch is None or run.epoch == epoch):
            low, high = max(first, run.start), min(end, run.end)
            names.extend(run.records[low - run.start : max(high, low) - run.start])
    return tuple(names) if len(names) == end - first else ()


def record_names(
    history: History, cursor: int, first: int, end: int, epoch: int | None = None
) -> tuple[str, ...]:
    """The names of records [first, end) on any replica that holds them just before `cursor`.

    () where unnamed.
    """
    for replica in history.replicas.values():
        names = names_in(replica.runs.at(max(cursor - 1, 0)), first, end, epoch)
        if names:
            return names
    return ()
