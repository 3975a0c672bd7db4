"""From a time to the state then, in logs cut to seconds: several cursors may be that time.

Three events at 12:00:05 may have happened before or after 12:00:05.3: the state then covers all four cursors.
"""

from typing import TypeVar

from core.history.state import (
    UNKNOWN_BAND,
    Band,
    History,
    PartitionState,
    ReplicaHistory,
    ReplicaState,
    Role,
    Steps,
)
from core.trace.ids import Nanos
from core.trace.vocabulary import Basis

_T = TypeVar("_T")


def state_at(history: History, cursor: int, moment: int | None = None) -> PartitionState:
    """The state at a cursor, or at a moment, in ns, whose last cursor it is.

    Where it is not known which events had happened at that moment, it covers all cursors that may be that
    moment: bands cover those of each, and a value that is not the same at all of them is not known.
    """
    if moment is None:
        return history.at(cursor)
    first = min(cursor, history.trace.first_cursor_at(Nanos(moment)))
    if first == cursor:
        return history.at(cursor, moment)
    return PartitionState(
        cursor=cursor,
        at=history.time_of(cursor),
        leader=_same(history.leader, first, cursor),
        leader_epoch=_same(history.leader_epoch, first, cursor),
        isr=_same(history.isr, first, cursor),
        replicas=tuple(_replica(one, first, cursor, moment) for one in history.replicas.values()),
    )


def _replica(history: ReplicaHistory, first: int, last: int, moment: int) -> ReplicaState:
    """The state of one replica over the cursors first..last, at a moment in ns."""
    states = [history.at(cursor, moment) for cursor in _changing_cursors(history, first, last)]
    local = [one.local_start for one in states if one.local_start is not None]
    return ReplicaState(
        broker=history.broker,
        role=_same(history.role, first, last) or Role.UNKNOWN,
        alive=_same(history.alive, first, last),
        in_isr=_same(history.in_isr, first, last),
        epoch=_same(history.epoch, first, last),
        log_start=_hull([one.log_start for one in states]),
        leo=_hull([one.leo for one in states]),
        hw=_hull([one.hw for one in states]),
        epochs=_same(history.epochs, first, last),
        runs=_same(history.runs, first, last) or (),
        remote=_same(history.remote, first, last) or (),
        lso=_hull([one.lso for one in states]),
        local_start=_hull(local) if local else None,
    )


def _changing_cursors(history: ReplicaHistory, first: int, last: int) -> list[int]:
    """`first`, and the cursors after it, to `last`, at which something of the replica's log changes."""
    found = {first}
    for steps in (history.log_start, history.leo, history.hw):
        found.update(cursor for cursor, _, _ in steps.changes(first, last))
    if history.local_starts is not None:
        found.update(cursor for cursor, _, _ in history.local_starts.changes(first, last))
    if history.stable is not None:
        found.update(cursor for cursor in history.stable.cursors if first < cursor <= last)
    if history.caps is not None:
        found.update(cursor for cursor in history.caps.starts if first < cursor <= last)
    return sorted(found)


def _same(steps: Steps[_T], first: int, last: int) -> _T | None:
    """The value, if it is the same at all cursors first..last; else None."""
    value = steps.at(first)
    return None if any(value != new for _, _, new in steps.changes(first, last)) else value


def _hull(bands: list[Band]) -> Band:
    """The narrowest band that covers all of these."""
    if all(band == bands[0] for band in bands):
        return bands[0]
    lows = [band.lo for band in bands]
    highs = [band.hi for band in bands]
    lo = None if None in lows else min(low for low in lows if low is not None)
    hi = None if None in highs else max(high for high in highs if high is not None)
    if lo is None and hi is None:
        return UNKNOWN_BAND
    weakest = max(bands, key=lambda band: band.basis)
    return Band(lo, hi, max(weakest.basis, Basis.BOUNDED), weakest.rule)
