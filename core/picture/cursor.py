"""The cursor's line: it breaks where it would run through a text."""

from collections.abc import Sequence

from core.picture.hit import bounds
from core.picture.marks import Line, Mark, Sign, Text


def cursor_line(static: Sequence[Mark], x: float, top: float, bottom: float) -> tuple[Mark, ...]:
    """A line of 1 px from top to bottom, with a gap at each text and labelled sign that stands in its way."""
    gaps: list[tuple[float, float]] = []
    for mark in static:
        if isinstance(mark, Text) or (isinstance(mark, Sign) and mark.label):
            left, y, w, h = bounds(mark)
            if left - 2 <= x <= left + w + 2 and y < bottom and y + h > top:
                gaps.append((y - 1, y + h + 1))
    lines: list[Mark] = []
    at = top
    for start, end in sorted(gaps):
        if start > at:
            lines.append(Line(((x + 0.5, at), (x + 0.5, start)), "cursor"))
        at = max(at, end)
    if at < bottom:
        lines.append(Line(((x + 0.5, at), (x + 0.5, bottom)), "cursor"))
    return tuple(lines)
