"""From what a person names to work for Spark: byte ranges of files, packed into tasks.

A record belongs to the range in which its first byte lies, so a file may be cut anywhere.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import fs

from core.errors import SourceError
from core.work import Work
from importers.containers import MOST_MEMBERS, SKIPPED_SUFFIXES
from importers.layout import Layout
from importers.records import next_record

RANGE_BYTES: Final = 64 * 1024 * 1024
LOCAL_ROOT: Final = "file:///"
_WHOLE = re.compile(r".*\.(gz|tgz|xz|txz|bz2|tar|zip)|(.*/)?\d{20}\.log", re.IGNORECASE)
"""Files that cannot be read from the middle: containers, and the segments of a data directory."""
_AHEAD: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class File:
    """A file as a worker finds it: `path` within the file system of `root` (a URI).

    `label` is its path in the source, as importers/containers.py makes it. `alone` says that it was named
    itself and nothing else was: then what it contains is labelled from inside.
    """

    label: str
    root: str
    path: str
    size: int
    mtime_ns: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes [start, end) of the file with this index."""

    file: int
    start: int
    end: int


def list_files(sources: Sequence[str | Path], work: Work) -> tuple[File, ...]:
    """Every file of the sources in the importers' order: sources as named, folders sorted by path.

    A source is a path or a URI that pyarrow knows (file:, s3:, gs:, hdfs:). Raises SourceError for one that
    is missing, unreadable, empty or has too many files.
    """
    files: list[File] = []
    for source in sources:
        work.step(len(files), 0, f"listing {source}")
        try:
            files += (
                _remote(str(source), len(sources))
                if "://" in str(source)
                else _local(Path(source), len(sources))
            )
        except (OSError, pa.ArrowException) as error:
            raise SourceError("The source cannot be read", why=str(error), where=str(source)) from error
        if len(files) > MOST_MEMBERS:
            raise SourceError(f"The source holds more than {MOST_MEMBERS:,} files", where=str(source))
    return tuple(files)


def _local(path: Path, sources: int) -> Iterator[File]:
    """The files of a source on this machine, or where every worker has it under the same path."""
    if path.is_file():
        found = [path]
    elif path.is_dir():
        found = sorted(inner for inner in path.rglob("*") if inner.is_file())
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
        raise _nothing(uri)
    is_folder = info.type == fs.FileType.Directory
    listed = system.get_file_info(fs.FileSelector(base, recursive=True)) if is_folder else [info]
    found = sorted((item for item in listed if item.is_file), key=lambda item: item.path.split("/"))
    for item in found:
        inner = item.path.removeprefix(base).lstrip("/")
        yield _file(info.base_name, inner, sources, File("", uri, item.path, item.size, item.mtime_ns or 0))
    if not found:
        raise _empty(uri)


def _file(name: str, inner: str, sources: int, bare: File) -> File:
    """A file with its label: relative to what was named, after its name where several were named."""
    if not inner:
        return File(name, bare.root, bare.path, bare.size, bare.mtime_ns, alone=sources == 1)
    label = f"{name}/{inner}" if sources > 1 else inner
    return File(label, bare.root, bare.path, bare.size, bare.mtime_ns)


def _nothing(where: str) -> SourceError:
    return SourceError(
        "There is nothing to open", where=where, advice="Check the name, and that the drive is there"
    )


def _empty(where: str) -> SourceError:
    return SourceError(
        "The folder is empty", where=where, advice="Name the folder that holds the brokers' logs"
    )


def cut(files: Sequence[File], range_bytes: int) -> Iterator[Range]:
    """Ranges that cover every file, in order; a file that can only be read whole is one."""
    for index, file in enumerate(files):
        if file.size <= range_bytes or _WHOLE.fullmatch(file.label) or file.label.endswith(SKIPPED_SUFFIXES):
            yield Range(index, 0, file.size)
            continue
        for start in range(0, file.size, range_bytes):
            yield Range(index, start, min(start + range_bytes, file.size))


def pack(ranges: Iterable[Range], task_bytes: int) -> tuple[tuple[Range, ...], ...]:
    """Neighbouring ranges together until a task has enough to do."""
    tasks: list[tuple[Range, ...]] = []
    task: list[Range] = []
    held = 0
    for piece in ranges:
        task.append(piece)
        held += piece.end - piece.start
        if held >= task_bytes:
            tasks.append(tuple(task))
            task, held = [], 0
    return (*tasks, tuple(task)) if task else tuple(tasks)


def open_file(file: File) -> pa.NativeFile:
    """The file, opened for reading at any place."""
    system, _ = fs.FileSystem.from_uri(file.root)
    return system.open_input_file(file.path)


def own_records(opened: pa.NativeFile, piece: Range, layout: Layout) -> tuple[int, bytes]:
    """The bytes of the records that begin in a range, and the byte of the file at which they start.

    The range at 0 has the lines before the first record too. Reading goes on behind the range up to the next
    record, so that the last one is whole.
    """
    # One byte before tells whether the range begins at a line.
    base = max(0, piece.start - 1)
    opened.seek(base)
    data = bytes(opened.read(piece.end - base + _AHEAD))
    first = next_record(data, layout, piece.start - base)
    if base + first >= piece.end:
        return piece.start, b""
    while (stop := next_record(data, layout, piece.end - base)) == len(data):
        # Twice as far each time: a record of n bytes is searched at most twice over.
        more = bytes(opened.read(max(_AHEAD, len(data))))
        if not more:
            break
        data += more
    return base + first, data[first:stop]
