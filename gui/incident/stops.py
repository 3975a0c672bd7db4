"""What the keys go through on the page: buttons that leave the arrows to it, and partitions as chips."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from core.diagnose.account.page import Chip
from core.message import Count, Message, message
from core.picture.marks import Glyph, Sign
from core.shown import shown_in_line
from gui.glyphs import draw_sign
from gui.panels.parts import Label, label
from gui.panels.same_cause import count_words
from gui.text.spoken import tr
from gui.theme import Theme, font

_OF_THE_PAGE: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home)
_HIGH: Final = 26
_SIGN: Final = 13
_PAD: Final = 8
_GAP: Final = 8
_CAPTION: Final = 18
_MORE: Final = 56
"""Width of the button of those without room."""
_ROWS: Final = 2
"""Rows of chips that a cause has; the rest is in the list of all partitions."""


class Stop(QPushButton):
    """A button that Enter clicks. Arrows and Home go to the page, which moves the focus."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        """With a text, or none for one that is painted."""
        super().__init__(text, parent)
        self.setAutoDefault(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is the page's is left to it."""
        if event.key() in _OF_THE_PAGE:
            event.ignore()
            return
        super().keyPressEvent(event)


class Area(QScrollArea):
    """Scrolls by wheel and pages; arrows and Home go to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is the page's is left to it."""
        if event.key() in _OF_THE_PAGE:
            event.ignore()
        else:
            super().keyPressEvent(event)


class Headline(Label):
    """What is lost, in one sentence; it can have the keyboard, and Enter opens the worst."""

    chosen = Signal()

    def __init__(self, text: str = "") -> None:
        """Plain text."""
        super().__init__(text)
        self.setProperty("look", "incident")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses; all else is the page's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            event.ignore()


class ChipButton(Stop):
    """A partition with its sign and what it lost."""

    def __init__(self, name: str, chip: Chip, parent: QWidget | None = None) -> None:
        """`name` is that of the partition."""
        super().__init__("", parent)
        self.setObjectName("chip")
        self.chip, self.name = chip, shown_in_line(name)
        self.theme: Theme | None = None
        self.count = count_words(chip)
        self._sign = _sign_of(chip)
        told = _told(chip)
        self.setAccessibleName(
            self.name if told is None else shown_in_line(tr("incident.page.chip", partition=name, told=told))
        )
        wide = QFontMetrics(font(12, 500)).horizontalAdvance(self.name)
        if self.count:
            wide += _GAP + QFontMetrics(font(11, 600, mono=True)).horizontalAdvance(self.count)
        wide += _SIGN + 6 if self._sign is not None else 0
        self.setFixedSize(wide + 2 * _PAD, _HIGH)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame by the style sheet, the rest here."""
        super().paintEvent(event)
        if self.theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = _PAD
        if self._sign is not None:
            role = "text" if self.chip.diverged else "loss"
            draw_sign(painter, Sign(_PAD + _SIGN / 2, _HIGH / 2, self._sign, _SIGN, role), self.theme)
            left += _SIGN + 6
        box = QRect(left, 0, self.width() - left - _PAD, _HIGH)
        painter.setFont(font(12, 500))
        painter.setPen(self.theme.colour("text"))
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, flags | Qt.AlignmentFlag.AlignLeft, self.name)
        painter.setFont(font(11, 600, mono=True))
        painter.setPen(self.theme.colour("loss"))
        painter.drawText(box, flags | Qt.AlignmentFlag.AlignRight, self.count)
        painter.end()


def _sign_of(chip: Chip) -> Glyph | None:
    """The sign of what is wrong with a partition; None where that is said elsewhere."""
    if chip.lost:
        return Glyph.LOSS
    if chip.possible:
        return Glyph.POSSIBLE_LOSS
    return Glyph.DIVERGENCE if chip.diverged else None


def _told(chip: Chip) -> Message | None:
    """The same for ears."""
    if chip.lost:
        return message("incident.page.chip.lost", count=chip.count)
    if not chip.possible:
        return None
    if chip.at_least:
        return message("incident.page.chip.possible-least", count=chip.count)
    return message("incident.page.chip.possible", count=chip.count)


class _Pen:
    """Goes from left to right through the rows, and stops where the last one is full."""

    def __init__(self, width: int, apart: int) -> None:
        """At the beginning of the first row; rows are so far apart."""
        self._apart = apart
        self._width, self._x, self._row, self._caption_end = width, 0, 0, 0
        self._full = False
        self.of_group: list[QPoint] = []
        """Where the chips of the group are that is being put."""

    def at(self) -> QPoint:
        """Where the next one goes."""
        return QPoint(self._x, self._row * self._apart)

    def begin_group(self, width: int) -> None:
        """A group so wide comes: where it does not fit beside the ones before, it begins a row of its own.

        A chip that went on in the next row would stand there under the caption of another group.
        """
        if self._x and self._x + width > self._width and self._row < _ROWS - 1:
            self._end_row()

    def put(self, width: int, caption: int) -> bool:
        """Put a chip so wide; the first of a group has a caption over it. False where there is no room."""
        if self._full:
            return False
        room = self._width - (_MORE + _GAP if self._row == _ROWS - 1 else 0)
        if self._x and self._x + max(width, caption) > room:
            if self._row == _ROWS - 1:
                self._full = True
                return False
            self._end_row()
        self.of_group.append(self.at())
        if caption:
            self._caption_end = self._x + caption
        self._x += width + _GAP
        return True

    def _end_row(self) -> None:
        self._x, self._row, self._caption_end = 0, self._row + 1, 0

    def end_group(self) -> None:
        """The next group begins clear of the caption of this one."""
        if self.of_group and not self._full:
            self._x = max(self._x + _GAP, self._caption_end + 2 * _GAP)
        self.of_group = []


class ChipField(QWidget):
    """Chips in two rows at most, groups under their captions; a button stands for those without room."""

    def __init__(self, groups: Sequence[tuple[str, Sequence[ChipButton]]], more: Stop) -> None:
        """`groups` are captions with their chips; `more` opens all of them."""
        super().__init__()
        self._groups: list[tuple[QLabel, list[ChipButton]]] = []
        self._more = more
        more.setParent(self)
        more.setObjectName("chip")
        for caption, chips in groups:
            made = label(caption, "secondary")
            made.setParent(self)
            for chip in chips:
                chip.setParent(self)
            self._groups.append((made, list(chips)))
        self._caption = _CAPTION if any(caption for caption, _ in groups) else 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """It is as high as its rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """One row or two."""
        return self._lay_out(width, move=False)

    def sizeHint(self) -> QSize:
        """Its width is that of the page."""
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """A chip wide."""
        return QSize(120, _CAPTION + _HIGH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Chips go where there is room."""
        super().resizeEvent(event)
        self._lay_out(self.width(), move=True)

    def shown(self) -> list[QPushButton]:
        """The chips that have room, and the button of the others."""
        chips: list[QPushButton] = [chip for _, mine in self._groups for chip in mine if not chip.isHidden()]
        return chips if self._more.isHidden() else [*chips, self._more]

    def _lay_out(self, width: int, *, move: bool) -> int:
        """Where everything is at a width; gives the height."""
        pen, placed = _Pen(width, self._caption + _HIGH + _GAP), 0
        every = sum(len(chips) for _, chips in self._groups)
        for caption, chips in self._groups:
            wide = caption.sizeHint().width()
            pen.begin_group(max(wide, sum(chip.width() + _GAP for chip in chips) - _GAP))
            fitting = [
                chip for number, chip in enumerate(chips) if pen.put(chip.width(), 0 if number else wide)
            ]
            placed += len(fitting)
            if move:
                for chip in chips:
                    chip.setVisible(chip in fitting)
                for chip, at in zip(fitting, pen.of_group, strict=True):
                    chip.move(at + QPoint(0, self._caption))
                caption.setVisible(bool(fitting) and bool(self._caption))
                if fitting:
                    first = pen.of_group[0]
                    caption.setGeometry(first.x(), first.y(), min(wide, width - first.x()), _CAPTION)
            pen.end_group()
        if move:
            self._show_more(every - placed, pen.at())
        return pen.at().y() + self._caption + _HIGH

    def _show_more(self, left: int, at: QPoint) -> None:
        """The button of those without room."""
        self._more.setVisible(left > 0)
        self._more.setText(tr("incident.page.more-chips", number=Count(left)))
        self._more.setAccessibleName(tr("incident.page.more-chips.name", count=Count(left)))
        self._more.setGeometry(
            min(at.x(), max(self.width() - _MORE, 0)), at.y() + self._caption, _MORE, _HIGH
        )
