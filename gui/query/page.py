"""The page on which a person asks in SQL about what is open, and sees the rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QPushButton, QTableView, QWidget

from core.message import Count
from gui.panels.choice import Choice
from gui.panels.parts import PanelHead, column, label, rule
from gui.query.asking import AskInSql, Place, place_of
from gui.query.completing import SqlEdit
from gui.query.examples import examples
from gui.query.model import MOST, AnswerModel
from gui.text.spoken import tr
from gui.theme import Theme
from gui.workspace.files import whole
from gui.workspace.jobs import JobRunner
from gui.workspace.query_answer import Answer, csv_text
from gui.workspace.session import Session

ASK: Final = "ask-in-sql"
"""The question of the job: a newer one replaces it."""
_HIGH: Final = 148
_NAME: Final = "answer.csv"


class QueryPage(QWidget):
    """A field, examples, and the rows as a table, which can be copied, saved and shown on the timeline."""

    place_wanted = Signal(object)
    """a Place that the person wants to see on the timeline"""

    def __init__(
        self,
        session: Session,
        jobs: JobRunner,
        source: Callable[[], str],
        save_to: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        """Asks about what the session has. `source` is what partitions are read from, "" where all are there.

        `save_to` asks where a file goes.
        """
        super().__init__(parent)
        self.setObjectName("query")
        self._session, self._jobs, self._source, self._save_to = session, jobs, source, save_to
        self.field, self.examples = SqlEdit(), Choice()
        self.model = AnswerModel(self)
        self.table = self._rows()
        self.told = label("", "secondary", wrap=True, select=True)
        self.head = PanelHead(tr("query.rows"), inset=0)
        self.ask_button = QPushButton(tr("query.ask"))
        self.copy_button, self.save_button = QPushButton(tr("query.copy")), QPushButton(tr("query.save"))
        self.show_button = QPushButton(tr("query.show"))
        self.show_button.setToolTip(tr("query.show.tip"))
        self._lay_out()
        self.examples.setAccessibleName(tr("query.examples"))
        self.examples.addItem(tr("query.choose"))
        for one in examples():
            self.examples.addItem(tr(one.title), one.sql)
        self.examples.activated.connect(self._take_example)
        self.field.asked.connect(self.ask)
        self.ask_button.clicked.connect(self.ask)
        self.copy_button.clicked.connect(self._copy)
        self.save_button.clicked.connect(self._save)
        self.show_button.clicked.connect(self._show_place)
        self.table.activated.connect(self._show_place)
        self.table.selectionModel().currentRowChanged.connect(self._offer)
        session.content_changed.connect(self._forget)
        jobs.ended.connect(self._ended)
        self._forget()

    def _rows(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(tr("query.rows"))
        table.setModel(self.model)
        table.setProperty("plain", True)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        table.horizontalHeader().setHighlightSections(False)
        return table

    def _lay_out(self) -> None:
        lines = column(self, (16, 10, 16, 12), 8)
        above = QHBoxLayout()
        above.setSpacing(8)
        above.addWidget(label(tr("query.title"), "section"))
        above.addStretch(1)
        self.examples.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.examples.setMinimumContentsLength(24)
        above.addWidget(self.examples, 2)
        above.addWidget(self.ask_button)
        lines.addLayout(above)
        self.field.setFixedHeight(_HIGH)
        lines.addWidget(self.field)
        lines.addWidget(self.told)
        lines.addWidget(rule())
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.head, 1)
        for button in (self.show_button, self.copy_button, self.save_button):
            below.addWidget(button)
        lines.addLayout(below)
        lines.addWidget(self.table, 1)

    def set_theme(self, _theme: Theme) -> None:
        """Its widgets are dressed by the style sheet."""

    def focus(self) -> None:
        """The keyboard goes to the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask(self) -> None:
        """Ask what the field says; an older question that is not answered yet is dropped."""
        traces, sql = self._session.traces, self.field.toPlainText().strip()
        if not traces or not sql:
            return
        self.told.setText(tr("query.asking"))
        self.told.show()
        self._jobs.in_thread(ASK, AskInSql(sql, self._source(), traces[0]), self._take)

    def _take(self, answer: Answer | str) -> None:
        if isinstance(answer, str):
            self.told.setText(answer)
            self.told.show()
            return
        self.told.hide()
        self._show(answer)

    def _ended(self, question: str) -> None:
        """What failed otherwise than by the question is told above the page."""
        if question == ASK and self.told.text() == tr("query.asking"):
            self.told.hide()

    def _show(self, answer: Answer) -> None:
        self.model.show(answer)
        every = len(answer.rows)
        self.head.fact.setText(
            tr("query.first-of", shown=MOST, every=every)
            if every > MOST
            else tr("query.count", count=Count(every))
        )
        self.table.resizeColumnsToContents()
        if every:
            self.table.selectRow(0)
        self._offer()

    def _forget(self, *_changed: object) -> None:
        """Rows of what was open before say nothing of what is open now."""
        self.told.hide()
        self._show(Answer((), ()))
        self.head.fact.setText("")

    def _place(self) -> Place | None:
        row = self.table.currentIndex().row()
        return place_of(self.model.answer, row) if row >= 0 else None

    def _offer(self, *_changed: object) -> None:
        self.show_button.setEnabled(self._place() is not None)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(self.model.answer.columns))

    def _show_place(self, *_chosen: object) -> None:
        place = self._place()
        if place is not None:
            self.place_wanted.emit(place)

    def _take_example(self, place: int) -> None:
        sql = self.examples.itemData(place)
        if sql:
            self.field.setPlainText(sql)
            self.ask()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(csv_text(self.model.answer))

    def _save(self) -> None:
        path = self._save_to(_NAME)
        if path:
            with whole(Path(path)) as part:
                part.write_text(csv_text(self.model.answer), encoding="utf-8")
