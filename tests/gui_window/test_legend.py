"""The legend under the lanes has what is in sight, and nothing else."""

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.actions import ACTION
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from gui.workspace.simulating import PAIR
from tests.by_hand import settle
from tests.gui_window.conftest import Answers, anew
from tests.gui_window.test_monkey import hit_window

pytestmark = pytest.mark.broad(6)


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def shown_words(window: MainWindow, qtbot: QtBot) -> tuple[str, ...]:
    qtbot.waitUntil(lambda: bool(window.stage.legend.words()))
    window.stage.redraw()
    return window.stage.legend.words()


def test_lanes_whose_room_changes_with_each_layout_come_to_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the legend has a row more each second time: the window was laid out without end."""
    with hit_window(tmp_path) as (shown, clock):
        shown.resize(1600, 1600)
        shown.store.open_simulated("hw-loss", PAIR[:1])
        settle(shown.jobs, clock)
        legend, heights = shown.stage.legend, cycle((40, 80))
        monkeypatch.setattr(legend, "show_marks", lambda *_: legend.setFixedHeight(next(heights)))
        shown.actions_["timeline"].trigger()
        shown.actions_["legend"].trigger()

        # Raises where there are events without end.
        settle(shown.jobs, clock)

        assert legend.isVisible()


@pytest.mark.slow
def test_it_is_shown_by_a_key_and_follows_what_is_in_sight(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], qtbot: QtBot, qapp: QApplication
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.actions_["timeline"].trigger()
    legend, canvas = shown.stage.legend, shown.stage.canvas
    assert not legend.isVisible()

    canvas.setFocus()
    QTest.keySequence(canvas, QKeySequence(ACTION["legend"].keys[0]))
    assert legend.isVisible()
    every = shown_words(shown, qtbot)
    assert {"records lost", "log end offset", "high watermark", "quiet time, drawn narrow"} <= set(every)
    assert "acknowledged, acks=all" not in every
    assert len(every) == len(set(every))
    for words in every:
        assert words in legend.accessibleDescription()
    assert legend.height() >= 38

    content = shown.session.content
    assert content is not None
    times = content.runs[0].history.trace.columns["at"]
    shown.session.set_window((int(times[0]), int(times[0]) + 1_000_000_000))
    early = shown_words(shown, qtbot)
    # The overview has the loss still; the band of its leader is out of sight.
    assert "records lost" in early
    assert "committed, epoch 0" in set(every) - set(early)

    shown.actions_["legend"].trigger()
    qapp.processEvents()
    assert not legend.isVisible()
