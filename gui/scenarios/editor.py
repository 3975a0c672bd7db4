"""A field for a script: line numbers, the line that is wrong, and a light hand with weights."""

import re
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from gui.text.spoken import tr
from gui.theme import Theme, font

_SIZE: Final = 12
_FENCE: Final = '"""'
_HEADER: Final = re.compile(r"^\s*\[.*")
_STRING: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORD: Final = re.compile(r"(?<=^do = )\"[^\"]*\"")
_COMMENT: Final = re.compile(r"#.*$")
_LOOKS: Final = (
    ("header", "text", 600),
    ("word", "text", 600),
    ("string", "text.2", 400),
    ("comment", "text.3", 400),
)
_OWN: Final = (Qt.Key.Key_Escape, *(Qt.Key(Qt.Key.Key_F1.value + number) for number in range(35)))
"""Keys of the window that a field leaves to it."""


class ScriptHighlighter(QSyntaxHighlighter):
    """Headers and what a step does are heavier, texts and comments lighter. No colour means anything."""

    def __init__(self, document: QTextDocument) -> None:
        """Plain until a theme is set."""
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for name, role, weight in _LOOKS:
            look = QTextCharFormat()
            look.setForeground(theme.colour(role))
            look.setFontWeight(QFont.Weight(weight))
            self._formats[name] = look
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """One line; a text in three quotes goes on in the next."""
        if not self._formats:
            return
        inside = self.previousBlockState() == 1
        fences = text.count(_FENCE)
        self.setCurrentBlockState(int(inside != bool(fences % 2)))
        if inside or fences:
            self.setFormat(0 if inside else text.index(_FENCE), len(text), self._formats["string"])
            return
        for name, pattern in (("header", _HEADER), ("string", _STRING), ("word", _WORD)):
            for found in pattern.finditer(text):
                self.setFormat(found.start(), len(found[0]), self._formats[name])
        bare = _STRING.sub(lambda found: " " * len(found[0]), text)
        comment = _COMMENT.search(bare)
        if comment:
            self.setFormat(comment.start(), len(comment[0]), self._formats["comment"])


class _Numbers(QWidget):
    """The line numbers, left of the text."""

    def __init__(self, editor: "ScriptEdit") -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        """As wide as the largest number."""
        return QSize(self._editor.numbers_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The numbers of the lines that are seen."""
        self._editor.paint_numbers(self, event)


class ScriptEdit(QPlainTextEdit):
    """A script. Keys that write stay in it; Tab goes on to the next field, as anywhere in the window."""

    def __init__(self) -> None:
        """Empty."""
        super().__init__()
        self.setObjectName("script")
        self.setAccessibleName(tr("scenarios.scenario-as-toml"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setFont(font(_SIZE, raw=True))
        self.setStyleSheet('font-family: "JetBrains Mono NL", "Noto Sans SC"; font-size: 12px;')
        self.fault: int | None = None
        """The line that is wrong, from 1."""
        self._theme: Theme | None = None
        self._numbers = _Numbers(self)
        self._looks = ScriptHighlighter(self.document())
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._follow)
        self._make_room()

    def put_text(self, text: str) -> None:
        """Put another text there. It is one step that undo takes back: nothing that was written is lost."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_fault(self, line: int | None) -> None:
        """Mark the line that is wrong; None is none."""
        self.fault = line
        marks: list[QTextEdit.ExtraSelection] = []
        block = self.document().findBlockByNumber((line or 0) - 1)
        if self._theme is not None and block.isValid():
            mark = QTextEdit.ExtraSelection()
            mark.format.setBackground(self._theme.colour("warn.soft"))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            mark.cursor = QTextCursor(block)
            marks.append(mark)
        self.setExtraSelections(marks)
        self._numbers.update()

    def go_to_line(self, line: int) -> None:
        """The cursor goes to a line, and the keyboard with it."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self._looks.set_theme(theme)
        self.show_fault(self.fault)

    def event(self, event: QEvent) -> bool:
        """Keys that write or move in a text are the field's, not the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            held = event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            if held == Qt.KeyboardModifier.NoModifier and Qt.Key(event.key()) not in _OWN:
                event.accept()
                return True
        return super().event(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text may be dropped here; a file goes on to the window, which opens it."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def numbers_width(self) -> int:
        """Width of the line numbers, in pixels."""
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("0") * digits + 20

    def paint_numbers(self, area: QWidget, event: QPaintEvent) -> None:
        """Paint the line numbers that are seen."""
        if self._theme is None:
            return
        painter = QPainter(area)
        painter.fillRect(event.rect(), self._theme.colour("bg.window"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            wrong = block.blockNumber() + 1 == self.fault
            colour: QColor = self._theme.colour("warn" if wrong else "text.3")
            painter.setPen(colour)
            painter.setFont(font(_SIZE - 1, 600 if wrong else 400, raw=True))
            height = round(self.blockBoundingRect(block).height())
            place = QRect(0, round(top), area.width() - 10, height)
            painter.drawText(
                place,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                str(block.blockNumber() + 1),
            )
            top += height
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The numbers stand beside the text."""
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self.numbers_width(), inside.height()))

    def _make_room(self, *_changed: object) -> None:
        self.setViewportMargins(self.numbers_width() + 6, 0, 0, 0)

    def _follow(self, part: QRect, down: int) -> None:
        if down:
            self._numbers.scroll(0, down)
        else:
            self._numbers.update(0, part.y(), self._numbers.width(), part.height())
