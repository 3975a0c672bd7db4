"""From a bound of a log end offset or a high watermark back to the lines that it rests on.

A rule takes a bound over from another one with the same value: a high watermark is at most 206 because the
log end of a follower is, and that one because a line states it. So a chain is followed from value to value,
within what each rule reads (core/history/inference.py), until a row states the value.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from core.history.inference import RULES, InferenceRule, Quantity
from core.history.open import Opened
from core.history.partition_bands import Bands
from core.history.positions import (
    instant_after,
    instant_at,
    instants_after,
    instants_at,
    place_of,
    previous,
    row_before,
)
from core.history.running_bounds import Flags, Numbers, Places
from core.history.state import CAPPED, Band
from core.history.statements import PROPOSALS
from core.history.track import Codes, Track, name_of
from core.history.view import Row, View
from core.history.visible_bands import LOG_START, RULE_GROWS, crossed
from core.message import Message, message
from core.trace.broker_names import broker_value
from core.trace.ids import Instant, Place
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER

KEPT: Final = "kept"
"""The name of the rule by which a lower bound holds over a cut, or over a fall to the leader's."""
_CUTS: Final = frozenset({"truncated", "truncation_decided", "log_reset"})
"""Kinds that state the high watermark as the offset to which the log is cut."""
_BY_LEADER: Final = PROPOSALS | {"fetch_answered", "fetch_delivered", "fetch_offset_reset"}
"""Kinds that state a value of the leader, too, and not only of the replica that they are about."""
_ONE_MORE: Final = frozenset({"epoch-has-record", "cut-removes"})
"""Rules whose bound is one more than what the row states: a log that holds record 40 ends at 41 at least."""
_STATED_ELSEWHERE: Final = frozenset({"checkpoint", CAPPED})
"""Rules whose bound holds at another time than that of the row: when a file was written, a record stamped."""
_READ_OF_ROWS: Final = frozenset({Quantity.LINE, Quantity.LOG_START, Quantity.TIME_STAMP})
_LEO: Final = Quantity.LOG_END
_HW: Final = Quantity.HIGH_WATERMARK
_InstantSpan = tuple[Instant, Instant]
"""The first and the last instant."""


class Side(StrEnum):
    """Which bound of a value."""

    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class Bound:
    """A step of a chain: a bound, the rule that set it, and the Seqs of rows that this rule read.

    The last step has the row that states its value. A step before it comes from the next one; rows of such a
    step are those of a cut, to which a lower bound from before it still holds.
    """

    broker: int
    quantity: Quantity
    side: Side
    value: int
    rule: str
    cursor: int
    """Where it stands: a rule may take a bound over from another moment."""
    seqs: tuple[int, ...]


class _Passed(NamedTuple):
    """A span over which a chain has led already."""

    broker: int
    quantity: Quantity
    value: int
    can_fail: bool
    rule: str
    first: Instant


@dataclass(frozen=True, slots=True)
class _Spot:
    """A bound of one track at one instant; `can_fail` where it is the upper one that can."""

    broker: int
    quantity: Quantity
    side: Side
    instant: Instant
    can_fail: bool = False


def because(
    opened: Opened, broker: int, quantity: Quantity, cursor: int, band: Band
) -> tuple[tuple[Bound, ...], ...]:
    """What the bounds of a band at a cursor rest on: a chain for each that is known, the lower one first.

    `band` is the log end offset or the high watermark of a broker's replica there. A chain begins with the
    bound itself. Where its last step has no rows, no row states the value that the rule takes: a log that
    starts at 0, for example. () in a simulation, whose values are exact.
    """
    sides = ((Side.AT_LEAST, band.lo), (Side.AT_MOST, band.hi))
    if crossed(band):
        # Two sources contradict each other: the lower end of the band is the upper bound.
        sides = ((Side.AT_LEAST, band.hi), (Side.AT_MOST, band.lo))
    bands = opened.bands
    if bands is None or broker not in bands.leo:
        return ()
    chains = (
        _chain(opened.view, bands, (broker, quantity, side), cursor, value)
        for side, value in sides
        if value is not None
    )
    return tuple(filter(None, chains))


def step_message(trace: Trace, step: Bound) -> Message:
    """A step as a sentence: whose bound, how much, and by which rule; its evidence are the rows it read."""
    said = {"broker": broker_value(trace, step.broker), "offset": step.value, "rule": RULES[step.rule].says}
    if step.quantity is _LEO and step.side is Side.AT_LEAST:
        return message("inference.step.log-end-at-least", evidence=step.seqs, **said)
    if step.quantity is _LEO:
        return message("inference.step.log-end-at-most", evidence=step.seqs, **said)
    if step.side is Side.AT_LEAST:
        return message("inference.step.high-watermark-at-least", evidence=step.seqs, **said)
    return message("inference.step.high-watermark-at-most", evidence=step.seqs, **said)


def _chain(
    view: View, bands: Bands, what: tuple[int, Quantity, Side], cursor: int, value: int
) -> tuple[Bound, ...]:
    """The chain of one bound at a cursor, whose value is that."""
    broker, quantity, side = what
    place = Place(int(np.searchsorted(view.cursors, cursor, "right")) - 1)
    # A band covers the time until the next row: the weaker bound of both instants.
    spots = [
        _Spot(broker, quantity, side, instant, can_fail)
        for instant in (instant_at(place), instant_after(place))
        for can_fail in ((False, True) if side is Side.AT_MOST else (False,))
    ]
    for spot in spots:
        if _columns(bands, spot)[0].item(spot.instant) == value:
            return _followed(view, bands, spot, set())
    return _elsewhere(view, bands, spots[0], value)


def _elsewhere(view: View, bands: Bands, spot: _Spot, value: int) -> tuple[Bound, ...]:
    """The chain of a bound that no track has at its place: () where nothing is known of it.

    It is that of a time stamp between two rows, that of the log start, or, in logs cut to seconds, one of an
    earlier place that may be the same moment.
    """
    whole = Instant(0), instant_after(Place(len(view.rows)))
    at_least = spot.side is Side.AT_LEAST
    stamps = () if at_least else _rows_stating(view, spot, RULES[CAPPED], value, whole)
    if stamps:
        return (_bound(view, spot, value, CAPPED, stamps),)
    earlier = np.flatnonzero(_columns(bands, spot)[0][: spot.instant] == value)
    if len(earlier):
        return _followed(view, bands, replace(spot, instant=Instant(int(earlier[-1]))), set())
    starts = _rows_stating(view, spot, RULES[LOG_START], value, whole) if at_least else ()
    return (_bound(view, spot, value, LOG_START, starts),) if at_least and (starts or not value) else ()


def _bound(view: View, spot: _Spot, value: int, rule: str, seqs: tuple[int, ...] = ()) -> Bound:
    cursor = view.cursors[place_of(spot.instant)]
    return Bound(spot.broker, spot.quantity, spot.side, value, rule, cursor, seqs)


def _track(bands: Bands, spot: _Spot) -> Track:
    return (bands.leo if spot.quantity is _LEO else bands.hw)[spot.broker]


def _columns(bands: Bands, spot: _Spot) -> tuple[Numbers, Codes]:
    """The bounds of one side of a track by instant, and their rules."""
    columns = _track(bands, spot).columns
    if spot.side is Side.AT_LEAST:
        return columns.lo, columns.lo_rule
    return columns.soft() if spot.can_fail else (columns.hi, columns.hi_rule)


def _followed(view: View, bands: Bands, spot: _Spot, passed: set[_Passed]) -> tuple[Bound, ...]:
    """The chain from a spot on: of several ways the first that ends at a row, else the longest.

    `passed` are the spans through which a way has led already; those of this chain are added.
    """
    bounds, rules = _columns(bands, spot)
    value = bounds.item(spot.instant)
    first, last = _same_bound(bounds == value, spot.instant)
    rule = RULES[_rule_of(rules, spot.instant, first)]
    here = _Passed(spot.broker, spot.quantity, value, spot.can_fail, rule.id, first)
    if here in passed:
        return ()
    passed.add(here)
    own = _bound(view, spot, value, rule.id)
    if spot.side is Side.AT_LEAST and _is_kept(_track(bands, spot), first, value):
        line = view.rows[row_before(place_of(first))]
        kept = _bound(view, spot, value, KEPT, (line.seq,))
        return (kept, *_followed(view, bands, replace(spot, instant=previous(first)), passed))
    longest: tuple[Bound, ...] = ()
    for onward in _onward(bands, spot, rule, value, (first, last)):
        found = _followed(view, bands, onward, passed)
        if found and found[-1].seqs:
            return (own, *found)
        longest = max(longest, found, key=len)
    stated = _rows_stating(view, spot, rule, value, (first, last))
    return (replace(own, seqs=stated),) if stated else (own, *longest)


def _is_kept(track: Track, first: Instant, value: int) -> bool:
    """Whether a lower bound that stands since an instant is what is kept of the one before."""
    keep, before = track.carry.get(first), None if first == 0 else track.low(previous(first))
    return keep is not None and before is not None and min(before, keep) == value


def _rule_of(rules: Codes, instant: Instant, first: Instant) -> str:
    """The name of the rule that set a bound, which stands since an instant.

    Where a value may have fallen, the bound from before it stands on, and has its rule there.
    """
    named = np.flatnonzero(rules[first : instant + 1])
    return name_of(rules.item(first + int(named[-1]))) if len(named) else RULE_GROWS


def _same_bound(same: Flags, instant: Instant) -> _InstantSpan:
    """The first and the last instant of the unbroken span around one, over which a bound is the same."""
    before, after = np.flatnonzero(~same[:instant]), np.flatnonzero(~same[instant:])
    first = int(before[-1]) + 1 if len(before) else 0
    last = instant + int(after[0]) - 1 if len(after) else len(same) - 1
    return Instant(first), Instant(last)


def _rows_stating(
    view: View, spot: _Spot, rule: InferenceRule, value: int, span: _InstantSpan
) -> tuple[int, ...]:
    """The Seq of the row that states the value of a bound, if the rule reads rows; () for none."""
    if _READ_OF_ROWS.isdisjoint(rule.reads):
        return ()
    wanted = value - 1 if rule.id in _ONE_MORE else value
    numbers = view.rows.numbers_of(rule.kinds) if rule.kinds else np.arange(len(view.rows))
    if rule.id not in _STATED_ELSEWHERE:
        (first, last), at, before = span, instants_at(numbers + 1), instants_after(numbers)
        numbers = numbers[((at >= first) & (at <= last)) | ((before >= first) & (before <= last))]
    rows = [
        row
        for row in view.rows.at(numbers[_states_any(view, numbers, wanted)])
        if row.partition == view.partition and wanted in _stated(row, spot, rule)
    ]
    # A lower bound is carried on from its row, an upper one back to earlier instants.
    return tuple(row.seq for row in (rows[:1] if spot.side is Side.AT_LEAST else rows[-1:]))


def _states_any(view: View, numbers: Places, value: int) -> Flags:
    """By number of a row: whether any column of it has a value. A new log begins at 0 without saying so."""
    says = np.zeros(len(numbers), bool)
    for name in ("leo", "hw", "offset", "from_offset", "log_start"):
        says |= view.rows.column(name)[numbers] == value
    if not value:
        says |= view.rows.column("kind")[numbers] == NUMBER["log_created"]
    return says


def _stated(row: Row, spot: _Spot, rule: InferenceRule) -> tuple[int | None, ...]:
    """The values of a row that can be the bound that a rule sets to a value of a broker's replica."""
    own = row.replica == spot.broker
    if not own and not (row.kind in _BY_LEADER and spot.broker in (row.broker, row.leader)):
        return ()
    if rule.id == LOG_START:
        return (row.log_start, 0 if row.kind == "log_created" else None)
    if row.kind == "log_created":
        return (row.leo or 0,)
    if spot.quantity is _HW and not rule.kinds:
        return (row.hw, *((row.offset, row.leo) if row.kind in _CUTS else ()))
    if spot.quantity is _HW:
        return (row.hw, row.offset, row.leo, row.from_offset)
    return (row.leo, row.offset, row.from_offset)


def _onward(
    bands: Bands, spot: _Spot, rule: InferenceRule, value: int, span: _InstantSpan
) -> Iterator[_Spot]:
    """Where bounds of the same value stand that the rule may have read, the nearest of each replica."""
    first, last = span
    quantities = [one for one in (_LEO, _HW) if one in rule.reads]
    brokers = (spot.broker,) if rule.own else tuple(bands.leo)
    # One that cannot fail comes only from one that cannot.
    rules = _columns(bands, spot)[1]
    own = spot.broker, spot.quantity, spot.can_fail
    for quantity, broker, can_fail in product(quantities, brokers, dict.fromkeys((spot.can_fail, False))):
        there = replace(spot, broker=broker, quantity=quantity, can_fail=can_fail)
        hits = np.flatnonzero(_columns(bands, there)[0] == value)
        inside = (hits >= first) & (hits <= last)
        if (broker, quantity, can_fail) == own:
            # What a follower began with may stand in the span itself, by another rule.
            hits = hits[~inside | (rules[hits] != rules[spot.instant]) & (rules[hits] != 0)]
        elif np.count_nonzero(inside):
            hits = hits[inside]
        if len(hits):
            yield replace(there, instant=Instant(int(hits[np.argmin(np.abs(hits - spot.instant))])))
