"""The records of a log without wrapping, all at once: lines by their shapes, stamps as columns of digits."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from core.trace.units import MILLISECOND_NS
from importers.lines.shapes import CONTINUES, ZEROS, Shapes
from importers.lines.stamps import minute_ns

_CHUNK: Final = 1 << 18
_NEWLINE: Final = 10
_HEAD: Final = len("[2026-11-21 03:29:10,161]")
_MINUTE: Final = slice(1, 17)
NO_MOMENT: Final = np.iinfo(np.int64).min
"""The stamp of a record whose stamp is no real moment."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The records of a range, one entry each: int64 throughout.

    `starts` and `ends` are where a record begins and ends; `lines` counts the lines before it, `heights` its
    own. `codes` are those of lines/shapes.py, `stamps` read as UTC, or `NO_MOMENT`. `before` counts the
    lines before the first record. `all_lines` are where lines begin, one entry for each line of the range.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    heights: NDArray[np.int64]
    codes: NDArray[np.int64]
    stamps: NDArray[np.int64]
    before: int
    all_lines: NDArray[np.int64]


def heads_of(data: bytes, shapes: Shapes) -> Heads:
    """All records of a range of a log in the stock layout."""
    codes, starts = _lines(data, shapes)
    own = np.flatnonzero(codes != CONTINUES)
    begins = starts[own]
    before = int(own[0]) if len(own) else len(starts)
    return Heads(
        begins,
        np.append(begins[1:], len(data)) if len(own) else begins,
        own,
        np.diff(own, append=len(starts)),
        codes[own],
        _stamps(data, begins),
        before,
        starts,
    )


def _lines(data: bytes, shapes: Shapes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The code of every line, and the byte at which it begins."""
    codes: list[NDArray[np.int64]] = []
    starts: list[NDArray[np.int64]] = []
    at = 0
    while at < len(data):
        cut = data.find(b"\n", min(at + _CHUNK, len(data))) + 1 or len(data)
        chunk = data[at:cut]
        breaks = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == _NEWLINE)
        lines = chunk.translate(ZEROS).removesuffix(b"\n").split(b"\n")
        codes.append(np.fromiter(map(shapes.__getitem__, lines), dtype=np.int64, count=len(lines)))
        starts.append(np.concatenate(([at], breaks[: len(lines) - 1] + (at + 1))))
        at = cut
    none = np.array([], dtype=np.int64)
    return np.concatenate([none, *codes]), np.concatenate([none, *starts])


def _stamps(data: bytes, begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The stamps of the lines that begin there, each with a head of the stock layout."""
    if not len(begins):
        return begins
    rows = sliding_window_view(np.frombuffer(data, dtype=np.uint8), _HEAD)[begins]
    minutes = np.ascontiguousarray(rows[:, _MINUTE]).view(np.uint64)
    fresh = np.flatnonzero(np.append(True, (minutes[1:] != minutes[:-1]).any(axis=1)))
    texts = [data[at + _MINUTE.start : at + _MINUTE.stop] for at in begins[fresh].tolist()]
    moments = [minute_ns(text) for text in texts]
    known = np.array([NO_MOMENT if moment is None else moment for moment in moments], dtype=np.int64)
    whole = np.repeat(known, np.diff(fresh, append=len(begins)))
    digits = rows[:, 18:].astype(np.int64) - ord("0")
    millis = digits[:, [0, 1, 3, 4, 5]] @ np.array([10_000, 1_000, 100, 10, 1])
    return np.where(whole == NO_MOMENT, NO_MOMENT, whole + millis * MILLISECOND_NS)
