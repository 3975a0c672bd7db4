"""The steps of a lesson: the bar in its head, rows of those that are not on, the square of a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.teaching.answers import Mark
from core.words import text
from gui.panels.parts import Elided, label
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.workspace.lesson_player import Player
from gui.workspace.lesson_words import MARK_WORDS

_SIDE: Final = 18.0
_GAP: Final = 5.0
_ROW: Final = 32


@dataclass(frozen=True, slots=True)
class StepState:
    """Whether a step asks something, and how its answer was judged; None while it waits."""

    asks: bool
    mark: Mark | None


def states_of(player: Player) -> tuple[StepState, ...]:
    """One for each step."""
    attempts = player.attempts
    return tuple(
        StepState(step.ask is not None, attempts[place].judged.mark if place in attempts else None)
        for place, step in enumerate(player.lesson.steps)
    )


class Square(QWidget):
    """What became of a question, as a square: filled and ticked, half, struck through, dotted, or asked.

    Never red: that means lost records.
    """

    def __init__(self, mark: Mark | None, theme: Theme) -> None:
        """`mark` None is a question that waits."""
        super().__init__()
        self._mark, self._theme = mark, theme
        self.setFixedSize(20, 20)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("lesson.question") if mark is None else text(MARK_WORDS[mark]))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The square."""
        painter = QPainter(self)
        draw_square(painter, QPointF(10, 10), self._mark, self._theme)
        painter.end()


def draw_square(painter: QPainter, middle: QPointF, mark: Mark | None, theme: Theme) -> None:
    """The square of a verdict, or of a question that waits."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = _SIDE / 2 - 1
    box = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
    ink = theme.colour("text")
    pen = QPen(theme.colour("ok") if mark is Mark.RIGHT else ink, 1.5)
    if mark is Mark.SKIPPED:
        pen.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.setBrush(theme.colour("ok") if mark is Mark.RIGHT else theme.colour("bg.panel"))
    painter.drawRoundedRect(box, 4, 4)
    x, y = middle.x(), middle.y()
    match mark:
        case Mark.RIGHT:
            painter.setPen(QPen(theme.colour("bg.panel"), 2.2))
            painter.drawPolyline([QPointF(x - 4, y), QPointF(x - 1, y + 3.5), QPointF(x + 4.5, y - 3.5)])
        case Mark.PARTLY:
            painter.fillRect(QRectF(box.left() + 1, y, box.width() - 2, half - 1), ink)
        case Mark.WRONG:
            painter.drawLine(QPointF(x - 4, y + 4), QPointF(x + 4, y - 4))
        case Mark.SKIPPED:
            pass
        case None:
            painter.setFont(font(11, 700))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")


class StepsBar(QWidget):
    """A box a step: solid behind, high where one is, outlined ahead; over a question stands its square."""

    def __init__(self) -> None:
        """Of no lesson."""
        super().__init__()
        self.setFixedHeight(44)
        self._states: Sequence[StepState] = ()
        self._on = 0
        self._theme: Theme | None = None

    def show_steps(self, player: Player, theme: Theme | None) -> None:
        """Those of a lesson, in the colours of a theme."""
        self._states, self._on, self._theme = states_of(player), player.step, theme
        said = tr("lesson.step-of", step=player.step + 1, steps=len(self._states))
        self.setAccessibleName(said)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The boxes and the squares."""
        theme = self._theme
        if theme is None or not self._states:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = (self.width() - _GAP * (len(self._states) - 1)) / len(self._states)
        for place, state in enumerate(self._states):
            left, high = place * (wide + _GAP), 16.0 if place == self._on else 8.0
            box = QRectF(left + 0.5, 35 - high / 2, wide - 1, high)
            behind, here = place < self._on, place == self._on
            painter.setPen(QPen(theme.colour("line.edge" if not behind and not here else "text.2"), 1))
            role = "bg.inverse" if here else "text.2" if behind else "bg.panel"
            painter.setBrush(theme.colour(role))
            painter.drawRoundedRect(box, 3, 3)
            if state.asks:
                draw_square(painter, QPointF(left + wide / 2, 11), state.mark, theme)
        painter.end()


class StepRow(QPushButton):
    """A step that is not on: its number, its title, the square of its question. A click goes there."""

    def __init__(self, number: int, title: str, state: StepState, theme: Theme | None, *, past: bool) -> None:
        """`past` is one that comes before the one that is on."""
        super().__init__()
        self.setObjectName("stepRow")
        self.setFixedHeight(_ROW)
        self.setAccessibleName(f"{number} {title}")
        line = QHBoxLayout(self)
        line.setContentsMargins(6, 0, 6, 0)
        line.setSpacing(12)
        words = Elided(title, "value" if past else "row-text")
        for part in (label(str(number), "secondaryMono"), words):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.addWidget(part, 1 if part is words else 0)
        if state.asks and theme is not None:
            line.addWidget(Square(state.mark, theme))
