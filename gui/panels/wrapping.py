"""Widgets in lines, as words stand in them: what has no room in a line goes to the next."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem

_NONE = Qt.Orientation(0)


class Wrapping(QLayout):
    """As wide as it is given, as high as that needs; its least width is that of its widest widget."""

    def __init__(self, gap: int = 6) -> None:
        """`gap` is between widgets and between lines."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """One more, behind the others."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """The one at a place; None where there is none."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """The same, and it is no longer here."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It wants no more than it needs."""
        return _NONE

    def hasHeightForWidth(self) -> bool:
        """More lines where it is narrower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of its lines."""
        return self._lay(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put everything there."""
        super().setGeometry(rect)
        self._lay(rect, move=True)

    def sizeHint(self) -> QSize:
        """One line."""
        sizes = [item.sizeHint() for item in self._items]
        wide = sum(size.width() + self._gap for size in sizes) - self._gap if sizes else 0
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """The widest and the highest of them."""
        least = QSize(0, 0)
        for item in self._items:
            least = least.expandedTo(item.minimumSize())
        return least

    def _lay(self, rect: QRect, *, move: bool) -> int:
        """The height that the lines need in a width; `move` puts the widgets there."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self._gap, 0
            if move:
                item.setGeometry(QRect(x, y, size.width(), size.height()))
            x, line = x + size.width() + self._gap, max(line, size.height())
        return y + line - rect.y()
