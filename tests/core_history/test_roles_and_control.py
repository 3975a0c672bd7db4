"""Who is alive, who leads, who is in sync: from words that may be late, repeated or missing."""

import pytest

from core.history.control import read_control
from core.history.open import open_history
from core.history.roles import Death, find_lives
from core.history.state import Role
from core.history.view import read_view
from core.kafka.releases import version_numbers
from core.trace.ids import Place
from core.trace.vocabulary import Basis, Election
from tests.stories import SECOND, Story


def test_a_start_without_an_end_proves_that_the_process_ended_in_between() -> None:
    story = Story()
    story.begin()
    last = story.add("fetcher_added", 2, leader=1, offset=0)
    other = story.add("metadata_applied", 1, leader=1, epoch=0)
    start = story.process("broker_starting", 2)

    history = story.history()

    assert history.at(last).replica(2).alive is True
    assert history.at(other + 1).replica(2).alive is None
    assert history.at(start + 1).replica(2).alive is True
    assert history.at(start + 1).replica(2).role is Role.STARTING


def test_a_notice_of_failure_says_that_it_is_down() -> None:
    story = Story()
    story.begin()
    noticed = story.builder.add(story.now + 1, "broker_failure_noticed", broker=1, replica=2)
    story.now += 2
    story.process("broker_starting", 2)

    state = story.history().at(noticed + 1).replica(2)

    assert state.alive is False
    assert state.role is Role.OFFLINE


def test_a_guessed_crash_is_not_the_moment_of_the_crash() -> None:
    story = Story()
    story.begin()
    guessed = story.process("broker_crashed", 2, basis=Basis.INFERRED)
    story.process("broker_starting", 2)

    assert story.history().at(guessed + 1).replica(2).alive is None


def test_older_words_do_not_undo_newer_ones() -> None:
    story = Story()
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    late = story.add("metadata_applied", 1, leader=1, epoch=0, isr=(1, 2))

    state = story.history().at(late + 1)

    assert (state.leader, state.leader_epoch, state.isr) == (2, 1, (2,))


def test_a_proposal_stands_until_a_later_set_is_numbered() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, wait=0)
    story.add("isr_expand_proposed", 2, leader=2, isr=(2, 1))
    stale = story.add("metadata_applied", 1, leader=2, epoch=1, isr=(2,))

    # The controller's copy is older than what the leader wrote (recordings/k0102-hw-loss, 03:29:21,312).
    assert story.history().at(stale + 1).isr == (2, 1)


def test_where_commits_are_told_a_proposal_changes_nothing() -> None:
    story = Story("2.8.2")
    story.begin()
    proposed = story.add("isr_shrink_proposed", 1, leader=1, isr=(1,))
    committed = story.add("isr_committed", 1, isr=(1,), partition_epoch=1)

    history = story.history()

    assert history.at(proposed + 1).isr == (1, 2)
    assert history.at(committed + 1).isr == (1,)


def test_a_controller_that_drops_a_dead_replica_commits_nothing_for_the_leader() -> None:
    # To 2.3 a leader prints only what it proposes; the controller's own change has an epoch.
    story = Story("0.11.0.3", replicas=(1, 2, 3))
    story.begin()
    dropped = story.add("isr_committed", 3, leader=1, epoch=1, isr=(1, 2))
    story.add("leader_and_isr_received", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=1)
    proposed = story.add("isr_shrink_proposed", 1, leader=1, isr=(1,))

    history = story.history()

    assert history.at(dropped + 1).isr == (1, 2)
    assert history.at(proposed + 1).isr == (1,)


def test_elections_are_named_by_the_set_before_them() -> None:
    story = Story(replicas=(1, 2, 3))
    story.begin()
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("leaderless", 3, leader=-1, epoch=2, isr=(2,), partition_epoch=2)
    story.add("leader_elected", 3, leader=3, epoch=3, isr=(3,), partition_epoch=3)

    terms = read_control(read_view(story.trace(), 0)).tenures

    assert [(term.epoch, term.leader) for term in terms] == [(0, 1), (1, 2), (2, -1), (3, 3)]
    assert [term.election for term in terms] == [
        Election.FIRST,
        Election.CLEAN,
        Election.UNKNOWN,
        Election.UNCLEAN,
    ]


@pytest.mark.parametrize(("release", "named"), [("3.9.2", Election.UNCLEAN), ("4.2.1", Election.UNKNOWN)])
def test_a_leader_out_of_the_set_may_be_an_eligible_leader_replica(release: str, named: Election) -> None:
    """A cluster of 4.2.1 with min.insync.replicas=2, logs alone: 2 was in the ELR, and held all records."""
    story = Story(release)
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("leaderless", 2, leader=-1, epoch=1, isr=(), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=2, leo=12, hw=12, isr=(2,))

    assert read_control(read_view(story.trace(), 0)).tenures[-1].election is named


def test_a_preferred_election_is_the_first_replica_while_the_old_leader_stays_in_sync() -> None:
    story = Story()
    story.begin(leader=1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("isr_committed", 2, isr=(2, 1), partition_epoch=2)
    story.add("leader_elected", 2, leader=1, epoch=2, isr=(2, 1), partition_epoch=3)

    assert read_control(read_view(story.trace(), 0)).tenures[-1].election is Election.PREFERRED


@pytest.mark.parametrize(
    ("lists", "named"),
    [
        pytest.param([(1, (2, 1)), (3, (1, 2))], Election.CLEAN, id="it came first later"),
        pytest.param([(1, (1, 2)), (3, (2, 1))], Election.PREFERRED, id="it came first then"),
        pytest.param([(3, (1, 2))], Election.CLEAN, id="nobody knows who came first then"),
    ],
)
def test_the_preferred_leader_is_that_of_the_assignment_before_the_election(
    lists: list[tuple[int, tuple[int, ...]]], named: Election
) -> None:
    """A reassignment may put another replica first: its partition keeps the last list alone."""
    story = Story(replicas=lists[-1][1])
    story.begin(leader=1)
    for turn in range(1, 4):
        for when, replicas in lists:
            if when == turn:
                story.add("replicas_assigned", 2, isr=replicas)
        if turn == 1:
            story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
            story.add("isr_committed", 2, isr=(2, 1), partition_epoch=2)
        if turn == 2:
            story.add("leader_elected", 2, leader=1, epoch=2, isr=(2, 1), partition_epoch=3)

    assert read_control(read_view(story.trace(), 0)).tenures[-1].election is named


def test_a_controllers_word_without_an_epoch_names_the_next_term() -> None:
    story = Story()
    story.begin()
    story.add("leader_elected", 2, leader=2, aux=2)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,))

    term = read_control(read_view(story.trace(), 0)).tenures[-1]

    assert (term.epoch, term.election, len(term.evidence)) == (1, Election.CLEAN, 2)


def test_a_broker_that_only_caches_metadata_holds_no_replica() -> None:
    story = Story()
    story.begin()
    story.add("metadata_applied", 3, leader=1, epoch=0)

    assert set(open_history(story.trace(), 0).replicas) == {1, 2}


def test_versions_are_numbers() -> None:
    assert version_numbers("0.10.2.2") == (0, 10, 2, 2)
    assert version_numbers("4.0.0-SNAPSHOT") == (4, 0, 0)
    assert version_numbers("") == ()


def test_a_proposal_that_was_refused_was_never_in_force() -> None:
    story = Story("0.11.0.3", replicas=(1, 2, 3))
    story.begin()
    story.process("broker_starting", 3)
    story.add("log_loaded", 3, leo=0)
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1, 2))
    zombie = story.add("isr_shrink_proposed", 3, leader=3, isr=(3,))
    story.add("isr_update_rejected", 3)

    history = story.history()

    assert history.at(zombie + 1).isr == (1, 2)
    assert history.at(zombie + 2).isr == (1, 2)


def test_a_term_that_nobody_told_of_ends_what_is_known_of_the_one_before() -> None:
    # Epochs are given out one by one: epoch 1 began at any time since the last word on epoch 0.
    story = Story("2.8.2")
    story.begin()
    last = story.add("became_follower", 2, leader=1, epoch=0)
    between = story.process("broker_registered", 1)
    told = story.add("leader_elected", 1, leader=2, epoch=2, isr=(2,), partition_epoch=2)
    history = story.history()

    assert history.at(last).leader_epoch == 0
    assert history.at(between).leader_epoch is None
    assert history.at(told + 1).leader_epoch == 2


def test_what_was_just_said_is_not_shown_for_the_time_until_anything_else_is_heard() -> None:
    story = Story("3.9.0", replicas=(1, 2, 3))
    said = story.add("metadata_applied", 3, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=2)
    story.add("metadata_applied", 3, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=4)
    near = story.add(
        "metadata_applied", 3, leader=1, epoch=0, isr=(1, 2), partition_epoch=5, wait=SECOND // 10
    )
    history = story.history()

    assert history.at(said + 1).isr is None
    assert history.at(near).isr == (1, 2, 3)


def test_long_after_the_last_word_of_all_nothing_is_known_to_stand() -> None:
    def at_the_end(seconds: int) -> tuple[int | None, tuple[int, ...] | None]:
        story = Story()
        story.begin()
        story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1, 2))
        story.add("log_end_on_disk", None, about=1, leo=5, wait=seconds * SECOND)
        state = story.history().at(len(story.trace().columns["at"]))
        return state.leader, state.isr

    # Directories are copied after the logs; logs that end much earlier were cut.
    assert at_the_end(5) == (1, (1, 2))
    assert at_the_end(60) == (None, None)


def test_a_set_in_the_same_epoch_that_its_leader_did_not_print_came_unseen() -> None:
    """A controller of ZooKeeper that changes a set raises the epoch: it sends on what the leader wrote."""

    def between(*, printed: bool) -> tuple[int, ...] | None:
        story = Story()
        story.begin()
        story.add("leader_and_isr_received", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1)
        spoken = story.add("metadata_applied", 1, leader=1, epoch=1, wait=SECOND // 10)
        if printed:
            story.add("isr_expand_proposed", 1, leader=1, isr=(1, 2))
        story.add("leader_and_isr_sent", 2, about=1, leader=1, epoch=1, isr=(1, 2), partition_epoch=2)
        return story.history().at(spoken + 1).isr

    assert between(printed=True) == (1,)
    assert between(printed=False) is None


def test_a_removal_from_the_set_under_another_leader_tells_of_an_election_before_it() -> None:
    """KafkaController.onBrokerFailure prints the state of each partition, with nothing left to be removed."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin(leader=2)
    before = story.add("isr_committed", 2, leader=2, isr=(2, 3), partition_epoch=1)
    story.add("isr_committed", 3, leader=1, epoch=1, isr=(3, 1), partition_epoch=2)

    state = story.history().at(before + 1)

    assert (state.leader, state.isr) == (None, None)


def test_a_set_that_has_more_members_in_the_next_term_grew_unseen() -> None:
    """An election takes members out. What a controller passes on it may have heard before the change."""

    def passed_on(*members: int) -> tuple[int, ...] | None:
        story = Story("0.10.2.2", replicas=(1, 2, 3))
        story.begin()
        story.add("leader_elected", 3, leader=2, epoch=1, isr=(2, 3), partition_epoch=1)
        story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(2, 3), partition_epoch=1)
        told = story.add("metadata_applied", 2, leader=2, epoch=1, isr=(2, 3), wait=SECOND // 10)
        story.add("metadata_applied", 3, leader=2, epoch=1, isr=(2, 3), wait=SECOND // 10)
        story.add("leader_elected", 3, leader=3, epoch=2, isr=members, partition_epoch=3)
        return story.history().at(told).isr

    assert passed_on(3) == (2, 3)
    assert passed_on(3, 1) is None


def test_what_a_leader_proposes_before_it_hears_of_the_next_term_is_not_of_that_term() -> None:
    story = Story("1.1.1", replicas=(1, 2, 3))
    story.begin()
    story.add("leader_and_isr_received", 1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2, 3), partition_epoch=2)
    proposed = story.add("isr_expand_proposed", 1, wait=1, leader=1, isr=(1, 2, 3))
    story.add("leader_and_isr_received", 1, wait=1, leader=2, epoch=1, isr=(2, 3), partition_epoch=2)

    assert story.history().at(proposed + 1).isr == (2, 3)


def test_what_a_leader_proposes_that_never_hears_of_its_next_term_leaves_the_set_open() -> None:
    """ZooKeeper refuses it, or words are missing: nothing tells which."""
    story = Story("1.1.1", replicas=(1, 2, 3))
    story.begin()
    story.add("leader_and_isr_received", 1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
    story.add("isr_committed", 3, leader=1, epoch=1, isr=(1, 2))
    proposed = story.add("isr_expand_proposed", 1, leader=1, isr=(1, 2, 3))

    assert story.history().at(proposed + 1).isr is None


def test_a_leader_that_a_controller_fences_leads_no_more() -> None:
    story = Story("3.6.2", replicas=(1, 2))
    story.begin()
    story.add("became_leader", 1, leader=1, epoch=0, isr=(1, 2), leo=0, hw=0, partition_epoch=0)
    fenced = story.process("broker_fenced", 3, about=1)
    after = story.process("broker_started", 2)

    assert story.history().at(fenced).leader == 1
    assert story.history().at(after + 1).leader is None


def test_a_preferred_leader_that_is_elected_again_did_not_lead_all_the_time() -> None:
    story = Story("0.10.2.2", replicas=(1, 2))
    story.begin()
    told = story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    between = story.add("fetch_failed", 2, leader=1, aux=1)
    story.add("leader_elected", 2, leader=1, aux=Election.PREFERRED)

    history = story.history()

    assert history.at(told).leader == 1
    assert history.at(between + 1).leader is None
    assert [term.election for term in read_control(read_view(story.trace(), 0)).tenures] == [Election.FIRST]


def test_who_is_let_in_again_may_lead_what_nobody_led() -> None:
    story = Story("3.7.2", replicas=(1,))
    story.begin()
    story.process("broker_fenced", 2, about=1)
    story.add("became_follower", 1, leader=-1, epoch=1, leo=0, hw=0, partition_epoch=1)
    let_in = story.process("broker_unfenced", 2, about=1)
    after = story.process("broker_started", 1)

    assert story.history().at(let_in).leader == -1
    assert story.history().at(after + 1).leader is None


def test_a_follower_of_a_leader_that_nobody_named_ends_what_was_said_of_the_other() -> None:
    """The line has no epoch to 2.0: who leads has changed, and nobody knows when."""

    def leader(*, follows: int) -> int | None:
        story = Story("0.10.2.2", replicas=(1, 2, 3))
        story.begin()
        for broker in (1, 2, 3):
            story.add("leader_and_isr_received", broker, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
        asked = story.process("broker_registered", 3)
        story.add("fetcher_added", 3, leader=follows, offset=0)
        return story.history().at(asked + 1).leader

    assert leader(follows=1) == 1
    assert leader(follows=2) is None


def test_without_a_leader_the_set_stands_until_an_election_raises_the_epoch() -> None:
    """Only a leader or an election changes the set: the same epoch is sent on by the next controller."""
    story = Story("1.1.1")
    for broker in (1, 2):
        story.process("broker_starting", broker)
        story.add("log_loaded", broker, leo=5)
        story.process("broker_started", broker)
    story.add("leaderless", 3, epoch=1, leader=-1, isr=(1,))
    between = story.add("leo_sample", 1, leo=5)
    story.add("leader_and_isr_sent", 4, about=2, leader=-1, epoch=1, isr=(1,))
    story.add("leo_sample", 1, leo=5)
    story.add("leo_sample", 2, leo=5)

    state = story.history().at(between + 1)

    assert (state.leader, state.isr) == (-1, (1,))


def test_a_set_that_may_have_changed_unseen_leaves_later_sets_as_they_are_known() -> None:
    """The log of leader 1 is missing, so its changes of the set in epoch 0 are; that of leader 2 is there."""
    story = Story("1.1.1")
    story.process("broker_starting", 2)
    story.add("leader_and_isr_sent", 3, about=1, leader=1, epoch=0, isr=(1, 2), partition_epoch=1)
    doubtful = story.process("broker_registered", 2)
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=1, isr=(2,), leo=20)
    known = story.add("metadata_applied", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("metadata_applied", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)

    history = story.history()

    assert history.at(doubtful + 1).isr is None
    assert history.at(known + 1).isr == (2,)


def test_a_process_that_says_nothing_but_that_it_starts_has_spoken_last_in_that_word() -> None:
    story = Story()
    story.begin()
    story.process("broker_stopped", 2)
    start = story.process("broker_starting", 2)
    story.add("metadata_applied", 1, leader=1, epoch=0)
    again = story.process("broker_starting", 2)

    lives = find_lives(read_view(story.trace(), 0), 2)

    # Each row of the trace is one of the view: the place after a row is its Seq and one.
    assert lives.deaths[-1] == Death(last=Place(start + 1), noticed=Place(again + 1), clean=False)
    assert lives.starts[-2:] == (start + 1, again + 1)


@pytest.mark.parametrize("words", [("broker_starting",), ("broker_starting", "broker_started")])
def test_whether_a_process_is_up_is_unknown_after_a_start_that_is_its_last_word(
    words: tuple[str, ...],
) -> None:
    """It starts again later, so it ended at some moment in between."""
    story = Story()
    story.begin()
    story.process("broker_stopped", 2)
    for word in words:
        story.process(word, 2)
    other = story.add("metadata_applied", 1, leader=1, epoch=0)
    again = story.process("broker_starting", 2)
    spoken = story.add("log_loaded", 2, leo=0)

    history = story.history()

    assert history.at(other + 1).replica(2).alive is None
    assert [history.at(seq + 1).replica(2).alive for seq in (again, spoken)] == [True, True]
