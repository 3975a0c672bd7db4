"""A short partition is read row by row, a long one by columns: both ways say the same."""

import pytest

from core.diagnose.verdict.check import judge_partitions
from core.diagnose.verdict.facts import PartitionVerdict
from core.history import rows, view, visible_bands
from core.history.state import History
from core.trace.trace import Trace
from tests.incidents import run_of
from tests.trips import read_again


def told(trace: Trace) -> list[tuple[PartitionVerdict, list[object]]]:
    found = judge_partitions(trace, range(len(trace.partitions)))
    return [(verdict, steps(history)) for history, verdict in found]


def steps(history: History) -> list[object]:
    replicas = history.replicas.values()
    every = [
        step
        for one in replicas
        for step in (one.role, one.epoch, one.log_start, one.leo, one.hw, one.epochs, one.runs, one.remote)
    ]
    return [(step.cursors, tuple(step.values)) for step in (history.leader, history.isr, *every)]


@pytest.mark.slow
def test_rows_and_columns_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    traces = [read_again(run_of(seed)) for seed in (41, 58, 84)]
    short = [told(trace) for trace in traces]
    assert any(verdict.losses for found in short for verdict, _ in found)
    monkeypatch.setattr(rows, "SHORT", 0)
    monkeypatch.setattr(view, "SHORT", 0)
    monkeypatch.setattr(visible_bands, "_MADE_AT_ONCE", 0)
    assert [told(trace) for trace in traces] == short
