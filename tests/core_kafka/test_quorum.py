"""Changes of a partition by a KRaft controller. Cases: KIP-966, PartitionChangeBuilder's, recordings."""

from collections.abc import Collection, Sequence

import pytest

from core.kafka.election import NOBODY
from core.kafka.quorum import Ask, Change, Registration, allows_unclean, change, may_grow, raises_epoch
from core.kafka.switches import EligibleLeaders, EpochOnShrink, LeaderRecovery
from core.trace.vocabulary import Election


def changed(
    now: Registration,
    isr: Sequence[int],
    live: Collection[int],
    *,
    min_isr: int = 2,
    elr: EligibleLeaders = "off",
    shrink: EpochOnShrink = "kept",
    ask: Ask = "any",
    unclean_shutdown: Collection[int] = (),
) -> Change:
    return change(
        now,
        isr,
        live,
        min_isr=min_isr,
        eligible_leaders=elr,
        epoch_on_shrink=shrink,
        ask=ask,
        unclean_shutdown=unclean_shutdown,
    )


THREE = Registration((1, 2, 3), (1, 2, 3), 1)


class TestLeader:
    def test_it_stays_while_it_is_in_sync_and_live(self) -> None:
        assert changed(THREE, (1, 2), {1, 2}) == Change(Registration((1, 2, 3), (1, 2), 1), None, False)

    def test_a_fenced_leader_is_followed_by_the_first_live_member_in_the_order_of_assignment(self) -> None:
        after = changed(Registration((3, 2, 1), (1, 2, 3), 3), (1, 2), {1, 2})
        assert (after.partition.leader, after.partition.isr) == (2, (1, 2))
        assert (after.election, after.raises_epoch) == (Election.CLEAN, True)

    def test_the_last_member_stays_in_the_isr_when_it_is_fenced(self) -> None:
        after = changed(Registration((1, 2), (1,), 1), (), {2})
        assert after == Change(Registration((1, 2), (1,), -1), None, True)

    def test_and_leads_again_when_it_is_back(self) -> None:
        after = changed(Registration((1, 2), (1,), -1), (1,), {1, 2})
        assert (after.partition.leader, after.election) == (1, Election.CLEAN)

    def test_the_preferred_one_leads_if_it_may(self) -> None:
        led_by_2 = Registration((1, 2, 3), (1, 2, 3), 2)
        after = changed(led_by_2, (1, 2, 3), {1, 2, 3}, ask="preferred")
        assert (after.partition.leader, after.election) == (1, Election.PREFERRED)
        after = changed(led_by_2, (2, 3), {1, 2, 3}, ask="preferred")
        assert (after.partition.leader, after.election, after.raises_epoch) == (2, None, False)

    def test_an_unclean_election_makes_any_live_replica_the_only_member(self) -> None:
        offline = Registration((1, 2, 3), (1,), -1)
        after = changed(offline, (1,), {2, 3}, ask="unclean")
        assert after.partition == Registration((1, 2, 3), (2,), 2)
        assert (after.election, after.raises_epoch) == (Election.UNCLEAN, True)
        assert changed(offline, (1,), {2, 3}).partition == offline
        assert changed(offline, (1,), {1, 2, 3}, ask="unclean").election == Election.CLEAN

    def test_kraft_obeys_the_setting_only_from_3_9(self) -> None:
        assert allows_unclean("obeyed", configured=True)
        assert not allows_unclean("ignored", configured=True)
        assert not allows_unclean("obeyed", configured=False)


class TestEpoch:
    @pytest.mark.parametrize(
        ("rule", "leader_changed", "removed", "expected"),
        [
            ("bumped", False, True, True),
            ("kept", False, True, False),
            ("kept", True, False, True),
            ("bumped", False, False, False),
        ],
    )
    def test_it_grows(
        self, rule: EpochOnShrink, *, leader_changed: bool, removed: bool, expected: bool
    ) -> None:
        assert raises_epoch(rule, leader_changed=leader_changed, removed=removed) is expected

    def test_to_3_5_a_shrink_by_the_leader_raises_it_too(self) -> None:
        assert changed(THREE, (1, 2), {1, 2, 3}, shrink="bumped").raises_epoch
        assert not changed(THREE, (1, 2), {1, 2, 3}, shrink="kept").raises_epoch

    def test_an_expansion_never_raises_it(self) -> None:
        two = Registration((1, 2, 3), (1, 2), 1)
        assert not changed(two, (1, 2, 3), {1, 2, 3}, shrink="bumped").raises_epoch


class TestEligibleLeaders:
    def test_who_leaves_below_min_isr_is_eligible(self) -> None:
        after = changed(THREE, (1, 2), {1, 2}, elr="on")
        assert after.partition.elr == ()  # two members reach min ISR
        after = changed(after.partition, (1,), {1}, elr="on")
        assert (after.partition.isr, after.partition.elr) == ((1,), (2,))
        after = changed(after.partition, (), (), elr="on")
        assert after.partition == Registration((1, 2, 3), (), -1, (2, 1), last_leader=1)

    def test_without_it_the_last_member_is_all_that_is_left(self) -> None:
        after = changed(Registration((1, 2, 3), (1,), 1), (), (), elr="off")
        assert after.partition == Registration((1, 2, 3), (1,), -1)

    def test_one_of_them_leads_cleanly_when_the_isr_is_empty(self) -> None:
        offline = Registration((1, 2, 3), (), -1, (2, 1), last_leader=1)
        after = changed(offline, (), {2, 3}, elr="on")
        assert after.partition == Registration((1, 2, 3), (2,), 2, (1,))
        assert (after.election, after.raises_epoch) == (Election.ELR, True)

    def test_they_wait_while_the_isr_has_a_member(self) -> None:
        after = changed(Registration((1, 2), (1,), -1, (2,)), (1,), {2}, elr="on")
        assert (after.partition.leader, after.partition.elr) == (-1, (2,))

    def test_min_isr_above_the_number_of_replicas_counts_as_that_number(self) -> None:
        """ReplicationControlManager.getTopicEffectiveMinIsr: the same comes of both, whoever leaves."""
        for isr in ((1, 2, 3), (1, 2), (1,), ()):
            made = [changed(THREE, isr, {1}, min_isr=wanted, elr="on") for wanted in (3, 4)]
            assert made[0] == made[1]

    def test_they_are_forgotten_when_min_isr_is_reached_again(self) -> None:
        below = Registration((1, 2, 3), (1,), 1, (2, 3))
        assert changed(below, (1, 3), {1, 3}, elr="on").partition.elr == ()

    def test_an_unclean_shutdown_takes_a_replica_out_of_isr_and_elr(self) -> None:
        below = Registration((1, 2), (1,), 1, (2,))
        after = changed(below, (), {2}, elr="on", unclean_shutdown={1})
        assert after.partition == Registration((1, 2), (2,), 2)
        assert after.election == Election.ELR
        after = changed(
            Registration((1, 2), (), -1, (2,), last_leader=1), (), (), elr="on", unclean_shutdown={2}
        )
        assert (after.partition.elr, after.partition.last_leader) == ((), 1)

    def test_the_last_leader_leads_when_isr_and_elr_are_empty(self) -> None:
        nobody = Registration((1, 2), (), -1, last_leader=1)
        after = changed(nobody, (), {1, 2}, elr="on")
        assert after.partition == Registration((1, 2), (1,), 1)
        assert (after.election, after.raises_epoch) == (Election.LAST_KNOWN, True)
        assert changed(nobody, (), {2}, elr="on").partition == nobody

    def test_the_last_leader_waits_while_somebody_is_eligible(self) -> None:
        offline = Registration((1, 2), (), -1, (2,), last_leader=1)
        assert changed(offline, (), {1}, elr="on").partition == offline

    def test_an_unclean_election_forgets_who_was_eligible(self) -> None:
        offline = Registration((1, 2, 3), (), -1, (2,), last_leader=1)
        after = changed(offline, (), {3}, elr="on", ask="unclean")
        assert after.partition == Registration((1, 2, 3), (3,), 3)
        assert after.election == Election.UNCLEAN

    def test_s8_last_replica_standing_and_s9_with_eligible_leaders(self) -> None:
        """S8: 2 is fenced, 1 alone loses its log, and leads again empty. With ELR 2 leads with the record."""
        both = Registration((1, 2), (1, 2), 1)
        old = changed(changed(both, (1,), {1}).partition, (), (), unclean_shutdown={1}).partition
        assert changed(old, old.isr, {1, 2}).partition.leader == 1
        alone = changed(both, (1,), {1}, elr="on").partition
        assert alone.elr == (2,)
        gone = changed(alone, (), (), elr="on", unclean_shutdown={1}).partition
        assert (gone.isr, gone.elr) == ((), (2,))
        assert changed(gone, (), {1, 2}, elr="on").partition.leader == 2

    def test_s10_as_many_unclean_shutdowns_as_min_isr_leave_nobody_with_the_records(self) -> None:
        both = Registration((1, 2), (1, 2), 1)
        alone = changed(both, (1,), {1}, elr="on", unclean_shutdown={2}).partition
        gone = changed(alone, (), (), elr="on", unclean_shutdown={1, 2}).partition
        assert (gone.isr, gone.elr, gone.last_leader) == ((), (), 1)


class TestLeaderRecovery:
    """KIP-704: from 3.2 with KRaft an unclean election marks the partition until its leader has recovered."""

    @staticmethod
    def unclean(rule: LeaderRecovery) -> Registration:
        offline = Registration((1, 2, 3), (1,), NOBODY)
        return change(
            offline,
            (1,),
            {2, 3},
            min_isr=1,
            eligible_leaders="off",
            epoch_on_shrink="kept",
            ask="unclean",
            leader_recovery=rule,
        ).partition

    def test_nothing_recovers_before_an_unclean_election(self) -> None:
        assert not THREE.recovering
        assert not changed(THREE, (1, 2), {1, 2}).partition.recovering

    def test_an_unclean_election_marks_it_where_the_rule_is_known(self) -> None:
        assert self.unclean("marked").recovering
        assert not self.unclean("unmarked").recovering

    @pytest.mark.parametrize("recovered", [False, True])
    def test_it_stays_marked_until_the_leader_says_that_it_has_recovered(self, *, recovered: bool) -> None:
        after = change(
            self.unclean("marked"),
            (2, 3),
            {2, 3},
            min_isr=1,
            eligible_leaders="off",
            epoch_on_shrink="kept",
            leader_recovery="marked",
            recovered=recovered,
        )
        assert after.partition.recovering is not recovered

    @pytest.mark.parametrize(
        ("recovering", "recovered", "members", "allowed"),
        [
            (False, False, 3, True),
            (True, False, 1, True),
            (True, False, 2, False),
            (True, True, 2, True),
        ],
    )
    def test_while_it_recovers_a_leader_may_have_nobody_beside_itself(
        self, *, recovering: bool, recovered: bool, members: int, allowed: bool
    ) -> None:
        """ReplicationControlManager.validateAlterPartitionData."""
        assert may_grow(recovering=recovering, recovered=recovered, members=members) is allowed
