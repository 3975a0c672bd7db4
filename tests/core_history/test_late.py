"""Until when a term is known to have stood, where a broker that starts tells first of the next one."""

from tests.stories import SECOND, Story

_SOON = SECOND // 100


def _epoch_before_the_start(told_after: int) -> int | None:
    """Leader epoch while broker 2 is down.

    Broker 2 stops, starts, and is told of epoch 1. Broker 1 prints the same so many ns later.
    """
    story = Story("3.5.2", replicas=(1, 2))
    for broker in (1, 2):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    story.add("became_leader", 1, leader=1, epoch=0, isr=(1, 2), leo=0)
    story.add("became_follower", 2, leader=1, epoch=0, wait=_SOON)
    story.process("broker_stopped", 2)
    down = story.add("leo_sample", 1, leo=10, wait=SECOND)
    story.process("broker_starting", 2)
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("became_leader", 1, leader=1, epoch=1, isr=(1,), leo=20, wait=told_after)
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 2, leo=30)
    return story.history().at(down + 1).leader_epoch


def test_one_that_is_told_of_the_next_term_at_once_shows_that_the_last_one_stood() -> None:
    assert _epoch_before_the_start(told_after=_SOON) == 0


def test_one_that_is_told_of_it_after_a_broker_that_starts_may_have_been_told_of_it_late() -> None:
    """The controller of KRaft raised the epoch as broker 2 stopped, and prints nothing of that."""
    assert _epoch_before_the_start(told_after=5 * SECOND) is None
