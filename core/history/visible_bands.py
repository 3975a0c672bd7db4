"""From narrowed tracks to visible bands: that at one instant, and those over the cursors of a trace.

A track with the bounds 30 and 35 from a row to the next one is the band `30–35` at the cursor after that row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from core.assumptions import STATED_VALUE_SHOWN_FOR
from core.history.carrying import Pool
from core.history.positions import AFTER_PLACES, AT_PLACES, instants_at, places_of
from core.history.record_time_caps import Caps
from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Numbers, Places
from core.history.state import CAPPED, UNKNOWN_BAND, Band, Steps
from core.history.track import NOT_STATED, RULE_STATED, Codes, Columns, Track, code_of, name_of
from core.history.view import View
from core.trace.ids import Instant
from core.trace.vocabulary import Basis

RULE_GROWS: Final = "grows"
"""The name of the rule where only statements bound a value, which grows between them."""
LOG_START: Final = "log-start"
"""The name of the rule where nothing but the log start bounds a value from below."""
_CROSSED: Final = "contradiction"
_MADE_AT_ONCE: Final = 20_000
"""So many bands are made at once, as `Band`: each of them will be asked for."""


def _merged(
    first_indexes: Places, first: NDArray[Any], second_indexes: Places, second: NDArray[Any]
) -> NDArray[Any]:
    """One column from two, with the indexes in it that the elements of each get."""
    column = np.empty(len(first_indexes) + len(second_indexes), first.dtype)
    column[first_indexes], column[second_indexes] = first, second
    return column


@dataclass(frozen=True, slots=True, eq=False)
class BandColumn(Sequence[Band]):
    """Bands as columns of numbers: each `Band` is made when it is asked for."""

    lo: Numbers
    hi: Numbers
    basis: NDArray[np.int8]
    rule: Codes

    def __len__(self) -> int:
        """How many there are."""
        return len(self.lo)

    @overload
    def __getitem__(self, key: int) -> Band: ...
    @overload
    def __getitem__(self, key: slice) -> "BandColumn": ...
    def __getitem__(self, key: int | slice) -> "Band | BandColumn":
        """One band, or some."""
        if isinstance(key, slice):
            return self.picked(key)
        low, high = self.lo.item(key), self.hi.item(key)
        if low == NO_LOW and high == NO_HIGH:
            return UNKNOWN_BAND
        return Band(
            None if low == NO_LOW else low,
            None if high == NO_HIGH else high,
            _BASES[self.basis.item(key)],
            name_of(self.rule.item(key)),
        )

    def as_bands(self) -> tuple[Band, ...]:
        """All of them as `Band`, made at once."""
        columns = (self.lo.tolist(), self.hi.tolist(), self.basis.tolist(), self.rule.tolist())
        return tuple(
            [
                UNKNOWN_BAND
                if low == NO_LOW and high == NO_HIGH
                else Band(
                    None if low == NO_LOW else low,
                    None if high == NO_HIGH else high,
                    _BASES[basis],
                    name_of(rule),
                )
                for low, high, basis, rule in zip(*columns, strict=True)
            ]
        )

    def picked(self, which: Any) -> "BandColumn":  # noqa: ANN401 - what an array can be asked with
        """The bands that an index of numpy selects."""
        return BandColumn(self.lo[which], self.hi[which], self.basis[which], self.rule[which])

    def merged(self, own_indexes: Places, other: "BandColumn", other_indexes: Places) -> "BandColumn":
        """One column of these bands and others, with the indexes in it that each get."""
        if not len(own_indexes):
            return other
        pairs = ((getattr(self, name), getattr(other, name)) for name in ("lo", "hi", "basis", "rule"))
        return BandColumn(*(_merged(own_indexes, one, other_indexes, two) for one, two in pairs))

    def changes(self) -> Flags:
        """By band whether it differs from the one before; the first does."""
        new = np.ones(len(self.lo), bool)
        new[1:] = (
            (self.lo[1:] != self.lo[:-1])
            | (self.hi[1:] != self.hi[:-1])
            | (self.basis[1:] != self.basis[:-1])
            | (self.rule[1:] != self.rule[:-1])
        )
        return new

    def under(self, limits: Numbers, floors: Numbers) -> "BandColumn":
        """The bands under upper bounds that can fail: see Band.under."""
        low = np.where(self.lo == NO_LOW, floors, self.lo)
        capped = (limits >= low) & (limits < self.hi)
        return BandColumn(
            np.where(capped, low, self.lo),
            np.where(capped, limits, self.hi),
            np.where(capped, np.int8(Basis.INFERRED), self.basis),
            np.where(capped, np.int16(code_of(CAPPED)), self.rule),
        )


_BASES: Final = {int(basis): basis for basis in Basis}


def band_at(track: Track, instant: Instant) -> Band:
    """The band at a single instant, of a log that starts at 0: as `_bands` makes it."""
    columns = track.columns
    low = columns.lo.item(instant)
    upper, can_fail = track.upper(instant)
    high = NO_HIGH if upper is None else upper
    if low == NO_LOW and high == NO_HIGH:
        return UNKNOWN_BAND
    low_rule = LOG_START if low == NO_LOW else name_of(columns.lo_rule.item(instant))
    low = max(low, 0) if low == NO_LOW else low
    if low > high:
        return Band(high, low, Basis.BOUNDED, _CROSSED)
    if low != high:
        high_rule = name_of((columns.soft()[1] if can_fail else columns.hi_rule).item(instant))
        return Band(
            low, upper, Basis.INFERRED if can_fail else Basis.BOUNDED, _joined_rule(low_rule, high_rule)
        )
    stated = columns.stated.item(instant)
    if can_fail or stated == NOT_STATED:
        return Band(low, upper, Basis.INFERRED if can_fail else Basis.DERIVED, low_rule)
    return Band(low, upper, _BASES[stated], RULE_STATED)


def _bands(columns: Columns, first: slice | Places, floors: Numbers, last: slice | None = None) -> BandColumn:
    """The bands over the instants first..last (an interval 2p..2p+1), or at an instant alone.

    `floors` are what the values can never be below, used where no other bound is known.
    """
    low, low_rule = columns.lo[first], columns.lo_rule[first]
    high, can_fail = columns.uppers(first)
    high_rule = columns.upper_rules(first, can_fail)
    if last is not None:
        later_low = columns.lo[last]
        falls = later_low < low
        low, low_rule = np.where(falls, later_low, low), np.where(falls, columns.lo_rule[last], low_rule)
        later, later_can_fail = columns.uppers(last)
        rises = (later > high) | ((later == high) & later_can_fail & ~can_fail & (high != NO_HIGH))
        high, can_fail = np.where(rises, later, high), np.where(rises, later_can_fail, can_fail)
        later_rule = columns.upper_rules(last, later_can_fail)
        high_rule = np.where(rises, later_rule, high_rule)
    open_below = low == NO_LOW
    unknown = open_below & (high == NO_HIGH)
    low = np.where(open_below & ~unknown, floors, low)
    low_rule = np.where(open_below, np.int16(code_of(LOG_START)), low_rule)
    stated, exact = columns.stated[first], low == high
    sure = np.where(exact, np.int8(Basis.DERIVED), np.int8(Basis.BOUNDED))
    basis = np.where(can_fail, np.int8(Basis.INFERRED), sure)
    rule = np.where(exact, low_rule, _joined_codes(low_rule, high_rule))
    stated_here = exact & (stated != NOT_STATED) & ~can_fail
    basis, rule = (
        np.where(stated_here, stated, basis),
        np.where(stated_here, np.int16(code_of(RULE_STATED)), rule),
    )
    crossed = ~unknown & (low > high)
    if crossed.any():
        low, high = np.where(crossed, high, low), np.where(crossed, low, high)
        basis[crossed], rule[crossed] = Basis.BOUNDED, code_of(_CROSSED)
    basis[unknown], rule[unknown] = Basis.UNKNOWN, 0
    return BandColumn(low, high, basis, rule)


def _joined_codes(below: Codes, over: Codes) -> Codes:
    """By pair of rules the code of the rule that names both."""
    span = 1 + int(over.max(initial=0))
    pairs = below.astype(np.int32) * span + over
    table = np.zeros(int(pairs.max(initial=0)) + 1, np.int16)
    for pair in np.flatnonzero(np.bincount(pairs)).tolist():
        table[pair] = code_of(_joined_rule(name_of(pair // span), name_of(pair % span)))
    return table[pairs]


@cache
def _joined_rule(below: str, above: str) -> str:
    """Both rules where they differ, that of the upper bound first."""
    rules = [rule for rule in dict.fromkeys((above, below)) if rule and rule != RULE_STATED]
    return "; ".join(rules) or RULE_GROWS


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds the bands of one track besides the track: the log start by place, and caps."""

    cursors: tuple[Places, Places, Places]
    """Those of its partition: see `cursors_of`."""
    floors: Numbers
    caps: Caps | None = None


def crossed(band: Band) -> bool:
    """Whether a band is one in which two sources contradict each other."""
    return band.rule == _CROSSED


def contradicted(values: Sequence[Band]) -> int | None:
    """The index of the first band, after that at index 0, in which two sources contradict each other."""
    if isinstance(values, BandColumn):
        found = np.flatnonzero(values.rule[1:] == code_of(_CROSSED))
        return 1 + int(found[0]) if len(found) else None
    return next((at for at in range(1, len(values)) if values[at].rule == _CROSSED), None)


def surely_at_most(values: Sequence[Band]) -> int | None:
    """The highest value that is possible in some bands, one after the other.

    None where the last one has no upper bound, or where any bound can fail.
    """
    if isinstance(values, BandColumn):
        if values.hi[-1] == NO_HIGH or np.count_nonzero(values.basis == Basis.INFERRED):
            return None
        return int(values.hi[values.hi != NO_HIGH].max())
    if values[-1].hi is None or any(band.basis is Basis.INFERRED for band in values):
        return None
    return max(band.hi for band in values if band.hi is not None)


def band_steps(pool: Pool, tracks: Sequence[Limits], *, watermark: bool = False) -> list[Steps[Band]]:
    """The bands of the tracks of a pool over cursors of the whole trace.

    A cursor covers the time until the next row, in which a value may change: so does its band. Where the next
    row of the trace is near, the band of the cursor right after a row is what the row states. Caps bound the
    time until the next event of the whole trace.
    """
    steps: list[Steps[Band]] = []
    for which, columns in pool.parts:
        edges = places_of(pool.edges[which.start : which.stop + 1])
        steps += _steps_at_once(columns, edges - edges[0], tracks[which], watermark=watermark)
    return steps


def _steps_at_once(
    columns: Columns, edges: Places, tracks: Sequence[Limits], *, watermark: bool
) -> list[Steps[Band]]:
    """The same of tracks settled together. `edges` are the places at which each begins, and the end."""
    floors = _one_behind_the_other([limits.floors for limits in tracks])
    cursor, begin, following = (_one_behind_the_other([one.cursors[n] for one in tracks]) for n in range(3))
    near, kept = begin > cursor, begin < following
    moments = np.flatnonzero(near)
    exact = _bands(columns, instants_at(moments), floors[moments])
    whole = _bands(columns, AT_PLACES, floors, AFTER_PLACES)
    ends_at = np.cumsum(near.astype(np.intp) + kept)
    later = whole if kept.all() else whole.picked(kept)
    exact_at, whole_at = (ends_at - kept)[moments] - 1, ends_at[kept] - 1
    bands = exact.merged(exact_at, later, whole_at)
    ends = np.append(0, ends_at)[edges]
    new = bands.changes()
    new[ends[:-1]] = True
    cursor_column = _merged(exact_at, cursor[moments], whole_at, begin[kept])
    cursors: list[int] = cursor_column[new].tolist()
    bands = bands.picked(new)
    values: Sequence[Band] = bands.as_bands() if len(bands) <= _MADE_AT_ONCE else bands
    steps: list[Steps[Band]] = []
    changed = np.append(0, np.cumsum(new))[ends].tolist()
    for limits, edge, (first, end) in zip(tracks, pairwise(edges.tolist()), pairwise(changed), strict=True):
        if limits.caps is None:
            steps.append(Steps(tuple(cursors[first:end]), values[first:end]))
        else:
            here, close = slice(*edge), slice(*moments.searchsorted(edge).tolist())
            places = (cursor[here], begin[here], following[here])
            steps.append(
                _capped(limits, limits.caps, places, (exact[close], whole[here]), watermark=watermark)
            )
    return steps


def cursors_of(view: View) -> tuple[Places, Places, Places]:
    """By place of a partition: its cursor, the one from which the band until the next row holds, the next."""
    cursor = np.append(0, view.seqs + 1)
    following = np.append(cursor[1:], len(view.trace.columns["at"]) + 1)
    return cursor, cursor + view.rows.near_next(STATED_VALUE_SHOWN_FOR.ns), following


def _one_behind_the_other(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The columns as one; a single one is not copied."""
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def _concatenated(one: BandColumn, other: BandColumn) -> BandColumn:
    """Two columns of bands, one behind the other."""
    pairs = ((getattr(one, name), getattr(other, name)) for name in ("lo", "hi", "basis", "rule"))
    return BandColumn(*(np.concatenate(pair) for pair in pairs))


def _capped(
    limits: Limits,
    caps: Caps,
    edges: tuple[Places, Places, Places],
    bands: tuple[BandColumn, BandColumn],
    *,
    watermark: bool,
) -> Steps[Band]:
    """The steps of one track under its caps.

    `edges` as of `cursors_of`; `bands` are the exact ones where the next row is near, and those until it.
    """
    (cursor, begin, following), (exact, whole) = edges, bands
    applies = np.ones(len(cursor), bool) if not watermark else ~np.array(caps.above_log, bool)
    ends = np.array(caps.cursors, np.int64)
    later = np.unique(ends)
    places = cursor.searchsorted(later, "right") - 1
    inside = (places >= 0) & (later > begin[places]) & (later < following[places]) & applies[places]
    near, kept = begin > cursor, begin < following
    at = np.concatenate((begin[kept], later[inside]))
    places = np.concatenate((np.flatnonzero(kept), places[inside]))
    firsts = np.append(np.array(caps.firsts, np.int64), NO_HIGH)[ends.searchsorted(at, "right")]
    bounded = applies[places] & (firsts < np.array(caps.kept_below)[places])
    capped = whole.picked(places).under(np.where(bounded, firsts, NO_HIGH), limits.floors[places])
    at = np.concatenate((cursor[near], at))
    order = np.argsort(at, kind="stable")
    bands_in_order = _concatenated(exact, capped).picked(order)
    new = bands_in_order.changes()
    return Steps(tuple(at[order][new].tolist()), bands_in_order.picked(new))
