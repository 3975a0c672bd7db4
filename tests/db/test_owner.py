"""One process at a time writes a document, and no file of an earlier life is applied to a new one."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import DocumentError, MissingDocumentError
from core.sweeping import sweep
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from db.owner import copied_with_journal, lock_of, recover
from db.rebuild import rebuild

pytestmark = pytest.mark.broad(2)

MakeTrace = Callable[..., Trace]
ROOT = Path(__file__).parent.parent.parent


def notes_of(path: Path) -> list[str]:
    with open_document(path) as document:
        return [note.text for note in document.notes()]


def is_sound(path: Path) -> bool:
    with sqlite3.connect(path) as database:
        return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def note(trace: Trace, text: str, cursor: int = 1) -> Note:
    return Note(0, trace.name, anchor_of(trace, cursor), text)


def in_another_process(code: str, path: Path, *, kill: bool = False) -> "subprocess.CompletedProcess[str]":
    """Run code that knows `path` as a child; with `kill` it ends itself as kill -9 would."""
    end = "\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n" if kill else ""
    head = f"import sqlite3\nfrom pathlib import Path\npath = Path({str(path)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", head + code + end], cwd=ROOT, capture_output=True, text=True, check=False
    )


def refuse_writing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the system say that nothing in this folder can be written; root, as tests may run, always may."""
    may = os.access
    monkeypatch.setattr(
        "db.owner.os.access",
        lambda path, mode: folder not in (Path(path), Path(path).parent) and may(path, mode),
    )


def leave_wal(path: Path, notes: int) -> None:
    """Write notes as the program did up to version 0005, and die: they are in a write-ahead log only."""
    child = in_another_process(
        "database = sqlite3.connect(path)\n"
        "database.execute('PRAGMA journal_mode=WAL')\n"
        "columns = 'trace_name, anchor_key, anchor_position, anchor_partition, anchor_ordinal, text,'\n"
        f"for number in range({notes}):\n"
        '    database.execute(f"INSERT INTO note ({columns} author, created_ns, kind) "\n'
        "                     f\"VALUES ('incident', 'k', 1, '', 0, 'old {number}', '', 0, 'position')\")\n"
        "    database.commit()\n",
        path,
        kill=True,
    )
    assert child.returncode == -9, child.stderr
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


def leave_journal(path: Path) -> None:
    """Die in the middle of a change whose first pages are in the file already."""
    child = in_another_process(
        "database = sqlite3.connect(path, isolation_level=None)\n"
        "database.execute('PRAGMA cache_size=1')\n"
        "database.execute('PRAGMA cache_spill=1')\n"
        "database.execute('BEGIN IMMEDIATE')\n"
        "database.execute('CREATE TABLE rubbish (text TEXT)')\n"
        "for number in range(2000):\n"
        "    database.execute('INSERT INTO rubbish VALUES (?)', ('x' * 2000,))\n",
        path,
        kill=True,
    )
    assert child.returncode == -9, child.stderr
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0


@pytest.mark.parametrize("leave", [lambda path: leave_wal(path, 20), leave_journal], ids=["wal", "journal"])
@pytest.mark.parametrize("deleted", [False, True], ids=["replaced", "deleted by hand"])
def test_what_a_killed_writer_left_is_not_applied_to_a_new_document(
    tmp_path: Path, make_trace: MakeTrace, leave: Callable[[Path], None], *, deleted: bool
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    leave(path)
    if deleted:
        path.unlink()

    create(path, [make_trace("new", sizes=(40, 40))], replace=True)

    assert is_sound(path)
    assert notes_of(path) == []
    with open_document(path) as document:
        assert len(document.trace("new")) == 120
    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


@pytest.mark.parametrize("writable", [True, False], ids=["a folder of one's own", "a folder for reading"])
def test_a_document_is_read_after_its_writer_was_killed(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch, *, writable: bool
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()], notes=[note(make_trace(), "before")])
    leave_journal(path)
    if not writable:
        refuse_writing(monkeypatch, tmp_path)

    assert notes_of(path) == ["before"]
    if writable:
        assert is_sound(path)
        assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


@pytest.mark.parametrize("unfinished", [True, False])
def test_where_nothing_can_be_written_an_unfinished_document_is_copied_and_no_other(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch, *, unfinished: bool
) -> None:
    """SQLite finishes a change by its journal before it reads; a document that is whole is not copied."""
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    if unfinished:
        leave_journal(path)
    refuse_writing(monkeypatch, tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    copied: list[Path] = []

    def copy(file: Path, folder: Path) -> Path:
        copied.append(file)
        return copied_with_journal(file, folder)

    monkeypatch.setattr("db.document.copied_with_journal", copy)

    assert notes_of(path) == []
    assert copied == ([path] if unfinished else [])
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("writable", [True, False], ids=["a folder of one's own", "a folder for reading"])
def test_notes_in_a_log_of_writes_are_read(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch, *, writable: bool
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    leave_wal(path, 3)
    if not writable:
        refuse_writing(monkeypatch, tmp_path)

    assert notes_of(path) == ["old 0", "old 1", "old 2"]


def test_a_file_that_once_kept_a_log_of_writes_is_read_where_nothing_can_be_written(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(tmp_path / "a.tide", [make_trace()])
    leave_wal(tmp_path / "a.tide", 1)
    database = sqlite3.connect(tmp_path / "a.tide")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    (tmp_path / "alone").mkdir()
    copy = Path(shutil.copy(tmp_path / "a.tide", tmp_path / "alone"))
    database.close()
    refuse_writing(monkeypatch, copy.parent)

    assert notes_of(copy) == ["old 0"]
    assert [file.name for file in copy.parent.iterdir()] == ["a.tide"]


@pytest.mark.slow
def test_nobody_else_writes_a_document_that_is_open_for_writing(
    tmp_path: Path, make_trace: MakeTrace
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with open_document(path, write=True) as document:
        document.put_note(note(make_trace(), "mine"))
        for attempt in (
            "from db.document import open_document; open_document(path, write=True)",
            "from db.document import create; create(path, [], replace=True)",
        ):
            refused = in_another_process(attempt, path)
            assert f"process {os.getpid()} on" in refused.stderr
            assert "error.document.elsewhere" in refused.stderr
        with pytest.raises(DocumentError, match="open for writing elsewhere"):
            rebuild(path, make_trace())
        read = in_another_process(
            "from db.document import open_document; print([n.text for n in open_document(path).notes()])",
            path,
        )
        assert read.stdout == "['mine']\n"
        document.put_note(note(make_trace(), "still mine"))

    assert (
        in_another_process(
            "from db.document import open_document; open_document(path, write=True).close()", path
        ).returncode
        == 0
    )
    assert notes_of(path) == ["mine", "still mine"]


def test_what_a_dead_owner_held_is_taken_over_and_tidied_up(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    child = in_another_process(
        "from db.document import open_document; document = open_document(path, write=True)", path, kill=True
    )
    assert child.returncode == -9
    assert lock_of(path).exists()

    with open_document(path):
        assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]
    with open_document(path, write=True) as document:
        document.put_note(note(make_trace(), "x"))
    assert notes_of(path) == ["x"]


def test_a_lock_beside_no_document_is_removed_at_the_next_start(tmp_path: Path) -> None:
    child = in_another_process("from db.owner import own; held = own(path)", tmp_path / "new.tide", kill=True)
    assert child.returncode == -9, child.stderr
    assert [file.name for file in tmp_path.iterdir()] == [".new.tide.lock"]

    sweep()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    ("ending", "left"),
    [("-journal", b""), ("-journal", bytes(512)), ("-shm", bytes(32_768))],
    ids=["empty", "not begun", "index without a log"],
)
def test_a_side_file_that_sqlite_does_not_read_is_removed(
    tmp_path: Path, make_trace: MakeTrace, ending: str, left: bytes, *, write: bool
) -> None:
    # SQLite writes the head of a journal last; one that begins with zeros it leaves where it is, and the
    # index of a log that it could not remove, too.
    path = tmp_path / "a.tide"
    create(path, [make_trace()], notes=[note(make_trace(), "kept")])
    path.with_name(f"a.tide{ending}").write_bytes(left)

    with open_document(path, write=write) as document:
        assert [one.text for one in document.notes()] == ["kept"]

    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_note_never_goes_into_a_file_that_is_no_longer_in_its_place(
    tmp_path: Path, make_trace: MakeTrace, how: str
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with open_document(path, write=True) as document:
        document.put_note(note(make_trace(), "first"))
        match how:
            case "deleted":
                path.unlink()
            case "moved":
                path.rename(tmp_path / "b.tide")
            case _:
                create(tmp_path / "c.tide", [make_trace("other")])
                (tmp_path / "c.tide").replace(path)
        with pytest.raises(MissingDocumentError):
            document.put_note(note(make_trace(), "second"))
        document.copy(tmp_path / "elsewhere.tide")

    assert notes_of(tmp_path / "elsewhere.tide") == ["first"]
    if how == "replaced":
        assert notes_of(path) == []


def test_another_document_of_the_same_name_is_not_taken_for_the_one_that_was_open(
    tmp_path: Path, make_trace: MakeTrace
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with open_document(path) as document:
        identity = document.identity
    with open_document(path, write=True, expected=identity):
        pass
    create(path, [make_trace()], replace=True)

    with pytest.raises(MissingDocumentError, match="Another document"):
        open_document(path, write=True, expected=identity)
    path.unlink()
    with pytest.raises(MissingDocumentError, match="no such document"):
        open_document(path, write=True, expected=identity)
    assert not lock_of(path).exists()


def test_a_copy_of_an_open_document_has_its_notes_and_is_one_file(
    tmp_path: Path, make_trace: MakeTrace
) -> None:
    path, copy = tmp_path / "a.tide", tmp_path / "b.tide"
    create(path, [make_trace()])
    with open_document(path, write=True) as document:
        for text in ("one", "two"):
            document.put_note(note(make_trace(), text))
        document.copy(copy)
        document.put_note(note(make_trace(), "three"))
        with pytest.raises(DocumentError, match="onto itself"):
            document.copy(path)

    assert notes_of(copy) == ["one", "two"]
    assert copy.read_bytes()[18:20] == b"\1\1"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.tide", "b.tide"]


def test_a_link_and_its_document_have_one_owner(tmp_path: Path, make_trace: MakeTrace) -> None:
    path, link = tmp_path / "a.tide", tmp_path / "other" / "link.tide"
    create(path, [make_trace()])
    link.parent.mkdir()
    link.symlink_to(path)

    with open_document(link, write=True), pytest.raises(DocumentError, match="open for writing"):
        open_document(path, write=True)
    create(link, [make_trace("new")], replace=True)

    assert link.is_symlink()
    with open_document(path) as document:
        assert document.infos()[0].name == "new"


@pytest.mark.slow
def test_a_journal_of_a_living_change_stops_a_replacement(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()], notes=[note(make_trace(), "kept")])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("DELETE FROM note")
    try:
        with pytest.raises(DocumentError, match="cannot be written"):
            create(path, [make_trace("new")], replace=True)
        other.execute("ROLLBACK")
    finally:
        other.close()

    assert notes_of(path) == ["kept"]
    recover(path)
    assert is_sound(path)


def test_notes_given_to_create_are_in_it_when_it_appears(tmp_path: Path, make_trace: MakeTrace) -> None:
    path, trace = tmp_path / "a.tide", make_trace()

    stored = create(path, [trace], notes=[note(trace, "b", 2), note(trace, "a", 1)])

    assert [one.text for one in stored] == ["b", "a"]
    assert len({one.note_id for one in stored} - {0}) == 2
    with open_document(path) as document:
        assert document.notes() == stored
