"""A log that moves to another directory of its broker (KIP-113), and what it forgets (KAFKA-15608)."""

from collections.abc import Callable
from typing import Any

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from core.trace.vocabulary import StopReason
from tests.core_sim.test_clients import events
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
NAME = "moved-directory"
A, B = 1, 2
NAMING = tuple(one for one in ERAS if one.switches.truncation == "fetch-divergence")
"""A follower's fetch names its last epoch: with inter-broker protocol 2.7 or later."""
NOT_NAMING = tuple(one for one in ERAS if one not in NAMING)


def ids(one: Era) -> str:
    return one.id


def refused(trace: Trace, step: int) -> list[tuple[int, int]]:
    """(offset, reason) of each of B's fetches that was refused in a step."""
    found = events(trace, "fetch_failed", step=step)
    return [(one.values["offset"], one.values["aux"]) for one in found if one.values["replica"] == B]


def sets(trace: Trace, step: int) -> list[tuple[int, ...]]:
    """The in-sync sets that are committed in a step."""
    return [tuple(trace.isrs[one.values["isr"]]) for one in events(trace, "isr_committed", step=step)]


def test_fetches_name_epochs_from_2_8_on() -> None:
    assert (NOT_NAMING[-1].id, NAMING[0].id) == ("2.4", "2.8")


@pytest.mark.parametrize("one", NAMING, ids=ids)
def test_the_moved_log_knows_the_epoch_of_its_records_alone(one: Era, replay: Replay) -> None:
    """Partition.makeLeader gave A the entry (3, 3); LogManager.replaceCurrentWithFutureLog does not."""
    trace = simulated(NAME, one)
    assert replay(trace, 2).replicas["A"].entries == [(1, 0), (3, 3)]
    after = replay(trace, 3).replicas["A"]
    assert after.entries == [(1, 0)]
    assert (after.records, after.hw) == (["r0", "r1", "r2"], 3)


@pytest.mark.parametrize("one", NAMING, ids=ids)
def test_a_follower_whose_offset_is_in_range_hears_that_it_is_not(one: Era) -> None:
    """Partition.readRecords: "Could not determine the end offset of the last fetched epoch"."""
    trace = simulated(NAME, one)
    heard = refused(trace, 4)
    assert len(heard) > 20
    assert set(heard) == {(3, StopReason.OFFSET_OUT_OF_RANGE)}
    resets = events(trace, "fetch_offset_reset", step=4)
    assert {(each.values["from_offset"], each.values["offset"]) for each in resets} == {(3, 3)}
    assert not events(trace, "truncated", step=4)
    told = list(dict.fromkeys(sets(trace, 4)))
    if one.switches.controller == "kraft" and one.switches.epoch_on_shrink == "bumped":
        assert told == [(A,), (A, B)], "A leads in a new epoch, which its cache knows (KAFKA-15021)"
    else:
        assert told == [(A,)], "B stays out of the in-sync set, although it holds every record"


@pytest.mark.parametrize("one", NAMING, ids=ids)
def test_a_record_ends_it(one: Era, replay: Replay) -> None:
    trace = simulated(NAME, one)
    seen = replay(trace, 5)
    assert seen.replicas["A"].entries[1:] in ([(3, 3)], [(4, 3)])
    assert seen.replicas["B"].records == ["r0", "r1", "r2", "r3"]
    assert B in (sets(trace, 4) + sets(trace, 5))[-1]


@pytest.mark.parametrize("one", NOT_NAMING, ids=ids)
def test_a_fetch_that_names_no_epoch_is_answered(one: Era) -> None:
    trace = simulated(NAME, one)
    assert StopReason.OFFSET_OUT_OF_RANGE not in {reason for _, reason in refused(trace, 4)}
    assert all(B in each for each in sets(trace, 4))


@pytest.mark.parametrize("which", ["0.10.2", "0.11"])
def test_before_1_1_no_log_can_move(which: str) -> None:
    assert not events(simulated(NAME, era(which)), "log_moved")
    assert events(simulated(NAME, era("1.1")), "log_moved")


@pytest.mark.parametrize("one", NAMING, ids=ids)
def test_with_the_entries_carried_over_nothing_is_refused(one: Era, replay: Replay) -> None:
    """What apache/kafka PR 23205 proposes."""
    trace = simulate(scenario(NAME), with_switches(one, {"directory-move": "epochs-carried"}))
    assert replay(trace, 3).replicas["A"].entries == [(1, 0), (3, 3)]
    assert not refused(trace, 4)


def test_without_the_move_nothing_is_refused() -> None:
    text = scenario(NAME).text.replace('do = "move-log"\nbrokers = ["A"]', 'do = "wait"')
    assert not refused(simulate(parse_scenario(text), era("4.1")), 4)


def test_a_follower_that_moves_its_log_goes_on() -> None:
    """Its cache has the epochs of its records in any case."""
    text = scenario(NAME).text.replace('brokers = ["A"]\nfor_ms', 'brokers = ["B"]\nfor_ms')
    trace = simulate(parse_scenario(text), era("4.1"))
    assert [each.values["replica"] for each in events(trace, "log_moved")] == [B]
    assert not refused(trace, 4)
