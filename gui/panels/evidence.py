"""The evidence drawer: the raw lines behind what is selected or under the cursor, with file and line."""

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.shown import shown_in_line
from gui.panels.explain import explain
from gui.panels.parts import PanelHead, column, tip
from gui.panels.rows import EvidenceRow, rows_of
from gui.text.spoken import tr
from gui.workspace.session import Session

ONE_ROW: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
"""Choose a row and no other."""
_COLUMNS: Final = (
    ("evidence.file-and-line", 324),
    ("evidence.time", 112),
    ("exports.search-text", 0),
    ("evidence.landed-as", 170),
)

_TEXT: Final = 2
"""The column of the raw lines."""


class CapturedDelegate(QStyledItemDelegate):
    """Marks the values that were read from a line. It knows where they are by the item's UserRole."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The text, with a tint over each value that is in sight."""
        super().paint(painter, option, index)
        spans: tuple[tuple[int, int], ...] = index.data(Qt.ItemDataRole.UserRole) or ()
        table = self.parent()
        if not spans or not isinstance(table, QTableWidget):
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        style = table.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, table)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, shown, table) + 1
        room.adjust(margin, 0, -margin, 0)
        metrics = QFontMetricsF(table.font())
        text: str = index.data() or ""
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        tint = table.palette().color(QPalette.ColorRole.Accent)
        tint.setAlphaF(0.2)
        for start, end in elided_spans(text, elided, spans):
            x = room.left() + metrics.horizontalAdvance(elided[:start])
            width = metrics.horizontalAdvance(elided[start:end])
            high = metrics.height()
            painter.fillRect(QRectF(x - 2, room.center().y() - high / 2, width + 4, high + 1), tint)


def elided_spans(text: str, elided: str, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Where spans of a text are in what is left of it around an ellipsis; those that it swallowed are out."""
    if elided == text:
        return spans
    head = elided.find("…")
    shift = len(elided) - len(text)
    before = tuple(span for span in spans if span[1] <= head)
    return (*before, *((a + shift, b + shift) for a, b in spans if a + shift > head))


class EvidencePanel(QWidget):
    """Lists raw lines; Enter on one moves the cursor to the event that it gave."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self._session = session
        self.rows: tuple[EvidenceRow, ...] = ()
        self._several = False
        self.head = PanelHead(tr("actions.evidence"))
        copy = QPushButton(tr("evidence.copy-with-file-and-line"))
        copy.clicked.connect(self.copy)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 16, 0)
        line.addWidget(self.head, 1)
        line.addWidget(copy)
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setAccessibleName(tr("evidence.evidence-lines"))
        self.table.setProperty("inset", True)
        self.table.setHorizontalHeaderLabels([tr(name) for name, _ in _COLUMNS])
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(26)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for place, (_, width) in enumerate(_COLUMNS):
            if width:
                self.table.setColumnWidth(place, width)
            else:
                header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setItemDelegateForColumn(_TEXT, CapturedDelegate(self.table))
        self.table.itemActivated.connect(self._go)
        outer = column(self)
        outer.addLayout(line)
        outer.addWidget(self.table, 1)
        for signal in (session.content_changed, session.position_changed, session.selection_changed):
            signal.connect(self.refresh)

    def refresh(self, *_changed: object) -> None:
        """List the lines of what is told now. Hidden, it waits until it is shown."""
        if not self.isVisible():
            return
        content = self._session.content
        rows: tuple[EvidenceRow, ...] = ()
        if content is not None:
            told = explain(content, self._session.position, self._session.selection, self._session.notes)
            rows = rows_of(content, told.evidence)
        several = content is not None and len(content.runs) > 1
        if (rows, several) == (self.rows, self._several) and self.table.rowCount() == len(rows):
            return
        self.rows, self._several = rows, several
        own = sum(row.seq is not None for row in rows)
        self.head.fact.setText(
            tr("evidence.no-line-for-this-position")
            if not rows
            else tr("evidence.1-line")
            if own == 1
            else tr("evidence.lines", count=own)
        )
        self.table.setRowCount(len(rows))
        first = -1
        for place, row in enumerate(rows):
            if row.seq is not None and first < 0:
                first = place
            self._fill(
                place, row, tr("evidence.run", run=row.run + 1) if several and row.seq is not None else ""
            )
        if first >= 0:
            shown = self.table.model().index(first, 0)
            # Not selectRow: with Ctrl held, as in Ctrl+Right, that would toggle.
            self.table.selectionModel().setCurrentIndex(shown, ONE_ROW)
            self.table.scrollTo(shown, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _fill(self, place: int, row: EvidenceRow, prefix: str) -> None:
        for cell, text in enumerate(
            (row.place, row.time, row.text, f"{prefix}{row.landed}" if row.landed else "")
        ):
            item = self.table.item(place, cell)
            if item is None:
                item = QTableWidgetItem()
                self.table.setItem(place, cell, item)
            colour = None if row.seq is not None else self.palette().placeholderText()
            plain = shown_in_line(text)
            for role, value in (
                (Qt.ItemDataRole.DisplayRole, plain),
                (Qt.ItemDataRole.ToolTipRole, tip(text)),
                # Places in the text are those of the line as it was written.
                (Qt.ItemDataRole.UserRole, row.captured if cell == _TEXT and plain == text else None),
                (Qt.ItemDataRole.ForegroundRole, colour),
            ):
                if item.data(role) != value:
                    item.setData(role, value)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Rows keep the colour that they were made in: another theme makes them anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.rows:
            self.rows = ()
            self.refresh()

    def _go(self, item: QTableWidgetItem) -> None:
        row = self.rows[item.row()]
        content = self._session.content
        if row.seq is not None and content is not None:
            self._session.set_position(content.position_of(row.run, row.seq + 1))

    def copy(self) -> None:
        """The chosen lines, or all, with file and line, to the clipboard."""
        chosen = sorted({index.row() for index in self.table.selectedIndexes()}) or range(len(self.rows))
        QGuiApplication.clipboard().setText("\n".join(self.rows[place].copied() for place in chosen))
