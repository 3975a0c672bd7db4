"""High watermark, in-sync replicas and elections. Cases are from the domain's rows and readers' questions."""

import pytest

from core.kafka.election import Choice, elect, elect_for_shutdown, elect_named
from core.kafka.high_watermark import (
    effective_min_isr,
    follower_hw,
    hw_of_new_log,
    hw_on_loading,
    is_counted,
    leader_hw,
    may_move,
    needs_answer,
)
from core.kafka.isr import (
    NEVER,
    caught_up_at,
    check_interval,
    is_eligible,
    keeps_last_member,
    maximal,
    may_join,
    must_leave,
)
from core.kafka.switches import HwCounts, IsrEligible
from core.trace.vocabulary import Election


class TestHighWatermark:
    @pytest.mark.parametrize(
        ("hw", "leo", "counted", "expected"),
        [
            pytest.param(0, 10, [8, 7], 7, id="hw-is-min"),
            pytest.param(7, 10, [7], 7, id="one-fetch: min(10, 7)"),
            pytest.param(7, 10, [8], 8, id="hw-loss-ten: the fetch at 8 raises 7 to 8"),
            pytest.param(3, 10, [7, 5], 5, id="the slowest counted decides"),
            pytest.param(6, 10, [5, 7], 6, id="never back"),
            pytest.param(2, 15, [], 15, id="alone: straight to the log end"),
            pytest.param(4, 9, [9, None], 4, id="a new leader stands still until all have fetched"),
        ],
    )
    def test_the_leaders(self, hw: int, leo: int, counted: list[int | None], expected: int) -> None:
        assert leader_hw(hw, leo, counted) == expected

    def test_a_followers_is_what_it_was_told_but_not_above_its_log_end(self) -> None:
        assert follower_hw(7, 8) == 7
        assert follower_hw(9, 8) == 8
        assert follower_hw(1, 8) == 1

    def test_loading_takes_the_checkpoint_but_not_above_the_log_end(self) -> None:
        assert hw_on_loading("kept", 1, 2, 0) == 1
        assert hw_on_loading("kept", 9, 2, 0) == 2

    def test_from_2_4_it_is_not_below_the_log_start(self) -> None:
        assert hw_on_loading("kept", 1, 9, 4) == 1
        assert hw_on_loading("lowered", 1, 9, 4) == 4

    def test_from_2_4_a_log_begun_anew_has_it_at_its_start(self) -> None:
        assert hw_of_new_log("kept", 6, 8) == 6
        assert hw_of_new_log("lowered", 6, 8) == 8

    def test_the_union_counts_in_sync_or_caught_up(self) -> None:
        union: HwCounts = "caught-up-too"
        in_time, too_late = {"now": 99, "caught_up_at": 89}, {"now": 99, "caught_up_at": 88}
        assert is_counted(union, in_maximal_isr=True, caught_up_at=NEVER, now=99, lag_time=10, eligible=False)
        assert is_counted(union, in_maximal_isr=False, **in_time, lag_time=10, eligible=False)
        assert not is_counted(union, in_maximal_isr=False, **too_late, lag_time=10, eligible=True)

    def test_from_3_6_one_that_may_not_join_does_not_hold_the_high_watermark(self) -> None:
        fenced = {"caught_up_at": 95, "now": 99, "lag_time": 10}
        assert is_counted("caught-up-too", in_maximal_isr=False, **fenced, eligible=False)
        assert not is_counted("eligible-too", in_maximal_isr=False, **fenced, eligible=False)
        assert is_counted("eligible-too", in_maximal_isr=False, **fenced, eligible=True)
        assert is_counted("eligible-too", in_maximal_isr=True, **fenced, eligible=False)

    def test_the_isr_alone_lets_it_pass_one_that_is_about_to_join(self) -> None:
        joining = {"caught_up_at": 99, "now": 99, "lag_time": 10}
        assert not is_counted("isr", in_maximal_isr=False, **joining, eligible=True)
        assert is_counted("isr", in_maximal_isr=True, **joining, eligible=True)

    def test_from_3_7_it_stands_below_min_isr(self) -> None:
        assert may_move("moves", isr_size=1, min_isr=2)
        assert not may_move("stands", isr_size=1, min_isr=2)
        assert may_move("stands", isr_size=2, min_isr=2)

    def test_from_3_7_min_isr_counts_as_at_most_the_number_of_replicas(self) -> None:
        """Partition.effectiveMinIsr: line 369 in 3.7.0, and not in 3.6.2."""
        assert effective_min_isr("moves", min_isr=2, replicas=1) == 2
        assert effective_min_isr("stands", min_isr=2, replicas=1) == 1
        assert effective_min_isr("stands", min_isr=2, replicas=3) == 2

    def test_in_2_4_a_follower_behind_is_answered_without_data(self) -> None:
        assert needs_answer("when-behind", hw=1, hw_sent=0)
        assert not needs_answer("when-behind", hw=1, hw_sent=1)
        assert not needs_answer("with-data", hw=1, hw_sent=0)


class TestInSync:
    def test_a_fetch_at_the_log_end_is_caught_up_now(self) -> None:
        assert caught_up_at(5, fetch_offset=3, leader_leo=3, now=50, last_fetch=(40, 3)) == 50

    def test_a_fetch_at_what_was_the_log_end_then_was_caught_up_then(self) -> None:
        assert caught_up_at(5, fetch_offset=3, leader_leo=9, now=50, last_fetch=(40, 3)) == 40

    def test_one_that_never_reaches_the_log_end_is_not(self) -> None:
        assert caught_up_at(5, fetch_offset=2, leader_leo=9, now=50, last_fetch=(40, 3)) == 5

    def test_leaving_is_by_time(self) -> None:
        assert not must_leave("time", caught_up=0, now=10, lag_time=10, leo=1, leader_leo=3)
        assert must_leave("time", caught_up=0, now=11, lag_time=10, leo=1, leader_leo=3)

    def test_from_2_1_one_that_holds_everything_stays(self) -> None:
        assert must_leave("time", caught_up=0, now=11, lag_time=10, leo=3, leader_leo=3)
        assert not must_leave("time-and-behind", caught_up=0, now=11, lag_time=10, leo=3, leader_leo=3)
        assert must_leave("time-and-behind", caught_up=0, now=11, lag_time=10, leo=2, leader_leo=3)

    def test_to_1_0_the_last_member_leaves_where_unclean_elections_are_allowed(self) -> None:
        """KafkaController.removeReplicaFromIsr (1.0.2); ReplicaStateMachine (1.1.1, KAFKA-5642)."""
        assert not keeps_last_member("stays-unless-unclean", unclean_allowed=True)
        assert keeps_last_member("stays-unless-unclean", unclean_allowed=False)
        assert keeps_last_member("stays", unclean_allowed=True)
        assert keeps_last_member("stays", unclean_allowed=False)

    def test_joining_is_by_offset(self) -> None:
        assert may_join("high-watermark", leo=7, hw=7, epoch_start=9)
        assert not may_join("high-watermark", leo=6, hw=7, epoch_start=0)

    def test_from_2_0_1_also_by_the_start_of_the_leaders_epoch(self) -> None:
        assert not may_join("epoch-start", leo=7, hw=7, epoch_start=9)
        assert may_join("epoch-start", leo=9, hw=7, epoch_start=9)

    @pytest.mark.parametrize(
        ("rule", "fenced", "shutting_down", "fetched", "expected"),
        [
            ("any", True, True, 4, True),
            ("not-fenced", False, False, 4, True),
            ("not-fenced", True, False, 5, False),
            ("not-fenced", False, True, 5, False),
            ("same-broker-epoch", False, False, 5, True),
            ("same-broker-epoch", False, False, 4, False),
            ("same-broker-epoch", False, False, -1, True),
            ("same-broker-epoch", True, False, 5, False),
        ],
    )
    def test_who_may_be_in_sync_at_all(
        self, rule: IsrEligible, fetched: int, *, fenced: bool, shutting_down: bool, expected: bool
    ) -> None:
        said = is_eligible(
            rule, fenced=fenced, shutting_down=shutting_down, registered_epoch=5, fetched_epoch=fetched
        )
        assert said is expected

    def test_while_a_change_is_pending_both_sets_count(self) -> None:
        assert maximal((1, 2), None) == (1, 2)
        assert maximal((1, 2), (1, 2, 3)) == (1, 2, 3)
        assert maximal((1, 2, 3), (1,)) == (1, 2, 3)

    def test_it_is_looked_at_every_half_of_the_lag_time(self) -> None:
        assert check_interval(10_000_000_000) == 5_000_000_000


class TestElection:
    def test_the_first_live_member_in_the_order_of_assignment(self) -> None:
        choice = elect((1, 2, 3), (3, 2, 1), [2, 3], unclean_allowed=False)
        assert choice == Choice(2, (3, 2), Election.CLEAN)

    def test_a_live_replica_outside_of_the_isr_only_if_allowed(self) -> None:
        assert elect((1, 2), (2,), [1], unclean_allowed=True) == Choice(1, (1,), Election.UNCLEAN)
        assert elect((1, 2), (2,), [1], unclean_allowed=False) == Choice(-1, (2,), Election.UNKNOWN)

    def test_a_clean_one_is_preferred_even_if_unclean_is_allowed(self) -> None:
        assert elect((1, 2), (2,), [1, 2], unclean_allowed=True).election == Election.CLEAN

    def test_nobody_alive(self) -> None:
        assert elect((1, 2), (1, 2), [], unclean_allowed=True) == Choice(-1, (1, 2), Election.UNKNOWN)

    def test_one_that_is_named_only_if_it_is_alive_and_in_sync(self) -> None:
        assert elect_named((1, 2), (2, 1), [1, 2], 1) == Choice(1, (2, 1), Election.PREFERRED)
        assert elect_named((1, 2), (2,), [1, 2], 1).leader == -1
        assert elect_named((1, 2), (2, 1), [2], 1).leader == -1

    def test_it_is_a_preferred_election_only_of_the_first_of_the_assignment(self) -> None:
        assert elect_named((1, 2), (2, 1), [1, 2], 2) == Choice(2, (2, 1), Election.CLEAN)

    def test_a_controlled_shutdown_hands_over_to_a_live_member(self) -> None:
        choice = elect_for_shutdown((1, 2, 3), (1, 2, 3), [1, 2, 3], {1})
        assert choice == Choice(2, (2, 3), Election.CONTROLLED)
        assert elect_for_shutdown((1, 2), (1,), [1, 2], {1}) == Choice(-1, (1,), Election.UNKNOWN)

    def test_a_controlled_shutdown_passes_over_a_member_that_is_down_and_leaves_it_in_the_set(self) -> None:
        """ControlledShutdownPartitionLeaderElectionAlgorithm: live, in the ISR, and not shutting down."""
        choice = elect_for_shutdown((1, 2, 3), (1, 2, 3), [1, 3], {1})
        assert choice == Choice(3, (2, 3), Election.CONTROLLED)
