"""A cell of an offset at which a log is known to hold nothing: it is neither committed nor unknown."""

import pytest

from core.compare.comparison import Run
from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.kafka.eras import era
from core.picture.cells import CellsView, lay_out_cells
from core.picture.marks import Box
from core.trace.trace import Trace
from tests.core_sim_logs.test_compacted import compacted
from tests.runs import simulated


def holes(trace: Trace) -> list[int]:
    """The offsets of the cells without a record, at the end, replica by replica."""
    verdict = diagnose(trace).partitions[0]
    run = Run("run", None, open_history(trace, verdict.partition), verdict)
    picture = lay_out_cells(CellsView((run,), (len(trace),), 1100.0))
    boxes = [mark for layer in picture.layers for mark in layer.marks if isinstance(mark, Box)]
    refs = [box.ref for box in boxes if box.ref is not None]
    return [ref.key for ref in refs if ref.kind == "cell" and "no record" in ref.text]


@pytest.mark.parametrize("era_id", ["0.11", "1.1"])
def test_a_cut_inside_a_batch_leaves_one(era_id: str) -> None:
    """To 1.1 B cuts to 2, inside the batch that begins at 1, and copies from 2 on (KIP-279's example)."""
    assert holes(simulated("batch-truncation", era(era_id))) == [1]


def test_where_the_batch_stays_whole_there_is_none() -> None:
    assert holes(simulated("batch-truncation", era("2.0"))) == []


def test_compaction_leaves_one_in_the_log_of_the_broker_that_was_cleaned() -> None:
    assert holes(compacted("hw-loss", "2.8", (2,), frozenset({1}))) == [1]
    assert holes(compacted("hw-loss", "2.8", (1, 2), frozenset({1}))) == [1, 1]
