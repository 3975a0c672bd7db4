"""The switchboard in the real window, by keys and by mouse."""

from collections import OrderedDict
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QTableWidgetItem
from pytestqt.qtbot import QtBot

from core.compare import align
from core.diagnose.verdict.check import triaged
from core.kafka.eras import era, with_switches
from core.picture import comparison as picture
from core.picture import messages
from core.sim.ablation import setup
from core.sim.library import scenario
from db.document import create
from gui.panels.lists import LedgerPanel
from gui.switchboard.cells import LEFT, SECOND, SHAPE, row_lines
from gui.switchboard.table import SwitchTable
from gui.theme import load_theme
from gui.window import causing
from gui.window.main_window import MainWindow
from gui.window.sides import FindingStrip
from gui.workspace import requests, simulating, switchboard
from gui.workspace.simulating import Asked
from importers.load import load
from tests.archives import unpack_two_brokers
from tests.by_hand import deliver

pytestmark = pytest.mark.broad(12)

FOUND: Callable[..., Any] = switchboard.FindProtections.answer
CAUSES: Callable[..., Any] = causing.FindCauses.answer


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


@pytest.fixture
def replayed_here(monkeypatch: pytest.MonkeyPatch, replay_once: None) -> None:
    """Runs of other tests are not shown again: what is kept between flips is kept by the program."""
    monkeypatch.setattr(requests, "replay", simulating.replay)
    monkeypatch.setattr(setup, "_RUNS", OrderedDict())


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Until what is open is painted, and nothing is left to do."""
    qtbot.waitUntil(lambda: not window.jobs.asked() and window.stage.canvas.answers)
    deliver()


def counted(patched: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[Any, ...]]:
    """What a function is called with from now on."""
    calls: list[tuple[Any, ...]] = []
    function = getattr(owner, name)

    def call(*asked: Any, **named: Any) -> Any:
        calls.append(asked)
        return function(*asked, **named)

    patched.setattr(owner, name, call)
    return calls


def test_a_flip_lays_each_run_out_once(
    found: None, replayed_here: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each part of the window that gets another size by what is open, nor for each that is told."""
    open_board(window, qtbot)
    settle(window, qtbot)
    placed = counted(monkeypatch, picture, "_placed")
    drawn = counted(monkeypatch, picture, "draw_lanes")
    asked = counted(monkeypatch, messages, "_words")

    flip(window, qtbot, ("truncation", "high-watermark"))
    settle(window, qtbot)
    assert len(placed) == 1
    assert [lanes[0].run for lanes, *_ in drawn] == [0, 1]

    asked.clear()
    flip(window, qtbot, ("acks", "all"))
    settle(window, qtbot)
    assert len(placed) == 2
    assert len(drawn) == 4
    # What the first run's followers asked is the same as before.
    content = window.session.content
    assert content is not None
    assert {id(history) for history, _ in asked} == {id(content.runs[1].history)}


def test_a_flip_lays_lanes_out_once_that_get_a_bar_to_scroll_them(
    found: None, replayed_here: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their width is that beside the bar, which is known before they are drawn."""
    open_board(window, qtbot, "three-broker-loss", "4.0")
    settle(window, qtbot)
    assert not window.stage.scrolls
    drawn = counted(monkeypatch, picture, "draw_lanes")

    flip(window, qtbot, ("unclean.leader.election.enable", "false"))
    settle(window, qtbot)
    assert window.stage.scrolls
    assert [lanes[0].run for lanes, *_ in drawn] == [0, 1]


def test_a_flip_opens_and_judges_the_new_run_alone(
    found: None, replayed_here: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_board(window, qtbot)
    before = window.session.content
    assert before is not None
    made, ran = counted(monkeypatch, align, "make_run"), counted(monkeypatch, setup, "simulate")

    flip(window, qtbot, ("epoch-entry", "first-write"))
    content = window.session.content
    assert content is not None
    assert content.runs[0].history is before.runs[0].history
    assert content.runs[0].verdict is before.runs[0].verdict
    assert [trace for trace, _ in made] == [content.runs[1].history.trace]
    assert len(ran) == 1

    flip(window, qtbot, ("epoch-entry", "first-write"))
    alone = window.session.content
    assert alone is not None
    assert alone.runs[0].history is before.runs[0].history
    assert (len(made), len(ran)) == (1, 1)


def test_what_is_responsible_is_found_in_the_runs_that_are_there(
    found: None,
    causes_apart: None,
    replayed_here: None,
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One flip is responsible alone: between the run without it and the run with it there is no other."""
    monkeypatch.setattr(causing.FindCauses, "answer", CAUSES)
    open_board(window, qtbot)
    settle(window, qtbot)
    ran = counted(monkeypatch, setup, "simulate")

    flip(window, qtbot, ("truncation", "high-watermark"))
    settle(window, qtbot)
    content = window.session.content
    assert content is not None
    assert content.comparison is not None
    assert content.comparison.causes
    assert len(ran) == 1


def test_a_flip_fills_no_panel_that_is_hidden(
    found: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings and ledger, in whose place the switches are: they are filled when they are seen again."""
    open_board(window, qtbot)
    ledger = window.findChild(LedgerPanel)
    assert ledger is not None
    filled = [counted(monkeypatch, type(one), "_fill") for one in (window.findings, ledger)]
    flip(window, qtbot, ("truncation", "high-watermark"))
    settle(window, qtbot)
    assert filled == [[], []]

    window.actions_["left-dock"].trigger()
    qtbot.waitUntil(ledger.isVisible)
    assert [len(calls) for calls in filled] == [1, 1]
    content = window.session.content
    assert content is not None
    assert window.findings.list.count() == sum(len(run.verdict.findings) for run in content.runs)


def test_a_flip_makes_each_sign_of_a_finding_once(
    found: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not again for notes, which a flip does not change."""
    open_board(window, qtbot)
    settle(window, qtbot)
    made = counted(monkeypatch, FindingStrip, "_button")

    flip(window, qtbot, ("truncation", "high-watermark"))
    settle(window, qtbot)
    names = [name for _, _, _, name in made]
    assert names.count(window.actions_["left-dock"].text()) == 1


def test_a_flip_makes_no_row_anew_but_those_that_are_flipped(
    found: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_board(window, qtbot)
    rows = counted(monkeypatch, SwitchTable, "_show")
    flip(window, qtbot, ("truncation", "high-watermark"))
    assert len(rows) == 1
    flip(window, qtbot, ("acks", "all"))
    # The figure of the first is that of both now.
    assert len(rows) == 3
    flip(window, qtbot, ("truncation", "high-watermark"))
    assert len(rows) == 5


def seen(window: MainWindow) -> dict[str, object]:
    """What is shown of runs and switches."""
    table, canvas = window.switchboard.panel.table, window.stage.canvas
    ledger = window.findChild(LedgerPanel)
    assert canvas.picture is not None
    assert ledger is not None
    window.findings.catch_up()
    ledger.catch_up()
    # Labels of what was open before are deleted in a turn of the loop of events.
    deliver()
    lines, columns = range(table.rowCount()), range(table.columnCount())
    return {
        "lanes": canvas.picture.layers,
        "alt": canvas.picture.alt,
        "legend": window.stage.legend.words(),
        "inspector": window.inspector.text(),
        "says": window.switchboard.panel.says.text(),
        "switches": [cell(table, line, 0).data(SHAPE) for line in lines],
        "rows": [said(table, *at) for at in product(lines, columns) if table.item(*at)],
        "heights": [table.rowHeight(line) for line in lines],
        "findings": [one.text() for one in window.findings.list.findItems("*", Qt.MatchFlag.MatchWildcard)],
        "ledger": [one.text() for one in ledger.findChildren(QLabel)],
        "heads": [head.partition.text() for head in window.run_heads.heads],
        "place": (window.transport.place.text(), window.transport.place_name.text()),
    }


@pytest.mark.slow
def test_after_flips_all_is_shown_as_in_a_window_that_never_saw_others(
    found: None, replayed_here: None, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mark by mark, and word by word: what is kept of the runs before is what these would give, too."""
    open_board(window, qtbot)
    for setting in (("acks", "all"), ("truncation", "high-watermark"), ("acks", "all")):
        flip(window, qtbot, setting)
        settle(window, qtbot)
    rules = era("2.8"), with_switches(era("2.8"), {"truncation": "high-watermark"})
    # The runs of the other window are its own.
    monkeypatch.setattr(setup, "_RUNS", OrderedDict())
    fresh = window.another()
    fresh.store.simulate(Asked(scenario("hw-loss"), rules))
    qtbot.waitUntil(lambda: fresh.session.content is not None)
    fresh.actions_["switchboard"].trigger()
    settle(fresh, qtbot)
    there, here = seen(fresh), seen(window)
    assert window.session.traces[0] is not fresh.session.traces[0]
    fresh.close()
    for part, shown in there.items():
        assert here[part] == shown, part
