"""What a file is, judged by its name and content, and what one reading of it gives."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, Final

from core.errors import Facts, at
from core.message import Message, message
from core.work import QUIET, Work
from importers.containers.containers import Member
from importers.disk.checkpoints import (
    EPOCH_FILE,
    OFFSET_FILES,
    Checkpoint,
    read_epochs,
    read_offsets,
    read_properties,
)
from importers.disk.data_dirs import (
    CLEAN_FILE,
    OFFSET_IN_NAME,
    PARTITION_DIR,
    PARTITION_FILE,
    DataPlace,
    place_in,
)
from importers.disk.dump_text import DUMP_START, read_dump
from importers.disk.metadata_log import METADATA_DIR, MetadataFile, is_metadata, scan_metadata
from importers.disk.segments import Scanned, Segment, scan_segment
from importers.disk.tool_text import ToolText, is_tool_text, read_tool_text
from importers.limits import MOST_SMALL_BYTES, MOST_TEXT_BYTES, DamagedError, Stream
from importers.lines.evidence import Block, Packed, packed, whole
from importers.lines.layout import (
    PROBE_BYTES,
    Layout,
    find_layout,
    has_days_that_may_be_months,
    is_unknown_log,
)
from importers.lines.parsed import Drafts
from importers.lines.reading import pull
from importers.lines.speakers import SharedLog
from importers.merge.parts import Part

_SEGMENT: Final = re.compile(rf"({OFFSET_IN_NAME})\.log")
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
    TOOL = "output of a tool"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file of a source, read once.

    `quotes` are the lines that may be shown as evidence, with their neighbours. `fault` says why the file was
    not read, or not to its end. `parts` are those of a log that stand in the wrong order, in the right one:
    then the bytes in `drafts` are not those of the file (importers/merge/parts.py). `clock_notes` say
    what was done with its times.
    """

    path: str
    sha256: str
    size: int
    mtime_ns: int | None
    role: Role
    quotes: tuple[Packed, ...] = ()
    layout: Layout | None = None
    drafts: Drafts | None = None
    segment: Segment | None = None
    checkpoint: Checkpoint | None = None
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    place: DataPlace | None = None
    fault: Facts | None = None
    metadata: MetadataFile | None = None
    tool: ToolText | None = None
    parts: tuple[Part, ...] = ()
    clock_notes: tuple[Message, ...] = ()
    unused: tuple[tuple[int, Message], ...] = ()
    """How many of its records were left out, and why, where the rest is read."""

    @property
    def name(self) -> str:
        """The path, and whose lines these are where several share the file: no other file has the same."""
        return f"{self.path} ({self.label})" if self.label else self.path

    @property
    def label(self) -> str:
        """Whose lines of a shared file these are, as the file calls him; "" where nobody shares."""
        return "" if self.layout is None else self.layout.label


def left_out(file: ReadFile, fault: Facts) -> ReadFile:
    """A log that cannot be used, with the reason; a fault that it has already stands."""
    return replace(file, role=Role.IGNORED, drafts=None, quotes=(), fault=file.fault or fault)


def noted(file: ReadFile, told: Message, **changes: Any) -> ReadFile:  # noqa: ANN401 - fields of ReadFile
    """A file with other times, and what is told of that."""
    return replace(file, clock_notes=(*file.clock_notes, told), **changes)


def read_files(member: Member, work: Work = QUIET) -> tuple[ReadFile, ...]:
    """Judge and read one member. What is not understood is IGNORED, what is damaged has a fault.

    One file, or one for each speaker of a file that several share. Raises SourceError only for a damaged file
    that was named alone, and CancelledError.
    """
    if member.stream is None:
        return (ReadFile(member.path, "", 0, member.mtime_ns, Role.IGNORED, fault=member.fault),)
    try:
        by_name = _by_name(member, member.stream)
        return (by_name,) if by_name is not None else _by_content(member, member.stream, work)
    except DamagedError as error:
        if member.alone:
            raise
        size = member.stream.taken
        return (ReadFile(member.path, "", size, member.mtime_ns, Role.IGNORED, fault=error.facts),)


def role_by_name(path: str) -> Role | None:
    """What a file of a data directory or a configuration is, by its name alone; None for all others."""
    parts = PurePosixPath(path)
    name, folder = parts.name, parts.parent.name
    if folder == METADATA_DIR and is_metadata(name):
        return Role.METADATA
    if _SEGMENT.fullmatch(name) and PARTITION_DIR.fullmatch(folder):
        return Role.SEGMENT
    if name in OFFSET_FILES:
        return Role.OFFSETS
    if name == EPOCH_FILE:
        return Role.EPOCHS
    if _PROPERTIES.fullmatch(name):
        return Role.PROPERTIES
    if name == PARTITION_FILE and PARTITION_DIR.fullmatch(folder):
        return Role.TOPIC_ID
    return Role.CLEAN if name == CLEAN_FILE else None


def place_by_name(path: str, role: Role) -> DataPlace:
    """Where a file with that role by its name lies."""
    parts = PurePosixPath(path)
    if role in (Role.SEGMENT, Role.METADATA, Role.EPOCHS, Role.TOPIC_ID):
        return place_in(parts.parent.parent, parts.parent.name)
    return place_in(parts.parent)


def _by_name(member: Member, stream: Stream) -> ReadFile | None:
    """A file of a data directory or a configuration; None for all others."""
    role = role_by_name(member.path)
    if role is None:
        return None
    name = PurePosixPath(member.path).name
    place = place_by_name(member.path, role)
    if role is Role.METADATA:
        scanned, metadata = scan_metadata(stream, name)
        segment = scanned.segment if _SEGMENT.fullmatch(name) else None
        return ReadFile(*_scanned(member, scanned), role, place=place, segment=segment, metadata=metadata)
    if role is Role.SEGMENT:
        scanned = scan_segment(stream, int(name.removesuffix(".log")))
        return ReadFile(*_scanned(member, scanned), role, place=place, segment=scanned.segment)
    data = stream.held(MOST_SMALL_BYTES)
    match role:
        case Role.OFFSETS:
            return _read(member, data, role, place=place, checkpoint=read_offsets(data), quotes=_all(data))
        case Role.EPOCHS:
            return _read(member, data, role, place=place, checkpoint=read_epochs(data), quotes=_all(data))
        case Role.PROPERTIES | Role.TOPIC_ID:
            return _read(member, data, role, place=place, properties=read_properties(data))
        case _:
            return _read(member, data, role, place=place)


def _scanned(member: Member, scanned: Scanned) -> tuple[str, str, int, int | None]:
    return member.path, scanned.sha256, scanned.size, member.mtime_ns


def _read(member: Member, data: bytes, role: Role, **found: Any) -> ReadFile:  # noqa: ANN401 - fields of ReadFile
    return ReadFile(member.path, hashlib.sha256(data).hexdigest(), len(data), member.mtime_ns, role, **found)


def _all(data: bytes) -> tuple[Packed, ...]:
    """A small file, whole."""
    return (packed(whole(Block(1, 0, data))),)


def _by_content(member: Member, stream: Stream, work: Work) -> tuple[ReadFile, ...]:
    """A log, read in pieces, or something that is not read."""
    probe = _probe_of(stream)
    if probe.startswith(DUMP_START):
        data = stream.held(MOST_TEXT_BYTES)
        dumped = [
            _read(member, data, Role.SEGMENT, segment=one.segment, place=one.place) for one in read_dump(data)
        ]
        return tuple(dumped) or (_read(member, data, Role.IGNORED),)
    if is_tool_text(probe):
        data = stream.held(MOST_TEXT_BYTES)
        return (_read(member, data, Role.TOOL, tool=read_tool_text(data)),)
    layout = find_layout(probe)
    log = None if layout is None else SharedLog(layout)
    pulled = pull(stream, _unread if log is None else log.feed, work)
    if pulled.fault is not None and member.alone:
        facts = pulled.fault
        raise DamagedError.of(facts)
    common = (member.path, pulled.sha256, pulled.size, member.mtime_ns)
    if log is None:
        fault = pulled.fault
        if fault is None and is_unknown_log(probe):
            fault = unknown(member.path, probe)
        return (ReadFile(*common, Role.IGNORED, fault=fault),)
    read = [
        ReadFile(*common, Role.LOG, quotes, own, drafts, fault=pulled.fault)
        for own, drafts, quotes in log.end()
    ]
    read += [
        ReadFile(*common, Role.IGNORED, layout=own, fault=unknown(member.path, b"")) for own in log.unread
    ]
    return tuple(read)


def _probe_of(stream: Stream) -> bytes:
    """The beginning of a text, behind the zeros in front of it."""
    while (probe := stream.peek(PROBE_BYTES)) and not probe.strip(b"\0"):
        stream.read(len(probe))
    return probe.replace(b"\0", b"") if b"\0" in probe else probe


def _unread(_piece: bytes) -> None:
    """Bytes of what is not read: they only count."""


def unknown(path: str, probe: bytes) -> Facts:
    """Why a log is not read whose layout was not found, by its beginning."""
    if has_days_that_may_be_months(probe):
        return Facts(
            message("error.log.two-dates"),
            why=message("error.log.two-dates.why"),
            where=at(path),
            advice=message("error.log.two-dates.way-out"),
        )
    return Facts(
        message("error.log.layout"),
        why=message("error.log.layout.why"),
        where=at(path),
        background=message("error.log.layout.background"),
        advice=message("error.log.layout.way-out"),
    )
