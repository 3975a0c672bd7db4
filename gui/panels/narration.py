"""The timeline as sentences: one a position, in a list that any screen reader reads."""

from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from core.shown import shown_in_line
from gui.panels.explain import explain, place_label
from gui.panels.parts import PanelHead, column, tip
from gui.text.spoken import tr
from gui.workspace.content import Content
from gui.workspace.session import Session

_ROW: Final = 22
_HEIGHT: Final = 34 + 6 * _ROW
_NOWHERE: Final = QModelIndex()
_ROWS: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down)
_TEXT: Final = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def sentence(content: Content, position: int) -> str:
    """What is told of a position: which one, when, what happened and why, how it is known."""
    where, when = place_label(content, position)
    if content.comparison is None:
        # A stroke between two numbers is no word.
        parts = [tr("narration.position", position=position, last=content.last), _begun(when)]
    else:
        parts = [_begun(f"{where}, {when}" if when else where)]
    if position:
        told = explain(content, position, None)
        for section in told.sections:
            parts.append(
                tr("narration.title-of-run", run=section.badge, title=section.title)
                if section.badge
                else section.title
            )
            parts.extend(said for said in section.sentences if said != section.title)
            parts.append(_begun(section.certainty))
    stop = tr("narration.stop")
    ended = (
        f"{part}{stop[1:]}" if part.endswith(("?", "？")) else part.rstrip(".。") + stop
        for part in parts
        if part
    )
    return "".join(ended).rstrip()


def _begun(words: str) -> str:
    """As a sentence begins; a record's name is written as it is called, and is no such word."""
    return words[:1].upper() + words[1:]


class Sentences(QAbstractListModel):
    """A row a position. A sentence is made when somebody looks at it."""

    def __init__(self, content: Content | None = None) -> None:
        """Of nothing, until there is content."""
        super().__init__()
        self._content = content

    def tell(self, content: Content | None) -> None:
        """Tell of something else."""
        self.beginResetModel()
        self._content = content
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        """All positions, 0 included."""
        return 0 if self._content is None or parent.isValid() else self._content.last + 1

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - what Qt asks for
        """The sentence of a row."""
        if self._content is None or role not in _TEXT:
            return None
        said = shown_in_line(sentence(self._content, index.row()))
        return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said


class Narration(QWidget):
    """The list, with the sentence of the cursor as its current row."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("panel")
        self._session = session
        self.model = Sentences()
        # A list view lays out all of its rows at once: of 200,000 in 280 ms.
        self.list = QTableView()
        self.list.setObjectName("narration")
        self.list.setAccessibleName(tr("narration.narration"))
        self.list.setModel(self.model)
        self.list.setShowGrid(False)
        self.list.setWordWrap(False)
        self.list.setTabKeyNavigation(False)
        self.list.horizontalHeader().hide()
        self.list.horizontalHeader().setStretchLastSection(True)
        rows = self.list.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(_ROW)
        rows.setDefaultSectionSize(_ROW)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        lines = column(self)
        lines.addWidget(PanelHead(tr("narration.narration")))
        lines.addWidget(self.list, 1)
        self.setFixedHeight(_HEIGHT)
        self.setFocusProxy(self.list)
        self.list.selectionModel().currentChanged.connect(self._went)
        # A list that has no height yet cannot bring a row into sight.
        self.list.verticalScrollBar().rangeChanged.connect(self._bring_into_sight)
        session.content_changed.connect(self._show)
        session.position_changed.connect(self._follow)
        self.list.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that go from row to row are the list's own, though the lanes beside it have them too."""
        override = watched is self.list and event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and event.key() in _ROWS and not event.modifiers():
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while hidden."""
        self._show()

    def _show(self, *_changed: object) -> None:
        if self.isVisible():
            self.model.tell(self._session.content)
            self._follow()

    def _follow(self, *_changed: object) -> None:
        if self.isVisible() and self._session.content is not None:
            self.list.setCurrentIndex(self.model.index(self._session.position))

    def _bring_into_sight(self, *_range: object) -> None:
        self.list.scrollTo(self.list.currentIndex())

    def _went(self, index: QModelIndex, _before: object) -> None:
        if index.isValid():
            self._session.set_position(index.row())
