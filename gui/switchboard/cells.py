"""How a row of the switchboard is drawn: a switch with its promise, and cells of two lines."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.picture.marks import Glyph, Sign
from core.picture.metrics import elide, wrap
from gui.glyphs import draw_sign
from gui.panels.parts import paint_row_ground
from gui.theme import Theme, font

SECOND: Final = Qt.ItemDataRole.UserRole
"""The second line of a cell."""
SHAPE: Final = Qt.ItemDataRole.UserRole + 1
"""(on, flipped, is of this release or script) of a switch; None at the head of a group."""
ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""The colour of the first line; "loss" has its sign before it."""
LEFT: Final = 56
"""Where the words begin, right of the switch."""
_LINE: Final = 17
_PROMISE_MOST, _OFF_MOST = 4, 3
"""Lines."""
_EDGE: Final = 6
_ROWS: Final = 256
"""Rows whose lines are kept: all of a switchboard, which is painted several times a flip, at a few widths."""


class RuleCell(QStyledItemDelegate):
    """A switch, what holds while it is on, and what off means; or the head of a group."""

    theme: Theme | None = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """State is shape: on is filled with the knob at the right, off hollow, not there yet dashed."""
        theme = self.theme
        if theme is None:
            return
        painter.save()
        box = _ground(painter, option, theme)
        says = str(index.data(Qt.ItemDataRole.DisplayRole))
        shape = index.data(SHAPE)
        if shape is None:
            _line(painter, box.adjusted(16, 0, 0, 0), says, theme, ("text", 12, 700), box.height() - 20)
        else:
            on, flipped, present = shape
            switch = QRectF(box.left() + 16, box.top() + 15, 28, 16)
            draw_switch(painter, switch, theme, on=on, flipped=flipped, present=present)
            words, y = box.adjusted(LEFT, 0, -8, 0), _EDGE
            role = "text" if present or flipped else "text.2"
            promise, off = row_lines(says, str(index.data(SECOND)), box.width())
            for one in promise:
                _line(painter, words, one, theme, (role, 12, 500), y)
                y += _LINE
            for one in off:
                _line(painter, words, one, theme, ("text.2", 11, 400), y)
                y += _LINE
        painter.restore()


class FigureCell(QStyledItemDelegate):
    """A figure or a release, and what belongs to it."""

    theme: Theme | None = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """A loss has its sign before it."""
        theme = self.theme
        if theme is None:
            return
        painter.save()
        words = _ground(painter, option, theme, bar=False).adjusted(8, 0, -4, 0)
        role = index.data(ROLE)
        first, weight = words, 500
        if role == "loss":
            draw_sign(painter, Sign(words.left() + 7, words.top() + _EDGE + 9, Glyph.LOSS, 14, "loss"), theme)
            first, weight = words.adjusted(20, 0, 0, 0), 600
        says = str(index.data(Qt.ItemDataRole.DisplayRole))
        _line(painter, first, says, theme, (role, 12, weight), _EDGE)
        _line(painter, words, str(index.data(SECOND)), theme, ("text.2", 11, 400), _EDGE + _LINE)
        painter.restore()


def _ground(painter: QPainter, option: QStyleOptionViewItem, theme: Theme, *, bar: bool = True) -> QRect:
    """Paint the ground of a cell, and give its box; the first one of the selected row has a bar."""
    box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
    state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(box)
    if bar:
        paint_row_ground(painter, box, theme, state)
    else:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, theme.colour("bg.selected" if selected else "bg.panel"))
    return box


@lru_cache(maxsize=_ROWS)
def row_lines(says: str, off: str, width: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of a promise and of what off means, in a first column of that width.

    Of a rule with several values each has a row with the same promise: what off means tells them apart.
    """
    room = max(float(width - LEFT - 8), 1.0)
    return _lines(says, room, _PROMISE_MOST, 12, 500), _lines(off, room, _OFF_MOST, 11, 400)


def _lines(says: str, room: float, most: int, size: int, weight: int) -> tuple[str, ...]:
    """As many lines as may be; the last one is elided where there are more."""
    lines = wrap(says, room, size, weight)
    if len(lines) <= most:
        return lines
    return (*lines[: most - 1], elide(" ".join(lines[most - 1 :]), room, size, weight))


def row_height(says: str, off: str, width: int) -> int:
    """How high the row of a promise is."""
    promise, beside = row_lines(says, off, width)
    return 2 * _EDGE + _LINE * (len(promise) + len(beside))


def _line(painter: QPainter, box: QRect, says: str, theme: Theme, how: tuple[str, int, int], y: int) -> None:
    """One line of text, elided; `how` is its colour, size and weight."""
    role, size, weight = how
    painter.setFont(font(size, weight))
    painter.setPen(theme.colour(role))
    place = QRect(box.left(), box.top() + y, box.width(), _LINE)
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, elide(says, float(box.width()), size, weight))


def draw_switch(
    painter: QPainter, box: QRectF, theme: Theme, *, on: bool, flipped: bool, present: bool
) -> None:
    """A switch; one that is not in this release has no knob, until somebody switches it on early."""
    ink = theme.colour("text" if present or flipped else "text.3")
    pen = QPen(ink, 1.4)
    if not present and not flipped:
        pen.setDashPattern([2.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(ink if on else QColor(Qt.GlobalColor.transparent))
    painter.drawRoundedRect(box, 8, 8)
    if present or flipped:
        painter.setBrush(theme.colour("bg.panel") if on else ink)
        painter.setPen(Qt.PenStyle.NoPen)
        x = box.right() - 14 if on else box.left() + 2
        painter.drawEllipse(QRectF(x, box.top() + 2, 12, 12))
    if flipped:
        painter.setPen(QPen(ink, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(-4, -4, 4, 4), 11, 11)
