"""From roles and log ends of the metadata quorum's members to their high watermarks (KIP-595).

Its leader's high watermark is what a majority of the voters holds, in its own epoch; there is no in-sync set.
"""

from typing import Final

import numpy as np

from core.assumptions import METADATA_IS_COMMITTED_AFTER
from core.history.leading import LeadingSpan
from core.history.partition_bands import Bands
from core.history.positions import (
    after_places,
    at_places_from,
    end_after,
    instant_at,
    instants_of,
    place_after,
    twice,
)
from core.history.roles import Roles
from core.history.running_bounds import NO_LOW, Flags, Numbers
from core.history.state import Role
from core.trace.ids import Instant, Place

_WATERMARK: Final = frozenset({"hw_sample"})
_VOTERS: Final = frozenset({"voters_changed"})


def bound_quorum(bands: Bands) -> None:
    """Apply every rule on the quorum to each span in which a member leads."""
    for leading in bands.leading:
        _within_majority(bands, leading)
        _only_voter(bands, leading)
        _committed_in_time(bands, leading)
        for broker, own in bands.roles.items():
            if broker != leading.broker:
                _within_leader(bands, leading, broker, own)


def _voters(bands: Bands) -> tuple[int, ...]:
    """The voters, as the quorum's own records name them; () where none does."""
    return tuple(int(one) for one in bands.view.trace.partitions[bands.view.partition].replicas)


def _sets(bands: Bands, leading: LeadingSpan) -> list[tuple[int, ...]]:
    """Who the voters were while a member leads: as it begins, and after each change (3.9, KIP-853).

    Its own log says it, committed or not. Without a record they are those of the epoch's first record.
    """
    sets = [_voters(bands)]
    for row in bands.view.rows.of(_VOTERS):
        if row.partition != bands.view.partition or row.replica not in (None, leading.broker) or not row.isr:
            continue
        place = place_after(row.number)
        if place <= leading.first:
            sets.clear()
        if place <= leading.last:
            sets.append(row.isr)
    return sets


def _within_majority(bands: Bands, leading: LeadingSpan) -> None:
    """A leader's high watermark is held by a majority of the voters (LeaderState.updateHighWatermark)."""
    sets = _sets(bands, leading)
    if any(one not in bands.leo for voters in sets for one in voters):
        return
    if sets[0] == _voters(bands) and leading.broker not in sets[0]:
        return
    first, end = instant_at(leading.first), end_after(leading.last)
    bounds = [_held_by_majority(bands, voters, first, end) for voters in sets]
    highs = np.max(np.stack([one[0] for one in bounds]), axis=0)
    can_fail = np.any(np.stack([one[1] for one in bounds]), axis=0)
    hard = np.max(np.stack([one[2] for one in bounds]), axis=0)
    bands.hw[leading.broker].all_below(first, highs, can_fail, hard, "quorum-majority")


def _held_by_majority(
    bands: Bands, voters: tuple[int, ...], first: Instant, end: Instant
) -> tuple[Numbers, Flags, Numbers]:
    """Where a majority of these holds the log: the bound, whether it can fail, the bound without what can."""
    uppers = [bands.leo[voter].uppers(first, end) for voter in voters]
    highs = np.sort(np.stack([high for high, _ in uppers]), axis=0)[::-1]
    can_fail = np.any(np.stack([flags for _, flags in uppers]), axis=0)
    hard = np.sort(np.stack([bands.leo[voter].columns.hi[first:end] for voter in voters]), axis=0)[::-1]
    majority = len(voters) // 2
    return highs[majority], can_fail, hard[majority]


def _only_voter(bands: Bands, leading: LeadingSpan) -> None:
    """The high watermark of an only voter follows its log end: it waits for nobody."""
    if set(_sets(bands, leading)) != {(leading.broker,)}:
        return
    lows = at_places_from(bands.leo[leading.broker].columns.lo, leading.first, leading.last)
    risen = np.full(instants_of(len(lows)), NO_LOW)
    after_places(risen)[:] = lows
    bands.hw[leading.broker].all_at_least(instant_at(leading.first), risen, "quorum-only-voter")


def _committed_in_time(bands: Bands, leading: LeadingSpan) -> None:
    """What a leader wrote is committed some seconds later, if it still leads.

    From 3.7 a leader that a majority fetches from no more resigns (KAFKA-15489); before that it may lead on.
    """
    if not bands.view.since(leading.broker, 3, 7, at=bands.view.seq_at(leading.first)):
        return
    at = bands.view.rows.column("at")[max(leading.first - 1, 0) : leading.last]
    lows = at_places_from(bands.leo[leading.broker].columns.lo, leading.first, leading.last)
    at = at[-len(lows) :] if len(lows) else at[:0]
    before = at.searchsorted(at - METADATA_IS_COMMITTED_AFTER.ns, "right") - 1
    held = np.where(before >= 0, lows[np.maximum(before, 0)], NO_LOW)
    bands.hw[leading.broker].all_at_least(instant_at(leading.first), twice(held), "quorum-committed")


def _within_leader(bands: Bands, leading: LeadingSpan, broker: int, own: Roles) -> None:
    """A follower whose high watermark rose in an epoch holds a part of its leader's log.

    The first answer without a divergence sets it (KafkaRaftClient.handleFetchResponse): what others had
    written was cut before that. Its high watermark is one of the leader's.
    """
    for span in own.spans:
        if span.role is not Role.FOLLOWER or span.epoch != leading.epoch:
            continue
        begun = _first_watermark(bands, broker, span.first, span.end)
        first, last = max(begun, leading.first), min(span.end - 1, leading.last)
        if first > last:
            continue
        begin, end = instant_at(Place(first)), end_after(Place(last))
        for tracks, rule in ((bands.leo, "quorum-leader-log"), (bands.hw, "quorum-leader-high-watermark")):
            leaders, mine = tracks[leading.broker], tracks[broker]
            mine.all_within(leaders, begin, end, rule)
            leaders.all_at_least(begin, mine.columns.lo[begin:end], rule)


def _first_watermark(bands: Bands, broker: int, first: Place, end: Place) -> int:
    """The place from which a follower has stated a high watermark in a span; the end where it has not."""
    for row in bands.view.rows.of(_WATERMARK):
        if row.replica == broker and row.partition == bands.view.partition and first <= row.number < end:
            return place_after(row.number)
    return end
