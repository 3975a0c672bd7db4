"""Where docks are and how large: as they were left, over a restart, by view; and the first layout again."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.window.grip import Grip
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.workspace.simulating import PAIR
from tests.monkey import going_back

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.broad(3)]

Place = tuple[bool, bool, Qt.DockWidgetArea, int]


def places(window: MainWindow) -> list[Place]:
    """Of the left, right and lower dock: whether it is shown and floats, its side, its size."""
    QApplication.processEvents()
    return [
        (
            not dock.isHidden(),
            dock.isFloating(),
            window.dockWidgetArea(dock),
            0 if dock.isHidden() else dock.height() if dock is window.docks.drawer else dock.width(),
        )
        for dock in (window.docks.left, window.docks.right, window.docks.drawer)
    ]


def alike(one: list[Place], other: list[Place]) -> bool:
    """Sizes may differ by what rounding takes."""
    return all(a[:3] == b[:3] and abs(a[3] - b[3]) <= 4 for a, b in zip(one, other, strict=True))


@pytest.fixture
def started(qtbot: QtBot, undressed: None, settings: Settings) -> Callable[[], MainWindow]:
    """A new window with the same settings: the program is started again."""

    def start() -> MainWindow:
        window = MainWindow(settings, going_back())
        # The screen of the offscreen platform is smaller than what was remembered.
        window.resize(1600, 1000)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        return window

    return start


Started = Callable[[], MainWindow]


def show(qtbot: QtBot, window: MainWindow, *, eras: tuple[str, ...] = ("2.8",)) -> None:
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.store.open_simulated("hw-loss", eras)


@pytest.mark.slow
def test_docks_are_where_they_were_left_at_the_next_start(qtbot: QtBot, started: Started) -> None:
    window = started()
    show(qtbot, window)
    window.resizeDocks([window.docks.right], [440], Qt.Orientation.Horizontal)
    window.docks.left.hide()
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks.drawer)
    window.docks.panels.setSizes([100, 300, 100])
    left = places(window)
    assert left[1][3] > 430
    window.close()

    again = started()
    show(qtbot, again)
    assert alike(places(again), left), (places(again), left)
    again.close()


@pytest.mark.slow
def test_each_view_has_its_own_layout(qtbot: QtBot, started: Started) -> None:
    window = started()
    show(qtbot, window)
    window.docks.right.hide()
    timeline = places(window)
    show(qtbot, window, eras=PAIR)
    comparison = places(window)
    assert comparison[1][0]
    assert not comparison[0][0]
    window.actions_["welcome"].trigger()
    assert not any(place[0] for place in places(window))
    window.actions_["compare"].trigger()
    assert alike(places(window), comparison)
    show(qtbot, window)
    assert alike(places(window), timeline)
    window.close()


@pytest.mark.slow
def test_what_is_looked_for_is_no_part_of_the_layout(qtbot: QtBot, started: Started) -> None:
    window = started()
    show(qtbot, window)
    assert not window.docks.drawer.isHidden()
    window.actions_["find"].trigger()
    assert window.docks.drawer.isHidden()
    window.close()

    again = started()
    show(qtbot, again)
    assert again.finder.isHidden()
    assert not again.docks.drawer.isHidden()
    again.close()


@pytest.mark.slow
def test_reset_layout_is_the_layout_of_the_first_start(qtbot: QtBot, started: Started) -> None:
    window = started()
    show(qtbot, window)
    first = places(window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.docks.right)
    window.docks.drawer.setFloating(True)
    window.docks.left.hide()
    assert not alike(places(window), first)

    window.actions_["reset-layout"].trigger()
    assert alike(places(window), first), (places(window), first)
    window.close()

    again = started()
    show(qtbot, again)
    assert alike(places(again), first)
    again.close()


def test_a_layout_that_cannot_be_read_is_the_first_one(
    qtbot: QtBot, settings: Settings, started: Started
) -> None:
    settings.put("layout-timeline", b"no layout")
    settings.put("panels", b"none")
    window = started()
    show(qtbot, window)
    assert [place[0] for place in places(window)] == [True, True, True]
    window.close()


def test_a_dock_is_torn_off_and_put_back_by_its_grip(qtbot: QtBot, started: Started) -> None:
    window = started()
    show(qtbot, window)
    grip = window.docks.right.titleBarWidget()
    assert isinstance(grip, Grip)
    assert grip.height() == 8

    QTest.mouseDClick(grip, Qt.MouseButton.LeftButton)
    assert window.docks.right.isFloating()
    assert grip.height() == 28
    QApplication.processEvents()

    QTest.mouseDClick(grip, Qt.MouseButton.LeftButton)
    assert not window.docks.right.isFloating()
    window.close()
