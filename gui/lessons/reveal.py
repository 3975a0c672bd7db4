"""What happened, beside what was answered; and what other eras would have answered from the same script."""

from typing import Final, LiteralString

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.compare.comparison import Run
from core.message import Between, Listing, Message, message
from core.teaching.answers import NOBODY, Answer, Given, Mark
from core.teaching.lesson import Ask, AskKind
from core.words import text
from gui.lessons.answering import broker_name
from gui.panels.parts import column, label
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt, Player, other_eras, right_answer
from gui.workspace.lesson_runs import runs_of

_MARKS: Final = {
    Mark.RIGHT: message("lesson.mark.right"),
    Mark.PARTLY: message("lesson.mark.partly"),
    Mark.WRONG: message("lesson.mark.wrong"),
    Mark.SKIPPED: message("lesson.mark.skipped"),
}


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
    return text(_MARKS[attempt.judged.mark])


def given_words(ask: Ask, given: Given, run: Run) -> str:
    """An answer in words."""
    return text(_words(ask, given, run))


def answer_words(ask: Ask, answer: Answer, run: Run) -> str:
    """What the run answers, in words; bounds as bounds."""
    if answer.members is not None:
        return given_words(ask, answer.members, run)
    if answer.order is not None:
        return given_words(ask, answer.order, run)
    if answer.exact is not None:
        return given_words(ask, answer.exact, run)
    if not answer.known:
        return tr("lesson.unknown")
    return text(message("lesson.between", value=Between(answer.lo, answer.hi)))


def _words(ask: Ask, given: Given, run: Run) -> Message:
    if isinstance(given, tuple):
        return message("lesson.words", words=Listing(tuple(ask.events[place].text for place in given)))
    if isinstance(given, frozenset):
        if not given:
            return message("lesson.nothing")
        if ask.kind is AskKind.IN_SYNC:
            return message(
                "lesson.words", words=Listing(tuple(broker_name(run, one) for one in sorted(given)))
            )
        return message("lesson.words", words=_ranges(given))
    match ask.kind:
        case AskKind.LEADER if given == NOBODY:
            return message("lesson.answer.nobody")
        case AskKind.LEADER:
            return message("lesson.words", words=broker_name(run, given))
        case AskKind.CHOICE:
            return message("lesson.words", words=ask.options[given].text)
        case _:
            return message("lesson.words", words=str(given))


def _ranges(offsets: frozenset[int]) -> Listing:
    """Offsets as ranges: 7–9, 12."""
    found: list[list[int]] = []
    for offset in sorted(offsets):
        if found and found[-1][1] == offset - 1:
            found[-1][1] = offset
        else:
            found.append([offset, offset])
    return Listing(tuple(str(first) if first == last else f"{first}–{last}" for first, last in found))
