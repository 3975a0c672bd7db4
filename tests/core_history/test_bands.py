"""Each narrowing rule on a few events. Expected values are argued from Kafka's rules, beside each test."""

import pytest

from core.history.state import Band, Role
from core.history.visible_bands import crossed
from core.trace.vocabulary import Basis
from tests.core_history.bands_after import bounds, hw, leo
from tests.stories import SECOND, Story


def test_a_log_end_runs_from_one_statement_to_the_next() -> None:
    story = Story()
    story.begin()
    between = story.add("metadata_applied", 1, leader=1, epoch=0)
    stated = story.add("leo_sample", 1, leo=30)

    history = story.history()

    assert bounds(leo(history, 1, between)) == (0, 30)
    assert leo(history, 1, between).basis is Basis.BOUNDED
    assert bounds(leo(history, 1, stated)) == (30, None)


def test_a_stated_value_is_exact_while_the_next_row_is_near() -> None:
    story = Story()
    story.begin()
    stated = story.add("leo_sample", 1, leo=30)
    story.add("metadata_applied", 2, leader=1, epoch=0, wait=1_000_000)
    story.add("leo_sample", 1, leo=40)

    history = story.history()

    assert leo(history, 1, stated) == Band(30, 30, Basis.OBSERVED, "stated")
    assert bounds(leo(history, 1, stated + 1)) == (30, 40)


def test_a_cut_starts_anew_and_the_log_before_it_was_longer() -> None:
    story = Story("2.8.2")
    story.begin()
    before = story.add("leo_sample", 2, leo=10)
    cut = story.add("truncated", 2, offset=7)
    story.add("leo_sample", 2, leo=20)

    history = story.history()

    assert bounds(leo(history, 2, before)) == (10, None)
    assert bounds(leo(history, 2, cut)) == (7, 20)


def test_to_0_10_the_cut_after_becoming_a_follower_is_the_own_high_watermark() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 2)
    loaded = story.add("log_loaded", 2, leo=254)
    story.add("became_follower", 2, leader=1)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)

    history = story.history()

    # Nothing moved between loading and the cut: no fetcher ran, and no leader spoke.
    assert hw(history, 2, loaded).exact == 206
    assert leo(history, 2, loaded).exact == 254


@pytest.mark.parametrize("version", ["0.11.0.3", "2.8.2"])
def test_from_0_11_a_cut_says_nothing_of_the_high_watermark(version: str) -> None:
    story = Story(version)
    story.begin()
    story.process("broker_starting", 2)
    loaded = story.add("log_loaded", 2, leo=254)
    story.add("became_follower", 2, leader=1)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)

    assert hw(story.history(), 2, loaded).exact is None


def test_after_a_crash_the_loaded_log_bounds_what_was_before_by_a_rule_that_can_fail() -> None:
    story = Story()
    story.begin()
    before = story.add("metadata_applied", 2, leader=1, epoch=0)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)

    band = leo(story.history(), 2, before)

    assert bounds(band) == (0, 254)
    assert band.basis is Basis.INFERRED


def test_a_longer_log_that_is_proven_beats_the_loaded_one() -> None:
    story = Story()
    story.begin()
    before = story.add("leo_sample", 2, leo=300)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)

    assert bounds(leo(story.history(), 2, before)) == (300, None)


def test_hw_is_not_above_the_log_end() -> None:
    story = Story()
    story.begin()
    between = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("leo_sample", 1, leo=30)

    assert bounds(hw(story.history(), 1, between)) == (0, 30)


def test_a_high_watermark_proves_as_long_a_log() -> None:
    story = Story()
    story.begin()
    stated = story.add("hw_sample", 1, hw=20)

    assert bounds(leo(story.history(), 1, stated)) == (20, None)


def test_to_2_3_a_cut_leaves_the_high_watermark_above_the_log() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=256)
    story.add("became_follower", 1, leader=2)
    story.add("truncated", 1, offset=254)
    story.add("fetcher_added", 1, leader=2, offset=254)
    story.add("fetch_offset_reset", 1, leader=2, from_offset=254, offset=206)
    cut = story.add("truncated", 1, offset=206, wait=1_000_000)
    story.add("leo_sample", 1, leo=206, wait=700 * 1_000_000)

    history = story.history()

    # recordings/k0102-hw-loss: replica 1 had LEO 206 and HW 254 for 0.7 s.
    assert leo(history, 1, cut).exact == 206
    high = hw(history, 1, cut).hi
    assert high is not None
    assert high >= 254


def test_from_2_4_a_cut_lowers_the_high_watermark_with_it() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1, leo=259, hw=254)
    cut = story.add("truncated", 2, offset=250, wait=1_000_000)
    story.add("metadata_applied", 1, leader=1, epoch=0, wait=1_000_000)

    assert hw(story.history(), 2, cut).hi == 250


def test_a_reset_tells_both_log_ends() -> None:
    story = Story("0.10.2.2")
    story.begin()
    before = story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1)
    reset = story.add("fetch_offset_reset", 1, leader=2, from_offset=254, offset=206)
    story.add("truncated", 1, offset=206, wait=0)

    history = story.history()

    assert leo(history, 1, reset).exact == 254
    assert leo(history, 2, reset).lo == 206
    assert leo(history, 2, before).hi == 206


def test_a_member_of_the_isr_holds_what_is_below_the_leaders_high_watermark() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.add("leader_elected", 1, leader=2, epoch=1, isr=(1, 2), partition_epoch=1, aux=3)
    left = story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("leader_and_isr_received", 1, leader=2, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("truncated", 1, offset=218)
    story.add("fetcher_added", 1, leader=2, offset=218)

    # Replica 1 led epoch 0 until its cut shows the high watermark 218; 2 was in sync all the time.
    assert leo(story.history(), 2, left).lo == 218


def test_the_leaders_high_watermark_is_not_above_a_members_log() -> None:
    story = Story("0.11.0.3")
    story.begin()
    story.add("leo_sample", 1, leo=30)
    between = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("leo_sample", 2, leo=12)
    story.add("leo_sample", 1, leo=40)

    assert hw(story.history(), 1, between).hi == 12


def test_in_the_first_epoch_a_follower_bounds_its_leader() -> None:
    story = Story()
    story.begin()
    stated = story.add("leo_sample", 2, leo=30)
    story.add("leo_sample", 1, leo=40)

    assert bounds(leo(story.history(), 1, stated)) == (30, 40)


def lead(story: Story, leader: int, epoch: int) -> None:
    story.add("leader_elected", 1, leader=leader, epoch=epoch, isr=(1, 2), partition_epoch=epoch)
    story.add("became_leader", leader, leader=leader, epoch=epoch)
    story.add("became_follower", 3 - leader, leader=leader, epoch=epoch)


@pytest.mark.parametrize(
    ("terms", "least"),
    [([(1, 1)], 30), ([(1, 2)], 0), ([(2, 1), (1, 2)], 0)],
    ids=["leads-on", "one-epoch-is-missing", "another-led-between"],
)
def test_a_follower_bounds_its_leader_only_while_the_first_leader_led_every_epoch(
    terms: list[tuple[int, int]], least: int
) -> None:
    """Who led another epoch may have appended what the first leader never had, and hold it until its cut."""
    story = Story("2.8.2")
    story.begin()
    for leader, epoch in terms:
        lead(story, leader, epoch)
    stated = story.add("leo_sample", 2, leo=30)
    story.add("leo_sample", 1, leo=40)
    lead(story, 1, terms[-1][1] + 1)

    assert leo(story.history(), 1, stated).lo == least


def test_a_followers_high_watermark_may_fall_at_the_first_answer_of_a_new_leader() -> None:
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin()
    story.add("leader_elected", 1, leader=3, epoch=1, isr=(2, 3), partition_epoch=1)
    story.add("became_leader", 3, leader=3, epoch=1, leo=30, hw=12)
    story.add("became_follower", 2, leader=3, epoch=1, leo=25, hw=20)
    fetching = story.add("fetcher_added", 2, leader=3, epoch=1, offset=25)

    # The leader's own lags at 12: the follower may be told that, and no less.
    assert hw(story.history(), 2, fetching).lo == 12


def test_a_checkpoint_holds_from_its_time_stamp_on_and_not_before() -> None:
    story = Story()
    story.begin()
    before = story.add("metadata_applied", 2, leader=1, epoch=0)
    story.now += SECOND - 1 - story.now % SECOND
    written = story.add("hw_checkpointed", 2, hw=206, wait=20 * SECOND)
    story.add("metadata_applied", 2, leader=1, epoch=0)
    story.add("leo_sample", 2, leo=254)

    history = story.history()

    assert hw(history, 2, written).lo == 206
    # It was written up to a second before its time stamp: the time before it is not bounded by it.
    assert bounds(hw(history, 2, before)) == (0, 254)


def test_where_a_brokers_own_log_is_missing_nothing_is_carried_on() -> None:
    story = Story()
    story.process("broker_starting", 1)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    story.add("follower_leo_recorded", 1, about=2, leader=1, leo=30)
    later = story.add("metadata_applied", 1, leader=1, epoch=0)

    # Broker 2 may have been restarted and cut since: none of its lines was given.
    assert leo(story.history(), 2, later).lo in (None, 0)


def test_logs_in_which_no_line_names_a_leader_were_not_understood() -> None:
    story = Story("4.3.1")
    story.process("broker_starting", 1)
    story.add("leo_sample", 1, leo=30)
    between = story.process("broker_registered", 1)
    last = story.add("log_end_on_disk", 1, leo=50, log_start=0)

    history = story.history()

    # A cut may have been printed in words that nobody knows; the disk is believed.
    assert leo(history, 1, between).lo in (None, 0)
    assert leo(history, 1, between).hi is None
    assert leo(history, 1, last).exact == 50


def test_what_files_show_at_the_end_holds_behind_what_others_say_then() -> None:
    """A cluster of 4.2.1: its middle missing, all data there, and the ends of two logs were "not known"."""
    story = Story("4.3.1")
    story.begin()
    story.add("leo_sample", 1, leo=30)
    story.process("broker_registered", 2, about=1)  # so that lines of broker 1 are missing to the end
    story.add("log_end_on_disk", 1, leo=12, log_start=0)
    last = story.add("log_end_on_disk", 2, leo=12, log_start=0, wait=0)

    history = story.history()

    assert (leo(history, 1, last).exact, leo(history, 2, last).exact) == (12, 12)


def test_an_offset_of_a_new_fetcher_is_the_log_end_only_to_1_0() -> None:
    for version, expected in (("1.0.2", 30), ("2.4.1", None)):
        story = Story(version)
        story.begin()
        story.add("became_follower", 2, leader=1, epoch=0)
        story.add("fetcher_removed", 2)
        added = story.add("fetcher_added", 2, leader=1, offset=30)
        story.add("metadata_applied", 1, leader=1, epoch=0, wait=1_000_000)

        assert leo(story.history(), 2, added).exact == expected


def test_a_log_without_roles_does_not_make_a_log_stand_still() -> None:
    story = Story("1.1.1")
    story.process("broker_starting", 1)
    story.add("leader_elected", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("log_created", 1)
    between = story.add("fetcher_removed", 1)
    story.add("leo_sample", 1, leo=30)

    assert bounds(leo(story.history(), 1, between)) == (0, 30)


def test_in_a_simulation_values_are_exact() -> None:
    story = Story(simulated=True, records=("m0", "m1"))
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=2, leo=2, aux=0)
    later = story.add("hw_moved", 1, hw=1)

    state = story.history().at(later + 1).replica(1)

    assert (state.leo.exact, state.hw.exact) == (2, 1)
    assert state.runs[0].records == ("m0", "m1")


def test_a_copy_of_the_segments_says_where_the_log_ends() -> None:
    story = Story()
    story.begin()
    between = story.add("metadata_applied", 2, leader=1, epoch=0)
    story.add("log_end_on_disk", 2, leo=218, log_start=0)
    last = story.add("log_end_on_disk", 1, leo=218, log_start=0)

    history = story.history()

    assert leo(history, 2, last).exact == 218
    assert leo(history, 2, between).hi == 218


def test_a_replica_that_names_two_log_ends_did_not_stand_still_between_them() -> None:
    # Its fetcher was added and removed once more in between: these lines are missing.
    story = Story("3.9.2")
    story.begin()
    removed = story.add("fetcher_removed", 2)
    story.add("leo_sample", 2, leo=124)
    later = story.add("leo_sample", 2, leo=220)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=220)

    history = story.history()

    before = history.at(removed + 1).replica(2).leo
    assert (before.lo or 0) <= 124
    assert before.hi == 124
    assert history.at(later + 1).replica(2).leo.lo == 220


def test_a_log_ends_where_its_next_segment_begins() -> None:
    """Log.roll opens the new segment at the log end, under the lock of the append that does not fit."""
    story = Story("2.8.2")
    story.begin()
    before = story.add("metadata_applied", 1, leader=1, epoch=0)
    rolled = story.add("segment_rolled", 1, offset=40)
    story.add("metadata_applied", 1, leader=1, epoch=0, wait=1_000_000)

    history = story.history()

    assert bounds(leo(history, 1, before)) == (0, 40)
    assert leo(history, 1, rolled).exact == 40


def test_the_first_leader_holds_what_a_follower_held_before_it_dropped_its_log() -> None:
    """Partition.appendRecordsToFollowerOrFutureReplica: an empty log that begins at 100 begins anew at 95.

    The first batch that the leader sends begins before the offset at which the follower's log starts.
    """
    story = Story("2.8.2")
    story.begin()
    story.add("log_reset", 2, from_offset=100, offset=95)
    after = story.add("metadata_applied", 1, leader=1, epoch=0)

    assert leo(story.history(), 1, after).lo == 100


def test_what_the_next_leader_appends_is_not_held_by_the_first_one_that_does_not_know_of_it_yet() -> None:
    """Broker 1 is told of epoch 1 in the row after: until then it leads by its own word."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=50)
    story.add("leo_sample", 2, leo=50)
    story.add("became_leader", 2, leader=2, epoch=1, leo=50)
    longer = story.add("leo_sample", 2, leo=60)
    story.add("became_follower", 1, leader=2, epoch=1, leo=50)

    history = story.history()

    assert history.at(longer + 1).replica(1).role is Role.LEADER
    assert leo(history, 1, longer).exact == 50


def test_files_that_have_less_than_was_appended_are_an_older_copy() -> None:
    """Copied while the broker ran: it had appended up to 60, and no line tells of a cut."""
    story = Story()
    story.begin()
    story.add("appended", 1, leo=60, offset=60)
    last = story.add("log_end_on_disk", None, about=1, leo=50, log_start=0)

    assert bounds(leo(story.history(), 1, last))[1] is None


def test_an_append_that_begins_beyond_the_last_one_shows_that_lines_are_missing() -> None:
    story = Story()
    story.begin()
    story.add("appended", 1, from_offset=0, leo=10, offset=10)
    between = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("appended", 1, from_offset=14, leo=20, offset=20)

    assert bounds(leo(story.history(), 1, between)) == (None, None)


def test_a_fetch_that_fails_late_says_nothing_of_the_log_now() -> None:
    """1.0: a follower stands still, goes on as the leader, and prints that its last fetch has failed."""
    story = Story("1.0.2")
    story.begin()
    story.add("fetch_failed", 2, leader=1, offset=87)
    story.add("fetcher_removed", 2)
    story.add("leader_elected", 1, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=87)
    appended = story.add("epoch_assigned", 2, epoch=1, offset=87)
    story.add("leo_sample", 2, leo=90)
    late = story.add("fetch_failed", 2, leader=1, offset=87)

    history = story.history()

    assert leo(history, 2, late).lo == 90
    assert not crossed(leo(history, 2, appended))
