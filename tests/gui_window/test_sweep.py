"""Lost records are marked among the logs at the cursor, by a click or a sweep over their cells."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.picture.hit import bounds
from core.picture.marks import Box
from core.teaching.library import lesson
from gui.lessons.answering import ButtonsField, OffsetsField
from gui.lessons.player import LessonPlayer
from gui.panels.cells import CellsStrip
from gui.window.main_window import MainWindow

LOST = 6


@pytest.fixture
def player(window: MainWindow, qtbot: QtBot) -> LessonPlayer:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"), LOST)
    player = window.pages.course.player
    qtbot.waitUntil(lambda: player.stage.cells.picture is not None)
    return player


def _cell(cells: CellsStrip, offset: int, row: int = 0) -> QPoint:
    """The middle of the cell of an offset, in one of the rows that have it."""
    assert cells.picture is not None
    boxes = [
        bounds(mark)
        for mark in cells.picture.marks()
        if isinstance(mark, Box)
        and mark.ref is not None
        and mark.ref.kind == "cell"
        and mark.ref.key <= offset <= max(mark.ref.key, mark.ref.last)
    ]
    x, y, w, h = sorted(dict.fromkeys(boxes), key=lambda box: box[1])[row]
    return QPoint(round(x + w / 2), round(y + h / 2))


def test_cells_are_marked_by_a_sweep_and_let_go_by_a_click(player: LessonPlayer) -> None:
    cells, field = player.stage.cells, player.field
    assert isinstance(field, ButtonsField)

    QTest.mousePress(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 0))
    QTest.mouseMove(cells, _cell(cells, 1))
    QTest.mouseRelease(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 1))
    assert (field.given(), cells.marked) == ({0, 1}, {0, 1})
    # Where the mouse is let go, it marks nothing more.
    QTest.mouseMove(cells, _cell(cells, 0, row=1))
    QTest.mouseClick(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 0, row=1))
    assert (field.given(), cells.marked) == ({1}, {1})
    assert player.session.selection is None

    # m1 was acknowledged, and is on no log of a later leader. The answer stays in sight beside what happened.
    player.answer()
    assert player.player is not None
    assert player.player.attempts[LOST].points == 1
    assert cells.marked == {1}
    QTest.mouseClick(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 0))
    assert cells.marked == {1}
    player.go(1)
    assert cells.marked == frozenset()


def test_of_a_recording_a_range_is_swept_with_its_folds(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("case-orders"), 3)
    player = window.pages.course.player
    cells, field = player.stage.cells, player.field
    qtbot.waitUntil(lambda: cells.picture is not None)
    assert isinstance(field, OffsetsField)

    # 48 records from 206 on: some of them stand in one cell.
    QTest.mousePress(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 253))
    QTest.mouseMove(cells, _cell(cells, 230))
    QTest.mouseMove(cells, _cell(cells, 206))
    QTest.mouseRelease(cells, Qt.MouseButton.LeftButton, pos=_cell(cells, 206))
    assert (field.first.value(), field.last.value()) == (206, 253)
    assert cells.marked == set(range(206, 254))
    player.answer()
    assert player.player is not None
    assert player.player.attempts[3].points == 1
