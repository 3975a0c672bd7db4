"""Archives, compressed files and tables as streams of what they contain. Nothing is written."""

import bz2
import io
import lzma
import math
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, Any, Final, Protocol, cast

import zstandard

from core.errors import Facts, SourceError, at
from core.message import message
from core.trace.units import SECOND_NS
from importers.containers.exports import exported, is_export
from importers.containers.line_tables import is_parquet, line_table, tellers_in
from importers.containers.torn_zip import files_before_the_end
from importers.containers.wide_text import WideText, wide_encoding
from importers.containers.worn_text import WornText, is_worn
from importers.containers.wrapped_text import UnwrappedText, wrap_of
from importers.limits import DAMAGE, Budget, Stream, damaged

SKIPPED_SUFFIXES: Final = (
    ".index",
    ".timeindex",
    ".txnindex",
    ".snapshot",
    ".deleted",
    ".cleaned",
    ".swap",
    ".lock",
    ".jar",
)
"""Read by nobody: indexes are derived from the segments, and sparse."""
_DELETED_METADATA: Final = re.compile(
    r"(?:.*/)?__cluster_metadata-0/\d{20}(?:-\d{10}\.checkpoint|\.log)\.deleted"
)
"""The head of the metadata log, for the minute in which its files are still there."""
_PIECE: Final = 1 << 16
_SIP: Final = 1 << 10
_MOST_WINDOW: Final = 1 << 27
"""Of Zstandard: what `zstd --long` makes."""
_MOST_DICTIONARY: Final = 256 * 1024**2
"""Memory for xz; `xz -9` needs a quarter of it."""


def is_skipped(path: str) -> bool:
    """Whether nobody reads a file of this name."""
    return path.endswith(SKIPPED_SUFFIXES) and not _DELETED_METADATA.fullmatch(path)


@dataclass(frozen=True, slots=True)
class Content:
    """One thing in an archive: a stream to be read before the next one is asked for, or why it has none.

    `name` is a label without root, drive or way up; it is shown and compared, never opened.
    """

    name: str
    stream: Stream | None
    mtime_ns: int | None = None
    fault: Facts | None = None


Opener = Callable[[Stream, Budget, IO[bytes] | None], Iterator[Content]]


def archive_in(name: str, head: bytes) -> Opener | None:
    """How to open an archive, judged by name and first bytes; None for what is none.

    An opener takes the stream, the limits and, where the archive is a file, that file, which can be sought.
    It raises what `importers.limits.DAMAGE` names.
    """
    name = name.lower()
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or name.endswith(".zip"):
        return _zip
    if head[257:262] == b"ustar" or name.endswith(".tar"):
        return _tar
    if is_parquet(head):
        return _parquet
    return _table if is_export(head) else None


def unpacked(head: bytes, stream: Stream) -> IO[bytes] | None:
    """What a compressed file, UTF-16, worn or wrapped text holds, by its first bytes; None for all others."""
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", _InParts(stream, _Gzip))
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return cast("IO[bytes]", _InParts(stream, _Zstd))
    if head.startswith(b"\xfd7zXZ\0"):
        return cast("IO[bytes]", _InParts(stream, lambda: lzma.LZMADecompressor(memlimit=_MOST_DICTIONARY)))
    if head.startswith(b"\x5d\0\0") and head[13:14] == b"\0":
        return cast("IO[bytes]", _InParts(stream, _lzma_alone))
    if head[:3] == b"BZh" and head[4:10] == b"1AY&SY":
        return cast("IO[bytes]", _InParts(stream, bz2.BZ2Decompressor))
    encoding = wide_encoding(head)
    if encoding is not None:
        return cast("IO[bytes]", WideText(stream, encoding))
    if is_worn(head):
        return cast("IO[bytes]", WornText(stream, head))
    wrap = wrap_of(head)
    return None if wrap is None else cast("IO[bytes]", UnwrappedText(stream, wrap))


def _lzma_alone() -> lzma.LZMADecompressor:
    """For .lzma, which is older than .xz: properties, the size, and the first byte of its range coder, 0."""
    return lzma.LZMADecompressor(format=lzma.FORMAT_ALONE, memlimit=_MOST_DICTIONARY)


class _Decompressor(Protocol):
    """What lzma and bz2 have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes: ...


class _InParts:
    """A compressed stream, in the sizes asked for, with a limit to the decompressor's own memory."""

    def __init__(self, stream: Stream, make: Callable[[], _Decompressor]) -> None:
        self._stream, self._make, self._now = stream, make, make()

    def read(self, count: int) -> bytes:
        """At most `count` bytes. Raises EOFError where the end is missing."""
        while True:
            if self._now.eof:
                # Files may be joined, and xz pads between them with zeros.
                rest = self._now.unused_data.lstrip(b"\0")
                while not rest:
                    rest = self._stream.read(_PIECE)
                    if not rest:
                        return b""
                    rest = rest.lstrip(b"\0")
                self._now = self._make()
                piece = self._now.decompress(rest, count)
            else:
                more = self._stream.read(_PIECE) if self._now.needs_input else b""
                if not more and self._now.needs_input:
                    raise EOFError("the compressed file ends before its end")
                piece = self._now.decompress(more, count)
            if piece:
                return piece


class _Gzip:
    """One member of a gzip file with the manners of lzma: what comes before a torn end is read."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._more_waits = False

    @property
    def eof(self) -> bool:
        """Whether the member has ended, and its checksum is right."""
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        """What follows the member."""
        return self._member.unused_data

    @property
    def needs_input(self) -> bool:
        """Whether all that came in has gone through."""
        return not self._member.unconsumed_tail and not self._more_waits

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """The next part."""
        piece = self._member.decompress(self._member.unconsumed_tail + data, max(max_length, 0))
        self._more_waits = len(piece) == max_length and not self._member.eof
        return piece


class _Zstd:
    """One frame of Zstandard with the manners of lzma: little goes in at a time, so little comes out."""

    def __init__(self) -> None:
        self._frame = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW).decompressobj()
        self._waiting = b""

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""
        return self._frame.eof

    @property
    def unused_data(self) -> bytes:
        """What follows the frame."""
        return self._frame.unused_data + self._waiting

    @property
    def needs_input(self) -> bool:
        """Whether all that came in has gone through."""
        return not self._waiting

    def decompress(self, data: bytes, _max_length: int = -1, /) -> bytes:
        """The next part. A block of four bytes may stand for 128 KiB."""
        self._waiting += data
        piece, self._waiting = self._waiting[:_SIP], self._waiting[_SIP:]
        return self._frame.decompress(piece)


def _tar(stream: Stream, budget: Budget, _file: IO[bytes] | None) -> Iterator[Content]:
    with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|") as archive:
        for info in archive:
            if not info.isfile():
                continue
            name = label(info.name)
            inner = None if is_skipped(name) else archive.extractfile(info)
            if inner is None:
                yield Content(name, None)
                continue
            yield Content(name, Stream(inner, budget, budget.where), _nanos(info.mtime))
    stream.drain()
    # Cut exactly between two files it reads like a whole one.
    if stream.last.strip(b"\0") or not stream.last:
        raise EOFError("the end of the archive is missing")


def _nanos(mtime: float) -> int | None:
    """A time that a header may give as anything."""
    return round(mtime * SECOND_NS) if math.isfinite(mtime) and abs(mtime) < 1 << 33 else None


def _zip(stream: Stream, budget: Budget, file: IO[bytes] | None) -> Iterator[Content]:
    # A zip has its table of contents at the end; inside another archive it must be held.
    held = io.BytesIO(stream.read()) if file is None else file
    try:
        whole = zipfile.ZipFile(held)
    except zipfile.BadZipFile as error:
        yield from _torn_zip(held, budget, error)
        return
    with whole as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = label(info.filename)
            if is_skipped(name):
                yield Content(name, None)
                continue
            try:
                opened = None if info.flag_bits & 1 else archive.open(info)
            except DAMAGE as error:
                yield Content(name, None, fault=damaged(f"{budget.where}: {name}", error).facts)
                continue
            if opened is None:
                yield Content(name, None, fault=_locked(budget.where).facts)
                continue
            with opened:
                yield Content(name, Stream(opened, budget, f"{budget.where}: {name}"))


def _torn_zip(held: IO[bytes], budget: Budget, error: zipfile.BadZipFile) -> Iterator[Content]:
    """The files before the end that is missing, and that it is; the error itself where there are none."""
    size = held.seek(0, io.SEEK_END)
    found = False
    for name, content in files_before_the_end(held, size):
        found = True
        inner = label(name)
        told = Stream(io.BytesIO(content), budget, f"{budget.where}: {inner}")
        yield Content(inner, None if is_skipped(inner) else told)
    if not found:
        raise error
    yield Content(PurePath(budget.where).name, None, fault=damaged(budget.where, error).facts)


def _table(stream: Stream, budget: Budget, _file: IO[bytes] | None) -> Iterator[Content]:
    for name, content in exported(stream, budget):
        if isinstance(content, Stream):
            yield Content(label(name), content)
        else:
            yield Content(label(name), None, fault=content)


def _parquet(stream: Stream, budget: Budget, _file: IO[bytes] | None) -> Iterator[Content]:
    """A table of lines. It is held as a whole: what its columns are stands at its end."""
    table = line_table(io.BytesIO(stream.read()))
    if table is None:
        yield Content("", None, fault=Facts(message("error.source.no-line-table"), where=at(budget.where)))
        return
    yield from tellers(table, budget)


def tellers(table: Any, budget: Budget) -> Iterator[Content]:  # noqa: ANN401 - of pyarrow
    """The log of each teller of a table of lines."""
    for name, content in tellers_in(table):
        yield Content(label(name), Stream(io.BytesIO(content), budget, f"{budget.where}: {name}"))


def _locked(where: str) -> SourceError:
    return SourceError(
        message("error.source.locked"), where=where, advice=message("error.source.locked.way-out")
    )


def label(name: str) -> str:
    """A member's name as a label: no root, no drive, no way up."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"
