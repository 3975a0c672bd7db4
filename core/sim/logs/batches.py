"""Record batches as a segment holds them: message sets of magic 1 (0.10), batches of magic 2 (0.11)."""

import struct
import zlib
from collections.abc import Sequence
from typing import Final

from core.kafka.crc32c import crc32c

_NOTHING: Final = -1
_TRANSACTIONAL: Final = 0x10
"""The attribute of a batch in a transaction, and of its marker."""
_CONTROL: Final = 0x20
"""The attribute of a batch of control records."""
_OLD: Final = struct.Struct(">bbqi")
"""Magic, attributes, time stamp and length of the key, which is -1: none."""
_CHECKED: Final = struct.Struct(">hiqqqhii")
"""What the checksum of magic 2 covers before the records: attributes, last offset delta, first, last time
stamp, producer id and epoch, base sequence, records."""


def old_messages(first_offset: int, stamp_ms: int, values: Sequence[bytes]) -> bytes:
    """Messages of magic 1, uncompressed and without keys: offset, size, CRC-32, message."""
    made: list[bytes] = []
    for place, value in enumerate(values):
        body = _OLD.pack(1, 0, stamp_ms, _NOTHING) + struct.pack(">i", len(value)) + value
        made.append(struct.pack(">qiI", first_offset + place, len(body) + 4, zlib.crc32(body)) + body)
    return b"".join(made)


def new_batch(
    first_offset: int,
    epoch: int,
    stamp_ms: int,
    values: Sequence[bytes],
    producer: tuple[int, int, int] | None = None,
) -> bytes:
    """One batch of magic 2, uncompressed and without keys.

    The first offset and the leader epoch are outside of the checksum: the leader fills them in. `producer` is
    (producer id, producer epoch, first sequence number) of a batch in a transaction.
    """
    records = [_record(place, None, value) for place, value in enumerate(values)]
    return _batch(first_offset, epoch, stamp_ms, 0 if producer is None else _TRANSACTIONAL, records, producer)


def marker_batch(offset: int, epoch: int, stamp_ms: int, producer: tuple[int, int], *, aborts: bool) -> bytes:
    """The marker of a transaction: a control batch with a version and a type as key (EndTransactionMarker).

    Its value is a version and the epoch of the coordinator.
    """
    record = _record(0, struct.pack(">hh", 0, 0 if aborts else 1), struct.pack(">hi", 0, 0))
    return _batch(offset, epoch, stamp_ms, _CONTROL | _TRANSACTIONAL, [record], (*producer, _NOTHING))


def control_batch(offset: int, epoch: int, stamp_ms: int, record: tuple[bytes, bytes]) -> bytes:
    """A batch with one control record: its key and value."""
    return _batch(offset, epoch, stamp_ms, _CONTROL, [_record(0, *record)])


def _batch(
    first_offset: int,
    epoch: int,
    stamp_ms: int,
    attributes: int,
    records: list[bytes],
    producer: tuple[int, int, int] | None = None,
) -> bytes:
    count = len(records)
    writer = producer or (_NOTHING, _NOTHING, _NOTHING)
    head = _CHECKED.pack(attributes, count - 1, stamp_ms, stamp_ms, *writer, count)
    checked = head + b"".join(records)
    return (
        struct.pack(">qiib", first_offset, len(checked) + 9, epoch, 2)
        + struct.pack(">I", crc32c(checked))
        + checked
    )


def _record(place: int, key: bytes | None, value: bytes) -> bytes:
    """A record: its length, attributes, time and offset deltas, key, value, no headers."""
    named = _varint(_NOTHING) if key is None else _varint(len(key)) + key
    body = b"\0" + _varint(0) + _varint(place) + named + _varint(len(value)) + value + _varint(0)
    return _varint(len(body)) + body


def _varint(value: int) -> bytes:
    """A number in zigzag, seven bits a byte, lowest first."""
    left = value << 1 if value >= 0 else (-value << 1) - 1
    out = bytearray()
    while left > 0x7F:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    out.append(left)
    return bytes(out)
