"""Bounds carried along the sections of tracks, for many partitions at once, in place.

A lower bound of 30 at one instant is set at all later instants of its section; an upper bound at all earlier
ones. One partition after the other would cost too much where there are thousands of small ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.positions import after_rows, before_rows, instants_of
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
from core.trace.ids import Instant

_INSTANTS_AT_ONCE: Final = 250_000
"""Instants that are settled together: columns of more do not fit into the caches of the processor."""


class Pool:
    """The tracks of one value of all replicas of some partitions, in one set of columns, settled together."""

    def __init__(
        self, partitions: Sequence[tuple[Iterable[int], int]], without: frozenset[str] = frozenset()
    ) -> None:
        """`partitions` gives for each one its brokers and its number of places. No bound is known yet.

        `without` are the rules of inference that are to bound nothing.
        """
        sizes = [(list(brokers), places) for brokers, places in partitions]
        self.columns = blank_columns(sum(instants_of(places) * len(brokers) for brokers, places in sizes))
        self.partitions: list[Tracks] = []
        """The tracks of each partition."""
        end = 0
        for brokers, places in sizes:
            begin, end = end, end + instants_of(places) * len(brokers)
            self.partitions.append(Tracks(brokers, self.columns.part(begin, end), places, without))
        every = [track for tracks in self.partitions for track in tracks.values()]
        self.edges: Places = np.cumsum([0, *(len(track) for track in every)])
        """Where each track begins in the columns, and where the last one ends."""
        self.columns.section_starts[self.edges[:-1]] = True
        self.parts: list[tuple[slice, Columns]] = []
        """Which tracks are settled together, and their columns."""
        self._groups: list[_Group] = []
        first = 0
        while first < len(every):
            begin = self.edges.item(first)
            end = max(int(self.edges.searchsorted(begin + _INSTANTS_AT_ONCE, "right")) - 1, first + 1)
            part = self.columns.part(begin, self.edges.item(end))
            self.parts.append((slice(first, end), part))
            self._groups.append(_Group(part, every[first:end]))
            first = end

    def settle(self) -> None:
        """Carry bounds along each section, and over the spans in which the value cannot change."""
        for group in self._groups:
            group.settle()


class _Group:
    """Some tracks whose columns stand one behind the other, settled together."""

    def __init__(self, columns: Columns, tracks: list[Track]) -> None:
        """`columns` are those of the tracks, which stand in them in this order."""
        self._columns, self._tracks = columns, tracks
        self._begins: Places = np.cumsum([0, *(len(track) for track in tracks[:-1])])
        self._settled_states: list[tuple[object, ...] | None] = []
        self._divided: list[tuple[int, int]] = []
        self._still_instants: Places = self._begins[:0]
        self._still_edges: Places = self._begins[:0]

    def settle(self) -> None:
        """Carry their bounds; nothing is done where nothing has changed since the last time."""
        states = [track.state() for track in self._tracks]
        if states == self._settled_states:
            return
        divided = [(track.sections_started, len(track.still_spans)) for track in self._tracks]
        if divided != self._divided:
            self._divide()
            self._divided = divided
        self._share_in_still_spans()
        self._carry_lows_on()
        self._carry_highs_back()
        self._same_over_rows()
        self._share_in_still_spans()
        after = [track.state() for track in self._tracks]
        self._settled_states = [now if now == then else None for now, then in zip(after, states, strict=True)]

    def _divide(self) -> None:
        """Find the still spans, divided where a section starts."""
        parts: list[Places] = []
        for begin, track in zip(self._begins.tolist(), self._tracks, strict=True):
            for first, last in track.still_spans:
                inner = first + 1 + np.flatnonzero(track.columns.section_starts[first + 1 : last + 1])
                edges = [first, *inner.tolist(), last + 1]
                longer = [edge for edge in pairwise(edges) if edge[1] - edge[0] > 1]
                parts += [np.arange(begin + one, begin + other) for one, other in longer]
        lengths = [len(part) for part in parts]
        self._still_edges = np.cumsum([0, *lengths])
        self._still_instants = np.concatenate(parts) if parts else self._begins[:0]

    def _count_narrowed(self, narrowed: Flags) -> None:
        """Count for each track that bounds of it were narrowed, where any flag of it is set."""
        for track, any_here in zip(self._tracks, np.logical_or.reduceat(narrowed, self._begins), strict=True):
            track.times_narrowed += bool(any_here)

    def _carry_lows_on(self) -> None:
        """Lower bounds hold at later instants of their section, and as far as `carry` has it in the next."""
        lo, rules = self._columns.lo, self._columns.lo_rule
        own = peaks(lo, self._columns.section_starts)
        if not own.all():
            rules[:] = from_before(rules, own)
            lo[:] = from_before(lo, own)
            self._count_narrowed(~own)
        for track in self._tracks:
            for instant in sorted(track.carry) if track.carry else ():
                _carry_into_section(track, instant)

    def _carry_highs_back(self) -> None:
        """Upper bounds hold at earlier instants of their section.

        One that can fail is not carried back where the value may have fallen in between.
        """
        columns, falls = self._columns, list(self._sections_that_may_fall())
        both = [(columns.hi, columns.hi_rule, True)]
        if columns.has_soft():
            both.append((*columns.soft(), False))
        for bounds, rules, hard in both:
            own = valleys(bounds, columns.section_starts)
            for first, end, begun in falls:
                own[first:end] = _highs_in_force(bounds[first:end], begun) if hard else True
            if own.all():
                continue
            carried = from_behind(bounds, own)
            for first, end, begun in falls if hard else ():
                carried[first:end] = np.minimum(bounds[first:end], np.maximum(carried[first:end], begun))
            lowered = carried != bounds
            if lowered.any():
                rules[:] = from_behind(rules, own)
                bounds[:] = carried
                self._count_narrowed(lowered)

    def _sections_that_may_fall(self) -> Iterator[tuple[int, int, int]]:
        """(first, end, upper bound before it) of each section in which the value may fall."""
        for begin, track in zip(self._begins.tolist(), self._tracks, strict=True):
            for start in sorted(track.may_fall_from) if track.may_fall_from else ():
                starts = track.sections()
                later = starts.searchsorted(start, "right")
                end = int(starts[later]) if later < len(starts) else len(track)
                if track.columns.section_starts[start]:
                    yield begin + start, begin + end, track.columns.hi.item(start - 1)

    def _same_over_rows(self) -> None:
        """Over a row that starts no section the value is the same before and after."""
        columns = self._columns
        through = ~after_rows(columns.section_starts)
        found, left = before_rows(columns.lo), after_rows(columns.lo)
        raised = through & (left > found)
        lowered = through & (before_rows(columns.hi) < after_rows(columns.hi))
        if raised.any():
            found[raised] = left[raised]
            before_rows(columns.lo_rule)[raised] = after_rows(columns.lo_rule)[raised]
        if lowered.any():
            after_rows(columns.hi)[lowered] = before_rows(columns.hi)[lowered]
            after_rows(columns.hi_rule)[lowered] = before_rows(columns.hi_rule)[lowered]
        either = np.zeros(len(columns.lo), bool)
        after_rows(either)[:] = raised | lowered
        if either.any():
            self._count_narrowed(either)

    def _share_in_still_spans(self) -> None:
        """Over a still span each bound holds at all instants."""
        if not len(self._still_instants):
            return
        columns, lengths = self._columns, np.diff(self._still_edges)
        for bounds, rules, best, first_best in (
            (columns.lo, columns.lo_rule, np.maximum, np.argmax),
            (columns.hi, columns.hi_rule, np.minimum, np.argmin),
        ):
            here = bounds[self._still_instants]
            other = here != best.reduceat(here, self._still_edges[:-1]).repeat(lengths)
            if not other.any():
                continue
            for part in np.flatnonzero(np.logical_or.reduceat(other, self._still_edges[:-1])).tolist():
                where = self._still_instants[self._still_edges[part] : self._still_edges[part + 1]]
                source = where[first_best(bounds[where])]
                behind = where[bounds[where] != bounds[source]]
                bounds[behind], rules[behind] = bounds[source], rules[source]
            narrowed = np.zeros(len(bounds), bool)
            narrowed[self._still_instants[other]] = True
            self._count_narrowed(narrowed)


def _carry_into_section(track: Track, instant: Instant) -> None:
    """Set the lower bound that still holds when a section starts, until the section has one as high."""
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
        track.times_narrowed += 1


def _highs_in_force(bounds: Numbers, begun: int) -> Flags:
    """Which upper bounds of a section hold, where the value may fall once from `begun`, its bound before."""
    own = np.ones(len(bounds), bool)
    if begun != NO_HIGH:
        after = np.maximum(np.minimum.accumulate(bounds[::-1])[::-1], begun)
        own[:-1] = bounds[:-1] <= after[1:]
    return own
