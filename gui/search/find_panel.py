"""Ctrl+F: find in events and raw lines, with the list of what was found. F3 goes on, Shift+F3 goes back."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QWidget,
)

from core.errors import QuestionError
from core.picture.marks import Ref
from core.trace.kind_words import kind_words
from core.work import Work
from gui.panels.choice import Choice
from gui.panels.parts import Tick, column, label, tip
from gui.search.finding import MOST, Found, Hit, Query, find, kinds_of
from gui.search.overlay import LineDelegate, LinesModel, OverlayLine
from gui.text.errors import one_line
from gui.text.spoken import tr, words
from gui.theme import Theme, load_theme
from gui.workspace.content import Content
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session

FIND: Final = "find"
"""The question of what is found: a newer one replaces it."""
TYPED_MS: Final = 150
"""How long the keyboard must rest before what was typed is looked for."""
_ANY: Final = "search.any-kind-of-event"


@dataclass(frozen=True, slots=True)
class _Find:
    """Look for something in what is open."""

    content: Content
    query: Query

    def answer(self, work: Work) -> Found | str:
        """What is found, or what is wrong with the pattern: that is said beside the field."""
        try:
            return find(self.content, self.query, work)
        except QuestionError as error:
            return one_line(error.facts, words())


class FindPanel(QWidget):
    """Looks beside the window's thread for what its fields say, and moves the cursor from hit to hit."""

    left = Signal()
    """The person is done."""

    def __init__(self, session: Session, jobs: JobRunner, parent: QWidget | None = None) -> None:
        """Follows the session; searches in the documents' thread."""
        super().__init__(parent)
        self._session, self._jobs = session, jobs
        self.hits: tuple[Hit, ...] = ()
        self._asked = Query()
        self._step = 0
        self._make_fields()
        self._model = LinesModel(self)
        self.list = QListView()
        self.list.setAccessibleName(tr("search.hits"))
        self.list.setModel(self._model)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._delegate = LineDelegate(self.list, load_theme(session.theme))
        self.list.setItemDelegate(self._delegate)
        self.list.clicked.connect(self._show_current)
        self.list.activated.connect(self._show_current)
        # Its lines have room of their own on the left: they begin where the field's name does.
        lines = column(self, (4, 8, 4, 0), 6)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(label(tr("search.find"), "section"))
        row.addWidget(self.field, 1)
        for part in (self.regex, self.kind, self.offset, self.epoch, self.count):
            row.addWidget(part)
        for text, name, step in (("↑", tr("search.previous-shift-f3"), -1), ("↓", tr("search.next-f3"), 1)):
            button = QPushButton(text)
            button.setToolTip(name)
            button.setAccessibleName(name)
            button.setFixedWidth(34)
            button.clicked.connect(lambda _checked=False, step=step: self.go(step))
            row.addWidget(button)
        close = QPushButton(tr("search.close"))
        close.setToolTip("Esc")
        close.clicked.connect(self.left)
        row.addWidget(close)
        lines.addLayout(row)
        lines.addWidget(self.list, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPED_MS)
        self._timer.timeout.connect(self.search)
        session.content_changed.connect(self._content_changed)

    def _make_fields(self) -> None:
        self.field, self.offset, self.epoch = QLineEdit(), QLineEdit(), QLineEdit()
        self.field.setPlaceholderText(tr("search.text-in-events-and-raw-lines"))
        self.field.setAccessibleName(tr("search.text-to-find"))
        for field, name in ((self.offset, tr("search.offset")), (self.epoch, tr("search.epoch"))):
            field.setPlaceholderText(name)
            field.setAccessibleName(name)
            field.setFixedWidth(78)
            field.setValidator(QIntValidator(0, 2_147_483_647, field))
        self.regex = Tick(tr("search.regex"))
        self.regex.setToolTip(tr("search.what-was-typed-is-a-regular"))
        self.kind = Choice()
        self.kind.setAccessibleName(tr("search.kind-of-event"))
        self.kind.setMinimumWidth(170)
        self.kind.addItem(tr(_ANY))
        self.count = label("", "secondary")
        self.count.setMinimumWidth(96)
        for field in (self.field, self.offset, self.epoch):
            field.textChanged.connect(self._typed)
            field.returnPressed.connect(self._entered)
        self.regex.toggled.connect(self._typed)
        self.kind.currentIndexChanged.connect(self._typed)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._delegate.theme = theme
        self.list.viewport().update()

    def open(self) -> None:
        """The keyboard into the field; what was looked for before is marked, to be typed over."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self.search()

    def query(self) -> Query:
        """What the fields say."""
        number = self.kind.currentIndex()
        return Query(
            self.field.text(),
            self.regex.isChecked(),
            self.kind.currentData() if number > 0 else "",
            int(self.offset.text()) if self.offset.text() else None,
            int(self.epoch.text()) if self.epoch.text() else None,
        )

    def search(self) -> None:
        """Look for what the fields say, if it was not looked for already."""
        self._timer.stop()
        query, content = self.query(), self._session.content
        if content is None or query == self._asked:
            return
        self._asked = query
        if query.empty:
            self._jobs.cancel(FIND)
            self._show(Found((), 0))
            return
        self.count.setText(tr("search.searching"))
        self._jobs.in_thread(FIND, _Find(content, query), self._take)

    def go(self, step: int) -> None:
        """To the next (1) or previous (-1) hit of the list; it does not wrap."""
        if self._timer.isActive() or FIND in self._jobs.asked():
            self._step = step
            self.search()
            return
        place = self.list.currentIndex().row()
        following = place + step if place >= 0 else 0 if step > 0 else len(self.hits) - 1
        if 0 <= following < len(self.hits):
            self._choose(following)
            return
        self.count.setText(
            tr("search.no-more") if self.hits else tr("search.nothing-found") if not self._asked.empty else ""
        )

    def _typed(self, *_typed: object) -> None:
        self._timer.start()

    def _entered(self) -> None:
        self.go(1)

    def _take(self, found: Found | str) -> None:
        if isinstance(found, str):
            self._show(Found((), 0))
            self.count.setText(tr("search.no-pattern"))
            self.count.setToolTip(tip(found))
            return
        self._show(found)
        if self._step:
            step, self._step = self._step, 0
            self.go(step)

    def _show(self, found: Found) -> None:
        self.hits = found.hits
        several = self._session.content is not None and len(self._session.content.runs) > 1
        self._model.show(
            tuple(
                OverlayLine(
                    hit.time,
                    hit.text,
                    hit.place or (tr("explain.run", run=hit.run + 1) if several else ""),
                    hit.seq is None,
                )
                for hit in found.hits
            )
        )
        self.count.setToolTip("")
        if self._asked.empty:
            self.count.setText("")
        elif found.total > MOST:
            self.count.setText(tr("search.first-of", most=MOST, total=found.total))
        else:
            self.count.setText(
                tr("search.found", total=found.total) if found.total else tr("search.nothing-found")
            )

    def _choose(self, place: int) -> None:
        self.list.setCurrentIndex(self._model.index(place, 0))
        self._show_current()

    def _show_current(self, *_index: object) -> None:
        place = self.list.currentIndex().row()
        if not 0 <= place < len(self.hits):
            return
        hit = self.hits[place]
        self.count.setText(tr("search.place-of-hits", place=place + 1, hits=len(self.hits)))
        self._session.set_position(hit.position)
        if hit.seq is not None:
            self._session.select(Ref("event", hit.run, hit.seq))

    def _content_changed(self, content: Content | None) -> None:
        self._asked, self._step = Query(), 0
        self._jobs.cancel(FIND)
        self._show(Found((), 0))
        kind = self.kind.currentData()
        self.kind.blockSignals(True)
        self.kind.clear()
        self.kind.addItem(tr(_ANY))
        for name in kinds_of(content) if content is not None else ():
            self.kind.addItem(kind_words(name), name)
        self.kind.setCurrentIndex(max(self.kind.findData(kind), 0) if kind else 0)
        self.kind.blockSignals(False)
        if self.isVisible():
            self.search()

    def event(self, event: QEvent) -> bool:
        """Esc leaves, wherever the keyboard is in it."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.left.emit()
                return True
        return super().event(event)
