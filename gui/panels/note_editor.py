"""Where a note is written: a small field beside the cursor, in place."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from gui.i18n import tr
from gui.panels.parts import column, label


class NoteEditor(QFrame):
    """Asks for a text. Enter keeps it, Shift+Enter breaks the line, Esc throws it away."""

    written = Signal(int, str)
    """key (0 is a new note) and text"""

    def __init__(self, parent: QWidget) -> None:
        """A child of the stage, hidden until a note is wanted."""
        super().__init__(parent)
        self.setObjectName("noteEditor")
        self.setFixedWidth(320)
        self._key = 0
        self._where = label("", "secondary")
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Text of the note"))
        self.field.setPlaceholderText(tr("What is to be seen here?"))
        self.field.setFixedHeight(76)
        self.field.setTabChangesFocus(True)
        self.field.installEventFilter(self)
        keep = QPushButton(tr("Keep"))
        keep.clicked.connect(self._keep)
        drop = QPushButton(tr("Cancel"))
        drop.clicked.connect(self.cancel)
        buttons = QHBoxLayout()
        buttons.addWidget(label(tr("Enter keeps, Esc cancels"), "faint"))
        buttons.addStretch(1)
        buttons.addWidget(drop)
        buttons.addWidget(keep)
        lines = column(self, (10, 8, 10, 8), 6)
        lines.addWidget(self._where)
        lines.addWidget(self.field)
        lines.addLayout(buttons)
        self.hide()

    def edit(self, key: int, text: str, where: str, at: QPoint) -> None:
        """Open beside a point of the parent; `where` is the head, as "Note at step 8"."""
        self._key = key
        self._where.setText(where)
        self.field.setPlainText(text)
        self.adjustSize()
        parent = self.parentWidget()
        right = (parent.width() if parent else 800) - self.width() - 8
        bottom = (parent.height() if parent else 600) - self.height() - 8
        self.move(max(8, min(at.x() + 10, right)), max(8, min(at.y() + 10, bottom)))
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def cancel(self) -> None:
        """Close without keeping anything."""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Esc in the field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
                self._keep()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.cancel()
                return True
        return super().eventFilter(watched, event)

    def _keep(self) -> None:
        text = self.field.toPlainText().strip()
        self.hide()
        if text:
            self.written.emit(self._key, text)
