"""What a file says of its write-ahead log: bytes 18 and 19 of an SQLite header are 2 with one."""

from pathlib import Path

import pytest

from db.owner import keeps_wal


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
