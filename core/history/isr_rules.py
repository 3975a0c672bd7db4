"""From the in-sync set to bounds: on the logs of its members, and on the leader's high watermark.

A leader with a high watermark of 40 and the set 1, 2, 3 means that the logs of 1, 2 and 3 reach at least 40.
"""

from bisect import bisect_right
from itertools import pairwise
from typing import Final

import numpy as np

from core.assumptions import BROKERS_OUT_OF_ORDER_WITHIN
from core.history.control import Control
from core.history.copied_leader import copied_leader
from core.history.leading import LeadingSpan
from core.history.partition_bands import Bands
from core.history.positions import (
    at_places_from,
    end_after,
    instant_after,
    instant_at,
    instants_at,
    next_place,
    place_of,
    places_of,
    previous_place,
    twice,
)
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH, NO_LOW, Flags, Instants, Numbers, Places
from core.history.state import WITHOUT_ROLE, Role
from core.history.validity import Validity
from core.trace.ids import Instant, Place

_EXPANSIONS: Final = frozenset({"isr_expand_proposed"})


def isr_members_hold_watermark(bands: Bands, leading: LeadingSpan) -> None:
    """Raise the logs of the ISR's members to the leader's HW: every member holds all below it.

    A member counts from the moment its joining is proposed until its leaving is committed (KIP-497), so this
    holds at every place at which the set has it, as a row of this tenure states: an election changes the set
    too. It bounds a member's log in the section of its track in which it was counted: not one that began with
    a cut made in the tenure, or with a start at which the end of the log may have been lost or the disk was a
    new one, unless the member joined after it or the HW has risen since.
    """
    control, hw = bands.control, bands.hw[leading.broker]
    if leading.epoch is None or not any(control.named_sets):
        return
    within = control.epochs[leading.first : leading.until + 1]
    places = leading.first + np.flatnonzero(within == leading.epoch)
    if not len(places):
        return
    last = int(places[-1])
    places = places[control.isr_known[places] != Validity.NO]
    end = last if _is_elected_again(control, leading) else leading.until
    low = hw.columns.lo.item(min(instant_after(Place(end)), len(hw) - 1))
    rises, lows = _rises(control, places, hw.columns.lo[instants_at(places)])
    for member in bands.roles:
        if member == leading.broker:
            continue
        inside = bands.sets_with(member)
        counts = inside[control.sets[rises]]
        if np.count_nonzero(counts):
            from_place = np.maximum(rises, _surely_in_from(bands, rises, counts))[counts]
            still_in = (from_place <= last) & inside[control.sets[np.minimum(from_place, last)]]
            _raise_member_log(
                bands, leading, member, instants_at(from_place[still_in]), lows[counts][still_in]
            )
        ends = (
            _last_copying_place(control, bands.roles[member], leading) if inside[control.sets[last]] else None
        )
        if ends is not None and low != NO_LOW:
            _raise_member_log(bands, leading, member, np.array([instant_after(ends)]), np.array([low]))


def _is_elected_again(control: Control, leading: LeadingSpan) -> bool:
    """Whether a leader leads in a later epoch before its own lines tell of one: they may be missing.

    Its high watermark at the end of the span may then have risen in that epoch, by what others copied.
    """
    begun = bisect_right(control.tenures, leading.until, key=lambda tenure: tenure.place)
    return any(
        tenure.leader == leading.broker and tenure.place > leading.first for tenure in control.tenures[:begun]
    )


def _rises(control: Control, places: Places, lows: Numbers) -> tuple[Places, Numbers]:
    """Of some places, with lower bounds at them, those at which the bound or the in-sync set changes."""
    known = lows != NO_LOW
    places, lows = places[known], lows[known]
    sets = control.sets[places]
    new = np.ones(len(places), bool)
    new[1:] = (lows[1:] != lows[:-1]) | (sets[1:] != sets[:-1])
    return places[new], lows[new]


def _surely_in_from(bands: Bands, places: Places, counts: Flags) -> Places:
    """By place: from which place on a member surely is in the set that it joined last."""
    named, sets = bands.control.named_sets, bands.control.sets[places]
    entries = np.flatnonzero(counts[1:] & ~counts[:-1]) + 1
    joined = [number for number in entries.tolist() if named[sets[number - 1]] is not None]
    if not joined:
        return np.zeros(len(places), np.intp)
    first_places = [0, *(_first_place_after_change(bands, Place(places.item(number))) for number in joined)]
    return np.array(first_places)[np.searchsorted(joined, np.arange(len(places)), "right")]


def _raise_member_log(
    bands: Bands, leading: LeadingSpan, member: int, instants: Instants, lows: Numbers
) -> None:
    """Put lower bounds on a member's log at some instants, where the section of its track counts."""
    track, most = bands.leo[member], bands.hw[leading.broker].columns.hi
    sections = track.sections()
    start = sections[sections.searchsorted(instants, "right") - 1]
    joined = instants_at(_joining_places(bands, leading, member, places_of(instants)))
    created = _creation_instant(bands.control)
    shorter = np.array([0, *sorted(b for b in bands.may_be_shorter_at[member] if b > created)])
    maybe_shortened = shorter[shorter.searchsorted(instants, "right") - 1]
    # A high watermark that is above what it surely was at an instant has risen since.
    whole = (maybe_shortened == 0) | (joined > maybe_shortened) | (lows > most[maybe_shortened])
    counts = whole & ((start <= instant_at(leading.first)) | (joined > start) | (lows > most[start]))
    rule = "in-sync-holds-committed"
    track.some_at_least(instants[counts], lows[counts], rule)


def _creation_instant(control: Control) -> Instant:
    """The instant at which the partition is created, its first epoch being 0; 0 where no row states it.

    What happened to a disk before that does not change the log.
    """
    first = control.tenures[0] if control.tenures else None
    return instant_at(first.place) if first is not None and first.epoch == 0 else Instant(0)


def _joined_with_its_log(bands: Bands, leading: LeadingSpan, member: int, place: Place) -> bool:
    """Whether a member that joined the ISR at a place was let in with the log that it had then."""
    if not _may_join_with_shorter_log(bands, leading, member):
        return True
    starts = bands.may_be_shorter_at[member]
    start = max((place_of(one) for one in starts if one <= instant_at(place)), default=0)
    if not start:
        return True
    proposals = (row for row in bands.view.rows.of(_EXPANSIONS) if start <= row.number < place)
    return any(member in (row.isr or ()) for row in proposals)


def _may_join_with_shorter_log(bands: Bands, leading: LeadingSpan, member: int) -> bool:
    """Whether a member's log may be shorter when it joins the ISR than when its leader proposed that.

    From 2.7 (KIP-497) to 3.4 the leader's request may be late, and the broker may have started again since
    with less (KAFKA-14139). From 3.5 such a request is refused (KIP-903).
    """
    if not bands.may_be_shorter_at[member]:
        return False
    view, at = bands.view, bands.view.seq_at(leading.first)
    return not (view.before(leading.broker, 2, 7, at=at) or view.since(leading.broker, 3, 5, at=at))


def _joining_places(bands: Bands, leading: LeadingSpan, member: int, places: Places) -> Places:
    """By place at which a member is in the ISR: the place at which it joined with the log that it had then.

    0 where it was always in, or joined with a shorter log.
    """
    changes, joined_at = bands.joins.get(member) or _find_joinings(bands, member)
    joined = joined_at[changes.searchsorted(places, "right")]
    if not _may_join_with_shorter_log(bands, leading, member):
        return joined
    for place in map(Place, set(joined.tolist())):
        if not _joined_with_its_log(bands, leading, member, place):
            joined[joined == place] = 0
    return joined


def _find_joinings(bands: Bands, member: int) -> tuple[Places, Places]:
    """The places at which the ISR changes, and before and after each where a member joined last.

    That is the earliest place at which it may have done so: where the set before is not known to hold until a
    row states the new one, it may have changed at once.
    """
    joined_at, inside = [0], True
    known = np.flatnonzero(bands.control.isr_known != Validity.NO)
    for change in bands.control.isr_changes:
        joins = member in change.isr and not inside
        number = int(known.searchsorted(change.place)) if joins else 0
        earliest = int(known[number - 1]) + 1 if number else 0
        joined_at.append(earliest if joins else joined_at[-1])
        inside = member in change.isr
    places = np.array([change.place for change in bands.control.isr_changes], np.intp)
    bands.joins[member] = places, np.array(joined_at)
    return bands.joins[member]


def _first_place_after_change(bands: Bands, place: Place) -> Place:
    """The first place that surely is after a change of the ISR at a place.

    The time of a change is not exact: a record of the metadata log has that of the first record of its batch,
    which waited for others (BatchAccumulator, 25 ms).
    """
    at: Numbers = bands.view.rows.column("at")
    later = at.searchsorted(at.item(place - 1) + BROKERS_OUT_OF_ORDER_WITHIN.ns, "right")
    return Place(min(int(later) + 1, len(at)))


def _last_copying_place(control: Control, other: Roles, leading: LeadingSpan) -> Place | None:
    """The last place, not after the span, at which a replica that followed in the epoch may copy its leader.

    None where it may have gone on unseen. That others notice its end shows only that its session has expired:
    until it starts again, it may still follow. So it may in an epoch with the same leader of which it was not
    notified: to 2.0 fetches name none (KIP-320).
    """
    ends_known = {death.noticed for death in other.deaths if death.noticed == death.last + 1}
    begun = bisect_right(other.spans, leading.until, key=lambda one: one.first)
    end = next_place(leading.until)
    for one in reversed(other.spans[:begun]):
        if one.role in WITHOUT_ROLE or one.end <= leading.first:
            return None
        if one.role is Role.FOLLOWER and one.epoch == leading.epoch:
            unseen = any(first <= leading.until and last >= end for first, last in other.gaps)
            return None if unseen else Place(min(end, leading.until + 1) - 1)
        silent = one.role is Role.OFFLINE and one.first not in ends_known
        if not silent and not (
            one.role is Role.FOLLOWER and copied_leader(control, one.epoch) == leading.broker
        ):
            end = one.first
    return None


def watermark_within_isr(bands: Bands, leading: LeadingSpan) -> None:
    """Cap a leader's HW by the shortest log of the ISR.

    While a set holds it is at most the longest that a member's log has been in it, or what it was when the
    set began. A replica joins only with a log that reaches the HW (Partition.maybeExpandIsr): for one that
    the leader let in it is at most that log. Once the cluster is in a later epoch the leader can change its
    set no more. Where it leads that epoch, too, it may have been notified of it and of a smaller set, without
    a line of its own on that.
    """
    control = bands.control
    if not any(control.named_sets):
        return
    number = bisect_right(control.isr_changes, leading.first, key=lambda change: change.place)
    until = _leads_on_in_later_epoch(control, leading)
    end = bisect_right(control.isr_changes, until, key=lambda change: change.place)
    inner = (change.place for change in control.isr_changes[number:end])
    changes = dict.fromkeys(place for place in inner if control.epoch_at[place] == leading.epoch)
    doubtful = np.flatnonzero(control.isr_known != Validity.YES)
    for first, later in pairwise((leading.first, *changes, next_place(until))):
        _cap_by_members(bands, leading, first, Place(_isr_known_until(doubtful, first, later) - 1))


def _leads_on_in_later_epoch(control: Control, leading: LeadingSpan) -> Place:
    """The last place before the cluster is in a later epoch with the same leader, else the span's last."""
    later = (
        previous_place(tenure.place)
        for tenure in control.tenures
        if leading.first < tenure.place <= leading.until
        and tenure.leader == leading.broker
        and tenure.epoch is not None
        and leading.epoch is not None
        and tenure.epoch > leading.epoch
    )
    return min(later, default=leading.until)


def _isr_known_until(doubtful: Places, first: Place, end: Place) -> Place:
    """The place before which a stated set is known to hold: without lines of its leader it may change.

    `doubtful` are the places, in order, at which it is not known to.
    """
    later = int(doubtful.searchsorted(first))
    return Place(min(doubtful.item(later), end)) if later < len(doubtful) else end


def _cap_by_members(bands: Bands, leading: LeadingSpan, first: Place, last: Place) -> None:
    """Cap the HW by each member, in places first..last over which one in-sync set holds."""
    control, hw = bands.control, bands.hw[leading.broker]
    members = control.isr_of_tenure[first]
    before, _ = hw.upper(instant_at(first))
    if members is None or leading.broker not in members or control.epoch_at[first] != leading.epoch:
        return
    joined = _let_in_by_leader(bands, leading, first)
    for member in members:
        if member == leading.broker or member not in bands.roles:
            continue
        with_its_log = member in joined and _joined_with_its_log(bands, leading, member, first)
        log_end = _log_end_at_joining(bands, member, first) if with_its_log else None
        if log_end is not None:
            _cap_by_member(bands, leading, member, (first, last), log_end, surely=True)
        if before is not None:
            surely = hw.high(instant_at(first)) == before
            _cap_by_member(bands, leading, member, (first, last), before, surely=surely)


def _cap_by_member(
    bands: Bands, leading: LeadingSpan, member: int, span: tuple[Place, Place], longest: int, *, surely: bool
) -> None:
    """Cap the leader's HW over a span of places by the log of one member of the ISR.

    At each place the HW is at most the highest end that this log has had in the span, or `longest` if that is
    more. The cap is sure (`surely`) up to the first place at which the log has no sure upper bound.
    """
    hw, log = bands.hw[leading.broker], bands.leo[member]
    rule = "within-in-sync-logs"
    begun, end = instant_at(span[0]), end_after(span[1])
    most, inferred = log.uppers(begun, end)
    counts = np.ones(end - begun, bool)
    if leading.epoch is not None:
        epochs = bands.roles[member].epochs[span[0] : span[1] + 1]
        counts = twice(epochs <= leading.epoch)
    sure_until = 0
    if surely:
        hard = log.columns.hi[begun:end]
        open_ended = counts & (hard == NO_HIGH)
        sure_until = int(open_ended.argmax()) if np.count_nonzero(open_ended) else len(hard)
        caps = np.maximum.accumulate(np.where(counts, hard, longest)[:sure_until])
        hw.all_at_most(begun, np.maximum(caps, longest), rule)
        if sure_until == len(hard) or not inferred[sure_until]:
            return
        longest = max(longest, int(caps[-1])) if sure_until else longest
    open_ended = (counts & (most == NO_HIGH))[sure_until:]
    until = sure_until + int(open_ended.argmax()) if np.count_nonzero(open_ended) else len(most)
    caps = np.maximum.accumulate(np.where(counts, most, longest)[sure_until:until])
    hw.all_softly_at_most(Instant(begun + sure_until), np.maximum(caps, longest), rule)


def _let_in_by_leader(bands: Bands, leading: LeadingSpan, place: Place) -> set[int]:
    """The members that joined the ISR at a place within a tenure: its leader let them in."""
    control = bands.control
    before = control.isr_at[place - 1] if place > leading.first else None
    if before is None or control.epoch_at[place - 1] != leading.epoch:
        return set()
    return set(control.isr_at[place] or ()) - set(before)


def _log_end_at_joining(bands: Bands, member: int, place: Place) -> int | None:
    """The highest log end that a member may have had around a place, as clocks differ; None for no bound."""
    at: Numbers = bands.view.rows.column("at")
    later = max(int(at.searchsorted(at.item(place - 1) + BROKERS_OUT_OF_ORDER_WITHIN.ns, "right")), place)
    longest = int(at_places_from(bands.leo[member].columns.hi, place, Place(later + 1)).max())
    return None if longest == NO_HIGH else longest
