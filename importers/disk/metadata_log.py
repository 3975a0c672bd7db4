"""Segments and snapshots of `__cluster_metadata-0`: every record with its offset, raft epoch and time."""

import re
from dataclasses import dataclass
from typing import Final

from core.kafka.metadata_records import MetadataRecord, decode_control, decode_record
from core.message import Message, message
from core.trace.ids import METADATA_TOPIC
from core.trace.units import MILLISECOND_NS
from importers.disk.data_dirs import OFFSET_IN_NAME
from importers.disk.record_values import BadBatchError, records_of
from importers.disk.segments import Bytes, Scanned, Segment, read_segment, scan_segment

METADATA_DIR: Final = f"{METADATA_TOPIC}-0"
SEGMENT_FILE: Final = re.compile(rf"({OFFSET_IN_NAME})\.log(?:\.deleted)?")
"""A deleted segment stays for a minute under this name: it holds the head that the log has lost."""
SNAPSHOT_FILE: Final = re.compile(rf"({OFFSET_IN_NAME})-(\d{{10}})\.checkpoint(?:\.deleted)?")
"""End offset and epoch: the state that all records before this offset make."""


@dataclass(frozen=True, slots=True)
class MetadataEntry:
    """One record of the metadata log. `position` is the byte at which its batch begins.

    `epoch` is that of the raft leader who wrote it, whose clock gives `stamp_ns`. `control` tells the records
    of raft itself from those of the controller.
    """

    offset: int
    epoch: int
    stamp_ns: int
    position: int
    control: bool
    record: MetadataRecord


@dataclass(frozen=True, slots=True)
class MetadataFile:
    """What one segment or snapshot holds.

    `end_offset` of a snapshot is the offset after the last record that it stands for, else None; its entries
    are numbered from 0. `doubts` say what cannot be read.
    """

    entries: tuple[MetadataEntry, ...]
    snapshot_end: int | None
    torn: int | None
    doubts: tuple[Message, ...]


def is_metadata(name: str) -> bool:
    """Whether a file of METADATA_DIR is a segment or a snapshot."""
    return bool(SEGMENT_FILE.fullmatch(name) or SNAPSHOT_FILE.fullmatch(name))


def read_metadata(data: bytes, name: str) -> MetadataFile:
    """A segment or a snapshot by its name (`is_metadata`). Never raises."""
    return _metadata(data, name, read_segment(data, _base_of(name)))


def scan_metadata(stream: Bytes, name: str) -> tuple[Scanned, MetadataFile]:
    """The same of a stream, of which only the batches are held. Raises what `stream` raises."""
    scanned = scan_segment(stream, _base_of(name), keep=True)
    return scanned, _metadata(scanned.data, name, scanned.segment)


def _base_of(name: str) -> int:
    segment = SEGMENT_FILE.fullmatch(name)
    return int(segment[1]) if segment is not None else 0


def _metadata(data: bytes, name: str, segment: Segment) -> MetadataFile:
    snapshot = SNAPSHOT_FILE.fullmatch(name)
    entries, doubts = _entries(data, segment)
    return MetadataFile(entries, None if snapshot is None else int(snapshot[1]), segment.torn, doubts)


def nanos_of(stamp_ms: int) -> int:
    """A time of a record; that of a record without one, -1 ms, where no such time can be."""
    return (stamp_ms if -1 <= stamp_ms < 2**63 // MILLISECOND_NS else -1) * MILLISECOND_NS


def _entries(data: bytes, segment: Segment) -> tuple[tuple[MetadataEntry, ...], tuple[Message, ...]]:
    found: list[MetadataEntry] = []
    doubts: dict[Message, None] = {}
    for batch in segment.batches:
        try:
            records = records_of(data, batch)
        except BadBatchError as error:
            doubts[error.what] = None
            continue
        for one in records:
            value = one.value or b""
            record = decode_control(one.key or b"", value) if one.control else decode_record(value)
            if record.doubt is not None:
                doubts[_told(record.name, one.offset, record.doubt)] = None
            found.append(
                MetadataEntry(
                    one.offset,
                    -1 if batch.epoch is None else batch.epoch,
                    nanos_of(one.stamp_ms),
                    batch.position,
                    one.control,
                    record,
                )
            )
    return tuple(found), tuple(doubts)


def _told(name: str, offset: int, doubt: Message) -> Message:
    if not name:
        return message("report.metadata.unnamed", offset=offset, what=doubt)
    return message("report.metadata.record", record=name, offset=offset, what=doubt)
