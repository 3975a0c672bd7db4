"""What is asked of a file before anything of it is believed."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import DocumentError
from core.trace.trace import Trace
from db import budgets
from db.document import create, open_document
from db.engine import connect
from db.validate import bounded

MakeTrace = Callable[..., Trace]


def test_nothing_in_the_schema_of_a_document_is_run(tmp_path: Path, make_trace: MakeTrace) -> None:
    create(tmp_path / "a.tide", [make_trace()])
    for write in (False, True):
        engine = connect(tmp_path / "a.tide", write=write)
        with engine.connect() as connection:
            said = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("trusted_schema", "cell_size_check", "mmap_size")
            }
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            assert raw.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) == budgets.MOST_CELL_BYTES
            assert raw.getlimit(sqlite3.SQLITE_LIMIT_ATTACHED) == 0
        engine.dispose()
        assert said == {"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0}


def test_a_question_that_never_ends_is_stopped(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "MOST_STEPS", 1_000_000)
    create(tmp_path / "a.tide", [make_trace()])
    engine = connect(tmp_path / "a.tide", write=False)
    endless = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT max(n) FROM more"

    with (
        engine.connect() as connection,
        pytest.raises(DocumentError, match="takes longer"),
        bounded(connection, tmp_path / "a.tide"),
    ):
        connection.exec_driver_sql(endless)
    engine.dispose()


def _spoil_page(path: Path, table: str, content: bytes) -> None:
    """Write over the first page of a table."""
    with sqlite3.connect(path) as database:
        asked = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (root,) = database.execute(asked, (table,)).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(content)


def test_the_pages_of_a_large_document_are_checked_where_they_are_read(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with sqlite3.connect(path) as database:
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'chunk_column'"
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(bytes(4096))

    with pytest.raises(DocumentError, match="It is damaged"):
        open_document(path)
    monkeypatch.setattr(budgets, "CHECKED_WHOLE_BYTES", 0)
    with open_document(path) as document:
        assert document.infos()[0].name == "incident"
        with pytest.raises(DocumentError, match="malformed"):
            document.trace()


def test_a_small_table_is_checked_in_a_document_of_any_size(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    monkeypatch.setattr(budgets, "CHECKED_WHOLE_BYTES", 0)
    _spoil_page(path, "note", b"\x0d" + b"\xff" * 4095)

    with pytest.raises(DocumentError):
        open_document(path)
