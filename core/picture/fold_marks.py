"""Folded time as marks: a pair of slashes on the ruler, and an empty column through the log areas."""

from collections import Counter
from collections.abc import Iterator, Sequence

from core.compare.comparison import Comparison
from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.history.state import History
from core.picture.axis import Columns
from core.picture.folds import counted, folds_of
from core.picture.joining import semicolons
from core.picture.lane import Lane
from core.picture.marks import Align, Box, Glyph, Line, Mark, Ref, Sign, Text
from core.picture.metrics import text_width
from core.picture.quiet_stops import StopSpan
from core.picture.ruler import TIME_RULER, fold_middle
from core.picture.scale import TimeScale
from core.picture.sheet import Depth, Sheet
from core.trace.units import MINUTE_NS, SECOND_NS
from core.words import said

_HALF, _LEAN, _APART = 5.5, 2.0, 4.0
_ROOM = 6.0
"""Between the words over two folds."""
_OF_LOSS = {Severity.LOSS: Glyph.LOSS, Severity.DANGER: Glyph.POSSIBLE_LOSS}
_LINE = 11.0
_BESIDE = 5.0
"""So much wider than its fold a length may be on both sides: words of columns begin 6 beside it."""


def slashes(x: float, y: float, ref: Ref | None = None, role: str = "text") -> Iterator[Mark]:
    """Two slashes around a middle: here something is left out."""
    for middle in (x - _APART / 2, x + _APART / 2):
        points = ((middle - _LEAN, y + _HALF), (middle + _LEAN, y - _HALF))
        yield Line(points, role, width=1.4, ref=ref)


def folds_on_ruler(history: History, verdict: PartitionVerdict, scale: TimeScale, y: float) -> Iterator[Mark]:
    """The slashes of each fold in a window, with its length above, and how many events are inside.

    Over one that a person made the signs of what went wrong in it stand on the slashes, with their counts. A
    click on them opens the fold: the ref's key is its place among all folds of the partition.
    """
    base, free = y + TIME_RULER - 0.5, scale.left - 40
    by_itself = folds_of(history, verdict).spans
    for place, ((first, end), events) in enumerate(counted(history, scale.folds)):
        x0, x1 = scale.x(first), scale.x(end)
        if x1 <= scale.left or x0 >= scale.right:
            continue
        middle = fold_middle(scale, (first, end))
        length = fold_length(end - first)
        held = tuple(_held(history, verdict, first, end))
        words = _words(length, f"{events:,}", None if (first, end) in by_itself else held)
        ref = Ref("fold", 0, place, -1, words)
        yield Box(x0, y + 14, x1 - x0, TIME_RULER - 14, ref=ref)
        # Not across the line below: lanes that are scrolled under the ruler would hide half of them.
        yield from slashes(middle, base - _HALF, ref)
        half = text_width(length, 10, 600, mono=True) / 2
        centre = min(max(middle, scale.left + half), scale.right - half)
        if centre - half >= free:
            yield Text(centre, y + 12, length, "text", 10, 600, mono=True, align=Align.CENTRE, ref=ref)
            free = centre + half + _ROOM
        for row, (glyph, count) in enumerate(Counter(held).items()):
            yield from _sign(middle, y + 21 + row * _LINE, glyph, count, ref)


def _words(length: str, events: str, held: Sequence[Glyph] | None) -> str:
    """What a fold says of itself; `held` is None of one that is made by itself."""
    if held is None:
        return said("picture.fold", length=length, events=events)
    cuts = held.count(Glyph.TRUNCATION)
    return said(
        "picture.fold.by-hand", length=length, events=events, losses=str(len(held) - cuts), cuts=str(cuts)
    )


def _held(history: History, verdict: PartitionVerdict, first: int, end: int) -> Iterator[Glyph]:
    """The signs of what went wrong between two moments: nothing of that is folded but by hand."""
    times = history.trace.columns["at"]
    yield from (glyph for seq, glyph in _wrong(verdict) if first <= int(times[seq]) < end)


def _wrong(verdict: PartitionVerdict) -> Iterator[tuple[int, Glyph]]:
    """The sign of each loss, then of each cut, with its Seq."""
    found = [(one.seq, _OF_LOSS.get(one.severity)) for one in verdict.losses]
    found += [(one.seq, Glyph.TRUNCATION) for one in verdict.truncations if one.records != 0]
    yield from ((seq, glyph) for seq, glyph in found if glyph is not None)


def _sign(x: float, y: float, glyph: Glyph, count: int, ref: Ref) -> Iterator[Mark]:
    role = "text" if glyph is Glyph.TRUNCATION else "loss"
    yield Sign(x - 5, y, glyph, 10.0, role, ref=ref)
    yield Text(x + 3, y + 4, f"{count:,}", role, 10, 600, mono=True, ref=ref)


def folds_on_columns(
    comparison: Comparison, columns: Columns, y: float, quiet: Sequence[StopSpan]
) -> Iterator[Mark]:
    """The slashes of each fold of a comparison, with the landmarks inside above them, and how long it is.

    `y` is the lower end of the ruler, `quiet` what is folded by itself. A click opens the fold: the ref's key
    is its place among all of them. Where runs are folded for different times, each has a line, from the first
    run to the last. Over one that a person made stand the signs of what went wrong in it, with their counts.
    """
    for place, stops in enumerate(columns.folds):
        x0, x1 = columns.fold(stops)
        if x1 - x0 < 1:
            continue
        passed = _passed(comparison, stops)
        by_itself = any(first <= stops[0] and stops[1] <= end for first, end in quiet)
        held = None if by_itself else tuple(_held_by(comparison, stops))
        middle, ref = float(round((x0 + x1) / 2)), Ref("fold", 0, place, -1, _fold_text(passed, held))
        yield Box(x0, 2, x1 - x0, y - 4, ref=ref)
        inside = [number for number, head in enumerate(columns.heads) if stops[0] <= head < stops[1]]
        words = "" if not inside else str(inside[0]) if len(inside) == 1 else f"{inside[0]}–{inside[-1]}"
        lines = [words] if words and text_width(words, 10, 600, mono=True) <= x1 - x0 else []
        lengths = [fold_length(length) for length, _ in passed]
        lengths = lengths[:1] if len(set(lengths)) == 1 else lengths
        slash = y - _HALF - 4
        if held:
            yield from slashes(middle, slash, ref)
            for row, (glyph, count) in enumerate(Counter(held).items()):
                yield from _sign(middle - 5, 12 + row * _LINE, glyph, count, ref)
            continue
        widest = max(text_width(length, 10, 600, mono=True) for length in lengths)
        if widest <= x1 - x0 + 2 * _BESIDE and 16 + _LINE * len(lengths) < slash - _HALF:
            lines = [*(lines or [""]), *lengths]
        for row, line in enumerate(lines):
            if line:
                centred = (middle, 16 + row * _LINE, line)
                yield Text(*centred, "text", 10, 600, mono=True, align=Align.CENTRE, ref=ref)
        yield from slashes(middle, slash, ref)


def _passed(comparison: Comparison, stops: StopSpan) -> tuple[tuple[int, int], ...]:
    """How long each run is folded, in ns, and over how many events of its partition."""
    before = comparison.stops[max(stops[0] - 1, 0)].cursors
    found: list[tuple[int, int]] = []
    for place, run in enumerate(comparison.runs):
        history, first, end = run.history, before[place], comparison.stops[stops[1] - 1].cursors[place]
        times = history.trace.columns["at"]
        length = int(times[max(end - 1, 0)]) - int(times[first]) if end > first else 0
        found.append((length, history.rank(end) - history.rank(first)))
    return tuple(found)


def _held_by(comparison: Comparison, stops: StopSpan) -> Iterator[Glyph]:
    """The signs of what went wrong at these stops, of all runs."""
    for place, run in enumerate(comparison.runs):
        before = comparison.stops[stops[0] - 1].cursors[place] if stops[0] else 0
        end = comparison.stops[stops[1] - 1].cursors[place]
        for seq, glyph in _wrong(run.verdict):
            if before <= seq < end:
                yield glyph


def _fold_text(passed: Sequence[tuple[int, int]], held: Sequence[Glyph] | None) -> str:
    runs = [
        said("picture.fold.run", number=number, length=fold_length(length), events=f"{events:,}")
        for number, (length, events) in enumerate(passed, start=1)
    ]
    if held is None:
        return said("picture.fold.runs", runs=semicolons(runs))
    cuts = held.count(Glyph.TRUNCATION)
    losses = str(len(held) - cuts)
    return said("picture.fold.runs.by-hand", runs=semicolons(runs), losses=losses, cuts=str(cuts))


def fold_length(length: int) -> str:
    """How long a fold is, short: "18.1 s", "41 min", "23 h"."""
    if length < 100 * SECOND_NS:
        return f"{length / SECOND_NS:.1f} s"
    minutes = round(length / MINUTE_NS)
    return f"{minutes} min" if minutes < 100 else f"{round(minutes / 60)} h"


def folds_in_area(lane: Lane, sheet: Sheet) -> None:
    """An empty column through the log area of each fold: no curve, no bound and no hatch crosses it."""
    box = lane.box
    for x0, x1 in lane.axis.folds:
        rect = (x0, box.area_top - 1, x1 - x0, box.bottom - box.area_top + 3)
        sheet.add(Depth.SAMPLE, Box(*rect, fill="bg.sunken"))
        for x in (x0 + 0.5, x1 - 0.5):
            edge = ((x, rect[1]), (x, rect[1] + rect[3]))
            sheet.add(Depth.SAMPLE, Line(edge, "line.edge", dash=(2.0, 3.0)))
        sheet.keep_clear(rect)
