"""From answers to fetches to bounds: a follower's high watermark is one of its leader's, or an older one.

A follower that begins with 20 under a leader whose high watermark goes from 30 to 50 has at most 50.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.control import Control
from core.history.epoch_runs import places_behind
from core.history.partition_bands import Bands, LeadingSpan
from core.history.positions import (
    at_places_from,
    end_after,
    instant_at,
    instants_after,
    place_after,
    twice,
    woven,
)
from core.history.roles import Roles, RoleSpan
from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Numbers, Places, from_before, in_force, peaks
from core.history.state import WITHOUT_ROLE, Role
from core.history.steps import StepWriter, without
from core.history.validity import Validity
from core.history.view import View
from core.trace.ids import Instant, Place

_FETCHING: Final = frozenset(
    {"became_follower", "leader_and_isr_received", "broker_starting", "fetcher_added", "fetcher_removed"}
)
_NOBODY: Final = -1
_RULE: Final = "high-watermark-of-leader"


@dataclass(frozen=True, slots=True)
class _TenureRun:
    """Places first..last at which a broker leads by its own lines, in one life and in successive epochs."""

    broker: int
    first: Place
    last: Place
    epochs: frozenset[int]
    stop: Place
    """Before this place it surely leads no more after `last`: it is down, or follows."""
    again: bool
    """It may have led in one of these epochs in an earlier life."""


def bound_by_leader_watermarks(bands: Bands) -> None:
    """Cap a follower's high watermark by what its leader's has been, or what it had when it began to follow.

    It changes only with an answer of the leader, to the smaller of the leader's and its own log end, and with
    a cut, downwards (ReplicaFetcherThread.processPartitionData); a leader's never falls while it leads. So a
    follower's is at most the leader's, or what it began with; and where it is above what it began with, the
    leader's is at least that.
    """
    runs = _tenure_runs(bands)
    if not runs:
        return
    ends = bands.last_close_places()
    look_at = woven(ends, np.append(ends[1:], ends[-1]))
    unnamed = _in_unnamed_epochs(bands.control)
    for broker, own in bands.roles.items():
        if own.first_own_line is None:
            continue
        fetching_spans = _fetching_spans(bands.view, broker)
        behind = sorted(places_behind(own, bands.control) | unnamed)
        for run in runs:
            if run.broker != broker:
                _bound_follower(bands, run, own, fetching_spans, behind, (ends, look_at))


def _in_unnamed_epochs(control: Control) -> set[int]:
    """Places at which an epoch may have begun of which no row names the leader: it may be any replica."""
    found: set[int] = set()
    for tenure, later in pairwise(control.tenures):
        if tenure.epoch is not None and later.epoch is not None and later.epoch > tenure.epoch + 1:
            not_known = np.flatnonzero(control.leader_known[tenure.place : later.place] == Validity.NO)
            found.update((tenure.place + not_known).tolist())
    return found


def _tenure_runs(bands: Bands) -> list[_TenureRun]:
    """The runs of tenures of all brokers."""
    found: list[_TenureRun] = []
    for own in bands.roles.values():
        leads: list[RoleSpan] = []
        for one in own.spans:
            if one.role is Role.LEADER:
                leads.append(one)
            elif leads:
                found.append(_tenure_run(own, leads))
                leads = []
        if leads:
            found.append(_tenure_run(own, leads))
    return found


def _tenure_run(own: Roles, leads: list[RoleSpan]) -> _TenureRun:
    """One run of tenures, from its spans.

    A broker that starts again may lead in the same epoch once more, unseen where its lines are missing.
    """
    epochs = frozenset(one.epoch for one in leads if one.epoch is not None)
    end = leads[-1].end
    idle = (Role.OFFLINE, Role.FOLLOWER)
    stop = next(
        (one.first for one in own.spans if one.first >= end and one.role not in idle), Place(len(own.role_at))
    )
    before = [one for one in own.spans if one.first < leads[0].first]
    again = any(one.role is Role.LEADER and one.epoch in epochs for one in before)
    again = again or (bool(before) and before[-1].role in WITHOUT_ROLE)
    return _TenureRun(own.broker, leads[0].first, Place(end - 1), epochs, stop, again)


def _fetching_spans(view: View, broker: int) -> list[tuple[Place, Place, int]]:
    """(first place, place after the last, leader) where a follower has stated from whom it fetches.

    From then on until it is notified of another role. -1 from where it stopped: the line on its next role may
    be missing.
    """
    leaders: StepWriter[int | None] = StepWriter(None)
    for row in view.rows.of(_FETCHING):
        if row.replica == broker and row.partition in (view.partition, None):
            stopped = _NOBODY if row.kind == "fetcher_removed" else None
            leaders.put(place_after(row.number), row.leader if row.kind == "fetcher_added" else stopped)
    spans = leaders.spans(len(view.rows) + 1)
    return [(first, end, leader) for first, end, leader in spans if leader is not None]


def _bound_follower(
    bands: Bands,
    run: _TenureRun,
    own: Roles,
    fetching_spans: list[tuple[Place, Place, int]],
    behind: list[int],
    close: tuple[Places, Places],
) -> None:
    """Bound one follower and its leader in the epochs of a run, as long as it follows without a break.

    What it began with is known from its own log, where it was notified to follow no earlier than the leader
    to lead. One that followed before may have got more from an earlier life of the leader. `behind` are the
    places, in order, at which its line on a later epoch may be missing. `close` has by place the last place
    whose row may stand in the wrong order with its row, and the same by instant.
    """
    ends, look_at = close
    idle: Flags | None = None
    if any(leader == _NOBODY for _, _, leader in fetching_spans):
        idle = np.zeros(len(ends), bool)
        for first, end, leader in fetching_spans:
            idle[first:end] = leader == _NOBODY
    for first, end in _following_spans(run, own, fetching_spans, behind):
        if first > run.last + 1:
            return
        began = first
        if first < run.first < end and (run.again or ends[first] < run.first):
            began = Place(ends.item(run.first))
        begin = max(run.first, began)
        if begin < end:
            _bound_span(bands, run, own.broker, began, (begin, end), (ends, look_at, idle))


def _following_spans(
    run: _TenureRun, own: Roles, fetching_spans: list[tuple[Place, Place, int]], behind: list[int]
) -> Iterator[tuple[Place, Place]]:
    """(first place, place after the last) where a replica follows in a run, and fetches from no other.

    It ends where a later epoch may have begun and the line on its role in that is missing (`behind`): it may
    lead.
    """
    others = [(first, end) for first, end, leader in fetching_spans if leader not in (run.broker, _NOBODY)]
    begun = end = Place(0)
    for one in own.spans:
        if one.role is not Role.FOLLOWER or one.epoch not in run.epochs:
            continue
        if one.first > end:
            yield from without(others, begun, end)
            begun = one.first
        later = bisect_left(behind, one.first)
        end = Place(min(one.end, behind[later])) if later < len(behind) else one.end
    yield from without(others, begun, end)


def _bound_span(
    bands: Bands,
    run: _TenureRun,
    broker: int,
    began: Place,
    span: tuple[Place, Place],
    by_place: tuple[Places, Places, Flags | None],
) -> None:
    """Bound a follower that began at one place, and its leader, in a span of places.

    `by_place` has the last places whose rows may stand in the wrong order with its row, the same by instant
    (between two rows that of the next), and where the follower fetches from no broker.
    """
    ends, look_at, idle = by_place
    hw, leader_hw = bands.hw[broker], bands.hw[run.broker]
    begin, end = span
    first, fails = hw.upper(instant_at(began))
    close = ends[begin:end]
    lows = at_places_from(hw.columns.lo, begin, end)
    raises = (lows > hw.columns.hi[instant_at(began)]) & (close <= run.last)
    if idle is not None:
        raises &= ~idle[begin:end]
    if first is not None:
        until = look_at[instant_at(begin) : instant_at(end)]
        instants = instants_after(np.minimum(until, run.last))
        sure, soft = leader_hw.columns.hi[instants], leader_hw.columns.soft[instants]
        lowest = leader_hw.columns.lo[instants]
        if np.count_nonzero(raises) and np.count_nonzero(soft < sure):
            lowest = np.maximum(lowest, _bounds_raised_before(close, until, np.where(raises, lows, NO_LOW)))
        highs, can_fail = in_force(sure, soft, lowest)
        known = until < max(run.stop, run.last + 1)
        known &= highs != NO_HIGH
        if idle is not None:
            known &= ~twice(idle[begin:end])
        own = hw.columns.hi.item(instant_at(began))
        hard = np.where(known, np.maximum(sure, own), NO_HIGH)
        # Where none of them can fail they are the hard ones.
        some = fails or bool(np.count_nonzero(can_fail))
        caps = np.where(known, np.maximum(highs, first), NO_HIGH) if some else hard
        hw.all_below(instant_at(begin), caps, can_fail | fails, hard, _RULE)
    if np.count_nonzero(raises):
        leader_hw.some_at_least(instants_after(close[raises]), lows[raises], _RULE)


def _bounds_raised_before(raised_at: Places, looked_at: Places, raised: Numbers) -> Numbers:
    """By instant: the leader's lower bound as the places before it have raised it; NO_LOW for none.

    `raised_at` and `raised` are by place: where it raises the leader's bound, and to what. `looked_at` is by
    instant: at which place the leader's bound is looked at for it.
    """
    earlier = np.full(len(raised_at), NO_LOW)
    same = raised_at[1:] == raised_at[:-1]
    if not np.count_nonzero(same):
        return twice(earlier)
    so_far = from_before(raised, peaks(raised, np.append(0, np.cumsum(~same))))
    earlier[1:][same] = so_far[:-1][same]
    return np.where(looked_at == twice(raised_at), twice(earlier), NO_LOW)


def bound_by_fetched_records(bands: Bands, leading: LeadingSpan) -> None:
    """Raise the HW of a follower that holds a record: it was sent the leader's HW of just before its append.

    The answer that brought the record carries the leader's HW, which only grows while it leads; the follower
    takes it as far as its log reaches (ReplicaFetcherThread.processPartitionData).
    """
    if leading.epoch is None:
        return
    for broker, own in bands.roles.items():
        if broker != leading.broker and own.starts:
            _raise_watermark_with_records(bands, leading, broker)


def _raise_watermark_with_records(bands: Bands, leading: LeadingSpan, broker: int) -> None:
    """Raise the high watermark of one follower by the records that its leader sent it in a tenure.

    An answer with records has the leader's high watermark, too. What the follower held when it entered the
    tenure, or after a cut, may be of another leader: only what it appended after that counts.
    """
    log, hw, own = bands.leo[broker], bands.hw[broker], bands.roles[broker]
    first, end = instant_at(leading.first), Instant(min(end_after(leading.last), len(log)))
    instant, sent_hw = first, 0
    for one in own.spans:
        if one.epoch != leading.epoch or one.role is not Role.FOLLOWER:
            continue
        begun, until = max(instant_at(one.first), first), min(instant_at(one.end), end)
        if begun >= until:
            continue
        had = -1
        new_sections = log.columns.section_starts[begun:until] | hw.columns.section_starts[begun:until]
        inner = (begun + 1 + np.flatnonzero(new_sections[1:])).tolist()
        edges = [begun, *map(Instant, inner), until]
        for piece, later in pairwise(edges):
            if piece == begun or log.columns.section_starts[piece]:
                high = log.high(piece)
                if high is None:
                    return
                had = max(had, high)
            if hw.columns.section_starts[piece]:
                # Its HW may have fallen: only what was appended after that counts.
                instant, sent_hw = max(instant, piece), 0
            instant, sent_hw = _raise_watermark_between_cuts(
                bands, leading, broker, (piece, later), (had, instant, sent_hw)
            )


def _raise_watermark_between_cuts(
    bands: Bands,
    leading: LeadingSpan,
    broker: int,
    piece: tuple[Instant, Instant],
    known: tuple[int, Instant, int],
) -> tuple[Instant, int]:
    """In a piece without a cut: with each longer log the follower was sent a later HW of the leader.

    `known` is the offset that it had, an instant, and the HW sent up to then; the latter two are given as
    they are at the end.
    """
    first, end = piece
    had, instant, sent_hw = known
    lows = bands.leo[broker].columns.lo[first:end]
    if instant < end and int(lows.max()) > had:
        held = np.maximum.accumulate(lows)
        longer = held > had
        leader_ends = np.maximum.accumulate(bands.leo[leading.broker].columns.hi[instant:end])
        leader_hws = np.maximum.accumulate(bands.hw[leading.broker].columns.lo[instant:end])
        reached = np.minimum(leader_ends.searchsorted(held), np.arange(first, end) - instant)
        passed = np.maximum.accumulate(np.where(longer, reached, 0))
        values = np.where(passed > 0, np.maximum(leader_hws[passed - 1], sent_hw), sent_hw)
        instant = Instant(instant + max(int(passed[-1]), 0))
        sent_hw = int(values[-1])
    elif sent_hw > 0:
        values = np.full(end - first, sent_hw)
    else:
        return instant, sent_hw
    if values[-1] > 0:
        rule = "sent-with-later-record"
        bands.hw[broker].all_at_least(first, np.where(values > 0, values, NO_LOW), rule)
    return instant, sent_hw
