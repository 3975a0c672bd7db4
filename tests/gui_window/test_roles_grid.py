"""The grid of brokers and partitions: roles at the cursor or at a chosen moment, by mouse and by keys."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.compare.script import step_cursors
from core.diagnose.verdict.check import triaged
from core.diagnose.verdict.summary import Triage
from core.kafka.eras import era
from core.picture.grid import GridCell, grid_cell_marks
from core.picture.hatch import Rect
from core.picture.marks import Mark
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import TopicPartition
from core.trace.trace import Partition
from gui.theme import load_theme
from gui.triage import grid_model
from gui.triage.grid import RolesGrid
from gui.triage.model import TriageModel
from gui.triage.page import TriagePage
from gui.triage.rows import table_of
from gui.window.main_window import MainWindow
from gui.workspace.content import Moment

pytestmark = [pytest.mark.qt_log_ignore("does not support propagateSizeHints"), pytest.mark.broad(6)]
Opened = Callable[[Callable[[], None]], MainWindow]
UNREAD = "replica, role not read"


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow, opened: Opened) -> TriagePage:
    """The grid of `overview`, with all of its rows read."""
    opened(lambda: window.store.open_simulated("overview", ("0.11",)))
    window.actions_["triage"].trigger()
    window.pages.triage.as_grid.click()
    qtbot.waitUntil(lambda: not any(UNREAD in text for row in said(window.pages.triage) for text in row))
    return window.pages.triage


def said(page: TriagePage) -> list[list[str]]:
    """By partition name what a screen reader says of each cell, after the name."""
    model = page.grid.model
    rows = [
        [
            str(model.index(row, broker).data(Qt.ItemDataRole.AccessibleTextRole))
            for broker in range(model.columnCount())
        ]
        for row in range(model.rowCount())
    ]
    return sorted(rows)


def press(page: TriagePage, key: Qt.Key, qtbot: QtBot) -> None:
    qtbot.keyClick(page.grid.cells, key)


def test_the_grid_shows_the_roles_at_the_cursor_and_follows_it(window: MainWindow, page: TriagePage) -> None:
    # `overview` ends with A as the leader of the first partition again.
    assert said(page)[0][0] == "t-0, broker A: leader, epoch 2"

    content = window.session.content
    assert content is not None
    before = step_cursors(window.session.traces[0])[2]
    window.session.set_position(content.place(Moment(0, before)))
    assert said(page) == [
        [
            f"t-{partition}, broker {broker}: "
            + ("leader, epoch 0" if "ABC"[partition] == broker else "follower, in sync, epoch 0")
            for broker in "ABC"
        ]
        for partition in range(3)
    ]
    assert page.grid.at.text() == "Roles at 00:00:01.500, at the cursor"


def test_a_click_on_brokers_over_time_chooses_a_moment_and_escape_leaves_it(
    qtbot: QtBot, window: MainWindow, page: TriagePage
) -> None:
    # A is down from 1.5 s to 9.0 s of 11.0: the middle of the strip is within.
    now = said(page)
    middle = QPoint(72 + (page.strip.width() - 88) // 2, 10)
    qtbot.mouseClick(page.strip, Qt.MouseButton.LeftButton, pos=middle)
    assert [row[0].partition(": ")[2] for row in said(page)] == ["offline, in sync"] * 3
    assert "chosen above" in page.grid.at.text()
    assert page.strip.moment is not None

    qtbot.keyClick(page.strip, Qt.Key.Key_Escape)
    assert said(page) == now
    page.as_list.click()
    assert page.strip.moment is None


def test_enter_opens_the_partition_at_the_moment(qtbot: QtBot, window: MainWindow, page: TriagePage) -> None:
    page.strip.moment_chosen.emit(9_000_500_000)
    page.focus()
    assert QApplication.focusWidget() is page.grid.cells
    press(page, Qt.Key.Key_Down, qtbot)
    press(page, Qt.Key.Key_Right, qtbot)
    assert page.grid.cells.currentIndex().column() == 1
    row = page.selected()
    assert row is not None
    assert page.rows.currentIndex().row() == page.grid.cells.currentIndex().row() == 1

    with qtbot.waitSignal(window.store.partition_shown, timeout=20_000):
        press(page, Qt.Key.Key_Return, qtbot)

    content = window.session.content
    assert content is not None
    assert content.partition == row.name
    history = content.runs[0].history
    at = history.time_of(window.session.cursors[0])
    following = int(history.trace.columns["at"][history.seqs[window.session.position]])
    assert at is not None
    assert at <= 9_000_500_000 < following


def test_the_grid_has_the_rows_that_the_field_leaves(qtbot: QtBot, page: TriagePage) -> None:
    page.find()
    qtbot.keyClicks(page.field, "t-2")

    assert [row[2].partition(",")[0] for row in said(page)] == ["t-2"]
    qtbot.keyClick(page.field, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is page.grid.cells


@pytest.fixture(scope="module")
def found() -> tuple[Triage, Partition]:
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    return triaged(trace), trace.partitions[0]


@pytest.mark.slow
def test_of_a_hundred_thousand_rows_only_those_in_sight_are_made_and_wanted(
    qtbot: QtBot, found: tuple[Triage, Partition]
) -> None:
    triage, partition = found
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    many = range(100_000)
    summaries = tuple(replace(triage.summaries[0], partition=index) for index in many)
    partitions = [Partition(TopicPartition("topic", index), partition.replicas) for index in many]
    rows = TriageModel()
    grid = RolesGrid(rows)
    qtbot.addWidget(grid)
    rows.show(table_of(Triage(summaries, ()), partitions))
    grid.show_trace(trace)
    grid.set_theme(load_theme("light"))
    painted: list[int] = []
    cell = grid.model.cell
    grid.model.cell = lambda row, column: (painted.append(row.place), cell(row, column))[1]  # type: ignore[method-assign]
    grid.resize(800, 600)
    with qtbot.waitSignal(grid.histories_wanted, timeout=10_000) as wanted:
        grid.show()
        grid.show_moment(Moment(0), chosen=False)
    assert wanted.args is not None
    assert 15 < len(wanted.args[0]) < 30

    qtbot.waitUntil(lambda: bool(painted))
    assert len(set(painted)) < 40
    painted.clear()
    with qtbot.waitSignal(grid.histories_wanted, timeout=10_000):
        grid.cells.verticalScrollBar().setValue(50_000)
    qtbot.waitUntil(lambda: bool(painted))
    assert all(50_000 < place < 50_040 for place in painted)


def test_cells_that_look_alike_are_painted_once(
    qtbot: QtBot, found: tuple[Triage, Partition], monkeypatch: pytest.MonkeyPatch
) -> None:
    triage, partition = found
    many = range(2_000)
    summaries = tuple(replace(triage.summaries[0], partition=index) for index in many)
    rows = TriageModel()
    grid = RolesGrid(rows)
    qtbot.addWidget(grid)
    rows.show(
        table_of(
            Triage(summaries, ()),
            [Partition(TopicPartition("topic", index), partition.replicas) for index in many],
        )
    )
    grid.show_trace(simulate(scenario("hw-loss"), era("0.10.2")))
    grid.set_theme(load_theme("light"))
    painted: list[object] = []

    def counted(cell: GridCell | None, rect: Rect) -> tuple[Mark, ...]:
        painted.append(cell)
        return grid_cell_marks(cell, rect)

    monkeypatch.setattr(grid_model, "grid_cell_marks", counted)
    grid.resize(800, 600)
    grid.show_moment(Moment(0), chosen=False)
    grid.grab()
    # A leader and a follower that was not read; the first row may be the current one.
    once = len(painted)
    assert once <= 2 * len(set(painted))
    for place in (30, 900, 1_500):
        grid.cells.verticalScrollBar().setValue(place)
        light = grid.grab().toImage()
    assert len(painted) == once
    grid.set_theme(load_theme("dark"))
    assert grid.grab().toImage() != light
    assert len(painted) > once


@pytest.mark.slow
def test_the_grid_is_remembered(window: MainWindow, page: TriagePage, qtbot: QtBot) -> None:
    other = MainWindow(window.settings)
    qtbot.addWidget(other)
    assert other.pages.triage.as_grid.isChecked()
    assert other.pages.triage.views.currentWidget() is other.pages.triage.grid
    page.as_list.click()
    third = MainWindow(window.settings)
    qtbot.addWidget(third)
    assert third.pages.triage.views.currentWidget() is third.pages.triage.rows
