"""The columns of the eras on the screen: one is selected, and its diamond leads to the event."""

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.conform.answer import Conformance
from core.picture.conformance import (
    ConformanceView,
    lay_out_conformance,
    least_width,
    outline_of_conformance,
)
from core.picture.hit import mark_at
from core.picture.marks import Picture
from core.picture.outline import Part
from gui.accessible import parts_changed
from gui.paint import paint
from gui.panels.parts import tip
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.workspace.conforming import Subject

_LOW: Final = 200
"""Least height."""
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ENDS: Final = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class Columns(QWidget):
    """Draws an answer. It is scrolled where its columns have no room beside each other."""

    selected = Signal(int)
    """place of a column"""
    event_wanted = Signal(int)
    """place of the column whose event is to be shown in the lanes"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing to draw yet."""
        super().__init__(parent)
        self.setObjectName("panelBody")
        self.setAccessibleName(tr("conformance.columns"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_LOW)
        self._theme: Theme | None = None
        self._shown: tuple[Subject, Conformance] | None = None
        self.place = -1
        """The selected column; -1 is none."""
        self.picture: Picture | None = None

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def show_answer(self, subject: Subject, answer: Conformance, place: int) -> None:
        """Draw an answer, with a column selected."""
        self._shown, self.place = (subject, answer), place
        self.setMinimumWidth(round(least_width(answer)))
        self._lay_out()

    def forget(self) -> None:
        """Nothing is known."""
        self._shown, self.place = None, -1
        self.setMinimumWidth(0)
        self._lay_out()

    def select(self, place: int) -> None:
        """Select another column; a place beyond the ends is none."""
        if self._shown is None or not 0 <= place < len(self._shown[1].eras) or place == self.place:
            return
        self.place = place
        self._lay_out()
        self.selected.emit(place)

    def column_box(self, place: int) -> tuple[int, int]:
        """From where to where a column is, from the left."""
        for part in self.accessible_parts():
            if part.ref.key == place:
                return round(part.box[0]), round(part.box[0] + part.box[2])
        return 0, 0

    def sizeHint(self) -> QSize:
        """As wide as it has to be."""
        return QSize(self.minimumWidth(), _LOW)

    def accessible_parts(self) -> tuple[Part, ...]:
        """A part a column, for those who do not see them."""
        return () if self.picture is None else outline_of_conformance(self.picture, self.place)

    def press_part(self, part: Part) -> None:
        """What a click does."""
        self._press(part.ref.kind, part.ref.broker if part.ref.kind == "break" else part.ref.key)

    def _press(self, kind: str, place: int) -> None:
        self.select(place)
        if kind == "break":
            self.event_wanted.emit(place)

    def _lay_out(self) -> None:
        if self._shown is None:
            self.picture = None
            self.setAccessibleDescription("")
        else:
            subject, answer = self._shown
            size = float(self.width()), float(self.height())
            view = ConformanceView(answer, subject.trace, subject.run, *size, self.place, language())
            self.picture = lay_out_conformance(view)
            self.setAccessibleDescription(self.picture.alt)
        self.update()
        parts_changed(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new size."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The marks; a frame around the selected column while the keyboard is here."""
        if self._theme is None:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("bg.panel"))
        if self.picture is not None:
            paint(painter, self.picture, self._theme)
            if self.hasFocus() and self.place >= 0:
                left, right = self.column_box(self.place)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self._theme.colour("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(left + 1, 3, right - left - 2, self.height() - 8, 4, 4)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a column; its diamond leads on."""
        at = event.position()
        ref = None if self.picture is None else mark_at(self.picture, at.x(), at.y())
        if ref is not None and event.button() == Qt.MouseButton.LeftButton:
            self._press(ref.kind, ref.broker if ref.kind == "break" else ref.key)

    def event(self, event: QEvent) -> bool:
        """Tips; and the keys that are this widget's before they are the window's."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            ref = mark_at(self.picture, event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), tip(ref.text) if ref else "", self)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End select a column, Enter shows its event."""
        if self._shown is None or not _is_ours(event):
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        if key in _ENTER:
            self.event_wanted.emit(self.place)
        elif key in _STEPS:
            self.select(self.place + _STEPS[key])
        else:
            self.select(_ENDS[key] % len(self._shown[1].eras))


def _is_ours(event: QKeyEvent) -> bool:
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return plain and event.key() in (*_ENTER, *_STEPS, *_ENDS)
