"""A search for a run of an era that goes along a trace: what is found, where it is refused, what is open."""

from dataclasses import replace

import numpy as np
import pytest

from core.conform.judge import conform
from core.conform.own import candidate
from core.errors import CancelledError
from core.history.running import is_mixed
from core.kafka.eras import ERAS, era, era_named
from core.schedule.search import Search, replayed, search
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script_text import as_toml
from core.sim.search_moves import random_plan
from core.trace.trace import DTYPES, Origin, Trace
from core.work import Work
from tests.runs import simulated

pytestmark = pytest.mark.broad(8)

READS = ("consumed", "consume_parked", "consumer_out_of_range", "consumer_positioned")


def without_reads(trace: Trace, *left_out: str) -> list[dict[str, object]]:
    """What the events say that are no reads of consumers, but for the columns that number rows."""
    told: list[dict[str, object]] = []
    for seq in range(len(trace)):
        event = trace.event(seq)
        if event.kind not in READS:
            said: dict[str, object] = {"kind": event.kind, "at": event.at, **event.values}
            if "isr" in said:
                said["isr"] = trace.isrs[event.values["isr"]]
            told.append({name: value for name, value in said.items() if name not in left_out})
    return told


@pytest.mark.thinned(17)
@pytest.mark.parametrize("which", [one.id for one in ERAS])
@pytest.mark.parametrize("name", scenario_ids())
def test_each_era_has_a_run_along_its_own_and_it_is_the_same_again(name: str, which: str) -> None:
    run = simulated(name, era(which))
    found = search(run, era(which))

    assert (found.outcome, found.era.overrides) == ("found", ()), found
    again = replayed(run, found)
    assert again is not None
    said = without_reads(run)
    # What comes after the last event that was wanted is not played.
    assert without_reads(again) == said


@pytest.mark.thinned(23)
@pytest.mark.parametrize("which", [one.id for one in ERAS])
@pytest.mark.parametrize("seed", range(1, 31))
def test_no_luck_of_messages_makes_an_era_refuse_its_own_run(seed: int, which: str) -> None:
    """The latencies of another seed bring messages in another order."""
    script = parse_scenario(as_toml(random_plan(seed), "search"))
    run = simulate(script, era(which), seed=2)
    other_luck = replace(run, facts={**run.facts, "seed": "1"})

    assert search(other_luck, era(which), states=30).outcome != "impossible"


@pytest.mark.parametrize("which", ["1.1", "2.8"])
def test_batches_of_one_step_that_come_in_another_order_refuse_nothing(which: str) -> None:
    """Both go back to the step: which of them a broker took first is not known by that."""
    plan = random_plan(1)
    run = simulate(parse_scenario(as_toml(plan, "search")), era(which), seed=2)
    in_order = as_toml(replace(plan, jitter_us=0), "search")
    assert plan.jitter_us

    found = search(replace(run, facts={**run.facts, "script": in_order}), era(which), states=30)

    assert found.outcome != "impossible"


@pytest.mark.parametrize("which", ["1.1", "2.8"])
def test_messages_that_come_too_early_wait_until_the_order_is_that_of_the_trace(which: str) -> None:
    script = parse_scenario(as_toml(random_plan(7), "search"))
    run = simulate(script, era(which), seed=2)
    other = simulate(script, era(which), seed=1)
    assert without_reads(other, "at") != without_reads(run, "at")

    found = search(replace(run, facts={**run.facts, "seed": "1"}), era(which))

    assert found.outcome == "found"
    assert {"Fetch", "Produce"} <= {one.what for one in found.waits}
    again = replayed(replace(run, facts={**run.facts, "seed": "1"}), found)
    assert again is not None
    assert without_reads(again, "at") == without_reads(run, "at")


CANNOT = (
    ("one-fetch", "2.1", "3.3", "fetch_sent", "fetch_sent", True),
    ("acks-timeout", "2.1", "2.4", "fetch_answered", "fetch_answered", True),
    ("hw-divergence", "3.3", "3.5", "hw_moved", "truncation_decided", False),
    ("hw-divergence", "3.5", "3.3", "truncation_decided", "hw_moved", False),
    ("stale-epoch-file", "3.6", "3.7", "epoch_cache_loaded", "epoch_cache_loaded", False),
    ("three-broker-loss", "4.0", "3.6", "leader_elected", "leaderless", False),
    ("diverged-below-start", "2.1", "2.4", "fetch_sent", "hw_moved", False),
    ("open-transaction", "4.0", "3.3", "transaction_written", "transaction_written", True),
)
"""Scenario, era of the run, era that no rule refuses, the event that it does not make, what it makes instead,
and whether the same becomes of the logs all the same. From 2.8 a fetch names the epoch of the last record
(KIP-595). 2.4 and 2.5 answer a fetch as soon as the high watermark is ahead of the follower's (KIP-392).
From 3.5 the answer that names the diverging epoch moves no high watermark (KAFKA-14704). From 3.7 a cut of
the epoch cache is flushed later (KAFKA-15046). KRaft of 3.6 elects nobody uncleanly (KAFKA-12670). From 2.4 a
log that begins anew has its high watermark at its start (apache/kafka PR 7055). From 4.0 each transaction has
a producer epoch of its own (KIP-890)."""


@pytest.mark.parametrize(("name", "own", "other", "kind", "instead", "alike"), CANNOT)
def test_what_another_release_does_otherwise_refuses_it_at_that_event(
    name: str, own: str, other: str, kind: str, instead: str, *, alike: bool
) -> None:
    run = simulated(name, era(own))
    (by_rules,) = conform(run, [candidate(era(other))], range(len(run.partitions)))
    assert by_rules.accepted is True

    found = search(run, era(other))

    assert (found.outcome, found.alike is not None) == ("impossible", alike)
    assert found.seq is not None
    assert found.instead is not None
    assert (run.event(found.seq).kind, dict(found.instead.values)["kind"]) == (kind, instead)


CHOSEN = (
    ("acks-min-1", "0.10.2", "0.11", "0.11+epoch-entry=none"),
    ("one-fetch", "2.1", "2.8", "2.8+truncation=epoch-request"),
    ("retry-duplicate", "2.1", "2.8", "2.8+truncation=epoch-request+session-timeout-ms=6000"),
    ("elections", "4.0", "4.1", "4.1+eligible-leaders=off"),
    ("elections", "4.1", "4.0", "4.0+eligible-leaders=on"),
    ("hanging-transaction", "3.3", "3.6", "3.6+transactions=trusted"),
    ("three-broker-loss", "4.0", "3.7", ""),
)
"""Scenario, era of the run, another one, and what has to be set there: the message format of 0.10.2, or the
inter-broker protocol of 2.1; zookeeper.session.timeout.ms (KIP-537); eligible.leader.replicas.version
(KIP-966); transaction.partition.verification.enable (KIP-890). No setting makes KRaft of 3.7 elect uncleanly
by itself (KAFKA-12670)."""


@pytest.mark.parametrize(("name", "own", "other", "needs"), CHOSEN)
def test_a_setting_with_which_a_release_does_the_same_is_found_and_no_more_than_needed(
    name: str, own: str, other: str, needs: str
) -> None:
    run = simulated(name, era(own))
    found = search(run, era(other))

    assert (found.era.name if found.outcome == "found" else "") == needs
    if needs:
        assert without_reads(simulate(scenario(name), era_named(needs))) == without_reads(run)


LOGS = frozenset(
    {
        "appended",
        "truncated",
        "hw_moved",
        "epoch_assigned",
        "epoch_cache_cut",
        "became_leader",
        "isr_committed",
    }
)


def facts(trace: Trace) -> list[dict[str, object]]:
    return [one for one in without_reads(trace, "at") if one["kind"] in LOGS]


@pytest.mark.parametrize(
    ("name", "own", "other"), [(one[0], one[1], one[2]) for one in CANNOT if one[-1] is True]
)
def test_a_run_with_other_messages_has_the_same_facts_in_their_order(name: str, own: str, other: str) -> None:
    run = simulated(name, era(own))
    again = replayed(run, search(run, era(other)))

    assert again is not None
    assert facts(again) == facts(run)
    assert without_reads(again) != without_reads(run)


@pytest.mark.thinned(31)
@pytest.mark.parametrize("other", [one.id for one in ERAS])
@pytest.mark.parametrize("name", scenario_ids())
def test_no_run_is_found_of_an_era_that_a_rule_refuses_as_it_is(name: str, other: str) -> None:
    """Rules and search ask the same in two ways."""
    for own in ERAS[::4]:
        run = simulated(name, own)
        (judged,) = conform(run, [candidate(era(other))], range(len(run.partitions)))
        # With rules of its own for each broker no era is that of all.
        if judged.accepted is False and not is_mixed(run):
            found = search(run, era(other), states=20)
            assert found.outcome != "found" or found.era.overrides, (own.id, other, judged.broken)


def test_a_bound_decides_nothing_and_is_named() -> None:
    run = simulate(parse_scenario(as_toml(random_plan(7), "search")), era("2.8"), seed=2)
    found = search(replace(run, facts={**run.facts, "seed": "1"}), era("2.8"), states=5)

    assert (found.outcome, found.states, found.alike) == ("open", 5, None)
    assert found.missing is not None
    assert found.missing.id == "conform.search.bound"


def test_what_is_no_run_of_a_script_is_not_searched() -> None:
    found = search(replace(simulated("hw-loss", era("2.8")), origin=Origin.IMPORTED), era("2.8"))

    assert found == Search("open", era("2.8"), (), 0, missing=found.missing)
    assert found.missing is not None
    assert found.missing.id == "conform.search.not-simulated"


def test_a_search_that_somebody_stops_ends() -> None:
    with pytest.raises(CancelledError):
        search(simulated("hw-loss", era("2.8")), era("2.8"), work=Work(stopped=lambda: True))


def test_an_event_that_no_run_has_refuses_every_era() -> None:
    """A high watermark that goes one further than its run has it."""
    run = simulated("one-fetch", era("2.8"))
    columns = {name: run.columns[name].copy() for name in DTYPES}
    moved = np.flatnonzero(columns["hw"] > 0)[-1]
    columns["hw"][moved] += 1
    spoilt = replace(run, columns=columns)

    for one in ERAS:
        assert search(spoilt, one, states=20).outcome != "found"
    assert search(spoilt, era("2.8")).seq == moved
