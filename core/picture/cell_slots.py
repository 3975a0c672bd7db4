"""Which offsets of the logs are shown as cells: single ones, and folds of what is alike on every replica.

In: the state of a run and its cuts. Out: spans of offsets from left to right, and where each begins, in
widths of a cell. Around what was lost, cut, or differs nothing is folded.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from core.diagnose.verdict.facts import Truncation
from core.history.state import PartitionState

FOLD: Final = 3.0
"""A fold is as wide as so many cells."""
_KEPT: Final = (2, 1)
"""Cells that stay open on each side of an edge; the second where the first does not fit."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Spans [first, end) of offsets that touch: of one offset a cell, of more a fold."""

    spans: tuple[tuple[int, int], ...]
    begins: tuple[float, ...] = field(init=False, compare=False)
    """Where each span begins, in widths of a cell, and where the last one ends."""

    def __post_init__(self) -> None:
        """Added up once: every cell asks for it."""
        at, begins = 0.0, [0.0]
        for first, end in self.spans:
            at += 1.0 if end - first == 1 else FOLD
            begins.append(at)
        object.__setattr__(self, "begins", tuple(begins))

    @property
    def first(self) -> int:
        """The first offset."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """The offset after the last one."""
        return self.spans[-1][1]

    @property
    def width(self) -> float:
        """How wide all are, in widths of a cell."""
        return self.begins[-1]

    def at(self, offset: int) -> float:
        """Where the left edge of an offset is, in widths of a cell; inside a fold by its share."""
        place = min(max(bisect_right(self.spans, (offset, offset + 1)) - 1, 0), len(self.spans) - 1)
        if self.spans[place][0] > offset and place:
            place -= 1
        first, end = self.spans[place]
        wide = self.begins[place + 1] - self.begins[place]
        return self.begins[place] + wide * (offset - first) / (end - first)

    def open(self) -> Iterator[tuple[int, int]]:
        """The spans [first, end) of single cells."""
        begin: int | None = None
        for first, end in self.spans:
            if end - first == 1:
                begin = first if begin is None else begin
            elif begin is not None:
                yield begin, first
                begin = None
        if begin is not None:
            yield begin, self.end


def all_of(first: int, end: int) -> Slots:
    """Every offset of a range as a cell."""
    return Slots(tuple((offset, offset + 1) for offset in range(first, end)))


def folded_slots(low: int, high: int, edges: Iterable[int], fitting: int) -> Slots | None:
    """All offsets from `low` to `high`, folded between edges; None where even that does not fit."""
    inner = sorted({low, high, *(edge for edge in edges if low < edge < high)})
    for kept in _KEPT:
        parts = [(first, end, 0 if first == low else kept, kept) for first, end in pairwise(inner)]
        # The width is known before there are cells: of most long logs they would be too many.
        wide = [(end - first, left + FOLD + right) for first, end, left, right in parts]
        if sum([min(folded, whole) for whole, folded in wide]) <= fitting:
            return Slots(tuple([span for part in parts for span in _segment(*part)]))
    return None


def _segment(first: int, end: int, left: int, right: int) -> Sequence[tuple[int, int]]:
    """What lies between two edges: so many cells at each, and a fold in the middle where that is narrower."""
    middle = (first + left, end - right)
    if middle[1] - middle[0] <= FOLD:
        return [(offset, offset + 1) for offset in range(first, end)]
    before = [(offset, offset + 1) for offset in range(first, middle[0])]
    after = [(offset, offset + 1) for offset in range(middle[1], end)]
    return [*before, middle, *after]


def edges_of(state: PartitionState, cuts: Sequence[Truncation]) -> set[int]:
    """The offsets at which some replica's log changes: ends, epochs, high watermarks, and what was cut."""
    found: set[int | None] = set()
    for replica in state.replicas:
        start, leo, hw = replica.log_start, replica.leo, replica.hw
        found |= {start.lo, start.hi, leo.lo, leo.hi, hw.lo, hw.hi}
        for run in replica.runs:
            found |= {run.start, run.end}
        if leo.exact is not None:
            found.add(leo.exact + 1)
    for cut in cuts:
        found |= {cut.to_offset, cut.from_offset}
    return {edge for edge in found if edge is not None}
