"""From bounds at single instants to those in force along a track: highest so far, lowest from there on."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Places = NDArray[np.intp]
Instants = NDArray[np.intp]
Flags = NDArray[np.bool_]

NO_LOW: Final = -(2**63)
"""No lower bound: below all of them."""
NO_HIGH: Final = 2**63 - 1
"""No upper bound: above all of them."""
_ROOM: Final = 2**62
_LONG: Final = 512
"""Where sections have so many elements or more on average, they are gone through one by one."""


def peaks(values: Numbers, starts: Flags) -> Flags:
    """By element: whether none before it in its section is higher. NO_LOW: only NO_LOW was there before.

    `starts` flags where a section begins; the first element does. Values 3, 1, 4 of one section have peaks
    True, False, True.
    """
    if not _falls(values, starts):
        return np.ones(len(values), bool)
    if len(values) >= _LONG * np.count_nonzero(starts):
        highest = np.empty_like(values)
        for here in _each(starts):
            np.maximum.accumulate(values[here], out=highest[here])
        return values == highest
    most = int(values.max())
    # As unsigned numbers those below 0 are the highest, and NO_LOW is the lowest of these.
    negative = int(values.view(np.uint64).max()) > -NO_LOW
    least = int(values.min(where=values != NO_LOW, initial=most)) if negative else 0
    keys = _keys(np.maximum(values, least - 1), least - 1, most, starts)
    return keys == np.maximum.accumulate(keys)


def valleys(values: Numbers, starts: Flags) -> Flags:
    """By element: whether none after it in its section is lower. NO_HIGH: only NO_HIGH comes after."""
    if not _falls(values, starts):
        return np.ones(len(values), bool)
    if len(values) >= _LONG * np.count_nonzero(starts):
        lowest = np.empty_like(values)
        for here in _each(starts):
            np.minimum.accumulate(values[here][::-1], out=lowest[here][::-1])
        return values == lowest
    least = int(values.min())
    # NO_HIGH plus one overflows to the lowest number, so that the highest real bound is found.
    most = int((values + 1).max()) - 1
    keys = _keys(np.minimum(values, most + 1), least, most + 1, starts)
    return keys == np.minimum.accumulate(keys[::-1])[::-1]


def from_before(column: NDArray[Any], flags: Flags) -> NDArray[Any]:
    """By element the value of a column at the last flag up to there. The first element must have a flag."""
    at = flags.nonzero()[0]
    return column[at].repeat(np.diff(at, append=len(flags)))


def from_behind(column: NDArray[Any], flags: Flags) -> NDArray[Any]:
    """By element the value of a column at the first flag from there on. The last element must have a flag."""
    at = flags.nonzero()[0]
    return column[at].repeat(np.diff(at, prepend=-1))


def in_force(hard: Numbers, soft: Numbers, low: Numbers) -> tuple[Numbers, Flags]:
    """The upper bounds in force, and whether each is one that can fail. A soft one below `low` is left out.

    Where none of the bounds can fail, the result is the column of hard ones itself.
    """
    can_fail = soft < hard
    if not np.count_nonzero(can_fail):
        return hard, can_fail
    can_fail &= soft >= low
    return np.where(can_fail, soft, hard), can_fail


def _falls(values: Numbers, starts: Flags) -> bool:
    """Whether any element is lower than the one before it in its section."""
    lower = values[1:] < values[:-1]
    lower &= ~starts[1:]
    return bool(np.count_nonzero(lower))


def _each(starts: Flags) -> Iterator[slice]:
    """The elements of each section."""
    edges = [*np.flatnonzero(starts).tolist(), len(starts)]
    yield from map(slice, edges, edges[1:])


def _keys(values: Numbers, least: int, most: int, starts: Flags) -> Numbers:
    """Numbers in the order of (section, value), where all values lie between least and most."""
    sections = np.cumsum(starts) - 1
    if (most - least + 1) * (int(sections[-1]) + 1) + max(abs(least), abs(most)) >= _ROOM:
        values = np.unique(values, return_inverse=True)[1].astype(np.int64)
        least, most = 0, int(values.max())
    sections *= most - least + 1
    sections += values
    return sections
