"""Folded time as marks: a pair of slashes on the ruler, and an empty column through the log areas."""

from collections.abc import Iterator

from core.history.state import History
from core.picture.axis import TimeAxis
from core.picture.folds import counted
from core.picture.lane import Lane
from core.picture.marks import Align, Box, Line, Mark, Ref, Text
from core.picture.metrics import text_width
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


def fold_length(length: int) -> str:
    """How long a fold is, short: "18.1 s", "41 min", "23 h"."""
    if length < 100 * SECOND_NS:
        return f"{length / SECOND_NS:.1f} s"
    minutes = round(length / MINUTE_NS)
    return f"{minutes} min" if minutes < 100 else f"{round(minutes / 60)} h"


def folds_in_area(lane: Lane, sheet: Sheet) -> None:
    """An empty column through the log area of each fold: no curve, no bound and no hatch crosses it."""
    axis, box = lane.axis, lane.box
    if not isinstance(axis, TimeAxis):
        return
    for first, end in axis.scale.folds.within(axis.scale.first, axis.scale.last):
        x0 = max(float(round(axis.scale.x(first))), axis.left)
        x1 = min(float(round(axis.scale.x(end))), axis.right)
        if x1 - x0 < 1:
            continue
        rect = (x0, box.area_top - 1, x1 - x0, box.bottom - box.area_top + 1)
        sheet.add(Depth.SAMPLE, Box(*rect, fill="bg.sunken"))
        for x in (x0 + 0.5, x1 - 0.5):
            edge = ((x, rect[1]), (x, rect[1] + rect[3]))
            sheet.add(Depth.SAMPLE, Line(edge, "line.edge", dash=(2.0, 3.0)))
        sheet.keep_clear(rect)
