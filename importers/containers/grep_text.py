"""What `grep`, `zgrep` or `rg` found in several logs: each line behind the name of its file."""

import re
from collections.abc import Container
from typing import Final

from importers.lines.stamps import FORMS

_PLACE: Final = r"(?:[A-Za-z]:)?(?=[^:\n]{0,255}[./\\])(?=[^:\n]{0,255}[A-Za-z])[\w.\-/\\+@~=]{1,255}"
_TIME: Final = rf"\[?(?:[A-Z]{{4,7}} +\[?)?(?:{'|'.join(FORMS.values())})"
_HIT: Final = re.compile(rf"^({_PLACE}):(\d{{1,10}}:)?(?={_TIME})", re.MULTILINE)
_MOST_NAME: Final = 257
"""A drive's letter with its colon, and 255 characters."""
_NAME_ENDS: Final = re.compile(r"[:\-]")
_NUMBER: Final = re.compile(r"([:\-])\d+\1")
NO_FILE: Final = "lines of no file"
_BETWEEN: Final = ("", "--")
"""What stands between places that do not follow each other."""


def is_grep(head: str) -> bool:
    """Whether lines begin with the name of a file, and a time behind it."""
    hit = _HIT.search(head)
    return hit is not None and head.lstrip("\n").startswith(hit[1])


def grep_lines(text: str) -> dict[str, list[str]]:
    """The lines of each file by its name, found ones and those around them (`-A`, `-B`, `-C`).

    A name is one that a line with a time stands behind: in lines around a hit nothing says where a name ends.
    """
    hits = list(_HIT.finditer(text))
    places = {hit[1] for hit in hits}
    numbered = all(hit[2] for hit in hits)
    told: dict[str, list[str]] = {}
    other: list[str] = []
    for line in text.split("\n"):
        found = _found_in(line, places, numbered=numbered)
        if found is not None:
            place, text_begins = found
            told.setdefault(place, []).append(line[text_begins:])
        elif line not in _BETWEEN:
            other.append(line)
    return {**told, NO_FILE: other} if other else told


def _found_in(line: str, places: Container[str], *, numbered: bool) -> tuple[str, int] | None:
    """The name of the file that a line begins with, the longest of those known, and where its text begins.

    Each end that a name can have is looked up: the time does not grow with the number of names.
    """
    for end in reversed([sign.start() for sign in _NAME_ENDS.finditer(line, 0, _MOST_NAME + 1)]):
        if line[:end] in places:
            number = _NUMBER.match(line, end) if numbered else None
            if number is not None or not numbered:
                return line[:end], end + 1 if number is None else number.end()
    return None
