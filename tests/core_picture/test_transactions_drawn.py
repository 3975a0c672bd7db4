"""The last stable offset as a line and a post, and what cells say of transactions."""

import pytest

from core.compare.comparison import Run
from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.kafka.eras import era
from core.picture.cell_transactions import InTransaction, in_transactions
from core.picture.cells import CellsView, lay_out_cells
from core.picture.marks import Line, Mark
from core.trace.trace import Trace
from tests.runs import simulated

A, B = 1, 2


def run_of(name: str, era_id: str) -> tuple[Trace, Run]:
    trace = simulated(name, era(era_id))
    (verdict,) = diagnose(trace).partitions
    return trace, Run("run", None, open_history(trace, 0), verdict)


def marks_at(run: Run, cursor: int) -> list[Mark]:
    picture = lay_out_cells(CellsView((run,), (cursor,), 1100.0))
    return [mark for layer in picture.layers for mark in layer.marks]


def parts(run: Run, cursor: int, broker: int) -> dict[int, InTransaction]:
    spans = [(offset, offset + 1) for offset in range(8)]
    return dict(in_transactions(run.history, broker, cursor, spans))


def test_records_are_of_committed_aborted_and_open_transactions() -> None:
    """m0 0, commit 1, m1 2, abort 3, m2 4, n0 5; the coordinator's abort comes at 6."""
    trace, run = run_of("open-transaction", "2.8")
    crash = next(seq for seq in range(len(trace)) if trace.event(seq).kind == "broker_crashed")

    expected = {0: "committed", 1: "marker", 2: "aborted", 3: "marker", 4: "open"}
    assert parts(run, crash, B) == expected
    assert parts(run, len(trace), B) == {**expected, 4: "aborted", 6: "marker"}
    assert parts(run, 0, B) == {}


def test_a_post_stands_where_readers_of_committed_transactions_stop() -> None:
    trace, run = run_of("open-transaction", "2.8")
    crash = next(seq for seq in range(len(trace)) if trace.event(seq).kind == "broker_crashed")
    posts = [mark for mark in marks_at(run, crash) if isinstance(mark, Line) and mark.role == "lso"]
    assert len(posts) == 2, "on A and on B, below their high watermarks"
    ended = [mark for mark in marks_at(run, len(trace)) if isinstance(mark, Line) and mark.role == "lso"]
    assert len(ended) == 1, "on A, which is down: on B all is visible"


@pytest.mark.parametrize("name", ["hw-loss", "idempotent-producer"])
def test_without_transactions_nothing_of_them_is_drawn(name: str) -> None:
    trace, run = run_of(name, "2.8")
    assert not [mark for mark in marks_at(run, len(trace)) if isinstance(mark, Line) and mark.role == "lso"]
    assert not any(one.stable is not None and one.stable.drawn for one in run.history.replicas.values())
