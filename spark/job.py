"""The pipeline, from logs to a data set, read from top to bottom."""

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyspark
from pyspark.sql import SparkSession

from core.errors import QuestionError
from core.work import QUIET, Work
from importers.arrow_rows import from_table, schema_of
from importers.load import assemble
from importers.options import ImportOptions
from spark.dataset import staged, write_dataset
from spark.merge import kept, merge, quotes, rejects
from spark.parse import Digest, Piece, Quote, Quoted, Read, Task, in_worker, pack
from spark.ranges import RANGE_BYTES, File, Range, cut, list_files
from spark.reconstruct import BUCKET_EVENTS
from spark.schema import spark_schema
from spark.session import LOCAL, spark_session
from spark.watch import watched

T = TypeVar("T")


def process(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    master: str = LOCAL,
    conf: Iterable[tuple[str, str]] = (),
    options: ImportOptions = ImportOptions(),  # noqa: B008 - an immutable value
    replace: bool = False,
    range_bytes: int = RANGE_BYTES,
    bucket_events: int = BUCKET_EVENTS,
    work: Work = QUIET,
) -> dict[str, Any]:
    """Write the data set `out` from logs, data directories and archives, and say what is in it.

    `sources` and `out` must be where every worker finds them under the same name. The answer has the keys
    `output`, `name`, `digest` (of the trace that `load_prepared` gives), `events`, `partitions`, `counts` (of
    each table), `files`, `ranges`, `master`. Raises SourceError for sources that cannot be read or hold
    nothing, DocumentError for an output that is in the way or cannot be written, TidegaugeError where Spark
    cannot work, and CancelledError. Then nothing is left of the output, and what was there before stands.
    """
    if range_bytes < 1:
        raise QuestionError("A byte range holds at least one byte")
    with staged(Path(out), replace=replace) as part:
        files = list_files(sources, work)
        ranges = cut(files, range_bytes)
        with spark_session(master, conf, work) as session:
            merged = merge(read(session, files, ranges, work), ranges)
            trace = assemble(merged.files, sources, options, work)
            trace = changed(
                trace, lines=kept(trace, merged, _quote(session, quotes(trace, merged, files), work))
            )
            provenance = {
                "sources": [str(source) for source in sources],
                "spark": pyspark.__version__,
                "master": master,
                "range_bytes": range_bytes,
            }
            manifest = write_dataset(
                session,
                trace,
                part,
                rejects=rejects(merged.files),
                provenance=provenance,
                bucket_events=bucket_events,
                work=work,
            )
    return {
        "output": str(out),
        "name": manifest["name"],
        "digest": manifest["digest"],
        "events": manifest["counts"]["events"],
        "partitions": manifest["counts"]["partitions"],
        "counts": manifest["counts"],
        "files": len(files),
        "ranges": len(ranges),
        "master": master,
    }


def read(session: SparkSession, files: Sequence[File], ranges: Sequence[Range], work: Work) -> list[Piece]:
    """What the workers read. A log that is cut is digested by a task of its own."""
    cut_files = {one.file: one for one in ranges if one.layout is not None}
    tasks: list[Task] = [Read(files[one.file], one) for one in ranges]
    tasks += [Digest(files[file], Range(file, 0, files[file].size)) for file in cut_files]
    return _each(session, tasks, Piece, "reading logs", work)


def _quote(session: SparkSession, asked: Sequence[Quote], work: Work) -> list[Quoted]:
    """The raw lines that the trace keeps."""
    return _each(session, asked, Quoted, "keeping raw lines", work)


def _each(session: SparkSession, tasks: Sequence[Task], kind: type[T], what: str, work: Work) -> list[T]:
    """Run tasks in the workers, neighbours together, and give what they yield, in no order."""
    if not tasks:
        return []
    context = session.sparkContext
    groups = pack(tasks, context.defaultParallelism)
    shared = context.broadcast(groups)
    numbers = session.range(0, len(groups), 1, len(groups))
    rows = numbers.mapInArrow(partial(in_worker, tasks=shared, kind=kind), spark_schema(schema_of(kind)))
    table = watched(session, rows.toArrow, what, work)
    shared.unpersist()
    return from_table(kind, table)
