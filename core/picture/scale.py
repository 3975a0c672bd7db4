"""From integers to pixels: the last step, and the only one with floats."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Nanoseconds to x: `first` is at `left`, `last` at `right`."""

    first: int
    last: int
    left: float
    right: float

    def x(self, at: int) -> float:
        """Where a moment is.

        The difference is taken in integers: a double does not hold epoch nanoseconds.
        """
        return self.left + (at - self.first) * (self.right - self.left) / max(self.last - self.first, 1)

    def at(self, x: float) -> Nanos:
        """The moment at x."""
        share = (x - self.left) / max(self.right - self.left, 1e-9)
        return Nanos(self.first + round(share * (self.last - self.first)))

    def ticks(self, apart: float = 84.0) -> tuple[int, ...]:
        """Moments at least `apart` pixels from one another that are round in the zone that is shown.

        Where its clocks change in between, they are round after the change: a tick may be nearer there.
        """
        span = max(self.last - self.first, 1)
        fitting = max((self.right - self.left) / apart, 1)
        place = bisect_left(_TIME_STEPS, span / fitting)
        step = _TIME_STEPS[min(place, len(_TIME_STEPS) - 1)]
        if span / step > fitting:
            step *= -(-span // int(step * fitting))
        # A zone may be ahead by 05:30 or 05:45: round hours are those of the clock that is read.
        start = -(-(self.first + ahead(self.first)) // step) * step
        local = range(start, self.last + ahead(self.last) + 1, step)
        found = {from_shown(moment) for moment in local}
        return tuple(sorted(at for at in found if self.first <= at <= self.last))


@dataclass(frozen=True)
class OffsetScale:
    """Offsets to y, rising upwards: `base` is at `bottom`, `top` at `ceiling` (both pixels)."""

    base: int
    top: int
    bottom: float
    ceiling: float

    @cached_property
    def record_height(self) -> float:
        """Height of one record in pixels."""
        return (self.bottom - self.ceiling) / max(self.top - self.base, 1)

    def y(self, offset: int) -> float:
        """Where an offset is, on a whole pixel; below the base it is the bottom."""
        return float(round(self.bottom - max(offset - self.base, 0) * self.record_height))

    def ticks(self, apart: float = 16.0) -> tuple[int, ...]:
        """Round offsets from the base on, at least `apart` pixels from one another."""
        step = offset_step(max(self.top - self.base, 1), max((self.bottom - self.ceiling) / apart, 1))
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
