"""Logs that hold a part twice, as `cat server.log.1 server.log*` writes: the second one is taken out."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import LINES_OUT_OF_ORDER_WITHIN
from core.message import message
from importers.lines.parsed import RECORDS, Drafts
from importers.merge.files import ReadFile, noted

_MOST: Final = 20
"""Parts that are compared with each other."""


def without_repeated_parts(drafts: Drafts) -> Drafts | None:
    """The log without each part whose times and statements all stand in others; None where there is none.

    A part begins where times go back. Counts of lines stay: the report has every line of the file.
    """
    stamps = drafts.stamps
    starts = np.flatnonzero(np.diff(stamps) < -LINES_OUT_OF_ORDER_WITHIN.ns) + 1
    if not 0 < len(starts) <= _MOST:
        return None
    part_of = np.searchsorted(starts, np.arange(len(stamps)), side="right")
    told = drafts.drafts.columns
    place = np.searchsorted(drafts.bytes, told["byte"])
    marks = _numbers(told["local_ns"], told["fingerprint"])
    gone = np.zeros(len(stamps), dtype=bool)
    for part in sorted(range(len(starts) + 1), key=lambda one: (np.count_nonzero(part_of == one), -one)):
        mine, rest = part_of == part, (part_of != part) & ~gone
        own, others = mine[place], rest[place]
        if np.isin(stamps[mine], stamps[rest]).all() and np.isin(marks[own], marks[others]).all():
            gone |= mine
    if not gone.any():
        return None
    kept = set(drafts.bytes[~gone].tolist())
    return replace(
        drafts,
        records={name: drafts.records[name][~gone] for name in RECORDS},
        drafts=drafts.drafts.taken(~gone[place]),
        facts=tuple(one for one in drafts.facts if one.byte in kept),
    )


def _numbers(stamps: NDArray[np.int64], marks: NDArray[np.int64]) -> NDArray[np.intp]:
    """A number for each statement's time and text."""
    _, moment = np.unique(stamps, return_inverse=True)
    _, mark = np.unique(marks, return_inverse=True)
    return moment * (int(mark.max(initial=0)) + 1) + mark


def read_once(file: ReadFile) -> ReadFile:
    """A log without what stands in it twice, noted; any other file as it is."""
    once = without_repeated_parts(file.drafts) if file.drafts is not None else None
    return file if once is None else noted(file, message("report.part-twice", file=file.path), drafts=once)
