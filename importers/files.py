"""What a file is, judged by its name and content, and what one reading of it gives."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, Final

from core.errors import Facts
from core.work import QUIET, Work
from importers.checkpoints import (
    EPOCH_FILE,
    OFFSET_FILES,
    Checkpoint,
    read_epochs,
    read_offsets,
    read_properties,
)
from importers.containers import Member
from importers.data_dirs import CLEAN_FILE, PARTITION_DIR, PARTITION_FILE, DataPlace, place_in
from importers.drafts import Drafts
from importers.dump_text import DUMP_START, read_dump
from importers.evidence import Block
from importers.layout import PROBE_BYTES, Layout, find_layouts, is_unknown_log
from importers.limits import DamagedError, Stream
from importers.metadata_log import METADATA_DIR, MetadataFile, is_metadata, read_metadata
from importers.reading import LogReader, pull
from importers.segments import Segment, read_segment

_SEGMENT: Final = re.compile(r"(\d{20})\.log")
_PROPERTIES: Final = re.compile(r"(?:meta|server|broker|kafka)[\w.\-]*\.properties")


class Role(StrEnum):
    """What a file is to an import."""

    LOG = "log"
    SEGMENT = "segment"
    OFFSETS = "offset checkpoint"
    EPOCHS = "leader epoch checkpoint"
    PROPERTIES = "properties"
    METADATA = "metadata log"
    TOPIC_ID = "partition metadata"
    CLEAN = "clean shutdown marker"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file of a source, read once.

    `quotes` are the lines that may be shown as evidence, with their neighbours. `fault` says why the file was
    not read, or not to its end.
    """

    path: str
    sha256: str
    size: int
    mtime_ns: int | None
    role: Role
    quotes: tuple[Block, ...] = ()
    layout: Layout | None = None
    drafts: Drafts | None = None
    segment: Segment | None = None
    checkpoint: Checkpoint | None = None
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    place: DataPlace | None = None
    fault: Facts | None = None
    metadata: MetadataFile | None = None

    @property
    def label(self) -> str:
        """Whose lines of a shared file these are, as the file calls him; "" where nobody shares."""
        return "" if self.layout is None else self.layout.label


def read_files(member: Member, work: Work = QUIET) -> tuple[ReadFile, ...]:
    """Judge and read one member. What is not understood is IGNORED, what is damaged has a fault.

    One file, or one for each speaker of a file that several share. Raises SourceError only for a damaged file
    that was named alone, and CancelledError.
    """
    if member.stream is None:
        return (ReadFile(member.path, "", 0, member.mtime_ns, Role.IGNORED, fault=member.fault),)
    try:
        by_name = _by_name(member)
        return (by_name,) if by_name is not None else _by_content(member, member.stream, work)
    except DamagedError as error:
        if member.alone:
            raise
        size = member.stream.taken
        return (ReadFile(member.path, "", size, member.mtime_ns, Role.IGNORED, fault=error.facts),)


def _by_name(member: Member) -> ReadFile | None:
    """A file of a data directory or a configuration; None for all others."""
    path = PurePosixPath(member.path)
    name = path.name
    if path.parent.name == METADATA_DIR and is_metadata(name):
        data = member.data
        place = place_in(path.parent.parent)
        return _read(member, data, Role.METADATA, metadata=read_metadata(data, name), place=place)
    segment = _SEGMENT.fullmatch(name)
    if segment and PARTITION_DIR.fullmatch(path.parent.name):
        data = member.data
        found = read_segment(data, int(segment[1]))
        place = place_in(path.parent.parent, path.parent.name)
        return _read(member, data, Role.SEGMENT, segment=found, place=place)
    if name in OFFSET_FILES:
        data = member.data
        place = place_in(path.parent)
        return _read(
            member, data, Role.OFFSETS, checkpoint=read_offsets(data), place=place, quotes=_all(data)
        )
    if name == EPOCH_FILE:
        data = member.data
        place = place_in(path.parent.parent, path.parent.name)
        return _read(member, data, Role.EPOCHS, checkpoint=read_epochs(data), place=place, quotes=_all(data))
    if _PROPERTIES.fullmatch(name):
        data = member.data
        properties = read_properties(data)
        return _read(member, data, Role.PROPERTIES, properties=properties, place=place_in(path.parent))
    if name == PARTITION_FILE and PARTITION_DIR.fullmatch(path.parent.name):
        data = member.data
        place = place_in(path.parent.parent, path.parent.name)
        return _read(member, data, Role.TOPIC_ID, properties=read_properties(data), place=place)
    if name == CLEAN_FILE:
        return _read(member, member.data, Role.CLEAN, place=place_in(path.parent))
    return None


def _read(member: Member, data: bytes, role: Role, **found: Any) -> ReadFile:  # noqa: ANN401 - fields of ReadFile
    return ReadFile(member.path, hashlib.sha256(data).hexdigest(), len(data), member.mtime_ns, role, **found)


def _all(data: bytes) -> tuple[Block, ...]:
    """A small file, whole."""
    return (Block(1, 0, data),)


def _by_content(member: Member, stream: Stream, work: Work) -> tuple[ReadFile, ...]:
    """A log, read in pieces, or something that is not read."""
    probe = stream.peek(PROBE_BYTES)
    if probe.startswith(DUMP_START):
        data = member.data
        dumped = [
            _read(member, data, Role.SEGMENT, segment=one.segment, place=one.place) for one in read_dump(data)
        ]
        return tuple(dumped) or (_read(member, data, Role.IGNORED),)
    layouts = find_layouts(probe)
    readers = [LogReader(layout) for layout in layouts]
    pulled = pull(stream, readers, work)
    if pulled.fault is not None and member.alone:
        facts = pulled.fault
        raise DamagedError(facts.what, why=facts.why, where=facts.where, advice=facts.advice)
    common = (member.path, pulled.sha256, pulled.size, member.mtime_ns)
    if not layouts:
        fault = _unknown(member.path) if pulled.fault is None and is_unknown_log(probe) else pulled.fault
        return (ReadFile(*common, Role.IGNORED, fault=fault),)
    found: list[ReadFile] = []
    for layout, reader in zip(layouts, readers, strict=True):
        drafts, quotes = reader.end()
        if len(layouts) == 1 or len(drafts.stamps):
            found.append(ReadFile(*common, Role.LOG, quotes, layout, drafts, fault=pulled.fault))
    return tuple(found)


def _unknown(path: str) -> Facts:
    return Facts(
        "The layout of this log is not known",
        why="lines begin with a time, but where the message begins is not certain",
        where=path,
        background="A layout is learnt where at least three lines agree and the messages are Kafka's",
        advice="Write it with the pattern [%d] %p %m (%c)%n, or cut what is before and behind that",
    )
