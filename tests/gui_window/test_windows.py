"""Windows of one workspace: a tab goes to one of its own and back, and what holds for one holds for all."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.trace.trace import Trace
from db.document import create, open_document
from gui.i18n import use_language
from gui.window.main_window import MainWindow
from gui.workspace.edits import AddNote
from gui.workspace.pinned import PinnedNote
from gui.workspace.recall import from_text, remembered, to_text
from gui.workspace.simulating import PAIR
from tests.gui_window.conftest import Answers
from tests.recordings.whole import whole

Opened = Callable[[Callable[[], object]], MainWindow]
NAMES: Final = ("k28-unclean-loss", "k39-unclean-loss")

pytestmark = [pytest.mark.slow, pytest.mark.qt_log_ignore("does not support")]


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    return [whole(name).trace for name in NAMES]


@pytest.fixture
def two(window: MainWindow, opened: Opened, traces: list[Trace], tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a document of each recording; all windows are closed afterwards."""
    for name, trace in zip(NAMES, traces, strict=True):
        path = tmp_path / f"{name}.tide"
        create(path, [trace])
        opened(lambda path=path: window.opening.open_paths((str(path),)))
    yield window
    window.windows.close_all()


def turn() -> None:
    for _ in range(8):
        QApplication.processEvents()


def other_of(window: MainWindow) -> MainWindow:
    (other,) = window.windows.others(window)
    return cast("MainWindow", other)


def keys(window: MainWindow) -> list[int]:
    return [tab.key for tab in window.tabs.open.tabs]


def note(window: MainWindow, text: str) -> None:
    session = window.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 1, text, 1)))


@pytest.mark.slow
def test_a_tab_goes_to_a_window_of_its_own_and_back_with_all_that_is_in_it(
    two: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    document = tmp_path / f"{NAMES[1]}.tide"
    first, second = keys(two)
    two.session.set_position(7)
    trace = two.session.traces[0]
    note(two, "written in the first window")
    two.actions_["own-window"].trigger()
    turn()
    other = other_of(two)
    assert (keys(two), keys(other)) == ([first], [second])
    assert other.isVisible()
    assert "welcome" not in other.pages.made, "it would be left at once"
    assert other.session.traces[0] is trace, "it was not read again"
    assert other.session.position == 7
    assert other.session.path == str(document)
    assert [one.text for one in other.session.notes] == ["written in the first window"]
    assert two.session.notes == ()

    note(other, "in the second")
    other.session.undo.undo()
    other.session.undo.redo()
    other.session.undo.undo()
    other.session.undo.undo()
    assert other.session.notes == (), "what was done before is undone where it is now"
    other.session.undo.redo()
    other.store.settle()
    with open_document(document) as read:
        assert [one.text for one in read.notes()] == ["written in the first window"]

    other.actions_["other-window"].trigger()
    turn()
    assert keys(two) == [first, second]
    assert two.windows.open == (two,), "a window that is left empty is closed"
    assert two.session.traces[0] is trace
    note(two, "back again")
    two.store.settle()
    with open_document(document) as read:
        assert sorted(one.text for one in read.notes()) == ["back again", "written in the first window"]


def test_the_last_window_goes_on_when_the_first_is_closed(two: MainWindow) -> None:
    two.actions_["own-window"].trigger()
    other = other_of(two)
    assert two.close()
    assert other.windows.open == (other,)
    assert other.session.content is not None
    name = next(name for name in other.session.partitions if name != other.session.content.partition)
    other.opening.open_partition(name)
    other.desk.wait()
    assert other.session.content.partition == name
    other.windows.close_all()
    assert other.windows.open == ()


def test_a_tab_that_is_alone_stays(window: MainWindow, opened: Opened) -> None:
    opened(lambda: window.store.open_simulated("overview", PAIR))
    window.actions_["own-window"].trigger()
    assert window.windows.open == (window,)
    assert "alone in its window" in window.statusBar().currentMessage()
    window.actions_["other-window"].trigger()
    assert "no other window" in window.statusBar().currentMessage()


def test_tabs_of_a_document_go_together_and_others_each_by_itself(two: MainWindow, opened: Opened) -> None:
    two.actions_["own-tab"].trigger()
    turn()
    first, second, third = keys(two)
    two.actions_["own-window"].trigger()
    assert (keys(two), keys(other_of(two))) == ([first], [second, third])
    # A run of a script that nobody wrote on is there twice from then on.
    opened(lambda: two.store.open_simulated("overview", ("2.8",)))
    two.actions_["own-tab"].trigger()
    run, again = keys(two)[1:]
    two.windows.send(again, two, other_of(two))
    assert keys(two) == [first, run]
    note(two, "here alone")
    assert other_of(two).session.notes == ()
    two.windows.send(again, other_of(two), two)
    assert keys(two) == [first, run, again]
    assert two.session.notes == ()
    two.side_by_side.close(again)


def test_a_tab_is_dragged_out_of_its_row(two: MainWindow) -> None:
    bar, none, left = two.tab_row.bar, Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    first, second = keys(two)
    QTest.mousePress(bar, left, none, bar.tabRect(0).center())
    QTest.mouseRelease(bar, left, none, bar.tabRect(0).center() + QPoint(30, 20))
    assert keys(two) == [first, second], "it was let go in the row"
    QTest.mousePress(bar, left, none, bar.tabRect(1).center())
    QTest.mouseRelease(bar, left, none, bar.tabRect(1).center() + QPoint(0, 300))
    turn()
    assert (keys(two), keys(other_of(two))) == ([first], [second])


def test_a_partition_of_another_window_stands_beside_this_one(
    two: MainWindow, answers: Answers, qtbot: QtBot
) -> None:
    label = two.tabs.open.tabs[0].label
    two.actions_["own-window"].trigger()
    other = other_of(two)
    answers.choice = f"{label.what} — {label.of}"
    other.person.dialogs = answers.dialogs()
    with qtbot.waitSignal(other.store.opened):
        other.actions_["beside"].trigger()
    content = other.session.content
    assert content is not None
    assert content.comparison is not None
    traces = [run.history.trace.columns for run in content.runs]
    assert traces[1] is two.session.traces[0].columns


def test_what_another_window_has_open_is_shown_there_and_not_read(two: MainWindow, tmp_path: Path) -> None:
    two.actions_["own-window"].trigger()
    other = other_of(two)
    for name, window in zip(NAMES, (two, other), strict=True):
        for asking in (two, other):
            asking.opening.open_paths((str(tmp_path / f"{name}.tide"),))
            asking.desk.wait()
        assert len(window.tabs.open.tabs) == 1
    assert [len(one.desk.tabs.open.tabs) for one in two.windows.open] == [1, 1]


def test_back_leads_to_the_window_where_a_tab_went(two: MainWindow) -> None:
    first, second = keys(two)
    two.visits.settle()
    two.side_by_side.choose(first)
    two.visits.settle()
    two.windows.send(second, two, two.another())
    other = other_of(two)
    other.side_by_side.show_place()
    shown: list[str] = []
    other.come_forward = lambda: shown.append("other")
    two.actions_["visit-back"].trigger()
    assert shown == ["other"]


def test_theme_and_language_hold_for_all_windows(two: MainWindow) -> None:
    two.actions_["own-window"].trigger()
    other = other_of(two)
    other.actions_["theme"].trigger()
    assert two.session.theme == other.session.theme
    two.settings.put("language", "zh")
    two.windows.speak_anew("language")
    use_language("en")
    assert [one.actions_["inspector"].text() for one in (two, other)] == ["检查器"] * 2
    assert other.session.content is not None


def test_windows_come_back_after_a_kill(two: MainWindow, qtbot: QtBot) -> None:
    two.actions_["own-window"].trigger()
    other = other_of(two)
    other.session.set_position(5)
    text = to_text(remembered(*(desk.tabs for desk in two.windows.workspace.desks)))
    two.windows.send(keys(other)[0], other, two)
    for key in keys(two):
        two.side_by_side.close(key)
    what = from_text(text)
    assert what is not None
    two.side_by_side.restore(what)
    qtbot.waitUntil(lambda: "Restored" in two.notices.text())
    assert [len(one.desk.tabs.open.tabs) for one in two.windows.open] == [1, 1]
    assert other_of(two).session.position == 5
    two.notices.hide()


def test_the_menu_of_a_tab_says_in_words_what_can_be_done(window: MainWindow, opened: Opened) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    bar = window.tab_row.bar
    seen: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            seen.extend(action.text() for action in menu.actions())
            menu.close()

    QTimer.singleShot(0, look)
    bar.menu_wanted.emit(0, QPoint(0, 0))

    assert seen == ["Beside the tab in front", "To a window of its own", "Close this tab"]
