"""What a worker does with a range: the importers' own readers over its bytes. There is no second parser."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

import pyarrow as pa

from core.errors import Facts, SourceError
from importers.lines.evidence import unpacked
from importers.lines.layout import Layout
from importers.lines.parser import parse
from importers.merge.files import ReadFile, Role, read_files
from importers.prepared.arrow_rows import to_batch
from spark.ranges import (
    File,
    Range,
    check_unchanged,
    is_closed,
    open_file,
    own_records,
    tail_of,
    unpack,
    unreadable,
)

_CHUNK: Final = 1 << 20
GROUP_BYTES: Final = 64 * 1024 * 1024
_GROUPS_PER_CORE: Final = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """What was read from a range: a part of a log, or one file of those that a file is or contains.

    `member` is its number among those; `stream` is that of what it was unpacked from, which several members
    share where several brokers share a log. `lines` is how many line ends a part has, or how many lines a
    file; lines in `read` count from 1 at the beginning of both. `sha256` stands alone: the digest of a log
    that is read in parts. `fault` is why nothing more was read, or, if it `changed`, why nothing of it can be
    used. `tail` is the digest of the range's end (`tail_of`) where a part stays what it is in a log that
    grows.
    """

    file: int
    start: int
    member: int = 0
    stream: int = 0
    lines: int = 0
    read: ReadFile | None = None
    sha256: str = ""
    fault: Facts | None = None
    changed: bool = False
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """A task: read what a range says."""

    file: File
    range: Range

    def __call__(self) -> Iterator[Piece]:
        """The pieces; the last one with the fault, if there is one."""
        piece = Piece(self.range.file, self.range.start)
        try:
            if self.range.layout is None:
                yield from self._whole(piece)
            else:
                yield self._part(piece, self.range.layout)
        except SourceError as error:
            yield replace(piece, fault=error.facts)
        except OSError as error:
            yield replace(piece, fault=unreadable(self.file, error).facts)
        fault = changed(self.file)
        if fault is not None:
            yield replace(piece, fault=fault, changed=True)

    def _whole(self, piece: Piece) -> Iterator[Piece]:
        for number, (stream, read) in enumerate(_each(self.file)):
            lines = (
                sum(one.text.count(b"\n") for one in unpacked(read.quotes))
                if read.drafts is None
                else sum(read.drafts.counts.values())
            )
            yield replace(piece, member=number, stream=stream, lines=lines, read=replace(read, quotes=()))

    def _part(self, piece: Piece, layout: Layout) -> Piece:
        base, data = own_records(self.file, self.range, layout)
        drafts = parse(data, layout, base=base)
        file = self.file
        read = ReadFile(file.label, "", file.size, file.mtime_ns, Role.LOG, layout=layout, drafts=drafts)
        closed = is_closed(file, self.range, base + len(data))
        tail = tail_of(file, self.range) if closed else ""
        return replace(piece, lines=data.count(b"\n"), read=read, tail=tail)


@dataclass(frozen=True, slots=True)
class Digest:
    """A task: the SHA-256 of a file that is otherwise read in parts."""

    file: File
    range: Range

    def __call__(self) -> Iterator[Piece]:
        """One piece with the digest."""
        digest = hashlib.sha256()
        try:
            with open_file(self.file) as opened:
                while chunk := opened.read(min(_CHUNK, self.file.size - opened.tell())):
                    digest.update(chunk)
        except OSError as error:
            yield Piece(self.range.file, self.range.start, fault=unreadable(self.file, error).facts)
            return
        yield Piece(self.range.file, self.range.start, sha256=digest.hexdigest())


def changed(file: File) -> Facts | None:
    """Why a file is no longer what was listed; None while it is."""
    try:
        check_unchanged(file)
    except SourceError as error:
        return error.facts
    except OSError as error:
        return unreadable(file, error).facts
    return None


def _each(file: File) -> Iterator[tuple[int, ReadFile]]:
    """All that a file is or contains, in an order that is always the same, each with its stream's number."""
    return ((stream, read) for stream, member in enumerate(unpack(file)) for read in read_files(member))


_TOGETHER: Final = 4096
"""Rows of one batch."""


class Task(Protocol):
    """What a worker does: it yields values."""

    def __call__(self) -> Iterator[Any]:
        """What it gives."""
        ...


class Ranged(Protocol):
    """A task over a range."""

    @property
    def range(self) -> Range:
        """Which."""
        ...


T = TypeVar("T", bound=Ranged)


def pack(tasks: Sequence[T], cores: int) -> tuple[tuple[T, ...], ...]:
    """Neighbouring tasks in groups: several for each core, so that none of them waits long for another."""
    size = sum(task.range.end - task.range.start for task in tasks)
    enough = min(GROUP_BYTES, size // (_GROUPS_PER_CORE * cores))
    groups: list[tuple[T, ...]] = []
    group: list[T] = []
    held = 0
    for task in tasks:
        group.append(task)
        held += task.range.end - task.range.start
        if held >= enough:
            groups.append(tuple(group))
            group, held = [], 0
    return (*groups, tuple(group)) if group else tuple(groups)


def in_worker(batches: Iterable[pa.RecordBatch], tasks: Any, kind: type) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of groups in the broadcast `tasks`; out come values of `kind`."""
    numbers = (number for batch in batches for number in batch.column(0).to_pylist())
    values = (value for number in numbers for task in tasks.value[number] for value in task())
    while some := list(islice(values, _TOGETHER)):
        yield to_batch(kind, some)
