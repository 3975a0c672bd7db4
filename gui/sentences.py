"""Sentences that are made without a language, in the chosen one: of reports and switches.

They come from where nobody knows who will read them: an importer in another process, a document that was
written a year ago. English is their key in `translations/sentences_zh_CN.toml`, with {places} for values.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from gui.text.spoken import language

_TABLE: Final = Path(__file__).parent / "translations" / "sentences_zh_CN.toml"
_PLACE: Final = re.compile(r"\{(\w+)\}")
_NESTED: Final = "said"
"""A place whose name begins so holds another sentence of the table."""
_WITHOUT_SPACES: Final = frozenset(
    ("byte", "count", "first", "last", "left", "line", "number", "offset", "size", "times")
)
"""Places of numbers and times: no sentence fits into them."""


def sentence(text: str) -> str:
    """A sentence in the chosen language; as it is where the table does not have it."""
    return (chinese(text) or text) if language() == "zh" else text


def chinese(text: str) -> str | None:
    """A sentence in Simplified Chinese; None where the table does not have it."""
    exact, templates = _entries()
    known = exact.get(text) or exact.get(text[:1].upper() + text[1:])
    if known is not None:
        return known
    for literal, english, zh in templates:
        if literal in text:
            found = _pattern(english).fullmatch(text)
            if found is not None:
                return _filled(zh, found.groupdict())
    return None


def _filled(zh: str, values: Mapping[str, str]) -> str:
    def value(place: re.Match[str]) -> str:
        said = values[place[1]]
        return (chinese(said) or said) if place[1].startswith(_NESTED) else said

    return _PLACE.sub(value, zh)


@cache
def _entries() -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Texts without places, and (its longest literal, English, Chinese) of the others, the wordiest first."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    rows = [row for part in table.values() for row in part.items()]
    templates = [
        (max(_PLACE.sub("\0", english).split("\0"), key=len), english, zh)
        for english, zh in rows
        if _PLACE.search(english)
    ]
    templates.sort(key=lambda row: -len(_PLACE.sub("", row[1])))
    return {english: zh for english, zh in rows if not _PLACE.search(english)}, templates


@lru_cache(maxsize=512)
def _pattern(english: str) -> re.Pattern[str]:
    parts: list[str] = []
    seen: set[str] = set()
    for place, part in enumerate(_PLACE.split(english)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            seen.add(part)
            held = r"[^\s/]+?" if part in _WITHOUT_SPACES else ".*?"
            parts.append(f"(?P<{part}>{held})")
    return re.compile("".join(parts), re.DOTALL)
