"""The rows of the switchboard: a switch that a click or Space flips, and what the run then costs."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem

from core.sim.ablation.outcome import Outcome
from gui.panels.parts import plain_table, tip
from gui.switchboard.cells import LEFT, ROLE, SECOND, SHAPE, FigureCell, RuleCell, row_height
from gui.switchboard.words import here_of, off_of, promise_of, since_of, worst_of_row
from gui.text.spoken import tr, worded
from gui.theme import Theme
from gui.workspace.switchboard import Board, Effect, Group, Row

_HEAD: Final = 32
_COLUMNS: Final = (
    ("switchboard.head.protection", 0),
    ("switchboard.head.since", 92),
    ("switchboard.head.here", 124),
    ("switchboard.head.worst", 128),
)
_SINCE, _WORST = 1, 3
_NARROW: Final = 600
"""Below this width the release and ticket stand in the words below the rows alone."""
_NARROWEST: Final = 420
"""Below this one the script in which the flip does most does so, too."""


class SwitchTable(QTableWidget):
    """The rows under the heads of their groups; the first column is the switch."""

    flip_wanted = Signal(int)
    """place among the rows"""
    worst_wanted = Signal(int)
    """place among the rows"""
    release_wanted = Signal()

    def __init__(self) -> None:
        """No rows yet."""
        super().__init__()
        plain_table(self, tr("switchboard.rows"), _COLUMNS)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegates = (RuleCell(self), *(FigureCell(self) for _ in _COLUMNS[1:]))
        for column, one in enumerate(self._delegates):
            self.setItemDelegateForColumn(column, one)
        self._lines: list[Group | int] = []
        """What stands in each line: the head of a group, or a row by its place."""
        self._shown: tuple[Board, tuple[Row, ...]] | None = None
        self.matters_only = False
        """Whether only those rows are shown whose flip changes what the run costs, or that are flipped."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        for one in self._delegates:
            one.theme = theme
        self.viewport().update()

    def place(self) -> int:
        """The place of the selected row among the rows; -1 for none."""
        return self.place_at(self.currentRow())

    def place_at(self, line: int) -> int:
        """The place of the row in a line of the table; -1 for the head of a group, and for none."""
        found = self._lines[line] if 0 <= line < len(self._lines) else None
        return found if isinstance(found, int) else -1

    def line_of(self, place: int) -> int:
        """The line of the table in which a row stands; -1 where it is not shown."""
        return self._lines.index(place) if place in self._lines else -1

    def show_none(self) -> None:
        """No rows."""
        self._lines, self._shown = [], None
        self.setRowCount(0)

    def show_rows(self, board: Board, rows: tuple[Row, ...]) -> None:
        """These rows, with the selected one kept. Of the same run only what is flipped is made anew."""
        lines = self._lines_of(board, rows)
        before, self._shown = self._shown, (board, rows)
        if before is not None and rows is before[1] and lines == self._lines:
            boards = before[0], board
            if boards[0].trace is boards[1].trace:
                for line, one in enumerate(lines):
                    if isinstance(one, int) and any(each.is_flipped(rows[one]) for each in boards):
                        self._show(line, board, rows[one])
                return
        place = self.place()
        self.clearSpans()
        self._lines = lines
        self.setRowCount(len(lines))
        for line, one in enumerate(lines):
            if isinstance(one, Group):
                self._show_head(line, one)
            else:
                self._show(line, board, rows[one])
        self._fit()
        line = self.line_of(place)
        first = next((number for number, one in enumerate(lines) if isinstance(one, int)), None)
        if first is not None:
            self.setCurrentCell(line if line >= 0 else first, 0)

    def _lines_of(self, board: Board, rows: tuple[Row, ...]) -> list[Group | int]:
        lines: list[Group | int] = []
        group: Group | None = None
        for place, row in enumerate(rows):
            matters = row.effect in (Effect.WORSE, Effect.BETTER) or board.is_flipped(row)
            if self.matters_only and not matters:
                continue
            if row.group is not group:
                group = row.group
                lines.append(group)
            lines.append(place)
        return lines

    def _show_head(self, line: int, group: Group) -> None:
        item = QTableWidgetItem(tr(group))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.setItem(line, 0, item)
        self.setSpan(line, 0, 1, len(_COLUMNS))

    def _show(self, line: int, board: Board, row: Row) -> None:
        promise, off = promise_of(row), off_of(board, row)
        one = row.protections[0]
        on = board.is_on(row)
        item = QTableWidgetItem(promise)
        item.setData(SECOND, off)
        item.setData(SHAPE, (on, board.is_flipped(row), one.is_on))
        item.setToolTip(tip(f"{promise}\n{off}\n{tr(row.effect)}"))
        said = tr("switchboard.row.on" if on else "switchboard.row.off", name=promise, values=off)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, worded(one.switch.sentence))
        self.setItem(line, 0, item)
        self.setItem(line, 1, _cell(*since_of(row), "text"))
        self.setItem(line, 2, _cell(*here_of(board, row)))
        self.setItem(line, 3, _cell(*worst_of_row(board, row)))

    def _fit(self) -> None:
        """Rows as high as their promise needs at this width."""
        self.setColumnHidden(_SINCE, self.width() < _NARROW)
        self.setColumnHidden(_WORST, self.width() < _NARROWEST)
        width = self.columnWidth(0)
        for line, one in enumerate(self._lines):
            item = self.item(line, 0)
            if item is not None:
                off = str(item.data(SECOND))
                high = row_height(item.text(), off, width) if isinstance(one, int) else _HEAD
                self.setRowHeight(line, high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks lines elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space flips the row, Enter opens the script where that does most, Backspace flips all back."""
        place = self.place()
        if event.key() == Qt.Key.Key_Space and place >= 0:
            self.flip_wanted.emit(place)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and place >= 0:
            self.worst_wanted.emit(place)
        elif event.key() == Qt.Key.Key_Backspace:
            self.release_wanted.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a switch flips it; elsewhere it selects the row."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        place = self.place_at(self.rowAt(at.y()))
        if event.button() is Qt.MouseButton.LeftButton and place >= 0 and at.x() < LEFT:
            self.flip_wanted.emit(place)


def _cell(first: str, second: str, role: str) -> QTableWidgetItem:
    item = QTableWidgetItem(first)
    item.setData(SECOND, second)
    item.setData(ROLE, role)
    if second:
        item.setToolTip(tip(f"{first}\n{second}"))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{first} {second}".strip())
    return item


def figures(outcome: Outcome) -> tuple[int, int, int]:
    """Records lost, offsets at which logs differ, seconds without a leader: as `ablate` prints."""
    return outcome.records_lost, outcome.offsets_diverged, outcome.leaderless_s
