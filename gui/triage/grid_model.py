"""The grid of partitions and brokers as Qt's table wants it, and how one of its cells is painted."""

from collections.abc import Hashable, Mapping
from math import ceil
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.history.state import History
from core.picture.grid import (
    GridCell,
    GridRow,
    grid_cell_marks,
    grid_cell_words,
    grid_row_of_history,
    grid_row_of_summary,
)
from core.picture.marks import Layer, Picture
from core.shown import shown_in_line
from core.trace.broker_names import broker_name
from core.trace.trace import Trace
from gui.paint import paint
from gui.panels.parts import tip
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.triage.model import TriageModel
from gui.triage.rows import Row
from gui.workspace.content import Moment

_KEPT: Final = 400
"""Histories that are kept: a screen full of rows, some times over."""
_CELLS: Final = 2_000
"""Cells that are kept as they were painted."""
_WORDS: Final = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.ToolTipRole,
)
_Index = QModelIndex | QPersistentModelIndex


class GridModel(QAbstractTableModel):
    """The rows of the table in its order, a column a broker."""

    def __init__(self, rows: TriageModel, parent: QObject | None = None) -> None:
        """Follows the rows of the table."""
        super().__init__(parent)
        self.rows = rows
        self.brokers: tuple[int, ...] = ()
        self.moment: Moment | None = None
        self.trace: Trace | None = None
        self._histories: dict[int, History] = {}
        self._seen: dict[int, GridRow] = {}
        rows.modelAboutToBeReset.connect(self.beginResetModel)
        rows.modelReset.connect(self.endResetModel)

    def show(self, trace: Trace | None) -> None:
        """Show another trace. The rows have its partitions by now."""
        self.beginResetModel()
        self.trace = trace
        self._histories, self._seen = {}, {}
        found = {int(broker.broker_id) for broker in trace.brokers} if trace is not None else set[int]()
        rows = self.rows.table.rows
        found.update(*{row.replicas for row in rows})
        unassigned = (row.summary.spells for row in rows if not row.replicas)
        found.update(spell.leader for spells in unassigned for spell in spells if spell.leader is not None)
        self.brokers = tuple(sorted(broker for broker in found if broker >= 0))
        self.endResetModel()

    def show_moment(self, moment: Moment | None) -> None:
        """Show another moment."""
        self.moment = moment
        self._told_anew()

    def take(self, histories: Mapping[int, History]) -> None:
        """Know more of some partitions; what is of another trace is left."""
        known = {index: found for index, found in histories.items() if found.trace is self.trace}
        if known:
            if len(self._histories) + len(known) > _KEPT:
                self._histories = {}
            self._histories.update(known)
            self._told_anew()

    def unread(self, first: int, last: int) -> tuple[int, ...]:
        """The partitions of the rows first..last whose history is not known."""
        found = (self.rows.row(number) for number in range(first, last + 1))
        partitions = [row.summary.partition for row in found if row is not None]
        return tuple(one for one in partitions if one not in self._histories)

    def _told_anew(self) -> None:
        self._seen = {}
        if self.rowCount() and self.brokers:
            last = self.index(self.rowCount() - 1, len(self.brokers) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def broker(self, column: int) -> str:
        """What a broker is called."""
        broker = self.brokers[column]
        if self.trace is None:
            return tr("broker.number", number=broker)
        return shown_in_line(broker_name(self.trace, broker))

    def cell(self, row: Row, column: int) -> GridCell | None:
        """One cell."""
        partition, moment = row.summary.partition, self.moment
        if moment is None:
            return None
        if partition not in self._seen:
            history = self._histories.get(partition)
            self._seen[partition] = (
                grid_row_of_summary(row.summary, row.replicas, moment.at, self.brokers)
                if history is None
                else grid_row_of_history(history, moment.cursor_in(history.trace), self.brokers)
            )
        return self._seen[partition][column]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Rows of the table."""
        return 0 if parent.isValid() else self.rows.rowCount()

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Brokers."""
        return 0 if parent.isValid() else len(self.brokers)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401
        """Partitions at the left, brokers above."""
        upright = orientation == Qt.Orientation.Vertical
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if upright else Qt.AlignmentFlag.AlignHCenter
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if upright:
            row = self.rows.row(section)
            name = None if row is None else shown_in_line(row.name)
        else:
            name = self.broker(section) if section < len(self.brokers) else None
        return tip(name) if name and role == Qt.ItemDataRole.ToolTipRole else name

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """A cell in words, for tips and screen readers."""
        row = self.rows.row(index.row())
        if row is None or index.column() >= len(self.brokers):
            return None
        if role not in _WORDS:
            return None
        words = grid_cell_words(self.cell(row, index.column()))
        told = tr(
            "triage.partition-broker-role",
            partition=shown_in_line(row.name),
            broker=self.broker(index.column()),
            role=words,
        )
        return tip(told) if role == Qt.ItemDataRole.ToolTipRole else told


class GridDelegate(QStyledItemDelegate):
    """Paints a cell as a lane shows its replica. Few cells differ: each of them is painted once."""

    theme: Theme | None = None

    def __init__(self, model: GridModel, parent: QObject | None = None) -> None:
        """Paints the cells of `model`."""
        super().__init__(parent)
        self._model = model
        self._painted: dict[Hashable, QPixmap] = {}

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One cell in the colours of the theme."""
        theme, row = self.theme, self._model.rows.row(index.row())
        if theme is None or row is None:
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        cell = self._model.cell(row, index.column())
        size = (box.width(), box.height(), painter.device().devicePixelRatio())
        key = (cell, size, selected, theme.name, language())
        pixels = self._painted.get(key)
        if pixels is None:
            if len(self._painted) >= _CELLS:
                self._painted.clear()
            pixels = self._painted[key] = _cell(cell, size, theme, selected=selected)
        painter.drawPixmap(box.topLeft(), pixels)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.colour("text"), 2))
            painter.drawRect(box.adjusted(1, 1, -1, -2))


def _cell(cell: GridCell | None, size: tuple[int, int, float], theme: Theme, *, selected: bool) -> QPixmap:
    """A cell of a width and a height in pixels, each so many of the device."""
    width, height, ratio = size
    pixels = QPixmap(ceil(width * ratio), ceil(height * ratio))
    pixels.setDevicePixelRatio(ratio)
    pixels.fill(theme.colour("bg.selected" if selected else "bg.panel"))
    painter = QPainter(pixels)
    painter.fillRect(QRect(0, height - 1, width, 1), theme.colour("line.hair"))
    marks = grid_cell_marks(cell, (2.0, 2.0, width - 4.0, height - 5.0))
    paint(painter, Picture(width, height, (Layer("static", marks),)), theme)
    painter.end()
    return pixels
