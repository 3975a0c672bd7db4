"""Pages in one place, of which one is seen."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget


class Views(QStackedWidget):
    """Pages, of which only the one that is seen asks for room.

    A wide page that nobody sees would else make the window wider than the screen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        """Another page may ask for other room."""
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """That of the page that is seen."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()
