"""The tables of a data set by partition, as the pipeline of docs/spark.md wrote them."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.diagnose.verdict.check import triaged
from core.diagnose.verdict.summary import PartitionSummary
from core.errors import SourceError
from core.kafka.eras import era
from importers.prepared.arrow_rows import to_batch
from importers.prepared.triage import FINDINGS, SUMMARIES, read_rows, read_triage
from tests.runs import simulated


@pytest.fixture
def summaries(tmp_path: Path) -> list[PartitionSummary]:
    """Those of two partitions, which lie in a data set."""
    (one,) = triaged(simulated("hw-loss", era("0.10.2"))).summaries
    both = [one, replace(one, partition=1)]
    (tmp_path / SUMMARIES).mkdir()
    table = pa.Table.from_batches([to_batch(PartitionSummary, both)])
    parquet.write_table(table, tmp_path / SUMMARIES / "part-0.parquet")
    return both


def test_all_rows_of_a_table_are_read_or_those_of_one_partition(
    tmp_path: Path, summaries: list[PartitionSummary]
) -> None:
    assert read_rows(tmp_path, SUMMARIES, PartitionSummary) == summaries
    assert read_rows(tmp_path, SUMMARIES, PartitionSummary, 1) == summaries[1:]


@pytest.mark.usefixtures("summaries")
def test_a_table_without_files_is_named(tmp_path: Path) -> None:
    (tmp_path / FINDINGS).mkdir()

    with pytest.raises(SourceError, match=f"{FINDINGS} is empty"):
        read_triage(tmp_path)
