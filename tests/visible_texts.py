"""All texts that a window shows, says to a screen reader, or holds in a tip."""

import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDockWidget,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTableView,
    QToolBar,
    QWidget,
)

_ROLES: Final = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
_IDENTIFIER: Final = re.compile(r"\S*[\d._=@/\\<>~]\S*|--\S+|\[\[?\w+\]\]?|“[!-~]+”")
"""Offsets, times, paths, settings, versions, options: a word with one of these signs in it, or quoted."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_MOST_ROWS: Final = 60


def texts(top: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of everything that `top` and the widgets in it show; each once."""
    seen: set[tuple[str, str]] = set()
    for widget in (top, *top.findChildren(QWidget)):
        if not _counts(widget, top):
            continue
        where = f"{type(widget).__name__} {widget.objectName()}".strip()
        for text in _of(widget):
            if text and (where, text) not in seen:
                seen.add((where, text))
                yield where, text.replace("\u200b", "")


def english_in(text: str, known: frozenset[str]) -> list[str]:
    """The Latin words of a text that are neither identifiers nor known."""
    return [word for word in _WORD.findall(without_identifiers(text)) if word not in known]


def without_identifiers(text: str) -> str:
    """A text without offsets, times, paths, settings, versions and options."""
    return _IDENTIFIER.sub(" ", text)


def _counts(widget: QWidget, top: QWidget) -> bool:
    if isinstance(widget, QToolBar) or type(widget).__name__.startswith("qt_"):
        return False
    return widget is top or isinstance(widget, QMenu) or widget.isVisibleTo(top)


def _of(widget: QWidget) -> Iterator[str]:
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    yield from (widget.whatsThis(), widget.statusTip())
    if widget.isWindow() or isinstance(widget, QDockWidget):
        yield widget.windowTitle()
    for action in widget.actions():
        yield from _of_action(action)
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.placeholderText()
            if widget.isReadOnly():
                yield widget.text()
        case QPlainTextEdit():
            yield widget.placeholderText()
        case QGroupBox() | QMenu():
            yield widget.title()
        case QComboBox():
            yield from (widget.itemText(place) for place in range(widget.count()))
        case QAbstractItemView():
            yield from _of_items(widget)
        case _:
            pass


def _of_action(action: QAction) -> Iterator[str]:
    yield from (action.text(), action.toolTip(), action.statusTip())


def _of_items(view: QAbstractItemView) -> Iterator[str]:
    model, columns = view.model(), 1
    if isinstance(view, QTableView):
        columns = view.horizontalHeader().count()
        for column in range(columns):
            for role in _ROLES:
                yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    for row in range(min(model.rowCount(), _MOST_ROWS)):
        for column in range(columns):
            if not (isinstance(view, QTableView) and view.isColumnHidden(column)):
                yield from (str(model.index(row, column).data(role) or "") for role in _ROLES)
