"""How a line begins: stamp, level, message, logger. Found once per file, from the file itself."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from core.message import Message, message
from importers.lines.arrangements import arrangement_of, known_message, times_at_the_beginning
from importers.lines.handmade_json import begin_objects, object_of
from importers.lines.json_records import json_form, json_message
from importers.lines.stamps import DATELESS, DAY_FIRST, EPOCH_TIME, FORMS, MONTH_DAY, YEARLESS, ZONED
from importers.lines.transports import (
    ANSI,
    JSON_TEXT_KEYS,
    LABEL,
    PREFIXES,
    Line,
    json_object,
    without_colours,
    without_json,
    without_prefix,
)

PROBE_BYTES: Final = 256 * 1024
"""A file is judged by its beginning: a stack trace may come first, but not for this long."""
_MOST_LINES: Final = 2_000
_SHARE: Final = 0.8
"""Of the lines, this share must be wrapped in the same way."""
_LEAST: Final = 3
_JSON_COLOURS: Final = r"(?:\\u001[bB]\[[\d;]*m)*+"
_LINE_BEGINS: Final = r'(?=[^"\n]{0,80}(?:\d\d:\d\d:\d\d|\d{8}|TRACE|DEBUG|INFO|WARN|ERROR|FATAL))'
"""A time or a level is near: the first text under the key that has one is the line, and no other is tried."""
_SHARE_TIMED: Final = 0.3
_SHARE_TOLD: Final = 0.05
_OF_KAFKA: Final = re.compile(
    rb"\bkafka\.(?:server|log|cluster|controller|coordinator|raft|utils|zk)\.[A-Z]|\bstate\.change\.logger\b|"
    rb"\borg\.apache\.kafka\.(?:controller|raft|image|storage|server|metadata)\.|"
    rb"\[(?:ReplicaFetcher|ReplicaManager|Partition|Log partition|Controller|UnifiedLog|LocalLog) ?[\w=]*"
)
"""Classes of a broker, and how its messages begin."""
_MOMENT: Final = re.compile(rb"\d\d?:\d\d:\d\d|\b1\d{12}\b|\b1\d{9}\.\d")
_SEAM: Final = "~"
_LEARNT: Final = "learnt"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout by name, with the pattern of a record's head; plain text, so that it can be sent to a worker.

    In `STOCK`, the groups of `head` are: 1 stamp down to the minute, 2 seconds, 3 milliseconds, 4 level. What
    follows the head up to the end of the line is the message, with the logger in its last parentheses.

    In all others `head` only finds where a record begins. `wrap` says how a line is carried: "" not at all,
    "prefix" behind what `carrier` matches, "docker" and "json text" under the key `carrier` of an object,
    "json": an object is a record, behind what `carrier` matches; "json in json": as a text under the key
    `carrier` of another one. `body` matches the text without wrapping, with the groups `stamp`, `level`
    and `logger`; where it has no stamp, the carrier's time holds. `form` is the form of the stamps
    (lines/stamps.py). `label` is whose lines they are, where several speak in one file: then other lines
    are not looked at.
    """

    name: str
    head: str
    wrap: str = ""
    carrier: str = ""
    body: str = ""
    form: str = ""
    label: str = ""

    def pattern(self) -> re.Pattern[bytes]:
        """The head as a compiled pattern for bytes, anchored at the beginning of a line."""
        return _compiled(self.head)

    @property
    def plain(self) -> bool:
        """Whether records are cut out by `head` alone."""
        return not self.body and not self.wrap

    @property
    def zoned(self) -> bool:
        """Whether the stamps say their zone."""
        return self.form in (ZONED, EPOCH_TIME)

    @property
    def yearless(self) -> bool:
        """Whether the stamps say no year."""
        return self.form in (YEARLESS, MONTH_DAY)

    @property
    def dateless(self) -> bool:
        """Whether the stamps say no date."""
        return self.form == DATELESS

    def line(self, raw: bytes) -> Line | None:
        """One physical line without its wrapping; None where it is somebody else's or damaged."""
        if self.wrap == "prefix":
            found = without_prefix(raw, self.carrier)
            return found if found is not None or LABEL in self.carrier else _unwrapped(raw)
        if self.wrap == "json" and self.carrier:
            return without_prefix(raw, self.carrier)
        if self.wrap in ("docker", "json text", "json in json"):
            return without_json(raw, self.carrier, cut=self.wrap == "docker")
        return _unwrapped(raw)


def _unwrapped(raw: bytes) -> Line:
    """A line as it stands: a collector that joins lines writes its prefix in front of records alone."""
    return Line(without_colours(raw.rstrip(b"\r")))


@lru_cache(maxsize=256)
def _compiled(head: str) -> re.Pattern[bytes]:
    return re.compile(head.encode(), re.MULTILINE)


STOCK: Final = Layout(
    "stock",
    r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d):(\d\d),(\d{3})\] (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +",
)
"""`[%d] %p %m (%c)%n`: what every release from 0.8 to 4.2 ships. No zone in it."""


def find_layout(data: bytes) -> Layout | None:
    """The layout that explains the beginning of a file, or None: nothing is certain.

    Known by name or learnt: the arrangement under which the most lines are messages that the grammar knows.
    Where lines say who speaks, several may share the file: importers/lines/speakers.py.
    """
    probe = data[:PROBE_BYTES]
    stock = [match.end() for match in STOCK.pattern().finditer(probe)]
    if any(known_message(_to_line_end(probe, end)) for end in stock[:_MOST_LINES]):
        return STOCK
    lines = [line for line in probe.split(b"\n")[:_MOST_LINES] if line.strip()]
    if len(data) > PROBE_BYTES and len(lines) < _MOST_LINES:
        lines = lines[:-1]
    ways: tuple[Callable[[Sequence[bytes]], Layout | None], ...] = (
        _json,
        _prefixed,
        _bare,
        _objects_behind,
        _handmade,
        _untimed,
    )
    for way in ways:
        found = way(lines)
        if found is not None:
            return found
    return STOCK if stock else None


def is_unknown_log(data: bytes) -> bool:
    """Whether the beginning of a file without a layout looks like a log of Kafka all the same."""
    lines = [without_colours(line) for line in data[:PROBE_BYTES].split(b"\n")[:_MOST_LINES] if line.strip()]
    timed = times_at_the_beginning(lines)
    said = any(word in data[:PROBE_BYTES].lower() for word in (b"kafka", b"leaderepoch", b"leader epoch"))
    if said and timed >= _LEAST and timed >= _SHARE_TIMED * len(lines):
        return True
    told = lines_of_a_broker(lines)
    return told >= _LEAST and told >= _SHARE_TOLD * len(lines)


def lines_of_a_broker(lines: Iterable[bytes]) -> int:
    """How many lines have a moment, and a class of a broker's or the beginning of one of its messages."""
    return sum(_OF_KAFKA.search(line) is not None and _MOMENT.search(line) is not None for line in lines)


def has_days_that_may_be_months(data: bytes) -> bool:
    """Whether the beginning of a file without a layout has dates as 05/11/2026."""
    return re.search(FORMS[DAY_FIRST].encode(), data[:PROBE_BYTES]) is not None


def _to_line_end(data: bytes, start: int) -> bytes:
    end = data.find(b"\n", start)
    return data[start : end if end >= 0 else len(data)].rstrip(b"\r")


def _json(lines: Sequence[bytes]) -> Layout | None:
    """An object a line: either it carries a line of text, or it is a record."""
    objects = [value for line in lines[:400] if (value := json_object(line)) is not None]
    if not objects or len(objects) < _SHARE * len(lines[:400]):
        return None
    for key in JSON_TEXT_KEYS:
        texts = [one for line in lines if (one := without_json(line, key, cut=False)) is not None]
        if len(texts) < _SHARE * len(lines):
            continue
        found = arrangement_of([one.text for one in texts])
        if found is not None:
            cut = key == "log" and _ends(objects, key) >= 0.5 * len(objects)
            start = rf'^\{{(?>(?:[^\n]*?[,{{] ?)?"{key}" ?: ?"{_LINE_BEGINS})'
            head = start + found.head.replace(_SEAM, _JSON_COLOURS)
            return Layout("docker json-file" if cut else f"JSON with text in {key!r}", head,
                          "docker" if cut else "json text", key, found.body, found.form)  # fmt: skip
        form = _form_of_objects([one.text for one in texts])
        if form is not None:
            head = rf'^\{{(?:[^\n]*?[,{{] ?)?"{key}" ?: ?"\{{'
            return Layout(f"JSON in JSON, {key!r}", head, "json in json", key, form=form)
    form = _form_of_objects(lines[:400])
    return None if form is None else Layout("JSON", r"^\{", "json", form=form)


def _form_of_objects(texts: Sequence[bytes]) -> str | None:
    """The form of the stamps of texts that are records as objects; None where they are none of Kafka's."""
    objects = [value for text in texts if (value := json_object(text)) is not None]
    if not objects or len(objects) < _SHARE * len(texts):
        return None
    return json_form(objects) if any(known_message(json_message(one)) for one in objects) else None


def _objects_behind(lines: Sequence[bytes]) -> Layout | None:
    """Records as objects behind a prefix: a pod's console with Kafka's JSON layout."""
    for name, prefix in PREFIXES.items():
        found = [one.text for line in lines[:400] if (one := without_prefix(line, prefix)) is not None]
        if len(found) >= max(_LEAST, _SHARE * len(lines[:400])):
            form = _form_of_objects(found)
            if form is not None:
                return Layout(f"JSON, {name}", rf"^{prefix}\{{", "json", prefix, form=form)
    return None


def _handmade(lines: Sequence[bytes]) -> Layout | None:
    """Objects that a pattern printed, whose messages may have quotes and lines of their own."""
    found = begin_objects(lines)
    objects = [value for one in found if (value := object_of(one)) is not None]
    if len(objects) < max(_LEAST, _SHARE * len(found)):
        return None
    form = json_form(objects) if any(known_message(json_message(one)) for one in objects) else None
    return None if form is None else Layout("JSON", r"^\{", "json", form=form)


def _ends(objects: Sequence[dict[str, Any]], key: str) -> int:
    return sum(str(one.get(key, "")).endswith("\n") for one in objects)


def _prefixed(lines: Sequence[bytes]) -> Layout | None:
    return _behind_prefixes(lines, stamped=True)


def _untimed(lines: Sequence[bytes]) -> Layout | None:
    """Lines that leave the time to what carries them."""
    return _behind_prefixes(lines, stamped=False)


def _behind_prefixes(lines: Sequence[bytes], *, stamped: bool) -> Layout | None:
    timed = times_at_the_beginning(lines)
    for name, prefix in PREFIXES.items():
        found = [one for line in lines if (one := without_prefix(line, prefix)) is not None]
        begin = timed if prefix.startswith(("(?P<time>", r"\d{13}")) else len(lines)
        if len(found) < max(_LEAST, _SHARE * begin) or not (stamped or any(one.time for one in found)):
            continue
        arrangement = arrangement_of([one.text for one in found], stamped=stamped)
        if arrangement is None:
            continue
        form = arrangement.form or (YEARLESS if YEARLESS in name or name == "syslog" else ZONED)
        head = f"^{prefix}{arrangement.head.replace(_SEAM, ANSI)}"
        return Layout(name, head, "prefix", prefix, arrangement.body, form)
    return None


def _bare(lines: Sequence[bytes]) -> Layout | None:
    found = arrangement_of([without_colours(line.rstrip(b"\r")) for line in lines])
    if found is None:
        return None
    head = "^" + found.head.replace(_SEAM, ANSI)
    return Layout(_LEARNT, head, "", "", found.body, found.form)


def told_layout(layout: Layout) -> Message:
    """What a layout is called for a person."""
    if layout.name == STOCK.name:
        return message("report.layout.stock")
    if layout.name == _LEARNT:
        return message("report.layout.learnt")
    if layout.wrap == "docker":
        return message("report.layout.docker")
    if layout.wrap == "json text":
        return message("report.layout.json-text", key=layout.carrier)
    return message("report.layout.named", name=layout.name)
