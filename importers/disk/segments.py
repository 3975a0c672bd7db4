"""Record batches in a segment file: headers only, never a record's content."""

import hashlib
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from core.trace.units import MILLISECOND_NS
from importers.disk.checksums import fast_crc32c
from importers.limits import MOST_BATCH_BYTES, MOST_BATCHES

PIECE: Final = 1 << 20
ZEROS_IN_DIGEST: Final = 1 << 24
"""Bytes of holes that count in a file's digest."""
_MOST_OFFSET: Final = (1 << 63) - 2
"""The offset after it is the largest number that fits into 64 bits."""
_OLD_HEAD: Final = struct.Struct(">qiIbb")
"""Message sets v0 and v1, to 0.10: offset, size, CRC of what follows it, magic, attributes."""
NEW_HEAD: Final = struct.Struct(">qiibIhiqqqhii")
"""Batch v2, since 0.11 (DefaultRecordBatch): base offset, length, partition leader epoch, magic, CRC,
attributes, last offset delta, base and maximal time stamp, producer id and epoch, base sequence, records."""
_MAGIC_AT: Final = 16
_LEAST_OLD: Final = 14
_LEAST_NEW: Final = 49
_COMPRESSION: Final = 0x07
_TRANSACTIONAL: Final = 0x10
_CONTROL: Final = 0x20
_KEY_LENGTH: Final = b"\x08"
"""4, as a varint has it."""
_MARKERS: Final = {b"\0\0": True, b"\0\1": False}
"""By the type of an end of transaction marker: whether it aborts."""


class Bytes(Protocol):
    """A file that is read once from the front, as importers/limits.py has it."""

    def read(self, count: int, /) -> bytes:
        """At most so many bytes, b"" at the end."""
        ...

    def skip_gap(self) -> int:
        """Pass over a hole that begins here, and tell how long it is; 0 where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, or one message of an old set: half-open offsets, place, and what its header says.

    `epoch` is None before v2, `stamp_ns` None in v0 and where the producer gave none. `crc` is over the
    content: without offsets and, in v2, without the leader epoch, so equal content has an equal CRC on every
    replica. None where only a text names the records of the batch: then it can be compared with no other.
    """

    position: int
    size: int
    first_offset: int
    end_offset: int
    epoch: int | None
    stamp_ns: int | None
    crc: int | None
    magic: int
    producer: tuple[int, int] | None = None
    """Producer id and epoch of a batch of a transaction, or of a marker."""
    marker: bool | None = None
    """Of a marker whether it aborts; None where it is a batch of records."""


@dataclass(frozen=True, slots=True)
class Segment:
    """All whole batches of one file. `torn` is the byte at which reading stopped before the end, if it did.

    Zeros to the end of a preallocated file are no torn tail; fewer than a header has may be the begin of one.
    """

    base_offset: int
    batches: tuple[Batch, ...]
    torn: int | None

    @property
    def end_offset(self) -> int:
        """The offset after the last whole batch; the base offset where there is none."""
        return self.batches[-1].end_offset if self.batches else self.base_offset


@dataclass(frozen=True, slots=True)
class Scanned:
    """A segment that was read once from the front: what is in it, digest and size of the file.

    `data` are the bytes of its batches where they were asked for, else b"". The digest is SHA-256 over all
    bytes; of holes only ZEROS_IN_DIGEST count, so that a preallocated file costs what is written in it.
    """

    segment: Segment
    sha256: str
    size: int
    data: bytes = b""


def read_segment(data: bytes, base_offset: int) -> Segment:
    """Walk the batches up to the first that is not whole. Never raises, whatever the bytes are."""
    return scan_segment(_Held(data), base_offset).segment


def scan_segment(stream: Bytes, base_offset: int, *, keep: bool = False) -> Scanned:
    """The same of a stream, of which no more is held at a time than two batches and a piece.

    Where a header is all zeros the batches end, as in Kafka's own recovery (LogSegment.recover stops at the
    first batch that is not valid, and a size of 0 is none); holes behind it are not read. Raises what
    `stream` raises.
    """
    window = _Window(stream, keep=keep)
    batches: list[Batch] = []
    for batch in _walk(window, base_offset):
        batches.append(batch)
        window.drop_before(batch.position)
        if len(batches) == MOST_BATCHES:
            break
    place = batches[-1].position + batches[-1].size if batches else 0
    if batches and not _whole(window.at(batches[-1].position, batches[-1].size), batches[-1]):
        place = batches.pop().position
    short, only_zeros = window.end(place)
    torn = place if (short or not only_zeros) and place < window.size else None
    kept = window.kept(place)
    return Scanned(Segment(base_offset, tuple(batches), torn), window.digest.hexdigest(), window.size, kept)


class _Window:
    """The part of a stream that is looked at, by places in the file."""

    def __init__(self, stream: Bytes, *, keep: bool) -> None:
        self.digest = hashlib.sha256()
        self.size = 0
        self._stream = stream
        self._held = b""
        self._begin = 0
        self._kept: list[bytes] | None = [] if keep else None
        self._zeros = ZEROS_IN_DIGEST

    def at(self, place: int, count: int) -> bytes:
        """So many bytes from a place on, fewer where the file ends. Nothing before the last drop."""
        if place + count > self.size:
            self._fill(place + count)
        return self._held[place - self._begin : place - self._begin + count]

    def reaches(self, end: int) -> bool:
        """Whether the file has bytes up to this place."""
        if end > self.size:
            self._fill(end)
        return end <= self.size

    def drop_before(self, place: int) -> None:
        """Bytes before a place are not asked for again."""
        if place - self._begin > PIECE:
            self._held = self._held[place - self._begin :]
            self._begin = place

    def end(self, place: int) -> tuple[bool, bool]:
        """Read to the end: whether fewer bytes follow a place than a header has, and if all are zeros."""
        only_zeros = not self._held[place - self._begin :].strip(b"\0")
        self._held = b""
        while True:
            gap = self._stream.skip_gap()
            counted = min(gap, self._zeros)
            self._zeros -= counted
            self.digest.update(bytes(counted))
            self.size += gap
            piece = self._stream.read(PIECE)
            if not piece:
                return self.size - place < NEW_HEAD.size, only_zeros
            self._take(piece, kept=False)
            only_zeros = only_zeros and not piece.strip(b"\0")

    def kept(self, end: int) -> bytes:
        """All bytes before a place, where they were to be kept."""
        return b"".join(self._kept or ())[:end]

    def _fill(self, end: int) -> None:
        pieces = [self._held]
        while self.size < end and (piece := self._stream.read(PIECE)):
            self._take(piece, kept=True)
            pieces.append(piece)
        self._held = b"".join(pieces)

    def _take(self, piece: bytes, *, kept: bool) -> None:
        self.digest.update(piece)
        self.size += len(piece)
        if kept and self._kept is not None:
            self._kept.append(piece)


class _Held:
    """Bytes in memory, read like a stream."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def read(self, count: int) -> bytes:
        piece = self._data[self._place : self._place + count]
        self._place += len(piece)
        return piece

    def skip_gap(self) -> int:
        return 0


def _walk(window: _Window, base_offset: int) -> Iterator[Batch]:
    place, expected = 0, base_offset
    while len(head := window.at(place, NEW_HEAD.size)) > _MAGIC_AT:
        magic = head[_MAGIC_AT]
        new = magic == 2
        batch = (
            _new(head, place, window) if new else _old(head, place, expected, window) if magic < 2 else None
        )
        if batch is None or batch.first_offset < expected:
            return
        yield batch
        place += batch.size
        expected = batch.end_offset


def _new(head: bytes, place: int, window: _Window) -> Batch | None:
    if len(head) < NEW_HEAD.size:
        return None
    base, size, epoch, magic, crc, attributes, delta, _, stamp, producer, producer_epoch, _, _ = (
        NEW_HEAD.unpack(head)
    )
    if not _LEAST_NEW <= size <= MOST_BATCH_BYTES or delta < 0 or not 0 <= base <= _MOST_OFFSET - delta:
        return None
    if not window.reaches(place + 12 + size):
        return None
    aborts = _aborts(window.at(place, 12 + size)) if attributes & _CONTROL else None
    of_transaction = attributes & _TRANSACTIONAL and (not attributes & _CONTROL or aborts is not None)
    return Batch(
        place,
        12 + size,
        base,
        base + delta + 1,
        epoch if epoch >= 0 else None,
        _nanos(stamp),
        crc,
        magic,
        (producer, producer_epoch) if of_transaction else None,
        aborts,
    )


def _aborts(batch: bytes) -> bool | None:
    """Of a control batch whether its marker aborts a transaction; None where it is another control record.

    The record's key is a version and a type, two bytes each: 0 aborts, 1 commits (EndTransactionMarker).
    """
    place = _after_varint(batch, NEW_HEAD.size) + 1  # the record's length and attributes
    place = _after_varint(batch, _after_varint(batch, place))  # the deltas of time stamp and offset
    return _MARKERS.get(batch[place + 3 : place + 5]) if batch[place : place + 1] == _KEY_LENGTH else None


def _after_varint(data: bytes, place: int) -> int:
    while place < len(data) and data[place] & 0x80:
        place += 1
    return place + 1


def _old(head: bytes, place: int, expected: int, window: _Window) -> Batch | None:
    if len(head) < _OLD_HEAD.size:
        return None
    offset, size, crc, magic, attributes = _OLD_HEAD.unpack_from(head)
    if not _LEAST_OLD <= size <= MOST_BATCH_BYTES or not 0 <= offset <= _MOST_OFFSET:
        return None
    if not window.reaches(place + 12 + size):
        return None
    message = window.at(place, 12 + size)
    if zlib.crc32(memoryview(message)[_MAGIC_AT:]) != crc:
        return None
    stamp = int.from_bytes(message[18:26], "big", signed=True) if magic else -1
    # A compressed set carries the offset of its last message; the first is what came before it.
    first = min(expected, offset) if attributes & _COMPRESSION else offset
    return Batch(place, 12 + size, first, offset + 1, None, _nanos(stamp), crc, magic)


def _nanos(stamp_ms: int) -> int | None:
    return stamp_ms * MILLISECOND_NS if 0 <= stamp_ms < 2**63 // MILLISECOND_NS else None


def _whole(data: bytes, batch: Batch) -> bool:
    """Whether a batch is what was written: a crash may leave its length right and its end not."""
    return batch.magic < 2 or fast_crc32c(data[21:]) == batch.crc
