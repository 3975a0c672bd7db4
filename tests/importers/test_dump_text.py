"""Text of kafka-dump-log as a source: the lines are those that 4.0.0 printed of broker 1 (catalogue, 3.5)."""

from pathlib import Path

from core.history.open import open_history
from importers.disk.dump_text import read_dump
from importers.load import load

TEXT = b"""Dumping /var/lib/kafka/data/t1-0/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 11 count: 12 baseSequence: 0 lastSequence: 11 producerId: 0 producerEpoch: 0 \
partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: \
OptionalLong.empty position: 0 CreateTime: 1795195886641 size: 195 magic: 2 \
compresscodec: none crc: 3423117532 isvalid: true
| offset: 0 CreateTime: 1795195886510 keySize: -1 valueSize: 3 sequence: 0 headerKeys: [] payload: a-1
baseOffset: 12 lastOffset: 19 count: 8 baseSequence: 12 lastSequence: 19 producerId: 0 producerEpoch: 0 \
partitionLeaderEpoch: 2 isTransactional: false isControl: false deleteHorizonMs: \
OptionalLong.empty position: 195 CreateTime: 1795195886641 size: 149 magic: 2 \
compresscodec: NONE crc: 4281915042 isvalid: true
"""


def test_batches_are_read_with_epoch_and_checksum() -> None:
    (dumped,) = read_dump(TEXT)

    assert (dumped.place.directory, dumped.place.tp) == ("/var/lib/kafka/data", ("t1", 0))
    assert [(one.first_offset, one.end_offset, one.epoch, one.crc) for one in dumped.segment.batches] == [
        (0, 12, 0, 3423117532),
        (12, 20, 2, 4281915042),
    ]
    assert dumped.segment.batches[0].stamp_ns == 1795195886641_000_000
    assert TEXT[dumped.segment.batches[1].position :].startswith(b"baseOffset: 12")


def test_a_batch_that_is_not_valid_ends_the_segment() -> None:
    (dumped,) = read_dump(TEXT.replace(b"crc: 4281915042 isvalid: true", b"crc: 4281915042 isvalid: false"))

    assert dumped.segment.end_offset == 12
    assert dumped.segment.torn is not None


def test_the_metadata_log_and_indexes_are_no_segments_of_a_partition() -> None:
    assert read_dump(TEXT.replace(b"t1-0", b"__cluster_metadata-0")) == ()
    assert read_dump(b"Dumping /d/t1-0/00000000000000000000.index\noffset: 3 position: 0\n") == ()


def test_a_dump_alone_says_where_the_log_ends(tmp_path: Path) -> None:
    (tmp_path / "broker-1").mkdir()
    (tmp_path / "broker-1" / "dump.txt").write_bytes(TEXT)

    trace = load([tmp_path])
    history = open_history(trace, 0)

    assert str(trace.partitions[0].tp) == "t1-0"
    assert history.at(len(trace)).replica(1).leo.exact == 20


OLD = "Dumping /var/lib/kafka/data/t1-0/00000000000000000030.log\nStarting offset: 30\n"


def read_old(*lines: str) -> list[tuple[int, int, int | None, int | None]]:
    (dumped,) = read_dump((OLD + "\n".join(lines) + "\n").encode())
    return [(one.first_offset, one.end_offset, one.epoch, one.crc) for one in dumped.segment.batches]


def test_messages_of_0_10_are_read_line_by_line() -> None:
    """A compressed set is one line with its last offset: it holds all since the line before."""
    assert read_old(
        "offset: 30 position: 0 CreateTime: 1469000000000 isvalid: true payloadsize: 8 magic: 1 "
        "compresscodec: NONE crc: 111 keysize: 3 key: k-1 payload: crc: 999",
        "offset: 34 position: 42 CreateTime: 1469000000001 isvalid: true payloadsize: 90 magic: 1 "
        "compresscodec: GZIP crc: 222",
        "offset: 35 position: 166 NoTimestampType: -1 isvalid: true payloadsize: 8 magic: 0 compresscodec: "
        "NoCompressionCodec crc: 333",
    ) == [(30, 31, None, 111), (31, 35, None, 222), (35, 36, None, 333)]


def test_batches_of_0_11_to_2_3_are_read_in_their_order_of_fields() -> None:
    assert read_old(
        "baseOffset: 30 lastOffset: 34 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
        "partitionLeaderEpoch: 3 isTransactional: false position: 0 CreateTime: 1469000000000 isvalid: true "
        "size: 111 magic: 2 compresscodec: NONE crc: 444",
        "offset: 36 position: 111 CreateTime: 1469000000000 isvalid: true size: 90 magic: 1 "
        "compresscodec: GZIP crc: 555",
    ) == [(30, 35, 3, 444), (35, 37, None, 555)]


def test_records_alone_say_where_the_log_ends_and_nothing_of_batches(tmp_path: Path) -> None:
    """`--print-data-log` of 0.11 to 2.3 names neither epoch nor checksum: nothing can be compared."""
    record = (
        "offset: {} position: 0 CreateTime: 1469000000000 isvalid: true keysize: -1 valuesize: 3 magic: 2 "
        "compresscodec: NONE producerId: -1 producerEpoch: -1 sequence: -1 isTransactional: false "
        "headerKeys: [] payload: a"
    )
    lines = [record.format(offset) for offset in (30, 31, 32)]

    assert read_old(*lines) == [(30, 31, None, None), (31, 32, None, None), (32, 33, None, None)]
    (tmp_path / "broker-1").mkdir()
    (tmp_path / "broker-1" / "dump.txt").write_text(OLD + "\n".join(lines) + "\n")
    trace = load([tmp_path])
    assert {trace.event(seq).kind for seq in range(len(trace))} == {"log_end_on_disk"}
    assert open_history(trace, 0).at(len(trace)).replica(1).leo.exact == 33


def test_records_listed_behind_their_batch_are_not_counted_twice() -> None:
    batch = (
        "baseOffset: 30 lastOffset: 31 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
        "partitionLeaderEpoch: 3 isTransactional: false position: 0 CreateTime: 1469000000000 size: 80 "
        "magic: 2 compresscodec: NONE crc: 444 isvalid: true"
    )
    record = (
        "offset: {} CreateTime: 1469000000000 keysize: -1 valuesize: 3 sequence: -1 headerKeys: [] payload: a"
    )

    assert read_old(batch, "| " + record.format(30), "| " + record.format(31)) == [(30, 32, 3, 444)]
    assert read_old(batch, record.format(30), record.format(31)) == [(30, 32, 3, 444)]
