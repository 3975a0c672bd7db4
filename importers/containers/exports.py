"""What a search over logs gave: tables of Splunk and Kibana, objects of Loki, lines of `grep` and the like.

Or several logs one after the other, each below its name.

In a table a log line stands in one column, and who says it in others. Read like an archive: a member
for each teller, with its lines in the order of time.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from core.errors import Facts, at
from core.message import message
from importers.containers.exported_objects import (
    LINE,
    Row,
    is_journal_export,
    is_object_export,
    journal_rows,
    object_rows,
)
from importers.containers.framed_text import framed_rows, is_framed
from importers.containers.grep_text import grep_lines, is_grep
from importers.containers.joined_text import is_joined, joined_logs
from importers.containers.labelled_text import is_labelled, labelled_rows
from importers.limits import MOST_LINE_BYTES, Budget, Stream
from importers.lines.json_records import MESSAGE_KEYS, TIME_KEYS

MOST_TABLE_BYTES: Final = 256 * 1024**2
"""Of one table, which is held: its rows may stand in any order."""
LINE_COLUMNS: Final = (
    "_raw",
    "event.original",
    *MESSAGE_KEYS,
    "line",
    "@message",
    "textpayload",
    "logmessage",
    "log_message",
    "content",
    "body",
    "raw",
)
"""The columns that hold the line, the surest first: `_raw` of Splunk, `Line` of Grafana."""
TELLERS: Final = (
    "kubernetes.pod.name", "kubernetes.pod_name", "kubernetes_pod_name", "pod", "pod_name", "container.name",
    "container_name", "container", "host", "host.name", "hostname", "agent.hostname", "agent.name",
    "compute.googleapis.com/resource_name", "_hostname", "instance", "instance_id", "podname", "@logstream",
    "logstreamname", "computer",
)  # fmt: skip
PATHS: Final = ("log.file.path", "source", "filename", "file", "path", "_systemd_unit")
_TIMES: Final = (*(key.lower() for key in TIME_KEYS), "_time", "timegenerated", "timegenerated [utc]")
_NAME: Final = re.compile(r"[@\w][\w.@ ()\[\]-]{0,63}")
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[,.]?\d*")
_NO_LABEL: Final = re.compile(r"[^\w.\-/]+")
SNIFFED: Final = 1 << 14
"""A file is judged by so many bytes: one line of a collector may hold all settings of a broker."""
_SHOWN: Final = 512
_ONE_IN: Final = 10
"""So few lines with a stamp show that the lines have their own."""
_UNFIT: Final = "rows with other columns"


def is_export(head: bytes) -> bool:
    """Whether a file holds what a search gave, judged by its beginning."""
    text = _text(head)
    objects = is_object_export(text) or is_journal_export(head)
    named = is_labelled(text) or is_framed(head)
    return objects or named or is_grep(text) or is_joined(text) or _is_table(head)


def _is_table(head: bytes) -> bool:
    """Whether a file begins with the names of columns, one of which holds log lines."""
    first, _, rest = head.partition(b"\n")
    if not rest and len(head) >= SNIFFED:
        return False
    header = _text(first.rstrip(b"\r"))
    if not header.replace("\t", " ").isprintable():
        return False
    names = _split(header)
    columns = {one.lower() for one in names}
    known = columns & {*TELLERS, *PATHS, *_TIMES}
    return bool(known) and _line_column(names) is not None and all(_NAME.fullmatch(one) for one in names)


def exported(stream: Stream, budget: Budget) -> Iterator[tuple[str, Stream | Facts]]:
    """By label the lines of each teller, or why there are none.

    Where lines have no times of their own, each row becomes an object with all its columns. Rows with too few
    or too many cells are the lines of a teller that is none, so that the report counts them. Raises
    ValueError where the table is torn.
    """
    data = stream.read(MOST_TABLE_BYTES + 1)
    while len(data) <= MOST_TABLE_BYTES and (more := stream.read(MOST_TABLE_BYTES + 1 - len(data))):
        data += more
    if len(data) > MOST_TABLE_BYTES:
        yield "", _too_large(budget.where)
        return
    for label, lines in _told(data).items():
        content = "\n".join(lines) + "\n"
        told = Stream(io.BytesIO(content.encode("utf-8", "replace")), budget, f"{budget.where}: {label}")
        yield label, told


def _told(data: bytes) -> dict[str, list[str]]:
    """The lines of each teller. Raises ValueError."""
    if is_journal_export(data):
        return _by_teller((row for row in journal_rows(data) if LINE in row), LINE)
    if is_framed(data[:SNIFFED]):
        return _by_teller(framed_rows(data), LINE)
    text = _text(data).replace("\r\n", "\n")
    head = text[:SNIFFED]
    if is_labelled(head):
        return _by_teller(labelled_rows(text, head), LINE)
    if is_grep(head):
        return grep_lines(text)
    if is_joined(head):
        joined: dict[str, list[str]] = {}
        for label, log in joined_logs(text):
            joined.setdefault(label, []).extend(log.strip("\n").split("\n"))
        return joined
    if is_object_export(head):
        return _by_teller(object_rows(text), LINE)
    # A limit of the whole process: whoever reads a table here sets the same.
    csv.field_size_limit(MOST_LINE_BYTES)
    lines = _Lines(text)
    rows = csv.reader(lines, delimiter=_delimiter(text.partition("\n")[0]))
    names = [one.strip() for one in next(rows)]
    column = _line_column(names)
    if column is None:
        raise ValueError("no column of the table holds lines")
    return _by_teller(_table_rows(rows, names, lines), names[column].lower())


def _too_large(where: str) -> Facts:
    return Facts(
        message("error.source.export-size", size=MOST_TABLE_BYTES // 1024**2),
        why=message("error.source.export-size.why"),
        where=at(where),
        advice=message("error.source.export-size.way-out"),
    )


class _Lines:
    """The lines of a table, each with its end; `last` is the one that was taken last."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline="")
        self.last = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.last = next(self._lines)
        return self.last


def _table_rows(rows: Iterator[list[str]], names: list[str], lines: _Lines) -> Iterator[Row | str]:
    """Each row; as a text where it has other columns, or a cell that is longer than any line may be.

    The reader goes on with the line behind the one in which a row becomes too long.
    """
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield lines.last[:_SHOWN].rstrip("\r\n")
            continue
        if len(row) == len(names):
            yield {name.lower(): cell for name, cell in zip(names, row, strict=True)}
        elif row:
            yield ", ".join(row)


def _by_teller(rows: Iterable[Row | str], column: str) -> dict[str, list[str]]:
    told: dict[str, list[Row]] = {}
    unfit: list[str] = []
    for row in rows:
        if isinstance(row, str):
            unfit.append(row)
        else:
            told.setdefault(said_by(row), []).append(row)
    found = {label: _lines(cells, column) for label, cells in told.items()}
    return {**found, _UNFIT: unfit} if unfit else found


def _lines(rows: Sequence[Row], column: str) -> list[str]:
    """The lines of a teller in the order of time: those that were exported latest first are turned round."""
    stamps = [_STAMP.search(row[column], 0, 80) for row in rows]
    if sum(found is not None for found in stamps) * _ONE_IN >= len(rows):
        # A line without a stamp goes on with what another began: a stack trace, the settings of a start.
        times = [found[0] for found in stamps if found is not None]
        lines = [row[column].rstrip("\n") for row in rows]
    else:
        times = [next((row[key] for key in _TIMES if row.get(key)), "").replace(" @ ", " ") for row in rows]
        pairs = zip(times, rows, strict=True)
        lines = [json.dumps({**row, "@timestamp": at}, ensure_ascii=False) for at, row in pairs]
    return _turned(lines, times)


def lines_in_order(lines: Sequence[str]) -> list[str]:
    """Lines with stamps of their own in the order of time: those that lie latest first are turned round."""
    found = (_STAMP.search(line, 0, 80) for line in lines)
    return _turned([line.rstrip("\n") for line in lines], [one[0] for one in found if one is not None])


def _turned(lines: list[str], times: Sequence[str]) -> list[str]:
    back = sum(one > other for one, other in pairwise(times))
    forth = sum(one < other for one, other in pairwise(times))
    return lines[::-1] if back > forth else lines


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _delimiter(header: str) -> str:
    return max(",\t;", key=header.count)


def _split(header: str) -> list[str]:
    try:
        names = next(csv.reader([header], delimiter=_delimiter(header)), [])
    except csv.Error:
        return []
    return [one.strip() for one in names]


def _line_column(names: Sequence[str]) -> int | None:
    lower = [one.lower() for one in names]
    return next((lower.index(one) for one in LINE_COLUMNS if one in lower), None)


def said_by(cells: Row) -> str:
    """Who says a line, and in which of its files, as a label. Names of columns are in lower case."""
    parts = [next((cells[one] for one in wanted if cells.get(one)), "") for wanted in (TELLERS, PATHS)]
    named = [_NO_LABEL.sub("-", part.strip()).strip("/.") for part in parts]
    return "/".join(part for part in named if part) or "lines"
