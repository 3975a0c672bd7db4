"""Voters that change while the quorum runs (KIP-853): one added, the leader removed, one too few.

What is expected stands in AddVoterHandler, RemoveVoterHandler, LeaderState and KafkaRaftClient at
3.9.0-rc3 and 4.1.1.
"""

import pytest

from core.kafka.eras import Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import play
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from core.trace.vocabulary import QuorumRole, VoterRefusal
from tests.core_sim.test_clients import events
from tests.core_sim.test_sc_quorum import (
    ASKING,
    KRAFT,
    NOT_ASKING,
    A,
    B,
    K,
    L,
    M,
    ids,
    leaders,
    roles,
)
from tests.runs import simulated

pytestmark = pytest.mark.broad(6)

N = 6
CHANGING, CONFIGURED = ASKING, NOT_ASKING
"""4.0 and 4.1, as no era is of 3.9; before it voters are configured."""


def voters(trace: Trace, reader: int, step: int | None = None) -> list[tuple[int, ...]]:
    """Who votes, as a controller found in its log, in order."""
    told = [one for one in events(trace, "voters_changed", step=step) if one.values["replica"] == reader]
    return [tuple(int(voter) for voter in trace.isrs[one.values["isr"]]) for one in told]


def refused(trace: Trace) -> list[tuple[int, int, int]]:
    """(step, whom, why)"""
    told = events(trace, "voter_change_refused")
    return [(one.position, one.values["replica"], one.values["aux"]) for one in told]


@pytest.mark.parametrize("one", CHANGING, ids=ids)
class TestChanged:
    def test_one_that_does_not_answer_is_not_added(self, one: Era) -> None:
        assert refused(simulated("voters-changed", one)) == [(2, N, VoterRefusal.UNREACHABLE)]

    def test_every_controller_takes_the_voters_from_its_own_log(self, one: Era) -> None:
        trace = simulated("voters-changed", one)
        for reader in (K, L, M, N):
            assert voters(trace, reader) == [(K, L, M, N), (L, M, N)]

    def test_of_four_voters_three_commit(self, one: Era) -> None:
        """LeaderState.maybeUpdateHighWatermark: indexOfHw 2 of four, K with it."""
        trace = simulated("voters-changed", one)
        (written,) = [each for each in events(trace, "voters_changed", step=4) if each.values["replica"] == K]
        held = [
            each.seq
            for each in events(trace, "follower_leo_recorded", step=4)
            if each.values["leo"] > written.values["offset"]
        ]
        passed = next(
            each.seq
            for each in events(trace, "hw_moved", step=4)
            if each.values["replica"] == K and each.values["hw"] > written.values["offset"]
        )
        assert len([seq for seq in held if seq < passed]) == 2

    def test_the_leader_that_is_removed_resigns_once_two_of_the_others_hold_it(self, one: Era) -> None:
        """RemoveVoterHandler.highWatermarkUpdated; KafkaRaftClient.pollLeader."""
        trace = simulated("voters-changed", one)
        (written,) = [each for each in events(trace, "voters_changed", step=5) if each.values["replica"] == K]
        held = [
            each.seq
            for each in events(trace, "follower_leo_recorded", step=5)
            if each.values["broker"] == K and each.values["leo"] > written.values["offset"]
        ]
        passed = next(each for each in events(trace, "hw_moved", step=5) if each.values["replica"] == K)
        (resigned,) = roles(trace, K, QuorumRole.RESIGNED)
        assert len([seq for seq in held if seq < passed.seq]) == 2
        assert passed.seq < resigned.seq
        assert resigned.at == passed.at

    def test_it_goes_on_without_a_vote(self, one: Era) -> None:
        """pollResigned: unattached in the next epoch; pollUnattachedCommon: it asks the others who leads."""
        trace = simulated("voters-changed", one)
        assert [each.values["aux"] for each in roles(trace, K)] == [
            QuorumRole.RESIGNED,
            QuorumRole.UNATTACHED,
        ]
        (_, (epoch, leader)) = leaders(trace)
        assert leader in (L, M, N)
        followed = [each for each in events(trace, "became_follower") if each.values["replica"] == K]
        assert [(each.values["leader"], each.values["epoch"]) for each in followed] == [(leader, epoch)]

    def test_by_the_switch_alone(self, one: Era) -> None:
        trace = simulated("voters-changed", with_switches(one, {"voter-change": "none"}))
        assert leaders(trace) == [(1, K)]
        assert {why for _, _, why in refused(trace)} == {VoterRefusal.UNSUPPORTED}


@pytest.mark.parametrize("one", CONFIGURED, ids=ids)
def test_to_3_8_the_leader_refuses(one: Era) -> None:
    trace = simulated("voters-changed", one)
    unsupported = VoterRefusal.UNSUPPORTED
    assert refused(trace) == [(2, N, unsupported), (4, N, unsupported), (5, K, unsupported)]
    assert leaders(trace) == [(1, K)]
    assert not events(trace, "voters_changed")


class TestOfTwo:
    @pytest.mark.parametrize("one", CHANGING, ids=ids)
    def test_nobody_leads_while_m_is_dead(self, one: Era) -> None:
        """K resigns: L's fetches do not count. It is no majority of two, and L does not stand."""
        trace = simulated("quorum-of-two", one)
        assert [each.position for each in roles(trace, K, QuorumRole.RESIGNED)] == [3]
        assert not [each for each in roles(trace, L) if each.values["aux"] != QuorumRole.UNATTACHED]
        for step in (3, 4, 5, 6):
            assert not events(trace, "controller_elected", step=step)
            assert not events(trace, "broker_fenced", step=step)
        assert not events(trace, "acknowledged", step=6)

    @pytest.mark.parametrize("one", CHANGING, ids=ids)
    def test_so_nobody_can_add_l_again_before_m_is_back(self, one: Era) -> None:
        trace = simulated("quorum-of-two", one)
        assert not events(trace, "voters_changed", step=4)
        assert voters(trace, K) == [(K, M), (K, L, M)]
        assert not events(trace, "condition_not_met")
        assert [each.values["replica"] for each in events(trace, "broker_fenced")] == [B]

    @pytest.mark.parametrize("one", CHANGING, ids=ids)
    def test_with_three_voters_two_go_on(self, one: Era) -> None:
        trace = simulated("quorum-of-two", one)
        assert not [each for each in roles(trace, K) if each.position == 9]
        assert events(trace, "acknowledged", step=7)

    @pytest.mark.parametrize("one", KRAFT, ids=ids)
    def test_where_it_is_refused_two_of_three_go_on(self, one: Era) -> None:
        """As in releases to 3.8; in later ones by the switch."""
        trace = simulated("quorum-of-two", with_switches(one, {"voter-change": "none"}))
        assert leaders(trace) == [(1, K)]
        assert [each.position for each in events(trace, "broker_fenced")] == [6]
        assert [each.values["broker"] for each in events(trace, "acknowledged", step=6)] == [A]


STEP = """
[[step]]
do = "{do}"
{keys}
for_ms = {ms}
"""


def asked(*steps: tuple[str, str, int], observers: str = "") -> Trace:
    """A run of 4.1 with these steps: what is done, its keys, how long it lasts."""
    head = """
schema = 1
id = "x"
title = "x"
story = "x"
cluster.brokers = ["A", "B"]
[quorum]
voters = ["K", "L", "M"]
"""
    told = [STEP.format(do=do, keys=keys, ms=ms) for do, keys, ms in steps]
    text = head + observers + "".join(told).replace("\nfor_ms = 0\n", "\n")
    return play(parse_scenario(text), era("4.1")).trace


class TestOneAtATime:
    CUT = ("disconnect", 'from = ["K"]\nto = ["M"]\nboth_ways = true', 1_000)

    def test_before_it_is_committed_the_new_voters_count(self) -> None:
        """Two of the three old voters hold the record, but not both of the new ones: M is cut off."""
        trace = asked(self.CUT, ("remove-voter", 'controller = "L"', 1_000))
        assert voters(trace, K, 2) == voters(trace, L, 2) == [(K, M)]
        (written,) = [each for each in events(trace, "voters_changed") if each.values["replica"] == K]
        passed = [
            each
            for each in events(trace, "hw_moved")
            if each.values["replica"] == K and each.values["hw"] > written.values["offset"]
        ]
        assert not passed

    def test_so_the_next_change_is_refused(self) -> None:
        trace = asked(
            self.CUT, ("remove-voter", 'controller = "L"', 100), ("add-voter", 'controller = "L"', 1)
        )
        assert refused(trace) == [(3, L, VoterRefusal.PENDING)]

    def test_a_change_that_is_cut_never_was(self) -> None:
        """KRaftControlRecordStateMachine.truncateNewEntries: L and M elect another, which K follows."""
        trace = asked(
            ("disconnect", 'from = ["K"]\nto = ["L", "M"]\nboth_ways = true', 600),
            ("remove-voter", 'controller = "M"', 8_000),
            ("heal", 'from = ["K"]\nto = ["L", "M"]\nboth_ways = true', 8_000),
        )
        assert voters(trace, K) == [(K, L), (K, L, M)]
        assert [each.position for each in events(trace, "truncated")] == [3]

    def test_one_that_has_not_caught_up_is_not_added(self) -> None:
        """The leader has just been elected: N, which nobody tells of it, has not fetched there."""
        elected = 'broker = "K"\nuntil = "the quorum has a new leader"\nwithin_ms = 30_000'
        add = ("add-voter", 'controller = "N"', 3_000)
        trace = asked(("crash", elected, 0), add, add, observers='observers = ["N"]\n')
        assert refused(trace) == [(2, N, VoterRefusal.LAGGING)]
        assert voters(trace, N) == [(K, L, M, N)]


@pytest.mark.parametrize("one", KRAFT, ids=ids)
def test_nothing_is_lost_for_any_luck(one: Era) -> None:
    for name in ("quorum-of-two", "voters-changed"):
        for seed in range(1, 6):
            played = play(scenario(name), one, seed=seed)
            assert not [fate for fate in played.truth.fates() if fate.lost and fate.committed is not None]
