"""Widgets side by side, in further rows where there is no room."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_FRAME: Final = 8
"""What the frame of a text takes."""


class Flowing(QWidget):
    """As many of its widgets in a row as have room; one that is wider than all of it takes the whole row."""

    def __init__(self, gap: int = 14, rows_apart: int = 8) -> None:
        """Empty; `gap` is between two widgets of a row."""
        super().__init__()
        self._gap, self._apart = gap, rows_apart
        self._held: list[QWidget] = []
        self._natural: dict[QWidget, QSize] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """One more, behind the others."""
        widget.setParent(self)
        self._held.append(widget)

    def hasHeightForWidth(self) -> bool:
        """It is as high as its rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All rows."""
        return self._lay_out(width, move=False)

    def sizeHint(self) -> QSize:
        """Its width is that of the page."""
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Narrow; what is wider is cut, or broken in lines."""
        return QSize(120, 20)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What it holds goes where there is room."""
        super().resizeEvent(event)
        self._lay_out(self.width(), move=True)

    def _size_in(self, widget: QWidget, width: int, *, move: bool) -> QSize:
        """How large a widget is in a row so wide; a text that is longer is broken in lines."""
        natural = self._natural.get(widget)
        if natural is None or not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.ensurePolished()
            natural = self._natural[widget] = widget.sizeHint()
        if not isinstance(widget, QLabel):
            return QSize(min(natural.width(), width), natural.height())
        if natural.width() <= width:
            if move and widget.wordWrap():
                widget.setWordWrap(False)
            return natural
        if move and not widget.wordWrap():
            widget.setWordWrap(True)
        flags = Qt.TextFlag.TextWordWrap
        high = widget.fontMetrics().boundingRect(0, 0, width - _FRAME, 10_000, flags, widget.text()).height()
        return QSize(width, high + _FRAME)

    def _lay_out(self, width: int, *, move: bool) -> int:
        x, top, high = 0, 0, 0
        row: list[tuple[QWidget, int, QSize]] = []

        def end_row() -> None:
            for widget, left, size in row if move else ():
                # On one line: what is lower stands on the same foot.
                widget.setGeometry(left, top + high - size.height(), size.width(), size.height())

        for widget in self._held:
            size = self._size_in(widget, width, move=move)
            if x and x + size.width() > width:
                end_row()
                row, x, top, high = [], 0, top + high + self._apart, 0
            row.append((widget, x, size))
            x, high = x + size.width() + self._gap, max(high, size.height())
        end_row()
        return top + high
