"""From a verdict to the quiet time between the steps of what went wrong, which is drawn narrow.

In: a history and its verdict. Out: spans of time in ns, and how long each is on the axis. Between the
folds time has one scale. Nothing of what was lost, cut or diverged is ever inside of one.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.history.state import History
from core.picture.memo import Same, remembered
from core.picture.whole import history_window
from core.trace.units import MILLISECOND_NS, SECOND_NS
from core.trace.vocabulary import NUMBER

_AROUND: Final = 300 * MILLISECOND_NS
"""What stays open on both sides of a step."""
_LEAST: Final = 800 * MILLISECOND_NS
_SHARE: Final = 8
"""What is folded is longer than `_LEAST`, and than an eighth of all that stays open."""
_NEAR: Final = 15 * SECOND_NS
"""How far from what went wrong stops, starts, elections and changes of the in-sync set are steps of it."""
_MOST: Final = 12
"""Of more folds the longest are made."""
_FRAME: Final = 1000.0
_WIDE: Final = 34.0
"""A fold has this width where all of the trace has `_FRAME`, in pixels."""
_FAULTS: Final = tuple(
    NUMBER[name]
    for name in (
        *("broker_crashed", "broker_stopped", "broker_frozen", "broker_exited", "session_expired"),
        *("unclean_restart_detected", "evidence_gap"),
    )
)
"""Kinds of events with which something begins to go wrong."""
_STEPS: Final = (
    *_FAULTS,
    *(
        NUMBER[name]
        for name in (
            *("broker_started", "broker_thawed", "leader_elected", "leaderless"),
            *("became_leader", "became_follower", "isr_committed", "truncated", "log_reset"),
        )
    ),
)
"""Kinds of events that are steps where something went wrong."""


@dataclass(frozen=True, slots=True)
class Folds:
    """Spans of time, [first, end) in ns and in order, each of which is `shown` ns long on the axis."""

    spans: tuple[tuple[int, int], ...] = ()
    shown: int = 0
    starts: tuple[int, ...] = field(init=False, compare=False)
    along_starts: tuple[int, ...] = field(init=False, compare=False)
    """Where each begins on the axis, in ns."""

    def __post_init__(self) -> None:
        """Added up once: every mark asks for it."""
        cut, starts = 0, list[int]()
        for first, end in self.spans:
            starts.append(first - cut)
            cut += end - first - self.shown
        object.__setattr__(self, "starts", tuple(first for first, _ in self.spans))
        object.__setattr__(self, "along_starts", tuple(starts))

    def along(self, at: int) -> int:
        """Where a moment is on the axis, in ns: without folds the moment itself."""
        place = bisect_right(self.starts, at) - 1
        if place < 0:
            return at
        first, end = self.spans[place]
        begin = self.along_starts[place]
        if at >= end:
            return begin + self.shown + at - end
        return begin + (at - first) * self.shown // (end - first)

    def at(self, along: int) -> int:
        """The moment at a place of the axis."""
        place = bisect_right(self.along_starts, along) - 1
        if place < 0:
            return along
        first, end = self.spans[place]
        into = along - self.along_starts[place]
        if into >= self.shown:
            return end + into - self.shown
        return first + into * (end - first) // self.shown

    def at_many(self, along: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moments at many places of the axis."""
        if not self.spans:
            return along
        first, end = np.array(self.spans, np.int64).T
        begin = np.array(self.along_starts, np.int64)
        place = begin.searchsorted(along, "right") - 1
        known = np.maximum(place, 0)
        into = along - begin[known]
        # Two lengths in ns multiplied do not fit into 64 bits; a share as a float is exact to a pixel.
        share = np.minimum(into, self.shown) / max(self.shown, 1)
        inside = first[known] + (share * (end - first)[known]).astype(np.int64)
        after = end[known] + into - self.shown
        outside = place < 0
        return np.select([outside, into >= self.shown], [along, after], inside).astype(np.int64)

    def within(self, first: int, last: int) -> tuple[tuple[int, int], ...]:
        """Those that some of a window is in."""
        return tuple(span for span in self.spans if span[0] < last and span[1] > first)

    def opened(self, starts: Collection[int]) -> "Folds":
        """Without those that begin at these moments."""
        if not starts:
            return self
        return Folds(tuple(span for span in self.spans if span[0] not in starts), self.shown)

    def joined(self, spans: Collection[tuple[int, int]], whole: tuple[int, int]) -> "Folds":
        """With these spans of a trace of such a length, one fold where some touch each other."""
        if not spans:
            return self
        found: list[tuple[int, int]] = []
        for first, end in sorted((*self.spans, *spans)):
            if found and first <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((first, end))
        open_for = whole[1] - whole[0] - sum(end - first for first, end in found)
        shown = self.shown or _width(open_for, len(found))
        return Folds(tuple(span for span in found if span[1] - span[0] > shown), shown)


UNFOLDED: Final = Folds()
"""Time as it is."""


def folds_of(history: History, verdict: PartitionVerdict) -> Folds:
    """The quiet time around what went wrong; none where nothing did. Remembered by the history."""
    return _folds(Same((history, verdict), (history, verdict)))


@remembered
def _folds(same: Same[tuple[History, PartitionVerdict]]) -> Folds:
    history, verdict = same.value
    wrong = _wrong(history, verdict)
    if not len(wrong):
        return UNFOLDED
    first, last = history_window(history)
    steps = np.union1d(wrong, _steps(history, wrong))
    return folded(first, last, steps.tolist())


def folded(first: int, last: int, steps: Sequence[int]) -> Folds:
    """What lies between steps, and before and after them, of the time from `first` to `last`, all in ns."""
    edges = [first - _AROUND, *(at for at in steps if first <= at <= last), last + _AROUND]
    between = ((before + _AROUND, after - _AROUND) for before, after in pairwise(edges))
    gaps = [(begin, end) for begin, end in between if end - begin > _LEAST]
    open_for = last - first - sum(end - begin for begin, end in gaps)
    gaps = [span for span in gaps if span[1] - span[0] > open_for // _SHARE]
    gaps = sorted(sorted(gaps, key=lambda span: span[0] - span[1])[:_MOST])
    if not gaps:
        return UNFOLDED
    open_for = last - first - sum(end - begin for begin, end in gaps)
    shown = _width(open_for, len(gaps))
    spans = tuple((begin, end) for begin, end in gaps if end - begin > shown)
    return Folds(spans, shown) if spans else UNFOLDED


def _width(open_for: int, folds: int) -> int:
    """How long each of so many folds is on the axis beside so much open time, in ns."""
    return max(round(max(open_for, 0) * _WIDE / (_FRAME - _WIDE * min(folds, _MOST))), 1)


def _wrong(history: History, verdict: PartitionVerdict) -> NDArray[np.int64]:
    """The moments of losses, cuts and alarms, and of the elections that led to losses."""
    seqs = [loss.seq for loss in verdict.losses if loss.severity is not Severity.NOTICE]
    if not seqs and not verdict.divergences:
        return np.zeros(0, np.int64)
    seqs += [cut.seq for cut in verdict.truncations if cut.records != 0]
    seqs += [one.evidence[0] for one in verdict.divergences if one.evidence]
    led = {loss.took_over for loss in verdict.losses if loss.severity is not Severity.NOTICE}
    elected = [one.start for one in verdict.leadership if one.epoch in led]
    alarms = [one.start for one in verdict.findings if one.severity is not Severity.NOTICE]
    times = history.trace.columns["at"]
    return np.unique(np.array([*times[np.array(seqs, np.int64)].tolist(), *elected, *alarms], np.int64))


def _steps(history: History, wrong: NDArray[np.int64]) -> NDArray[np.int64]:
    """The moments of stops, starts, elections and changes of the in-sync set near to what went wrong."""
    trace = history.trace
    seqs = history.seqs[np.isin(trace.columns["kind"][history.seqs], _STEPS)]
    at = trace.columns["at"][seqs].astype(np.int64)
    after = np.minimum(wrong.searchsorted(at), len(wrong) - 1)
    before = np.maximum(after - 1, 0)
    near = (np.abs(at - wrong[after]) <= _NEAR) | (np.abs(at - wrong[before]) <= _NEAR)
    # The story begins with the last fault before it, however long before that was.
    kinds = trace.columns["kind"][seqs]
    faults = np.flatnonzero(np.isin(kinds, _FAULTS) & (at < wrong[0]))
    near[faults[-1:]] = True
    return at[near]


def counted(history: History, folds: Folds) -> Iterator[tuple[tuple[int, int], int]]:
    """Each fold with how many events of the partition are inside."""
    times = history.trace.columns["at"]
    for span in folds.spans:
        first, end = (history.rank(int(times.searchsorted(at, side="left"))) for at in span)
        yield span, end - first
