"""A range on the timeline: by keys, by mouse, summarised, shown whole."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.picture.marks import Box
from gui.panels.stretch import explain_range
from gui.window.main_window import MainWindow
from tests.archives import unpack_recording
from tests.gui_window.conftest import Answers, anew

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def mark(window: MainWindow, first: int, last: int) -> None:
    window.stage.canvas.setFocus()
    for place in (first, last):
        window.session.set_position(place)
        QTest.keyClick(window.stage.canvas, Qt.Key.Key_R)


def washes(window: MainWindow) -> list[Box]:
    picture = window.stage.canvas.picture
    assert picture is not None
    (cursor,) = (layer for layer in picture.layers if layer.name == "cursor")
    return [
        one for one in cursor.marks if isinstance(one, Box) and one.fill == "bg.selected" and one.opacity < 1
    ]


@pytest.mark.slow
def test_r_begins_and_ends_a_range_in_any_order_and_escape_clears_it(demo: MainWindow) -> None:
    mark(demo, 30, 8)
    assert demo.session.range == (8, 30)
    assert len(washes(demo)) == 1
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Escape)
    assert demo.session.range is None
    assert washes(demo) == []


def test_a_range_that_only_began_follows_the_cursor(demo: MainWindow) -> None:
    demo.session.set_position(8)
    demo.actions_["range"].trigger()
    assert demo.session.range == (8, None)
    demo.session.set_position(30)
    (near,) = washes(demo)
    demo.session.set_position(40)
    (far,) = washes(demo)
    assert far.w > near.w
    demo.session.set_position(8)
    demo.actions_["range"].trigger()
    assert demo.session.range is None


@pytest.mark.slow
def test_the_inspector_says_what_happened_in_it(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    mark(demo, 0, content.last)
    assert demo.inspector.head.name.text() == "Range"
    assert demo.inspector.explanation == explain_range(content, 0, content.last)
    text = demo.inspector.text()
    assert "cuts: broker B 2 → 1; broker A 2 → 1" in text
    assert "losses: none" in text
    assert "epoch 1: broker B" in text
    demo.findings.go(0)
    demo.actions_["select"].trigger()
    assert demo.inspector.head.name.text() != "Range"


def test_shift_and_the_mouse_mark_a_range(demo: MainWindow) -> None:
    canvas = demo.stage.canvas
    lane = next(strip for strip in canvas.strips if strip.broker >= 0)
    y = int(lane.top + 20)
    left, right = QPoint(300, y), QPoint(700, y)
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, shift, left)
    assert demo.stage.scene is not None
    look = demo.stage.look()
    wanted = tuple(demo.stage.scene.position_at(float(x), look) for x in (300, 700))
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(right),
        QPointF(canvas.viewport().mapToGlobal(right)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        shift,
    )
    QApplication.sendEvent(canvas.viewport(), moved)
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, shift, right)
    assert demo.session.range == wanted


@pytest.mark.slow
def test_f_shows_the_range_whole(window: MainWindow, opened: Opened, tmp_path: Path) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    opened(lambda: window.store.open_groups(((str(folder),),)))
    window.handlers["timeline"]()
    content = window.session.content
    assert content is not None
    assert not window.actions_["fit-range"].isEnabled()
    mark(window, 30, 60)
    QTest.keyClick(window.stage.canvas, Qt.Key.Key_F)
    history = content.runs[0].history
    times = [int(history.trace.columns["at"][history.seqs[place - 1]]) for place in (30, 60)]
    shown = window.session.window
    assert shown is not None
    assert shown[0] < times[0] < times[1] < shown[1]
    assert shown[1] - shown[0] < 2 * (times[1] - times[0])
