"""What a question in SQL gives: rows of plain values, and these as texts."""

import csv
import json
from dataclasses import dataclass
from io import StringIO
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of plain values: numbers, texts, True and False, None, lists and dicts of these.

    Times are RFC 3339 in UTC, lengths of time are texts like 0:00:09.161.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def cell_text(cell: Any) -> str:  # noqa: ANN401 - any cell of an answer
    """A cell as a text: nothing where it is null, lists and the like as JSON."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


def csv_text(answer: Answer) -> str:
    """All rows as CSV, the names of the columns first."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([cell_text(cell) for cell in row] for row in answer.rows)
    return text.getvalue()
