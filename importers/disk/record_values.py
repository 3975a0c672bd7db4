"""The records inside a batch, decoded on demand: all magics, all codecs, whatever the counts say."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import cramjam

from core.message import Message, message
from core.words import text
from importers.disk.segments import NEW_HEAD, Batch

MOST_UNPACKED: Final = 64 * 1024**2
"""Of one batch: message.max.bytes is 1 MB by default, and few raise it beyond some ten."""
_FIRST_TRY: Final = 1 << 20
_COMPRESSION: Final = 0x07
_LOG_APPEND_TIME: Final = 0x08
_CONTROL: Final = 0x20
_OLD_BODY_AT: Final = 16
"""Offset, size and CRC come before a message's magic byte."""
_XERIAL: Final = b"\x82SNAPPY\0"
"""snappy-java's own stream format: this, two version numbers, then blocks with their lengths."""
_LZ4: Final = 0x184D2204
_LZ4_BLOCKS: Final[Mapping[int, int]] = {4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22}
"""Largest block by the number in the frame's descriptor."""


class BadBatchError(ValueError):
    """The content of a batch is not what its header says: `what` is wrong."""

    def __init__(self, what: Message) -> None:
        """Keep what is wrong."""
        super().__init__(text(what))
        self.what = what


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `stamp_ms` is -1 where there is none; `control` tells a marker, not a client's record."""

    offset: int
    stamp_ms: int
    key: bytes | None
    value: bytes | None
    control: bool = False


def records_of(data: bytes, batch: Batch) -> tuple[Record, ...]:
    """The records of one batch of a segment's bytes.

    Raises BadBatchError where the bytes do not hold what the header announces, cannot be unpacked, or would
    unpack to more than MOST_UNPACKED.
    """
    try:
        if batch.magic < 2:
            return tuple(_old_records(data[batch.position : batch.position + batch.size], batch.magic))
        return tuple(_new_records(data[batch.position : batch.position + batch.size]))
    except (struct.error, IndexError, cramjam.DecompressionError) as error:
        raise BadBatchError(message("report.batch.unread", byte=batch.position, words=str(error))) from error


def _new_records(batch: bytes) -> Iterator[Record]:
    """Magic 2: varint fields, deltas against the batch's base (DefaultRecord)."""
    base, _, _, _, _, attributes, _, first_stamp, last_stamp, _, _, _, count = NEW_HEAD.unpack_from(batch)
    body = _unpacked(batch[NEW_HEAD.size :], attributes & _COMPRESSION, 2)
    if not 0 <= count <= len(body):
        raise BadBatchError(message("report.batch.announced", count=count, size=len(body)))
    place = 0
    for _ in range(count):
        size, place = varint(body, place)
        end = place + size
        if size <= 0 or end > len(body):
            raise BadBatchError(message("report.batch.record", size=size, left=len(body) - place))
        stamp, place = varint(body, place + 1)
        offset, place = varint(body, place)
        key, place = _varbytes(body, place)
        value, place = _varbytes(body, place)
        when = last_stamp if attributes & _LOG_APPEND_TIME else first_stamp + stamp
        yield Record(base + offset, when, key, value, bool(attributes & _CONTROL))
        place = end


def _old_records(message: bytes, magic: int) -> Iterator[Record]:
    """Magic 0 and 1. A compressed message holds a set of messages.

    Inner offsets are absolute in v0, and in v1 relative to the last one, whose offset the wrapper has.
    """
    outer = struct.unpack_from(">q", message)[0]
    attributes = message[_OLD_BODY_AT + 1]
    record = _old_record(message, magic, outer)
    codec = attributes & _COMPRESSION
    if not codec:
        yield record
        return
    inner = list(_inner(_unpacked(record.value or b"", codec, magic), magic))
    shift = outer - inner[-1].offset if inner and magic == 1 else 0
    for one in inner:
        stamp = record.stamp_ms if attributes & _LOG_APPEND_TIME else one.stamp_ms
        yield Record(one.offset + shift, stamp, one.key, one.value)


def _inner(messages: bytes, magic: int) -> Iterator[Record]:
    place = 0
    while place + 12 <= len(messages):
        offset, size = struct.unpack_from(">qi", messages, place)
        end = place + 12 + size
        if size < 14 or end > len(messages):
            raise BadBatchError(message("report.batch.message", size=size, left=len(messages) - place - 12))
        yield _old_record(messages[place:end], magic, offset)
        place = end


def _old_record(message: bytes, magic: int, offset: int) -> Record:
    place = _OLD_BODY_AT + 2
    stamp = -1
    if magic == 1:
        stamp = struct.unpack_from(">q", message, place)[0]
        place += 8
    key, place = _sized(message, place)
    value, place = _sized(message, place)
    return Record(offset, stamp, key, value)


def _sized(data: bytes, place: int) -> tuple[bytes | None, int]:
    """An int32 length and so many bytes; -1 is null."""
    size = struct.unpack_from(">i", data, place)[0]
    return _taken(data, place + 4, size)


def _varbytes(data: bytes, place: int) -> tuple[bytes | None, int]:
    """A varint length and so many bytes; -1 is null."""
    size, place = varint(data, place)
    return _taken(data, place, size)


def _taken(data: bytes, place: int, size: int) -> tuple[bytes | None, int]:
    if size < 0:
        return None, place
    if place + size > len(data):
        raise BadBatchError(message("report.batch.bytes", size=size, left=len(data) - place))
    return data[place : place + size], place + size


def varint(data: bytes, place: int) -> tuple[int, int]:
    """A zigzag number of up to 64 bits, and the place after it. Raises BadBatchError."""
    number = 0
    for shift in range(0, 70, 7):
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (number >> 1) ^ -(number & 1), place
    raise BadBatchError(message("report.batch.number", byte=place))


def _unpacked(data: bytes, codec: int, magic: int) -> bytes:
    if codec == 0:
        return data
    read = _CODECS.get(codec)
    if read is None:
        raise BadBatchError(message("report.batch.codec", codec=codec))
    return read(data, magic)


def _growing(into: Callable[[bytes, bytearray], int]) -> Callable[[bytes, int], bytes]:
    """A codec that does not say its size beforehand: larger buffers until it fits, up to the limit."""

    def read(data: bytes, _: int) -> bytes:
        size = _FIRST_TRY
        while True:
            buffer = bytearray(size)
            try:
                return bytes(memoryview(buffer)[: into(data, buffer)])
            except cramjam.DecompressionError as error:
                if "whole buffer" not in str(error) or size >= MOST_UNPACKED:
                    raise
                size *= 8

    return read


def _snappy(data: bytes, _: int) -> bytes:
    if not data.startswith(_XERIAL):
        return _snappy_block(data, MOST_UNPACKED)
    parts: list[bytes] = []
    place, left = 16, MOST_UNPACKED
    while place + 4 <= len(data):
        size = struct.unpack_from(">i", data, place)[0]
        if not 0 < size <= len(data) - place - 4:
            raise BadBatchError(message("report.batch.snappy", size=size, left=len(data) - place - 4))
        parts.append(_snappy_block(data[place + 4 : place + 4 + size], left))
        left -= len(parts[-1])
        place += 4 + size
    return b"".join(parts)


def _snappy_block(data: bytes, most: int) -> bytes:
    if cramjam.snappy.decompress_raw_len(data) > most:
        raise BadBatchError(message("report.batch.unpacked", size=MOST_UNPACKED))
    return bytes(cramjam.snappy.decompress_raw(data))


def _lz4(data: bytes, _: int) -> bytes:
    """A frame, block by block: Kafka's frames of magic 0 have a wrong header checksum (KAFKA-3160).

    Kafka writes independent blocks without checksums, and no content size (Lz4BlockOutputStream).
    """
    magic, flags, descriptor = struct.unpack_from("<IBB", data)
    most = _LZ4_BLOCKS.get(descriptor >> 4 & 7)
    if magic != _LZ4 or most is None:
        raise BadBatchError(message("report.batch.no-lz4"))
    place = 7 + (8 if flags & 0x08 else 0)
    parts: list[bytes] = []
    left = MOST_UNPACKED
    while True:
        size = struct.unpack_from("<I", data, place)[0]
        place += 4
        if size == 0:
            return b"".join(parts)
        stored, size = bool(size & 0x80000000), size & 0x7FFFFFFF
        if size > len(data) - place or left < 0:
            raise BadBatchError(message("report.batch.lz4", size=size, left=len(data) - place))
        block = data[place : place + size]
        if not stored:
            buffer = bytearray(most)
            block = bytes(memoryview(buffer)[: cramjam.lz4.decompress_block_into(block, buffer, most)])
        parts.append(block)
        left -= len(block)
        place += size + (4 if flags & 0x10 else 0)


_CODECS: Final[Mapping[int, Callable[[bytes, int], bytes]]] = {
    1: _growing(cramjam.gzip.decompress_into),
    2: _snappy,
    3: _lz4,
    4: _growing(cramjam.zstd.decompress_into),
}
