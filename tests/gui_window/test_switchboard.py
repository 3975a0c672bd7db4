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
from gui.switchboard.table import SwitchTable
from gui.theme import load_theme
from gui.window.main_window import MainWindow
from gui.workspace import switchboard
from gui.workspace.simulating import Asked
from importers.load import load
from tests.archives import unpack_two_brokers

pytestmark = pytest.mark.broad(6)

FOUND: Callable[..., Any] = switchboard.FindProtections.answer


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, protections_apart: None) -> None:
    monkeypatch.setattr(switchboard.FindProtections, "answer", FOUND)


def cell(table: SwitchTable, row: int, column: int) -> QTableWidgetItem:
    found = table.item(row, column)
    assert found is not None
    return found


def said(table: SwitchTable, row: int) -> str:
    """What a screen reader says of a row."""
    return str(cell(table, row, 0).data(Qt.ItemDataRole.AccessibleTextRole))


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


def test_space_flips_and_flips_back(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    assert cell(table, 0, 0).text() == "truncation"
    assert cell(table, 0, 1).text() == "1"
    assert lost(window) == [0]
    assert said(table, 0).startswith("truncation: on.")

    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(window.session.traces) == 2)
    assert lost(window) == [0, 1]
    assert said(table, 0).startswith("truncation: off.")
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
    box = table.visualItemRect(cell(table, 0, 0))

    other = table.visualItemRect(cell(table, 1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert table.currentRow() == 1
    assert not window.jobs.asked()

    at = QPoint(box.left() + 30, box.center().y())
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


def test_the_switches_are_drawn_in_every_theme(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_board(window, qtbot)
    table = window.switchboard.panel.table
    box = table.visualItemRect(cell(table, 0, 0))

    for theme in ("light", "dark"):
        window.session.set_theme(theme)
        image = table.viewport().grab(box).toImage()
        # Above the middle: filled with the colour of text only where the switch is on.
        drawn = image.pixelColor(30, box.height() // 2 - 5)
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
