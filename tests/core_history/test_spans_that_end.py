"""Until when a bound is believed: to the next start, the next fall, the next line that denies it."""

from tests.core_history.bands_after import bounds, hw, leo
from tests.stories import Story


def test_a_fall_that_nobody_states_stays_a_gap_where_a_later_gap_is_known() -> None:
    """Broker 2 fetches from 40 after it had 50: it fell between. Later an epoch is missing: a gap, too."""
    story = Story("2.4.1")
    story.begin()
    story.add("leo_sample", 2, leo=50)
    before = story.add("fetch_sent", 2, leader=1, offset=50)
    story.add("fetch_sent", 2, leader=1, offset=40)
    story.add("became_follower", 2, leader=1, epoch=2)

    band = leo(story.history(), 2, before)

    # It may have fallen at any moment after the line, and nobody says how far it grew until then.
    assert band.hi is None
    assert band.lo in (None, 0)


def test_a_start_whose_log_nobody_loads_may_be_that_of_a_new_disk() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=50)
    stopped = story.process("broker_stopped", 2)
    started = story.process("broker_starting", 2)
    story.add("became_follower", 2, leader=1, epoch=1, leo=50)

    history = story.history()

    # On a new disk all of it was copied again between the start and the last line.
    assert leo(history, 2, stopped).lo == 50
    assert bounds(leo(history, 2, started)) == (0, 50)


def test_a_log_that_is_made_anew_says_nothing_of_the_one_before() -> None:
    """The disk of the only replica is another one at its second start: "Created log for partition"."""
    story = Story("3.2.3", replicas=(1,))
    story.process("broker_starting", 1)
    story.add("leader_elected", 2, leader=1, epoch=0, isr=(1,), partition_epoch=0)
    story.add("log_created", 1)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    between = story.add("metadata_applied", 2, leader=1, epoch=0)
    story.process("broker_starting", 1)
    created = story.add("log_created", 1)
    story.add("became_leader", 1, leader=1, epoch=2, leo=0, hw=0)

    history = story.history()

    assert bounds(leo(history, 1, between)) == (0, None)
    assert leo(history, 1, created).exact == 0


def test_to_2_3_a_high_watermark_above_the_log_ends_with_the_process_though_that_ends_at_once() -> None:
    """A start reads the checkpoint, and takes of it what the log has (Partition.createLog)."""
    story = Story("2.0.1")
    story.begin()
    story.add("leo_sample", 1, leo=256)
    story.add("hw_sample", 1, hw=254)
    story.add("became_follower", 1, leader=2, epoch=1)
    cut = story.add("truncated", 1, offset=206)
    story.process("broker_starting", 1)
    loaded = story.add("log_loaded", 1, leo=206)
    story.add("became_follower", 1, leader=2, epoch=1, leo=206)
    story.add("fetcher_added", 1, leader=2, epoch=1, offset=206)

    history = story.history()

    high = hw(history, 1, cut).hi
    assert high is None or high >= 254
    assert hw(history, 1, loaded).hi == 206
