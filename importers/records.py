"""From bytes to records: a head line with the lines that belong to it, and where they lie."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from importers.layout import Layout

_LOGGER = re.compile(rb" \(([A-Za-z_][\w$]*(?:\.[\w$]+)+)\)$")
"""A name with dots: what a layout without loggers ends in (`(Expired)`, a state) is no logger."""
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `start` and `end` are bytes in the data given; `line` counts from the line given.

    `local_ns` is the stamp read as UTC, None where it names no real moment. `message` is the first line
    without head and logger; `tail` is what follows the first line.
    """

    start: int
    end: int
    line: int
    lines: int
    local_ns: int | None
    message: bytes
    logger: bytes
    tail: bytes


def records(data: bytes, layout: Layout, first_line: int = 1) -> Iterator[Record]:
    """Every record of `data` in order. Lines before the first head belong to none."""
    heads = layout.pattern().finditer(data)
    head = next(heads, None)
    line = first_line
    if head is not None:
        line += data.count(b"\n", 0, head.start())
    while head is not None:
        following = next(heads, None)
        start, end = head.start(), following.start() if following else len(data)
        stop = data.find(b"\n", head.end(), end)
        if stop < 0:
            stop = end
        message, logger = _split_logger(data[head.end() : stop])
        count = data.count(b"\n", start, end) + (not data.endswith(b"\n") if following is None else 0)
        stamp = _minute(head[1])
        nanos = None if stamp is None else stamp + int(head[2]) * 1_000_000_000 + int(head[3]) * 1_000_000
        yield Record(start, end, line, count, nanos, message, logger, data[stop + 1 : end])
        line += count
        head = following


def lines_before(data: bytes, layout: Layout) -> int:
    """How many lines precede the first record."""
    head = layout.pattern().search(data)
    if head is None:
        return data.count(b"\n") + bool(data and not data.endswith(b"\n"))
    return data.count(b"\n", 0, head.start())


def next_record(data: bytes, layout: Layout, at: int) -> int:
    """The byte at which the first record that begins at or after `at` begins; the length where there is none.

    With `data` a whole file, the records of the byte range [a, b) are those in
    data[next_record(a):next_record(b)]: a record belongs to the range in which its first byte lies. A range
    that begins at 0 takes the lines before the first record too.
    """
    if at <= 0:
        return 0
    begin = at if data[at - 1 : at] == b"\n" else data.find(b"\n", at) + 1
    if begin <= 0:
        return len(data)
    head = layout.pattern().search(data, begin)
    return len(data) if head is None else head.start()


def _split_logger(text: bytes) -> tuple[bytes, bytes]:
    """Message and logger: the logger is the last parenthesis, and the message may end in one of its own."""
    text = text.removesuffix(b"\r")
    match = _LOGGER.search(text)
    return (text, b"") if match is None else (text[: match.start()], match[1])


@lru_cache(maxsize=4096)
def _minute(text: bytes) -> int | None:
    """Nanoseconds of "2026-11-21 03:29" read as UTC; None if the calendar has no such minute."""
    try:
        moment = dt.datetime.strptime(text.decode(), "%Y-%m-%d %H:%M").replace(tzinfo=dt.UTC)
    except ValueError:
        return None
    return ((moment - _EPOCH) // dt.timedelta(seconds=1)) * 1_000_000_000
