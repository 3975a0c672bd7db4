"""Logs of which a search kept the lines with one topic: what these state of other topics is left out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.message import message
from importers.lines.parsed import Drafts
from importers.lines.statements import NONE
from importers.merge.files import ReadFile, Role

_LEAST: Final = 3
"""So many lines on topics show a search; a log with fewer is one where another log of the import shows it."""


def of_whole_topics(files: Sequence[ReadFile]) -> tuple[ReadFile, ...]:
    """The files without what logs that were searched for a topic state of other topics.

    Where every line on topics names one of them, and some name others, too (a broker adds a fetcher for many
    partitions in one line), the lines on the others alone are missing, on their cuts for one: nothing follows
    from what is left of them. Lines on no topic tell nothing of that: a search may keep starts as well.
    """
    found = [_in_every_line(file.drafts) if file.role is Role.LOG else frozenset[str]() for file in files]
    shown = [
        one
        for one, file in zip(found, files, strict=True)
        if one and file.drafts is not None and _lines(file.drafts) >= _LEAST
    ]
    searched = frozenset[str]().union(*shown)
    return tuple(
        file if not one & searched else _only(file, one & searched)
        for file, one in zip(files, found, strict=True)
    )


def _lines(drafts: Drafts) -> int:
    """How many lines state something of a topic."""
    columns = drafts.drafts.columns
    return len(np.unique(columns["byte"][columns["topic"] != NONE]))


def _in_every_line(drafts: Drafts | None) -> frozenset[str]:
    """The topics that every line on topics names, where some name others, too."""
    if drafts is None:
        return frozenset()
    columns, texts = drafts.drafts.columns, drafts.drafts.texts
    about: NDArray[np.int64] = np.flatnonzero(columns["topic"] != NONE)
    if not len(about):
        return frozenset()
    topics, lines = columns["topic"][about], columns["byte"][about]
    both = np.intersect1d(topics[lines == lines[0]], topics[lines == lines[-1]])
    every = len(np.unique(lines)) if len(both) else 0
    kept = [one for one in both.tolist() if len(np.unique(lines[topics == one])) == every]
    others = np.count_nonzero(np.isin(topics, kept, invert=True))
    return frozenset(texts[one] for one in kept) if others else frozenset()


def _only(file: ReadFile, topics: frozenset[str]) -> ReadFile:
    """A log without what it states of other topics."""
    if file.drafts is None:
        return file
    told = file.drafts.drafts
    kept = [number for number, text in enumerate(told.texts) if text in topics]
    mine = np.isin(told.columns["topic"], [NONE, *kept])
    lines = len(np.unique(told.columns["byte"][~mine]))
    why = message("report.searched", topic=min(topics))
    return replace(
        file,
        drafts=replace(file.drafts, drafts=told.taken(mine)),
        unused=(*file.unused, (lines, why)),
    )
