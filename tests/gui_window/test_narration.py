"""The timeline as sentences, in step with the cursor."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from gui.panels.narration import Narration, Sentences, sentence
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_sentence_of_a_loss_says_where_when_what_and_how_it_is_known(
    window: MainWindow, opened: Opened
) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    session, content = window.session, window.session.content
    assert content is not None
    window.actions_["first"].trigger()
    window.actions_["next-loss"].trigger()
    told = sentence(content, session.position)
    begun = f"Position {session.position} of {content.last}. 18.012 s, 3 of 4. A cuts its log from 2 to 1."
    assert told.startswith(begun)
    assert "m1 had been committed, and no later leader holds it: lost." in told
    assert told.endswith("lost. Observed.")
    assert sentence(content, 0) == f"Position 0 of {content.last}. Before everything."


def assert_in_sight(narration: Narration) -> None:
    QApplication.processEvents()
    view = narration.list
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_the_list_goes_with_the_cursor_and_the_cursor_with_the_list(demo: MainWindow) -> None:
    session, narration, canvas = demo.session, demo.stage.narration, demo.stage.canvas
    assert narration.isHidden()
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_T, CONTROL)
    assert narration.isVisible()
    assert demo.settings.get("narration")
    assert session.content is not None
    assert narration.model.rowCount() == session.content.last + 1
    assert narration.list.currentIndex().row() == session.position > 0
    assert_in_sight(narration)
    before = session.position
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert narration.list.currentIndex().row() == before + 1
    narration.list.setFocus()
    QTest.keyClick(narration.list, Qt.Key.Key_Up)
    QTest.keyClick(narration.list, Qt.Key.Key_Up)
    assert session.position == before - 1
    QTest.keyClick(canvas, Qt.Key.Key_T, CONTROL)
    assert narration.isHidden()
    # Hidden it follows nobody; shown again it is where the cursor is.
    session.set_position(2)
    QTest.keyClick(canvas, Qt.Key.Key_T, CONTROL)
    assert narration.list.currentIndex().row() == 2
    assert_in_sight(narration)


def test_f6_comes_by(demo: MainWindow) -> None:
    demo.actions_["narration"].trigger()
    demo.stage.canvas.setFocus()
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_F6)
    assert demo.focusWidget() is demo.stage.narration.list


def test_what_a_screen_reader_reads_is_a_list_like_any_other(demo: MainWindow) -> None:
    model = Sentences(demo.session.content)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    index = model.index(3)
    shown, spoken = (
        model.data(index, role) for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
    )
    assert shown == spoken != ""
    model.tell(None)
    assert model.rowCount() == 0
