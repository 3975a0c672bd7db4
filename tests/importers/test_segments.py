import struct
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kafka.crc32c import crc32c
from importers.disk.segments import read_segment


def old(offset: int, *, magic: int = 1, codec: int = 0, value: bytes = b"value") -> bytes:
    """A message of sets v0 and v1, written by the format's description."""
    stamp = struct.pack(">q", 1_795_231_723_631) if magic else b""
    body = (
        struct.pack(">bb", magic, codec)
        + stamp
        + struct.pack(">i", -1)
        + struct.pack(">i", len(value))
        + value
    )
    message = struct.pack(">I", zlib.crc32(body)) + body
    return struct.pack(">qi", offset, len(message)) + message


def new(base: int, last_delta: int, *, epoch: int = 3, value: bytes = b"records") -> bytes:
    """A batch v2, written by the format's description."""
    body = struct.pack(">hiqqqhii", 0, last_delta, 1000, 2000, -1, -1, -1, last_delta + 1) + value
    inside = struct.pack(">ibI", epoch, 2, crc32c(body)) + body
    return struct.pack(">qi", base, len(inside)) + inside


def test_the_checksum_is_castagnolis() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of RFC 3720
    assert crc32c(b"") == 0


def test_messages_of_old_sets() -> None:
    data = old(5) + old(6, magic=0) + old(9)

    segment = read_segment(data, 5)

    assert [(batch.first_offset, batch.end_offset) for batch in segment.batches] == [(5, 6), (6, 7), (9, 10)]
    assert [batch.stamp_ns for batch in segment.batches] == [
        1_795_231_723_631_000_000,
        None,
        1_795_231_723_631_000_000,
    ]
    assert {batch.epoch for batch in segment.batches} == {None}
    assert (segment.end_offset, segment.torn) == (10, None)


def test_a_compressed_old_set_reaches_from_the_one_before_it() -> None:
    segment = read_segment(old(5) + old(9, codec=1), 5)

    assert [(batch.first_offset, batch.end_offset) for batch in segment.batches] == [(5, 6), (6, 10)]


def test_headers_of_batches_v2() -> None:
    segment = read_segment(new(0, 0, epoch=0) + new(1, 9, epoch=3), 0)

    assert [(batch.first_offset, batch.end_offset, batch.epoch) for batch in segment.batches] == [
        (0, 1, 0),
        (1, 11, 3),
    ]
    assert segment.batches[1].stamp_ns == 2000 * 1_000_000
    assert segment.batches[1].position == segment.batches[0].size


def test_the_leader_epoch_is_outside_the_checksum() -> None:
    one, other = (read_segment(new(0, 0, epoch=epoch), 0).batches[0] for epoch in (1, 2))

    assert one.crc == other.crc
    assert read_segment(new(0, 0, value=b"others"), 0).batches[0].crc != one.crc


@pytest.mark.parametrize("make", [old, lambda offset: new(offset, 0)], ids=["old", "new"])
def test_a_torn_tail_is_left_out_and_named(make: Callable[[int], bytes]) -> None:
    whole = make(0) + make(1)
    for missing in range(1, len(make(1)) - 8):  # of the first bytes of an offset only zeros would be left
        segment = read_segment(whole[:-missing], 0)
        assert segment.end_offset == 1
        assert segment.torn == len(make(0))
    hurt = whole[:-1] + bytes([whole[-1] ^ 1])
    assert read_segment(hurt, 0).end_offset == 1


def test_zeros_of_a_preallocated_file_are_no_tear() -> None:
    segment = read_segment(new(0, 0) + bytes(10_000), 0)

    assert (segment.end_offset, segment.torn) == (1, None)
    assert read_segment(bytes(10_000), 7).end_offset == 7
    assert read_segment(b"", 7).torn is None


def test_lengths_that_lie_end_the_walk() -> None:
    for size in (-1, 0, 5, 2**31 - 1):
        lying = struct.pack(">qi", 0, size) + bytes([0, 0, 0, 0, 2]) + bytes(100)
        segment = read_segment(lying, 0)
        assert segment.batches == ()
        assert segment.torn == 0


def test_offsets_that_go_back_end_the_walk() -> None:
    segment = read_segment(new(10, 0) + new(3, 0), 10)

    assert segment.end_offset == 11
    assert segment.torn == len(new(10, 0))


def test_a_batch_that_ends_where_it_begins_or_before_ends_the_walk() -> None:
    """DefaultRecordBatch: the last offset is the base offset and a delta from 0 on, so a batch has an offset.

    An old set whose only message has an offset below the one expected has none either.
    """
    good = new(0, 0)

    for bad in (new(1, -1), new(1, -5)):
        segment = read_segment(good + bad + new(1, 0), 0)
        assert (segment.end_offset, segment.torn) == (1, len(good))
    for bad in (old(3), old(3, codec=1), old(4, codec=1)):
        segment = read_segment(old(4) + bad + old(5), 4)
        assert (segment.end_offset, segment.torn) == (5, len(old(4)))
    compressed = read_segment(old(3, codec=1), 7)
    assert (compressed.batches, compressed.torn) == ((), 0)


@given(st.binary(max_size=400), st.integers(0, 3))
def test_any_bytes_end(data: bytes, good: int) -> None:
    segment = read_segment(b"".join(new(place, 0) for place in range(good)) + data, 0)

    assert segment.end_offset >= good
