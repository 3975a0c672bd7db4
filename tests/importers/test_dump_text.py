"""Text of kafka-dump-log as a source: the lines are those that 4.0.0 printed of broker 1 (catalogue, 3.5)."""

from pathlib import Path

from core.history.open import open_history
from importers.dump_text import read_dump
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
