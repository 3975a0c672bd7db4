"""A part of a comparison: what is seen has the same state as in the whole, the rest has no mark."""

from dataclasses import replace

import pytest

from core.compare.comparison import Comparison
from core.picture.axis import StopAxis, columns_of
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.marks import Box, Line, Text

LEFT, RIGHT = 158.0, 1184.0


@pytest.mark.parametrize("shown", [(0.0, 0.5), (0.25, 0.75), (0.6, 1.0), (0.4, 0.45)])
def test_a_part_is_the_whole_stretched(loss_and_fix: Comparison, shown: tuple[float, float]) -> None:
    whole = columns_of(loss_and_fix, LEFT, RIGHT)
    part = columns_of(loss_and_fix, LEFT, RIGHT, shown)
    stretch = 1 / (shown[1] - shown[0])

    assert (part.edges[0], part.edges[-1]) == (LEFT, RIGHT)
    for stop in range(len(loss_and_fix.stops)):
        left, right = (
            LEFT + ((x - LEFT) / (RIGHT - LEFT) - shown[0]) * (RIGHT - LEFT) * stretch
            for x in whole.slot(stop)
        )
        if right < LEFT or left > RIGHT:
            assert not part.sees(stop)
        elif left >= LEFT and right <= RIGHT and len(whole.heads) > 1:
            # Narrow columns have a least width, of which a stretched axis needs less.
            assert part.first <= stop <= part.last_stop


def test_the_state_at_the_left_edge_is_that_of_the_stop_there(loss_and_fix: Comparison) -> None:
    columns = columns_of(loss_and_fix, LEFT, RIGHT, (0.5, 0.8))
    axis = StopAxis(columns, tuple(stop.cursors[0] for stop in loss_and_fix.stops))

    assert 0 < columns.first < columns.last_stop < len(loss_and_fix.stops) - 1
    assert columns.stop_at(LEFT + 1) == columns.first
    assert axis.first == loss_and_fix.stops[columns.first].cursors[0]
    assert axis.last == loss_and_fix.stops[columns.last_stop].cursors[0]
    pixels = axis.by_pixel()
    assert (pixels[0], pixels[-1]) == (axis.first, axis.last)


def test_nothing_is_drawn_outside_of_the_lanes(loss_and_fix: Comparison) -> None:
    view = ComparisonView(loss_and_fix, 0, 1200.0, 900.0, shown=(0.55, 0.8))
    columns = geometry(view).columns
    picture = lay_out_comparison(view)

    for layer in picture.layers:
        for mark in layer.marks:
            if isinstance(mark, Line) and len(mark.points) == 2 and mark.role != "line.hair":
                assert all(x <= columns.edges[-1] + 12 for x, _ in mark.points), mark
            if isinstance(mark, Box) and mark.fill == "text":
                assert columns.edges[0] <= mark.x, mark


def test_a_difference_that_is_out_of_sight_has_no_words(loss_and_fix: Comparison) -> None:
    whole = ComparisonView(loss_and_fix, None, 1200.0, 900.0)
    first = loss_and_fix.first
    assert first is not None

    def told(view: ComparisonView) -> bool:
        refs = (
            mark.ref
            for layer in lay_out_comparison(view).layers
            for mark in layer.marks
            if isinstance(mark, Text | Box) and mark.ref
        )
        return any(ref.kind == "difference" and ref.key == first.stop for ref in refs)

    columns = geometry(whole).columns
    place = (columns.slot(first.stop)[0] - columns.edges[0]) / (columns.edges[-1] - columns.edges[0])
    assert told(whole)
    assert not told(replace(whole, shown=(0.0, place - 0.05)))
    assert told(replace(whole, shown=(place - 0.05, place + 0.2)))


def test_a_cursor_out_of_sight_draws_no_line(loss_and_fix: Comparison) -> None:
    view = ComparisonView(loss_and_fix, 0, 1200.0, 900.0, shown=(0.5, 1.0))
    seen = replace(view, stop=len(loss_and_fix.stops) - 1)

    def lines(one: ComparisonView) -> int:
        layers = lay_out_comparison(one).layers
        return sum(getattr(mark, "role", "") == "cursor" for layer in layers for mark in layer.marks)

    assert lines(view) == 0
    assert lines(seen) > 0
