"""Values of replicas while they are narrowed: bounds at every instant, and where knowledge is cut.

Instants: 2p is right after row p of the view (place p), 2p+1 right before the next row. A value moves between
2p and 2p+1; a row that is no cut finds it and leaves it the same. Within an era (between two cuts) a lower
bound holds from its instant on, an upper bound holds back to the start of the era. Nothing is ever
interpolated.

Bounds are columns of numbers, NO_LOW or NO_HIGH where there is none, and beside each the code of the rule
that told it. The columns of several tracks stand one behind the other: all are settled at once (settling.py).
"""

from collections.abc import Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Numbers, Places, in_force
from core.trace.vocabulary import Basis

RULE_STATED: Final = "stated"
NOT_STATED: Final = -1

Codes = NDArray[np.int16]

_NAMES: Final = [""]
_CODES: Final = {"": 0}


def code_of(rule: str) -> int:
    """The number that stands for a rule in the columns of this process."""
    code = _CODES.get(rule)
    if code is None:
        _NAMES.append(rule)
        code = _CODES[rule] = _NAMES.index(rule)
    return code


def name_of(code: int) -> str:
    """The rule that a number stands for."""
    return _NAMES[code]


@dataclass(frozen=True, slots=True)
class Columns:
    """Bounds by instant, of one track or of several one behind the other.

    `soft` are upper bounds by a rule that can fail; hard evidence beats them.
    """

    lo: Numbers
    hi: Numbers
    soft: Numbers
    lo_rule: Codes
    hi_rule: Codes
    soft_rule: Codes
    stated: NDArray[np.int8]
    """The Basis of the row that states the value, NOT_STATED where none does."""
    breaks: Flags
    """Where an era starts."""

    def part(self, first: int, end: int) -> "Columns":
        """The columns of some instants: what is written to them is written here."""
        here = slice(first, end)
        return Columns(
            self.lo[here],
            self.hi[here],
            self.soft[here],
            self.lo_rule[here],
            self.hi_rule[here],
            self.soft_rule[here],
            self.stated[here],
            self.breaks[here],
        )

    def uppers(self, which: slice | Places) -> tuple[Numbers, Flags]:
        """For some instants the upper bound in force, and whether it is one that can fail."""
        return in_force(self.hi[which], self.soft[which], self.lo[which])


def blank_columns(instants: int) -> Columns:
    """Nothing is known."""
    return Columns(
        np.full(instants, NO_LOW),
        np.full(instants, NO_HIGH),
        np.full(instants, NO_HIGH),
        np.zeros(instants, np.int16),
        np.zeros(instants, np.int16),
        np.zeros(instants, np.int16),
        np.full(instants, NOT_STATED, np.int8),
        np.zeros(instants, bool),
    )


@dataclass(slots=True, eq=False)
class Track:
    """One value of one replica. Instants are 0..2*places-1."""

    columns: Columns
    drops: set[int] = field(default_factory=set[int])
    """Starts of eras in which the value may fall once, at an unknown place.

    An upper bound seen later does not reach below the one just before the start.
    """
    carry: dict[int, int] = field(default_factory=dict[int, int])
    """At the start of an era: the lower bound of the era before still holds, but at most so much of it."""
    still: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Stretches first..last in which the value cannot change."""
    told: int = 0
    """How often bounds were narrowed."""
    cuts: int = 0
    """How often an era was started."""
    starts: Places | None = None
    """Where eras start, in order, when somebody asked."""
    started: int = -1
    """How many cuts there were then."""

    def __len__(self) -> int:
        """How many instants there are."""
        return len(self.columns.lo)

    def low(self, instant: int) -> int | None:
        """The lower bound."""
        low = self.columns.lo.item(instant)
        return None if low == NO_LOW else low

    def high(self, instant: int) -> int | None:
        """The upper bound that cannot fail."""
        high = self.columns.hi.item(instant)
        return None if high == NO_HIGH else high

    def at_least(self, instant: int, value: int, rule: str) -> None:
        """Raise the lower bound."""
        if self.columns.lo.item(instant) < value:
            self.columns.lo[instant], self.columns.lo_rule[instant] = value, code_of(rule)
            self.told += 1

    def at_most(self, instant: int, value: int, rule: str) -> None:
        """Lower the upper bound."""
        if self.columns.hi.item(instant) > value:
            self.columns.hi[instant], self.columns.hi_rule[instant] = value, code_of(rule)
            self.told += 1

    def softly_at_most(self, instant: int, value: int, rule: str) -> None:
        """An upper bound that holds unless hard evidence says otherwise."""
        if self.columns.soft.item(instant) > value:
            self.columns.soft[instant], self.columns.soft_rule[instant] = value, code_of(rule)
            self.told += 1

    def below(self, instant: int, value: int, rule: str, *, can_fail: bool) -> None:
        """An upper bound that is as sure as the one it comes from."""
        if can_fail:
            self.softly_at_most(instant, value, rule)
        else:
            self.at_most(instant, value, rule)

    def exactly(self, instant: int, value: int, basis: Basis) -> None:
        """A row states the value at this instant."""
        self.at_least(instant, value, RULE_STATED)
        self.at_most(instant, value, RULE_STATED)
        self.columns.stated[instant] = basis

    def all_exactly(self, instants: Places, values: Numbers, basis: NDArray[np.int8]) -> None:
        """Rows state the values at some instants, each at another one."""
        lower, higher = self.columns.lo[instants] < values, self.columns.hi[instants] > values
        for bounds, rules, new in (
            (self.columns.lo, self.columns.lo_rule, lower),
            (self.columns.hi, self.columns.hi_rule, higher),
        ):
            bounds[instants[new]], rules[instants[new]] = values[new], code_of(RULE_STATED)
        self.columns.stated[instants] = basis
        self.told += bool(np.count_nonzero(lower | higher))

    def all_at_least(self, first: int, values: Numbers, rule: str) -> None:
        """Raise the lower bounds from an instant on; NO_LOW raises none."""
        here = slice(first, first + len(values))
        raised = self.columns.lo[here] < values
        if np.count_nonzero(raised):
            self.columns.lo[here][raised] = values[raised]
            self.columns.lo_rule[here][raised] = code_of(rule)
            self.told += 1

    def all_at_most(self, first: int, values: Numbers, rule: str) -> None:
        """Lower the upper bounds from an instant on; NO_HIGH lowers none."""
        here = slice(first, first + len(values))
        lowered = self.columns.hi[here] > values
        if np.count_nonzero(lowered):
            self.columns.hi[here][lowered] = values[lowered]
            self.columns.hi_rule[here][lowered] = code_of(rule)
            self.told += 1

    def all_softly_at_most(self, first: int, values: Numbers, rule: str) -> None:
        """The same for bounds that can fail."""
        here = slice(first, first + len(values))
        lowered = self.columns.soft[here] > values
        if np.count_nonzero(lowered):
            self.columns.soft[here][lowered] = values[lowered]
            self.columns.soft_rule[here][lowered] = code_of(rule)
            self.told += 1

    def all_below(self, first: int, values: Numbers, can_fail: Flags, rule: str) -> None:
        """Upper bounds that are as sure as those they come from."""
        if np.count_nonzero(can_fail):
            self.all_softly_at_most(first, np.where(can_fail, values, NO_HIGH), rule)
            values = np.where(can_fail, NO_HIGH, values)
        self.all_at_most(first, values, rule)

    def some_at_least(self, instants: Places, values: Numbers, rule: str) -> None:
        """Raise the lower bounds at some instants, of which one may come more than once."""
        raised = self.columns.lo[instants] < values
        if np.count_nonzero(raised):
            np.maximum.at(self.columns.lo, instants[raised], values[raised])
            self.columns.lo_rule[instants[raised]] = code_of(rule)
            self.told += 1

    def cut(self, instant: int, keep: int | None = None) -> None:
        """Start an era. With `keep`, min(lower bound before, keep) still holds in it."""
        self.columns.breaks[instant] = True
        self.cuts += 1
        if keep is None:
            self.carry.pop(instant, None)
        else:
            self.carry[instant] = keep

    def cut_all(self, first: int, end: int) -> None:
        """Start an era at each of some instants."""
        self.columns.breaks[first:end] = True
        self.cuts += 1

    def is_cut(self, first: int, end: int) -> bool:
        """Whether an era starts at one of some instants."""
        return bool(np.count_nonzero(self.columns.breaks[first:end]))

    def sections(self) -> Places:
        """Where eras start, in order; the first starts at 0."""
        if self.starts is None or self.started != self.cuts:
            self.columns.breaks[0] = True
            self.starts, self.started = np.flatnonzero(self.columns.breaks), self.cuts
        return self.starts

    def state(self) -> tuple[object, ...]:
        """What settling depends on: equal before and after, it has nothing to do."""
        return self.told, self.cuts, len(self.drops), len(self.still), tuple(self.carry.items())

    def uppers(self, first: int, end: int) -> tuple[Numbers, Flags]:
        """For each of some instants the upper bound in force, and whether it is one that can fail."""
        return self.columns.uppers(slice(first, end))

    def upper(self, instant: int) -> tuple[int | None, bool]:
        """The same for one instant."""
        hard, soft = self.columns.hi.item(instant), self.columns.soft.item(instant)
        if soft < hard and soft >= self.columns.lo.item(instant):
            return soft, True
        return None if hard == NO_HIGH else hard, False

    def lowest(self, first: int, end: int) -> int | None:
        """The lowest upper bound that cannot fail, over some instants."""
        found = int(self.columns.hi[first:end].min(initial=NO_HIGH))
        return None if found == NO_HIGH else found

    def highest(self, first: int, end: int) -> int | None:
        """What the value surely does not pass in some instants; None where one has no upper bound."""
        found = int(self.columns.hi[first:end].max(initial=NO_LOW))
        return None if found in (NO_LOW, NO_HIGH) else found

    def reached(self, first: int, end: int) -> int:
        """What the value surely came to in some instants, 0 at least; bounds that cross count as swapped."""
        lows, (highs, _) = self.columns.lo[first:end], self.uppers(first, end)
        return max(int(np.minimum(lows, highs).max(initial=0)), 0)


class Tracks(Mapping[int, Track]):
    """The tracks of one value in a partition, by broker."""

    def __init__(self, brokers: Iterable[int], columns: Columns, places: int) -> None:
        """`columns` are those of all, one behind the other in the order of the brokers."""
        self._tracks: dict[int, Track] = {}
        for number, broker in enumerate(brokers):
            begin = 2 * places * number
            self._tracks[broker] = Track(columns.part(begin, begin + 2 * places))

    def __getitem__(self, broker: int) -> Track:
        """The track of a broker's replica. Raises KeyError."""
        return self._tracks[broker]

    def __iter__(self) -> Iterator[int]:
        """The brokers."""
        return iter(self._tracks)

    def __len__(self) -> int:
        """How many tracks there are."""
        return len(self._tracks)

    def keys(self) -> KeysView[int]:
        """The brokers."""
        return self._tracks.keys()

    def values(self) -> ValuesView[Track]:
        """The tracks, in the order of the brokers."""
        return self._tracks.values()
