"""Bookmarks: names for positions, kept like notes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.picture.marks import Box
from db.document import create, open_document
from gui.timeline.scenes import placed_notes
from gui.window.main_window import MainWindow
from gui.workspace import loading
from gui.workspace.pinned import BOOKMARK, PinnedNote
from tests.gui_window.conftest import Answers, anew, triaged_once
from tests.recordings.whole import whole

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def bookmark(window: MainWindow, position: int) -> PinnedNote:
    window.session.set_position(position)
    window.stage.canvas.setFocus()
    QTest.keyClick(window.stage.canvas, Qt.Key.Key_B)
    made = window.session.note(window.session.selection.key) if window.session.selection else None
    assert made is not None
    assert made.kind == BOOKMARK
    return made


@pytest.mark.slow
def test_a_bookmark_is_set_where_the_cursor_is_and_only_once(demo: MainWindow) -> None:
    session = demo.session
    made = bookmark(demo, 7)
    assert session.note_position(made) == 7
    assert bookmark(demo, 7) == made
    assert len(session.notes) == 1
    assert session.unsaved
    assert demo.notes.list.count() == 1
    assert demo.inspector.head.name.text() == "Bookmark"


@pytest.mark.slow
def test_a_bookmark_is_named_deleted_undone_and_redone(demo: MainWindow) -> None:
    session = demo.session
    bookmark(demo, 7)
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_F2)
    QTest.keyClicks(demo.note_editor.field, "where it goes wrong")
    QTest.keyClick(demo.note_editor.field, Qt.Key.Key_Return)
    assert [(note.text, note.kind) for note in session.notes] == [("where it goes wrong", BOOKMARK)]
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Delete)
    assert session.notes == ()
    demo.actions_["undo"].trigger()
    assert [note.text for note in session.notes] == ["where it goes wrong"]
    demo.actions_["undo"].trigger()
    assert session.notes[0].text != "where it goes wrong"
    demo.actions_["undo"].trigger()
    assert session.notes == ()
    demo.actions_["redo"].trigger()
    assert session.notes[0].kind == BOOKMARK


@pytest.mark.slow
def test_bookmarks_are_jumped_to_both_ways(demo: MainWindow) -> None:
    for place in (20, 5):
        bookmark(demo, place)
    demo.session.set_position(0)
    seen: list[int] = []
    for key in (Qt.Key.Key_Period, Qt.Key.Key_Period, Qt.Key.Key_Comma):
        QTest.keyClick(demo.stage.canvas, key)
        seen.append(demo.session.position)
    assert seen == [5, 20, 5]


@pytest.mark.slow
def test_a_bookmark_has_no_number_and_is_drawn_as_a_notch(demo: MainWindow) -> None:
    bookmark(demo, 7)
    demo.session.set_position(9)
    demo.actions_["note"].trigger()
    QTest.keyClicks(demo.note_editor.field, "a note")
    QTest.keyClick(demo.note_editor.field, Qt.Key.Key_Return)
    assert [(note.number, note.position) for note in placed_notes(demo.session)] == [(0, 7), (1, 9)]
    picture = demo.stage.canvas.picture
    assert picture is not None
    notches = [
        mark
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.text.startswith("bookmark: ")
    ]
    assert [mark.h for mark in notches] == [9.0]


@pytest.mark.slow
def test_bookmarks_survive_the_partitions_of_a_large_document(
    qtbot: QtBot, window: MainWindow, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "LARGE", 100)
    trace = whole("k28-unclean-loss").trace
    path = tmp_path / "night.tide"
    create(path, [trace], found=[triaged_once(trace)])
    opened(lambda: window.store.open_groups(((str(path),),)))
    bookmark(window, 12)
    for name in ("events-1", "events-0"):
        with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
            window.opening.open_partition(name)
    (kept,) = window.session.notes
    assert (kept.kind, window.session.note_position(kept)) == (BOOKMARK, 12)
    window.close()
    with open_document(path) as document:
        assert [note.kind for note in document.notes()] == ["bookmark"]
