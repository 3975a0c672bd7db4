"""Ties of clocks as rows, and what they bound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from importers.merge.tie import Clock

Bounds = dict[tuple[Clock, Clock], int]


@dataclass(frozen=True, slots=True)
class Tied:
    """Ties as rows: the numbers of both clocks with what each shows. `ticks` are those of the clocks."""

    names: Sequence[Clock]
    ticks: NDArray[np.int64]
    one: NDArray[np.int64]
    before: NDArray[np.int64]
    other: NDArray[np.int64]
    after: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.one)

    def taken(self, at: NDArray[Any]) -> "Tied":
        """Some of them."""
        columns = (column[at] for column in (self.one, self.before, self.other, self.after))
        return Tied(self.names, self.ticks, *columns)

    def with_more(self, rows: NDArray[np.int64]) -> "Tied":
        """These and others, a row each."""
        columns = (self.one, self.before, self.other, self.after)
        return Tied(self.names, self.ticks, *map(np.append, columns, rows.T))


def closed(names: Sequence[Clock], found: Tied) -> Bounds | None:
    """bounds[a, b]: a's correction less b's is at most that, by all ways. None: a contradiction."""
    slack = found.after - found.before + found.ticks[found.other]
    pair = found.one * len(found.names) + found.other
    order = np.lexsort((slack, pair))
    pairs, least = np.unique(pair[order], return_index=True)
    bound: Bounds = {
        (found.names[at // len(found.names)], found.names[at % len(found.names)]): most
        for at, most in zip(pairs.tolist(), slack[order][least].tolist(), strict=True)
    }
    for via in names:
        into = [(one, bound[one, via]) for one in names if (one, via) in bound]
        out = [(other, bound[via, other]) for other in names if (via, other) in bound]
        for one, to_via in into:
            for other, from_via in out:
                way = to_via + from_via
                if one == other:
                    if way < 0:
                        return None
                elif way < bound.get((one, other), way + 1):
                    bound[one, other] = way
    return bound


def interval(bounds: Bounds, name: Clock, fixed: Mapping[Clock, int]) -> tuple[int | None, int | None]:
    """Where a clock's correction lies when others are fixed."""
    lows = [value - bounds[other, name] for other, value in fixed.items() if (other, name) in bounds]
    highs = [value + bounds[name, other] for other, value in fixed.items() if (name, other) in bounds]
    return max(lows, default=None), min(highs, default=None)


def most_trusted(names: Sequence[Clock], pieces: Sequence[tuple[tuple[int, int], Bounds]]) -> Clock | None:
    """The clock that contradicts the fewest others; of equals that of the metadata log, the lowest id."""

    def wrong(name: Clock) -> int:
        return sum(
            bounds.get((name, other), 0) < 0 or bounds.get((other, name), 0) < 0
            for _, bounds in pieces
            for other in names
        )

    return min(names, key=lambda name: (wrong(name), name[0] != "records", name[1]), default=None)
