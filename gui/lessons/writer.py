"""Writing a lesson: its text on the left with what is wrong in it, the step where one writes on the right."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from core.errors import ScenarioError, TidegaugeError
from core.message import Count
from core.teaching.checking import Problem, problems
from core.teaching.lesson import Lesson
from core.teaching.reading import parse_lesson
from core.words import text
from gui.lessons.player import LessonPlayer
from gui.panels.parts import Paragraph, column, label, rule, upright_rule
from gui.panels.wrapping import Wrapping
from gui.text.errors import one_line
from gui.text.spoken import language, tr, words
from gui.theme import Theme, font
from gui.workspace.lesson_runs import runs_of

_PAUSE_MS: Final = 400
"""How long nothing is typed before the text is read."""
_SHOWN: Final = 4
"""So many faults are listed."""
NAME: Final = "lesson.md"


@dataclass(frozen=True, slots=True)
class Read:
    """What a text is: a lesson with what does not hold in it, or no lesson and why."""

    lesson: Lesson | None = None
    wrong: tuple[Problem, ...] = ()
    fault: str = ""
    line: int | None = None


def read(told: str, name: str) -> Read:
    """Read a text, and hold what it says against its runs."""
    try:
        lesson = parse_lesson(told, "mine", name)
        return Read(lesson, problems(lesson, runs_of))
    except ScenarioError as error:
        return Read(fault=one_line(error.facts, words()), line=error.line)
    except TidegaugeError as error:
        return Read(fault=one_line(error.facts, words()))


class LessonWriter(QWidget):
    """The text, its faults, its preview. It writes no file itself."""

    save_wanted = Signal(str)
    """the text"""
    export_wanted = Signal(object)
    """the Lesson, as a handout"""
    present_wanted = Signal(object, int)
    """the Lesson, and the step where one writes"""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """An empty text."""
        super().__init__(parent)
        self.setObjectName("lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.now = Read()
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("lesson.writer.text"))
        self.field.setFont(font(13, mono=True))
        self.field.setTabChangesFocus(True)
        self.preview = LessonPlayer()
        self.preview.takes_keyboard = False
        self.told = Paragraph("", "row-text")
        both = QHBoxLayout(self)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        left = QWidget()
        left.setMaximumWidth(620)
        lines = column(left, (16, 12, 16, 12), 8)
        lines.addWidget(label(tr("lesson.writer"), "title"))
        lines.addWidget(self.field, 1)
        lines.addWidget(self.told)
        lines.addWidget(rule())
        lines.addLayout(self._make_foot())
        both.addWidget(left, 2)
        both.addWidget(upright_rule())
        both.addWidget(self.preview, 3)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.look)
        self.field.textChanged.connect(self._pause.start)
        self.field.cursorPositionChanged.connect(self._follow)

    def _make_foot(self) -> Wrapping:
        # In two lines where it is narrow: the page asks for no more than a display of 1280 has.
        foot = Wrapping()
        self.back = QPushButton(tr("lesson.to-course"))
        self.present = QPushButton(tr("actions.present"))
        self.export = QPushButton(tr("lesson.writer.export"))
        self.save = QPushButton(tr("scenarios.save"))
        self.save.setObjectName("primary")
        self.back.clicked.connect(self.left)
        self.save.clicked.connect(lambda: self.save_wanted.emit(self.field.toPlainText()))
        self.export.clicked.connect(self._export)
        self.present.clicked.connect(self._present)
        for button in (self.back, self.present, self.export, self.save):
            foot.addWidget(button)
        return foot

    def begin(self, told: str) -> None:
        """Write on a text. What a skeleton leaves open is selected: who types replaces it."""
        self.field.setPlainText(told)
        self.field.find(tr("lesson.record.line"))
        self.look()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def look(self) -> None:
        """Read the text as it stands, say what is wrong, and show the step where one writes."""
        self._pause.stop()
        self.now = read(self.field.toPlainText(), NAME if language() == "en" else f"lesson.{language()}.md")
        lesson = self.now.lesson
        self.told.setText(self._faults())
        for button in (self.export, self.present):
            button.setEnabled(lesson is not None)
        if lesson is not None:
            self.preview.open(lesson, self._step(lesson))

    def tell(self, told: str) -> None:
        """Say what was done, below the text."""
        self.told.setText(told)

    def set_theme(self, theme: Theme) -> None:
        """The lanes have colours that the style sheet does not reach."""
        self.preview.set_theme(theme)

    def _faults(self) -> str:
        now = self.now
        if now.fault:
            return now.fault if now.line is None else tr("lesson.writer.fault", line=now.line, what=now.fault)
        told = [tr("lesson.writer.wrong", step=one.step, what=text(one.what)) for one in now.wrong[:_SHOWN]]
        if len(now.wrong) > _SHOWN:
            told.append(tr("lesson.writer.more", count=Count(len(now.wrong) - _SHOWN)))
        return "\n".join(told) or tr("lesson.writer.holds")

    def _step(self, lesson: Lesson) -> int:
        """The step in whose text the cursor is, from 0."""
        line = self.field.textCursor().blockNumber() + 1
        return max(sum(one.line <= line for one in lesson.steps) - 1, 0)

    def _follow(self) -> None:
        """Show another step when the cursor goes into its text."""
        lesson, player = self.now.lesson, self.preview.player
        if lesson is not None and not self._pause.isActive() and player is not None:
            step = self._step(lesson)
            if step != player.step:
                self.preview.open(lesson, step)

    def _read_what_was_typed(self) -> None:
        """What was typed a moment ago is read now, not after the pause."""
        if self._pause.isActive():
            self.look()

    def _export(self, *_clicked: object) -> None:
        self._read_what_was_typed()
        if self.now.lesson is not None:
            self.export_wanted.emit(self.now.lesson)

    def _present(self, *_clicked: object) -> None:
        self._read_what_was_typed()
        if self.now.lesson is not None:
            self.present_wanted.emit(self.now.lesson, self._step(self.now.lesson))
