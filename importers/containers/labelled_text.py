"""Lines with names and values: labels in braces of `logcli query`, objects of fluentd, logfmt."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from importers.containers.exported_objects import LINE, TIME, Row, object_rows
from importers.lines.json_records import MESSAGE_KEYS, TIME_KEYS

_QUOTED: Final = r'"(?:[^"\\\n]|\\.)*+"'
_LOGCLI: Final = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) "
    rf"\{{(?P<labels>(?:[^\"{{}}\n]|{_QUOTED})*+)\}}(?: +(?=\[?\d)| )(?P<line>[^\n]*)"
)
_LABEL: Final = re.compile(rf"\b(?P<name>\w{{1,80}})=(?P<value>{_QUOTED})")
_PAIR: Final = re.compile(rf"(?P<name>[\w.\-@]++)=(?P<value>{_QUOTED}|[^\"\s]*+)(?: +|$)")
_FLUENTD: Final = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d))\t(?P<tag>[\w.\-/]+)\t"
    r"(?P<object>\{[^\n]*\})"
)
_COMMON: Final = ("Common labels:", "http://", "https://")
"""What logcli prints besides, where both its streams went into one file."""
_LEVELS: Final = ("level", "lvl", "severity")
_SHARE: Final = 0.8
_LEAST: Final = 3


def is_labelled(head: str) -> bool:
    """Whether most lines of the beginning of a file are of one of these forms."""
    return _form(head) is not None


def labelled_rows(text: str, head: str) -> Iterator[Row | str]:
    """A row for each line, and text that is none as it is. `head` is how the text begins."""
    form = _form(head)
    return iter(text.splitlines()) if form is None else form(text)


def _form(head: str) -> Callable[[str], Iterator[Row | str]] | None:
    """How rows are made of a text that begins so; None where its lines are none of these."""
    if _most(head, lambda line: _LOGCLI.fullmatch(line) is not None):
        return _logcli_rows
    if _most(head, lambda line: _FLUENTD.fullmatch(line) is not None):
        return _fluentd_rows
    return _logfmt_rows if _most(head, lambda line: _told(dict(_pairs(line)))) else None


def _most(head: str, fits: Callable[[str], bool]) -> bool:
    lines = _whole(head)
    return len(lines) >= _LEAST and sum(map(fits, lines)) >= _SHARE * len(lines)


def _whole(head: str) -> Sequence[str]:
    """The lines of the beginning of a file; the last one may go on behind it."""
    lines = head.split("\n")[:-1]
    return [line.rstrip("\r") for line in lines if line.strip()]


def _told(cells: Row) -> bool:
    return any(key.lower() in cells for key in TIME_KEYS) and any(key in cells for key in MESSAGE_KEYS)


def _logcli_rows(text: str) -> Iterator[Row | str]:
    """A row for each line, and text that is none as it is."""
    for line in text.splitlines():
        found = _LOGCLI.fullmatch(line)
        if found is not None:
            labels = {one["name"].lower(): _plain(one["value"]) for one in _LABEL.finditer(found["labels"])}
            yield {**labels, TIME: found["time"], LINE: found["line"]}
        elif line.strip() and not any(one in line for one in _COMMON):
            yield line


def _fluentd_rows(text: str) -> Iterator[Row | str]:
    """A row for each line, said by its tag, and text that is none as it is."""
    for line in text.splitlines():
        found = _FLUENTD.fullmatch(line)
        for row in object_rows(line if found is None else found["object"]):
            if found is None or isinstance(row, str):
                yield line
            else:
                named = any("host" in key or "pod" in key for key in row)
                yield {**({} if named else {"container": found["tag"]}), TIME: found["time"], **row}


def _logfmt_rows(text: str) -> Iterator[Row | str]:
    """A row for each line, and text that is none as it is."""
    for line in text.splitlines():
        cells = dict(_pairs(line))
        if _told(cells):
            # As the broker writes it: what is at INFO shows whether a log is whole.
            levels = {key: cells[key].upper() for key in _LEVELS if key in cells}
            yield {**cells, **levels, LINE: next(cells[key] for key in MESSAGE_KEYS if key in cells)}
        elif line.strip():
            yield line


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """Names and values of a line that has nothing else."""
    found: list[tuple[str, str]] = []
    at = 0
    line = line.strip()
    while at < len(line):
        pair = _PAIR.match(line, at)
        if pair is None:
            return
        found.append((pair["name"].lower(), _plain(pair["value"])))
        at = pair.end()
    yield from found


def _plain(value: str) -> str:
    """A value without its quotes."""
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return value[1:-1]
