"""The row of stops in the transport: where the cursor is, what lies ahead, and a handle to drag."""

from bisect import bisect_left, bisect_right
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QAbstractSlider, QWidget

from gui.text.spoken import tr
from gui.theme import Theme
from gui.workspace.content import Content

_MARKED: Final = (
    ("isr", "text.2"),
    ("truncation", "text"),
    ("election", "text"),
    ("difference", "text"),
    ("loss", "loss"),
)
"""Landmarks that the track shows, the most telling last, so that it is drawn on top."""
_CIRCLES_FROM: Final = 14
"""Pixels between two stops from which each of them has a circle."""


class StopTrack(QAbstractSlider):
    """A slider over positions with the landmarks on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty until there is content."""
        super().__init__(parent)
        self._content: Content | None = None
        self._theme: Theme | None = None
        self._marks: tuple[int, ...] = ()
        self.ground: tuple[tuple[int, int, float], QPixmap] | None = None
        """All but the cursor, for a width, a height and pixels of the device in one of these."""
        self.setAccessibleName(tr("track.position"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumWidth(120)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(320, 30)

    def show_content(self, content: Content | None) -> None:
        """Take the positions and landmarks of what is open."""
        self._content, self.ground = content, None
        self._marks = ()
        if content is not None and content.comparison is not None:
            self._marks = tuple(sorted({0, *content.landmarks["anchor"], content.last}))
        # Silent: a position of what was open before, held to the new range, is nobody's wish.
        before = self.blockSignals(True)
        self.setRange(0, content.last if content else 0)
        self.blockSignals(before)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme, self.ground = theme, None
        self.update()

    def x_of(self, position: int) -> float:
        """Where a position lies, in pixels. In a comparison the steps are evenly apart, as on its ruler."""
        left, right = 10.0, self.width() - 10.0
        marks = self._marks
        if len(marks) < 2:
            return left + (right - left) * position / max(self.maximum(), 1)
        place = min(max(bisect_right(marks, position) - 1, 0), len(marks) - 2)
        share = (position - marks[place]) / max(marks[place + 1] - marks[place], 1)
        return left + (right - left) * (place + share) / (len(marks) - 1)

    def position_at(self, x: float) -> int:
        """The position nearest to x."""
        after = bisect_left(range(self.maximum() + 1), x, key=self.x_of)
        near = (max(after - 1, 0), min(after, self.maximum()))
        return min(near, key=lambda position: abs(self.x_of(position) - x))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line, the stops and the landmarks, which stay for a step; the cursor."""
        if self._theme is None or self._content is None:
            return
        theme, middle = self._theme, self.height() / 2
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._painted_ground(self._content, theme))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("text"))
        painter.drawEllipse(QPointF(self.x_of(self.value()), middle), 6.5, 6.5)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def _painted_ground(self, content: Content, theme: Theme) -> QPixmap:
        """All but the cursor, painted once for a size of what is open in a theme."""
        ratio = self.devicePixelRatioF()
        look = (self.width(), self.height(), ratio)
        if self.ground is None or self.ground[0] != look:
            pixels = QPixmap(self.size() * ratio)
            pixels.setDevicePixelRatio(ratio)
            pixels.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixels)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_ground(painter, content, theme)
            painter.end()
            self.ground = look, pixels
        return self.ground[1]

    def _paint_ground(self, painter: QPainter, content: Content, theme: Theme) -> None:
        middle = self.height() / 2
        painter.setPen(QPen(theme.colour("line.strong"), 1))
        painter.drawLine(QPointF(self.x_of(0), middle), QPointF(self.x_of(self.maximum()), middle))
        anchors = content.landmarks.get("anchor", ())
        if anchors and (self.x_of(self.maximum()) - self.x_of(0)) / max(len(anchors) - 1, 1) >= _CIRCLES_FROM:
            painter.setPen(QPen(theme.colour("text.2"), 1.2))
            painter.setBrush(theme.colour("bg.window"))
            for position in anchors:
                painter.drawEllipse(QPointF(self.x_of(position), middle), 3.4, 3.4)
        for landmark, role in _MARKED:
            for x in dict.fromkeys(map(self._pixel_of, content.landmarks.get(landmark, ()))):
                _paint_landmark(painter, theme, landmark, theme.colour(role), QPointF(x, middle))
        # Over those that are only possible: what is shown to be lost is filled.
        for x in dict.fromkeys(map(self._pixel_of, sorted(content.proven_losses))):
            _paint_landmark(painter, theme, "proven loss", theme.colour("loss"), QPointF(x, middle))

    def _pixel_of(self, position: int) -> int:
        return round(self.x_of(position))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the cursor to the nearest position."""
        self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scrub(event)

    def _scrub(self, event: QMouseEvent) -> None:
        self.setSliderPosition(self.position_at(event.position().x()))


def _paint_landmark(painter: QPainter, theme: Theme, landmark: str, colour: QColor, at: QPointF) -> None:
    painter.setPen(QPen(colour, 1.4))
    painter.setBrush(theme.colour("bg.window"))
    match landmark:
        case "loss" | "proven loss":
            proven = landmark == "proven loss"
            painter.setBrush(colour if proven else theme.colour("bg.window"))
            corner = 2.4
            points = [(-5, -corner), (-corner, -5), (corner, -5), (5, -corner)]
            points += [(-x, -y) for x, y in points]
            painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in points]))
            if proven:
                painter.setPen(QPen(theme.colour("text.inverse"), 1.4))
                painter.drawLine(at + QPointF(-2, -2), at + QPointF(2, 2))
                painter.drawLine(at + QPointF(-2, 2), at + QPointF(2, -2))
        case "difference":
            painter.drawPolygon(
                QPolygonF([at + QPointF(x, y) for x, y in ((0, -6), (6, 0), (0, 6), (-6, 0))])
            )
        case "election":
            painter.setBrush(colour)
            painter.drawRect(QRectF(at.x() - 3, at.y() - 3, 6, 6))
        case "truncation":
            painter.drawLine(at + QPointF(-4, 5), at + QPointF(4, 5))
            painter.drawLine(at + QPointF(0, -5), at + QPointF(0, 5))
        case _:
            painter.drawLine(at + QPointF(0, -3), at + QPointF(0, 3))
