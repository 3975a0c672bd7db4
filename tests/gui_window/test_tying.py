"""Moments of two runs that a person says are the same: made, undone, forgotten, kept in the document."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.picture.marks import Ref
from db.document import open_document
from db.ties import cursors_of
from gui.window.main_window import MainWindow
from gui.workspace.content import Content
from tests.gui_window.conftest import Answers, anew

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def content_of(window: MainWindow) -> Content:
    assert window.session.content is not None
    return window.session.content


@pytest.fixture
def two(window: MainWindow, opened: Opened) -> MainWindow:
    """The loss and the fix: the third event of one is at another stop than the ninth of the other."""
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2", "2.8")))
    first, second = cursors(window)
    content = content_of(window)
    assert content.position_of(0, first) != content.position_of(1, second)
    return window


def cursors(window: MainWindow) -> tuple[int, int]:
    """Behind the third event of the first run, and behind the ninth of the second."""
    first, second = (run.history.seqs for run in content_of(window).runs)
    return int(first[2]) + 1, int(second[8]) + 1


def choose(window: MainWindow, run: int) -> None:
    window.session.select(Ref("event", run, cursors(window)[run] - 1, 1))


def tie(window: MainWindow, qtbot: QtBot) -> None:
    """By keys, at an event of each run."""
    for run in (1, 0):
        choose(window, run)
        qtbot.keyClick(window.stage.canvas, Qt.Key.Key_Equal)
    qtbot.waitUntil(lambda: bool(content_of(window).ties))


@pytest.mark.slow
def test_two_events_are_tied_and_stand_at_one_stop_until_it_is_undone(two: MainWindow, qtbot: QtBot) -> None:
    before, pair = content_of(two), cursors(two)
    tie(two, qtbot)
    content = content_of(two)
    assert content.ties == (pair,)
    assert content.position_of(0, pair[0]) == content.position_of(1, pair[1])
    assert content.comparison is not None
    assert content.comparison.stops[content.position_of(0, pair[0])].cursors == pair

    two.actions_["undo"].trigger()
    assert content_of(two) is before
    two.actions_["redo"].trigger()
    assert content_of(two) is content


@pytest.mark.slow
def test_a_tie_that_was_begun_is_forgotten_by_escape(two: MainWindow, qtbot: QtBot) -> None:
    choose(two, 0)
    qtbot.keyClick(two.stage.canvas, Qt.Key.Key_Equal)
    assert dict(two.session.tie) == {0: cursors(two)[0]}
    assert "2" in two.statusBar().currentMessage()
    qtbot.keyClick(two.stage.canvas, Qt.Key.Key_Escape)
    assert not two.session.tie


def test_ties_that_cross_are_refused_with_a_sentence(two: MainWindow, qtbot: QtBot) -> None:
    tie(two, qtbot)
    first, second = (run.history.seqs for run in content_of(two).runs)
    # Later in the first run, and before the tie in the second.
    two.session.tie = {1: int(second[4]) + 1}
    two.session.select(Ref("event", 0, int(first[6]), 1))
    two.actions_["tie"].trigger()
    qtbot.waitUntil(two.notices.isVisible)
    assert "cross each other" in two.notices.text()
    assert len(content_of(two).ties) == 1


@pytest.mark.slow
def test_ties_are_kept_in_the_document_and_there_when_it_is_opened_again(
    two: MainWindow, qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    path = tmp_path / "two.tide"
    tie(two, qtbot)
    assert two.session.unsaved
    pair = cursors(two)
    with qtbot.waitSignal(two.store.saved, timeout=20_000):
        two.store.save(str(path))
    assert not two.session.unsaved

    two.actions_["untie"].trigger()
    qtbot.waitUntil(lambda: not content_of(two).ties)
    two.actions_["undo"].trigger()
    qtbot.waitUntil(lambda: not two.jobs.asked())
    opened(lambda: two.store.open_groups(((str(path),),)))
    assert content_of(two).ties == (pair,)

    two.actions_["untie"].trigger()
    qtbot.waitUntil(lambda: not content_of(two).ties and not two.jobs.asked())
    with open_document(path) as document:
        assert not cursors_of(document.ties(), two.session.traces)
