"""What stands beside a document; bytes 18 and 19 of its file are 2 where it keeps a log of writes."""

from pathlib import Path

import pytest

from db.owner import finish, keeps_wal


@pytest.mark.parametrize(("versions", "wal"), [(b"\x01\x01", False), (b"\x02\x02", True)])
def test_the_header_says_whether_a_write_ahead_log_goes_with_the_file(
    tmp_path: Path, versions: bytes, *, wal: bool
) -> None:
    path = tmp_path / "a.tide"
    path.write_bytes(b"SQLite format 3\0\x10\x00" + versions + bytes(80))

    assert keeps_wal(path) is wal


def test_a_file_that_is_not_there_or_too_short_keeps_none(tmp_path: Path) -> None:
    (tmp_path / "short.tide").write_bytes(b"SQLite")

    assert not keeps_wal(tmp_path / "none.tide")
    assert not keeps_wal(tmp_path / "short.tide")


@pytest.mark.parametrize(
    ("versions", "beside", "opened"),
    [
        (b"\x01\x01", "", False),
        (b"\x02\x02", "", True),
        (b"\x01\x01", "-journal", True),
        (b"\x01\x01", "-wal", True),
        (b"\x01\x01", "-shm", True),
    ],
)
def test_a_document_with_nothing_beside_it_is_not_opened_when_its_owner_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, versions: bytes, beside: str, *, opened: bool
) -> None:
    """To open it would wait for whoever reads it, for seconds, and there is nothing to take back."""
    path = tmp_path / "a.tide"
    path.write_bytes(b"SQLite format 3\0\x10\x00" + versions + bytes(80))
    if beside:
        path.with_name(path.name + beside).touch()
    recovered: list[Path] = []
    monkeypatch.setattr("db.owner.recover", recovered.append)

    finish(path)

    assert recovered == ([path] if opened else [])
