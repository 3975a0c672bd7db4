"""Where a position is drawn: over time, or over the stops of a comparison."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Protocol

from core.compare.comparison import Comparison
from core.picture.scale import TimeScale
from core.trace.trace import Column


class Axis(Protocol):
    """What lanes need of an axis. A change at cursor c is the effect of event c - 1."""

    @property
    def left(self) -> float:
        """Where the plot begins."""
        ...

    @property
    def right(self) -> float:
        """Where the plot ends."""
        ...

    @property
    def first(self) -> int:
        """The cursor whose state holds at the left edge."""
        ...

    @property
    def last(self) -> int:
        """The last cursor that is drawn."""
        ...

    def x(self, cursor: int) -> float:
        """Where a change at this cursor is drawn."""
        ...


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """A trace over time. `times` is the column `at`; positions of one moment share an x."""

    scale: TimeScale
    times: Column

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return self.scale.left

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.scale.right

    @property
    def first(self) -> int:
        """How many events are before the window."""
        return int(self.times.searchsorted(self.scale.first, side="left"))

    @property
    def last(self) -> int:
        """How many events are before the window's end."""
        return int(self.times.searchsorted(self.scale.last, side="right"))

    def x(self, cursor: int) -> float:
        """The moment of the event before the cursor; cursor 0 is the left edge."""
        if cursor <= 0:
            return self.scale.left
        return float(round(self.scale.x(int(self.times[min(cursor, len(self.times)) - 1]))))


@dataclass(frozen=True, slots=True)
class Columns:
    """The shared ruler of a comparison: `edges[i]` to `edges[i + 1]` is the slot of stop i.

    `heads` are the stops at which a column begins; the stops up to the next head share its width evenly.
    """

    edges: tuple[float, ...]
    heads: tuple[int, ...]

    def slot(self, stop: int) -> tuple[float, float]:
        """Left and right edge of a stop."""
        return self.edges[stop], self.edges[stop + 1]

    def column(self, place: int) -> tuple[float, float]:
        """Left and right edge of the place-th column."""
        end = self.heads[place + 1] if place + 1 < len(self.heads) else len(self.edges) - 1
        return self.edges[self.heads[place]], self.edges[end]

    def column_of(self, stop: int) -> int:
        """The column in which a stop lies."""
        return max(bisect_right(self.heads, stop) - 1, 0)

    def cursor_x(self, stop: int) -> float:
        """Where the cursor stands: at the end of the stop's slot, so that what it did is left of the line."""
        left, right = self.slot(stop)
        return float(round(right - min(4.0, (right - left) / 4)))

    def stop_at(self, x: float) -> int:
        """The stop whose slot covers x, clamped to the ruler."""
        return min(max(bisect_right(self.edges, x) - 1, 0), len(self.edges) - 2)


def columns_of(comparison: Comparison, left: float, right: float) -> Columns:
    """One column an anchor: equal for a script, by the number of stops (with a floor) for landmarks."""
    stops = comparison.stops
    heads = [place for place, stop in enumerate(stops) if place == 0 or stop.anchor]
    sizes = [(heads[i + 1] if i + 1 < len(heads) else len(stops)) - head for i, head in enumerate(heads)]
    weights = [1.0 if comparison.axis == "script" else 1.0 + (size - 1) ** 0.5 / 2 for size in sizes]
    total = sum(weights) or 1.0
    edges: list[float] = []
    x = left
    for size, weight in zip(sizes, weights, strict=True):
        width = (right - left) * weight / total
        edges.extend(float(round(x + width * part / size)) for part in range(size))
        x += width
    return Columns((*edges, float(round(right))), tuple(heads))


@dataclass(frozen=True, slots=True)
class StopAxis:
    """One run of a comparison: `cursors[i]` is its cursor at stop i."""

    columns: Columns
    cursors: tuple[int, ...]

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return self.columns.edges[0]

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.columns.edges[-1]

    @property
    def first(self) -> int:
        """Every run is drawn from its beginning."""
        return self.cursors[0]

    @property
    def last(self) -> int:
        """The cursor of the last stop."""
        return self.cursors[-1]

    def stop_of(self, cursor: int) -> int:
        """The first stop that has applied this cursor."""
        return min(bisect_left(self.cursors, cursor), len(self.cursors) - 1)

    def x(self, cursor: int) -> float:
        """The left edge of the first stop that has applied the event before this cursor."""
        return self.columns.edges[self.stop_of(cursor)]
