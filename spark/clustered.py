"""Raw lines on disk, so that one partition's are a few row groups: sorted by partition.

The driver writes them as they are, each with the partitions that need it, and the workers sort.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet
from pyspark.sql import DataFrame, SparkSession

from core.message import message
from core.trace.ids import NO_INDEX
from core.trace.kept import KeptLines
from core.trace.trace import Trace
from core.work import Work
from importers.lines.evidence import NEIGHBOURS, once
from importers.prepared.data_set import LINES, OF_MANY, line_schema
from spark.watch import watched

LINE_GROUP: Final = 4_096
"""Rows of a row group: what a reader of one partition reads at the least."""
SHARED_BY: Final = 8
"""A line that more partitions need than this is stored once, for all of them."""
_FILE_LINES: Final = 65_536
"""Kept lines for each file of lines/, on the average."""
_RAW: Final = ".raw"
_TOGETHER: Final = 32_768
_BLOCKS: Final = 32
_FILE: Final = "file"
_OF_NONE: Final = -2
_LINE: Final = pa.schema(list(line_schema())[1:])
_RAW_LINES: Final = pa.schema([pa.field(_FILE, pa.int32()), *line_schema()])


def write_lines(session: SparkSession, trace: Trace, folder: Path, work: Work) -> None:
    """lines/: each line with the partitions that need it, as the event's own or as a neighbour.

    A line of a broker-level event has no partition and stands first, one of many partitions (OF_MANY) next.
    """
    place = folder / f"{_RAW}-{LINES}"
    place.mkdir()
    files = 1 + len(trace.lines) // _FILE_LINES
    file_of = _file_of(trace, files)
    with parquet.ParquetWriter(place / "rows.parquet", _RAW_LINES, compression="lz4") as out:
        for table in _placed(trace):
            number = pa.array(file_of[table.column("partition").fill_null(NO_INDEX).to_numpy() + 1])
            out.write_table(table.add_column(0, _RAW_LINES.field(_FILE), number))
            # Arrow keeps the memory of each size of table for the next one of that size.
            pa.default_memory_pool().release_unused()
            work.step(0, 0, message("progress.spark.writing", name=LINES))
    _sort(session.read.parquet(place.as_uri()), files, folder / LINES, work)
    shutil.rmtree(place)


def _sort(raw: DataFrame, files: int, place: Path, work: Work) -> None:
    ordered = (
        raw.repartitionById(files, _FILE).drop(_FILE).sortWithinPartitions("partition", "source", "line")
    )
    out = ordered.write.option("parquet.block.row.count.limit", str(LINE_GROUP))
    # Nobody seeks a line by the least and most of texts, and they would be half of what is read of a file.
    out = out.option("parquet.column.statistics.enabled#text", "false")
    watched(
        ordered.sparkSession,
        lambda: out.parquet(place.as_uri()),
        message("progress.spark.writing", name=LINES),
        work,
    )


def _file_of(trace: Trace, files: int) -> NDArray[np.int32]:
    """The number of its file for no partition or many, and for each one: about as many events in each."""
    counts = np.bincount(trace.columns["partition"] + 1, minlength=len(trace.partitions) + 1)
    before = np.cumsum(counts) - counts
    return (before * files // max(len(trace), 1)).astype(np.int32)


@dataclass(frozen=True, slots=True)
class _Needed:
    """Which partitions need a line of one source: those at [first, first + count) for each of the lines."""

    lines: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]
    partitions: NDArray[np.int64]


def _needed(partition: NDArray[np.int64], line: NDArray[np.int64], partitions: int) -> _Needed:
    """By the events of one source. What is of no partition, or of many, stands for itself."""
    wide = partitions + 1
    own = once(line * wide + partition + 1)
    near = once((own[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1) * wide).ravel())
    lines, firsts, counts = np.unique(near // wide, return_index=True, return_counts=True)
    those = near % wide - 1
    of_none = those[firsts] == NO_INDEX
    of_many = ~of_none & (counts > SHARED_BY)
    those[firsts[of_none]], those[firsts[of_many]] = _OF_NONE, OF_MANY
    return _Needed(lines, firsts, np.where(of_none | of_many, 1, counts), those)


def _placed(trace: Trace) -> Iterator[pa.Table]:
    """The kept lines, some at a time, with the partitions that need them; null where that is none."""
    source, line, partition = (trace.columns[name] for name in ("source", "line", "partition"))
    told = np.flatnonzero((source != NO_INDEX) & (line > 0))
    told = told[np.argsort(source[told], kind="stable")]
    edges = np.searchsorted(source[told], np.arange(len(trace.sources) + 1))
    held: tuple[int, _Needed] | None = None
    for table in _line_tables(trace):
        at = table.column("source").to_numpy()
        for number in np.unique(at).tolist():
            if held is None or held[0] != number:
                mine = told[edges[number] : edges[number + 1]]
                own = line[mine].astype(np.int64)
                held = number, _needed(partition[mine], own, len(trace.partitions))
            yield _rows(table.filter(pa.array(at == number)), held[1])


def _rows(lines: pa.Table, needed: _Needed) -> pa.Table:
    """A row for each line and each partition that needs it."""
    number = lines.column("line").to_numpy()
    found = np.searchsorted(needed.lines, number)
    known = np.append(needed.lines, -1)[found] == number
    counts = np.where(known, np.append(needed.counts, 1)[found], 1)
    row = np.repeat(np.arange(len(number)), counts)
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = np.append(needed.firsts, 0)[found][row] + within
    partition = np.full(len(row), _OF_NONE)
    partition[known[row]] = needed.partitions[place[known[row]]]
    column = pa.array(partition.astype(np.int32), mask=partition == _OF_NONE)
    return lines.take(pa.array(row)).add_column(0, line_schema().field("partition"), column)


def _line_tables(trace: Trace) -> Iterator[pa.Table]:
    """The kept lines of a trace, some at a time."""
    lines = trace.lines
    if isinstance(lines, KeptLines):
        held: list[pa.Table] = []
        for block in lines.blocks:
            source = np.full(len(block.lines), block.source, np.int32)
            held.append(pa.table([source, block.lines, block.places, block.texts()], schema=_LINE))
            # A block for itself would be a row group of some hundred lines.
            if len(held) == _BLOCKS:
                yield pa.concat_tables(held).combine_chunks()
                held.clear()
        if held:
            yield pa.concat_tables(held).combine_chunks()
        return
    for first in range(0, len(lines), _TOGETHER):
        some = lines[first : first + _TOGETHER]
        columns = [[getattr(line, name) for line in some] for name in _LINE.names]
        yield pa.table(columns, schema=_LINE)
