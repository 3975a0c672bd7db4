"""The field for a question: Ctrl+Enter asks, and the rest of a name stands marked behind the cursor."""

import re
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from gui.text.spoken import tr
from gui.theme import font
from importers.contract.columns import TABLES

NAMES: Final = tuple(dict.fromkeys((*TABLES, *(one.name for columns in TABLES.values() for one in columns))))
"""Tables, then columns, in the order of the contract."""
_LEAST: Final = 2
"""Letters of a name before the rest is offered."""
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_HELD: Final = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
"""Keys that do nothing alone."""


def names_with(begun: str) -> tuple[str, ...]:
    """The names that begin so and go on."""
    low = begun.lower()
    return tuple(name for name in NAMES if name.startswith(low) and name != low)


class SqlEdit(QPlainTextEdit):
    """A question. Tab takes the marked rest of a name, Ctrl+Space offers the next, typing goes on."""

    asked = Signal()

    def __init__(self) -> None:
        """Empty."""
        super().__init__()
        self.setObjectName("script")
        self.setAccessibleName(tr("query.field"))
        self.setTabChangesFocus(True)
        self.setFont(font(12, raw=True))
        self.setPlaceholderText(tr("query.hint", tables=", ".join(TABLES)))
        self._offered = ""
        """The marked rest of a name."""

    def event(self, event: QEvent) -> bool:
        """Keys that write or move in a text are the field's, not the window's; so is Ctrl+Enter."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            held = event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            if _asks(event) or _goes_on(event) or (held == Qt.KeyboardModifier.NoModifier and event.text()):
                event.accept()
                return True
        return super().event(event)

    def focusNextPrevChild(self, following: bool) -> bool:
        """Tab takes the name that is offered; else it goes on to the next field."""
        if following and self._is_offering():
            self._take()
            return True
        return super().focusNextPrevChild(following)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask, offer the next name, or write."""
        if _asks(event):
            self._drop()
            self.asked.emit()
        elif _goes_on(event):
            self._offer_next()
        elif event.key() not in _HELD:
            super().keyPressEvent(event)
            self._offered = ""
            if event.text().isprintable() and event.text():
                self._offer(0)

    def _is_offering(self) -> bool:
        return bool(self._offered) and self.textCursor().selectedText() == self._offered

    def _offer_next(self) -> None:
        found = names_with(self._begun())
        shown = self._begun() + self._offered if self._is_offering() else ""
        self._offer((found.index(shown) + 1) % len(found) if shown in found else 0, least=0)

    def _offer(self, place: int, *, least: int = _LEAST) -> None:
        """Put the rest of a name behind the cursor, marked; what is typed takes its place."""
        begun = self._begun()
        found = names_with(begun) if len(begun) >= least else ()
        behind = self.textCursor().block().text()[self._begins() :]
        if not found or (not self._is_offering() and re.match(r"\w", behind)):
            return
        self._offered = found[place][len(begun) :]
        cursor = self.textCursor()
        cursor.insertText(self._offered)
        cursor.movePosition(
            QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self._offered)
        )
        self.setTextCursor(cursor)

    def _begins(self) -> int:
        """Where in its line the cursor is, or what is marked begins."""
        cursor = self.textCursor()
        return cursor.selectionStart() - cursor.block().position()

    def _begun(self) -> str:
        """The name that is being written, as far as it was typed."""
        found = re.search(r"[A-Za-z_]+$", self.textCursor().block().text()[: self._begins()])
        return found[0] if found else ""

    def _take(self) -> None:
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionEnd())
        self.setTextCursor(cursor)
        self._offered = ""

    def _drop(self) -> None:
        """Without what is only offered."""
        if self._is_offering():
            self.textCursor().removeSelectedText()
        self._offered = ""


def _asks(event: QKeyEvent) -> bool:
    return event.key() in _ENTER and _with_ctrl(event)


def _goes_on(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Space and _with_ctrl(event)


def _with_ctrl(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
