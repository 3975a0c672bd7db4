"""The course: its lessons in their order, and the player of the one that is on."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from core.message import Count
from core.teaching.lesson import Lesson
from core.teaching.library import lesson, lesson_ids
from gui.lessons.page import EntryRow
from gui.lessons.player import LessonPlayer
from gui.lessons.rows import Entry
from gui.panels.parts import column, label, rule
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.workspace.lesson_player import Player


class CoursePage(QStackedWidget):
    """The list of lessons, or the lesson that is on."""

    finished = Signal(object)
    """the Player, whenever a question was answered"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """The rows are made when they are seen first."""
        super().__init__(parent)
        self.setObjectName("course")
        self.player = LessonPlayer()
        self.rows: tuple[EntryRow, ...] = ()
        self._listed = QWidget()
        self._listed.setObjectName("lessons")
        self._listed.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        lines = column(self._listed)
        head = QWidget()
        top = column(head, (28, 20, 28, 14), 4)
        top.addWidget(label(tr("lesson.course"), "headline"))
        top.addWidget(label(tr("lesson.course.about"), "row-text", wrap=True))
        lines.addWidget(head)
        lines.addWidget(rule())
        inside = QWidget()
        inside.setObjectName("panelBody")
        self._rows = column(inside)
        self._rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        lines.addWidget(area, 1)
        self.addWidget(self._listed)
        self.addWidget(self.player)
        self.player.left.connect(self.show_list)
        self.player.answer_given.connect(self.finished)

    def showEvent(self, event: object) -> None:
        """Make the rows when they are seen first."""
        if not self.rows:
            found = [lesson(one, language()) for one in lesson_ids()]
            self.rows = tuple(self._row(number, one) for number, one in enumerate(found, start=1))
            for place, row in enumerate(self.rows):
                self._rows.insertWidget(place, row)

    def _row(self, number: int, one: Lesson) -> EntryRow:
        entry = Entry("", tr("lesson.numbered", number=number, title=one.title), one.line, "")
        told = tr(
            "lesson.opens",
            minutes=tr("lesson.minutes", count=Count(one.minutes)),
            questions=tr("lesson.questions", count=Count(len(one.questions))),
        )
        row = EntryRow(entry, told)
        row.clicked.connect(partial(self._begin, one))
        row.moved.connect(partial(self._go, number - 1))
        return row

    def _begin(self, one: Lesson, *_clicked: object) -> None:
        self.begin(one)

    def _go(self, place: int, by: int) -> None:
        if 0 <= place + by < len(self.rows):
            self.rows[place + by].setFocus(Qt.FocusReason.TabFocusReason)

    def begin(self, one: Lesson, step: int = 0) -> None:
        """Open a lesson."""
        self.setCurrentWidget(self.player)
        self.player.open(one, step)

    def show_list(self) -> None:
        """Back to the list, with the keyboard on the lesson that was on."""
        self.setCurrentWidget(self._listed)
        self.focus()

    def set_theme(self, theme: Theme) -> None:
        """The lanes have colours that the style sheet does not reach."""
        self.player.set_theme(theme)

    def focus(self) -> None:
        """The keyboard goes to the lesson that is on, or to the first of the list."""
        if self.currentWidget() is self.player:
            self.player.focus()
        elif self.rows:
            self.rows[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def on(self) -> Player | None:
        """The lesson that is on; None while the list is seen."""
        return self.player.player if self.currentWidget() is self.player else None
