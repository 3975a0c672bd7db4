"""Records inside batches: every codec and magic, against a real cluster and against bytes made here."""

import contextlib
import gzip
import json
import struct
import tarfile
import zlib
from pathlib import Path

import cramjam
import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.disk.record_values import BadBatchError, Record, records_of
from importers.disk.segments import read_segment
from tests.archives import RECORDINGS

XERIAL = b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1)


def message(offset: int, value: bytes, magic: int = 1, attributes: int = 0, stamp: int = 7) -> bytes:
    """A message of magic 0 or 1 without a key."""
    body = bytes((magic, attributes)) + (struct.pack(">q", stamp) if magic else b"")
    body += struct.pack(">ii", -1, len(value)) + value
    return struct.pack(">qiI", offset, len(body) + 4, zlib.crc32(body)) + body


def read(data: bytes) -> list[Record]:
    return [one for batch in read_segment(data, 0).batches for one in records_of(data, batch)]


def snappy(data: bytes) -> bytes:
    block = bytes(cramjam.snappy.compress_raw(data))
    return XERIAL + struct.pack(">i", len(block)) + block


def broken_lz4(data: bytes) -> bytes:
    """A frame as clients of magic 0 wrote it: the checksum of its header is wrong (KAFKA-3160)."""
    frame = bytearray(bytes(cramjam.lz4.compress(data)))
    frame[14 if frame[4] & 0x08 else 6] ^= 0xFF
    return bytes(frame)


CODECS = {"gzip": (1, gzip.compress), "snappy": (2, snappy), "lz4": (3, broken_lz4)}


@pytest.mark.parametrize("codec", CODECS)
def test_a_compressed_set_of_magic_1_has_relative_offsets_inside(codec: str) -> None:
    number, pack = CODECS[codec]
    inner = message(0, b"a") + message(1, b"b") + message(2, b"c")

    found = read(message(12, pack(inner), 1, number))

    assert [(one.offset, one.value, one.stamp_ms) for one in found] == [
        (10, b"a", 7),
        (11, b"b", 7),
        (12, b"c", 7),
    ]


@pytest.mark.parametrize("codec", CODECS)
def test_a_compressed_set_of_magic_0_has_absolute_offsets_inside(codec: str) -> None:
    number, pack = CODECS[codec]
    inner = message(10, b"a", 0) + message(12, b"c", 0)

    found = read(message(12, pack(inner), 0, number))

    assert [(one.offset, one.value, one.stamp_ms) for one in found] == [(10, b"a", -1), (12, b"c", -1)]


def test_every_record_of_every_codec_is_what_its_producer_sent() -> None:
    """k41-txn (4.1.2): batches with gzip, snappy, lz4 and zstd, transactions and their markers."""
    with tarfile.open(RECORDINGS / "k41-txn.tar.xz") as archive:
        stream = archive.extractfile("k41-txn/truth.json")
        assert stream is not None
        truth = json.load(stream)
        codecs: set[int] = set()
        for info in archive:
            path = Path(info.name)
            if path.suffix != ".log" or path.parent.name not in truth["final"] or "/data/" not in info.name:
                continue
            stream = archive.extractfile(info)
            assert stream is not None
            data = stream.read()
            codecs |= {data[one.position + 22] & 7 for one in read_segment(data, int(path.stem)).batches}
            broker = info.name.split("/broker-")[1].split("/")[0]
            true = truth["final"][path.parent.name]["replicas"][broker]["records"]
            assert [(one.offset, (one.value or b"").decode()) for one in read(data) if not one.control] == [
                (offset, value) for offset, _, value in true if value is not None
            ]

    assert codecs == {0, 1, 2, 3, 4}


def test_what_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importers.disk.record_values.MOST_UNPACKED", 1 << 20)
    inner = message(0, bytes(1 << 22))

    for number, pack in CODECS.values():
        with pytest.raises(BadBatchError):
            read(message(0, pack(inner), 1, number))


@given(data=st.data())
def test_whatever_the_bytes_are_only_one_error_is_raised(data: st.DataObject) -> None:
    number, pack = data.draw(st.sampled_from(list(CODECS.values())))
    packed = bytearray(pack(message(0, b"a" * 50) + message(1, b"b" * 50)))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))

    with contextlib.suppress(BadBatchError):
        read(message(1, bytes(packed), 1, number))


def test_a_frame_that_ends_behind_a_block_lacks_its_end_and_not_the_block() -> None:
    """The block is there to its last byte: it is the mark of four zeros behind it that is not."""
    frame = broken_lz4(message(0, b"a" * 50))
    flags = frame[4]
    place = 7 + (8 if flags & 0x08 else 0)
    size = struct.unpack_from("<I", frame, place)[0] & 0x7FFFFFFF
    cut = frame[: place + 4 + size]

    with pytest.raises(BadBatchError) as caught:
        read(message(0, cut, 1, 3))

    assert "cannot be read" in str(caught.value)
    assert "LZ4 block" not in str(caught.value)
