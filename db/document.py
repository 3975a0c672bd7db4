"""Make, open, read and edit a document."""

import sqlite3
from collections.abc import Collection, Generator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self, cast

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.diagnose.verdict.summary import Triage
from core.document.lane_order import USUAL, LaneOrder
from core.errors import DocumentError, MissingDocumentError, QuestionError
from core.leftovers import Scratch, scratch_folder, staging
from core.message import Listing, message
from core.trace.builder import freeze
from core.trace.part import causes_within
from core.trace.trace import Column, KeptLine, Origin, Trace, index_of_partition
from core.work import QUIET, Work
from db.anchors import resolve
from db.chunks import read_columns, read_partition
from db.dictionaries import Dictionaries, PartitionInfo, read_dictionaries, read_infos
from db.engine import VERSION, check_version, connect, make, migrate, told
from db.lanes import read_lanes, write_lanes
from db.lines import read_lines, read_lines_near
from db.making import make_owned, refuse_existing
from db.notes import Note, read_notes, remove_note, write_note
from db.owner import (
    Ownership,
    Place,
    copied_with_journal,
    copy_database,
    finish,
    is_unfinished,
    may_write,
    own,
    owned,
    place_of,
    put,
    real,
    tidy,
)
from db.recognise import is_document
from db.reported import read_report
from db.ties import Tie, read_ties, write_ties
from db.triage import read_triage
from db.validate import checked


@dataclass(frozen=True, slots=True)
class TraceInfo:
    """A trace as the list of a document shows it, without its events. `digest` is its content digest."""

    id: int
    name: str
    origin: Origin
    events: int
    digest: str
    partitions: tuple[PartitionInfo, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """Which document a file is, whatever its name: the program that made it, and when (ns, UTC)."""

    made_by: str
    made_ns: int


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
) -> tuple[Note, ...]:
    """Write a document of these traces, whose names must differ, of `notes`, and of `ties` between them.

    `lanes` is how their lanes are arranged. `found` is what triage says of each trace, in their order; None
    where nobody asked. Gives the notes with their ids, in their order.

    It is written beside its place and renamed when it is whole: a crash, a full disk or
    cancelled work leaves what was there before. Raises DocumentError where `path` exists and `replace` is
    not asked for, where another process writes the document, and where the folder cannot be written;
    CancelledError from `work`.
    """
    target = real(path)
    names = [trace.name for trace in traces]
    if len(set(names)) < len(names):
        raise DocumentError(
            message("error.document.same-name"),
            why=message("error.names", names=Listing(tuple(sorted(names)))),
        )
    refuse_existing(target, replace=replace)
    with told(target, "written"), owned(target):
        return make_owned(
            target, traces, notes=notes, ties=ties, lanes=lanes, found=found, replace=replace, work=work
        )


def open_document(path: str | Path, *, write: bool = False, expected: Identity | None = None) -> "Document":
    """Open a document; with `write`, notes can be put into it, and no other process may write it meanwhile.

    What a killed process left half written is taken back first. A document of an earlier version that is
    opened with `write` becomes one of this version: in a copy, which then takes its place. `expected` is the
    document that was opened before under this name. Raises DocumentError; MissingDocumentError where it is
    another one than expected.
    """
    file = real(path)
    if not file.exists():
        kind = DocumentError if expected is None else MissingDocumentError
        raise kind(message("error.document.none"), where=str(path))
    if not is_document(file):
        raise DocumentError(message("error.document.no-document"), where=str(path))
    with told(file, "written" if write else "opened"):
        document = _writable(Path(path), file) if write else _readable(Path(path), file)
    if expected is not None and document.identity != expected:
        document.close()
        raise MissingDocumentError(
            message("error.document.another"),
            why=message("error.document.another.why"),
            where=str(path),
            background=message("error.document.kept-in-window"),
            advice=message("error.document.save-elsewhere"),
        )
    return document


def _readable(path: Path, file: Path) -> "Document":
    tidy(file)
    if may_write(file) or not is_unfinished(file):
        return _on_engine(path, connect(file, write=False))
    # Nobody can finish it where it lies: it is read from a copy, in which SQLite does so.
    scratch = scratch_folder()
    try:
        return _on_engine(path, connect(copied_with_journal(file, scratch.path), write=False), scratch)
    except BaseException:
        scratch.close()
        raise


def _writable(path: Path, file: Path) -> "Document":
    lock = own(file)
    try:
        finish(file)
        engine = connect(file, write=True)
        try:
            version = _checked(engine, file)
        finally:
            engine.dispose()
        if version != VERSION:
            _migrate_in_a_copy(file)
        return _on_engine(path, connect(file, write=True), lock=lock, place=place_of(file))
    except BaseException:
        lock.release()
        raise


def _on_engine(
    path: Path,
    engine: sa.Engine,
    scratch: Scratch | None = None,
    *,
    lock: Ownership | None = None,
    place: Place | None = None,
) -> "Document":
    try:
        _checked(engine, path)
        return Document(path, engine, scratch, lock=lock, place=place)
    except BaseException:
        engine.dispose()
        raise


def _checked(engine: sa.Engine, path: Path) -> str:
    """The version of a document that has the tables of that version, and nothing that harms. Else raises."""
    version = check_version(engine, path)
    with engine.connect() as connection:
        checked(connection, path, version)
    return version


def _migrate_in_a_copy(file: Path) -> None:
    """Give an older document today's tables: until the copy has all of them, the old one stands."""
    with staging(file) as part:
        with closing(sqlite3.connect(file)) as source:
            copy_database(source, part)
        engine = make(part)
        try:
            migrate(engine)
        finally:
            engine.dispose()
        put(part, file)


class Document:
    """An open document. Its questions may be asked from any thread; each edit is one transaction."""

    def __init__(
        self,
        path: Path,
        engine: sa.Engine,
        scratch: Scratch | None = None,
        *,
        lock: Ownership | None = None,
        place: Place | None = None,
    ) -> None:
        """Use `open_document`. With `lock` and `place` it can be written."""
        self.path = path
        self._engine = engine
        self._scratch, self._lock, self._file = scratch, lock, place
        self._dictionaries: dict[int, Dictionaries] = {}
        self._infos: dict[int, tuple[PartitionInfo, ...]] = {}
        with engine.connect() as connection:
            asked = "SELECT id, name, origin, events, digest, report FROM trace ORDER BY id"
            self._rows = {row.name: row for row in connection.exec_driver_sql(asked)}
            made = connection.exec_driver_sql("SELECT made_by, made_ns FROM document").first()
        self.identity = Identity(*made) if made is not None else Identity("", 0)

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
        """Close the file, and let others write it."""
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()
        if self._scratch is not None:
            self._scratch.close()

    def copy(self, path: str | Path, work: Work = QUIET) -> None:
        """Write the document as it is now under another name; what stood there is replaced, in one step.

        Works, too, where the file that was opened is not in its place by now. Raises DocumentError, and
        CancelledError from `work`.
        """
        target = real(path)
        here = target == real(self.path)
        if here and self._is_in_place():
            raise DocumentError(message("error.document.onto-itself"), where=str(path))
        refuse_existing(target, replace=True)
        # Under its own name it is this process's to write already.
        owner = nullcontext() if here and self._lock is not None else owned(target)
        with told(target, "written"), owner, staging(target) as part:
            part.touch()
            with self._engine.connect() as source:
                raw = cast("sqlite3.Connection", source.connection.driver_connection)
                copy_database(
                    raw, part, lambda done, total: work.step(done, total, message("progress.document"))
                )
            put(part, target)

    def _is_in_place(self) -> bool:
        """Whether the file that was opened still stands where it was."""
        try:
            (self._file or place_of(real(self.path))).check()
        except (MissingDocumentError, OSError):
            return False
        return True

    def infos(self) -> tuple[TraceInfo, ...]:
        """The traces of the document, in the order in which they were given."""
        return tuple(
            TraceInfo(row.id, row.name, Origin(row.origin), row.events, row.digest, self._partitions(row.id))
            for row in self._rows.values()
        )

    def trace(self, name: str | None = None) -> Trace:
        """A whole trace; None is the only one. Raises QuestionError, DocumentError."""
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            _seqs, columns = read_columns(connection, row.id, None)
            return self._trace_of(row, columns, read_lines(connection, row.id))

    def partition_trace(self, name: str | None, partition: str) -> Trace:
        """A trace of one partition's events ("orders-0") and those of its brokers; other chunks stay unread.

        Of broker-level events it has those of brokers that hold a replica, those of no broker, and the last.
        It is a trace of its own: its Seqs are 0..n-1, and a cause outside of it is not said. Its
        dictionaries are those of the whole trace, so that indexes (the partition's too), names and anchors
        are the same in both; `partition_seqs` gives the Seqs that its events have in the whole trace. Of
        the kept lines it has those of its own events with their neighbours. Raises QuestionError,
        DocumentError.
        """
        row = self._row(name)
        place = self._place(row.id, partition)
        with told(self.path, "read"), self._engine.connect() as connection:
            seqs, columns = read_partition(connection, row.id, place, self._holders(row.id, place))
            columns["cause"] = causes_within(columns["cause"], seqs)
            lines = read_lines_near(connection, row.id, columns["source"], columns["line"])
            return self._trace_of(row, columns, lines)

    def partition_seqs(self, name: str | None, partition: str) -> NDArray[np.int64]:
        """The Seqs in the whole trace of the events of `partition_trace`, in the same order."""
        row = self._row(name)
        place = self._place(row.id, partition)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_partition(connection, row.id, place, self._holders(row.id, place))[0]

    def some_columns(
        self, name: str | None, wanted: Collection[str]
    ) -> tuple[NDArray[np.int64], dict[str, Column]]:
        """Seqs and some columns of all events of a trace; other columns stay unread, but for `partition`.

        Raises QuestionError, DocumentError.
        """
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_columns(connection, row.id, None, wanted)

    def dictionaries(self, name: str | None = None) -> Dictionaries:
        """The small things of a trace: partitions, brokers, files. Raises QuestionError, DocumentError."""
        return self._small(self._row(name).id)

    def lines(self, name: str | None = None) -> tuple[KeptLine, ...]:
        """All kept lines of a trace. Raises QuestionError, DocumentError."""
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_lines(connection, row.id)

    def triage(self, name: str | None = None) -> Triage | None:
        """What was found when the trace was imported; None where that was not stored. Reads no events.

        Seqs are those of the whole trace. Findings of checks that only a later version knows are in its
        `stored`, and written again with it. Raises QuestionError, DocumentError.
        """
        row = self._row(name)
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_triage(connection, row.id)

    def notes(self) -> tuple[Note, ...]:
        """All notes that this version knows, in the order in which they were written."""
        return tuple(note for note in self._all_notes() if note.is_known)

    def later_notes(self) -> tuple[Note, ...]:
        """Notes of kinds, colours and shapes that only a later version knows, in the same order.

        They cannot be shown; whoever writes the document anew gives them to it (`create`).
        """
        return tuple(note for note in self._all_notes() if not note.is_known)

    def _all_notes(self) -> tuple[Note, ...]:
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_notes(connection)

    def put_note(self, note: Note) -> Note:
        """Store a note (id 0) or its new text, and give it with its id. Raises DocumentError."""
        with self._edit() as connection:
            return write_note(connection, note)

    def delete_note(self, note_id: int) -> None:
        """Delete a note. `put_note` with its id brings it back. Raises DocumentError."""
        with self._edit() as connection:
            remove_note(connection, note_id)

    def ties(self) -> tuple[Tie, ...]:
        """All ties by hand, in the order in which they were made."""
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_ties(connection)

    def put_ties(self, ties: Sequence[Tie]) -> None:
        """Store these ties in place of those that there are. Raises DocumentError."""
        with self._edit() as connection:
            write_ties(connection, ties)

    def lanes(self) -> LaneOrder:
        """How the lanes are arranged."""
        with told(self.path, "read"), self._engine.connect() as connection:
            return read_lanes(connection)

    def put_lanes(self, lanes: LaneOrder) -> None:
        """Store how the lanes are arranged now. Raises DocumentError."""
        with self._edit() as connection:
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

    @contextmanager
    def _edit(self) -> Generator[sa.Connection]:
        """One transaction on the file that was opened; when it ends, the disk has it.

        Raises MissingDocumentError where that file is not in its place before or after it, DocumentError.
        """
        if self._file is None:
            raise DocumentError(
                message("error.document.cannot-write"),
                why=message("error.document.read-only"),
                where=str(self.path),
            )
        with told(self.path, "written"):
            self._file.check()
            with self._engine.begin() as connection:
                yield connection
            self._file.check()

    def _row(self, name: str | None) -> Any:  # noqa: ANN401 - a row of SQLAlchemy has no better type
        if name is None and len(self._rows) == 1:
            return next(iter(self._rows.values()))
        if name is None or name not in self._rows:
            raise QuestionError(
                message("error.document.several")
                if name is None
                else message("error.document.no-trace", name=name),
                where=str(self.path),
                advice=message("error.document.choose-trace", names=Listing(tuple(self._rows))),
            )
        return self._rows[name]

    def _small(self, trace_id: int) -> Dictionaries:
        if trace_id not in self._dictionaries:
            with told(self.path, "read"), self._engine.connect() as connection:
                self._dictionaries[trace_id] = read_dictionaries(connection, trace_id)
        return self._dictionaries[trace_id]

    def _partitions(self, trace_id: int) -> tuple[PartitionInfo, ...]:
        if trace_id not in self._infos:
            named = self._small(trace_id).partitions
            with told(self.path, "read"), self._engine.connect() as connection:
                self._infos[trace_id] = read_infos(connection, trace_id, named)
        return self._infos[trace_id]

    def _place(self, trace_id: int, partition: str) -> int:
        place = index_of_partition(self._small(trace_id).partitions, partition)
        if place is not None:
            return place
        raise QuestionError(message("error.document.no-partition", name=partition), where=str(self.path))

    def _holders(self, trace_id: int, place: int) -> tuple[int, ...]:
        """The brokers to which a partition was assigned."""
        return tuple(map(int, self._small(trace_id).partitions[place].replicas))

    def _trace_of(
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
            partitions=small.partitions,
            sources=small.sources,
            isrs=small.isrs,
            records=small.records,
            facts=small.facts,
            lines=lines,
            report=MappingProxyType(read_report(row.report)),
        )
