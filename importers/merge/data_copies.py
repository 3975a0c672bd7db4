"""Which of several folders of one broker is its data directory at the end, and which are earlier copies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from core.assumptions import CHECKPOINT_WRITTEN_EVERY
from core.history.statements import CHECKPOINTS_MISSED
from core.message import Moment, message
from importers.disk.checkpoints import HW_FILE
from importers.disk.data_dirs import EARLIER
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, noted
from importers.merge.zones import ASSUMED, Zone, all_utc, to_utc


@dataclass(frozen=True, slots=True)
class DirectoryFacts:
    """What one data directory shows of itself: its id (3.7), its partitions, its latest write."""

    identity: str
    partitions: frozenset[tuple[str, int]]
    written: int


def earlier_copies(directories: Mapping[str, DirectoryFacts]) -> frozenset[str]:
    """Of the data directories of one broker, those that are earlier copies of another.

    Several directories of one broker are several disks (JBOD), unless they have the same id or hold the same
    partition: then they are one, copied at several times, and what was written last is the end.
    """
    found: set[str] = set()
    names = sorted(directories)
    for name in names:
        mine = directories[name]
        for other in names:
            that = directories[other]
            if other != name and _same(mine, that) and _later(name, mine) < _later(other, that):
                found.add(name)
    return frozenset(found)


def _same(one: DirectoryFacts, other: DirectoryFacts) -> bool:
    if one.identity and other.identity:
        return one.identity == other.identity
    return bool(one.partitions & other.partitions)


def _later(name: str, facts: DirectoryFacts) -> tuple[bool, int, int, str]:
    """What is named as a copy comes before; then by time; without times the plainer name is the last."""
    return not EARLIER.search(PurePosixPath(name).name), facts.written, -len(name), name


def with_copies_marked(files: tuple[ReadFile, ...], owners: Sequence[Owner]) -> tuple[ReadFile, ...]:
    """The files with earlier copies of data directories marked as such."""
    directories: dict[int | None, dict[str, list[ReadFile]]] = {}
    for file, owner in zip(files, owners, strict=True):
        if file.place is not None:
            directories.setdefault(owner.broker, {}).setdefault(file.place.directory, []).append(file)
    copies = frozenset(
        name
        for found in directories.values()
        for name in earlier_copies({one: _facts_of(held) for one, held in found.items()})
    )
    return tuple(
        replace(file, place=replace(file.place, snapshot=True))
        if file.place is not None and file.place.directory in copies
        else file
        for file in files
    )


def copied_while_it_ran(
    files: tuple[ReadFile, ...], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[ReadFile, ...]:
    """The files with data directories marked as earlier copies that were copied before the logs end.

    A broker that runs writes its high watermarks every few seconds. If the file with them is older than the
    broker's last line by more than twice that, it has the time of a copy: what the directory holds
    stood then, and not at the end. Logs whose zone nothing shows tell nothing of that.
    """
    spans: dict[int | None, list[tuple[int, int]]] = {}
    for file, owner, zone in zip(files, owners, zones, strict=True):
        if file.role is Role.LOG and file.drafts is not None and len(file.drafts.stamps) and zone != ASSUMED:
            utc = all_utc(file.drafts.stamps, to_utc(zone.name))
            spans.setdefault(owner.broker, []).append((int(utc.min()), int(utc.max())))
    copied: dict[tuple[int | None, str], ReadFile] = {}
    for file, owner in zip(files, owners, strict=True):
        span, at = spans.get(owner.broker), file.mtime_ns
        if span is None or at is None or file.place is None or file.place.snapshot:
            continue
        first, last = min(begin for begin, _ in span), max(end for _, end in span)
        watermarks = PurePosixPath(file.path).name == HW_FILE
        if watermarks and first <= at < last - CHECKPOINTS_MISSED * CHECKPOINT_WRITTEN_EVERY.ns:
            copied[owner.broker, file.place.directory] = file
    return tuple(
        _copied(file, copied[owner.broker, file.place.directory])
        if file.place is not None and (owner.broker, file.place.directory) in copied
        else file
        for file, owner in zip(files, owners, strict=True)
    )


def _copied(file: ReadFile, watermarks: ReadFile) -> ReadFile:
    """A file of a directory that was copied before the end; the one with the high watermarks tells it."""
    marked = file if file.place is None else replace(file, place=replace(file.place, snapshot=True))
    if file is not watermarks or file.mtime_ns is None:
        return marked
    return noted(marked, message("report.copied-earlier", file=file.path, at=Moment(file.mtime_ns)))


def _facts_of(held: Sequence[ReadFile]) -> DirectoryFacts:
    """What the files of one data directory say of it."""
    identity = next((one.properties["directory.id"] for one in held if "directory.id" in one.properties), "")
    partitions = {one.place.tp for one in held if one.place and one.place.tp and not one.place.state}
    for one in held:
        entries = one.checkpoint.entries if one.checkpoint is not None and one.role is Role.OFFSETS else ()
        partitions |= {(entry.topic, entry.partition) for entry in entries}
    written = max((one.mtime_ns for one in held if one.mtime_ns is not None), default=0)
    return DirectoryFacts(identity, frozenset(partitions), written)
