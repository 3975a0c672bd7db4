"""The legend under the lanes has what is in sight, and nothing else."""

from collections.abc import Callable

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.actions import ACTION
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from tests.gui_window.conftest import Answers, anew

pytestmark = pytest.mark.broad(6)


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def shown_words(window: MainWindow, qtbot: QtBot) -> tuple[str, ...]:
    qtbot.waitUntil(lambda: bool(window.stage.legend.words()))
    window.stage.redraw()
    return window.stage.legend.words()


def test_what_it_explains_does_not_depend_on_its_own_height(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], qtbot: QtBot, qapp: QApplication
) -> None:
    """Higher by a row it hid a mark, was then lower by that row, and showed it again, without end."""
    shown = opened(lambda: window.store.open_simulated("overview", ("2.8",)))
    shown.resize(1280, 640)
    shown.actions_["legend"].trigger()
    before = shown_words(shown, qtbot)
    legend, bar = shown.stage.legend, shown.stage._scroll.verticalScrollBar()

    for value in range(0, bar.maximum() + 1, 10):
        bar.setValue(value)
        told = list[tuple[str, ...]]()
        for more in (0, 40, 80):
            legend.setFixedHeight(40 + more)
            qapp.processEvents()
            bar.setValue(value)
            shown.stage.redraw()
            told.append(legend.words())
        assert told[1:] == told[:-1], value
    assert before


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
