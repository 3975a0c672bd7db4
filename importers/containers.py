"""What a person names (folders, files, archives in archives) as one stream of members. Nothing is written."""

import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast

from core.errors import SourceError
from core.work import QUIET, Work

MOST_MEMBERS: Final = 200_000
MOST_MEMBER_BYTES: Final = 2 * 1024**3
MOST_TOTAL_BYTES: Final = 16 * 1024**3
"""Of one source, unpacked."""
MOST_EXPANSION: Final = 2_000
"""Unpacked to packed; logs reach about 100, sparse files some 1,000."""
EXPANSION_FLOOR: Final = 256 * 1024**2
"""Below this many unpacked bytes the ratio is not looked at."""
MOST_NESTING: Final = 4
SKIPPED_SUFFIXES: Final = (
    ".index",
    ".timeindex",
    ".txnindex",
    ".snapshot",
    ".deleted",
    ".cleaned",
    ".swap",
    ".lock",
)
"""Read by nobody: indexes are derived from the segments, and sparse."""
_CHUNK: Final = 1 << 20
_BLOCK: Final = 512
"""A tar ends with two blocks of zeros."""
_MAGIC: Final = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file as it lies in the source. `path` is a label only: it is never opened or written.

    `mtime_ns` is None where the container states none that can be trusted (zip has no zone, a bare .gz has
    none). `data` is empty for a member that nobody reads (`SKIPPED_SUFFIXES`).
    """

    path: str
    data: bytes
    mtime_ns: int | None
    skipped: bool = False

    def sha256(self) -> str:
        """The digest of the content, as hex."""
        return hashlib.sha256(self.data).hexdigest()


class _Budget:
    """How much of the limits one source has used."""

    def __init__(self, where: str, packed: int) -> None:
        self.where, self.packed, self.members, self.bytes = where, packed, 0, 0

    def member(self) -> None:
        self.members += 1
        if self.members > MOST_MEMBERS:
            raise _too_much(self.where, f"it holds more than {MOST_MEMBERS:,} files")

    def take(self, count: int) -> None:
        self.bytes += count
        if self.bytes > MOST_TOTAL_BYTES:
            raise _too_much(self.where, f"unpacked it is larger than {MOST_TOTAL_BYTES // 1024**3} GiB")
        if self.bytes > EXPANSION_FLOOR and self.bytes > MOST_EXPANSION * max(self.packed, 1):
            raise _too_much(self.where, f"it unpacks to more than {MOST_EXPANSION:,} times its size")


def _too_much(where: str, why: str) -> SourceError:
    return SourceError(
        "The source is too large to be what it says",
        why=why,
        where=where,
        advice="Unpack it and name the folder of the broker's logs",
    )


def _damaged(where: str, error: Exception) -> SourceError:
    return SourceError(
        "The archive is damaged or incomplete",
        why=str(error) or type(error).__name__,
        where=where,
        advice="Copy or download it again, or unpack what can be saved and name that folder",
    )


def members(paths: Sequence[str | Path], work: Work = QUIET) -> Iterator[Member]:
    """Every file of the named sources, sorted by path in a folder, in the archive's order in an archive.

    Paths are relative to what was named; where several sources are named, each path begins with the name of
    its source. Raises SourceError for a source that is missing, unreadable, damaged, empty or beyond the
    limits.
    """
    for number, named in enumerate(paths):
        path = Path(named)
        work.step(number, len(paths), f"reading {path.name}")
        several = len(paths) > 1
        if path.is_dir():
            yield from _folder(path, f"{path.name}/" if several else "", work)
        elif path.is_file():
            yield from _file(path, several, work)
        else:
            raise SourceError(
                "There is nothing to open",
                where=str(path),
                advice="Check the name, and that the drive is connected",
            )


def _folder(folder: Path, prefix: str, work: Work) -> Iterator[Member]:
    try:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    except OSError as error:
        raise SourceError("The folder cannot be read", why=str(error), where=str(folder)) from error
    if not files:
        raise SourceError(
            "The folder is empty",
            where=str(folder),
            advice="Name the folder that holds the brokers' logs, or an archive of it",
        )
    budget = _Budget(str(folder), MOST_TOTAL_BYTES)
    for number, path in enumerate(files):
        work.step(number, len(files), path.name)
        label = prefix + path.relative_to(folder).as_posix()
        if label.endswith(SKIPPED_SUFFIXES):
            budget.member()
            yield Member(label, b"", None, skipped=True)
            continue
        data, mtime = _read_file(path)
        yield from _unfold(label, data, mtime, budget, 0)


def _file(path: Path, several: bool, work: Work) -> Iterator[Member]:  # noqa: FBT001 - private, and named where it is called
    data, mtime = _read_file(path)
    work.step(0, 0, path.name)
    label = path.name
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise SourceError(
                f"{path.name} is {what}, not a broker's logs",
                where=str(path),
                advice="Name a folder, a log file, or a .tar, .tar.gz, .tar.xz, .gz or .zip of logs",
            )
    budget = _Budget(str(path), len(data))
    yield from _unfold(label, data, mtime, budget, 0, outer=not several)


def _read_file(path: Path) -> tuple[bytes, int]:
    try:
        size = path.stat().st_size
        if size > MOST_MEMBER_BYTES:
            raise _too_much(str(path), f"one file is larger than {MOST_MEMBER_BYTES // 1024**3} GiB")
        return path.read_bytes(), path.stat().st_mtime_ns
    except OSError as error:
        raise SourceError(
            "The file cannot be read", why=error.strerror or str(error), where=str(path)
        ) from error


def _unfold(
    label: str, data: bytes, mtime: int | None, budget: _Budget, depth: int, *, outer: bool = False
) -> Iterator[Member]:
    """A file as itself, or what it contains. `outer`: the container was named, so paths begin inside it."""
    opened = _container(label, data)
    if opened is None:
        budget.member()
        yield Member(label, data, mtime)
        return
    if depth >= MOST_NESTING:
        raise _too_much(budget.where, f"archives lie inside archives, more than {MOST_NESTING} deep: {label}")
    # A compressed single file has no name of its own inside, so it keeps the one outside.
    inside = "" if outer else f"{label}!/"
    try:
        if opened is _single:
            yield from _unfold(
                label, next(opened(data, budget))[1] or b"", mtime, budget, depth + 1, outer=outer
            )
            return
        for name, content, stamp in opened(data, budget):
            yield from _inner(inside + name, content, stamp, budget, depth)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        lzma.LZMAError,
        zlib.error,
        EOFError,
        gzip.BadGzipFile,
    ) as error:
        raise _damaged(budget.where if outer else f"{budget.where}: {label}", error) from error


def _inner(
    label: str, content: bytes | None, mtime: int | None, budget: _Budget, depth: int
) -> Iterator[Member]:
    if content is None:
        budget.member()
        yield Member(label, b"", None, skipped=True)
    else:
        yield from _unfold(label, content, mtime, budget, depth + 1)


Content = tuple[str, bytes | None, int | None]
Opener = Callable[[bytes, _Budget], Iterator[Content]]


def _container(label: str, data: bytes) -> Opener | None:
    """How to open a container, judged by name and first bytes, or None for a plain file."""
    name = label.lower()
    if data.startswith(b"PK\x03\x04") or name.endswith(".zip"):
        return _zip
    if name.endswith((".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2")) or data[257:262] == b"ustar":
        return _tar
    if data.startswith((b"\x1f\x8b", b"\xfd7zXZ\0")):
        return _single
    return None


def _tar(data: bytes, budget: _Budget) -> Iterator[Content]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|*") as archive:
        for info in archive:
            if not info.isfile():
                continue
            name = _label(info.name)
            if name.endswith(SKIPPED_SUFFIXES):
                budget.take(0)
                yield name, None, None
                continue
            _check_size(info.size, budget, name)
            stream = archive.extractfile(info)
            if stream is not None:
                yield name, _drain(stream, budget), round(info.mtime * 1_000_000_000)
    # Cut exactly between two files it reads like a whole one; a compressed one would not have come so far.
    if data[257:262] == b"ustar" and data[-_BLOCK:].strip(b"\0"):
        raise EOFError("the end of the archive is missing")


def _zip(data: bytes, budget: _Budget) -> Iterator[Content]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = _label(info.filename)
            if name.endswith(SKIPPED_SUFFIXES):
                yield name, None, None
                continue
            _check_size(info.file_size, budget, name)
            if info.flag_bits & 1:
                raise SourceError(
                    "The archive is locked with a password",
                    where=budget.where,
                    advice="Unpack it and name the folder",
                )
            with archive.open(info) as stream:
                yield name, _drain(stream, budget), None


def _single(data: bytes, budget: _Budget) -> Iterator[Content]:
    """A bare .gz or .xz: one member without a name of its own. A tar inside shows itself by its bytes."""
    opener = gzip.open if data.startswith(b"\x1f\x8b") else lzma.open
    with cast("IO[bytes]", opener(io.BytesIO(data))) as stream:
        yield "content", _drain(stream, budget), None


def _check_size(size: int, budget: _Budget, name: str) -> None:
    if size > MOST_MEMBER_BYTES:
        raise _too_much(budget.where, f"{name} alone is larger than {MOST_MEMBER_BYTES // 1024**3} GiB")


def _drain(stream: IO[bytes], budget: _Budget) -> bytes:
    """All of a stream, in pieces, so that a limit stops it early."""
    parts: list[bytes] = []
    taken = 0
    while part := stream.read(_CHUNK):
        parts.append(part)
        taken += len(part)
        budget.take(len(part))
        if taken > MOST_MEMBER_BYTES:
            raise _too_much(budget.where, f"one file is larger than {MOST_MEMBER_BYTES // 1024**3} GiB")
    return b"".join(parts)


def _label(name: str) -> str:
    """A member's name as a label: no root, no drive, no way up. It is shown and compared, never opened."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"
