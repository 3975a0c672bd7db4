"""What somebody made of a lesson: a row a try with answer, verdict, hints and time; saved as a file."""

import time
from functools import partial
from typing import Final, LiteralString

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTableWidget, QTableWidgetItem, QWidget

from core.message import Count
from core.shown import shown_in_line
from core.teaching.grades import Result
from core.words import text
from gui.panels.parts import Paragraph, column, label, plain_table, rule, tip
from gui.panels.wrapping import Wrapping
from gui.text.spoken import tr
from gui.workspace.lesson_player import Player, missed_in, practised
from gui.workspace.lesson_results import ENDINGS, score_words
from gui.workspace.lesson_words import MARK_WORDS, result_of

_COLUMNS: Final = (
    ("command.head.step", 60),
    ("command.head.question", 0),
    ("lesson.head.try", 50),
    ("lesson.head.answer", 160),
    ("lesson.head.verdict", 150),
    ("command.head.points", 60),
    ("command.head.hints", 60),
    ("command.head.seconds", 70),
)
_NAME: Final = 200
"""How wide the field is in which a name is written."""
_SAVES: Final[tuple[LiteralString, ...]] = (
    "lesson.save.csv",
    "lesson.save.md",
    "lesson.save.xapi",
    "lesson.save.json",
)
"""Of the endings in `ENDINGS`, in their order."""


class ResultsPage(QWidget):
    """The result of a lesson. It writes no file itself."""

    save_wanted = Signal(object, str)
    """the Result, and the ending of the file that it is to be written as"""
    back_wanted = Signal()
    """Back to the lesson."""
    course_wanted = Signal()
    practice_wanted = Signal(object)
    """The Player with what was missed asked again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Of no lesson yet."""
        super().__init__(parent)
        self.setObjectName("lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player: Player | None = None
        self._finished_ns = 0
        lines = column(self, (28, 20, 28, 20), 12)
        self.title = label("", "headline", wrap=True)
        self.score = label("", "question", wrap=True)
        self.took, self.waiting = label("", "row-text"), label("", "row-text")
        for part in (
            label(tr("lesson.results"), "secondary"),
            self.title,
            self.score,
            self.took,
            self.waiting,
        ):
            lines.addWidget(part)
        lines.addWidget(rule())
        self.table = plain_table(QTableWidget(), tr("lesson.results"), _COLUMNS)
        lines.addWidget(self.table, 1)
        lines.addLayout(self._saving())
        self.told = Paragraph("", "row-text")
        self.told.hide()
        lines.addWidget(self.told)
        foot = QHBoxLayout()
        self.back = QPushButton(tr("lesson.results.back"))
        self.back.clicked.connect(self.back_wanted)
        self.course = QPushButton(tr("lesson.to-course"))
        self.course.setObjectName("primary")
        self.course.clicked.connect(self.course_wanted)
        self.practise = QPushButton("")
        self.practise.clicked.connect(self._practise)
        foot.addWidget(self.back)
        foot.addStretch(1)
        foot.addWidget(self.practise)
        foot.addWidget(self.course)
        lines.addWidget(rule())
        lines.addLayout(foot)

    def _saving(self) -> QHBoxLayout:
        """The name that stands in the file, and a button a kind of file."""
        row = QHBoxLayout()
        row.setSpacing(10)
        self.learner = QLineEdit()
        self.learner.setAccessibleName(tr("lesson.learner"))
        self.learner.setFixedWidth(_NAME)
        row.addWidget(label(tr("lesson.learner"), "row-text"))
        row.addWidget(self.learner)
        self.saves: dict[str, QPushButton] = {}
        ways = Wrapping(gap=10)
        for ending, words in zip(ENDINGS, _SAVES, strict=True):
            self.saves[ending] = QPushButton(tr(words))
            self.saves[ending].clicked.connect(partial(self._save, ending))
            ways.addWidget(self.saves[ending])
        row.addLayout(ways, 1)
        return row

    def show_result(self, player: Player) -> None:
        """The result of a lesson as it stands now."""
        self._player, self._finished_ns = player, time.time_ns()
        self.told.hide()
        result = self._result()
        self.title.setText(shown_in_line(result.title))
        self.score.setText(score_words(result))
        tries = [(one, *told) for one in result.answered for told in enumerate(one.tries, start=1)]
        minutes, seconds = divmod(round(sum(one.seconds for _, _, one in tries)), 60)
        self.took.setText(tr("lesson.results.time", minutes=minutes, seconds=seconds))
        left = len(player.lesson.questions) - len(result.answered)
        self.waiting.setText(tr("lesson.results.waiting", count=Count(left)) if left else "")
        self.waiting.setVisible(left > 0)
        missed = len(missed_in(player))
        self.practise.setText(tr("lesson.practise", count=Count(missed)))
        self.practise.setVisible(missed > 0)
        self.table.setRowCount(len(tries))
        for row, (asked, number, one) in enumerate(tries):
            cells = (
                *(str(asked.step), asked.question, str(number)),
                *(one.given or tr("lesson.none"), text(MARK_WORDS[one.mark])),
                *(f"{one.points:g}", str(one.hints), f"{one.seconds:.0f}"),
            )
            for place, words in enumerate(cells):
                cell = QTableWidgetItem(shown_in_line(words))
                cell.setToolTip(tip(words))
                self.table.setItem(row, place, cell)
        self.course.setFocus(Qt.FocusReason.OtherFocusReason)

    def _practise(self, *_clicked: object) -> None:
        if self._player is not None:
            self.practice_wanted.emit(practised(self._player))

    def tell_saved(self, path: str) -> None:
        """Say where the file is."""
        self.told.setText(tr("lesson.results.saved", path=path))
        self.told.show()

    def _result(self) -> Result:
        if self._player is None:
            raise TypeError("no lesson")
        return result_of(self._player, self._finished_ns, self.learner.text().strip())

    def _save(self, ending: str, *_clicked: object) -> None:
        self.save_wanted.emit(self._result(), ending)
