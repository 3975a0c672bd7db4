"""One partition over time."""

import datetime as dt
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Final

from core.diagnose.verdict.facts import PartitionVerdict
from core.document.lane_order import USUAL, LaneOrder
from core.history.state import History
from core.picture.axis import OrderAxis, OrderScale, TimeAxis
from core.picture.callouts import telling
from core.picture.cursor import cursor_line
from core.picture.density import bins_of, is_dense
from core.picture.drawing import PLAIN, Drawing, Vertical
from core.picture.fold_marks import folds_on_ruler
from core.picture.folds import UNFOLDED, Folds, folds_of
from core.picture.gutter import arrangement_signs, gutter_values, hidden_words, lane_name
from core.picture.hatch import Rect
from core.picture.hit import reaches
from core.picture.lane import Lane, LaneBox, lane_boxes
from core.picture.lanes import (
    draw_between,
    draw_lane,
    draw_lanes,
    lane_sizes,
    offset_span,
    scale_for,
    wanted,
)
from core.picture.leader_end import leader_end
from core.picture.marks import Box, Layer, Line, Mark, Picture, Ref
from core.picture.memo import Same, keeping, remembered
from core.picture.notes import NoteGround, PlacedNote, note_marks
from core.picture.overview import OVERVIEW, overview
from core.picture.ruler import TIME_RULER, order_ruler, time_ruler, time_tag
from core.picture.scale import TimeScale
from core.picture.selection import selection_frame
from core.picture.sheet import Sheet
from core.picture.span import span_marks
from core.picture.whole import history_window
from core.trace.times import clock, in_zone, virtual_time
from core.trace.trace import Column, Origin, Trace
from core.words import Language, said, speaking, text

_MARGIN = 16.0
_FOOT = 4.0
_FAN = 10.0
"""From the overview to the ruler's first texts."""
_LANES_KEPT: Final = 48
"""More than a tall screen shows: a megabyte each where they are drawn by columns."""


@dataclass(frozen=True, slots=True)
class TimelineView:
    """What is looked at, and how large. `window` is (first, last) in ns; `cursor` None is left out (exports).

    Where the lanes do not fit into `height` at their least, the picture is higher than asked: the window
    scrolls.
    """

    history: History
    verdict: PartitionVerdict
    cursor: int | None
    window: tuple[int, int]
    width: float
    height: float
    notes: tuple[PlacedNote, ...] = ()
    title: str = ""
    gutter: float = 152.0
    with_overview: bool = True
    overview: float = OVERVIEW
    """How high the overview is."""
    selected: Ref | None = None
    span: tuple[int, int] | None = None
    """A marked range, from one cursor to another."""
    sight: tuple[float, float] | None = None
    """The heights that are seen of a picture that is scrolled: lanes outside of them are left empty."""
    lanes: LaneOrder = USUAL
    drawing: Drawing = PLAIN
    lang: Language = "en"


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """A window before its lanes are drawn: it holds for every cursor, and whichever lanes are in sight."""

    view: TimelineView
    """Whose window and sizes it has."""
    boxes: tuple[LaneBox, ...]
    lanes: tuple[Lane, ...]
    head: tuple[Mark, ...]
    notes: tuple[Mark, ...]
    top: float
    """Where the lanes begin, under the ruler."""
    bottom: float
    staying: int
    """So many lanes on top stay in sight while the others are scrolled."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """The static part of a timeline: everything that does not depend on cursor and selection."""

    layers: tuple[Layer, ...]
    marks: tuple[Mark, ...]
    """Those of all layers."""
    lanes: tuple[Lane, ...]
    seen: tuple[Lane, ...]
    """Those that are drawn: the others are out of sight."""
    bottom: float


def by_order(view: TimelineView) -> bool:
    """Whether events stand in their order instead of at their times: in simulations, while each has 4 px.

    Where there is none there is no order, and time goes on.
    """
    simulated = view.history.trace.origin is Origin.SIMULATED
    return simulated and 0 < len(_seqs(view)) * 4 <= view.width - view.gutter


def _seqs(view: TimelineView) -> Column:
    history, times = view.history, view.history.trace.columns["at"]
    first = history.rank(int(times.searchsorted(view.window[0], side="left")))
    end = history.rank(int(times.searchsorted(view.window[1], side="right")))
    return history.seqs[first:end]


def time_scale(view: TimelineView) -> TimeScale | OrderScale:
    """Time to x, as the lanes use it; `at(x)` is the moment under x in both."""
    left, right = view.gutter + 6, view.width - _MARGIN
    if by_order(view):
        return OrderScale(_seqs(view), view.history.trace.columns["at"], left, right)
    first, last = view.window
    return TimeScale(first, max(last, first + 1), left, right, folds_in(view))


def folds_in(view: TimelineView) -> Folds:
    """The quiet time that is drawn narrow, without what a person opened and with what a person folded.

    None by the order of events.
    """
    if not view.drawing.folds or by_order(view):
        return UNFOLDED
    found = folds_of(view.history, view.verdict).opened(view.drawing.opened)
    return found.joined(view.drawing.folded, history_window(view.history))


def ruler_top(view: TimelineView) -> float:
    """Where the ruler begins: under the overview."""
    return view.overview + 14 if view.with_overview else 0.0


def _parts_of(view: TimelineView) -> _Parts:
    sizes = (view.window, view.width, view.height, view.gutter)
    keys = (*sizes, view.notes, view.drawing, view.with_overview, view.overview, view.lanes, view.lang)
    frame = _frame(Same((view.history, view.verdict), view), *keys)
    return _parts(Same((frame,), frame), _seen(view, frame))


def staying_bottom(view: TimelineView) -> float:
    """How far down a picture that is scrolled stays in sight: the ruler, and the lanes that are pinned."""
    boxes, top = _boxes(view), ruler_top(view) + TIME_RULER
    staying = _staying(view, boxes)
    return boxes[staying - 1].end if staying else top


def least_height(view: TimelineView) -> float:
    """How high the picture is, where that is more than was asked for."""
    boxes = _boxes(view)
    return (boxes[-1].end if boxes else ruler_top(view) + TIME_RULER) + _FOOT


def _boxes(view: TimelineView) -> tuple[LaneBox, ...]:
    """The boxes of the lanes; those that are open share the room that the others leave."""
    seen = Same((view.history, view.verdict), view)
    return _boxes_of(seen, ruler_top(view), view.height, view.lanes, view.drawing)


@remembered
def _boxes_of(same: Same[TimelineView], *_keys: object) -> tuple[LaneBox, ...]:
    view = same.value
    top, brokers = ruler_top(view) + TIME_RULER, view.lanes.brokers(view.history.replicas)
    told = telling(view.history, view.verdict)
    has = [view.drawing.callouts and broker in told for broker in brokers]
    wish = wanted(view.history, view.verdict) if view.drawing.callouts else None
    tight = view.drawing.tight
    sizes = lane_sizes(view.lanes, brokers, has, view.height - top - _FOOT, wish, tight=tight)
    return lane_boxes(top, tuple(sizes), tight=tight)


def _staying(view: TimelineView, boxes: Sequence[LaneBox]) -> int:
    """How many pinned lanes stay in sight: as many as leave half of the room to the others."""
    top = ruler_top(view) + TIME_RULER
    pinned = sum(broker in view.lanes.pinned for broker in view.lanes.brokers(view.history.replicas))
    if pinned == len(boxes):
        return 0
    return sum(box.end - top <= (view.height - top) / 2 for box in boxes[:pinned])


def _seen(view: TimelineView, frame: _Frame) -> tuple[int, int] | None:
    """The first lane in sight and the one after the last; None where nothing is scrolled."""
    if view.sight is None or not frame.lanes:
        return None
    first, last = view.sight
    if frame.bottom + _FOOT <= last - first:
        return None
    return sum(box.end <= first for box in frame.boxes), sum(box.top < last for box in frame.boxes)


def timeline_lanes(view: TimelineView) -> tuple[Lane, ...]:
    """The lanes of a view, for what needs their places."""
    return _parts_of(view).lanes


def lay_out(view: TimelineView) -> Picture:
    """The picture of a timeline: layer "static" holds for a window, "cursor" is what a step changes."""
    with speaking(view.lang):
        return _laid_out(view)


def _laid_out(view: TimelineView) -> Picture:
    parts = _parts_of(view)
    cursor = () if view.cursor is None else _cursor(view, parts, view.cursor)
    framed = selection_frame(parts.marks, view.selected)
    layers = (*parts.layers, Layer("cursor", (*_span(view, parts), *cursor, *framed)))
    title = view.title or str(view.history.trace.partitions[view.history.partition].tp)
    return Picture(view.width, max(parts.bottom + _FOOT, view.height), layers, title, _alt(view))


@remembered
def _frame(same: Same[TimelineView], *_keys: object) -> _Frame:
    with speaking(same.value.lang):
        return _framed(same.value)


def _framed(view: TimelineView) -> _Frame:
    history, scale = view.history, time_scale(view)
    top, lanes_top, boxes = ruler_top(view), ruler_top(view) + TIME_RULER, _boxes(view)
    times = history.trace.columns["at"]
    axis = OrderAxis(scale) if isinstance(scale, OrderScale) else TimeAxis(scale, times)
    bins = bins_of(axis) if isinstance(axis, TimeAxis) and is_dense(history, axis) else None
    lag = leader_end(history) if view.drawing.vertical is Vertical.LAG else None
    highest = max((box.area for box in boxes), default=0.0)
    span = offset_span(history, view.verdict, axis, highest, bins, view.drawing)
    lanes = tuple(
        Lane(
            history,
            view.verdict,
            broker,
            axis,
            box,
            scale_for(box, span),
            bins=bins,
            drawing=view.drawing,
            lag=lag,
        )
        for broker, box in zip(view.lanes.brokers(history.replicas), boxes, strict=True)
    )
    bottom = boxes[-1].end if boxes else lanes_top
    head: list[Mark] = []
    if view.with_overview:
        plot = (scale.left, scale.right)
        below = None if isinstance(scale, OrderScale) else scale
        sizes = {"high": view.overview, "fan": _FAN}
        head.extend(overview(history, view.verdict, view.window, plot, 6.0, view.notes, below, **sizes))
    # The time of a simulation is in no zone.
    with nullcontext() if history.trace.origin is Origin.IMPORTED else in_zone(dt.UTC):
        head.extend(order_ruler(scale, top) if isinstance(scale, OrderScale) else time_ruler(scale, top))
        head.extend(
            () if isinstance(scale, OrderScale) else folds_on_ruler(history, view.verdict, scale, top)
        )
    above = 14 if view.drawing.tight else 28
    head.extend(hidden_words(history.replicas, view.lanes, view.gutter - 8, top + above))
    places = {(0, lane.broker): lane.box for lane in lanes}
    ground = NoteGround(lanes_top, bottom, view.gutter, view.width, places)
    notes = note_marks(view.notes, axis.x, (axis.first, axis.last), ground)
    staying = _staying(view, boxes)
    return _Frame(view, boxes, lanes, tuple(head), tuple(notes), lanes_top, bottom, staying)


@remembered
def _parts(same: Same[_Frame], seen: tuple[int, int] | None) -> _Parts:
    frame = same.value
    with speaking(frame.view.lang):
        drawn = range(len(frame.lanes)) if seen is None else _drawn(frame, *seen)
        layers = (_whole(frame),) if seen is None else _scrolled(same, drawn)
    marks = tuple(chain.from_iterable([layer.marks for layer in layers]))
    return _Parts(layers, marks, frame.lanes, tuple(frame.lanes[place] for place in drawn), frame.bottom)


def _drawn(frame: _Frame, first: int, end: int) -> Sequence[int]:
    """The places of the lanes that stay, and of those that are scrolled into sight."""
    return (*range(frame.staying), *range(max(first, frame.staying), end))


def _whole(frame: _Frame) -> Layer:
    view, sheet = frame.view, Sheet()
    if frame.lanes:
        grid = _has_grid(frame)
        draw_lanes(frame.lanes, sheet, view.gutter, grid=grid)
    signs = (mark for lane in frame.lanes for mark in _arranged(frame, lane))
    paper = Box(0, 0, view.width, _height(frame), fill="bg.lane")
    return Layer("static", (paper, *frame.head, *sheet.marks(), *signs, *_end_lines(frame), *frame.notes))


def _scrolled(same: Same[_Frame], drawn: Sequence[int]) -> tuple[Layer, ...]:
    """A layer each lane, so that one that stays in sight is neither laid out nor painted again.

    The ruler is one too: it stays where it is while the lanes move under it.
    """
    frame, view = same.value, same.value.view
    rect = (0.0, 0.0, view.width, frame.top)
    head = Layer("head", (Box(*rect, fill="bg.lane"), *frame.head, *frame.notes), rect)
    names = Same((view.history, frame.boxes), frame)
    empty = _empty_layers(names, view.lanes, view.width, view.height, view.gutter, view.lang)
    lanes = (
        _lane_layer(same, place) if place in drawn else empty[place] for place in range(len(frame.lanes))
    )
    return (*lanes, head)


@keeping(_LANES_KEPT)
def _lane_layer(same: Same[_Frame], place: int) -> Layer:
    """One lane, with its part of what runs through all of them."""
    frame, sheet = same.value, Sheet()
    rect = _room(frame, place)
    lane, view = frame.lanes[place], frame.view
    draw_lane(lane, sheet, view.gutter, grid=_has_grid(frame))
    heights = (rect[1], rect[1] + rect[3])
    sheet.add_near(_between(same), *heights)
    above = (mark for mark in (*_end_lines(frame), *frame.notes) if reaches(mark, *heights))
    signs = _arranged(frame, lane)
    return Layer("static", (Box(*rect, fill="bg.lane"), *sheet.marks(), *signs, *above), rect)


def _arranged(frame: _Frame, lane: Lane) -> tuple[Mark, ...]:
    lanes, broker = frame.view.lanes, lane.broker
    return arrangement_signs(
        lane.box, frame.view.gutter, folded=broker in lanes.folded, pinned=broker in lanes.pinned
    )


@remembered
def _between(same: Same[_Frame]) -> Sheet:
    frame, sheet = same.value, Sheet()
    draw_between(frame.lanes, sheet)
    return sheet


@remembered
def _empty_layers(same: Same[_Frame], *_keys: object) -> tuple[Layer, ...]:
    """Lanes out of sight keep their place, and their name, in every window of time."""
    frame = same.value
    return tuple(
        Layer("static", lane_name(lane, frame.view.gutter), _room(frame, place))
        for place, lane in enumerate(frame.lanes)
    )


def _room(frame: _Frame, place: int) -> Rect:
    """From the separator of a lane to the next one, or to the end of the picture."""
    top = frame.lanes[place].box.top
    end = frame.lanes[place + 1].box.top if place + 1 < len(frame.lanes) else _height(frame)
    return (0.0, top, frame.view.width, end - top)


def _height(frame: _Frame) -> float:
    return max(frame.bottom + _FOOT, frame.view.height)


def _has_grid(frame: _Frame) -> bool:
    return isinstance(frame.lanes[0].axis, TimeAxis)


def _end_lines(frame: _Frame) -> tuple[Line, ...]:
    """The end of the lanes, and of those that stay while the others go on under them."""
    width, bottom = frame.view.width, frame.bottom + 0.5
    end = Line(((0, bottom), (width, bottom)), "line.hair")
    if not frame.staying:
        return (end,)
    y = frame.lanes[frame.staying - 1].box.end - 1.0
    return (Line(((0, y), (width, y)), "line.edge", width=2.0), end)


def _cursor(view: TimelineView, parts: _Parts, cursor: int) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for lane in parts.seen:
        marks.extend(gutter_values(lane, cursor, view.gutter))
    times = view.history.trace.columns["at"]
    if not cursor or not parts.lanes:
        return tuple(marks)
    at = int(times[min(cursor, len(times)) - 1])
    if view.window[0] <= at <= view.window[1]:
        x = _cursor_x(parts, cursor)
        top = ruler_top(view)
        marks.extend(cursor_line(parts.marks, round(x), top + 20, parts.bottom))
        marks.extend(time_tag(x, top + 2, moment(view.history.trace, at), view.width))
    return tuple(marks)


def _cursor_x(parts: _Parts, cursor: int) -> float:
    axis = parts.lanes[0].axis
    return axis.x(cursor) + (axis.scale.slot * 0.7 if isinstance(axis, OrderAxis) else 0.0)


def _span(view: TimelineView, parts: _Parts) -> tuple[Mark, ...]:
    if view.span is None or not parts.lanes:
        return ()
    axis = parts.lanes[0].axis
    x0, x1 = (_cursor_x(parts, cursor) for cursor in view.span)
    return span_marks(
        round(x0), round(x1), (axis.left, axis.right), ruler_top(view) + TIME_RULER, parts.bottom
    )


def moment(trace: Trace, at: int) -> str:
    """A time as the window writes it: time of day, or seconds since the start of a simulation."""
    return virtual_time(at) if trace.origin is Origin.SIMULATED else clock(at)


def _alt(view: TimelineView) -> str:
    trace = view.history.trace
    partition = trace.partitions[view.history.partition].tp
    first, last = (moment(trace, at) for at in view.window)
    words = [said("picture.timeline.alt", partition=str(partition), first=first, last=last)]
    words.extend(text(finding.message) for finding in view.verdict.findings[:5])
    return " ".join(words)
