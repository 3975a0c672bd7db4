"""What a person adds is in the document before it is called saved, and nothing else is. No window is made."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.diagnose.verdict.check import triaged
from core.errors import Facts
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from gui.workspace import loading
from gui.workspace.desk import Desk
from gui.workspace.edits import AddNote
from gui.workspace.pinned import PinnedNote
from gui.workspace.workspace import Workspace
from tests.archives import unpack_recording
from tests.recordings.whole import whole

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Workspace() as workspace:
        yield workspace.new_desk()


@pytest.fixture(scope="module")
def incident() -> Trace:
    return whole("k28-unclean-loss").trace


@pytest.fixture
def night(tmp_path: Path, incident: Trace) -> Path:
    """A document of several partitions, with a note whose evidence is in none of its traces."""
    path = tmp_path / "night.tide"
    lost = replace(anchor_of(incident, 5), key="0" * 64)
    create(
        path, [incident], found=[triaged(incident)], notes=[Note(0, incident.name, lost, "of another log")]
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


def add_note(desk: Desk, text: str) -> None:
    session = desk.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, session.cursors[0], text, 1)))


def add_five(desk: Desk) -> list[str]:
    names = [f"note {number}" for number in range(5)]
    for name in names:
        add_note(desk, name)
    return names


def save_as(desk: Desk, path: Path) -> None:
    """Until the store says that it is saved, and not a moment longer."""
    saved: list[str] = []
    desk.store.saved.connect(saved.append)
    desk.store.save(str(path))
    desk.jobs.wait_for("save")
    assert saved == [str(path)]


def notes_in(path: Path) -> list[str]:
    with open_document(path) as document:
        return sorted(note.text for note in document.notes())


def open_it(desk: Desk, path: Path) -> None:
    failures: list[object] = []
    desk.jobs.failed.connect(failures.append)
    desk.store.open_groups(((str(path),),))
    desk.wait()
    assert failures == []
    assert desk.session.content is not None


@pytest.mark.usefixtures("large_from")
def test_save_as_has_every_note_at_the_moment_it_is_called_saved(
    desk: Desk, night: Path, tmp_path: Path
) -> None:
    open_it(desk, night)
    names = add_five(desk)

    save_as(desk, tmp_path / "copy.tide")

    expected = sorted([*names, "of another log"])
    assert notes_in(tmp_path / "copy.tide") == expected
    assert (tmp_path / "copy.tide").read_bytes()[18:20] == b"\1\1"
    add_note(desk, "one more")
    desk.store.settle()
    assert notes_in(tmp_path / "copy.tide") == sorted([*expected, "one more"])
    assert "one more" not in notes_in(night)


@pytest.mark.usefixtures("small_is_large")
def test_the_first_save_of_a_large_import_has_every_note(desk: Desk, tmp_path: Path) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    open_it(desk, folder)
    assert desk.session.path == ""
    assert desk.store.source
    names = add_five(desk)
    assert desk.session.unsaved

    save_as(desk, tmp_path / "saved.tide")

    assert notes_in(tmp_path / "saved.tide") == sorted(names)
    assert not desk.session.unsaved
    desk.store.show_partition("events-1")
    desk.wait()
    assert desk.session.content is not None
    assert desk.session.content.partition == "events-1"
    add_note(desk, "on another partition")
    desk.store.settle()
    assert notes_in(tmp_path / "saved.tide") == sorted([*names, "on another partition"])


@pytest.mark.usefixtures("large_from")
def test_save_as_onto_the_open_document_doubles_and_loses_nothing(desk: Desk, night: Path) -> None:
    open_it(desk, night)
    names = add_five(desk)
    desk.store.settle()

    save_as(desk, night)

    assert notes_in(night) == sorted([*names, "of another log"])
    add_note(desk, "after it")
    desk.store.settle()
    assert notes_in(night) == sorted([*names, "of another log", "after it"])


@pytest.mark.usefixtures("small_is_large")
def test_a_deleted_document_can_be_saved_under_its_own_name_again(desk: Desk, night: Path) -> None:
    open_it(desk, night)
    add_note(desk, "one")
    desk.store.settle()
    night.unlink()
    missing: list[Facts] = []
    desk.store.missing.connect(missing.append)
    add_note(desk, "two")
    desk.wait()
    assert missing

    save_as(desk, night)
    desk.store.settle()

    assert notes_in(night) == ["of another log", "one", "two"]
    assert not desk.session.unsaved


def test_a_note_does_not_go_into_a_document_that_took_the_place_of_the_open_one(
    desk: Desk, night: Path
) -> None:
    open_it(desk, night)
    command = [sys.executable, "-m", "gui.cli", "simulate", "hw-loss", "--era", "2.8", "-o", str(night)]
    done = subprocess.run([*command, "--replace"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    missing: list[Facts] = []
    desk.store.missing.connect(missing.append)
    add_note(desk, "of the incident")
    desk.wait()
    assert missing

    assert notes_in(night) == []
    assert desk.session.unsaved


def test_a_command_does_not_replace_a_document_with_notes_that_is_open(desk: Desk, night: Path) -> None:
    open_it(desk, night)
    names = add_five(desk)
    desk.store.settle()
    command = [sys.executable, "-m", "gui.cli", "simulate", "hw-loss", "--era", "2.8", "-o", str(night)]

    refused = subprocess.run([*command, "--replace"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert refused.returncode == 2
    assert "open for writing elsewhere" in refused.stderr
    add_note(desk, "after it")
    desk.store.close()
    assert notes_in(night) == sorted([*names, "of another log", "after it"])


def test_a_note_without_a_place_can_be_deleted_and_stays_deleted(
    desk: Desk, night: Path, tmp_path: Path
) -> None:
    open_it(desk, night)
    (lost,) = desk.session.notes
    assert lost.cursor is None
    desk.session.drop_note(lost.key)
    desk.store.settle()
    assert notes_in(night) == []
    desk.session.put_note(lost)
    desk.store.settle()
    assert notes_in(night) == ["of another log"]
    save_as(desk, tmp_path / "copy.tide")
    with open_document(tmp_path / "copy.tide") as document:
        assert document.notes()[0].anchor.key == "0" * 64


@pytest.mark.usefixtures("small_is_large")
def test_a_large_import_after_a_named_document_keeps_its_own_notes(
    desk: Desk, night: Path, tmp_path: Path
) -> None:
    open_it(desk, night)
    add_note(desk, "in the document")
    desk.store.settle()
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    open_it(desk, folder)
    names = add_five(desk)
    desk.store.show_partition("events-1")
    desk.wait()
    assert desk.session.content is not None
    assert desk.session.content.partition == "events-1"

    assert sorted(note.text for note in desk.session.notes) == names
    assert notes_in(night) == ["in the document", "of another log"]
    save_as(desk, tmp_path / "saved.tide")
    assert notes_in(tmp_path / "saved.tide") == names
