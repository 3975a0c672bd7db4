"""Small widgets that several panels are made of."""

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from gui.i18n import tr

BREAK: Final = "\u200b"
"""A place to break a line that has no width. It is taken out of what is copied."""
ROW: Final = 26
"""Height of a row of a table."""
_LONG: Final = re.compile(r"\S{22,}")
_JOINT: Final = re.compile(r"[./=_,:-]")


def label(text: str = "", style: str = "", *, wrap: bool = False, select: bool = False) -> QLabel:
    """Plain text in a style of the sheet ("title", "secondary", "faint", "mono", …)."""
    made = QLabel(breakable(text) if wrap else text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if style:
        made.setProperty("look", style)
    made.setWordWrap(wrap)
    if select:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


def breakable(text: str) -> str:
    """The text with places to break in words that no panel is wide enough for: names of settings, paths."""
    return _LONG.sub(lambda word: _JOINT.sub(rf"\g<0>{BREAK}", word[0]), text)


class PanelHead(QWidget):
    """The first line of a panel: its name on the left, a fact on the right."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what the panel is called."""
        super().__init__(parent)
        self.setObjectName("panelHead")
        self.name = label(name, "section")
        self.fact = label("", "secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.name)
        row.addStretch(1)
        row.addWidget(self.fact)
        self.setFixedHeight(34)


def rule() -> QFrame:
    """A hair line between two sections."""
    line = QFrame()
    line.setObjectName("hair")
    line.setFixedHeight(1)
    return line


def column(
    parent: QWidget, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QVBoxLayout:
    """A column of widgets."""
    made = QVBoxLayout(parent)
    made.setContentsMargins(*margins)
    made.setSpacing(spacing)
    return made


def empty(layout: QVBoxLayout | QHBoxLayout) -> None:
    """Remove all that a layout holds."""
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            # Hidden first: deleted only when the event loop gets there, it would show for a frame.
            widget.hide()
            widget.deleteLater()


class PathDelegate(QStyledItemDelegate):
    """A path loses its beginning where there is no room, not its name; a tick is seen in every theme."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """As in any cell, but elided on the left."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideLeft  # pyright: ignore[reportAttributeAccessIssue]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The cell, and its tick."""
        super().paint(painter, option, index)
        table = self.parent()
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if (
            not isinstance(table, QTableWidget)
            or state is None
            or Qt.CheckState(state) != Qt.CheckState.Checked
        ):
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        box = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, shown, table)
        room = QRectF(box)
        corners = [(0.24, 0.52), (0.43, 0.72), (0.78, 0.28)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(table.palette().text().color(), 1.8))
        painter.drawPolyline(
            [QPointF(room.left() + x * room.width(), room.top() + y * room.height()) for x, y in corners]
        )
        painter.restore()


def plain_table(table: QTableWidget, name: str, columns: Sequence[tuple[str, int]]) -> QTableWidget:
    """Dress a table that is read by rows: (title, width) of its columns, of which width 0 takes the rest.

    Titles are marked texts. The first column holds names or paths.
    """
    table.setColumnCount(len(columns))
    table.setAccessibleName(name)
    table.setProperty("plain", True)
    table.setHorizontalHeaderLabels([tr(title) for title, _ in columns])
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    for place, (_, width) in enumerate(columns):
        if width:
            table.setColumnWidth(place, width)
        else:
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setItemDelegateForColumn(0, PathDelegate(table))
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    return table
