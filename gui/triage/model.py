"""The rows of triage as Qt's table wants them: nothing is copied, a row is made when it is seen."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.shown import shown_in_line
from gui.panels.parts import tip
from gui.terms import percent
from gui.text.spoken import tr, worded
from gui.triage.rows import Choice, Column, Row, Table, choose, in_order

HEADS: Final = (
    "#",
    "search.partition",
    "triage.worst-finding",
    "triage.records",
    "",
    "triage.cuts",
    "triage.elect",
    "ISR",
    "triage.seen",
)
ROW: Final = int(Qt.ItemDataRole.UserRole)
"""Under this role every cell holds its Row."""
_RIGHT: Final = (Column.PLACE, Column.RECORDS, Column.CUTS, Column.ELECTIONS, Column.ISR, Column.SEEN)
_POOR: Final = 0.9
_Index = QModelIndex | QPersistentModelIndex


class TriageModel(QAbstractTableModel):
    """The chosen rows in their order."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.table = Table((), (), 0, 0)
        self.choice = Choice()
        self._order: tuple[Column, bool] = (Column.PLACE, False)
        self._shown: list[int] = []

    def show(self, table: Table) -> None:
        """Show another table, all of it, in rank order."""
        self.table, self.choice, self._order = table, Choice(), (Column.PLACE, False)
        self._renew()

    def choose(self, choice: Choice) -> None:
        """Show what a choice leaves."""
        if choice != self.choice:
            self.choice = choice
            self._renew()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column, as the header asks."""
        self._order = Column(column), order == Qt.SortOrder.DescendingOrder
        self._renew()

    def _renew(self) -> None:
        column, falling = self._order
        self.beginResetModel()
        self._shown = in_order(self.table, choose(self.table, self.choice), column, falling=falling)
        self.endResetModel()

    def row(self, number: int) -> Row | None:
        """The row that is shown at a place; None outside."""
        return self.table.rows[self._shown[number]] if 0 <= number < len(self._shown) else None

    @property
    def shown(self) -> Sequence[int]:
        """Indexes of the rows that are shown, in order."""
        return self._shown

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Rows that are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Columns."""
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401
        """Titles of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(HEADS[section])
        # The arrow of the order stands at the right of the narrow one.
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _RIGHT[1:]:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        """What a cell says; screen readers and the delegate read the same."""
        row = self.row(index.row())
        if row is None:
            return None
        column = Column(index.column())
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return shown_in_line(_text(row, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return None if row.summary.reason is None else tip(worded(row.summary.reason))
        return None


def _text(row: Row, column: Column) -> str:
    summary = row.summary
    told = {
        Column.PLACE: f"{row.place:,}",
        Column.PARTITION: row.name,
        Column.FINDING: f"{row.title}. {worded(summary.reason)}" if summary.reason else row.title,
        Column.RECORDS: row.records,
        Column.BAND: tr(
            "triage.leaders-marks",
            leaders=len({spell.leader for spell in summary.spells}),
            marks=len(summary.marks),
        ),
        Column.CUTS: f"{summary.truncations:,}",
        Column.ELECTIONS: f"{summary.elections:,}",
        Column.ISR: f"{summary.isr_changes:,}",
        Column.SEEN: percent(summary.seen),
    }
    return told[column]


def is_poor(row: Row) -> bool:
    """Whether so little was seen of a partition that its health cannot be judged from it."""
    return row.summary.seen < _POOR
