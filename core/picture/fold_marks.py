"""Folded time as marks: a pair of slashes on the ruler, and an empty column through the log areas."""

from collections.abc import Iterator

from core.compare.comparison import Comparison
from core.history.state import History
from core.picture.axis import Columns
from core.picture.folds import counted
from core.picture.joining import semicolons
from core.picture.lane import Lane
from core.picture.marks import Align, Box, Line, Mark, Ref, Text
from core.picture.metrics import text_width
from core.picture.quiet_stops import Stretch
from core.picture.ruler import TIME_RULER
from core.picture.scale import TimeScale
from core.picture.sheet import Depth, Sheet
from core.trace.units import MINUTE_NS, SECOND_NS
from core.words import said

_HALF, _LEAN, _APART = 5.5, 2.0, 4.0
_ROOM = 6.0
"""Between the words over two folds."""


def slashes(x: float, y: float, ref: Ref | None = None, role: str = "text") -> Iterator[Mark]:
    """Two slashes around a middle: here something is left out."""
    for middle in (x - _APART / 2, x + _APART / 2):
        points = ((middle - _LEAN, y + _HALF), (middle + _LEAN, y - _HALF))
        yield Line(points, role, width=1.4, ref=ref)


def folds_on_ruler(history: History, scale: TimeScale, y: float) -> Iterator[Mark]:
    """The slashes of each fold in a window, with its length above, and how many events are inside.

    A click on them opens the fold: the ref's key is its place among all folds of the partition.
    """
    base, free = y + TIME_RULER - 0.5, scale.left - 40
    for place, ((first, end), events) in enumerate(counted(history, scale.folds)):
        x0, x1 = scale.x(first), scale.x(end)
        if x1 <= scale.left or x0 >= scale.right:
            continue
        middle = float(round((max(x0, scale.left) + min(x1, scale.right)) / 2))
        length = fold_length(end - first)
        words = said("picture.fold", length=length, events=f"{events:,}")
        ref = Ref("fold", 0, place, -1, words)
        yield Box(x0, y + 14, x1 - x0, TIME_RULER - 14, ref=ref)
        yield from slashes(middle, base, ref)
        half = text_width(length, 10, 600, mono=True) / 2
        centre = min(max(middle, scale.left + half), scale.right - half)
        if centre - half >= free:
            yield Text(centre, y + 12, length, "text", 10, 600, mono=True, align=Align.CENTRE, ref=ref)
            free = centre + half + _ROOM


def folds_on_columns(comparison: Comparison, columns: Columns, y: float) -> Iterator[Mark]:
    """The slashes of each fold of a comparison, with the numbers of the landmarks inside above them.

    `y` is the lower end of the ruler. A click opens the fold: the ref's key is its place among all of them.
    """
    for place, stops in enumerate(columns.folds):
        x0, x1 = columns.fold(stops)
        if x1 - x0 < 1:
            continue
        middle, ref = float(round((x0 + x1) / 2)), Ref("fold", 0, place, -1, _told(comparison, stops))
        yield Box(x0, 2, x1 - x0, y - 4, ref=ref)
        inside = [number for number, head in enumerate(columns.heads) if stops[0] <= head < stops[1]]
        words = "" if not inside else str(inside[0]) if len(inside) == 1 else f"{inside[0]}–{inside[-1]}"
        if words and text_width(words, 10, 600, mono=True) <= x1 - x0:
            yield Text(middle, 16, words, "text", 10, 600, mono=True, align=Align.CENTRE, ref=ref)
        yield from slashes(middle, y - _HALF - 4, ref)


def _told(comparison: Comparison, stops: Stretch) -> str:
    """How long each run is folded, and over how many events of its partition."""
    before = comparison.stops[max(stops[0] - 1, 0)].cursors
    runs: list[str] = []
    for place, run in enumerate(comparison.runs):
        history, first, end = run.history, before[place], comparison.stops[stops[1] - 1].cursors[place]
        times = history.trace.columns["at"]
        passed = int(times[max(end - 1, 0)]) - int(times[first]) if end > first else 0
        events = f"{history.rank(end) - history.rank(first):,}"
        length = fold_length(passed)
        runs.append(said("picture.fold.run", number=place + 1, length=length, events=events))
    return said("picture.fold.runs", runs=semicolons(runs))


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
