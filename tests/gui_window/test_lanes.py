"""Lanes under keys and mouse: folded, moved, pinned, and back by undo."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.document.lane_order import USUAL, LaneOrder, Sorting
from core.kafka.eras import era
from core.picture.lane import LaneBox
from core.picture.marks import Glyph, Ref, Sign, Text
from core.sim.library import scenario
from core.sim.run import simulate
from db.document import create, open_document
from gui.timeline.canvas import Canvas
from gui.window.main_window import MainWindow
from tests.gui_window.conftest import Answers, anew
from tests.gui_window.test_stage import show_long_run

pytestmark = pytest.mark.broad(18)

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
NAME_X = 30


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


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


@pytest.mark.slow
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
    press(canvas, Qt.Key.Key_O, Qt.KeyboardModifier.AltModifier)
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
    count = session.undo.count
    QTest.mousePress(canvas.viewport(), LEFT, NONE, name_of(alone, 1))
    QTest.mouseMove(canvas.viewport(), name_of(alone, 1) + QPoint(0, 9))
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, name_of(alone, 1) + QPoint(0, 9))
    assert session.undo.count == count


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


@pytest.mark.slow
def test_the_document_keeps_how_its_lanes_are_arranged(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    def kept(path: Path) -> LaneOrder:
        qtbot.waitUntil(lambda: not window.jobs.asked())
        with open_document(path) as document:
            return document.lanes()

    path, copy = tmp_path / "kept.tide", tmp_path / "copy.tide"
    create(path, [simulate(scenario("hw-loss"), era("2.8"))])
    opened(lambda: window.store.open_groups(((str(path),),)))
    window.session.select(Ref("lane", 0, 2, 2))
    window.stage.canvas.setFocus()
    press(window.stage.canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    arranged = window.session.lanes
    assert kept(path) == arranged == LaneOrder((2, 1))
    window.session.undo.undo()
    assert kept(path) == USUAL
    window.session.undo.redo()
    # Letting go of it is no arranging; opened again it is as it was left.
    window.session.close()
    assert window.session.lanes == USUAL
    assert kept(path) == arranged
    opened(lambda: window.store.open_groups(((str(path),),)))
    assert window.session.lanes == arranged
    assert kept(path) == arranged
    # What was never named is kept once it is saved.
    opened(lambda: window.store.open_simulated("hw-loss", ("2.8",)))
    assert window.session.lanes == USUAL
    window.session.set_lanes(LaneOrder(hidden=frozenset({1})))
    window.store.save(str(copy))
    assert kept(copy) == LaneOrder(hidden=frozenset({1}))


def areas_of(window: MainWindow) -> dict[tuple[int, int], float]:
    """The heights of the log areas by run and broker, from top to bottom."""
    lanes = window.stage.scene.lanes(window.stage.look())  # type: ignore[union-attr]
    return {(lane.run, lane.broker): lane.box.area for lane in lanes}


def test_o_goes_through_the_orders(alone: MainWindow) -> None:
    """B leads at the end. A had to remove one record that had been seen, B one that nobody was promised."""
    canvas, session = alone.stage.canvas, alone.session
    press(canvas, Qt.Key.Key_End)
    seen: list[tuple[Sorting, tuple[int, ...]]] = []
    for _ in Sorting:
        press(canvas, Qt.Key.Key_O)
        seen.append((session.lanes.sorting, session.lanes.brokers((1, 2))))
    assert seen == [
        (Sorting.BROKER, (1, 2)),
        (Sorting.LEADER, (2, 1)),
        (Sorting.DIVERGENCE, (1, 2)),
        (Sorting.USUAL, (1, 2)),
    ]


def test_the_lower_edge_is_dragged_and_the_lane_is_so_high(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    before, end = box_of(alone, 1).area, round(box_of(alone, 1).end)
    start, below = QPoint(NAME_X, end), QPoint(NAME_X, end + 30)
    QTest.mousePress(canvas.viewport(), LEFT, NONE, start)
    QTest.mouseMove(canvas.viewport(), below)
    assert session.lanes == USUAL
    assert canvas.drop == box_of(alone, 1).end + 30
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, below)
    assert session.lanes.heights == ((1, before + 30),)
    assert box_of(alone, 1).area == before + 30
    # The other one has what is left.
    assert box_of(alone, 2).area < before
    session.undo.undo()
    assert (session.lanes, box_of(alone, 1).area) == (USUAL, before)


def test_a_lane_is_hidden_and_a_click_on_their_number_shows_all(alone: MainWindow) -> None:
    canvas, session = alone.stage.canvas, alone.session
    session.select(Ref("lane", 0, 1, 1))
    press(canvas, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert areas_of(alone).keys() == {(0, 2)}
    # The last one stays.
    session.select(Ref("lane", 0, 2, 2))
    press(canvas, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert session.lanes.hidden == {1}
    assert canvas.picture is not None
    words = next(one for one in canvas.picture.marks() if isinstance(one, Text) and one.text == "1 hidden")
    QTest.mouseClick(canvas.viewport(), LEFT, NONE, QPoint(round(words.x) - 10, round(words.y) - 4))
    assert session.lanes == USUAL
    assert not alone.actions_["show-lanes"].isEnabled()


def offered_at(window: MainWindow, at: QPoint, chosen: str) -> set[str]:
    """The ids of what the menu at a place offers; one of them is chosen."""
    canvas, told = window.stage.canvas, list[QAction]()

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        told.extend(action for action in menu.actions() if action.isEnabled())
        menu.close()
        window.actions_[chosen].trigger()

    QTimer.singleShot(50, choose)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas.viewport(), event)
    return {name for name, action in window.actions_.items() if action in told}


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("place", ["demo", "alone"])
def test_the_menu_of_a_name_acts_on_its_lane(place: str, request: pytest.FixtureRequest) -> None:
    window: MainWindow = request.getfixturevalue(place)
    canvas = window.stage.canvas
    lane = next(strip for strip in canvas.strips if strip.broker == 2)
    at = QPoint(NAME_X, round(lane.top) + 16)

    offered = offered_at(window, at, "fold-lane")
    everywhere = {
        "fold-lane",
        "fold-others",
        "hide-lane",
        "lane-up",
        "lane-down",
        "order-lanes",
        "usual-lanes",
    }
    # In a comparison nothing can stay in sight; nothing is hidden that could be shown.
    assert offered == everywhere | ({"pin-lane"} if place == "alone" else set())
    assert window.session.lanes.folded == {2}
    assert {area == 0 for (_, broker), area in areas_of(window).items() if broker == 2} == {True}


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_of_a_mark_is_about_its_event_and_its_lane(alone: MainWindow) -> None:
    """The pill of the loss, which A completed: it is gone to and selected, and its lane can be hidden."""
    canvas, session = alone.stage.canvas, alone.session
    assert canvas.picture is not None
    pill = next(
        one
        for one in canvas.picture.marks()
        if isinstance(one, Sign) and one.glyph is Glyph.LOSS and one.y > canvas.head
    )
    assert pill.ref is not None
    session.set_position(0)

    offered = offered_at(alone, QPoint(round(pill.x), round(pill.y)), "hide-lane")
    assert offered == {"cause", "select", "note", "arrow", "copy", "fold-lane", "hide-lane"}
    assert session.selection == pill.ref
    assert session.content is not None
    assert session.position == session.content.position_of(0, pill.ref.key + 1) > 0
    assert session.lanes.hidden == {pill.ref.broker}


def test_lanes_of_a_comparison_fold_move_and_hide_in_all_runs(demo: MainWindow) -> None:
    canvas, session = demo.stage.canvas, demo.session
    lanes = [strip for strip in canvas.strips if strip.broker >= 0]
    runs = {strip.run for strip in lanes}
    first, second = lanes[:2]
    begin, end = QPoint(NAME_X, round(first.top) + 16), QPoint(NAME_X, round(second.bottom) - 4)
    QTest.mousePress(canvas.viewport(), LEFT, NONE, begin)
    QTest.mouseMove(canvas.viewport(), end)
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, end)
    assert list(areas_of(demo)) == [(run, broker) for run in sorted(runs) for broker in (2, 1)]
    QTest.mouseDClick(canvas.viewport(), LEFT, NONE, begin)
    assert session.lanes.folded == {2}
    assert {broker for (_, broker), area in areas_of(demo).items() if not area} == {2}
    session.undo.undo()
    session.undo.undo()
    assert session.lanes == USUAL
    # By keys: down goes from lane to lane through all runs.
    session.select(None)
    canvas.setFocus()
    for _ in range(3):
        press(canvas, Qt.Key.Key_Down)
    assert session.selection is not None
    assert (session.selection.run, session.selection.broker) == (1, 1)
    press(canvas, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert {broker for _, broker in areas_of(demo)} == {2}


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
