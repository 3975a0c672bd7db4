"""What a room sees of a lesson, on its screen or small before the speaker: a picture and nothing else."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from core.picture.marks import Picture
from gui.paint import paint
from gui.theme import Theme
from gui.workspace.lesson_presenting import Point

_LASER: Final = 28 / 1920
_PEN: Final = 9 / 1920
"""Parts of the width of the picture (design of lessons, 3)."""


class Audience(QWidget):
    """Paints the picture as large as it fits. It is given all that it shows, and looks nothing up."""

    pointed = Signal(tuple)
    """where the mouse is in the picture, in parts of it"""
    drawn = Signal(tuple, bool)
    """the same while a button is held; whether a line begins there"""

    def __init__(self, *, pointer: bool) -> None:
        """`pointer`: the mouse is seen over it. A room sees the laser alone."""
        super().__init__()
        self.setObjectName("audience")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if not pointer:
            self.setCursor(Qt.CursorShape.BlankCursor)
        self.picture: Picture | None = None
        """What is shown."""
        self._theme: Theme | None = None
        self._blank = False
        self._strokes: Sequence[Sequence[Point]] = ()
        self._laser: Point | None = None

    def show_picture(self, picture: Picture, theme: Theme, *, blank: bool) -> None:
        """Show a picture, or only its ground."""
        self.picture, self._theme, self._blank = picture, theme, blank
        self.setAccessibleName(picture.title)
        self.setAccessibleDescription("" if blank else picture.alt)
        self.update()

    def lay_over(self, strokes: Sequence[Sequence[Point]], laser: Point | None) -> None:
        """Lines of the pen, and where the laser points."""
        self._strokes, self._laser = strokes, laser
        self.update()

    def _box(self) -> QRectF:
        """Where the picture is: as large as it fits, in the middle."""
        if self.picture is None:
            return QRectF(self.rect())
        scale = min(self.width() / self.picture.width, self.height() / self.picture.height)
        wide, tall = self.picture.width * scale, self.picture.height * scale
        return QRectF((self.width() - wide) / 2, (self.height() - tall) / 2, wide, tall)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The picture, the lines of the pen, the laser."""
        painter, theme, picture = QPainter(self), self._theme, self.picture
        if theme is None or picture is None:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            return
        painter.fillRect(self.rect(), theme.colour("bg.lane"))
        if self._blank:
            return
        box = self._box()
        painter.save()
        painter.translate(box.topLeft())
        painter.scale(box.width() / picture.width, box.width() / picture.width)
        paint(painter, picture, theme)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.colour("note"), _PEN * box.width())
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        for stroke in self._strokes:
            painter.drawPolyline(QPolygonF([_placed(point, box) for point in stroke]))
        if self._laser is not None:
            half = _LASER * box.width() / 2
            painter.setPen(QPen(Qt.GlobalColor.white, half / 3))
            painter.setBrush(theme.colour("note"))
            painter.drawEllipse(_placed(self._laser, box), half, half)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A line begins."""
        self.drawn.emit(self._part(event), True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The laser follows; a line goes on."""
        where = self._part(event)
        if event.buttons():
            self.drawn.emit(where, False)
        self.pointed.emit(where)

    def _part(self, event: QMouseEvent) -> Point:
        box, at = self._box(), event.position()
        return (at.x() - box.left()) / box.width(), (at.y() - box.top()) / box.height()


def _placed(point: Point, box: QRectF) -> QPointF:
    return QPointF(box.left() + point[0] * box.width(), box.top() + point[1] * box.height())
