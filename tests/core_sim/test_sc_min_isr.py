"""A change of min.insync.replicas clears eligible leader replicas (KIP-966; Kafka's page on them, 4.1)."""

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.library import scenario
from core.sim.logs.broker_logs import broker_logs
from core.sim.run import play
from core.trace.trace import Trace
from tests.core_sim.test_clients import events
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)


def eligible(trace: Trace, step: int) -> list[tuple[int, ...]]:
    return [trace.isrs[one.values["isr"]] for one in events(trace, "elr_changed", step=step)]


@pytest.mark.parametrize("one", ERAS, ids=lambda one: one.id)
def test_m1_is_kept_in_every_era(one: Era) -> None:
    played = play(scenario("min-isr-lowered"), one)
    assert not played.truth.lost


def test_b_is_eligible_until_the_value_changes() -> None:
    trace = simulated("min-isr-lowered", era("4.1"))
    assert eligible(trace, 2) == [(2,)]
    assert eligible(trace, 3) == [()]
    (cleared,) = events(trace, "elr_changed", step=3)
    before = events(trace, "elr_changed", step=2)[-1]
    assert cleared.values["partition_epoch"] == before.values["partition_epoch"], "a record of its own kind"
    elected = [one.values["leader"] for one in events(trace, "leader_elected") if one.position > 4]
    assert elected == [1], "nobody leads until A is back"


def test_if_they_were_kept_b_would_lead_without_m1() -> None:
    played = play(scenario("min-isr-lowered"), with_switches(era("4.1"), {"eligible-on-change": "kept"}))
    assert [played.truth.names[number] for number in played.truth.lost] == ["m1"]


def test_the_value_counts_for_producers_at_once() -> None:
    """With 2 in force A alone would refuse acks=all."""
    trace = simulated("min-isr-lowered", era("2.8"))
    assert len(events(trace, "acknowledged", step=4)) == 1
    assert not events(trace, "produce_failed")


def test_its_logs_can_be_written() -> None:
    assert broker_logs(simulated("min-isr-lowered", era("4.1")))
