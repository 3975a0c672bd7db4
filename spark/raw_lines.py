"""The raw lines of a trace, put beside its data set by workers; what they tell the driver is little.

A line that the data set that is continued has kept is taken from there, by whoever has the range in which it
stands, and no log is opened for it.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false, reportAttributeAccessIssue=false
# pyarrow comes without types.

import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

from core.diagnose.verdict.findings_evidence import ALARMS
from core.errors import DocumentError, Facts, SourceError
from core.message import message
from core.trace.ids import NO_INDEX
from core.trace.trace import Column, KeptLine, Trace
from core.work import Work
from importers.prepared.arrow_rows import from_table, schema_of, to_batch
from importers.prepared.data_set import LINES, dictionaries_of
from importers.prepared.some import open_rows
from spark.clustered import LINE, RAW, RAW_LINES, Needed, file_of, needed_by, raw_rows
from spark.merge import Merged
from spark.parse import pack
from spark.quote import Quote, events_of, quotes
from spark.ranges import File
from spark.schema import spark_schema
from spark.session import told_to_all
from spark.shelf import Lent, Shelf
from spark.target import cannot_write
from spark.watch import watched
from spark.workers import in_workers

_EVENTS: Final = ".told"
_GROUP: Final = "group"
_HELD: Final = pa.schema([pa.field(_GROUP, pa.int32()), *LINE])
"""A line that was kept before, and the number of the group of tasks that has its range; or that alone."""
_NO_END: Final = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class Raw:
    """Raw lines that lie in RAW: how many there are, and for how many files of lines/.

    `alarms` are the few that a finding reads, by partition, in order of source and line. `opened` are the
    ranges that were read for them: file and first byte.
    """

    count: int
    files: int
    alarms: Mapping[int, tuple[KeptLine, ...]]
    opened: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Former:
    """The data set that is continued. `grown` are logs by path that still are the same up to a byte."""

    folder: Path
    grown: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Alarm:
    """A raw line that a finding on a partition reads."""

    partition: int
    line: KeptLine


@dataclass(frozen=True, slots=True)
class Put:
    """What a worker answers of a task: how many lines it put there, and where the range begins that it read.

    `opened` is None where it had all of them from before. Or why the lines of the file are not there any more
    (`fault`), or why it could not write (`unwritten`).
    """

    file: int
    lines: int = 0
    opened: int | None = None
    alarms: tuple[Alarm, ...] = ()
    fault: Facts | None = None
    unwritten: Facts | None = None


@dataclass(frozen=True, slots=True)
class Shared:
    """What every worker is told once. `files` is what `file_of` gives, `events` what `events_of` gives."""

    folder: str
    groups: Sequence[tuple[Quote, ...]]
    events: Lent
    partitions: int
    files: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Kept:
    """What workers are told of lines that were kept before, in so many files.

    By old source: which it is now, if any, and up to which byte it is the same. By new source: the first line
    of each range of which lines are asked for, and the number of the group that has it.
    """

    folder: str
    files: int
    now: NDArray[np.int32]
    until: NDArray[np.int64]
    ranges: Mapping[int, tuple[NDArray[np.int64], NDArray[np.int32]]]


def put_lines(
    session: SparkSession,
    trace: Trace,
    merged: Merged,
    files: Sequence[File],
    folder: Path,
    former: Former | None,
    work: Work,
) -> tuple[Raw, Mapping[int, Facts]]:
    """Put the lines that the trace keeps into RAW in a folder; and of which files they are gone, and why.

    Raises DocumentError where a worker could not write.
    """
    shutil.rmtree(folder / RAW, ignore_errors=True)
    with Shelf(folder, _EVENTS) as shelf:
        columns, begins = events_of(trace)
        asked = quotes(trace, merged, files, columns["line"], begins)
        groups = pack(asked, session.sparkContext.defaultParallelism)
        of_file = file_of(columns["partition"], len(trace.partitions))
        shared = Shared(str(folder), groups, shelf.lent(shelf.put(columns)), len(trace.partitions), of_file)
        del columns
        try:
            (folder / RAW).mkdir()
        except OSError as error:
            raise cannot_write(folder, error) from error
        kept = None if former is None else _kept_by(trace, groups, former)
        done = _run(session, shared, kept, work) if groups else []
    for one in done:
        if one.unwritten is not None:
            raise DocumentError.of(one.unwritten)
    for unfinished in (folder / RAW).glob(".*"):
        unfinished.unlink()
    opened = tuple((one.file, one.opened) for one in done if one.opened is not None)
    raw = Raw(sum(one.lines for one in done), int(of_file[-1]) + 1, _by_partition(done), opened)
    return raw, {one.file: one.fault for one in done if one.fault is not None}


def _by_partition(done: Iterable[Put]) -> Mapping[int, tuple[KeptLine, ...]]:
    alarms = [alarm for one in done for alarm in one.alarms]
    alarms.sort(key=lambda one: (one.partition, one.line.source, one.line.line))
    return {
        partition: tuple(one.line for one in some)
        for partition, some in groupby(alarms, key=attrgetter("partition"))
    }


def _run(session: SparkSession, shared: Shared, kept: Kept | None, work: Work) -> list[Put]:
    """Each group of tasks in a partition of its own, with what was kept before of its lines."""
    number = len(shared.groups)
    told = told_to_all(session, (shared, kept))
    none = [sql.lit(None).cast(one.dataType).alias(one.name) for one in spark_schema(LINE)]
    rows = session.range(0, number, 1, number).select(sql.col("id").cast("int").alias(_GROUP), *none)
    if kept is not None:
        files = session.range(0, kept.files, 1, max(kept.files, 1))
        held = in_workers(files, partial(held_in_worker, told=told), _HELD)
        rows = rows.union(held).repartitionById(number, _GROUP)
    done = in_workers(rows, partial(in_worker, told=told), schema_of(Put))
    table = watched(session, done.toArrow, message("progress.spark.raw-lines"), work)
    told.unpersist()
    return from_table(Put, table)


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are those of one group (_HELD); out comes what was put."""
    shared, _ = told.value
    rows = [*batches]
    table = pa.Table.from_batches(rows, None if rows else _HELD)
    for number in table.column(_GROUP).unique().to_pylist():
        mine = table.filter(pc.equal(table.column(_GROUP), number)).drop_columns([_GROUP])
        held = mine.filter(mine.column("source").is_valid())
        yield to_batch(Put, put(shared, number, held))


def put(shared: Shared, number: int, held: pa.Table) -> list[Put]:
    """Do the tasks of a group, and write their lines into a file, whole or not at all."""
    target = Path(shared.folder) / RAW / f"part-{number:05}.parquet"
    # A worker that was given up may still write.
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        with parquet.ParquetWriter(part, RAW_LINES, compression="lz4") as out:
            done = [_put(shared, quote, held, out) for quote in shared.groups[number]]
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        return [Put(NO_INDEX, unwritten=cannot_write(Path(shared.folder), error).facts)]
    return done


@dataclass(slots=True)
class _Lines:
    """The lines of one source that a task has, on their way out."""

    needed: Needed
    line: Column
    partition: Column
    count: int = 0
    alarms: list[Alarm] = field(default_factory=list[Alarm])

    def take(self, table: pa.Table, files: NDArray[np.int32]) -> pa.Table:
        """Count some of them, and give them as rows."""
        self.count += len(table)
        said = pc.match_substring(table.column("text"), ALARMS[0])
        for words in ALARMS[1:]:
            said = pc.or_(said, pc.match_substring(table.column("text"), words))
        for row in table.filter(said).to_pylist():
            of = self.partition[self.line == row["line"]].tolist()
            self.alarms += [Alarm(one, KeptLine(**row)) for one in sorted({*of} - {NO_INDEX})]
        return raw_rows(table, self.needed, files)


def _put(shared: Shared, quote: Quote, held: pa.Table, out: parquet.ParquetWriter) -> Put:
    """One task. Raises OSError where its lines cannot be written."""
    found: list[_Lines] = []
    missing: dict[int, NDArray[np.int64]] = {}
    for at, ask in enumerate(quote.of):
        rows = shared.events.part(ask.first, ask.end)
        line, partition = (rows[name].astype(np.int64) for name in ("line", "partition"))
        own = _Lines(needed_by(partition, line, shared.partitions), line, partition)
        found.append(own)
        wanted = quote.own(ask, own.needed.lines)
        there = _once(held, ask.source, wanted)
        if len(there):
            out.write_table(own.take(there, shared.files))
        lacking = wanted[np.isin(wanted, there.column("line").to_numpy(), invert=True)]
        if len(lacking):
            missing[at] = lacking
    try:
        for at, table in quote.read(missing) if missing else ():
            out.write_table(found[at].take(table, shared.files))
    except SourceError as error:
        return Put(quote.range.file, fault=error.facts)
    alarms = tuple(alarm for one in found for alarm in one.alarms)
    opened = quote.range.start if missing else None
    return Put(quote.range.file, sum(one.count for one in found), opened, alarms)


def _once(held: pa.Table, source: int, wanted: NDArray[np.int64]) -> pa.Table:
    """The wanted lines of a source among those that were kept, each once, in order."""
    mine = held.filter(pc.equal(held.column("source"), source))
    line, first = np.unique(mine.column("line").to_numpy(), return_index=True)
    return mine.take(pa.array(first[np.isin(line, wanted)]))


def _kept_by(trace: Trace, groups: Sequence[tuple[Quote, ...]], former: Former) -> Kept:
    """The lines that the data set that is continued keeps of files that are still the same."""
    ranges: dict[int, list[tuple[int, int]]] = {}
    for number, group in enumerate(groups):
        for quote in group:
            for ask in quote.of:
                ranges.setdefault(ask.source, []).append((quote.first_line, number))
    now, until = same_sources(trace, former)
    return Kept(
        str(former.folder),
        sum(1 for _ in open_rows(former.folder, LINES).fragments()),
        now,
        until,
        {
            source: (np.array([one[0] for one in some]), np.array([one[1] for one in some], np.int32))
            for source, some in ranges.items()
        },
    )


def same_sources(trace: Trace, former: Former) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """By source of a data set: which source of the trace it is, and up to which byte it is the same."""
    sources = dictionaries_of(former.folder)["sources"]
    same = {(one.path, one.sha256): at for at, one in enumerate(sources)}
    longer = {one.path: at for at, one in enumerate(sources) if one.path in former.grown}
    now, until = np.full(len(sources), NO_INDEX, np.int32), np.zeros(len(sources), np.int64)
    for at, one in enumerate(trace.sources):
        whole = same.get((one.path, one.sha256))
        old = longer.get(one.path) if whole is None else whole
        if one.sha256 and old is not None:
            now[old], until[old] = at, _NO_END if whole is not None else former.grown[one.path]
    return now, until


def held_in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of files of lines/; out come lines (_HELD)."""
    _, kept = told.value
    try:
        rows = open_rows(kept.folder, LINES)
        files = [*rows.fragments()]
        for number in (one for batch in batches for one in batch.column(0).to_pylist()):
            for group in files[number].split_by_row_group():
                yield from still(rows.read(group, LINE.names), kept).to_batches()
    except (SourceError, OSError, pa.ArrowException):
        # What is not found here is read where it came from.
        return


def still(lines: pa.Table, kept: Kept) -> pa.Table:
    """Those of some lines that still stand where they stood, with the group that has their range."""
    source, line, byte = (lines.column(name).to_numpy() for name in ("source", "line", "byte"))
    now = kept.now[source]
    number = np.full(len(lines), NO_INDEX, np.int32)
    for one in np.unique(now[(now != NO_INDEX) & (byte < kept.until[source])]).tolist():
        if one in kept.ranges:
            firsts, groups = kept.ranges[one]
            mine = (now == one) & (byte < kept.until[source]) & (line >= firsts[0])
            number[mine] = groups[np.searchsorted(firsts, line[mine], side="right") - 1]
    chosen = np.flatnonzero(number != NO_INDEX)
    table = lines.take(pa.array(chosen))
    table = table.set_column(0, LINE.field("source"), pa.array(now[chosen]))
    return table.add_column(0, _HELD.field(_GROUP), pa.array(number[chosen]))
