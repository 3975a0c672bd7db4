"""From events to verdicts: each worker opens and judges some partitions with core's own functions.

A bucket is a stretch of neighbouring partitions: they lie side by side in the data set, so that a worker
reads few row groups. A partition with very many events is a bucket of its own.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false, reportAttributeAccessIssue=false
# pyarrow comes without types.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import dataset, parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql
from pyspark.sql.types import StructType

from core.diagnose.verdict.check import judge_partitions
from core.diagnose.verdict.checks import CHECKS, worst_first
from core.diagnose.verdict.counted import is_internal
from core.diagnose.verdict.facts import Finding, PartitionVerdict
from core.diagnose.verdict.findings_evidence import of_the_evidence
from core.diagnose.verdict.renumber import renumbered
from core.diagnose.verdict.seen import Seen, seen_in
from core.diagnose.verdict.summary import PartitionSummary, summarise
from core.history.state_rows import StateChange, state_changes
from core.message import message
from core.trace.by_partition import by_partition
from core.trace.ids import NO_INDEX
from core.trace.part import part_of
from core.trace.trace import KeptLine, Trace
from core.trace.units import MINUTE_NS
from core.work import Work
from importers.prepared.arrow_rows import schema_of, to_batch
from importers.prepared.data_set import EVENTS, event_schema, load_part
from importers.prepared.rows import EVENT_NAMES, Rows, stored_schema
from importers.prepared.triage import FINDINGS, MINUTES, SUMMARIES, TABLES
from spark.schema import events_at, spark_schema
from spark.session import told_to_all
from spark.settled import SETTLED, Common, Local, Settled, common_of, key_of, of_partition, settled_before
from spark.watch import watched
from spark.workers import in_workers

BUCKET_EVENTS: Final = 100_000
BUCKET_PARTITIONS: Final = 250
_TOGETHER: Final = 32
"""Partitions of one batch on their way out of a worker."""
TABLE_GROUP: Final = 65_536
_TOLD: Final = pa.schema([("broker", pa.int32()), ("minute", pa.int64()), ("events", pa.int64())])
_SILENCE: Final = "evidence-gap"
_CRASH: Final = "unclean-stop"
JUDGED: Final = ".judged"
"""Where verdicts lie until they are tables; removed at the end."""
WHOLE: Final[Mapping[str, str]] = {SUMMARIES: "summary", SETTLED: "settled"}
"""Tables with one row for each partition, and where they come from in a worker's answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Of a finding: the rank of its check, and which findings it comes after in a data set."""

    rank: int
    worst: int


@dataclass(frozen=True, slots=True)
class Judged:
    """One partition as a worker found it; Seqs are those of the whole data set.

    `places` are those of the findings of the verdict. `settled` is for the next run; `anew` says that it was
    judged by this one.
    """

    partition: int
    summary: PartitionSummary
    verdict: PartitionVerdict
    places: tuple[Place, ...]
    states: tuple[StateChange, ...]
    settled: Settled
    anew: bool


@dataclass(frozen=True, slots=True)
class Shared:
    """What every worker is told once: where the data set is, and what all partitions have in common.

    `general` are the broker-level events and the last one of the set, as rows of events/; `alarms` are the
    few raw lines that a finding reads, by partition. `before` is the data set that is continued.
    """

    folder: str
    dictionaries: Mapping[str, Any]
    general: pa.Table
    seen: Seen
    alarms: Mapping[int, tuple[KeptLine, ...]]
    common: Common
    before: str | None


def reconstruct(
    session: SparkSession,
    trace: Trace,
    folder: Path,
    alarms: Mapping[int, tuple[KeptLine, ...]],
    bucket_events: int,
    work: Work,
    before: Path | None = None,
) -> int:
    """Add verdicts to a data set that has its events, and what is told of all of them together.

    `alarms` are the raw lines that a finding reads, by partition. What the data set `before` has found of a
    partition stands where nothing that bears on it has changed.
    Gives how many partitions were judged.
    """
    owner = trace.columns["partition"]
    general = np.union1d(np.flatnonzero(owner == NO_INDEX), np.arange(len(trace))[-1:])
    dictionaries = {
        name: getattr(trace, name) for name in ("brokers", "partitions", "sources", "isrs", "records")
    }
    shared = Shared(
        str(folder),
        {**dictionaries, "facts": dict(trace.facts)},
        events_at(trace, general),
        seen_in(trace),
        alarms,
        common_of(trace),
        None if before is None else str(before),
    )
    sizes = np.bincount(owner[owner != NO_INDEX], minlength=len(trace.partitions))
    _judge(session, shared, buckets(sizes.tolist(), bucket_events), work)
    _write_tables(session, folder, shared, work)
    return sum(dataset.dataset(folder / JUDGED).to_table(["anew"]).column("anew").to_pylist())


def buckets(sizes: Sequence[int], most: int) -> tuple[tuple[int, int], ...]:
    """Stretches [first, end) of partitions with at most so many events together, or one that has more."""
    found: list[tuple[int, int]] = []
    first, held = 0, 0
    for index, size in enumerate(sizes):
        if index > first and (held + size > most or index - first >= BUCKET_PARTITIONS):
            found.append((first, index))
            first, held = index, 0
        held += size
    return (*found, (first, len(sizes))) if len(sizes) > first else tuple(found)


def _judge(session: SparkSession, shared: Shared, stretches: Sequence[tuple[int, int]], work: Work) -> None:
    told = told_to_all(session, (shared, stretches))
    numbers = session.range(0, len(stretches), 1, max(len(stretches), 1))
    judged = in_workers(numbers, partial(in_worker, told=told), schema_of(Judged))
    place = (Path(shared.folder) / JUDGED).as_uri()
    watched(session, lambda: judged.write.parquet(place), message("progress.spark.judging"), work)
    told.unpersist()


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of buckets; out come verdicts."""
    shared, stretches = told.value
    numbers = (number for batch in batches for number in batch.column(0).to_pylist())
    found = (one for number in numbers for one in judge(shared, *stretches[number]))
    while some := list(islice(found, _TOGETHER)):
        yield to_batch(Judged, some)


def judge(shared: Shared, first: int, end: int) -> Iterator[Judged]:
    """The partitions [first, end) of a data set, each opened and judged."""
    wanted = range(first, end)
    lines = tuple(sorted({line for index in wanted for line in shared.alarms.get(index, ())}, key=_by_line))
    rows = _events_of(shared.folder)
    of_them = (rows.field("partition") >= first) & (rows.field("partition") < end)
    own = rows.to_table(chosen=of_them).cast(event_schema())
    # The last event of all is among the general ones, so that every part ends when the whole does.
    if len(shared.general):
        own = own.filter(dataset.field("seq") < shared.general.column("seq")[-1])
    part = load_part(own, shared.general, shared.dictionaries, lines)
    found = by_partition(part.trace)
    names = [str(part.trace.partitions[index].tp) for index in wanted]
    known = {} if shared.before is None else settled_before(shared.before, names)
    for index in wanted:
        # Alone, as the window opens it: a state stands until the next event, whosever partition is beside it.
        own = found.seqs_of(index)
        mine = np.union1d(own, [len(part.trace) - 1])
        alone = part_of(part.trace, mine)
        key = key_of(shared.common, alone, index, len(own), lines)
        yield _judged(shared, index, alone, part.seqs[mine].tolist(), key, known.get(key))


def _judged(
    shared: Shared, index: int, alone: Trace, seqs: Sequence[int], key: str, known: Local | None
) -> Judged:
    """One partition; `seqs` are those of its events in the whole data set, `known` what was found before."""
    if known is None:
        ((history, verdict),) = judge_partitions(alone, (index,))
        found = Local(verdict, tuple(state_changes(history)))
    else:
        found = Local(of_partition(known.verdict, index), known.states)
    # A cursor counts the events before it: n stands behind the n-th of the part.
    cursors = [0, *(seq + 1 for seq in seqs)]
    # Where copies differ, the finding is of the end of the whole trace.
    key = "" if found.verdict.divergences else key
    return Judged(
        index,
        summarise(alone, found.verdict, shared.seen),
        renumbered(found.verdict, seqs),
        places_of(alone, found.verdict.findings),
        tuple(replace(one, cursor=cursors[one.cursor]) for one in found.states),
        Settled(str(alone.partitions[index].tp), key, found),
        known is None,
    )


@lru_cache(maxsize=1)
def _events_of(folder: str) -> Rows:
    """The events of a data set. A worker reads the ends of the files once, not for each bucket."""
    files = [str(file) for file in event_files(folder)]
    stored = stored_schema(EVENTS, event_schema(), EVENT_NAMES)
    return Rows(dataset.dataset(files, schema=stored, format="parquet"), EVENT_NAMES, event_schema())


def event_files(folder: str | Path) -> Sequence[Path]:
    """The files of events/, in order."""
    return sorted((Path(folder) / EVENTS).glob("*.parquet"))


def _by_line(line: KeptLine) -> tuple[int, int]:
    return line.source, line.line


def _write_tables(session: SparkSession, folder: Path, shared: Shared, work: Work) -> None:
    """What is told of all partitions together. Tables of which each partition has its rows: `unfolded`."""
    found = session.read.schema(spark_schema(schema_of(Judged))).parquet((folder / JUDGED).as_uri())
    findings = _findings(session, found, shared)
    ordered = findings.orderBy("worst", "start", "seq", sql.asc_nulls_last("partition"), "pos")
    told = ordered.drop("pos", "internal", "worst")
    _write(session, told, folder / FINDINGS, work)
    minutes = _minutes(session, folder, told.schema).orderBy("broker", "minute")
    _write(session, minutes, folder / MINUTES, work)


def judged_columns(table: str) -> list[str]:
    """What `unfolded` needs of JUDGED for a table."""
    return [WHOLE[table]] if table in WHOLE else ["partition", TABLES[table][0]]


def unfolded(judged: pa.Table, table: str) -> pa.Table:
    """The rows of a table of TABLES or WHOLE in some of JUDGED, sorted, a partition after the other."""
    if table in WHOLE:
        return _flat(_array(judged.column(WHOLE[table])))
    path, order = TABLES[table]
    first, *inner = path.split(".")
    lists = _array(judged.column(first))
    for name in inner:
        lists = lists.field(name)
    owner = judged.column("partition").take(pc.list_parent_indices(lists))
    rows = _flat(lists.flatten()).add_column(0, "partition", owner)
    keys = [(name, "ascending") for name in ("partition", *order)]
    return rows.take(pc.sort_indices(rows, sort_keys=keys, null_placement="at_start"))


def _array(column: pa.ChunkedArray) -> Any:  # noqa: ANN401 - of pyarrow
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _flat(rows: Any) -> pa.Table:  # noqa: ANN401 - of pyarrow
    """The fields of structs as columns."""
    return pa.Table.from_arrays(rows.flatten(), names=[field.name for field in rows.type])


def _write(session: SparkSession, rows: DataFrame, place: Path, work: Work) -> None:
    watched(
        session,
        lambda: rows.write.option("parquet.block.row.count.limit", str(TABLE_GROUP)).parquet(place.as_uri()),
        message("progress.spark.writing", name=place.name),
        work,
    )


def _findings(session: SparkSession, judged: DataFrame, shared: Shared) -> DataFrame:
    """All findings with the rank of their check: those of partitions, and those of the evidence itself.

    `worst` sorts them, as `diagnose` does.
    """
    part = load_part(shared.general.slice(0, 0), shared.general, shared.dictionaries, ())
    told = renumbered(of_the_evidence(part.trace), part.seqs.tolist())
    if any(one.check == _SILENCE for one in told):
        # As `diagnose` does: partitions tell a crash, so that its silence is no second finding.
        crashes = _crashes(shared.folder)
        told = [one for one in told if one.check != _SILENCE or (one.brokers, one.start) not in crashes]
    rows = pa.Table.from_batches([to_batch(Finding, told)])
    places = places_of(part.trace, told)
    rows = rows.append_column("rank", pa.array([one.rank for one in places], pa.int32()))
    rows = rows.append_column("worst", pa.array([one.worst for one in places], pa.int32()))
    general = session.createDataFrame(rows.append_column("pos", pa.array([0] * len(rows), pa.int32())))
    own = judged.select(sql.posexplode("verdict.findings").alias("pos", "one"), "places")
    place = sql.col("places")[sql.col("pos")]
    ranks = [place[name].cast("int").alias(name) for name in ("rank", "worst")]
    return own.select("one.*", *ranks, "pos").unionByName(general)


def places_of(trace: Trace, findings: Iterable[Finding]) -> tuple[Place, ...]:
    """Where findings stand among all of them, as `diagnose` puts them."""
    kept_by_kafka = {one.partition for one in findings if one.partition is not None}
    kept_by_kafka = {one for one in kept_by_kafka if is_internal(trace, one)}
    return tuple(_places()[one.check, one.partition in kept_by_kafka] for one in findings)


@cache
def _places() -> Mapping[tuple[str, bool], Place]:
    """By check, and whether the topic is one that Kafka keeps."""
    ranked = sorted(
        (worst_first(check.rank, internal=internal), check.id, check.rank, internal)
        for check in CHECKS
        for internal in (False, True)
    )
    return {(check, internal): Place(rank, worst) for worst, (_, check, rank, internal) in enumerate(ranked)}


def _crashes(folder: str) -> set[tuple[tuple[int, ...], int]]:
    """The brokers and the beginning of every stop without a shutdown that partitions tell."""
    found: set[tuple[tuple[int, ...], int]] = set()
    for file in sorted((Path(folder) / JUDGED).glob("*.parquet")):
        told = _array(parquet.ParquetFile(file).read(["verdict.findings"]).column("verdict"))
        rows = _flat(told.field("findings").flatten())
        rows = rows.filter(pc.equal(rows.column("check"), _CRASH)).select(["brokers", "start"])
        found |= {(tuple(row["brokers"]), row["start"]) for row in rows.to_pylist()}
    return found


def _minutes(session: SparkSession, folder: Path, schema: StructType) -> DataFrame:
    """A row a broker and minute: events that it told, findings that began, and their worst rank."""
    files = [str(file) for file in event_files(folder)]
    numbers = session.range(0, len(files), 1, len(files))
    counted = in_workers(numbers, partial(told_by_minute, files=files), _TOLD)
    told = counted.groupBy("broker", "minute").agg(sql.sum("events").alias("events"))
    findings = session.read.schema(schema).parquet((folder / FINDINGS).as_uri())
    minute = sql.col("start") - sql.pmod("start", sql.lit(MINUTE_NS))
    began = (
        findings.select(sql.explode("brokers").alias("told"), "start", "rank")
        .withColumn("broker", sql.col("told").cast("int"))
        .groupBy("broker", minute.alias("minute"))
        .agg(sql.count("*").alias("findings"), sql.min("rank").alias("worst_rank"))
    )
    both = told.join(began, ["broker", "minute"], "full_outer")
    return both.na.fill(0, ["events", "findings"])


def told_by_minute(batches: Iterable[pa.RecordBatch], files: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """For mapInArrow: rows are numbers of files; out come broker, minute, and how many events it told."""
    for number in (number for batch in batches for number in batch.column(0).to_pylist()):
        read = parquet.ParquetFile(files[number]).read(["broker", "time"])
        read = read.filter(read.column("broker").is_valid())
        at = read.column("time").cast(pa.int64()).to_numpy()
        told = pa.table({"broker": read.column("broker"), "minute": at - at % MINUTE_NS})
        counts = told.group_by(["broker", "minute"]).aggregate([([], "count_all")])
        yield from counts.rename_columns(["broker", "minute", "events"]).to_batches()
