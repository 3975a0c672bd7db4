"""Events and raw lines on disk, so that one partition's are a few row groups: sorted by partition.

The driver writes them once as they are, row by row into Parquet, and the workers sort: neither the driver nor
the Java machine holds a table.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from core.trace.kept import KeptLines
from core.trace.trace import Trace
from core.work import Work
from importers.evidence import NEIGHBOURS
from importers.prepared import EVENTS, LINES, event_schema, line_schema
from spark.schema import event_table
from spark.watch import watched

EVENT_GROUP: Final = 16_384
LINE_GROUP: Final = 4_096
"""Rows of a row group: what a reader of one partition reads at the least."""
SHARED_BY: Final = 8
"""A line that more partitions need than this is stored once, for all of them."""
_RAW: Final = ".raw"
_TOGETHER: Final = 131_072
_BLOCKS: Final = 512
_RAW_LINES: Final = pa.schema(list(line_schema())[1:])


def write_events(session: SparkSession, trace: Trace, folder: Path, work: Work) -> None:
    """events/: broker-level events first, then partition by partition, each in order of Seq."""
    slices = (event_table(trace, first, first + _TOGETHER) for first in range(0, len(trace), _TOGETHER))
    raw = _raw(session, folder / f"{_RAW}-{EVENTS}", event_schema(), slices)
    _write(session, raw, ("partition", "seq"), folder / EVENTS, EVENT_GROUP, work)
    shutil.rmtree(folder / f"{_RAW}-{EVENTS}")


def write_lines(session: SparkSession, trace: Trace, folder: Path, work: Work) -> None:
    """lines/: each line with the partitions that need it, as the event's own or as a neighbour.

    A line of a broker-level event, or of many partitions, has no partition and stands first. events/ must be
    there.
    """
    raw = _raw(session, folder / f"{_RAW}-{LINES}", _RAW_LINES, _line_tables(trace))
    events = session.read.parquet((folder / EVENTS).as_uri()).where("source is not null and line > 0")
    near = sql.explode(sql.sequence(sql.col("line") - NEIGHBOURS, sql.col("line") + NEIGHBOURS))
    needed = (
        events.select("partition", "source", "line")
        .distinct()
        .select("partition", "source", near.alias("line"))
        .groupBy("source", "line")
        .agg(
            sql.collect_set("partition").alias("those"),
            sql.bool_or(sql.col("partition").isNull()).alias("general"),
        )
    )
    placed = raw.join(needed, ["source", "line"], "left")
    own = ~sql.col("general") & (sql.size("those") <= SHARED_BY)
    partition = sql.explode(sql.when(own, sql.col("those")).otherwise(sql.array(sql.lit(None).cast("int"))))
    rows = placed.select(partition.alias("partition"), "source", "line", "byte", "text")
    _write(session, rows, ("partition", "source", "line"), folder / LINES, LINE_GROUP, work)
    shutil.rmtree(folder / f"{_RAW}-{LINES}")


def _line_tables(trace: Trace) -> Iterator[pa.Table]:
    """The kept lines of a trace, some at a time."""
    lines = trace.lines
    if isinstance(lines, KeptLines):
        held: list[pa.Table] = []
        for block in lines.blocks:
            source = np.full(len(block.lines), block.source, np.int32)
            held.append(pa.table([source, block.lines, block.places, block.texts()], schema=_RAW_LINES))
            # A block for itself would be a row group of some hundred lines.
            if len(held) == _BLOCKS:
                yield pa.concat_tables(held)
                held.clear()
        if held:
            yield pa.concat_tables(held)
        return
    for first in range(0, len(lines), _TOGETHER):
        some = lines[first : first + _TOGETHER]
        columns = [[getattr(line, name) for line in some] for name in _RAW_LINES.names]
        yield pa.table(columns, schema=_RAW_LINES)


def _raw(session: SparkSession, place: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> DataFrame:
    """Tables as they come, in a file that the workers read."""
    place.mkdir()
    with parquet.ParquetWriter(place / "rows.parquet", schema, compression="lz4") as out:
        for table in tables:
            out.write_table(table)
    return session.read.parquet(place.as_uri())


def _write(
    session: SparkSession, rows: DataFrame, order: tuple[str, ...], place: Path, group: int, work: Work
) -> None:
    ordered = rows.repartitionByRange(*order).sortWithinPartitions(*order)
    out = ordered.write.option("parquet.block.row.count.limit", str(group))
    watched(session, lambda: out.parquet(place.as_uri()), f"writing {place.name}", work)
