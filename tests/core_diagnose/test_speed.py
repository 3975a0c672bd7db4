"""What diagnosis costs, in calls of functions, and how it grows. Times are measured by tests/bench."""

import gc
from typing import Any

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.rows import Row
from core.trace.trace import Trace
from tests.bench.diagnosis import long_partition, many_partitions
from tests.calls import calls_of


def _cost(trace: Trace) -> int:
    """Calls of the second round: the first one fills what is remembered of words."""
    diagnose(trace)
    return calls_of(lambda: diagnose(trace))


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
    # Behind tests of the window nobody looks for it at all.
    looks = gc.isenabled()
    gc.enable()
    gc.callbacks.append(told)
    try:
        verdict = diagnose(trace)
        still_looks = gc.isenabled()
    finally:
        gc.callbacks.remove(told)
        if not looks:
            gc.disable()
    assert len(verdict.partitions) == 30
    # Once as it is over: then it is looked for again.
    assert begun in ([], ["start", "stop"])
    assert still_looks


@pytest.mark.slow
def test_a_partition_eight_times_as_long_takes_at_most_about_eight_times_the_calls() -> None:
    assert _cost(long_partition(48_000)) < 10 * _cost(long_partition(6_000))


@pytest.mark.slow
def test_four_times_as_many_partitions_take_about_four_times_the_calls() -> None:
    assert _cost(many_partitions(600)) < 5 * _cost(many_partitions(150))


@pytest.mark.slow
def test_how_many_calls_an_event_and_a_small_partition_take() -> None:
    # Measured were two and a half an event, and 8,100 a partition.
    assert _cost(long_partition(10_000)) < 6 * 10_000
    assert _cost(many_partitions(300)) < 16_000 * 300
