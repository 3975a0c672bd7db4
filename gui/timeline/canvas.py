"""A picture on the screen: lanes as items in linked ViewBoxes, the static layer cached, the cursor layer on top."""

from dataclasses import dataclass
from typing import Any, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QStyleOptionGraphicsItem, QToolTip, QWidget

from core.picture.hit import mark_at
from core.picture.marks import Box, Layer, Picture, Ref
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


def strips_of(picture: Picture) -> tuple[Strip, ...]:
    """The picture from top to bottom, cut at its lanes."""
    lanes = sorted(
        (mark.y, mark.y + mark.h, mark.ref.run, mark.ref.broker)
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
    )
    strips: list[Strip] = []
    y = 0.0
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
        self._static: tuple[Layer, ...] = ()
        self._key: tuple[Any, ...] = ()
        self._image = QPixmap()

    def image(self, ratio: float) -> QPixmap:
        """The static layers, painted when they or their surroundings changed."""
        picture, theme = self.picture, self.theme
        if picture is None or theme is None:
            return QPixmap()
        static = tuple(layer for layer in picture.layers if layer.name != CURSOR)
        key = (picture.width, picture.height, theme.name, ratio)
        if key != self._key or static != self._static:
            self._static, self._key = static, key
            self.repaints += 1
            self._image = QPixmap(round(picture.width * ratio), round(picture.height * ratio))
            self._image.setDevicePixelRatio(ratio)
            self._image.fill(theme.colour("bg.lane"))
            painter = QPainter(self._image)
            paint(painter, picture, theme, layers=tuple(layer.name for layer in static))
            painter.end()
        return self._image


class StripItem(pg.GraphicsObject):
    """One strip of the picture: a lane, the ruler, a run's header."""

    def __init__(self, strip: Strip, sheet: _Sheet) -> None:
        """Paints what lies in `strip` of the sheet's picture."""
        super().__init__()
        self._strip, self._sheet = strip, sheet
        self._width = sheet.picture.width if sheet.picture else 0.0

    def boundingRect(self) -> QRectF:
        """The strip, in pixels of the picture."""
        return QRectF(0, self._strip.top, self._width, self._strip.bottom - self._strip.top)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """The cached image of the strip, then the cursor's layer."""
        picture, theme = self._sheet.picture, self._sheet.theme
        if picture is None or theme is None:
            return
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        image = self._sheet.image(ratio)
        box = self.boundingRect()
        source = QRectF(box.x() * ratio, box.y() * ratio, box.width() * ratio, box.height() * ratio)
        painter.save()
        painter.setClipRect(box)
        painter.drawPixmap(box, image, source)
        paint(painter, picture, theme, layers=(CURSOR,))
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

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Empty until there is a picture. `name` is for those who do not see it."""
        super().__init__(parent, background=None)
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
        self._pressed: QPointF | None = None
        self._dragging = ""
        self._telling = False

    @property
    def picture(self) -> Picture | None:
        """What is shown."""
        return self.sheet.picture

    @property
    def boxes(self) -> tuple[pg.ViewBox, ...]:
        """The ViewBoxes of the lanes, from top to bottom; all follow the first."""
        return tuple(self._boxes)

    def sizeHint(self) -> QSize:
        """As large as there is room."""
        return QSize(800, 400)

    def show_picture(self, picture: Picture | None, *, plot_left: float = 0.0) -> None:
        """Show a picture whose plot begins at `plot_left`. Only strips that moved are made anew."""
        self.sheet.picture = picture
        self._left = plot_left
        strips = strips_of(picture) if picture else ()
        if picture is not None:
            height = int(picture.height)
            if self.minimumHeight() != height:
                self.setMinimumHeight(height)
            self.setAccessibleDescription(picture.alt)
        width = picture.width if picture else 0.0
        if strips != self._strips or (self._items and self._items[0].boundingRect().width() != width):
            self._rebuild(strips)
        else:
            for item in self._items:
                item.update()

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
        self._pressed = event.position()
        self._dragging = ""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub or pan; without a button, show the hand over what can be clicked."""
        at = event.position()
        if self._pressed is None:
            ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
            pointed = ref is not None and ref.kind not in ("lane", "stop")
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if pointed else Qt.CursorShape.ArrowCursor)
            return
        if not self._dragging and (at - self._pressed).manhattanLength() >= 4:
            middle = bool(event.buttons() & Qt.MouseButton.MiddleButton)
            self._dragging = "pan" if self.zoomable and (middle or self._pressed.y() > self._head) else "scrub"
        if self._dragging == "scrub":
            self.scrubbed.emit(at.x())
        elif self._dragging == "pan" and self._boxes:
            width = max(self._boxes[0].width(), 1.0)
            self.pan((self._pressed.x() - at.x()) / width)
            self._pressed = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not move is a click."""
        pressed, dragging = self._pressed, self._dragging
        self._pressed, self._dragging = None, ""
        if pressed is not None and not dragging and event.button() == Qt.MouseButton.LeftButton:
            at = event.position()
            ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
            self.clicked.emit(ref, at.x(), at.y())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit what is under the pointer."""
        at = event.position()
        ref = mark_at(self.picture, at.x(), at.y()) if self.picture else None
        self.double_clicked.emit(ref, at.x(), at.y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer, Shift pans, alone it scrolls the lanes (the area around does)."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self.zoomable and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM ** (turned / 120), event.position().x())
            event.accept()
        elif self.zoomable and (event.modifiers() & Qt.KeyboardModifier.ShiftModifier or event.angleDelta().x()):
            self.pan(-turned / 120 * 0.1)
            event.accept()
        else:
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tips: what a mark stands for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture:
            ref = mark_at(self.picture, event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), ref.text if ref else "", self)
            return True
        return super().viewportEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """The frame of the focus, in ink: blue means high watermark here."""
        if self.hasFocus() and self.sheet.theme is not None:
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
        self._head = next((strip.top for strip in strips if strip.broker >= 0), 0.0)
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
