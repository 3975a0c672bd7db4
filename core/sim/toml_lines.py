"""On which line of a TOML text a key stands: the standard parser does not say."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the top: ("step", 2, "do") is the key `do` of the third `[[step]]`."""

_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY: Final = re.compile(r"\s*((?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"))*)\s*=")
_PART: Final = re.compile(r"[\w-]+|\"[^\"]*\"")
_FENCES: Final = ('"""', "'''")


def lines_of(text: str) -> Mapping[Path, int]:
    """The line, from 1, of every table header and every key that begins a line.

    The text must be valid TOML.
    """
    found: dict[Path, int] = {(): 1}
    counts: dict[Path, int] = {}
    table: Path = ()
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if fence:
            fence = "" if line.count(fence) % 2 else fence
            continue
        header = _TABLE.fullmatch(line)
        key = _KEY.match(line)
        if header:
            table = _resolve(_parts(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            found.setdefault(table, number)
        elif key:
            place = (*table, *_parts(key[1]))
            for depth in range(len(table) + 1, len(place) + 1):
                found.setdefault(place[:depth], number)
            fence = next((mark for mark in _FENCES if line.count(mark) % 2), "")
    return found


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """The line of a key, or of the nearest thing around it that has one."""
    while path not in lines:
        path = path[:-1]
    return lines[path]


def _parts(dotted: str) -> Path:
    return tuple(part.strip('"') for part in _PART.findall(dotted))


def _resolve(parts: Path, counts: Mapping[Path, int]) -> Path:
    """A header's path with the index of the latest element of each array of tables on the way to it."""
    path: Path = ()
    for place, part in enumerate(parts):
        path = (*path, part)
        if place < len(parts) - 1 and path in counts:
            path = (*path, counts[path])
    return path
