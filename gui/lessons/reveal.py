"""What happened, beside what was answered; and what other eras would have answered from the same script."""

from typing import LiteralString

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.words import text
from gui.panels.parts import column, label
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt, Player, other_eras, right_answer
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import MARK_WORDS, answer_words, given_words


class Reveal(QWidget):
    """The verdict in a word, two plates, and the same script in other eras."""

    def __init__(self, player: Player) -> None:
        """Of the step that is on, which was answered."""
        super().__init__()
        self.setObjectName("reveal")
        ask, attempt = player.now.ask, player.attempts[player.step]
        lines = column(self, (0, 4, 0, 4), 10)
        if ask is None:
            return
        run = runs_of(player.now.scene)[0]
        answer = right_answer(player.now)
        self.verdict = label(_verdict(attempt), "question", wrap=True)
        lines.addWidget(self.verdict)
        plates = QHBoxLayout()
        plates.setSpacing(12)
        yours = tr("lesson.none") if attempt.given is None else given_words(ask, attempt.given, run)
        self.yours = _plate("lesson.yours", yours)
        self.happened = _plate("lesson.happened", answer_words(ask, answer, run))
        self.yours.setObjectName("plateYours")
        self.happened.setObjectName("plateTruth")
        plates.addWidget(self.yours, 1)
        plates.addWidget(self.happened, 1)
        lines.addLayout(plates)
        eras = other_eras(player.now)
        if len(eras) > 1:
            lines.addWidget(label(tr("lesson.other-eras"), "heading"))
            for one in eras:
                alone = one.first == one.last
                which = one.first if alone else tr("lesson.eras", first=one.first, last=one.last)
                told = tr("lesson.era-answer", eras=which, answer=answer_words(ask, one.answer, run))
                lines.addWidget(label(told, "mono", wrap=True))


def _plate(head: LiteralString, words: str) -> QWidget:
    plate = QWidget()
    lines = column(plate, (14, 10, 14, 10), 4)
    lines.addWidget(label(tr(head), "plateHead"))
    lines.addWidget(label(words, "plateValue", wrap=True))
    return plate


def _verdict(attempt: Attempt) -> str:
    return text(MARK_WORDS[attempt.judged.mark])
