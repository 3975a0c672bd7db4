"""The rows of the switchboard: a switch that a click or Space flips, and what the run then costs."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from core.message import Listing
from core.picture.metrics import elide
from core.sim.ablation.outcome import Outcome
from gui.panels.parts import paint_row_ground, plain_table, tip
from gui.text.spoken import tr, worded
from gui.theme import Theme, font
from gui.workspace.switchboard import Board, Row

_VALUES: Final = Qt.ItemDataRole.UserRole
_ON: Final = Qt.ItemDataRole.UserRole + 1
_FLIPPED: Final = Qt.ItemDataRole.UserRole + 2
_ROW: Final = 46
_LEFT: Final = 56
"""Where the name begins, right of the switch."""
_COLUMNS: Final = (
    ("switchboard.head.rule", 0),
    ("switchboard.head.lost", 56),
    ("switchboard.head.diverged", 70),
    ("switchboard.head.leaderless", 76),
)


class _Rule(QStyledItemDelegate):
    """Draws a switch, the name of the rule, and its two values."""

    theme: Theme | None = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """State is shape: on is filled with the knob at the right, off hollow; flipped has a frame."""
        theme = self.theme
        if theme is None:
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        paint_row_ground(painter, box, theme, state)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRectF(box.left() + 16, box.center().y() - 8, 28, 16)
        _switch(painter, middle, theme, on=index.data(_ON), flipped=index.data(_FLIPPED))
        room = float(box.width() - _LEFT - 8)
        for text, y, role, size, weight in (
            (index.data(Qt.ItemDataRole.DisplayRole), 5, "text", 12, 500),
            (index.data(_VALUES), 23, "text.2", 11, 400),
        ):
            painter.setFont(font(size, weight))
            painter.setPen(theme.colour(role))
            place = QRect(box.left() + _LEFT, box.top() + y, int(room), 18)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, elide(text, room, size))
        painter.restore()


def _switch(painter: QPainter, box: QRectF, theme: Theme, *, on: bool, flipped: bool) -> None:
    ink = theme.colour("text")
    painter.setPen(QPen(ink, 1.4))
    painter.setBrush(ink if on else QColor(Qt.GlobalColor.transparent))
    painter.drawRoundedRect(box, 8, 8)
    painter.setBrush(theme.colour("bg.panel") if on else ink)
    painter.setPen(Qt.PenStyle.NoPen)
    x = box.right() - 14 if on else box.left() + 2
    painter.drawEllipse(QRectF(x, box.top() + 2, 12, 12))
    if flipped:
        painter.setPen(QPen(ink, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(-4, -4, 4, 4), 11, 11)


class SwitchTable(QTableWidget):
    """The rows; the first column is the switch."""

    flip_wanted = Signal(int)
    """place of the row"""
    release_wanted = Signal()

    def __init__(self) -> None:
        """No rows yet."""
        super().__init__()
        plain_table(self, tr("switchboard.rows"), _COLUMNS)
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rule = _Rule(self)
        self.setItemDelegateForColumn(0, self._rule)
        self._theme: Theme | None = None

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme; figures get theirs with the next `show_rows`."""
        self._theme = self._rule.theme = theme
        self.viewport().update()

    def show_rows(self, board: Board, rows: tuple[Row, ...]) -> None:
        """These rows, with the row that is selected kept in its place."""
        place = self.currentRow()
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            self._show(number, board, row)
        if rows:
            self.setCurrentCell(min(max(place, 0), len(rows) - 1), 0)

    def _show(self, number: int, board: Board, row: Row) -> None:
        names = Listing(tuple(one.switch.name for one in row.protections))
        pair = len(row.protections) > 1
        name = tr("switchboard.pair", names=names) if pair else row.protections[0].switch.name
        one = row.protections[0]
        values = tr("switchboard.pair.why") if pair else tr("switchboard.values", on=one.on, off=one.off)
        flipped_to = "switchboard.flipped-off" if one.is_on else "switchboard.flipped-on"
        on = board.is_on(row)
        item = QTableWidgetItem(name)
        item.setData(_VALUES, values if pair else tr(flipped_to, value=one.other))
        item.setData(_ON, on)
        item.setData(_FLIPPED, board.is_flipped(row))
        item.setToolTip(tip(f"{values}\n{tr(row.effect)}"))
        said = tr("switchboard.row.on" if on else "switchboard.row.off", name=name, values=values)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, worded(one.switch.sentence))
        self.setItem(number, 0, item)
        plain = figures(board.outcome)
        for column, (figure, usual) in enumerate(zip(figures(row.outcome), plain, strict=True), start=1):
            self.setItem(number, column, self._figure(figure, usual))

    def _figure(self, figure: int, usual: int) -> QTableWidgetItem:
        item = QTableWidgetItem(f"{figure:,}")
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self._theme is not None:
            role = "loss" if figure > usual else "text" if figure != usual else "text.3"
            item.setForeground(self._theme.colour(role))
        return item

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space flips the selected row, Backspace flips all back."""
        if event.key() == Qt.Key.Key_Space and self.currentRow() >= 0:
            self.flip_wanted.emit(self.currentRow())
        elif event.key() == Qt.Key.Key_Backspace:
            self.release_wanted.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a switch flips it; elsewhere it selects the row."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        row = self.rowAt(at.y())
        if event.button() is Qt.MouseButton.LeftButton and row >= 0 and at.x() < _LEFT:
            self.flip_wanted.emit(row)


def figures(outcome: Outcome) -> tuple[int, int, int]:
    """Records lost, offsets at which logs differ, seconds without a leader: as `ablate` prints."""
    return outcome.records_lost, outcome.offsets_diverged, outcome.leaderless_s
