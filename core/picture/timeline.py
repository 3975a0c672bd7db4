"""One partition over time."""

from dataclasses import dataclass

from core.diagnose.verdict import PartitionVerdict
from core.history.state import History
from core.language import Language, say, speaking
from core.picture.axis import OrderAxis, OrderScale, TimeAxis
from core.picture.cursor import cursor_line
from core.picture.gutter import gutter_values
from core.picture.lane import Lane, lane_boxes
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
from core.trace.times import clock, virtual_time
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
    lang: Language = "en"


@dataclass(frozen=True, slots=True)
class _Parts:
    """The static part of a timeline: everything that does not depend on cursor and selection."""

    layer: Layer
    lanes: tuple[Lane, ...]
    bottom: float


def by_order(view: TimelineView) -> bool:
    """Whether events stand in their order instead of at their times: in simulations, while each has 4 px."""
    return view.history.trace.origin is Origin.SIMULATED and len(_seqs(view)) * 4 <= view.width - view.gutter


def _seqs(view: TimelineView) -> Column:
    seqs = view.history.seqs
    times = view.history.trace.columns["at"][seqs]
    first, end = (
        times.searchsorted(view.window[0], side="left"),
        times.searchsorted(view.window[1], side="right"),
    )
    return seqs[int(first) : int(end)]


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
    return _parts(Same((view.history, view.verdict), view), *keys)


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
    framed = selection_frame(parts.layer.marks, view.selected)
    layers = (parts.layer, Layer("cursor", (*_span(view, parts), *cursor, *framed)))
    title = view.title or str(view.history.trace.partitions[view.history.partition].tp)
    return Picture(view.width, max(parts.bottom + _FOOT, view.height), layers, title, _alt(view))


@remembered
def _parts(same: Same[TimelineView], *_keys: object) -> _Parts:
    with speaking(same.value.lang):
        return _static(same.value)


def _static(view: TimelineView) -> _Parts:
    history, scale = view.history, time_scale(view)
    ordered = isinstance(scale, OrderScale)
    axis = OrderAxis(scale) if isinstance(scale, OrderScale) else TimeAxis(scale, history.trace.columns["at"])
    top = ruler_top(view)
    lanes_top = top + TIME_RULER
    area = area_height(view.height - lanes_top - _FOOT, len(history.replicas))
    span = offset_span(history, axis, area)
    boxes = lane_boxes(lanes_top, [area] * len(history.replicas))
    lanes = tuple(
        Lane(history, view.verdict, broker, axis, box, scale_for(box, span))
        for broker, box in zip(history.replicas, boxes, strict=True)
    )
    bottom = boxes[-1].end if boxes else lanes_top
    marks: list[Mark] = [Box(0, 0, view.width, max(bottom + _FOOT, view.height), fill="bg.lane")]
    if view.with_overview:
        plot = (scale.left, scale.right)
        marks.extend(overview(history, view.verdict, view.window, plot, 6.0, view.notes))
    marks.extend(order_ruler(scale, top) if isinstance(scale, OrderScale) else time_ruler(scale, top))
    sheet = Sheet()
    if lanes:
        draw_lanes(lanes, sheet, view.gutter, grid=not ordered, with_messages=view.messages)
    marks.extend(sheet.marks())
    marks.append(Line(((0, bottom + 0.5), (view.width, bottom + 0.5)), "line.hair"))
    ground = NoteGround(
        lanes_top, bottom, view.gutter, view.width, {(0, lane.broker): lane.box for lane in lanes}
    )
    marks.extend(note_marks(view.notes, axis.x, (axis.first, axis.last), ground))
    return _Parts(Layer("static", tuple(marks)), lanes, bottom)


def _cursor(view: TimelineView, parts: _Parts, cursor: int) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for lane in parts.lanes:
        marks.extend(gutter_values(lane, cursor, view.gutter))
    times = view.history.trace.columns["at"]
    if not cursor or not parts.lanes:
        return tuple(marks)
    at = int(times[min(cursor, len(times)) - 1])
    if view.window[0] <= at <= view.window[1]:
        x = _cursor_x(parts, cursor)
        top = ruler_top(view)
        marks.extend(cursor_line(parts.layer.marks, round(x), top + 20, parts.bottom))
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
