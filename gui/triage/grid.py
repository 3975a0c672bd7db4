"""Partitions and brokers at one moment: who leads, who follows in sync and who does not."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from core.history.state import History
from core.picture.metrics import text_width
from core.trace.times import clock
from core.trace.trace import Trace
from gui.panels.parts import ROW, Elided, column
from gui.text.spoken import tr
from gui.theme import Theme
from gui.triage.grid_model import GridDelegate, GridModel
from gui.triage.model import TriageModel
from gui.workspace.content import Moment

_NAMES: Final = 168
_LEAST, _MOST = 64, 120
"""Widths of a column; a broker's name above it always has room."""
_REST_MS: Final = 60
"""Rows that rest so long in sight are read."""

_OURS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right)


class RolesGrid(QWidget):
    """The moment in words, and below it the grid."""

    activated = Signal(QModelIndex)
    """A cell; its row is that of the table"""
    histories_wanted = Signal(object)
    """a tuple of partitions, whose rows are in sight"""

    def __init__(self, rows: TriageModel, parent: QWidget | None = None) -> None:
        """Follows the rows of the table."""
        super().__init__(parent)
        self.model = GridModel(rows, self)
        self.at = Elided("", "secondary")
        self.at.setContentsMargins(16, 0, 16, 6)
        self.cells = self._table()
        lines = column(self)
        lines.addWidget(self.at)
        lines.addWidget(self.cells, 1)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._read)
        self.cells.activated.connect(self.activated)
        self.cells.verticalScrollBar().valueChanged.connect(self._read_soon)
        self.model.modelReset.connect(self._fit)

    def _table(self) -> QTableView:
        table = QTableView()
        table.setObjectName("roles")
        table.setAccessibleName(tr("triage.roles-of-brokers-by-partition"))
        table.setModel(self.model)
        self.delegate = GridDelegate(self.model, table)
        table.setItemDelegate(self.delegate)
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        names, brokers = table.verticalHeader(), table.horizontalHeader()
        names.setDefaultSectionSize(ROW)
        names.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        names.setFixedWidth(_NAMES)
        names.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        brokers.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        brokers.setHighlightSections(False)
        table.viewport().installEventFilter(self)
        table.installEventFilter(self)
        return table

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.delegate.theme = theme
        self.cells.viewport().update()

    def show_trace(self, trace: Trace | None) -> None:
        """Show another trace, whose rows the table has."""
        self.model.show(trace)

    def show_moment(self, moment: Moment | None, *, chosen: bool) -> None:
        """Show another moment, the cursor's or one that was `chosen`."""
        self.model.show_moment(moment)
        if moment is None:
            self.at.setText("")
        elif chosen:
            self.at.setText(tr("triage.roles-at-as-chosen-above", time=clock(moment.at)))
        else:
            self.at.setText(tr("triage.roles-at-at-the-cursor", time=clock(moment.at)))

    def take(self, histories: Mapping[int, History]) -> None:
        """Show what was read meanwhile."""
        self.model.take(histories)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rows come into sight where the table is shown or becomes higher; arrows go between its cells."""
        if watched is self.cells and event.type() == QEvent.Type.ShortcutOverride:
            if isinstance(event, QKeyEvent) and event.key() in _OURS and not event.modifiers():
                # Elsewhere they step the cursor of what is open.
                event.accept()
                return True
        elif watched is self.cells.viewport() and event.type() in (QEvent.Type.Show, QEvent.Type.Resize):
            self._read_soon()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns as wide as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        brokers = max(len(self.model.brokers), 1)
        names = [text_width(self.model.broker(place), 11) + 18 for place in range(len(self.model.brokers))]
        width = max(_LEAST, *map(round, names), min(_MOST, (self.width() - _NAMES - 24) // brokers))
        self.cells.horizontalHeader().setDefaultSectionSize(width)
        self._read_soon()

    def _read_soon(self, *_scrolled: int) -> None:
        self._rest.start()

    def _read(self) -> None:
        if not self.isVisible() or not self.model.rowCount():
            return
        table, most = self.cells, self.model.rowCount() - 1
        last = table.rowAt(table.viewport().height() - 1)
        wanted = self.model.unread(max(table.rowAt(0), 0), most if last < 0 else last)
        if wanted:
            self.histories_wanted.emit(wanted)
