"""What answers, files and bands say of a high watermark or a log end."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.history.open import open_history, open_together
from core.history.running_bounds import NO_HIGH, NO_LOW
from core.history.state import Band
from core.history.track import code_of
from core.history.view import read_view
from core.history.visible_bands import BandColumn, contradicted, surely_at_most
from core.trace.ids import UNSAID, TopicPartition
from core.trace.vocabulary import Basis, CutReason
from tests.core_history.bands_after import hw
from tests.stories import SECOND, Story


def test_a_leader_has_the_high_watermark_with_which_it_answers() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=9)
    told = story.add("fetch_answered", 1, about=2, leader=1, from_offset=5, offset=9, hw=5)
    last = story.add("leo_sample", 1, leo=12)

    history = story.history()

    assert hw(history, 1, told).lo == 5
    assert hw(history, 1, last).lo == 5


def test_until_the_time_of_a_checkpoint_a_high_watermark_was_no_higher_than_it_says() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("hw_sample", 2, hw=3)
    before = story.add("leo_sample", 2, leo=20)
    file = story.add("hw_checkpointed", 2, hw=7, in_a_file=True, wait=10_000_000_001)
    story.add("leo_sample", 2, leo=20)

    history = story.history()

    band = hw(history, 2, before)
    assert (band.lo, band.hi) == (3, 7)
    assert hw(history, 2, file).lo == 7


def test_bands_are_asked_in_a_column_as_one_by_one() -> None:
    known = Band(3, 7, Basis.BOUNDED, "stated")
    opened = Band(3, None, Basis.BOUNDED, "stated")
    fails = Band(3, 9, Basis.INFERRED, "stated")
    crossing = Band(9, 5, Basis.BOUNDED, "contradiction")
    for bands in product((known, opened, fails, crossing), repeat=3):
        column = BandColumn(
            np.array([NO_LOW if band.lo is None else band.lo for band in bands]),
            np.array([NO_HIGH if band.hi is None else band.hi for band in bands]),
            np.array([band.basis for band in bands], np.int8),
            np.array([code_of(band.rule) for band in bands], np.int16),
        )
        assert list(column) == list(bands)

        contradicting = [at for at in (1, 2) if bands[at] is crossing]
        first = contradicting[0] if contradicting else None
        assert contradicted(column) == contradicted(bands) == first
        if fails in bands or bands[-1] is opened:
            assert surely_at_most(column) is surely_at_most(bands) is None
        else:
            highest = 7 if known in bands else 5
            assert surely_at_most(column) == surely_at_most(bands) == highest


def test_a_follower_keeps_as_much_of_its_high_watermark_as_its_new_leader_had_reached() -> None:
    """A leader's never falls while it leads: from its answers the follower has at least 8 of its 10."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin(leader=3)
    story.add("hw_sample", 2, hw=10)
    story.add("became_leader", 1, leader=1, epoch=1, leo=20, hw=3)
    story.add("became_follower", 2, leader=1, epoch=1, leo=12, hw=10)
    story.add("hw_sample", 1, hw=8)
    fetched = story.add("fetcher_added", 2, leader=1, epoch=1, offset=12)
    last = story.add("leo_sample", 2, leo=15)

    history = story.history()

    assert hw(history, 2, fetched).lo == 8
    assert hw(history, 2, last).lo == 8


def test_a_follower_keeps_nothing_of_what_its_leader_had_reached_before_it_started_again() -> None:
    """A start loads the high watermark of the last checkpoint, and the first answer has it: 2 of 10."""
    story = Story("1.1.1")
    story.begin()
    story.add("became_leader", 1, leader=1, epoch=1, leo=20, hw=8)
    story.add("became_follower", 2, leader=1, epoch=1, leo=20, hw=10)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=20)
    before = story.add("leo_sample", 2, leo=20)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=20)
    story.add("hw_loaded", 1, hw=2)
    story.add("became_leader", 1, leader=1, epoch=1, leo=20, hw=2)
    last = story.add("leo_sample", 2, leo=20)

    history = story.history()

    assert (hw(history, 2, before).lo, hw(history, 2, last).lo) == (10, 2)


def test_the_high_watermark_to_which_a_follower_is_to_cut_may_fall_with_its_first_fetch() -> None:
    """From 0.11 to 2.7 the fetcher is added first, then asks and cuts; its leader has a new disk."""
    story = Story("1.1.1")
    story.begin()
    story.process("broker_starting", 1)
    story.add("log_created", 1)
    story.add("hw_loaded", 1, hw=0)
    story.add("became_leader", 1, leader=1, epoch=1, leo=0, hw=0)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=1)
    story.add("hw_loaded", 2, hw=1)
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=1)
    decided = story.add("truncation_decided", 2, hw=1, offset=1, aux=CutReason.LOCAL_HIGH_WATERMARK)
    story.add("truncation_noop", 2, offset=1, leo=1)
    last = story.add("leo_sample", 2, leo=2)

    history = story.history()

    assert history.at(decided + 1).replica(2).hw.hi == 1
    assert hw(history, 2, last).lo == 0


def test_each_band_of_a_log_with_stamped_records_begins_at_a_cursor_of_its_own() -> None:
    """Where two rows are near in time there is no moment between them that a band could be of."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=0)
    for offset in range(5):
        story.add("metadata_applied", 1, leader=1, epoch=0, wait=1_000_000)
        story.add("leo_sample", 2, leo=4 * offset, wait=1_000_000)
        story.add("batch_on_disk", 2, epoch=0, from_offset=4 * offset, offset=4 * offset + 4, in_a_file=True)
    story.add("log_end_on_disk", 2, leo=20, log_start=0, in_a_file=True)

    for replica in story.history().replicas.values():
        for steps in (replica.leo, replica.hw):
            assert sorted(set(steps.cursors)) == list(steps.cursors)
            assert len(steps.values) == len(steps.cursors)


def test_partitions_that_are_opened_together_have_the_bands_of_each_alone() -> None:
    """Rows of the one stand between rows of the other, so their cursors differ."""
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0, aux=1, partition=1)
    for offset in range(6):
        story.add("leo_sample", 1, leo=10 * offset, partition=offset % 2)
        story.add("leo_sample", 2, leo=5 * offset, partition=1, wait=1_000_000)
    one = story.trace()
    partitions = tuple(replace(one.partitions[0], tp=TopicPartition("t", number)) for number in (0, 1))
    trace = replace(one, partitions=partitions)

    together = [one.history for one in open_together([read_view(trace, number) for number in (0, 1)])]

    for number in (0, 1):
        alone = open_history(trace, number)
        for cursor in range(len(trace) + 1):
            assert together[number].at(cursor) == alone.at(cursor), (number, cursor)
    assert [together[1].at(len(trace)).replica(2).leo.lo, together[0].at(len(trace)).replica(1).leo.lo] == [
        25,
        40,
    ]


@pytest.mark.parametrize(("written", "most"), [(None, 7), (15, 20), (35, 7)])
def test_a_checkpoint_of_the_end_is_no_younger_than_its_file(written: int | None, most: int) -> None:
    """A real cluster of 1.1: a watermark of 82 was shown as 81 at most, as the file was of a time before."""
    story = Story("1.1.1")
    story.begin()
    begun = story.now
    before = story.add("leo_sample", 2, leo=20, wait=20 * SECOND)
    story.add("leo_sample", 2, leo=20)
    story.add("leo_sample", 2, leo=20, wait=12 * SECOND)
    stamp = UNSAID if written is None else begun + written * SECOND
    story.add("hw_checkpointed", 2, hw=7, in_a_file=True, stamp=stamp)

    assert hw(story.history(), 2, before).hi == most


@pytest.mark.parametrize(("seconds", "most"), [(8, None), (12, 7)])
def test_a_broker_that_stood_still_may_have_written_its_last_checkpoint_an_interval_late(
    seconds: int, most: int | None
) -> None:
    """A copy of it made after its last line is of the last two times at which it should have been written."""
    story = Story("1.1.1")
    story.begin()
    before = story.add("leo_sample", 2, leo=20)
    story.add("leo_sample", 2, leo=20)
    story.add("leo_sample", 2, leo=20, wait=seconds * SECOND)
    story.add("hw_checkpointed", 2, hw=7, in_a_file=True)

    assert hw(story.history(), 2, before).hi == (20 if most is None else most)
