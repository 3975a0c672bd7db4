"""How far the clocks of a cluster are apart, as intervals over time, from what the protocol orders."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import ZONE_AHEAD_AT_MOST, ZONE_OFF_QUARTERS_BY
from core.trace.ids import UNSAID
from core.trace.units import MILLISECOND_NS, QUARTER_NS, SECOND_NS
from importers.lines.items import Item, items_of
from importers.merge.apart import Ask, ask_here
from importers.merge.clock_steps import Silence, Step, find_step, shows_step, step_of_the_only_clock, stepped
from importers.merge.handshakes import registrations
from importers.merge.tie import Clock, Tie, clocks_in, code_of
from importers.merge.tied import Bounds, Tied, closed, interval, most_trusted
from importers.merge.ties import tie_rows

_MOST_HALVINGS: Final = 6
_FEWEST: Final = 8
"""A part of the time with fewer ties says nothing for itself: a contradiction in it is no clock."""
_END: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Skew:
    """What must be added to a clock's stamps, in ns: from `lo` to `hi`, None where nothing bounds it.

    It holds for stamps in [start, end). `correction` is what is added: 0 where the interval holds it, else
    its middle, else its one bound, and such that no tie is contradicted.
    """

    lo: int | None
    hi: int | None
    correction: int = 0
    start: int = -_END
    end: int = _END

    def __str__(self) -> str:
        """`lo..hi ns`."""
        lo = "unbounded" if self.lo is None else str(self.lo)
        hi = "unbounded" if self.hi is None else str(self.hi)
        return f"{lo}..{hi} ns"


@dataclass(frozen=True, slots=True)
class Skews:
    """The skews of one clock over time, one after the other."""

    pieces: tuple[Skew, ...]

    def at(self, stamp: int) -> Skew:
        """What holds at a stamp of this clock."""
        return next((piece for piece in self.pieces if piece.start <= stamp < piece.end), self.pieces[-1])

    def __str__(self) -> str:
        """The intervals, in their order."""
        return "; ".join(dict.fromkeys(str(piece) for piece in self.pieces))


@dataclass(frozen=True, slots=True)
class Clocks:
    """Every clock with its skews against the `reference`, whose stamps are taken as they are."""

    reference: Clock | None
    skews: Mapping[Clock, Skews]

    def correction(self, clock: Clock | None, stamp: int) -> int:
        """What to add to a stamp; 0 for a clock that nobody knows."""
        known = None if clock is None else self.skews.get(clock)
        return 0 if known is None else known.at(stamp).correction

    def stamp(self, clock: Clock, at: int) -> int:
        """What a clock showed at a corrected time; where it was set over that time, the last before it."""
        begun = [one for one in self.of(clock) if one.start <= at - one.correction]
        return min(at - begun[-1].correction, begun[-1].end - 1) if begun else at

    def was_set(self, clock: Clock, by: int) -> bool:
        """Whether a clock went on by more than `by` ns apart from what it had shown."""
        corrections = [one.correction for one in self.of(clock)]
        return bool(corrections) and max(corrections) - min(corrections) > by

    def of(self, clock: Clock) -> tuple[Skew, ...]:
        """The skews of a clock, one after the other; none of one that nobody knows."""
        known = self.skews.get(clock)
        return () if known is None else known.pieces

    def of_broker(self, broker: int) -> Skews | None:
        """The skews of the stamps in a broker's logs."""
        return self.skews.get(("broker", broker))


AS_PRINTED: Final = Clocks(None, {})
"""Nobody knows of any clock how it stands to others: all stamps are taken as they are."""


def clocks_of(
    items: Iterable[Item],
    registering: Mapping[int, Sequence[int]],
    cut: Iterable[int] = (),
    silent: Sequence[Silence] = (),
    ask: Ask = ask_here,
    seen: Sequence[Step] = (),
) -> Clocks:
    """The clocks behind items. `registering`: handshakes.py. `cut`: sources with times in whole seconds.

    `silent` are the pauses of brokers' logs, in which their clocks may have been set: merge/clock_steps.py.
    `ask` finds the ties; `seen` are the steps of clocks that lines show.
    One interval over the whole time where one explains all ties; else the time is halved until the parts have
    one, because a clock was set or drifts. Against the clock that leaves the fewest others to be corrected:
    most clocks of a cluster are right.
    """
    told = items_of(items)
    clocks, clock_of = clocks_in(told)
    # A broker may state a registration and nothing else.
    names = [*sorted(clocks, reverse=True)]
    names += [one for broker in registering if (one := ("broker", broker)) not in clocks]
    number = {name: at for at, name in enumerate(names)}
    # Stamps are cut to milliseconds, or to seconds.
    ticks = np.full(len(names), MILLISECOND_NS)
    coarse = np.unique(clock_of[np.isin(told.source, list(cut)) & (clock_of != UNSAID)])
    ticks[[number[clocks[at]] for at in coarse.tolist()]] = SECOND_NS
    none = np.empty(0, dtype=np.int64)
    found = Tied(names, ticks, none, none, none, none)
    found = found.with_more(_numbered([rows for _, rows in ask(told, tie_rows)], number))
    first = _estimated(names[: len(clocks)], found, silent, seen)
    if not registering:
        return first

    def corrected(clock: Clock, stamp: int) -> int:
        return stamp + first.correction(clock, stamp)

    borne_out, doubtful = found, _rows((), number)
    for more in registrations(told, registering, corrected).values():
        rows = _rows(more, number)
        if _bear_out(names[: len(clocks)], borne_out, more, rows):
            borne_out = borne_out.with_more(rows)
        else:
            doubtful = np.concatenate([doubtful, rows])
    if len(doubtful) and shows_step(names[: len(clocks)], borne_out.with_more(doubtful), silent):
        borne_out = borne_out.with_more(doubtful)
    return _estimated(names[: len(clocks)], borne_out, silent, seen) if len(borne_out) > len(found) else first


def _rows(found: Sequence[Tie], number: Mapping[Clock, int]) -> NDArray[np.int64]:
    rows = [(number[tie.one], tie.before, number[tie.other], tie.after) for tie in found]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _numbered(parts: Sequence[NDArray[np.int64]], number: Mapping[Clock, int]) -> NDArray[np.int64]:
    """Rows of `tie_rows`, with the numbers of clocks in place of their codes."""
    rows = np.concatenate([_rows((), number), *parts])
    by_code = sorted((code_of(clock), at) for clock, at in number.items())
    codes, numbers = np.array(by_code, dtype=np.int64).reshape(-1, 2).T
    for clock in (0, 2):
        rows[:, clock] = numbers[np.searchsorted(codes, rows[:, clock])]
    return rows


def _bear_out(names: Sequence[Clock], found: Tied, more: Sequence[Tie], rows: NDArray[np.int64]) -> bool:
    """Whether ties that are certain bound the same clocks from the other side, and allow what is not certain.

    A registration that is paired with the notice of an earlier one is late by a whole life of a broker, and
    so beyond what the other side allows.
    """
    bounds = closed(names, found)
    if bounds is None or any((tie.other, tie.one) not in bounds for tie in more):
        return False
    return closed(names, found.with_more(rows)) is not None


def _estimated(
    names: Sequence[Clock], found: Tied, silent: Sequence[Silence], seen: Sequence[Step]
) -> Clocks:
    step = find_step(names, found, silent, seen)
    pieces = _fit(names, found, (-_END, _END), _MOST_HALVINGS) if step is None else []
    if any(not bounds for _, bounds in pieces):
        step = step_of_the_only_clock(names, found, silent)
    if step is not None:
        names, found = stepped(names, found, step)
        pieces = _fit(names, found, (-_END, _END), _MOST_HALVINGS)
    reference = most_trusted(names, pieces)
    skews: dict[Clock, list[Skew]] = {name: [] for name in names}
    for span, bounds in pieces:
        for name, skew in _solved(names, bounds, reference, span).items():
            before = skews[name].pop() if skews[name] and _same(skews[name][-1], skew) else None
            skews[name].append(skew if before is None else replace(skew, start=before.start))
    if step is not None:
        early, late = skews[step.clock], skews.pop(step.later)
        skews[step.clock] = [
            *(replace(one, end=min(one.end, step.stamp)) for one in early if one.start < step.stamp),
            *(replace(one, start=max(one.start, step.stamp)) for one in late if one.end > step.stamp),
        ]
    return Clocks(reference, {name: Skews(tuple(parts)) for name, parts in skews.items()})


def zone_ahead(skews: Skews | None) -> int | None:
    """By how much a zone would explain a skew, in ns ahead of UTC; None where it is no zone's.

    A clock that is apart by whole quarters of an hour was not set wrong: its log is in another zone.
    """
    if skews is None or len(skews.pieces) != 1:
        return None
    (only,) = skews.pieces
    if only.lo is None or only.hi is None or only.hi - only.lo > QUARTER_NS // 2:
        return None
    middle = (only.lo + only.hi) // 2
    quarters = round(middle / QUARTER_NS)
    if (
        quarters == 0
        or abs(middle - quarters * QUARTER_NS) > ZONE_OFF_QUARTERS_BY.ns
        or abs(quarters) * QUARTER_NS > ZONE_AHEAD_AT_MOST.ns
    ):
        return None
    return -quarters * QUARTER_NS


def _fit(
    names: Sequence[Clock], found: Tied, span: tuple[int, int], halvings: int
) -> list[tuple[tuple[int, int], Bounds]]:
    """Spans of time, each with bounds that contradict nothing in it; without any where that cannot be."""
    whole = halvings == _MOST_HALVINGS
    bounds = closed(names, found) if whole or len(found) >= _FEWEST else {}
    if bounds is not None:
        return [(span, bounds)]
    if halvings == 0 or len(found) < _FEWEST:
        return [(span, {})]
    middle = int(np.sort(found.after)[len(found) // 2])
    early = found.taken(found.after < middle)
    if not len(early):
        return [(span, {})]
    late = found.taken(found.after >= middle)
    return [
        *_fit(names, early, (span[0], middle), halvings - 1),
        *_fit(names, late, (middle, span[1]), halvings - 1),
    ]


def _solved(
    names: Sequence[Clock], bounds: Bounds, reference: Clock | None, span: tuple[int, int]
) -> Mapping[Clock, Skew]:
    """The interval of each clock against the reference, and corrections that contradict no tie."""
    if reference is None:
        return {}
    chosen = {reference: 0}
    skews = {reference: Skew(0, 0, 0, *span)}
    for name in names:
        if name != reference:
            chosen[name] = nearest(*interval(bounds, name, chosen))
            skews[name] = Skew(*interval(bounds, name, {reference: 0}), chosen[name], *span)
    return skews


def nearest(lo: int | None, hi: int | None) -> int:
    """The correction for an interval: 0 where it is possible, else the middle, or the bound nearest to 0.

    The middle says something only where the interval is narrower than what is corrected at least. Where whole
    quarters of an hour are possible, the clock was not set wrong: its zone is another one.
    """
    if (lo is None or lo <= 0) and (hi is None or hi >= 0):
        return 0
    if lo is not None and hi is not None and hi - lo <= min(abs(lo), abs(hi)):
        middle = (lo + hi) // 2
        quarters = round(middle / QUARTER_NS) * QUARTER_NS
        return quarters if lo <= quarters <= hi else middle
    return lo if lo is not None and (lo > 0 or hi is None) else hi or 0


def _same(one: Skew, other: Skew) -> bool:
    return (one.lo, one.hi, one.correction) == (other.lo, other.hi, other.correction)
