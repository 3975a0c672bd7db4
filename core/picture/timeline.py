"""One partition over time."""

import datetime as dt
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from core.diagnose.verdict import PartitionVerdict
from core.history.state import History
from core.language import Language, say, speaking
from core.picture.axis import OrderAxis, OrderScale, TimeAxis
from core.picture.cursor import cursor_line
from core.picture.density import bins_of, is_dense
from core.picture.gutter import gutter_values
from core.picture.lane import Lane, LaneBox, lane_boxes
from core.picture.lanes import area_height, draw_lanes, offset_span, scale_for
from core.picture.marks import Box, Layer, Line, Mark, Picture, Ref
from core.picture.memo import Same, remembered
from core.picture.notes import NoteGround, PlacedNote, note_marks
from core.picture.overview import OVERVIEW, overview
from core.picture.ruler import TIME_RULER, order_ruler, time_ruler, time_tag
from core.picture.scale import TimeScale
from core.picture.selection import selection_frame
from core.picture.sheet import Sheet
from core.picture.span import span_marks
from core.trace.times import clock, in_zone, virtual_time
from core.trace.trace import Column, Origin, Trace

_MARGIN = 16.0
_FOOT = 4.0


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
    messages: bool = True
    with_overview: bool = True
    selected: Ref | None = None
    span: tuple[int, int] | None = None
    """A marked range, from one cursor to another."""
    sight: tuple[float, float] | None = None
    """The heights that are seen of a picture that is scrolled: lanes outside of them are left empty."""
    lang: Language = "en"


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
    """Whether events stand in their order instead of at their times: in simulations, while each has 4 px."""
    return view.history.trace.origin is Origin.SIMULATED and len(_seqs(view)) * 4 <= view.width - view.gutter


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
    return TimeScale(first, max(last, first + 1), left, right)


def ruler_top(view: TimelineView) -> float:
    """Where the ruler begins: under the overview."""
    return OVERVIEW + 14 if view.with_overview else 0.0


def _parts_of(view: TimelineView) -> _Parts:
    sizes = (view.window, view.width, view.height, view.gutter)
    keys = (*sizes, view.notes, view.messages, view.with_overview, view.lang)
    return _parts(Same((view.history, view.verdict), view), *keys, _seen(view, _boxes(view)))


def _boxes(view: TimelineView) -> tuple[LaneBox, ...]:
    top = ruler_top(view) + TIME_RULER
    lanes = len(view.history.replicas)
    return lane_boxes(top, [area_height(view.height - top - _FOOT, lanes)] * lanes)


def _seen(view: TimelineView, boxes: Sequence[LaneBox]) -> tuple[int, int] | None:
    """The first lane in sight and the one after the last; None where nothing is scrolled."""
    if view.sight is None or not boxes:
        return None
    first, last = view.sight
    if boxes[-1].end + _FOOT <= last - first:
        return None
    return sum(box.end <= first for box in boxes), sum(box.top < last for box in boxes)


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
def _parts(same: Same[TimelineView], *_keys: object) -> _Parts:
    with speaking(same.value.lang):
        return _static(same.value)


def _static(view: TimelineView) -> _Parts:
    history, scale, boxes = view.history, time_scale(view), _boxes(view)
    ordered = isinstance(scale, OrderScale)
    times = history.trace.columns["at"]
    axis = OrderAxis(scale) if isinstance(scale, OrderScale) else TimeAxis(scale, times)
    bins = bins_of(axis) if isinstance(axis, TimeAxis) and is_dense(history, axis) else None
    span = offset_span(history, axis, boxes[0].area if boxes else 0.0, bins)
    lanes = tuple(
        Lane(history, view.verdict, broker, axis, box, scale_for(box, span), bins=bins)
        for broker, box in zip(history.replicas, boxes, strict=True)
    )
    top, lanes_top = ruler_top(view), ruler_top(view) + TIME_RULER
    bottom = boxes[-1].end if boxes else lanes_top
    head: list[Mark] = []
    if view.with_overview:
        plot = (scale.left, scale.right)
        head.extend(overview(history, view.verdict, view.window, plot, 6.0, view.notes))
    # The time of a simulation is in no zone.
    with nullcontext() if history.trace.origin is Origin.IMPORTED else in_zone(dt.UTC):
        head.extend(order_ruler(scale, top) if isinstance(scale, OrderScale) else time_ruler(scale, top))
    sheet = Sheet()
    seen = _seen(view, boxes)
    if lanes:
        draw_lanes(lanes, sheet, view.gutter, seen, grid=not ordered, with_messages=view.messages)
    places = {(0, lane.broker): lane.box for lane in lanes}
    ground = NoteGround(lanes_top, bottom, view.gutter, view.width, places)
    notes = note_marks(view.notes, axis.x, (axis.first, axis.last), ground)
    paper = Box(0, 0, view.width, max(bottom + _FOOT, view.height), fill="bg.lane")
    end_line = Line(((0, bottom + 0.5), (view.width, bottom + 0.5)), "line.hair")
    if seen is None:
        layers = (Layer("static", (paper, *head, *sheet.marks(), end_line, *notes)),)
    else:
        # The ruler stays where it is while the lanes move under it: each is painted alone.
        still = (replace(paper, h=lanes_top), *head, *notes)
        layers = (Layer("static", (paper, *sheet.marks(), end_line, *notes)), Layer("head", still))
    marks = tuple(mark for layer in layers for mark in layer.marks)
    return _Parts(layers, marks, lanes, lanes[slice(*seen)] if seen else lanes, bottom)


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
    words = [say(f"{partition} from {first} to {last}.", f"{partition}，从 {first} 到 {last}。")]
    words.extend(
        say(f"{finding.text.rstrip('.')}.", finding.text_zh) for finding in view.verdict.findings[:5]
    )
    return " ".join(words)
