"""Copies of a log inside one broker: to 2.3 the line by which one begins is that of a new log (KIP-113)."""

from typing import Final

import numpy as np

from core.trace.vocabulary import NUMBER
from importers.lines.statements import Statements

_MOVED: Final = NUMBER["log_moved"]
_CREATED: Final = NUMBER["log_created"]
_OPENED: Final = (_CREATED, NUMBER["log_loaded"])
_DELETED: Final = NUMBER["log_deleted"]
_STARTING: Final = NUMBER["broker_starting"]
_USED: Final = (_MOVED, *_OPENED, _DELETED, _STARTING)


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
