"""KRaft at message level: S8 to S10, fencing, broker epochs, the metadata log, a controller that fails over.

Sources: mission-anchors A.2.2, A.4.6 and A.4.7, KIP-841, KIP-903, KIP-966, KAFKA-15021, and what brokers of
3.3 to 4.3 did (lab-findings-kraft.md).
"""

from collections.abc import Callable
from typing import Any

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import Election
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
ALL_ERAS = tuple(one.id for one in ERAS)
KRAFT = tuple(one.id for one in ERAS if one.switches.controller == "kraft")
WITHOUT_ELR = tuple(one.id for one in ERAS if one.switches.eligible_leaders == "off")
MOVING = tuple(one.id for one in ERAS if one.switches.hw_below_min_isr == "moves")
EXITING = ("0.10.2",)
"""It keeps what its high watermark covers, and exits where it is ahead of its leader (KAFKA-7414)."""
SECOND = 1_000_000_000
END = 99
HEAD = """\
schema = 1
id = "made"
title = { en = "Made", zh = "编" }
story = { en = "Made for a test.", zh = "测试。" }
"""
TWO = """
[cluster]
brokers = ["A", "B"]
"""


def run(name: str, era_id: str, **switches: str) -> Trace:
    return simulated(name, rules_of(era_id, **switches))


def made(body: str, era_id: str, **switches: str) -> Trace:
    steps = body.replace("[[step]]", '[[step]]\nlabel = { en = "s", zh = "步" }')
    return simulate(parse_scenario(HEAD + steps), rules_of(era_id, **switches))


def rules_of(era_id: str, **switches: str) -> Any:
    return with_switches(era(era_id), {name.replace("_", "-"): value for name, value in switches.items()})


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def logs(state: Any) -> list[list[str]]:
    return [seen.records for seen in state.replicas.values()]


def eligible(trace: Trace) -> list[tuple[int, ...]]:
    return [trace.isrs[one.values["isr"]] for one in events(trace, "elr_changed")]


class TestLastReplicaStanding:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_m0_is_committed_on_both_before_b_leaves(self, era_id: str, replay: Replay) -> None:
        trace = run("s8", era_id)
        assert [one.values["aux"] for one in events(trace, "acknowledged", step=3)] == [-1]
        state = replay(trace, 3)
        assert [(seen.leo, seen.hw) for seen in state.replicas.values()] == [(2, 2), (2, 2)]
        assert replay(trace, 5).isr == ("A",)

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_below_min_isr_m1_becomes_visible_to_3_6_and_not_from_3_7(
        self, era_id: str, replay: Replay
    ) -> None:
        state = replay(run("s8", era_id), 5)
        assert (state.replicas["A"].leo, state.replicas["A"].hw) == (3, 3 if era_id in MOVING else 2)

    @pytest.mark.parametrize("era_id", WITHOUT_ELR)
    def test_without_elr_a_leads_without_m0_and_b_cuts_it(self, era_id: str, replay: Replay) -> None:
        trace = run("s8", era_id)
        (elected,) = events(trace, "leader_elected", step=7)
        assert (elected.values["leader"], elected.values["aux"]) == (1, Election.CLEAN)
        state = replay(trace, END)
        if era_id in EXITING:
            assert events(trace, "broker_exited", step=8)
            assert (state.replicas["A"].records, state.replicas["B"].role) == (["c", "m2"], "down")
            return
        (cut,) = events(trace, "truncated", step=8)
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (2, 2, 1)
        assert logs(state) == [["c", "m2"], ["c", "m2"]]

    def test_with_elr_b_leads_and_m0_stands(self, replay: Replay) -> None:
        trace = run("s8", "4.1")
        assert replay(trace, 7).leader == "-"
        (elected,) = events(trace, "leader_elected", step=8)
        assert (elected.values["leader"], elected.values["aux"]) == (2, Election.ELR)
        assert logs(replay(trace, END)) == [["c", "m0", "m2"]] * 2

    def test_elr_by_choice_in_4_0_keeps_m0_too(self, replay: Replay) -> None:
        assert logs(replay(run("s8", "4.0", eligible_leaders="on"), END)) == [["c", "m0", "m2"]] * 2


class TestEligibleLeaders:
    def test_b_is_eligible_from_its_stop_on_and_a_only_until_it_is_known_to_have_crashed(self) -> None:
        assert eligible(run("s9", "4.1")) == [(2,), (2, 1), (1,), ()]

    def test_b_leads_before_a_is_back(self, replay: Replay) -> None:
        trace = run("s9", "4.1")
        (elected,) = events(trace, "leader_elected", step=7)
        assert (elected.values["leader"], elected.values["aux"]) == (2, Election.ELR)
        assert len(events(trace, "acknowledged", step=8)) == 1
        assert logs(replay(trace, END)) == [["c", "m0", "m2"]] * 2

    @pytest.mark.parametrize("era_id", WITHOUT_ELR)
    def test_without_it_nobody_leads_until_a_is_back_and_then_m0_is_lost(
        self, era_id: str, replay: Replay
    ) -> None:
        trace = run("s9", era_id)
        assert replay(trace, 8).leader == "-"
        assert len(events(trace, "produce_failed", step=8)) == 1
        assert (replay(trace, END).leader, replay(trace, END).replicas["A"].records) == ("A", ["c"])
        if era_id not in EXITING:
            assert replay(trace, END).replicas["B"].records == ["c"]

    def test_it_needs_a_high_watermark_that_stands_below_min_isr(self, replay: Replay) -> None:
        """Else consumers have seen m1, and B, which never had it, is elected cleanly (KAFKA-15583)."""
        trace = run("s9", "4.1", hw_below_min_isr="moves")
        assert replay(trace, 5).replicas["A"].hw == 3
        assert "m1" not in logs(replay(trace, END))[1]

    def test_a_crashed_leader_that_was_alone_leads_again_as_the_last_leader(self) -> None:
        """As in recordings/k43-elr: ISR and ELR are empty, and the last leader comes back."""
        (elected,) = events(run("hw-loss", "4.1"), "leader_elected", step=11)
        assert (elected.values["leader"], elected.values["aux"]) == (1, Election.LAST_KNOWN)


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_s10_as_many_lost_tails_as_min_isr_lose_m0_in_every_era(era_id: str, replay: Replay) -> None:
    trace = run("s10", era_id)
    assert [one.values["aux"] for one in events(trace, "acknowledged", step=3)] == [-1]
    assert logs(replay(trace, END)) == [["c", "m1"]] * 2
    if era(era_id).switches.eligible_leaders == "on":
        assert eligible(trace)[-1] == ()
        assert events(trace, "leader_elected")[-1].values["aux"] == Election.LAST_KNOWN


class TestStoppedFollower:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_m1_is_acknowledged_at_once(self, era_id: str) -> None:
        trace = run("follower-stopped", era_id)
        (acked,) = events(trace, "acknowledged", step=3)
        (step,) = events(trace, "step", step=3)
        assert acked.at - step.at < SECOND

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_to_3_5_with_a_new_epoch_from_3_6_without(self, era_id: str, replay: Replay) -> None:
        state = replay(run("follower-stopped", era_id), 2)
        assert (state.isr, state.epoch) == (("A",), 1 if era_id in ("3.3", "3.5") else 0)

    def test_without_the_new_epoch_a_counted_follower_would_hold_m1_for_the_lag_time(self) -> None:
        """KAFKA-15021 needed both: the epoch stays, and whoever may not join is not counted."""
        trace = run("follower-stopped", "3.6", hw_counts="caught-up-too")
        assert not events(trace, "acknowledged", step=3)
        assert not events(trace, "hw_moved", step=3)
        (failed,) = events(trace, "produce_failed", step=3)
        (step,) = events(trace, "step", step=3)
        assert failed.at - step.at >= 30 * SECOND


class TestFollowerThatIsBackBeforeItsSessionEnds:
    @pytest.mark.parametrize("era_id", KRAFT)
    def test_it_fetches_while_it_may_not_register(self, era_id: str) -> None:
        trace = run("follower-restarts", era_id)
        (fenced,) = events(trace, "broker_fenced")
        (registered,) = events(trace, "broker_registered")
        fetched = [one for one in events(trace, "fetch_sent", step=3) if one.values["replica"] == 2]
        assert fetched
        assert fetched[0].seq < fenced.seq < registered.seq

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_it_joins_only_after_it_was_unfenced(self, era_id: str) -> None:
        trace = run("follower-restarts", era_id)
        (unfenced,) = events(trace, "broker_unfenced")
        (proposed,) = events(trace, "isr_expand_proposed")
        assert unfenced.seq < proposed.seq

    def test_if_any_may_join_it_is_in_the_set_while_it_is_fenced(self) -> None:
        trace = run("follower-restarts", "3.3", isr_eligible="any")
        (unfenced,) = events(trace, "broker_unfenced")
        assert any(
            2 in trace.isrs[one.values["isr"]] and one.seq < unfenced.seq
            for one in events(trace, "isr_committed")
        )


class TestControllerFailsOver:
    def test_to_2_2_the_leader_drops_the_dead_follower_by_time(self) -> None:
        trace = run("controller-fails-too", "2.1")
        (shrink,) = events(trace, "isr_shrink_proposed")
        (acked,) = events(trace, "acknowledged", step=3)
        assert shrink.seq < acked.seq

    def test_from_2_3_the_new_controller_drops_it(self) -> None:
        trace = run("controller-fails-too", "2.4")
        (controller,) = events(trace, "controller_elected")
        (committed,) = events(trace, "isr_committed", step=2)
        assert committed.cause == controller.seq

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_with_kraft_sessions_begin_anew(self, era_id: str) -> None:
        trace = run("controller-fails-too", era_id)
        (controller,) = events(trace, "controller_elected")
        (fenced,) = events(trace, "broker_fenced")
        assert (fenced.values["replica"], fenced.at - controller.at) == (2, 9 * SECOND)

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_nothing_of_the_log_is_lost(self, era_id: str, replay: Replay) -> None:
        """The partition epoch goes on, and the ISR that the old controller wrote still holds."""
        body = (
            TWO
            + """
[[step]]
do = "stop"
broker = "B"
[[step]]
do = "crash"
broker = "B"
controller_fails_over = true
until = "a controller is elected"
within_ms = 5_000
[[step]]
do = "start"
broker = "B"
for_ms = 5_000
"""
        )
        trace = made(body, era_id)
        state = replay(trace, 2)
        assert (state.leader, state.isr) == ("A", ("A",))
        versions = [
            one.values["partition_epoch"] for one in events(trace, "isr_committed") if not one.get("broker")
        ]
        assert versions == [1, 2]
        assert replay(trace, 3).isr == ("A", "B")


LATE = """
[cluster]
brokers = ["A", "B", "C"]
[[step]]
do = "hold-controller"
brokers = ["A"]
[[step]]
do = "elect"
broker = "B"
[[step]]
do = "elect"
broker = "C"
[[step]]
do = "produce"
records = ["m0"]
acks = "1"
to = "A"
[[step]]
do = "release-controller"
brokers = ["A"]
for_ms = 2_000
"""


class TestMetadataLog:
    @pytest.mark.parametrize("era_id", KRAFT)
    def test_a_late_broker_leads_on_in_its_old_epoch(self, era_id: str, replay: Replay) -> None:
        state = replay(made(LATE, era_id), 4)
        assert state.leader == "C"
        assert [(seen.role, seen.epoch) for seen in state.replicas.values()] == [
            ("leader", 0), ("follower", 2), ("leader", 2),
        ]  # fmt: skip

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_what_it_missed_it_reads_in_one_go_and_sees_the_last_state_only(self, era_id: str) -> None:
        trace = made(LATE, era_id)
        mine = [one for one in events(trace, "metadata_applied", step=5) if one.values["replica"] == 1]
        assert [(one.values["leader"], one.values["epoch"]) for one in mine][:1] == [(3, 2)]
        assert [one.values["epoch"] for one in events(trace, "became_follower", step=5)] == [2]

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_a_broker_that_does_not_hear_of_its_registration_stays_fenced(self, era_id: str) -> None:
        body = (
            TWO
            + """
[[step]]
do = "stop"
broker = "B"
[[step]]
do = "hold-controller"
brokers = ["B"]
[[step]]
do = "start"
broker = "B"
for_ms = 20_000
[[step]]
do = "release-controller"
brokers = ["B"]
for_ms = 5_000
"""
        )
        trace = made(body, era_id)
        assert len(events(trace, "broker_registered", step=3)) == 1
        assert not events(trace, "broker_unfenced", "fetch_sent", step=3)[1:]
        assert len(events(trace, "broker_unfenced", step=4)) == 1


class TestLeaderThatIsBackBeforeItsSessionEnds:
    BODY = (
        TWO
        + """
[[step]]
do = "crash"
broker = "A"
for_ms = 1_000
[[step]]
do = "start"
broker = "A"
for_ms = 1_000
[[step]]
do = "produce"
records = ["m0"]
acks = "1"
[[step]]
do = "wait"
until = "B leads"
within_ms = 20_000
"""
    )

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_it_believes_to_lead_and_nobody_reaches_it(self, era_id: str, replay: Replay) -> None:
        trace = made(self.BODY, era_id)
        assert replay(trace, 2).replicas["A"].role == "leader"
        assert len(events(trace, "produce_failed", step=3)) == 1

    @pytest.mark.parametrize("era_id", KRAFT)
    def test_then_it_is_fenced_and_b_leads(self, era_id: str) -> None:
        trace = made(self.BODY, era_id)
        (fenced,) = events(trace, "broker_fenced")
        (elected,) = events(trace, "leader_elected", step=4)
        assert (fenced.values["replica"], elected.values["leader"], elected.cause) == (1, 2, fenced.seq)


@pytest.mark.parametrize("era_id", KRAFT)
def test_a_stopped_last_member_leaves_the_partition_without_a_leader_at_once(
    era_id: str, replay: Replay
) -> None:
    body = (
        TWO
        + """
[start]
isr = ["A"]
[[step]]
do = "stop"
broker = "A"
"""
    )
    trace = made(body, era_id)
    (ended,) = events(trace, "controlled_shutdown_ended")
    state = replay(trace, 1)
    assert (ended.values["aux"], state.leader) == (1, "-")
    assert state.isr == (() if era(era_id).switches.eligible_leaders == "on" else ("A",))
