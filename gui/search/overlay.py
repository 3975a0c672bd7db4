"""A frame over the window: a field, a list under it, one line of help. By keys alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from core.shown import shown_in_line
from gui.panels.parts import column, label, paint_row_ground, tip
from gui.text.spoken import tr
from gui.theme import Theme, font, load_theme

_TOP: Final = 50
_WIDE: Final = 680
_KIND: Final = 84
_ROW: Final = 28
_ROWS: Final = 14
_INSET: Final = 12
_LINE: Final = Qt.ItemDataRole.UserRole
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_OURS: Final = (
    *_STEPS,
    *(Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Left, Qt.Key.Key_Right),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Delete, Qt.Key.Key_Tab),
)


Answer: TypeAlias = str | Callable[[], object]
"""What to do once the frame is gone, or why nothing can be done."""


@dataclass(frozen=True, slots=True)
class OverlayLine:
    """A line of the list as it is drawn: what kind it is, its text, its key. A faint one cannot be chosen.

    What may come from a file is shown, not obeyed (core/shown.py).
    """

    kind: str
    text: str
    aside: str = ""
    faint: bool = False

    def __post_init__(self) -> None:
        """Write out what would steer the line."""
        for name in ("kind", "text", "aside"):
            object.__setattr__(self, name, shown_in_line(getattr(self, name)))


class LinesModel(QAbstractListModel):
    """Lines for a list view."""

    def __init__(self, parent: QObject) -> None:
        """No line yet."""
        super().__init__(parent)
        self.lines: Sequence[OverlayLine] = ()

    def show(self, lines: Sequence[OverlayLine]) -> None:
        """List these instead."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """As many as there are lines."""
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The line for the delegate; its words for those who do not see it."""
        line = self.lines[index.row()]
        if role == _LINE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role not in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return None
        words = ", ".join(part for part in (line.kind, line.text, line.aside) if part)
        return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words


class LineDelegate(QStyledItemDelegate):
    """Draws a line: its kind, its text, and on the right its key."""

    def __init__(self, parent: QObject, theme: Theme) -> None:
        """In the colours of `theme`."""
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Every line is equally high."""
        return QSize(100, _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """In the colours of the theme."""
        line: OverlayLine = index.data(_LINE)
        theme, box = self.theme, QRect(option.rect)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        paint_row_ground(painter, box, theme, state)
        left, right = box.left() + _INSET, box.right() - _INSET
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font(11))
        painter.setPen(theme.colour("text.3"))
        painter.drawText(QRect(left, box.top(), _KIND, box.height()), middle, line.kind)
        aside = font(11) if line.faint else font(11, mono=True)
        room = right - left - _KIND
        shown = QFontMetrics(aside).elidedText(line.aside, Qt.TextElideMode.ElideRight, room // 2)
        width = QFontMetrics(aside).horizontalAdvance(shown)
        painter.setFont(aside)
        painter.setPen(theme.colour("text.3" if line.faint else "text.2"))
        painter.drawText(QRect(right - width, box.top(), width + 2, box.height()), middle, shown)
        text = font(12, 500)
        painter.setFont(text)
        painter.setPen(theme.colour("text.3" if line.faint else "text"))
        elided = QFontMetrics(text).elidedText(line.text, Qt.TextElideMode.ElideRight, room - width - 16)
        painter.drawText(QRect(left + _KIND, box.top(), room - width, box.height()), middle, elided)
        painter.restore()


@dataclass(frozen=True, slots=True)
class Shown:
    """What is listed for a typed text, and the line of help under it."""

    lines: tuple[OverlayLine, ...] = ()
    help: str = ""


class Overlay(QFrame):
    """Asks in the middle of the window's upper edge. Enter chooses, Esc goes back.

    `look` gives what is listed for a text. `take` is given the text and the place of the chosen line (-1 is
    none). The frame is made for one question and goes with its answer: the keyboard is where it was again.
    """

    def __init__(
        self,
        window: QWidget,
        theme: str,
        words: tuple[str, str],
        look: Callable[[str], Shown],
        take: Callable[[str, int], Answer],
    ) -> None:
        """`words` are its name and what stands in the empty field."""
        super().__init__(window)
        self.setObjectName("overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._before = QApplication.focusWidget()
        self._look, self._take = look, take
        name, placeholder = words
        self.setAccessibleName(name)
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.field.setPlaceholderText(placeholder)
        self.field.setFixedHeight(34)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._show)
        self._model = LinesModel(self)
        self.list = QListView()
        self.list.setAccessibleName(tr("search.what-was-found", name=name))
        self.list.setModel(self._model)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(LineDelegate(self.list, load_theme(theme)))
        self.list.clicked.connect(self._clicked)
        self.help = label("", "secondary", wrap=True)
        self.help.setContentsMargins(_INSET, 0, _INSET, 0)
        lines = column(self, (8, 8, 8, 8), 6)
        for part in (self.field, self.list, self.help):
            lines.addWidget(part)
        window.installEventFilter(self)
        self._show("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def place(self) -> int:
        """The chosen line, -1 where there is none."""
        return self.list.currentIndex().row()

    @property
    def lines(self) -> tuple[OverlayLine, ...]:
        """What is listed."""
        return tuple(self._model.lines)

    def _clicked(self, index: QModelIndex) -> None:
        self.choose(index.row())

    def choose(self, place: int) -> None:
        """Take a line, and go; where it cannot be taken, say why and stay."""
        answer = self._take(self.field.text(), place)
        if isinstance(answer, str):
            self._say(answer, "refusal")
            return
        self.leave()
        answer()

    def leave(self) -> None:
        """Go, and give the keyboard back."""
        before = self._before
        self._before = None
        self.close()
        # A dialog that had it may be gone.
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, typed: str) -> None:
        shown = self._look(typed)
        self._model.show(shown.lines)
        if shown.lines:
            self.list.setCurrentIndex(self._model.index(0, 0))
        self.list.setVisible(bool(shown.lines))
        self._say(shown.help, "secondary")

    def _say(self, text: str, look: str) -> None:
        self.help.setProperty("look", look)
        self.help.style().unpolish(self.help)
        self.help.style().polish(self.help)
        self.help.setText(text)
        self._lay_out()

    def _lay_out(self) -> None:
        room = self.parentWidget()
        if room is None:
            return
        wide = min(_WIDE, room.width() - 2 * _TOP)
        rows = min(len(self._model.lines), _ROWS)
        self.list.setFixedHeight(rows * _ROW)
        self.setFixedWidth(wide)
        self.adjustSize()
        self.move((room.width() - wide) // 2, _TOP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys in the field; the frame stays in the middle of a window that changes its size."""
        if watched is not self.field:
            if event.type() == QEvent.Type.Resize:
                self._lay_out()
            return False
        if event.type() == QEvent.Type.FocusOut and self.isVisible() and self.window().isActiveWindow():
            self._before = None
            self.close()
            return False
        if not isinstance(event, QKeyEvent):
            return False
        key = Qt.Key(event.key())
        if event.type() == QEvent.Type.ShortcutOverride and key in _OURS:
            event.accept()
            return True
        return event.type() == QEvent.Type.KeyPress and self._key(key)

    def _key(self, key: Qt.Key) -> bool:
        """Whether a key was ours; the field keeps the others."""
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.choose(self.place)
        elif key in _STEPS:
            last = len(self._model.lines) - 1
            place = max(0, min(self.place + _STEPS[key], last))
            self.list.setCurrentIndex(self._model.index(place, 0))
        else:
            return False
        return True


def find_overlay(window: QWidget) -> Overlay | None:
    """The frame that is open over a window, if one is."""
    return next((one for one in window.findChildren(Overlay) if one.isVisible()), None)


def leave_overlay(window: QWidget, *_why: object) -> None:
    """Close the frame that is open over a window, if one is: what it lists may be gone."""
    frame = find_overlay(window)
    if frame is not None:
        frame.leave()
