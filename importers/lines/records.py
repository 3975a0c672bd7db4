"""From bytes to records: a head line with the lines that belong to it, and where they lie."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.trace.units import MILLISECOND_NS, SECOND_NS
from importers.lines.arrangements import split_ending
from importers.lines.handmade_json import object_of
from importers.lines.json_records import json_logger, json_message, json_time, json_trace
from importers.lines.layout import Layout
from importers.lines.stamps import minute_ns, nanos


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `start` and `end` are bytes in the data given; `line` counts from the line given.

    `local_ns` is the stamp read as UTC, None where it names no real moment. `message` is the first line
    without head and logger; `tail` is what follows the first line. `carried_ns` is the time, UTC, at which
    what carries the log took the record over, where it says so beside a stamp without a zone.
    """

    start: int
    end: int
    line: int
    lines: int
    local_ns: int | None
    message: bytes
    logger: bytes
    tail: bytes
    carried_ns: int | None = None


def records(data: bytes, layout: Layout, first_line: int = 1) -> Iterator[Record]:
    """Every record of `data` in order. Lines before the first head belong to none."""
    if not layout.plain:
        yield from _carried(data, layout, first_line)
        return
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
        message, logger = split_ending(data[head.end() : stop].rstrip(b"\r"))
        count = data.count(b"\n", start, end) + (not data.endswith(b"\n") if following is None else 0)
        stamp = minute_ns(head[1])
        nanos = None if stamp is None else stamp + int(head[2]) * SECOND_NS + int(head[3]) * MILLISECOND_NS
        yield Record(start, end, line, count, nanos, message, logger, data[stop + 1 : end])
        line += count
        head = following


def _carried(data: bytes, layout: Layout, first_line: int) -> Iterator[Record]:
    """The same for layouts whose lines are wrapped, learnt, or objects."""
    heads = layout.pattern().finditer(data)
    head = next(heads, None)
    line = first_line + (data.count(b"\n", 0, head.start()) if head is not None else 0)
    while head is not None:
        following = next(heads, None)
        start, end = head.start(), following.start() if following else len(data)
        raws = data[start:end].removesuffix(b"\n").split(b"\n")
        read = _object if layout.wrap.startswith("json") and not layout.body else _lines
        yield read(raws, layout, (start, end, line))
        line += data.count(b"\n", start, end)
        head = following


def _lines(raws: Sequence[bytes], layout: Layout, place: tuple[int, int, int]) -> Record:
    """A record of lines, each without its wrapping; those of other speakers are not counted."""
    own = [line for raw in raws if (line := layout.line(raw)) is not None]
    parts: list[list[bytes]] = []
    whole = True
    for one in own:
        if whole:
            parts.append([one.text])
        else:
            parts[-1].append(one.text)
        whole = one.whole
    # A text that an object carries may have lines of its own.
    first, *following = b"\n".join(map(b"".join, parts)).split(b"\n", 1)
    body = _body(layout.body).match(first) if parts else None
    if body is None:
        return Record(*place, max(1, len(own)), None, first, b"", b"")
    message, logger = split_ending(first[body.end() :])
    groups = body.groupdict()
    carried = nanos(own[0].time) if own[0].time else None
    stamp = groups.get("stamp")
    local = carried if stamp is None else nanos(stamp.decode(), layout.form)
    logger = (groups.get("logger") or b"") or logger
    dated = not (layout.zoned or layout.yearless or layout.dateless)
    beside = carried if stamp is not None and dated else None
    return Record(*place, len(own), local, message, logger, b"".join(following), beside)


def _object(raws: Sequence[bytes], layout: Layout, place: tuple[int, int, int]) -> Record:
    carried = [line.text for raw in raws if (line := layout.line(raw)) is not None]
    value = object_of(carried) if carried else None
    if value is None:
        return Record(*place, len(raws), None, raws[0], b"", b"")
    first, _, rest = json_message(value).partition(b"\n")
    trace = json_trace(value)
    tail = rest + (b"\n" if rest and trace else b"") + trace
    return Record(*place, len(raws), json_time(value)[0], first, json_logger(value), tail)


@lru_cache(maxsize=64)
def _body(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode())


def lines_before(data: bytes, layout: Layout) -> int:
    """How many lines precede the first record; behind prefixes, those alone that have one, as in records."""
    if layout.wrap == "prefix":
        head = layout.pattern().search(data)
        before = data[: len(data) if head is None else head.start()].split(b"\n")
        return sum(layout.line(raw) is not None for raw in before)
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
