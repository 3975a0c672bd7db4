"""What a worker does with a range: the importers' own readers over its bytes. There is no second parser."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from core.errors import Facts, SourceError
from importers.arrow_rows import to_batch
from importers.evidence import Block, kept_lines, unpacked, whole
from importers.files import ReadFile, Role, read_files
from importers.parser import parse
from spark.ranges import File, Range, open_file, own_records, unpack, unreadable

_CHUNK: Final = 1 << 20
GROUP_BYTES: Final = 64 * 1024 * 1024
_GROUPS_PER_CORE: Final = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """What was read from a range: a part of a log, or one file of those that a file is or contains.

    `member` is its number among those. `lines` is how many line ends a part has; lines in `read` count from 1
    at its beginning. `sha256` stands alone: the digest of a log that is read in parts. `fault` is why a file
    was not read.
    """

    file: int
    start: int
    member: int = 0
    lines: int = 0
    read: ReadFile | None = None
    sha256: str = ""
    fault: Facts | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """One raw line; `line` counts from 1 and `byte` from 0, both in the file or member."""

    file: int
    member: int
    line: int
    byte: int
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """A task: read what a range says."""

    file: File
    range: Range

    def __call__(self) -> Iterator[Piece]:
        """The pieces, or one with the fault."""
        piece = Piece(self.range.file, self.range.start)
        try:
            if self.range.layout is None:
                for number, read in enumerate(_each(self.file)):
                    yield replace(piece, member=number, read=replace(read, quotes=()))
                return
            base, data = own_records(self.file, self.range, self.range.layout)
            drafts = parse(data, self.range.layout, base=base)
            read = ReadFile(
                self.file.label,
                "",
                self.file.size,
                self.file.mtime_ns,
                Role.LOG,
                layout=self.range.layout,
                drafts=drafts,
            )
            yield replace(piece, lines=data.count(b"\n"), read=read)
        except SourceError as error:
            yield replace(piece, fault=error.facts)
        except OSError as error:
            yield replace(piece, fault=unreadable(self.file, error).facts)


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
                while chunk := opened.read(_CHUNK):
                    digest.update(chunk)
        except OSError as error:
            yield Piece(self.range.file, self.range.start, fault=unreadable(self.file, error).facts)
            return
        yield Piece(self.range.file, self.range.start, sha256=digest.hexdigest())


@dataclass(frozen=True, slots=True)
class Quote:
    """A task: raw lines of a range. `first_line` is the number of its first line in the file.

    `lines` are pairs of member and line number, the line counted in the file or member.
    """

    file: File
    range: Range
    first_line: int
    lines: tuple[tuple[int, int], ...]

    def __call__(self) -> Iterator[Quoted]:
        """The lines that are there."""
        if self.range.layout is None:
            base = 0
            asked = {member for member, _ in self.lines}
            files = enumerate(_each(self.file))
            texts = {number: tuple(unpacked(read.quotes)) for number, read in files if number in asked}
        else:
            base, data = own_records(self.file, self.range, self.range.layout)
            texts = {0: (whole(Block(1, 0, data)),)}
        before = self.first_line - 1
        wanted = {(member, line - before) for member, line in self.lines}
        used: dict[int, list[int]] = {}
        for member, line in wanted:
            used.setdefault(member, []).append(line)
        for kept in kept_lines(texts, {member: np.array(lines) for member, lines in used.items()}):
            # `kept_lines` gives neighbours too; those that count are asked for themselves.
            if (kept.source, kept.line) in wanted:
                yield Quoted(self.range.file, kept.source, kept.line + before, base + kept.byte, kept.text)


def _each(file: File) -> Iterator[ReadFile]:
    """All that a file is or contains, in an order that is always the same."""
    return (read for member in unpack(file) for read in read_files(member))


_TOGETHER: Final[Mapping[type, int]] = {Piece: 1, Quoted: 4096}
"""Rows of one batch: a piece may be large, a line is small."""
Task: TypeAlias = Read | Digest | Quote


def pack(tasks: Sequence[Task], cores: int) -> tuple[tuple[Task, ...], ...]:
    """Neighbouring tasks in groups: several for each core, so that none of them waits long for another."""
    size = sum(task.range.end - task.range.start for task in tasks)
    enough = min(GROUP_BYTES, size // (_GROUPS_PER_CORE * cores))
    groups: list[tuple[Task, ...]] = []
    group: list[Task] = []
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
    while some := list(islice(values, _TOGETHER[kind])):
        yield to_batch(kind, some)
