"""One value of one replica while it is narrowed: bounds at every instant, and where knowledge is cut.

Instants: 2p is right after row p of the view (place p), 2p+1 right before the next row. A value moves between
2p and 2p+1; a row that is no cut finds it and leaves it the same. Within an era (between two cuts) a lower
bound holds from its instant on, an upper bound holds back to the start of the era. Nothing is ever
interpolated.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from core.history.state import UNKNOWN_BAND, Band
from core.trace.vocabulary import Basis

RULE_STATED = "stated"
RULE_GROWS = "grows between two statements"


@dataclass(slots=True)
class Track:
    """Bounds by instant 0..2*places-1.

    `soft` are upper bounds by a rule that can fail; hard evidence beats them.
    """

    places: int
    lo: list[int | None] = field(default_factory=list[int | None])
    hi: list[int | None] = field(default_factory=list[int | None])
    soft: list[int | None] = field(default_factory=list[int | None])
    lo_rule: list[str] = field(default_factory=list[str])
    hi_rule: list[str] = field(default_factory=list[str])
    soft_rule: list[str] = field(default_factory=list[str])
    stated: dict[int, Basis] = field(default_factory=dict[int, Basis])
    breaks: set[int] = field(default_factory=set[int])
    """Places at which a new era starts."""
    drops: set[int] = field(default_factory=set[int])
    """Starts of eras in which the value may fall once, at an unknown place.

    An upper bound seen later does not reach below the one just before the start.
    """
    carry: dict[int, int] = field(default_factory=dict[int, int])
    """At the start of an era: the lower bound of the era before still holds, but at most so much of it."""
    still: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Stretches first..last in which the value cannot change."""
    told: int = 0
    """How often a bound was narrowed."""
    eras: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Eras of two instants or more, from and to before."""
    parted: int = -1
    """How many breaks there were when the eras were found."""
    ordered: list[int] = field(default_factory=list[int])
    """The breaks in order, as many as there were when somebody asked."""
    calm: tuple[object, ...] | None = None
    """The state in which settling told nothing new."""

    def __post_init__(self) -> None:
        """Nothing is known."""
        for bounds in (self.lo, self.hi, self.soft):
            bounds.extend([None] * len(self))
        for rules in (self.lo_rule, self.hi_rule, self.soft_rule):
            rules.extend([""] * len(self))

    def __len__(self) -> int:
        """How many instants there are."""
        return 2 * self.places

    def at_least(self, place: int, value: int, rule: str) -> bool:
        """Raise the lower bound; True where that told something new."""
        known = self.lo[place]
        if known is not None and known >= value:
            return False
        self.lo[place], self.lo_rule[place] = value, rule
        self.told += 1
        return True

    def at_most(self, place: int, value: int, rule: str) -> bool:
        """Lower the upper bound; True where that told something new."""
        known = self.hi[place]
        if known is not None and known <= value:
            return False
        self.hi[place], self.hi_rule[place] = value, rule
        self.told += 1
        return True

    def softly_at_most(self, place: int, value: int, rule: str) -> None:
        """An upper bound that holds unless hard evidence says otherwise."""
        known = self.soft[place]
        if known is None or known > value:
            self.soft[place], self.soft_rule[place] = value, rule
            self.told += 1

    def below(self, place: int, value: int, rule: str, *, can_fail: bool) -> None:
        """An upper bound that is as sure as the one it comes from."""
        if can_fail:
            self.softly_at_most(place, value, rule)
        else:
            self.at_most(place, value, rule)

    def exactly(self, place: int, value: int, basis: Basis) -> None:
        """A row states the value at this place."""
        self.at_least(place, value, RULE_STATED)
        self.at_most(place, value, RULE_STATED)
        self.stated[place] = basis

    def cut(self, place: int, keep: int | None = None) -> None:
        """Start an era. With `keep`, min(lower bound before, keep) still holds in it."""
        self.breaks.add(place)
        if keep is None:
            self.carry.pop(place, None)
        else:
            self.carry[place] = keep

    def era_of(self, place: int) -> int:
        """Where the era of an instant starts."""
        if len(self.ordered) != len(self.breaks):
            self.ordered = sorted(self.breaks)
        number = bisect_right(self.ordered, place)
        return self.ordered[number - 1] if number else 0

    def settle(self) -> None:
        """Carry bounds through each era and through the stretches where nothing can change.

        The loops write bounds themselves: this is where opening a partition spends its time.
        """
        if self.calm == self._state():
            return
        told = self.told
        self._share()
        self._carry_on()
        if len(self.breaks) != self.parted:
            # Breaks are only ever added. An era of one instant has nothing to carry.
            edges = [0, *sorted(place for place in self.breaks if 0 < place < len(self)), len(self)]
            self.eras = [(start, end) for start, end in pairwise(edges) if end - start > 1]
            self.parted = len(self.breaks)
        for start, end in self.eras:
            if start in self.drops:
                self._carry_back_in_a_fall(start, end)
            else:
                self.told += _carry_back(self.hi, self.hi_rule, start, end)
                self.told += _carry_back(self.soft, self.soft_rule, start, end)
        self._same_over_rows()
        self._share()
        self.calm = self._state() if told == self.told else None

    def _state(self) -> tuple[object, ...]:
        """What settling depends on: equal before and after, it has nothing to do."""
        return self.told, len(self.breaks), len(self.drops), len(self.still), tuple(self.carry.items())

    def _carry_on(self) -> None:
        """Lower bounds hold in the instants that follow."""
        lo, rules, breaks, carry = self.lo, self.lo_rule, self.breaks, self.carry
        before = lo[0]
        for place in range(1, len(lo)):
            known = lo[place]
            if before is None:
                before = known
                continue
            if place in breaks:
                if place not in carry:
                    before = known
                    continue
                before = min(before, carry[place])
            if known is None or known < before:
                lo[place], rules[place] = before, rules[place - 1]
                self.told += 1
            else:
                before = known

    def _carry_back_in_a_fall(self, start: int, end: int) -> None:
        """Upper bounds of an era in which the value may fall: not below what it began with."""
        begun = self.hi[start - 1]
        if begun is None:
            return
        for place in range(end - 2, start - 1, -1):
            after = self.hi[place + 1]
            if after is not None:
                self.at_most(place, max(after, begun), self.hi_rule[place + 1])

    def _same_over_rows(self) -> None:
        """A row that is no cut finds the value as it leaves it."""
        lo, hi, breaks = self.lo, self.hi, self.breaks
        for after in range(2, len(lo), 2):
            if after in breaks:
                continue
            low, high = lo[after], hi[after - 1]
            if low is not None and low != lo[after - 1]:
                self.at_least(after - 1, low, self.lo_rule[after])
            if high is not None and high != hi[after]:
                self.at_most(after, high, self.hi_rule[after - 1])

    def _share(self) -> None:
        """In a stretch that stands still each bound holds in the whole of it."""
        for first, last in self._still_parts():
            if _all_alike(self.lo[first : last + 1]) and _all_alike(self.hi[first : last + 1]):
                continue
            low = max(range(first, last + 1), key=lambda place: _or_low(self.lo[place]))
            high = min(range(first, last + 1), key=lambda place: _or_high(self.hi[place]))
            least, most = self.lo[low], self.hi[high]
            for place in range(first, last + 1):
                if least is not None:
                    self.at_least(place, least, self.lo_rule[low])
                if most is not None:
                    self.at_most(place, most, self.hi_rule[high])

    def _still_parts(self) -> Iterable[tuple[int, int]]:
        """The still stretches, split where an era starts."""
        for first, last in self.still:
            begin = first
            for place in range(first + 1, last + 1):
                if place in self.breaks:
                    yield begin, place - 1
                    begin = place
            yield begin, last

    def known_over(self) -> Iterator[tuple[object, ...]]:
        """By place, all that a band over it is made of: equal for two places, their bands are equal."""
        sides = (self.lo, self.hi, self.soft, self.lo_rule, self.hi_rule, self.soft_rule)
        here = (side[::2] for side in sides)
        then = (side[1::2] for side in sides)
        return zip(*here, *then, map(self.stated.get, range(0, len(self), 2)), strict=True)

    def upper(self, place: int) -> tuple[int | None, bool]:
        """The upper bound in force, and whether it is one that can fail."""
        hard, soft, low = self.hi[place], self.soft[place], self.lo[place]
        if soft is not None and (hard is None or soft < hard) and (low is None or soft >= low):
            return soft, True
        return hard, False

    def uppers(self, first: int, end: int) -> list[tuple[int | None, bool]]:
        """The same for each of the instants first..end-1."""
        bounds = zip(self.hi[first:end], self.soft[first:end], self.lo[first:end], strict=True)
        return [
            (soft, True)
            if soft is not None and (hard is None or soft < hard) and (low is None or soft >= low)
            else (hard, False)
            for hard, soft, low in bounds
        ]

    def band(self, first: int, last: int, floor: int | None) -> Band:
        """The band over the instants first..last (an instant alone, or an interval 2p..2p+1).

        `floor` is what the value can never be below, used where nothing else bounds it.
        """
        below, instant = first, first
        low = self.lo[first]
        high, can_fail = self.upper(first)
        if first != last:
            ended = self.lo[last]
            if low is not None and (ended is None or ended < low):
                below, low = last, ended
            later, fails = self.upper(last)
            if high is not None and (later is None or later > high or (later == high and fails > can_fail)):
                instant, high, can_fail = last, later, fails
        if low is None and high is None:
            return UNKNOWN_BAND
        rule = self.lo_rule[below]
        if low is None:
            low, rule = floor, "never below the log start"
        if low is not None and high is not None and low > high:
            return Band(high, low, Basis.BOUNDED, "two sources contradict each other")
        stated = self.stated.get(first)
        if low == high and stated is not None and not can_fail:
            return Band(low, high, stated, RULE_STATED)
        if low == high:
            return Band(low, high, Basis.INFERRED if can_fail else Basis.DERIVED, rule)
        over = self.soft_rule[instant] if can_fail else self.hi_rule[instant]
        return Band(low, high, Basis.INFERRED if can_fail else Basis.BOUNDED, _joined(rule, over))


def _carry_back(bounds: list[int | None], rules: list[str], start: int, end: int) -> int:
    """Upper bounds hold in the instants before, in one era. Gives how many it narrowed."""
    told = 0
    after = bounds[end - 1]
    for place in range(end - 2, start - 1, -1):
        known = bounds[place]
        if after is not None and (known is None or known > after):
            bounds[place], rules[place] = after, rules[place + 1]
            told += 1
        else:
            after = known
    return told


def _all_alike(bounds: list[int | None]) -> bool:
    return bounds.count(bounds[0]) == len(bounds)


def _or_low(value: int | None) -> int:
    return -(2**62) if value is None else value


def _or_high(value: int | None) -> int:
    return 2**62 if value is None else value


@cache
def _joined(below: str, above: str) -> str:
    """Both rules where they differ, the stronger word first."""
    rules = [rule for rule in dict.fromkeys((above, below)) if rule and rule != RULE_STATED]
    return "; ".join(rules) or RULE_GROWS
