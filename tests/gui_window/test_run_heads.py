"""The heads over a comparison: another partition in place of one, swapped, closed, each where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.panels.parts import Elided
from gui.window.main_window import MainWindow
from gui.workspace.requests import Side
from gui.workspace.simulating import PAIR
from importers.load import load
from tests.archives import unpack_three_logs
from tests.gui_window.conftest import Answers

Opened = Callable[[Callable[[], object]], MainWindow]
pytestmark = [pytest.mark.broad(6), pytest.mark.qt_log_ignore("does not support propagateSizeHints")]


def eras(window: MainWindow) -> list[str]:
    content = window.session.content
    assert content is not None
    return [run.history.trace.facts["era"] for run in content.runs]


def heads(window: MainWindow) -> list[str]:
    return [head.partition.accessibleName() for head in window.run_heads.heads]


@pytest.mark.slow
def test_runs_are_swapped_and_closed_where_they_are(
    window: MainWindow, opened: Opened, answers: Answers
) -> None:
    opened(lambda: window.store.open_simulated("overview", ("2.8",)))
    assert not window.run_heads.isVisible()
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    first = list(PAIR)
    tabs = [tab.key for tab in window.tabs.open.tabs]
    traces = window.session.traces
    assert window.run_heads.isVisible()
    assert eras(window) == first
    assert heads(window) == [f"Run {number}: partition t-0" for number in range(1, len(PAIR) + 1)]

    assert "hw-loss, Kafka 0.10.2" in [one.text() for one in window.run_heads.heads[0].findChildren(Elided)]

    opened(lambda: window.run_heads.swap_wanted.emit(0))
    assert eras(window) == [first[1], first[0], *first[2:]]
    assert {id(trace.columns) for trace in window.session.traces} == {id(trace.columns) for trace in traces}
    opened(lambda: window.run_heads.close_wanted.emit(0))
    assert eras(window) == [first[0], *first[2:]]
    opened(lambda: window.run_heads.close_wanted.emit(0))
    assert eras(window) == first[2:]
    assert window.session.content is not None
    assert window.session.content.comparison is None
    assert not window.run_heads.isVisible()
    assert [tab.key for tab in window.tabs.open.tabs] == tabs, "all in the same tab"


def test_where_one_of_two_real_runs_is_closed_lanes_stay_in_sight(
    window: MainWindow, opened: Opened, tmp_path: Path
) -> None:
    trace = load([unpack_three_logs("k0102-hw-loss", tmp_path, tmp_path / "part")])
    sides = tuple(Side(name, trace) for name in ("orders-2", "orders-0"))
    opened(lambda: window.store.compare(sides))
    assert window.stage.canvas.isVisible()

    opened(lambda: window.run_heads.close_wanted.emit(1))

    content = window.session.content
    assert content is not None
    assert content.comparison is None
    assert window.stage.canvas.isVisible()
    assert not window.pages.incident.isVisible()


def test_any_partition_takes_the_place_of_a_run(
    window: MainWindow, opened: Opened, answers: Answers, qtbot: QtBot
) -> None:
    opened(lambda: window.store.open_simulated("overview", ("2.8",)))
    label = window.tabs.open.tabs[0].label
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    answers.choice = f"{label.what} — {label.of}"
    window.person.dialogs = answers.dialogs()
    opened(lambda: window.run_heads.partition_wanted.emit(1, ""))
    content = window.session.content
    assert content is not None
    scripts = ["overview" in run.history.trace.facts["script"] for run in content.runs]
    assert scripts == [False, True, *[False] * (len(PAIR) - 2)]


def test_a_low_window_leaves_the_height_to_the_lanes(window: MainWindow, opened: Opened) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    window.resize(960, 540)
    assert not window.run_heads.isVisible()
    assert window.actions_["swap-runs"].isEnabled()
    window.resize(1366, 768)
    assert window.run_heads.isVisible()
