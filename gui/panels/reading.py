"""What an import has read so far, while it runs: its logs, and the partitions that they name."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTableWidget, QTableWidgetItem, QWidget

from core.shown import shown_in_line
from gui.panels.parts import PanelHead, Paragraph, column, head_width, label, plain_table, tip
from gui.panels.reading_rows import (
    JUDGED,
    NAMED,
    Known,
    Row,
    judged_rows,
    log_rows,
    named_rows,
    partitions_fact,
    state,
    totals,
)
from gui.text.spoken import tr
from gui.theme import Theme, font

_LOGS: Final = (
    ("actions.file", 0),
    ("report.broker", 58),
    ("reading.release", 70),
    ("reading.times", 252),
    ("reading.lines", 80),
    ("reading.understood", 90),
)
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MONO: Final = (1, 2, 3, 4, 5)
"""Columns of logs that are set in fixed width, of which some are numbers."""
_NUMBERS: Final = (1, 4, 5)
_BESIDE: Final = 1100
"""From this width on partitions are beside the logs."""
_LEAST_FILE: Final = 180


class ReadingPage(QWidget):
    """Grows while an import runs. What it shows is no verdict until partitions are judged, and says so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is being read."""
        super().__init__(parent)
        self.setObjectName("report")
        self.state = Paragraph("", "body")
        self.totals = label("", "secondary")
        self.logs = plain_table(QTableWidget(), tr("reading.logs"), _LOGS)
        self.partitions = plain_table(QTableWidget(), tr("reading.partitions"), NAMED)
        self.head = PanelHead(tr("reading.partitions"), inset=8)
        self._judged = False
        top = QWidget()
        lines = column(top, (16, 14, 16, 10), 4)
        lines.addWidget(label(tr("reading.title"), "title"))
        lines.addWidget(self.state)
        lines.addWidget(self.totals)
        left, right = QWidget(), QWidget()
        for side, head, table in (
            (left, PanelHead(tr("reading.logs"), inset=8), self.logs),
            (right, self.head, self.partitions),
        ):
            inner = column(side, (8, 0, 0, 0))
            inner.addWidget(head)
            inner.addWidget(table, 1)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.addWidget(left)
        self._sides.addWidget(right)
        self._sides.setHandleWidth(1)
        self._sides.setChildrenCollapsible(False)
        self._sides.setStretchFactor(0, 3)
        self._sides.setStretchFactor(1, 2)
        lines = column(self)
        lines.addWidget(top)
        lines.addWidget(self._sides, 1)
        _numbers_right(self.logs, _NUMBERS)
        _numbers_right(self.partitions, (1, 2))
        self.show_known(Known())

    def set_theme(self, _theme: Theme) -> None:
        """The style sheet has all of its colours."""

    def focus(self) -> None:
        """The keyboard goes to the logs."""
        self.logs.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_known(self, known: Known) -> None:
        """What is known now. A row that is selected stays so, wherever it is by then."""
        self.state.setText(state(known))
        self.totals.setText(totals(known))
        self._sides.setVisible(known.read is not None)
        self._name_partitions(judged=known.judged is not None)
        self.head.fact.setText(partitions_fact(known))
        if known.read is not None:
            _show(self.logs, log_rows(known.read), _MONO, _NUMBERS)
            named = named_rows(known.read)
            rows = named if known.judged is None else judged_rows(known.judged)
            numbers = (1, 2) if known.judged is None else (2,)
            _show(self.partitions, rows, numbers, numbers)

    def _name_partitions(self, *, judged: bool) -> None:
        if judged == self._judged:
            return
        self._judged = judged
        self.partitions.setRowCount(0)
        name = tr("reading.judged") if judged else tr("reading.partitions")
        self.head.name.setText(name)
        self.partitions.setAccessibleName(name)
        columns = JUDGED if judged else NAMED
        self.partitions.setHorizontalHeaderLabels([tr(title) for title, _ in columns])
        for place, (title, width) in enumerate(columns):
            if width:
                self.partitions.setColumnWidth(place, max(width, head_width(tr(title))))
        _numbers_right(self.partitions, (2,) if judged else (1, 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room partitions are below the logs."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        self._sides.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)


def _numbers_right(table: QTableWidget, numbers: Sequence[int]) -> None:
    """The heads of numbers stand over them."""
    for place in range(table.columnCount()):
        head = table.horizontalHeaderItem(place)
        if head is not None:
            head.setTextAlignment(_RIGHT if place in numbers else _LEFT)


def _show(table: QTableWidget, rows: Sequence[Row], mono: Sequence[int], numbers: Sequence[int]) -> None:
    """Put rows into a table, whose cells are kept where they say the same."""
    chosen = table.item(table.currentRow(), 0)
    name = None if chosen is None else chosen.text()
    table.setRowCount(len(rows))
    for place, row in enumerate(rows):
        for cell, text in enumerate(map(shown_in_line, row)):
            item = table.item(place, cell)
            if item is None:
                item = QTableWidgetItem()
                if cell in mono:
                    item.setFont(font(11, mono=True))
                if cell in numbers:
                    item.setTextAlignment(_RIGHT)
                table.setItem(place, cell, item)
            if item.text() != text:
                item.setText(text)
                item.setToolTip(tip(row[cell]))
    here = next((place for place, row in enumerate(rows) if shown_in_line(row[0]) == name), None)
    if here is not None and here != table.currentRow():
        table.setCurrentCell(here, table.currentColumn())
