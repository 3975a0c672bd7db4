"""Two to four runs stacked under one ruler."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

from core.compare.comparison import Comparison, Run
from core.diagnose.verdict.counted import amount_of, lost_parts, sums_of
from core.diagnose.verdict.facts import Severity
from core.document.lane_order import USUAL, LaneOrder
from core.message import Listing
from core.picture.agreement import (
    STRIP,
    agreement,
    difference_broker,
    difference_spans,
    difference_words,
    first_between,
)
from core.picture.axis import WHOLE, Columns, StopAxis, columns_of
from core.picture.callouts import telling
from core.picture.cursor import clear_spans, cursor_line
from core.picture.cuts import names_of_parts, ranges_of_parts
from core.picture.density import bins_of, is_dense
from core.picture.drawing import PLAIN, Drawing, Vertical
from core.picture.fold_marks import folds_on_columns
from core.picture.gutter import arrangement_signs, gutter_values, hidden_words
from core.picture.joining import joined, text_of
from core.picture.lane import Lane, fixed_height, lane_boxes, offset_range
from core.picture.lanes import OffsetSpan, draw_lanes, lane_sizes, lowest_in_dispute, offset_span, scale_for
from core.picture.leader_end import leader_end
from core.picture.marks import Align, Box, Glyph, Layer, Line, Mark, Picture, Ref, Sign, Text
from core.picture.memo import Same, remembered
from core.picture.metrics import elide, text_width
from core.picture.notes import NoteGround, PlacedNote, note_marks
from core.picture.quiet_stops import quiet_stops, without
from core.picture.ruler import column_marker, column_ruler, column_ruler_height
from core.picture.selection import selection_frame
from core.picture.sheet import Depth, Sheet
from core.picture.span import span_marks
from core.trace.trace import Origin
from core.words import Language, said, speaking

HEADER = 32.0
_FOOT = 4.0


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What is looked at, and how large, in logical pixels. `stop` None leaves the cursor out (exports).

    Where the lanes do not fit into `height` at their least, the picture is higher than asked: the window
    scrolls.
    """

    comparison: Comparison
    stop: int | None
    width: float
    height: float
    notes: tuple[PlacedNote, ...] = ()
    title: str = ""
    gutter: float = 152.0
    drawing: Drawing = PLAIN
    selected: Ref | None = None
    focus: int | None = None
    """Broker whose lanes stay open when others must fold (four runs)."""
    lanes: LaneOrder = USUAL
    """The same in all runs, so that counterparts stand alike."""
    span: tuple[int, int] | None = None
    """A marked range, from one stop to another."""
    shown: tuple[float, float] = WHOLE
    """What is seen of the axis, from 0 to 1."""
    lang: Language = "en"


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where the parts of a comparison are, for layout and for what the pointer does."""

    columns: Columns
    ruler: float
    headers: tuple[float, ...]
    strips: tuple[float, ...]
    lanes: tuple[tuple[Lane, ...], ...]
    height: float

    @property
    def bottom(self) -> float:
        """Where the last lane ends."""
        return self.height - _FOOT


def geometry(view: ComparisonView) -> Geometry:
    """The parts of a comparison at a size. Pure, and remembered: cursor, notes and ranges move nothing."""
    return _geometry(Same((view.comparison,), view), *_laying(view))


def _laying(view: ComparisonView) -> tuple[object, ...]:
    """What places depend on besides the comparison."""
    sizes = (view.width, view.height, view.gutter, view.shown)
    return (*sizes, view.drawing, view.focus, view.lanes, view.lang)


@remembered
def _geometry(same: Same[ComparisonView], *_keys: object) -> Geometry:
    with speaking(same.value.lang):
        return _placed(same.value)


def _placed(view: ComparisonView) -> Geometry:
    comparison = view.comparison
    runs = comparison.runs
    quiet = without(quiet_stops(comparison), view.drawing.opened) if view.drawing.folds else ()
    by_hand = sorted(view.drawing.folded) if view.drawing.folds else ()
    columns = columns_of(comparison, view.gutter + 6, view.width - 16, view.shown, quiet, by_hand)
    ruler = column_ruler_height(comparison, columns)
    fixed = ruler + len(runs) * HEADER + (len(runs) - 1) * STRIP + _FOOT
    sizes = _sizes(view, view.height - fixed)
    area = max((height for heights in sizes for height, _ in heights), default=0.0)
    axes = [
        StopAxis(columns, tuple(stop.cursors[place] for stop in comparison.stops))
        for place in range(len(runs))
    ]
    pairs = list(zip(runs, axes, strict=True))
    # All alike: beside columns, lines would tell something else.
    dense = any(is_dense(run.history, axis) for run, axis in pairs)
    bins = [bins_of(axis) if dense else None for axis in axes]
    spans = [
        offset_span(run.history, run.verdict, axis, area, bins[at], view.drawing)
        for at, (run, axis) in enumerate(pairs)
    ]
    lag = [leader_end(run.history) if view.drawing.vertical is Vertical.LAG else None for run in runs]
    span = _shared(runs, spans)
    headers: list[float] = []
    strips: list[float] = []
    lanes: list[tuple[Lane, ...]] = []
    y = ruler
    for place, (run, axis) in enumerate(pairs):
        if place:
            strips.append(y)
            y += STRIP
        headers.append(y)
        brokers = view.lanes.brokers(run.history.replicas)
        boxes = lane_boxes(y + HEADER, tuple(sizes[place]))
        lanes.append(
            tuple(
                Lane(
                    run.history,
                    run.verdict,
                    broker,
                    axis,
                    box,
                    scale_for(box, span),
                    run=place,
                    bins=bins[place],
                    drawing=view.drawing,
                    lag=lag[place],
                )
                for broker, box in zip(brokers, boxes, strict=True)
            ),
        )
        # No line may say which brokers have the partition.
        y = boxes[-1].end if boxes else y + HEADER
    return Geometry(columns, ruler, tuple(headers), tuple(strips), tuple(lanes), y + _FOOT)


def _shared(runs: Sequence[Run], spans: Sequence[OffsetSpan]) -> OffsetSpan:
    """The offsets of all lanes: from below what is in dispute in some run, where all reach that far."""
    high = max(span.high for span in spans)
    start = min(span.low if span.start is None else span.start for span in spans)
    pairs = zip(runs, spans, strict=True)
    wrong = [span.low for run, span in pairs if lowest_in_dispute(run.verdict) is not None]
    low = min(wrong, default=0)
    if not wrong or any(low >= span.high for span in spans):
        low = min(span.low for span in spans)
    return OffsetSpan(low, high, start)


def folds_by_itself(view: ComparisonView, broker: int) -> bool:
    """Whether the lanes of a broker are folded because there is no room, not because a person wants it."""
    if broker in view.lanes.folded:
        return False
    boxes = (lane.box for lanes in geometry(view).lanes for lane in lanes if lane.broker == broker)
    return any(not box.area for box in boxes)


def brokers_with_callouts(view: ComparisonView, run: Run) -> frozenset[int]:
    """The brokers of a run whose lanes have callouts."""
    told = view.drawing.callouts and view.comparison.axis != "script"
    return telling(run.history, run.verdict) if told else frozenset()


def _sizes(view: ComparisonView, room: float) -> list[list[tuple[float, float]]]:
    """The heights of the areas and shelves of each run. Of four without room, only one lane each stays open.

    A script has its steps on the ruler, and no shelves.
    """
    each = [view.lanes.brokers(run.history.replicas) for run in view.comparison.runs]
    every = [broker for brokers in each for broker in brokers]
    told = [brokers_with_callouts(view, run) for run in view.comparison.runs]
    has = [broker in some for some, brokers in zip(told, each, strict=True) for broker in brokers]
    flat = lane_sizes(view.lanes, every, has, room)
    if len(each) > 3 and room < sum(fixed_height(area) + shelf for area, shelf in flat):
        first = {view.focus if view.focus in brokers else brokers[0] for brokers in each} | view.lanes.opened
        flat = [size if broker in first else (0.0, 0.0) for broker, size in zip(every, flat, strict=True)]
    heights = iter(flat)
    return [[next(heights) for _ in brokers] for brokers in each]


def lay_out_comparison(view: ComparisonView) -> Picture:
    """The picture of a comparison: layer "static" is equal for all stops, "cursor" is what a step changes."""
    with speaking(view.lang):
        return _laid_out(view)


def _laid_out(view: ComparisonView) -> Picture:
    places, static = _parts(Same((view.comparison,), view), view.notes, *_laying(view))
    cursor = () if view.stop is None else _cursor(view, places, static.marks, view.stop)
    title = view.title or joined("picture.beside", [run.title for run in view.comparison.runs])
    framed = selection_frame(static.marks, view.selected)
    layers = (static, Layer("cursor", (*_span(view, places), *cursor, *framed)))
    return Picture(view.width, max(places.height, view.height), layers, title, _alt(view.comparison))


@remembered
def _parts(same: Same[ComparisonView], *_keys: object) -> tuple[Geometry, Layer]:
    places = geometry(same.value)
    with speaking(same.value.lang):
        return places, Layer("static", _static(same.value, places))


def _static(view: ComparisonView, places: Geometry) -> tuple[Mark, ...]:
    comparison, columns = view.comparison, places.columns
    height = max(places.height, view.height)
    brokers = {broker: None for run in comparison.runs for broker in run.history.replicas}
    hidden = hidden_words(brokers, view.lanes, view.gutter - 8, 24)
    marks: list[Mark] = [
        Box(0, 0, view.width, height, fill="bg.lane"),
        *column_ruler(comparison, columns, 0.0),
        *folds_on_columns(comparison, columns, places.ruler, quiet_stops(comparison)),
        *hidden,
    ]
    for place in range(len(comparison.runs)):
        marks.extend(run_header(comparison.runs, place, places.headers[place], view.width))
    for upper, y in enumerate(places.strips):
        marks.append(Box(columns.edges[-1], y, view.width - columns.edges[-1], STRIP, fill="bg.window"))
        marks.extend(agreement(comparison, columns, upper, y))
    for lanes in places.lanes:
        sheet = Sheet()
        draw_lanes(lanes, sheet, view.gutter, grid=False)
        sheet.add(Depth.CASING, *_column_lines(columns, lanes))
        marks.extend(sheet.marks())
    marks.extend(mark for lanes in places.lanes for lane in lanes for mark in _arranged(view, lane))
    marks.extend(_rails(comparison, places))
    marks.extend(_joins(comparison, places, marks))
    last = places.bottom
    marks.append(Line(((0, last + 0.5), (view.width, last + 0.5)), "line.hair"))
    boxes = {(lane.run, lane.broker): lane.box for lanes in places.lanes for lane in lanes}
    ground = NoteGround(places.ruler, last, view.gutter, view.width, boxes)
    marks.extend(note_marks(view.notes, columns.cursor_x, (columns.first, columns.last_stop), ground))
    return tuple(marks)


def _arranged(view: ComparisonView, lane: Lane) -> tuple[Mark, ...]:
    folded = not lane.box.area and lane.broker in view.lanes.folded
    return arrangement_signs(lane.box, view.gutter, folded=folded, pinned=lane.broker in view.lanes.pinned)


def _column_lines(columns: Columns, lanes: Sequence[Lane]) -> tuple[Mark, ...]:
    """The columns as faint light lines across the areas."""
    xs = [columns.column(place)[0] for place in range(1, len(columns.heads))]
    xs = [x for x in xs if columns.edges[0] < x < columns.edges[-1]]
    return tuple(
        Line(((x + 0.5, lane.box.area_top), (x + 0.5, lane.box.bottom)), "bg.lane", opacity=0.3)
        for lane in lanes
        if lane.box.area
        for x in xs
    )


def _rails(comparison: Comparison, places: Geometry) -> list[Mark]:
    """3 px under a lane while its replica differs from its counterpart in a neighbouring run."""
    marks: list[Mark] = []
    for upper in range(len(comparison.runs) - 1):
        for x0, x1, brokers in difference_spans(comparison, places.columns, upper):
            for lanes in places.lanes[upper : upper + 2]:
                marks.extend(
                    Box(x0, lane.box.rail, x1 - x0, 3, fill="text")
                    for lane in lanes
                    if lane.broker in brokers
                )
    return marks


def _joins(comparison: Comparison, places: Geometry, static: Sequence[Mark]) -> list[Mark]:
    """The dashed line that joins the two lanes of each first difference."""
    marks: list[Mark] = []
    for upper in range(len(comparison.runs) - 1):
        first = first_between(comparison, upper)
        broker = difference_broker(comparison, first) if first else None
        above = [lane for lane in places.lanes[upper] if lane.broker == broker]
        below = [lane for lane in places.lanes[upper + 1] if lane.broker == broker]
        if first and above and below and places.columns.sees(first.stop):
            x = places.columns.slot(first.stop)[0]
            ref = Ref("difference", upper, first.stop, broker or -1, difference_words(first))
            spans = clear_spans(static, x, above[0].box.rail, below[0].box.band - 1)
            for start, end in spans:
                arrow = 6.0 if (start, end) == spans[-1] else 0.0
                marks.append(Line(((x, start), (x, end)), "text", 2.0, dash=(5.0, 3.0), arrow=arrow, ref=ref))
    return marks


_LOST: Final[Mapping[str, tuple[LiteralString, LiteralString]]] = {
    "": ("picture.verdict.lost", "picture.verdict.lost-at"),
    "committed": ("picture.verdict.committed-lost", "picture.verdict.committed-lost-at"),
    "acknowledged": ("picture.verdict.acknowledged-lost", "picture.verdict.acknowledged-lost-at"),
}
"""By the class of what was lost, "" where it is of several: without and with the offsets."""


def verdict_words(run: Run) -> tuple[str, str]:
    """The verdict of a run in a few words, and its role: "loss", "warn" or "ok"."""
    parts, role = verdict_parts(run)
    return "; ".join(parts), role


def verdict_parts(run: Run) -> tuple[tuple[str, ...], str]:
    """What was lost, and where logs differ, each in a few words, and the role of both."""
    verdict = run.verdict
    apart = verdict.divergences[0] if verdict.divergences else None
    where = offset_range(apart.first_offset, apart.end_offset) if apart else ""
    differ = (said("picture.verdict.differ", where=where),) if apart else ()
    proven = lost_parts(verdict.losses)
    if proven:
        names = names_of_parts(run.history, proven)
        count = amount_of(proven)
        kinds = {part.loss.loss_class.value for part in proven}
        only = next(iter(kinds)) if len(kinds) == 1 else ""
        if names:
            return (said("picture.verdict.names-lost", names=Listing(names)), *differ), "loss"
        alone, beside = _LOST[only]
        ranges = ranges_of_parts(proven)
        if len(ranges) > 1:
            return (said(alone, count=count), *differ), "loss"
        return (said(beside, count=count, where=offset_range(*ranges[0])), *differ), "loss"
    if differ:
        return differ, "loss"
    if any(loss.severity is Severity.DANGER for loss in verdict.losses):
        return (said("picture.verdict.possible"),), "warn"
    if sums_of(verdict).rest_possibly_acknowledged:
        # Records went of which nothing shows that they were committed, or that a producer was told of them.
        return (said("picture.verdict.none-committed"),), "ok"
    return (said("picture.verdict.nothing"),), "ok"


def run_header(runs: Sequence[Run], place: int, y: float, width: float) -> tuple[Mark, ...]:
    """Run n, its era, where it is from, its rule in one sentence, its verdict on the right."""
    run = runs[place]
    middle = y + HEADER / 2
    name = said("picture.run.number", number=place + 1)
    pill = text_width(name, 11, 600) + 18
    words, role = verdict_words(run)
    right = width - 32
    title_end = 26 + pill + text_width(run.title, 13, 600)
    words = elide(words, right - 36 - title_end, 12, 600)
    verdict_width = text_width(words, 12, 600)
    marks: list[Mark] = [
        Box(0, y, width, HEADER, fill="bg.window"),
        Line(((0, y + 0.5), (width, y + 0.5)), "line.hair"),
        Box(16, middle - 10, pill, 20, fill="bg.inverse", radius=10),
        Text(16 + pill / 2, middle + 4, name, "text.inverse", 11, 600, align=Align.CENTRE),
        Text(26 + pill, middle + 4.5, run.title, "text", 13, 600),
        Text(right, middle + 4, words, role, 12, 600, align=Align.RIGHT),
    ]
    sign_x = right - verdict_width - 18
    if role == "loss":
        marks.append(Sign(sign_x, middle, Glyph.LOSS, 16, "loss", rank=2))
    elif role == "warn":
        marks.append(Sign(sign_x, middle, Glyph.POSSIBLE_LOSS, 16, "loss", rank=3))
    else:
        tick = ((sign_x - 5, middle), (sign_x - 1, middle + 4), (sign_x + 6, middle - 4))
        marks.append(Line(tick, "ok", 1.8))
    start = title_end + 12
    where = elide(_where(run, runs), sign_x - 24 - start, 11, 500)
    if where:
        marks.append(Text(start, middle + 4, where, "text.2", 11, 500))
        start += text_width(where, 11, 500) + 16
    rule = elide(text_of(run.rule), sign_x - 24 - start, 12)
    if rule:
        marks.append(Text(start, middle + 4, rule, "text.2", 12))
    return tuple(marks)


def _where(run: Run, runs: Sequence[Run]) -> str:
    """The partition, and where it is from.

    Of a recording the name of what it was read from, unless the title has it; a simulation says that it is
    one where a recording stands beside it.
    """
    trace = run.history.trace
    partition = str(trace.partitions[run.history.partition].tp)
    if trace.origin is Origin.SIMULATED:
        real = any(one.history.trace.origin is not Origin.SIMULATED for one in runs)
        return said("picture.run.where-simulated", partition=partition) if real else partition
    if trace.name in run.title:
        return partition
    return said("picture.run.where", partition=partition, name=trace.name)


def _cursor(view: ComparisonView, places: Geometry, static: Sequence[Mark], stop: int) -> tuple[Mark, ...]:
    stops = view.comparison.stops
    stop = min(max(stop, 0), len(stops) - 1)
    x = places.columns.cursor_x(stop)
    bottom = places.bottom
    seen = places.columns.sees(stop)
    marks: list[Mark] = [*column_marker(view.comparison, places.columns, stop, 0.0)]
    for run, lanes in enumerate(places.lanes):
        for lane in lanes:
            marks.extend(gutter_values(lane, stops[stop].cursors[run], view.gutter))
    if not seen:
        return tuple(marks)
    marks.extend(cursor_line(static, x, places.ruler, bottom))
    marks.append(Line(((x + 0.5, places.ruler - 9), (x + 0.5, places.ruler + 1)), "cursor", 0.0, arrow=9.0))
    return tuple(marks)


def _span(view: ComparisonView, places: Geometry) -> tuple[Mark, ...]:
    if view.span is None:
        return ()
    columns = places.columns
    x0, x1 = (columns.cursor_x(stop) for stop in view.span)
    return span_marks(x0, x1, (columns.edges[0], columns.edges[-1]), places.ruler, places.bottom)


def _alt(comparison: Comparison) -> str:
    runs = [
        said("picture.run.verdict", number=place + 1, title=run.title, verdict=verdict_words(run)[0])
        for place, run in enumerate(comparison.runs)
    ]
    first = comparison.first
    tail = [f"{difference_words(first)}."] if first else [said("picture.runs.alike")]
    return " ".join((*runs, *tail))
