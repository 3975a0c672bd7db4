"""The legend under the lanes: only the signs that are in sight."""

from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.picture.hit import bounds
from core.picture.legend import entries, legend
from core.picture.marks import Layer, Mark, Picture
from core.words import speaking
from gui.paint import paint
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.timeline.strips import still_layers

_LEFT: Final = 16.0
_TOP: Final = 6.0


class LegendStrip(QWidget):
    """Says what the marks of a picture stand for; as high as its rows."""

    appeared = Signal()
    """It is seen again, and is to be told what is in sight."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty until it is told of a picture."""
        super().__init__(parent)
        self.setObjectName("legend")
        self.setAccessibleName(tr("actions.legend"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme: Theme | None = None
        self._key: object = None
        self._picture: Picture | None = None
        self._marks: tuple[Mark, ...] = ()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def words(self) -> tuple[str, ...]:
        """What each entry says, in their order."""
        with speaking(language()):
            return tuple(entry.words for entry in entries(self._marks))

    def show_marks(self, picture: Picture, stays: float, sight: tuple[float, float]) -> None:
        """Explain what is in sight of a picture: what is above `stays`, and between two heights.

        The cursor has no sign of its own.
        """
        if not self.isVisible():
            return
        layers = still_layers(picture)
        key = (*map(id, layers), stays, sight, self.width(), language())
        if key == self._key:
            return
        self._key = key
        marks = (mark for layer in layers for mark in layer.marks)
        self._marks = tuple(mark for mark in marks if _in_sight(mark, stays, sight))
        self._lay_out()

    def _lay_out(self) -> None:
        width = float(max(self.width(), 300))
        with speaking(language()):
            drawn, height = legend(self._marks, _LEFT, _TOP, width - 2 * _LEFT)
        high = height + 2 * _TOP
        self._picture = Picture(width, high, (Layer("static", drawn),), "", "; ".join(self.words()))
        self.setAccessibleDescription(self._picture.alt)
        if self.height() != round(high):
            self.setFixedHeight(round(high))
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(400, round(self._picture.height) if self._picture else 38)

    def showEvent(self, event: QShowEvent) -> None:
        """What was in sight meanwhile is told next."""
        super().showEvent(event)
        self._key = None
        self.appeared.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other rows in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the entries."""
        if self._theme is None or self._picture is None:
            return
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.colour("bg.lane"))
        paint(painter, self._picture, self._theme)
        painter.end()


def _in_sight(mark: Mark, stays: float, sight: tuple[float, float]) -> bool:
    _, y, _, h = bounds(mark)
    return y < stays or (y < sight[1] and y + h > sight[0])
