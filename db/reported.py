"""The shape of an import report and of the facts of a trace, as a document holds them.

What the program reads of them by name has its type; other keys may hold any JSON.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, cast

from core.message_json import from_plain
from core.trace.settings import CHANGED, OVER_TIME, is_over_time
from core.trace.trace import WHOLE_SECONDS
from db.budgets import MOST_REPORT_BYTES
from db.shapes import (
    MOST,
    either,
    integer,
    listed,
    loaded,
    matching,
    nothing_or,
    record,
    row,
    text,
    yes_or_no,
)

_COUNT: Final = integer(0)
_NUMBER: Final = integer()
_NAME: Final = text()
_BROKER: Final = nothing_or(integer(-1, 2**31 - 1))
_TIME: Final = nothing_or(
    matching(re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z").fullmatch, "a time")
)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


_CLOCK: Final = matching(re.compile(r"[a-z]+ (0|-?[1-9]\d{0,9})").fullmatch, "the name of a clock")
_COUNTS: Final = dict.fromkeys(("recognised", "noise", "unrecognised", "malformed"), _COUNT)
_ANY: Final = record({})


def _message(value: object, path: str) -> None:
    try:
        from_plain(value)
    except ValueError as error:
        message = f"{path} is no message: {error}"
        raise ValueError(message) from error


def _gap(value: object, path: str) -> None:
    """A message, or what the first documents had: an object of any keys."""
    said = isinstance(value, dict) and "id" in cast("dict[str, object]", value)
    (_message if said else _ANY)(cast("object", value), path)


_SAID: Final = either(str, _NAME, _message)
"""A message, or the text that an earlier version wrote."""

_REPORT: Final = record(
    {},
    {
        "files": _COUNT,
        "lines": _COUNT,
        **_COUNTS,
        "gaps": listed(either(str, _NAME, _gap)),
        "contradictions": listed(record({"file": _NAME, "line": _NUMBER})),
        "by_broker": listed(
            record(
                {"broker": _BROKER},
                {
                    "version": nothing_or(_NAME),
                    "versions": listed(_NAME),
                    "files": _COUNT,
                    **_COUNTS,
                    "from": _TIME,
                    "to": _TIME,
                    "zones": listed(_SAID),
                    "clock": nothing_or(_NAME),
                },
            )
        ),
        "clocks": listed(
            record(
                {
                    "clock": _CLOCK,
                    "add_ns": record({"lo": nothing_or(_NUMBER), "hi": nothing_or(_NUMBER)}),
                    "added_ns": _NUMBER,
                },
                {"reference": yes_or_no, "from": _TIME, "to": _TIME},
            )
        ),
        "further": listed(
            record(
                {"broker": _BROKER, "evidence": _SAID, "settles": _SAID},
                {"evidence_zh": _NAME, "settles_zh": _NAME},
            )
        ),
        "tools": listed(
            record(
                {
                    "tool": _NAME,
                    "file": _NAME,
                    "line": _NUMBER,
                    "text": _NAME,
                    "not_before": _TIME,
                    "not_after": _TIME,
                }
            )
        ),
        "by_file": listed(
            record(
                {"file": _NAME, "is": _NAME, "broker": _BROKER},
                {
                    **_COUNTS,
                    "part": _NAME,
                    "fault": _SAID,
                    "layout": _SAID,
                    "zone": _NAME,
                    "zone_basis": _NAME,
                    "from": _TIME,
                    "to": _TIME,
                },
            )
        ),
        "left_out": nothing_or(listed(record({"file": _NAME, "lines": nothing_or(_COUNT), "reason": _SAID}))),
        "examples": listed(record({"file": _NAME, "line": _NUMBER, "fate": _NAME, "text": _NAME})),
        "read_from": nothing_or(
            record(
                {},
                {
                    "paths": listed(_NAME),
                    "zones": listed(row(nothing_or(either(str, _NAME, _NUMBER)), _NAME)),
                    "year": nothing_or(integer(1, 9999)),
                    "day": nothing_or(matching(_is_day, "a day")),
                    "topic": nothing_or(_NAME),
                    "start": nothing_or(either(str, _NAME, _NUMBER)),
                    "end": nothing_or(either(str, _NAME, _NUMBER)),
                    "broker": _BROKER,
                    "brokers": record({}, others=_BROKER),
                    "left_out": listed(_NAME),
                },
            )
        ),
    },
)
_NUMERIC: Final = re.compile(
    r"seed|metadata\.until|log\.broker-.*\.until|config\..*\.min\.insync\.replicas", re.DOTALL
)
"""Facts that the program reads as numbers."""
_OF_TOPIC: Final = "config.topic-"
_SCRIPT: Final = record(
    {},
    {
        "settings": record({}, {"min.insync.replicas": integer(0)}),
        "title": either(str, _NAME, record({}, others=_NAME)),
    },
)
_DECIMAL: Final = re.compile(r"0|-?[1-9]\d{0,18}")


def read_report(raw: object) -> dict[str, Any]:
    """The report of a trace from its JSON. Raises ValueError, with the path, where it has another shape."""
    return cast("dict[str, Any]", loaded(raw, _REPORT, "report", MOST_REPORT_BYTES))


def check_facts(facts: Mapping[str, str], sources: int) -> None:
    """Raise ValueError where a fact that the program reads as a number, a list, values or TOML is none."""
    for key, value in facts.items():
        if key.endswith(OVER_TIME) and not is_over_time(value):
            message = f"the fact {key} has no times and values: {value[:40]!r}"
            raise ValueError(message)
        if value == CHANGED and key.startswith(_OF_TOPIC):
            continue
        if _NUMERIC.fullmatch(key) and (not _DECIMAL.fullmatch(value) or abs(int(value)) > MOST):
            message = f"the fact {key} is not a number: {value[:40]!r}"
            raise ValueError(message)
    for place in facts.get(WHOLE_SECONDS, "").split():
        if not _DECIMAL.fullmatch(place) or not 0 <= int(place) < sources:
            message = f"the fact {WHOLE_SECONDS} names a source that is not there: {place[:40]!r}"
            raise ValueError(message)
    if "script" in facts:
        _check_script(facts["script"])


def _check_script(script: str) -> None:
    """The script of a simulation is TOML; what a later version writes in it is not known here."""
    try:
        read = tomllib.loads(script)
    except RecursionError:
        message = "the fact script is nested too deeply"
        raise ValueError(message) from None
    except tomllib.TOMLDecodeError as error:
        message = f"the fact script is not TOML: {error}"
        raise ValueError(message) from error
    _SCRIPT(read, "script")
