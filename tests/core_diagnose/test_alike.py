"""Partitions that say the same are judged once: each verdict is that of the partition judged alone."""

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from core.diagnose.verdict import check
from core.diagnose.verdict.alike import can_be_reused
from core.diagnose.verdict.check import diagnose, judge_partitions
from core.diagnose.verdict.facts import PartitionVerdict
from core.trace.ids import NO_INDEX, TopicPartition
from core.trace.trace import DTYPES, EMPTY, KeptLine, Partition, Source, Trace
from tests.bench.diagnosis import many_partitions
from tests.incidents import run_of
from tests.trips import read_again


def alone(trace: Trace) -> list[PartitionVerdict]:
    return [verdict for _, verdict in judge_partitions(trace, range(len(trace.partitions)))]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The partitions whose verdict is that of another one, told again."""
    found: list[int] = []
    again = check.verdict_of_alike

    def counted(
        verdict: PartitionVerdict, partition: int, seqs: Iterable[int], own: Iterable[int], last: int
    ) -> PartitionVerdict:
        found.append(partition)
        return again(verdict, partition, seqs, own, last)

    monkeypatch.setattr(check, "verdict_of_alike", counted)
    return found


def with_copies(trace: Trace, copies: int) -> Trace:
    """Each partition so many times more, by other names: each event of one stands so many times more."""
    owner = trace.columns["partition"]
    times = np.where(owner == NO_INDEX, 1, copies + 1)
    rows = np.repeat(np.arange(len(trace)), times)
    copy = np.arange(len(rows)) - (np.cumsum(times) - times)[rows]
    columns = {name: values[rows] for name, values in trace.columns.items()}
    own = owner[rows] + copy * len(trace.partitions)
    columns["partition"] = np.where(owner[rows] == NO_INDEX, NO_INDEX, own).astype(DTYPES["partition"])
    columns["cause"] = np.full(len(rows), EMPTY["cause"], DTYPES["cause"])
    partitions = [
        replace(one, tp=TopicPartition(f"{one.tp.topic}.{number}", one.tp.partition))
        for number in range(copies + 1)
        for one in trace.partitions
    ]
    return replace(trace, columns=MappingProxyType(columns), partitions=tuple(partitions))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8, 20, 58, 84])
def test_copies_of_incidents_are_judged_as_if_each_were_alone(seed: int, told: list[int]) -> None:
    trace = with_copies(read_again(run_of(seed), data=False), 4)
    true = alone(trace)

    assert list(diagnose(trace).partitions) == true

    assert any(one.findings for one in true)
    assert told


@pytest.mark.parametrize("name", [name for name in DTYPES if name != "partition"])
def test_a_partition_with_one_other_value_is_judged_alone(name: str, told: list[int]) -> None:
    """Of five partitions the third has another log end, another time and so on in one of its events."""
    trace = many_partitions(5)
    columns = {one: values.copy() for one, values in trace.columns.items()}
    row = 7 * 5 + 2
    other = {"kind": columns["kind"][row + 5], "isr": NO_INDEX, "source": NO_INDEX, "cause": 3}
    columns[name][row] = other.get(name, columns[name][row] + 1)
    changed = replace(trace, columns=MappingProxyType(columns))

    assert list(diagnose(changed).partitions) == alone(changed)

    same = np.array_equal(columns[name], trace.columns[name])
    # Where in a file an event stands is no difference.
    assert (2 in told) is (same or name in ("position", "line"))
    assert 3 in told


def test_other_replicas_or_a_setting_of_the_topic_is_a_difference(told: list[int]) -> None:
    trace = many_partitions(7)
    partitions = list(trace.partitions)
    partitions[3] = replace(partitions[3], replicas=partitions[3].replicas[::-1])
    partitions[4] = Partition(TopicPartition("with.dots", 0), partitions[4].replicas)
    facts = {"config.topic-with.dots.min.insync.replicas": "3"}
    changed = replace(trace, partitions=tuple(partitions), facts=facts)

    assert list(diagnose(changed).partitions) == alone(changed)
    assert told == [2, 5]


@pytest.mark.slow
def test_of_many_that_are_alike_one_is_judged(told: list[int]) -> None:
    """The first and the last have the first and the last event of the trace, which a verdict may name."""
    trace = many_partitions(50)

    assert list(diagnose(trace).partitions) == alone(trace)
    assert told == list(range(2, 49))


def test_a_loss_whose_cut_says_more_in_its_line_is_not_told_again() -> None:
    """The cause of a loss may be read in the line of the cut: here that of partition 2 of five has more."""
    trace = many_partitions(5)
    columns = {name: values.copy() for name, values in trace.columns.items()}
    columns["source"][:] = 0
    columns["line"][:] = np.arange(len(trace)) + 1
    cut = 8 * 5 + 2
    line = KeptLine(0, cut + 1, 0, "the leader replied with an unknown offset in it")
    source = Source("server.log", "a" * 64, 1)
    changed = replace(trace, columns=MappingProxyType(columns), sources=(source,), lines=(line,))

    found = list(diagnose(changed).partitions)

    assert found == alone(changed)
    assert all(verdict.losses for verdict in found)
    assert [can_be_reused(changed, verdict) for verdict in found] == [True, True, False, True, True]
