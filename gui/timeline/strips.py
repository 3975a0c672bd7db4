"""A picture cut into strips, one a lane: the static layers as one image, the cursor's marks over them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from core.picture.hit import bounds
from core.picture.marks import Box, Layer, Mark, Picture, Text
from gui.paint import paint
from gui.theme import Theme

CURSOR: Final = "cursor"
"""The layer that changes with the cursor; every other layer is static."""
HEAD: Final = "head"
"""The layer of a ruler that stays while lanes are scrolled under it."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A horizontal part of the picture: a lane, or what stands between two lanes. `broker` -1 is no lane."""

    top: float
    bottom: float
    run: int = -1
    broker: int = -1


def strips_of(picture: Picture, head: float = 0.0) -> tuple[Strip, ...]:
    """The picture from top to bottom, cut under its ruler (`head`) and at its lanes."""
    lanes = sorted(
        (mark.y, mark.y + mark.h, mark.ref.run, mark.ref.broker)
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
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


def still_marks(picture: Picture | None) -> tuple[tuple[Mark, ...], ...]:
    """The marks of the layers that stay while the cursor moves."""
    return () if picture is None else tuple(layer.marks for layer in picture.layers if layer.name != CURSOR)


def span_in(
    picture: Picture, strips: Sequence[Strip], sight: tuple[float, float]
) -> tuple[float, float] | None:
    """From the first to the last strip in sight, of a picture that is scrolled under its ruler; None: all."""
    if not has_head(picture):
        return None
    seen = [strip for strip in strips if strip.bottom > sight[0] and strip.top < sight[1]]
    return (seen[0].top, seen[-1].bottom) if seen else None


def has_head(picture: Picture) -> bool:
    """Whether its ruler is painted alone."""
    return any(layer.name == HEAD for layer in picture.layers)


class Sheet:
    """The picture with its static layers as images at the device's resolution, shared by all strips.

    Of a picture that is scrolled, the ruler is one image and the lanes in sight are another.
    """

    def __init__(self) -> None:
        self.picture: Picture | None = None
        self.theme: Theme | None = None
        self.repaints = 0
        """How often the static layers were painted: a test holds that stepping does not."""
        self._static: tuple[tuple[Mark, ...], ...] = ()
        self._key: tuple[float, ...] = ()
        self._span: tuple[float, float] = (0.0, 0.0)
        self._painted: dict[bool, tuple[str, float]] = {}
        self._images: dict[bool, QPixmap] = {}

    def show(self, picture: Picture | None, span: tuple[float, float] | None = None) -> None:
        """Take a picture; the images stay if what they show is the same. `span` are the heights in sight."""
        self.picture = picture
        if picture is None:
            return
        static = still_marks(picture)
        self._span = span or (0.0, picture.height)
        key = (picture.width, picture.height, *self._span)
        if key != self._key or static != self._static:
            self._painted = {}
        self._static, self._key = static, key

    @property
    def stale(self) -> bool:
        """Whether the images will be painted anew."""
        return not self._painted

    def draw(self, painter: QPainter, box: QRectF, ratio: float) -> None:
        """The static layers of a strip."""
        picture, theme = self.picture, self.theme
        if picture is None or theme is None:
            return
        head = box.y() == 0 and has_head(picture)
        first, last = (0.0, box.height()) if head else self._span
        image = self._image(picture, theme, ratio, (first, last), head=head)
        shown = box.intersected(QRectF(0, first, picture.width, last - first))
        if shown != box:
            painter.fillRect(box, theme.colour("bg.lane"))
        source = QRectF(0, (shown.y() - first) * ratio, shown.width() * ratio, shown.height() * ratio)
        painter.drawPixmap(shown, image, source)

    def _image(
        self, picture: Picture, theme: Theme, ratio: float, span: tuple[float, float], *, head: bool
    ) -> QPixmap:
        if self._painted.get(head) != (theme.name, ratio):
            self._painted[head] = (theme.name, ratio)
            self.repaints += 1
            first, last = span
            image = QPixmap(round(picture.width * ratio), round((last - first) * ratio))
            image.setDevicePixelRatio(ratio)
            image.fill(theme.colour("bg.lane"))
            painter = QPainter(image)
            painter.translate(0, -first)
            drawn = {HEAD} if head else {layer.name for layer in picture.layers} - {CURSOR, HEAD}
            paint(painter, picture, theme, layers=drawn)
            painter.end()
            self._images[head] = image
        return self._images[head]


def cursor_marks(picture: Picture, strips: Sequence[Strip]) -> list[tuple[Mark, ...]]:
    """For each strip the marks of the cursor's layer that touch it, or nearly: arrow heads, descenders."""
    found: list[list[Mark]] = [[] for _ in strips]
    bottoms, tops = [strip.bottom for strip in strips], [strip.top for strip in strips]
    for mark in (mark for layer in picture.layers if layer.name == CURSOR for mark in layer.marks):
        if isinstance(mark, Text):
            top, bottom = mark.y - mark.size - 2, mark.y + mark.size / 2
        else:
            _, y, _, h = bounds(mark)
            top, bottom = y - 12, y + h + 12
        for place in range(bisect_right(bottoms, top), bisect_left(tops, bottom)):
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
