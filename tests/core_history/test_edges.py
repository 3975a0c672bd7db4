"""What is known at the edges of a life of a follower, and of a cut."""

from core.trace.vocabulary import Basis
from tests.core_history.test_leading import BEGUN, console
from tests.stories import Story


def test_a_leader_that_only_fetchers_told_stays_known_when_they_have_stopped_and_started() -> None:
    """What a follower said in an earlier life was so then."""
    story = console(*BEGUN)
    told = len(story.texts)
    story.add("leo_sample", 2, leo=5)
    story.add("leo_sample", 3, leo=5)
    for broker in (2, 3):
        story.process("broker_stopped", broker)
    for broker in (2, 3):
        story.process("broker_starting", broker)

    assert story.history().at(told).leader == 1


def test_a_follower_that_crashed_tells_of_its_leader_up_to_its_last_word() -> None:
    """The process may have ended right after it: nobody fetches then."""
    story = console(*BEGUN)
    told = len(story.texts)
    story.add("leo_sample", 2, leo=5)
    story.add("leo_sample", 3, leo=5)
    between = story.add("leo_sample", 1, leo=5)
    for broker in (2, 3):
        story.process("broker_crashed", broker, basis=Basis.OBSERVED)

    history = story.history()

    assert history.at(told).leader == 1
    assert history.at(between + 1).leader is None


def test_a_high_watermark_of_before_a_cut_proves_the_log_of_that_time() -> None:
    """To 2.3 it may stand above the log after a cut; until then it did not."""
    story = Story("0.10.2.2")
    story.begin()
    before = story.add("hw_sample", 1, hw=100)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=256)
    story.add("became_follower", 1, leader=2)
    story.add("fetcher_added", 1, leader=2, offset=256)
    story.add("fetch_offset_reset", 1, leader=2, from_offset=256, offset=206)
    story.add("truncated", 1, offset=206, wait=1_000_000)
    story.add("metadata_applied", 2, leader=2, epoch=1, wait=1_000_000)

    assert story.history().at(before + 1).replica(1).leo.lo == 100
