"""From answers to fetches to bounds: a follower's high watermark is one of its leader's, or an older one.

A follower that begins with 20 under a leader whose high watermark goes from 30 to 50 has at most 50.
"""

from itertools import pairwise
from typing import Final

import numpy as np

from core.history.leading import Following, LeadingSpan
from core.history.partition_bands import Bands
from core.history.positions import (
    at_places_from,
    end_after,
    instant_at,
    instants_after,
    twice,
)
from core.history.running_bounds import NO_HIGH, NO_LOW, Numbers, Places, from_before, in_force, peaks
from core.history.state import Role
from core.history.track import Track
from core.trace.ids import Instant

_RULE: Final = "high-watermark-of-leader"


def bound_by_leader_watermarks(bands: Bands) -> None:
    """Cap a follower's high watermark by what its leader's has been, or what it had when it began to follow.

    It changes only with an answer of the leader, to the smaller of the leader's and its own log end, and with
    a cut, downwards (ReplicaFetcherThread.processPartitionData); a leader's never falls while it leads. So a
    follower's is at most the leader's, or what it began with; and where it is above what it began with, the
    leader's is at least that.
    """
    for number, following in enumerate(bands.followings):
        tracks = (bands.hw[following.follower], bands.hw[following.leader])
        if bands.narrowed_since((bound_by_leader_watermarks, number), tracks):
            _bound_following(following, *tracks)


def _bound_following(following: Following, hw: Track, leader_hw: Track) -> None:
    """Bound a follower, and its leader, in the places in which it follows."""
    began, begin, instants = instant_at(following.began), following.begin, following.instants
    first, fails = hw.upper(began)
    own = hw.columns.hi.item(began)
    lows = at_places_from(hw.columns.lo, begin, following.end)
    raises = (lows > own) & following.fetches
    raises_some = bool(np.count_nonzero(raises))
    if first is not None:
        sure = leader_hw.columns.hi[instants]
        highs, can_fail = sure, np.zeros(len(sure), bool)
        if leader_hw.columns.has_soft():
            soft, lowest = leader_hw.columns.soft()[0][instants], leader_hw.columns.lo[instants]
            if raises_some and np.count_nonzero(soft < sure):
                raised = np.where(raises, lows, NO_LOW)
                before = _bounds_raised_before(following.close, following.looked_at, raised)
                lowest = np.maximum(lowest, before)
            highs, can_fail = in_force(sure, soft, lowest)
        known = following.answered & (highs != NO_HIGH)
        hard = np.where(known, np.maximum(sure, own), NO_HIGH)
        # Where none of them can fail they are the hard ones.
        some = fails or bool(np.count_nonzero(can_fail))
        caps = np.where(known, np.maximum(highs, first), NO_HIGH) if some else hard
        hw.all_below(instant_at(begin), caps, can_fail | fails, hard, _RULE)
    if raises_some:
        leader_hw.some_at_least(instants_after(following.close[raises]), lows[raises], _RULE)


def _bounds_raised_before(raised_at: Places, looked_at: Places, raised: Numbers) -> Numbers:
    """By instant: the leader's lower bound as the places before it have raised it; NO_LOW for none.

    `raised_at` and `raised` are by place: where it raises the leader's bound, and to what. `looked_at` is by
    instant: at which place the leader's bound is looked at for it.
    """
    earlier = np.full(len(raised_at), NO_LOW)
    same = raised_at[1:] == raised_at[:-1]
    if not np.count_nonzero(same):
        return twice(earlier)
    so_far = from_before(raised, peaks(raised, np.append(True, ~same)))
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
    looked_to: Instant | None = None
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
            if hw.starts_section(piece if looked_to is None else looked_to, Instant(piece + 1)):
                # Its HW may have fallen, also between two spans: only what was appended after that counts.
                instant, sent_hw = max(instant, piece), 0
            looked_to = later
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
