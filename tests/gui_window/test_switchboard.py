"""The switchboard in the real window, by keys and by mouse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QTableWidgetItem
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.check import triaged
from core.kafka.eras import era
from core.sim.library import scenario
from db.document import create
from gui.switchboard.cells import LEFT, SECOND, row_lines
from gui.switchboard.table import SwitchTable
from gui.theme import load_theme
from gui.window.main_window import MainWindow
from gui.workspace import switchboard
from gui.workspace.simulating import Asked
from importers.load import load
from tests.archives import unpack_two_brokers

pytestmark = pytest.mark.broad(12)

FOUND: Callable[..., Any] = switchboard.FindProtections.answer


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, protections_apart: None) -> None:
    monkeypatch.setattr(switchboard.FindProtections, "answer", FOUND)


def cell(table: SwitchTable, row: int, column: int) -> QTableWidgetItem:
    found = table.item(row, column)
    assert found is not None
    return found


def said(table: SwitchTable, row: int, column: int = 0) -> str:
    """What a screen reader says of a cell."""
    return str(cell(table, row, column).data(Qt.ItemDataRole.AccessibleTextRole))


def line_of(window: MainWindow, *settings: tuple[str, str]) -> int:
    """The line of the table with the row that flips these."""
    panel = window.switchboard.panel
    place = next(place for place, row in enumerate(panel.rows) if row.settings == settings)
    return panel.table.line_of(place)


def flip(window: MainWindow, qtbot: QtBot, *settings: tuple[str, str]) -> int:
    """Flip a row by keys; gives its line."""
    panel = window.switchboard.panel
    assert panel.board is not None
    before = panel.board.flipped
    line = line_of(window, *settings)
    panel.table.setCurrentCell(line, 0)
    qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: panel.board is not None and panel.board.flipped != before)
    return line


FIRST = 1
"""The line of the first row, below the head of its group."""


def open_board(window: MainWindow, qtbot: QtBot, name: str = "hw-loss", era_id: str = "2.8") -> None:
    window.store.simulate(Asked(scenario(name), (era(era_id),)))
    qtbot.waitUntil(lambda: window.session.content is not None)
    window.actions_["switchboard"].trigger()
    qtbot.waitUntil(lambda: bool(window.switchboard.panel.rows))


def lost(window: MainWindow) -> list[int]:
    content = window.session.content
    assert content is not None
    panel = window.switchboard.panel
    assert panel.board is not None
    outcomes = (panel.board.outcome, panel.board.flipped_outcome)
    assert len(content.runs) == sum(one is not None for one in outcomes)
    return [one.records_lost for one in outcomes if one is not None]


@pytest.mark.slow
def test_space_flips_and_flips_back(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    assert cell(table, 0, 0).text() == "Truncation"
    assert cell(table, FIRST, 0).text().startswith("The answer to a fetch says where the logs part")
    assert said(table, FIRST, 2) == "1 lost"
    assert lost(window) == [0]
    assert "cuts there: on." in said(table, FIRST)

    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(window.session.traces) == 2)
    assert lost(window) == [0, 1]
    assert "cuts there: off. off: a follower cuts to its own high watermark" in said(table, FIRST)
    assert table.hasFocus() or window.focusWidget() is table
    assert window.switchboard.isVisible()
    assert "flipped: lost 1," in window.switchboard.panel.says.text()

    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(window.session.traces) == 1)
    assert lost(window) == [0]


def test_a_click_on_a_switch_flips_it_and_beside_it_selects(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    box = table.visualItemRect(cell(table, FIRST, 0))

    other = table.visualItemRect(cell(table, FIRST + 1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert table.currentRow() == FIRST + 1
    assert not window.jobs.asked()

    at = QPoint(box.left() + 30, box.top() + 23)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: len(window.session.traces) == 2)
    assert lost(window) == [0, 1]


def test_backspace_flips_all_back(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(window.session.traces) == 2)

    qtbot.keyClick(table, Qt.Key.Key_Backspace)

    qtbot.waitUntil(lambda: len(window.session.traces) == 1)


def test_another_release_has_its_own_figures(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    panel = window.switchboard.panel
    panel.era.setCurrentIndex(0)

    panel.era.activated.emit(0)
    qtbot.waitUntil(lambda: panel.board is not None and panel.board.setup.era.id == "0.10.2")
    qtbot.waitUntil(lambda: bool(panel.rows))

    assert lost(window) == [1]


def test_logs_are_told_why_there_are_no_switches(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], tmp_path: Path
) -> None:
    recorded = load([unpack_two_brokers(tmp_path)])
    create(tmp_path / "logs.tide", [recorded], found=[triaged(recorded)])
    opened(lambda: window.store.open_groups(((str(tmp_path / "logs.tide"),),)))
    window.actions_["switchboard"].trigger()

    assert "was read from logs" in window.switchboard.panel.says.text()
    assert window.switchboard.panel.table.isHidden()


def test_closing_it_puts_the_findings_back(found: None, window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1600, 900)
    open_board(window, qtbot)
    assert window.docks.left.isHidden()

    window.actions_["switchboard"].trigger()

    assert window.switchboard.isHidden()
    assert not window.docks.left.isHidden()


@pytest.mark.slow
def test_the_switches_are_drawn_in_every_theme(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    box = table.visualItemRect(cell(table, FIRST, 0))

    for theme in ("light", "dark"):
        window.session.set_theme(theme)
        image = table.viewport().grab(box).toImage()
        # Above the middle: filled with the colour of text only where the switch is on.
        drawn = image.pixelColor(30, 18)
        ink = load_theme(theme).colour("text")
        assert abs(drawn.lightness() - ink.lightness()) < 16, theme


def test_when_another_language_is_chosen_it_can_be_opened_again(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    open_board(window, qtbot)
    window.settings.put("language", "zh")
    window.speak_anew("language")
    window.actions_["switchboard"].trigger()

    qtbot.waitUntil(lambda: bool(window.switchboard.panel.rows))
    assert "运行" in window.switchboard.panel.says.text() or "未翻转" in window.switchboard.panel.says.text()
    window.settings.put("language", "en")
    window.speak_anew("language")


def test_of_several_flips_the_figure_is_that_of_all_and_of_each_alone(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    """hw-loss in 2.8 loses by the old rule of truncation; acks=all alone costs nothing, and does not help."""
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    flip(window, qtbot, ("truncation", "high-watermark"))
    line = flip(window, qtbot, ("acks", "all"))

    assert lost(window) == [0, 1]
    assert said(table, line, 2) == "1 lost this one alone: 0"
    assert (
        said(table, line_of(window, ("truncation", "high-watermark")), 2) == "1 lost this one alone: 1 lost"
    )
    content = window.session.content
    assert content is not None
    assert [one.title for one in content.runs] == [
        "Kafka 2.8",
        "Kafka 2.8, truncation=high-watermark, acks=all",
    ]


def test_a_flip_that_keeps_a_step_from_coming_about_says_which(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    """three-broker-loss waits until C leads, which only an unclean election brings about."""
    open_board(window, qtbot, "three-broker-loss", "4.0")
    table = window.switchboard.panel.table
    line = flip(window, qtbot, ("unclean.leader.election.enable", "false"))
    panel = window.switchboard.panel
    assert panel.board is not None
    assert panel.board.lacking is not None
    number, step = panel.board.lacking

    assert scenario("three-broker-loss").steps[number - 1].until is not None
    assert f"step {number} ({step}) does not come about" in panel.says.text()
    assert said(table, line, 2).endswith(f"without step {number}")


def test_a_flip_after_which_a_follower_asks_for_ever_says_so(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    """Without an entry of its own election A cannot say where B's epoch ends: out of range each time."""
    open_board(window, qtbot, "stale-epoch-file", "3.5")
    panel = window.switchboard.panel
    assert "again and again" not in panel.says.text()
    flip(window, qtbot, ("epoch-entry", "first-write"))

    assert "B asks A again and again" in panel.says.text()


def test_only_what_matters_hides_what_changes_nothing(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    panel = window.switchboard.panel
    every = panel.table.rowCount()
    panel.matters.click()

    shown = [
        panel.rows[place]
        for line in range(panel.table.rowCount())
        if (place := panel.table.place_at(line)) >= 0
    ]
    assert panel.table.rowCount() < every
    assert {one.effect.name for one in shown} <= {"WORSE", "BETTER"}


def test_enter_opens_the_script_in_which_a_flip_does_most(
    found: None, window: MainWindow, qtbot: QtBot
) -> None:
    open_board(window, qtbot)
    panel = window.switchboard.panel
    line = line_of(window, ("truncation", "high-watermark"))
    worst = said(panel.table, line, 3)
    panel.table.setCurrentCell(line, 0)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: len(window.session.traces) == 2)
    assert panel.board is not None
    assert worst.endswith(panel.board.setup.scenario.id)
    assert panel.board.flipped == (("truncation", "high-watermark"),)
    before, after = lost(window)
    assert after > before


@pytest.mark.parametrize("width", [960, 1366])
def test_rows_of_one_rule_are_told_apart_where_there_is_little_room(
    window: MainWindow, qtbot: QtBot, found: None, width: int
) -> None:
    """They have one promise, and differ in what off means."""
    window.resize(width, 540)
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    qtbot.waitUntil(lambda: table.columnWidth(0) > LEFT)

    rows = [table.item(line, 0) for line in range(table.rowCount()) if table.place_at(line) >= 0]
    wide = table.columnWidth(0)
    told = [row_lines(one.text(), str(one.data(SECOND)), wide) for one in rows if one is not None]

    assert len(told) > 10
    assert len(set(told)) == len(told)
    first = told[:3]
    assert len({promise for promise, _ in first}) == 1
    assert not [lines for one in first for lines in one if lines[-1].endswith("…")]
