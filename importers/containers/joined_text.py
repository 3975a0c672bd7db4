"""Several logs in one text, each below a heading: `tail -n +1 *.log`, `more`, Ansible, a loop over hosts."""

import re
from collections.abc import Iterator
from typing import Final

from importers.lines.stamps import FORMS

_HEADING: Final = re.compile(
    r"^(?:(?P<mark>==>|#{2,12}|={3,40}|\*{3,40}|-{3,40})(?P<said>[^\n]*)"
    r"|:{6,}\r?\n(?P<more>[^\n]*)\n:{6,}\r?"
    r"|(?P<ansible>[\w.\-]{1,80}) \| (?:CHANGED|SUCCESS)(?: \| rc=0)? >>[ \t]*\r?)$",
    re.MULTILINE,
)
_NAME: Final = re.compile(r"[\w.\-/\\:,@()+ ]{1,200}")
_ENDS: Final = {"==>": " <=="}
"""By the mark before a name what must follow it; of all others the mark may follow, in any number."""
_TIMED: Final = re.compile(rf"^\[?(?:{'|'.join(FORMS.values())})", re.MULTILINE)
_BETWEEN: Final = re.compile(r"\s*(?:(?:```|~~~)\w*|\{(?:noformat|code)[^}\n]{0,40}\})?\s*")
"""What may stand between a heading and the first line: nothing, or the beginning of a block."""
BEFORE: Final = "before the first heading"


def is_joined(head: str) -> bool:
    """Whether a text has a heading before its first line with a time, and such a line right below one."""
    first = _TIMED.search(head)
    if first is None:
        return False
    before = list(_headings(head, first.start()))
    return bool(before) and _BETWEEN.fullmatch(head, before[-1][1], first.start()) is not None


def _headings(text: str, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Where each heading before `end` begins and ends, its form (with a depth if it has one), its name."""
    for found in _HEADING.finditer(text, 0, end):
        mark = found["mark"]
        if mark is None:
            form, name = next((form, said) for form, said in found.groupdict().items() if said)
        else:
            said = found["said"].rstrip()
            if not said.endswith(_ENDS.get(mark, "")):
                continue
            form, name = mark if mark[0] == "#" else mark[:3], said.removesuffix(" <==").strip(f" {mark[0]}")
        name = name.strip()
        if _NAME.fullmatch(name) and any(map(str.isalnum, name)):
            yield found.start(), found.end(), form, re.sub(r"[^\w.\-/]+", "-", name).strip("-")


def joined_logs(text: str) -> Iterator[tuple[str, str]]:
    """The log below each heading, with what the headings above it say, as a path: the host, then the file.

    A heading of another form below one is of a part of it.
    """
    above: dict[str, str] = {}
    begin, label = 0, BEFORE
    for start, end, form, name in _headings(text, len(text)):
        if text[begin:start].strip():
            yield label, text[begin:start]
        if form in above:
            deeper = list(above).index(form)
            above = dict(list(above.items())[:deeper])
        above[form] = name
        begin, label = _begin_of_log(text, end), "/".join(above.values())
    if text[begin:].strip():
        yield label, text[begin:]


def _begin_of_log(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return at if between is None else between.end()
