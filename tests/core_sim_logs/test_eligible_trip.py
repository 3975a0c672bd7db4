"""Eligible leader replicas of a run (KIP-966), read again from the metadata log that is written of it."""

import pytest

from core.kafka.eras import era
from core.trace.trace import Trace
from tests.runs import simulated
from tests.trips import read_again, told, trip_names

pytestmark = [pytest.mark.slow, pytest.mark.thinned(3)]
WITH_THEM = {"s7", "s8", "s9", "s10", "hw-loss", "disk-replaced", "min-isr-lowered", "recovering-leader"}
"""Scenarios in which 4.1 keeps some, or clears them, among others."""


def eligible(trace: Trace) -> list[tuple[str, frozenset[int], int | None, int | None]]:
    """By change: the partition, who is eligible, the last known leader, and the partition epoch."""
    return [
        (
            str(trace.partitions[one.values["partition"]].tp),
            frozenset(trace.isrs[one.values["isr"]]),
            one.get("aux"),
            one.get("partition_epoch"),
        )
        for one in told(trace, "elr_changed")
    ]


@pytest.mark.parametrize("name", trip_names())
def test_they_are_read_again_as_they_were(name: str) -> None:
    run = simulated(name, era("4.1"))
    changes = eligible(run)

    assert bool(changes) or name not in WITH_THEM
    assert eligible(read_again(run)) == changes


def test_a_release_without_them_writes_none() -> None:
    assert eligible(read_again(simulated("s8", era("3.7")))) == []
