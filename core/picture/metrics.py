"""How wide a text will be, from a table: core has no fonts, and layout must be equal on every device."""

import tomllib
from bisect import bisect_right
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from core.picture.marks import Text

_MONO = 600
_FULL = 1000
_ELLIPSIS = "…"


@cache
def _tables() -> dict[int, dict[str, int]]:
    with (Path(__file__).parent / "metrics.toml").open("rb") as file:
        raw = tomllib.load(file)
    return {
        int(weight): dict(zip(raw["characters"], table["widths"], strict=True))
        for weight, table in raw["weight"].items()
    }


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, weight: int = 400, *, mono: bool = False) -> float:
    """Width in logical pixels.

    Characters outside of the table count as full width, which is right for Chinese.
    """
    if mono:
        units = sum(_MONO if ord(char) < 0x2E80 else _FULL for char in text)
    else:
        table = _tables()[min(max(weight // 100, 4), 7) * 100]
        units = sum(table.get(char, _FULL) for char in text)
    return units * size / 1000


def width_of(text: Text) -> float:
    """Width of a text mark as it will be painted, elided where it has a limit."""
    width = text_width(text.text, text.size, text.weight, mono=text.mono)
    return min(width, text.max_width) if text.max_width else width


def elide(text: str, width: float, size: float, weight: int = 400, *, mono: bool = False) -> str:
    """The text, or its beginning with an ellipsis, in at most `width`; "" where not even that has room."""
    if text_width(text, size, weight, mono=mono) <= width:
        return text

    def wide(end: int) -> float:
        return text_width(text[:end].rstrip() + _ELLIPSIS, size, weight, mono=mono)

    end = bisect_right(range(1, len(text)), width, key=wide)
    return text[:end].rstrip() + _ELLIPSIS if end else ""


def elide_partition(name: str, width: float, size: float, weight: int = 400) -> str:
    """The name of a partition in at most `width`, its number whole: "disk_fai…och-3-0".

    The middle goes, as topics often begin alike, and partitions of one differ in their number alone. As
    `elide` where the name ends in no number, and where that leaves no room for a letter of the topic.
    """
    _, dash, number = name.rpartition("-")
    if not number.isdecimal() or text_width(name, size, weight) <= width:
        return elide(name, width, size, weight)
    room = width - text_width(_ELLIPSIS, size, weight)
    # The end of the name begins here at the latest, or where it takes half of the room.
    latest = len(name) - len(dash + number)
    begin = latest - bisect_right(
        range(1, latest), room / 2, key=lambda more: text_width(name[latest - more :], size, weight)
    )
    left = room - text_width(name[begin:], size, weight)
    end = bisect_right(range(1, begin), left, key=lambda at: text_width(name[:at], size, weight))
    return name[:end] + _ELLIPSIS + name[begin:] if end else elide(name, width, size, weight)


def wrap(text: str, width: float, size: float, weight: int = 400) -> tuple[str, ...]:
    """Lines of whole words, each at most `width`; a longer word stands alone. Chinese breaks anywhere."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        joined = line + word
        if line and text_width(joined.rstrip(), size, weight) > width:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line = joined
    return (*lines, line.rstrip()) if line.strip() else tuple(lines)


_CLOSING: Final = frozenset("，。；：、！？）》”’")
"""Signs that begin no line of Chinese."""


def _words(text: str) -> list[str]:
    words: list[str] = []
    for char in text:
        if words and char in _CLOSING:
            words[-1] += char
        elif not words or ord(char) >= 0x2E80 or (words[-1].endswith(" ") and char != " "):
            words.append(char)
        else:
            words[-1] += char
    return words
