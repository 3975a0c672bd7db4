"""Logs cut to seconds: at a moment in the second of a line nobody knows whether it was written already."""

from dataclasses import replace

from core.history.coarse_times import state_at
from core.history.open import open_history
from core.history.state import History
from core.trace.ids import Nanos
from core.trace.trace import WHOLE_SECONDS
from tests.stories import SECOND, Story

MS = 1_000_000


def told_by(story: Story, *, cut: bool) -> History:
    """Whether the log is one whose times are cut to seconds."""
    trace = story.trace()
    return open_history(replace(trace, facts={WHOLE_SECONDS: "0"} if cut else {}), 0)


def a_change_of_leader() -> tuple[Story, int]:
    story = Story()
    story.begin()
    story.add("leader_elected", 1, leader=2, epoch=1, isr=(2,), partition_epoch=1, aux=2)
    story.add("became_leader", 2, wait=0, leader=2, epoch=1, leo=7, hw=7)
    return story, story.now


def test_in_the_second_of_a_line_it_is_not_known_whether_it_has_come() -> None:
    story, at = a_change_of_leader()
    history = told_by(story, cut=True)
    trace = history.trace

    def leader(moment: int) -> int | None:
        return state_at(history, trace.cursor_at(Nanos(moment)), moment).leader

    assert leader(at - 1) == 1
    assert leader(at) is None
    assert leader(at + 999 * MS) is None
    assert leader(at + SECOND) == 2


def test_with_milliseconds_it_is() -> None:
    story, at = a_change_of_leader()
    history = told_by(story, cut=False)

    told = state_at(history, history.trace.cursor_at(Nanos(at)), at)

    assert (told.leader, told.isr) == (2, (2,))


def test_bands_of_that_second_cover_before_and_after() -> None:
    story, at = a_change_of_leader()
    history = told_by(story, cut=True)

    within = state_at(history, history.trace.cursor_at(Nanos(at)), at + 500 * MS).replica(2)
    first = history.trace.first_cursor_at(Nanos(at + 500 * MS))
    each = [history.at(cursor).replica(2).leo for cursor in (first, first + 1, first + 2)]

    assert within.leo.lo == min(band.lo for band in each if band.lo is not None)
    assert within.leo.hi is None or within.leo.hi == max(band.hi or 0 for band in each)
    assert {band.lo for band in each} != {within.leo.lo} or {band.hi for band in each} != {within.leo.hi}


def test_a_cursor_is_asked_for_by_order_and_not_by_time() -> None:
    story, _ = a_change_of_leader()
    history = told_by(story, cut=True)

    assert state_at(history, len(history.trace)).leader == 2


def test_only_lines_of_that_log_are_unsure() -> None:
    story = Story()
    story.begin()
    story.add("hw_checkpointed", 1, hw=0, in_a_file=True)
    trace = replace(story.trace(), facts={WHOLE_SECONDS: "0"})

    assert trace.first_cursor_at(Nanos(story.now)) == trace.cursor_at(Nanos(story.now))
