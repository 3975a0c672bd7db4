"""Several logs in one text, each below a heading: `tail -n +1 *.log`, `more`, Ansible, a loop over hosts."""

import re
from collections.abc import Iterator
from typing import Final

from importers.lines.stamps import FORMS

_NAME: Final = r"(?=[^\n]{0,200}\w)[\w.\-/\\:,@()+ ]{1,200}?"
_HEADINGS: Final = (
    rf"==> (?P<tail>{_NAME}) <==",
    rf":{{6,}}\r?\n(?P<more>{_NAME})\r?\n:{{6,}}",
    r"(?P<ansible>[\w.\-]{1,200}) \| (?:CHANGED|SUCCESS)(?: \| rc=0)? >>",
    rf"(?P<hash>#{{2,12}}) *(?P<hashed>{_NAME}) *#{{0,12}}",
    rf"={{3,40}} *(?P<equals>{_NAME}) *={{0,40}}",
    rf"\*{{3,40}} *(?P<stars>{_NAME}) *\*{{0,40}}",
    rf"-{{3,40}} *(?P<dashes>{_NAME}) *-{{0,40}}",
)
_HEADING: Final = re.compile(rf"^(?:{'|'.join(_HEADINGS)})[ \t]*\r?$", re.MULTILINE)
_TIMED: Final = re.compile(rf"^\[?(?:{'|'.join(FORMS.values())})", re.MULTILINE)
_BETWEEN: Final = re.compile(r"\s*(?:(?:```|~~~)\w*|\{(?:noformat|code)[^}\n]{0,40}\})?\s*")
"""What may stand between a heading and the first line: nothing, or the beginning of a block."""
BEFORE: Final = "before the first heading"


def is_joined(head: str) -> bool:
    """Whether a text has a heading before its first line with a time, and such a line right below one."""
    first = _TIMED.search(head)
    if first is None:
        return False
    begun = _HEADING.search(head, 0, first.start())
    last = None
    while begun is not None:
        last, begun = begun, _HEADING.search(head, begun.end(), first.start())
    return last is not None and _BETWEEN.fullmatch(head, last.end(), first.start()) is not None


def joined_logs(text: str) -> Iterator[tuple[str, str]]:
    """The log below each heading, with what the headings above it say, as a path: the host, then the file.

    A heading of another form below one is of a part of it.
    """
    above: dict[str, str] = {}
    begin, label = 0, BEFORE
    for heading in _HEADING.finditer(text):
        if text[begin : heading.start()].strip():
            yield label, text[begin : heading.start()]
        form, name = _told(heading)
        if form in above:
            deeper = list(above).index(form)
            above = dict(list(above.items())[:deeper])
        above[form] = name
        begin, label = _begin_of_log(text, heading.end()), "/".join(above.values())
    if text[begin:].strip():
        yield label, text[begin:]


def _begin_of_log(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return at if between is None else between.end()


def _told(heading: re.Match[str]) -> tuple[str, str]:
    """The form of a heading, with its depth where it has one, and what it says."""
    groups = {form: said for form, said in heading.groupdict().items() if said}
    depth = groups.pop("hash", "")
    form, said = next(iter(groups.items()))
    return form + depth, re.sub(r"[^\w.\-/]+", "-", said.strip()).strip("-")
