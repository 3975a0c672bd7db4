"""Raw lines on disk, so that one partition's are a few row groups: sorted by partition.

Workers put them beside the data set as they are, each with the partitions that need it, and sort them.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import DataFrame, SparkSession

from core.message import message
from core.trace.ids import NO_INDEX
from core.trace.trace import Column
from core.work import Work
from importers.lines.evidence import NEIGHBOURS, once
from importers.prepared.data_set import LINES, OF_MANY, line_schema
from spark.schema import spark_schema
from spark.watch import watched

LINE_GROUP: Final = 4_096
"""Rows of a row group: what a reader of one partition reads at the least."""
SHARED_BY: Final = 8
"""A line that more partitions need than this is stored once, for all of them."""
RAW: Final = ".raw-lines"
"""Where raw lines lie until they are sorted; removed then."""
_FILE_EVENTS: Final = 32_768
"""Events with a line for each file of lines/, on the average."""
_FILE: Final = "file"
_OF_NONE: Final = -2
LINE: Final = pa.schema(list(line_schema())[1:])
"""A line without the partition that needs it."""
RAW_LINES: Final = pa.schema([pa.field(_FILE, pa.int32()), *line_schema()])


def write_lines(session: SparkSession, files: int, folder: Path, work: Work) -> None:
    """lines/: what lies in RAW, each line with the partitions that need it, in so many files.

    A line of a broker-level event has no partition and stands first, one of many partitions (OF_MANY) next.
    """
    place = folder / RAW
    _sort(session.read.schema(spark_schema(RAW_LINES)).parquet(place.as_uri()), files, folder / LINES, work)
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


def file_of(partition: Column, partitions: int) -> NDArray[np.int32]:
    """The number of its file of lines/ for no partition or many, and for each one; the last is the most.

    `partition` are those of the events that come from lines: about as many of them are in each file.
    """
    files = 1 + len(partition) // _FILE_EVENTS
    counts = np.bincount(partition + 1, minlength=partitions + 1)
    before = np.cumsum(counts) - counts
    return (before * files // max(len(partition), 1)).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Needed:
    """Which partitions need a line of one source: those at [first, first + count) for each of the lines."""

    lines: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]
    partitions: NDArray[np.int64]


def needed_by(partition: NDArray[np.int64], line: NDArray[np.int64], partitions: int) -> Needed:
    """By the events of one source. What is of no partition, or of many, stands for itself."""
    wide = partitions + 1
    own = once(line * wide + partition + 1)
    near = once((own[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1) * wide).ravel())
    lines, firsts, counts = np.unique(near // wide, return_index=True, return_counts=True)
    those = near % wide - 1
    of_none = those[firsts] == NO_INDEX
    of_many = ~of_none & (counts > SHARED_BY)
    those[firsts[of_none]], those[firsts[of_many]] = _OF_NONE, OF_MANY
    return Needed(lines, firsts, np.where(of_none | of_many, 1, counts), those)


def raw_rows(lines: pa.Table, needed: Needed, files: NDArray[np.int32]) -> pa.Table:
    """A row for each line (LINE) of one source and each partition that needs it; null where that is none.

    `files` is what `file_of` gives.
    """
    number = lines.column("line").to_numpy()
    found = np.searchsorted(needed.lines, number)
    known = np.append(needed.lines, -1)[found] == number
    counts = np.where(known, np.append(needed.counts, 1)[found], 1)
    row = np.repeat(np.arange(len(number)), counts)
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = np.append(needed.firsts, 0)[found][row] + within
    partition = np.full(len(row), _OF_NONE)
    partition[known[row]] = needed.partitions[place[known[row]]]
    of_file = files[np.maximum(partition, NO_INDEX) + 1]
    column = pa.array(partition.astype(np.int32), mask=partition == _OF_NONE)
    made = [pa.array(of_file), column, *lines.take(pa.array(row)).columns]
    return pa.Table.from_arrays(made, schema=RAW_LINES)
