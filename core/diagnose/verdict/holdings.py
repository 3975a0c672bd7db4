"""Which replica held which records from when to when: runs of one leader epoch, never single records."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.diagnose.verdict.case import Case
from core.history.epoch_runs import Runs, end_of, slice_runs
from core.history.state import EpochRun
from core.trace.ids import Place

_AT_A_START: Final = frozenset({"log_created", "log_loaded"})


@dataclass(frozen=True, slots=True)
class Holding:
    """Offsets [first, end) of one epoch in one replica's log, for a time.

    `since` is the cursor from which it may have held the first of them, `whole` the one from which it surely
    held all (None: never proven before it went). `until` is the cursor from which they were gone; None: they
    are there at the end of the trace. `seq` is the row that took them away.
    """

    broker: int
    epoch: int | None
    first: int
    end: int
    since: int
    whole: int | None
    until: int | None
    records: tuple[str, ...] = ()
    """The names of the records, in a simulation."""

    @property
    def seq(self) -> int | None:
        """The row that took them away."""
        return None if self.until is None else self.until - 1


def find_holdings(case: Case) -> tuple[Holding, ...]:
    """All holdings of all replicas, by broker, then by the time at which they went, as far as proven."""
    found: list[Holding] = []
    for broker in case.history.replicas:
        found.extend(_of_replica(case, broker))
    return tuple(found)


def _of_replica(case: Case, broker: int) -> list[Holding]:
    """The holdings of one replica, by the time at which they went."""
    steps = case.history.replicas[broker].runs
    found: list[Holding] = []
    begun: list[tuple[int, int, int]] = []
    # (first, end, index of the step): where something went, so that a later holding began after that.
    for index in range(1, len(steps.values)):
        before, now = steps.values[index - 1], steps.values[index]
        if _grows(before, now):
            continue
        place = case.history.rank(steps.cursors[index])
        proven = _proven_before(case, broker, place - 1) if place else None
        gone = _gone(before, now)
        for run in _by_coming(gone, begun):
            end = run.end if case.view.exact else min(run.end, -1 if proven is None else proven)
            if end > run.start:
                found.append(_holding(case, broker, run, end, begun, index))
        begun += [(run.start, run.end, index) for run in gone]
    top = case.leo(broker, case.end).lo
    for run in _by_coming(steps.values[-1], begun):
        end = run.end if case.view.exact else min(run.end, -1 if top is None else top)
        if end > run.start:
            found.append(_holding(case, broker, run, end, begun, None))
    return found


def _proven_before(case: Case, broker: int, row: int) -> int | None:
    """Where a log surely ended before a row that took a part of it.

    What is missing as a log is loaded or made went with the process before: nothing shows its end since the
    start.
    """
    begun: list[Place] = []
    if not case.view.exact and case.view.rows[row].kind in _AT_A_START:
        begun = [start for start in case.roles[broker].starts if start <= row]
    rows = (row, *(place - 1 for place in begun[-1:]))
    return max((low for one in rows if (low := case.leo_before(broker, one).lo) is not None), default=None)


def _by_coming(runs: Sequence[EpochRun], begun: list[tuple[int, int, int]]) -> list[EpochRun]:
    """Runs, divided where something went before: what was copied again came later than what stayed."""
    if not begun:
        return list(runs)
    found: list[EpochRun] = []
    for run in runs:
        edges = {edge for first, end, _ in begun for edge in (first, end) if run.start < edge < run.end}
        found += [
            part
            for first, end in pairwise(sorted({run.start, *edges, run.end}))
            for part in slice_runs((run,), first, end)
        ]
    return found


def _grows(before: Runs, now: Runs) -> bool:
    """Whether a log only became longer: the usual step, found without looking at every run."""
    if not before:
        return True
    last = len(before) - 1
    if len(now) <= last or before[:last] != now[:last]:
        return False
    return (before[last].epoch, before[last].start) == (now[last].epoch, now[last].start) and before[
        last
    ].end <= now[last].end


def _gone(before: Runs, now: Runs) -> list[EpochRun]:
    """What a log held and then did not hold any more under the same epoch.

    An unknown epoch may be found out, by the batches of a segment: that takes nothing away.
    """
    gone: list[EpochRun] = []
    for run in before:
        at = run.start
        for kept in slice_runs(now, run.start, run.end):
            if run.epoch not in (kept.epoch, None):
                continue
            gone += slice_runs((run,), at, kept.start)
            at = kept.end
        gone += slice_runs((run,), at, run.end)
    return gone


def _holding(
    case: Case, broker: int, run: EpochRun, end: int, begun: list[tuple[int, int, int]], index: int | None
) -> Holding:
    """When it came: in the steps since the last time that something went at its offsets."""
    replica = case.history.replicas[broker]
    steps = replica.runs
    earliest = max((at for first, last, at in begun if first < end and run.start < last), default=0)
    latest = len(steps.values) - 1 if index is None else index - 1
    since = bisect_left(
        range(earliest, latest),
        1,
        key=lambda number: int(_may_hold(steps.values[number], run)),
    )
    begin = steps.cursors[earliest + since]
    until = None if index is None else steps.cursors[index]
    if case.view.exact:
        complete = bisect_left(
            range(earliest + since, latest), 1, key=lambda number: int(end_of(steps.values[number]) >= end)
        )
        whole: int | None = steps.cursors[earliest + since + complete]
    else:
        whole = _proven(case, broker, end, begin, until)
    named = slice_runs((run,), run.start, end)
    return Holding(broker, run.epoch, run.start, end, begin, whole, until, named[0].records if named else ())


def _may_hold(runs: Runs, run: EpochRun) -> bool:
    """Whether a log holds the first record of a run, or one there of an epoch that is not known."""
    return any(one.start <= run.start < one.end and one.epoch in (run.epoch, None) for one in runs)


def _proven(case: Case, broker: int, end: int, begin: int, until: int | None) -> int | None:
    """The first cursor, in the time of a holding, at which the log surely reached its end."""
    leo = case.history.replicas[broker].leo
    number = max(bisect_right(leo.cursors, begin) - 1, 0)
    while number < len(leo.cursors) and (until is None or leo.cursors[number] < until):
        low = leo.values[number].lo
        if low is not None and low >= end:
            return max(leo.cursors[number], begin)
        number += 1
    return None
