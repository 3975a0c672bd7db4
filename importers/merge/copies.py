"""Directories beside that of a log: copies in one broker (KIP-113), and what is left of deleted topics."""

from typing import Final

import numpy as np

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.lines.statements import Statements

_MOVED: Final = NUMBER["log_moved"]
_CREATED: Final = NUMBER["log_created"]
_OPENED: Final = (_CREATED, NUMBER["log_loaded"])
_DELETED: Final = NUMBER["log_deleted"]
_STARTING: Final = NUMBER["broker_starting"]
_STARTED: Final = NUMBER["broker_started"]
_LOADED: Final = NUMBER["log_loaded"]
_NO_DIRECTORY: Final = ("log-loaded", "log-loaded-1.0.2")
"""Rules of lines that name the partition and not its directory: to 2.5, so of copies and of `-delete` too."""
_USED: Final = (_MOVED, *_OPENED, _DELETED, _STARTING)


def without_doubles(said: Statements) -> Statements:
    """What one log file says, without loads of which nobody can say that they are of the log itself.

    One life of a broker opens a log once, until it is deleted. Where it loads a second one under the same
    name while it starts, one of the two is what is left of a deleted topic (`-delete`, for
    file.delete.delay.ms) or a copy (`-future`). The log is the one that is long enough for the high watermark
    that the replica begins with (Partition.createLog); both are left out where that does not tell. A load
    later on is that of a copy. Loads of the same log end state the same, whichever log they are of.
    """
    columns = said.columns
    of_life = np.isin(columns["kind"], (_LOADED, _DELETED, _STARTING, _STARTED))
    rows = np.flatnonzero(of_life | (columns["hw"] != UNSAID))
    told = [columns[name][rows].tolist() for name in ("kind", "topic", "number", "rule", "leo", "hw")]
    silent = {number for number, text in enumerate(said.texts) if text in _NO_DIRECTORY}
    opened: dict[tuple[int, int], dict[int, int]] = {}
    up = False
    doubtful: set[int] = set()
    for row, kind, topic, number, rule, leo, hw in zip(rows.tolist(), *told, strict=True):
        place = topic, number
        if kind in (_STARTING, _STARTED):
            up = kind == _STARTED
            if not up:
                opened.clear()
        elif kind == _DELETED:
            opened.pop(place, None)
        elif kind == _LOADED and rule in silent:
            before = opened.setdefault(place, {})
            if any(end != leo for end in before.values()):
                doubtful.update((row,) if up else (row, *before))
            if not up or not before:
                before[row] = leo
        elif kind != _LOADED and len(loads := opened.get(place, {})) > 1:
            fitting = [one for one, end in loads.items() if end >= hw]
            doubtful.difference_update(fitting if len(fitting) == 1 else ())
            opened[place] = {row: leo}
    return said.taken(np.delete(np.arange(len(said)), sorted(doubtful))) if doubtful else said


def without_copies(said: Statements) -> Statements:
    """What one log file says, without the beginnings of copies that took the place of a log later.

    From 2.4 on the line has the copy's own directory, and states nothing. A beginning is taken for that of a
    copy where the same life of the broker had opened the log before, and the log has moved after it.
    """
    kinds = said.columns["kind"]
    if not np.any(kinds == _MOVED):
        return said
    rows = np.flatnonzero(np.isin(kinds, _USED))
    columns = [said.columns[name][rows].tolist() for name in ("kind", "topic", "number")]
    opened: dict[tuple[int, int], list[int]] = {}
    copies: list[int] = []
    for row, kind, *named in zip(rows.tolist(), *columns, strict=True):
        place = named[0], named[1]
        if kind == _STARTING:
            opened.clear()
        elif kind in _OPENED:
            opened.setdefault(place, []).append(row)
        elif kind == _DELETED:
            opened.pop(place, None)
        elif len(opened.get(place, ())) > 1 and kinds[opened[place][-1]] == _CREATED:
            copies.append(opened[place].pop())
    return said.taken(np.delete(np.arange(len(said)), copies)) if copies else said
