"""From values at places, written in order, to step functions over cursors."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.history.state import Steps
from core.history.view import View
from core.trace.ids import UNSAID, Place

T = TypeVar("T")


class StepWriter(Generic[T]):
    """Collects the changes of one value, place by place, and gives them as `Steps`.

    Places must not go back; a second value at a place replaces the first.
    """

    def __init__(self, start: T) -> None:
        """`start` holds from cursor 0 on."""
        self._places: list[Place] = [Place(0)]
        self._values: list[T] = [start]

    @property
    def value(self) -> T:
        """What holds after the last change."""
        return self._values[-1]

    def put(self, place: Place, value: T) -> None:
        """The value is `value` from `place` on."""
        if value == self._values[-1]:
            return
        if place == self._places[-1]:
            self._values[-1] = value
            return
        self._places.append(place)
        self._values.append(value)

    def steps(self, view: View) -> Steps[T]:
        """The step function over cursors of the whole trace."""
        cursors = view.cursors
        return Steps(tuple([cursors[place] for place in self._places]), tuple(self._values))

    def spans(self, places: int) -> Iterator[tuple[Place, Place, T]]:
        """(first place, place after the last, value) of each span of places 0..places-1 with one value."""
        last = Place(places)
        for (first, later), value in zip(pairwise((*self._places, last)), self._values, strict=True):
            yield first, min(last, later), value

    def each(self, places: int) -> list[T]:
        """The value at every place 0..places-1."""
        spread: list[T] = []
        for first, end, value in self.spans(places):
            spread += [value] * (end - first)
        return spread


def column_of(writer: StepWriter[int | None], places: int) -> NDArray[np.int64]:
    """The value at each place as a column of numbers, UNSAID for None."""
    column = np.full(places, UNSAID)
    for first, end, value in writer.spans(places):
        if value is not None:
            column[first:end] = value
    return column


def without(gaps: Iterable[tuple[Place, Place]], first: Place, end: Place) -> Iterator[tuple[Place, Place]]:
    """The parts of a span first..end-1 that lie in no gap. Gaps are (first, end), in order."""
    for gap, until in gaps:
        if first < gap < end:
            yield first, gap
        if gap < end:
            first = max(first, until)
    if first < end:
        yield first, end


def end_of_run(values: list[T], first: int, end: int) -> int:
    """Where the run of equal values that begins at `first` ends, at `end` at the latest.

    It compares pieces that double in length while they are equal, so a long run costs little.
    """
    value, place, length = values[first], first, 1
    while place < end and length:
        piece = values[place : min(place + length, end)]
        if piece.count(value) == len(piece):
            place, length = place + len(piece), 2 * length
        else:
            length //= 2
    return place


def numbered(
    values: list[T], may_change: Iterable[int] | None = None
) -> tuple[NDArray[np.int32], tuple[T, ...]]:
    """By place the number of its value in a list of distinct values, and that list.

    `may_change` are the places at which the value may be another than before, where these are known.
    """
    named: dict[T, int] = {}
    numbers = np.zeros(len(values), np.int32)
    edges = _run_starts(values) if may_change is None else sorted({0, *may_change})
    for first, end in pairwise((*edges, len(values))):
        if first < end:
            numbers[first:end] = named.setdefault(values[first], len(named))
    return numbers, tuple(named)


def _run_starts(values: list[T]) -> Iterator[int]:
    """Where each run of equal values begins."""
    first = 0
    while first < len(values):
        yield first
        first = end_of_run(values, first, len(values))
