"""Rules of roles, control, bounds and caches, each shown by the smallest trace in which it matters."""

from dataclasses import replace

import pytest

from core.history.coarse_times import state_at
from core.history.gaps_by_others import gap_spans
from core.history.inference import RULES
from core.history.open import open_history
from core.history.steps import StepWriter
from core.history.view import read_view
from core.message import Message
from core.trace.ids import Nanos, Place
from core.trace.trace import WHOLE_SECONDS
from core.trace.vocabulary import CutReason
from tests.stories import SECOND, Story

MS = 1_000_000


def leo(story: Story, broker: int, cursor: int) -> tuple[int | None, int | None]:
    """The band of a log end at a cursor."""
    band = story.history().at(cursor).replica(broker).leo
    return band.lo, band.hi


def test_a_broker_of_which_no_start_is_stated_is_up_from_its_first_line() -> None:
    story = Story("2.8.2")
    first = story.add("leo_sample", 1, leo=5)

    history = story.history()

    assert history.at(first).replica(1).alive is None
    assert history.at(first + 1).replica(1).alive is True


def test_a_log_that_is_created_starts_at_0_though_no_line_has_a_log_start() -> None:
    story = Story("2.8.2")
    story.process("broker_starting", 1)
    created = story.add("log_created", 1)

    history = story.history()

    assert history.at(created).replica(1).log_start.lo is None
    assert history.at(created + 1).replica(1).log_start.lo == 0


def test_a_band_of_a_second_reaches_from_the_lowest_to_the_highest_of_its_values() -> None:
    """The log ends at 5 as it is loaded and at 3 after the cut: in that second either may be true."""
    story = Story("2.8.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=5)
    story.add("truncated", 2, offset=3)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=3)
    history = open_history(replace(story.trace(), facts={WHOLE_SECONDS: "0"}), 0)
    at = story.now - 10 * SECOND

    within = state_at(history, history.trace.cursor_at(Nanos(at)), at + 500 * MS).replica(2).leo

    assert (within.lo, within.hi) == (3, 5)


def test_an_end_of_the_leader_before_its_tenure_does_not_end_the_tenure() -> None:
    """A stop takes the lead from a broker that has it: this one was over before it was elected."""
    story = Story("3.7.2")
    story.process("broker_stopped", 1)
    story.begin()
    story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    later = story.add("leo_sample", 2, leo=3)
    story.add("leo_sample", 1, leo=3)

    assert story.history().at(later + 1).leader == 1


def test_a_certain_cut_without_its_old_end_removed_a_record_at_least() -> None:
    """From 0.11 a cut is printed where something goes (Log.truncateTo): to 40, so there were 41."""
    story = Story("2.8.2")
    story.begin()
    story.add("fetcher_removed", 2)
    cut = story.add("truncated", 2, offset=40)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=40)

    assert leo(story, 2, cut) == (41, None)
    assert leo(story, 2, cut + 1) == (40, 40)


def test_why_a_log_is_cut_is_no_count_of_entries() -> None:
    """A line on a cut may have its reason where one on the cache has the number of entries left."""
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_cache_loaded", 2)
    story.add("epoch_assigned", 2, epoch=0, offset=0, aux=1)
    story.add("epoch_assigned", 2, epoch=1, offset=10, aux=2)
    cut = story.add("truncated", 2, offset=5, aux=CutReason.LEADER_EPOCH)
    story.add("epoch_assigned", 2, epoch=2, offset=5)

    assert story.history().at(cut + 2).replica(2).epochs == ((0, 0), (2, 5))


def test_a_second_value_at_a_place_replaces_the_first() -> None:
    writer: StepWriter[str] = StepWriter("a")
    writer.put(Place(3), "b")
    writer.put(Place(3), "c")

    assert list(writer.spans(5)) == [(0, 3, "a"), (3, 5, "c")]


def test_a_start_shortly_before_the_partition_was_made_takes_nothing_from_its_members() -> None:
    """Broker 2 starts right before the partition is made: its log was made after that, and lost nothing."""
    story = Story("2.8.2")
    story.process("broker_starting", 1)
    story.process("broker_starting", 2)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("log_created", 2)
    story.add("became_leader", 1, leader=1, epoch=0)
    story.add("became_follower", 2, leader=1, epoch=0, leo=0, hw=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0)
    committed = story.add("hw_sample", 1, hw=20)
    story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)

    assert leo(story, 2, committed + 1)[0] == 20


def test_what_is_committed_with_a_stopped_member_it_had_copied_by_its_stop_and_no_earlier() -> None:
    """The leader's high watermark reaches 20 after broker 2 has stopped, and it is in the set still."""
    story = Story("2.8.2")
    story.begin()
    story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    before = story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    stopped = story.process("broker_stopped", 2)
    story.add("hw_sample", 1, hw=20)

    assert leo(story, 2, before + 1)[0] == 0
    assert leo(story, 2, stopped + 1)[0] == 20


def test_a_fetcher_of_no_partition_is_none_of_this_one() -> None:
    """A loaded log stays as it is until its own fetcher is added."""
    story = Story("2.8.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=30)
    other = story.process("fetcher_added", 2)
    story.add("metadata_applied", 2, leader=1, epoch=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=30)

    assert leo(story, 2, other + 1) == (30, 30)


def test_a_set_that_the_controller_repeats_was_written_before_by_the_leader() -> None:
    """To 3.x a controller of ZooKeeper sends a set in the same epoch later than its leader wrote it."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin()
    between = story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
    story.add("isr_committed", 3, leader=1, epoch=0, isr=(1, 2), partition_epoch=1)

    assert story.history().at(between + 1).isr is None


@pytest.mark.parametrize(("pause", "gaps"), [(4, 0), (6, 1)])
def test_a_broker_that_prints_every_fetch_is_silent_for_five_seconds_at_most(pause: int, gaps: int) -> None:
    story = Story("2.8.2")
    story.begin()
    for offset in range(200):
        story.add("fetch_sent", 2, leader=1, offset=offset, wait=SECOND // 2)
    story.add("metadata_applied", 1, leader=1, epoch=0, wait=pause * SECOND)

    assert len(gap_spans(read_view(story.trace(), 0), 2)) == gaps


def test_that_another_log_is_short_does_not_show_when_a_log_was_cut() -> None:
    """Broker 1 held 25 records; two of its three batches are of later, so 10 to 24 were cut, unseen."""
    story = Story("2.8.2")
    story.begin()
    asked = story.add("metadata_applied", 1, leader=1, epoch=0)
    now = story.now // SECOND
    story.add("hw_checkpointed", 1, in_a_file=True, hw=25)
    story.add("leo_sample", 2, leo=5)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    for first, stamp in ((0, now - 15), (10, now + 35), (20, now + 35)):
        story.add("batch_on_disk", 1, from_offset=first, offset=first + 10, stamp=stamp * SECOND)
    story.add("log_end_on_disk", 1, leo=30)

    assert leo(story, 1, asked)[1] == 30


def a_transaction_of_two_batches() -> Story:
    story = Story("2.8.2", simulated=True)
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=4)
    story.add("transaction_written", 1, aux=7, epoch=0, from_offset=1, offset=2)
    story.add("transaction_written", 1, aux=7, epoch=0, from_offset=2, offset=3)
    story.add("hw_moved", 1, hw=3)
    story.add("transaction_committed", 1, aux=7, epoch=0, offset=3)
    story.add("hw_moved", 1, hw=4)
    return story


def test_one_marker_ends_all_that_a_producer_wrote_in_its_transaction() -> None:
    history = a_transaction_of_two_batches().history()
    last = len(history.trace)

    assert [history.at(last - back).replica(1).lso.exact for back in (2, 1, 0)] == [1, 1, 4]


def test_the_state_of_a_replica_holds_over_the_whole_span_for_which_it_is_kept() -> None:
    history = a_transaction_of_two_batches().history()
    one = history.replicas[1]
    states = [one.at(cursor) for cursor in range(len(history.trace) + 1)]

    for cursor, state in enumerate(states):
        first, end = one.held_span(cursor)
        assert first <= cursor < end
        assert all(other == state for other in states[first : int(min(end, len(states)))])


def test_rules_that_evidence_may_override_are_those_on_disks_and_clocks() -> None:
    """A power loss takes what was not flushed, a client's clock may be wrong; Kafka ensures the others."""
    assert {one.id for one in RULES.values() if one.can_fail} == {"log-survives-process", "time-stamps"}
    assert all(isinstance(one.says, Message) for one in RULES.values())


@pytest.mark.parametrize("first", ["leo_sample", "segment_rolled"])
def test_an_entry_is_printed_before_the_append_of_its_record_begins_a_segment(
    first: str,
) -> None:
    """1.1: a follower is sent 480 to 539, of which 501 is of epoch 2. Its log ends at 480 until then."""
    story = Story("1.1.1")
    story.begin()
    story.add("leo_sample", 2, leo=450)
    entry = story.add("epoch_assigned", 2, epoch=2, offset=501)
    if first == "leo_sample":
        story.add("leo_sample", 2, leo=480, wait=0)
    rolled = story.add("segment_rolled", 2, offset=480, wait=0)

    assert leo(story, 2, entry + 1) == (450, 480)
    assert leo(story, 2, rolled + 1)[0] == 480
