"""Make, open, read and edit a document."""

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.diagnose.summary import Triage
from core.errors import DocumentError, QuestionError
from core.picture.lane_order import USUAL, LaneOrder
from core.trace.builder import freeze
from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX
from core.trace.part import causes_within
from core.trace.trace import KeptLine, Origin, Trace
from core.work import QUIET, Work
from db.anchors import resolve
from db.chunks import read_columns, write_chunks
from db.dictionaries import Dictionaries, PartitionInfo, read_dictionaries, write_dictionaries
from db.engine import check_version, connect, make, migrate, told
from db.lanes import read_lanes, write_lanes
from db.lines import read_lines, read_lines_near, write_lines
from db.notes import Note, read_notes, remove_note, write_note
from db.rare import write_rare_events
from db.recognise import is_document
from db.tables import DocumentRow, TraceRow, table_of
from db.ties import Tie, read_ties, write_ties
from db.triage import read_triage, write_triage

_TRACES: Final = table_of(TraceRow)


@dataclass(frozen=True, slots=True)
class TraceInfo:
    """A trace as the list of a document shows it, without its events. `digest` is its content digest."""

    id: int
    name: str
    origin: Origin
    events: int
    digest: str
    partitions: tuple[PartitionInfo, ...]


def create(
    path: str | Path,
    traces: Sequence[Trace],
    *,
    notes: Sequence[Note] = (),
    ties: Sequence[Tie] = (),
    lanes: LaneOrder = USUAL,
    found: Sequence[Triage | None] = (),
    replace: bool = False,
    work: Work = QUIET,
) -> None:
    """Write a document of these traces, whose names must differ, of `notes`, and of `ties` between them.

    `lanes` is how their lanes are arranged.

    `found` is what triage says of each trace, in their order; None where nobody asked.

    It is written beside its place as NAME.part and renamed when it is whole: a crash, a full disk or
    cancelled work leaves what was there before. Raises DocumentError where `path` exists and `replace` is
    not asked for, and where the folder cannot be written; CancelledError from `work`.
    """
    target = Path(path)
    names = [trace.name for trace in traces]
    if len(set(names)) < len(names):
        raise DocumentError("Two traces of a document have the same name", why=", ".join(sorted(names)))
    refuse_existing(target, replace=replace)
    part = target.with_name(f"{target.name}.part")
    try:
        with told(target, "written"):
            part.unlink(missing_ok=True)
            part.touch()
            _write(part, traces, (notes, ties, lanes), found, work)
            _sync(part)
            refuse_existing(target, replace=replace)
            part.replace(target)
            _sync(target.parent)
    except BaseException:
        _forget(part)
        raise


def refuse_existing(target: Path, *, replace: bool) -> None:
    """Raise DocumentError where something stands at `target` that may not be replaced."""
    try:
        there, folder = target.exists(), target.is_dir()
    except OSError:
        return  # Writing will say why, with the same words as for any other place that cannot be reached.
    if folder:
        raise DocumentError("A folder stands where the document should go", where=str(target))
    if there and not replace:
        raise DocumentError(
            "The file exists already",
            where=str(target),
            advice="Choose another name, or allow to replace it (--replace)",
        )


def open_document(path: str | Path, *, write: bool = False) -> "Document":
    """Open a document; with `write`, notes can be put into it. Raises DocumentError."""
    place = Path(path)
    if not place.exists():
        raise DocumentError("There is no such document", where=str(place))
    if not is_document(place):
        raise DocumentError("The file is not a Tidegauge document", where=str(place))
    engine = connect(place, write=write)
    try:
        with told(place, "opened"):
            check_version(engine, place)
            if write:
                migrate(engine)
            return Document(place, engine, write=write)
    except BaseException:
        engine.dispose()
        raise


class Document:
    """An open document. Its questions may be asked from any thread; each edit is one transaction."""

    def __init__(self, path: Path, engine: sa.Engine, *, write: bool) -> None:
        """Use `open_document`."""
        self.path = path
        self.writable = write
        self._engine = engine
        self._dictionaries: dict[int, Dictionaries] = {}
        with engine.connect() as connection:
            asked = sa.select(_TRACES).order_by(_TRACES.c.id)
            self._rows = {row.name: row for row in connection.execute(asked)}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. After writing, the write-ahead log is folded in and ended: it is one file again.

        So it can be read from a medium on which no second file can be made.
        """
        self._engine.dispose()
        if self.writable:
            with told(self.path, "written"), self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
            self._engine.dispose()

    def infos(self) -> tuple[TraceInfo, ...]:
        """The traces of the document, in the order in which they were given."""
        return tuple(
            TraceInfo(
                row.id, row.name, Origin(row.origin), row.events, row.digest, self._small(row.id).partitions
            )
            for row in self._rows.values()
        )

    def trace(self, name: str | None = None) -> Trace:
        """A whole trace; None is the only one. Raises QuestionError, DocumentError."""
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            _seqs, columns = read_columns(connection, row.id, None)
            return self._made(row, columns, read_lines(connection, row.id))

    def partition_trace(self, name: str | None, partition: str) -> Trace:
        """A trace of one partition's events ("orders-0") and the broker-level ones; other chunks stay unread.

        It is a trace of its own: its Seqs are 0..n-1, and a cause outside of it is not said. Its
        dictionaries are those of the whole trace, so that indexes (the partition's too), names and anchors
        are the same in both; `partition_seqs` gives the Seqs that its events have in the whole trace. Of
        the kept lines it has those of its own events with their neighbours. Raises QuestionError,
        DocumentError.
        """
        row = self._row(name)
        place = self._place(row.id, partition)
        with told(self.path, "read"), self._engine.connect() as connection:
            seqs, columns = read_columns(connection, row.id, (NO_INDEX, place))
            columns["cause"] = causes_within(columns["cause"], seqs)
            lines = read_lines_near(connection, row.id, columns["source"], columns["line"])
            return self._made(row, columns, lines)

    def partition_seqs(self, name: str | None, partition: str) -> NDArray[np.int64]:
        """The Seqs in the whole trace of the events of `partition_trace`, in the same order."""
        row = self._row(name)
        place = self._place(row.id, partition)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_columns(connection, row.id, (NO_INDEX, place))[0]

    def triage(self, name: str | None = None) -> Triage | None:
        """What was found when the trace was imported; None where that was not stored. Reads no events.

        Seqs are those of the whole trace. Raises QuestionError, DocumentError.
        """
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_triage(connection, row.id)

    def notes(self) -> tuple[Note, ...]:
        """All notes, in the order in which they were written."""
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_notes(connection)

    def put_note(self, note: Note) -> Note:
        """Store a note (id 0) or its new text, and give it with its id. Raises DocumentError."""
        with told(self.path, "written"), self._engine.begin() as connection:
            return write_note(connection, note)

    def delete_note(self, note_id: int) -> None:
        """Delete a note. `put_note` with its id brings it back. Raises DocumentError."""
        with told(self.path, "written"), self._engine.begin() as connection:
            remove_note(connection, note_id)

    def ties(self) -> tuple[Tie, ...]:
        """All ties by hand, in the order in which they were made."""
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_ties(connection)

    def put_ties(self, ties: Sequence[Tie]) -> None:
        """Store these ties in place of those that there are. Raises DocumentError."""
        with told(self.path, "written"), self._engine.begin() as connection:
            write_ties(connection, ties)

    def lanes(self) -> LaneOrder:
        """How the lanes are arranged."""
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_lanes(connection)

    def put_lanes(self, lanes: LaneOrder) -> None:
        """Store how the lanes are arranged now. Raises DocumentError."""
        with told(self.path, "written"), self._engine.begin() as connection:
            write_lanes(connection, lanes)

    def unresolved(self) -> tuple[Note, ...]:
        """Notes whose evidence is not in their trace (any more)."""
        traces = {
            name: self.trace(name) for name in {note.trace_name for note in self.notes()} & set(self._rows)
        }
        return tuple(
            note
            for note in self.notes()
            if note.trace_name not in traces or resolve(traces[note.trace_name], note.anchor) is None
        )

    def _row(self, name: str | None) -> Any:  # noqa: ANN401 - a row of SQLAlchemy has no better type
        if name is None and len(self._rows) == 1:
            return next(iter(self._rows.values()))
        if name is None or name not in self._rows:
            raise QuestionError(
                "The document holds several traces"
                if name is None
                else f"There is no trace {name!r} in the document",
                where=str(self.path),
                advice=f"Choose one with --trace: {', '.join(self._rows)}",
            )
        return self._rows[name]

    def _small(self, trace_id: int) -> Dictionaries:
        if trace_id not in self._dictionaries:
            with told(self.path, "read"), self._engine.connect() as connection:
                self._dictionaries[trace_id] = read_dictionaries(connection, trace_id)
        return self._dictionaries[trace_id]

    def _place(self, trace_id: int, partition: str) -> int:
        for place, info in enumerate(self._small(trace_id).partitions):
            if str(info.partition.tp) == partition:
                return place
        raise QuestionError(f"There is no partition {partition!r} in the trace", where=str(self.path))

    def _made(
        self,
        row: Any,  # noqa: ANN401 - as above
        columns: dict[str, Any],
        lines: tuple[KeptLine, ...],
    ) -> Trace:
        small = self._small(row.id)
        return freeze(
            row.name,
            Origin(row.origin),
            columns,
            brokers=small.brokers,
            partitions=tuple(info.partition for info in small.partitions),
            sources=small.sources,
            isrs=small.isrs,
            records=small.records,
            facts=small.facts,
            lines=lines,
            report=MappingProxyType(json.loads(row.report)),
        )


def _write(
    part: Path,
    traces: Sequence[Trace],
    added: tuple[Sequence[Note], Sequence[Tie], LaneOrder],
    found: Sequence[Triage | None],
    work: Work,
) -> None:
    engine = make(part)
    total = sum(map(len, traces))
    done = 0
    try:
        work.step(0, total, "writing the document")
        migrate(engine)
        with engine.begin() as connection:
            connection.execute(sa.insert(DocumentRow).values(made_by=_program(), made_ns=time.time_ns()))
            for place, trace in enumerate(traces, start=1):
                before = done
                connection.execute(
                    sa.insert(_TRACES).values(
                        id=place,
                        name=trace.name,
                        origin=str(trace.origin),
                        events=len(trace),
                        digest=content_digest(trace),
                        report=json.dumps(dict(trace.report)),
                    ),
                )
                write_dictionaries(connection, place, trace)
                write_chunks(
                    connection,
                    place,
                    trace,
                    lambda rows, before=before: work.step(before + rows, total, "writing the document"),
                )
                write_rare_events(connection, place, trace)
                write_lines(connection, place, trace.lines)
                done += len(trace)
            for place, triage in enumerate(found, start=1):
                if triage is not None:
                    write_triage(connection, place, triage)
            notes, ties, lanes = added
            for note in notes:
                write_note(connection, note)
            write_ties(connection, ties)
            write_lanes(connection, lanes)
    finally:
        engine.dispose()


def _program() -> str:
    try:
        return f"tidegauge {version('tidegauge')}"
    except PackageNotFoundError:
        return "tidegauge"


def _sync(path: Path) -> None:
    """Have the disk keep what was written: of a file its bytes, of a folder its names."""
    if path.is_dir() and os.name == "nt":
        return  # Windows has no handle on a folder; its rename is kept by the file system's own journal.
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _forget(part: Path) -> None:
    """Remove a half-written file; where even that fails, the first error is the one to tell."""
    for path in (part, part.with_name(f"{part.name}-journal")):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
