"""A broker whose replica was reassigned to others prints nothing of later epochs, and misses none."""

import pytest

from core.history.gaps_by_others import gap_spans
from core.history.view import read_view
from tests.stories import Story


def moved(assigned: tuple[int, ...]) -> Story:
    """Broker 3 follows, its replica moves away, and it prints on; `assigned` is what was last stated."""
    story = Story("4.3.1", replicas=assigned)
    for broker in (1, 2, 3):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    for broker in (2, 3):
        story.add("fetcher_removed", broker)
        story.add("became_follower", broker, leader=1, epoch=0, leo=0, hw=0, wait=0)
        story.add("fetcher_added", broker, leader=1, epoch=0, offset=0, wait=0)
    story.add("isr_committed", 1, isr=(1, 2), partition_epoch=1)
    story.add("fetcher_removed", 3)
    return story


def changed(story: Story) -> Story:
    """Broker 1 leads epoch 1, and the logs go on for minutes."""
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=2)
    story.add("became_leader", 1, leader=1, epoch=1, leo=9, hw=9)
    for _ in range(12):
        story.add("leo_sample", 1, leo=9)
    return story


@pytest.mark.parametrize(("assigned", "missing"), [((1, 2), False), ((1, 2, 3), True)])
def test_a_broker_that_is_no_replica_any_more_is_told_of_no_tenure(
    assigned: tuple[int, ...], *, missing: bool
) -> None:
    assert bool(gap_spans(read_view(changed(moved(assigned)).trace(), 0), 3)) is missing


def test_a_broker_that_comes_to_the_replicas_later_than_they_were_stated_is_told() -> None:
    """It is in sync in what is stated later, so it was assigned anew, and its lines on that are missing."""
    story = moved((1, 2))
    story.add("isr_committed", 1, isr=(1, 2, 3), partition_epoch=2)

    assert gap_spans(read_view(changed(story).trace(), 0), 3) != ()


def test_a_broker_that_was_assigned_after_the_list_that_is_stated_is_told() -> None:
    """Its last line on the replica adds a fetcher: it follows."""
    story = moved((1, 2))
    story.add("fetcher_added", 3, leader=1, epoch=0, offset=9)

    assert gap_spans(read_view(changed(story).trace(), 0), 3) != ()


def test_a_broker_that_deleted_its_log_is_no_replica_whatever_was_assigned_before() -> None:
    """With ZooKeeper the controller's log alone lists the replicas anew, and it may be missing."""
    story = moved((1, 2, 3))
    story.add("log_deleted", 3)

    assert gap_spans(read_view(changed(story).trace(), 0), 3) == ()
