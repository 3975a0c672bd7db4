"""The index of all partitions gives what the trace gives for each."""

from dataclasses import replace

import numpy as np
import pytest

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.by_partition import by_partition, order_of
from core.trace.ids import NO_INDEX, BrokerId
from core.trace.trace import Trace
from tests.recordings.whole import sampled


def same(trace: Trace) -> bool:
    rows = by_partition(trace)
    return all(
        np.array_equal(rows.seqs_of(index), trace.seqs_of(index)) for index in range(len(trace.partitions))
    )


def test_of_a_recording_with_several_partitions() -> None:
    trace = sampled("k0102-hw-loss")

    assert len(trace.partitions) > 1
    assert same(trace)


def test_of_a_simulation_with_its_script() -> None:
    assert same(simulate(scenario("hw-loss"), era("2.8")))


def test_of_partitions_that_other_brokers_hold() -> None:
    trace = sampled("k28-epoch-fix")
    parted = tuple(
        replace(one, replicas=(BrokerId(1 + number % 3),)) for number, one in enumerate(trace.partitions)
    )

    assert same(replace(trace, partitions=parted))


@pytest.mark.parametrize("most", [0, 5, 2**16 - 3, 2**16 - 2, 2**16 - 1, 2**31 - 1])
def test_events_are_in_the_order_of_partition_and_seq(most: int) -> None:
    """Numbers of partitions on both sides of what 16 bits hold, broker-level events among them."""
    chance = np.random.default_rng(most)
    owner = chance.integers(NO_INDEX, most, 300, dtype=np.int32, endpoint=True)
    owner[[3, 7, 200]] = NO_INDEX, most, most

    by_hand = sorted(range(len(owner)), key=lambda seq: (int(owner[seq]), seq))

    assert order_of(owner).tolist() == by_hand


def test_no_events_have_an_order() -> None:
    assert order_of(np.empty(0, np.int32)).tolist() == []
