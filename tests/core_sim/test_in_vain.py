"""A follower whose requests come to nothing: Kafka asks again at once for ever, a run waits and says so."""

from itertools import pairwise

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim import follower
from core.sim.ablation.outcome import outcome_of, rounds_in_vain
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.units import MILLISECOND_NS
from tests.claims.held import hold_scenario
from tests.core_sim.test_clients import events
from tests.runs import one_of, simulated

pytestmark = pytest.mark.broad(4)

A, B = 1, 2
AT_ONCE = 60
STALE = """
schema = 1
id = "asks-for-ever"
title = "An epoch without records"
story = "B led in epoch 2 and wrote nothing; A has records of epoch 1 that B has not."

[cluster]
brokers = ["A", "B"]

[start]
leader = "B"
epoch = 2

[[start.replica]]
broker = "A"
log = [{ epoch = 0, count = 3 }, { epoch = 1, count = 2 }]

[[start.replica]]
broker = "B"
log = [{ epoch = 0, count = 5 }]
epochs = [{ epoch = 0, start = 0 }, { epoch = 2, start = 5 }]

[[step]]
label = "A is elected"
do = "elect"
broker = "A"
for_ms = 10_000
"""
GROWS = """
[[step]]
label = "A grows"
do = "produce"
records = ["m5"]
acks = "1"
for_ms = 1_000
"""


ROUND_ENDS = ("fetch_offset_reset", "truncation_not_needed")


def flip(name: str, which: str, switch: str, value: str) -> tuple[str, Era]:
    return name, with_switches(era(which), {switch: value})


OUT_OF_RANGE = flip("stale-epoch-file", "3.5", "epoch-entry", "first-write")
"""The leader has no entry for its own epoch: it cannot say where B's ends (Partition.readRecords, 3.5)."""
DIVERGING = flip("elections", "2.4", "truncation", "fetch-divergence")
"""KAFKA-10706 beside fetches that name epochs, as in 2.7.0: an entry at the end of a log stays."""


def test_the_same_question_is_asked_sixty_times_at_once_and_then_when_the_leader_has_changed() -> None:
    """KAFKA-10706 in 2.4: the answer is the end of epoch 1, which B does not know; its entry for 2 stays."""
    trace = simulate(parse_scenario(STALE), era("2.4"))
    asked = [one.at for one in events(trace, "epoch_end_asked")]
    assert [after - before for before, after in pairwise(asked)] == [2 * MILLISECOND_NS] * (AT_ONCE - 1)

    trace = simulate(parse_scenario(STALE + GROWS), era("2.4"))
    asked = [one.at for one in events(trace, "epoch_end_asked")]
    assert len(asked) == AT_ONCE + 1
    (grown,) = [one for one in events(trace, "appended") if one.values["offset"] == 6]
    assert 0 < asked[-1] - grown.at <= 100 * MILLISECOND_NS
    (told,) = events(trace, "rounds_in_vain")
    assert told.values["aux"] == AT_ONCE
    assert (told.values["replica"], told.values["leader"], told.values["offset"]) == (B, A, 5)


def test_where_the_entry_goes_nobody_asks_in_vain() -> None:
    """2.6.1: B asks for epoch 0 then, which ends at 3 in A's log."""
    trace = simulate(parse_scenario(STALE), with_switches(era("2.4"), {"epoch-cache-cut": "always"}))
    assert [one.values["aux"] for one in events(trace, "epoch_end_asked")] == [2, 0]
    assert not events(trace, "rounds_in_vain")


@pytest.mark.parametrize("loop", [OUT_OF_RANGE, DIVERGING], ids=["out-of-range", "diverging"])
def test_a_follower_that_fetches_in_vain_waits_after_sixty_rounds(
    loop: tuple[str, Era],
) -> None:
    trace = simulated(*loop)
    told = events(trace, "rounds_in_vain")
    assert told
    for one in told:
        mine = [
            each
            for each in events(trace, "fetcher_added", "fetch_sent", *ROUND_ENDS)
            if each.values["replica"] == one.values["replica"]
        ]
        began = max(each.seq for each in mine if each.kind == "fetcher_added" and each.seq < one.seq)
        rounds = [each for each in mine if each.kind in ROUND_ENDS and began < each.seq < one.seq]
        assert len(rounds) == AT_ONCE
        later = [each.at for each in mine if each.kind == "fetch_sent" and each.seq > one.seq]
        assert not later or later[0] - one.at >= 100 * MILLISECOND_NS


def test_what_the_run_costs_is_what_it_would_cost_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    name, rules = DIVERGING
    slowed = simulated(name, rules)
    monkeypatch.setattr(follower, "ROUNDS_AT_ONCE", 1 << 30)
    at_once = simulate(scenario(name), rules)

    assert len(slowed) < len(at_once)
    assert outcome_of(slowed) == outcome_of(at_once)


def test_the_first_loop_of_the_switchboard_has_few_events() -> None:
    """It had 75,059, of which 74,988 were rounds: a flip took 7 s."""
    trace = simulated(*OUT_OF_RANGE)
    assert len(trace) < 1_000


@pytest.mark.parametrize("loop", [OUT_OF_RANGE, DIVERGING], ids=["out-of-range", "diverging"])
def test_what_is_said_of_it_is_so(loop: tuple[str, Era]) -> None:
    said = hold_scenario(*loop)
    assert not said.broken
    assert said.said["why.in-vain"] == said.held["why.in-vain"] > 0
    assert said.said["why.in-vain.then"] > 0


BY_RELEASE = {("old-records-kept", "2.8")}
"""A leader in the old message format has no leader epochs: to a fetch that names its last epoch 2.7 and 2.8
answer out of range (Partition.readRecords), and a follower whose log is the shorter one asks again from its
end (AbstractFetcherThread.fetchOffsetAndTruncate; read at 2.8.2)."""


@pytest.mark.parametrize("name", scenario_ids())
def test_no_other_scenario_has_it_by_the_rules_of_a_release(name: str) -> None:
    """The longest loop of these is that of moved-directory, of 50 rounds (KAFKA-15608)."""
    asked = [one for one in one_of(3, name, ERAS) if (name, one.id) not in BY_RELEASE]
    assert not [one.id for one in asked if rounds_in_vain(simulated(name, one))]


@pytest.mark.parametrize(("name", "release"), sorted(BY_RELEASE))
def test_a_release_that_asks_for_ever_does_so(name: str, release: str) -> None:
    assert rounds_in_vain(simulated(name, era(release)))
