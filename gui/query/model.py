"""An answer as Qt's table wants it."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.shown import shown_in_line
from gui.panels.parts import tip
from gui.workspace.query_answer import Answer, cell_text

MOST: Final = 10_000
"""Rows that are shown; all are copied and saved."""
_NOTHING: Final = Answer((), ())
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractTableModel):
    """Rows and columns of one answer; numbers stand on the right."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.answer = _NOTHING

    def show(self, answer: Answer) -> None:
        """Another answer."""
        self.beginResetModel()
        self.answer = answer
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """The rows that are shown."""
        return 0 if parent.isValid() else min(len(self.answer.rows), MOST)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Those of the answer."""
        return 0 if parent.isValid() else len(self.answer.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The names of the columns, over their cells."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_in_line(self.answer.columns[section])
        if role == Qt.ItemDataRole.TextAlignmentRole and self.answer.rows:
            return _RIGHT if _is_number(self.answer.rows[0][section]) else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell as a text, with all of it in the tip."""
        cell = self.answer.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_in_line(cell_text(cell))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(cell_text(cell))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if _is_number(cell) else _LEFT
        return None


def _is_number(cell: object) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)
