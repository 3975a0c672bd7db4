"""From bounds of some values to bounds of others: the rules, each applied to whole spans of instants.

`HW <= LEO` with a log end of 30 to 35 gives a high watermark of at most 35. The docstring of each rule states
why it cannot fail.
"""

from bisect import bisect_left
from itertools import islice, takewhile
from typing import Final

import numpy as np

from core.history.isr_rules import isr_members_hold_watermark, watermark_within_isr
from core.history.leader_watermarks import bound_by_fetched_records, bound_by_leader_watermarks
from core.history.leading import LeadingSpan, UnderFirstLeader
from core.history.partition_bands import Bands
from core.history.positions import (
    after_places,
    at_places_from,
    instant_at,
    instants_of,
    place_after,
)
from core.history.quorum_rules import bound_quorum
from core.history.running_bounds import NO_HIGH, NO_LOW
from core.history.validity import Validity
from core.trace.ids import UNSAID, Instant

_BEGINS_TO_LEAD: Final = frozenset({"became_leader"})


def apply_rules(bands: Bands) -> None:
    """Apply every rule once.

    In logs cut to seconds it is not known which of two brokers printed its line first: a rule between values
    of two of them at one instant would compare different times.
    """
    for broker in bands.roles:
        _watermark_within_log(bands, broker)
    if bands.view.of_quorum:
        bound_quorum(bands)
        return
    logs, both = tuple(bands.leo.values()), (*bands.leo.values(), *bands.hw.values())
    ordered = not bands.view.trace.late_by
    for number, span in enumerate(bands.leading):
        own = (bands.hw[span.broker], *logs)
        for rule, read in (
            (isr_members_hold_watermark, own),
            (watermark_within_isr, own),
            (_alone_in_sync, own),
            (bound_by_fetched_records, both),
        ):
            if (ordered or rule is _alone_in_sync) and bands.narrowed_since((rule, number), read):
                rule(bands, span)
    if ordered:
        bound_by_leader_watermarks(bands)
    for number, under in enumerate(bands.under_first_leader):
        pair = (under.leader, under.follower)
        tracks = [track for one in pair for track in (bands.leo[one], bands.hw[one])]
        if bands.narrowed_since((_bound_under_first_leader, number), tracks):
            _bound_under_first_leader(bands, under)


def _watermark_within_log(bands: Bands, broker: int) -> None:
    """HW <= LEO on every replica; to 2.3 a cut may leave it above until the next answer."""
    hw, leo = bands.hw[broker], bands.leo[broker]
    if not bands.narrowed_since((_watermark_within_log, broker), (hw, leo)):
        return
    rule = "high-watermark-within-log"
    (highs, can_fail), lows = leo.uppers(Instant(0), Instant(len(leo))), hw.columns.lo
    above = bands.above_log[broker]
    sure = hard = leo.columns.hi
    if above:
        highs, hard, lows = highs.copy(), sure.copy(), lows.copy()
    for first, last in above:
        highs[first : last + 1] = hard[first : last + 1] = NO_HIGH
        lows[first : last + 1] = NO_LOW
    hw.all_below(Instant(0), highs, can_fail, hard, rule)
    leo.all_at_least(Instant(0), lows, rule)
    for first, last in above:
        before = hw.high(Instant(first - 1))
        if before is not None:
            capped = np.maximum(sure[first : last + 1], before)
            hw.all_at_most(first, capped, "high-watermark-over-cut")


def _alone_in_sync(bands: Bands, leading: LeadingSpan) -> None:
    """To 3.6 the HW of a leader alone in the ISR is its log end; from 3.7 min.insync.replicas may hold it.

    The row that leaves it alone, or appends, still finds the HW from before; it has risen by the next row.
    So does the line "starts at leader epoch": the HW rises at the end of Partition.makeLeader, and a line of
    state-change.log says before that the broker begins to lead.
    """
    control = bands.control
    alone = [number for number, members in enumerate(control.named_sets) if members == (leading.broker,)]
    at = bands.view.seq_at(leading.first)
    if not alone or not bands.view.before(leading.broker, 3, 7, at=at):
        return
    within = slice(leading.first, leading.last)
    epoch = UNSAID if leading.epoch is None else leading.epoch
    counts = (control.epochs[within] == epoch) & (control.sets[within] == alone[0])
    counts &= control.isr_known[within] == Validity.YES
    rows = bands.view.rows.of(_BEGINS_TO_LEAD)
    since = bisect_left(rows, leading.first, key=lambda row: place_after(row.number))
    begins = (
        place_after(row.number)
        for row in takewhile(lambda row: place_after(row.number) < leading.last, islice(rows, since, None))
        if row.replica == leading.broker and row.partition == bands.view.partition and row.hw is not None
    )
    begun = next(begins, leading.first)
    counts[: begun - leading.first] = False
    lows = at_places_from(bands.leo[leading.broker].columns.lo, leading.first, leading.last)
    risen = np.full(instants_of(len(lows)), NO_LOW)
    after_places(risen)[:] = np.where(counts, lows, NO_LOW)
    hw = bands.hw[leading.broker]
    hw.all_at_least(instant_at(leading.first), risen, "alone-in-sync")


def _bound_under_first_leader(bands: Bands, under: UnderFirstLeader) -> None:
    """While the first leader of a partition leads, no log is longer than its log, and no HW above its HW.

    Its epoch may be raised meanwhile; the end of its process ends that.
    """
    leader_log, log = bands.leo[under.leader], bands.leo[under.follower]
    leader_hw, hw = bands.hw[under.leader], bands.hw[under.follower]
    first, end = under.first, under.end
    rule = "first-leader-log"
    log.all_within(leader_log, first, end, rule)
    leader_log.all_at_least(first, log.columns.lo[first:end], rule)
    unknown = "first-leader-high-watermark"
    leader_hw.all_at_least(first, hw.columns.lo[first:end], unknown)
