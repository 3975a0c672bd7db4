"""Bounds from fetch answers: a follower's high watermark is one of its leader's, or an older one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.partition_bands import Bands, LeadingSpan
from core.history.roles import Roles, RoleSpan
from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Numbers, Places, from_before, in_force, peaks
from core.history.state import Role
from core.history.steps import StepWriter, without
from core.history.view import View

_ASKING: Final = frozenset(
    {"became_follower", "leader_and_isr_received", "broker_starting", "fetcher_added", "fetcher_removed"}
)
_NOBODY: Final = -1
_RULE: Final = "a follower's high watermark is its leader's, or what it came with"


@dataclass(frozen=True, slots=True)
class _TenureRun:
    """Places first..last at which a broker leads by its own word, in one life, in epochs that follow."""

    broker: int
    first: int
    last: int
    epochs: frozenset[int]
    stop: int
    """Before this place it surely leads no more after `last`: it is down, or follows."""
    again: bool
    """It may have led one of these epochs in an earlier life."""


def bound_by_leader_watermarks(bands: Bands) -> None:
    """A follower's high watermark is one that its leader has had, or what it had when it began to follow.

    It changes only with an answer of the leader, to the smaller of the leader's and its own log end, and with
    a cut, downwards (ReplicaFetcherThread.processPartitionData); a leader's never falls while it leads. So a
    follower's is at most the leader's, or what it came with; and where it is above what it came with, the
    leader's is at least that.
    """
    reigns = _tenure_runs(bands)
    if not reigns:
        return
    ends = bands.close_after()
    looks = np.empty(2 * len(ends), np.intp)
    looks[::2], looks[1:-1:2], looks[-1] = ends, ends[1:], ends[-1]
    for broker, own in bands.roles.items():
        if own.first_own_line is None:
            continue
        asked = _asked(bands.view, broker)
        for reign in reigns:
            if reign.broker != broker:
                _follow(bands, reign, own, asked, (ends, looks))


def _tenure_runs(bands: Bands) -> list[_TenureRun]:
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
    """One that is started again may lead the same epoch once more, unseen where its words are missing."""
    epochs = frozenset(one.epoch for one in leads if one.epoch is not None)
    end = leads[-1].end
    idle = (Role.OFFLINE, Role.FOLLOWER)
    stop = next(
        (one.first for one in own.spans if one.first >= end and one.role not in idle), len(own.role_at)
    )
    before = [one for one in own.spans if one.first < leads[0].first]
    again = any(one.role is Role.LEADER and one.epoch in epochs for one in before)
    again = again or (bool(before) and before[-1].role is Role.UNKNOWN)
    return _TenureRun(own.broker, leads[0].first, end - 1, epochs, stop, again)


def _asked(view: View, broker: int) -> list[tuple[int, int, int]]:
    """(first place, place after the last, leader) where a follower has said whom it fetches from.

    From then on until it is told another role. -1 from where it stopped: the word on its next role may be
    missing.
    """
    asked: StepWriter[int | None] = StepWriter(None)
    for row in view.rows.of(_ASKING):
        if row.replica == broker and row.partition in (view.partition, None):
            stopped = _NOBODY if row.kind == "fetcher_removed" else None
            asked.put(row.number + 1, row.leader if row.kind == "fetcher_added" else stopped)
    spans = asked.spans(len(view.rows) + 1)
    return [(first, end, leader) for first, end, leader in spans if leader is not None]


def _follow(
    bands: Bands,
    reign: _TenureRun,
    own: Roles,
    asked: list[tuple[int, int, int]],
    close: tuple[Places, Places],
) -> None:
    """One follower in the epochs of a reign, as long as it follows without a break.

    What it came with is known from its own log, where it was told to follow no earlier than the leader to
    lead. One that followed before may have been told more by an earlier life of the leader.
    """
    ends, looks = close
    idle: Flags | None = None
    if any(leader == _NOBODY for _, _, leader in asked):
        idle = np.zeros(len(ends), bool)
        for first, end, leader in asked:
            idle[first:end] = leader == _NOBODY
    for first, end in _following(reign, own, asked):
        if first > reign.last + 1:
            return
        came = first
        if first < reign.first < end and (reign.again or ends[first] < reign.first):
            came = int(ends[reign.first])
        begin = max(reign.first, came)
        if begin < end:
            _compare(bands, reign, own.broker, came, (begin, end), (ends, looks, idle))


def _following(reign: _TenureRun, own: Roles, asked: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """(first place, place after the last) where a replica follows in a reign, and asks nobody else."""
    others = [(first, end) for first, end, leader in asked if leader not in (reign.broker, _NOBODY)]
    begun = end = 0
    for one in own.spans:
        if one.role is not Role.FOLLOWER or one.epoch not in reign.epochs:
            continue
        if one.first > end:
            yield from without(others, begun, end)
            begun = one.first
        end = one.end
    yield from without(others, begun, end)


def _compare(
    bands: Bands,
    reign: _TenureRun,
    broker: int,
    came: int,
    span: tuple[int, int],
    by_place: tuple[Places, Places, Flags | None],
) -> None:
    """A follower that came at one place, in a stretch of places.

    `by_place` has the last ones whose rows may stand in the wrong order with its row, the same by instant
    (between two rows that of the next), and where the follower asks nobody.
    """
    ends, looks, idle = by_place
    hw, head = bands.hw[broker], bands.hw[reign.broker]
    begin, end = span
    first, fails = hw.upper(2 * came)
    close = ends[begin:end]
    lows = hw.columns.lo[2 * begin : 2 * end : 2]
    told = (lows > hw.columns.hi[2 * came]) & (close <= reign.last)
    if idle is not None:
        told &= ~idle[begin:end]
    if first is not None:
        until = looks[2 * begin : 2 * end]
        instants = 2 * np.minimum(until, reign.last) + 1
        lowest = head.columns.lo[instants]
        if np.count_nonzero(told):
            lowest = np.maximum(lowest, _raised_before(close, until, np.where(told, lows, NO_LOW)))
        highs, can_fail = in_force(head.columns.hi[instants], head.columns.soft[instants], lowest)
        known = (highs != NO_HIGH) & ((until <= reign.last) | (until < reign.stop))
        if idle is not None:
            known &= ~idle[begin:end].repeat(2)
        caps = np.where(known, np.maximum(highs, first), NO_HIGH)
        hw.all_below(2 * begin, caps, can_fail | fails, _RULE)
    if np.count_nonzero(told):
        head.some_at_least(2 * close[told] + 1, lows[told], _RULE)


def _raised_before(close: Places, until: Places, raised: Numbers) -> Numbers:
    """What earlier places have raised the leader's lower bound to, where a place looks at it.

    `close` and `raised` are by place: where it raises it, and to what; `until` where each instant looks.
    """
    before = np.full(len(close), NO_LOW)
    same = close[1:] == close[:-1]
    if not np.count_nonzero(same):
        return before.repeat(2)
    so_far = from_before(raised, peaks(raised, np.append(0, np.cumsum(~same))))
    before[1:][same] = so_far[:-1][same]
    return np.where(until == close.repeat(2), before.repeat(2), NO_LOW)


def bound_by_fetched_records(bands: Bands, leading: LeadingSpan) -> None:
    """A follower that holds a record which its leader appended later was told the HW of the moment before.

    The answer that brought the record carries the leader's HW, which only grows while it leads; the follower
    takes it as far as its log reaches (ReplicaFetcherThread.processPartitionData).
    """
    if leading.epoch is None:
        return
    for broker, own in bands.roles.items():
        if broker != leading.broker and own.starts:
            _fetched_by(bands, leading, broker)


def _fetched_by(bands: Bands, leading: LeadingSpan, broker: int) -> None:
    """One follower: what it held when the term began for it, or after a cut, may be of an earlier leader."""
    log, hw, own = bands.leo[broker], bands.hw[broker], bands.roles[broker]
    first, end = 2 * leading.first, min(2 * leading.last + 2, len(log))
    moment, told = first, 0
    for one in own.spans:
        begun, until = max(2 * one.first, first), min(2 * one.end, end)
        if one.role is not Role.FOLLOWER or one.epoch != leading.epoch or begun >= until:
            continue
        brought = -1
        anew = log.columns.section_starts[begun:until] | hw.columns.section_starts[begun:until]
        edges = [begun, *(begun + 1 + np.flatnonzero(anew[1:])).tolist(), until]
        for piece, later in pairwise(edges):
            if piece == begun or log.columns.section_starts[piece]:
                high = log.high(piece)
                if high is None:
                    return
                brought = max(brought, high)
            if hw.columns.section_starts[piece]:
                # It may have fallen: only what was appended after that counts.
                moment, told = max(moment, piece), 0
            moment, told = _fetched_in(bands, leading, broker, (piece, later), (brought, moment, told))


def _fetched_in(
    bands: Bands, leading: LeadingSpan, broker: int, piece: tuple[int, int], known: tuple[int, int, int]
) -> tuple[int, int]:
    """In a piece without a cut: with each longer log the leader's HW of a later moment was told.

    `known` is what the follower brought, a moment, and the HW told up to then; the latter two are given as
    they are at the end.
    """
    first, end = piece
    brought, moment, told = known
    held = np.maximum.accumulate(bands.leo[broker].columns.lo[first:end])
    longer = held > brought
    if np.count_nonzero(longer) and moment < end:
        tops = np.maximum.accumulate(bands.leo[leading.broker].columns.hi[moment:end])
        heads = np.maximum.accumulate(bands.hw[leading.broker].columns.lo[moment:end])
        reached = np.minimum(tops.searchsorted(held), np.arange(first, end) - moment)
        passed = np.maximum.accumulate(np.where(longer, reached, 0))
        values = np.where(passed > 0, np.maximum(heads[passed - 1], told), told)
        moment += max(int(passed[-1]), 0)
        told = int(values[-1])
    else:
        values = np.full(end - first, told)
    if values[-1] > 0:
        rule = "told with a record that the leader appended later"
        bands.hw[broker].all_at_least(first, np.where(values > 0, values, NO_LOW), rule)
    return moment, told
