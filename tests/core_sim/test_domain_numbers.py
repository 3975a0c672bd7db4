"""The numbers of the domain, row by row. Every expected value is from the articles or from Kafka's rules."""

from collections.abc import Callable
from typing import Any

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason, Election, StopReason
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

ALL_ERAS = tuple(one.id for one in ERAS)
EPOCH_ERAS = tuple(one.id for one in ERAS if one.switches.truncation != "high-watermark")
ZK_ERAS = tuple(one.id for one in ERAS if one.switches.controller == "zookeeper")
KRAFT_ERAS = tuple(one for one in ALL_ERAS if one not in ZK_ERAS)
OBEYING_ERAS = tuple(one.id for one in ERAS if one.switches.unclean_setting == "obeyed")
"""Eras whose controller elects uncleanly if it is allowed to: not KRaft before 3.9 (KAFKA-12670)."""
WAITING_ERAS = tuple(one.id for one in ERAS if one.switches.hw_sending == "with-data")
Replay = Callable[[Trace, int], Any]


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def events(trace: Trace, *kinds: str, step: int | None = None, replica: int | None = None) -> list[Event]:
    found = [trace.event(seq) for seq in range(len(trace))]
    return [
        event
        for event in found
        if event.kind in kinds
        and (step is None or event.position == step)
        and (replica is None or event.get("replica") == replica)
    ]


def numbers(state: Any, name: str) -> tuple[int, int]:
    return state.replicas[name].leo, state.replicas[name].hw


class TestTwoReplicaSync:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_after_produce_the_leader_alone_has_the_record(self, era_id: str, replay: Replay) -> None:
        state = replay(run("two-replica-sync", era_id), 1)
        assert numbers(state, "A") == (1, 0)
        assert state.replicas["A"].remote == {2: 0}
        assert numbers(state, "B") == (0, 0)

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_first_fetch_copies_and_moves_no_high_watermark(self, era_id: str, replay: Replay) -> None:
        state = replay(run("two-replica-sync", era_id), 2)
        assert numbers(state, "A") == (1, 0)
        assert numbers(state, "B") == (1, 0)

    @pytest.mark.parametrize("era_id", WAITING_ERAS)
    def test_kafka_parks_the_second_fetch_and_answers_after_500_ms(self, era_id: str, replay: Replay) -> None:
        trace = run("two-replica-sync", era_id)
        state = replay(trace, 3)
        assert numbers(state, "A") == (1, 1)
        assert state.replicas["A"].remote == {2: 1}
        assert numbers(state, "B") == (1, 0)
        (parked,) = events(trace, "fetch_parked")
        (answered,) = events(trace, "fetch_answered", step=4)
        assert answered.at - parked.at == 500_000_000
        assert (answered.values["hw"], answered.values["aux"]) == (1, 0)
        assert numbers(replay(trace, 4), "B") == (1, 1)

    def test_2_4_answers_the_second_fetch_as_soon_as_it_has_raised_the_high_watermark(
        self, replay: Replay
    ) -> None:
        trace = run("two-replica-sync", "2.4")
        (parked,), answered = events(trace, "fetch_parked", step=3), events(trace, "fetch_answered", step=3)
        assert (answered[-1].at, answered[-1].values["hw"]) == (parked.at, 1)
        assert numbers(replay(trace, 3), "B") == (1, 1)

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_articles_answer_carries_the_new_high_watermark(self, era_id: str, replay: Replay) -> None:
        trace = run("two-replica-sync", era_id, fetch_answer_hw="after")
        assert not events(trace, "fetch_parked")
        (answered,) = events(trace, "fetch_answered", step=3)
        assert answered.values["hw"] == 1
        state = replay(trace, 3)
        assert numbers(state, "A") == (1, 1)
        assert numbers(state, "B") == (1, 1)


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestThreeReplicaSync:
    def test_followers_take_two_and_one_and_all_high_watermarks_are_0(
        self, era_id: str, replay: Replay
    ) -> None:
        state = replay(run("three-replica-sync", era_id), 3)
        assert [numbers(state, name) for name in "ABC"] == [(3, 0), (2, 0), (1, 0)]

    def test_kafka_answers_both_with_0(self, era_id: str, replay: Replay) -> None:
        trace = run("three-replica-sync", era_id)
        assert [event.values["hw"] for event in events(trace, "fetch_answered", step=4)] == [0, 0]
        state = replay(trace, 4)
        assert [numbers(state, name) for name in "ABC"] == [(3, 1), (3, 0), (2, 0)]
        assert state.replicas["A"].remote == {2: 2, 3: 1}

    def test_the_articles_answer_both_with_1(self, era_id: str, replay: Replay) -> None:
        trace = run("three-replica-sync", era_id, fetch_answer_hw="after")
        assert [event.values["hw"] for event in events(trace, "fetch_answered", step=4)] == [1, 1]
        state = replay(trace, 4)
        assert [numbers(state, name) for name in "ABC"] == [(3, 1), (3, 1), (2, 1)]

    def test_kafka_goes_on_until_all_stand_at_3(self, era_id: str, replay: Replay) -> None:
        trace = run("three-replica-sync", era_id)
        waits = era_id in WAITING_ERAS  # 2.4 answers an empty fetch at once: the follower's 0 is behind 1
        parked = [event.values["offset"] for event in events(trace, "fetch_parked", step=5)]
        assert parked == ([3] if waits else [])
        (answered,) = events(trace, "fetch_answered", step=6)
        assert answered.values["hw"] == 1
        state = replay(trace, 6)
        b_stands_at = 0 if waits else 1
        assert [numbers(state, name) for name in "ABC"] == [(3, 2), (3, b_stands_at), (3, 1)]
        assert numbers(replay(trace, 7), "A") == (3, 3)
        # What 2.4 has answered already waits no more: B and C hear of 3 with a further fetch.
        heard = [(3, 3)] * 3 if waits else [(3, 3), (3, 1), (3, 2)]
        assert [numbers(replay(trace, 8), name) for name in "ABC"] == heard


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestIsrShrink:
    def test_the_dead_follower_leaves_when_its_session_expires(self, era_id: str, replay: Replay) -> None:
        trace = run("isr-shrink", era_id)
        (crash,) = events(trace, "broker_crashed")
        (expired,) = events(trace, "session_expired", "broker_fenced")
        # A session with ZooKeeper ends by itself; a KRaft controller counts from the last heartbeat.
        since_heartbeat = 2_000_000_000 if era_id in KRAFT_ERAS else 0
        assert 6_000_000_000 - since_heartbeat <= expired.at - crash.at <= 6_000_000_000
        state = replay(trace, 4)
        raised = int(era(era_id).switches.epoch_on_shrink == "bumped")
        assert (state.isr, state.epoch, state.leader) == (("A", "C"), raised, "A")

    def test_the_lagging_one_holds_the_high_watermark_until_it_leaves(
        self, era_id: str, replay: Replay
    ) -> None:
        trace = run("isr-shrink", era_id)
        state = replay(trace, 5)
        assert numbers(state, "A") == (3, 1)
        assert not events(trace, "acknowledged", step=5)
        state = replay(trace, 6)
        assert state.isr == ("A",)
        assert numbers(state, "A") == (3, 3)
        assert len(events(trace, "acknowledged", step=6)) == 2

    def test_it_leaves_between_once_and_one_and_a_half_times_the_lag_time(self, era_id: str) -> None:
        trace = run("isr-shrink", era_id)
        (shrink,) = events(trace, "isr_shrink_proposed")
        # From its last fetch, or from the new leader epoch that the exit of B brings to 3.5.
        last = [one for one in events(trace, "fetch_received", "became_leader") if one.seq < shrink.seq][-1]
        assert 10_000_000_000 < shrink.at - last.at <= 15_000_000_000


class TestHwLoss:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_before_the_kill_a_stands_at_2_and_b_at_high_watermark_1(
        self, era_id: str, replay: Replay
    ) -> None:
        state = replay(run("hw-loss", era_id), 6)
        assert numbers(state, "A") == (2, 2)
        assert numbers(state, "B") == (2, 1)
        assert state.replicas["B"].disk == 1

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_m1_is_acknowledged_to_a_producer_with_acks_all(self, era_id: str) -> None:
        (acked,) = events(run("hw-loss", era_id), "acknowledged", step=6)
        assert (acked.values["from_offset"], acked.values["offset"], acked.values["aux"]) == (1, 2, -1)

    @pytest.mark.parametrize("era_id", KRAFT_ERAS)
    def test_with_kraft_b_is_out_of_the_isr_before_it_serves_again_and_nobody_leads_until_a_is_back(
        self, era_id: str, replay: Replay
    ) -> None:
        """As in recordings/k43-failover, round 1 (lab-findings-kraft.md, 5)."""
        trace = run("hw-loss", era_id)
        (fenced, _) = events(trace, "broker_fenced", step=10)
        (registered,) = events(trace, "broker_registered", step=10)
        assert (fenced.values["replica"], registered.values["replica"]) == (2, 2)
        assert fenced.seq < registered.seq
        state = replay(trace, 10)
        assert (state.leader, state.isr) == (
            "-",
            () if era(era_id).switches.eligible_leaders == "on" else ("A",),
        )
        state = replay(trace, 11)
        assert (state.leader, state.replicas["A"].records) == ("A", ["m0", "m1"])

    @pytest.mark.parametrize("era_id", ZK_ERAS)
    def test_the_election_of_b_is_clean(self, era_id: str) -> None:
        (elected,) = events(run("hw-loss", era_id), "leader_elected", step=10)
        assert (elected.values["leader"], elected.values["aux"]) == (2, Election.CLEAN)

    def test_0_10_2_cuts_b_to_1_then_a_to_1_and_m1_is_gone(self, replay: Replay) -> None:
        trace = run("hw-loss", "0.10.2")
        cuts = [
            (event.position, event.values["replica"], event.values["from_offset"], event.values["offset"])
            for event in events(trace, "truncated")
        ]
        assert cuts == [(8, 2, 2, 1), (11, 1, 2, 1)]
        reasons = [event.values["aux"] for event in events(trace, "truncated")]
        assert reasons == [CutReason.LOCAL_HIGH_WATERMARK, CutReason.LEADER_END]
        assert events(trace, "fetch_sent", step=8)[0].values["offset"] == 1
        (noop,) = events(trace, "truncation_noop", step=11)
        assert (noop.values["replica"], noop.values["offset"], noop.values["leo"]) == (1, 2, 2)
        (refused,) = events(trace, "fetch_failed", step=11)
        assert (refused.values["offset"], refused.values["aux"]) == (2, StopReason.OFFSET_OUT_OF_RANGE)
        after = replay(trace, 11)
        assert [after.replicas[name].records for name in "AB"] == [["m0"], ["m0"]]
        assert [replay(trace, 13).replicas[name].records for name in "AB"] == [["m0", "m2"]] * 2

    def test_to_2_3_a_cut_leaves_the_high_watermark_above_the_log_end_until_the_next_answer(
        self, replay: Replay
    ) -> None:
        trace = run("hw-loss", "0.10.2")
        assert numbers(replay(trace, 11), "A") == (1, 2)
        assert numbers(replay(trace, 12), "A") == (2, 1)

    @pytest.mark.parametrize("era_id", EPOCH_ERAS)
    def test_with_leader_epochs_nothing_is_cut_and_m1_stands(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-loss", era_id)
        assert not events(trace, "truncated")
        assert events(trace, "fetch_sent", step=8)[-1].values["offset"] == 2
        assert numbers(replay(trace, 8), "B") == (2, 1)
        state = replay(trace, 13)
        assert state.replicas["A"].records == ["m0", "m1", "m2"]
        if era_id in ZK_ERAS:  # with KRaft A leads at the end, and B may not fetch once more
            assert state.replicas["B"].records == ["m0", "m1", "m2"]
            assert state.replicas["A"].entries == state.replicas["B"].entries == [(0, 0), (1, 2)]

    def test_0_11_asks_and_hears_2(self) -> None:
        trace = run("hw-loss", "0.11")
        answers = events(trace, "epoch_end_answered")
        assert [(event.values["broker"], event.values["offset"]) for event in answers] == [(1, 2), (2, 2)]
        assert [event.values["aux"] for event in events(trace, "epoch_end_asked")] == [0, 0]

    def test_2_8_asks_nobody_and_no_fetch_diverges(self) -> None:
        trace = run("hw-loss", "2.8")
        assert not events(trace, "epoch_end_asked", "fetch_diverged")
        sent = events(trace, "fetch_sent", step=8)[0]
        assert (sent.values["offset"], sent.values["aux"]) == (2, 0)
        assert not events(trace, "fetch_received", step=9)

    def test_the_entry_of_epoch_1_comes_with_the_first_write_in_0_11_and_with_the_election_in_2_8(
        self, replay: Replay
    ) -> None:
        first_write, election = run("hw-loss", "0.11"), run("hw-loss", "2.8")
        assert replay(first_write, 10).replicas["B"].entries == [(0, 0)]
        assert replay(first_write, 12).replicas["B"].entries == [(0, 0), (1, 2)]
        assert replay(election, 10).replicas["B"].entries == [(0, 0), (1, 2)]

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_articles_switch_changes_nothing_of_the_outcome(self, era_id: str, replay: Replay) -> None:
        kafka, article = run("hw-loss", era_id), run("hw-loss", era_id, fetch_answer_hw="after")
        for step in (6, 8, 11, 13):
            one, other = replay(kafka, step), replay(article, step)
            assert [one.replicas[name].log for name in "AB"] == [other.replicas[name].log for name in "AB"]

    def test_the_rule_of_0_10_in_2_8_loses_m1_too(self, replay: Replay) -> None:
        trace = run("hw-loss", "2.8", truncation="high-watermark")
        assert replay(trace, 8).replicas["B"].records == ["m0"]
        assert replay(trace, 11).replicas["A"].records == ["m0"]
        assert trace.name == "2.8+truncation=high-watermark"


class TestHwDivergence:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_b_commits_m4_alone_and_its_checkpoint_says_3(self, era_id: str, replay: Replay) -> None:
        state = replay(run("hw-divergence", era_id), 5)
        assert state.isr == ("B",)
        assert numbers(state, "B") == (3, 3)
        assert state.replicas["B"].disk == 3
        assert state.replicas["A"].records == ["m1", "m2", "m3"]

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_a_cuts_m3_and_asks_for_2_when_b_dies(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-divergence", era_id)
        (cut,) = events(trace, "truncated", step=6)
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (1, 3, 2)
        assert events(trace, "fetch_sent", step=6)[-1].values["offset"] == 2
        assert not events(trace, "fetch_received", step=7)
        assert numbers(replay(trace, 7), "A") == (2, 2)

    @pytest.mark.parametrize(
        ("era_id", "reason"),
        [
            ("0.10.2", CutReason.LOCAL_HIGH_WATERMARK),
            ("0.11", CutReason.LEADER_EPOCH),
            ("2.8", CutReason.DIVERGING_EPOCH),
        ],
    )
    def test_the_reason_of_the_cut(self, era_id: str, reason: CutReason) -> None:
        (cut,) = events(run("hw-divergence", era_id), "truncated", step=6)
        assert cut.values["aux"] == reason

    def test_2_8_0_took_a_diverging_fetch_for_progress_and_proposed_the_follower(self) -> None:
        trace = run("hw-divergence", "2.8", diverging_fetch_leo="recorded")
        (recorded,) = events(trace, "follower_leo_recorded", step=6)
        assert (recorded.values["replica"], recorded.values["leo"]) == (1, 3)
        (proposed,) = events(trace, "isr_expand_proposed", step=6)
        assert trace.isrs[proposed.values["isr"]] == (2, 1)
        assert not events(run("hw-divergence", "2.8"), "isr_expand_proposed", step=6)

    @pytest.mark.parametrize("era_id", [one for one in ALL_ERAS if one not in OBEYING_ERAS])
    def test_kraft_to_3_8_elects_nobody_and_m4_stands(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-divergence", era_id)
        assert replay(trace, 8).leader == "-"
        state = replay(trace, 11)
        assert (state.leader, state.replicas["B"].records) == ("B", ["m1", "m2", "m4"])

    @pytest.mark.parametrize("era_id", OBEYING_ERAS)
    def test_the_election_of_a_is_unclean(self, era_id: str) -> None:
        (elected,) = events(run("hw-divergence", era_id), "leader_elected", step=8)
        assert (elected.values["leader"], elected.values["aux"]) == (1, Election.UNCLEAN)

    def test_0_10_2_ends_with_different_records_at_offset_2(self, replay: Replay) -> None:
        trace = run("hw-divergence", "0.10.2")
        assert not events(trace, "truncated", step=10)
        state = replay(trace, 11)
        assert state.replicas["A"].records == ["m1", "m2", "m5"]
        assert state.replicas["B"].records == ["m1", "m2", "m4"]
        assert [numbers(state, name) for name in "AB"] == [(3, 3), (3, 3)]
        assert set(state.isr) == {"A", "B"}

    @pytest.mark.parametrize("era_id", [one for one in EPOCH_ERAS if one in OBEYING_ERAS])
    def test_with_leader_epochs_b_cuts_m4_and_nothing_diverges(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-divergence", era_id)
        (cut,) = events(trace, "truncated", step=10)
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (2, 3, 2)
        state = replay(trace, 11)
        assert [state.replicas[name].records for name in "AB"] == [["m1", "m2", "m5"]] * 2
        assert state.replicas["A"].entries == state.replicas["B"].entries == [(0, 0), (2, 2)]

    def test_0_11_asks_for_epoch_1_and_hears_2(self) -> None:
        trace = run("hw-divergence", "0.11")
        (asked,) = events(trace, "epoch_end_asked", step=10)
        (answered,) = events(trace, "epoch_end_answered", step=10)
        assert (asked.values["aux"], answered.values["offset"]) == (1, 2)

    def test_without_unclean_elections_nobody_leads(self) -> None:
        script = scenario("hw-divergence").text.replace('enable" = true', 'enable" = false')
        from core.sim.scenario import parse_scenario

        trace = simulate(parse_scenario(script), era("2.8"))
        (gone,) = events(trace, "leaderless")
        assert (gone.position, gone.values["leader"]) == (8, -1)
        (unmet,) = events(trace, "condition_not_met")
        assert (unmet.position, unmet.values["aux"]) == (8, 8)
        assert events(trace, "leader_elected", step=10)[0].values["leader"] == 2
