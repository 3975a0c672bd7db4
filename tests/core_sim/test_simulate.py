"""What every trace of a simulation is like, and the ways of the engine that no shipped scenario shows."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from core.errors import CancelledError
from core.kafka.eras import ERAS, Era, era, with_switches
from core.message import Message, message
from core.sim.chance import Chance
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.digest import content_digest
from core.trace.trace import Event, Origin, Trace
from core.trace.vocabulary import Basis, CutReason, StopReason
from core.work import Work
from tests.core_sim.rounds import by_era, together
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

HEAD = """\
schema = 1
id = "made"
title = { en = "Made", zh = "编" }
story = { en = "Made for a test.", zh = "测试。" }
"""


def made(body: str, rules: Era, *, seed: int = 1) -> Trace:
    steps = body.replace("[[step]]", '[[step]]\nlabel = { en = "s", zh = "步" }')
    return simulate(parse_scenario(HEAD + steps), rules, seed=seed)


def of_kind(trace: Trace, *kinds: str) -> list[Event]:
    return [event for event in map(trace.event, range(len(trace))) if event.kind in kinds]


@pytest.fixture(params=scenario_ids())
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def in_each(held: Callable[[Any, str, Era], None]) -> Callable[[Any, str, Sequence[Era]], None]:
    """A test of a scenario in some eras, from what is held in one."""

    def test(self: Any, name: str, eras: Sequence[Era]) -> None:
        for rules in eras:
            held(self, name, rules)

    return test


@pytest.mark.parametrize("eras", together())
class TestEveryTrace:
    @in_each
    def test_it_says_what_it_is(self, name: str, rules: Era) -> None:
        trace = simulated(name, rules)
        assert (trace.name, trace.origin) == (rules.id, Origin.SIMULATED)
        if not scenario(name).releases:
            assert {broker.version for broker in trace.brokers} == {rules.release}
        assert trace.facts["scenario"] == name
        assert trace.facts["script"] == scenario(name).text
        assert trace.facts["switches"] == ""
        assert trace.sources[0].path == f"{name}.toml"

    @in_each
    def test_every_event_leads_to_its_step_and_line(self, name: str, rules: Era) -> None:
        trace = simulated(name, rules)
        steps = {step.number: step.line for step in scenario(name).steps}
        last = 0
        for event in map(trace.event, range(len(trace))):
            assert event.source == 0
            assert event.basis == Basis.OBSERVED
            assert event.line == steps.get(event.position, scenario(name).start_line)
            assert event.position >= last
            last = event.position
            assert event.cause is None or event.cause < event.seq
        lines = {kept.line: kept for kept in trace.lines}
        raw = scenario(name).text.encode()
        assert all(lines[line].text.strip() == "[[step]]" for line in steps.values())
        assert all(
            raw[kept.byte : kept.byte + len(kept.text.encode())].decode() == kept.text
            for kept in lines.values()
        )

    @in_each
    def test_steps_are_the_same_in_every_era(self, name: str, rules: Era) -> None:
        numbers = [event.values["aux"] for event in of_kind(simulated(name, rules), "step")]
        assert numbers == [step.number for step in scenario(name).steps]

    @in_each
    def test_every_condition_of_a_shipped_scenario_is_met_but_that_somebody_is_elected(
        self, name: str, rules: Era
    ) -> None:
        missed = [one.position for one in of_kind(simulated(name, rules), "condition_not_met")]
        kraft, ignores = rules.switches.controller == "kraft", rules.switches.unclean_setting == "ignored"
        nobody_leads = {
            "hw-loss": [10] if kraft else [],
            "hw-loss-ten": [4] if kraft else [],
            "consumer-out-of-range": [10] if kraft else [],
            "protocol-raised": [24] if kraft else [],
            "hw-divergence": [8] if ignores else [],
            "three-broker-loss": [1] if ignores else [],
            # B knows no epochs, and refuses A's fetches, which name one, again and again (format-raised).
            "old-records-kept": [5, 6, 9, 12] if rules.id == "2.8" else [],
        }
        assert missed == nobody_leads.get(name, [])

    @in_each
    def test_an_answer_follows_a_fetch_and_a_delivery_an_answer(self, name: str, rules: Era) -> None:
        trace = simulated(name, rules)
        before = {
            "fetch_received": {"fetch_sent"},
            "fetch_answered": {"fetch_received", "fetch_parked", "appended"},
            "fetch_delivered": {"fetch_answered"},
            "truncated": {"truncation_decided"},
        }
        if rules.switches.hw_sending == "when-behind":
            before["fetch_answered"].add("hw_moved")
        for event in of_kind(trace, *before):
            assert event.cause is not None
            if event.get("aux") == CutReason.RECOVERY and event.kind == "truncated":
                continue
            assert trace.event(event.cause).kind in before[event.kind]

    @in_each
    def test_the_same_run_has_the_same_digest(self, name: str, rules: Era) -> None:
        assert content_digest(simulated(name, rules)) == content_digest(simulate(scenario(name), rules))


def test_a_seed_changes_the_luck_of_messages_and_nothing_else() -> None:
    body = """
[cluster]
brokers = ["A", "B"]
[limits]
jitter_us = 500
[[step]]
do = "produce"
count = 20
every_ms = 3
acks = "all"
[[step]]
do = "wait"
for_ms = 2_000
"""
    one, again, other = (made(body, era("2.8"), seed=seed) for seed in (1, 1, 2))
    assert content_digest(one) == content_digest(again)
    times = [[event.at for event in of_kind(trace, "fetch_received")] for trace in (one, other)]
    assert times[0] != times[1]
    assert len(of_kind(one, "acknowledged")) == len(of_kind(other, "acknowledged")) == 20


def test_chance_is_keyed_and_stays_below_its_limit() -> None:
    luck = Chance(7)
    drawn = [luck.below(10, "fetch", 1, 2, nth) for nth in range(300)]
    assert drawn == [Chance(7).below(10, "fetch", 1, 2, nth) for nth in range(300)]
    assert set(drawn) == set(range(10))
    assert drawn != [Chance(8).below(10, "fetch", 1, 2, nth) for nth in range(300)]
    with pytest.raises(ValueError, match="below 1"):
        luck.below(0, "x")


def test_a_long_workload_is_written_to_its_end() -> None:
    body = '[cluster]\nbrokers = ["A"]\n[[step]]\ndo = "produce"\ncount = 40\nevery_ms = 5_000\nacks = "1"\n'
    trace = made(body, era("2.8"))
    assert len(of_kind(trace, "acknowledged")) == 40
    assert not of_kind(trace, "condition_not_met")


def test_work_can_be_stopped() -> None:
    with pytest.raises(CancelledError):
        simulate(scenario("hw-loss"), era("2.8"), work=Work(stopped=lambda: True))


def test_work_reports_each_step() -> None:
    steps: list[tuple[int, int, Message | None]] = []
    simulate(scenario("two-replica-sync"), era("2.8"), work=Work(progress=lambda *args: steps.append(args)))
    assert steps[0] == (0, 4, message("progress.named", name="produce m0"))
    assert steps[-1] == (4, 4, message("progress.done"))


FREE = """
[cluster]
brokers = ["A", "B"]
[[step]]
do = "wait"
for_ms = 100
[[step]]
do = "produce"
records = ["m0"]
acks = "all"
until = "B has high watermark 1"
within_ms = 2_000
"""


@pytest.mark.parametrize("rules", by_era())
class TestFreeFetching:
    def test_a_parked_fetch_is_woken_by_a_produce(self, rules: Era) -> None:
        trace = made(FREE, rules)
        parked = of_kind(trace, "fetch_parked")[0]
        answered = of_kind(trace, "fetch_answered")[0]
        appended = of_kind(trace, "appended")[0]
        assert parked.at < answered.at == appended.at
        assert answered.cause == appended.seq

    def test_an_idle_follower_fetches_again_after_500_ms(self, rules: Era) -> None:
        trace = made(FREE + '[[step]]\ndo = "wait"\nfor_ms = 3_000\n', rules)
        parked = [event.at for event in of_kind(trace, "fetch_parked")][2:]
        assert {b - a for a, b in pairwise(parked)} == {502_000_000}

    def test_a_follower_of_a_dead_leader_tries_again_every_second(self, rules: Era) -> None:
        body = FREE + '[[step]]\ndo = "crash"\nbroker = "A"\nfor_ms = 4_500\n'
        failed = of_kind(made(body, rules), "fetch_failed")
        assert {event.values["aux"] for event in failed} == {StopReason.UNREACHABLE}
        assert {b.at - a.at for a, b in pairwise(failed)} == {1_000_000_000}
        assert len(failed) == 4

    def test_a_restarted_follower_joins_again_and_the_isr_is_whole(
        self, rules: Era, replay: Callable[..., Any]
    ) -> None:
        body = (
            FREE
            + """
[[step]]
do = "crash"
broker = "B"
until = "B is not in the ISR"
within_ms = 60_000
[[step]]
do = "start"
broker = "B"
until = "B is in the ISR"
within_ms = 5_000
[[step]]
do = "wait"
for_ms = 2_000
"""
        )
        trace = made(body, rules)
        assert not of_kind(trace, "condition_not_met")
        state = replay(trace, 5)
        assert state.isr == ("A", "B")
        assert (state.replicas["B"].leo, state.replicas["B"].hw) == (1, 1)


class TestProducers:
    def test_too_few_in_sync_replicas_refuse_acks_all(self) -> None:
        body = """
[cluster]
brokers = ["A", "B"]
[settings]
"min.insync.replicas" = 2
[start]
isr = ["A"]
[cluster.x]
""".replace("[cluster.x]\n", "")
        body = body.replace('brokers = ["A", "B"]', 'brokers = ["A", "B"]\nfetching = "by-step"')
        trace = made(body + '[[step]]\ndo = "produce"\nrecords = ["m0"]\nacks = "all"\n', era("2.8"))
        (failed,) = of_kind(trace, "produce_failed")
        assert failed.get("offset") is None
        assert not of_kind(trace, "appended")

    def test_acks_all_times_out_and_the_record_stays(self) -> None:
        body = """
[cluster]
brokers = ["A", "B"]
fetching = "by-step"
[settings]
"replica.lag.time.max.ms" = 100_000
[[step]]
do = "produce"
records = ["m0"]
acks = "all"
[[step]]
do = "wait"
for_ms = 31_000
[[step]]
do = "fetch-freely"
brokers = ["B"]
until = "A has high watermark 1"
within_ms = 2_000
"""
        trace = made(body, era("0.11"))
        (failed,) = of_kind(trace, "produce_failed")
        (appended, _) = of_kind(trace, "appended")
        assert failed.at - appended.at == 30_000_000_000
        assert (failed.values["from_offset"], failed.values["offset"]) == (0, 1)
        assert not of_kind(trace, "condition_not_met", "acknowledged")

    def test_acks_0_is_never_answered(self) -> None:
        body = '[cluster]\nbrokers = ["A"]\n[[step]]\ndo = "produce"\nrecords = ["m0"]\nacks = "0"\n'
        trace = made(body, era("2.8"))
        assert len(of_kind(trace, "produced")) == 1
        assert not of_kind(trace, "acknowledged")


def test_to_2_0_a_broker_that_may_not_cut_exits() -> None:
    rules = with_switches(era("0.10.2"), {"unclean-election": "false"})
    trace = simulated("hw-loss", rules)
    (gone,) = of_kind(trace, "broker_exited")
    assert (gone.values["replica"], gone.position) == (1, 11)
    assert len(of_kind(trace, "truncated")) == 1


def test_an_epoch_request_to_a_dead_leader_is_repeated_every_second() -> None:
    script = scenario("hw-loss").text.replace('until = "B sends a fetch"', 'until = "B follows A"')
    trace = simulate(parse_scenario(script), era("0.11"))
    failed = of_kind(trace, "epoch_end_failed")
    assert {b.at - a.at for a, b in pairwise(failed)} == {1_000_000_000}
    assert {event.values["aux"] for event in failed} == {StopReason.UNREACHABLE}
    assert not of_kind(trace, "truncated")  # it keeps everything until it leads


def test_a_condition_that_is_not_met_is_told_at_its_limit_and_the_run_goes_on() -> None:
    body = """
[cluster]
brokers = ["A", "B"]
fetching = "by-step"
[[step]]
do = "wait"
until = "B leads"
within_ms = 250
[[step]]
do = "produce"
records = ["m0"]
acks = "1"
"""
    trace = made(body, era("2.8"))
    (unmet,) = of_kind(trace, "condition_not_met")
    assert (unmet.at, unmet.values["aux"]) == (250_000_000, 1)
    assert len(of_kind(trace, "acknowledged")) == 1


def test_a_restart_goes_by_the_checkpoint_and_not_by_what_was_in_memory() -> None:
    body = FREE + '[[step]]\ndo = "crash"\nbroker = "B"\n[[step]]\ndo = "start"\nbroker = "B"\n'
    trace = made(body, era("2.8"))
    moved = [event.values["hw"] for event in of_kind(trace, "hw_moved") if event.values["replica"] == 2]
    assert moved[0] == 1  # at 0.6 s, before the first checkpoint at 5 s
    (loaded,) = of_kind(trace, "hw_loaded")
    assert loaded.values["hw"] == 0


def test_a_broker_that_is_back_before_its_session_expires_is_not_missed() -> None:
    body = (
        FREE
        + """
[[step]]
do = "crash"
broker = "B"
for_ms = 2_000
[[step]]
do = "start"
broker = "B"
for_ms = 1_000
[[step]]
do = "crash"
broker = "B"
for_ms = 25_000
"""
    )
    for rules in ERAS:
        trace = made(body, rules)
        if rules.switches.controller == "kraft":
            continue
        (expired,) = of_kind(trace, "session_expired")
        crashed = of_kind(trace, "broker_crashed")[-1]
        assert expired.at - crashed.at == int(rules.switches.session_timeout_ms) * 1_000_000


PENDING = """
[cluster]
brokers = ["A", "B", "C"]
fetching = "by-step"
[settings]
"zookeeper.session.timeout.ms" = 6_000
"replica.lag.time.max.ms" = 1_000
[start]
isr = ["A"]
[[step]]
do = "crash"
broker = "C"
controller_fails_over = true
[[step]]
do = "produce"
records = ["m0"]
acks = "1"
[[step]]
do = "fetch"
brokers = ["B"]
times = 3
[[step]]
do = "wait"
for_ms = 2_000
[[step]]
do = "produce"
records = ["m1"]
acks = "1"
[[step]]
do = "wait"
for_ms = 500
"""


def test_a_proposed_member_counts_until_the_controller_has_answered(replay: Callable[..., Any]) -> None:
    trace = made(PENDING, era("2.8"))
    (proposed,) = of_kind(trace, "isr_expand_proposed")  # one at a time, though B fetches three times
    assert trace.isrs[proposed.values["isr"]] == (1, 2)
    assert not of_kind(trace, "isr_committed")  # no controller is there to answer
    state = replay(trace, 6)
    assert state.isr == ("A",)
    assert (state.replicas["A"].leo, state.replicas["A"].hw) == (2, 1)


def test_through_zookeeper_a_change_needs_no_controller(replay: Callable[..., Any]) -> None:
    trace = made(PENDING, era("0.10.2"))
    (committed, *_) = of_kind(trace, "isr_committed")
    assert trace.isrs[committed.values["isr"]] == (1, 2)


ANEW = {"2.1": [1], "2.4": [1], "2.8": [1], "3.3": [1], "3.5": [1]}


def test_an_epoch_without_a_change_of_leader_begins_the_following_anew_since_2_1() -> None:
    added = {
        rules.id: [
            event.values["epoch"] for event in of_kind(simulated("isr-shrink", rules), "fetcher_added")
        ]
        for rules in ERAS
    }
    assert added == {
        # From 3.6 the dead follower leaves without a new epoch (KAFKA-15021).
        rules.id: [0, 0, *ANEW.get(rules.id, ())]
        for rules in ERAS
    }


def test_a_new_controller_elects_where_the_leader_died_with_the_old_one(replay: Callable[..., Any]) -> None:
    body = (
        FREE
        + """
[[step]]
do = "crash"
broker = "A"
controller_fails_over = true
until = "B leads"
within_ms = 25_000
"""
    )
    for rules in ERAS:
        trace = made(body, rules)
        assert not of_kind(trace, "condition_not_met")
        (controller,) = of_kind(trace, "controller_elected")
        elected = of_kind(trace, "leader_elected")[-1]
        if rules.switches.controller == "kraft":  # all sessions begin anew, and the dead leader's runs out
            assert elected.at - controller.at == 9_000_000_000
            continue
        assert elected.cause == controller.seq
        # From 2.3 (KAFKA-3143) it takes the dead leader out first, which costs an epoch.
        epoch = 2 if rules.switches.controller_start == "drops-dead" else 1
        assert (elected.values["leader"], elected.values["epoch"]) == (2, epoch)


def test_a_new_controller_of_2_8_takes_a_dead_follower_out_and_one_of_0_10_does_not() -> None:
    body = (
        FREE
        + """
[[step]]
do = "crash"
broker = "B"
controller_fails_over = true
for_ms = 25_000
"""
    )
    body = body.replace("[[step]]", '[settings]\n"replica.lag.time.max.ms" = 100_000\n[[step]]', 1)
    old, new = made(body, era("0.10.2")), made(body, era("2.8"))
    assert not of_kind(old, "isr_committed")
    assert [new.isrs[event.values["isr"]] for event in of_kind(new, "isr_committed")] == [(1,)]
