"""The same pipeline on a real standalone cluster: a master and two workers, each a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from core.trace.digest import content_digest
from core.trace.trace import DTYPES
from importers.load import load
from importers.prepared.data_set import load_prepared
from spark.job import process
from spark.session import spark_session

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def on_cluster(cluster: str) -> Iterator[SparkSession]:
    with spark_session(cluster, {"spark.executor.memory": "512m"}.items()) as session:
        yield session


def test_both_workers_work_with_the_code_that_travelled(on_cluster: SparkSession) -> None:
    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import importers.lines.parser

        for _ in batches:
            yield pa.RecordBatch.from_pydict(
                {"cwd": [str(Path.cwd())], "code": [importers.lines.parser.__file__]}
            )

    rows = on_cluster.range(0, 8, 1, 8).mapInArrow(place, "cwd string, code string").collect()
    assert {Path(row.cwd).parent.parent.name for row in rows} == {"worker-0", "worker-1"}
    assert all("tidegauge-code.zip" in row.code for row in rows)


@pytest.mark.thinned(5)
@pytest.mark.parametrize("range_bytes", [4 * 1024, 64 * 1024, 64 * 1024 * 1024])
@pytest.mark.parametrize("name", ["k0102-hw-loss", "k28-epoch-fix"])
def test_a_cluster_gives_the_trace_of_the_importer(
    on_cluster: SparkSession, cluster: str, recordings: Path, tmp_path: Path, name: str, range_bytes: int
) -> None:
    out = tmp_path / "out.parquet"
    answer = process([recordings / name], out, master=cluster, range_bytes=range_bytes)
    prepared, imported = load_prepared(out), load([recordings / name])
    for column in DTYPES:
        assert np.array_equal(prepared.columns[column], imported.columns[column]), column
    for field in ("brokers", "partitions", "sources", "isrs", "facts", "lines", "report"):
        assert getattr(prepared, field) == getattr(imported, field), field
    assert answer["digest"] == content_digest(prepared)
