"""Logs that hold a part twice, by `cat server.log.1 server.log*` or a shipper: it is read once."""

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
_MOST_RUNS: Final = 10_000
_LEAST: Final = 5
"""Records in a row with the times and texts of others."""


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
    return _without(drafts, gone)


def without_repeated_runs(drafts: Drafts) -> Drafts | None:
    """The log without runs of records that stand above in the same order, as a shipper sends them again.

    None where there is none. A run begins where times go back, and behind it the log goes on where it was
    before: a clock that was set back does not print the same milliseconds in a row.
    """
    stamps = drafts.stamps
    slack = LINES_OUT_OF_ORDER_WITHIN.ns
    starts = np.flatnonzero(np.diff(stamps) < 0) + 1
    if not 0 < len(starts) <= _MOST_RUNS:
        return None
    order = np.argsort(stamps, kind="stable")
    first = np.searchsorted(stamps[order], stamps[starts], "left").tolist()
    last = np.searchsorted(stamps[order], stamps[starts], "right").tolist()
    marks = np.zeros(len(stamps), dtype=np.int64)
    told = drafts.drafts.columns
    marks[np.searchsorted(drafts.bytes, told["byte"])] = told["fingerprint"]
    gone = np.zeros(len(stamps), dtype=bool)
    for start, begin, until in zip(starts.tolist(), first, last, strict=True):
        above = order[begin:until]
        lengths = [_run(stamps, marks, one, start) for one in above[above < start][-_MOST:].tolist()]
        end = start + max(lengths, default=0)
        goes_on = end == len(stamps) or stamps[end] >= stamps[start - 1] - slack
        if end - start >= _LEAST and goes_on and stamps[start:end].min() < stamps[start:end].max():
            gone[start:end] = True
    return _without(drafts, gone) if gone.any() else None


def _run(stamps: NDArray[np.int64], marks: NDArray[np.int64], above: int, start: int) -> int:
    """How many records from `start` on are those from `above` on, at most up to `start` itself."""
    length = min(start - above, len(stamps) - start)
    few = min(length, _LEAST)
    if (stamps[above : above + few] != stamps[start : start + few]).any():
        return 0
    same = (stamps[above : above + length] == stamps[start : start + length]) & (
        marks[above : above + length] == marks[start : start + length]
    )
    return length if same.all() else int(np.argmin(same))


def _without(drafts: Drafts, gone: NDArray[np.bool_]) -> Drafts:
    """A log without some of its records. Counts of lines stay."""
    kept = set(drafts.bytes[~gone].tolist())
    said = np.searchsorted(drafts.bytes, drafts.drafts.columns["byte"])
    return replace(
        drafts,
        records={name: drafts.records[name][~gone] for name in RECORDS},
        drafts=drafts.drafts.taken(~gone[said]),
        facts=tuple(one for one in drafts.facts if one.byte in kept),
    )


def _numbers(stamps: NDArray[np.int64], marks: NDArray[np.int64]) -> NDArray[np.intp]:
    """A number for each statement's time and text."""
    _, moment = np.unique(stamps, return_inverse=True)
    _, mark = np.unique(marks, return_inverse=True)
    return moment * (int(mark.max(initial=0)) + 1) + mark


def read_once(file: ReadFile) -> ReadFile:
    """A log without what stands in it twice, noted; any other file as it is."""
    if file.drafts is None:
        return file
    fewer = without_repeated_runs(file.drafts)
    once = without_repeated_parts(fewer or file.drafts) or fewer
    return file if once is None else noted(file, message("report.part-twice", file=file.path), drafts=once)
