"""Small widgets that several panels are made of."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget


def label(text: str = "", style: str = "", *, wrap: bool = False, select: bool = False) -> QLabel:
    """Plain text in a style of the sheet ("title", "secondary", "faint", "mono", …)."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if style:
        made.setProperty("look", style)
    made.setWordWrap(wrap)
    if select:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


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
