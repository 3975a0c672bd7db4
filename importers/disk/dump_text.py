"""What kafka-dump-log printed of segments, where the segments themselves are not there."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from core.trace.units import MILLISECOND_NS
from importers.disk.data_dirs import PARTITION_DIR, DataPlace, place_in
from importers.disk.segments import Batch, Segment

DUMP_START: Final = b"Dumping "
_FILE: Final = re.compile(rb"Dumping (?P<path>.+[/\\](?P<base>0[0-8]\d{18})\.log)\s*")
_PAIR: Final = re.compile(rb"(?<!\w)(\w+): (\S+)")
_CONTENT: Final = re.compile(rb" (?:key|payload|endTxnMarker|headerKeys): ")
"""What may follow the numbers of a line is the record itself."""
_NUMBERS: Final = re.compile(rb"-?\d{1,18}")
_NO_CODEC: Final = frozenset((b"none", b"nocompressioncodec"))


@dataclass(frozen=True, slots=True)
class DumpedSegment:
    """One segment of a dump. `position` of its batches is the byte of the line in the dump."""

    place: DataPlace
    segment: Segment


def read_dump(data: bytes) -> tuple[DumpedSegment, ...]:
    """Every segment of a partition that the text has. A batch that is not valid ends its segment."""
    return tuple(_segments(data))


def _segments(data: bytes) -> Iterator[DumpedSegment]:
    place: DataPlace | None = None
    base, byte, whole = 0, 0, True
    batches: list[Batch] = []
    for line in (*data.split(b"\n"), DUMP_START):
        if line.startswith(DUMP_START):
            if place is not None:
                yield DumpedSegment(place, Segment(base, tuple(batches), None if whole else byte))
            match = _FILE.fullmatch(line)
            place, batches, whole = _place(match), [], True
            base = int(match["base"]) if match is not None else 0
        elif place is not None and whole:
            expected = batches[-1].end_offset if batches else base
            batch = _batch(line, byte, expected)
            # To 2.3 the records of a batch may be listed behind it without the bar that 2.4 puts before them.
            if batch is not None and not (batch.crc is None and batch.end_offset <= expected):
                whole = batch.first_offset >= expected and b"isvalid: false" not in line
                batches += [batch] if whole else []
        byte += len(line) + 1


def _place(match: re.Match[bytes] | None) -> DataPlace | None:
    if match is None:
        return None
    path = PurePosixPath(match["path"].decode("utf-8", "replace").replace("\\", "/"))
    named = PARTITION_DIR.fullmatch(path.parent.name)
    is_metadata = path.parent.name == "__cluster_metadata-0"
    return None if named is None or is_metadata else place_in(path.parent.parent, path.parent.name)


def _batch(line: bytes, byte: int, expected: int) -> Batch | None:
    """The batch, message or record that a line is about; None for another line.

    `baseOffset: …` is a batch since 0.11; 2.4 changed the order of the rest. `offset: …` is a message of v0
    or v1, where it is compressed with the offset of its last one. From 0.11 to 2.3 it is any record, with
    `--print-data-log`: the batch of a record of v2, or of a compressed set, is not said then.
    """
    if not line.startswith((b"baseOffset: ", b"offset: ")):
        return None
    pairs = dict(_PAIR.findall(_CONTENT.split(line, maxsplit=1)[0]))
    last = _number(pairs, b"lastOffset", b"offset")
    if last is None or last < 0 or b"isvalid" not in pairs:
        return None
    magic = _number(pairs, b"magic")
    shallow = b"baseOffset" in pairs or b"size" in pairs or b"payloadsize" in pairs
    plain = pairs.get(b"compresscodec", b"none").lower() in _NO_CODEC
    first = _number(pairs, b"baseOffset")
    if first is None:
        first = last if plain or not shallow else min(expected, last)
    if last < first:
        return None
    epoch, stamp = _number(pairs, b"partitionLeaderEpoch"), _number(pairs, b"CreateTime", b"LogAppendTime")
    told = shallow or (plain and magic is not None and magic < 2)
    return Batch(
        byte,
        len(line),
        first,
        last + 1,
        epoch if epoch is not None and epoch >= 0 else None,
        stamp * MILLISECOND_NS if stamp is not None and 0 <= stamp < 2**63 // MILLISECOND_NS else None,
        _number(pairs, b"crc") if told else None,
        2 if magic is None else magic,
    )


def _number(pairs: Mapping[bytes, bytes], *names: bytes) -> int | None:
    """The first of some numbers that is there."""
    for name in names:
        if (text := pairs.get(name)) is not None and _NUMBERS.fullmatch(text):
            return int(text)
    return None
