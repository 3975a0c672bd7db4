"""Values packed into one integer each, and small numbers for them."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]

MOST_BITS: Final = 62
"""Of a packed row: -1 stays free for "none"."""


class Packing:
    """Rows of small numbers as one integer each, and back."""

    def __init__(self, largest: Sequence[int]) -> None:
        bits = [int(value).bit_length() for value in largest]
        self.width = sum(bits)
        self._shifts = [sum(bits[:place]) for place in range(len(bits))]
        self._masks = [(1 << one) - 1 for one in bits]

    def pack(self, rows: Integers) -> Integers:
        """One integer for each row."""
        packed = np.zeros(len(rows), np.int64)
        for column, shift in enumerate(self._shifts):
            packed |= rows[:, column] << shift
        return packed

    def unpack(self, packed: Integers) -> Integers:
        """The rows again."""
        rows = np.empty((len(packed), len(self._shifts)), np.int64)
        for column, (shift, mask) in enumerate(zip(self._shifts, self._masks, strict=True)):
            rows[:, column] = (packed >> shift) & mask
        return rows


class Numbering:
    """Numbers from 0 for packed rows, in the order in which they are first asked for."""

    def __init__(self) -> None:
        self.packed: Integers = np.empty(0, np.int64)
        """By number."""
        self._sorted: Integers = np.empty(0, np.int64)
        self._numbers: Integers = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.packed)

    def of(self, packed: Integers) -> Integers:
        """The number of each; those never seen get new ones."""
        asked, inverse = np.unique(packed, return_inverse=True)
        place = np.searchsorted(self._sorted, asked)
        known = np.zeros(len(asked), np.bool_)
        inside = place < len(self._sorted)
        known[inside] = self._sorted[place[inside]] == asked[inside]
        new = asked[~known]
        if len(new):
            numbers = np.arange(len(self.packed), len(self.packed) + len(new))
            self.packed = np.concatenate((self.packed, new))
            self._sorted = np.insert(self._sorted, place[~known], new)
            self._numbers = np.insert(self._numbers, place[~known], numbers)
            place = np.searchsorted(self._sorted, asked)
        return self._numbers[place][inverse]
