"""Lists of a name with a count: what rows are chosen by, and what they share."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from core.shown import shown_in_line
from gui.panels.parts import Elided, label, tip

KEY: Final = Qt.ItemDataRole.UserRole
"""What a row stands for."""


class _Rows(QListWidget):
    """Its rows are as wide as it is: a bar that comes later takes its room from what they leave free."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt moves a row's widget where the row moves, and not where it becomes narrower."""
        super().resizeEvent(event)
        self.updateEditorGeometries()


def filter_list(name: str) -> QListWidget:
    """An empty list of that name."""
    made = _Rows()
    made.setAccessibleName(name)
    made.setProperty("filter", True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def add_row(target: QListWidget, name: str, count: str, key: str | None) -> None:
    """A row with a name and a count; `key` is what it stands for."""
    item = QListWidgetItem()
    item.setData(KEY, key)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, shown_in_line(f"{name}, {count}"))
    target.addItem(item)
    line = QWidget()
    line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    both = QHBoxLayout(line)
    both.setContentsMargins(16, 3, 14, 3)
    # The count has its room first; the tip has a name that is longer than what is left.
    item.setToolTip(tip(name))
    both.addWidget(Elided(name), 1)
    both.addWidget(label(count, "secondaryMono"))
    # As wide as the list, and no wider: a name that is longer ends in an ellipsis.
    item.setSizeHint(QSize(0, line.sizeHint().height()))
    target.setItemWidget(item, line)


def fit_rows(target: QListWidget) -> None:
    """As high as its rows: what follows stands below them."""
    target.setMaximumHeight(sum(target.sizeHintForRow(row) for row in range(target.count())) + 10)


def chosen(widget: QListWidget) -> str | None:
    """What the selected row stands for."""
    key: object = next((item.data(KEY) for item in widget.selectedItems()), None)
    return key if isinstance(key, str) else None
