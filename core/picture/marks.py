"""Marks: what a picture consists of. They have roles, never colours; lengths are logical pixels.

`layout` makes them, one `paint` draws them on every device, `to_text` writes them for tests and terminals.
A mark that stands for something carries `ref`, so that a click finds it.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.shown import shown_in_line


class Glyph(StrEnum):
    """The domain's signs, drawn as in the visual design's lane anatomy."""

    LOSS = "loss"
    POSSIBLE_LOSS = "possible loss"
    DIVERGENCE = "divergence"
    DIFFERENCE = "difference"
    TRUNCATION = "truncation"
    UNCLEAN_ELECTION = "unclean election"
    ELECTION = "election"
    HW_BACK = "high watermark moved back"
    HW_RISE = "high watermark rose"
    CRASH = "crash"
    STOP = "stop"
    START = "start"
    GAP = "evidence gap"
    ISR_SHRINK = "ISR shrank"
    ISR_GROW = "ISR grew"
    ACK_ONE = "acknowledged, acks=1"
    ACK_ALL = "acknowledged, acks=all"
    OBSERVED = "observed"
    REPORTED = "reported"
    NOTE = "note"
    NOTE_ROUND = "round note"
    NOTE_POINTED = "pointed note"


class Hatch(StrEnum):
    """Line patterns that fill an area; they become line segments in layout, clipped to their box."""

    RISING = "rising"
    FALLING = "falling"
    CROSSED = "crossed"
    UPRIGHT = "upright"
    LEVEL = "level"


class Align(IntEnum):
    """Where a text's x is."""

    LEFT = 0
    CENTRE = 1
    RIGHT = 2


@dataclass(frozen=True, slots=True)
class Ref:
    """What a mark stands for. `run` is the index of the run in a comparison (0 alone).

    `kind` is "event" (seq), "loss" (seq), "truncation" (seq), "difference" (stop), "note" (id),
    "lane" (broker), "cell" (offset; of a fold, `last` is its last one), "stop" (stop), "group" (seq of the
    first, `last` of the last), "era" (column of an era), "break" (seq of what the era of column `broker`
    could not have made).
    `text` is the mark's accessible name, a whole phrase.
    """

    kind: str
    run: int
    key: int
    broker: int = -1
    text: str = ""
    last: int = -1


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle. `fill` and `edge` are roles or ""; `dash` is in logical pixels."""

    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    opacity: float = 1.0
    edge: str = ""
    edge_width: float = 1.0
    dash: tuple[float, ...] = ()
    radius: float = 0.0
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline through points."""

    points: tuple[tuple[float, float], ...]
    role: str
    width: float = 1.0
    opacity: float = 1.0
    dash: tuple[float, ...] = ()
    arrow: float = 0.0
    """Length of the head at the last point; 0 is none."""
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Segments:
    """Many separate line segments of one role: hatches, dots. Each is (x1, y1, x2, y2)."""

    lines: tuple[tuple[float, float, float, float], ...]
    role: str
    width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """Columns one pixel wide from `x` on, each filled from `tops[i]` down to `bottoms[i]`; empty where equal.

    One mark for a thousand columns: what stands closer than pixels is drawn by their extremes.
    """

    x: float
    tops: NDArray[np.float64]
    bottoms: NDArray[np.float64]
    role: str
    opacity: float = 1.0
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; y is the baseline. `mono`: numbers, raw text; `plate`: bg.lane under it.

    What may come from a file is shown, not obeyed (core/shown.py), so that it is measured as it is drawn.
    """

    x: float
    y: float
    text: str
    role: str = "text"
    size: float = 11.0
    weight: int = 400
    mono: bool = False
    align: Align = Align.LEFT
    plate: bool = False
    max_width: float = 0.0
    """Elide with an ellipsis beyond this width; 0 is no limit."""
    ref: Ref | None = None

    def __post_init__(self) -> None:
        """Write out what would steer the line."""
        if not self.text.isprintable():
            object.__setattr__(self, "text", shown_in_line(self.text))


@dataclass(frozen=True, slots=True)
class Sign:
    """A domain sign, centred at (x, y). `role` is its colour, `count` a number in or beside it, 0 is none."""

    x: float
    y: float
    glyph: Glyph
    size: float
    role: str
    epoch: int = -1
    """Epoch colour of a flag; -1 is none."""
    label: str = ""
    rank: int = 99
    """Priority where marks meet (visual design 3.6), 1 is highest."""
    ref: Ref | None = None


Mark: TypeAlias = Box | Line | Segments | Fill | Text | Sign


@dataclass(frozen=True, slots=True)
class Layer:
    """Marks cached together: "static" per window, "cursor" per step. `clip` is x, y, w, h or None.

    A picture that is scrolled has a "static" one each lane, and "head", the ruler above them.
    """

    name: str
    marks: tuple[Mark, ...]
    clip: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A laid out picture. `title` and `alt` are its name and its text for people who do not see it."""

    width: float
    height: float
    layers: tuple[Layer, ...]
    title: str = ""
    alt: str = ""

    def __post_init__(self) -> None:
        """Write out what would steer, as in the texts of its marks."""
        for name in ("title", "alt"):
            object.__setattr__(self, name, shown_in_line(getattr(self, name)))

    def marks(self) -> tuple[Mark, ...]:
        """All marks from the back to the front."""
        return tuple(chain.from_iterable([layer.marks for layer in self.layers]))
