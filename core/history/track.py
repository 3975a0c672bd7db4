"""Bounds of a value of one replica at each instant, while statements and rules narrow them.

Instants: 2p is right after row p of the view (place p), 2p+1 right before the next row. A value may change
between 2p and 2p+1; over a row that is no cut it stays the same. A track consists of sections, each beginning
where the value may fall. Within a section a lower bound holds from its instant on, and an upper bound back to
the beginning of the section. Nothing is ever interpolated: after `at_least(2, 30)` and `at_most(7, 35)` in
one section, the value is 30 to 35 from instant 2 to 7, at most 35 before, and at least 30 after.

Bounds are columns of numbers, NO_LOW or NO_HIGH where there is none, and beside each the code of the rule
that set it. The columns of several tracks stand one behind the other and are settled together
(core/history/carrying.py).
"""

from collections.abc import Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.positions import instants_of
from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Instants, Numbers, Places, in_force
from core.trace.ids import Instant
from core.trace.vocabulary import Basis

RULE_STATED: Final = "stated"
NOT_STATED: Final = -1

Codes = NDArray[np.int16]

_NAMES: Final = [""]
_CODES: Final = {"": 0}


def code_of(rule: str) -> int:
    """The number of a rule, or of two joined ones, in the columns of this process."""
    code = _CODES.get(rule)
    if code is None:
        _NAMES.append(rule)
        code = _CODES[rule] = _NAMES.index(rule)
    return code


def name_of(code: int) -> str:
    """The rule that has this number."""
    return _NAMES[code]


@dataclass(slots=True, eq=False)
class SoftBounds:
    """Upper bounds by a rule that can fail, and their rules, of so many instants. Hard evidence wins.

    Few partitions have any, so the columns are made when the first bound is set.
    """

    instants: int
    bounds: Numbers | None = None
    rules: Codes = field(default_factory=lambda: np.zeros(0, np.int16))

    def made(self) -> tuple[Numbers, Codes]:
        """Both columns; NO_HIGH where no bound is set."""
        if self.bounds is None:
            self.bounds, self.rules = np.full(self.instants, NO_HIGH), np.zeros(self.instants, np.int16)
        return self.bounds, self.rules


@dataclass(frozen=True, slots=True)
class Columns:
    """Bounds by instant, of one track or of several one behind the other."""

    lo: Numbers
    hi: Numbers
    lo_rule: Codes
    hi_rule: Codes
    stated: NDArray[np.int8]
    """The Basis of the row that states the value, NOT_STATED where none does."""
    section_starts: Flags
    """Where a section begins."""
    soft_bounds: SoftBounds
    """Those of all instants that these columns are part of."""
    begin: int = 0
    """The first of these instants."""

    def part(self, first: int, end: int) -> "Columns":
        """The columns of some instants, not copied: a change of the part changes these columns."""
        here = slice(first, end)
        return Columns(
            self.lo[here],
            self.hi[here],
            self.lo_rule[here],
            self.hi_rule[here],
            self.stated[here],
            self.section_starts[here],
            self.soft_bounds,
            self.begin + first,
        )

    def has_soft(self) -> bool:
        """Whether any upper bound that can fail was set, here or in the columns that these are part of."""
        return self.soft_bounds.bounds is not None

    def soft(self) -> tuple[Numbers, Codes]:
        """The upper bounds that can fail, NO_HIGH for none, and their rules: a change of them is kept."""
        here = slice(self.begin, self.begin + len(self.lo))
        bounds, rules = self.soft_bounds.made()
        return bounds[here], rules[here]

    def uppers(self, which: slice | Places) -> tuple[Numbers, Flags]:
        """For some instants the upper bound in force, and whether it is one that can fail."""
        if not self.has_soft():
            hard = self.hi[which]
            return hard, np.zeros(len(hard), bool)
        return in_force(self.hi[which], self.soft()[0][which], self.lo[which])

    def upper_rules(self, which: slice | Places, can_fail: Flags) -> Codes:
        """The rules of these upper bounds in force."""
        if not self.has_soft():
            return self.hi_rule[which]
        return np.where(can_fail, self.soft()[1][which], self.hi_rule[which])


def blank_columns(instants: int) -> Columns:
    """Columns in which nothing is known."""
    return Columns(
        np.full(instants, NO_LOW),
        np.full(instants, NO_HIGH),
        np.zeros(instants, np.int16),
        np.zeros(instants, np.int16),
        np.full(instants, NOT_STATED, np.int8),
        np.zeros(instants, bool),
        SoftBounds(instants),
    )


@dataclass(slots=True, eq=False)
class Track:
    """The bounds of one value of one replica. Instants are 0..2*places-1."""

    columns: Columns
    may_fall_from: set[Instant] = field(default_factory=set[Instant])
    """Starts of sections in which the value may fall once, at an unknown place.

    An upper bound seen later then does not go below the one just before the start.
    """
    carry: dict[Instant, int] = field(default_factory=dict[Instant, int])
    """By start of a section: the lower bound of the section before still holds, but at most so much of it."""
    still_spans: list[tuple[Instant, Instant]] = field(default_factory=list[tuple[Instant, Instant]])
    """Spans first..last of instants over which the value cannot change."""
    times_narrowed: int = 0
    """How often bounds were narrowed."""
    sections_started: int = 0
    """How often a section was started."""
    found_starts: Places = field(default_factory=lambda: np.zeros(0, np.intp))
    """The starts of all sections, in order, as found last."""
    found_at: int = -1
    """`sections_started` when they were found."""
    without: frozenset[str] = frozenset()
    """The rules of inference that are taken away (core/history/inference.py): they bound nothing here."""

    def __len__(self) -> int:
        """How many instants there are."""
        return len(self.columns.lo)

    def low(self, instant: Instant) -> int | None:
        """The lower bound at an instant; None where there is none."""
        low = self.columns.lo.item(instant)
        return None if low == NO_LOW else low

    def high(self, instant: Instant) -> int | None:
        """The upper bound that cannot fail, at an instant; None where there is none."""
        high = self.columns.hi.item(instant)
        return None if high == NO_HIGH else high

    def at_least(self, instant: Instant, value: int, rule: str) -> None:
        """Raise the lower bound at an instant to a value."""
        if rule not in self.without and self.columns.lo.item(instant) < value:
            self.columns.lo[instant], self.columns.lo_rule[instant] = value, code_of(rule)
            self.times_narrowed += 1

    def at_most(self, instant: Instant, value: int, rule: str) -> None:
        """Lower the upper bound at an instant to a value."""
        if rule not in self.without and self.columns.hi.item(instant) > value:
            self.columns.hi[instant], self.columns.hi_rule[instant] = value, code_of(rule)
            self.times_narrowed += 1

    def softly_at_most(self, instant: Instant, value: int, rule: str) -> None:
        """Lower the upper bound that can fail: it holds unless hard evidence contradicts it."""
        if rule in self.without:
            return
        bounds, rules = self.columns.soft()
        if bounds.item(instant) > value:
            bounds[instant], rules[instant] = value, code_of(rule)
            self.times_narrowed += 1

    def below(self, instant: Instant, value: int, rule: str, *, can_fail: bool) -> None:
        """An upper bound that can fail if the one that it comes from can."""
        if can_fail:
            self.softly_at_most(instant, value, rule)
        else:
            self.at_most(instant, value, rule)

    def exactly(self, instant: Instant, value: int, basis: Basis) -> None:
        """A row states the value at this instant."""
        self.at_least(instant, value, RULE_STATED)
        self.at_most(instant, value, RULE_STATED)
        self.columns.stated[instant] = basis

    def all_exactly(self, instants: Instants, values: Numbers, basis: NDArray[np.int8]) -> None:
        """Rows state the values at some instants, each instant once."""
        lower, higher = self.columns.lo[instants] < values, self.columns.hi[instants] > values
        for bounds, rules, new in (
            (self.columns.lo, self.columns.lo_rule, lower),
            (self.columns.hi, self.columns.hi_rule, higher),
        ):
            bounds[instants[new]], rules[instants[new]] = values[new], code_of(RULE_STATED)
        self.columns.stated[instants] = basis
        self.times_narrowed += bool(np.count_nonzero(lower | higher))

    def all_at_least(self, first: Instant, values: Numbers, rule: str) -> None:
        """Raise the lower bounds from an instant on; NO_LOW raises none."""
        if rule in self.without:
            return
        here = slice(first, first + len(values))
        raised = self.columns.lo[here] < values
        if np.count_nonzero(raised):
            self.columns.lo[here][raised] = values[raised]
            self.columns.lo_rule[here][raised] = code_of(rule)
            self.times_narrowed += 1

    def all_at_most(self, first: Instant, values: Numbers, rule: str) -> None:
        """Lower the upper bounds from an instant on; NO_HIGH lowers none."""
        if rule in self.without:
            return
        here = slice(first, first + len(values))
        lowered = self.columns.hi[here] > values
        if np.count_nonzero(lowered):
            self.columns.hi[here][lowered] = values[lowered]
            self.columns.hi_rule[here][lowered] = code_of(rule)
            self.times_narrowed += 1

    def all_softly_at_most(self, first: Instant, values: Numbers, rule: str) -> None:
        """Lower the upper bounds that can fail, from an instant on; NO_HIGH lowers none."""
        if rule in self.without:
            return
        if not self.columns.has_soft() and not np.count_nonzero(values != NO_HIGH):
            return
        here = slice(first, first + len(values))
        bounds, rules = (column[here] for column in self.columns.soft())
        lowered = bounds > values
        if np.count_nonzero(lowered):
            bounds[lowered], rules[lowered] = values[lowered], code_of(rule)
            self.times_narrowed += 1

    def all_below(self, first: Instant, values: Numbers, can_fail: Flags, hard: Numbers, rule: str) -> None:
        """Upper bounds from an instant on, each of which can fail if the one that it comes from can.

        `hard` are the bounds that cannot fail: they hold, too, where a lower one that can is in force.
        """
        if np.count_nonzero(can_fail):
            self.all_softly_at_most(first, np.where(can_fail, values, NO_HIGH), rule)
        self.all_at_most(first, hard, rule)

    def all_within(self, other: "Track", first: Instant, end: Instant, rule: str) -> None:
        """At each instant first..end-1 at most what another track has there: see `all_below`."""
        highs, can_fail = other.uppers(first, end)
        self.all_below(first, highs, can_fail, other.columns.hi[first:end], rule)

    def some_at_least(self, instants: Instants, values: Numbers, rule: str) -> None:
        """Raise the lower bounds at some instants, of which one may come more than once."""
        if rule in self.without:
            return
        raised = self.columns.lo[instants] < values
        if np.count_nonzero(raised):
            np.maximum.at(self.columns.lo, instants[raised], values[raised])
            self.columns.lo_rule[instants[raised]] = code_of(rule)
            self.times_narrowed += 1

    def start_section(self, instant: Instant, keep: int | None = None) -> None:
        """Start a section. With `keep`, min(lower bound before, keep) still holds in it."""
        self.columns.section_starts[instant] = True
        self.sections_started += 1
        if keep is None:
            self.carry.pop(instant, None)
        else:
            self.carry[instant] = keep

    def start_sections(self, first: Instant, end: Instant) -> None:
        """Start a section at each of the instants first..end-1."""
        self.columns.section_starts[first:end] = True
        self.sections_started += 1

    def starts_section(self, first: Instant, end: Instant) -> bool:
        """Whether a section starts at one of the instants first..end-1."""
        return bool(np.count_nonzero(self.columns.section_starts[first:end]))

    def sections(self) -> Places:
        """Where sections start, in order; the first starts at 0."""
        if self.found_at != self.sections_started:
            self.columns.section_starts[0] = True
            self.found_starts, self.found_at = (
                np.flatnonzero(self.columns.section_starts),
                self.sections_started,
            )
        return self.found_starts

    def state(self) -> tuple[object, ...]:
        """What settling depends on: while it is equal, settling changes nothing."""
        return (
            self.times_narrowed,
            self.sections_started,
            len(self.may_fall_from),
            len(self.still_spans),
            tuple(self.carry.items()) if self.carry else (),
        )

    def uppers(self, first: Instant, end: Instant) -> tuple[Numbers, Flags]:
        """By instant first..end-1 the upper bound in force, and whether it is one that can fail."""
        return self.columns.uppers(slice(first, end))

    def upper(self, instant: Instant) -> tuple[int | None, bool]:
        """The upper bound in force at an instant, None for none, and whether it is one that can fail."""
        columns = self.columns
        hard = columns.hi.item(instant)
        if (
            columns.has_soft()
            and columns.lo.item(instant) <= (soft := columns.soft()[0].item(instant)) < hard
        ):
            return soft, True
        return None if hard == NO_HIGH else hard, False

    def lowest(self, first: Instant, end: Instant) -> int | None:
        """The lowest upper bound that cannot fail, over instants first..end-1; None where there is none."""
        found = int(self.columns.hi[first:end].min(initial=NO_HIGH))
        return None if found == NO_HIGH else found

    def highest(self, first: Instant, end: Instant) -> int | None:
        """The highest possible value in instants first..end-1; None where one of them has no upper bound."""
        found = int(self.columns.hi[first:end].max(initial=NO_LOW))
        return None if found in (NO_LOW, NO_HIGH) else found

    def reached(self, first: Instant, end: Instant) -> int:
        """The highest value that was surely reached in instants first..end-1, 0 at least.

        Where a lower bound is above the upper one, the upper one counts.
        """
        lows, (highs, _) = self.columns.lo[first:end], self.uppers(first, end)
        return max(int(np.minimum(lows, highs).max(initial=0)), 0)


class Tracks(Mapping[int, Track]):
    """The tracks of one value in a partition, by broker."""

    def __init__(
        self, brokers: Iterable[int], columns: Columns, places: int, without: frozenset[str] = frozenset()
    ) -> None:
        """`columns` are those of all tracks, one behind the other in the order of the brokers."""
        self._tracks: dict[int, Track] = {}
        for number, broker in enumerate(brokers):
            begin = instants_of(places) * number
            part = columns.part(begin, begin + instants_of(places))
            self._tracks[broker] = Track(part, without=without)

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
