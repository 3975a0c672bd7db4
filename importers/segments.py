"""Record batches in a segment file: headers only, never a record's content."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.kafka.crc32c import crc32c

_OLD_HEAD: Final = struct.Struct(">qiIbb")
"""Message sets v0 and v1, to 0.10: offset, size, CRC of what follows it, magic, attributes."""
NEW_HEAD: Final = struct.Struct(">qiibIhiqqqhii")
"""Batch v2, since 0.11 (DefaultRecordBatch): base offset, length, partition leader epoch, magic, CRC,
attributes, last offset delta, base and maximal time stamp, producer id and epoch, base sequence, records."""
_MAGIC_AT: Final = 16
_LEAST_OLD: Final = 14
_LEAST_NEW: Final = 49
_COMPRESSION: Final = 0x07


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


def read_segment(data: bytes, base_offset: int) -> Segment:
    """Walk the batches up to the first that is not whole. Never raises, whatever the bytes are."""
    batches = list(_walk(data, base_offset))
    place = batches[-1].position + batches[-1].size if batches else 0
    if batches and not _whole(data, batches[-1]):
        place = batches.pop().position
    rest = data[place:]
    torn = bool(rest) and (len(rest) < NEW_HEAD.size or bool(rest.strip(b"\0")))
    return Segment(base_offset, tuple(batches), place if torn else None)


def _walk(data: bytes, base_offset: int) -> Iterator[Batch]:
    place, expected, length = 0, base_offset, len(data)
    while place + _MAGIC_AT < length:
        magic = data[place + _MAGIC_AT]
        batch = _new(data, place) if magic == 2 else _old(data, place, expected) if magic < 2 else None
        if batch is None or batch.first_offset < expected:
            return
        yield batch
        place += batch.size
        expected = batch.end_offset


def _new(data: bytes, place: int) -> Batch | None:
    if place + NEW_HEAD.size > len(data):
        return None
    base, size, epoch, magic, crc, _, delta, _, stamp, _, _, _, _ = NEW_HEAD.unpack_from(data, place)
    if size < _LEAST_NEW or place + 12 + size > len(data) or delta < 0 or base < 0:
        return None
    return Batch(
        place, 12 + size, base, base + delta + 1, epoch if epoch >= 0 else None, _nanos(stamp), crc, magic
    )


def _old(data: bytes, place: int, expected: int) -> Batch | None:
    if place + _OLD_HEAD.size > len(data):
        return None
    offset, size, crc, magic, attributes = _OLD_HEAD.unpack_from(data, place)
    end = place + 12 + size
    if size < _LEAST_OLD or end > len(data) or offset < 0 or zlib.crc32(data[place + _MAGIC_AT : end]) != crc:
        return None
    stamp = int.from_bytes(data[place + 18 : place + 26], "big", signed=True) if magic else -1
    # A compressed set carries the offset of its last message; the first is what came before it.
    first = min(expected, offset) if attributes & _COMPRESSION else offset
    return Batch(place, 12 + size, first, offset + 1, None, _nanos(stamp), crc, magic)


def _nanos(stamp_ms: int) -> int | None:
    return stamp_ms * 1_000_000 if 0 <= stamp_ms < 2**63 // 1_000_000 else None


def _whole(data: bytes, batch: Batch) -> bool:
    """Whether a batch is what was written: a crash may leave its length right and its end not."""
    if batch.magic < 2:
        return True
    return crc32c(data[batch.position + 21 : batch.position + batch.size]) == batch.crc
