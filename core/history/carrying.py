"""Carrying bounds through eras, for the tracks of many partitions at once: one by one they cost too much."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.running_bounds import (
    NO_HIGH,
    NO_LOW,
    Flags,
    Numbers,
    Places,
    from_before,
    from_behind,
    peaks,
    valleys,
)
from core.history.track import Columns, Track, Tracks, blank_columns

_AT_ONCE: Final = 250_000
"""Instants that are settled at once: of more the columns on the way are too large for the caches."""


class Pool:
    """One value of every replica of some partitions: columns one behind the other, settled together."""

    def __init__(self, partitions: Sequence[tuple[Iterable[int], int]]) -> None:
        """`partitions` are the brokers and how many places there are. Nothing is known."""
        sizes = [(list(brokers), places) for brokers, places in partitions]
        self.columns = blank_columns(sum(2 * places * len(brokers) for brokers, places in sizes))
        self.partitions: list[Tracks] = []
        """The tracks of each partition."""
        end = 0
        for brokers, places in sizes:
            begin, end = end, end + 2 * places * len(brokers)
            self.partitions.append(Tracks(brokers, self.columns.part(begin, end), places))
        every = [track for tracks in self.partitions for track in tracks.values()]
        self.edges: Places = np.cumsum([0, *(len(track) for track in every)])
        """Where each track begins in the columns, and where the last one ends."""
        self.columns.breaks[self.edges[:-1]] = True
        self.parts: list[tuple[slice, Columns]] = []
        """Which tracks are settled at once, and their columns."""
        self._groups: list[_Group] = []
        first = 0
        while first < len(every):
            begin = self.edges.item(first)
            end = max(int(self.edges.searchsorted(begin + _AT_ONCE, "right")) - 1, first + 1)
            part = self.columns.part(begin, self.edges.item(end))
            self.parts.append((slice(first, end), part))
            self._groups.append(_Group(part, every[first:end]))
            first = end

    def settle(self) -> None:
        """Carry bounds through each era and through the stretches where nothing can change."""
        for group in self._groups:
            group.settle()


class _Group:
    """Some tracks one behind the other, settled at once."""

    def __init__(self, columns: Columns, tracks: list[Track]) -> None:
        self._columns, self._tracks = columns, tracks
        self._begins: Places = np.cumsum([0, *(len(track) for track in tracks[:-1])])
        self._calm: list[tuple[object, ...] | None] = []
        self._parted: list[tuple[int, int]] = []
        self._sections: Places = self._begins[:0]
        self._shared: Places = self._begins[:0]
        self._parts: Places = self._begins[:0]

    def settle(self) -> None:
        states = [track.state() for track in self._tracks]
        if states == self._calm:
            return
        parted = [(track.cuts, len(track.still)) for track in self._tracks]
        if parted != self._parted:
            self._part()
            self._parted = parted
        self._share()
        self._carry_on()
        self._carry_back()
        self._same_over_rows()
        self._share()
        after = [track.state() for track in self._tracks]
        self._calm = [now if now == then else None for now, then in zip(after, states, strict=True)]

    def _part(self) -> None:
        """Number the eras, and find the stretches that stand still, split where an era starts."""
        breaks = self._columns.breaks
        self._sections = np.cumsum(breaks) - 1
        parts: list[Places] = []
        for begin, track in zip(self._begins.tolist(), self._tracks, strict=True):
            for first, last in track.still:
                inner = first + 1 + np.flatnonzero(track.columns.breaks[first + 1 : last + 1])
                edges = [first, *inner.tolist(), last + 1]
                longer = [edge for edge in pairwise(edges) if edge[1] - edge[0] > 1]
                parts += [np.arange(begin + one, begin + other) for one, other in longer]
        lengths = [len(part) for part in parts]
        self._parts = np.cumsum([0, *lengths])
        self._shared = np.concatenate(parts) if parts else self._begins[:0]

    def _tell(self, narrowed: Flags) -> None:
        """Count what was narrowed for each track."""
        for track, told in zip(self._tracks, np.logical_or.reduceat(narrowed, self._begins), strict=True):
            track.told += bool(told)

    def _carry_on(self) -> None:
        """Lower bounds hold in the instants that follow."""
        lo, rules = self._columns.lo, self._columns.lo_rule
        own = peaks(lo, self._sections)
        if not own.all():
            rules[:] = from_before(rules, own)
            lo[:] = from_before(lo, own)
            self._tell(~own)
        for track in self._tracks:
            for instant in sorted(track.carry):
                _carry_over(track, instant)

    def _carry_back(self) -> None:
        """Upper bounds hold in the instants before, in one era."""
        columns, falls = self._columns, list(self._falls())
        for bounds, rules, hard in (
            (columns.hi, columns.hi_rule, True),
            (columns.soft, columns.soft_rule, False),
        ):
            own = valleys(bounds, self._sections)
            for first, end, begun in falls:
                own[first:end] = _last_above(bounds[first:end], begun) if hard else True
            if own.all():
                continue
            carried = from_behind(bounds, own)
            for first, end, begun in falls if hard else ():
                carried[first:end] = np.minimum(bounds[first:end], np.maximum(carried[first:end], begun))
            lowered = carried != bounds
            if lowered.any():
                rules[:] = from_behind(rules, own)
                bounds[:] = carried
                self._tell(lowered)

    def _falls(self) -> Iterator[tuple[int, int, int]]:
        """Eras in which a value may fall: first and end in the columns, and the upper bound it began with."""
        for begin, track in zip(self._begins.tolist(), self._tracks, strict=True):
            for start in sorted(track.drops):
                starts = track.sections()
                later = starts.searchsorted(start, "right")
                end = int(starts[later]) if later < len(starts) else len(track)
                if track.columns.breaks[start]:
                    yield begin + start, begin + end, track.columns.hi.item(start - 1)

    def _same_over_rows(self) -> None:
        """A row that is no cut finds the value as it leaves it."""
        columns = self._columns
        through = ~columns.breaks[2::2]
        found, left = columns.lo[1:-1:2], columns.lo[2::2]
        raised = through & (left > found)
        lowered = through & (columns.hi[1:-1:2] < columns.hi[2::2])
        if raised.any():
            columns.lo[1:-1:2][raised] = left[raised]
            columns.lo_rule[1:-1:2][raised] = columns.lo_rule[2::2][raised]
        if lowered.any():
            columns.hi[2::2][lowered] = columns.hi[1:-1:2][lowered]
            columns.hi_rule[2::2][lowered] = columns.hi_rule[1:-1:2][lowered]
        either = np.zeros(len(columns.lo), bool)
        either[2::2] = raised | lowered
        if either.any():
            self._tell(either)

    def _share(self) -> None:
        """In a stretch that stands still each bound holds in the whole of it."""
        if not len(self._shared):
            return
        columns, lengths = self._columns, np.diff(self._parts)
        for bounds, rules, best, first_best in (
            (columns.lo, columns.lo_rule, np.maximum, np.argmax),
            (columns.hi, columns.hi_rule, np.minimum, np.argmin),
        ):
            here = bounds[self._shared]
            other = here != best.reduceat(here, self._parts[:-1]).repeat(lengths)
            if not other.any():
                continue
            for part in np.flatnonzero(np.logical_or.reduceat(other, self._parts[:-1])).tolist():
                where = self._shared[self._parts[part] : self._parts[part + 1]]
                source = where[first_best(bounds[where])]
                behind = where[bounds[where] != bounds[source]]
                bounds[behind], rules[behind] = bounds[source], rules[source]
            narrowed = np.zeros(len(bounds), bool)
            narrowed[self._shared[other]] = True
            self._tell(narrowed)


def _carry_over(track: Track, instant: int) -> None:
    """The lower bound that still holds when an era starts, from there on until more is known."""
    lo, rules, starts = track.columns.lo, track.columns.lo_rule, track.sections()
    before = lo.item(instant - 1)
    if before == NO_LOW:
        return
    later = starts.searchsorted(instant, "right")
    end = int(starts[later]) if later < len(starts) else len(track)
    kept = min(before, track.carry[instant])
    until = instant + int(lo[instant:end].searchsorted(kept))
    if until > instant:
        lo[instant:until], rules[instant:until] = kept, rules[instant - 1]
        track.told += 1


def _last_above(bounds: Numbers, begun: int) -> Flags:
    """Which upper bounds stand in an era in which the value may fall from what it began with."""
    own = np.ones(len(bounds), bool)
    if begun != NO_HIGH:
        after = np.maximum(np.minimum.accumulate(bounds[::-1])[::-1], begun)
        own[:-1] = bounds[:-1] <= after[1:]
    return own
