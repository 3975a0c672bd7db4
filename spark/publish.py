"""The last stage: each file that the stages before have written becomes one of a table of the contract.

What those stages read and write are numbers; a reader of the data set has words, names and times, and beside
them in hidden columns what the program itself reads. A worker takes a file, and holds a row group of it.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession

from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.summary import PartitionSummary
from core.history.state_rows import StateChange
from core.message import message
from core.trace.trace import Partition, Source, Trace
from core.work import Work
from importers.contract.told import (
    VERDICTS,
    Names,
    broker_rows,
    file_rows,
    finding_rows,
    found_table,
    partition_rows,
    plain,
    state_table,
    summary_rows,
    table_of,
)
from importers.prepared.arrow_rows import from_table
from importers.prepared.data_set import (
    LINES,
    TABLES,
    line_schema,
    table_schemas,
)
from importers.prepared.rows import LINE_NAMES, OWNER, ROW, stored_schema
from importers.prepared.triage import FINDINGS, FOLDERS, MINUTES, STORED_AS, SUMMARIES
from importers.prepared.triage import TABLES as VERDICT_TABLES
from spark.reconstruct import JUDGED, WHOLE, judged_columns, unfolded
from spark.session import told_to_all
from spark.settled import SETTLED
from spark.watch import watched
from spark.workers import in_workers

_NEW: Final = ".published"
_LEVEL: Final = 3
_GROUP: Final = 65_536
_GROUPS: Final[Mapping[str, int]] = {SETTLED: 256}
"""Where rows of others are read with those of one partition: by the worker that judges some."""
_HIDDEN: Final = [one for one in (*VERDICT_TABLES, SETTLED) if STORED_AS.get(one, one).startswith("_")]
"""Tables that only the program reads: there is nothing to tell in words."""
_JUDGED_BYTES: Final = 16 << 20
"""Of verdicts that become one file of each table, about."""
_SOUGHT: Final[Mapping[str, list[str]]] = {
    LINES: ["_partition", "_source", "line", "byte"],
}
"""Columns by which row groups are left out."""
STATES: Final = "states"
_DONE: Final = pa.schema([("file", pa.string()), ("rows", pa.int64())])


@dataclass(frozen=True, slots=True)
class Task:
    """A file of a table, and the files it is made of, by their places in the data set."""

    table: str
    file: str
    made_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """What every worker is told once: where the data set is, and what numbers mean."""

    folder: str
    partitions: Sequence[Partition]
    sources: Sequence[Source]
    isrs: Sequence[tuple[int, ...]]


def shared_of(trace: Trace, folder: Path) -> Shared:
    """What workers are told of a trace whose data set is made in a folder."""
    return Shared(str(folder), trace.partitions, trace.sources, trace.isrs)


def publish(session: SparkSession, trace: Trace, shared: Shared, work: Work) -> None:
    """Make tables of the contract of all but events that stands in the folder, in its place."""
    folder = Path(shared.folder)
    _small_tables(trace, folder)
    tasks = [
        *(task for table in (LINES, FINDINGS, MINUTES) for task in _tasks(folder, table)),
        *(task for table in (*VERDICT_TABLES, *WHOLE) for task in _judged_tasks(folder, table)),
    ]
    tables = list(dict.fromkeys(task.table for task in tasks))
    for table in tables:
        (folder / _NEW / table).mkdir(parents=True)
    told = told_to_all(session, (shared, tasks))
    slots = min(max(len(tasks), 1), 4 * session.sparkContext.defaultParallelism)
    numbers = session.range(0, len(tasks), 1, slots)
    done = in_workers(numbers, partial(in_worker, told=told), _DONE)
    watched(session, done.toArrow, message("progress.spark.publishing"), work)
    told.unpersist()
    for table in tables:
        for unfinished in (folder / _NEW / table).glob(".*"):
            unfinished.unlink()
        if (folder / table).is_dir():
            shutil.rmtree(folder / table)
        (folder / _NEW / table).rename(folder / STORED_AS.get(table, table))
    (folder / _NEW).rmdir()


def _small_tables(trace: Trace, folder: Path) -> None:
    """The dictionaries: as the program reads them, hidden, and as tables of the contract."""
    (folder / TABLES).mkdir()
    for name in table_schemas():
        (folder / f"{name}.parquet").rename(folder / TABLES / f"{name}.parquet")
    for name, rows in (
        ("partitions", partition_rows(trace.partitions)),
        ("brokers", broker_rows(trace.brokers)),
        ("files", file_rows(trace.sources)),
    ):
        (folder / name).mkdir()
        parquet.write_table(table_of(name, rows), folder / name / "part-00000.parquet", compression="zstd")


def _tasks(folder: Path, table: str) -> Iterator[Task]:
    for file in sorted((folder / table).glob("*.parquet")):
        yield Task(table, file.name, (f"{table}/{file.name}",))


def _judged_tasks(folder: Path, table: str) -> Iterator[Task]:
    """Neighbouring files of JUDGED, which are as many as buckets, become one."""
    held, some = 0, list[str]()
    numbers = count()
    for file in sorted((folder / JUDGED).glob("*.parquet")):
        size = file.stat().st_size
        if some and held + size > _JUDGED_BYTES:
            yield Task(table, f"part-{next(numbers):05}.parquet", tuple(some))
            held, some = 0, []
        held += size
        some.append(f"{JUDGED}/{file.name}")
    if some:
        yield Task(table, f"part-{next(numbers):05}.parquet", tuple(some))


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of files; out comes how many rows each has."""
    shared, tasks = told.value
    names = Names(shared.partitions, shared.sources, shared.isrs)
    for batch in batches:
        for number in batch.column(0).to_pylist():
            task = tasks[number]
            rows = _published(shared, names, task)
            yield pa.RecordBatch.from_arrays(
                [pa.array([task.file]), pa.array([rows], pa.int64())], schema=_DONE
            )


def _published(shared: Shared, names: Names, task: Task) -> int:
    """Write one file, row group by row group, and say how many rows it has."""
    target = Path(shared.folder) / _NEW / task.table / task.file
    # A worker that was given up may still write.
    part = target.with_name(f".{task.file}.{uuid.uuid4().hex}")
    make = _MAKERS.get(task.table, _found)
    done, out = 0, None
    try:
        for rows in _rows_of(Path(shared.folder), task):
            made = make(rows, names, task.table)
            if out is None:
                out = writer(part, made.schema, _SOUGHT.get(task.table, True))
            # A row group of no rows would have no statistics.
            if len(rows):
                out.write_table(made, row_group_size=_GROUPS.get(task.table, _GROUP))
            done += len(rows)
    finally:
        if out is not None:
            out.close()
    part.replace(target)
    return done


def _rows_of(folder: Path, task: Task) -> Iterator[pa.Table]:
    """What a file is made of, a row group after the other, or none of its rows: then columns are known."""
    judged = task.table in VERDICT_TABLES or task.table in WHOLE
    for name in task.made_of:
        with parquet.ParquetFile(folder / name) as read:
            columns = judged_columns(task.table) if judged else None
            numbers = range(read.num_row_groups)
            found = (read.read_row_group(number, columns) for number in numbers)
            for rows in found if numbers else (read.read(columns),):
                yield unfolded(rows, task.table) if judged else rows


def writer(target: Path, schema: pa.Schema, sought: Any) -> parquet.ParquetWriter:  # noqa: ANN401 - of pyarrow
    """Writes a file of a table; it has the least and the most of the `sought` columns (True: of all)."""
    return parquet.ParquetWriter(
        target, schema, compression="zstd", compression_level=_LEVEL, write_statistics=sought
    )


def _lines(rows: pa.Table, names: Names, _table: str) -> pa.Table:
    made = {
        "host": pa.nulls(len(rows), pa.string()),
        "path": names.files.take(rows.column("source")),
        "line": rows.column("line"),
        "byte": rows.column("byte"),
        "message": rows.column("text"),
    }
    return stored(LINES, made, rows, line_schema(), LINE_NAMES)


def stored(
    table: str, made: Mapping[str, Any], rows: pa.Table, schema: pa.Schema, names: Mapping[str, str]
) -> pa.Table:
    """Columns of the contract, and the hidden ones of the rows."""
    wanted = stored_schema(table, schema, names)
    hidden = {stored: rows.column(name) for name, stored in names.items() if stored.startswith("_")}
    columns = [
        plain(made[field.name] if field.name in made else hidden[field.name], field.type) for field in wanted
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


def _found(rows: pa.Table, names: Names, table: str) -> pa.Table:
    """A table of verdicts, states, summaries or findings."""
    owner = rows.column("partition")
    told = _TELL[table](rows, names)
    if "text" in told.column_names:
        # A sentence has a language: whoever shows the table makes it of the message.
        place = told.column_names.index("text")
        told = told.set_column(place, told.schema.field("text"), pa.nulls(len(told), pa.string()))
    own = rows if table in (SUMMARIES, FINDINGS) else rows.drop_columns(["partition"])
    arrays = [plain(own.column(field.name), field.type) for field in own.schema]
    row = pa.StructArray.from_arrays(arrays, fields=list(own.schema))
    return told.append_column(OWNER, owner.cast(pa.int32())).append_column(ROW, row)


def _minutes(rows: pa.Table, _names: Names, _table: str) -> pa.Table:
    times = rows.column("minute").cast(pa.timestamp("ns", "UTC"))
    return rows.set_column(rows.column_names.index("minute"), "time", times)


def _as_they_are(rows: pa.Table, _names: Names, _table: str) -> pa.Table:
    return rows


_MAKERS: Final[Mapping[str, Callable[[pa.Table, Names, str], pa.Table]]] = {
    LINES: _lines,
    MINUTES: _minutes,
    **dict.fromkeys(_HIDDEN, _as_they_are),
}


def _verdicts(table: str, kind: type) -> Callable[[pa.Table, Names], pa.Table]:
    def tell(rows: pa.Table, names: Names) -> pa.Table:
        pairs = zip(rows.column("partition").to_pylist(), from_table(kind, rows), strict=True)
        return found_table(table, pairs, names)

    return tell


def _states(rows: pa.Table, names: Names) -> pa.Table:
    return state_table(
        zip(rows.column("partition").to_pylist(), from_table(StateChange, rows), strict=True), names
    )


_TELL: Final[Mapping[str, Callable[[pa.Table, Names], pa.Table]]] = {
    **{folder: _verdicts(table, VERDICTS[table][1]) for table, folder in FOLDERS.items()},
    STATES: _states,
    SUMMARIES: lambda rows, names: table_of(
        SUMMARIES, summary_rows(from_table(PartitionSummary, rows), names)
    ),
    FINDINGS: lambda rows, names: table_of(FINDINGS, finding_rows(from_table(Finding, rows), names)),
}
"""How a table is told, by the folder in which the stages before leave it."""
