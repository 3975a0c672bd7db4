"""Running bounds over columns of numbers: what a value was seen to be carries on through its era."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

NO_LOW: Final = -(2**63)
"""No lower bound: below all of them."""
NO_HIGH: Final = 2**63 - 1
"""No upper bound: above all of them."""
_ROOM: Final = 2**62


def highest_so_far(values: Numbers, eras: Places) -> Places:
    """By element: where the highest value of its era up to there stands, of equal ones the last.

    `eras` are numbers that never fall from one element to the next. Where nothing but NO_LOW was seen it is
    the element itself.
    """
    return _last_highest(_ranks(values, values != NO_LOW), eras)


def lowest_from_here(values: Numbers, eras: Places) -> Places:
    """By element: where the lowest value of its era from there on stands, of equal ones the first.

    Where nothing but NO_HIGH is seen it is the element itself.
    """
    ranks = _ranks(-values, values != NO_HIGH)
    back = _last_highest(ranks[::-1], (eras[-1] - eras)[::-1])
    return len(values) - 1 - back[::-1]


def in_force(hard: Numbers, soft: Numbers, low: Numbers) -> tuple[Numbers, Flags]:
    """The upper bounds in force, and whether each is one that can fail: such yield to hard evidence."""
    can_fail = (soft < hard) & (soft >= low)
    return np.where(can_fail, soft, hard), can_fail


def _last_highest(ranks: Numbers, eras: Places) -> Places:
    span = int(ranks.max()) + 1
    if span * (int(eras[-1]) + 1) >= _ROOM:
        ranks = np.unique(ranks, return_inverse=True)[1]
        span = int(ranks.max()) + 1
    keys = ranks + eras * span
    highest = np.maximum.accumulate(keys)
    return np.maximum.accumulate(np.where(keys == highest, np.arange(len(keys)), 0))


def _ranks(values: Numbers, known: Flags) -> Numbers:
    """Numbers from 1 on in the order of the values; 0 where nothing is known."""
    least = int(values.min(where=known, initial=NO_HIGH))
    most = int(values.max(where=known, initial=NO_LOW))
    if most - least >= _ROOM:
        values = np.unique(values, return_inverse=True)[1].astype(np.int64)
        least = 0
    return np.where(known, values - least + 1, 0)
