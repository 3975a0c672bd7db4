"""Time stamps of records on disk bound log ends of earlier moments, softly."""

from core.history.state import Band
from core.trace.vocabulary import Basis
from tests.stories import SECOND, Story


def on_disk(story: Story, broker: int, *batches: tuple[int, int, int]) -> None:
    """The final listing of a log: (first, end, seconds of the stamp) of each batch."""
    for first, end, seconds in batches:
        story.add("batch_on_disk", broker, from_offset=first, offset=end, stamp=seconds * SECOND)
    story.add("log_end_on_disk", broker, leo=batches[-1][1])


def band(story: Story, broker: int, seq: int) -> Band:
    return story.history().at(seq + 1).replica(broker).leo


def begun() -> tuple[Story, int]:
    """A leader that says nothing of its log, until the disk is read; and the row to ask about."""
    story = Story("2.8.2")
    story.begin()
    asked = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    return story, asked


def test_no_log_holds_a_record_before_it_was_written() -> None:
    story, asked = begun()
    now = story.now // SECOND
    on_disk(story, 1, (0, 10, now - 15), (10, 20, now - 1), (20, 30, now + 5))

    found = band(story, 1, asked)

    # Until the row after it, at `now`, only the first two batches existed.
    assert (found.lo, found.hi) == (0, 20)
    assert found.basis is Basis.INFERRED
    assert "time-stamps" in found.rule


def test_a_batch_with_an_early_stamp_behind_a_late_one_is_held_back_by_it() -> None:
    story, asked = begun()
    now = story.now // SECOND
    on_disk(story, 1, (0, 10, now - 15), (10, 20, now + 5), (20, 30, now - 15))

    assert band(story, 1, asked).hi == 10


def test_a_clock_that_is_shown_to_be_ahead_is_not_believed() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=20)
    asked = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    hour = story.now // SECOND + 3600
    on_disk(story, 1, (0, 10, hour), (10, 20, hour), (20, 30, hour))

    assert band(story, 1, asked).hi == 30


def test_what_was_cut_later_is_not_on_the_disk_and_may_have_been_there() -> None:
    story, asked = begun()
    now = story.now // SECOND
    story.add("truncated", 1, offset=10)
    story.add("fetcher_added", 1, leader=2, offset=10)
    on_disk(story, 1, (0, 10, 1), (10, 20, now + 50))

    assert band(story, 1, asked).hi != 10


def test_a_log_that_was_loaded_shorter_is_known_only_up_to_there() -> None:
    story, asked = begun()
    now = story.now // SECOND
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=10)
    on_disk(story, 1, (0, 10, 1), (10, 20, now + 50))

    # What was at 10 and above may have been lost with the machine: only a process keeps its log.
    assert band(story, 1, asked).rule.startswith("log-survives-process")


def test_a_moment_between_two_rows_has_bounds_of_its_own() -> None:
    story, asked = begun()
    now = story.now // SECOND
    on_disk(story, 1, (0, 10, now - 15), (10, 20, now - 7), (20, 30, now - 2))
    history = story.history()
    whole = history.at(asked + 1).replica(1)

    # The next row is at `now`, ten seconds after the one asked about.
    bands = {second: history.at(asked + 1, (now - second) * SECOND).replica(1) for second in (9, 6, 1)}

    assert whole.leo.hi == 30
    assert [bands[second].leo.hi for second in (9, 6, 1)] == [10, 20, 30]
    assert [bands[second].hw.hi for second in (9, 6, 1)] == [10, 20, 30]
    assert bands[9].leo.basis is Basis.INFERRED
    assert "time-stamps" in bands[9].hw.rule


def test_events_of_others_part_the_time_between_two_rows() -> None:
    story, asked = begun()
    now = story.now // SECOND
    story.process("broker_registered", 7)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    on_disk(story, 1, (0, 10, now - 15), (10, 20, now + 15), (20, 30, now + 35))
    history = story.history()

    # What broker 7 says is no row of the partition: the time before and after it have bands of their own.
    assert len(history.seqs) == len(history.trace) - 1
    assert [history.at(asked + place).replica(1).leo.hi for place in (1, 2, 3)] == [10, 10, 20]


def test_a_clock_that_is_a_little_ahead_is_allowed_for() -> None:
    story, asked = begun()
    now = story.now
    story.add("batch_on_disk", 1, from_offset=0, offset=10, stamp=now - 9 * SECOND)
    story.add("batch_on_disk", 1, from_offset=10, offset=20, stamp=now - 8 * SECOND)
    story.add("log_end_on_disk", 1, leo=20)

    shortly_before = now - 8 * SECOND - 90_000_000
    assert story.history().at(asked + 1, shortly_before).replica(1).leo.hi == 20


def test_a_lower_bound_above_what_the_stamps_allow_is_kept() -> None:
    story, _ = begun()
    now = story.now // SECOND
    stated = story.add("hw_sample", 1, hw=15)
    on_disk(story, 1, (0, 10, now - 25), (10, 20, now + 35), (20, 30, now + 35))

    later = story.history().at(stated + 1, (now + 15) * SECOND).replica(1).leo
    assert (later.lo, later.hi) == (15, 30)


def test_behind_the_end_of_a_brokers_logs_its_log_may_have_been_cut_and_written_anew() -> None:
    def bound(wait: int) -> int | None:
        story, asked = begun()
        now = story.now // SECOND
        story.now += wait * SECOND
        for first, seconds in ((0, now - 15), (10, now + 1)):
            story.add(
                "batch_on_disk",
                None,
                about=1,
                from_offset=first,
                offset=first + 10,
                stamp=seconds * SECOND,
                wait=0,
            )
        story.add("log_end_on_disk", None, about=1, leo=20, wait=0)
        return story.history().at(asked + 1).replica(1).leo.hi

    assert bound(5) == 10
    # Another leader may have been elected, and nobody is heard who would say so: there may have been more.
    assert bound(60) is None


def test_later_records_below_what_a_checkpoint_had_reached_are_of_another_log_than_was_there() -> None:
    story, asked = begun()
    now = story.now // SECOND
    story.add("hw_checkpointed", 1, in_a_file=True, hw=25)
    on_disk(story, 1, (0, 10, now - 15), (10, 20, now + 15), (20, 30, now + 20))

    # Offsets 10 to 24 were there when the checkpoint was written; other records are there now.
    assert band(story, 1, asked).hi == 30


def test_a_stamp_within_the_moment_of_a_row_leaves_what_the_row_states() -> None:
    """The next row is a millisecond later: until then the log ends where the row says."""
    story = Story("2.8.2")
    story.begin()
    stated = story.add("leo_sample", 1, leo=20)
    now = story.now
    story.add("metadata_applied", 1, leader=1, epoch=0, wait=1_000_000)
    story.add("batch_on_disk", 1, from_offset=0, offset=20, stamp=now - SECOND)
    # A client's clock may be 100 ms ahead: this batch came half a millisecond after the row at the earliest.
    story.add("batch_on_disk", 1, from_offset=20, offset=30, stamp=now + 100_500_000)
    story.add("log_end_on_disk", 1, leo=30)

    assert band(story, 1, stated) == Band(20, 20, Basis.OBSERVED, "stated")


def test_a_log_that_was_copied_long_after_the_last_line_may_have_been_longer_before() -> None:
    """It may have been cut where no log reaches, so that its end at last bounds nothing before."""

    def bounds(wait: int) -> tuple[int | None, int | None]:
        story, asked = begun()
        story.now += wait * SECOND
        story.add("hw_checkpointed", 1, in_a_file=True, hw=18, wait=0)
        story.add("log_end_on_disk", None, about=1, leo=20, wait=0)
        replica = story.history().at(asked + 1).replica(1)
        return replica.leo.hi, replica.hw.hi

    assert bounds(5) == (20, 20)
    assert bounds(60) == (None, None)
