"""The log end of whoever leads, over the cursor: what the lag of every replica is counted from."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Numbers
from core.history.state import UNKNOWN_BAND, Band, EpochRun, History, ReplicaState, Steps
from core.history.visible_bands import BandColumn
from core.picture.memo import Same, remembered
from core.picture.trend import Trend, band_column, trend_of, widest_of

_NOBODY: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class LeaderEnd:
    """From each of `cursors` on: who leads (-1: nobody, or nobody knows), and where its log ends."""

    cursors: Numbers
    leaders: Numbers
    ends: BandColumn

    def _place(self, cursor: int) -> int:
        return int(self.cursors.searchsorted(cursor, "right")) - 1

    def at(self, cursor: int) -> Band:
        """The leader's log end at a cursor."""
        return self.ends[self._place(cursor)]

    def leader_at(self, cursor: int) -> int:
        """Who leads at a cursor, -1 where nobody does."""
        return int(self.leaders[self._place(cursor)])

    def changes(self, first: int, last: int) -> list[int]:
        """The cursors in (first, last] at which it changes."""
        begin, end = self.cursors.searchsorted([first, last], "right")
        return self.cursors[begin:end].tolist()

    def most(self, cursors: Numbers) -> Numbers:
        """The highest that it can be at each of some cursors, 0 where nothing bounds it."""
        highest = self.ends.hi[self.cursors.searchsorted(cursors, "right") - 1]
        return np.where(highest == NO_HIGH, 0, highest)

    def behind(self, state: ReplicaState, cursor: int) -> ReplicaState:
        """The state of a replica with every offset less the leader's log end.

        Where the leader's log end is not known, so is everything that is counted from it.
        """
        end, leads = self.at(cursor), self.leader_at(cursor) == state.broker
        if end.hi is None or end.lo is None:
            return replace(
                state, leo=UNKNOWN_BAND, hw=UNKNOWN_BAND, lso=UNKNOWN_BAND, local_start=None, runs=()
            )
        most = end.hi
        leo = Band(0, 0, end.basis) if leads else _less(state.leo, end)
        start = (state.log_start.lo or 0) - most
        runs = tuple(EpochRun(run.epoch, run.start - most, run.end - most, run.basis) for run in state.runs)
        log_start = Band(start, start, state.log_start.basis)
        return replace(
            state,
            leo=leo,
            hw=_less(state.hw, end),
            lso=_less(state.lso, end),
            local_start=None if state.local_start is None else _less(state.local_start, end),
            log_start=log_start,
            runs=runs,
        )


def _less(band: Band, end: Band) -> Band:
    if band.lo is None or end.hi is None or end.lo is None:
        return UNKNOWN_BAND
    high = None if band.hi is None else band.hi - end.lo
    return Band(band.lo - end.hi, high, max(band.basis, end.basis), band.rule)


def leader_end(history: History) -> LeaderEnd:
    """The leader's log end of a partition, remembered for the last few histories."""
    return _leader_end(Same((history,), history))


@remembered
def _leader_end(same: Same[History]) -> LeaderEnd:
    history = same.value
    parts: list[tuple[Numbers, int, BandColumn]] = []
    for start, end, leader in history.leader.spans(0, len(history.trace) + 1):
        replica = None if leader is None else history.replicas.get(leader)
        if replica is None:
            parts.append((np.array([start], np.int64), _NOBODY, band_column([UNKNOWN_BAND])))
            continue
        cursors = np.array(replica.leo.cursors, np.int64)
        first = int(cursors.searchsorted(start, "right")) - 1
        last = max(int(cursors.searchsorted(end, "left")), first + 1)
        ends = band_column(replica.leo.values).picked(slice(first, last))
        parts.append((np.maximum(cursors[first:last], start), replica.broker, ends))
    return LeaderEnd(
        np.concatenate([cursors for cursors, _, _ in parts]),
        np.concatenate([np.full(len(cursors), leader, np.int64) for cursors, leader, _ in parts]),
        BandColumn(
            *(
                np.concatenate([getattr(ends, name) for _, _, ends in parts])
                for name in ("lo", "hi", "basis", "rule")
            )
        ),
    )


def lag_trends(history: History) -> Mapping[int, tuple[Trend, Trend]]:
    """By broker how far its log end and its high watermark are from the leader's log end, in numbers."""
    return _lag_trends(Same((history,), history))


@remembered
def _lag_trends(same: Same[History]) -> Mapping[int, tuple[Trend, Trend]]:
    end = leader_end(same.value)
    made: dict[int, tuple[Trend, Trend]] = {}
    for broker, replica in same.value.replicas.items():
        cursors, leo = _column_behind(replica.leo, end)
        there = end.cursors.searchsorted(cursors, "right") - 1
        leads = (end.leaders[there] == broker) & _is_known(end.ends, there)
        leo = replace(leo, lo=np.where(leads, 0, leo.lo), hi=np.where(leads, 0, leo.hi))
        hw_cursors, hw = _column_behind(replica.hw, end)
        beside = hw_cursors.searchsorted(cursors, "right") - 1
        made[broker] = (
            trend_of(cursors, leo, widest_of(leo, hw.picked(beside))),
            trend_of(hw_cursors, hw, None),
        )
    return made


def _is_known(ends: BandColumn, places: Numbers) -> Flags:
    return (ends.lo[places] != NO_LOW) & (ends.hi[places] != NO_HIGH)


def _column_behind(steps: Steps[Band], end: LeaderEnd) -> tuple[Numbers, BandColumn]:
    """Bands less the leader's log end, with the cursors of both."""
    own, bands = np.array(steps.cursors, np.int64), band_column(steps.values)
    cursors = np.union1d(own, end.cursors)
    here, there = own.searchsorted(cursors, "right") - 1, end.cursors.searchsorted(cursors, "right") - 1
    low, high, least, most = bands.lo[here], bands.hi[here], end.ends.lo[there], end.ends.hi[there]
    known = (low != NO_LOW) & _is_known(end.ends, there)
    bounded = known & (high != NO_HIGH)
    return cursors, BandColumn(
        np.where(known, np.where(known, low, 0) - np.where(known, most, 0), NO_LOW),
        np.where(bounded, np.where(bounded, high, 0) - np.where(bounded, least, 0), NO_HIGH),
        np.maximum(bands.basis[here], end.ends.basis[there]),
        bands.rule[here],
    )
