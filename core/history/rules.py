"""From bounds of some values to bounds of others: the rules, each applied to whole spans of instants.

`HW <= LEO` with a log end of 30 to 35 gives a high watermark of at most 35. The docstring of each rule states
why it cannot fail.
"""

import numpy as np

from core.history.control import Control
from core.history.isr_rules import isr_members_hold_watermark, watermark_within_isr
from core.history.leader_watermarks import bound_by_fetched_records, bound_by_leader_watermarks
from core.history.partition_bands import Bands, LeadingSpan, leading_spans
from core.history.positions import (
    after_places,
    at_places_from,
    instant_after,
    instant_at,
    instants_of,
)
from core.history.quorum_rules import bound_quorum
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH, NO_LOW
from core.history.validity import Validity
from core.trace.ids import UNSAID, Instant, Place


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
    spans = leading_spans(bands.roles)
    logs, both = tuple(bands.leo.values()), (*bands.leo.values(), *bands.hw.values())
    ordered = not bands.view.trace.late_by
    for number, span in enumerate(spans):
        own = (bands.hw[span.broker], *logs)
        for rule, read in (
            (isr_members_hold_watermark, own),
            (watermark_within_isr, own),
            (_alone_in_sync, own),
            (bound_by_fetched_records, both),
        ):
            if (ordered or rule is _alone_in_sync) and bands.narrowed_since((rule, number), read):
                rule(bands, span)
    if ordered and bands.narrowed_since((bound_by_leader_watermarks, 0), bands.hw.values()):
        bound_by_leader_watermarks(bands)
    if bands.narrowed_since((_first_leader_bounds, 0), both):
        _first_leader_bounds(bands, spans)


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
    lows = at_places_from(bands.leo[leading.broker].columns.lo, leading.first, leading.last)
    risen = np.full(instants_of(len(lows)), NO_LOW)
    after_places(risen)[:] = np.where(counts, lows, NO_LOW)
    hw = bands.hw[leading.broker]
    hw.all_at_least(instant_at(leading.first), risen, "alone-in-sync")


def _first_leader_bounds(bands: Bands, spans: list[LeadingSpan]) -> None:
    """While the first leader of a partition leads, no log is longer than its log, and no HW above its HW.

    Its epoch may be raised meanwhile; the end of its process ends that.
    """
    epochs = _first_leader_epochs(bands.control)
    if not epochs:
        return
    first = bands.control.tenures[0].leader
    lives = bands.roles[first].starts if first in bands.roles else ()
    for leading in spans:
        restarted = any(start <= leading.first for start in lives[1:])
        if leading.epoch in epochs and leading.broker == first and not restarted:
            for broker in bands.roles:
                if broker != leading.broker:
                    _under_first_leader(bands, leading, broker, epochs)


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


def _under_first_leader(bands: Bands, leading: LeadingSpan, broker: int, epochs: range) -> None:
    """Bound one follower of the first leader, and that leader, in a span in which it leads."""
    leader_log, log = bands.leo[leading.broker], bands.leo[broker]
    leader_hw, hw = bands.hw[leading.broker], bands.hw[broker]
    rule = "first-leader-log"
    end = _place_out_of_epochs(bands.control, bands.roles[broker], leading, epochs)
    first = instant_at(leading.first)
    last = instant_after(leading.last) if end is None else instant_at(end)
    log.all_within(leader_log, first, last, rule)
    leader_log.all_at_least(first, log.columns.lo[first:last], rule)
    unknown = "first-leader-high-watermark"
    leader_hw.all_at_least(first, hw.columns.lo[first:last], unknown)


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
