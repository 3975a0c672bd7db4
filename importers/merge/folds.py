"""The hour that clocks show twice in autumn: which zone has it, and which lines are of its second time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST, LINES_OUT_OF_ORDER_WITHIN
from core.trace.units import HOUR_NS, QUARTER_NS
from importers.lines.parsed import restamped
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role
from importers.merge.zones import SUMMER_TIME, Zone, ahead_of_utc, all_utc, offsets_at, to_utc

_STATED: Final = "stated"
_UNDECIDED, _FIRST, _SECOND = -1, 0, 1


@dataclass(frozen=True, slots=True)
class _Fall:
    """A log goes back by minutes within an hour of the clock, counted from 1970, at a byte."""

    hour: int
    byte: int


def zones_by_folds(
    files: Sequence[ReadFile], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[Zone, ...]:
    """The zone of each file, where logs that go back within one hour of the clock show which one it is.

    On one night a year 02:59 is followed by 02:00. A zone with such a night then is that of the broker, if
    what its logs state in UTC agrees. It is also that of brokers whose zone nothing else shows, unless one of
    their logs runs through the hour and does not go back.
    """
    falls = [
        _fall_of(file) if zone.basis != _STATED else None for file, zone in zip(files, zones, strict=True)
    ]
    given = list(zones)
    for hour in dict.fromkeys(fall.hour for fall in falls if fall is not None):
        back = {owner.broker for owner, fall in zip(owners, falls, strict=True) if fall and fall.hour == hour}
        through = {
            owner.broker
            for file, owner in zip(files, owners, strict=True)
            if owner.broker not in back and _runs_through(file, hour)
        }
        stated: dict[int | None, list[tuple[int, int, int]]] = {}
        for file, owner, fall, zone in zip(files, owners, falls, zones, strict=True):
            if zone.basis != _STATED:
                stated.setdefault(owner.broker, []).extend(_stated_in(file, fall))
        for place, (file, owner, zone) in enumerate(zip(files, owners, zones, strict=True)):
            if file.role is Role.LOG and zone.basis != _STATED and owner.broker not in through:
                given[place] = _zone_with(hour, stated.get(owner.broker, ())) or given[place]
    return tuple(given)


def _fall_of(file: ReadFile) -> _Fall | None:
    """Where a log goes back by minutes within one hour of the clock; None for all others."""
    if file.role is not Role.LOG or file.drafts is None or not len(file.drafts.stamps):
        return None
    tops = np.maximum.accumulate(file.drafts.stamps)[:-1]
    after = file.drafts.stamps[1:]
    back = (after < tops - CLOCK_SET_BACK_AT_MOST.ns) & (after // HOUR_NS == tops // HOUR_NS)
    place = int(back.argmax()) if back.any() else None
    return None if place is None else _Fall(int(tops[place] // HOUR_NS), int(file.drafts.bytes[place + 1]))


def _runs_through(file: ReadFile, hour: int) -> bool:
    """Whether a log has lines before an hour, in it and after it."""
    if file.role is not Role.LOG or file.drafts is None:
        return False
    shown = file.drafts.stamps // HOUR_NS
    return bool((shown < hour).any() and (shown == hour).any() and (shown > hour).any())


def _stated_in(file: ReadFile, fall: _Fall | None) -> Iterator[tuple[int, int, int]]:
    """(stamp, how far its clock was ahead of UTC, in which hour it stands) of what a log states in UTC."""
    for fact in file.drafts.facts if file.drafts is not None else ():
        ahead = ahead_of_utc(fact)
        if ahead is not None:
            known = fall is not None and fact.local_ns // HOUR_NS == fall.hour
            half = _SECOND if fall is not None and fact.byte >= fall.byte else _FIRST
            yield fact.local_ns, ahead, half if known else _UNDECIDED


def _zone_with(hour: int, stated: Iterable[tuple[int, int, int]]) -> Zone | None:
    """A zone whose clocks show an hour twice and that agrees with all that is stated in UTC, or None."""
    for name in SUMMER_TIME:
        first, second = offsets_at(name, hour * HOUR_NS)
        if first > second and all(
            ahead in offsets_at(name, local) if half == _UNDECIDED else ahead == offsets_at(name, local)[half]
            for local, ahead, half in stated
        ):
            return Zone(name, "inferred")
    return None


def later_by(stamps: NDArray[np.int64], zone: Zone) -> NDArray[np.int64]:
    """For each stamp by how much later, ns, the second moment is that it may name; 0 where it names one."""
    quarters, place = np.unique(stamps // QUARTER_NS, return_inverse=True)
    pairs = (offsets_at(zone.name, quarter * QUARTER_NS) for quarter in quarters.tolist())
    return np.array([max(first - second, 0) for first, second in pairs], dtype=np.int64)[place]


def told_apart(
    found: Sequence[tuple[ReadFile, Zone]], owners: Sequence[Owner]
) -> tuple[tuple[ReadFile, Zone], ...]:
    """The logs that never go back but have lines in an hour that came twice, with times in UTC.

    What their lines state in UTC decides, else the hour in which more of their lines stand near those of
    other logs: of the same broker, or if there are none, of any. The first one where nothing decides.
    """
    given = list(found)
    doubtful = {place for place, (file, zone) in enumerate(found) if _is_doubtful(file, zone)}
    for place in sorted(doubtful):
        file, zone = found[place]
        drafts = file.drafts
        if drafts is None:
            continue
        others = [other for other in range(len(found)) if other not in doubtful and found[other][0].drafts]
        own = [other for other in others if owners[other] == owners[place]]
        near = [_utc(given[other]) for other in own or others]
        first = all_utc(drafts.stamps, to_utc(zone.name))
        later = later_by(drafts.stamps, zone)
        second = _by_facts(file, zone, later)
        open_ = (second == _UNDECIDED) & (later > 0)
        second[open_] = _near(first[open_] + later[open_], near) > _near(first[open_], near)
        utc = first + np.where(second == _SECOND, later, 0)
        given[place] = replace(file, drafts=restamped(drafts, utc)), Zone("UTC", zone.basis)
        doubtful = doubtful - {place}
    return tuple(given)


def _is_doubtful(file: ReadFile, zone: Zone) -> bool:
    if file.role is not Role.LOG or file.drafts is None or not len(file.drafts.stamps):
        return False
    return bool(later_by(file.drafts.stamps, zone).any())


def _utc(found: tuple[ReadFile, Zone]) -> NDArray[np.int64]:
    """The times of a log, sorted."""
    file, zone = found
    stamps = file.drafts.stamps if file.drafts is not None else np.empty(0, dtype=np.int64)
    return np.sort(all_utc(stamps, to_utc(zone.name)))


def _by_facts(file: ReadFile, zone: Zone, later: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each record whether it is of the second hour, as far as statements in UTC beside its time show.

    All after one of the second hour are of it, and all before one of the first of that.
    """
    drafts = file.drafts
    decided = np.full(len(later), _UNDECIDED)
    for fact in drafts.facts if drafts is not None else ():
        ahead = ahead_of_utc(fact)
        first, second = offsets_at(zone.name, fact.local_ns)
        if drafts is None or first == second or ahead not in (first, second):
            continue
        place = int(np.searchsorted(drafts.bytes, fact.byte))
        if ahead == second:
            decided[place:] = _SECOND
        else:
            decided[: place + 1] = _FIRST
    return decided


def _near(times: NDArray[np.int64], logs: Sequence[NDArray[np.int64]]) -> int:
    """How many times have a line of another log near them."""
    count = np.zeros(len(times), dtype=bool)
    for log in logs:
        begin = np.searchsorted(log, times - LINES_OUT_OF_ORDER_WITHIN.ns)
        end = np.searchsorted(log, times + LINES_OUT_OF_ORDER_WITHIN.ns, side="right")
        count |= end > begin
    return int(count.sum())
