"""A follower's high watermark is one of its leader's, or what it came with."""

import pytest

from core.history.state import Band
from tests.stories import Story


def hw(story: Story, broker: int, seq: int) -> Band:
    return story.history().at(seq + 1).replica(broker).hw


def second_term() -> Story:
    """Broker 2 led, and now follows broker 1 in epoch 1. It comes with a high watermark of 20."""
    story = Story("2.8.2")
    story.begin(leader=2)
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("became_leader", 1, leader=1, epoch=1, leo=25, hw=18)
    story.add("became_follower", 2, leader=1, epoch=1, leo=25, hw=20)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=25)
    return story


def test_what_a_follower_knows_more_than_it_came_with_its_leader_had() -> None:
    story = second_term()
    story.add("hw_sample", 2, hw=30)
    after = story.add("metadata_applied", 1, leader=1, epoch=1)

    assert hw(story, 1, after).lo == 30


def test_what_a_follower_came_with_says_nothing_of_its_leader() -> None:
    story = second_term()
    story.add("hw_sample", 2, hw=20)
    after = story.add("metadata_applied", 1, leader=1, epoch=1)

    # The new leader's own may lag: it is a lower bound of what was committed.
    assert hw(story, 1, after).lo == 18


@pytest.mark.parametrize(("had", "most"), [(40, 40), (19, 20)])
def test_a_follower_knows_no_more_than_its_leader_or_what_it_came_with(had: int, most: int) -> None:
    story = second_term()
    asked = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("hw_sample", 1, hw=had)

    assert hw(story, 2, asked).hi == most


def test_an_earlier_life_of_the_leader_may_have_told_more() -> None:
    story = second_term()
    story.add("hw_sample", 2, hw=30)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=35)
    story.add("hw_loaded", 1, hw=10)
    story.add("became_leader", 1, leader=1, epoch=1, leo=35, hw=10)
    asked = story.add("hw_sample", 2, hw=30)
    after = story.add("metadata_applied", 1, leader=1, epoch=1)

    assert (hw(story, 2, asked).lo, hw(story, 1, after).lo) == (30, 10)


def test_who_asks_another_broker_says_nothing_of_this_one() -> None:
    story = second_term()
    story.add("fetcher_added", 2, leader=3, offset=25)
    story.add("hw_sample", 2, hw=30)
    after = story.add("metadata_applied", 1, leader=1, epoch=1)

    assert hw(story, 1, after).lo == 18


def test_rows_of_two_brokers_that_are_near_may_stand_in_the_wrong_order() -> None:
    story = second_term()
    told = story.add("hw_sample", 2, hw=22)
    stated = story.add("hw_sample", 1, hw=21, wait=20_000_000)
    after = story.add("metadata_applied", 1, leader=1, epoch=1)

    # The clock of one of them is off: the leader had 21 before it told 22.
    assert hw(story, 2, told).exact is None
    assert "contradict" not in hw(story, 2, told).rule
    assert (hw(story, 1, stated).lo, hw(story, 1, after).lo) == (21, 22)


def test_a_leader_that_leads_the_same_epoch_again_tells_more_than_in_its_life_before() -> None:
    """A process that was started again gets the roles of before, and nobody counts a new epoch."""
    story = second_term()
    story.add("hw_sample", 1, hw=25)
    story.process("broker_stopped", 1)
    alone = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=25)
    story.add("hw_loaded", 1, hw=25)
    story.add("became_leader", 1, leader=1, epoch=1, leo=25, hw=25)
    again = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("leo_sample", 2, leo=40)

    assert (hw(story, 2, alone).hi, hw(story, 2, again).hi) == (25, 40)


def test_who_followed_before_its_leader_was_started_again_came_with_more_than_it_said() -> None:
    """The earlier life told it more, also within the moment in which rows may stand in the wrong order."""
    story = Story("2.8.2")
    story.begin(leader=2)
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("became_leader", 1, leader=1, epoch=1, leo=25, hw=24)
    story.add("became_follower", 2, leader=1, epoch=1, leo=25, hw=20)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=25, wait=0)
    story.process("broker_crashed", 1, wait=10_000_000)
    story.process("broker_starting", 1, wait=0)
    story.add("log_loaded", 1, leo=25, wait=0)
    story.add("hw_loaded", 1, hw=18, wait=0)
    story.add("became_leader", 1, leader=1, epoch=1, leo=25, hw=18, wait=0)
    again = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("hw_sample", 1, hw=18)

    high = hw(story, 2, again).hi
    assert high is None or high >= 24


def test_a_follower_that_is_told_a_moment_before_its_leader_knows_no_more_than_it_came_with() -> None:
    """Clocks of two brokers differ by some milliseconds. Its leader never led before, so it told nothing."""
    story = Story("2.8.2")
    story.begin(leader=2)
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("became_follower", 2, leader=1, epoch=1, leo=25, hw=20)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=25, wait=0)
    story.add("became_leader", 1, leader=1, epoch=1, leo=25, hw=18, wait=10_000_000)
    asked = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("hw_sample", 1, hw=19)

    assert hw(story, 2, asked).hi == 20
