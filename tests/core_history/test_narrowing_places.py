"""Where a value is narrowed, and where not: last rows, rows without a number, older words."""

import numpy as np
import pytest

from core.history.cuts import find_cuts
from core.history.running_bounds import NO_LOW, peaks
from core.history.state import Band, Steps
from core.history.view import read_view
from core.trace.vocabulary import CutReason
from tests.stories import Story


def hw(story: Story, broker: int, seq: int) -> Band:
    return story.history().at(seq + 1).replica(broker).hw


def test_a_follower_is_told_the_high_watermark_of_before_with_a_record_that_came_later() -> None:
    """ReplicaFetcherThread.processPartitionData: the leader's stood at 20 when its log ended at 30."""
    story = Story("2.8.2")
    story.begin()
    story.add("hw_sample", 1, hw=20)
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 1, leo=60)
    holds = story.add("leo_sample", 2, leo=45)

    band = hw(story, 2, holds)

    assert (band.lo, band.rule) == (20, "sent-with-later-record")


def test_what_a_follower_was_told_before_it_started_anew_in_the_same_epoch_is_forgotten() -> None:
    """It begins with its checkpoint, which is older (Partition.createLog), and its leader goes on."""
    story = Story("2.6.3")
    story.begin()
    story.add("hw_sample", 1, hw=20)
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 1, leo=60)
    story.add("leo_sample", 2, leo=45)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=45)
    story.add("hw_loaded", 2, hw=5)
    follows = story.add("became_follower", 2, leader=1, epoch=0, leo=45, hw=5)

    assert hw(story, 2, follows).lo == 5


def test_a_follower_that_holds_no_later_record_may_know_nothing() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("hw_sample", 1, hw=20)
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 1, leo=60)
    holds = story.add("leo_sample", 2, leo=30)

    assert hw(story, 2, holds).lo == 0


def test_the_high_watermark_of_a_leader_never_falls_so_it_was_no_higher_before() -> None:
    story = Story("2.8.2")
    story.begin()
    between = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("hw_moved", 1, hw=30)

    assert (hw(story, 1, between).lo, hw(story, 1, between).hi) == (0, 30)


@pytest.mark.parametrize(("held", "certain"), [(50, True), (40, False)])
def test_to_0_10_a_cut_is_sure_where_its_line_says_that_the_log_was_longer(
    held: int, *, certain: bool
) -> None:
    """Log.truncateTo is called, and printed, at every becoming follower."""
    story = Story("0.10.2.2")
    story.begin()
    story.add("truncated", 2, from_offset=held, offset=40)

    assert [cut.certain for cut in find_cuts(read_view(story.trace(), 0), 2)] == [certain]


def test_an_older_set_without_a_version_changes_nothing() -> None:
    story = Story()
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,))
    late = story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2))

    state = story.history().at(late + 1)

    assert (state.leader, state.leader_epoch, state.isr) == (2, 1, (2,))


def test_a_log_start_without_a_number_leaves_the_epochs_as_they_are() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_assigned", 2, epoch=0, offset=0, aux=1)
    later = story.add("log_start_moved", 2, wait=0)

    assert story.history().at(later + 1).replica(2).epochs == ((0, 0),)


def test_stretches_of_steps_are_clipped_to_what_is_asked() -> None:
    steps = Steps((0, 3, 7), ("a", "b", "c"))

    assert list(steps.spans(1, 5)) == [(1, 3, "a"), (3, 5, "b")]
    assert list(steps.spans(0, 9)) == [(0, 3, "a"), (3, 7, "b"), (7, 9, "c")]
    assert list(steps.spans(7, 7)) == [(7, 7, "c")]


def test_where_nothing_is_known_nothing_is_higher() -> None:
    nothing = np.full(3, NO_LOW)

    assert peaks(nothing, np.array([True, False, True])).tolist() == [True, True, True]
    some = np.array([NO_LOW, -5, NO_LOW, -7, 4])
    assert peaks(some, np.arange(5) == 0).tolist() == [True, True, False, False, True]


def test_a_start_before_the_partition_was_made_takes_nothing_from_its_members() -> None:
    """The log of broker 1 was made after its start: what the leader commits in epoch 0 stands in it."""
    story = Story("2.8.2")
    story.begin(leader=2)
    story.add("metadata_applied", 1, leader=2, epoch=0, isr=(1, 2), partition_epoch=0)
    told = story.add("hw_sample", 2, hw=20)
    story.add("metadata_applied", 1, leader=2, epoch=0, isr=(1, 2), partition_epoch=0)

    assert story.history().at(told + 1).replica(1).leo.lo == 20


def test_what_a_broker_says_without_a_partition_lowers_no_high_watermark() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("hw_sample", 1, hw=20)
    story.process("log_deleted", 1)
    after = story.add("metadata_applied", 1, leader=1, epoch=0)

    assert hw(story, 1, after).lo == 20


def test_a_fetcher_without_a_partition_does_not_show_that_each_new_fetcher_is_told_of() -> None:
    """A follower takes the high watermark of its new leader from the first answer: 10, and it had 20."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    for broker in (1, 2, 3):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    story.add("became_follower", 2, leader=1, epoch=0, leo=0, hw=0)
    story.process("fetcher_added", 2)
    story.add("hw_sample", 2, hw=20)
    story.add("became_leader", 3, leader=3, epoch=1, leo=25, hw=10)
    story.add("became_follower", 2, leader=3, epoch=1, leo=25, hw=20)
    after = story.add("metadata_applied", 2, leader=3, epoch=1)

    assert hw(story, 2, after).lo == 10


def test_a_decision_to_cut_to_the_high_watermark_is_a_cut_where_a_later_one_goes_further_down() -> None:
    """AbstractFetcherThread.truncateToHighWatermark cuts at once: only the line on that is missing."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=61)
    decided = story.add("truncation_decided", 2, hw=54, offset=54, aux=CutReason.LOCAL_HIGH_WATERMARK, wait=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=54, wait=0)
    last = story.add("truncated", 2, offset=4)

    cuts = find_cuts(read_view(story.trace(), 0), 2)
    after = story.history().at(decided + 1).replica(2).leo

    assert [(cut.row.seq, cut.to) for cut in cuts] == [(decided, 54), (last, 4)]
    assert (after.lo, after.hi) == (54, 54)


def test_a_decision_that_was_printed_as_cut_is_one_cut() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=61)
    story.add("truncation_decided", 2, hw=54, offset=54, aux=CutReason.LOCAL_HIGH_WATERMARK)
    first = story.add("truncated", 2, offset=54)
    last = story.add("truncated", 2, offset=4)

    assert [cut.row.seq for cut in find_cuts(read_view(story.trace(), 0), 2)] == [first, last]


def test_a_follower_whose_fetcher_comes_for_another_leader_had_one_before() -> None:
    """The line on the fetcher of its own role is missing: it may have copied since."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1, leo=54)
    story.add("fetcher_removed", 2, wait=5_000_000)
    between = story.add("metadata_applied", 1, leader=1, epoch=1)
    story.add("fetcher_added", 2, leader=3, epoch=2, offset=67)

    band = story.history().at(between + 1).replica(2).leo

    assert (band.lo, band.exact) == (54, None)
