"""What carries a log wraps each of its lines: containers, journals, syslog. Here it is taken off again."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from importers.lines.stamps import FORMS, YEARLESS, ZONED

ANSI: Final = r"(?:\x1b\[[\d;]*m)*+"
_COLOURS: Final = re.compile(rb"\x1b\[[\d;]*m")
MOST_JSON: Final = 1 << 20
_TIME: Final = rf"(?P<time>{FORMS[ZONED]})"
_SHORT: Final = rf"(?P<time>{FORMS[YEARLESS]})"
_TELLER: Final = r"(?P<label>[\w.\-:]+) [\w.\-/@]+(?:\[\d+\])?: "
"""Host and program."""
_SERVICE: Final = rf"{ANSI}(?P<label>[A-Za-z][\w.\-]*) *\|{ANSI} ?{ANSI}"
_TASK: Final = rf"{ANSI}(?P<label>[A-Za-z0-9][\w\-]*\.\w+)(?:\.[a-z0-9]+)?@[\w.\-]+ *\|{ANSI} ?{ANSI}"
"""Service and slot, the task's number, which is another one after each restart, and the node."""
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LOCAL: Final = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})? (?:[A-Z]{2,5}|[+-]\d\d)"
"""An abbreviation says no zone: CST is in America, in China and in Cuba."""
_POD: Final = r"\[pod/(?P<label>[\w.\-/]+)\] "
_STERN: Final = r"(?P<label>[a-z0-9][a-z0-9.]*-[a-z0-9.\-]* [a-z0-9][a-z0-9.\-]*)"
_STREAM: Final = r"(?P<label>[A-Za-z][\w./\-]*)"
_STRUCTURED: Final = r"(?:-|\[[^\]\n]*\])(?: (?:\xef\xbb\xbf)?|$)"
PREFIXES: Final[Mapping[str, str]] = {
    "CRI": rf"{_TIME} std(?:out|err) (?P<part>[FP])\S* ",
    "docker compose, times": rf"{_SERVICE}{_TIME} ",
    "docker compose": _SERVICE,
    "docker service, times": rf"{_TIME} {_TASK}",
    "docker service": _TASK,
    "kubectl --prefix --timestamps": rf"{_POD}{_TIME} ",
    "kubectl --prefix": _POD,
    "RFC 5424": rf"(?:\d{{1,6}} )?(?:<\d{{1,3}}>)?1 {_TIME} (?P<label>\S+) \S+ \S+ \S+ {_STRUCTURED}",
    "journal, ISO times": rf"{_TIME} {_TELLER}",
    "journal, Unix times": rf"(?P<time>1\d{{9}}\.\d{{6}}) {_TELLER}",
    "journal, full times": rf"{_DAY} (?:{_TIME}|{_LOCAL}) {_TELLER}",
    "syslog": rf"(?:<\d{{1,3}}>)?{_SHORT} {_TELLER}",
    "logplex": rf"{_TIME} [\w.\-]+\[(?P<label>[\w.\-]+)\]: ",
    "kubectl --timestamps": rf"{_TIME} ",
    "fluentd": rf"{_TIME}\t(?P<label>[\w.\-/]+)\t",
    "aws logs tail": rf"{_TIME} {_STREAM} ",
    "Grafana": r"\d{13}\t" + rf"{_TIME}\t",
    "stern --timestamps": rf"{_STERN} {_TIME}(?: |$)",
    "stern": rf"{_STERN}(?: |$)",
    "kubetail": r"\[(?P<label>[a-z0-9][\w.]*-[\w.\-]*(?: [\w.\-]+)?)\] ",
    "kail": r"(?P<label>[\w.\-]+/[\w.\-]+\[[\w.\-]+\]): ",
    "pdsh": r"(?P<label>[A-Za-z0-9][\w.\-]*):(?: |$)",
    "grep -n": r"(?:\d{1,10}[:\-](?!\d\d[-/]\d\d)|--$)",
    "cat -n": r" {0,8}\d{1,9}(?:[ \t]|$)",
    "quoted": r"(?:[>|+] ?){1,5}",
    "indented": r"(?: {1,16}|\t)",
}
"""What is in front of every line, by name: `time` and `label` (who says it) are said by some."""
LABEL: Final = "(?P<label>"
"""Where a prefix names who speaks: a line without it may be anybody's."""
JSON_TEXT_KEYS: Final = ("log", "MESSAGE", "message", "msg")
"""Keys under which a JSON object per line carries a line of text: docker, journald, the collectors."""
_JSON_TIME_KEYS: Final = ("time", "__REALTIME_TIMESTAMP", "@timestamp", "timestamp", "ts")


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line without its wrapping. `whole` is False where the text goes on in the next line."""

    text: bytes
    time: str = ""
    label: str = ""
    whole: bool = True


@lru_cache(maxsize=64)
def prefix_pattern(prefix: str) -> re.Pattern[bytes]:
    """A pattern for the beginning of a line."""
    return re.compile(prefix.encode())


def without_prefix(raw: bytes, prefix: str) -> Line | None:
    """A line without its prefix; None where it has another one or none."""
    match = prefix_pattern(prefix).match(raw)
    if match is None:
        return None
    groups = match.groupdict()
    return Line(
        without_colours(raw[match.end() :].rstrip(b"\r")),
        (groups.get("time") or b"").decode(),
        (groups.get("label") or b"").decode("utf-8", "replace"),
        groups.get("part") != b"P",
    )


def without_json(raw: bytes, key: str, *, cut: bool) -> Line | None:
    """A line of text that is carried under a key of a JSON object; None where it is not.

    `cut`: as Docker writes it, a text without a line end goes on in the next object.
    """
    value = json_object(raw)
    text = None if value is None else value.get(key)
    if isinstance(text, list):
        # The journal writes text that is not UTF-8 as an array of bytes.
        numbers = [one for one in cast("list[Any]", text) if isinstance(one, int) and 0 <= one < 256]
        data = bytes(numbers)
    elif isinstance(text, str):
        data = text.encode("utf-8", "replace")
    else:
        return None
    whole = not cut or data.endswith(b"\n")
    time = next((value[name] for name in _JSON_TIME_KEYS if value and name in value), "")
    return Line(without_colours(data.rstrip(b"\r\n")), _plain_time(time), "", whole)


def _plain_time(value: object) -> str:
    """A carrier's time as a stamp; the journal counts microseconds."""
    text = str(value)
    return f"{text[:-6]}.{text[-6:]}" if text.isdigit() and len(text) == 16 else text


def json_object(raw: bytes) -> dict[str, Any] | None:
    """A line as a JSON object; None where it is none, or too long to be one."""
    if len(raw) > MOST_JSON or not raw.lstrip().startswith(b"{"):
        return None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def without_colours(text: bytes) -> bytes:
    """Text without the codes that colour it on a terminal."""
    return _COLOURS.sub(b"", text) if b"\x1b" in text else text
