"""What a person adds is in the document before the window calls it saved, and nothing else is called so."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.errors import DocumentError
from core.message import message
from core.sweeping import found_documents
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import Document, create, open_document
from db.notes import Note
from gui.window.main_window import MainWindow
from gui.window.opening import offer_found
from gui.workspace import loading
from gui.workspace.edits import AddNote
from gui.workspace.pinned import PinnedNote
from tests.archives import unpack_recording
from tests.gui_window.conftest import Answers, triaged_once
from tests.recordings.whole import whole

Opened = Callable[[Callable[[], None]], MainWindow]
ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def incident() -> Trace:
    return whole("k28-unclean-loss").trace


@pytest.fixture
def night(tmp_path: Path, incident: Trace) -> Path:
    """A document of several partitions, with a note whose evidence is in none of its traces."""
    path = tmp_path / "night.tide"
    lost = replace(anchor_of(incident, 5), key="0" * 64)
    create(
        path,
        [incident],
        found=[triaged_once(incident)],
        notes=[Note(0, incident.name, lost, "of another log")],
    )
    return path


@pytest.fixture(params=[100, 10**9], ids=["large", "small"])
def large_from(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document counts as large, and as small."""
    monkeypatch.setattr(loading, "LARGE", request.param)


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of more than 100 events are read one partition at a time."""
    monkeypatch.setattr(loading, "LARGE", 100)


def add_note(window: MainWindow, text: str) -> None:
    session = window.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, session.cursors[0], text, 1)))


def add_five(window: MainWindow) -> list[str]:
    names = [f"note {number}" for number in range(5)]
    for name in names:
        add_note(window, name)
    return names


def save_as(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.store.saved, timeout=60_000):
        window.store.save(str(path))


def notes_in(path: Path) -> list[str]:
    with open_document(path) as document:
        return sorted(note.text for note in document.notes())


def open_it(window: MainWindow, opened: Opened, path: Path) -> None:
    opened(lambda: window.store.open_groups(((str(path),),)))


@pytest.mark.usefixtures("large_from")
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_document_that_is_gone_is_said_and_all_is_saved_elsewhere(
    qtbot: QtBot, window: MainWindow, opened: Opened, answers: Answers, night: Path, tmp_path: Path, how: str
) -> None:
    open_it(window, opened, night)
    add_note(window, "while it was there")
    window.store.settle()
    if how == "deleted":
        night.unlink()
    else:
        (tmp_path / "other").mkdir()
        other = tmp_path / "other" / "night.tide"
        with open_document(night) as document:
            create(other, [replace(document.trace(), name="another")])
        other.replace(night)

    with qtbot.waitSignal(window.store.missing, timeout=30_000):
        add_note(window, "after it was gone")

    assert window.session.unsaved
    assert window.session.unwritten == 1
    assert "Another file" in window.notices.text() or "deleted" in window.notices.text()
    if how == "replaced":
        assert notes_in(night) == []
    answers.save = str(tmp_path / "elsewhere.tide")
    window.stage.canvas.setFocus()
    with qtbot.waitSignal(window.store.saved, timeout=60_000):
        QTest.keyClick(window.stage.canvas, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    window.store.settle()
    assert notes_in(tmp_path / "elsewhere.tide") == sorted(
        ["of another log", "while it was there", "after it was gone"]
    )
    assert not window.session.unsaved


def test_what_could_not_be_written_is_said_asked_about_and_tried_again(
    qtbot: QtBot,
    window: MainWindow,
    opened: Opened,
    answers: Answers,
    night: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_it(window, opened, night)
    put_note = Document.put_note

    def full(_document: Document, _note: Note) -> Note:
        raise DocumentError(message("error.document.cannot-write"), why=message("system.sqlite.full"))

    monkeypatch.setattr(Document, "put_note", full)
    with qtbot.waitSignal(window.jobs.failed, timeout=30_000):
        add_note(window, "first")
    assert "disk is full" in window.notices.text()
    assert window.session.unsaved
    answers.notes = ""
    assert not window.close()
    monkeypatch.setattr(Document, "put_note", put_note)

    window.actions_["save"].trigger()
    window.store.settle()

    assert not window.session.unsaved
    assert notes_in(night) == ["first", "of another log"]


def test_a_note_made_just_before_the_window_closes_is_written_without_a_question(
    window: MainWindow, opened: Opened, answers: Answers, night: Path
) -> None:
    open_it(window, opened, night)
    answers.notes = ""
    add_note(window, "at the last moment")

    assert window.close()

    assert notes_in(night) == ["at the last moment", "of another log"]
    assert sorted(file.name for file in night.parent.iterdir() if "night" in file.name) == ["night.tide"]


_KILLED_WINDOW = """
import os, signal, sys
from pathlib import Path
from core.diagnose.verdict.check import triaged
from core.leftovers import scratch_folder
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from importers.load import load

scratch = scratch_folder()
path = scratch.path / "import.tide"
trace = load([Path(sys.argv[1])])
create(path, [trace], found=[triaged(trace)])
scratch.keep(path, "the night of the 5th")
with open_document(path, write=True) as document:
    for number in range(3):
        document.put_note(Note(0, trace.name, anchor_of(trace, number + 1), f"note {number}"))
    print(path, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.usefixtures("small_is_large")
def test_notes_of_an_import_that_a_killed_window_never_saved_are_offered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    child = subprocess.run(
        [sys.executable, "-c", _KILLED_WINDOW, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == -9, child.stderr
    left = Path(child.stdout.strip())
    offer_found(window.person, window.store)
    assert "the night of the 5th" in window.notices.text()

    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        next(one for one in window.notices.findChildren(QPushButton) if one.text() == "Open them").click()
    assert sorted(note.text for note in window.session.notes) == ["note 0", "note 1", "note 2"]
    assert window.session.unsaved
    assert found_documents() == ()

    save_as(qtbot, window, tmp_path / "saved.tide")
    assert notes_in(tmp_path / "saved.tide") == ["note 0", "note 1", "note 2"]
    window.close()
    assert not left.parent.exists()
    assert found_documents() == ()
