"""Rules that narrow bands from other values.

Each is a function, and its docstring says why it cannot fail.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.narrowed import Bands
from core.history.roles import Roles
from core.history.state import Role
from core.history.told import told_by_leaders
from core.history.track import Track

CLOSE: Final = 50_000_000
"""Ns within which rows of different brokers may stand in the wrong order."""


@dataclass(frozen=True, slots=True)
class Leading:
    """A stretch of places first..last in which a replica leads one epoch, by its own word.

    `until` is where it is known to lead no more: after its last word the process may have ended at any
    moment.
    """

    broker: int
    epoch: int | None
    first: int
    last: int
    until: int


def apply_rules(bands: Bands) -> None:
    """Every rule once."""
    for broker in bands.roles:
        _watermark_within_log(bands, broker)
    stretches = leading_stretches(bands.roles)
    logs, both = tuple(bands.leo.values()), (*bands.leo.values(), *bands.hw.values())
    for number, stretch in enumerate(stretches):
        own = (bands.hw[stretch.broker], *logs)
        for rule, read in (
            (_members_hold_watermark, own),
            (_watermark_within_members, own),
            (_alone_in_sync, own),
            (_told_with_records, both),
        ):
            if bands.moved((rule, number), read):
                rule(bands, stretch)
    if bands.moved((told_by_leaders, 0), bands.hw.values()):
        told_by_leaders(bands)
    if bands.moved((_first_term, 0), both):
        _first_term(bands, stretches)


def leading_stretches(roles: Mapping[int, Roles]) -> list[Leading]:
    """Who led what, from where to where."""
    found: list[Leading] = []
    for broker, own in roles.items():
        for first, end, role, epoch in own.stretches:
            if role is Role.LEADER:
                silent = [death.last for death in own.deaths if first <= death.last < end <= death.noticed]
                found.append(Leading(broker, epoch, first, min([end - 1, *silent]), end - 1))
    return found


def _watermark_within_log(bands: Bands, broker: int) -> None:
    """HW <= LEO on every replica; to 2.3 a cut may leave it above until the next answer."""
    hw, leo = bands.hw[broker], bands.leo[broker]
    if not bands.moved((_watermark_within_log, broker), (hw, leo)):
        return
    loose = {instant for first, last in bands.above_log[broker] for instant in range(first, last + 1)}
    for instant, (high, can_fail) in enumerate(leo.uppers(0, len(leo))):
        if instant in loose:
            continue
        if high is not None:
            hw.below(instant, high, "high watermark <= log end offset", can_fail=can_fail)
        low, known = hw.lo[instant], leo.lo[instant]
        if low is not None and (known is None or known < low):
            leo.at_least(instant, low, "high watermark <= log end offset")
    for first, last in bands.above_log[broker]:
        before = hw.hi[first - 1]
        for instant in range(first, last + 1):
            high, can_fail = leo.upper(instant)
            if before is not None and high is not None and not can_fail:
                hw.at_most(instant, max(high, before), "at most the log end, or what it was before the cut")


def _members_hold_watermark(bands: Bands, leading: Leading) -> None:
    """A leader's HW passes no member of the ISR: whoever is a member holds all below.

    A member counts from the moment its joining is proposed until its leaving is committed (KIP-497), so this
    holds at every place at which the set has it, as it was said of this term: an election changes the set
    too. It bounds a member's log in the era in which it was counted: not one that began with a cut made in
    the term, or with a start at which a tail may have been lost or the disk was a new one, unless the member
    joined after it or the HW has risen since.
    """
    control, hw = bands.control, bands.hw[leading.broker]
    if leading.epoch is None:
        return
    within = range(leading.first, leading.until + 1)
    last = max((place for place in within if control.epoch_at[place] == leading.epoch), default=0)
    known: tuple[int | None, tuple[int, ...] | None] = (None, None)
    sure: dict[int, int] = {}
    for place in range(leading.first, last + 1 if last else 0):
        low, members = hw.lo[2 * place], control.isr_of_term[place]
        if control.epoch_at[place] != leading.epoch or low is None or (low, members) == known:
            continue
        if known[1] is not None and members != known[1]:
            sure.update(dict.fromkeys(set(members or ()) - set(known[1]), _settled(bands, place)))
        known = (low, members)
        for member in members or ():
            there = max(place, sure.get(member, place))
            still = there <= last and member in (control.isr_of_term[there] or ())
            if member != leading.broker and member in bands.roles and still:
                _member_holds(bands, leading, member, there, low)
    low = hw.lo[min(2 * leading.until + 1, len(hw) - 1)]
    if low is None or not last:
        return
    for member in control.isr_of_term[last] or ():
        if member == leading.broker or member not in bands.roles:
            continue
        place = _end_in_term(bands.roles[member], leading)
        if place is not None:
            _member_holds(bands, leading, member, place, low, odd=1)


def _member_holds(bands: Bands, leading: Leading, member: int, place: int, low: int, odd: int = 0) -> None:
    """Put the bound at an instant of a place, if the era of the member's log there is one that counts."""
    control, track, hw = bands.control, bands.leo[member], bands.hw[leading.broker]
    instant = 2 * place + odd
    start = track.era_of(instant)
    joined = 2 * _joined(control, member, place)
    if not _let_in_as_it_is(bands, leading, member, joined // 2):
        joined = 0
    born = _made_at(control)
    lost = max((b for b in bands.shorter[member] if born < b <= instant), default=0)
    if not (not lost or joined > lost or _risen(hw, lost, low)):
        return
    if start <= 2 * leading.first or joined > start or _risen(hw, start, low):
        track.at_least(instant, low, "a member of the ISR holds what is below the leader's high watermark")


def _made_at(control: Control) -> int:
    """The instant at which the partition is made, its first epoch being 0; 0 where that is not seen.

    What happened to a disk before that is nothing to it.
    """
    first = control.terms[0] if control.terms else None
    return 2 * first.place if first is not None and first.epoch == 0 else 0


def _let_in_as_it_is(bands: Bands, leading: Leading, member: int, place: int) -> bool:
    """Whether a member that came into the ISR at a place was let in with the log that it had then.

    From 2.7 (KIP-497) to 3.4 the leader's request may be late, and the broker may have started again since
    with less (KAFKA-14139). From 3.5 such a request is refused (KIP-903).
    """
    view = bands.view
    if view.before(leading.broker, 2, 7) or view.since(leading.broker, 3, 5):
        return True
    start = max((b // 2 for b in bands.shorter[member] if b <= 2 * place), default=0)
    asked = (row for row in view.rows[start:place] if row.kind == "isr_expand_proposed")
    return not start or any(member in (row.isr or ()) for row in asked)


def _risen(hw: Track, since: int, low: int) -> bool:
    """Whether a high watermark that is at least `low` has risen to it since an instant."""
    high = hw.hi[since]
    return high is not None and low > high


def _joined(control: Control, member: int, last: int) -> int:
    """The place at which a member of the ISR at `last` came in; 0 where it always was."""
    came, inside = 0, True
    for change in control.isr_changes:
        if change.place > last:
            break
        if member in change.isr and not inside:
            came = change.place
        inside = member in change.isr
    return came


def _settled(bands: Bands, place: int) -> int:
    """The first place that surely is after a change of the ISR at a place.

    The time of a change is not sharp: a record of the metadata log has that of the first record of its batch,
    which waited for others (BatchAccumulator, 25 ms).
    """
    rows, later = bands.view.rows, place
    while later < len(rows) and rows[later - 1].at <= rows[place - 1].at + CLOSE:
        later += 1
    return later


def _end_in_term(other: Roles, leading: Leading) -> int | None:
    """The last place, not after the stretch, at which a replica follows the epoch.

    None where it may have gone on unseen.
    """
    for place in range(leading.until, leading.first - 1, -1):
        if other.role_at[place] is Role.UNKNOWN:
            return None
        if other.epoch_at[place] == leading.epoch and other.role_at[place] is Role.FOLLOWER:
            return place
    return None


def _watermark_within_members(bands: Bands, leading: Leading) -> None:
    """A leader's HW rises to no more than the shortest log of the ISR.

    While a set stands it is at most the longest that a member's log has been in it, or what it was when the
    set came. A replica joins only with a log that reaches the HW (Partition.maybeExpandIsr): for one that the
    leader let in it is at most that log. Once the cluster is in a later epoch the leader can change its set
    no more.
    """
    control = bands.control
    changes = {c.place for c in control.isr_changes if control.epoch_at[c.place] == leading.epoch}
    start = leading.first
    for place in range(leading.first, leading.until + 2):
        if place <= leading.until and place not in changes:
            continue
        if place > start:
            _cap_by_members(bands, leading, start, place - 1)
        start = place


def _cap_by_members(bands: Bands, leading: Leading, first: int, last: int) -> None:
    control, hw = bands.control, bands.hw[leading.broker]
    members = control.isr_of_term[first]
    before, _ = hw.upper(2 * first)
    if members is None or leading.broker not in members or control.epoch_at[first] != leading.epoch:
        return
    joined = _let_in(bands, leading, first)
    for member in members:
        if member == leading.broker or member not in bands.roles:
            continue
        asked = member in joined and _let_in_as_it_is(bands, leading, member, first)
        came = _end_when_let_in(bands, member, first) if asked else None
        if came is not None:
            _cap_by_member(bands, leading, member, (first, last), came, surely=True)
        if before is not None:
            surely = hw.hi[2 * first] == before
            _cap_by_member(bands, leading, member, (first, last), before, surely=surely)


def _cap_by_member(
    bands: Bands, leading: Leading, member: int, stretch: tuple[int, int], longest: int, *, surely: bool
) -> None:
    """At most the longest that a member's log has been in a stretch of places, or what it began with."""
    hw = bands.hw[leading.broker]
    rule = "high watermark <= log end of each member of the ISR"
    epochs = bands.roles[member].epoch_at
    log, begun = bands.leo[member], 2 * stretch[0]
    for instant, (most, inferred) in enumerate(log.uppers(begun, 2 * stretch[1] + 2), begun):
        known = epochs[instant // 2]
        if known is None or leading.epoch is None or known <= leading.epoch:
            firm = surely and inferred and log.hi[instant] is not None
            high, can_fail = (log.hi[instant], False) if firm else (most, inferred)
            if high is None:
                break
            longest, surely = max(longest, high), surely and not can_fail
        if surely:
            hw.at_most(instant, longest, rule)
        else:
            hw.softly_at_most(instant, longest, rule)


def _told_with_records(bands: Bands, leading: Leading) -> None:
    """A follower that holds a record which its leader appended later was told the HW of the moment before.

    The answer that brought the record carries the leader's HW, which only grows while it leads; the follower
    takes it as far as its log reaches (ReplicaFetcherThread.processPartitionData).
    """
    if leading.epoch is None:
        return
    for broker, own in bands.roles.items():
        if broker != leading.broker and own.starts:
            _told_to(bands, leading, broker)


def _told_to(bands: Bands, leading: Leading, broker: int) -> None:
    """One follower: what it held when the term began for it, or after a cut, may be of an earlier leader."""
    top, head = bands.leo[leading.broker], bands.hw[leading.broker]
    log, hw, own = bands.leo[broker], bands.hw[broker], bands.roles[broker]
    moment, told, brought = 2 * leading.first, 0, -1
    for instant in range(2 * leading.first, min(2 * leading.last + 2, len(log))):
        place = instant // 2
        if own.role_at[place] is not Role.FOLLOWER or own.epoch_at[place] != leading.epoch:
            brought = -1
            continue
        if brought < 0 or instant in log.breaks:
            high = log.hi[instant]
            if high is None:
                return
            brought = max(brought, high)
        if instant in hw.breaks:
            # It may have fallen: only what was appended after that counts.
            moment, told = max(moment, instant), 0
        held = log.lo[instant]
        while held is not None and held > brought and moment < instant:
            end = top.hi[moment]
            if end is None or end >= held:
                break
            told = max(told, head.lo[moment] or 0)
            moment += 1
        if told:
            hw.at_least(instant, told, "told with a record that the leader appended later")


def _let_in(bands: Bands, leading: Leading, place: int) -> set[int]:
    """The members that came into the ISR at a place, within a term: its leader let them in."""
    control = bands.control
    before = control.isr_at[place - 1] if place > leading.first else None
    if before is None or control.epoch_at[place - 1] != leading.epoch:
        return set()
    return set(control.isr_at[place] or ()) - set(before)


def _end_when_let_in(bands: Bands, member: int, place: int) -> int | None:
    """At most so long was a member's log around a place: clocks may be apart by a little."""
    rows, track = bands.view.rows, bands.leo[member]
    longest: int | None = None
    for later in range(place, len(rows) + 1):
        if later > place and rows[later - 1].at > rows[place - 1].at + CLOSE:
            break
        high = track.hi[2 * later]
        if high is None:
            return None
        longest = high if longest is None else max(longest, high)
    return longest


def _alone_in_sync(bands: Bands, leading: Leading) -> None:
    """To 3.6 the HW of a leader alone in the ISR is its log end; from 3.7 min.insync.replicas may hold it.

    The row that leaves it alone, or appends, still finds the HW of before; it has risen by the next row.
    """
    if not bands.view.before(leading.broker, 3, 7):
        return
    control, hw, leo = bands.control, bands.hw[leading.broker], bands.leo[leading.broker]
    for place in range(leading.first, leading.last):
        if control.epoch_at[place] != leading.epoch or control.isr_of_term[place] != (leading.broker,):
            continue
        low = leo.lo[2 * place]
        if low is not None:
            hw.at_least(2 * place + 1, low, "a leader alone in the ISR commits what it appends")


def _first_term(bands: Bands, stretches: list[Leading]) -> None:
    """While the first leader of a partition leads nobody holds what it does not.

    And no HW is above the leader's. Its epoch may be raised meanwhile; the end of its process ends that.
    """
    reign = _first_reign(bands.control)
    if not reign:
        return
    first = bands.control.terms[0].leader
    lives = bands.roles[first].starts if first in bands.roles else ()
    for leading in stretches:
        restarted = any(start <= leading.first for start in lives[1:])
        if leading.epoch in reign and leading.broker == first and not restarted:
            for broker in bands.roles:
                if broker != leading.broker:
                    _under_first_leader(bands, leading, broker, reign)


def _first_reign(control: Control) -> range:
    """The epochs from 0 on, without a gap, that the first leader leads."""
    terms = control.terms
    if not terms or terms[0].epoch != 0:
        return range(0)
    end = 0
    for number, term in enumerate(terms):
        if term.epoch != number or term.leader != terms[0].leader:
            break
        end = number + 1
    return range(end)


def _under_first_leader(bands: Bands, leading: Leading, broker: int, reign: range) -> None:
    top, other = bands.leo[leading.broker], bands.leo[broker]
    head, follower = bands.hw[leading.broker], bands.hw[broker]
    rule = "a follower of the first leader holds what the leader holds"
    places = range(leading.first, leading.last + 1)
    end = next((place for place in places if not _in_reign(bands, broker, place, reign)), None)
    first, last = 2 * leading.first, 2 * leading.last + 1 if end is None else 2 * end
    for instant, (high, can_fail) in enumerate(top.uppers(first, last), first):
        if high is not None:
            other.below(instant, high, rule, can_fail=can_fail)
        _raise(top, instant, other, rule)
        _raise(head, instant, follower, "no follower of the first leader knows a higher one")


def _in_reign(bands: Bands, broker: int, place: int, reign: range) -> bool:
    """Whether a follower is in one of the epochs, by its own word, or not yet told since a start in them.

    Nobody may have said a later one: the word on it of this replica may be missing, and the first leader is
    told last that it leads no more. Of a replica whose log is missing nothing is known.
    """
    own, epoch = bands.roles[broker], bands.control.epoch_at[place]
    if epoch is not None and epoch not in reign:
        return False
    if own.epoch_at[place] is not None:
        return own.epoch_at[place] in reign
    return own.first_word is not None


def _raise(track: Track, instant: int, other: Track, rule: str) -> None:
    low, known = other.lo[instant], track.lo[instant]
    if low is not None and (known is None or known < low):
        track.at_least(instant, low, rule)
