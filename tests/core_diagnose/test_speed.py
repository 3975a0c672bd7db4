"""What diagnosis costs: how it grows, and beside a loop of the same run. Absolute figures: tests/bench."""

import gc
import time
from collections.abc import Callable
from typing import Any

import pytest

from core.diagnose.check import diagnose
from core.history.rows import Row
from core.trace.trace import Trace
from tests.bench.diagnosis import long_partition, many_partitions


def _seconds(work: Callable[[], object]) -> float:
    """CPU of one round."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _loop() -> int:
    """A million turns of a loop that does next to nothing."""
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return total


def _cost(trace: Trace) -> float:
    """In such loops. Of each the quicker round counts: others who use the machine only add to it."""
    judged = min(_seconds(lambda: diagnose(trace)) for _ in range(2))
    return judged / min(_seconds(_loop) for _ in range(4))


def test_few_of_many_events_become_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    new = Row.__new__

    def counted(cls: type[Row], *told: Any) -> Row:
        made.append(1)
        return new(cls, *told)

    monkeypatch.setattr(Row, "__new__", counted)
    verdict = diagnose(long_partition(12_000))
    assert len(verdict.partitions[0].isr) == 24
    # The words on roles and on the in-sync set, and what stands near.
    assert 0 < len(made) < 1_000


def test_nobody_looks_for_garbage_while_many_partitions_are_judged() -> None:
    begun: list[str] = []

    def told(phase: str, _: object) -> None:
        begun.append(phase)

    trace = many_partitions(30)
    gc.callbacks.append(told)
    try:
        verdict = diagnose(trace)
    finally:
        gc.callbacks.remove(told)
    assert len(verdict.partitions) == 30
    # Once as it is over: then it is looked for again.
    assert begun in ([], ["start", "stop"])
    assert gc.isenabled()


@pytest.mark.slow
def test_a_partition_eight_times_as_long_costs_about_eight_times_as_much() -> None:
    # More is allowed for a neighbour on the machine; what grows with the square would cost 64 times as much.
    assert _cost(long_partition(48_000)) < 14 * _cost(long_partition(6_000))


@pytest.mark.slow
def test_four_times_as_many_partitions_cost_about_four_times_as_much() -> None:
    assert _cost(many_partitions(600)) < 7.5 * _cost(many_partitions(150))


@pytest.mark.slow
def test_what_an_event_and_a_small_partition_cost() -> None:
    # Measured were one and a quarter to one and a half, and twenty-three to thirty-two.
    assert _cost(long_partition(10_000)) < 3
    assert _cost(many_partitions(300)) < 50
