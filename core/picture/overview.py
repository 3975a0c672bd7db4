"""The whole partition in one strip.

How dense its events are, where the window is, and every mark of rank 2 to 8.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.picture.cuts import cuts_of
from core.picture.fold_marks import slashes
from core.picture.folds import UNFOLDED, Folds
from core.picture.marks import Box, Glyph, Line, Mark, Ref, Segments, Sign, Text
from core.picture.memo import Same, remembered
from core.picture.metrics import text_width
from core.picture.notes import PlacedNote
from core.picture.scale import TimeScale
from core.picture.whole import whole_span
from core.trace.times import clock
from core.trace.trace import Origin
from core.trace.units import HOUR_NS, MILLISECOND_NS

OVERVIEW = 24.0
_BAR = 3
_INSET = 16.0
_MERGE = 7.0
_SLASHES = 24.0
"""Least width of a wash with slashes in it."""
_BRACKET = 5.0
"""Least width of the bracket of a span that is open."""


def overview(
    history: History,
    verdict: PartitionVerdict,
    window: tuple[int, int],
    span: tuple[float, float],
    y: float,
    notes: tuple[PlacedNote, ...] = (),
    below: TimeScale | None = None,
    *,
    high: float = OVERVIEW,
    fan: float = 0.0,
) -> tuple[Mark, ...]:
    """Bars of event density, the window's bracket, and the marks of what must never be missed.

    Its time is never folded: what is drawn narrow on the axis `below` is washed, and what is open has a
    bracket, from which lines fan down, `fan` high, to its place there. What is left of it says from when to
    when, where there is room.
    """
    first, last = whole_span(history)
    left, right = span
    scale = TimeScale(first, last, left, right)
    marks: list[Mark] = [
        Box(left, y, right - left, high, fill="bg.sunken"),
        *_washed(scale, UNFOLDED if below is None else below.folds, y, high),
        *(() if below is None else _fans(scale, below, y + high, fan)),
        *_density(history, scale, y, high),
    ]
    words = _span_words(history, first, last)
    if _INSET + text_width(words, 10, mono=True) < left:
        marks.append(Text(_INSET, y + high / 2 + 4, words, "text.3", 10, mono=True))
    x0 = min(max(scale.x(window[0]), left), right)
    x1 = min(max(scale.x(window[1]), left), right)
    if (x0, x1) != (left, right):
        marks.append(Box(x0, y + 0.7, max(x1 - x0, 4.0), high - 1.4, edge="text", edge_width=1.4, radius=2))
    marks.extend(_signs(history, verdict, scale, y + high / 2))
    for note in notes:
        if 0 < note.position <= len(history.trace):
            x = scale.x(int(history.trace.columns["at"][note.position - 1]))
            marks.append(Box(x - 1.5, y + high - 6, 3, 6, fill="note" if note.number else "text.2"))
    return tuple(marks)


def _washed(scale: TimeScale, folds: Folds, y: float, high: float) -> Iterator[Mark]:
    """Of what is folded below a wash with slashes in its middle, of each open span a bracket."""
    if not folds.spans:
        return
    for before, after in _open_spans(scale, folds):
        x0, x1 = _bracket(scale, before, after)
        yield Box(x0, y + 0.7, x1 - x0, high - 1.4, edge="text", edge_width=1.4, radius=2)
    spans = folds.within(scale.first, scale.last)
    for first, end in spans:
        x0, x1 = max(scale.x(first), scale.left), min(scale.x(end), scale.right)
        yield Box(x0, y, x1 - x0, high, fill="line.hair", opacity=0.5)
        if x1 - x0 >= _SLASHES:
            yield from slashes((x0 + x1) / 2, y + high / 2)


def _open_spans(scale: TimeScale, folds: Folds) -> Iterator[tuple[int, int]]:
    """From when to when time is not folded."""
    spans = folds.within(scale.first, scale.last)
    for (_, before), (after, _) in pairwise(((scale.first, scale.first), *spans, (scale.last, scale.last))):
        if after > before:
            yield before, after


def _bracket(scale: TimeScale, first: int, end: int) -> tuple[float, float]:
    """Left and right edge of the bracket of a span."""
    x0, x1 = scale.x(first), scale.x(end)
    middle, half = (x0 + x1) / 2, max(x1 - x0, _BRACKET) / 2
    return middle - half, middle + half


def _fans(scale: TimeScale, below: TimeScale, y: float, fan: float) -> Iterator[Mark]:
    """From the feet of each bracket to where its span is on the axis below, if that is in sight."""
    if not below.folds.spans or fan <= 0:
        return
    for first, end in _open_spans(scale, below.folds):
        if end <= below.first or first >= below.last:
            continue
        for top, at in zip(_bracket(scale, first, end), (first, end), strict=True):
            foot = min(max(below.x(at), below.left), below.right)
            yield Line(((top, y), (foot, y + fan)), "line.edge")


def _span_words(history: History, first: int, last: int) -> str:
    if history.trace.origin is Origin.SIMULATED:
        return f"{first // MILLISECOND_NS:,}–{last // MILLISECOND_NS:,} ms"
    digits = 5 if last - first >= HOUR_NS else 8
    return f"{clock(first)[:digits]}–{clock(last)[:digits]}"


def _density(history: History, scale: TimeScale, y: float, high: float) -> tuple[Mark, ...]:
    """Bars of 2 px: how many events there are."""
    return _bars(Same((history,), history), scale, y, high)


@remembered
def _bars(same: Same[History], scale: TimeScale, y: float, high: float) -> tuple[Mark, ...]:
    history = same.value
    bins = max(int((scale.right - scale.left) // _BAR), 1)
    if not len(history.seqs):
        return ()
    # Looked up at the edges of the bars: to go through a million events takes as long as a frame may.
    span = max(scale.last - scale.first, 1)
    edges = np.array([scale.first + -(-number * span // bins) for number in range(bins)], np.int64)
    cursors = history.trace.columns["at"].searchsorted(edges)
    counts = np.diff(history.seqs.searchsorted(cursors), append=len(history.seqs))
    most = float(np.log1p(int(counts.max())))
    low = y + high
    bars: list[tuple[float, float, float, float]] = []
    for number in np.flatnonzero(counts).tolist():
        x = scale.left + number * _BAR + 1
        height = 2 + round((high * 2 / 3) * float(np.log1p(int(counts[number]))) / most)
        bars.append((x, low - height, x, low))
    return (Segments(tuple(bars), "line.edge", 2.0, 0.7),)


def _signs(history: History, verdict: PartitionVerdict, scale: TimeScale, y: float) -> list[Mark]:
    """Around the height y: losses before cuts before elections.

    Closer than 7 px the first one stands for the others.
    """
    found: list[tuple[int, int, Glyph, str, str]] = []
    for cut in cuts_of(verdict):
        truncation = cut.truncation
        if cut.lost:
            found.append((2, truncation.seq, Glyph.LOSS, "loss", "loss"))
        elif cut.possible:
            found.append((3, truncation.seq, Glyph.POSSIBLE_LOSS, "loss", "loss"))
        elif truncation.records:
            found.append((6, truncation.seq, Glyph.TRUNCATION, "text", "truncation"))
    times = history.trace.columns["at"]
    drawn: list[float] = []
    marks: list[Mark] = []
    for rank, seq, glyph, role, kind in sorted(found):
        x = scale.x(int(times[seq]))
        if any(abs(x - other) < _MERGE for other in drawn):
            continue
        drawn.append(x)
        ref = Ref(kind, 0, seq, -1, glyph.value)
        marks.append(Sign(x, y, glyph, 10, role, rank=rank, ref=ref))
    return marks
