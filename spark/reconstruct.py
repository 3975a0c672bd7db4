"""From events to verdicts: each worker opens and judges some partitions with core's own functions.

A bucket is a stretch of neighbouring partitions: they lie side by side in the data set, so that a worker
reads few row groups. A partition with very many events is a bucket of its own.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice
from operator import or_
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sql

from core.diagnose.check import judge_partitions
from core.diagnose.checks import CHECKS
from core.diagnose.findings_evidence import ALARMS, of_the_evidence
from core.diagnose.renumber import renumbered
from core.diagnose.seen import Seen
from core.diagnose.summary import PartitionSummary, summarise
from core.diagnose.verdict import Finding, PartitionVerdict
from core.history.changes import StateChange, state_changes
from core.trace.trace import KeptLine
from core.trace.vocabulary import NUMBER
from core.work import Work
from importers.arrow_rows import schema_of, to_row
from importers.prepared import EVENTS, dictionaries_of, load_part
from importers.prepared_triage import FINDINGS, MINUTE_NS, MINUTES, SUMMARIES, TABLES
from spark.schema import spark_schema
from spark.watch import watched

BUCKET_EVENTS: Final = 100_000
BUCKET_PARTITIONS: Final = 250
_TOGETHER: Final = 32
"""Partitions of one batch on their way out of a worker."""
JUDGED: Final = ".judged"
"""Where verdicts lie until they are tables; removed at the end."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One partition as a worker found it; Seqs are those of the whole data set."""

    partition: int
    summary: PartitionSummary
    verdict: PartitionVerdict
    states: tuple[StateChange, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """What every worker is told: where the data set is, its last Seq, what was seen, lines of warnings."""

    folder: str
    last: int
    seen: Seen
    alarms: Mapping[int, tuple[KeptLine, ...]]


def reconstruct(session: SparkSession, folder: Path, bucket_events: int, work: Work) -> None:
    """Add verdicts, states, findings and summaries to a data set that has its events and lines."""
    events = session.read.parquet((folder / EVENTS).as_uri())
    counts = watched(session, events.groupBy("partition").count().toArrow, "counting events", work)
    by_partition = {row["partition"]: row["count"] for row in counts.to_pylist()}
    dictionaries = dictionaries_of(folder)
    sizes = [by_partition.get(index, 0) for index in range(len(dictionaries["partitions"]))]
    shared = Shared(
        str(folder),
        sum(by_partition.values()) - 1,
        _seen(session, events, work),
        _alarms(session, folder, events, work),
    )
    _judge(session, shared, buckets(sizes, bucket_events), work)
    _write_tables(session, folder, shared, work)


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


def _seen(session: SparkSession, events: DataFrame, work: Work) -> Seen:
    """What the files of each broker cover, as core/diagnose/seen.py finds it in a trace."""
    told = events.where("broker is not null and source is not null").groupBy("broker")
    spans = told.agg(sql.min("at").alias("first"), sql.max("at").alias("last"))
    gaps = (
        events.where(sql.col("kind") == NUMBER["evidence_gap"]).orderBy("seq").select("replica", "at", "aux")
    )
    whole = events.agg(sql.min("at").alias("first"), sql.max("at").alias("last"))
    what = "finding out what was seen"
    ends = watched(session, whole.toArrow, what, work).to_pylist()[0]
    silences: dict[int, tuple[tuple[int, int], ...]] = {}
    for row in watched(session, gaps.toArrow, what, work).to_pylist():
        gap = row["at"], row["at"] + row["aux"]
        silences[row["replica"]] = (*silences.get(row["replica"], ()), gap)
    rows = watched(session, spans.toArrow, what, work).to_pylist()
    return Seen(
        ends["first"] or 0,
        ends["last"] or 0,
        {row["broker"]: (row["first"], row["last"]) for row in rows},
        silences,
    )


def _alarms(
    session: SparkSession, folder: Path, events: DataFrame, work: Work
) -> Mapping[int, tuple[KeptLine, ...]]:
    """The few raw lines that a finding reads, by partition."""
    lines = session.read.parquet((folder / "lines.parquet").as_uri())
    named = reduce(or_, (sql.col("text").contains(text) for text in ALARMS))
    wanted = lines.where(named).join(
        events.select("partition", "source", "line").distinct(), ["source", "line"]
    )
    found: dict[int, list[KeptLine]] = {}
    for row in watched(session, wanted.toArrow, "looking for warnings", work).to_pylist():
        if row["partition"] is not None:
            kept = KeptLine(row["source"], row["line"], row["byte"], row["text"])
            found.setdefault(row["partition"], []).append(kept)
    return {
        partition: tuple(sorted(kept, key=lambda line: (line.source, line.line)))
        for partition, kept in found.items()
    }


def _judge(session: SparkSession, shared: Shared, stretches: Sequence[tuple[int, int]], work: Work) -> None:
    context = session.sparkContext
    told = context.broadcast((shared, stretches))
    numbers = session.range(0, len(stretches), 1, max(len(stretches), 1))
    judged = numbers.mapInArrow(partial(in_worker, told=told), spark_schema(schema_of(Judged)))
    place = (Path(shared.folder) / JUDGED).as_uri()
    watched(session, lambda: judged.write.parquet(place), "judging partitions", work)
    told.unpersist()


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of buckets; out come verdicts."""
    schema = schema_of(Judged)
    shared, stretches = told.value
    numbers = (number for batch in batches for number in batch.column(0).to_pylist())
    found = (to_row(Judged, one) for number in numbers for one in judge(shared, *stretches[number]))
    while some := list(islice(found, _TOGETHER)):
        yield pa.RecordBatch.from_pylist(some, schema=schema)


def judge(shared: Shared, first: int, end: int) -> Iterator[Judged]:
    """The partitions [first, end) of a data set, each opened and judged."""
    folder = Path(shared.folder)
    wanted = range(first, end)
    lines = tuple(sorted({line for index in wanted for line in shared.alarms.get(index, ())}, key=_by_line))
    part = load_part(folder, dictionaries_of(folder), wanted, shared.last, lines)
    seqs = part.seqs.tolist()
    # A cursor counts the events before it: n stands behind the n-th of the part.
    cursors = [0, *(seq + 1 for seq in seqs)]
    for history, verdict in judge_partitions(part.trace, wanted):
        yield Judged(
            history.partition,
            summarise(part.trace, verdict, shared.seen),
            renumbered(verdict, seqs),
            tuple(replace(one, cursor=cursors[one.cursor]) for one in state_changes(history)),
        )


def _by_line(line: KeptLine) -> tuple[int, int]:
    return line.source, line.line


def _write_tables(session: SparkSession, folder: Path, shared: Shared, work: Work) -> None:
    judged = session.read.parquet((folder / JUDGED).as_uri())
    for name, (path, order) in TABLES.items():
        rows = judged.select("partition", sql.explode(path).alias("one")).select("partition", "one.*")
        # A file holds whole buckets: sorted within, the rows of a partition lie in few row groups.
        _write(session, rows.sortWithinPartitions("partition", *order), folder / name, work)
    findings = _findings(session, judged, folder, shared)
    worst_first = findings.orderBy("rank", "start", "seq", sql.asc_nulls_last("partition"), "pos")
    _write(session, worst_first.drop("pos"), folder / FINDINGS, work)
    _write(session, judged.select("summary.*").orderBy("partition"), folder / SUMMARIES, work)
    _write(session, _minutes(session, folder).orderBy("broker", "minute"), folder / MINUTES, work)


def _write(session: SparkSession, rows: DataFrame, place: Path, work: Work) -> None:
    watched(session, lambda: rows.write.parquet(place.as_uri()), f"writing {place.name}", work)


def _findings(session: SparkSession, judged: DataFrame, folder: Path, shared: Shared) -> DataFrame:
    """All findings with the rank of their check: those of partitions, and those of the evidence itself."""
    dictionaries = dictionaries_of(folder)
    part = load_part(folder, dictionaries, (), shared.last, ())
    told = renumbered(of_the_evidence(part.trace), part.seqs.tolist())
    schema = schema_of(Finding)
    rows = pa.Table.from_pylist([to_row(Finding, one) for one in told], schema=schema)
    general = session.createDataFrame(rows).withColumn("pos", sql.lit(0))
    own = judged.select(sql.posexplode("verdict.findings").alias("pos", "one")).select("pos", "one.*")
    ranks = session.createDataFrame([(check.id, check.rank) for check in CHECKS], "check string, rank int")
    return own.unionByName(general).join(sql.broadcast(ranks), "check")


def _minutes(session: SparkSession, folder: Path) -> DataFrame:
    """A row a broker and minute: events that it told, findings that began, and their worst rank."""

    def minute(at: str) -> Column:
        return sql.col(at) - sql.pmod(sql.col(at), sql.lit(MINUTE_NS))

    events = session.read.parquet((folder / EVENTS).as_uri()).where("broker is not null")
    told = events.groupBy("broker", minute("at").alias("minute")).agg(sql.count("*").alias("events"))
    findings = session.read.parquet((folder / FINDINGS).as_uri())
    began = (
        findings.select(sql.explode("brokers").alias("told"), "start", "rank")
        .withColumn("broker", sql.col("told").cast("int"))
        .groupBy("broker", minute("start").alias("minute"))
        .agg(sql.count("*").alias("findings"), sql.min("rank").alias("worst_rank"))
    )
    both = told.join(began, ["broker", "minute"], "full_outer")
    return both.na.fill(0, ["events", "findings"])
