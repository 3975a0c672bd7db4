"""The ladder beside a lane, on which a learner places a cut or a high watermark, and what it would keep."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.picture.hatch import Rect, hatched
from core.picture.lane import number
from core.picture.letters import laid_over
from core.picture.marks import Align, Box, Hatch, Line, Mark, Picture, Segments, Text
from core.picture.metrics import text_width
from core.picture.scale import OffsetScale, offset_step

WIDTH: Final = 44.0
BESIDE: Final = 18.0
"""So far right of the lanes it begins."""
GRIP: Final = (150.0, 34.0)
_NIB: Final = 12.0
_RUNG: Final = 8.0
"""Less height than this a rung, and not each offset has one."""
_NUMBER: Final = 13.0
"""The same of numbers."""
_START: Final = 27.0
"""So far above the highest offset the grip begins, on no answer."""
_LENS_RUNG: Final = 14.0
"""Height of a rung in the lens."""
_LENS_REACH: Final = 4
"""So many offsets to each side of one are in the lens."""
LENS_LEAST: Final = 52.0
"""The least width of a lens, and so far from the ladder it begins."""
_LENS_APART: Final = 12.0
_INTO: Final = 132.0
"""How far the line of what is chosen reaches into the lane."""
_SIZE: Final = 12.0


@dataclass(frozen=True, slots=True)
class Lens:
    """The offsets around one, each with a rung that a mouse can meet; `middle` is the height of that one."""

    around: int
    left: float
    width: float
    middle: float

    def y(self, offset: int) -> float:
        """Where the rung of an offset is."""
        return self.middle - (offset - self.around) * _LENS_RUNG

    def offset_at(self, y: float) -> int:
        """The offset whose rung is nearest, as if there were rungs without end."""
        return self.around + round((self.middle - y) / _LENS_RUNG)

    @property
    def box(self) -> Rect:
        """All that it covers."""
        tall = (2 * _LENS_REACH + 1) * _LENS_RUNG + 8
        return self.left, self.middle - tall / 2, self.width, tall


@dataclass(frozen=True, slots=True)
class Ladder:
    """Offsets from `low` to `high` at the heights that they have in a lane, from `left` on."""

    left: float
    right: float
    """Where the room for the grip ends."""
    scale: OffsetScale
    low: int
    high: int
    lane: Rect
    """The lane that is asked about: x, y, width, height."""
    lens: Lens | None = None
    """Opened beside it where its rungs are too near for a mouse and something is chosen."""

    @property
    def crowded(self) -> bool:
        """Whether not each offset has a rung."""
        return self.bottom - self.top < _RUNG * (self.high - self.low)

    def offset_in_lens(self, y: float) -> int:
        """The offset at a height of the lens, one of the ladder's."""
        offset = self.low if self.lens is None else self.lens.offset_at(y)
        return min(max(offset, self.low), self.high)

    def offset_at(self, y: float) -> int:
        """The offset whose rung is nearest."""
        offsets = range(self.low, self.high + 1)
        place = bisect_left(offsets, -y, key=lambda offset: -self.scale.y(offset))
        near = offsets[max(place - 1, 0) : place + 1] or offsets[-1:]
        return min(near, key=lambda offset: abs(self.scale.y(offset) - y))

    @property
    def top(self) -> float:
        """Where the highest rung is."""
        return self.scale.y(self.high)

    @property
    def bottom(self) -> float:
        """Where the lowest rung is."""
        return self.scale.y(self.low)

    def grip(self, chosen: int | None) -> Rect:
        """Where the grip is: at the rung of what is chosen, above them all before something is."""
        y = self.top - _START if chosen is None else self.scale.y(chosen)
        left = self.left + WIDTH + _NIB
        if chosen is not None and self.lens is not None:
            y, left = self.lens.y(chosen), self.lens.left + self.lens.width + _NIB
        return left, y - GRIP[1] / 2, min(GRIP[0], self.right - left), GRIP[1]


def lens_width(high: int) -> float:
    """How wide the lens of a ladder is whose highest offset is `high`."""
    return max(LENS_LEAST, text_width(number(high), 11, mono=True) + 26)


def with_lens(ladder: Ladder, around: int, head: float, foot: float) -> Ladder:
    """The ladder with the lens around an offset, between two heights; unchanged where it needs none."""
    if not ladder.crowded:
        return ladder
    half = (_LENS_REACH + 0.5) * _LENS_RUNG + 6
    middle = max(min(ladder.scale.y(around), foot - half), head + half)
    left = ladder.left + WIDTH + _LENS_APART
    return replace(ladder, lens=Lens(around, left, lens_width(ladder.high), middle))


@dataclass(frozen=True, slots=True)
class Placed:
    """What is chosen on a ladder, in words for grip and bracket; `role` is that of its line."""

    offset: int | None
    grip: str
    keeps: str = ""
    end: int | None = None
    """Where the log ends: what is between would go. None where nothing goes."""
    role: str = "text"


def with_ladder(picture: Picture, ladder: Ladder, placed: Placed) -> Picture:
    """The picture with the ladder of the lane that is asked about, and what is chosen."""
    marks: list[Mark] = [*_rungs(ladder, placed.offset)]
    if placed.offset is not None:
        marks += _chosen(ladder, placed, placed.offset)
        if ladder.lens is not None:
            marks += _lens(ladder, ladder.lens, placed.offset)
    return laid_over(picture, (*marks, *_grip(ladder, placed)))


def _rungs(ladder: Ladder, chosen: int | None) -> Sequence[Mark]:
    left, high, low = ladder.left, ladder.top, ladder.bottom
    span, tall = ladder.high - ladder.low, low - high
    each = offset_step(max(span, 1), max(tall / _RUNG, 1))
    named = offset_step(max(span, 1), max(tall / _NUMBER, 1))
    marks: list[Mark] = [
        Box(left, high - 10, WIDTH, tall + 20, fill="bg.panel", edge="line.strong", radius=6)
    ]
    rungs = {*range(ladder.low, ladder.high + 1, each), ladder.high}
    marks += [
        Line(((left + 1, y), (left + 9, y)), "text", 1.4)
        for y in sorted(ladder.scale.y(offset) for offset in rungs)
    ]
    names = {*range(ladder.low, ladder.high + 1, named), ladder.high}
    if chosen is not None:
        names = {one for one in names if abs(ladder.scale.y(one) - ladder.scale.y(chosen)) >= _NUMBER - 2}
        names.add(chosen)
    crowded = {
        one for one in names if one not in (ladder.high, chosen) and ladder.scale.y(one) - high < _NUMBER - 2
    }
    marks += [
        Text(
            left + WIDTH - 6,
            ladder.scale.y(offset) + 4,
            number(offset),
            "text" if offset == chosen else "text.2",
            11.0,
            700 if offset == chosen else 400,
            mono=True,
            align=Align.RIGHT,
            max_width=WIDTH - 17,
        )
        for offset in sorted(names - crowded)
    ]
    return marks


def _chosen(ladder: Ladder, placed: Placed, offset: int) -> Sequence[Mark]:
    """What is chosen, seen in the lane: its line, what stays below it, what would go above."""
    end, y, low = ladder.left - BESIDE, ladder.scale.y(offset), ladder.bottom
    begin, marks = max(end - _INTO, ladder.lane[0]), list[Mark]()
    if placed.end is not None and placed.end > offset:
        top = ladder.scale.y(placed.end)
        gone = (begin, top, end - begin, y - top)
        marks += [
            Box(*gone, fill="bg.lane", opacity=0.6),
            *hatched(gone, Hatch.FALLING, 9.0, (end, low), "text.2"),
        ]
    marks.append(Line(((begin, y), (ladder.left, y)), placed.role, 2.0, dash=(6.0, 4.0)))
    if placed.keeps and low - y >= 6:
        across = end - 22
        marks.append(Line(((across - 5, y), (across + 5, y)), "text", 1.6))
        marks.append(Line(((across, y), (across, low)), "text", 1.6))
        marks.append(Line(((across - 5, low), (across + 5, low)), "text", 1.6))
        wide = text_width(placed.keeps, _SIZE, 600) + 12
        middle = (y + low) / 2
        marks.append(Box(across - 8 - wide, middle - 10, wide, 20, fill="bg.panel", radius=3))
        marks.append(Text(across - 14, middle + 4, placed.keeps, size=_SIZE, weight=600, align=Align.RIGHT))
    return marks


def _lens(ladder: Ladder, lens: Lens, chosen: int) -> Sequence[Mark]:
    """The lens: where on the ladder it looks, a rung and a number for each of its offsets."""
    x, top, wide, tall = lens.box
    edge, y = ladder.left + WIDTH, ladder.scale.y(lens.around)
    marks: list[Mark] = [
        Line(((edge, y), (x, top + 6)), "line.strong", 1.0),
        Line(((edge, y), (x, top + tall - 6)), "line.strong", 1.0),
        Box(x, top, wide, tall, fill="bg.panel", edge="line.strong", radius=6),
    ]
    for offset in range(lens.around - _LENS_REACH, lens.around + _LENS_REACH + 1):
        if not ladder.low <= offset <= ladder.high:
            continue
        here, rung = offset == chosen, lens.y(offset)
        marks.append(Line(((x + 1, rung), (x + 9, rung)), "text", 1.4))
        weight, role = (700, "text") if here else (400, "text.2")
        words = number(offset)
        marks.append(Text(x + wide - 7, rung + 4, words, role, 11.0, weight, mono=True, align=Align.RIGHT))
    return marks


def _grip(ladder: Ladder, placed: Placed) -> Sequence[Mark]:
    x, y, w, h = ladder.grip(placed.offset)
    middle = y + h / 2
    marks: list[Mark] = [Box(x, y, w, h, fill="bg.inverse", radius=4)]
    if placed.offset is not None:
        marks.append(Line(((x, middle), (x - _NIB + 1, middle)), "bg.inverse", 3.0, arrow=9.0))
    ribs = tuple((x + 11 + rib * 5, middle - 6, x + 11 + rib * 5, middle + 6) for rib in range(3))
    marks.append(Segments(ribs, "text.inverse", 1.4))
    marks.append(Text(x + 32, middle + 4.5, placed.grip, "text.inverse", 13.0, 600, max_width=w - 38))
    return marks


def moved_aside(ladder: Ladder, head: float, foot: float) -> float | None:
    """Where words of the veil stand on no part of the ladder: the middle of the larger room; None is nowhere.

    The veil reaches from `head` to `foot`.
    """
    above, below = ladder.top - _START - GRIP[1] - head, foot - ladder.bottom - 12
    if max(above, below) < GRIP[1]:
        return None
    return head + above / 2 if above >= below else foot - below / 2
