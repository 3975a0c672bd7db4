"""A large document is read one partition at a time; what a person writes on any of them stays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.diagnose.check import triaged
from db.document import create, open_document
from gui import loading
from gui.edits import AddNote
from gui.main_window import MainWindow
from gui.opening import open_partition
from gui.session import PinnedNote
from importers.load import load
from tests.archives import unpack_recording

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A document of several partitions that counts as large."""
    monkeypatch.setattr(loading, "LARGE", 100)
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    trace = load([folder])
    create(tmp_path / "night.tide", [trace], found=[triaged(trace)])
    return tmp_path / "night.tide"


def add_note(window: MainWindow, text: str) -> None:
    session = window.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, session.cursors[0], text, 1)))


def shown(window: MainWindow) -> str:
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    return str(history.trace.partitions[history.partition].tp)


def go(qtbot: QtBot, window: MainWindow, partition: str) -> None:
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        open_partition(window, partition)
    assert shown(window) == partition


def test_it_opens_with_its_partitions_and_reads_one_of_them(
    window: MainWindow, opened: Opened, night: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))

    assert window.views.currentWidget() is window.triage
    assert shown(window) == "events-0"
    with open_document(night) as document:
        assert len(window.session.traces[0]) == len(document.partition_trace(None, "events-0"))
        assert len(window.session.traces[0]) < len(document.trace())


def test_notes_on_every_partition_are_kept(
    qtbot: QtBot, window: MainWindow, opened: Opened, night: Path, tmp_path: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))
    add_note(window, "on the first")
    go(qtbot, window, "events-1")
    add_note(window, "on the second")
    go(qtbot, window, "events-0")

    here = {note.text: window.session.note_position(note) is not None for note in window.session.notes}
    assert here == {"on the first": True, "on the second": False}

    copy = tmp_path / "copy.tide"
    with qtbot.waitSignal(window.store.saved, timeout=30_000):
        window.store.save(str(copy))
    add_note(window, "after it was saved")
    window.close()
    with open_document(copy) as document:
        assert [note.text for note in document.notes()] == [
            "on the first",
            "on the second",
            "after it was saved",
        ]
        assert document.unresolved() == ()
    with open_document(night) as document:
        assert [note.text for note in document.notes()] == ["on the first", "on the second"]
