"""Writing a data set: into a folder beside the target, which gets its name when everything is there."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import hashlib
import json
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession

from core.leftovers import staging
from core.message import message
from core.placing import put_folder
from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX
from core.trace.trace import Column, Origin, Trace
from core.trace.vocabulary import KINDS
from core.work import Work
from importers.prepared.arrow_rows import from_table, schema_of, to_batch
from importers.prepared.data_set import (
    EDGES,
    EVENTS,
    FORMAT,
    LINES,
    MANIFEST,
    SCHEMA,
    SPAN,
    table_schemas,
)
from importers.prepared.rows import OWNER
from importers.prepared.some import COUNTED
from importers.prepared.stored import edges_of
from spark.clustered import write_lines
from spark.event_files import write_events
from spark.merge import Reject
from spark.publish import publish, shared_of
from spark.raw_lines import Raw
from spark.reconstruct import BUCKET_EVENTS, JUDGED, reconstruct
from spark.schema import rows_table
from spark.target import cannot_write, check_target
from spark.watch import watched
from spark.workers import in_workers

_ROW_GROUP: Final = 65_536


@contextmanager
def staged(out: Path, *, replace: bool) -> Generator[Path]:
    """A new folder beside `out` that becomes `out` when the block ends well, and is removed when it does not.

    If the process is killed, `out` is what it was or all of the new one; the next start removes the rest
    (core/sweeping.py). Raises DocumentError where `out` is in the way (anything without `replace`; with it,
    what is no data set), and where the folder cannot be made.
    """
    check_target(out, replace=replace)
    with staging(out, hidden=True) as part:
        try:
            part.mkdir()
        except OSError as error:
            raise cannot_write(out, error) from error
        yield part
        check_target(out, replace=replace)
        try:
            put_folder(part, out, lambda former: check_target(out, replace=replace, former=former))
        except OSError as error:
            raise cannot_write(out, error) from error


def write_dataset(
    session: SparkSession,
    trace: Trace,
    part: Path,
    *,
    raw: Raw,
    rejects: Sequence[Reject] = (),
    provenance: Mapping[str, Any],
    bucket_events: int = BUCKET_EVENTS,
    before: Path | None = None,
    work: Work,
) -> dict[str, Any]:
    """Fill the folder `part` with a trace and what is found in it, and give its manifest.

    `raw` are its raw lines, which lie there already. Spark's workers write the events, and judge the
    partitions; `before` is the data set that is continued.
    """
    tables = _tables(trace, rejects)
    owner = trace.columns["partition"]
    events = np.bincount(owner[owner != NO_INDEX], minlength=len(trace.partitions))
    tables["partitions"] = tables["partitions"].append_column(COUNTED, pa.array(events, pa.int64()))
    shared = shared_of(trace, part)
    try:
        rows = write_events(session, trace, part, shared, work)
        manifest = _manifest(trace, rows, raw, tables, provenance)
        for name, table in tables.items():
            parquet.write_table(
                table, part / f"{name}.parquet", compression="zstd", row_group_size=_ROW_GROUP
            )
        write_lines(session, raw.files, part, work)
        judged = reconstruct(session, trace, part, raw.alarms, bucket_events, work, before)
        manifest["provenance"]["judged"] = judged
        manifest[SPAN] = [int(trace.columns["at"][0]), int(trace.columns["at"][-1])] if len(trace) else []
        manifest[EDGES] = edges_of([_edge_columns(trace)])
        publish(session, trace, shared, work)
        shutil.rmtree(part / JUDGED)
        for left_over in part.rglob(".*.crc"):
            left_over.unlink()
        manifest["files"] = _facts_of_files(session, part, work)
        manifest["tables"] = _rows_of_tables(manifest["files"])
        # Last: a folder without a manifest is no data set.
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (part / MANIFEST).write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(part, error) from error
    return manifest


def _manifest(
    trace: Trace, rows: int, raw: Raw, tables: Mapping[str, pa.Table], provenance: Mapping[str, Any]
) -> dict[str, Any]:
    """What a manifest says before its files are there; `rows` is the sum of the events for the digest."""
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "name": trace.name,
        "program": _program(),
        "origin": str(trace.origin),
        "digest": content_digest(replace(trace, origin=Origin.PREPARED), rows),
        "counts": {
            "events": len(trace),
            LINES: raw.count,
            **{name: table.num_rows for name, table in tables.items()},
        },
        "provenance": dict(provenance),
        "report": dict(trace.report),
    }


def _edge_columns(trace: Trace) -> tuple[Column, Column, Column, Column]:
    columns = trace.columns
    return np.arange(len(trace)), columns["broker"], columns["source"], columns["kind"]


def _rows_of_tables(files: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """The rows of each table, by its folder."""
    found: dict[str, int] = {}
    for file, facts in files.items():
        folder = file.split("/")[0]
        if not folder.startswith("_"):
            found[folder] = found.get(folder, 0) + facts["rows"]
    return found


def _tables(trace: Trace, rejects: Sequence[Reject]) -> dict[str, pa.Table]:
    """The dictionaries of a trace, and what was not understood, as tables."""
    rows: dict[str, list[tuple[object, ...]]] = {
        "brokers": [(broker.broker_id, broker.name, broker.version) for broker in trace.brokers],
        "partitions": [
            (index, item.tp.topic, item.tp.partition, item.tp.incarnation, list(item.replicas))
            for index, item in enumerate(trace.partitions)
        ],
        "sources": [
            (
                index,
                item.path,
                item.sha256,
                item.size,
                None if item.broker == NO_INDEX else item.broker,
                item.zone,
                item.zone_basis,
            )
            for index, item in enumerate(trace.sources)
        ],
        "isrs": [(index, list(members)) for index, members in enumerate(trace.isrs)],
        "records": list(enumerate(trace.records)),
        "facts": list(trace.facts.items()),
        "rejects": [(one.file, one.line, one.byte, one.fate, one.text) for one in rejects],
        "kinds": [(kind.number, kind.name, kind.group, list(kind.columns), kind.aux) for kind in KINDS],
    }
    return {name: rows_table(schema, rows[name]) for name, schema in table_schemas().items()}


def _program() -> str:
    """Name and version of what wrote the data set."""
    try:
        return f"tidegauge {version('tidegauge')}"
    except PackageNotFoundError:
        return "tidegauge"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A Parquet file of a data set: its size and content, and of which partitions it has rows.

    `first` and `last` are None where it has no rows of any, `of_none` where nothing is known of that.
    """

    file: str
    bytes: int
    sha256: str
    rows: int
    first: int | None = None
    last: int | None = None
    of_none: bool | None = None


def _facts_of_files(session: SparkSession, part: Path, work: Work) -> dict[str, dict[str, Any]]:
    """What a manifest says of each file, as workers find it."""
    files = sorted(file.relative_to(part).as_posix() for file in part.rglob("*.parquet"))
    numbers = session.range(0, len(files), 1, min(len(files), 4 * session.sparkContext.defaultParallelism))
    found = in_workers(numbers, partial(facts_in_worker, folder=str(part), files=files), schema_of(FileFacts))
    told = from_table(FileFacts, watched(session, found.toArrow, message("progress.spark.publishing"), work))
    facts: dict[str, dict[str, Any]] = {}
    for one in sorted(told, key=attrgetter("file")):
        facts[one.file] = {"bytes": one.bytes, "sha256": one.sha256, "rows": one.rows}
        if one.of_none is not None:
            facts[one.file]["partitions"] = [one.first, one.last, one.of_none]
    return facts


def facts_in_worker(
    batches: Iterable[pa.RecordBatch], folder: str, files: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """For mapInArrow: rows are numbers of files."""
    for batch in batches:
        numbers: list[int] = batch.column(0).to_pylist()
        yield to_batch(FileFacts, [_facts(Path(folder), files[one]) for one in numbers])


def _facts(folder: Path, file: str) -> FileFacts:
    with (folder / file).open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    read = parquet.read_metadata(folder / file)
    facts = FileFacts(file, (folder / file).stat().st_size, digest, read.num_rows)
    return replace(facts, **_span(read)) if file.split("/", maxsplit=1)[0] in (EVENTS, LINES) else facts


def _span(read: parquet.FileMetaData) -> dict[str, Any]:
    """The first and the last partition of a file, and whether rows are of none."""
    at = read.schema.to_arrow_schema().names.index(OWNER)
    told = [read.row_group(number).column(at).statistics for number in range(read.num_row_groups)]
    firsts = [one.min for one in told if one.has_min_max]
    lasts = [one.max for one in told if one.has_min_max]
    return {
        "first": min(firsts, default=None),
        "last": max(lasts, default=None),
        "of_none": any(one.null_count for one in told),
    }
