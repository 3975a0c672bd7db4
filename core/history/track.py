"""One value of one replica while it is narrowed: bounds at every instant, and where knowledge is cut.

Instants: 2p is right after row p of the view (place p), 2p+1 right before the next row. A value moves between
2p and 2p+1; a row that is no cut finds it and leaves it the same. Within an era (between two cuts) a lower
bound holds from its instant on, an upper bound holds back to the start of the era. Nothing is ever
interpolated.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.history.state import Band
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

    def settle(self) -> None:
        """Carry bounds through each era and through the stretches where nothing can change."""
        self._share()
        for place in range(1, len(self)):
            before = self.lo[place - 1]
            if before is None:
                continue
            if place not in self.breaks:
                self.at_least(place, before, self.lo_rule[place - 1])
            elif place in self.carry:
                self.at_least(place, min(before, self.carry[place]), self.lo_rule[place - 1])
        starts = self._era_starts()
        for place in range(len(self) - 2, -1, -1):
            if place + 1 in self.breaks:
                continue
            self._carry_back(place, starts[place])
        self._same_over_rows()
        self._share()

    def _same_over_rows(self) -> None:
        """A row that is no cut finds the value as it leaves it."""
        for after in range(2, len(self), 2):
            if after in self.breaks:
                continue
            low, high = self.lo[after], self.hi[after - 1]
            if low is not None:
                self.at_least(after - 1, low, self.lo_rule[after])
            if high is not None:
                self.at_most(after, high, self.hi_rule[after - 1])

    def _carry_back(self, place: int, start: int) -> None:
        """The upper bounds of the next place hold here too.

        In an era that may fall, not below what it began with.
        """
        after, later = self.hi[place + 1], self.soft[place + 1]
        if start not in self.drops:
            if after is not None:
                self.at_most(place, after, self.hi_rule[place + 1])
            if later is not None:
                self.softly_at_most(place, later, self.soft_rule[place + 1])
            return
        begun = self.hi[start - 1]
        if after is not None and begun is not None:
            self.at_most(place, max(after, begun), self.hi_rule[place + 1])

    def _era_starts(self) -> list[int]:
        starts: list[int] = []
        start = 0
        for place in range(len(self)):
            if place in self.breaks:
                start = place
            starts.append(start)
        return starts

    def _share(self) -> None:
        """In a stretch that stands still each bound holds in the whole of it."""
        for first, last in self._still_parts():
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

    def upper(self, place: int) -> tuple[int | None, bool]:
        """The upper bound in force, and whether it is one that can fail."""
        hard, soft, low = self.hi[place], self.soft[place], self.lo[place]
        if soft is not None and (hard is None or soft < hard) and (low is None or soft >= low):
            return soft, True
        return hard, False

    def band(self, first: int, last: int, floor: int | None) -> Band:
        """The band over the instants first..last (an instant alone, or an interval 2p..2p+1).

        `floor` is what the value can never be below, used where nothing else bounds it.
        """
        below = first if _or_low(self.lo[first]) <= _or_low(self.lo[last]) else last
        low, rule = self.lo[below], self.lo_rule[below]
        uppers = [self.upper(first), self.upper(last)]
        above = max((0, 1), key=lambda which: _or_high(uppers[which][0]))
        high, can_fail = uppers[above]
        if low is None and high is None:
            return Band(None, None, Basis.UNKNOWN)
        if low is None:
            low, rule = floor, "never below the log start"
        if low is not None and high is not None and low > high:
            return Band(high, low, Basis.BOUNDED, "two sources contradict each other")
        stated = self.stated.get(first)
        if low == high and stated is not None and not can_fail:
            return Band(low, high, stated, RULE_STATED)
        if low == high:
            return Band(low, high, Basis.INFERRED if can_fail else Basis.DERIVED, rule)
        instant = (first, last)[above]
        over = self.soft_rule[instant] if can_fail else self.hi_rule[instant]
        return Band(low, high, Basis.INFERRED if can_fail else Basis.BOUNDED, _joined(rule, over))


def _or_low(value: int | None) -> int:
    return -(2**62) if value is None else value


def _or_high(value: int | None) -> int:
    return 2**62 if value is None else value


def _joined(below: str, above: str) -> str:
    """Both rules where they differ, the stronger word first."""
    rules = [rule for rule in dict.fromkeys((above, below)) if rule and rule != RULE_STATED]
    return "; ".join(rules) or RULE_GROWS
