"""Where a note is written: a small field beside the cursor, in place."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from core.shown import shown
from gui.panels.choice import Choice
from gui.panels.parts import Elided, column, label
from gui.text.spoken import tr

_COLOURS: Final = {
    "": "note-editor.violet",
    "text": "note-editor.ink",
    "hw": "note-editor.blue",
    "ok": "note-editor.green",
    "warn": "note-editor.amber",
}
"""Of core.document.notes.COLOURS. Red means that records are gone, and nothing else."""
_SHAPES: Final = {"": "note-editor.square", "round": "note-editor.round", "pointed": "note-editor.pointed"}


def _choice(name: str, texts: Mapping[str, str]) -> QComboBox:
    made = Choice()
    made.setAccessibleName(name)
    for value, text in texts.items():
        made.addItem(tr(text), value)
    return made


class NoteEditor(QFrame):
    """Asks for a text. Enter keeps it, Shift+Enter breaks the line, Esc throws it away.

    What would steer is written out in the field. A text in which nobody typed is kept as it was.
    """

    written = Signal(int, str, str, str)
    """key (0 is a new note), text, colour and shape ("" is the usual one)"""

    def __init__(self, parent: QWidget) -> None:
        """A child of the stage, hidden until a note is wanted."""
        super().__init__(parent)
        self.setObjectName("noteEditor")
        self.setFixedWidth(320)
        self._key = 0
        self.about: object = None
        """The note whose text is changed, or the one that is begun, for whoever opened the field."""
        self._text = ""
        self._where = label("", "secondary")
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("note-editor.text-of-the-note"))
        self.field.setPlaceholderText(tr("note-editor.what-is-to-be-seen-here"))
        self.field.setFixedHeight(76)
        self.field.setTabChangesFocus(True)
        self.field.installEventFilter(self)
        keep = QPushButton(tr("note-editor.keep"))
        keep.clicked.connect(self._keep)
        drop = QPushButton(tr("exports.cancel"))
        drop.clicked.connect(self.cancel)
        self.colour = _choice(tr("note-editor.colour-of-the-note"), _COLOURS)
        self.shape = _choice(tr("note-editor.shape-of-the-note"), _SHAPES)
        looks = QHBoxLayout()
        looks.addWidget(self.colour, 1)
        looks.addWidget(self.shape, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(Elided(tr("note-editor.enter-keeps-esc-cancels"), "faint"), 1)
        buttons.addWidget(drop)
        buttons.addWidget(keep)
        lines = column(self, (10, 8, 10, 8), 6)
        lines.addWidget(self._where)
        lines.addWidget(self.field)
        lines.addLayout(looks)
        lines.addLayout(buttons)
        parent.installEventFilter(self)
        self.hide()

    def edit(self, key: int, text: str, where: str, at: QPoint, looks: tuple[str, str] = ("", "")) -> None:
        """Open beside a point of the parent; `where` is the head: "Note at step 8". Looks: colour, shape."""
        self._key = key
        self._where.setText(where)
        self._text = text
        self.field.setPlainText(shown(text))
        for choice, look in zip((self.colour, self.shape), looks, strict=True):
            choice.setCurrentIndex(max(choice.findData(look), 0))
        self.adjustSize()
        self._place(at + QPoint(10, 10))
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _place(self, at: QPoint) -> None:
        """Stand there, or as near to it as the parent has room."""
        parent = self.parentWidget()
        if parent is None:
            return
        room = parent.size() - self.size()
        self.move(max(8, min(at.x(), room.width() - 8)), max(8, min(at.y(), room.height() - 8)))

    def where(self) -> str:
        """The head: what the note is on."""
        return self._where.text()

    def writing(self) -> tuple[int, str] | None:
        """The key of the note that is written now, and what was typed; None where none is."""
        return None if self.isHidden() else (self._key, self.field.toPlainText())

    def cancel(self) -> None:
        """Close without keeping anything."""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Esc in the field; a parent that becomes smaller keeps this in sight."""
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize:
            self._place(self.pos())
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
        typed = self.field.toPlainText()
        text = self._text if typed == shown(self._text) else typed.strip()
        self.hide()
        if text:
            self.written.emit(self._key, text, self.colour.currentData(), self.shape.currentData())
