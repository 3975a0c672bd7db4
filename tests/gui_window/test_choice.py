"""Combo boxes: what keys, the mouse and a screen reader choose from their lists."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.panels.choice import Choice

pytestmark = pytest.mark.qt_log_ignore("does not support")


def turn() -> None:
    for _ in range(5):
        QApplication.processEvents()


@pytest.fixture
def box(qtbot: QtBot) -> tuple[Choice, list[int]]:
    made = Choice()
    qtbot.addWidget(made)
    made.addItems(["PNG", "SVG", "PDF"])
    told: list[int] = []
    made.activated.connect(told.append)
    made.show()
    made.showPopup()
    turn()
    return made, told


def test_the_action_of_a_screen_reader_on_an_item_chooses_it(box: tuple[Choice, list[int]]) -> None:
    choice, told = box
    items = QAccessible.queryAccessibleInterface(choice.view())
    assert items is not None
    names = [items.child(place).text(QAccessible.Text.Name) for place in range(items.childCount())]
    action = items.child(names.index("PDF")).actionInterface()
    (name,) = action.actionNames()
    action.doAction(name)
    turn()

    assert (choice.currentText(), told) == ("PDF", [2])
    assert not choice.view().isVisible()


def test_an_arrow_marks_an_item_and_enter_chooses_it(box: tuple[Choice, list[int]]) -> None:
    choice, told = box
    QTest.keyClick(choice.view(), Qt.Key.Key_Down)
    turn()
    assert (choice.currentIndex(), told) == (0, [])
    assert choice.view().isVisible()

    QTest.keyClick(choice.view(), Qt.Key.Key_Return)
    turn()
    assert (choice.currentText(), told) == ("SVG", [1])


def test_the_mouse_over_an_item_chooses_nothing(box: tuple[Choice, list[int]]) -> None:
    choice, told = box
    view = choice.view()
    QTest.mouseMove(view.viewport(), view.visualRect(view.model().index(2, 0)).center())
    turn()

    assert (choice.currentIndex(), told) == (0, [])
    assert view.isVisible()
