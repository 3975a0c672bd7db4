"""Watermarks and the in-sync set, row by row of the domain: values of the articles or of Kafka."""

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
HW_ERAS = tuple(one.id for one in ERAS if one.switches.truncation == "high-watermark")
ZK_ERAS = tuple(one.id for one in ERAS if one.switches.controller == "zookeeper")
EPOCH_ERAS = tuple(one.id for one in ERAS if one.switches.truncation != "high-watermark")


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def numbers(state: Any, names: str) -> list[tuple[int, int]]:
    return [(state.replicas[name].leo, state.replicas[name].hw) for name in names]


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestHwIsMin:
    def test_leader_10_followers_8_and_7_give_7(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-is-min", era_id)
        assert replay(trace, 1).replicas["A"].hw == 6
        state = replay(trace, 2)
        assert (state.replicas["A"].leo, state.replicas["A"].remote) == (10, {2: 8, 3: 7})
        assert state.replicas["A"].hw == 7

    def test_the_faster_follower_moves_nothing_the_slower_does(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-is-min", era_id)
        assert [replay(trace, step).replicas["A"].hw for step in (3, 4)] == [7, 8]

    def test_fetches_at_7_and_5_alone_leave_it_at_3(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-never-back", era_id)
        assert [replay(trace, step).replicas["A"].hw for step in (0, 1, 2, 3, 4)] == [3, 3, 3, 4, 4]


@pytest.mark.parametrize("era_id", ALL_ERAS)
@pytest.mark.parametrize("way", ["before", "after"])
def test_one_fetch_value_by_value(era_id: str, way: str, replay: Replay) -> None:
    trace = run("one-fetch", era_id, fetch_answer_hw=way)
    assert numbers(replay(trace, 0), "AB") == [(10, 7), (7, 6)]
    (answer,) = events(trace, "fetch_answered")
    assert (answer.values["from_offset"], answer.values["aux"], answer.values["hw"]) == (7, 1, 7)
    state = replay(trace, 1)
    assert state.replicas["A"].remote == {2: 7}
    assert numbers(state, "AB") == [(10, 7), (8, 7)]


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_a_parked_fetch_is_answered_after_500_ms_or_with_the_next_record(era_id: str) -> None:
    trace = run("fetch-purgatory", era_id)
    (first,), (second,) = (events(trace, "fetch_parked", step=step) for step in (2, 4))
    (empty,), (woken,) = (events(trace, "fetch_answered", step=step) for step in (3, 5))
    (appended,) = [one for one in events(trace, "appended", step=5) if one.values["broker"] == 1]
    assert (empty.at - first.at, empty.values["aux"]) == (500_000_000, 0)
    assert (woken.at, woken.values["aux"], woken.cause) == (appended.at, 1, appended.seq)
    assert woken.at - second.at < 500_000_000


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_a_restarted_follower_is_caught_up_before_it_is_in_the_isr(era_id: str, replay: Replay) -> None:
    trace = run("isr-rejoin", era_id)
    caught_up = replay(trace, 3)
    assert numbers(caught_up, "AB") == [(4, 4), (4, 4)]
    assert caught_up.isr == replay(trace, 4).isr == ("A",)
    assert replay(trace, 5).isr == ("A", "B")
    (fetched,) = events(trace, "fetch_received", step=5)
    (joins,) = events(trace, "isr_expand_proposed")
    assert fetched.values["offset"] == 4
    assert joins.seq > fetched.seq
    assert joins.at == fetched.at


class TestLeaderDies:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_below_7_survives_with_either_follower(self, era_id: str, replay: Replay) -> None:
        for name in ("leader-dies-hw7", "leader-dies-hw7-c"):
            trace = run(name, era_id)
            assert [one for one, _ in numbers(replay(trace, 0), "ABC")] == [10, 8, 7]
            last = max(one.position for one in events(trace, "step"))
            for seen in replay(trace, last).replicas.values():
                assert seen.records[:7] == [f"r{offset}" for offset in range(7)]

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_b_keeps_7_and_c_has_it_not(self, era_id: str, replay: Replay) -> None:
        kept, gone = replay(run("leader-dies-hw7", era_id), 5), replay(run("leader-dies-hw7-c", era_id), 6)
        assert [seen.records[7:] for seen in kept.replicas.values()] == [["r7", "n8"]] * 3
        assert [seen.records[7:] for seen in gone.replicas.values()] == [["n7"]] * 3

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_both_elections_are_clean(self, era_id: str) -> None:
        for name, leader in (("leader-dies-hw7", 2), ("leader-dies-hw7-c", 3)):
            elected = events(run(name, era_id), "leader_elected")[-1]
            assert (elected.values["leader"], elected.values["aux"]) == (leader, Election.CLEAN)


class TestTen:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_fetch_at_8_raises_7_to_8_and_is_not_answered(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-loss-ten", era_id)
        assert numbers(replay(trace, 0), "AB") == [(10, 7), (8, 7)]
        assert numbers(replay(trace, 2), "AB") == [(10, 8), (8, 7)]

    @pytest.mark.parametrize("era_id", HW_ERAS)
    def test_by_high_watermark_7_to_9_are_gone_of_which_7_was_committed(
        self, era_id: str, replay: Replay
    ) -> None:
        trace = run("hw-loss-ten", era_id)
        assert numbers(replay(trace, 4), "B") == [(7, 7)]
        state = replay(trace, 7)
        assert [seen.records for seen in state.replicas.values()] == [[*(f"r{n}" for n in range(7)), "n"]] * 2

    @pytest.mark.parametrize("era_id", [one.id for one in ERAS if one.id not in ZK_ERAS])
    def test_with_kraft_b_may_not_lead_and_all_ten_stand(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-loss-ten", era_id)
        assert replay(trace, 4).leader == "-"
        assert not events(trace, "truncated")
        assert replay(trace, 7).replicas["A"].records == [*(f"r{n}" for n in range(10)), "n"]

    @pytest.mark.parametrize("era_id", [one for one in EPOCH_ERAS if one in ZK_ERAS])
    def test_by_epochs_7_stays_and_only_8_and_9_go(self, era_id: str, replay: Replay) -> None:
        trace = run("hw-loss-ten", era_id)
        (cut,) = events(trace, "truncated")
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (1, 10, 8)
        state = replay(trace, 7)
        assert [seen.records for seen in state.replicas.values()] == [[*(f"r{n}" for n in range(8)), "n"]] * 2

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_old_leader_cuts_8_and_9_and_takes_those_of_epoch_2(
        self, era_id: str, replay: Replay
    ) -> None:
        trace = run("hw-divergence-ten", era_id)
        (cut,) = events(trace, "truncated")
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (1, 10, 8)
        state = replay(trace, 4)
        assert [seen.log[8:] for seen in state.replicas.values()] == [[("n8", 2), ("n9", 2)]] * 2

    @pytest.mark.parametrize("era_id", EPOCH_ERAS)
    def test_it_hears_that_epoch_1_ended_at_8(self, era_id: str) -> None:
        trace = run("hw-divergence-ten", era_id)
        (said,) = events(trace, "epoch_end_answered", "fetch_diverged")
        assert said.values["offset"] == 8
        (cut,) = events(trace, "truncated")
        assert cut.values["aux"] in (CutReason.LEADER_EPOCH, CutReason.DIVERGING_EPOCH)
