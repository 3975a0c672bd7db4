"""A whole history as columns of numbers, so that the extremes of any span of it cost little.

Made once a history: whoever opens a long one does that beside the window (`trends_of`).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.history.growing_logs import EpochRunColumn
from core.history.running_bounds import NO_HIGH, NO_LOW, Numbers, Places
from core.history.state import (
    UNKNOWN_BAND,
    Band,
    EpochRun,
    History,
    ReplicaHistory,
    ReplicaState,
    Runs,
    Steps,
)
from core.history.visible_bands import BandColumn
from core.picture.memo import Same, remembered
from core.trace.vocabulary import Basis

ABSENT: Final = NO_HIGH
"""Where nothing is known, or nothing exact: above every number."""
_UNBOUNDED: Final = -NO_HIGH
UNBOUNDED: Final = 2**62
"""Above every number that somebody knows: `HIGHEST` of a column without an upper bound is above it."""
_BLOCK: Final = 64
_COARSE: Final = 8
"""Blocks a column from which whole blocks stand for their values."""

LOWEST_EXACT, HIGHEST_EXACT, LOWEST, PROVEN, HIGHEST, WIDEST = range(6)
"""Rows of what `least` gives: `PROVEN` is the highest lower bound.

What is high or wide is negated, so that the least is wanted of all.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Trend:
    """A band over the cursor: `cursors` of its changes, and in `rows` what holds from each of them on."""

    cursors: Numbers
    rows: Numbers
    blocks: Numbers
    inferred: NDArray[np.bool_]
    """Where an exact value comes from a rule that can fail."""
    falls: Numbers
    """(cursor, value before, value after) where an exact value is below the exact one before it."""

    def places(self, cursors: Numbers) -> Places:
        """Which value holds at each of some cursors."""
        return self.cursors.searchsorted(cursors, "right") - 1

    def least(self, edges: Numbers) -> Numbers:
        """For each span between two neighbouring cursors the least of each row, both ends included.

        Where many values share a span, some of the next one may be counted in: none is left out.
        """
        places = self.places(edges)
        rows = self.rows
        if int(places[-1] - places[0]) > _BLOCK * _COARSE * len(edges):
            places, rows = places // _BLOCK, self.blocks
        first, last = places[:-1], places[1:]
        found = rows[:, first]
        moved = np.flatnonzero(last > first)
        if len(moved):
            # What ends a span begins the next one that has changes: spans without any add nothing.
            inner = np.minimum.reduceat(rows[:, : int(last[-1]) + 1], first[moved] + 1, axis=1)
            found[:, moved] = np.minimum(found[:, moved], inner)
        return found

    def within(self, first: int, last: int) -> Numbers:
        """The least of each row from one cursor to another."""
        begin, end = (int(place) for place in self.places(np.array([first, last])))
        if end - begin < 4 * _BLOCK:
            return self.rows[:, begin : end + 1].min(axis=1)
        inner = self.blocks[:, begin // _BLOCK + 1 : end // _BLOCK].min(axis=1)
        head = self.rows[:, begin : (begin // _BLOCK + 1) * _BLOCK].min(axis=1)
        tail = self.rows[:, end // _BLOCK * _BLOCK : end + 1].min(axis=1)
        return np.minimum(np.minimum(inner, head), tail)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A value of few kinds over the cursor: which of `kinds` holds from each of `cursors` on."""

    cursors: Numbers
    which: Places
    kinds: Sequence[Any]

    def places(self, cursors: Numbers) -> Places:
        """The change since which the kind at each of some cursors holds."""
        return self.cursors.searchsorted(cursors, "right") - 1

    def at(self, cursors: Numbers) -> Places:
        """Which kind holds at each of some cursors."""
        return self.which[self.places(cursors)]


@dataclass(frozen=True, slots=True, eq=False)
class Trends:
    """One replica in numbers. `logs` are the runs without where the last one ends.

    `band_states` is what band and strip show, as states whose log, log end and high watermark are left open.
    """

    leo: Trend
    hw: Trend
    logs: Choice
    starts: Choice
    band_states: Choice


def trends_of(history: History) -> Mapping[int, Trends]:
    """The trends of all replicas, by broker, remembered for the last few histories."""
    return _trends(Same((history,), history))[0]


def least_of_all(history: History, first: int, last: int) -> Numbers:
    """The least of each row over all replicas, from one cursor to another, both ends included."""
    trends, together = _trends(Same((history,), history))
    each = [trend for one in trends.values() for trend in (one.leo, one.hw)] or [together]
    begun = np.array([trend.rows[:, trend.cursors.searchsorted(first, "right") - 1] for trend in each])
    begun = begun.min(axis=0)
    if int(together.cursors.searchsorted(last, "right")) <= together.cursors.searchsorted(first, "right"):
        return begun
    return np.minimum(begun, together.within(first, last))


def changes_between(history: History, first: int, last: int) -> int:
    """How many changes of log ends and high watermarks all replicas have in (first, last]."""
    begin, end = _trends(Same((history,), history))[1].cursors.searchsorted([first, last], "right")
    return int(end - begin)


def lowest_start(history: History, first: int, last: int) -> int:
    """The lowest log start of all replicas from one cursor to another; 0 where none is known."""
    since, until, starts = _known_starts(Same((history,), history))
    held = starts[(since <= last) & (until > first)]
    return int(held.min()) if len(held) else 0


@remembered
def _known_starts(same: Same[History]) -> Numbers:
    """For each log start that is known: from which cursor on, until which one, and what it is."""
    found = [
        (since, until, start.lo)
        for steps in (replica.log_start for replica in same.value.replicas.values())
        for since, until, start in zip(
            steps.cursors, (*steps.cursors[1:], NO_HIGH), steps.values, strict=True
        )
        if start.lo is not None
    ]
    return np.array(found, np.int64).reshape(-1, 3).T


@remembered
def _trends(same: Same[History]) -> tuple[Mapping[int, Trends], Trend]:
    """By broker, and the changes of all together."""
    trends = {broker: _of_replica(replica) for broker, replica in same.value.replicas.items()}
    each = [trend for one in trends.values() for trend in (one.leo, one.hw)]
    if not each:
        # No line says which brokers have the partition.
        each = [trend_of(np.zeros(1, np.int64), band_column((UNKNOWN_BAND,)), None)]
    cursors = np.concatenate([trend.cursors for trend in each])
    order = np.argsort(cursors, kind="stable")
    rows = np.concatenate([trend.rows for trend in each], axis=1)[:, order]
    return trends, Trend(
        cursors[order], rows, _blocks(rows), np.zeros(0, np.bool_), np.zeros((0, 3), np.int64)
    )


def _of_replica(replica: ReplicaHistory) -> Trends:
    leo, hw = band_column(replica.leo.values), band_column(replica.hw.values)
    cursors = np.array(replica.leo.cursors, np.int64)
    beside = np.array(replica.hw.cursors, np.int64).searchsorted(cursors, "right") - 1
    return Trends(
        leo=trend_of(cursors, leo, widest_of(leo, hw.picked(beside))),
        hw=trend_of(np.array(replica.hw.cursors, np.int64), hw, None),
        logs=_logs(replica.runs),
        starts=_choice(replica.log_start.cursors, [band.lo or 0 for band in replica.log_start.values]),
        band_states=_band_states(replica),
    )


def _band_states(replica: ReplicaHistory) -> Choice:
    shown: tuple[Steps[Any], ...] = (replica.role, replica.alive, replica.in_isr, replica.epoch)
    cursors = sorted({cursor for steps in shown for cursor in steps.cursors})
    bands = (UNKNOWN_BAND, UNKNOWN_BAND, UNKNOWN_BAND)
    states = _choice(cursors, [tuple(steps.at(cursor) for steps in shown) for cursor in cursors])
    kinds = tuple(
        ReplicaState(replica.broker, role, alive, in_isr, epoch, *bands, None)
        for role, alive, in_isr, epoch in states.kinds
    )
    return Choice(states.cursors, states.which, kinds)


def band_column(values: Sequence[Band]) -> BandColumn:
    """Bands as columns: as they are, or made of single ones."""
    if isinstance(values, BandColumn):
        return values
    return BandColumn(
        np.array([NO_LOW if band.lo is None else band.lo for band in values], np.int64),
        np.array([NO_HIGH if band.hi is None else band.hi for band in values], np.int64),
        np.array([int(band.basis) for band in values], np.int8),
        np.zeros(len(values), np.int16),
    )


def widest_of(leo: BandColumn, hw: BandColumn) -> Numbers:
    """How far apart what is known of both is, right after each change of the first."""
    known = np.stack([leo.lo, leo.hi, hw.lo, hw.hi])
    told = (known != NO_LOW) & (known != NO_HIGH)
    highest = np.where(told, known, -1).max(axis=0)
    lowest = np.where(told, known, NO_HIGH).min(axis=0)
    return np.where(told.any(axis=0), highest - lowest, 0)


def trend_of(cursors: Numbers, bands: BandColumn, gaps: Numbers | None) -> Trend:
    """Bands over the cursor in numbers; `gaps` is how far apart two values were right after each change."""
    open_low, open_high = bands.lo == NO_LOW, bands.hi == NO_HIGH
    exact, unknown = (bands.lo == bands.hi) & ~open_low, open_low & open_high
    low = np.where(open_low, 0, bands.lo)
    rows = np.stack(
        [
            np.where(exact, bands.lo, ABSENT),
            np.where(exact, -bands.hi, ABSENT),
            np.where(unknown, ABSENT, low),
            np.where(unknown, ABSENT, -low),
            np.where(unknown, ABSENT, np.where(open_high, _UNBOUNDED, -np.where(open_high, 0, bands.hi))),
            np.zeros(len(cursors), np.int64) if gaps is None else -gaps,
        ]
    )
    told = np.flatnonzero(exact)
    drops = told[1:][np.diff(bands.lo[told]) < 0] if len(told) else told
    before = told[np.searchsorted(told, drops) - 1] if len(drops) else drops
    falls = np.stack([cursors[drops], bands.lo[before], bands.lo[drops]], axis=1)
    return Trend(cursors, rows, _blocks(rows), exact & (bands.basis == Basis.INFERRED), falls)


def _blocks(rows: Numbers) -> Numbers:
    firsts = np.array(range(0, int(rows.shape[1]), _BLOCK), np.intp)
    return np.minimum.reduceat(rows, firsts, axis=1)


def _choice(cursors: Sequence[int], values: Sequence[Hashable]) -> Choice:
    kinds: dict[Any, int] = {}
    which = [kinds.setdefault(value, len(kinds)) for value in values]
    return Choice(np.array(cursors, np.int64), np.array(which, np.intp), tuple(kinds))


def _logs(steps: Steps[Runs]) -> Choice:
    if not isinstance(steps.values, EpochRunColumn):
        return _choice(steps.cursors, [bare(runs) for runs in steps.values])
    # Of a few logs, each with many ends.
    logs = _choice(range(len(steps.values.logs)), [bare(runs) for runs in steps.values.logs])
    which = np.array(steps.values.which, np.intp)
    return Choice(np.array(steps.cursors, np.int64), logs.which[which], logs.kinds)


def bare(runs: Runs) -> Runs:
    """A log that goes on without end, and without names: two that only grew are the same."""
    last = len(runs) - 1
    return tuple(
        EpochRun(run.epoch, run.start, NO_HIGH if place == last else run.end)
        for place, run in enumerate(runs)
    )
