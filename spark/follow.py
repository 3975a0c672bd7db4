"""Logs that grow, as a stream: what is new is read when it comes, and the data set holds it after each batch.

The source is one of Structured Streaming, and its offsets are bytes of files: Spark's own source of files
never reads a file again that has grown. A batch ends where the last record of each log begins, since that one
may go on. Executors read it with the importers' parser and put it where `process` finds it, so that a stream
that ends gives what one run over all of the logs gives.
"""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.readwriter import DataStreamWriter
from pyspark.sql.types import StructType

from core.errors import TidegaugeError, because
from core.leftovers import discard
from core.message import message
from core.work import QUIET, Work
from importers.lines.layout import Layout
from importers.lines.records import records
from importers.lines.speakers import may_be_shared
from importers.options import ImportOptions
from importers.prepared.folder import is_uri, without_secrets
from spark.interrupt import raise_pending
from spark.job import local_target, process_alone
from spark.parse import Read
from spark.ranges import (
    HEAD_BYTES,
    MARKED_BYTES,
    File,
    Range,
    found_layout,
    last_record,
    list_files,
    tail_before,
)
from spark.session import LOCAL, reason, spark_session
from spark.store import mark_of, put, rows_of, staging_of
from spark.target import cannot_write, check_target, continues, only_run

FOLLOWED: Final = "follow"
"""The folder .NAME.follow beside a data set: how far the stream has come."""
LATE: Final = "late.json"
PAUSE_S: Final = 10.0
"""How long a stream rests where nothing is new."""
_TICK_S: Final = 0.1
_STARTS: Final = 3
_SLOW: Final = "failed to connect back"
_ROW: Final = "label string, start long, end long, records long, late long"
_NEWEST: Final = "newest"
_ENDS: Final = "ends"


@dataclass(frozen=True, slots=True)
class Grown(InputPartition):
    """Bytes of a log that are new. A record is late that was written before `since` (ns, as written)."""

    task: Read
    since: int


class GrowingLogs(DataSource):
    """A stream of what is new in logs: a row for each part that was read. Options: sources, folder."""

    @classmethod
    def name(cls) -> str:
        """What `readStream.format` is told."""
        return "tidegauge-logs"

    def schema(self) -> str:
        """The log, its bytes, how many records begin in them, and how many of these are late."""
        return _ROW

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: ARG002, N802
        """The reader of the sources named in the options."""
        return GrowingLogsReader(json.loads(self.options["sources"]), self.options["folder"])


class GrowingLogsReader(DataSourceStreamReader):
    """Offsets: the byte up to which each log is read, and the newest stamp among their last records."""

    def __init__(self, sources: Sequence[str], folder: str) -> None:
        """`folder` is where what was read is put."""
        self._sources, self._folder = sources, folder
        self._layouts: dict[tuple[str, str, int], Layout | None] = {}

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Nothing is read."""
        return {_ENDS: {}, _NEWEST: 0}

    def latestOffset(self, start: dict[str, Any], limit: object) -> dict[str, Any]:  # noqa: ARG002, N802
        """Where the last record of each log begins now."""
        ends: dict[str, int] = {}
        newest = [int(start[_NEWEST])]
        for file in list_files(self._sources, QUIET):
            layout = self._layout_of(file)
            end = None if layout is None else last_record(file, layout, 0)
            if layout is not None and end is not None:
                newest.append(newest_stamp(file, layout, end))
            ends[file.label] = int(start[_ENDS].get(file.label, 0)) if end is None else end
        return {_ENDS: {label: end for label, end in ends.items() if end}, _NEWEST: max(newest)}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        """A part for each log that has grown; one that is shorter than before is another log."""
        found: list[Grown] = []
        for number, file in enumerate(list_files(self._sources, QUIET)):
            begin, stop = (int(told[_ENDS].get(file.label, 0)) for told in (start, end))
            layout = None if begin == stop else self._layout_of(file)
            if layout is not None:
                own = Range(number, begin if begin < stop else 0, stop, layout)
                found.append(Grown(Read(file, own), int(start[_NEWEST])))
        return found

    def read(self, partition: Grown) -> Iterator[tuple[str, int, int, int, int]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read a part, put what it says where `process` finds it, and count its records. In a worker."""
        task = partition.task
        rows = list(rows_of(task))
        put(Path(self._folder), [mark_of(task)], rows)
        reads = [row.piece.read for row in rows if row.piece is not None and row.piece.read is not None]
        stamps = [one.drafts.stamps for one in reads if one.drafts is not None]
        late = sum(int(np.count_nonzero(some < partition.since)) for some in stamps)
        yield task.file.label, task.range.start, task.range.end, sum(map(len, stamps)), late

    def _layout_of(self, file: File) -> Layout | None:
        """The layout of a log of one broker, found once; None for what `process` reads whole."""
        if file.size < MARKED_BYTES:
            return None
        key = file.label, file.head, min(file.size, HEAD_BYTES)
        if key not in self._layouts:
            layout = found_layout(file)
            self._layouts[key] = None if layout is not None and may_be_shared(layout) else layout
        return self._layouts[key]


def newest_stamp(file: File, layout: Layout, end: int) -> int:
    """The latest stamp among the last records of a log that begin before `end`, ns as written; 0: none."""
    stamps = [one.local_ns for one in records(tail_before(file, end), layout)]
    return max((one for one in stamps if one is not None), default=0)


def follow(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    master: str = LOCAL,
    conf: Iterable[tuple[str, str]] = (),
    options: ImportOptions = ImportOptions(),  # noqa: B008 - an immutable value
    replace: bool = False,
    told: Callable[[Mapping[str, Any]], None],
    rounds: int | None = None,
    work: Work = QUIET,
) -> None:
    """Keep the data set `out` up with logs that grow, until the work is stopped or after so many rounds.

    A round reads what is new, as `process` does, and where something is, writes the data set and tells
    what `process` answers, with `records` that the stream has read so far and how many of them were `late`:
    written before the last record that an earlier batch had read. They are in the data set like all others.
    A stream that was stopped or killed goes on where it was. Raises as `process` does.
    """
    target = local_target(out)
    with only_run(target):
        # What cannot be followed is told before Spark starts.
        goes_on = not replace and continues(target, [without_secrets(str(one)) for one in sources])
        check_target(target, replace=replace or goes_on)
        list_files(sources, work)
        if replace:
            forget(target)
        with spark_session(master, conf, work) as session:
            session.dataSource.register(GrowingLogs)
            first = True
            while rounds is None or rounds > 0:
                if _read_on(session, sources, target, work) or first:
                    answer = process_alone(
                        sources,
                        target,
                        master=master,
                        conf=conf,
                        options=options,
                        replace=replace and first,
                        work=work,
                    )
                    told({**answer, **counted(target)})
                first = False
                rounds = None if rounds is None else rounds - 1
                if rounds != 0:
                    _rest(work)


def finish_stream(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    master: str = LOCAL,
    conf: Iterable[tuple[str, str]] = (),
    options: ImportOptions = ImportOptions(),  # noqa: B008 - an immutable value
    replace: bool = False,
    work: Work = QUIET,
) -> dict[str, Any]:
    """End a stream: the data set holds what one run over all of the logs gives.

    The answer is what `follow` tells. Raises as `process` does.
    """
    target = local_target(out)
    with only_run(target):
        answer = process_alone(
            sources, target, master=master, conf=conf, options=options, replace=replace, work=work
        )
        found = counted(target)
        forget(target)
        discard(staging_of(target))
    return {**answer, **found}


def _state(out: Path) -> Path:
    return out.with_name(f".{out.name}.{FOLLOWED}")


def forget(out: Path) -> None:
    """The next stream begins at the beginning. Raises DocumentError."""
    try:
        if _state(out).exists():
            shutil.rmtree(_state(out))
    except OSError as error:
        raise cannot_write(out, error) from error


def counted(out: Path) -> dict[str, int]:
    """How many records the stream has read, and how many of them were late."""
    batches = _batches(_state(out))
    return {name: sum(one[name] for one in batches.values()) for name in ("records", "late")}


def _batches(state: Path) -> dict[str, dict[str, int]]:
    try:
        return json.loads((state / LATE).read_bytes())
    except FileNotFoundError:
        return {}


def _read_on(session: SparkSession, sources: Sequence[str | Path], out: Path, work: Work) -> int:
    """Read what is new in one batch of the stream, and say how many parts of logs that were."""
    folder, state = staging_of(out), _state(out)
    parts: list[int] = []

    def keep(batch: DataFrame, number: int) -> None:
        rows = batch.collect()
        parts.append(len(rows))
        told = {name: sum(row[name] for row in rows) for name in ("records", "late")}
        # A batch that is done again has its number again.
        part = state / f"{LATE}.part"
        part.write_text(json.dumps({**_batches(state), str(number): told}), "utf-8")
        part.replace(state / LATE)

    try:
        folder.mkdir(exist_ok=True)
        state.mkdir(exist_ok=True)
    except OSError as error:
        raise cannot_write(out, error) from error
    named = [str(one) if is_uri(one) else str(Path(one).absolute()) for one in sources]
    stream = session.readStream.format(GrowingLogs.name()).options(
        sources=json.dumps(named), folder=str(folder.absolute())
    )
    query = (
        stream.load()
        .writeStream.foreachBatch(keep)
        .option("checkpointLocation", (state / "checkpoint").absolute().as_uri())
        .trigger(availableNow=True)
    )
    _run(query, work)
    with suppress(OSError):
        # Where nothing was new there is nothing in it.
        folder.rmdir()
    return sum(parts)


def _run(stream: DataStreamWriter, work: Work) -> None:
    """Run a stream to its end. Raises CancelledError, and TidegaugeError where Spark gives up."""
    what = message("progress.spark.logs")
    for left in reversed(range(_STARTS)):
        query = None
        try:
            query = stream.start()
            while not query.awaitTermination(1):
                raise_pending()
                work.step(0, 0, what)
        except (PySparkException, Py4JError) as error:
            # Spark gives the process that lists the logs ten seconds to start, which a busy machine exceeds.
            if left and _SLOW in str(error):
                continue
            raise TidegaugeError(
                message("error.spark.gave-up", doing=what), why=because(reason(error))
            ) from error
        else:
            return
        finally:
            if query is not None:
                query.stop()


def _rest(work: Work) -> None:
    """Wait until it is time to look again."""
    pause = Event()
    for _ in range(int(PAUSE_S / _TICK_S)):
        raise_pending()
        work.step(0, 0, message("progress.spark.following"))
        pause.wait(_TICK_S)
