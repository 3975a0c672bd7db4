"""What kafka-dump-log printed of segments, where the segments themselves are not there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from importers.data_dirs import PARTITION_DIR, DataPlace, place_in
from importers.segments import Batch, Segment

DUMP_START: Final = b"Dumping "
_FILE: Final = re.compile(rb"Dumping (?P<path>.+[/\\](?P<base>\d{20})\.log)\s*")
_BATCH: Final = re.compile(
    rb"baseOffset: (?P<first>\d{1,18}) lastOffset: (?P<last>\d{1,18}) .*?"
    rb"partitionLeaderEpoch: (?P<epoch>-?\d{1,9}) .*?(?:CreateTime|LogAppendTime): (?P<stamp>-?\d{1,15}) "
    rb"size: \d{1,10} magic: (?P<magic>[012]) .*?crc: (?P<crc>\d{1,10}) isvalid: (?:true|false)\s*"
)
"""A line a batch, from 0.11 (DumpLogSegments.printBatchLevel). Records below it begin with `|`."""


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
            batch = _batch(line, byte)
            expected = batches[-1].end_offset if batches else base
            if batch is not None:
                whole = batch.first_offset >= expected and b"isvalid: true" in line
                batches += [batch] if whole else []
        byte += len(line) + 1


def _place(match: re.Match[bytes] | None) -> DataPlace | None:
    if match is None:
        return None
    path = PurePosixPath(match["path"].decode("utf-8", "replace").replace("\\", "/"))
    named = PARTITION_DIR.fullmatch(path.parent.name)
    is_metadata = path.parent.name == "__cluster_metadata-0"
    return None if named is None or is_metadata else place_in(path.parent.parent, path.parent.name)


def _batch(line: bytes, byte: int) -> Batch | None:
    match = _BATCH.fullmatch(line)
    if match is None or int(match["last"]) < int(match["first"]):
        return None
    epoch, stamp = int(match["epoch"]), int(match["stamp"])
    return Batch(
        byte,
        len(line),
        int(match["first"]),
        int(match["last"]) + 1,
        epoch if epoch >= 0 else None,
        stamp * 1_000_000 if stamp >= 0 else None,
        int(match["crc"]),
        int(match["magic"]),
    )
