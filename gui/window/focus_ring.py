"""The ring around the list or table that has the focus.

A style sheet's border lies under what a list shows, and is covered by its head and by its selected row.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QAbstractItemView, QFrame, QWidget

_WIDE = 2


class FocusRing(QFrame):
    """Lies over a list for as long as that has the focus. Its look is `#focusRing` of the style sheet."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Shows itself."""
        super().__init__(view)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._fit(view)
        view.installEventFilter(self)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the list, and go with its focus."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self._fit(watched)
        elif event.type() == QEvent.Type.FocusOut:
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return False

    def _fit(self, view: QWidget) -> None:
        self.setGeometry(view.rect())
        inside = view.rect().adjusted(_WIDE, _WIDE, -_WIDE, -_WIDE)
        # Only the ring itself: what is inside of it need not be drawn twice.
        self.setMask(QRegion(view.rect()) - QRegion(inside))


def ring_focus(_left: QWidget | None, now: QWidget | None) -> None:
    """Put a ring around a list that has got the focus; fields and buttons have one in the style sheet."""
    if isinstance(now, QAbstractItemView) and now.window().windowType() != Qt.WindowType.Popup:
        FocusRing(now)
