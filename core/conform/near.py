"""Rows before and after one, made as far as somebody goes: a partition may have a million."""

from collections.abc import Iterator

from core.diagnose.verdict.case import Case
from core.history.view import Row


def rows_before(case: Case, number: int) -> Iterator[Row]:
    """The rows before row `number`, the last one first."""
    rows = case.view.rows
    return (rows[place] for place in range(number - 1, -1, -1))


def rows_after(case: Case, number: int) -> Iterator[Row]:
    """The rows after row `number`, in order."""
    rows = case.view.rows
    return (rows[place] for place in range(number + 1, len(rows)))
