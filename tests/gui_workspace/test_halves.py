"""Two tabs that are seen at once, as values."""

from dataclasses import replace

from core.trace.trace import Origin, Trace
from gui.workspace.halves import WHOLE, Halves, begun, moved_with, moves_with, still
from gui.workspace.tabs import Open, Tab
from tests.gui_workspace.given import content_of
from tests.stories import SECOND, Story


def three(front: int) -> Open:
    return Open(tabs=(Tab(1, 10), Tab(2, 10), Tab(3, 20)), current=front)


def test_another_tab_stands_at_the_right_of_the_one_in_front() -> None:
    assert begun(three(2), 1) == Halves(left=2, right=1)
    assert begun(three(2), 2) == WHOLE
    assert begun(three(2), 7) == WHOLE


def test_each_of_the_two_is_seen_beside_the_other_and_a_third_alone() -> None:
    halves = Halves(1, 3)
    assert [halves.other(key) for key in (1, 2, 3, 0)] == [3, 0, 1, 0]
    assert WHOLE.other(0) == 0


def test_one_that_is_closed_leaves_the_other_alone() -> None:
    assert still(Halves(1, 3), three(2)) == Halves(1, 3)
    assert still(Halves(1, 4), three(2)) == WHOLE


def appended(*seconds: int) -> Trace:
    """A partition whose leader states its log end at these seconds, and nothing else."""
    story = Story()
    for number, at in enumerate(seconds):
        story.add("leo_sample", 1, wait=at * SECOND - story.now, leo=number)
    return story.trace()


def test_a_cursor_goes_to_the_last_event_until_the_moment_of_the_other() -> None:
    one, other = content_of(appended(10, 20, 30)), content_of(appended(5, 19, 20, 21, 40))

    assert moves_with(one, other)
    assert [moved_with(one, position, other) for position in range(4)] == [0, 1, 3, 4]
    assert [moved_with(other, position, one) for position in range(6)] == [0, 0, 1, 2, 2, 3]


def test_two_of_one_trace_share_each_cursor_also_within_one_time() -> None:
    trace = appended(10, 10, 10)

    assert [moved_with(content_of(trace), at, content_of(trace)) for at in range(4)] == [0, 1, 2, 3]


def test_simulations_and_incidents_of_other_days_have_no_moment_in_common() -> None:
    first, later = appended(10, 20), appended(21, 30)
    simulated = replace(appended(10, 20), origin=Origin.SIMULATED)

    assert not moves_with(content_of(first), content_of(later))
    assert not moves_with(content_of(first), content_of(simulated))
    assert not moves_with(content_of(simulated), content_of(replace(simulated)))
    assert not moves_with(content_of(first), None)
