"""The lanes under mouse and wheel while what they show changes."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.compare.comparison import Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.picture.marks import Picture, Ref, Text
from core.picture.timeline import TimelineView, lay_out
from gui.paint import paint
from gui.theme import load_theme
from gui.timeline import scenes
from gui.window.main_window import MainWindow
from gui.workspace.content import alone
from tests.bench.long_runs import long_run
from tests.core_picture.test_density import run_of

pytestmark = pytest.mark.broad(6)


def selected_by_a_click_on_a_name(window: MainWindow, run: int) -> Ref | None:
    """What is selected after a click on the name of a replica of a run, left of its lane."""
    lane = next(strip for strip in window.stage.canvas.strips if strip.run == run)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at = QPoint(20, round(lane.top + 12))
    QTest.mouseClick(window.stage.canvas.viewport(), left, none, at)
    return window.session.selection


def test_a_click_on_what_was_painted_before_selects_nothing(demo: MainWindow, qtbot: QtBot) -> None:
    """Behind another page the lanes of what was open stay painted until a turn after they are shown."""
    selected = selected_by_a_click_on_a_name(demo, run=2)
    assert selected is not None
    assert (selected.kind, selected.run) == ("lane", 2)
    demo.show_view("welcome")
    with qtbot.waitSignal(demo.store.opened, timeout=60_000):
        demo.store.open_simulated("overview", ("2.8",))
    content = demo.session.content
    assert content is not None
    assert len(content.runs) == 1

    assert selected_by_a_click_on_a_name(demo, run=2) is None

    qtbot.waitUntil(lambda: {strip.run for strip in demo.stage.canvas.strips} == {-1, 0})
    selected = selected_by_a_click_on_a_name(demo, run=0)
    assert selected is not None
    assert (selected.kind, selected.run) == ("lane", 0)


def test_a_click_on_a_count_shows_its_marks_apart(window: MainWindow, qtbot: QtBot) -> None:
    """A long run, zoomed out until its elections and cuts stand in a few pixels."""
    run = run_of(8_000)
    window.session.show(alone("long", run), (run.history.trace,))
    window.show_view("timeline")
    window.session.set_window((0, 200_000_000_000))
    qtbot.waitUntil(lambda: bool(counts_of(window)), timeout=20_000)
    count = counts_of(window)[0]
    assert count.ref is not None
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at = QPoint(round(count.x), round(count.y) - 3)
    QTest.mouseClick(window.stage.canvas.viewport(), left, none, at)
    shown = window.session.window
    assert shown is not None
    times = run.history.trace.columns["at"]
    first, last = int(times[count.ref.key]), int(times[count.ref.last])
    assert shown[0] <= first < last <= shown[1]
    assert shown[1] - shown[0] < 2 * (last - first)
    assert counts_of(window) == []


def counts_of(window: MainWindow) -> list[Text]:
    """The counts below marks that stand for several."""
    picture = window.stage.canvas.picture
    marks = picture.marks() if picture is not None else ()
    return [mark for mark in marks if isinstance(mark, Text) and mark.ref and mark.ref.kind == "group"]


def show_long_run(window: MainWindow) -> None:
    """Thirty replicas, more than have room."""
    trace = long_run(2_000, 30)
    run = Run("long run", None, open_history(trace, 0), PartitionVerdict(0))
    window.session.show(alone("long run", run), (trace,))
    window.show_view("timeline")


class LayoutsOf(QObject):
    """Counts how often something is asked to lay itself out anew."""

    def __init__(self, watched: QObject) -> None:
        super().__init__()
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - a name of Qt
        self.count += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)


@pytest.mark.slow
def test_a_step_lays_out_neither_the_window_nor_its_docks(window: MainWindow, qapp: QApplication) -> None:
    """What the panels say changes with each step; how large they are does not."""
    show_long_run(window)
    window.docks.drawer.show()
    positions = range(1_000, 1_040)
    for position in positions:
        window.session.set_position(position)
        qapp.processEvents()
    told = window.transport.place.text(), window.inspector.text()
    layouts = LayoutsOf(window)
    for position in reversed(positions):
        window.session.set_position(position)
        qapp.processEvents()
    assert told != (window.transport.place.text(), window.inspector.text())
    assert layouts.count == 0


@pytest.mark.slow
def test_a_pan_does_not_lay_out_the_window(window: MainWindow, qapp: QApplication) -> None:
    """The head of the partition says other times in each frame, in the room that it has."""
    show_long_run(window)
    times = window.session.traces[0].columns["at"]
    begin, whole = int(times[0]), int(times[-1] - times[0])

    def pan(number: int) -> str:
        first = begin + number * whole // 100
        window.session.set_window((first, first + whole // 4))
        qapp.processEvents()
        return window.partition_head.when.text()

    for number in range(20):
        pan(number)
    layouts = LayoutsOf(window)
    assert len({pan(number) for number in range(20)}) > 10
    assert layouts.count == 0


def test_what_is_opened_is_laid_out_once(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its notes and its cursor, not for each of them."""
    show_long_run(window)
    asked: list[object] = []

    def counted(view: TimelineView) -> Picture:
        asked.append(view.notes)
        return lay_out(view)

    monkeypatch.setattr(scenes, "lay_out", counted)
    show_long_run(window)
    assert len(asked) <= 2


def test_brokers_that_a_leader_remembers_stand_by_number(window: MainWindow) -> None:
    """Not as their texts would be sorted, 10 before 2."""
    show_long_run(window)
    window.session.set_position(1_000)
    explanation = window.inspector.explanation
    assert explanation is not None
    (table,) = explanation.tables
    followers = [int(row[0].rpartition(" ")[2]) for row in table.rows]
    assert len(followers) > 10
    assert followers == sorted(followers)


def test_a_step_keeps_what_stays(window: MainWindow) -> None:
    """The landmarks of the transport are painted once, and evidence says other words in the same cells."""
    show_long_run(window)
    window.docks.drawer.show()
    table, track = window.evidence.table, window.transport.track
    window.session.set_position(1_000)
    window.grab()
    cell, ground = table.item(0, 3), track.ground
    assert cell is not None
    said = set[str]()
    for position in range(1_001, 1_030):
        window.session.set_position(position)
        window.grab()
        assert table.item(0, 3) is cell
        assert track.ground is ground
        said.add(cell.text())
    assert len(said) > 1
    track.resize(track.width() + 20, track.height())
    window.grab()
    assert track.ground is not ground
    ground = track.ground
    show_long_run(window)
    window.grab()
    assert track.ground is not ground


@pytest.mark.slow
def test_the_cursor_is_in_lanes_that_come_into_sight(window: MainWindow, qtbot: QtBot) -> None:
    """It is given to the lanes in sight alone."""
    show_long_run(window)
    canvas, bar = window.stage.canvas, window.stage.lanes_bar
    qtbot.waitUntil(lambda: bar.maximum() > 0 and canvas.sheet.repaints > 0)
    window.session.set_position(1_000)
    bar.setValue(bar.maximum())
    window.session.set_position(1_500)
    window.grab()
    x = round(window.stage.cursor_point().x())
    low = [strip for strip in canvas.strips if strip.broker >= 0][-2]
    at = canvas.mapTo(window.stage, QPoint(x, round(low.top + low.bottom) // 2))
    shown = window.stage.grab(QRect(at - QPoint(1, 0), QSize(3, 1))).toImage()
    ink = load_theme(window.session.theme).colour("text")
    assert ink in [shown.pixelColor(place, 0) for place in range(3)]


@pytest.mark.slow
def test_after_pans_and_zooms_the_lanes_are_what_is_painted_anew(window: MainWindow, qtbot: QtBot) -> None:
    """Pixel by pixel, against the same run opened once more and painted at once."""
    ms = 1_000_000
    show_long_run(window)
    canvas, bar = window.stage.canvas, window.stage.lanes_bar
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for first in range(0, 500, 100):
        window.session.set_window((first * ms, (first + 800 - first // 2) * ms))
        bar.setValue(90 + first // 5)
        window.grab()
    look, theme = window.stage.look(), canvas.sheet.theme
    assert look.sight is not None
    assert theme is not None
    shown = canvas.viewport().grab().toImage()
    content = alone(
        "long run", Run("long run", None, open_history(long_run(2_000, 30), 0), PartitionVerdict(0))
    )
    anew = QImage(shown.size(), shown.format())
    anew.fill(theme.colour("bg.lane"))
    painter = QPainter(anew)
    paint(painter, scenes.TraceScene(content).picture(look), theme)
    painter.end()
    head, scrolled, width = round(canvas.stays), round(look.sight[0]), shown.width()
    lanes = QRect(0, scrolled + head, width, round(look.height) - head)
    assert scrolled > 0
    assert shown.copy(lanes) == anew.copy(lanes)
    assert shown.copy(0, scrolled, width, head) == anew.copy(0, 0, width, head)


@pytest.mark.slow
def test_only_a_lane_that_comes_into_sight_is_painted(window: MainWindow, qtbot: QtBot) -> None:
    show_long_run(window)
    canvas, bar = window.stage.canvas, window.stage.lanes_bar
    qtbot.waitUntil(lambda: bar.maximum() > 0 and canvas.sheet.repaints > 0)
    lanes = [strip for strip in canvas.strips if strip.broker >= 0]
    room = window.stage.look().height
    low = next(strip for strip in lanes if strip.top >= room)
    # One lane after the other comes into sight from below, and goes out of it above.
    bar.setValue(round(low.top - room) - 1)
    window.grab()
    painted = canvas.sheet.repaints
    bar.setValue(round(low.top - room) + 3)
    window.grab()
    assert canvas.sheet.repaints == painted + 1
    bar.setValue(round(low.top - room) + 5)
    window.grab()
    assert canvas.sheet.repaints == painted + 1


@pytest.mark.slow
def test_where_nothing_happens_a_click_goes_to_what_was_last(window: MainWindow, qtbot: QtBot) -> None:
    """In hw-loss under 0.10.2 nothing is done from 5.504 s to 10 s; B is down then, with its log up to 2."""
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.store.open_simulated("hw-loss", ("0.10.2",))
    qtbot.waitUntil(lambda: window.stage.canvas.picture is not None)
    window.session.set_window((6_000_000_000, 9_000_000_000))
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    lane = next(strip for strip in window.stage.canvas.strips if strip.broker == 2)
    at = QPoint(700, round(lane.bottom) - 3)
    QTest.mouseClick(window.stage.canvas.viewport(), left, none, at)
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    last = history.trace.event(window.session.cursors[0] - 1)
    assert last.at == 5_504_000_000
    picture = window.stage.canvas.picture
    assert picture is not None
    words = [mark.text for mark in picture.marks() if isinstance(mark, Text)]
    assert any("crashed" in text or "offline" in text for text in words), words
