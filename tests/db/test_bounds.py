"""Bounds of what is read from a document, each at its last good value and at the first bad one."""

import sqlite3

import numpy as np
import pytest

from core.words import text
from db.chunks import _stretch
from db.events import _within
from db.lines import _check_lines, _near
from db.sqlite_errors import sqlite_advice, sqlite_reason


@pytest.mark.parametrize(("values", "good"), [([0, 9], True), ([0, 10], False), ([-1, 9], False)])
def test_values_of_events_lie_between_both_bounds(values: list[int], *, good: bool) -> None:
    if good:
        _within(np.array(values), "basis", 0, 9)
    else:
        with pytest.raises(ValueError, match="basis that cannot be"):
            _within(np.array(values), "basis", 0, 9)


def test_behind_the_last_line_that_is_asked_for_no_block_is_near() -> None:
    asked = np.array([10, 20], np.int32)

    assert _near(asked, 15, 25)
    assert not _near(asked, 1_000, 2_000)
    assert not _near(np.array([1_000], np.int32), 15, 25)


@pytest.mark.parametrize("row", [[1, 50, 7], [1, 50, None], ["1", 50, "a"], [1, True, "a"]])
def test_a_kept_line_is_two_numbers_and_a_text(row: list[object]) -> None:
    _check_lines([[1, 50, "a"]], "kept lines")
    with pytest.raises(ValueError, match="kept lines"):
        _check_lines([[1, 0, "first"], row], "kept lines")


@pytest.mark.parametrize(
    "part", [(-1, 3, 0), (0, 0, 0), (0, -2, 0), ("0", 3, 0), (0, 3.0, 0), (0, 3, None), (True, 3, 0)]
)
def test_a_part_of_a_chunk_has_rows_from_its_first_on(part: tuple[object, object, object]) -> None:
    assert _stretch(0, 3, 2) == (slice(0, 3), 2)
    with pytest.raises(ValueError, match="part of a chunk"):
        _stretch(*part)


@pytest.mark.parametrize(
    ("code", "why", "advice"),
    [
        # A journal of a killed process cannot be taken back (SQLITE_READONLY_ROLLBACK, 8 and 3 << 8).
        (776, "attempt to write a readonly database", "Copy it to a place where you may write"),
        (5, "database is locked", "Another program is writing to it: close that, or try again in a moment"),
        (13, "database or disk is full", "Make room on the disk, or save it on another one"),
        (11, "database disk image is malformed", "It is damaged: import the logs again, or take a copy of"),
    ],
)
def test_what_sqlite_says_is_told_by_its_number(code: int, why: str, advice: str) -> None:
    error = sqlite3.OperationalError("words that nobody translates")
    error.sqlite_errorcode = code

    assert text(sqlite_reason(error)) == why
    helps = sqlite_advice(error)
    assert helps is not None
    assert text(helps).startswith(advice)


def test_what_is_not_known_of_sqlite_is_told_in_its_own_words() -> None:
    error = sqlite3.OperationalError("interrupted")

    assert (text(sqlite_reason(error)), sqlite_advice(error)) == ("interrupted", None)
