"""Two tabs of one window beside each other, in the real window."""

from collections.abc import Callable
from typing import Final

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gui.window.main_window import MainWindow
from gui.window.reflow import Split, split
from gui.workspace.simulating import PAIR
from importers.samples import sample_path

Opened = Callable[[Callable[[], object]], MainWindow]
WIDE: Final = (1366, 768)

pytestmark = [pytest.mark.qt_log_ignore("does not support propagateSizeHints"), pytest.mark.broad(6)]


def turn() -> None:
    for _ in range(10):
        QApplication.processEvents()


def key(window: MainWindow, code: Qt.Key) -> None:
    window.stage.canvas.setFocus()
    QTest.keyClick(window.stage.canvas, code, Qt.KeyboardModifier.ControlModifier)
    turn()


@pytest.fixture
def two(window: MainWindow, opened: Opened) -> MainWindow:
    """A run that is open twice, once at position 5 and in front at 20, in a window of 1366 x 768."""
    window.resize(*WIDE)
    shown = opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    shown.session.set_position(5)
    shown.actions_["own-tab"].trigger()
    shown.session.set_position(20)
    turn()
    return shown


def places(window: MainWindow) -> tuple[int, int]:
    """The x of the front and of the other half."""
    row = window.halves_row
    return row.front.geometry().x(), row.other.geometry().x()


def test_a_key_shows_the_next_tab_at_the_right_and_again_this_one_alone(two: MainWindow) -> None:
    other = two.halves_row.other
    assert not other.isVisible()
    key(two, Qt.Key.Key_Backslash)

    assert other.isVisible()
    front, beside = places(two)
    assert front == 0
    assert beside >= 420
    assert other.session.position == 5
    assert other.name.text() == two.partition_head.name.text()
    assert other.stage.canvas.picture is not None

    two.actions_["forward"].trigger()
    assert (two.session.position, other.session.position) == (21, 5)

    key(two, Qt.Key.Key_Backslash)
    assert not other.isVisible()
    assert len(two.tabs.open.tabs) == 2


def test_the_head_of_a_half_says_in_whole_what_has_room_and_counts_the_rest(
    window: MainWindow, opened: Opened
) -> None:
    shown = opened(lambda: window.store.open_groups(((str(sample_path("k0102-hw-loss")),),)))
    shown.actions_["timeline"].trigger()
    shown.resize(1920, 900)
    turn()
    head = shown.partition_head
    assert all(tag.isVisible() for tag in head.tags)
    told = [tag.text() for tag in head.tags]

    shown.resize(*WIDE)
    key(shown, Qt.Key.Key_Backslash)
    seen = [tag for tag in head.tags if tag.isVisible()]
    assert head.width() < 700
    assert [tag.text() for tag in seen] == told[: len(seen)]
    assert 0 < len(seen) < len(told)
    assert all(tag.width() >= tag.sizeHint().width() for tag in seen)
    assert head.when.width() >= head.when.sizeHint().width()
    more = next(one for one in head.findChildren(QLabel) if one.isVisible() and one.text().startswith("+"))
    assert more.toolTip() == "\n".join(told[len(seen) :])


def test_cursors_of_both_halves_move_together_until_each_moves_by_itself_again(two: MainWindow) -> None:
    key(two, Qt.Key.Key_Backslash)
    other = two.halves_row.other
    assert other.together.isEnabled()
    assert not other.together.isChecked()

    two.actions_["together"].trigger()
    assert other.together.isChecked()
    assert (two.session.position, other.session.position) == (20, 20)
    two.actions_["forward"].trigger()
    assert (two.session.position, other.session.position) == (21, 21)

    # What comes to the front stays where it is seen: its tab was left at 5.
    key(two, Qt.Key.Key_F6)
    assert (two.session.position, other.session.position) == (21, 21)
    two.actions_["back"].trigger()
    assert (two.session.position, other.session.position) == (20, 20)

    QTest.mouseClick(other.together, Qt.MouseButton.LeftButton)
    two.actions_["back"].trigger()
    assert (two.session.position, other.session.position) == (19, 20)


def test_what_has_no_moment_in_common_is_not_tied(two: MainWindow, opened: Opened) -> None:
    """Two runs of simulations: the time of each is its own."""
    shown = opened(lambda: two.store.open_simulated("two-replica-sync", ("2.8",)))
    key(shown, Qt.Key.Key_Backslash)
    other = shown.halves_row.other
    assert other.isVisible()
    assert not other.together.isEnabled()

    shown.actions_["together"].trigger()
    assert not shown.tabs.halves.together
    assert "no moment in common" in shown.statusBar().currentMessage()


def test_the_other_half_comes_to_the_front_where_it_stands(two: MainWindow) -> None:
    key(two, Qt.Key.Key_Backslash)
    key(two, Qt.Key.Key_F6)

    front, beside = places(two)
    assert beside == 0
    assert front >= 420
    assert two.session.position == 5
    assert two.halves_row.other.session.position == 20
    assert two.stage.canvas.hasFocus()
    key(two, Qt.Key.Key_F6)
    assert places(two)[0] == 0
    assert two.session.position == 20


def test_a_press_on_the_other_half_brings_it_to_the_front_and_moves_no_cursor(
    two: MainWindow, qtbot: QtBot
) -> None:
    key(two, Qt.Key.Key_Backslash)
    canvas = two.halves_row.other.stage.canvas
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 200))

    qtbot.waitUntil(lambda: places(two)[1] == 0)
    assert two.session.position == 5


def test_one_tab_alone_is_opened_once_more(window: MainWindow, opened: Opened) -> None:
    window.resize(*WIDE)
    shown = opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    here = shown.tabs.open.current
    shown.actions_["split"].trigger()
    turn()

    assert len(shown.tabs.open.tabs) == 2
    assert shown.tabs.open.current == here
    assert shown.halves_row.other.isVisible()


def test_a_comparison_that_is_in_one_tab_says_so(window: MainWindow, opened: Opened) -> None:
    shown = opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    shown.actions_["split"].trigger()

    assert not shown.halves_row.other.isVisible()
    assert "No other tab is open" in shown.statusBar().currentMessage()


def test_a_tab_that_is_closed_leaves_the_other_alone(two: MainWindow) -> None:
    key(two, Qt.Key.Key_Backslash)
    two.side_by_side.close(two.tabs.halves.right)
    turn()

    assert not two.halves_row.other.isVisible()
    assert two.session.position == 20


def test_a_third_tab_is_seen_alone_and_the_two_are_there_again_after_it(two: MainWindow) -> None:
    front = two.tabs.open.current
    key(two, Qt.Key.Key_Backslash)
    two.actions_["own-tab"].trigger()
    turn()
    assert not two.halves_row.other.isVisible()

    two.side_by_side.choose(front)
    turn()
    assert two.halves_row.other.isVisible()


def test_they_stand_one_below_the_other_where_it_is_narrow_and_one_alone_where_it_is_small(
    two: MainWindow,
) -> None:
    key(two, Qt.Key.Key_Backslash)
    two.resize(1000, 768)
    turn()
    row = two.halves_row
    assert row.other.isVisible()
    assert row.other.geometry().y() > row.front.geometry().y()

    two.resize(960, 540)
    turn()
    assert not row.other.isVisible()
    two.resize(*WIDE)
    turn()
    assert row.other.isVisible()
    assert row.other.geometry().y() == row.front.geometry().y()


def test_another_language_keeps_what_is_seen(two: MainWindow) -> None:
    key(two, Qt.Key.Key_Backslash)
    two.settings.put("language", "zh")
    two.windows.speak_anew("language")
    turn()

    assert two.halves_row.other.isVisible()
    assert two.halves_row.other.session.position == 5
    assert "并排显示" in two.actions_["split"].text()
    two.settings.put("language", "en")
    two.windows.speak_anew("language")


@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((1244, 650), Split.BESIDE),
        ((980, 300), Split.BESIDE),
        ((979, 650), Split.STACKED),
        ((900, 479), Split.ONE),
    ],
)
def test_two_stand_side_by_side_from_a_centre_of_980_on_else_stacked(
    size: tuple[int, int], how: Split
) -> None:
    """Visual design, 21.4."""
    assert split(*size) is how
