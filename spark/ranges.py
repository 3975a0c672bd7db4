"""From what a person names to work for Spark: byte ranges of files, packed into tasks.

A record belongs to the range in which its first byte lies, so a file may be cut anywhere.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import compress, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final

import pyarrow as pa
from pyarrow import fs

from core.errors import SourceError, because
from core.leftovers import scratch_folder
from core.message import message
from core.system_errors import reason
from core.work import Work
from importers.containers.archives import is_skipped
from importers.containers.containers import Member, files_in, members_of
from importers.limits import MOST_MEMBERS
from importers.lines.layout import Layout
from importers.lines.records import next_record
from importers.lines.speakers import Listener, may_be_shared
from importers.merge.files import Role, read_files
from importers.prepared.folder import is_uri, without_secrets

RANGE_BYTES: Final = 64 * 1024 * 1024
GROWING_BYTES: Final = 1024 * 1024
"""A smaller log that has grown is read whole: to find where it ended before would cost more."""
LOCAL_ROOT: Final = "file:///"
HEAD_BYTES: Final = 256 * 1024
"""The layout of a log is found from so many bytes."""
MARKED_BYTES: Final = 4 * 1024
"""Of so many bytes the digest tells files and ranges apart."""
_COPY: Final = 1 << 20
_AHEAD: Final = 64 * 1024
_READERS: Final = 16


@dataclass(frozen=True, slots=True)
class File:
    """A file as a worker finds it: `path` within the file system of `root` (a URI).

    `label` is its path in the source, as containers/containers.py makes it. `alone` says that it was named
    itself and nothing else was: then what it contains is labelled from inside. `head` is the SHA-256 of its
    first 4 KiB when it was listed, "" where they cannot be read. Bytes behind `size` came later and are not
    read.
    """

    label: str
    root: str
    path: str
    size: int
    mtime_ns: int
    alone: bool = False
    head: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes [start, end) of the file with this index.

    With a layout they are part of a log; without one the file is read whole, whatever it is or contains.
    """

    file: int
    start: int
    end: int
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Former:
    """How a log was cut when it was read before: ranges, the first from 0, that end at `ends`.

    `layout` is that of its lines; None where it was read whole. `grown`: it was shorter then.
    """

    layout: Layout | None = None
    ends: tuple[int, ...] = ()
    grown: bool = False


_NONE_BEFORE: Final[Mapping[int, Former]] = MappingProxyType({})


def list_files(sources: Sequence[str | Path], work: Work) -> tuple[File, ...]:
    """Every file of the sources in the importers' order: sources as named, folders sorted by path.

    A source is a path or a URI that pyarrow knows (file:, s3:, gs:, hdfs:). Raises SourceError for one that
    is missing, unreadable, empty or has too many files.
    """
    files: list[File] = []
    for source in sources:
        work.step(len(files), 0, message("progress.spark.listing", name=without_secrets(str(source))))
        try:
            files += (
                _remote(str(source), len(sources)) if is_uri(source) else _local(Path(source), len(sources))
            )
        except (OSError, pa.ArrowException) as error:
            raise SourceError(
                message("error.source.cannot-read"), why=because(error), where=without_secrets(str(source))
            ) from error
        if len(files) > MOST_MEMBERS:
            raise SourceError(
                message("error.process.many-files", count=MOST_MEMBERS), where=without_secrets(str(source))
            )
    with ThreadPoolExecutor(_READERS) as pool:
        return tuple(replace(one, head=head) for one, head in zip(files, pool.map(_mark, files), strict=True))


def _mark(file: File) -> str:
    """The digest of the first bytes; "" where there is no reading them, which the worker will tell."""
    try:
        return sha256(_head_of(file, MARKED_BYTES)).hexdigest()
    except OSError:
        return ""


def _local(path: Path, sources: int) -> Iterator[File]:
    """The files of a source on this machine, or where every worker has it under the same path."""
    if path.is_file():
        found = [path]
    elif path.is_dir():
        found = files_in(path)[0]
    else:
        raise _nothing(str(path))
    for file in found:
        inner = file.relative_to(path).as_posix() if path.is_dir() else ""
        stat = file.stat()
        place = file.absolute().as_posix()
        yield _file(path.name, inner, sources, File("", LOCAL_ROOT, place, stat.st_size, stat.st_mtime_ns))
    if not found:
        raise _empty(str(path))


def _remote(uri: str, sources: int) -> Iterator[File]:
    """The files of a source on a file system that pyarrow knows."""
    system, base = fs.FileSystem.from_uri(uri)
    info = system.get_file_info(base)
    if info.type == fs.FileType.NotFound:
        raise _nothing(without_secrets(uri))
    is_folder = info.type == fs.FileType.Directory
    listed = system.get_file_info(fs.FileSelector(base, recursive=True)) if is_folder else [info]
    found = sorted((item for item in listed if item.is_file), key=lambda item: item.path.split("/"))
    for item in found:
        inner = item.path.removeprefix(base).lstrip("/")
        yield _file(info.base_name, inner, sources, File("", uri, item.path, item.size, item.mtime_ns or 0))
    if not found:
        raise _empty(without_secrets(uri))


def _file(name: str, inner: str, sources: int, bare: File) -> File:
    """A file with its label: relative to what was named, after its name where several were named."""
    if not inner:
        return File(name, bare.root, bare.path, bare.size, bare.mtime_ns, alone=sources == 1)
    label = f"{name}/{inner}" if sources > 1 else inner
    return File(label, bare.root, bare.path, bare.size, bare.mtime_ns)


def unreadable(file: File, error: OSError) -> SourceError:
    """The one message for a file that was listed and cannot be read."""
    return SourceError(message("error.source.file-cannot-read"), why=reason(error), where=file.path)


def check_unchanged(file: File) -> None:
    """Raise SourceError where a file no longer is what was listed. One that has only grown still is.

    Raises OSError where it is gone.
    """
    if file.root == LOCAL_ROOT:
        stat = os.stat(file.path)  # noqa: PTH116 - many files, and a Path costs more than the call
        size, mtime_ns = stat.st_size, stat.st_mtime_ns
    else:
        info = file_system(file.root).get_file_info(file.path)
        size, mtime_ns = info.size or 0, info.mtime_ns or 0
    if (size, mtime_ns) != (file.size, file.mtime_ns) and (size <= file.size or _mark(file) != file.head):
        raise SourceError(
            message("error.process.changed"),
            why=message("error.process.changed.size", size=file.size, now=size)
            if size != file.size
            else message("error.process.changed.again"),
            where=file.path,
            advice=message("error.process.changed.way-out"),
        )


def _nothing(where: str) -> SourceError:
    return SourceError(
        message("error.source.nothing"), where=where, advice=message("error.source.nothing.drive")
    )


def _empty(where: str) -> SourceError:
    return SourceError(
        message("error.source.empty-folder"), where=where, advice=message("error.source.empty-folder.way-out")
    )


def cut(
    files: Sequence[File], range_bytes: int, before: Mapping[int, Former] = _NONE_BEFORE
) -> tuple[Range, ...]:
    """Ranges that cover every file, in order. Logs larger than `range_bytes` are cut, nothing else is.

    `before` says by index how logs were cut that were read before: so they are cut again, and what is new of
    one that has grown is cut where its last record begins, so that all before it stands when it grows again.
    The beginning of each larger file is read here, to find the layout of its lines once.
    """
    layouts = _layouts(
        files, [one for one in range(len(files)) if _is_cut(files, one, range_bytes, before)], before
    )
    ranges: list[Range] = []
    for index, file in enumerate(files):
        layout = layouts.get(index)
        if layout is None:
            ranges.append(Range(index, 0, file.size))
            continue
        edges = (0, *_ends(file, layout, range_bytes, before.get(index, Former())))
        ranges += [Range(index, start, end, layout) for start, end in pairwise(edges)]
    return tuple(ranges)


def _is_cut(files: Sequence[File], index: int, range_bytes: int, before: Mapping[int, Former]) -> bool:
    """Whether a file is cut, if it is a log."""
    former = before.get(index)
    if former is not None and former.ends:
        return True
    grown = former is not None and former.grown
    return files[index].size > (min(range_bytes, GROWING_BYTES) if grown else range_bytes)


def _layouts(
    files: Sequence[File], those: Sequence[int], before: Mapping[int, Former]
) -> Mapping[int, Layout | None]:
    """The layout of each of those files, None for what can only be read whole."""

    def head_of(index: int) -> bytes:
        try:
            return _head_of(files[index], HEAD_BYTES)
        except OSError:
            # Then it is read whole, and the worker tells why it cannot be.
            return b""

    layouts: dict[int, Layout | None] = {
        # All that a layout is found from has been read.
        one: before[one].layout
        for one in those
        if one in before and before[one].ends and before[one].ends[-1] >= HEAD_BYTES
    }
    anew = [one for one in those if one not in layouts]
    # The parser keeps what it learns of lines for all files, so only one thread may call it.
    with ThreadPoolExecutor(_READERS) as pool:
        for one, head in zip(anew, pool.map(head_of, anew), strict=True):
            layouts[one] = layout_of(files[one], head)
        named = [(one, own) for one, own in layouts.items() if own is not None and may_be_shared(own)]
        shared = pool.map(_is_shared, [files[one] for one, _ in named], [own for _, own in named])
        layouts |= dict.fromkeys(compress((one for one, _ in named), shared))
    return layouts


def _ends(file: File, layout: Layout, range_bytes: int, former: Former) -> Iterator[int]:
    """Where the ranges of a log end."""
    stand = former.ends if former.layout == layout else ()
    yield from stand
    start = stand[-1] if stand else 0
    if start == file.size:
        return
    edges = [*range(start + range_bytes, file.size, range_bytes)]
    yield from edges
    if former.grown:
        last = last_record(file, layout, max([start, *edges]))
        yield from () if last is None else (last,)
    yield file.size


def tail_before(file: File, end: int) -> bytes:
    """The last 64 KiB of a file before `end`, or all of it. Raises OSError."""
    with open_file(file) as opened:
        opened.seek(max(0, end - _AHEAD))
        return opened.read(min(end, _AHEAD))


def found_layout(file: File) -> Layout | None:
    """As `layout_of`, by the file's own beginning; None where it cannot be read."""
    try:
        return layout_of(file, _head_of(file, HEAD_BYTES))
    except OSError:
        return None


def last_record(file: File, layout: Layout, start: int) -> int | None:
    """Where the last record begins whose first line is whole; None where none is seen behind `start`.

    `start` is less than the size of the file.
    """
    try:
        data = tail_before(file, file.size)[-(file.size - start) :]
    except OSError:
        # The worker tells why it cannot be read.
        return None
    last = data.rfind(b"\n")
    heads = [one.start() for one in layout.pattern().finditer(data) if one.end() <= last]
    within = [one for one in heads if one > 0 and data[one - 1 : one] == b"\n"]
    return file.size - len(data) + within[-1] if within else None


def _head_of(file: File, size: int) -> bytes:
    with open_file(file) as opened:
        return opened.read(min(size, file.size))


def _is_shared(file: File, layout: Layout) -> bool:
    """Whether more than one speaks in a log: all of it is looked through, no range knows the others."""
    listener = Listener(layout)
    try:
        with open_file(file) as opened:
            while len(listener.labels) < 2:
                piece = opened.read(max(0, min(_COPY, file.size - opened.tell())))
                if not piece:
                    break
                listener.hear(piece)
    except OSError:
        # Then it is read whole, and the worker tells why it cannot be.
        return True
    listener.hear(b"", last=True)
    return len(listener.labels) > 1


def layout_of(file: File, head: bytes) -> Layout | None:
    """The layout of a plain log; None for what can only be read whole: a container, a segment, a checkpoint.

    The importers judge, by the name and the first bytes. Not for several threads at once.
    """
    try:
        found = [read for member in unpack(file, head) for read in read_files(member)]
    except SourceError:
        # The beginning of an archive, which lacks its end.
        return None
    # A compressed log keeps its name, so the bytes must be the same too.
    if len(found) != 1 or (found[0].path, found[0].sha256) != (file.label, sha256(head).hexdigest()):
        return None
    return found[0].layout if found[0].role is Role.LOG else None


def unpack(file: File, head: bytes | None = None) -> Iterator[Member]:
    """What a file is or contains, labelled as the importers do; with `head`, judged by these bytes alone.

    Raises SourceError where the importers do, told of the file, and OSError.
    """
    if is_skipped(file.label) and not file.alone:
        yield Member(file.label, None)
        return
    if head is None and file.root == LOCAL_ROOT and Path(file.path).stat().st_size == file.size:
        yield from members_of(Path(file.path), file.label, alone=file.alone)
        return
    with scratch_folder() as scratch:
        stand_in = scratch.path / "file"
        if head is None:
            _bring(file, stand_in)
        else:
            stand_in.write_bytes(head)
        try:
            yield from members_of(stand_in, file.label, alone=file.alone)
        except SourceError as error:
            facts = error.facts.changed(lambda text: text.replace(str(stand_in), file.path))
            raise SourceError.of(facts) from error


def _bring(file: File, target: Path) -> None:
    """Make a file readable at `target`: a copy of what was listed, with its time."""
    with open_file(file) as source, target.open("wb") as copy:
        while chunk := source.read(min(_COPY, file.size - copy.tell())):
            copy.write(chunk)
    os.utime(target, ns=(file.mtime_ns, file.mtime_ns))


def open_file(file: File) -> pa.NativeFile:
    """The file, opened for reading at any place."""
    return file_system(file.root).open_input_file(file.path)


@cache
def file_system(root: str) -> fs.FileSystem:
    """The file system of a URI, made once in a process: each one of S3 looks for credentials."""
    return fs.FileSystem.from_uri(root)[0]


def tail_of(file: File, piece: Range) -> str:
    """The SHA-256 of the last 4 KiB of a range, or of all of it. Raises OSError."""
    with open_file(file) as opened:
        start = max(piece.start, piece.end - MARKED_BYTES)
        opened.seek(start)
        return sha256(opened.read(piece.end - start)).hexdigest()


def is_closed(file: File, piece: Range, stop: int) -> bool:
    """Whether the records of a range stay what they are, whatever is written behind the file's end.

    `stop` is the byte behind the last of them, or the beginning of a range in which none begins.
    """
    return piece.end < file.size and (
        stop < file.size if stop > piece.start else piece.end + _AHEAD <= file.size
    )


def own_records(file: File, piece: Range, layout: Layout) -> tuple[int, bytes]:
    """The bytes of the records that begin in a range, and the byte of the file at which they start.

    The range at 0 has the lines before the first record too. Reading goes on behind the range up to the next
    record, so that the last one is whole.
    """
    with open_file(file) as opened:
        return cut_out(opened, piece, layout, file.size)


def cut_out(opened: IO[bytes], piece: Range, layout: Layout, size: int) -> tuple[int, bytes]:
    """The same of an opened file, of which `size` bytes count."""

    def read(most: int) -> bytes:
        return opened.read(max(0, min(most, size - opened.tell())))

    # One byte before tells whether the range begins at a line.
    base = max(0, piece.start - 1)
    opened.seek(base)
    data = read(piece.end - base + _AHEAD)
    first = next_record(data, layout, piece.start - base)
    if base + first >= piece.end:
        return piece.start, b""
    while (stop := next_record(data, layout, piece.end - base)) == len(data):
        # Twice as far each time: a record of n bytes is searched at most twice over.
        more = read(max(_AHEAD, len(data)))
        if not more:
            break
        data += more
    return base + first, data[first:stop]
