"""What a person names (folders, files, archives in archives) as one stream of members. Nothing is written."""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, LiteralString

from core.errors import Facts, SourceError, at
from core.message import Message, message
from core.system_errors import reason
from core.work import QUIET, Work
from importers.containers.archives import Content, archive_in, is_skipped, tellers, unpacked
from importers.containers.exports import SNIFFED
from importers.containers.line_tables import SUFFIX, joined_line_table
from importers.containers.regular import NoFileError, left_out, open_file, what_it_is
from importers.limits import (
    DAMAGE,
    MOST_NESTING,
    Budget,
    DamagedError,
    Recounted,
    Stream,
    Total,
    damaged,
    too_much,
)

_HOLDERS: Final[Sequence[tuple[bytes, LiteralString]]] = (
    (b"7z\xbc\xaf\x27\x1c", "kind.seven-zip"),
    (b"Rar!", "kind.rar"),
    (b"\x04\x22\x4d\x18", "kind.lz4"),
    (b"\x1f\x9d", "kind.compress"),
    (b"\x89LZO\0\r\n\x1a\n", "kind.lzop"),
    (b"\xff\x06\0\0sNaPpY", "kind.snappy"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "kind.office"),
    (b"%PDF", "kind.pdf"),
)
"""What may hold logs and is not unpacked: in a folder it is told as left out."""
_OFFICE: Final = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis")
"""The first name in a zip that an office program wrote, and the first file with what it holds."""
_MAGIC: Final[Sequence[tuple[bytes, LiteralString]]] = (
    *_HOLDERS,
    (b"\x89PNG\r\n\x1a\n", "kind.png"),
    (b"\xff\xd8\xff", "kind.jpeg"),
    (b"GIF8", "kind.gif"),
    (b"SQLite format 3\0", "kind.sqlite"),
    (b"\x7fELF", "kind.program"),
    (b"\xca\xfe\xba\xbe", "kind.java-class"),
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file as it lies in the source. `path` is a label only: it is never opened or written.

    `stream` is its content, to be read once and before the next member is asked for; None for a member that
    nobody reads (`is_skipped`) and for one that cannot be read, and then `fault` says why. `mtime_ns`
    is None where the container states none that can be trusted (zip has no zone, a bare .gz has none).
    `alone`: nothing else was named, so damage is the answer to the question and not one line of a report.
    """

    path: str
    stream: Stream | None
    mtime_ns: int | None = None
    fault: Facts | None = None
    alone: bool = False

    @property
    def data(self) -> bytes:
        """The rest of the content, b"" where there is none. Raises DamagedError."""
        return b"" if self.stream is None else self.stream.read()


@dataclass(frozen=True, slots=True)
class _Place:
    """What is known on the way down: the limits, how deep, whether one file was named and nothing else."""

    budget: Budget
    depth: int
    alone: bool
    outer: bool
    """The container itself was named: paths begin inside it."""


def members(paths: Sequence[str | Path], work: Work = QUIET) -> Iterator[Member]:
    """Every file of the named sources, sorted by path in a folder, in the archive's order in an archive.

    Paths are relative to what was named; where several sources are named, each path begins with the name of
    its source. Links inside a folder are followed only where they lead to a file of the same folder.
    What is damaged or beyond the limits is a member with a fault; where one single file was named and is
    itself damaged, SourceError. Raises SourceError for a source that is missing, unreadable or empty too.
    """
    several = len(paths) > 1
    total = Total(", ".join(str(path) for path in paths))
    for named in paths:
        path = Path(named)
        work.step(0, 0, message("progress.reading", name=path.name))
        if path.is_dir():
            yield from _folder(path, f"{path.name}/" if several else "", total)
        elif path.is_file():
            if several and (what := _no_log(path)) is not None:
                raise _refused(path, what)
            yield from members_of(path, path.name, alone=not several, total=total)
        elif (what := what_it_is(path)) is not None:
            raise _refused(path, what)
        else:
            raise SourceError(
                message("error.source.nothing"),
                where=str(path),
                advice=message("error.source.nothing.way-out"),
            )


def members_of(path: Path, label: str, *, alone: bool, total: Total | None = None) -> Iterator[Member]:
    """One file as itself, or what it contains, under a label. `alone`: it was named, and nothing else.

    Raises SourceError as `members` does.
    """
    what = _no_log(path) if alone else None
    if what is not None:
        raise _refused(path, what)
    yield from _on_disk(path, label, total or Total(str(path)), alone=alone)


def _no_log(path: Path) -> Message | None:
    """What a file is that can be no log; None for all others."""
    try:
        with open_file(path) as file:
            head = file.read(SNIFFED)
    except NoFileError as error:
        return error.kind
    except OSError as error:
        raise _unreadable(path, error) from error
    return _holder(head) or next((message(id_) for magic, id_ in _MAGIC if head.startswith(magic)), None)


def _refused(path: Path, what: Message) -> SourceError:
    return SourceError(
        message("error.source.no-logs", name=path.name, kind=what),
        where=str(path),
        advice=message("error.source.no-logs.way-out"),
    )


def size_of(paths: Sequence[str | Path]) -> int:
    """How many bytes will be read from disk, as far as it can be told now. For progress only."""
    found = 0
    for path in map(Path, paths):
        inner = files_in(path)[0] if path.is_dir() else [path]
        for file in inner:
            if not is_skipped(file.as_posix()):
                try:
                    found += file.stat().st_size
                except OSError:
                    continue
    return found


def _folder(folder: Path, prefix: str, total: Total) -> Iterator[Member]:
    files, left = files_in(folder)
    if not files and not left:
        raise SourceError(
            message("error.source.empty-folder"),
            where=str(folder),
            advice=message("error.source.empty-folder.or-archive"),
        )
    tables = [path for path in files if path.suffix == SUFFIX]
    if len(tables) > 1:
        # Rows of one log may lie in several of them.
        files = [path for path in files if path not in tables and not path.name.startswith(("_", "."))]
        yield from _joined(folder, tables, prefix, total)
    for path in files:
        label = prefix + path.relative_to(folder).as_posix()
        if is_skipped(label):
            total.member()
            yield Member(label, None)
            continue
        yield from _on_disk(path, label, total, alone=False)
    for path, facts in left:
        total.member()
        yield Member(prefix + path.relative_to(folder).as_posix(), None, fault=facts)


def _joined(folder: Path, tables: Sequence[Path], prefix: str, total: Total) -> Iterator[Member]:
    """The logs of a table of lines in several files of Parquet."""
    packed = sum(path.stat().st_size for path in tables)
    budget = Budget(str(folder), io.BytesIO(), packed, total)
    try:
        table = joined_line_table(folder, tables)
        if table is None:
            total.member()
            yield Member(
                prefix, None, fault=Facts(message("error.source.no-line-table"), where=at(str(folder)))
            )
            return
        for content in tellers(table, budget):
            total.member()
            yield Member(prefix + content.name, content.stream)
    except DAMAGE as error:
        raise damaged(str(folder), error) from error
    total.done += packed


def files_in(folder: Path) -> tuple[list[Path], list[tuple[Path, Facts]]]:
    """The files of a folder at any depth, sorted, and what in it is not read with the reason."""
    root = Path(os.path.realpath(folder))
    files: list[Path] = []
    left: list[tuple[Path, Facts]] = []

    def refuse(error: OSError) -> None:
        left.append((Path(error.filename or folder), _unreadable(folder, error).facts))

    for where, folders, names in os.walk(folder, onerror=refuse):
        here = Path(where)
        # Followed, a link to a folder above would never end.
        links = [here / name for name in folders if (here / name).is_symlink()]
        left += [(link, _link(link)) for link in links]
        for name in names:
            path = here / name
            try:
                facts = _why_not_read(path, root)
            except OSError as error:  # A link of which nobody may know where it leads.
                facts = _unreadable(path, error).facts
            if facts is not None:
                left.append((path, facts))
            elif path.is_file():
                files.append(path)
    if not files and len(left) == 1 and left[0][0] == folder:
        raise SourceError(message("error.source.folder-cannot-read"), why=left[0][1].why, where=str(folder))
    return sorted(files), sorted(left, key=lambda pair: pair[0])


def _why_not_read(path: Path, root: Path) -> Facts | None:
    """Why an entry of a folder is not read: no file, or a link that leads out of the root. Raises OSError."""
    # realpath, and not resolve(), which raises RuntimeError for links that lead to each other.
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
        return _link(path)
    return None if path.is_file() else left_out(path)


def _link(path: Path) -> Facts:
    return Facts(
        message("error.source.link"),
        why=message("error.source.link.why"),
        where=at(str(path)),
        advice=message("error.source.link.way-out"),
    )


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(
        message("error.source.file-cannot-read"),
        why=error.kind if isinstance(error, NoFileError) else reason(error),
        where=str(path),
    )


def _on_disk(path: Path, label: str, total: Total, *, alone: bool) -> Iterator[Member]:
    try:
        with open_file(path) as file:
            stat = os.fstat(file.fileno())
            budget = Budget(str(path), file, stat.st_size, total)
            stream = Stream(file, budget, str(path))
            place = _Place(budget, 0, alone, alone)
            yield from _unfold(label, stream, stat.st_mtime_ns, place, file)
            total.done += stat.st_size
    except OSError as error:
        if alone:
            raise _unreadable(path, error) from error
        yield Member(label, None, fault=_unreadable(path, error).facts)


def borrowed(path: Path, label: str, took: Callable[[int], None]) -> Iterator[Member]:
    """A file that lies on the disk as it is, in another process than the one that found it (`Stream.lend`).

    What it is was found out there. `took` is told of each number of bytes that are read.
    """
    try:
        with open_file(path) as file:
            stat = os.fstat(file.fileno())
            budget = Recounted(str(path), file, stat.st_size, took)
            stream = Stream(file, budget, str(path))
            # As where it was found: from where on a hole is passed over depends on it.
            stream.peek(SNIFFED)
            yield Member(label, stream, stat.st_mtime_ns)
    except DamagedError as error:
        yield Member(label, None, fault=error.facts)
    except OSError as error:
        yield Member(label, None, fault=_unreadable(path, error).facts)


def _unfold(
    label: str, stream: Stream, mtime: int | None, place: _Place, file: IO[bytes] | None = None
) -> Iterator[Member]:
    """A file as itself, or what it contains. `file` is the stream's own file, where it is one on disk."""
    budget = place.budget
    where = budget.where if place.outer else f"{budget.where}: {label}"
    try:
        head = stream.peek(SNIFFED)
        holder = _holder(head)
        if holder is not None:
            budget.total.member()
            yield Member(label, None, mtime, fault=_not_unpacked(label, holder))
            return
        inner = unpacked(head, stream)
        opener = None if inner is not None else archive_in(label, head)
        if inner is None and opener is None:
            budget.total.member()
            yield Member(label, stream, mtime, alone=place.alone)
            return
        if place.depth >= MOST_NESTING:
            raise too_much(budget.where, message("error.source.nested", most=MOST_NESTING, name=label))
        if inner is not None:
            # A compressed single file has no name of its own inside, so it keeps the one outside.
            deeper = _Place(budget, place.depth + 1, place.alone, place.outer)
            yield from _unfold(label, Stream(inner, budget, where), mtime, deeper)
        elif opener is not None:
            deeper = _Place(budget, place.depth + 1, alone=False, outer=False)
            inside = "" if place.outer else f"{label}!/"
            for content in opener(stream, budget, file):
                yield from _inner(inside, content, deeper)
    except (*DAMAGE, DamagedError) as error:
        told = damaged(where, error)
        if place.alone:
            raise told from error
        yield Member(label, None, fault=told.facts)


def _holder(head: bytes) -> Message | None:
    """What a file is that may hold logs and is not unpacked; None for all others."""
    if head.startswith(b"PK\x03\x04") and head[30:80].startswith(_OFFICE):
        return message("kind.office")
    return next((message(id_) for magic, id_ in _HOLDERS if head.startswith(magic)), None)


def _not_unpacked(label: str, what: Message) -> Facts:
    return Facts(
        message("error.source.no-logs", name=label, kind=what),
        where=at(label),
        advice=message("error.source.locked.way-out"),
    )


def _inner(inside: str, content: Content, place: _Place) -> Iterator[Member]:
    label = inside + content.name
    if content.stream is None:
        place.budget.total.member()
        yield Member(label, None, fault=content.fault)
    else:
        yield from _unfold(label, content.stream, content.mtime_ns, place)
