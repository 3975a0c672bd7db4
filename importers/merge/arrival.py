"""Logs whose lines stand in the order in which a collector got them: put in the order of their own stamps."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import FILES_OUT_OF_ORDER_WITHIN, LINES_COLLECTED_LATE_BY
from core.trace.vocabulary import NUMBER
from importers.lines.parsed import Drafts
from importers.merge.parts import Part, turned

_LEAST: Final = 5
_SHARE: Final = 0.01
"""Of the steps from line to line, so many go back: a clock is set back once, a collector is late often."""

_TURNS: Final = (("fetch_offset_reset",), ("truncated",))
"""Kinds that come behind all others of one time: a log is loaded, and a role taken, before it is cut.
ReplicaFetcherThread.handleOffsetOutOfRange (0.10.2) prints both offsets and then cuts."""


def by_own_stamps(drafts: Drafts) -> tuple[Drafts, tuple[Part, ...]] | None:
    """A log sorted by the stamps of its own lines, and its parts in that order; None where it is no such log.

    Its times go back often and never far (`LINES_COLLECTED_LATE_BY`). Lines of one time stand as Kafka prints
    them (`_TURNS`), else as they stand in the file. Bytes rise in the new order: `bytes_in_file` leads back.
    """
    stamps = drafts.stamps
    steps = np.diff(stamps)
    often = np.count_nonzero(steps < -FILES_OUT_OF_ORDER_WITHIN.ns) >= max(_LEAST, _SHARE * len(steps))
    if not often or (np.maximum.accumulate(stamps) - stamps > LINES_COLLECTED_LATE_BY.ns).any():
        return None
    order = np.lexsort((_turns(drafts), stamps))
    begins = order[_begin_a_part(order)]
    starts = np.sort(begins)
    return turned(drafts, starts, np.searchsorted(starts, begins))


def _turns(drafts: Drafts) -> NDArray[np.int64]:
    """For each record its turn among those of one time."""
    turns = np.zeros(len(drafts.stamps), dtype=np.int64)
    told = drafts.drafts.columns
    for turn, kinds in enumerate(_TURNS, start=1):
        some = np.isin(told["kind"], [NUMBER[kind] for kind in kinds])
        turns[np.searchsorted(drafts.bytes, told["byte"][some])] = turn
    return turns


def _begin_a_part(order: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each record, in the new order, does not follow the one that it follows in the file."""
    return np.append(True, np.diff(order) != 1)
