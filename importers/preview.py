"""What an import would find, from the beginning and end of each file: fast, before anything is read whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.errors import Facts
from core.message import Message, message
from core.trace.ids import Nanos
from core.work import QUIET, Work
from importers.containers.containers import Member, members, size_of
from importers.disk.dump_text import DUMP_START
from importers.disk.tool_text import is_tool_text
from importers.limits import DamagedError, Stream
from importers.lines.layout import PROBE_BYTES, Layout, find_layout, is_unknown_log, told_layout
from importers.lines.parsed import Drafts, joined
from importers.lines.parser import parse
from importers.lines.records import next_record
from importers.lines.speakers import layouts_in
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, place_by_name, read_files, role_by_name, unknown
from importers.merge.gathered import gather
from importers.merge.over_time import last_releases
from importers.merge.years import year_by_file_time
from importers.merge.zones import Zone
from importers.options import ImportOptions

_END_BYTES: Final = 64 * 1024
_MOST_UNPACKED: Final = 256 * 1024**2
"""Of one packed file; the end of a larger one is not looked for."""
_NO_OPTIONS: Final = ImportOptions()
_DATA_ROLES: Final = frozenset(
    (Role.SEGMENT, Role.OFFSETS, Role.EPOCHS, Role.METADATA, Role.TOPIC_ID, Role.CLEAN)
)


class Is(StrEnum):
    """What would become of a file."""

    LOG = "Kafka log"
    DATA = "data directory"
    SETTINGS = "settings"
    OTHER = "log of another program"
    UNREAD = "not read"
    DAMAGED = "cannot be read"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file as an import would take it, as far as its beginning and end show.

    `name` is the key under which ImportOptions.brokers has it; `path` the one for ImportOptions.left_out.
    `first_local` and `last_local` are its times as printed, in `zone`; None where none was seen, and
    `last_local` where the end is out of reach. `printed` says that the stamps have their zone with them.
    `fault` says why a file is not read.
    """

    name: str
    path: str
    is_: Is
    role: Role
    size: int | None
    directory: str = ""
    layout: Message | None = None
    broker: int | None = None
    found_by: str = ""
    zone: Zone | None = None
    printed: bool = False
    first_local: Nanos | None = None
    last_local: Nanos | None = None
    yearless: bool = False
    fault: Facts | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What was found in the sources, sorted by path. `versions` are those that brokers printed.

    `year` is the year in which logs without one are taken to begin: as told, else by the date of the file;
    None where no log needs one, or nothing says it.
    """

    paths: tuple[str, ...]
    files: tuple[FoundFile, ...]
    versions: Mapping[int, str]
    year: int | None = None

    @property
    def worth_reading(self) -> bool:
        """Whether anything in it is a broker's, as far as was looked."""
        return any(file.is_ in (Is.LOG, Is.DATA) for file in self.files)


def preview(paths: Sequence[str | Path], options: ImportOptions = _NO_OPTIONS, work: Work = QUIET) -> Preview:
    """Look at the beginning and end of every file. Nothing is kept, nothing is written.

    An import may find more: what only the middle of a file says, and zones that follow from what ties brokers
    together. What `options` leave out is listed all the same. Raises what `importers.load.load` raises for
    sources that cannot be opened, and CancelledError.
    """
    total = size_of(paths)
    files: list[ReadFile] = []
    behind = 0
    for member in members(paths, work):
        if member.stream is not None:
            behind = max(behind, member.stream.done)
        work.step(
            behind // 1024, total // 1024, message("progress.looking", name=member.path.rsplit("/", 1)[-1])
        )
        files += _look(member)
    files.sort(key=lambda file: file.path)
    year = options.year
    if year is None:
        guesses = [guess for file in files if (guess := year_by_file_time(file)) is not None]
        year = min(guesses, default=None)
    gathered = gather(tuple(files), replace(options, year=year))
    versions = last_releases(gathered)
    found = tuple(
        _found(gathered.files[place], owner, gathered.zones[place], files[place])
        for place, owner in enumerate(gathered.owners)
    )
    needed = any(file.yearless for file in found)
    return Preview(tuple(str(path) for path in paths), found, dict(versions), year if needed else None)


def _look(member: Member) -> tuple[ReadFile, ...]:
    """One member, or one entry for each speaker of a log that several share."""
    role = role_by_name(member.path)
    try:
        if member.stream is None or role is Role.PROPERTIES:
            return read_files(member)
        if role is not None:
            size = _size(member.stream)
            place = place_by_name(member.path, role)
            return (ReadFile(member.path, "", size, member.mtime_ns, role, place=place),)
        return _log(member, member.stream)
    except DamagedError as error:
        return (ReadFile(member.path, "", 0, member.mtime_ns, Role.IGNORED, fault=error.facts),)


def _size(stream: Stream) -> int:
    """How large a member is; −1 where finding out would take long."""
    end = stream.end(1, _MOST_UNPACKED)
    return -1 if end is None else end[0] + len(end[1])


def _log(member: Member, stream: Stream) -> tuple[ReadFile, ...]:
    """A log by its beginning and end, or something that is not read."""
    head = stream.peek(PROBE_BYTES)
    common = (member.path, "")
    if head.startswith(DUMP_START):
        return (ReadFile(*common, _size(stream), member.mtime_ns, Role.SEGMENT),)
    if is_tool_text(head):
        return (ReadFile(*common, _size(stream), member.mtime_ns, Role.TOOL),)
    layout = find_layout(head)
    fault: Facts | None = None
    try:
        end = stream.end(_END_BYTES, _MOST_UNPACKED) if layout is not None else None
        size = end[0] + len(end[1]) if end is not None else -1 if layout is not None else _size(stream)
    except DamagedError as error:
        end, size, fault = None, stream.taken, error.facts
    if layout is None:
        if fault is None and is_unknown_log(head):
            fault = unknown(member.path, head)
        return (ReadFile(*common, size, member.mtime_ns, Role.IGNORED, fault=fault),)
    layouts = layouts_in(head if end is None else head + b"\n" + end[1], layout)
    found = [(own, _drafts(head, end, own)) for own in layouts]
    return tuple(
        ReadFile(*common, size, member.mtime_ns, Role.LOG, (), own, drafts, fault=fault)
        for own, drafts in found
        if len(layouts) == 1 or len(drafts.stamps)
    )


def _drafts(head: bytes, end: tuple[int, bytes] | None, layout: Layout) -> Drafts:
    """What the records at the beginning and at the end say."""
    whole = end is not None and end[0] <= len(head)
    if end is not None and whole:
        return parse(head + end[1][len(head) - end[0] :], layout)
    first = parse(head[: head.rfind(b"\n") + 1], layout)
    if end is None:
        return replace(first, records={**first.records, "stamps": first.stamps[:1]})
    begin, tail = end
    cut = next_record(tail, layout, 1)
    # Nobody asks for the lines of a preview, so the last ones are not counted.
    return joined((first, parse(tail[cut:], layout, base=begin + cut)))


def _found(file: ReadFile, owner: Owner, zone: Zone, before: ReadFile) -> FoundFile:
    """`before` is the file as it was read, before logs without a year were given one."""
    stamps = file.drafts.stamps if file.drafts is not None else ()
    log = before.drafts is not None and before.drafts.kafka
    printed = file.layout is not None and file.layout.zoned
    return FoundFile(
        name=file.name,
        path=file.path,
        is_=_is(before),
        role=before.role,
        size=file.size if file.size >= 0 else None,
        directory=file.place.directory if file.place is not None else "",
        layout=told_layout(file.layout) if log and file.layout is not None else None,
        broker=owner.broker,
        found_by=owner.how,
        zone=zone if log else None,
        printed=log and printed,
        first_local=Nanos(int(min(stamps))) if log and len(stamps) else None,
        last_local=Nanos(int(max(stamps))) if log and len(stamps) and not _open_end(before) else None,
        yearless=log and before.layout is not None and before.layout.yearless,
        fault=file.fault,
    )


def _open_end(file: ReadFile) -> bool:
    """Whether the end of a log was out of reach."""
    return file.size < 0 or (file.role is Role.LOG and file.fault is not None)


def _is(file: ReadFile) -> Is:
    if file.drafts is not None:
        return Is.LOG if file.drafts.kafka else Is.OTHER
    if file.role in _DATA_ROLES:
        return Is.DATA
    if file.role is Role.PROPERTIES:
        return Is.SETTINGS
    return Is.UNREAD if file.fault is None else Is.DAMAGED
