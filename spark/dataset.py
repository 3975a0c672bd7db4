"""Writing a data set: into a folder beside the target, which gets its name when everything is there."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import hashlib
import json
import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession

from core.leftovers import staging
from core.placing import put_folder
from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX
from core.trace.trace import Column, Origin, Trace
from core.trace.vocabulary import KINDS
from core.work import Work
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
from spark.clustered import write_events, write_lines
from spark.publish import publish
from spark.reconstruct import BUCKET_EVENTS, JUDGED, reconstruct
from spark.schema import rows_table
from spark.target import cannot_write, check_target

_ROW_GROUP: Final = 65_536


@dataclass(frozen=True, slots=True)
class Reject:
    """What is not in the events: the file, and the line from 1 or the byte from 0 at which it begins.

    `fate` is what became of it; `text` is the line itself, or why the rest of the file was not read.
    """

    file: str
    line: int | None
    byte: int | None
    fate: str
    text: str


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
    rejects: Sequence[Reject] = (),
    provenance: Mapping[str, Any],
    bucket_events: int = BUCKET_EVENTS,
    before: Path | None = None,
    work: Work,
) -> dict[str, Any]:
    """Fill the folder `part` with a trace and what is found in it, and give its manifest.

    Spark's workers write the events, and judge the partitions; `before` is the data set that is continued.
    """
    tables = _tables(trace, rejects)
    owner = trace.columns["partition"]
    events = np.bincount(owner[owner != NO_INDEX], minlength=len(trace.partitions))
    tables["partitions"] = tables["partitions"].append_column(COUNTED, pa.array(events, pa.int64()))
    prepared = replace(trace, origin=Origin.PREPARED)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "schema": SCHEMA,
        "name": trace.name,
        "program": _program(),
        "origin": str(trace.origin),
        "digest": content_digest(prepared),
        "counts": {
            "events": len(trace),
            LINES: len(trace.lines),
            **{name: table.num_rows for name, table in tables.items()},
        },
        "provenance": dict(provenance),
        "report": dict(trace.report),
    }
    try:
        for name, table in tables.items():
            parquet.write_table(
                table, part / f"{name}.parquet", compression="zstd", row_group_size=_ROW_GROUP
            )
        write_events(trace, part, work)
        write_lines(session, trace, part, work)
        manifest["provenance"]["judged"] = reconstruct(session, trace, part, bucket_events, work, before)
        shutil.rmtree(part / JUDGED)
        manifest[SPAN] = [int(trace.columns["at"][0]), int(trace.columns["at"][-1])] if len(trace) else []
        manifest[EDGES] = edges_of([_edge_columns(trace)])
        publish(session, trace, part, work)
        for left_over in part.rglob(".*.crc"):
            left_over.unlink()
        files = sorted(part.rglob("*.parquet"))
        manifest["files"] = {file.relative_to(part).as_posix(): _facts(file) for file in files}
        manifest["tables"] = _rows_of_tables(manifest["files"])
        # Last: a folder without a manifest is no data set.
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (part / MANIFEST).write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(part, error) from error
    return manifest


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


def _facts(file: Path) -> dict[str, Any]:
    """What a manifest says of a file."""
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    read = parquet.read_metadata(file)
    facts: dict[str, Any] = {"bytes": file.stat().st_size, "sha256": digest, "rows": read.num_rows}
    return {**facts, "partitions": _span(read)} if file.parent.name in (EVENTS, LINES) else facts


def _span(read: parquet.FileMetaData) -> list[Any]:
    """The first and the last partition of a file, and whether rows are of none."""
    at = read.schema.to_arrow_schema().names.index(OWNER)
    told = [read.row_group(number).column(at).statistics for number in range(read.num_row_groups)]
    firsts = [one.min for one in told if one.has_min_max]
    lasts = [one.max for one in told if one.has_min_max]
    return [min(firsts, default=None), max(lasts, default=None), any(one.null_count for one in told)]
