"""What the window shows in the room that it has, and that nothing is out of reach in any."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from core.picture.marks import Text
from db.document import create
from gui.actions import ACTIONS
from gui.welcome.page import WelcomePage
from gui.window.main_window import MainWindow
from gui.window.reflow import LEAST, Side, reflow
from gui.window.settings_dialog import SettingsDialog
from gui.window.text_size import asked_for, use_text_size
from gui.workspace.simulating import PAIR
from tests.by_hand import settle
from tests.gui_window.conftest import triaged_once
from tests.gui_window.test_monkey import hit_window
from tests.recordings.whole import sampled

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "does not support propagateSizeHints"),
    pytest.mark.broad(32),
]

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.mark.parametrize(
    ("width", "side", "drawer", "rail"),
    [
        (960, Side.WHOLE, Side.WHOLE, False),
        (1151, Side.WHOLE, Side.WHOLE, False),
        (1152, Side.OVER, Side.BESIDE, True),
        (1366, Side.OVER, Side.BESIDE, True),
        (1599, Side.OVER, Side.BESIDE, True),
        (1600, Side.BESIDE, Side.BESIDE, True),
        (5120, Side.BESIDE, Side.BESIDE, True),
    ],
)
def test_each_width_has_its_parts(*, width: int, side: Side, drawer: Side, rail: bool) -> None:
    room = reflow(width, 1000)
    assert (room.side, room.drawer) == (side, drawer)
    assert (room.rail, room.jumps, room.status, room.gutter) == (rail, rail, rail, rail)
    assert room.crumbs == (width >= 1600)


@pytest.mark.parametrize("width", [960, 1280, 1920])
def test_a_low_window_has_a_low_head(width: int) -> None:
    assert [(room.head, room.overview) for room in (reflow(width, 639), reflow(width, 640))] == [
        (False, False),
        (True, True),
    ]
    assert reflow(width, 860).drawer_opens == (width >= 1152)
    assert not reflow(width, 859).drawer_opens


def test_cells_are_closed_at_first_where_a_narrow_window_is_low() -> None:
    assert [reflow(1599, high).cells_open for high in (799, 800)] == [False, True]
    assert reflow(1600, 700).cells_open


def shown_at(window: MainWindow, width: int, height: int) -> MainWindow:
    window.resize(width, height)
    for _ in range(8):
        QApplication.processEvents()
    return window


@pytest.fixture
def one(opened: Opened, window: MainWindow) -> MainWindow:
    """One run, so that there is one partition and all its docks."""
    return opened(lambda: window.store.open_simulated("hw-loss", ("2.8",)))


def test_docks_without_room_are_strips_and_open_over_the_lanes(one: MainWindow, qtbot: QtBot) -> None:
    docks = one.docks
    assert not docks.left.isHidden()
    assert one.right_strip.isHidden()
    shown_at(one, 1366, 768)
    lanes = one.stage.width()
    assert docks.left.isHidden()
    assert docks.right.isHidden()
    assert one.right_strip.isVisible()
    assert one.left_strip.isVisible()
    assert lanes == 1366 - 48 - 44 - 30

    (inspector, _) = one.right_strip.findChildren(QWidget, "upright")
    qtbot.mouseClick(inspector, Qt.MouseButton.LeftButton)
    assert docks.right.isVisible()
    assert docks.right.width() == 356
    assert docks.right.geometry().right() == 1366 - 30 - 1
    assert one.stage.width() == lanes
    one.actions_["left-dock"].trigger()
    assert (docks.left.isVisible(), docks.right.isVisible()) == (True, False)
    one.actions_["clear"].trigger()
    assert docks.left.isHidden()

    shown_at(one, 1600, 1000)
    assert (docks.left.isVisible(), docks.right.isVisible(), docks.drawer.isVisible()) == (True, True, True)
    assert not docks.right.isFloating()
    assert one.rail_bar.isVisible()


def test_in_the_least_window_they_cover_the_lanes_and_leave_the_strips(one: MainWindow) -> None:
    shown_at(one, *LEAST)
    lanes = one.views.geometry()
    for dock, action in ((one.docks.right, "inspector"), (one.docks.drawer, "evidence")):
        one.actions_[action].trigger()
        assert dock.size() == lanes.size()
        assert one.right_strip.visibleRegion().boundingRect().width() == 30
        one.actions_[action].trigger()
        assert dock.isHidden()


def test_what_was_laid_out_beside_the_lanes_comes_back(one: MainWindow) -> None:
    one.docks.left.hide()
    one.resizeDocks([one.docks.right], [440], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    shown_at(one, *LEAST)
    shown_at(one, 1600, 1000)
    assert one.docks.left.isHidden()
    assert abs(one.docks.right.width() - 440) <= 4


def test_the_rail_is_a_menu_and_the_head_is_in_the_title_bar(one: MainWindow) -> None:
    assert one.title_bar.views.isHidden()
    shown_at(one, *LEAST)
    assert one.rail_bar.isHidden()
    menu = one.title_bar.views.menu()
    views = ("welcome", "incident", "timeline", "compare", "triage", "lessons", "scenario", "report")
    assert {one.actions_[view] for view in views} <= set(menu.actions())
    assert one.title_bar.isAncestorOf(one.partition_head)
    assert one.partition_head.isVisible()
    one.actions_["lessons"].trigger()
    assert not one.partition_head.isVisible()
    one.actions_["timeline"].trigger()
    shown_at(one, 960, 640)
    assert one.shown.isAncestorOf(one.partition_head)
    assert one.partition_head.isVisible()


def test_the_transport_keeps_previous_next_and_a_menu_of_all_jumps(one: MainWindow) -> None:
    transport = one.transport
    assert transport.jump.isHidden()
    shown_at(one, *LEAST)
    assert {name for name, button in transport.moves.items() if button.isVisible()} == {"back", "forward"}
    assert not any(button.isVisible() for button in transport.jumps.values())
    jumps = {spec.id for spec in ACTIONS if spec.id.startswith(("next-", "previous-"))}
    other = {f"{way}-{what}" for way in ("next", "previous") for what in ("pane", "hit", "anchor", "tab")}
    in_menu = {action.objectName() for action in transport.jump.menu().actions()}
    assert in_menu >= jumps - other | {"first", "last", "play", "slower", "faster"}
    before = one.session.position
    transport.moves["back"].click()
    assert one.session.position == before - 1


def test_a_narrow_gutter_has_name_and_log_end_alone(one: MainWindow) -> None:
    def in_gutter() -> list[str]:
        look, picture = one.stage.look(), one.stage.canvas.picture
        assert picture is not None
        lanes = [strip.top for strip in one.stage.canvas.strips if strip.broker >= 0]
        texts = (mark for mark in picture.marks() if isinstance(mark, Text))
        return [mark.text for mark in texts if mark.x < look.gutter and mark.y > min(lanes)]

    one.actions_["last"].trigger()
    assert {"LEO", "HW", "ISR"} <= set(in_gutter())
    shown_at(one, *LEAST)
    assert one.stage.look().gutter == 64
    said = in_gutter()
    assert {"broker A", "broker B", "LEO", "2"} <= set(said)
    assert not {"HW", "ISR"} & set(said)


@pytest.fixture
def night(opened: Opened, window: MainWindow, tmp_path: Path) -> MainWindow:
    """The recorded loss: brokers 2 and 1 cut their logs, then broker 3, the last that held 49 records."""
    trace = sampled("k0102-hw-loss")
    create(tmp_path / "night.tide", [trace], found=[triaged_once(trace)])
    opened(lambda: window.store.open_groups(((str(tmp_path / "night.tide"),),)))
    window.show_view("timeline")
    return window


def whole_in_sight(window: MainWindow) -> set[int]:
    """The brokers whose lanes are seen from top to bottom."""
    stage = window.stage
    top = stage.lanes_bar.value()
    seen = (top + stage.canvas.stays, top + stage.lanes_bar.pageStep())
    lanes = [strip for strip in stage.canvas.strips if strip.broker >= 0]
    return {strip.broker for strip in lanes if seen[0] <= strip.top and strip.bottom <= seen[1]}


@pytest.mark.slow
@pytest.mark.parametrize("height", [800, 720])
def test_the_lane_that_the_evidence_is_about_is_whole_in_sight(night: MainWindow, height: int) -> None:
    night.actions_["first"].trigger()
    shown_at(night, 1280, height)
    night.actions_["next-loss"].trigger()
    shown_at(night, 1280, height)
    assert night.docks.drawer.isHidden()
    night.actions_["evidence"].trigger()
    shown_at(night, 1280, height)
    assert night.stage.scrolls
    assert 3 in whole_in_sight(night)

    # Beside the open drawer each jump brings its lane.
    night.actions_["first"].trigger()
    cuts = set[int]()
    for _ in range(6):
        night.actions_["next-truncation"].trigger()
        line = next(row.place for row in night.evidence.rows if row.seq is not None)
        cut = int(line.partition("/broker-")[2][0])
        assert cut in whole_in_sight(night)
        cuts.add(cut)
    assert cuts == {1, 2, 3}

    # Who scrolled away stays where he looks.
    night.stage.lanes_bar.setValue(night.stage.lanes_bar.maximum())
    shown_at(night, 1280, height + 40)
    assert night.stage.lanes_bar.value() == night.stage.lanes_bar.maximum()


def test_cells_that_are_closed_for_want_of_room_open_when_somebody_asks(one: MainWindow) -> None:
    shown_at(one, 1366, 768)
    assert one.stage.cells.isHidden()
    one.actions_["cells"].trigger()
    assert one.stage.cells.isVisible()
    assert one.settings.get("cells") is True
    shown_at(one, 1600, 1000)
    assert one.stage.cells.isVisible()


def all_of(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if isinstance(part := action.menu(), QMenu):
            yield from all_of(part)
        else:
            yield action


@pytest.mark.parametrize("size", [(960, 540), (1280, 720), (1366, 768), (1920, 1080)])
def test_every_action_is_in_a_menu_that_can_be_opened(one: MainWindow, size: tuple[int, int]) -> None:
    shown_at(one, *size)
    logo = one.title_bar.logo
    assert logo.visibleRegion().boundingRect() == logo.rect()
    found = {action.objectName() for action in all_of(one.menu)}
    # A finding is a row of the list, and the palette has all of them.
    assert {spec.id for spec in ACTIONS if not spec.id.startswith("finding-")} == found
    assert one.title_bar.search.visibleRegion().boundingRect() == one.title_bar.search.rect()


def test_a_window_that_is_too_small_is_scrolled_to_its_last_corner(one: MainWindow) -> None:
    shown_at(one, 640, 360)
    assert one.size().toTuple() == (640, 360)
    assert one.centre.width() == 960
    across, down = one._scrolled.across, one._scrolled.down
    assert across.isVisible()
    assert down.isVisible()
    for bar in (across, down):
        bar.setValue(bar.maximum())
    for _ in range(4):
        QApplication.processEvents()
    status = one.statusBar()
    corner = status.mapTo(one, QPoint(status.width(), status.height()))
    assert (corner.x(), corner.y()) == (640 - across.height(), 360 - down.width())
    one.title_bar._export.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    place = one.title_bar._export.mapTo(one, QPoint(0, 0))
    assert QRect(0, 0, 630, 350).contains(QRect(place, one.title_bar._export.size()))
    shown_at(one, *LEAST)
    assert across.isHidden()
    assert down.isHidden()
    assert one.title_bar.mapTo(one, QPoint(0, 0)) == QPoint(0, 0)


@pytest.mark.parametrize(
    ("width", "height", "room"), [(640, 400, 960), (1366, 500, 1366 - 10 - 48), (700, 800, 960)], ids=str
)
def test_a_window_that_becomes_too_small_comes_to_rest(
    tmp_path: Path, width: int, height: int, room: int
) -> None:
    """Its parts were laid out for 640 and for 960 pixels in turns, or with and without a bar beside them."""
    with hit_window(tmp_path) as (window, clock):
        for name, eras in (("hw-loss", PAIR), ("overview", ("2.8",))):
            window.store.open_simulated(name, eras)
            settle(window.jobs, clock)
        window.resize(width, height)
        # Raises where there are events without end.
        settle(window.jobs, clock)
        central = window.centralWidget()
        assert central is not None
        assert central.width() == room


def test_a_window_that_is_scrolled_holds_no_items_of_its_layout(one: MainWindow) -> None:
    """Qt deletes them and Python hears nothing: the next object at such an address ended the program."""
    for key in ("language", "zone"):
        shown_at(one, 640, 360)
        one.speak_anew(key)
    assert one._scrolled.across.isVisible()
    assert "QWidgetItem" not in shiboken6.dump(one.layout())


def test_no_items_are_held_of_the_cards_that_are_put_elsewhere(qtbot: QtBot) -> None:
    """A layout that is put into another one with what it holds makes Python keep its items."""
    before = {id(one) for one in shiboken6.getAllValidWrappers()}
    page = WelcomePage(tuple)
    qtbot.addWidget(page)

    made = [one for one in shiboken6.getAllValidWrappers() if id(one) not in before]
    held = [one.widget() for one in made if isinstance(one, QWidgetItem)]

    assert page._scenarios
    assert not set(page._scenarios) & set(held)


@pytest.fixture
def back_to_hundred(qapp: QApplication) -> Iterator[None]:
    yield
    use_text_size(round(100 / asked_for()), lambda: None)


def places(window: MainWindow) -> list[tuple[str, QRect]]:
    seen = [widget for widget in window.findChildren(QWidget) if widget.isVisible()]
    return [(type(one).__name__, QRect(one.mapTo(window, QPoint(0, 0)), one.size())) for one in seen]


@pytest.mark.usefixtures("back_to_hundred")
@pytest.mark.parametrize(
    ("size", "percent", "laid_out"),
    [((1920, 1080), 150, (1280, 720)), ((1920, 1080), 200, (960, 540)), ((3840, 2160), 300, (1280, 720))],
)
def test_a_scale_is_laid_out_as_a_smaller_screen(
    one: MainWindow, size: tuple[int, int], percent: int, laid_out: tuple[int, int]
) -> None:
    shown_at(one, *laid_out)
    wanted = places(one)
    shown_at(one, *size)
    assert use_text_size(percent, one.dress_anew)
    shown_at(one, *laid_out)
    assert one.devicePixelRatioF() == percent / 100
    assert places(one) == wanted


@pytest.mark.slow
@pytest.mark.usefixtures("back_to_hundred")
def test_the_text_size_holds_at_once_and_the_window_stays_as_large(one: MainWindow) -> None:
    one.actions_["settings"].trigger()
    (dialog,) = one.findChildren(SettingsDialog)
    box = dialog.boxes["text_size"]
    for percent in (150, 200, 300, 85, 100):
        box.setCurrentIndex(box.findData(percent))
        for _ in range(12):
            QApplication.processEvents()
        ratio = one.devicePixelRatioF()
        assert ratio == percent / 100
        assert (dialog.isVisible(), dialog.later.text()) == (True, "")
        grabbed = one.grab().size()
        assert abs(grabbed.width() - 1600) <= ratio
        assert abs(grabbed.height() - 1000) <= ratio
    assert one.size().toTuple() == (1600, 1000)
    assert one.docks.room == reflow(1600, 1000)
    assert one.settings.get("text_size") == 100
    dialog.close()


_AT_192_DPI = """
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from gui.app import application
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.window.text_size import use_text_size
app = application()
window = MainWindow(Settings(QSettings("settings.ini", QSettings.Format.IniFormat)))
window.resize(960, 540)
window.show()
def say():
    for _ in range(12):
        app.processEvents()
    print(window.devicePixelRatioF(), window.grab().size().toTuple(), window._scrolled.across.isVisible())
say()
use_text_size(150, window.dress_anew)
say()
use_text_size(100, window.dress_anew)
say()
window.close()
"""


@pytest.mark.slow
def test_the_text_size_comes_on_top_of_what_the_desktop_has(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_FONT_DPI": "192", "QT_QPA_PLATFORM": "offscreen"}
    environment["PYTHONPATH"] = str(Path.cwd())
    run = subprocess.run(
        [sys.executable, "-c", _AT_192_DPI],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    assert run.stdout.splitlines() == [
        "2.0 (1920, 1080) False",
        "3.0 (1920, 1080) True",
        "2.0 (1920, 1080) False",
    ]
