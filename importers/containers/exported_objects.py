"""Log lines as objects, with labels that say whose they are: Loki, Google Cloud Logging, the journal."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from core.trace.units import SECOND_NS

LINE: Final = "message"
"""The column with the line in every row."""
TIME: Final = "timestamp"
_LOKI: Final = re.compile(
    r'\s*\{\s*"(?:streams"\s*:\s*\[|labels"\s*:\s*\{|status"\s*:\s*"success"\s*,\s*"data")'
)
_CLOUD: Final = re.compile(r'\s*\{[^\n]*"(?:insertId|logName|textPayload|jsonPayload)"\s*:')
_FROM: Final = re.compile(r'\s*\{[^\n]*"(?:kubernetes|host|agent|container)"\s*:\s*\{')
_WITH_LINE: Final = re.compile(r'\s*\{[^\n]*"(?:message|log|msg)"\s*:')
"""Filebeat, Fluent Bit and Vector: an object a line, and in it one that says from which pod or host."""
_JOURNALED: Final = re.compile(r'\s*\{[^\n]*"(?:__CURSOR|__REALTIME_TIMESTAMP|_HOSTNAME)"\s*:')
"""The journal, an object a line: of one host, or of all that sent theirs to it."""
_ARRAY: Final = re.compile(
    r'\s*\[\s*\{.*"(?:insertId|logName|textPayload|jsonPayload|line|message|@?timestamp)"\s*:', re.DOTALL
)
_ANSWER: Final = re.compile(
    r'\s*\{\s*"(?:events|nextForwardToken|searchedLogStreams|took|hits|preview|init_offset|results?|data|meta|'
    r'tables)"\s*:.*"(?:_raw|@?message|log|msg|body|\w{0,32}LogMessage|columns)"',
    re.DOTALL,
)
"""What the API of a search answers: CloudWatch, Elasticsearch, Splunk, Datadog, Azure's Log Analytics."""
_OF_POD: Final = re.compile(r'\s*\{[^\n]*"(?:podName|logStreamName)"\s*:\s*"')
_SPREAD: Final = re.compile(
    r'\s*\{[ \t]*\n[ \t]*"[^\n]*\n(?:[^\n]*\n){0,60}?[ \t]*"(?:message|MESSAGE|log|msg)"\s*:'
)
"""One object over several lines, as `journalctl -o json-pretty` and JsonLayout write them."""
_LISTS: Final = ("hits", "events", "results", "result", "data", "tables")
"""Where the answer of a search has its entries."""
_JOURNAL: Final = b"__CURSOR="
_NESTS: Final = (
    "resource.labels.", "labels.", "fields.", "jsonpayload.", "_source.", "result.", "attributes."
)  # fmt: skip
"""Objects in an entry whose names are those of the entry itself."""
_LINES: Final = (
    "_raw", "line", "textpayload", "event.original", "@message", "message", "msg", "log", "logmessage", "body"
)  # fmt: skip
_HEAD: Final = 1 << 14
_BLANK: Final = re.compile(r"\s*")
_MOST_DIGITS: Final = 18
_NANOS: Final = re.compile(r"[0-9]{1,19}")
Row = Mapping[str, str]
"""Names of columns in lower case, and cells."""


def is_object_export(head: str) -> bool:
    """Whether a file begins as Loki (its API, logcli, Grafana), clouds, searches or collectors write."""
    collected = any(form.match(head) for form in (_FROM, _OF_POD)) and _WITH_LINE.match(head) is not None
    return collected or any(
        form.match(head) for form in (_LOKI, _CLOUD, _JOURNALED, _ARRAY, _ANSWER, _SPREAD)
    )


def object_rows(text: str) -> Iterator[Row | str]:
    """A row for each entry, and text that is none as it is. Raises ValueError for a torn list or answer."""
    decoder = json.JSONDecoder(parse_int=_whole)
    one = any(form.match(text[:_HEAD]) for form in (_LOKI, _ANSWER)) and "\n{" not in text[:_HEAD].strip()
    at = _BLANK.match(text).end()  # pyright: ignore[reportOptionalMemberAccess] - it matches nothing too
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            if text[at] == "[" or one:
                raise
            end = text.find("\n", at) + 1 or len(text)
            yield text[at:end].rstrip("\n")
        else:
            yield from _rows(value)
        at = _BLANK.match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]


def _whole(digits: str) -> int | str:
    """A number; a long one stays a text, as Python reads none of thousands of digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def _rows(value: object) -> Iterator[Row | str]:
    if isinstance(value, list):
        for one in cast("list[object]", value):
            yield from _rows(one)
        return
    if not isinstance(value, dict):
        yield json.dumps(value)
        return
    entry = cast("dict[str, Any]", value)
    data = entry.get("data")
    streams = cast("dict[str, Any]", data).get("result") if isinstance(data, dict) else entry.get("streams")
    if isinstance(streams, list):
        yield from _of_streams(cast("list[Any]", streams))
        return
    cells = dict(_cells(entry))
    line = next((cells[name] for name in _LINES if name in cells), None)
    if line is not None:
        yield {**cells, LINE: line}
    elif isinstance(entry.get("columns"), list) and isinstance(entry.get("rows"), list):
        yield from _of_table(entry)
    elif (inner := next((entry[name] for name in _LISTS if _holds_more(entry.get(name))), None)) is not None:
        yield from _rows(inner)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _holds_more(value: object) -> bool:
    return isinstance(value, list | dict) and bool(cast("object", value))


def _of_table(table: Mapping[str, Any]) -> Iterator[Row | str]:
    """The rows of a table of Log Analytics: names of columns, and lists of cells."""
    names = [
        str(cast("dict[str, Any]", one).get("name")) for one in table["columns"] if isinstance(one, dict)
    ]
    for row in table["rows"]:
        fits = isinstance(row, list) and len(cast("list[Any]", row)) == len(names)
        yield from _rows(dict(zip(names, row, strict=True)) if fits else [row])


def _of_streams(streams: list[Any]) -> Iterator[Row | str]:
    """The lines of Loki's streams in the order of time: a broker's lines are in several, one for each level.

    A line whose time is none stands behind the others, as a text. Raises ValueError for what is no stream.
    """
    found: list[tuple[int, Row]] = []
    untimed: list[str] = []
    try:
        for stream in streams:
            labels = dict(_cells(stream["stream"]))
            timed = [(_moment(value[0]), str(value[1])) for value in stream["values"]]
            untimed += [line for ns, line in timed if ns is None]
            values = [(ns, line) for ns, line in timed if ns is not None]
            if values and values[0][0] > values[-1][0]:
                # Lines of one moment stay in order.
                values.reverse()
            found += [(ns, {**labels, TIME: _seconds(ns), LINE: line}) for ns, line in values]
    except (TypeError, LookupError, AttributeError) as error:
        raise ValueError("a stream holds no lines") from error
    return iter([*(row for _, row in sorted(found, key=lambda pair: pair[0])), *untimed])


def _moment(value: object) -> int | None:
    """Nanoseconds of Loki, a text or a number; None for what is no time."""
    text = str(value)
    return int(text) if _NANOS.fullmatch(text) else None


def _seconds(ns: int) -> str:
    return f"{ns // SECOND_NS}.{ns % SECOND_NS:09}"


def _cells(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and values of an entry, those of nested objects with dots, innermost names of labels alone."""
    waiting = [("", entry)]
    while waiting:
        before, inner = waiting.pop(0)
        for name, value in inner.items():
            full = f"{before}{name}".lower()
            if isinstance(value, dict):
                inside = cast("dict[str, Any]", value)
                seconds, part = inside.get("epochSecond"), inside.get("nanoOfSecond", 0)
                if type(seconds) is int and type(part) is int:
                    yield TIME, _seconds(seconds * SECOND_NS + part)
                else:
                    waiting.append((f"{full}.", inside))
            elif full == LINE and _is_bytes(value):
                # The journal writes text that is not UTF-8 as an array of bytes.
                yield full, bytes(cast("list[int]", value)).decode("utf-8", "replace")
            elif isinstance(value, str | int | float) and not isinstance(value, bool):
                nest = next((one for one in _NESTS if full.startswith(one)), "")
                cell = str(value)
                time = full == TIME and cell.isascii() and cell.isdigit() and len(cell) == 19
                yield full.removeprefix(nest), _seconds(int(cell)) if time else cell


def _is_bytes(value: object) -> bool:
    return isinstance(value, list) and all(
        type(one) is int and 0 <= one < 256 for one in cast("list[object]", value)
    )


def is_journal_export(head: bytes) -> bool:
    """Whether a file begins as `journalctl -o export` does."""
    return head.startswith(_JOURNAL)


def journal_rows(data: bytes) -> Iterator[Row]:
    """A row for each entry: lines KEY=value, an empty line behind.

    What cannot stand in a line has its length before it, as 64 bits (systemd, Journal Export Formats).
    """
    cells: dict[str, str] = {}
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        name, equals, value = data[at:end].partition(b"=")
        at = end + 1
        if name and not equals:
            size = int.from_bytes(data[at : at + 8], "little")
            value = data[at + 8 : at + 8 + size]
            at += 8 + size + 1
        if name:
            cells.setdefault(name.decode("utf-8", "replace").lower(), value.decode("utf-8", "replace"))
        elif cells:
            yield cells
            cells = {}
    if cells:
        yield cells
