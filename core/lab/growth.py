"""How many records each leader appended between two faults, as far as its log end is known."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from core.diagnose.verdict.facts import Leadership
from core.history.state import Band
from core.lab.choices import Stance, within
from core.lab.faults import BACK, Fault
from core.lab.material import Material
from core.trace.units import MILLISECOND_NS

_AT_ONCE: Final = 100 * MILLISECOND_NS
"""What a log holds so soon after the start it held then."""
_CLEAN: Final = frozenset({"clean", "preferred", "controlled"})
"""Elections in which the new leader held no more than the old one."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Records that a leader appended from `start` to `end`, times in ns. `held` of them reached no follower.

    `lo` and `hi` bound its log end at the end; `log_end` is what was taken.
    """

    leader: int
    start: int
    end: int
    count: int
    log_end: int
    lo: int
    hi: int
    held: int = 0


@dataclass(frozen=True, slots=True)
class _Mark:
    """The leader's log end at a time, between bounds; `crash` where that is its own."""

    at: int
    lo: int | None
    hi: int | None
    crash: Fault | None = None


def growth_of(
    material: Material, cursor: int, span: tuple[int, int], stance: Stance, floor: int
) -> tuple[Growth, ...]:
    """What leaders appended from a cursor on, up to the next fault each.

    `span` are its time and that of the end; `floor` is a log end that the leader had there at least.
    """
    start, until = span
    found: list[Growth] = []
    for tenure in material.verdict.leadership:
        end = tenure.end
        after = [one.start for one in material.verdict.leadership if one.start > tenure.start]
        ends = min([*after, until] if end is None or after else [end, until])
        if tenure.leader < 0 or ends < start or tenure.start > until:
            continue
        begun = material.history.replicas[tenure.leader].leo.at(cursor)
        if tenure.start > start or tenure is not material.tenure_at(start):
            begun = _log_end_at(material, tenure, tenure.start)
            if found and found[-1].leader == tenure.leader:
                # It leads on: what it had appended it still has.
                held = within(found[-1].log_end, None, begun.hi)
                begun = replace(begun, lo=max(begun.lo or 0, held))
            elif begun.lo is None and found:
                # It took over from the one before: what that had appended, as far as nothing bounds it.
                begun = replace(begun, lo=within(found[-1].log_end, None, begun.hi))
        elif begun.lo is None or begun.lo < floor:
            begun = replace(begun, lo=floor, hi=None if begun.hi is None else max(begun.hi, floor))
        found += _in_tenure(material, tenure, (max(tenure.start, start), ends), begun, stance)
    return tuple(one for one in found if one.end >= start)


def _log_end_at(material: Material, tenure: Leadership, at: int) -> Band:
    """The log end of a tenure's leader at a time."""
    return material.history.replicas[tenure.leader].leo.at(material.cursor_at(at))


def _in_tenure(
    material: Material, tenure: Leadership, span: tuple[int, int], begun: Band, stance: Stance
) -> Iterable[Growth]:
    """What one leader appended in a time, from mark to mark."""
    start, end = span
    marks = list(_marks(material, tenure, start, end))
    first = material.begins_at(tenure) if start == tenure.start else None
    if first is None:
        at_once = [one.lo for one in marks if one.at - start < _AT_ONCE and one.lo is not None]
        begun = replace(begun, lo=max([begun.lo or 0, *at_once]))
    ceiling = min([one.hi for one in marks if one.hi is not None], default=begun.hi)
    crash = next((one.crash for one in marks if one.crash is not None), None)
    copied = None if crash is None else _copied(material, tenure, crash, stance)
    if copied is not None:
        # What no follower copied came later: followers fetch at once.
        ceiling = copied if ceiling is None else min(ceiling, copied)
    last = first if first is not None else within(_taken(begun.lo, begun.hi, stance), begun.lo, ceiling)
    last = max(begun.lo or 0, last if ceiling is None else min(last, ceiling))
    since = start
    for mark in marks:
        later = [one.hi for one in marks if one.at >= mark.at and one.hi is not None]
        hi = min(later, default=mark.hi)
        log_end = max(last, within(_taken(mark.lo, hi, stance), mark.lo, hi))
        raced = mark.crash is not None and material.raced(mark.crash) is not None
        alone = mark.crash is not None and copied is not None and not raced
        held = max(0, log_end - max(copied or 0, last)) if alone else 0
        lo, top = (log_end if one is None else one for one in (mark.lo, mark.hi))
        yield Growth(tenure.leader, since, mark.at, log_end - last, log_end, lo, top, held)
        last, since = log_end, mark.at
        if mark.crash is not None:
            break


def _taken(lo: int | None, hi: int | None, stance: Stance) -> int:
    """The bound of a leader's log end that a stance takes: more records are worse."""
    low = 0 if lo is None else lo
    return low if stance is Stance.BEST or hi is None else hi


def _marks(material: Material, tenure: Leadership, start: int, end: int) -> Iterable[_Mark]:
    """When the log end of a leader is known best: at the faults of its partition, and at the end."""
    leader = material.history.replicas[tenure.leader].leo
    for fault in material.faults:
        if not start <= fault.at <= end or fault.kind in BACK:
            continue
        band = leader.at(material.cursor_at(fault.at))
        own = material.returned(fault)
        if fault.broker == tenure.leader:
            known = own or band
            yield _Mark(fault.at, known.lo, known.hi, fault if fault.kind != "freeze" else None)
            return
        exact = None if own is None else own.exact
        if exact is not None and material.was_in_sync(fault):
            # It had copied all that there was: a follower is a message behind, no more.
            yield _Mark(fault.at, exact, exact)
        elif fault.broker in material.history.replicas:
            yield _Mark(fault.at, band.lo, band.hi)
    for one in material.deletions:
        if one.broker == tenure.leader and start <= one.at <= end:
            # Nothing above the high watermark is deleted.
            band = leader.at(one.seq + 1)
            yield _Mark(one.at, max(band.lo or 0, one.offset), band.hi)
    band = leader.at(material.cursor_at(end))
    # Where the leader goes on in the next epoch, that began at its log end.
    after = material.next_tenure(tenure)
    begins = None if after is None or after.election not in _CLEAN else material.begins_at(after)
    if after is not None and after.leader == tenure.leader and begins is not None:
        yield _Mark(end, begins, begins)
    elif begins is not None:
        yield _Mark(end, max(begins, band.lo or 0), None if band.hi is None else max(begins, band.hi))
    else:
        yield _Mark(end, band.lo, band.hi)


def _copied(material: Material, tenure: Leadership, crash: Fault, stance: Stance) -> int | None:
    """Up to where the next leader had copied the log of one that died.

    None where that one leads again, and where the next leader was away.
    """
    after = material.next_tenure(tenure)
    if after is None or after.leader == tenure.leader:
        return None
    raced = material.raced(crash)
    if raced is not None:
        # It may have cut its log since it was back: what it had copied is what it came back with.
        back = [one for one in material.faults if one.kind == "start" and one.broker == raced]
        loaded = material.loaded(raced, [one.seq for one in back if one.at <= crash.hi][-1])
        return None if loaded is None else loaded.hi
    if after.leader not in material.alive_at(crash.at):
        return None
    begins = material.begins_at(after)
    if begins is not None:
        return begins
    band = material.history.replicas[after.leader].leo.at(material.cursor_at(crash.at))
    return band.lo if stance is Stance.WORST else band.hi
