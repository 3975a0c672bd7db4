"""Running bounds over columns of numbers: what a value was seen to be carries on through its era."""

from typing import Any, Final

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


def peaks(values: Numbers, sections: Places) -> Flags:
    """By element: whether none before it in its era is higher; NO_LOW is where nothing but NO_LOW was seen.

    `eras` are numbers that never fall from one element to the next.
    """
    most = int(values.max())
    if most == NO_LOW:
        return np.ones(len(values), bool)
    # As unsigned numbers those below 0 are the highest, and NO_LOW is the lowest of these.
    negative = int(values.view(np.uint64).max()) > -NO_LOW
    least = int(values.min(where=values != NO_LOW, initial=most)) if negative else 0
    keys = _keys(np.maximum(values, least - 1), least - 1, most, sections)
    return keys == np.maximum.accumulate(keys)


def valleys(values: Numbers, sections: Places) -> Flags:
    """By element: whether none behind it in its era is lower; NO_HIGH is where nothing else is seen."""
    least = int(values.min())
    if least == NO_HIGH:
        return np.ones(len(values), bool)
    # One more makes the lowest number of NO_HIGH.
    most = int((values + 1).max()) - 1
    keys = _keys(np.minimum(values, most + 1), least, most + 1, sections)
    return keys == np.minimum.accumulate(keys[::-1])[::-1]


def from_before(column: NDArray[Any], flags: Flags) -> NDArray[Any]:
    """By element what a column has at the last flag up to there; the first element has one."""
    at = flags.nonzero()[0]
    return column[at].repeat(np.diff(at, append=len(flags)))


def from_behind(column: NDArray[Any], flags: Flags) -> NDArray[Any]:
    """By element what a column has at the first flag from there on; the last element has one."""
    at = flags.nonzero()[0]
    return column[at].repeat(np.diff(at, prepend=-1))


def in_force(hard: Numbers, soft: Numbers, low: Numbers) -> tuple[Numbers, Flags]:
    """The upper bounds in force, and whether each is one that can fail: such yield to hard evidence.

    Where none can fail they are the column of hard ones itself.
    """
    can_fail = soft < hard
    if not np.count_nonzero(can_fail):
        return hard, can_fail
    can_fail &= soft >= low
    return np.where(can_fail, soft, hard), can_fail


def _keys(values: Numbers, least: int, most: int, sections: Places) -> Numbers:
    """Numbers in the order of eras, and within one in the order of values, which are from least to most."""
    if (most - least + 1) * (int(sections[-1]) + 1) + max(abs(least), abs(most)) >= _ROOM:
        values = np.unique(values, return_inverse=True)[1].astype(np.int64)
        least, most = 0, int(values.max())
    keys = sections * (most - least + 1)
    keys += values
    return keys
