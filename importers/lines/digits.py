"""Decimal numbers at many places of a text at once."""

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

_WORD: Final = 8
_STEPS: Final = (
    (0x0F0F0F0F0F0F0F0F, 2561, 8),
    (0x00FF00FF00FF00FF, 6553601, 16),
    (0x0000FFFF0000FFFF, 42949672960001, 32),
)
"""Neighbouring digits become numbers of two, of four, of eight digits: mask, factor, shift."""


def numbers_at(data: bytes, ends: NDArray[np.int64], digits: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers that end before `ends` and have so many digits, at most 18.

    Each must begin 24 bytes or more behind the beginning of `data`.
    """
    words = sliding_window_view(np.frombuffer(data, dtype=np.uint8), _WORD)
    found = _of_eight(words, ends, np.minimum(digits, _WORD))
    for more in (_WORD, 2 * _WORD):
        long = np.flatnonzero(digits > more)
        if not len(long):
            break
        upper = _of_eight(words, ends[long] - more, np.minimum(digits[long] - more, _WORD))
        found[long] += upper * 10**more
    return found


def _of_eight(
    words: NDArray[np.uint8], ends: NDArray[np.int64], digits: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The same for at most eight digits, and at least one."""
    value = words[ends - _WORD].view("<u8")[:, 0]
    blank = (_WORD * (_WORD - digits)).astype(np.uint64)
    value = value >> blank << blank
    for mask, factor, shift in _STEPS:
        value = ((value & np.uint64(mask)) * np.uint64(factor)) >> np.uint64(shift)
    return value.astype(np.int64)


def spread(first: NDArray[np.int64], count: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of entries, each from `first` on and so many: the row of every entry, and its own number."""
    owner = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    return owner, np.arange(len(owner)) + (first - before)[owner]
