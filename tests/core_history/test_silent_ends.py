"""Ends of processes, and cuts of old releases, at the very places where they begin and end to matter."""

import pytest

from core.history.gaps_by_others import gap_spans
from core.history.view import read_view
from tests.stories import SECOND, Story


def test_a_broker_that_stops_is_down_from_its_last_word_on() -> None:
    story = Story()
    story.begin()
    stopped = story.process("broker_stopped", 2)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("metadata_applied", 1, leader=1, epoch=0)

    history = story.history()

    assert history.at(stopped).replica(2).alive is True
    assert history.at(stopped + 1).replica(2).alive is False


def test_what_a_follower_says_after_the_last_word_of_its_leader_bounds_that_leader_no_more() -> None:
    """It died at some moment after that word, and its log came back shorter than the follower's."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=40)
    after = story.add("leo_sample", 2, leo=60)
    story.add("metadata_applied", 2, leader=1, epoch=0)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=50)

    least = story.history().at(after + 1).replica(1).leo.lo

    assert least is None or least <= 50


def test_to_2_3_a_high_watermark_above_the_log_stays_until_the_replica_leads() -> None:
    """Replica.highWatermark is a field of its own, which Partition.makeLeader takes anew."""
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=256)
    story.add("became_follower", 1, leader=2)
    story.add("truncated", 1, offset=254)
    story.add("fetcher_added", 1, leader=2, offset=254)
    story.add("fetch_offset_reset", 1, leader=2, from_offset=254, offset=206)
    story.add("truncated", 1, offset=206, wait=1_000_000)
    follows = [story.add("metadata_applied", 2, leader=2, epoch=1, wait=1_000_000) for _ in range(4)]
    story.add("leader_elected", 1, leader=1, epoch=2, isr=(1,), partition_epoch=3, wait=1_000_000)
    leads = story.add("became_leader", 1, leader=1, epoch=2, wait=1_000_000)
    story.add("leo_sample", 1, leo=206, wait=1_000_000)

    history = story.history()

    for seq in follows:
        high = history.at(seq + 1).replica(1).hw.hi
        assert high is not None
        assert high >= 254
    assert history.at(leads + 1).replica(1).hw.hi == 206


@pytest.mark.parametrize(("apart", "missing"), [(2, False), (3, True)])
def test_a_role_and_the_change_of_its_fetcher_are_printed_within_two_seconds(
    apart: int, *, missing: bool
) -> None:
    """They stand in two logs, whose lines one thread writes at once; else a part of server.log is missing."""
    story = Story("4.3.1", replicas=(1, 2))
    for broker in (1, 2):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    story.add("fetcher_removed", 2)
    story.add("became_follower", 2, leader=1, epoch=0, wait=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0, wait=0)
    story.add("leo_sample", 2, leo=10)
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("fetcher_removed", 2, wait=apart * SECOND)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=10, wait=0)
    story.add("leo_sample", 2, leo=30)

    assert bool(gap_spans(read_view(story.trace(), 0), 2)) is missing
