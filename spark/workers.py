"""Functions on their way to workers, and what a worker keeps from one task to the next."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame

from spark.schema import spark_schema

Function: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

_modules: Final = [0]
"""How many modules were loaded when what is loaded was last declared to stay."""


def in_workers(rows: DataFrame, function: Function, schema: pa.Schema) -> DataFrame:
    """What workers make of batches of rows, with the columns of an Arrow schema."""
    return rows.mapInArrow(partial(_lasting, function=function), spark_schema(schema))


def _lasting(batches: Iterable[pa.RecordBatch], function: Function) -> Iterator[pa.RecordBatch]:
    """A task in a worker.

    After each task pyspark looks for garbage among all objects, which takes a tenth of a second where all our
    modules and libraries are loaded. They stay as long as the worker, so they are not looked through again.
    """
    yield from function(batches)
    if len(sys.modules) != _modules[0]:
        gc.collect()
        gc.freeze()
        _modules[0] = len(sys.modules)
