"""The index of all partitions gives what the trace gives for each."""

from dataclasses import replace

import numpy as np

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.by_partition import by_partition
from core.trace.ids import BrokerId
from core.trace.trace import Trace
from importers.load import load
from importers.samples import sample_path


def same(trace: Trace) -> bool:
    rows = by_partition(trace)
    return all(
        np.array_equal(rows.seqs_of(index), trace.seqs_of(index)) for index in range(len(trace.partitions))
    )


def test_of_a_recording_with_several_partitions() -> None:
    trace = load([sample_path("k0102-hw-loss")])

    assert len(trace.partitions) > 1
    assert same(trace)


def test_of_a_simulation_with_its_script() -> None:
    assert same(simulate(scenario("hw-loss"), era("2.8")))


def test_of_partitions_that_other_brokers_hold() -> None:
    trace = load([sample_path("k28-epoch-fix")])
    parted = tuple(
        replace(one, replicas=(BrokerId(1 + number % 3),)) for number, one in enumerate(trace.partitions)
    )

    assert same(replace(trace, partitions=parted))
