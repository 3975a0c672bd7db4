"""Where a position is drawn: over time, or over the stops of a comparison."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from core.compare.comparison import Comparison
from core.history.running_bounds import Numbers
from core.picture.quiet_stops import StopSpan
from core.picture.scale import TimeScale
from core.trace.ids import Nanos
from core.trace.trace import Column


class Axis(Protocol):
    """What lanes need of an axis. A change at cursor c is the effect of event c - 1."""

    @property
    def left(self) -> float:
        """Where the plot begins."""
        ...

    @property
    def right(self) -> float:
        """Where the plot ends."""
        ...

    @property
    def first(self) -> int:
        """The cursor whose state holds at the left edge."""
        ...

    @property
    def last(self) -> int:
        """The last cursor that is drawn."""
        ...

    @property
    def folds(self) -> tuple[tuple[float, float], ...]:
        """Left and right edge of each span in sight that is drawn narrow."""
        ...

    def x(self, cursor: int) -> float:
        """Where a change at this cursor is drawn."""
        ...


def _in_sight(spans: Iterable[tuple[float, float]], axis: Axis) -> tuple[tuple[float, float], ...]:
    """What an axis shows of spans, on whole pixels."""
    held = ((max(float(round(x0)), axis.left), min(float(round(x1)), axis.right)) for x0, x1 in spans)
    return tuple((x0, x1) for x0, x1 in held if x1 - x0 >= 1)


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """A trace over time. `times` is the column `at`; positions of one moment share an x."""

    scale: TimeScale
    times: Column
    first: int = field(init=False)
    """How many events are before the window."""
    last: int = field(init=False)
    """How many events are before the window's end."""

    def __post_init__(self) -> None:
        """Looked up once: every part of every lane asks for them."""
        object.__setattr__(self, "first", int(self.times.searchsorted(self.scale.first, side="left")))
        object.__setattr__(self, "last", int(self.times.searchsorted(self.scale.last, side="right")))

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return self.scale.left

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.scale.right

    @property
    def folds(self) -> tuple[tuple[float, float], ...]:
        """The quiet time in sight."""
        spans = self.scale.folds.within(self.scale.first, self.scale.last)
        return _in_sight(((self.scale.x(first), self.scale.x(end)) for first, end in spans), self)

    def by_pixel(self) -> Numbers:
        """The cursor at the left edge of each pixel, and at the right edge of the last one."""
        # What happens half a pixel before x is drawn at x.
        cursors = self.times.searchsorted(self.scale.by_pixel(), "left")
        cursors[0], cursors[-1] = self.first, self.last
        return cursors.astype(np.int64)

    def x(self, cursor: int) -> float:
        """The moment of the event before the cursor; cursor 0 is the left edge."""
        if cursor <= 0:
            return self.scale.left
        return float(round(self.scale.x(int(self.times[min(cursor, len(self.times)) - 1]))))


@dataclass(frozen=True, slots=True)
class Columns:
    """The shared ruler of a comparison: slot i is `edges[i]` to `edges[i + 1]`, `slots[stop]` that of a stop.

    `heads` are the stops at which a column begins. Stops of one column at one distance in time from its
    beginning share a slot: what happens at the same moment stands at the same x in every run, and the
    cursor's line stands still there.
    """

    edges: tuple[float, ...]
    slots: tuple[int, ...]
    heads: tuple[int, ...]
    first: int = 0
    """The stop whose state holds at the left edge: 0, or one that a zoom has left of it."""
    last: int | None = None
    """The last stop that is seen; None is the last of all."""
    folds: tuple[StopSpan, ...] = ()
    """The stops that are drawn narrow."""

    @property
    def last_stop(self) -> int:
        """The last stop that is seen."""
        return len(self.slots) - 1 if self.last is None else self.last

    def sees(self, stop: int) -> bool:
        """Whether a stop's slot is seen, or a part of it."""
        left, right = self.slot(stop)
        return left < right

    def slot(self, stop: int) -> tuple[float, float]:
        """Left and right edge of a stop's slot."""
        return self.edges[self.slots[stop]], self.edges[self.slots[stop] + 1]

    def column(self, place: int) -> tuple[float, float]:
        """Left and right edge of the place-th column."""
        left = self.slot(self.heads[place])[0]
        return left, self.slot(self.heads[place + 1])[0] if place + 1 < len(self.heads) else self.edges[-1]

    def fold(self, stops: StopSpan) -> tuple[float, float]:
        """Left and right edge of a fold."""
        return self.slot(stops[0])[0], self.slot(stops[1] - 1)[1]

    def open_part(self, place: int) -> tuple[float, float]:
        """Left and right edge of what a column has before or after the folds in it, whichever is wider."""
        left, right = self.column(place)
        inner = (edge for stops in self.folds for edge in self.fold(stops))
        ends = [left, *(min(max(edge, left), right) for edge in inner), right]
        return max(zip(ends[::2], ends[1::2], strict=True), key=lambda part: part[1] - part[0])

    def column_of(self, stop: int) -> int:
        """The column in which a stop lies."""
        return max(bisect_right(self.heads, stop) - 1, 0)

    def cursor_x(self, stop: int) -> float:
        """Where the cursor stands: at the end of the stop's slot, so that what it did is left of the line."""
        left, right = self.slot(stop)
        return float(round(right - min(4.0, (right - left) / 4)))

    def stop_at(self, x: float) -> int:
        """The last stop of the slot that covers x, clamped to the ruler."""
        slot = min(max(bisect_right(self.edges, x) - 1, 0), len(self.edges) - 2)
        return bisect_right(self.slots, slot) - 1


WHOLE = (0.0, 1.0)
"""All of a comparison."""
_LEAST = 50.0
"""Least width of a column, while there is room."""
_HEAD_WEIGHT = 0.3
"""Weight of a column's first slot beside 1 for the others, where the anchor stands alone in it."""


_FOLD = 0.034
"""Width of a fold, as a share of all."""
_OPEN_SHARE = 8
"""What is folded is longer than an eighth of what stays open."""


def columns_of(
    comparison: Comparison,
    left: float,
    right: float,
    shown: tuple[float, float] = WHOLE,
    quiet: Sequence[StopSpan] = (),
    by_hand: Sequence[StopSpan] = (),
) -> Columns:
    """One column an anchor: equal for a script, by the number of its slots (with a floor) for landmarks.

    `shown` is what is seen of all, from 0 to 1: what lies outside has no width. Of the `quiet` spans the
    long ones are folded; of those `by_hand` all, one fold where some touch each other.
    """
    wide = (right - left) / (shown[1] - shown[0])
    begin = left - shown[0] * wide
    whole = _columns(comparison, begin, begin + wide, quiet, by_hand)
    if shown == WHOLE:
        return whole
    edges = tuple(min(max(edge, left), right) for edge in whole.edges)
    first = bisect_right(whole.slots, max(bisect_right(whole.edges, left) - 1, 0)) - 1
    last = bisect_left(whole.slots, bisect_left(whole.edges, right)) - 1
    return replace(whole, edges=edges, first=first, last=max(last, first))


def _columns(
    comparison: Comparison,
    left: float,
    right: float,
    quiet: Sequence[StopSpan],
    by_hand: Sequence[StopSpan],
) -> Columns:
    stops = comparison.stops
    heads = [place for place, stop in enumerate(stops) if place == 0 or stop.anchor]
    ends = [*heads[1:], len(stops)]
    slots: list[int] = []
    weights: list[list[float]] = []
    for head, end in zip(heads, ends, strict=True):
        elapsed = [_elapsed(comparison, head, stop) for stop in range(head, end)]
        before = sum(map(len, weights))
        column: list[float] = []
        for place, since in enumerate(elapsed):
            if place == 0 or since != elapsed[place - 1]:
                column.append(1.0)
            slots.append(before + len(column) - 1)
        if len(column) > 1 and elapsed[1] != 0:
            column[0] = _HEAD_WEIGHT
        weights.append(column)
    script = comparison.axis == "script"
    shares = [1.0 if script else 1.0 + (len(column) - 1) ** 0.5 / 2 for column in weights]
    shares = [max(share, _LEAST / max(right - left, 1.0) * sum(shares)) for share in shares]
    places = _places(shares, weights, left, right)
    folds = _joined(_long(quiet, slots, places), _whole_slots(by_hand, slots))
    folds = _narrower(folds, slots, places)
    edges = _narrowed(places, [(slots[first], slots[end - 1] + 1) for first, end in folds])
    return Columns(tuple(map(_whole_pixel, edges)), tuple(slots), tuple(heads), folds=folds)


def _places(
    shares: Sequence[float], weights: Sequence[Sequence[float]], left: float, right: float
) -> list[float]:
    """Where each slot begins, and where the last one ends."""
    places: list[float] = []
    x, every = left, sum(shares) or 1.0
    for share, column in zip(shares, weights, strict=True):
        width = (right - left) * share / every
        at, whole = x, sum(column)
        for weight in column:
            places.append(at)
            at += width * weight / whole
        x += width
    return [*places, right]


def _long(quiet: Sequence[StopSpan], slots: Sequence[int], places: Sequence[float]) -> tuple[StopSpan, ...]:
    """The quiet spans of whole slots that are long beside what stays open."""
    whole = _whole_slots(quiet, slots)
    widths = [places[slots[end - 1] + 1] - places[slots[first]] for first, end in whole]
    total = places[-1] - places[0]
    least = max((total - sum(widths)) / _OPEN_SHARE, 2 * total * _FOLD)
    return tuple(stops for stops, width in zip(whole, widths, strict=True) if width > least)


def _whole_slots(spans: Sequence[StopSpan], slots: Sequence[int]) -> list[StopSpan]:
    """What these spans have of whole slots."""
    whole: list[StopSpan] = []
    for first, last in spans:
        end = min(last, len(slots))
        if first >= end:
            continue
        start = first if first == 0 or slots[first] != slots[first - 1] else bisect_right(slots, slots[first])
        stop = end if end == len(slots) or slots[end] != slots[end - 1] else bisect_left(slots, slots[end])
        if start < stop:
            whole.append((start, stop))
    return whole


def _joined(quiet: Sequence[StopSpan], by_hand: Sequence[StopSpan]) -> tuple[StopSpan, ...]:
    """Both, in order; what a person folded is one fold with what it touches."""
    if not by_hand:
        return tuple(quiet)
    found: list[StopSpan] = []
    for first, end in sorted((*quiet, *by_hand)):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((first, end))
    return tuple(found)


def _narrower(
    folds: Sequence[StopSpan], slots: Sequence[int], places: Sequence[float]
) -> tuple[StopSpan, ...]:
    """Those that a fold makes narrower, as long as something stays open."""
    total = places[-1] - places[0]
    widths = [places[slots[end - 1] + 1] - places[slots[first]] for first, end in folds]
    if sum(widths) >= total:
        return ()
    return tuple(stops for stops, width in zip(folds, widths, strict=True) if width > total * _FOLD)


def _narrowed(places: Sequence[float], folds: Sequence[tuple[int, int]]) -> list[float]:
    """The same places where these slots share the width of a fold, and all others have one scale."""
    if not folds:
        return list(places)
    first, total = places[0], places[-1] - places[0]
    shown = min(total * _FOLD, total / (2 * len(folds)))
    folded = sum(places[end] - places[begin] for begin, end in folds)
    scale = (total - shown * len(folds)) / (total - folded)
    old, new = [first], [first]
    for begin, end in folds:
        for slot, width in ((begin, (places[begin] - old[-1]) * scale), (end, shown)):
            old.append(places[slot])
            new.append(new[-1] + width)
    return [*np.interp(places[:-1], [*old, places[-1]], [*new, places[-1]]).tolist(), places[-1]]


def _whole_pixel(x: float) -> float:
    return float(round(x))


def _elapsed(comparison: Comparison, head: int, stop: int) -> int:
    """Time from a column's beginning to what a stop does, in the run that it advances.

    0 for the beginning itself.
    """
    if stop == head:
        return 0
    before, now, start = comparison.stops[stop - 1], comparison.stops[stop], comparison.stops[head]
    for run, cursor in enumerate(now.cursors):
        if cursor != before.cursors[run]:
            times = comparison.runs[run].history.trace.columns["at"]
            first = start.cursors[run]
            return int(times[cursor - 1]) - int(times[first - 1] if first else times[0])
    return 0


@dataclass(frozen=True, slots=True)
class StopAxis:
    """One run of a comparison: `cursors[i]` is its cursor at stop i."""

    columns: Columns
    cursors: tuple[int, ...]

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return self.columns.edges[0]

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.columns.edges[-1]

    @property
    def first(self) -> int:
        """That of the stop at the left edge: of all stops a run is drawn from its beginning."""
        return self.cursors[self.columns.first]

    @property
    def last(self) -> int:
        """The cursor of the last stop that is seen."""
        return self.cursors[self.columns.last_stop]

    @property
    def folds(self) -> tuple[tuple[float, float], ...]:
        """The quiet stops in sight."""
        return _in_sight(map(self.columns.fold, self.columns.folds), self)

    def by_pixel(self) -> Numbers:
        """The cursor at the left edge of each pixel, and at the right edge of the last one."""
        edges = np.asarray(self.columns.edges)[list(self.columns.slots)]
        pixels = self.left + np.arange(int(self.right - self.left) + 1)
        passed = np.maximum(edges.searchsorted(pixels, "left") - 1, self.columns.first)
        # A narrow slot at the end may be rounded onto the right edge.
        passed[-1] = self.columns.last_stop
        return np.asarray(self.cursors, np.int64)[passed]

    def stop_of(self, cursor: int) -> int:
        """The first stop that has applied this cursor."""
        return min(bisect_left(self.cursors, cursor), len(self.cursors) - 1)

    def x(self, cursor: int) -> float:
        """The left edge of the slot that applied the event before this cursor."""
        return self.columns.slot(self.stop_of(cursor))[0]


@dataclass(frozen=True, slots=True)
class OrderScale:
    """Positions by order, one slot an event: for simulations, where seconds and single ms alternate.

    `seqs` are the events that are drawn, `times` the column `at` of the trace.
    """

    seqs: Column
    times: Column
    left: float
    right: float

    @property
    def slot(self) -> float:
        """Width of one event."""
        return (self.right - self.left) / max(len(self.seqs), 1)

    def x(self, place: int) -> float:
        """Left edge of the place-th event."""
        return self.left + place * self.slot

    def at(self, x: float) -> Nanos:
        """The time of the event whose slot covers x."""
        if not len(self.seqs):
            return Nanos(0)
        place = int((x - self.left) // max(self.slot, 1e-9))
        return Nanos(int(self.times[self.seqs[min(max(place, 0), len(self.seqs) - 1)]]))


@dataclass(frozen=True, slots=True)
class OrderAxis:
    """A trace by the order of its events."""

    scale: OrderScale

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return self.scale.left

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.scale.right

    @property
    def first(self) -> int:
        """How many events are before the window."""
        return int(self.scale.seqs[0]) if len(self.scale.seqs) else 0

    @property
    def last(self) -> int:
        """The cursor after the last event of the window."""
        return int(self.scale.seqs[-1]) + 1 if len(self.scale.seqs) else 0

    @property
    def folds(self) -> tuple[tuple[float, float], ...]:
        """None: order has no time."""
        return ()

    def x(self, cursor: int) -> float:
        """Left edge of the slot of the event before the cursor."""
        place = int(self.scale.seqs.searchsorted(cursor, side="left")) - 1
        return float(round(min(max(self.scale.x(max(place, 0)), self.left), self.right)))
