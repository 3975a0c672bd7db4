"""The file of a document: written whole or not at all, never over another, refused where it is spoiled."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import CancelledError, DocumentError
from core.trace.trace import Trace
from core.work import Work
from db.anchors import anchor_of
from db.document import create, open_document
from db.engine import VERSION
from db.notes import Note
from db.recognise import is_document
from tests.in_words import in_words

pytestmark = pytest.mark.broad(3)

MakeTrace = Callable[..., Trace]


def test_an_existing_file_stays_unless_it_may_be_replaced(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    path.write_text("precious", encoding="utf-8")

    with pytest.raises(DocumentError, match="exists already"):
        create(path, [make_trace()])
    assert path.read_text(encoding="utf-8") == "precious"

    create(path, [make_trace()], replace=True)
    assert is_document(path)
    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


def test_stopped_work_leaves_what_was_there(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace("before")])
    steps: list[int] = []

    def stopped() -> bool:
        steps.append(1)
        return len(steps) > 1

    with pytest.raises(CancelledError):
        create(path, [make_trace("after")], replace=True, work=Work(stopped=stopped))

    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]
    with open_document(path) as document:
        assert document.infos()[0].name == "before"


def test_a_crash_leaves_no_half_document(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the machine is on fire")

    monkeypatch.setattr("db.making.write_lines", broken)

    with pytest.raises(RuntimeError):
        create(tmp_path / "a.tide", [make_trace()])

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("begun", [False, True])
def test_a_document_that_an_earlier_version_left_half_made_is_removed(
    tmp_path: Path, make_trace: MakeTrace, *, begun: bool
) -> None:
    part = tmp_path / "a.tide.part"
    if begun:
        create(tmp_path / "half.tide", [make_trace()])
        (tmp_path / "half.tide").rename(part)
    else:
        part.touch()

    create(tmp_path / "a.tide", [make_trace()])

    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


def test_a_file_of_somebody_else_beside_a_document_stays(tmp_path: Path, make_trace: MakeTrace) -> None:
    (tmp_path / "a.tide.part").write_text("the first half of my own notes", encoding="utf-8")

    create(tmp_path / "a.tide", [make_trace()])

    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.tide", "a.tide.part"]


@pytest.mark.parametrize("place", ["file.txt/a.tide", "nowhere/a.tide", "."])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, make_trace: MakeTrace, place: str) -> None:
    (tmp_path / "file.txt").write_text("no folder", encoding="utf-8")

    with pytest.raises(DocumentError) as caught:
        create(tmp_path / place, [make_trace()])

    assert str(tmp_path) in in_words(caught.value).where
    assert [file.name for file in tmp_path.iterdir()] == ["file.txt"]


def _set(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


def test_a_newer_document_is_refused_in_words(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    _set(path, "UPDATE alembic_version SET version_num = '0099'")
    before = path.read_bytes()

    with pytest.raises(DocumentError, match=r"newer version of Tidegauge.*0099"):
        open_document(path, write=True)

    # Nothing but the journal's mark in the head may have been touched.
    assert path.read_bytes()[100:] == before[100:]


def test_a_damaged_document_is_told(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    _set(path, "UPDATE chunk_column SET data = x'00' WHERE name = 'at'")

    with open_document(path) as document, pytest.raises(DocumentError, match="damaged"):
        document.trace()


def test_a_truncated_document_is_told(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace(sizes=(500, 500))])
    path.write_bytes(path.read_bytes()[:8_192])

    with pytest.raises(DocumentError) as caught, open_document(path) as document:
        document.trace()

    assert in_words(caught.value).where == str(path)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"\x89PNG\r\n\x1a\n" + b"\0" * 200])
def test_another_file_is_no_document(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "picture.tide"
    path.write_bytes(content)

    assert not is_document(path)
    with pytest.raises(DocumentError, match="not a Tidegauge document"):
        open_document(path)


def test_the_version_is_the_head_of_the_migrations(tmp_path: Path, make_trace: MakeTrace) -> None:
    create(tmp_path / "a.tide", [make_trace()])

    with sqlite3.connect(tmp_path / "a.tide") as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (VERSION,)


def test_a_document_is_one_file_after_each_edit(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with open_document(path, write=True) as document:
        document.put_note(Note(0, "incident", anchor_of(make_trace(), 1), "x"))
        assert path.read_bytes()[18:20] == b"\1\1"  # SQLite's mark of a file without a write-ahead log
        assert sorted(file.name for file in tmp_path.iterdir()) == [".a.tide.lock", "a.tide"]

    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


def test_reading_does_not_write(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    before = path.read_bytes()

    with open_document(path) as document:
        document.trace()
        with pytest.raises(DocumentError, match="cannot be written"):
            document.put_note(Note(0, "incident", anchor_of(document.trace(), 0), "no"))

    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]
