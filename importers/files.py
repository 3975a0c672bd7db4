"""What a file is, judged by its name and content, and what one reading of it gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from importers.checkpoints import (
    EPOCH_FILE,
    OFFSET_FILES,
    Checkpoint,
    read_epochs,
    read_offsets,
    read_properties,
)
from importers.containers import Member
from importers.drafts import Drafts
from importers.layout import Layout, find_layout
from importers.parser import parse
from importers.segments import Segment, read_segment

_SEGMENT: Final = re.compile(r"(\d{20})\.log")
_PARTITION_DIR: Final = re.compile(r"([\w.\-]+)-(\d+)")
_SNAPSHOT_DIR: Final = re.compile(r"-at-\d|snapshot|backup|before|copy", re.IGNORECASE)
_PROPERTIES: Final = re.compile(r"(?:meta|server|broker|kafka)[\w.\-]*\.properties")


class Role(StrEnum):
    """What a file is to an import."""

    LOG = "log"
    SEGMENT = "segment"
    OFFSETS = "offset checkpoint"
    EPOCHS = "leader epoch checkpoint"
    PROPERTIES = "properties"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class DataPlace:
    """Where a file lies: the data directory, whether it is a snapshot taken earlier, the partition."""

    directory: str
    snapshot: bool
    tp: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file of a source, read once. `data` is kept for texts, from which raw lines are quoted."""

    path: str
    sha256: str
    size: int
    mtime_ns: int | None
    role: Role
    data: bytes = b""
    layout: Layout | None = None
    drafts: Drafts | None = None
    segment: Segment | None = None
    checkpoint: Checkpoint | None = None
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    place: DataPlace | None = None


def read_file(member: Member) -> ReadFile:
    """Judge and read one member. Never raises: what is not understood is IGNORED."""
    path = PurePosixPath(member.path)
    size = len(member.data)
    if member.skipped:
        return ReadFile(member.path, "", 0, member.mtime_ns, Role.IGNORED)
    name, digest = path.name, member.sha256()
    common = (member.path, digest, size, member.mtime_ns)
    segment = _SEGMENT.fullmatch(name)
    if segment and _PARTITION_DIR.fullmatch(path.parent.name):
        found = read_segment(member.data, int(segment[1]))
        return ReadFile(
            *common, Role.SEGMENT, segment=found, place=_place(path.parent.parent, path.parent.name)
        )
    if name in OFFSET_FILES:
        checkpoint = read_offsets(member.data)
        return ReadFile(
            *common, Role.OFFSETS, member.data, checkpoint=checkpoint, place=_place(path.parent, "")
        )
    if name == EPOCH_FILE:
        place = _place(path.parent.parent, path.parent.name)
        return ReadFile(*common, Role.EPOCHS, member.data, checkpoint=read_epochs(member.data), place=place)
    if _PROPERTIES.fullmatch(name):
        properties = read_properties(member.data)
        return ReadFile(*common, Role.PROPERTIES, properties=properties, place=_place(path.parent, ""))
    layout = find_layout(member.data)
    if layout is None:
        return ReadFile(*common, Role.IGNORED)
    return ReadFile(*common, Role.LOG, member.data, layout, parse(member.data, layout))


def _place(directory: PurePosixPath, partition: str) -> DataPlace:
    match = _PARTITION_DIR.fullmatch(partition)
    tp = (match[1], int(match[2])) if match else None
    return DataPlace(directory.as_posix(), bool(_SNAPSHOT_DIR.search(directory.name)), tp)
