"""A picture cut into strips, one a lane: an image of each static layer, the cursor's marks over them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from operator import attrgetter
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from core.picture.hatch import Rect
from core.picture.hit import bounds
from core.picture.marks import Box, Layer, Mark, Picture, Text
from gui.paint import paint
from gui.theme import Theme

CURSOR: Final = "cursor"
"""The layer that changes with the cursor; every other layer is static."""
_TOP, _BOTTOM = attrgetter("top"), attrgetter("bottom")


@dataclass(frozen=True, slots=True)
class Strip:
    """A horizontal part of the picture: a lane, or what stands between two lanes. `broker` -1 is no lane."""

    top: float
    bottom: float
    run: int = -1
    broker: int = -1


def strips_of(picture: Picture, head: float = 0.0) -> tuple[Strip, ...]:
    """The picture from top to bottom, cut under what stays in sight (`head`) and at the lanes below."""
    lanes = sorted(
        (mark.y, mark.y + mark.h, mark.ref.run, mark.ref.broker)
        for layer in still_layers(picture)
        for mark in layer.marks
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane" and mark.y >= head
    )
    strips: list[Strip] = [Strip(0.0, head)] if head else []
    y = head
    for top, bottom, run, broker in lanes:
        if top > y:
            strips.append(Strip(y, top, -1, -1))
        strips.append(Strip(max(top, y), bottom, run, broker))
        y = bottom
    if y < picture.height:
        strips.append(Strip(y, picture.height))
    return tuple(strips)


def still_layers(picture: Picture | None) -> tuple[Layer, ...]:
    """The layers that stay while the cursor moves."""
    return () if picture is None else tuple(layer for layer in picture.layers if layer.name != CURSOR)


@dataclass(frozen=True, slots=True)
class _Image:
    """A layer as it was painted, from a row of the device on."""

    layer: Layer
    look: tuple[str, float]
    """Name of the theme, pixels of the device in one of the picture."""
    row: int
    pixels: QPixmap


class Sheet:
    """The picture, with an image of each static layer that was seen; shared by all strips.

    An image is kept as long as its layer stays what it is. So of a picture that has a layer each lane, a lane
    that stays in sight while others are scrolled is not painted again.
    """

    def __init__(self) -> None:
        self.picture: Picture | None = None
        self.theme: Theme | None = None
        self.repaints = 0
        """How often a static layer was painted: tests hold that stepping and scrolling do not paint anew."""
        self._still: dict[Rect, Layer] = {}
        """The static layers, and where they are."""
        self._images: dict[Rect, _Image] = {}

    def show(self, picture: Picture | None) -> list[tuple[float, float]]:
        """Take a picture. Gives from where to where in height its static layers are others than before."""
        before, self.picture = self._still, picture
        now = self._still = {_rect(layer, picture): layer for layer in still_layers(picture)}
        self._images = {at: image for at, image in self._images.items() if now.get(at) == image.layer}
        return [(at[1], at[1] + at[3]) for at, layer in now.items() if before.get(at) != layer]

    def draw(self, painter: QPainter, box: QRectF, ratio: float) -> None:
        """The static layers of a strip."""
        if self.theme is None:
            return
        top, bottom = box.top(), box.bottom()
        for at, layer in self._still.items():
            if at[1] < bottom and at[1] + at[3] > top:
                shown = box.intersected(QRectF(*at))
                image = self._image(layer, at, self.theme, ratio)
                row = shown.y() * ratio - image.row
                source = QRectF(shown.x() * ratio, row, shown.width() * ratio, shown.height() * ratio)
                painter.drawPixmap(shown, image.pixels, source)

    def _image(self, layer: Layer, at: Rect, theme: Theme, ratio: float) -> _Image:
        kept = self._images.get(at)
        if kept is None or kept.look != (theme.name, ratio):
            self.repaints += 1
            x, top, width, height = at
            # From a whole row of the device to another, also where its pixels are no multiple of ours.
            first, last = floor(top * ratio), ceil((top + height) * ratio)
            pixels = QPixmap(ceil((x + width) * ratio), last - first)
            pixels.setDevicePixelRatio(ratio)
            pixels.fill(theme.colour("bg.lane"))
            painter = QPainter(pixels)
            painter.translate(0, -first / ratio)
            paint(painter, Picture(width, height, (Layer(layer.name, layer.marks),)), theme)
            painter.end()
            kept = self._images[at] = _Image(layer, (theme.name, ratio), first, pixels)
        return kept


def _rect(layer: Layer, picture: Picture | None) -> Rect:
    """Where a layer is, the whole picture where it is not clipped."""
    if layer.clip is not None or picture is None:
        return layer.clip or (0.0, 0.0, 0.0, 0.0)
    return (0.0, 0.0, picture.width, picture.height)


def strips_between(strips: Sequence[Strip], top: float, bottom: float) -> range:
    """The places of the strips that touch what is between two heights."""
    first = bisect_right(strips, top, key=_BOTTOM)
    return range(first, bisect_left(strips, bottom, lo=first, key=_TOP))


def cursor_marks(picture: Picture, strips: Sequence[Strip]) -> list[tuple[Mark, ...]]:
    """For each strip the marks of the cursor's layer that touch it, or nearly: arrow heads, descenders."""
    found: list[list[Mark]] = [[] for _ in strips]
    for mark in (mark for layer in picture.layers if layer.name == CURSOR for mark in layer.marks):
        if isinstance(mark, Text):
            top, bottom = mark.y - mark.size - 2, mark.y + mark.size / 2
        else:
            _, y, _, h = bounds(mark)
            top, bottom = y - 12, y + h + 12
        for place in strips_between(strips, top, bottom):
            found[place].append(mark)
    return [tuple(marks) for marks in found]


class StripItem(pg.GraphicsObject):
    """One strip of the picture: a lane, the ruler, a run's header."""

    def __init__(self, strip: Strip, sheet: Sheet) -> None:
        """Paints what lies in `strip` of the sheet's picture."""
        super().__init__()
        self._strip, self._sheet = strip, sheet
        self._width = sheet.picture.width if sheet.picture else 0.0
        self._cursor: Picture | None = None

    def show_cursor(self, mine: tuple[Mark, ...]) -> None:
        """Take the cursor's marks that lie in this strip; paint if they changed."""
        bottom = self._strip.bottom
        if self._cursor is None or mine != self._cursor.layers[0].marks:
            self._cursor = Picture(self._width, bottom, (Layer(CURSOR, mine),))
            self.update()

    def boundingRect(self) -> QRectF:
        """The strip, in pixels of the picture."""
        return QRectF(0, self._strip.top, self._width, self._strip.bottom - self._strip.top)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """The cached image of the strip, then the cursor's layer."""
        theme = self._sheet.theme
        if self._cursor is None or theme is None:
            return
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        box = self.boundingRect()
        painter.save()
        painter.setClipRect(box)
        self._sheet.draw(painter, box, ratio)
        paint(painter, self._cursor, theme)
        painter.restore()
