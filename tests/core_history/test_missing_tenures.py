"""What lines on a tenure that is not in the logs leave open, and what they do not."""

import pytest

from core.assumptions import ROLE_AND_FETCHER_LINES_WITHIN
from core.history.control import read_control
from core.history.gaps_by_others import gap_spans
from core.history.state import Role
from core.history.view import read_view
from core.trace.vocabulary import Election
from tests.stories import SECOND, Story


def test_a_leader_that_fetches_from_another_leads_no_more() -> None:
    """Broker 1 has a fetcher only as a follower: the tenure of broker 2, which no row states, has begun."""
    story = Story("2.0.1", replicas=(1, 2, 3))
    story.begin()
    asked = story.add("fetcher_added", 1, leader=2, offset=5)
    story.add("fetch_sent", 3, leader=2, offset=5, wait=1_000_000)

    history = story.history()

    assert history.at(asked + 1).leader is None
    assert history.at(asked + 1).leader_epoch is None


def test_what_is_of_an_unknown_epoch_is_of_one_before_the_next_leader() -> None:
    """To 2.0 fetches name no epoch: broker 1 may have led 1, 2 and 3, for broker 3 leads from 4 on."""
    story = Story("0.10.2.2", replicas=(1, 2, 3))
    story.begin(leader=3)
    story.add("leo_sample", 1, leo=20)
    story.add("leo_sample", 2, leo=20)
    story.add("became_leader", 1, leader=1, epoch=1)
    story.add("became_follower", 2, leader=1, epoch=1)
    longer = story.add("leo_sample", 2, leo=50)
    story.add("became_leader", 3, leader=3, epoch=4)

    runs = story.history().at(longer + 1).replica(2).runs

    assert [(run.epoch, run.latest, run.start, run.end) for run in runs] == [
        (0, None, 0, 20),
        (None, 3, 20, 50),
    ]


def test_behind_records_of_its_own_epoch_a_follower_gets_no_older_ones() -> None:
    """Broker 1 prints nothing of epoch 1, and so not where it took over."""
    story = Story("2.8.2")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1)
    story.add("batch_on_disk", 2, epoch=0, from_offset=0, offset=20, in_a_file=True)
    story.add("batch_on_disk", 2, epoch=1, from_offset=20, offset=25, in_a_file=True)
    story.add("log_end_on_disk", 2, leo=25, log_start=0, in_a_file=True)
    last = story.add("leo_sample", 2, leo=40)

    runs = story.history().at(last + 1).replica(2).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 20), (1, 20, 40)]


def test_a_cache_of_which_a_line_counts_more_entries_than_are_named_is_not_known() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_cache_loaded", 2)
    named = story.add("epoch_assigned", 2, epoch=0, offset=10, aux=1)
    more = story.add("epoch_assigned", 2, epoch=2, offset=20, aux=3)

    history = story.history()

    assert history.at(named + 1).replica(2).epochs == ((0, 10),)
    assert history.at(more + 1).replica(2).epochs is None


@pytest.mark.parametrize(("later", "missing"), [(0, False), (1, True)])
def test_a_registration_at_the_time_of_a_line_of_the_broker_needs_none_of_its_own(
    later: int, *, missing: bool
) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=5)
    last = story.process("broker_unfenced", 1, about=2, wait=ROLE_AND_FETCHER_LINES_WITHIN.ns + later)
    end = story.process("broker_unfenced", 1, about=1, wait=SECOND)

    assert bool(gap_spans(read_view(story.trace(), 0), 2)) is missing
    assert last < end


def test_a_broker_that_was_fenced_and_is_not_any_more_has_not_begun_anew() -> None:
    """It stood still, and sends heartbeats again: that it registered is said where it did."""

    def gaps(*, registers: bool) -> bool:
        story = Story("3.7.2")
        story.begin()
        story.add("leo_sample", 2, leo=5)
        story.process("broker_fenced", 1, about=2, wait=60 * SECOND)
        if registers:
            story.process("broker_registered", 1, about=2)
        story.process("broker_unfenced", 1, about=2)
        story.process("broker_unfenced", 1, about=2)
        return bool(gap_spans(read_view(story.trace(), 0), 2))

    assert not gaps(registers=False)
    assert gaps(registers=True)


def test_a_checkpoint_with_an_epoch_of_which_a_replica_says_nothing_shows_a_gap() -> None:
    story = Story("2.8.2")
    story.begin()
    between = story.add("leo_sample", 2, leo=5)
    told = story.add("epoch_assigned", 2, epoch=1, offset=5, in_a_file=True)

    history = story.history()

    # It leads or follows in epoch 1 since some moment before the file was written.
    assert history.at(between + 1).replica(2).role is Role.UNKNOWN
    assert history.at(told + 1).replica(2).role is Role.UNKNOWN


def test_a_first_replica_that_leads_again_is_preferred_only_where_the_last_leader_stays_in_the_set() -> None:
    """The line on epoch 1 names no set, and none stands there: it may be that broker 2 is gone."""
    story = Story("0.11.0.3")
    story.begin(leader=2)
    story.add("isr_committed", 2, isr=(1, 2), epoch=0)
    story.add("fetcher_added", 1, leader=1, epoch=1, offset=5)

    tenures = read_control(read_view(story.trace(), 0)).tenures
    elections = [tenure.election for tenure in tenures]

    assert Election.PREFERRED not in elections
    assert len(elections) == 2


@pytest.mark.parametrize(("controller", "known"), [(2, True), (1, False)])
def test_between_two_decisions_of_one_controller_nothing_was_decided(controller: int, *, known: bool) -> None:
    """Where another one decides next, it took over in between, and may have decided before its first line."""
    story = Story("2.8.2")
    story.process("broker_starting", 1)
    story.process("broker_starting", 2)
    none = story.add("leaderless", 2, epoch=1, leader=-1, isr=(1, 2))
    between = story.process("broker_failure_noticed", 2, about=1)
    story.add("leader_and_isr_sent", controller, about=1, leader=1, epoch=2, isr=(1, 2))
    story.process("broker_unfenced", 2, about=2)

    history = story.history()

    assert (history.at(between + 1).leader_epoch == 1) is known
    assert none < between


def test_a_cache_is_known_at_the_time_of_its_lines_and_later_only_while_a_next_tenure_would_be_seen() -> None:
    """No line says who leads: a tenure may begin at any time, and with it an entry."""
    story = Story("2.8.2")
    story.add("epoch_cache_loaded", 1, aux=1)
    story.add("epoch_assigned", 1, epoch=0, offset=0, aux=1, wait=0)
    same_time = story.add("leo_sample", 1, leo=5, wait=0)
    later = story.add("leo_sample", 1, leo=6)

    history = story.history()

    assert history.at(same_time + 1).replica(1).epochs == ((0, 0),)
    assert history.at(later + 1).replica(1).epochs is None


def test_files_of_another_replica_say_nothing_of_a_log_that_is_loaded_unseen() -> None:
    story = Story("2.8.2")
    story.begin()
    story.process("broker_stopped", 2)
    story.process("broker_starting", 2)
    story.add("log_end_on_disk", 1, leo=5, log_start=0, in_a_file=True)
    story.add("became_follower", 2, leader=1, epoch=1)

    assert gap_spans(read_view(story.trace(), 0), 2) == ()


def test_a_removal_in_the_very_first_line_is_that_of_the_role_beside_it() -> None:
    """The log begins in the middle of a change of leader: until it fetches again broker 2 copies nothing."""
    story = Story("2.8.2")
    story.add("fetcher_removed", 2)
    follows = story.add("became_follower", 2, leader=1, epoch=1, leo=5, wait=1_000_000)
    between = story.add("metadata_applied", 1, leader=1, epoch=1)
    story.add("fetcher_added", 2, leader=1, epoch=1, offset=5)
    for epoch in (2, 3, 4):
        story.add("fetcher_removed", 2)
        story.add("became_follower", 2, leader=1, epoch=epoch, wait=1_000_000)
        story.add("fetcher_added", 2, leader=1, epoch=epoch, offset=5, wait=1_000_000)

    history = story.history()

    assert history.at(follows + 1).replica(2).leo.exact == 5
    assert history.at(between + 1).replica(2).leo.exact == 5
