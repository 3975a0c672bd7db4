"""events/, written by the workers as the contract has it: sorted by partition, in small row groups.

The driver has the events as columns in order. It puts them, sorted by partition, on a shelf that workers
read, and makes no row itself: each of them takes a stretch, writes it as a file, and digests it.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import SparkSession

from core.errors import DocumentError, Facts
from core.message import message
from core.trace.by_partition import order_of
from core.trace.columns import Columns
from core.trace.digest import added, stretches, sum_of_rows
from core.trace.ids import NO_INDEX
from core.trace.trace import DTYPES, Column, Trace
from core.work import Work
from importers.contract.columns import TABLES as CONTRACT
from importers.contract.told import Names, event_table
from importers.prepared.arrow_rows import from_table, schema_of, to_batch
from importers.prepared.data_set import EVENTS, event_schema
from importers.prepared.rows import EVENT_NAMES
from spark.publish import Shared, stored, writer
from spark.schema import events_of
from spark.session import told_to_all
from spark.shelf import Lent, Shelf
from spark.target import cannot_write
from spark.watch import watched
from spark.workers import in_workers

EVENT_GROUP: Final = 4_096
"""Rows of a row group: what a reader of one partition reads at the least."""
FILE_EVENTS: Final = 16 * EVENT_GROUP
"""Events of a file, about."""
_ROWS: Final = ".rows"
_SOUGHT: Final = ["seq", "time", "_partition"]
"""Columns by which row groups are left out."""
_SHOWN: Final = [one.name for one in CONTRACT[EVENTS] if one.name != "ordinal"]


@dataclass(frozen=True, slots=True)
class Lot:
    """Where all events lie, how many are of no partition, and where those of each partition begin."""

    rows: Lent
    of_none: int
    begins: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Task:
    """A file: its number, and which of the events it has."""

    number: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Wrote:
    """What a worker answers: the sum of its events for the content digest, or why it could not."""

    rows: bytes
    fault: Facts | None = None


def write_events(session: SparkSession, trace: Trace, folder: Path, shared: Shared, work: Work) -> int:
    """Write events/, those of brokers first, and give the sum of all of them for the content digest.

    Raises DocumentError where a worker could not write.
    """
    (folder / EVENTS).mkdir()
    work.step(0, len(trace), message("progress.spark.writing", name=EVENTS))
    with Shelf(folder, _ROWS) as shelf:
        lot, tasks = lot_of(trace, shelf)
        told = told_to_all(session, (shared, lot, tasks))
        numbers = session.range(0, len(tasks), 1, len(tasks))
        done = in_workers(numbers, partial(in_worker, told=told), schema_of(Wrote))
        table = watched(session, done.toArrow, message("progress.spark.writing", name=EVENTS), work)
        told.unpersist()
    found = from_table(Wrote, table)
    for one in found:
        if one.fault is not None:
            raise DocumentError.of(one.fault)
    for unfinished in (folder / EVENTS).glob(".*"):
        unfinished.unlink()
    return added(int.from_bytes(one.rows) for one in found)


def lot_of(trace: Trace, shelf: Shelf) -> tuple[Lot, Sequence[Task]]:
    """All events on a shelf with a name, sorted by partition and Seq, and which of them each file has."""
    partition = trace.columns["partition"]
    order = order_of(partition)
    counts = np.bincount(partition - NO_INDEX, minlength=len(trace.partitions) + 1)

    # One column after the other: rows from all over a file would be sought on the disk one by one.
    def make(name: str) -> Column:
        return order if name == "seq" else trace.columns[name][order]

    rows = shelf.lent(shelf.put(Columns(("seq", *DTYPES), len(order), make)))
    # A folder of no file would have no columns.
    edges = [*stretches(counts, FILE_EVENTS), len(trace)] if len(trace) else [0, 0]
    tasks = [Task(number, *pair) for number, pair in enumerate(pairwise(edges))]
    return Lot(rows, int(counts[0]), (np.cumsum(counts) - counts)[1:]), tasks


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of files; out comes what was written."""
    shared, lot, tasks = told.value
    names = Names(shared.partitions, shared.sources, shared.isrs)
    for batch in batches:
        yield to_batch(Wrote, [wrote(shared, lot, names, tasks[one]) for one in batch.column(0).to_pylist()])


def wrote(shared: Shared, lot: Lot, names: Names, task: Task) -> Wrote:
    """Write one file, whole or not at all."""
    target = Path(shared.folder) / EVENTS / f"part-{task.number:05}.parquet"
    # A worker that was given up may still write.
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        rows = lot.rows.part(task.first, task.end)
        groups = _groups(task, lot.of_none)
        places = np.arange(task.first, task.end) - np.append(lot.begins, 0)[rows["partition"]]
        first = _table(rows, places, names, *groups[0])
        with writer(part, first.schema, _SOUGHT) as out:
            out.write_table(first)
            for group in groups[1:]:
                out.write_table(_table(rows, places, names, *group))
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        return Wrote(b"", cannot_write(Path(shared.folder), error).facts)
    return Wrote(sum_of_rows(rows).to_bytes(32))


def _groups(task: Task, of_none: int) -> Sequence[tuple[int, int]]:
    """The row groups of a file, as places in it. What every reader needs lies in some of their own."""
    begins = [
        *range(task.first, min(of_none, task.end), EVENT_GROUP),
        *range(max(task.first, of_none), task.end, EVENT_GROUP),
    ]
    places = [one - task.first for one in (*begins, task.end)]
    return list(pairwise(places)) or [(0, 0)]


def _table(
    rows: Mapping[str, Column], places: NDArray[np.int64], names: Names, begin: int, end: int
) -> pa.Table:
    """Some rows as they are stored."""
    some = {name: column[begin:end] for name, column in rows.items()}
    told = event_table(some, names, _SHOWN)
    made: dict[str, Any] = {name: told.column(name) for name in _SHOWN}
    made["ordinal"] = pa.array(places[begin:end], pa.int64(), mask=some["partition"] == NO_INDEX)
    return stored(EVENTS, made, events_of(some), event_schema(), EVENT_NAMES)
