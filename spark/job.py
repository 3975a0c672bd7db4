"""The pipeline, from logs to a data set, read from top to bottom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyspark
from pyspark.sql import SparkSession

from core.errors import DocumentError, Facts, QuestionError
from core.message import Message, message
from core.trace.trace import Trace
from core.work import QUIET, Work, without_collector
from importers.load import assemble
from importers.merge.apart import PART_ITEMS, Ask
from importers.options import ImportOptions
from importers.prepared.arrow_rows import from_table, schema_of
from importers.prepared.folder import is_uri, without_secrets
from spark.asking import by_workers
from spark.dataset import staged, write_dataset
from spark.merge import Reject, merge, rejects
from spark.news import MADE_OF, made_of, unchanged
from spark.parse import Digest, Read, Task, in_worker, pack
from spark.ranges import RANGE_BYTES, File, Range, cut, list_files
from spark.raw_lines import Former, Raw, put_lines
from spark.reconstruct import BUCKET_EVENTS
from spark.session import LOCAL, spark_session, told_to_all
from spark.shelf import Shelf
from spark.store import (
    PARSED,
    Kept,
    Mark,
    Stage,
    Written,
    finish,
    formers,
    held,
    held_for,
    known,
    mark_of,
    marked,
    pieces_of,
    staging,
)
from spark.target import check_target, continues, only_run
from spark.watch import watched
from spark.workers import in_workers

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
    part_items: int = PART_ITEMS,
    work: Work = QUIET,
) -> dict[str, Any]:
    """Write the data set `out` from logs, data directories and archives, and say what is in it.

    `sources` and `out` must be where every worker finds them under the same name. A data set of the same
    sources is continued: only files that are new or have changed are read, and it holds what a first run
    would give. The same goes for a run that was stopped. With `replace` everything is read again.

    The answer has the keys `output`, `name`, `digest` (of the trace that `load_prepared` gives), `events`,
    `partitions`, `counts` (of each table), `files`, `ranges`, `ranges_read` (now, of those), `master`. Raises
    SourceError for sources that hold nothing, DocumentError for an output that is in the way or cannot be
    written or that another run is writing now, TidegaugeError where Spark cannot work, and CancelledError.
    Then nothing is left of the output, and what was there before stands.
    """
    with only_run(target := local_target(out)):
        return process_alone(
            sources,
            target,
            master=master,
            conf=conf,
            options=options,
            replace=replace,
            range_bytes=range_bytes,
            bucket_events=bucket_events,
            part_items=part_items,
            work=work,
        )


def local_target(out: str | Path) -> Path:
    """Where a data set is written. Raises QuestionError for an address."""
    if is_uri(out):
        raise QuestionError(
            message("error.process.address"),
            why=message("error.process.address.why"),
            where=without_secrets(str(out)),
            advice=message("error.process.address.way-out"),
        )
    return Path(out).absolute()


def process_alone(
    sources: Sequence[str | Path],
    out: Path,
    *,
    master: str,
    conf: Iterable[tuple[str, str]],
    options: ImportOptions,
    replace: bool = False,
    range_bytes: int = RANGE_BYTES,
    bucket_events: int = BUCKET_EVENTS,
    part_items: int = PART_ITEMS,
    work: Work,
) -> dict[str, Any]:
    """What `process` does, for whoever alone may write `out` (`only_run`)."""
    if range_bytes < 1:
        raise QuestionError(message("error.process.range"))
    named = [without_secrets(str(source)) for source in sources]
    goes_on = not replace and continues(out, named)
    check_target(out, replace=replace or goes_on)
    files = list_files(sources, work)
    there = {} if replace else held_for(out)
    ranges = cut(files, range_bytes, formers(files, there))
    tasks = tasks_of(files, ranges)
    made = made_of(tasks, named, options)
    manifest = unchanged(out, tasks, there, made) if goes_on else None
    if manifest is not None:
        return _answer(out, manifest, files, ranges, 0, master)
    with staged(out, replace=replace or goes_on) as part, staging(out, afresh=replace) as folder:
        plan = Plan(folder, files, ranges, tasks, sources, options, out if goes_on else None)
        with spark_session(master, conf, work) as session, Shelf(part) as shelf:
            found = read(session, plan, work)
            ask = by_workers(session, part, part_items, work)
            trace, raw, left_out = _assembled(session, plan, found, part, shelf, ask, work)
            manifest = write_dataset(
                session,
                trace,
                part,
                raw=raw,
                rejects=left_out,
                provenance={**_provenance(named, master, range_bytes), MADE_OF: made},
                bucket_events=bucket_events,
                before=plan.before,
                work=work,
            )
        finish(folder, found.where, part)
    return _answer(out, manifest, files, ranges, found.ranges, master)


def _answer(
    out: Path,
    manifest: Mapping[str, Any],
    files: Sequence[File],
    ranges: Sequence[Range],
    read: int,
    master: str,
) -> dict[str, Any]:
    """What `process` says; `read` is how many ranges were read now."""
    return {
        "output": str(out),
        "name": manifest["name"],
        "digest": manifest["digest"],
        "events": manifest["counts"]["events"],
        "partitions": manifest["counts"]["partitions"],
        "counts": manifest["counts"],
        "files": len(files),
        "ranges": len(ranges),
        "ranges_read": read,
        "master": master,
    }


def _provenance(sources: Sequence[str], master: str, range_bytes: int) -> Mapping[str, Any]:
    """How a data set was made, for its manifest."""
    return {
        "sources": sources,
        "spark": pyspark.__version__,
        "master": master,
        "range_bytes": range_bytes,
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be read, and `before`: the data set that is continued."""

    folder: Path
    files: Sequence[File]
    ranges: Sequence[Range]
    tasks: Sequence[Read | Digest]
    sources: Sequence[str | Path]
    options: ImportOptions
    before: Path | None


@dataclass(frozen=True, slots=True)
class Result:
    """What was read, by its mark: of which file, and in which file of the staging folder.

    `ranges` is how many ranges are new. `grown` are logs, by label, of which the data set that is continued
    has read the beginning, up to a byte.
    """

    number: Mapping[Mark, int]
    where: Mapping[Mark, str]
    ranges: int
    grown: Mapping[str, int]


def named_by(sources: Sequence[str | Path]) -> list[str]:
    """What a trace is named by: paths, and URIs without keys and settings."""
    return [without_secrets(str(one)).partition("?")[0] if is_uri(one) else str(one) for one in sources]


def tasks_of(files: Sequence[File], ranges: Sequence[Range]) -> tuple[Read | Digest, ...]:
    """What there is to read. A log that is cut is digested by a task of its own."""
    cut_files = dict.fromkeys(one.file for one in ranges if one.layout is not None)
    return (
        *(Read(files[one.file], one) for one in ranges),
        *(Digest(files[file], Range(file, 0, files[file].size)) for file in cut_files),
    )


def read(session: SparkSession, plan: Plan, work: Work) -> Result:
    """What all ranges say."""
    tasks, there = plan.tasks, held(plan.folder)
    known_as = known(tasks, there)
    new = [task for task in tasks if mark_of(task) not in known_as]
    groups = pack(new, session.sparkContext.defaultParallelism)
    stages = [(Stage(str(plan.folder), group),) for group in groups]
    written = _each(session, stages, Written, message("progress.spark.logs"), work)
    for one in written:
        if one.fault is not None:
            raise DocumentError.of(one.fault)
    where = {**there, **marked(plan.folder, [one.name for one in written])}
    number = {known_as.get(mark := mark_of(task), mark): task.range.file for task in tasks}
    return Result(
        number,
        {mark: where[mark].name for mark in number if mark in where},
        sum(isinstance(task, Read) for task in new),
        _grown(plan, known_as, there),
    )


def _grown(plan: Plan, known_as: Mapping[Mark, Mark], there: Mapping[Mark, Kept]) -> Mapping[str, int]:
    """Logs that have grown since the data set that is continued was made, and how far they are the same."""
    upto: dict[str, int] = {}
    for new, old in known_as.items():
        # What a run that was stopped has read says nothing of the lines that the data set keeps.
        if new != old and plan.before is not None and (plan.before / PARSED / there[old].name).exists():
            upto[new.label] = max(upto.get(new.label, 0), new.end)
    return upto


def _assembled(
    session: SparkSession, plan: Plan, found: Result, part: Path, shelf: Shelf, ask: Ask, work: Work
) -> tuple[Trace, Raw, tuple[Reject, ...]]:
    """One trace, its raw lines, which lie in the folder `part` then, and what is not in it.

    A file that has changed since it was read cannot be quoted: then the trace is made without it. Nothing of
    what was read outlives this: the trace has what it needs.
    """
    gone: dict[int, Facts] = {}
    former = None if plan.before is None else Former(plan.before, found.grown)
    while True:
        with without_collector():
            pieces = pieces_of(plan.folder, found.number, found.where, shelf)
            merged = merge(pieces, plan.files, plan.ranges, gone)
            trace = assemble(merged.files, named_by(plan.sources), plan.options, work, ask)
        raw, changed = put_lines(session, trace, merged, plan.files, part, former, work)
        if not changed:
            return trace, raw, rejects(merged.files)
        gone |= changed


def _each(
    session: SparkSession, groups: Sequence[tuple[Task, ...]], kind: type[T], what: Message, work: Work
) -> list[T]:
    """Run groups of tasks in the workers and give what they yield, in no order."""
    if not groups:
        return []
    shared = told_to_all(session, groups)
    numbers = session.range(0, len(groups), 1, len(groups))
    rows = in_workers(numbers, partial(in_worker, tasks=shared, kind=kind), schema_of(kind))
    table = watched(session, rows.toArrow, what, work)
    shared.unpersist()
    return from_table(kind, table)
