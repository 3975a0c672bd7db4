"""What workers read, kept in files until the data set is written, and in it for the next run.

A later run over a grown tree, or the run after one that was stopped, reads only what is not there yet.
"""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import hashlib
import os
import shutil
import sys
import uuid
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import pyarrow as pa

from core.errors import CancelledError, DocumentError, Facts, TidegaugeError
from core.leftovers import Entered, discard, enter
from core.message import Message, message
from importers.lines.layout import Layout
from importers.lines.statements import Statements
from importers.prepared.arrow_rows import from_table, schema_of, to_batch
from spark.parse import Digest, Piece, Read
from spark.ranges import File, Former, tail_of
from spark.session import SHIPPED
from spark.shelf import Shelf
from spark.target import cannot_write

T = TypeVar("T")

PARSED: Final = "_parsed"
"""What was read, in a data set: names that begin with _ are no data to readers of Parquet."""
_STAGED: Final = "parsed"
_CODE: Final = b"code"
_TOGETHER: Final = 64
"""Rows of one batch: a batch for each would cost more than reading a small log."""
_BAD: Final = (pa.ArrowException, OSError, KeyError)


@dataclass(frozen=True, slots=True)
class Mark:
    """What a piece was read from. Where all of it is the same, reading again would give the same.

    `layout` is that of a log that is read in parts; None for a file that is read whole, and for a `digest`.
    """

    label: str
    alone: bool
    size: int
    mtime_ns: int
    head: str
    start: int
    end: int
    layout: Layout | None
    digest: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """A row: one piece of a task, or none where the task found nothing. `faulted`: read it again.

    `tail` is that of the piece.
    """

    mark: Mark
    faulted: bool
    tail: str
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class Marked:
    """A row without its piece."""

    mark: Mark
    faulted: bool
    tail: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Where what was read lies, and with which `tail`, "" where it does not hold for a log that has grown."""

    name: str
    tail: str


@dataclass(frozen=True, slots=True)
class Written:
    """What a worker answers: the file it wrote, or why it could not."""

    name: str
    fault: Facts | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A task: do others, and write what they find into a file of `folder`, all or nothing."""

    folder: str
    tasks: tuple[Read | Digest, ...]

    def __call__(self) -> Iterator[Written]:
        """One answer. A worker that is started again for the same task writes the same file."""
        rows = (row for task in self.tasks for row in rows_of(task))
        try:
            yield Written(put(Path(self.folder), [mark_of(task) for task in self.tasks], rows))
        except DocumentError as error:
            yield Written("", error.facts)


def put(folder: Path, marks: Sequence[Mark], rows: Iterable[Stored]) -> str:
    """Write rows of these marks into a file, all or nothing, and give its name: the same for the same marks.

    Raises DocumentError.
    """
    name = f"{hashlib.sha256(repr(marks).encode()).hexdigest()[:32]}.arrow"
    part = folder / f"{name}.{uuid.uuid4().hex}.part"
    try:
        write_rows(part, rows)
        part.replace(part.with_name(name))
    except OSError as error:
        part.unlink(missing_ok=True)
        raise cannot_write(folder.parent, error) from error
    return name


def mark_of(task: Read | Digest) -> Mark:
    """What a task reads."""
    file, own = task.file, task.range
    digest = isinstance(task, Digest)
    return Mark(
        file.label, file.alone, file.size, file.mtime_ns, file.head, own.start, own.end, own.layout, digest
    )


def rows_of(task: Read | Digest) -> Iterator[Stored]:
    """What a task finds, as rows."""
    mark, found = mark_of(task), False
    for piece in task():
        found = True
        yield Stored(mark, piece.fault is not None, piece.tail, piece)
    if not found:
        yield Stored(mark, faulted=False, tail="", piece=None)


def write_rows(place: Path, rows: Iterable[Stored]) -> None:
    """A file of rows. Raises OSError."""
    schema = schema_of(Stored).with_metadata({_CODE: code_digest()})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.OSFile(str(place), "wb") as sink, pa.ipc.new_file(sink, schema, options=options) as writer:
        left = iter(rows)
        while some := list(islice(left, _TOGETHER)):
            writer.write_batch(to_batch(Stored, some).replace_schema_metadata(schema.metadata))


@cache
def code_digest() -> bytes:
    """The SHA-256 of the code that reads, as hex: what other code read is read again."""
    digest = hashlib.sha256()
    for package in map(files, SHIPPED):
        for file in _modules(package):
            digest.update(file.name.encode() + b"\n" + file.read_bytes())
    return digest.hexdigest().encode()


def _modules(folder: Traversable) -> Iterator[Traversable]:
    """The Python files of a package, which may lie in a zip, in an order that is always the same."""
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _modules(entry)
        elif entry.name.endswith(".py"):
            yield entry


@contextmanager
def staging(out: Path, *, afresh: bool) -> Generator[Path]:
    """The hidden folder beside `out` where workers put what they read; `afresh`: it begins empty.

    It stays where somebody stopped the work or Spark gave up, so that the next run goes on from there; the
    error then says so. It stays after a kill, too; then the next start says so (core/sweeping.py). Only the
    run that has the lock of `out` may be here.
    """
    folder = staging_of(out)
    entered = enter(folder, "resume", out)
    keep = False
    try:
        _begin(folder, out, entered, afresh=afresh)
        yield folder
    except (CancelledError, KeyboardInterrupt) as stop:
        keep = _has_read(folder)
        if keep:
            raise CancelledError(
                message("error.stopped"),
                background=message("error.process.nothing-written"),
                advice=_kept(folder),
            ) from stop
        raise
    except TidegaugeError as error:
        # Only itself: its kinds say that something has to be changed first.
        keep = type(error) is TidegaugeError and _has_read(folder)
        if keep:
            kept = _kept(folder)
            advice = error.facts.advice
            if advice is not None:
                kept = message("error.process.advice-and-kept", advice=advice, kept=kept)
            raise TidegaugeError.of(replace(error.facts, advice=kept)) from error
        raise
    finally:
        if keep:
            entered.add(told=True)
            entered.done(kept=True)
        elif discard(folder):
            entered.done()


def staging_of(out: Path) -> Path:
    """The folder beside a data set where what was read lies until the data set has it."""
    return out.with_name(f".{out.name}.{_STAGED}")


def _begin(folder: Path, out: Path, entered: Entered, *, afresh: bool) -> None:
    """Make the folder, with what `out` holds of an earlier run. Raises DocumentError."""
    try:
        if afresh:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        entered.identify()
        for file in () if afresh else (out / PARSED).glob("*.arrow"):
            if not (folder / file.name).exists():
                _same_file(file, folder / file.name)
    except OSError as error:
        raise cannot_write(out, error) from error


def _has_read(folder: Path) -> bool:
    """Whether there is something that the next run need not read."""
    return any(folder.glob("*.arrow"))


def _kept(folder: Path) -> Message:
    return message("error.process.kept", folder=str(folder))


def _same_file(old: Path, new: Path) -> None:
    """The same content under another name, without a copy where the file system can."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def held_for(out: Path) -> Mapping[Mark, Kept]:
    """What the next run over a data set finds: what it holds, and what a run that was stopped has read."""
    return {**held(out / PARSED), **held(staging_of(out))}


def held(folder: Path) -> Mapping[Mark, Kept]:
    """What is there to be used, and in which file. A file that cannot be read is as good as not there."""
    found: dict[Mark, Kept] = {}
    for file in sorted(folder.glob("*.arrow")):
        rows = _read(file, Marked)
        faulted = {row.mark for row in rows if row.faulted}
        found |= {row.mark: Kept(file.name, row.tail) for row in rows if row.mark not in faulted}
    return found


def marked(folder: Path, names: Iterable[str]) -> Mapping[Mark, Kept]:
    """What is in some of the files, whatever it is, and in which."""
    return {row.mark: Kept(name, row.tail) for name in names for row in _read(folder / name, Marked)}


def formers(files: Sequence[File], there: Mapping[Mark, Kept]) -> Mapping[int, Former]:
    """How logs were cut of which something was read before, by the index of the file.

    Ranges of a log that was shorter count where they stay what they are in one that has grown.
    """
    by_label: dict[tuple[str, bool], list[Mark]] = {}
    for mark in there:
        if not mark.digest:
            by_label.setdefault((mark.label, mark.alone), []).append(mark)
    found: dict[int, Former] = {}
    for index, file in enumerate(files):
        now = file.size, file.mtime_ns
        marks = by_label.get((file.label, file.alone), ())
        same = [one for one in marks if (one.size, one.mtime_ns) == now]
        shorter = [one for one in marks if one.size < file.size]
        usable = [
            one for one in (*same, *(one for one in shorter if there[one].tail)) if one.head == file.head
        ]
        if marks:
            found[index] = replace(_chain([one for one in usable if one.layout]), grown=bool(shorter))
    return found


def _chain(marks: Sequence[Mark]) -> Former:
    """Ranges that follow one another from 0 on; of several that begin at one byte the longest."""
    layout = next((one.layout for one in marks if one.start == 0), None)
    end_of = {one.start: one.end for one in sorted(marks, key=lambda one: one.end) if one.layout == layout}
    ends: list[int] = []
    while (end := end_of.get(ends[-1] if ends else 0)) is not None:
        ends.append(end)
    return Former(layout, tuple(ends))


def known(tasks: Sequence[Read | Digest], there: Mapping[Mark, Kept]) -> Mapping[Mark, Mark]:
    """Of what is to be read that which is there, and under which mark: its own, or that of a shorter log.

    A log has only grown where it begins as it did, and each range that was read whole ends as it did.
    """
    found = {mark: mark for task in tasks if (mark := mark_of(task)) in there}
    shorter: dict[Mark, list[Mark]] = {}
    for mark, kept in there.items():
        if kept.tail:
            shorter.setdefault(replace(mark, size=0, mtime_ns=0), []).append(mark)
    grown: dict[int, dict[Mark, Mark]] = {}
    rewritten: set[int] = set()
    for task in tasks:
        mark, file = mark_of(task), task.range.file
        olds = shorter.get(replace(mark, size=0, mtime_ns=0), ())
        olds = [old for old in olds if old.size < mark.size]
        if mark in found or not olds or file in rewritten:
            continue
        tail = _tail_of(task)
        same = [old for old in olds if there[old].tail == tail]
        if same:
            grown.setdefault(file, {})[mark] = same[0]
        else:
            rewritten.add(file)
    for file in grown.keys() - rewritten:
        found |= grown[file]
    return found


def _tail_of(task: Read | Digest) -> str:
    """How the range of a task ends now; where there is no reading it, as no range does."""
    try:
        return tail_of(task.file, task.range)
    except OSError:
        return "unreadable"


def pieces_of(
    folder: Path, number: Mapping[Mark, int], where: Mapping[Mark, str], shelf: Shelf
) -> Iterator[Piece]:
    """The pieces of some marks, each with the number that its file has now, and its columns on a shelf.

    Raises DocumentError.
    """
    done: set[Mark] = set()
    for name in sorted({where[mark] for mark in number if mark in where}):
        for row in _read(folder / name, Stored):
            if row.mark in number and where[row.mark] == name:
                done.add(row.mark)
                if row.piece is not None:
                    yield shelved(replace(row.piece, file=number[row.mark]), shelf)
        # What Arrow has held for one file it would hold for ever.
        pa.default_memory_pool().release_unused()
    if done != set(number):
        raise DocumentError(
            message("error.process.not-shared"),
            why=message("error.process.not-shared.why"),
            where=str(folder),
            advice=message("error.process.not-shared.way-out"),
        )


def shelved(piece: Piece, shelf: Shelf) -> Piece:
    """The piece with what a log says on a shelf: all that grows with how long it is."""
    if piece.read is None or piece.read.drafts is None:
        return piece
    drafts = piece.read.drafts
    said = drafts.drafts
    # Most parts speak of the same topics.
    texts = tuple(map(sys.intern, said.texts))
    held = replace(
        drafts,
        drafts=Statements(shelf.put(said.columns), texts, said.lists),
        records=shelf.put(drafts.records),
    )
    return replace(piece, read=replace(piece.read, drafts=held))


def finish(folder: Path, where: Mapping[Mark, str], part: Path) -> None:
    """Move what was used into the new data set: nothing of files that are gone or have changed.

    Raises DocumentError.
    """
    try:
        _tidy(folder, where)
        folder.rename(part / PARSED)
    except OSError as error:
        raise cannot_write(part, error) from error


def _tidy(folder: Path, where: Mapping[Mark, str]) -> None:
    used: dict[str, set[Mark]] = {}
    for mark, name in where.items():
        used.setdefault(name, set()).add(mark)
    for file in sorted(folder.iterdir()):
        mine = used.get(file.name, set())
        if not mine:
            file.unlink()
            continue
        bad = {row.mark for row in _read(file, Marked) if row.faulted or row.mark not in mine}
        if bad:
            kept = [row for row in _read(file, Stored) if row.mark not in bad]
            part = file.with_suffix(".part")
            write_rows(part, kept)
            part.replace(file)


def _read(file: Path, kind: type[T]) -> list[T]:
    """The rows of a file, as far as `kind` has them; none of one that is damaged or that other code wrote."""
    whole, wanted = schema_of(Stored), schema_of(kind)
    numbers = [whole.get_field_index(name) for name in wanted.names]
    try:
        with pa.OSFile(str(file)) as opened:
            reader = pa.ipc.open_file(opened, options=pa.ipc.IpcReadOptions(included_fields=numbers))
            if (reader.schema.metadata or {}).get(_CODE) != code_digest():
                return []
            return from_table(kind, reader.read_all())
    except _BAD:
        return []
