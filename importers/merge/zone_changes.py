"""Logs of one broker that begin in one zone and go on in another: the machine was set to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST, LINES_OUT_OF_ORDER_WITHIN
from core.message import message
from importers.kafka.drafts import Fact
from importers.lines.parsed import restamped
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, noted
from importers.merge.zones import SUMMER_TIME, Zone, ahead_of_utc, offset_name

_MOST: Final = 8
"""Changes of one broker's zone; where more are shown, its logs are of several machines."""
_SHOWN: Final = "inferred"


@dataclass(frozen=True, slots=True)
class _Change:
    """From so much ahead of UTC to so much, ns, between the last moment of one and the first of the other."""

    old: int
    new: int
    after: int
    before: int


def with_one_zone_each(
    files: Sequence[ReadFile], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[tuple[ReadFile, ...], tuple[Zone, ...]]:
    """The files and their zones; logs of a broker whose zone changed with times in UTC.

    What a log states in UTC beside its own time shows its zone then. Where two of a broker's logs show two
    zones one after the other, all its logs changed in between: where a log shows no zone itself, the one
    of that moment holds. A change is believed only where the stamps leap by it, at one place.
    """
    given, named = list(files), list(zones)
    logs: dict[int, list[int]] = {}
    for place, (file, owner, zone) in enumerate(zip(files, owners, zones, strict=True)):
        read = file.role is Role.LOG and file.drafts is not None and len(file.drafts.stamps)
        if read and owner.broker is not None and zone.basis == _SHOWN and zone.name not in SUMMER_TIME:
            logs.setdefault(owner.broker, []).append(place)
    for places in logs.values():
        changes = _changes([fact for place in places for fact in _facts(files[place])])
        narrowed = _narrowed(changes, [files[place] for place in places]) if changes else None
        for place in places if narrowed else ():
            ahead = _ahead(files[place], narrowed or ())
            if ahead is not None:
                given[place], named[place] = _in_utc(files[place], ahead)
    return tuple(given), tuple(named)


def _facts(file: ReadFile) -> tuple[Fact, ...]:
    return () if file.drafts is None else file.drafts.facts


def _changes(facts: Sequence[Fact]) -> tuple[_Change, ...]:
    """The changes of zone that facts show; none where two zones are shown at one time."""
    shown = sorted(
        {(fact.local_ns - ahead, ahead) for fact in facts if (ahead := ahead_of_utc(fact)) is not None}
    )
    found = tuple(
        _Change(old, new, after, before) for (after, old), (before, new) in pairwise(shown) if old != new
    )
    apart = all(change.before - change.after > LINES_OUT_OF_ORDER_WITHIN.ns for change in found)
    return found if apart and len(found) <= _MOST else ()


def _narrowed(changes: Sequence[_Change], files: Sequence[ReadFile]) -> tuple[_Change, ...] | None:
    """The changes with the moments between which the logs leap; None where one shows no single leap."""
    found: list[_Change] = []
    for change in changes:
        leaps = [leap for file in files if (leap := _leap(file, change)) is not None]
        if not leaps:
            return None
        found.append(
            _Change(change.old, change.new, max(one for one, _ in leaps), min(one for _, one in leaps))
        )
    return tuple(found) if all(change.after <= change.before for change in found) else None


def _leap(file: ReadFile, change: _Change) -> tuple[int, int] | None:
    """The last moment before a leap by a change, and the first after it, where a log shows one such leap."""
    if file.drafts is None:
        return None
    stamps = file.drafts.stamps
    places = _leaps(stamps, change)
    if len(places) != 1:
        return None
    return int(stamps[places[0] - 1]) - change.old, int(stamps[places[0]]) - change.new


def _leaps(stamps: NDArray[np.int64], change: _Change) -> NDArray[np.intp]:
    """The records that are by a change apart from the one before, around the time in which it happened."""
    by = change.new - change.old
    steps = np.diff(stamps)
    slack = LINES_OUT_OF_ORDER_WITHIN.ns
    leap = steps > by - slack if by > 0 else steps < -CLOCK_SET_BACK_AT_MOST.ns
    around = (stamps[:-1] - change.old <= change.before + slack) & (
        stamps[1:] - change.new >= change.after - slack
    )
    forward = stamps[1:] - change.new >= stamps[:-1] - change.old - slack
    return np.flatnonzero(leap & around & forward) + 1


def _ahead(file: ReadFile, changes: Sequence[_Change]) -> NDArray[np.int64] | None:
    """By how much each record is ahead of UTC; None where a log does not show on which side it is."""
    if file.drafts is None:
        return None
    stamps = file.drafts.stamps
    ahead = np.full(len(stamps), changes[0].old)
    begin = 0
    for change in changes:
        places = _leaps(stamps[begin:], change) + begin
        if len(places) == 1:
            begin = int(places[0])
        elif len(places) or not _is_on_one_side(stamps[begin:], change):
            return None
        elif int(stamps[begin]) - change.new < change.before - LINES_OUT_OF_ORDER_WITHIN.ns:
            begin = len(stamps)
            break
        ahead[begin:] = change.new
    return ahead


def _is_on_one_side(stamps: NDArray[np.int64], change: _Change) -> bool:
    """Whether all records were printed before a change, or all after it."""
    slack = LINES_OUT_OF_ORDER_WITHIN.ns
    before = int(stamps.max()) - change.old <= change.after + slack
    after = int(stamps.min()) - change.new >= change.before - slack
    return before != after


def _in_utc(file: ReadFile, ahead: NDArray[np.int64]) -> tuple[ReadFile, Zone]:
    """A log by how much its records are ahead of UTC."""
    if file.drafts is None or not len(changed := np.flatnonzero(np.diff(ahead)) + 1):
        return file, Zone(offset_name(int(ahead[0])), _SHOWN)
    told = message(
        "report.zone-changed",
        file=file.path,
        line=int(file.drafts.lines[changed[0]]),
        old=offset_name(int(ahead[0])),
        new=offset_name(int(ahead[changed[0]])),
    )
    return noted(file, told, drafts=restamped(file.drafts, file.drafts.stamps - ahead)), Zone("UTC", _SHOWN)
