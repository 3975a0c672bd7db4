"""Patterns for print in grey: what stands on boxes and on columns."""

import numpy as np
import pytest

from core.compare.align import make_run
from core.kafka.eras import era
from core.picture.figure import timeline_figure
from core.picture.hatch import Segment
from core.picture.marks import Box, Fill, Layer, Line, Mark, Picture, Segments
from core.picture.patterns import patterned
from core.picture.timeline import TimelineView
from core.picture.whole import history_window
from core.sim.library import scenario
from core.sim.run import simulate


def lines_on(*marks: Mark) -> list[Segment]:
    picture = patterned(Picture(100, 100, (Layer("static", marks),)))
    return [line for mark in picture.marks() if isinstance(mark, Segments) for line in mark.lines]


def kind(line: Segment) -> str:
    x1, y1, x2, y2 = line
    if abs(x2 - x1) <= 1 and y1 == y2:
        return "dot"
    if x1 == x2:
        return "upright"
    return "level" if y1 == y2 else "rising" if (x2 - x1) * (y2 - y1) < 0 else "falling"


NAMES = ["", "dot", "upright", "level", "rising", "falling"]


@pytest.mark.parametrize("epoch", range(6))
def test_each_epoch_modulo_six_has_its_own_pattern_on_boxes_and_columns(epoch: int) -> None:
    role = f"e{epoch}.committed"
    columns = Fill(10, np.full(60, 20.0), np.full(60, 60.0), role)
    expected = {NAMES[epoch]} - {""}
    for mark in (Box(10, 20, 60, 40, fill=role), columns):
        lines = lines_on(mark)
        assert {kind(line) for line in lines} == expected
        # Inside, and everywhere inside: no gap is wider than two steps.
        assert all(10 - 1 <= x <= 70 + 1 and 20 <= y <= 60 for a in lines for x, y in (a[:2], a[2:]))
        if lines:
            assert max(line[2] for line in lines) > 70 - 17


def test_boxes_that_touch_go_on_with_one_anothers_lines() -> None:
    whole = lines_on(Box(0, 0, 96, 24, fill="e2.committed"))
    parts = lines_on(Box(0, 0, 43, 24, fill="e2.committed"), Box(43, 0, 53, 24, fill="e2.committed"))
    assert sorted({line[0] for line in parts}) == sorted({line[0] for line in whole})


def test_no_line_leaves_columns_of_different_height() -> None:
    tops = np.array([0.0] * 8 + [30.0] * 8 + [0.0] * 8)
    fill = Fill(0, tops, np.full(24, 40.0), "e4.committed")
    for x1, y1, x2, y2 in lines_on(fill):
        for share in np.linspace(0.01, 0.99, 30):
            x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
            # A column is one pixel wide, so the line may leave its step by one.
            assert y >= tops[min(int(x), 23)] - 1


def test_what_is_not_committed_and_what_is_not_known_stay_as_they_are() -> None:
    marks = [Box(0, 0, 50, 50, fill=fill) for fill in ("e1.open", "e1", "unknown.committed", "bg.lane")]
    assert lines_on(*marks) == []


def test_the_high_watermark_is_a_pixel_thicker_and_its_bounds_are_not() -> None:
    points = ((0.0, 1.0), (9.0, 1.0))
    curve, bound = Line(points, "hw", width=2.0), Line(points, "hw", width=1.0, dash=(2.0, 3.0))
    end = Line(points, "leo", width=2.0)
    made = patterned(Picture(9, 9, (Layer("static", (curve, bound, end)),))).marks()
    assert [mark.width for mark in made if isinstance(mark, Line)] == [3.0, 1.0, 2.0]


def test_the_legend_says_which_pattern_is_which_epoch() -> None:
    run = make_run(simulate(scenario("hw-loss"), era("0.10.2")))
    view = TimelineView(run.history, run.verdict, None, history_window(run.history), 1600, 500)
    marks = patterned(timeline_figure(view)).marks()
    swatches = [
        place
        for place, mark in enumerate(marks)
        if isinstance(mark, Box) and mark.fill == "e1.committed" and (mark.w, mark.h) == (28, 14)
    ]
    assert len(swatches) == 1
    pattern = marks[swatches[0] + 1]
    assert isinstance(pattern, Segments)
    assert {kind(line) for line in pattern.lines} == {"dot"}
