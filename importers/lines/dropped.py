"""Lines which say that others were dropped: by a limit of a journal, a full buffer, whoever copied them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from importers.kafka.drafts import Fact
from importers.lines.layout import Layout
from importers.lines.parsed import Drafts

DROPPED: Final = "dropped"
"""The fact that lines were dropped, at the record after which they are missing."""
_NEEDLES: Final = (
    b"uppressed ",
    b"due to rate-limiting",
    b"full event buffer",
    b"to make space after buffer",
)
_DROPPED: Final = re.compile(
    rb"Suppressed \d{1,12} messages from |"
    rb"messages? (?:from pid \d{1,12} )?(?:lost )?due to rate-limiting|"
    rb"Discarded \d{1,12} messages due to (?:a )?full event buffer|"
    rb"dropping oldest chunk to make space after buffer overflow"
)
"""journald; rsyslog's imuxsock and imjournal; the AsyncAppender of log4j 1; fluentd's drop_oldest_chunk."""
_LONGEST: Final = 48
_BLANKS: Final = tuple(b" \t")
_LETTER: Final = np.array([chr(sign).isalpha() for sign in range(128)] + [False] * 128)
_CUT_OUT: Final = re.compile(
    rb"--|"
    rb"[ \t]*[\[(<{]?(?:\.{2,6}|\xe2\x80\xa6)[\])>}]?|"
    rb"[^\w\n]*(?:\d+ )?(?:(?:log )?lines? |messages? |rows? |output )?"
    rb"(?:omitted|elided|snip|snipped|skipped|skipping|truncated|removed|suppressed|redacted)[^\w\n]*",
    re.IGNORECASE,
)
"""A short line between others: of `grep -C` between two places, of `less`, of a person who left lines out."""


def told_of_dropped(drafts: Drafts, data: bytes, layout: Layout, base: int) -> Drafts:
    """The drafts of a text, with a fact for each place at which a line says that lines are missing.

    The fact stands at the earlier one of the two records around it: a search may have the newest first.
    """
    found = sorted(set(_places(data, layout)))
    if not found or not len(drafts.stamps):
        return drafts
    after = np.searchsorted(drafts.bytes, np.array(found, dtype=np.int64) + base, side="left")
    facts: dict[int, Fact] = {}
    for number in after.tolist():
        beside = [one for one in (number - 1, number) if 0 <= one < len(drafts.stamps)]
        first = min(beside, key=lambda one: (int(drafts.stamps[one]), one))
        place = (int(column[first]) for column in (drafts.stamps, drafts.bytes, drafts.lines))
        facts[first] = Fact(DROPPED, "", *place)
    return replace(drafts, facts=(*drafts.facts, *facts.values()))


def _places(data: bytes, layout: Layout) -> Iterator[int]:
    """The bytes at which the lines begin that say so, without those of other speakers."""
    if any(needle in data for needle in _NEEDLES):
        for match in _DROPPED.finditer(data):
            begin = data.rfind(b"\n", 0, match.start()) + 1
            end = data.find(b"\n", match.end())
            if layout.line(data[begin : end if end >= 0 else len(data)]) is not None:
                yield begin
    text = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    begins, ends = ends[:-1] + 1, ends[1:]
    some = ends - begins <= _LONGEST
    begins, ends = begins[some], ends[some]
    first, second = text[begins], text[np.minimum(begins + 1, len(text) - 1)]
    some = ~_LETTER[first] & ~(np.isin(first, _BLANKS) & _LETTER[second])
    for begin, end in zip(begins[some].tolist(), ends[some].tolist(), strict=True):
        if _CUT_OUT.fullmatch(data[begin:end].rstrip()):
            yield begin
