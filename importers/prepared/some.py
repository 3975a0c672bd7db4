"""Some columns, events or lines of a data set: no reader holds more than its answer."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from core.message import message
from core.trace.ids import NO_INDEX
from core.trace.trace import Column, KeptLine
from importers.prepared.data_set import (
    EVENTS,
    LINES,
    damaged_set,
    line_rows,
    numbers_of,
    once_each,
    place_of_line,
    read_manifest,
    rows_in,
    small_tables,
    trace_columns,
)
from importers.prepared.folder import folder_of
from importers.prepared.rows import Rows

if TYPE_CHECKING:
    import pyarrow as pa

COUNTED: Final = "events"
"""The column of partitions.parquet with how many events a partition has; older data sets lack it."""
_BATCH: Final = 65_536
_TOGETHER: Final = 8
"""Row groups that are read at once."""


def open_rows(place: str | Path, table: str) -> Rows:
    """events/ or lines/, of which nothing is read yet. Raises SourceError."""
    folder = folder_of(place)
    return rows_in(folder, table, read_manifest(place), None)


@contextmanager
def _reading(place: str | Path, table: str) -> Generator[None]:
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        folder = folder_of(place)
        raise damaged_set(folder, message("error.data-set.table", name=table, words=str(error))) from error


def some_columns(place: str | Path, names: Collection[str]) -> tuple[NDArray[np.int64], Mapping[str, Column]]:
    """Seqs and some columns of all events, in the order in which they lie there. Raises SourceError."""
    rows = open_rows(place, EVENTS)
    with _reading(place, EVENTS):
        table = rows.to_table(["seq", *names])
    return table.column("seq").to_numpy(), {name: numbers_of(table, name) for name in names}


def batches_of(place: str | Path, names: Sequence[str]) -> "Iterator[pa.RecordBatch]":
    """Some columns of all events, some rows at a time. Raises SourceError."""
    rows = open_rows(place, EVENTS)
    with _reading(place, EVENTS):
        yield from rows.to_batches(names, _BATCH)


def partition_counts(place: str | Path, partitions: int) -> list[int]:
    """How many events each partition has. Raises SourceError."""
    folder = folder_of(place)
    with _reading(place, "partitions"):
        table = folder.table(f"{small_tables(folder)}partitions.parquet")
    if COUNTED in table.column_names:
        return table.column(COUNTED).to_pylist()
    counts = np.zeros(partitions, np.int64)
    for batch in batches_of(place, ["partition"]):
        owner = batch.column("partition").drop_null().to_numpy()
        counts += np.bincount(owner[owner != NO_INDEX], minlength=partitions)
    return counts.tolist()


def columns_of_seqs(place: str | Path, seqs: NDArray[np.int64]) -> dict[str, Column]:
    """The columns of these events (rising) as a trace has them; causes among them. Raises SourceError."""
    import pyarrow as pa

    def wanted(table: "pa.Table") -> NDArray[np.bool_]:
        return np.isin(table.column("seq").to_numpy(), seqs, assume_unique=True)

    rows = open_rows(place, EVENTS)
    with _reading(place, EVENTS):
        found = list(_chosen(rows, ["seq"], wanted))
        table = pa.concat_tables(found) if found else rows.schema.empty_table()
    if len(table) != len(seqs):
        folder = folder_of(place)
        raise damaged_set(folder, message("error.data-set.events", found=len(table), written=len(seqs)))
    return trace_columns(table)[1]


def lines_of_places(place: str | Path, source: Column, line: Column) -> tuple[KeptLine, ...]:
    """The kept lines of these files at these lines, each once. Raises SourceError."""
    import pyarrow as pa

    left = np.unique(place_of_line(source[line > 0], line[line > 0]))

    def wanted(table: "pa.Table") -> NDArray[np.bool_]:
        """The first copy of each line that was not found yet: many partitions may keep it."""
        nonlocal left
        there = place_of_line(table.column("source").to_numpy(), table.column("line").to_numpy())
        found, first = np.unique(there, return_index=True)
        new = np.isin(found, left, assume_unique=True)
        left = np.setdiff1d(left, found[new], assume_unique=True)
        keep = np.zeros(len(there), bool)
        keep[first[new]] = True
        return keep

    rows = open_rows(place, LINES)
    with _reading(place, LINES):
        found = list(_chosen(rows, ["source", "line"], wanted))
    names = ["source", "line", "byte", "text"]
    return once_each((pa.concat_tables(found) if found else rows.schema.empty_table()).select(names))


def _chosen(
    rows: Rows, names: Sequence[str], wanted: "Callable[[pa.Table], NDArray[np.bool_]]"
) -> "Iterator[pa.Table]":
    """The rows that are wanted by some of their columns: of row groups without one nothing else is read."""
    import pyarrow as pa

    for fragment in rows.fragments():
        keep = wanted(rows.read(fragment, names))
        if not keep.any():
            continue
        ends = np.cumsum([group.num_rows for group in fragment.row_groups])
        groups = np.unique(np.searchsorted(ends, np.flatnonzero(keep), side="right"))
        for first in range(0, len(groups), _TOGETHER):
            read = groups[first : first + _TOGETHER].tolist()
            kept = np.concatenate([keep[(ends[one - 1] if one else 0) : ends[one]] for one in read])
            yield rows.read(fragment.subset(row_group_ids=read)).filter(pa.array(kept))


def kept_lines_of(place: str | Path, sources: Iterable[int]) -> tuple[KeptLine, ...]:
    """The kept lines of some sources (indexes). Raises SourceError."""
    rows = open_rows(place, LINES)
    return once_each(line_rows(folder_of(place), rows, rows.field("source").isin(list(sources))))
