"""A picture on the screen: lanes as items under linked ViewBoxes, the static layers cached."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QStyleOptionGraphicsItem, QToolTip, QWidget

from core.picture.hit import bounds, mark_at
from core.picture.marks import Box, Layer, Mark, Picture, Ref, Text
from gui.paint import paint
from gui.theme import Theme

CURSOR: Final = "cursor"
"""The layer that changes with the cursor; every other layer is static."""
ZOOM: Final = 1.2
"""Of one notch of the wheel."""


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


class _Sheet:
    """The picture with its static layers as one image at the device's resolution, shared by all strips."""

    def __init__(self) -> None:
        self.picture: Picture | None = None
        self.theme: Theme | None = None
        self.repaints = 0
        """How often the static layers were painted: a test holds that stepping does not."""
        self._static: tuple[tuple[Mark, ...], ...] = ()
        self._key: tuple[float, float] = (0.0, 0.0)
        self._painted: tuple[str, float] | None = None
        self._image = QPixmap()

    def show(self, picture: Picture | None) -> None:
        """Take a picture; the image stays if what it shows is the same."""
        self.picture = picture
        if picture is None:
            return
        static = tuple(layer.marks for layer in picture.layers if layer.name != CURSOR)
        key = (picture.width, picture.height)
        if key != self._key or static != self._static:
            self._painted = None
        self._static, self._key = static, key

    @property
    def stale(self) -> bool:
        """Whether the image will be painted anew."""
        return self._painted is None

    def image(self, ratio: float) -> QPixmap:
        """The static layers, painted when they or their surroundings changed."""
        picture, theme = self.picture, self.theme
        if picture is None or theme is None:
            return QPixmap()
        if self._painted != (theme.name, ratio):
            self._painted = (theme.name, ratio)
            self.repaints += 1
            self._image = QPixmap(round(picture.width * ratio), round(picture.height * ratio))
            self._image.setDevicePixelRatio(ratio)
            self._image.fill(theme.colour("bg.lane"))
            painter = QPainter(self._image)
            paint(painter, picture, theme, layers=tuple({layer.name for layer in picture.layers} - {CURSOR}))
            painter.end()
        return self._image


def cursor_marks(picture: Picture) -> tuple[tuple[float, float, Mark], ...]:
    """The marks of the cursor's layer with top and bottom, and a little more: arrow heads, descenders."""
    found: list[tuple[float, float, Mark]] = []
    for layer in picture.layers:
        for mark in layer.marks if layer.name == CURSOR else ():
            if isinstance(mark, Text):
                found.append((mark.y - mark.size - 2, mark.y + mark.size / 2, mark))
            else:
                _, y, _, h = bounds(mark)
                found.append((y - 12, y + h + 12, mark))
    return tuple(found)


class StripItem(pg.GraphicsObject):
    """One strip of the picture: a lane, the ruler, a run's header."""

    def __init__(self, strip: Strip, sheet: _Sheet) -> None:
        """Paints what lies in `strip` of the sheet's picture."""
        super().__init__()
        self._strip, self._sheet = strip, sheet
        self._width = sheet.picture.width if sheet.picture else 0.0
        self._cursor: Picture | None = None

    def show_cursor(self, marks: Sequence[tuple[float, float, Mark]]) -> None:
        """Take the cursor's marks (with top and bottom) that lie in this strip; paint if they changed."""
        top, bottom = self._strip.top, self._strip.bottom
        mine = tuple(mark for first, last, mark in marks if first < bottom and last > top)
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
        source = QRectF(box.x() * ratio, box.y() * ratio, box.width() * ratio, box.height() * ratio)
        painter.save()
        painter.setClipRect(box)
        painter.drawPixmap(box, self._sheet.image(ratio), source)
        paint(painter, self._cursor, theme)
        painter.restore()


class Canvas(pg.GraphicsView):
    """Shows a picture and tells what the mouse does with it. Knows nothing of traces."""

    resized = Signal()
    clicked = Signal(object, float, float)
    """Ref or None, x, y in pixels of the picture"""
    double_clicked = Signal(object, float, float)
    scrubbed = Signal(float)
    """x in pixels of the picture"""
    range_changed = Signal(float, float)
    """what the linked ViewBoxes show of 0..1 after a pan or a zoom"""
    joined = Signal(object, object)
    """Refs or None, where Alt and the mouse began and where they ended"""
    range_drawn = Signal(float, float)
    """x of the picture where Shift and the mouse began and are now"""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Empty until there is a picture. `name` is for those who do not see it."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAntialiasing(True)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.sheet = _Sheet()
        self.zoomable = False
        self._strips: tuple[Strip, ...] = ()
        self._items: list[StripItem] = []
        self._boxes: list[pg.ViewBox] = []
        self._head = 0.0
        self._left = 0.0
        self._scrolled = 0.0
        self._framed = False
        self._pressed: QPointF | None = None
        self._dragging = ""
        self._telling = False

    @property
    def picture(self) -> Picture | None:
        """What is shown."""
        return self.sheet.picture

    @property
    def strips(self) -> tuple[Strip, ...]:
        """The lanes and what stands between them, from top to bottom."""
        return self._strips

    @property
    def head(self) -> float:
        """Height of the ruler."""
        return self._head

    @property
    def boxes(self) -> tuple[pg.ViewBox, ...]:
        """The ViewBoxes of the lanes, from top to bottom; all follow the first."""
        return tuple(self._boxes)

    def sizeHint(self) -> QSize:
        """As large as there is room."""
        return QSize(800, 400)

    def show_picture(self, picture: Picture | None, *, plot_left: float = 0.0, head: float = 0.0) -> None:
        """Show a picture whose plot begins at `plot_left` and whose ruler ends at `head`.

        Only strips that moved are made anew.
        """
        self.sheet.show(picture)
        self._left, self._head = plot_left, head
        strips = strips_of(picture, head) if picture else ()
        if picture is not None:
            height = int(picture.height)
            if self.minimumHeight() != height:
                self.setMinimumHeight(height)
            self.setAccessibleDescription(picture.alt)
        width = picture.width if picture else 0.0
        if strips != self._strips or (self._items and self._items[0].boundingRect().width() != width):
            self._rebuild(strips)
        if picture is not None:
            marks = cursor_marks(picture)
            for item in self._items:
                item.show_cursor(marks)
                if self.sheet.stale:
                    item.update()

    def pin_head(self, scrolled: float) -> None:
        """Keep the ruler in sight while the lanes are scrolled by so many pixels."""
        self._scrolled = scrolled
        if self._head and self._items:
            self._items[0].setPos(0, scrolled)

    def point_of(self, at: QPointF) -> QPointF:
        """A point of the widget as a point of the picture: the ruler is where it was pinned to."""
        pinned = self._scrolled <= at.y() < self._scrolled + self._head
        return QPointF(at.x(), at.y() - self._scrolled) if pinned else at

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.sheet.theme = theme
        self.setBackground(theme.colour("bg.lane"))
        for item in self._items:
            item.update()

    def set_range(self, first: float, last: float) -> None:
        """Tell the ViewBoxes what they show, as shares of the whole."""
        if self._boxes:
            self._telling = True
            self._boxes[0].setXRange(first, last, padding=0)
            self._telling = False

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Zoom by a factor around x of the picture, or around the middle."""
        if self.zoomable and self._boxes:
            centre = None if x is None else self._boxes[0].mapSceneToView(QPointF(x, self._head))
            self._boxes[0].scaleBy(x=1 / factor, center=centre)

    def pan(self, share: float) -> None:
        """Move by a share of what is shown."""
        if self.zoomable and self._boxes:
            (first, last), _ = self._boxes[0].viewRange()
            self._boxes[0].translateBy(x=(last - first) * share)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The picture is laid out anew by its owner."""
        super().resizeEvent(event)
        if event is not None:
            self.resized.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a scrub (ruler) or a pan (middle button)."""
        self._pressed = self.point_of(event.position())
        self._dragging = ""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub, pan, with Shift mark a range, with Alt draw an arrow. Over what can be clicked: the hand."""
        at = self.point_of(event.position())
        if self._pressed is None:
            ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
            pointed = ref is not None and ref.kind not in ("lane", "stop")
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if pointed else Qt.CursorShape.ArrowCursor
            )
            return
        if not self._dragging and (at - self._pressed).manhattanLength() >= 4:
            middle = bool(event.buttons() & Qt.MouseButton.MiddleButton)
            ranged = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            panned = self.zoomable and (middle or self._pressed.y() > self._head)
            joins = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            self._dragging = "join" if joins else "range" if ranged else "pan" if panned else "scrub"
        if self._dragging == "scrub":
            self.scrubbed.emit(at.x())
        elif self._dragging == "range":
            self.range_drawn.emit(self._pressed.x(), at.x())
        elif self._dragging == "pan" and self._boxes:
            width = max(self._boxes[0].width(), 1.0)
            self.pan((self._pressed.x() - at.x()) / width)
            self._pressed = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not move is a click."""
        pressed, dragging = self._pressed, self._dragging
        self._pressed, self._dragging = None, ""
        if pressed is not None and not dragging and event.button() == Qt.MouseButton.LeftButton:
            at = self.point_of(event.position())
            ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
            self.clicked.emit(ref, at.x(), at.y())
        elif pressed is not None and dragging == "join" and self.picture:
            end = self.point_of(event.position())
            refs = (mark_at(self.picture, point.x(), point.y()) for point in (pressed, end))
            self.joined.emit(*refs)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit what is under the pointer."""
        at = self.point_of(event.position())
        ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
        self.double_clicked.emit(ref, at.x(), at.y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer, Shift pans, alone it scrolls the lanes (the area around does)."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self.zoomable and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM ** (turned / 120), event.position().x())
            event.accept()
        elif self.zoomable and (
            event.modifiers() & Qt.KeyboardModifier.ShiftModifier or event.angleDelta().x()
        ):
            self.pan(-turned / 120 * 0.1)
            event.accept()
        else:
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tips: what a mark stands for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture:
            at = self.point_of(QPointF(event.pos()))
            ref = mark_at(self.picture, at.x(), at.y())
            QToolTip.showText(event.globalPos(), ref.text if ref else "", self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the frame only to those who came by keyboard."""
        by_keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._framed = event.reason() in by_keys
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No frame without the focus."""
        self._framed = False
        super().focusOutEvent(event)
        self.viewport().update()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """The frame of the focus, in ink: blue means high watermark here."""
        if self._framed and self.sheet.theme is not None:
            painter.setPen(QPen(self.sheet.theme.colour("text"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

    def ref_at(self, x: float, y: float) -> Ref | None:
        """What is under a point of the picture."""
        return mark_at(self.picture, x, y) if self.picture else None

    def _rebuild(self, strips: tuple[Strip, ...]) -> None:
        shown = self._boxes[0].viewRange()[0] if self._boxes else (0.0, 1.0)
        for item in (*self._items, *self._boxes):
            self.scene().removeItem(item)
        self._items, self._boxes, self._strips = [], [], strips
        picture = self.sheet.picture
        if picture is None:
            return
        for strip in strips:
            item = StripItem(strip, self.sheet)
            self.scene().addItem(item)
            self._items.append(item)
            if strip.broker >= 0:
                self._add_box(strip, picture.width)
        if self._head and self._items:
            self._items[0].setZValue(1)
            self.pin_head(self._scrolled)
        if self._boxes:
            self._boxes[0].setXRange(shown[0], shown[1], padding=0)
            self._boxes[0].sigXRangeChanged.connect(self._range_changed)

    def _add_box(self, strip: Strip, width: float) -> None:
        box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        box.setMouseEnabled(x=False, y=False)
        self.scene().addItem(box)
        box.setGeometry(QRectF(self._left, strip.top, max(width - self._left, 1.0), strip.bottom - strip.top))
        if self._boxes:
            box.setXLink(self._boxes[0])
        self._boxes.append(box)

    def _range_changed(self, _box: object, shown: tuple[float, float]) -> None:
        if not self._telling:
            self.range_changed.emit(*shown)
