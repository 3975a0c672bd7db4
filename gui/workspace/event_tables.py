"""Events as a table in a file: CSV, JSON and Parquet of the same rows and columns."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyarrow comes without types.

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import IO, Any, Final

from core.errors import QuestionError
from core.message import message
from core.trace.times import parse_time
from core.trace.trace import VALUES, Trace
from core.work import QUIET, Work
from gui.workspace.event_rows import event_json
from gui.workspace.files import whole
from gui.workspace.named import partitions_of

_TEXTS: Final = ("trace", "at", "kind", "basis", "partition", "file")
COLUMNS: Final = (
    *("trace", "seq", "at", "kind", "basis", "partition", "broker", "replica"),
    *VALUES,
    *("isr", "at_least", "at_most", "cause", "file", "line", "byte"),
)
"""In this order in every kind of file; docs/command-line.md says what they mean."""


def event_table(
    traces: Sequence[Trace],
    partition: str | None = None,
    window: tuple[str | None, str | None] = (None, None),
) -> Iterator[dict[str, Any]]:
    """A row an event, with every column; None where the event does not say it. Raises QuestionError.

    `window` is the first and the last time, both included.
    """
    first, last = (None if text is None else parse_time(text) for text in window)
    if first is not None and last is not None and last < first:
        raise QuestionError(
            message("error.export.backwards"), advice=message("error.export.backwards.way-out")
        )
    chosen: list[tuple[Trace, Sequence[int]]] = []
    for trace in traces:
        times = trace.columns["at"]
        low = 0 if first is None else int(times.searchsorted(first, side="left"))
        high = len(trace) if last is None else int(times.searchsorted(last, side="right"))
        if partition is None:
            chosen.append((trace, range(low, high)))
        else:
            seqs = trace.seqs_of(*partitions_of(trace, partition))
            chosen.append((trace, seqs[(seqs >= low) & (seqs < high)].tolist()))
    return (_row(trace, seq) for trace, seqs in chosen for seq in seqs)


def _row(trace: Trace, seq: int) -> dict[str, Any]:
    said = event_json(trace, trace.event(seq))
    place: dict[str, Any] = said.pop("evidence") or {}
    row = {"trace": trace.name, **said, **place}
    return {name: row.get(name) for name in COLUMNS}


_REPORT_ROWS: Final = 1000


def write_events(
    rows: Iterator[dict[str, Any]],
    target: Path,
    work: Work = QUIET,
    check: Callable[[Path], None] | None = None,
) -> None:
    """Write rows as the kind that the ending names, whole or not at all. Raises DocumentError.

    `check` looks at the finished file, and may raise too.
    """
    rows = _counted(rows, work)
    with whole(target, check) as part:
        if target.suffix.lower() == ".parquet":
            _parquet(rows, part)
        else:
            with part.open("w", encoding="utf-8", newline="") as file:
                (_csv if target.suffix.lower() == ".csv" else _json)(rows, file)


def rows_text(rows: Iterator[dict[str, Any]]) -> str:
    """Rows as the text of a CSV file."""
    text = StringIO()
    _csv(rows, text)
    return text.getvalue()


def _counted(rows: Iterator[dict[str, Any]], work: Work) -> Iterator[dict[str, Any]]:
    for place, row in enumerate(rows):
        if place % _REPORT_ROWS == 0:
            work.step(place, 0, message("progress.writing-events"))
        yield row


def _csv(rows: Iterator[dict[str, Any]], file: IO[str]) -> None:
    """Nothing where a column is not said; an empty list, which is said, is a pair of brackets."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(
            [
                " ".join(map(str, value)) or "[]" if isinstance(value, list) else value
                for value in row.values()
            ]
        )


def _json(rows: Iterator[dict[str, Any]], file: IO[str]) -> None:
    file.write("[")
    for place, row in enumerate(rows):
        file.write(("," if place else "") + "\n" + json.dumps(row, ensure_ascii=False))
    file.write("\n]\n")


def _parquet(rows: Iterator[dict[str, Any]], part: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    lists = {"isr": pa.list_(pa.int64()), "at_least": pa.list_(pa.string()), "at_most": pa.list_(pa.string())}
    fields = [
        pa.field(name, lists.get(name) or (pa.string() if name in _TEXTS else pa.int64())) for name in COLUMNS
    ]
    schema = pa.schema(fields)
    parquet.write_table(pa.Table.from_pylist(list(rows), schema=schema), part, compression="zstd")
