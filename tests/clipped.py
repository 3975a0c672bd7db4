"""What of a window cannot be read: texts that are cut, and widgets that lie beyond what their area shows."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QToolButton,
    QWidget,
)

from gui.panels.parts import Elided
from gui.theme import font

_SLACK = 1


def clipped(top: QWidget) -> list[str]:
    """(what, how) of every text under `top` that a person cannot read whole, in words."""
    found: list[str] = []
    for widget in top.findChildren(QWidget):
        if widget.isVisible():
            found.extend(f"{type(widget).__name__} {why}" for why in _faults(widget))
    return found


def _faults(widget: QWidget) -> Iterator[str]:
    match widget:
        case Elided():
            if widget.shown() != widget.text() != widget.toolTip():
                yield f"{widget.text()!r} is cut without a tip"
        case QLabel() if widget.text() and widget.wordWrap():
            if widget.heightForWidth(widget.width()) > widget.height() + _SLACK:
                yield f"{widget.text()!r} needs more lines"
        case QLabel() if widget.text():
            if widget.minimumSizeHint().width() > widget.width() + _SLACK:
                yield f"{widget.text()!r} is cut"
        case QCheckBox():
            if widget.minimumSizeHint().width() > widget.width() + _SLACK:
                yield f"{widget.text()!r} is cut"
        case QPushButton() | QToolButton():
            if widget.fontMetrics().horizontalAdvance(widget.text()) > widget.width() - 4:
                yield f"{widget.text()!r} is cut"
        case QComboBox():
            yield from _of_choice(widget)
        case QTableView():
            yield from _of_heads(widget)
        case _:
            pass
    if isinstance(widget, QLabel | QPushButton | QCheckBox | QComboBox):
        yield from _beyond(widget)


def _of_choice(box: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    if box.fontMetrics().horizontalAdvance(box.currentText()) > room.width() + _SLACK:
        yield f"{box.currentText()!r} is cut"


def _of_heads(table: QTableView) -> Iterator[str]:
    header = table.horizontalHeader()
    if header.isHidden():
        return
    for column in range(header.count()):
        text = str(table.model().headerData(column, Qt.Orientation.Horizontal) or "")
        seen = not header.isSectionHidden(column)
        # The style sheet sets heads in 11, with 8 on each side.
        needed = QFontMetrics(font(11)).horizontalAdvance(text) + 16
        if seen and needed > header.sectionSize(column) + _SLACK:
            yield f"head {text!r} is cut"


def _beyond(widget: QWidget) -> Iterator[str]:
    """Whether it reaches beyond the sides of an area that does not scroll sideways, or of its window."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QAbstractScrollArea) and not area.isWindow():
        area = area.parentWidget()
    if area is None or (isinstance(area, QAbstractScrollArea) and not isinstance(area, QScrollArea)):
        return
    room = area.viewport() if isinstance(area, QScrollArea) else area
    left = widget.mapTo(room, QPoint(0, 0)).x()
    if left < -_SLACK or left + widget.width() > room.width() + _SLACK:
        words = getattr(widget, "text", str)()
        yield f"{words!r} lies beyond {type(area).__name__} {area.accessibleName()!r}"
