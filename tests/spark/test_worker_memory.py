"""What a worker keeps from one task to the next."""

import gc
from collections.abc import Iterable, Iterator
from importlib import import_module

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from spark.workers import in_workers

pytestmark = pytest.mark.spark


def test_what_a_worker_has_loaded_is_looked_through_for_garbage_once(session: SparkSession) -> None:
    def told(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import_module("importers.load")
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"kept": [gc.get_freeze_count()]})

    schema = pa.schema([("kept", pa.int64())])
    rows = session.range(0, 2, 1, 2)
    for _ in range(2):
        in_workers(rows, told, schema).collect()
    kept = [row.kept for row in in_workers(rows, told, schema).collect()]
    assert min(kept) > 50_000
