"""What happened, beside what was answered; and what other eras would have answered from the same script."""

from collections.abc import Sequence
from typing import Final, LiteralString

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from core.kafka.eras import ERAS, era_named
from core.teaching.answers import Mark, judge
from core.teaching.lesson import Ask, AskKind
from core.words import text
from gui.lessons.steps import Square
from gui.lessons.verdicts import how_words
from gui.panels.parts import column, label
from gui.text.spoken import tr
from gui.theme import Theme
from gui.workspace.lesson_player import Attempt, OfEras, Player, right_answer
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import MARK_WORDS, answer_words, given_words

_COUNTED: Final = (AskKind.CUT, AskKind.WATERMARK)
_IN_WORDS: Final = (AskKind.CHOICE, AskKind.ORDER)
"""Answers that are sentences, not values."""
_MOST: Final = 12
"""A bar of more records would not be read."""


class Reveal(QWidget):
    """The verdict in a word, two plates, and the same script in other eras."""

    def __init__(self, player: Player, theme: Theme | None) -> None:
        """Of the step that is on, which was answered."""
        super().__init__()
        self.setObjectName("reveal")
        ask, attempt = player.now.ask, player.attempts[player.step]
        lines = column(self, (0, 4, 0, 4), 10)
        if ask is None:
            return
        run = runs_of(player.now.scene)[0]
        answer = right_answer(player.now)
        head = QHBoxLayout()
        head.setSpacing(10)
        if theme is not None:
            head.addWidget(Square(attempt.judged.mark, theme))
        self.verdict = label(text(MARK_WORDS[attempt.judged.mark]), "title")
        head.addWidget(self.verdict, 1)
        head.addWidget(label(how_words(attempt), "secondary"))
        lines.addLayout(head)
        plates = QHBoxLayout()
        plates.setSpacing(12)
        yours = tr("lesson.none") if attempt.given is None else given_words(ask, attempt.given, run)
        look = "plateWords" if ask.kind in _IN_WORDS else "plateValue"
        self.yours = _plate("lesson.yours", yours, look)
        self.happened = _plate("lesson.happened", answer_words(ask, answer, run), look)
        self.yours.setObjectName("plateYours")
        self.happened.setObjectName("plateTruth")
        plates.addWidget(self.yours, 1)
        plates.addWidget(self.happened, 1)
        lines.addLayout(plates)


class OtherEras(QWidget):
    """The same script under other eras: a row for each group that decides alike."""

    def __init__(self, player: Player, ask: Ask, eras: Sequence[OfEras], theme: Theme | None) -> None:
        """Of the question of the step that is on, which was answered; `eras` is what others answer."""
        super().__init__()
        attempt, scene = player.attempts[player.step], player.now.scene
        run = runs_of(scene)[0]
        lines = column(self, (0, 8, 0, 4), 0)
        same_state = ask.judged.cursor is not None
        lines.addWidget(label(tr("lesson.same-state" if same_state else "lesson.other-eras"), "heading"))
        most = max((one.answer.exact or 0 for one in eras), default=0)
        for one in eras:
            alone = one.first == one.last
            which = one.first if alone else tr("lesson.eras", first=one.first, last=one.last)
            row = QFrame()
            here = _holds(one, scene.runs[0])
            row.setObjectName("eraHere" if here else "eraRow")
            line = QHBoxLayout(row)
            line.setContentsMargins(10, 7, 10, 7)
            line.setSpacing(8)
            line.addWidget(label(which, "title"))
            if here:
                line.addWidget(label(tr("lesson.this-run"), "pill"))
            if _is_right(ask, attempt, one):
                line.addWidget(label(tr("lesson.your-answer"), "pillHollow"))
            line.addStretch(1)
            exact = one.answer.exact
            if theme is not None and ask.kind in _COUNTED and exact is not None and most <= _MOST:
                line.addWidget(_Records(exact, most, theme))
            words = answer_words(ask, one.answer, run) if one.answer.known else tr("lesson.none-of-these")
            line.addWidget(label(words, "title"))
            lines.addWidget(row)


class _Records(QWidget):
    """Records from offset 0 on: filled below a value, hatched from there on."""

    def __init__(self, value: int, most: int, theme: Theme) -> None:
        super().__init__()
        self._value, self._most, self._theme = value, most, theme
        self.setFixedSize(most * 13 + 4, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The records, and the line where they end."""
        painter, theme = QPainter(self), self._theme
        painter.setPen(QPen(theme.colour("line.edge"), 1))
        for offset in range(self._most):
            box = QRectF(offset * 13 + 1.5, 3.5, 11, 11)
            painter.fillRect(box, theme.colour("bg.panel" if offset >= self._value else "e0.committed"))
            if offset >= self._value:
                painter.fillRect(box, Qt.BrushStyle.BDiagPattern)
            painter.drawRect(box)
        painter.fillRect(QRectF(self._value * 13, 0, 2, 18), theme.colour("text"))
        painter.end()


def _holds(one: OfEras, name: str) -> bool:
    """Whether an era is one of a group; one whose switches were set is in none."""
    if "+" in name:
        return False
    ids = [era.id for era in ERAS]
    return ids.index(one.first) <= ids.index(era_named(name).id) <= ids.index(one.last)


def _is_right(ask: Ask, attempt: Attempt, one: OfEras) -> bool:
    if attempt.given is None or not one.answer.known:
        return False
    return judge(ask, attempt.given, one.answer).mark is Mark.RIGHT


def _plate(head: LiteralString, words: str, look: str) -> QWidget:
    plate = QWidget()
    lines = column(plate, (14, 10, 14, 10), 4)
    lines.addWidget(label(tr(head), "plateHead"))
    lines.addWidget(label(words, look, wrap=True))
    lines.addStretch(1)
    return plate
