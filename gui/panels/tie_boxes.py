"""The boxes of a tie in the transport: what shares one place of the ruler, and what of it has passed."""

from math import ceil
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from core.picture.metrics import text_width
from core.trace.trace import Origin
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.workspace.content import Content, Tied

MOST: Final = 8
"""So many boxes at most; of more one bar is filled in proportion."""
_BOX: Final = (11, 12)
_GAP: Final = 3
_BETWEEN: Final = 8
"""Between the words and the boxes."""
_AFTER: Final = 10
"""Between the boxes and what stands right of them."""


class TieBoxes(QWidget):
    """Says what a tie is of and draws a box for each of its positions; without a tie it is empty.

    Its width is that of the largest tie of what is open, so that nothing moves from step to step.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty until there is content."""
        super().__init__(parent)
        self.tied = Tied(0, 1)
        self.words = ""
        self._most = 0
        self._theme: Theme | None = None

    @property
    def needed(self) -> bool:
        """Whether what is open has a tie."""
        return self._most > 1

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def show_content(self, content: Content | None) -> None:
        """Take the largest tie of what is open."""
        self._most = 0
        if content is not None:
            self._most = min(content.largest_tie, MOST)
            self.words = _words(content)
        self.setFixedSize(self.sizeHint())

    def show_tie(self, tied: Tied) -> None:
        """Draw the tie at the cursor."""
        if tied != self.tied:
            self.tied = tied
            self.setAccessibleName(
                tr("tie-boxes.place-of-size", words=self.words, place=tied.passed, size=tied.size)
                if tied.size > 1
                else ""
            )
            self.update()

    def sizeHint(self) -> QSize:
        """Room for the largest tie."""
        if not self.needed:
            return QSize(0, 0)
        return QSize(self._wide() + _BETWEEN + self._room() + _AFTER, 30)

    def boxes(self) -> tuple[tuple[float, bool], ...]:
        """Left edge and whether it is filled, of each box; of a long tie there are none."""
        count = self.tied.size
        if not 1 < count <= MOST:
            return ()
        left = self.width() - _AFTER - count * (_BOX[0] + _GAP) + _GAP
        return tuple((left + place * (_BOX[0] + _GAP), place < self.tied.passed) for place in range(count))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, then the boxes, on the right."""
        if self._theme is None or self.tied.size < 2:
            return
        painter = QPainter(self)
        wide, high = _BOX
        top = round(self.height() / 2 - high / 2)
        room = self._room()
        drawn = self.boxes()
        left = drawn[0][0] if drawn else self.width() - _AFTER - room
        painter.setFont(font(11))
        painter.setPen(self._theme.colour("text.2"))
        words = QRectF(0, 0, left - _BETWEEN, self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.words)
        painter.setPen(QPen(self._theme.colour("text.2"), 1))
        ink = self._theme.colour("text")
        for x, filled in drawn or ((left, False),):
            box = QRectF(x + 0.5, top + 0.5, (wide if drawn else room) - 1, high - 1)
            painter.setBrush(ink if filled else Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            if not drawn:
                share = self.tied.passed / self.tied.size
                painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()), ink)
        painter.end()

    def _room(self) -> int:
        return self._most * (_BOX[0] + _GAP) - _GAP

    def _wide(self) -> int:
        return ceil(text_width(self.words, 11)) + 2


def _words(content: Content) -> str:
    if content.comparison is not None:
        return (
            tr("tie-boxes.same-step") if content.comparison.axis == "script" else tr("tie-boxes.same-stretch")
        )
    simulated = content.runs[0].history.trace.origin == Origin.SIMULATED
    return tr("tie-boxes.same-time") if simulated else tr("tie-boxes.same-ms")
