"""Controllers of KRaft in an incident: ends, starts and cuts are found in logs, and happen again in a lift.

Runs of scenarios of which every fault is known, as logs, and real clusters. Times:
controller.quorum.fetch.timeout.ms 2000; a leader resigns after one and a half times that (KAFKA-15489).
"""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.kafka.eras import era
from core.lab.changes import changes
from core.lab.choices import Stance
from core.lab.controllers import Quorum
from core.lab.lift import Lifted, lift
from core.lab.material import Material, material_of
from core.sim.run import play
from core.sim.script import Crash, Disconnect, Start
from core.trace.ids import Nanos
from core.trace.times import parse_time
from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.runs import simulated
from tests.stories import SECOND
from tests.trips import read_again

pytestmark = pytest.mark.broad(4)

K, L, M = 3, 4, 5
BEGIN = parse_time("2026-01-01T00:00:00Z")


@lru_cache(maxsize=8)
def of_logs(name: str, era_id: str = "3.7") -> Material:
    return of_partition(read_again(simulated(name, era(era_id)), data=True), "t-0")


@lru_cache(maxsize=2)
def recorded(name: str, partition: str) -> Material:
    with TemporaryDirectory() as folder:
        path, _ = unpack_recording(name, Path(folder))
        trace = load([path])
    return of_partition(trace, partition)


def of_partition(trace: Trace, name: str) -> Material:
    index = trace.partition_index(name)
    assert index is not None
    return material_of(trace, index)


def quorum(material: Material) -> Quorum:
    assert material.quorum is not None
    return material.quorum


def told(material: Material) -> list[tuple[str, int]]:
    return [(one.kind, one.broker) for one in quorum(material).faults]


def lifted(material: Material, at: str) -> Lifted:
    when = parse_time(at)
    return lift(material, material.trace.cursor_at(Nanos(when)), Stance.WORST, at=when)


def times(trace: Trace, kind: str, **values: int) -> list[int]:
    """When events of a kind with these values came, in ns from the start of a run."""
    found = [one for one in map(trace.event, range(len(trace))) if one.kind == kind]
    begin = trace.event(0).at
    return [one.at - begin for one in found if all(one.get(name) == value for name, value in values.items())]


@pytest.mark.parametrize(
    ("name", "era_id"),
    [("two-controllers", "3.7"), ("two-controllers", "4.1"), ("controller-returns", "3.7")],
)
def test_a_leader_that_is_followed_and_runs_on_was_cut_off_until_it_heard_of_that(
    name: str, era_id: str
) -> None:
    material = of_logs(name, era_id)
    assert told(material) == [("cut", K), ("heal", K)]
    cut, heal = quorum(material).faults
    # It was cut off right when the first record had been written, within the 500 ms of a fetch that waits.
    assert abs(cut.at - BEGIN) < SECOND
    assert cut.lo <= cut.at <= cut.hi < heal.at


def test_a_voter_that_asks_in_vain_decides_nothing() -> None:
    """From 4.0 on (KIP-996) the others refuse it, and its leader stays."""
    assert told(of_logs("controller-returns", "4.1")) == []


def test_voters_that_a_resigning_leader_misses_had_ended_though_no_line_says_so() -> None:
    """L dies, a second later M, which never comes back; K resigns; with L back there is a majority again."""
    material = of_logs("quorum-majority-lost")
    assert told(material) == [("crash", L), ("crash", M), ("start", L)]
    assert [one.leader for one in quorum(material).reigns] == [K, K]


def test_a_controller_that_dies_died_a_fetch_timeout_before_another_one_seeks_to_lead() -> None:
    material = of_logs("lagging-controller")
    (crash,) = quorum(material).faults
    assert (crash.kind, crash.broker) == ("crash", K)
    seeks = crash.hi
    assert crash.at == seeks - 2 * SECOND


def test_a_quorum_without_a_majority_decides_nothing_until_it_has_one_again() -> None:
    """Lifted before L dies: no controller but the first, until L is back after 28 s."""
    found = lifted(of_logs("quorum-majority-lost"), "2026-01-01T00:00:00.100Z")
    assert found.scenario.quorum is not None
    assert found.scenario.quorum.voters == ("controller-3", "controller-4", "controller-5")
    trace = play(found.scenario, found.era).trace
    (resigned,) = times(trace, "controller_resigned")
    first, second = times(trace, "controller_elected")
    (back,) = times(trace, "broker_starting", replica=L)
    assert first == 0
    assert resigned < back < second
    assert all(at > second for at in times(trace, "broker_fenced"))


def test_what_is_open_of_controllers_is_said_with_its_bounds() -> None:
    found = lifted(of_logs("quorum-majority-lost"), "2026-01-01T00:00:00.100Z")
    said = {one.what.id: one for one in found.choices}
    assert said["lab.choice.quorum"].taken is None
    crash = said["lab.choice.controller-crash"]
    assert crash.is_time
    assert crash.lo is not None
    assert crash.hi is not None
    assert crash.taken is not None
    # The leader resigned 3 s after the second of them had fetched for the last time.
    assert crash.hi - crash.taken == 3 * SECOND
    without = lifted(recorded("k43-failover", "payments-0"), "2026-11-21T03:29:50Z")
    assert not [one for one in without.choices if one.what.id.startswith("lab.choice.controller")]


def test_a_real_majority_that_is_lost_is_lost_again() -> None:
    """k43-failover: nodes 1 and 2, brokers and controllers, are killed within 35 ms; 2 comes back first."""
    found = lifted(recorded("k43-failover", "payments-0"), "2026-11-21T03:29:03.300Z")
    trace = play(found.scenario, found.era).trace
    _, second, *_ = times(trace, "controller_elected")
    back = next(one for one in found.scenario.steps if isinstance(one.action, Start))
    assert back.action == Start("controller-2")
    assert back.at_ns is not None
    assert second > back.at_ns
    # Broker 1 led; its session ends as long after a controller is there again.
    fenced = times(trace, "broker_fenced", replica=1)
    assert fenced[0] >= second


def test_one_that_is_stopped_while_it_leads_resigns_and_was_not_cut_off() -> None:
    """k39-rolling-restart: 102 is killed while it leads; 101 and 102 are stopped at the end."""
    material = recorded("k39-rolling-restart", "metrics-0")
    assert told(material) == [("crash", 102), ("start", 102), ("stop", 101), ("stop", 102)]
    crash = quorum(material).faults[0]
    # The others seek to lead at 03:07:02.755.
    assert crash.at == parse_time("2026-11-21T03:07:00.755Z")


def test_without_a_fault_of_a_controller_none_is_simulated() -> None:
    found = lifted(recorded("k43-failover", "payments-0"), "2026-11-21T03:29:50Z")
    assert found.scenario.quorum is None


def test_a_cut_is_a_step_of_the_script_and_what_operators_do_is_about_brokers() -> None:
    found = lifted(of_logs("two-controllers"), "2025-12-31T23:59:59.500Z")
    cut = found.scenario.steps[0].action
    assert isinstance(cut, Disconnect)
    assert ("controller-3", "controller-4") in cut.ways
    other = lifted(recorded("k43-failover", "payments-0"), "2026-11-21T03:29:03.300Z")
    assert any(isinstance(one.action, Crash) for one in other.scenario.steps)
    names = [one.name for one in changes(other)]
    assert names
    assert not [one for one in names if "controller" in one]
