"""What is responsible comes into the window when it is found, and moves nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.kafka.eras import era
from core.sim.library import scenario
from gui.window import causing
from gui.window.main_window import MainWindow
from gui.workspace.simulating import Asked

pytestmark = pytest.mark.broad(3)

FOUND: Callable[..., Any] = causing.FindCauses.answer


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, causes_apart: None) -> None:
    monkeypatch.setattr(causing.FindCauses, "answer", FOUND)


def shown(window: MainWindow) -> str:
    explanation = window.inspector.explanation
    return "" if explanation is None else explanation.text()


def open_runs(window: MainWindow, qtbot: QtBot, name: str, *eras: str) -> None:
    window.store.simulate(Asked(scenario(name), tuple(map(era, eras))))
    qtbot.waitUntil(lambda: window.session.content is not None)


def has_causes(window: MainWindow) -> bool:
    content = window.session.content
    return content is not None and content.comparison is not None and bool(content.comparison.causes)


@pytest.mark.slow
def test_the_inspector_names_the_responsible_switch(found: None, window: MainWindow, qtbot: QtBot) -> None:
    """KAFKA-15583 in s8, 3.6 beside 3.7: it was said that the runs decide alike."""
    open_runs(window, qtbot, "s8", "3.6", "3.7")
    qtbot.waitUntil(lambda: has_causes(window), timeout=20_000)

    content = window.session.content
    assert content is not None
    assert content.comparison is not None
    assert content.comparison.first is not None
    assert window.session.position == content.comparison.first.stop
    told = shown(window)
    assert "Made by hw-below-min-isr: moves | stands" in told
    assert "Responsible for the outcome" in told
    assert "Lost: offsets 1 and 2, committed | offset 1, committed" in told


def test_where_one_is_stays_when_they_come(found: None, window: MainWindow, qtbot: QtBot) -> None:
    open_runs(window, qtbot, "hw-loss", "0.10.2", "0.11")
    window.session.set_position(3)
    qtbot.waitUntil(lambda: has_causes(window), timeout=20_000)

    assert window.session.position == 3


def test_what_was_closed_meanwhile_stays_closed(window: MainWindow, qtbot: QtBot) -> None:
    open_runs(window, qtbot, "s8", "3.6", "3.7")
    content = window.session.content
    assert content is not None
    assert content.comparison is not None
    made = FOUND(causing.FindCauses(content.comparison), causing.Work())
    window.session.close()

    window.causing._show(content, made)

    assert window.session.content is None


def test_nothing_is_told_anew_but_what_they_are(window: MainWindow, qtbot: QtBot) -> None:
    """Told as another content they made every part of the window anew, the lanes too."""
    open_runs(window, qtbot, "s8", "3.6", "3.7")
    content = window.session.content
    assert content is not None
    assert content.comparison is not None
    made = FOUND(causing.FindCauses(content.comparison), causing.Work())
    told: list[object] = []
    window.session.content_changed.connect(told.append)

    window.causing._show(content, made)

    assert told == []
    assert has_causes(window)
    assert "Responsible for the outcome" in shown(window)
