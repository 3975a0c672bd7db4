"""A picture on the screen: lanes as items under linked ViewBoxes, the static layers cached."""

from collections.abc import Callable
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from core.picture.hit import mark_at
from core.picture.marks import Box, Picture, Ref
from core.picture.outline import Part, outline_of_lanes
from gui.accessible import parts_changed
from gui.panels.parts import tip
from gui.theme import Theme
from gui.timeline.strips import Sheet, Strip, StripItem, cursor_marks, strips_between, strips_of
from gui.workspace.content import EVENTS

ZOOM: Final = 1.2
"""Of one notch of the wheel."""
_EDGE: Final = 4.0
"""How near the lower edge of a lane is taken for the edge."""


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
    lane_dragged = Signal(object, float, bool)
    """Ref of the lane that is held by its name, y of the picture, whether it is let go there"""
    edge_dragged = Signal(object, float, bool)
    """Ref of the lane whose lower edge is held, by how much it was moved down, whether it is let go there"""
    menu_wanted = Signal(object, object)
    """Ref of the lane or mark whose menu is wanted, point of the screen"""
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
        self.sheet = Sheet()
        self.zoomable = False
        self.pans = False
        """Whether dragging in the lanes moves what is shown, instead of the cursor."""
        self._strips: tuple[Strip, ...] = ()
        self._items: list[StripItem] = []
        self._box: pg.ViewBox | None = None
        self._head = 0.0
        self._left = 0.0
        self._stays = 0.0
        self._scrolled = 0.0
        self._drop: float | None = None
        self._pointer: QPointF | None = None
        self._held: Ref | None = None
        self._edge: Ref | None = None
        self._begun = 0.0
        self._framed = False
        self._pressed: QPointF | None = None
        self._dragging = ""
        self._telling = False
        self._old = False
        self.tell_part: Callable[[Part], Part] = lambda part: part
        """What a reader of the screen is told of a part, beyond its name."""

    @property
    def picture(self) -> Picture | None:
        """What is shown."""
        return self.sheet.picture

    @property
    def answers(self) -> bool:
        """Whether what is painted is what is open: else nothing in it can be pointed at."""
        return not self._old

    @property
    def strips(self) -> tuple[Strip, ...]:
        """The lanes and what stands between them, from top to bottom."""
        return self._strips

    @property
    def head(self) -> float:
        """Height of the ruler."""
        return self._head

    @property
    def stays(self) -> float:
        """Height of what stays in sight while lanes are scrolled: the ruler, and those that are pinned."""
        return self._stays

    @property
    def pointer(self) -> QPointF | None:
        """Where the mouse is on the picture; None where it is elsewhere."""
        return self._pointer

    @property
    def drop(self) -> float | None:
        """Where the lane that is dragged would come to stand, y of the picture; None where none is."""
        return self._drop

    @property
    def box(self) -> pg.ViewBox | None:
        """The ViewBox over the plot of all lanes: what it shows of 0..1 is what they show of the whole."""
        return self._box

    def sizeHint(self) -> QSize:
        """As large as there is room."""
        return QSize(800, 400)

    def show_picture(
        self,
        picture: Picture | None,
        *,
        plot_left: float = 0.0,
        head: float = 0.0,
        stays: float = 0.0,
        sight: tuple[float, float] | None = None,
    ) -> None:
        """Show a picture whose plot begins at `plot_left` and whose ruler ends at `head`.

        What is above `stays` stays in sight, at least the ruler; the rest as far as it is in `sight`, from
        where to where in height; None is all of it.
        Only strips that moved are made anew, and only what changed is painted.
        """
        self._old = False
        changed = self.sheet.show(picture)
        stays = max(head, stays)
        same = stays == self._stays and not changed
        self._left, self._head, self._stays = plot_left, head, stays
        strips = self._strips if same else strips_of(picture, stays) if picture else ()
        if picture is not None:
            height = int(picture.height)
            if self.minimumHeight() != height:
                self.setMinimumHeight(height)
            self.setAccessibleDescription(picture.alt)
        width = picture.width if picture else 0.0
        if strips != self._strips or (self._items and self._items[0].boundingRect().width() != width):
            self._rebuild(strips)
        if picture is not None:
            self._show_cursor(picture, sight or (0.0, picture.height))
            for top, bottom in changed:
                for place in strips_between(strips, top, bottom):
                    self._items[place].update()
        parts_changed(self)

    def accessible_parts(self) -> tuple[Part, ...]:
        """The lanes and marks, for those who do not see them; none of what is not open any more."""
        if self.picture is None or self._old:
            return ()
        return tuple(self.tell_part(part) for part in outline_of_lanes(self.picture))

    def press_part(self, part: Part) -> None:
        """What a click on a part does; on a lane, on its name."""
        x, y, width, height = part.box
        across = 8.0 if part.ref.kind == "lane" else x + width / 2
        self.clicked.emit(part.ref, across, y + height / 2)

    def outlive(self) -> None:
        """What is painted is not what is open any more: until the next picture nothing in it is pointed at.

        A drag that was begun in it ends without effect.
        """
        self._old = True
        self._pressed, self._held, self._edge, self._dragging = None, None, None, ""
        self.show_drop(None)
        parts_changed(self)

    def _show_cursor(self, picture: Picture, sight: tuple[float, float]) -> None:
        """Give the cursor to the strips in sight: of many lanes, most are not."""
        found = cursor_marks(picture, self._strips)
        for place in {0, *strips_between(self._strips, *sight)}:
            self._items[place].show_cursor(found[place])

    def pin_head(self, scrolled: float) -> None:
        """Keep ruler and pinned lanes in sight while the others are scrolled by so many pixels."""
        self._scrolled = scrolled
        if self._stays and self._items:
            self._items[0].setPos(0, scrolled)

    def point_of(self, at: QPointF) -> QPointF:
        """A point of the widget as a point of the picture: what is pinned is where it stays."""
        pinned = self._scrolled <= at.y() < self._scrolled + self._stays
        return QPointF(at.x(), at.y() - self._scrolled) if pinned else at

    def show_drop(self, y: float | None) -> None:
        """Show between which lanes the one that is dragged would come to stand; None is nowhere."""
        if y != self._drop:
            self._drop = y
            self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.sheet.theme = theme
        self.setBackground(theme.colour("bg.lane"))
        for item in self._items:
            item.update()

    def set_range(self, first: float, last: float) -> None:
        """Tell the ViewBoxes what they show, as shares of the whole."""
        if self._box is not None:
            self._telling = True
            self._box.setXRange(first, last, padding=0)
            self._telling = False

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Zoom by a factor around x of the picture, or around the middle."""
        if self.zoomable and self._box is not None:
            centre = None if x is None else self._box.mapSceneToView(QPointF(x, self._head))
            self._box.scaleBy(x=1 / factor, center=centre)

    def pan(self, share: float) -> None:
        """Move by a share of what is shown."""
        if self.zoomable and self._box is not None:
            (first, last), _ = self._box.viewRange()
            self._box.translateBy(x=(last - first) * share)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The picture is laid out anew by its owner."""
        super().resizeEvent(event)
        if event is not None:
            self.resized.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a scrub (ruler), a pan (middle button) or a drag of a lane (name, lower edge)."""
        event.accept()
        if event.button() == Qt.MouseButton.RightButton:
            # The menu that opens keeps the release for itself.
            return
        at = self._pressed = self.point_of(event.position())
        self._dragging = ""
        ref = self.ref_at(at.x(), at.y())
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        self._edge = self.edge_at(at) if plain else None
        self._held = ref if ref and ref.kind == "lane" and plain and at.x() < self._left else None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of a mark, or of a lane where its name is."""
        at = self.point_of(QPointF(event.pos()))
        ref = self.ref_at(at.x(), at.y())
        if ref is not None and (ref.kind in EVENTS or (ref.kind == "lane" and at.x() < self._left)):
            self.menu_wanted.emit(ref, event.globalPos())
        event.accept()

    def edge_at(self, at: QPointF) -> Ref | None:
        """The lane whose lower edge is at a point of the gutter, a few pixels more or less."""
        if self.picture is None or self._old or at.x() >= self._left:
            return None
        lanes = (
            (mark.ref, mark.y + mark.h)
            for mark in self.picture.marks()
            if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
        )
        return next((ref for ref, bottom in lanes if abs(bottom - at.y()) <= _EDGE), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub, pan, drag a lane by its name, with Shift mark a range, with Alt draw an arrow.

        Over what can be clicked or dragged: the hand.
        """
        at = self._pointer = self.point_of(event.position())
        if self._pressed is None:
            ref = self.ref_at(at.x(), at.y())
            kind = "" if ref is None else ref.kind
            pointed = (
                Qt.CursorShape.ArrowCursor if kind in ("", "stop") else Qt.CursorShape.PointingHandCursor
            )
            if kind == "lane" and at.x() < self._left:
                pointed = Qt.CursorShape.OpenHandCursor
                if self.edge_at(at) is not None:
                    pointed = Qt.CursorShape.SizeVerCursor
            self.viewport().setCursor(pointed)
            return
        if not self._dragging and (at - self._pressed).manhattanLength() >= 4:
            middle = bool(event.buttons() & Qt.MouseButton.MiddleButton)
            ranged = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            panned = self.pans and (middle or self._pressed.y() > self._head)
            joins = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            moved = "join" if joins else "range" if ranged else "pan" if panned else "scrub"
            kept = "edge" if self._edge is not None else "lane" if self._held is not None else moved
            self._dragging, self._begun = kept, self._pressed.y()
        if self._dragging == "scrub":
            self.scrubbed.emit(at.x())
        elif self._dragging == "range":
            self.range_drawn.emit(self._pressed.x(), at.x())
        elif self._dragging == "lane":
            self.lane_dragged.emit(self._held, at.y(), False)
        elif self._dragging == "edge":
            self.edge_dragged.emit(self._edge, at.y() - self._begun, False)
        elif self._dragging == "pan" and self._box is not None:
            width = max(self._box.width(), 1.0)
            self.pan((self._pressed.x() - at.x()) / width)
            self._pressed = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not move is a click."""
        pressed, dragging = self._pressed, self._dragging
        self._pressed, self._dragging = None, ""
        if pressed is not None and not dragging and event.button() == Qt.MouseButton.LeftButton:
            at = self.point_of(event.position())
            self.clicked.emit(self.ref_at(at.x(), at.y()), at.x(), at.y())
        elif dragging == "lane":
            self.lane_dragged.emit(self._held, self.point_of(event.position()).y(), True)
        elif dragging == "edge":
            self.edge_dragged.emit(self._edge, self.point_of(event.position()).y() - self._begun, True)
        elif pressed is not None and dragging == "join" and self.picture:
            end = self.point_of(event.position())
            refs = (self.ref_at(point.x(), point.y()) for point in (pressed, end))
            self.joined.emit(*refs)

    def leaveEvent(self, event: QEvent) -> None:
        """The mouse points at nothing here any more."""
        self._pointer = None
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit what is under the pointer."""
        at = self.point_of(event.position())
        self.double_clicked.emit(self.ref_at(at.x(), at.y()), at.x(), at.y())

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
            ref = self.ref_at(at.x(), at.y())
            QToolTip.showText(event.globalPos(), tip(ref.text) if ref else "", self)
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
        """Where a dragged lane would stand; the frame of the focus, in ink: blue means high watermark."""
        if self._drop is not None and self.sheet.theme is not None:
            y = self._drop + (self._scrolled if self._drop < self._stays else 0.0)
            painter.setPen(QPen(self.sheet.theme.colour("focus"), 2))
            painter.drawLine(QPointF(0, y), QPointF(self.viewport().width(), y))
        if self._framed and self.sheet.theme is not None:
            painter.setPen(QPen(self.sheet.theme.colour("text"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

    def ref_at(self, x: float, y: float) -> Ref | None:
        """What is under a point of the picture; nothing where it is not what is open any more."""
        return mark_at(self.picture, x, y) if self.picture and not self._old else None

    def _rebuild(self, strips: tuple[Strip, ...]) -> None:
        for item in self._items:
            self.scene().removeItem(item)
        self._items, self._strips = [], strips
        picture = self.sheet.picture
        if picture is None:
            return
        for strip in strips:
            item = StripItem(strip, self.sheet)
            self.scene().addItem(item)
            self._items.append(item)
        if self._stays and self._items:
            self._items[0].setZValue(1)
            self.pin_head(self._scrolled)
        lanes = [strip for strip in strips if strip.broker >= 0]
        if lanes:
            top, bottom = lanes[0].top, lanes[-1].bottom
            self._plot(QRectF(self._left, top, max(picture.width - self._left, 1.0), bottom - top))

    def _plot(self, rect: QRectF) -> None:
        """Lay the ViewBox over the plot of all lanes: one, as each costs 0.6 ms a frame (docs/adr/0012)."""
        if self._box is None:
            self._box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
            self._box.setMouseEnabled(x=False, y=False)
            self.scene().addItem(self._box)
            self._box.setXRange(0.0, 1.0, padding=0)
            self._box.sigXRangeChanged.connect(self._range_changed)
        self._box.setGeometry(rect)

    def _range_changed(self, _box: object, shown: tuple[float, float]) -> None:
        if not self._telling:
            self.range_changed.emit(*shown)
