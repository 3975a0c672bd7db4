"""From a comparison to its quiet stops, which are drawn narrow: where no run has a step of what went wrong.

In: a comparison. Out: spans of stops. What a run lost or cut, and where runs first differ, is in none.
"""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from core.compare.comparison import Comparison, Run
from core.picture.folds import folds_of
from core.picture.memo import Same, remembered

StopSpan = tuple[int, int]
"""Stops, from the first to the one after the last."""


def quiet_stops(comparison: Comparison) -> tuple[StopSpan, ...]:
    """The quiet spans in order; none of a script, whose steps are few. Remembered by the comparison."""
    return _quiet(Same((comparison,), comparison))


@remembered
def _quiet(same: Same[Comparison]) -> tuple[StopSpan, ...]:
    comparison = same.value
    if comparison.axis == "script" or not any(
        folds_of(run.history, run.verdict).spans for run in comparison.runs
    ):
        return ()
    cursors = np.array([stop.cursors for stop in comparison.stops], np.int64)
    quiet = np.ones(len(cursors), np.bool_)
    for place, run in enumerate(comparison.runs):
        quiet &= _is_quiet(run, cursors[:, place])
        quiet[_decided(run, cursors[:, place])] = False
    quiet[list(_first_differences(comparison))] = False
    return tuple(_spans(quiet))


def _is_quiet(run: Run, cursors: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a run is in time that is folded; one in which nothing went wrong leaves that to the others."""
    spans = folds_of(run.history, run.verdict).spans
    if not spans:
        return np.ones(len(cursors), np.bool_)
    at = run.history.trace.columns["at"][np.maximum(cursors - 1, 0)]
    first, end = np.array(spans, np.int64).T
    place = np.maximum(first.searchsorted(at, "right") - 1, 0)
    return (first[place] <= at) & (at < end[place])


def _decided(run: Run, cursors: NDArray[np.int64]) -> NDArray[np.int64]:
    """The stops at which a run loses or cuts something."""
    verdict = run.verdict
    seqs = [loss.seq for loss in verdict.losses]
    seqs += [cut.seq for cut in verdict.truncations if cut.records != 0]
    found = cursors.searchsorted(np.array(seqs, np.int64) + 1)
    return np.minimum(found, len(cursors) - 1)


def _first_differences(comparison: Comparison) -> Iterator[int]:
    """The stops at which runs that stand beside each other first differ."""
    pairs = set[tuple[int, int]]()
    for difference in comparison.differences:
        if difference.runs not in pairs:
            pairs.add(difference.runs)
            yield difference.stop


def _spans(quiet: NDArray[np.bool_]) -> Iterator[StopSpan]:
    edges = np.flatnonzero(np.diff(quiet.astype(np.int8), prepend=0, append=0))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def starts_within(comparison: Comparison, stops: StopSpan) -> frozenset[int]:
    """The first stops of the quiet spans of which some lies inside: a fold of them is opened by these."""
    return frozenset(first for first, end in quiet_stops(comparison) if first < stops[1] and end > stops[0])


def without(spans: Collection[StopSpan], opened: Collection[int]) -> tuple[StopSpan, ...]:
    """Those that nobody opened: `opened` are their first stops."""
    return tuple(span for span in spans if span[0] not in opened)
