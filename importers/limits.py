"""How much is read of what comes from outside, and the two ways in which reading ends early."""

import errno
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Final

import zstandard

from core.errors import SourceError, because
from core.message import Message, message
from core.system_errors import reason

MOST_MEMBERS: Final = 200_000
MOST_MEMBER_BYTES: Final = 16 * 1024**3
"""Of one log, which is read in pieces."""
MOST_HELD_BYTES: Final = 2 * 1024**3
"""Of one file that must be in memory as a whole: a segment, a zip inside another archive."""
MOST_LINE_BYTES: Final = 1 << 20
"""Of one message: a line can name ten thousand partitions, and the longest of recordings has 6 kB. What is
longer is counted as malformed."""
MOST_BATCH_BYTES: Final = 64 * 1024**2
"""Of one batch of a segment: message.max.bytes is 1 MB by default, and few raise it beyond some ten."""
MOST_BATCHES: Final = 5_000_000
"""Of one segment, which may have 1 GiB by default: batches of 200 bytes."""
MOST_SMALL_BYTES: Final = 64 * 1024**2
"""Of a checkpoint or settings: a million partitions, each with a line."""
MOST_TEXT_BYTES: Final = 512 * 1024**2
"""Of what a tool printed, which is in memory as a whole."""
MOST_TOTAL_BYTES: Final = 64 * 1024**3
"""Of one source, unpacked."""
MOST_EXPANSION: Final = 2_000
"""Unpacked to packed; logs reach about 100, sparse files some 1,000."""
EXPANSION_FLOOR: Final = 256 * 1024**2
"""Below this many unpacked bytes the ratio is not looked at."""
MOST_NESTING: Final = 6
"""Archives and compressions, one inside the other."""
MOST_PARTITIONS: Final = 2_000_000
"""A large cluster has some hundred thousand; more than that are names made of damage."""
DAMAGE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
    zstandard.ZstdError,
    struct.error,
    EOFError,
    OSError,
    # What Python's readers raise for methods and headers that make no sense.
    LookupError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What a damaged container raises while it is read; gzip and bz2 raise OSError."""


class DamagedError(SourceError):
    """What is read is damaged, or not what it says. In a folder it costs only itself."""


class Budget:
    """How much of the limits one named file, or one file of a folder, has used."""

    def __init__(self, where: str, file: IO[bytes], packed: int, total: "Total") -> None:
        """Count for a file of `packed` bytes on disk."""
        self.where, self.packed, self.bytes, self.total = where, packed, 0, total
        self._file = file

    @property
    def done(self) -> int:
        """How many bytes on disk are behind, of the whole source."""
        return self.total.done + min(self._file.tell(), self.packed)

    def is_whole(self, file: IO[bytes]) -> bool:
        """Whether `file` is the one on disk itself, and not something inside it."""
        return file is self._file

    def take(self, count: int) -> None:
        """Count unpacked bytes. Raises DamagedError beyond the limits."""
        self.bytes += count
        self.total.bytes += count
        if self.total.is_over():
            raise too_much(
                self.where, message("error.source.unpacked-size", size=MOST_TOTAL_BYTES // 1024**3)
            )
        if self.bytes > EXPANSION_FLOOR and self.bytes > MOST_EXPANSION * max(self.packed, 1):
            raise too_much(self.where, message("error.source.expansion", times=MOST_EXPANSION))


class Recounted(Budget):
    """Of what another process counts against the limits: here only `took` is told of each number of bytes."""

    def __init__(self, where: str, file: IO[bytes], packed: int, took: Callable[[int], None]) -> None:
        """Count nothing of a file of `packed` bytes on disk."""
        super().__init__(where, file, packed, Total(where))
        self._took = took

    def take(self, count: int) -> None:
        """Tell of unpacked bytes."""
        self._took(count)


class Total:
    """What a whole source has used."""

    def __init__(self, where: str) -> None:
        """Nothing yet. `settle` counts what others have read in truth, as soon as that may decide."""
        self.where, self.members, self.bytes, self.done = where, 0, 0, 0
        self.settle: Callable[[], None] | None = None

    def is_over(self) -> bool:
        """Whether more was read than is read of a source."""
        if self.bytes > MOST_TOTAL_BYTES and self.settle is not None:
            self.settle()
        return self.bytes > MOST_TOTAL_BYTES

    def member(self) -> None:
        """Count a file. Raises SourceError beyond the limit: there is no end to it."""
        self.members += 1
        if self.members > MOST_MEMBERS:
            raise SourceError(
                message("error.source.too-large"),
                why=message("error.source.many-members", count=MOST_MEMBERS),
                where=self.where,
                advice=message("error.source.too-many-files.way-out"),
            )


@dataclass(frozen=True, slots=True)
class Lent:
    """A file that lies on the disk as it is, and that another process reads.

    Its `size` is counted as if all of it had been read. `done`: how many bytes on disk are behind when it is,
    of the whole source.
    """

    path: str
    size: int
    done: int
    total: Total

    def came_back(self, taken: int) -> None:
        """Count what was read of it in truth: of holes nothing is, and a file may have grown."""
        self.total.bytes += taken - self.size


class Stream:
    """The bytes of one member, read once from the front, counted against the limits.

    `read` raises DamagedError for a container that is damaged at that place, and for one beyond the limits.
    """

    def __init__(self, source: IO[bytes], budget: Budget, where: str) -> None:
        """Read from `source`; `where` is told in errors."""
        self._source, self._budget, self.where = source, budget, where
        self._head = b""
        self._fault: DamagedError | None = None
        self.taken = 0
        self.last = b""

    def peek(self, count: int) -> bytes:
        """The first bytes, without taking them. Of damage behind some `read` tells after them."""
        while len(self._head) < count:
            try:
                more = self._more(count - len(self._head))
            except DamagedError as error:
                if not self._head:
                    raise
                self._fault = error
                break
            if not more:
                break
            self._head += more
        return self._head[:count]

    def read(self, count: int = -1) -> bytes:
        """At most `count` bytes, all that is left for −1, b"" at the end."""
        if count < 0:
            return self.held(MOST_HELD_BYTES)
        if self._head:
            piece, self._head = self._head[:count], self._head[count:]
        else:
            piece = self._more(count)
        if piece:
            self.last = (self.last + piece[-_TAIL:])[-_TAIL:]
        return piece

    def end(self, count: int, most: int) -> tuple[int, bytes] | None:
        """The last bytes, at most `count`, and the byte at which they begin. Nothing can be read after them.

        A file that lies on the disk as it is need not be read for it; anything else is read to its end, and
        the answer is None where that is more than `most` bytes. Raises DamagedError.
        """
        if self.on_disk:
            begin = max(0, self._budget.packed - count)
            try:
                self._source.seek(begin)
            except DAMAGE as error:
                raise damaged(self.where, error) from error
            self._head = b""
            return begin, self._more(count)
        held = b""
        while piece := self.read(_PIECE):
            held = (held + piece)[-count:]
            if self.taken > most:
                return None
        return self.taken - len(held), held

    @property
    def done(self) -> int:
        """How many bytes on disk are behind, of the whole source."""
        return self._budget.done

    @property
    def on_disk(self) -> bool:
        """Whether it is a file on the disk as it is, and not something inside it."""
        return self._budget.is_whole(self._source)

    def lend(self) -> Lent | None:
        """Let another process read the file, which is `on_disk`, from its beginning, and nobody here.

        None where it would be more than is read of a source.
        """
        size, total = self._budget.packed, self._budget.total
        total.bytes += size - self.taken
        if total.is_over():
            total.bytes -= size - self.taken
            return None
        return Lent(self.where, size, total.done + size, total)

    def skip_gap(self) -> int:
        """Pass over a hole that begins here, and tell how many zeros it stands for; 0 where there is none.

        Only a file that lies on the disk as it is has holes, where the file system tells of them (Linux:
        SEEK_DATA of lseek(2)). They cost no reading and count only against what one file may have.
        """
        if self._head or not self.on_disk or not hasattr(os, "SEEK_DATA"):
            return 0
        try:
            here = self._source.tell()
            data = _next_data(self._source.fileno(), here)
            self._source.seek(data)
        except DAMAGE as error:
            raise damaged(self.where, error) from error
        self.taken += data - here
        if self.taken > MOST_MEMBER_BYTES:
            raise too_much(self.where, message("error.source.member-size", size=MOST_MEMBER_BYTES // 1024**3))
        return data - here

    def held(self, most: int) -> bytes:
        """All that is left, where it is not more than `most` bytes. Raises DamagedError."""
        pieces: list[bytes] = []
        held = 0
        while piece := self.read(_PIECE):
            pieces.append(piece)
            held += len(piece)
            if held > most:
                raise too_much(self.where, message("error.source.held-size", size=most // 1024**2))
        return b"".join(pieces)

    def drain(self) -> None:
        """Read to the end and keep nothing."""
        while self.read(_PIECE):
            pass

    def _more(self, count: int) -> bytes:
        if self._fault is not None:
            raise self._fault
        try:
            # None: a file of the system that would be waited for, as /proc/kmsg (open_file does not wait).
            piece = self._source.read(count) or b""
        except DAMAGE as error:
            raise damaged(self.where, error) from error
        self.taken += len(piece)
        self._budget.take(len(piece))
        if self.taken > MOST_MEMBER_BYTES:
            raise too_much(self.where, message("error.source.member-size", size=MOST_MEMBER_BYTES // 1024**3))
        return piece


_PIECE: Final = 1 << 20
_TAIL: Final = 512
"""A tar ends with blocks of zeros of this size."""


def _next_data(descriptor: int, here: int) -> int:
    """Where the next bytes of a file are that are no hole; its end where there are none.

    The place of the descriptor stays what it is: whoever buffers it does not know that it was moved.
    """
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        return os.lseek(descriptor, here, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return max(here, os.fstat(descriptor).st_size)
        if error.errno == errno.EINVAL:
            # A file system that does not tell of holes.
            return here
        raise
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def too_much(where: str, why: Message) -> DamagedError:
    """Why a source is not read to its end."""
    return DamagedError(
        message("error.source.too-large"),
        why=why,
        where=where,
        advice=message("error.source.too-large.way-out"),
    )


def damaged(where: str, error: Exception) -> DamagedError:
    """What is told of an error of a container's reader; an error that says it already is kept.

    What the system refuses, as a disk with bad sectors does, is no damage of an archive.
    """
    if isinstance(error, DamagedError):
        return error
    if isinstance(error, OSError) and error.errno is not None:
        return DamagedError(message("error.source.file-cannot-read"), why=reason(error), where=where)
    return DamagedError(
        message("error.source.damaged"),
        why=because(str(error) or type(error).__name__),
        where=where,
        advice=message("error.source.damaged.way-out"),
    )
