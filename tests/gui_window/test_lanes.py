"""Lanes under keys and mouse: folded, moved, pinned, and back by undo."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.picture.lane import LaneBox
from core.picture.lane_order import USUAL, LaneOrder
from core.picture.marks import Ref
from gui.main_window import MainWindow
from gui.timeline.canvas import Canvas
from tests.gui_window.test_stage import show_long_run

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
NAME_X = 30


@pytest.fixture
def alone(window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow]) -> MainWindow:
    """hw-loss in one era: brokers 1 and 2."""
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    window.stage.canvas.setFocus()
    return window


def box_of(window: MainWindow, broker: int) -> LaneBox:
    """Where a lane is on the picture."""
    lanes = window.stage.scene.lanes(window.stage.look())  # type: ignore[union-attr]
    return next(lane.box for lane in lanes if lane.broker == broker)


def name_of(window: MainWindow, broker: int) -> QPoint:
    """A point of the widget on the name of a lane that is not scrolled."""
    return QPoint(NAME_X, round(box_of(window, broker).band) + 8)


def press(canvas: Canvas, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(canvas, key, modifier)


def test_keys_arrange_the_lane_that_is_selected(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    QTest.mouseClick(canvas.viewport(), LEFT, NONE, name_of(alone, 2))
    assert session.selection == Ref("lane", 0, 2, 2, "broker B")
    press(canvas, Qt.Key.Key_K)
    assert session.lanes == LaneOrder(folded=frozenset({2}))
    assert box_of(alone, 2).area == 0
    press(canvas, Qt.Key.Key_K)
    assert session.lanes == USUAL
    press(canvas, Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)
    assert session.lanes.folded == {1}
    press(canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert session.lanes.brokers((1, 2)) == (2, 1)
    assert box_of(alone, 2).top < box_of(alone, 1).top
    press(canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    press(canvas, Qt.Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    assert (session.lanes.brokers((1, 2)), session.lanes.pinned) == ((2, 1), {2})
    press(canvas, Qt.Key.Key_O)
    assert session.lanes == USUAL


def test_without_a_selection_it_is_the_lane_under_the_pointer(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    session.select(None)
    press(canvas, Qt.Key.Key_K)
    assert session.lanes == USUAL
    assert "Which lane?" in alone.statusBar().currentMessage()
    QTest.mouseMove(canvas.viewport(), QPoint(500, round(box_of(alone, 1).area_top) + 20))
    press(canvas, Qt.Key.Key_K)
    assert session.lanes.folded == {1}


def test_arrows_select_the_lane_above_and_below(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    session.set_lanes(LaneOrder((2, 1)))
    session.select(None)
    chosen: list[int] = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        press(canvas, key)
        assert session.selection is not None
        chosen.append(session.selection.broker)
    assert chosen == [2, 1, 1, 2]


def test_a_lane_is_dragged_by_its_name_and_undo_brings_it_back(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    below = QPoint(NAME_X, round(box_of(alone, 2).end) - 4)
    QTest.mousePress(canvas.viewport(), LEFT, NONE, name_of(alone, 1))
    QTest.mouseMove(canvas.viewport(), below)
    assert session.lanes == USUAL
    assert canvas.drop == box_of(alone, 2).end
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, below)
    assert session.lanes.brokers((1, 2)) == (2, 1)
    assert session.selection is None
    session.undo.undo()
    assert session.lanes == USUAL
    session.undo.redo()
    assert session.lanes.brokers((1, 2)) == (2, 1)
    assert canvas.drop is None
    # Let go where it was, nothing is to be undone.
    count = session.undo.count()
    QTest.mousePress(canvas.viewport(), LEFT, NONE, name_of(alone, 1))
    QTest.mouseMove(canvas.viewport(), name_of(alone, 1) + QPoint(0, 9))
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, name_of(alone, 1) + QPoint(0, 9))
    assert session.undo.count() == count


def test_a_double_click_on_a_name_folds(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    QTest.mouseDClick(canvas.viewport(), LEFT, NONE, name_of(alone, 2))
    assert session.lanes.folded == {2}
    QTest.mouseDClick(canvas.viewport(), LEFT, NONE, name_of(alone, 2))
    assert session.lanes == USUAL


def test_lanes_stand_as_they_do_until_something_else_is_opened(alone: MainWindow) -> None:
    session = alone.session
    session.set_lanes(LaneOrder((2, 1)))
    assert session.content is not None
    session.change_view(session.content, notes=(), position=3)
    assert session.lanes == LaneOrder((2, 1))
    session.show(session.content, session.traces)
    assert session.lanes == USUAL


def test_in_a_comparison_a_drag_of_a_name_moves_nothing(demo: MainWindow) -> None:
    canvas = demo.stage.canvas
    first, second = [strip for strip in canvas.strips if strip.broker >= 0][:2]
    begin, end = (QPoint(NAME_X, round(strip.top) + at) for strip, at in ((first, 12), (second, 60)))
    QTest.mousePress(canvas.viewport(), LEFT, NONE, begin)
    QTest.mouseMove(canvas.viewport(), end)
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, end)
    QTest.mouseDClick(canvas.viewport(), LEFT, NONE, begin)
    assert demo.session.lanes == USUAL
    assert not demo.session.undo.canUndo()


def test_a_pinned_lane_stays_under_the_ruler(window: MainWindow, qtbot: QtBot) -> None:
    """Of thirty: what one sees and clicks there is the pinned lane, however far the others are scrolled."""
    show_long_run(window)
    canvas, bar = window.stage.canvas, window.stage.lanes_bar
    window.session.set_lanes(LaneOrder(pinned=frozenset({7})))
    qtbot.waitUntil(lambda: bar.maximum() > 0 and canvas.stays > canvas.head)
    pinned = box_of(window, 7)
    assert (pinned.top, pinned.end) == (canvas.head, canvas.stays)
    # It is in one strip with the ruler, and in no other.
    strips = canvas.strips
    assert (strips[0].top, strips[0].bottom) == (0, canvas.stays)
    assert all(upper.bottom == lower.top for upper, lower in pairwise(strips))
    assert 7 not in {strip.broker for strip in strips}
    bar.setValue(bar.maximum())
    window.grab()
    at = QPoint(NAME_X, round(pinned.band) + 8 + bar.value())
    QTest.mouseClick(canvas.viewport(), LEFT, NONE, at)
    assert window.session.selection is not None
    assert window.session.selection.broker == 7
    # Of the pinned lane nothing is painted again while another one comes into sight.
    painted = canvas.sheet.repaints
    bar.setValue(bar.maximum() - 5)
    window.grab()
    assert canvas.sheet.repaints == painted
    # A lane that is gone to by keys is not hidden below it.
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    lane = box_of(window, window.session.selection.broker)
    assert bar.value() + canvas.stays <= lane.top
    assert lane.end <= bar.value() + window.stage.look().height


def test_what_is_scrolled_goes_on_under_the_pinned_lane(window: MainWindow, qtbot: QtBot) -> None:
    show_long_run(window)
    window.session.set_lanes(LaneOrder(pinned=frozenset({7})))
    canvas, bar = window.stage.canvas, window.stage.lanes_bar
    qtbot.waitUntil(lambda: bar.maximum() > 0 and canvas.stays > canvas.head)

    def seen() -> QImage:
        """The pinned lane, as it is on the screen."""
        top, bottom = round(canvas.head) + 1, round(canvas.stays) - 3
        return canvas.grab().toImage().copy(0, top + bar.value(), canvas.width(), bottom - top)

    before = seen()
    bar.setValue(bar.maximum() // 2)
    assert seen() == before
