"""From integers to pixels: the last step, and the only one with floats."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.picture.folds import UNFOLDED, Folds
from core.trace.ids import Nanos
from core.trace.times import ahead, from_shown
from core.trace.units import HOUR_NS, SECOND_NS

_TIME_STEPS = (
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    *(seconds * SECOND_NS for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)),
    *(hours * HOUR_NS for hours in (3, 6, 12, 24)),
)


SILL: Final = 14.0
"""Height of what is below the break of an offset axis."""
BREAK: Final = 7.0
"""Height of the gap."""


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Nanoseconds to x: `first` is at `left`, `last` at `right`. All time but folds has one scale."""

    first: int
    last: int
    left: float
    right: float
    folds: Folds = UNFOLDED
    along_first: int = field(init=False, compare=False)
    along_last: int = field(init=False, compare=False)
    """Where the ends are on the axis, in ns."""

    def __post_init__(self) -> None:
        """Looked up once: every mark asks for them."""
        object.__setattr__(self, "along_first", self.folds.along(self.first))
        object.__setattr__(self, "along_last", self.folds.along(self.last))

    @property
    def span(self) -> int:
        """How long the window is on the axis, in ns."""
        return max(self.along_last - self.along_first, 1)

    def x(self, at: int) -> float:
        """Where a moment is.

        The difference is taken in integers: a double does not hold epoch nanoseconds.
        """
        along = self.folds.along(at) if self.folds.spans else at
        return self.left + (along - self.along_first) * (self.right - self.left) / self.span

    def at(self, x: float) -> Nanos:
        """The moment at x."""
        share = (x - self.left) / max(self.right - self.left, 1e-9)
        return Nanos(self.folds.at(self.along_first + round(share * (self.along_last - self.along_first))))

    def by_pixel(self) -> NDArray[np.int64]:
        """The moment half a pixel before each pixel, and before the right edge."""
        width = int(self.right - self.left)
        # A float holds differences, but not the times.
        into = (np.arange(width + 1) - 0.5) * (self.span / (self.right - self.left))
        return self.folds.at_many(self.along_first + into.astype(np.int64))

    def ticks(self, apart: float = 84.0) -> tuple[int, ...]:
        """Moments at least `apart` pixels from one another that are round in the zone that is shown.

        Where its clocks change in between, they are round after the change: a tick may be nearer there.
        """
        fitting = max((self.right - self.left) / apart, 1)
        place = bisect_left(_TIME_STEPS, self.span / fitting)
        step = _TIME_STEPS[min(place, len(_TIME_STEPS) - 1)]
        if self.span / step > fitting:
            step *= -(-self.span // int(step * fitting))
        return tuple(at for first, last in self._open() for at in _round_moments(first, last, step))

    def _open(self) -> Iterator[tuple[int, int]]:
        """The spans of the window that are not folded."""
        begin = self.first
        for first, end in self.folds.within(self.first, self.last):
            if begin < first:
                yield begin, first - 1
            begin = end
        if begin <= self.last:
            yield begin, self.last


def _round_moments(first: int, last: int, step: int) -> list[int]:
    """The moments of a span that are multiples of a step on the clock that is read.

    A zone may be ahead by 05:30 or 05:45.
    """
    start = -(-(first + ahead(first)) // step) * step
    found = {from_shown(moment) for moment in range(start, last + ahead(last) + 1, step)}
    return sorted(at for at in found if first <= at <= last)


@dataclass(frozen=True)
class OffsetScale:
    """Offsets to y, rising upwards: `base` is at `floor`, `top` at `ceiling` (both pixels).

    Where it is broken, `foot` is at `bottom`: a sill holds the offsets from there to the base, and between
    the sill and the rest, which has one scale, is a gap.
    """

    base: int
    top: int
    bottom: float
    ceiling: float
    foot: int | None = None

    @cached_property
    def floor(self) -> float:
        """Where the scale begins: over the gap, or at the bottom."""
        return self.bottom - (0.0 if self.foot is None else SILL + BREAK)

    @cached_property
    def lowest(self) -> int:
        """The offset at the bottom."""
        return self.base if self.foot is None else self.foot

    @cached_property
    def record_height(self) -> float:
        """Height of one record in pixels."""
        return (self.floor - self.ceiling) / max(self.top - self.base, 1)

    @cached_property
    def sill_height(self) -> float:
        """Height of one record of the sill."""
        return SILL / max(self.base - self.lowest, 1)

    def y(self, offset: int) -> float:
        """Where an offset is, on a whole pixel; below the lowest one it is the bottom."""
        if offset < self.base and self.foot is not None:
            return float(round(self.bottom - max(offset - self.foot, 0) * self.sill_height))
        return float(round(self.floor - max(offset - self.base, 0) * self.record_height))

    def ys(self, offsets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where many offsets are."""
        above = np.rint(self.floor - np.maximum(offsets - self.base, 0) * self.record_height)
        if self.foot is None:
            return above
        below = np.rint(self.bottom - np.maximum(offsets - self.foot, 0) * self.sill_height)
        return np.where(offsets < self.base, below, above)

    def ticks(self, apart: float = 16.0) -> tuple[int, ...]:
        """Round offsets from the base on, at least `apart` pixels from one another."""
        step = offset_step(max(self.top - self.base, 1), max((self.floor - self.ceiling) / apart, 1))
        first = -(-self.base // step) * step
        return tuple(range(first, self.top + 1, step))


def offset_step(span: int, fitting: float) -> int:
    """The smallest of 1, 2, 5, 10, 15, 20, 50, 100 … that cuts `span` into at most `fitting` parts."""
    power = 1
    while True:
        for factor in (1, 2, 5, 10, 15):
            if span / (factor * power) <= fitting and not (factor == 15 and power == 1 and span % 15):
                return factor * power
        power *= 10
