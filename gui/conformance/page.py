"""The page of conformance: which eras could have made what is open, and where each other breaks."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from core.conform.answer import Conformance
from core.shown import shown_in_line
from gui.conformance.columns import Columns
from gui.conformance.details import Details
from gui.conformance.words import summary_of, words_of
from gui.panels.choice import Choice
from gui.panels.parts import Elided, Paragraph, Tick, column, label, rule, upright_rule
from gui.text.spoken import tr
from gui.theme import Theme
from gui.workspace.conforming import CONFORM, Conforming, Subject, subjects_of, where_of
from gui.workspace.content import Content
from gui.workspace.session import Session

_SIDE: Final = 380
_NARROW_SIDE: Final = 290
_NARROW: Final = 1150


class ConformancePage(QWidget):
    """Asks when it is seen. It keeps nothing but which column is selected, and what it is about."""

    event_wanted = Signal(object)
    """the Where of the event that is to be shown in the lanes"""

    def __init__(self, session: Session, conforming: Conforming, parent: QWidget | None = None) -> None:
        """`conforming` answers; what it answered before is shown at once."""
        super().__init__(parent)
        self.setObjectName("conformance")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session, self._conforming = session, conforming
        self._subjects: tuple[Subject, ...] = ()
        self._answer: tuple[Subject, Conformance] | None = None
        self._stale = True
        self.subject = Choice()
        self.subject.setAccessibleName(tr("conformance.subject"))
        self.subject.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.subject.setMinimumContentsLength(18)
        self.summary = Elided("", "secondary")
        self.search = Tick(tr("conformance.search"))
        self.search.setToolTip(tr("conformance.search.tip"))
        self.columns, self.details = Columns(), Details()
        self.told = Paragraph("", "row-text")
        self.again = QPushButton(tr("conformance.judge"))
        self._lay_out()
        self.subject.activated.connect(self._ask)
        self.search.toggled.connect(self._ask)
        self.again.clicked.connect(self._ask)
        self.columns.selected.connect(self._select)
        self.columns.event_wanted.connect(self._go)
        self.details.event_wanted.connect(self._go)
        session.content_changed.connect(self._content_changed)
        conforming.jobs.ended.connect(self._ended)

    def _lay_out(self) -> None:
        lines = column(self)
        head = QHBoxLayout()
        head.setContentsMargins(16, 7, 16, 7)
        head.setSpacing(16)
        head.addWidget(label(tr("conformance.title"), "title"))
        head.addWidget(self.summary, 1)
        head.addWidget(self.search)
        head.addWidget(self.subject)
        lines.addLayout(head)
        lines.addWidget(rule())
        self.area = _scrolled(self.columns, tr("conformance.columns"))
        self.side = _scrolled(self.details, tr("conformance.details"))
        self.side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        found = QWidget()
        both = QHBoxLayout(found)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        drawn = QWidget()
        below = column(drawn)
        below.addWidget(self.area, 1)
        how = Paragraph(tr("conformance.how-to-read"), "secondary")
        how.setContentsMargins(16, 4, 16, 8)
        below.addWidget(how)
        both.addWidget(drawn, 1)
        both.addWidget(upright_rule())
        both.addWidget(self.side)
        waiting = QWidget()
        words = column(waiting, (16, 16, 16, 16), 10)
        words.addWidget(self.told)
        row = QHBoxLayout()
        row.addWidget(self.again)
        row.addStretch(1)
        words.addLayout(row)
        words.addStretch(1)
        self.states = QStackedWidget()
        self.states.addWidget(waiting)
        self.states.addWidget(found)
        lines.addWidget(self.states, 1)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.columns.set_theme(theme)

    def focus(self) -> None:
        """The keyboard goes to the columns, or to what asks."""
        seen = self.columns if self.states.currentIndex() else self.again
        seen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask about what is open now."""
        super().showEvent(event)
        self._catch_up()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The side gives way in a narrow window."""
        super().resizeEvent(event)
        self.side.setFixedWidth(_NARROW_SIDE if event.size().width() < _NARROW else _SIDE)

    def _content_changed(self, _content: Content | None) -> None:
        self._stale = True
        if self.isVisible():
            self._catch_up()
        else:
            # What is closed is let go of.
            self._forget()

    def _forget(self) -> None:
        self._subjects, self._answer = (), None
        self.columns.forget()
        self.details.show_words(None)

    def _catch_up(self) -> None:
        if not self._stale:
            return
        self._stale = False
        before, at = self._subjects, self.subject.currentIndex()
        self._subjects = subjects_of(self._session.content)
        self.subject.clear()
        self.subject.addItems([shown_in_line(self._name(one)) for one in self._subjects])
        same = before and self._subjects and before[0].trace is self._subjects[0].trace
        if same and 0 <= at < len(self._subjects):
            self.subject.setCurrentIndex(at)
        self.subject.setVisible(len(self._subjects) > 1)
        self._ask()

    def _name(self, subject: Subject) -> str:
        content = self._session.content
        if subject.partition is None:
            return tr("conformance.all-partitions")
        if content is None or content.comparison is None:
            return subject.name
        return tr("conformance.of-run", run=subject.run + 1, title=content.runs[subject.run].title)

    def _ask(self, *_chosen: object) -> None:
        place = self.subject.currentIndex()
        if not 0 <= place < len(self._subjects):
            self.search.setVisible(False)
            self._forget()
            self._say(tr("conformance.nothing-open"), button=False)
            return
        subject = self._subjects[place]
        self.search.setVisible(subject.can_be_searched)
        if subject.can_be_searched and self.search.isChecked():
            subject = replace(subject, searched=True)
        self._say(tr("conformance.judging"), button=False)
        self._conforming.ask(subject, lambda found: self._take(subject, found))

    def _ended(self, question: str) -> None:
        """Where the work was stopped or failed; an answer comes right after, and is shown instead."""
        if question == CONFORM and self.states.currentIndex() == 0:
            self._say(tr("conformance.not-judged"), button=True)

    def _say(self, words: str, *, button: bool) -> None:
        self.told.setText(words)
        self.again.setVisible(button)
        self.summary.setText("")
        self.states.setCurrentIndex(0)

    def _take(self, subject: Subject, found: Conformance) -> None:
        if replace(subject, searched=False) not in self._subjects:
            return
        had_focus = self.again.hasFocus()
        self._answer = subject, found
        self.summary.setText(summary_of(found))
        place = _first_to_see(found)
        self.columns.show_answer(subject, found, place)
        self._select(place)
        self.states.setCurrentIndex(1)
        if had_focus:
            self.focus()

    def _select(self, place: int) -> None:
        if self._answer is None:
            return
        subject, found = self._answer
        self.details.show_words(words_of(subject, found, place))
        left, right = self.columns.column_box(place)
        self.area.ensureVisible((left + right) // 2, 0, (right - left) // 2 + 8, 0)

    def _go(self, *_place: object) -> None:
        if self._answer is None or self.columns.place < 0:
            return
        where = where_of(*self._answer, self.columns.place)
        if where is not None:
            self.event_wanted.emit(where)


def _first_to_see(found: Conformance) -> int:
    """The era that breaks next after its own; without one the last before it that breaks, else its own."""
    own = next((place for place, one in enumerate(found.eras) if one.era == found.own), 0)
    broken = [place for place, one in enumerate(found.eras) if one.breaks is not None]
    return next((place for place in broken if place > own), broken[-1] if broken else own)


def _scrolled(inside: QWidget, name: str) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setAccessibleName(name)
    area.setWidget(inside)
    return area
