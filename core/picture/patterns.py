"""Patterns for print in grey: what the colours of epochs say, said a second time by lines.

Epochs modulo 6 are plain, dotted, upright, level, rising, falling, in the log area and its legend; the high
watermark is a pixel thicker (visual design, section 12).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.picture.hatch import Segment, dots, hatch_segments
from core.picture.marks import Box, Fill, Hatch, Line, Mark, Picture, Segments

_STEP: Final = 8.0
_DOTS: Final = 6.0
_ROLE, _STRENGTH = "text", 0.6
_ORIGIN: Final = (0.0, 0.0)
"""One for the whole picture: boxes that touch go on with one another's lines."""
_OF: Final = ("", "dots", Hatch.UPRIGHT, Hatch.LEVEL, Hatch.RISING, Hatch.FALLING)
_PART: Final = ".committed"


def patterned(picture: Picture) -> Picture:
    """The same picture with a pattern for each epoch."""
    layers = (replace(layer, marks=tuple(_patterned(layer.marks))) for layer in picture.layers)
    return replace(picture, layers=tuple(layers))


def _patterned(marks: Iterable[Mark]) -> Iterator[Mark]:
    for mark in marks:
        match mark:
            case Box(fill=fill) if fill.endswith(_PART):
                yield mark
                yield from _on_box(mark, _pattern(fill))
            case Fill(role=role) if role.endswith(_PART):
                yield mark
                yield from _on_columns(mark, _pattern(role))
            case Line(role="hw") if mark.width > 1 or not mark.dash:
                yield replace(mark, width=mark.width + 1)
            case Line(role="bg.lane"):
                # The casing of the high watermark.
                yield replace(mark, width=mark.width + 1)
            case Fill(role="hw"):
                yield replace(mark, bottoms=mark.bottoms + (mark.tops < mark.bottoms))
            case _:
                yield mark


def _pattern(role: str) -> str:
    """What stands for "e3.committed"; "" where the epoch is plain or not known."""
    number = role[1 : -len(_PART)]
    return _OF[int(number) % len(_OF)] if number.isdecimal() else ""


def _on_box(box: Box, pattern: str) -> tuple[Mark, ...]:
    rect = (box.x, box.y, box.w, box.h)
    if not pattern:
        return ()
    if pattern == "dots":
        return dots(rect, _DOTS, _ORIGIN, _ROLE, _STRENGTH)
    lines = hatch_segments(rect, Hatch(pattern), _STEP, _ORIGIN)
    return (Segments(lines, _ROLE, opacity=_STRENGTH),) if lines else ()


def _on_columns(fill: Fill, pattern: str) -> tuple[Mark, ...]:
    """The same lines as on boxes, kept where the columns are filled."""
    if not pattern:
        return ()
    lines = tuple(_column_lines(fill, pattern))
    return (Segments(lines, _ROLE, opacity=_STRENGTH),) if lines else ()


def _column_lines(fill: Fill, pattern: str) -> Iterator[Segment]:
    middles = fill.x + np.arange(len(fill.tops)) + 0.5
    drawn = fill.tops < fill.bottoms
    if not drawn.any():
        return
    top, bottom = float(fill.tops[drawn].min()), float(fill.bottoms[drawn].max())
    if pattern == Hatch.UPRIGHT:
        for place in np.flatnonzero(drawn & (np.floor(middles) % _STEP == 0)):
            x = float(middles[place])
            yield x, float(fill.tops[place]), x, float(fill.bottoms[place])
        return
    if pattern == "dots":
        for row in range(int(top // _DOTS), int(bottom // _DOTS) + 1):
            y = row * _DOTS
            shifted = np.floor(middles - (_DOTS / 2 if row % 2 else 0.0)) % _DOTS == 0
            for place in np.flatnonzero(shifted & (fill.tops < y) & (y < fill.bottoms)):
                yield float(middles[place]) - 0.5, y, float(middles[place]) + 0.5, y
        return
    # A line's height at x is total - slope * x.
    slope = {Hatch.LEVEL: 0.0, Hatch.RISING: 1.0, Hatch.FALLING: -1.0}[Hatch(pattern)]
    reach = [y + slope * x for x in (middles[0], middles[-1]) for y in (top, bottom)]
    for k in range(int(min(reach) // _STEP), int(max(reach) // _STEP) + 1):
        total = k * _STEP
        ys = total - slope * middles
        for x1, x2 in _runs((fill.tops <= ys) & (ys <= fill.bottoms), fill.x):
            yield x1, total - slope * x1, x2, total - slope * x2


def _runs(inside: NDArray[np.bool_], left: float) -> Iterator[tuple[float, float]]:
    """From where to where, for each run of neighbouring columns that a line passes."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inside.astype(np.int8), [0]))))
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield left + first, left + end
