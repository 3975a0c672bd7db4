"""What `grep`, `zgrep` or `rg` found in several logs: each line behind the name of its file."""

import re
from typing import Final

from importers.stamps import FORMS

_PLACE: Final = r"(?:[A-Za-z]:)?(?=[^:\n]{0,255}[./\\])(?=[^:\n]{0,255}[A-Za-z])[\w.\-/\\+@~=]{1,255}"
_TIME: Final = rf"\[?(?:[A-Z]{{4,7}} +\[?)?(?:{'|'.join(FORMS.values())})"
_HIT: Final = re.compile(rf"^({_PLACE}):(\d{{1,10}}:)?(?={_TIME})", re.MULTILINE)
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
    places = sorted({hit[1] for hit in hits}, key=len, reverse=True)
    number = r"\d+\2" if all(hit[2] for hit in hits) else ""
    begin = re.compile(rf"({'|'.join(map(re.escape, places))})([:\-]){number}")
    told: dict[str, list[str]] = {}
    other: list[str] = []
    for line in text.split("\n"):
        match = begin.match(line)
        if match is not None:
            told.setdefault(match[1], []).append(line[match.end() :])
        elif line not in _BETWEEN:
            other.append(line)
    return {**told, NO_FILE: other} if other else told
