"""The spotlight of a lesson: another ground outside of what its text speaks of, and corners around that.

The data keeps its full strength everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from core.picture.hatch import Rect
from core.picture.letters import laid_over
from core.picture.marks import Box, Layer, Line, Mark, Picture

_ARM: Final = 16.0
_INSIDE: Final = 2.0
"""Corners stand so far inside of a lane, so that those of lanes one under the other do not meet."""
_CURSOR: Final = "cursor"


@dataclass(frozen=True, slots=True)
class Spot:
    """What a text speaks of: from where to where along the axis, and in which of the rows, by place."""

    left: float
    right: float
    rows: tuple[tuple[int, float, float], ...]
    """The run of each lane, its top and its end."""
    lit: frozenset[int]


def with_spotlight(picture: Picture, spot: Spot, gutter: float) -> Picture:
    """The picture with another ground right of the gutter outside of the spot, and corners around it."""
    dark = _dark(picture, spot, gutter)
    layers = tuple(layer if layer.name == _CURSOR else _grounded(layer, dark) for layer in picture.layers)
    marks = [mark for rect in _rects(spot) for mark in corners(rect)]
    return laid_over(replace(picture, layers=layers), marks)


def corners(rect: Rect) -> Sequence[Mark]:
    """Four corners of a rectangle."""
    x, y, w, h = rect
    found: list[Mark] = []
    for cx, across in ((x, _ARM), (x + w, -_ARM)):
        for cy, down in ((y, _ARM), (y + h, -_ARM)):
            found.append(Line(((cx + across, cy), (cx, cy), (cx, cy + down)), "text", 3.0))
    return found


def _rects(spot: Spot) -> Sequence[Rect]:
    """One for all lit lanes of a run that stand one under the other."""
    found: list[Rect] = []
    for (lit, _), group in groupby(range(len(spot.rows)), lambda at: (at in spot.lit, spot.rows[at][0])):
        places = list(group)
        top, end = spot.rows[places[0]][1] + _INSIDE, spot.rows[places[-1]][2] - _INSIDE
        if lit:
            found.append((spot.left, top, spot.right - spot.left, end - top))
    return found


def _dark(picture: Picture, spot: Spot, gutter: float) -> Sequence[Box]:
    """The other ground, lane by lane."""
    found: list[Box] = []
    for place, (_, top, bottom) in enumerate(spot.rows):
        dark = [(gutter, picture.width)]
        if place in spot.lit:
            dark = [(gutter, spot.left), (spot.right, picture.width)]
        found += [Box(x, top, end - x, bottom - top, fill="bg.window") for x, end in dark if end > x]
    return found


def _grounded(layer: Layer, dark: Sequence[Box]) -> Layer:
    """A layer with the ground of its lanes over its paper, under all else."""
    if not layer.marks or not (isinstance(layer.marks[0], Box) and layer.marks[0].fill == "bg.lane"):
        return layer
    top, end = (0.0, float("inf")) if layer.clip is None else (layer.clip[1], layer.clip[1] + layer.clip[3])
    here = [one for one in dark if one.y < end and one.y + one.h > top]
    return replace(layer, marks=(layer.marks[0], *here, *layer.marks[1:]))
