"""All files of the sources beside what was found out about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias

from core.assumptions import LOGS_OF_A_FOLDER_APART_BY_LESS
from core.message import message
from importers.kafka.drafts import Fact
from importers.merge.attribution import Owner, attribute
from importers.merge.backwards import all_in_order
from importers.merge.data_copies import copied_while_it_ran, with_copies_marked
from importers.merge.files import ReadFile, Role, noted
from importers.merge.folds import zones_by_folds
from importers.merge.repeated_parts import read_once
from importers.merge.set_back import SetBack, with_clocks_going_on
from importers.merge.several_logs import as_one_log
from importers.merge.years import dated
from importers.merge.zone_changes import with_one_zone_each
from importers.merge.zones import ASSUMED, Zone, zone_of
from importers.options import ImportOptions

_Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All files of the sources with what the second passes found out about them, in the order of `files`."""

    files: tuple[ReadFile, ...]
    owners: tuple[Owner, ...]
    zones: tuple[Zone, ...]
    set_back: tuple[SetBack, ...] = ()
    """When clocks were set back; the times of files go on over that."""


def gather(files: tuple[ReadFile, ...], options: ImportOptions) -> Gathered:
    """Years, owners and zones of files, each in one order."""
    whole = tuple(as_one_log(read_once(dated(file, options.year, options.day))) for file in files)
    owners = attribute(whole, options.broker, options.brokers)
    whole = with_copies_marked(whole, owners)
    of_broker = _facts(whole, owners)
    zones = tuple(
        _zone(file, owner.broker, of_broker, options) for file, owner in zip(whole, owners, strict=True)
    )
    whole, zones = _one_zone_a_folder(whole, owners, zones)
    zones = zones_by_folds(whole, owners, zones)
    whole, zones = with_one_zone_each(whole, owners, zones)
    whole, set_back = with_clocks_going_on(whole, owners, zones)
    ordered = all_in_order(whole, owners, zones)
    zones = tuple(zone for _, zone in ordered)
    whole = copied_while_it_ran(tuple(file for file, _ in ordered), owners, zones)
    return Gathered(whole, owners, zones, set_back)


def _facts(files: Sequence[ReadFile], owners: Sequence[Owner]) -> Mapping[int | None, tuple[Fact, ...]]:
    """What the logs of each broker state, but for those that print their zone."""
    facts: dict[int | None, tuple[Fact, ...]] = {}
    for file, owner in zip(files, owners, strict=True):
        if file.drafts is not None and not (file.layout and file.layout.zoned):
            facts[owner.broker] = (*facts.get(owner.broker, ()), *file.drafts.facts)
    return facts


def _zone(
    file: ReadFile,
    broker: int | None,
    of_broker: Mapping[int | None, tuple[Fact, ...]],
    options: ImportOptions,
) -> Zone:
    """The zone of one file: printed, stated, inferred from itself, else from the other logs of its broker."""
    if file.role is not Role.LOG:
        return Zone("UTC", "")
    if file.layout is not None and file.layout.zoned:
        return Zone("UTC", "stated")
    own = zone_of(broker, () if file.drafts is None else file.drafts.facts, options.zones)
    if own != ASSUMED or broker is None:
        return own
    return zone_of(broker, of_broker.get(broker, ()), options.zones)


def _one_zone_a_folder(
    files: tuple[ReadFile, ...], owners: Sequence[Owner], zones: tuple[Zone, ...]
) -> tuple[tuple[ReadFile, ...], tuple[Zone, ...]]:
    """The same with the zone that other logs in the folder show, for each log that shows none itself.

    Brokers that write into one folder run on one machine; so do those of a folder within it: 0/server.log
    beside broker-1.log. Where two zones are shown in a folder it is a collection, and nothing follows. Nor
    does it where the stamps of a broker are apart from all of those that show the zone by a quarter of an
    hour or more, as zones are: its logs may have been copied there from another machine. What the protocol
    orders may still show its zone, when clocks are tied.
    """
    with_logs = {PurePosixPath(file.path).parent for file in files if file.role is Role.LOG}
    folders = [_outermost(PurePosixPath(file.path).parent, with_logs) for file in files]
    shown: dict[PurePosixPath, dict[str, ReadFile]] = {}
    showing: dict[PurePosixPath, list[_Span]] = {}
    of_broker: dict[tuple[PurePosixPath, str], list[_Span]] = {}
    whose = [
        (folder, _group(file, owner)) for file, owner, folder in zip(files, owners, folders, strict=True)
    ]
    for file, zone, mine in zip(files, zones, whose, strict=True):
        of_broker.setdefault(mine, []).extend(_spans(file))
        if file.role is Role.LOG and zone.basis == "inferred":
            shown.setdefault(mine[0], {}).setdefault(zone.name, file)
            showing.setdefault(mine[0], []).extend(_spans(file))
    found = [
        _like_its_folder(
            file, zone, shown.get(mine[0], {}), at_one_time=_near(of_broker[mine], showing.get(mine[0], ()))
        )
        for file, zone, mine in zip(files, zones, whose, strict=True)
    ]
    return tuple(file for file, _ in found), tuple(zone for _, zone in found)


def _like_its_folder(
    file: ReadFile, zone: Zone, shown: Mapping[str, ReadFile], *, at_one_time: bool
) -> tuple[ReadFile, Zone]:
    """A log with its zone. `shown` has the zones of its folder, each with a log that shows it.

    `at_one_time`: stamps of its broker are near those of logs that show the zone.
    """
    if file.role is not Role.LOG or zone != ASSUMED or len(shown) != 1:
        return file, zone
    ((name, other),) = shown.items()
    if not at_one_time:
        apart = message("report.zone-not-of-folder", file=file.path, zone=name, other=other.path)
        return (file, zone) if name == zone.name else (noted(file, apart), zone)
    told = message("report.zone-of-folder", file=file.path, zone=name, other=other.path)
    return noted(file, told), Zone(name, "inferred", shared=True)


def _group(file: ReadFile, owner: Owner) -> str:
    """What has one clock: the logs of a broker, else the file."""
    return f"broker {owner.broker}" if owner.broker is not None else file.path


def _spans(file: ReadFile) -> tuple[_Span, ...]:
    """The first and the last stamp of a log as printed; none where it prints its zone."""
    if file.drafts is None or not len(file.drafts.stamps) or (file.layout and file.layout.zoned):
        return ()
    return ((int(file.drafts.stamps.min()), int(file.drafts.stamps.max())),)


def _near(some: Sequence[_Span], others: Sequence[_Span]) -> bool:
    """Whether some of the spans are less apart than two zones are."""
    return any(
        first - end < LOGS_OF_A_FOLDER_APART_BY_LESS.ns and start - last < LOGS_OF_A_FOLDER_APART_BY_LESS.ns
        for first, last in some
        for start, end in others
    )


def _outermost(folder: PurePosixPath, with_logs: set[PurePosixPath]) -> PurePosixPath:
    """The folder, or the outermost above it up to which every one has logs."""
    while folder.parent != folder and folder.parent in with_logs:
        folder = folder.parent
    return folder


def stated(gathered: Gathered, name: str) -> Mapping[int, str]:
    """What each broker's logs state last under a name."""
    found: dict[int, tuple[int, str]] = {}
    for file, owner in zip(gathered.files, gathered.owners, strict=True):
        for fact in file.drafts.facts if file.drafts is not None else ():
            if fact.name == name and owner.broker is not None:
                found[owner.broker] = max(found.get(owner.broker, (0, "")), (fact.local_ns, fact.value))
    return {broker: value for broker, (_, value) in found.items()}
