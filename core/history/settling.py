"""Carrying bounds through eras, for the tracks of many partitions at once: one by one they cost too much."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from core.history.running import NO_HIGH, NO_LOW, Flags, Numbers, Places, highest_so_far, lowest_from_here
from core.history.track import Track, Tracks, blank_columns


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
        self._tracks = [track for tracks in self.partitions for track in tracks.values()]
        self.edges: Places = np.cumsum([0, *(len(track) for track in self._tracks)])
        """Where each track begins in the columns, and where the last one ends."""
        self._begins = self.edges[:-1]
        self.columns.breaks[self._begins] = True
        self._calm: list[tuple[object, ...] | None] = []
        self._parted: list[tuple[int, int]] = []
        self._eras: Places = self.edges[:0]
        self._shared: Places = self.edges[:0]
        self._parts: Places = self.edges[:0]

    def settle(self) -> None:
        """Carry bounds through each era and through the stretches where nothing can change."""
        states = [track.state() for track in self._tracks]
        if states == self._calm or not states:
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
        breaks = self.columns.breaks
        self._eras = np.cumsum(breaks) - 1
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
        lo, rules = self.columns.lo, self.columns.lo_rule
        source = highest_so_far(lo, self._eras)
        carried = lo[source]
        raised = carried != lo
        if raised.any():
            rules[:] = rules[source]
            lo[:] = carried
            self._tell(raised)
        for track in self._tracks:
            for instant in sorted(track.carry):
                _carry_over(track, instant)

    def _carry_back(self) -> None:
        """Upper bounds hold in the instants before, in one era."""
        columns, falls = self.columns, list(self._falls())
        for bounds, rules, hard in (
            (columns.hi, columns.hi_rule, True),
            (columns.soft, columns.soft_rule, False),
        ):
            if not hard and (bounds == NO_HIGH).all():
                continue
            source = lowest_from_here(bounds, self._eras)
            for first, end, _ in falls:
                source[first:end] = np.arange(first, end)
            for first, end, begun in falls if hard else ():
                _carry_back_in_a_fall(bounds, source, (first, end), begun)
            carried = bounds[source]
            for first, end, begun in falls if hard else ():
                carried[first:end] = np.minimum(bounds[first:end], np.maximum(carried[first:end], begun))
            lowered = carried != bounds
            if lowered.any():
                rules[:] = rules[source]
                bounds[:] = carried
                self._tell(lowered)

    def _falls(self) -> Iterator[tuple[int, int, int]]:
        """Eras in which a value may fall: first and end in the columns, and the upper bound it began with."""
        for begin, track in zip(self._begins.tolist(), self._tracks, strict=True):
            for start in sorted(track.drops):
                starts = track.eras()
                later = starts.searchsorted(start, "right")
                end = int(starts[later]) if later < len(starts) else len(track)
                if track.columns.breaks[start]:
                    yield begin + start, begin + end, track.columns.hi.item(start - 1)

    def _same_over_rows(self) -> None:
        """A row that is no cut finds the value as it leaves it."""
        columns = self.columns
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
        columns, lengths = self.columns, np.diff(self._parts)
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
    lo, rules, starts = track.columns.lo, track.columns.lo_rule, track.eras()
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


def _carry_back_in_a_fall(bounds: Numbers, source: Places, era: tuple[int, int], begun: int) -> None:
    """Upper bounds of an era in which the value may fall: not below what it began with."""
    first, end = era
    if begun == NO_HIGH:
        return
    here = bounds[first:end]
    after = np.maximum(np.minimum.accumulate(here[::-1])[::-1], begun)
    own = np.ones(len(here), bool)
    own[:-1] = here[:-1] <= after[1:]
    places = np.where(own, np.arange(first, end), end)
    source[first:end] = np.minimum.accumulate(places[::-1])[::-1]
