"""The columns that Spark handles, derived from the trace's own: in Arrow, and the same in Spark."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from core.trace.trace import DTYPES, EMPTY, Trace
from importers.prepared.data_set import NULLABLE, event_schema


def spark_schema(schema: pa.Schema) -> StructType:
    """An Arrow schema as Spark says it."""
    return from_arrow_schema(schema)


def event_table(trace: Trace, first: int = 0, end: int | None = None) -> pa.Table:
    """A trace's rows [first, end) as Arrow, with `seq`; null where an event says nothing."""
    return events_at(trace, np.arange(len(trace))[first:end])


def events_at(trace: Trace, seqs: NDArray[np.int64]) -> pa.Table:
    """Some rows of a trace as Arrow."""
    columns = trace.columns
    return events_of({"seq": seqs.astype(np.int64), **{name: columns[name][seqs] for name in DTYPES}})


def events_of(rows: Mapping[str, NDArray[Any]]) -> pa.Table:
    """Columns of events with `seq` as Arrow."""
    columns: list[pa.Array] = [pa.array(rows["seq"])]
    for name in DTYPES:
        values = rows[name]
        columns.append(pa.array(values, mask=values == EMPTY[name] if name in NULLABLE else None))
    return pa.Table.from_arrays(columns, schema=event_schema())


def rows_table(schema: pa.Schema, rows: Sequence[Sequence[object]]) -> pa.Table:
    """Rows as an Arrow table; each row has its values in the order of the schema."""
    columns = list(zip(*rows, strict=True)) or [() for _ in schema]
    return pa.Table.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema=schema
    )
