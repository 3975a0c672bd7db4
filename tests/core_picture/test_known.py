"""The rail under a lane says how well the replica is known; the overview's brackets lead to the ruler."""

import pytest

from core.history.state import Role
from core.picture.known import Known, known_at, known_spans
from core.picture.marks import Line
from core.picture.overview import OVERVIEW
from core.picture.timeline import TimelineView, lay_out, time_scale, timeline_lanes
from core.picture.whole import history_window
from tests.core_picture.test_folds import LOSING, opened
from tests.core_picture.test_real_pictures import run_of
from tests.recordings.whole import grouped

pytestmark = pytest.mark.broad(8)


@pytest.mark.parametrize("name", grouped(LOSING))
def test_each_pixel_says_what_the_state_there_is(name: str) -> None:
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)
    seen = set[Known]()

    for lane in timeline_lanes(view):
        ends = lane.axis.left
        for span in known_spans(lane):
            x0, x1, known = span.x0, span.x1, span.known
            assert x0 == ends
            ends = x1
            seen.add(known)
            if known is Known.EXACT and x1 - x0 > 8:
                middle = int(history.trace.columns["at"].searchsorted(time_scale(view).at((x0 + x1) / 2)))
                state = lane.replica.at(middle)
                assert state.leo.exact is not None
                assert state.hw.exact is not None
                assert state.role is not Role.OFFLINE
        assert ends == lane.axis.right

    # Each of these recordings has bounds, and brokers that stop.
    assert {Known.BOUNDED, Known.SILENT} <= seen


def test_a_broker_that_stopped_or_says_nothing_is_not_known() -> None:
    """Broker 1 of k0102-hw-loss printed nothing between its last line and its start (truth.json)."""
    history, _ = opened("k0102-hw-loss", "orders-0")
    replica = history.replicas[1]
    quiet = [
        c for c in replica.alive.cursors if replica.alive.at(c) is None or replica.role.at(c) is Role.OFFLINE
    ]

    assert quiet
    assert {known_at(replica, cursor) for cursor in quiet} == {Known.SILENT}


def test_a_simulation_has_no_rail() -> None:
    run = run_of("hw-loss", "0.10.2")
    lane = timeline_lanes(
        TimelineView(run.history, run.verdict, None, history_window(run.history), 1244, 860)
    )[0]

    marks = lay_out(
        TimelineView(run.history, run.verdict, None, history_window(run.history), 1244, 860)
    ).marks()
    rails = [mark for mark in marks if getattr(mark, "y", 0.0) == lane.box.known]
    assert rails == []


def test_brackets_of_the_overview_lead_to_where_their_time_is() -> None:
    history, verdict = opened("k0102-hw-loss", "orders-0")
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)
    scale = time_scale(view)
    feet = [
        mark.points[1][0]
        for mark in lay_out(view).marks()
        if isinstance(mark, Line) and mark.role == "line.edge" and mark.points[0][1] == 6.0 + OVERVIEW
    ]

    edges = [edge for span in scale.folds.spans for edge in span]  # type: ignore[union-attr]
    inside = [scale.x(at) for at in edges if scale.first < at < scale.last]  # type: ignore[union-attr]
    assert inside
    assert set(inside) <= set(feet)
    assert len(feet) % 2 == 0
