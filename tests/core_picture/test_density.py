"""Where events stand closer than pixels: the extremes of each column; what must be seen is not dropped."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from core.compare.align import compare
from core.compare.comparison import Run
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.history.state import UNKNOWN_BAND, Band, Steps
from core.picture import timeline
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.hit import bounds, reaches
from core.picture.lane import Lane, state_spans_by_column
from core.picture.lanes import draw_lane
from core.picture.marks import Box, Fill, Glyph, Layer, Line, Mark, Picture, Sign, Text
from core.picture.text import to_text
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.trend import lowest_start
from core.trace.times import in_zone
from core.trace.trace import Origin
from core.trace.vocabulary import NUMBER, Basis
from tests.bench.diagnosis import long_partition
from tests.bench.long_runs import long_run
from tests.calls import calls_of

pytestmark = pytest.mark.broad(3)

WIDTH, HEIGHT = 900.0, 700.0
_MS = 1_000_000


@cache
def run_of(events: int) -> Run:
    history = open_history(long_run(events, 3), 0)
    verdict = diagnose_partition(history) if events <= 10_000 else PartitionVerdict(0)
    return Run("long run", None, history, verdict)


def view_of(events: int, window: tuple[int, int] | None = None, **more: object) -> TimelineView:
    run = run_of(events)
    whole = (0, events * _MS)
    return TimelineView(run.history, run.verdict, None, window or whole, WIDTH, HEIGHT, **more)  # type: ignore[arg-type]


def ends_of(picture: Picture) -> list[Fill]:
    """The log ends of the lanes, from top to bottom."""
    found = [mark for mark in picture.marks() if isinstance(mark, Fill) and mark.role == "leo"]
    return sorted((mark for mark in found if mark.opacity == 1.0), key=lambda mark: mark.bottoms.max())


def test_a_column_covers_every_log_end_that_it_stands_for() -> None:
    """Against the events themselves: what a broker appended or cut stands in the column of its time."""
    view = view_of(8_000)
    assert_ends_stand_where_they_were(timeline_lanes(view), ends_of(lay_out(view)), run_of(8_000))


def assert_ends_stand_where_they_were(lanes: Sequence[Lane], strokes: Sequence[Fill], run: Run) -> None:
    columns = run.history.trace.columns
    told = np.isin(columns["kind"], [NUMBER["appended"], NUMBER["truncated"]])
    assert len(strokes) == len(lanes) == 3
    for lane, stroke in zip(lanes, strokes, strict=True):
        for seq in np.flatnonzero(told & (columns["replica"] == lane.broker)).tolist():
            y = lane.offsets.y(int(columns["offset"][seq]))
            column = round(lane.axis.x(seq + 1) - stroke.x)
            near = slice(max(column - 1, 0), column + 2)
            assert stroke.tops[near].min() <= y <= stroke.bottoms[near].max(), seq


def test_the_strip_shows_what_held_last_in_each_column() -> None:
    """Against the history, for 2,000 changes of the in-sync set in a window of 700 columns."""
    history = open_history(long_partition(20_000, isr_every=7), 0)
    # No event stands just between two columns.
    view = TimelineView(history, PartitionVerdict(0), None, (10**10 + 4_321_987, 15 * 10**10), WIDTH, HEIGHT)
    for lane in timeline_lanes(view):
        assert lane.bins is not None
        left, columns = int(lane.axis.left), len(lane.bins.cursors) - 1
        shown = np.full(columns, None)
        for part in state_spans_by_column(lane, lane.bins):
            shown[int(part.x0) - left : int(part.x1) - left] = part.state.in_isr
        last = np.full(columns, lane.axis.first)
        for cursor in range(lane.axis.first, lane.axis.last + 1):
            last[min(int(lane.axis.x(cursor)) - left, columns - 1)] = cursor
        held = [lane.replica.in_isr.at(cursor) for cursor in np.maximum.accumulate(last).tolist()]
        assert shown.tolist() == held
        assert len(set(held)) == (2 if lane.broker == 3 else 1)


def test_it_is_drawn_one_by_one_where_there_is_room() -> None:
    picture = lay_out(view_of(8_000, (4_000 * _MS, 4_040 * _MS)))
    assert ends_of(picture) == []
    assert any(isinstance(mark, Line) and mark.role == "leo" for mark in picture.marks())


@cache
def logged(events: int, after_ms: int = 0) -> Run:
    """A long run as logs tell it, begun some time later."""
    trace = long_run(events, 3)
    columns = MappingProxyType({**trace.columns, "at": trace.columns["at"] + after_ms * _MS})
    history = open_history(replace(trace, origin=Origin.IMPORTED, columns=columns), 0)
    return Run("logged", None, history, diagnose_partition(history))


@cache
def beside(*events: int) -> ComparisonView:
    runs = tuple(logged(count, 100 * place) for place, count in enumerate(events))
    return ComparisonView(compare(runs), None, WIDTH, HEIGHT)


def test_in_a_comparison_a_column_covers_every_log_end_too() -> None:
    view = beside(4_000, 4_000)
    picture, lanes = lay_out_comparison(view), geometry(view).lanes
    strokes = ends_of(picture)
    assert len(strokes) == 6
    for place in (0, 1):
        of_run = strokes[3 * place : 3 * place + 3]
        assert_ends_stand_where_they_were(lanes[place], of_run, logged(4_000, 100 * place))
    refs = {
        (mark.ref.run, mark.ref.key) for mark in picture.marks() if isinstance(mark, Box | Sign) and mark.ref
    }
    cuts = [(place, cut.seq) for place in (0, 1) for cut in logged(4_000, 100 * place).verdict.truncations]
    assert len(cuts) >= 20
    assert set(cuts) <= refs
    assert len(list(picture.marks())) < 3_000


def test_runs_that_are_compared_are_drawn_alike() -> None:
    """One by one as long as all of them have room for it, else none."""
    assert ends_of(lay_out_comparison(beside(100, 100))) == []
    assert len(ends_of(lay_out_comparison(beside(100, 4_000)))) == 6


def test_no_cut_and_no_election_is_dropped() -> None:
    picture = lay_out(view_of(8_000))
    cuts = run_of(8_000).verdict.truncations
    refs = {mark.ref.key for mark in picture.marks() if isinstance(mark, Box | Sign) and mark.ref is not None}
    assert len(cuts) >= 10
    assert {cut.seq for cut in cuts} <= refs
    flags = [mark for mark in picture.marks() if isinstance(mark, Sign) and mark.glyph is Glyph.ELECTION]
    assert {mark.label.split()[0] for mark in flags} >= {f"e{epoch}" for epoch in range(1, 10)}


def test_the_time_of_a_simulation_is_in_no_zone() -> None:
    with in_zone(ZoneInfo("Asia/Kolkata")):
        picture = lay_out(view_of(8_000))
    times = [mark.text for mark in picture.marks() if isinstance(mark, Text) and mark.text[2:3] == ":"]
    assert times[:3] == ["00:00:00", "00:00:02", "00:00:04"]


def test_lanes_out_of_sight_keep_their_place_and_are_empty() -> None:
    whole = lay_out(view_of(8_000, sight=(0.0, 10_000.0)))
    first = lay_out(view_of(8_000, sight=(0.0, 200.0)))
    places = [
        [
            (mark.y, mark.h)
            for mark in picture.marks()
            if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
        ]
        for picture in (whole, first)
    ]
    assert places[0] == places[1]
    assert len(ends_of(whole)) == 3
    assert len(ends_of(first)) == 1
    assert [layer.name for layer in first.layers] == ["static", "static", "static", "head", "cursor"]


def lines_of(marks: Iterable[Mark]) -> list[str]:
    """As text, without dots between which there is no room."""
    told = to_text(Picture(WIDTH, HEIGHT, (Layer("", tuple(marks)),))).splitlines()
    return [line for line in told if " 0,0 0x0 " not in line]


@pytest.mark.parametrize("window", [None, (4_290 * _MS, 4_330 * _MS)], ids=["by columns", "one by one"])
def test_a_lane_that_is_scrolled_shows_what_it_shows_in_the_whole_picture(
    window: tuple[int, int] | None,
) -> None:
    """What reaches into it from elsewhere, as a pole, is part of it; nothing of it is in another order."""
    whole = lay_out(view_of(8_000, window)).layers[0].marks
    lanes = lay_out(view_of(8_000, window, sight=(300.0, 500.0))).layers[:3]
    drawn = [layer for layer in lanes if len(layer.marks) > 10]
    assert len(drawn) == 2
    for layer in drawn:
        assert layer.clip is not None
        top, bottom = layer.clip[1], layer.clip[1] + layer.clip[3]
        reaching = [mark for mark in whole if reaches(mark, top, bottom)]
        inside = [mark for mark in reaching if top <= bounds(mark)[1] and sum(bounds(mark)[1::2]) <= bottom]
        paper, *marks = layer.marks
        assert bounds(paper) == layer.clip
        told = lines_of(marks)
        assert [line for line in lines_of(reaching) if line in told] == told
        assert set(lines_of(inside)) <= set(told)


def test_only_a_lane_that_comes_into_sight_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def counted(lane: Lane, *rest: object, **more: object) -> None:
        drawn.append(lane.broker)
        draw_lane(lane, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(timeline, "draw_lane", counted)
    window = (1_000 * _MS, 7_000 * _MS)
    edge = timeline_lanes(view_of(8_000, window))[1].box.top
    lay_out(view_of(8_000, window, sight=(0.0, edge - 1)))
    assert drawn == [1]
    first = lay_out(view_of(8_000, window, sight=(9.0, edge + 8)))
    assert drawn == [1, 2]
    second = lay_out(view_of(8_000, window, sight=(20.0, edge + 19)))
    assert drawn == [1, 2]
    assert second.layers[0] is first.layers[0]
    lay_out(view_of(8_000, (1_001 * _MS, 7_000 * _MS), sight=(20.0, edge + 19)))
    assert drawn == [1, 2, 1, 2]


def test_the_lowest_log_start_is_that_of_all_replicas_while_it_holds() -> None:
    history = run_of(8_000).history

    def exact(offset: int) -> Band:
        return Band(offset, offset, Basis.OBSERVED)

    starts = {
        1: Steps((0, 100, 5_000), (exact(7), exact(9), exact(12))),
        2: Steps((0, 200), (UNKNOWN_BAND, exact(8))),
        3: Steps((0,), (exact(11),)),
    }
    replicas = {one: replace(history.replicas[one], log_start=steps) for one, steps in starts.items()}
    moved = replace(history, replicas=replicas)
    asked = ((0, 50), (99, 99), (100, 150), (150, 200), (4_999, 6_000), (5_000, 6_000))
    assert [lowest_start(moved, *cursors) for cursors in asked] == [7, 7, 9, 8, 8, 8]
    assert lowest_start(replace(history, replicas={1: replicas[1], 3: replicas[3]}), 5_000, 6_000) == 11
    assert lowest_start(replace(history, replicas={2: replicas[2]}), 0, 199) == 0


def test_lanes_out_of_sight_are_the_same_in_every_window() -> None:
    one, other = (
        lay_out(view_of(8_000, (first * _MS, 7_000 * _MS), sight=(0.0, 200.0))) for first in (2_000, 2_500)
    )
    assert [one.layers[place] is other.layers[place] for place in range(3)] == [False, True, True]


@pytest.mark.slow
def test_a_frame_of_eight_times_the_events_takes_less_than_three_times_the_calls() -> None:
    """Drawn event by event it would be eight times as much."""

    def frame(events: int) -> int:
        views = [view_of(events, (shift * _MS, (events - 100) * _MS)) for shift in range(3)]
        # The first ones find out what is remembered: how wide words are, and where kinds of events stand.
        for view in views[:2]:
            lay_out(view)
        return calls_of(lambda: lay_out(views[2]))

    assert frame(64_000) < 3 * frame(8_000)


@pytest.mark.slow
def test_what_is_drawn_one_by_one_costs_no_more_in_a_longer_history() -> None:
    """A few dozen events in sight of 12,000, and of 96,000: those out of sight are not even looked at."""

    def frame(events: int) -> int:
        views = [view_of(events, ((4_400 + shift) * _MS, 4_440 * _MS)) for shift in range(3)]
        for view in views[:2]:
            lay_out(view)
        return calls_of(lambda: lay_out(views[2]))

    assert frame(96_000) < 2 * frame(12_000)
