"""Leadership where no state change log is there: fetchers name the broker they ask, and the epoch."""

from typing import Any

from core.history.control import read_control
from core.history.state import PartitionState, Role
from core.history.view import read_view
from tests.stories import Story


def console(*rows: tuple[str, int, dict[str, Any]]) -> Story:
    """Three brokers of 4.1 that print nothing but what server.log has."""
    story = Story("4.1.2", replicas=(1, 2, 3))
    for broker in (1, 2, 3):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    for kind, broker, values in rows:
        story.add(kind, broker, **values)
    return story


def last(story: Story) -> PartitionState:
    history = story.history()
    return history.at(len(history.trace.columns["at"]))


BEGUN: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("fetcher_removed", 1, {}),
    ("fetcher_removed", 2, {}),
    ("fetcher_added", 2, {"leader": 1, "epoch": 0, "offset": 0}),
    ("fetcher_removed", 3, {}),
    ("fetcher_added", 3, {"leader": 1, "epoch": 0, "offset": 0}),
)


def test_followers_name_the_leader_and_its_epoch() -> None:
    state = last(console(*BEGUN))

    assert (state.leader, state.leader_epoch) == (1, 0)
    assert (state.replica(1).role, state.replica(1).epoch) == (Role.LEADER, 0)
    assert (state.replica(3).role, state.replica(3).epoch) == (Role.FOLLOWER, 0)
    assert state.isr is None


def test_a_follower_that_another_names_as_leader_leads_from_the_removal_of_its_fetcher() -> None:
    story = console(
        *BEGUN,
        ("fetcher_removed", 2, {}),
        ("fetcher_removed", 3, {}),
        ("fetcher_added", 3, {"leader": 2, "epoch": 1, "offset": 5}),
    )
    history = story.history()
    removed = len(history.trace.columns["at"]) - 3

    assert history.at(removed).replica(2).role is Role.FOLLOWER
    assert history.at(removed + 1).replica(2).role is Role.LEADER
    assert history.at(removed + 1).replica(2).epoch == 1


def test_a_removal_that_nobody_explains_may_be_the_end_of_it() -> None:
    state = last(console(*BEGUN, ("fetcher_removed", 1, {})))

    assert state.replica(1).role is Role.UNKNOWN
    assert state.leader is None


def test_a_change_of_the_set_while_a_follower_still_comes_is_not_the_end_of_it() -> None:
    story = console(
        *BEGUN,
        ("fetcher_removed", 1, {}),
        ("fetcher_removed", 3, {}),
        ("fetcher_added", 3, {"leader": 1, "epoch": 0, "offset": 5}),
    )

    assert last(story).replica(1).role is Role.LEADER


def test_nobody_leads_by_a_removal_alone() -> None:
    state = last(console(("fetcher_removed", 1, {}), ("fetcher_removed", 2, {})))

    assert state.replica(1).role is Role.UNKNOWN
    assert state.leader is None


def test_a_follower_whose_fetcher_is_removed_may_lead() -> None:
    state = last(console(*BEGUN, ("fetcher_removed", 2, {})))

    assert (state.replica(2).role, state.replica(2).epoch) == (Role.UNKNOWN, None)


def test_the_own_word_of_a_broker_on_its_role_comes_first() -> None:
    follows = ("became_follower", 1, {"leader": 2, "epoch": 1, "wait": 0})
    story = console(*BEGUN, ("fetcher_removed", 1, {}), follows)

    assert story.history().at(8).replica(1).role is Role.STARTING


def test_a_set_of_before_an_epoch_that_only_fetchers_tell_need_not_stand() -> None:
    story = console(*BEGUN)
    story.add("isr_committed", 1, isr=(1, 2, 3), partition_epoch=1)
    story.add("fetcher_removed", 2)
    story.add("fetcher_removed", 3)
    story.add("fetcher_added", 3, leader=2, epoch=1, offset=5)

    assert read_control(read_view(story.trace(), 0)).isr_at[-1] is None


def test_where_no_roles_are_told_the_removal_of_a_fetcher_may_be_the_begin_of_leading() -> None:
    story = console(
        ("fetcher_removed", 1, {}),
        ("fetcher_added", 1, {"leader": 2, "epoch": 0, "offset": 0}),
        ("leo_sample", 1, {"leo": 10}),
        ("fetcher_removed", 1, {}),
        ("broker_unfenced", 2, {}),
        ("fetcher_removed", 1, {}),
        ("fetcher_added", 1, {"leader": 2, "epoch": 2, "offset": 30}),
        ("leo_sample", 1, {"leo": 30}),
    )
    history = story.history()

    # In epoch 1 broker 1 may have led: its followers are not heard.
    band = history.at(len(history.trace.columns["at"]) - 3).replica(1).leo
    assert (band.lo, band.hi) == (10, 30)


def test_one_role_that_is_told_does_not_make_other_removals_the_end_of_growing() -> None:
    """At INFO 0.10 has only a word of a leader that leads on: that of its beginning is missing."""
    story = console(
        ("fetcher_removed", 1, {}),
        ("fetcher_added", 1, {"leader": 2, "epoch": 0, "offset": 0}),
        ("leo_sample", 1, {"leo": 10}),
        ("fetcher_removed", 1, {}),
        ("broker_unfenced", 2, {}),
        ("fetcher_removed", 1, {}),
        ("fetcher_added", 1, {"leader": 2, "epoch": 2, "offset": 30}),
        ("fetcher_removed", 1, {}),
        ("became_leader", 1, {"epoch": 3, "leo": 30, "wait": 0}),
    )
    history = story.history()

    band = history.at(len(history.trace.columns["at"]) - 5).replica(1).leo
    assert (band.lo, band.hi) == (10, 30)


def test_a_fetcher_that_makes_way_for_another_leaves_the_log_as_it_is() -> None:
    story = console(
        ("fetcher_removed", 1, {}),
        ("fetcher_added", 1, {"leader": 2, "epoch": 0, "offset": 0}),
        ("fetcher_removed", 1, {}),
        ("broker_unfenced", 2, {}),
        ("truncation_not_needed", 1, {"leo": 30}),
        ("fetcher_added", 1, {"leader": 3, "epoch": 2, "offset": 30}),
    )
    history = story.history()

    band = history.at(len(history.trace.columns["at"]) - 3).replica(1).leo
    assert (band.lo, band.hi) == (30, 30)


def test_a_broker_that_dropped_its_replica_is_not_told_who_leads() -> None:
    story = Story("4.1.2", replicas=(1, 2, 3))
    story.process("broker_starting", 1)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0)
    story.add("log_deleted", 1, wait=100_000_000)
    story.process("broker_unfenced", 1)
    story.process("broker_unfenced", 1)
    history = story.history()

    assert [history.at(cursor).leader for cursor in range(1, 6)] == [None, 1, None, None, None]


def test_a_leader_is_known_no_longer_than_its_followers_can_fetch() -> None:
    failing = console(*BEGUN, ("fetch_failed", 2, {"leader": 1, "epoch": 0, "offset": 4}))

    assert last(failing).leader is None
