"""The step `elect`: an election of the preferred replica only where it elects the first of the assignment."""

import re

import pytest

from core.kafka.eras import ERAS, era
from core.sim.library import scenario_ids
from core.sim.logs.broker_logs import broker_logs
from core.trace.trace import Event, Trace
from core.trace.vocabulary import Election
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

ALL_ERAS = tuple(one.id for one in ERAS)


def elections(trace: Trace) -> list[Event]:
    found = map(trace.event, range(len(trace)))
    return [event for event in found if event.kind == "leader_elected"]


@pytest.mark.parametrize("name", scenario_ids())
def test_a_preferred_election_elects_the_first_of_the_assignment(name: str) -> None:
    for era_id in ("0.10.2", "2.8", "4.1"):
        trace = simulated(name, era(era_id))
        for event in elections(trace):
            if event.get("aux") == Election.PREFERRED:
                first = trace.partitions[event.values["partition"]].replicas[0]
                assert event.get("leader") == first


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_an_election_of_another_one_is_a_clean_one(era_id: str) -> None:
    """s1: B, the second of the assignment, is elected while A leads and is in sync; then A again."""
    kinds = [
        (event.get("leader"), Election(event.get("aux") or 0))
        for event in elections(simulated("s1", era(era_id)))
    ]
    assert kinds[:3] == [(1, Election.FIRST), (2, Election.CLEAN), (1, Election.PREFERRED)]


@pytest.mark.parametrize("era_id", ["0.10.2", "2.1", "2.8"])
def test_brokers_over_zookeeper_print_a_preferred_election_of_the_first_alone(era_id: str) -> None:
    files = broker_logs(simulated("s1", era(era_id)))
    text = "\n".join(content.decode() for path, content in files.items() if "controller.log" in path)
    told = re.findall(r"completed preferred replica leader election\. New leader is (\d+)", text)
    assert told == ["1"]
    assert "No broker in ISR" not in text
