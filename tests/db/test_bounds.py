"""Bounds of what is read from a document, each at its last good value and at the first bad one."""

import numpy as np
import pytest

from db.chunks import _stretch
from db.engine import _advice
from db.events import _within
from db.lines import _check_lines, _near


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


@pytest.mark.parametrize("why", ["attempt to write a readonly database", "[Errno 30] Read-only file system"])
def test_where_nobody_may_write_a_copy_is_advised(why: str) -> None:
    assert _advice(why.lower()) == "Copy it to a place where you may write"
