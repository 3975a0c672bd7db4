"""Single lines that are missing, or that nobody understands: nothing rests on them."""

from dataclasses import replace

import pytest

from core.history.cuts import find_cuts, is_hw_cut
from core.history.gaps_by_files import unread
from core.history.open import open_history
from core.history.view import read_view
from core.trace.vocabulary import CutReason
from tests.core_history.bands_after import leo
from tests.stories import SECOND, Story


def test_a_cut_of_a_running_fetcher_is_none_to_the_own_high_watermark() -> None:
    """Without the warning before it, which says that the fetch was out of range (0.10.2)."""
    story = Story()
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("truncated", 2, offset=254)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=254)
    story.add("truncated", 2, offset=206)

    view = read_view(story.trace(), 0)

    assert [(cut.to, is_hw_cut(view, 2, cut)) for cut in find_cuts(view, 2)] == [(254, True), (206, False)]


def test_without_a_sign_of_a_new_role_a_cut_may_be_any_cut() -> None:
    story = Story()
    story.begin()
    story.add("truncated", 2, offset=40)

    view = read_view(story.trace(), 0)

    assert [is_hw_cut(view, 2, cut) for cut in find_cuts(view, 2)] == [False]


@pytest.mark.parametrize("reason", [CutReason.LEADER_EPOCH, CutReason.LOCAL_HIGH_WATERMARK])
def test_a_decision_is_a_cut_where_the_line_of_the_cut_is_missing(reason: CutReason) -> None:
    story = Story("2.8.2")
    story.begin()
    before = story.add("leo_sample", 2, leo=26)
    decided = story.add("truncation_decided", 2, epoch=0, offset=20, aux=reason)
    after = story.add("metadata_applied", 2, leader=1, epoch=1, wait=SECOND // 1000)

    history = story.history()

    assert leo(history, 2, before).lo == 26
    lows = [leo(history, 2, seq).lo or 0 for seq in (decided, after)]
    assert max(lows) <= 20
    if reason is CutReason.LEADER_EPOCH:
        # To 2.3 a high watermark may be above the log end; the offset that a leader's answer gives is not.
        assert lows == [20, 20]


def test_a_decision_that_removes_nothing_is_none() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("truncation_decided", 2, epoch=0, offset=20, aux=CutReason.LEADER_EPOCH)
    noop = story.add("truncation_noop", 2, offset=20, leo=20)
    last = story.add("leo_sample", 2, leo=30)

    history = story.history()

    assert leo(history, 2, noop).lo == 20
    assert leo(history, 2, last).lo == 30
    assert find_cuts(read_view(history.trace, 0), 2) == ()


def test_a_decision_that_is_told_twice_is_one_cut() -> None:
    """What the leader replied, and what is done: two lines before that of the cut."""
    story = Story("4.3.1")
    story.begin()
    story.add("truncation_decided", 2, epoch=1, offset=14, aux=CutReason.LEADER_EPOCH)
    story.add("truncation_decided", 2, epoch=0, offset=14, aux=CutReason.LEADER_EPOCH)
    cut = story.add("truncated", 2, offset=14)

    assert [one.row.seq for one in find_cuts(read_view(story.trace(), 0), 2)] == [cut]


def test_a_fetch_out_of_range_that_is_told_behind_its_cut_is_of_that_cut() -> None:
    """One thread says so, then cuts, in one millisecond: a collector turned its lines round."""
    story = Story("2.1.1")
    story.begin()
    cut = story.add("truncated", 2, offset=8)
    reset = story.add("fetch_offset_reset", 2, leader=1, from_offset=10, offset=8, wait=0)

    history = story.history()

    (found,) = find_cuts(read_view(history.trace, 0), 2)
    assert found.row.seq == cut
    assert found.after_reset is not None
    assert found.after_reset.seq == reset
    assert leo(history, 2, reset).lo == 8


def test_a_decision_that_is_told_behind_its_cut_is_of_that_cut_and_a_later_one_is_not() -> None:
    story = Story("2.8.2")
    story.begin()
    cut = story.add("truncated", 2, offset=8)
    told = story.add("truncation_decided", 2, epoch=0, offset=8, aux=CutReason.LEADER_EPOCH, wait=0)
    later = story.add("truncation_decided", 2, epoch=0, offset=8, aux=CutReason.LEADER_EPOCH, wait=SECOND)

    found = find_cuts(read_view(story.trace(), 0), 2)

    assert [one.row.seq for one in found] == [cut, later]
    assert found[0].decided is not None
    assert found[0].decided.seq == told


def test_a_decision_on_another_offset_is_not_the_reason_of_a_cut() -> None:
    """2.8 under the protocol of 0.10.2: a decision that removes nothing, then a fetch out of range."""
    story = Story("2.8.2")
    story.begin()
    story.add("truncation_decided", 2, offset=247, hw=247, aux=CutReason.LOCAL_HIGH_WATERMARK)
    story.add("truncation_noop", 2, offset=247, leo=247)
    cut = story.add("truncated", 2, offset=204)

    history = story.history()

    assert leo(history, 2, cut - 1).lo == 247
    assert leo(history, 2, cut).lo == 204
    (found,) = find_cuts(read_view(history.trace, 0), 2)
    assert (found.to, found.decided) == (204, None)


@pytest.mark.parametrize("lines", [0, 40])
def test_where_many_lines_are_not_understood_one_of_them_may_add_a_fetcher(lines: int) -> None:
    story = Story("4.3.1")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("fetcher_removed", 2, wait=0)
    story.add("leo_sample", 2, leo=8, wait=0)
    between = story.add("metadata_applied", 1, leader=1, epoch=1)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=8)
    trace = replace(story.trace(), facts={unread(2): str(lines)} if lines else {})

    assert leo(open_history(trace, 0), 2, between).hi == (None if lines else 8)


def test_a_fetch_out_of_range_is_a_cut_where_the_line_of_the_cut_is_missing() -> None:
    story = Story()
    story.begin()
    reset = story.add("fetch_offset_reset", 2, leader=1, from_offset=249, offset=205)
    after = story.add("metadata_applied", 2, leader=1, epoch=1)

    history = story.history()

    assert leo(history, 2, reset).lo == 205
    assert leo(history, 2, after).lo == 205


def test_a_fetch_below_the_leaders_log_is_no_cut() -> None:
    story = Story()
    story.begin()
    story.add("fetch_offset_reset", 2, leader=1, from_offset=20, offset=205)

    assert find_cuts(read_view(story.trace(), 0), 2) == ()


@pytest.mark.parametrize("server_log", [False, True])
def test_without_a_server_log_a_role_states_a_log_end_for_its_moment_alone(*, server_log: bool) -> None:
    """state-change.log says where a follower began; that it cut its log then, only server.log says."""
    story = Story("2.8.2")
    story.add("leader_elected", 1, leader=1, epoch=2, isr=(1, 2), partition_epoch=3, aux=3)
    if server_log:
        story.process("broker_starting", 2)
    last = story.add("became_follower", 2, leader=1, epoch=2, leo=258, hw=251)

    assert leo(story.history(), 2, last).lo == (258 if server_log else None)
