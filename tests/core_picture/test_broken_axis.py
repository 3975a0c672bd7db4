"""An offset axis is broken where most of it would show what nobody disputes, and says so."""

from dataclasses import replace

import pytest

from core.picture.drawing import Drawing, Vertical
from core.picture.marks import Align, Box, Fill, Line, Text
from core.picture.scale import BREAK, SILL
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.whole import history_window
from tests.core_picture.test_folds import LOSING, opened
from tests.recordings.whole import grouped

pytestmark = pytest.mark.broad(6)


@pytest.mark.parametrize("name", grouped([*LOSING][:2]))
def test_the_break_is_a_gap_over_a_sill_with_slashes(name: str) -> None:
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)
    lanes, marks = timeline_lanes(view), lay_out(view).marks()

    assert lanes
    for lane in lanes:
        top = lane.box.bottom - SILL - BREAK
        gap = Box(lane.axis.left, top, lane.axis.right - lane.axis.left, BREAK, fill="bg.lane")
        place = marks.index(gap)
        below = [
            mark
            for mark in marks[place:]
            if isinstance(mark, Fill) or (isinstance(mark, Line) and mark.role in ("leo", "hw"))
        ]
        assert not [mark for mark in below if isinstance(mark, Fill)]
        slashes = [
            mark
            for mark in marks
            if isinstance(mark, Line) and mark.width == 1.4 and mark.points[0][0] < lane.axis.left
        ]
        assert sum(top - 4 <= mark.points[0][1] <= top + BREAK + 4 for mark in slashes) == 2


def test_the_lost_offsets_are_ticks_of_a_broken_axis() -> None:
    """truth.json of k0102-hw-loss: 206 to 253 of orders-0 are gone; the log begins at 0."""
    history, verdict = opened(*next(iter(LOSING.items())))
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)

    ticks = [mark for mark in lay_out(view).marks() if isinstance(mark, Text) and mark.align is Align.RIGHT]
    assert {mark.text for mark in ticks if mark.weight == 600} >= {"206", "254"}
    assert "0" in {mark.text for mark in ticks}


def test_from_the_log_start_there_is_no_break() -> None:
    history, verdict = opened(*next(iter(LOSING.items())))
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)
    whole = replace(view, drawing=Drawing(vertical=Vertical.OFFSET))

    assert {lane.offsets.foot for lane in timeline_lanes(view)} == {0}
    assert {(lane.offsets.foot, lane.offsets.base) for lane in timeline_lanes(whole)} == {(None, 0)}
