"""What a lesson lays over lanes: letters of its text beside their marks, the veil over what is hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.picture.axis import OrderScale
from core.picture.comparison import ComparisonView, geometry
from core.picture.hatch import Rect, hatched
from core.picture.hit import bounds
from core.picture.marks import Align, Box, Hatch, Layer, Mark, Picture, Sign, Text
from core.picture.metrics import text_width
from core.picture.timeline import TimelineView, time_scale

_SIZE: Final = 16.0
_APART: Final = 5.0
_EVENTS: Final = ("event", "loss", "truncation")
_CURSOR: Final = "cursor"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter and the event that it stands beside: its run, its place in the trace, its broker.

    `x` is where the event is on the axis: events that have no mark of their own are pointed at there.
    """

    letter: str
    run: int
    seq: int
    broker: int
    x: float


@dataclass(frozen=True, slots=True)
class Pointed:
    """A letter of a text and the event that it stands beside; `position` is a cursor or a stop."""

    letter: str
    run: int
    seq: int
    broker: int
    position: int


def lettered(picture: Picture, view: TimelineView | ComparisonView, points: Sequence[Pointed]) -> Picture:
    """The picture of a view with its letters."""
    letters = [Letter(one.letter, one.run, one.seq, one.broker, x_of(view, one.position)) for one in points]
    return with_letters(picture, letters, view.gutter)


def x_of(view: TimelineView | ComparisonView, cursor: int) -> float:
    """Where a cursor of a timeline, or a stop of a comparison, is in its picture: at its last event."""
    if isinstance(view, ComparisonView):
        return geometry(view).columns.cursor_x(cursor)
    scale, seq = time_scale(view), max(cursor, 1) - 1
    if isinstance(scale, OrderScale):
        return scale.x(int(scale.seqs.searchsorted(seq)))
    return scale.x(int(view.history.trace.columns["at"][seq]))


def with_letters(picture: Picture, letters: Sequence[Letter], left: float) -> Picture:
    """The picture with plates beside the marks; what is left of `left`, or out of the picture, has none."""
    marks: list[Mark] = []
    for one in letters:
        spot = _spot(picture, one)
        if spot is not None and left <= one.x <= picture.width:
            taken = [bounds(mark) for mark in (*picture.marks(), *marks) if isinstance(mark, Text | Sign)]
            marks.extend(_plate(one.letter, _free(spot, taken, picture.width)))
    return laid_over(picture, marks)


def with_veil(picture: Picture, left: float, top: float, words: str, middle: float | None = None) -> Picture:
    """The picture hatched over right of `left` and under `top`; `words` say what for, at height `middle`."""
    rect = (left, top, picture.width - left, picture.height - top)
    if rect[2] < 1:
        return picture
    wide = text_width(words, 12, 600) + 24
    marks: list[Mark] = [
        Box(*rect, fill="bg.sunken"),
        *hatched(rect, Hatch.RISING, 18.0, (left, top), "line.strong"),
    ]
    if words and wide + 16 <= rect[2]:
        x, y = left + rect[2] / 2, top + rect[3] / 2 if middle is None else middle
        marks.append(Box(x - wide / 2, y - 15, wide, 30, fill="bg.panel", edge="line.strong", radius=4))
        marks.append(Text(x, y + 4, words, size=12, weight=600, align=Align.CENTRE))
    return laid_over(picture, marks)


def laid_over(picture: Picture, marks: Sequence[Mark]) -> Picture:
    """The picture with marks over what stays, under the cursor and what was laid over it before."""
    if not marks:
        return picture
    layers = [
        replace(layer, marks=(*marks, *layer.marks)) if layer.name == _CURSOR else layer
        for layer in picture.layers
    ]
    if all(layer.name != _CURSOR for layer in layers):
        layers.append(Layer(_CURSOR, tuple(marks)))
    return replace(picture, layers=tuple(layers))


def _spot(picture: Picture, one: Letter) -> Rect | None:
    """The box of the mark of an event, else the middle of its lane where the event is on the axis."""
    lane: Rect | None = None
    for mark in picture.marks():
        ref = getattr(mark, "ref", None)
        if ref is None or ref.run != one.run:
            continue
        if ref.kind in _EVENTS and ref.key == one.seq:
            return bounds(mark)
        if ref.kind == "lane" and ref.broker == one.broker and isinstance(mark, Box):
            lane = bounds(mark)
    return None if lane is None else (one.x, lane[1] + lane[3] / 2, 0.0, 0.0)


def _free(spot: Rect, taken: Sequence[Rect], width: float) -> Rect:
    """Beside a mark, on no label: right, left, below or above, the first that is free."""
    x, y, w, h = spot
    middle, across = y + h / 2 - _SIZE / 2, x + w / 2 - _SIZE / 2
    places = (
        (x + w + _APART, middle),
        (x - _APART - _SIZE, middle),
        (across, y + h + _APART),
        (across, y - _APART - _SIZE),
    )
    boxes = [(px, py, _SIZE, _SIZE) for px, py in places if 0 <= px <= width - _SIZE and py >= 0]
    return next((box for box in boxes if not any(_meet(box, other) for other in taken)), boxes[0])


def _meet(one: Rect, other: Rect) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def _plate(letter: str, box: Rect) -> tuple[Mark, ...]:
    x, y, w, h = box
    return (
        Box(x, y, w, h, fill="bg.inverse", edge="bg.panel", radius=3),
        Text(x + w / 2, y + 12, letter, "text.inverse", 11, 700, align=Align.CENTRE),
    )
