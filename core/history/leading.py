"""Who leads and who follows whom, where: what the rules between replicas are applied to.

No bound changes it, so it is found once, and the rules are applied to it until no bound changes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from core.assumptions import BROKERS_OUT_OF_ORDER_WITHIN
from core.history.control import Control
from core.history.positions import instant_after, instant_at, instants_after, place_after, twice, woven
from core.history.roles import Roles, RoleSpan
from core.history.running_bounds import Flags, Instants, Places
from core.history.state import WITHOUT_ROLE, Role
from core.history.steps import StepWriter, without
from core.history.validity import Validity
from core.history.view import View
from core.trace.ids import UNSAID, Instant, Place

_FETCHING: Final = frozenset(
    {"became_follower", "leader_and_isr_received", "broker_starting", "fetcher_added", "fetcher_removed"}
)
_NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class LeadingSpan:
    """Places first..last in which a replica leads in one leader epoch, by its own lines.

    `until` is the last place at which it may still lead: after its last own line the process may have ended
    at any moment.
    """

    broker: int
    epoch: int | None
    first: Place
    last: Place
    until: Place


def leading_spans(roles: Mapping[int, Roles]) -> tuple[LeadingSpan, ...]:
    """The spans in which each replica leads, by broker and place."""
    found: list[LeadingSpan] = []
    for broker, own in roles.items():
        for first, end, role, epoch in own.spans:
            if role is Role.LEADER:
                silent = [death.last for death in own.deaths if first <= death.last < end <= death.noticed]
                until = Place(end - 1)
                found.append(LeadingSpan(broker, epoch, first, min([until, *silent]), until))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class UnderFirstLeader:
    """Instants first..end-1 in which a follower holds nothing that the first leader does not hold."""

    leader: int
    follower: int
    first: Instant
    end: Instant


def find_under_first_leader(
    roles: Mapping[int, Roles], control: Control, leading: Iterable[LeadingSpan]
) -> tuple[UnderFirstLeader, ...]:
    """All of a partition, by span in which its first leader leads, then by follower."""
    epochs = _first_leader_epochs(control)
    if not epochs:
        return ()
    first = control.tenures[0].leader
    lives = roles[first].starts if first in roles else ()
    found: list[UnderFirstLeader] = []
    for span in leading:
        restarted = any(start <= span.first for start in lives[1:])
        if span.epoch not in epochs or span.broker != first or restarted:
            continue
        for broker, own in roles.items():
            if broker != first:
                end = _place_out_of_epochs(control, own, span, epochs)
                until = instant_after(span.last) if end is None else instant_at(end)
                found.append(UnderFirstLeader(first, broker, instant_at(span.first), until))
    return tuple(found)


def _first_leader_epochs(control: Control) -> range:
    """The epochs from 0 on, without a gap, that the first leader leads."""
    tenures = control.tenures
    if not tenures or tenures[0].epoch != 0:
        return range(0)
    end = 0
    for number, tenure in enumerate(tenures):
        if tenure.epoch != number or tenure.leader != tenures[0].leader:
            break
        end = number + 1
    return range(end)


def _place_out_of_epochs(control: Control, own: Roles, leading: LeadingSpan, epochs: range) -> Place | None:
    """The first place of a span at which a follower is in none of the epochs; None where there is none.

    By its own lines, or not yet notified since a start in them. No row may state a later epoch: the line on
    it of this replica may be missing, and the first leader is notified last that it leads no more. Nor may
    its lines be missing: it may lead by then. Of a replica whose log is missing nothing is known.
    """
    within = slice(leading.first, leading.last + 1)
    stated, notified = control.epochs[within], own.epochs[within]
    later_stated = (stated != UNSAID) & ((stated < 0) | (stated >= epochs.stop))
    shown = [
        place - leading.first for place in control.later_epochs_at if within.start <= place < within.stop
    ]
    later_stated[shown] = True
    not_in_epochs = (notified < 0) | (notified >= epochs.stop)
    if own.first_own_line is not None:
        not_in_epochs &= notified != UNSAID
    either = later_stated | not_in_epochs
    for gap, until in own.gaps:
        either[max(gap - leading.first, 0) : max(until + 1 - leading.first, 0)] = True
    return Place(leading.first + int(either.argmax())) if np.count_nonzero(either) else None


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


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """Places begin..end-1 in which a follower that began at a place follows a leader without a break."""

    leader: int
    follower: int
    began: Place
    begin: Place
    end: Place
    close: Places
    """By place the last place whose row may stand in the wrong order with its row."""
    looked_at: Places
    """By instant the place at which the leader is looked at for it: as `close`, between rows of the next."""
    instants: Instants
    """By instant the one after that place, as far as the leader leads."""
    answered: Flags
    """By instant whether the follower fetches, and the leader has what it answers with."""
    fetches: Flags
    """By place whether the follower fetches while the leader leads."""


def find_followings(
    view: View, roles: Mapping[int, Roles], control: Control, behind: Mapping[int, set[int]]
) -> tuple[Following, ...]:
    """All of a partition, by follower, then by leader, in the order of places.

    `behind` are the places of each of `places_behind`.
    """
    runs = _tenure_runs(roles)
    if not runs:
        return ()
    ends = _last_close_places(view)
    look_at = woven(ends, np.append(ends[1:], ends[-1]))
    unnamed = _in_unnamed_epochs(control)
    found: list[Following] = []
    for broker, own in roles.items():
        if own.first_own_line is None:
            continue
        fetching_spans = _fetching_spans(view, broker)
        missing = sorted(behind[broker] | unnamed)
        for run in runs:
            if run.broker != broker:
                found += _followings_of(run, own, fetching_spans, missing, (ends, look_at))
    return tuple(found)


def _last_close_places(view: View) -> Places:
    """By place: the last place whose row may stand in the wrong order with the row of that place."""
    at = view.rows.column("at")
    found = np.zeros(len(at) + 1, np.intp)
    found[1:] = at.searchsorted(at + BROKERS_OUT_OF_ORDER_WITHIN.ns, "right")
    return found


def _in_unnamed_epochs(control: Control) -> set[int]:
    """Places at which an epoch may have begun of which no row names the leader: it may be any replica."""
    found: set[int] = set()
    for tenure, later in pairwise(control.tenures):
        if tenure.epoch is not None and later.epoch is not None and later.epoch > tenure.epoch + 1:
            not_known = np.flatnonzero(control.leader_known[tenure.place : later.place] == Validity.NO)
            found.update((tenure.place + not_known).tolist())
    return found


def _tenure_runs(roles: Mapping[int, Roles]) -> list[_TenureRun]:
    """The runs of tenures of all brokers."""
    found: list[_TenureRun] = []
    for own in roles.values():
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


def _followings_of(
    run: _TenureRun,
    own: Roles,
    fetching_spans: list[tuple[Place, Place, int]],
    behind: list[int],
    close: tuple[Places, Places],
) -> Iterator[Following]:
    """Those of one follower in the epochs of a run, as long as it follows without a break.

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
            looked_at = look_at[instant_at(begin) : instant_at(end)]
            answered, fetches = looked_at < max(run.stop, run.last + 1), ends[begin:end] <= run.last
            if idle is not None:
                fetches &= ~idle[begin:end]
                answered &= ~twice(idle[begin:end])
            yield Following(
                leader=run.broker,
                follower=own.broker,
                began=began,
                begin=begin,
                end=end,
                close=ends[begin:end],
                looked_at=looked_at,
                instants=instants_after(np.minimum(looked_at, run.last)),
                answered=answered,
                fetches=fetches,
            )


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
