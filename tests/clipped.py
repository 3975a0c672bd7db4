"""What of a window cannot be read: texts that are cut, and widgets that lie beyond what their area shows."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QToolButton,
    QWidget,
)

from core.picture.hit import bounds
from core.picture.marks import Picture, Text
from gui.panels.parts import Elided
from gui.theme import font

_SLACK = 1
_LINES: Final = 4
"""So much of their heights lines of text may share: there is nothing in it but what is below a letter."""
_LEAVES: Final = (QLabel, QPushButton, QToolButton, QCheckBox, QComboBox, QLineEdit)
_USED: Final = (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView)
_LOOKED_AT: Final = (QLabel, *_USED)
"""All kinds that any of the rules below asks for."""


def unreadable(top: QWidget) -> list[str]:
    """All that is clipped, overlapping or out of reach under `top`: its widgets are looked up once."""
    shown = _shown(top)
    return [*_clipped(shown), *_overlapping(top, shown), *_out_of_reach(top, shown)]


def clipped(top: QWidget) -> list[str]:
    """(what, how) of every text under `top` that a person cannot read whole, in words."""
    return _clipped(_shown(top))


def _shown(top: QWidget) -> list[QWidget]:
    """What is shown of the kinds that are looked at: hardly a tenth of all widgets."""
    return [one for one in top.findChildren(QWidget) if one.isVisible() and isinstance(one, _LOOKED_AT)]


def _clipped(shown: Sequence[QWidget]) -> list[str]:
    return [f"{type(widget).__name__} {why}" for widget in shown for why in _faults(widget)]


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
    if area is None:
        return
    scrolls = isinstance(area, QAbstractScrollArea)
    if scrolls and (area.horizontalScrollBar().isVisible() or not area.viewport().isAncestorOf(widget)):
        return
    room = area.viewport() if scrolls else area
    left = widget.mapTo(room, QPoint(0, 0)).x()
    if left < -_SLACK or left + widget.width() > room.width() + _SLACK:
        words = getattr(widget, "text", str)()
        yield f"{words!r} lies beyond {type(area).__name__} {area.accessibleName()!r}"


def _overlapping(top: QWidget, shown: Sequence[QWidget]) -> list[str]:
    """Pairs of texts and buttons under `top` that lie over each other, in words.

    What lies over the window on purpose (a dock over the lanes, a palette, a note's field) hides what is
    below it: what is hidden is not asked about.
    """
    seen = [widget for widget in shown if isinstance(widget, _LEAVES) and _is_seen(widget)]
    # What an area shows of them: the rest is scrolled away.
    parts = [widget.visibleRegion().boundingRect() for widget in seen]
    boxes = [
        (widget, QRect(widget.mapTo(top, part.topLeft()), part.size()))
        for widget, part in zip(seen, parts, strict=True)
    ]
    found: list[str] = []
    for place, beside in _in_common([box for _, box in boxes]):
        one, other = boxes[place][0], boxes[beside][0]
        if not (one.isAncestorOf(other) or other.isAncestorOf(one)) and _sheet(one) is _sheet(other):
            found.append(f"{_named(one)} lies over {_named(other)}")
    return found


def _in_common(boxes: Sequence[QRect]) -> list[tuple[int, int]]:
    """The places of the pairs that have more in common than the slack: of twenty thousand hardly any."""
    if not boxes:
        return []
    sides = np.array([(box.x(), box.y(), box.x() + box.width(), box.y() + box.height()) for box in boxes])
    left, above, right, below = sides.T
    wide = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    high = np.minimum.outer(below, below) - np.maximum.outer(above, above)
    places = np.argwhere(np.triu((wide > _SLACK) & (high > _SLACK), 1))
    return [(int(place), int(beside)) for place, beside in places]


def _out_of_reach(top: QWidget, shown: Sequence[QWidget]) -> list[str]:
    """Buttons, fields and lists under `top` that are shown, but not in sight and not to be scrolled to."""
    found: list[str] = []
    for widget in shown:
        if not isinstance(widget, _USED) or widget.width() * widget.height() == 0:
            continue
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QAbstractScrollArea) and not area.isWindow():
            area = area.parentWidget()
        scrolled = isinstance(area, QAbstractScrollArea)
        if not scrolled and not _is_seen(widget) and not _is_covered(widget, top):
            found.append(f"{_named(widget)} is out of reach")
    return found


def _is_seen(widget: QWidget) -> bool:
    """Whether all of it that its areas show is in sight: nothing lies over it."""
    return (
        widget.isVisible()
        and not widget.visibleRegion().isEmpty()
        and not _is_covered(widget, widget.window())
    )


def _is_covered(widget: QWidget, top: QWidget) -> bool:
    """Whether something that is not a part of it is what a mouse in its middle would meet."""
    middle = widget.mapTo(top, widget.rect().center())
    met = top.childAt(middle)
    related = met is None or met is widget or widget.isAncestorOf(met) or met.isAncestorOf(widget)
    return top.rect().contains(middle) and not related and _sheet(met) is not None


def _sheet(widget: QWidget | None) -> QWidget | None:
    """What lies over the window on purpose and has the widget in it: a dock or a frame, else None."""
    parent = None if widget is None else widget.parentWidget()
    while parent is not None and not parent.isWindow():
        widget, parent = parent, parent.parentWidget()
    return widget if isinstance(widget, QDockWidget | QFrame) else None


def _named(widget: QWidget) -> str:
    words = getattr(widget, "text", str)() or widget.accessibleName()
    return f"{type(widget).__name__} {words!r}"


def outside(picture: Picture, left: float) -> list[str]:
    """Texts of a picture that reach beyond its sides, and texts left of `left` that lie over each other."""
    texts = [mark for mark in picture.marks() if isinstance(mark, Text)]
    found = [
        f"{mark.text!r} reaches beyond the picture"
        for mark, (x, _, w, _) in zip(texts, map(bounds, texts), strict=True)
        if x < -_SLACK or x + w > picture.width + _SLACK
    ]
    inside = [(mark, bounds(mark)) for mark in texts if bounds(mark)[0] + bounds(mark)[2] <= left]
    for place, (one, (x, y, w, h)) in enumerate(inside):
        for other, (x2, y2, w2, h2) in inside[place + 1 :]:
            across, down = min(x + w, x2 + w2) - max(x, x2), min(y + h, y2 + h2) - max(y, y2)
            if one != other and across > _SLACK and down > _LINES:
                found.append(f"{one.text!r} lies over {other.text!r}")
    return found
