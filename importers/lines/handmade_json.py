"""Objects that a pattern printed, `{"time":"%d","message":"%m"}%n`: the message stands in them as it is.

Log4j 1 has no layout for JSON (to 3.9), so people write such a pattern. A message with quotes, backslashes or
lines of its own makes no JSON then: it is what stands between its key and the keys behind it.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, cast

from importers.lines.json_records import MESSAGE_KEYS
from importers.lines.transports import MOST_JSON, json_object

_BEGINS: Final = re.compile(('"(?:' + "|".join(MESSAGE_KEYS) + ')" ?: ?"').encode())
_ENDS: Final = re.compile(
    rb'"(?: ?, ?"[\w.@\-]{1,40}" ?: ?(?:"[^"\n]{0,200}"|[\w.+\-]{1,40})){0,8} ?\}$',
)
"""The end of a message, and the keys behind it."""


def object_of(lines: Sequence[bytes]) -> dict[str, Any] | None:
    """The object that lines begin with, one line of JSON or what a pattern made of several; None for none."""
    found = json_object(lines[0])
    if found is not None:
        return found
    ends = [number for number, line in enumerate(lines) if line.rstrip().endswith(b"}")]
    return _handmade(b"\n".join(lines[: ends[-1] + 1]).rstrip()) if ends else None


def begin_objects(lines: Sequence[bytes]) -> list[list[bytes]]:
    """Lines by the object that they belong to; those before the first one are left out."""
    found: list[list[bytes]] = []
    for line in lines:
        if line.startswith(b"{"):
            found.append([line])
        elif found:
            found[-1].append(line)
    return found


def _handmade(text: bytes) -> dict[str, Any] | None:
    """A text as an object, its message as it stands there; None where it is none."""
    begun = _BEGINS.search(text)
    ended = None if begun is None or len(text) > MOST_JSON else _ENDS.search(text, begun.end())
    if begun is None or ended is None:
        return None
    said = text[begun.end() : ended.start()].decode("utf-8", "replace")
    whole = text[: begun.end()] + json.dumps(said)[1:-1].encode() + text[ended.start() :]
    try:
        value = json.loads(whole)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
