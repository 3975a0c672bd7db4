"""Marks at another place: how whole pictures become parts of a larger one."""

from collections.abc import Iterable
from dataclasses import replace

from core.picture.marks import Box, Fill, Line, Mark, Segments, Sign, Text


def moved(marks: Iterable[Mark], dx: float, dy: float) -> tuple[Mark, ...]:
    """The same marks, shifted."""
    return tuple(_shift(mark, dx, dy) for mark in marks)


def _shift(mark: Mark, dx: float, dy: float) -> Mark:
    match mark:
        case Line():
            return replace(mark, points=tuple((x + dx, y + dy) for x, y in mark.points))
        case Segments():
            lines = tuple((x1 + dx, y1 + dy, x2 + dx, y2 + dy) for x1, y1, x2, y2 in mark.lines)
            return replace(mark, lines=lines)
        case Fill():
            return replace(mark, x=mark.x + dx, tops=mark.tops + dy, bottoms=mark.bottoms + dy)
        case Box() | Text() | Sign():
            return replace(mark, x=mark.x + dx, y=mark.y + dy)
