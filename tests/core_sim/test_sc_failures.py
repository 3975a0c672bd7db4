"""The canonical cases at message level, acknowledgements and elections: who loses what, era by era.

The table is that of the releases that closed each hole: KAFKA-7415, KIP-279, KAFKA-7128, KIP-320.
"""

from collections.abc import Callable
from typing import Any

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason, Election
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
ALL_ERAS = tuple(one.id for one in ERAS)
OBEYING_ERAS = tuple(one.id for one in ERAS if one.switches.unclean_setting == "obeyed")
"""Eras whose controller elects uncleanly if it is allowed to: not KRaft before 3.9 (KAFKA-12670)."""
TO_2_0 = ("0.10.2", "0.11", "1.1", "2.0")
END = 99


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def logs(state: Any) -> list[list[str]]:
    return [seen.records for seen in state.replicas.values()]


@pytest.mark.parametrize("era_id", ALL_ERAS)
@pytest.mark.parametrize("name", ["unknown-epoch-loss", "stale-hw-isr", "stale-leader-truncation"])
def test_m0_acknowledged_by_all_is_lost_to_2_0_and_kept_from_2_1(
    name: str, era_id: str, replay: Replay
) -> None:
    trace = run(name, era_id)
    assert events(trace, "acknowledged")[0].values["aux"] == -1
    state = replay(trace, END)
    held = {"m0" in log for log in logs(state)}
    assert held == {era_id not in TO_2_0}
    assert len({tuple(log) for log in logs(state)}) == 1


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_every_election_of_the_losses_is_clean(era_id: str) -> None:
    for name in ("unknown-epoch-loss", "stale-hw-isr", "stale-leader-truncation"):
        ways = {event.values["aux"] for event in events(run(name, era_id), "leader_elected")}
        assert Election.UNCLEAN not in ways


class TestUnknownEpoch:
    @pytest.mark.parametrize("era_id", ["0.11", "1.1", "2.0"])
    def test_the_answer_is_undefined_and_b_cuts_to_its_high_watermark(self, era_id: str) -> None:
        trace = run("unknown-epoch-loss", era_id)
        (asked,) = events(trace, "epoch_end_asked", step=10)
        (answered,) = events(trace, "epoch_end_answered", step=10)
        (cut,) = events(trace, "truncated", step=10)
        assert (asked.values["aux"], answered.values["offset"]) == (1, -1)
        assert (cut.values["offset"], cut.values["aux"]) == (0, CutReason.LOCAL_HIGH_WATERMARK)

    def test_an_entry_at_the_election_closes_it(self, replay: Replay) -> None:
        trace = run("unknown-epoch-loss", "2.0", epoch_entry="election")
        assert "m0" in logs(replay(trace, END))[0]


class TestSilentDivergence:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_offset_1_differs_in_0_11_and_1_1_only(self, era_id: str, replay: Replay) -> None:
        one, other = logs(replay(run("silent-divergence", era_id), END))
        assert one == ["c", "m0", "m2"]
        assert other == (["c", "m1", "m2"] if era_id in ("0.11", "1.1") else one)

    @pytest.mark.parametrize("era_id", ["0.11", "1.1"])
    def test_the_answer_is_b_s_own_log_end(self, era_id: str) -> None:
        trace = run("silent-divergence", era_id)
        (answered,) = events(trace, "epoch_end_answered", step=9)
        (kept,) = events(trace, "truncation_not_needed", step=9)
        assert (answered.values["offset"], kept.values["leo"]) == (2, 2)

    def test_naming_the_epoch_closes_it(self, replay: Replay) -> None:
        one, other = logs(replay(run("silent-divergence", "1.1", epoch_answer="epoch-and-offset"), END))
        assert one == other


def test_joining_at_the_start_of_the_epoch_closes_the_stale_high_watermark(replay: Replay) -> None:
    open_ = replay(run("stale-hw-isr", "2.0"), 6)
    closed = replay(run("stale-hw-isr", "2.0", isr_join="epoch-start"), 6)
    assert (open_.isr, closed.isr) == (("A", "C", "B"), ("A", "C"))


@pytest.mark.parametrize("era_id", TO_2_0)
def test_a_stale_leader_s_follower_cuts_m0_while_in_the_isr(era_id: str, replay: Replay) -> None:
    trace = run("stale-leader-truncation", era_id)
    (cut,) = events(trace, "truncated", step=11)
    assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (3, 1, 0)
    assert replay(trace, 11).isr == ("A", "C")


class TestLostTail:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_m1_is_gone_from_the_leader_in_every_era(self, era_id: str, replay: Replay) -> None:
        trace = run("lost-tail", era_id)
        (tail,) = events(trace, "truncated", step=3)
        assert (tail.values["from_offset"], tail.values["offset"]) == (2, 1)
        assert tail.values["aux"] == CutReason.RECOVERY
        one, other = logs(replay(trace, END))
        assert other == ["m0", "m2"]
        assert one == (["m0", "m1"] if era_id == "0.10.2" else other)


class TestThreeBrokerLoss:
    @pytest.mark.parametrize("era_id", [one for one in ALL_ERAS if one not in OBEYING_ERAS])
    def test_kraft_to_3_8_elects_nobody_by_itself(self, era_id: str, replay: Replay) -> None:
        """As in recordings of 3.7.2 (lab-findings-kraft.md, 1): the setting is true, and nobody leads."""
        trace = run("three-broker-loss", era_id)
        assert replay(trace, 1).leader == "-"
        assert len(logs(replay(trace, END))[0]) == 10

    @pytest.mark.parametrize("era_id", OBEYING_ERAS)
    def test_c_with_two_records_leads_and_8_or_3_are_lost(self, era_id: str, replay: Replay) -> None:
        trace = run("three-broker-loss", era_id)
        before = replay(trace, 0)
        assert [seen.leo for seen in before.replicas.values()] == [10, 2, 5]
        (elected,) = events(trace, "leader_elected", step=1)
        assert elected.values["aux"] == Election.UNCLEAN
        leader = replay(trace, 1).replicas["C"].leo
        assert [before.replicas[name].leo - leader for name in "AB"] == [8, 3]

    @pytest.mark.parametrize("era_id", OBEYING_ERAS)
    def test_to_0_10_the_others_keep_r2_where_the_leader_has_n2(self, era_id: str, replay: Replay) -> None:
        a, c, b = logs(replay(run("three-broker-loss", era_id), END))
        assert c == ["r0", "r1", "n2"]
        assert a == b == (["r0", "r1", "r2"] if era_id == "0.10.2" else c)


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestFailover:
    def test_a_and_b_before_a_b_and_then_c_after_and_never_d(self, era_id: str, replay: Replay) -> None:
        trace = run("leader-failover-consistent", era_id)
        before, after = replay(trace, 0), replay(trace, 3)
        assert [seen.leo for seen in before.replicas.values()] == [4, 3, 2]
        assert before.replicas["A"].records[: before.replicas["A"].hw] == ["a", "b"]
        assert replay(trace, 2).replicas["B"].hw == 1
        assert after.replicas["B"].records[: after.replicas["B"].hw] == ["a", "b", "c"]
        assert logs(replay(trace, END)) == [["a", "b", "c"]] * 3


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestAcks:
    def test_acks_1_at_once_acks_all_not_before_the_high_watermark(self, era_id: str) -> None:
        trace = run("acks", era_id)
        told = [(one.position, one.values["aux"]) for one in events(trace, "acknowledged")]
        assert told == [(2, 1), (6, 1), (10, -1)]

    def test_with_one_in_sync_acks_all_is_refused(self, era_id: str) -> None:
        (refused,) = events(run("acks", era_id), "produce_failed", step=5)
        assert refused.values["aux"] == -1

    def test_all_three_are_gone_with_their_leader(self, era_id: str, replay: Replay) -> None:
        assert logs(replay(run("acks", era_id), END)) == [["n1", "n2"]] * 2


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestElections:
    def test_each_way_in_turn(self, era_id: str) -> None:
        trace = run("elections", era_id)
        last = Election.LAST_KNOWN if era(era_id).switches.eligible_leaders == "on" else Election.CLEAN
        ways = [
            (one.position, one.values["leader"], one.values["aux"])
            for one in events(trace, "leader_elected")
            if one.position
        ]
        assert ways == [
            (2, 2, Election.CLEAN),
            (4, 1, Election.PREFERRED),
            (6, 2, Election.CONTROLLED),
            (7, 3, Election.CLEAN),
            # C was killed: since 4.1 the controller trusts it no more, and it leads as the last leader.
            (10, 3, last),
        ]
        assert [one.position for one in events(trace, "leaderless")] == [8]

    def test_one_outside_the_isr_may_not_lead(self, era_id: str, replay: Replay) -> None:
        assert replay(run("elections", era_id), 9).leader == "-"


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_three_partitions_have_three_leaders_and_only_one_moves(era_id: str) -> None:
    trace = run("overview", era_id)
    assert [str(one.tp) for one in trace.partitions] == ["t-0", "t-1", "t-2"]
    assert [one.replicas[0] for one in trace.partitions] == [1, 2, 3]
    elected = [
        (one.position, one.values["partition"], one.values["leader"])
        for one in events(trace, "leader_elected")
    ]
    assert elected == [(0, 0, 1), (0, 1, 2), (0, 2, 3), (2, 0, 2), (6, 0, 1)]
    written = [one.values["partition"] for one in events(trace, "produced")]
    assert written == [0, 1, 2] * 4
