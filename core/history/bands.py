"""Log end offset and high watermark of every replica of an imported partition, as bands.

Statements first (core/history/statements.py), then rules between the two values and between replicas, until they
tell nothing new. A rule is a function with a name; its docstring says why it cannot fail.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.moving import still_stretches
from core.history.roles import Roles, is_own_word
from core.history.state import Band, Role, Steps
from core.history.statements import Cut, find_cuts, is_hw_cut, put_checkpoints, put_hw, put_leo
from core.history.steps import StepWriter
from core.history.track import Track
from core.history.view import View

ROUNDS: Final = 4
"""Rules feed each other; on the recordings nothing changes after the third round."""


@dataclass(frozen=True, slots=True)
class Bands:
    """The narrowed tracks of all replicas, by broker, and the cuts found on the way."""

    view: View
    roles: Mapping[int, Roles]
    control: Control
    leo: Mapping[int, Track]
    hw: Mapping[int, Track]
    cuts: Mapping[int, tuple[Cut, ...]]
    above_log: Mapping[int, tuple[tuple[int, int], ...]]
    """Stretches of places in which the high watermark may stand above the log end (to 2.3, after a cut)."""


def narrow(view: View, roles: Mapping[int, Roles], control: Control) -> Bands:
    """Bands of every replica. Hard evidence and rules that cannot fail; a rule that can is marked as inferred."""
    cuts = {broker: find_cuts(view, broker) for broker in roles}
    places = len(view.rows) + 1
    leo: dict[int, Track] = {}
    hw: dict[int, Track] = {}
    for broker, own in roles.items():
        leo[broker], hw[broker] = Track(places), Track(places)
        _hide(view, own, leo[broker], hw[broker])
        put_leo(view, own, cuts[broker], leo[broker])
        put_hw(view, own, cuts[broker], hw[broker])
        leo[broker].still = hw[broker].still = still_stretches(view, own)
        for _, start in _unclean_starts(own):
            leo[broker].cut(start)
    above = {broker: _above_log(view, roles[broker], cuts[broker]) for broker in roles}
    bands = Bands(view, roles, control, leo, hw, cuts, above)
    falls = {broker: _falls(view, roles[broker], control, roles, hw[broker]) for broker in roles}
    for broker in roles:
        put_checkpoints(view, broker, hw[broker])
    for _ in range(ROUNDS):
        for broker in roles:
            leo[broker].settle()
            _over_restarts(roles[broker], leo[broker])
            hw[broker].settle()
        for broker in roles:
            _carry_over_falls(bands, broker, falls[broker])
            _watermark_within_log(bands, broker)
        for stretch in _leading(roles):
            _members_hold_watermark(bands, stretch)
            _watermark_within_members(bands, stretch)
            _alone_in_sync(bands, stretch)
        _first_term(bands)
    for broker in roles:
        leo[broker].settle()
        hw[broker].settle()
    return bands


def _hide(view: View, own: Roles, *tracks: Track) -> None:
    """Where the broker's own log is missing, cuts and restarts cannot be seen: nothing is carried from row to row."""
    end = len(view.rows) if own.first_word is None else own.first_word
    for track in tracks:
        track.breaks.update(range(1, end + 1))
        for place in _missing(view, own):
            track.cut(place)


def _unclean_starts(own: Roles) -> list[tuple[int, int]]:
    """(place after the last word before, place of the start) for each start after an end that was not a clean stop."""
    starts: list[tuple[int, int]] = []
    for death in own.deaths:
        later = [start for start in own.starts if start >= death.noticed or start > death.last]
        if not death.clean and later:
            starts.append((death.last, later[0]))
    return starts


def _over_restarts(own: Roles, track: Track) -> None:
    """The end of a process keeps what was handed to the system; the end of the machine may not: a rule that can fail."""
    for _, start in _unclean_starts(own):
        high, _ = track.upper(start)
        if high is not None:
            track.softly_at_most(start - 1, high, "the end of a process keeps the log")


def _missing(view: View, own: Roles) -> list[int]:
    """Places of gaps in a broker's own log. A gap that ends with a start of the process hides nothing but its end."""
    places: list[int] = []
    open_gap: int | None = None
    for row in view.rows:
        if row.kind == "evidence_gap" and row.replica == own.broker:
            open_gap = row.index + 1
        elif open_gap is not None and is_own_word(row, own.broker):
            if row.kind != "broker_starting":
                places.append(open_gap)
            open_gap = None
    return places


def _above_log(view: View, own: Roles, cuts: tuple[Cut, ...]) -> tuple[tuple[int, int], ...]:
    """To 2.3 a cut does not lower the high watermark in memory: it may stand above the log end until the process
    ends or, at the latest, the replica leads (Replica.highWatermark; from 2.4 it lives in the log)."""
    if view.since(own.broker, 2, 4):
        return ()
    stretches: list[tuple[int, int]] = []
    for cut in cuts:
        if is_hw_cut(view, own.broker, cut):
            continue
        last = len(view.rows)
        for place in range(cut.row.index + 2, len(view.rows) + 1):
            if place in own.starts or own.role_at[place] is Role.LEADER:
                last = place - 1
                break
        stretches.append((cut.row.index + 1, last))
    return tuple(stretches)


@dataclass(frozen=True, slots=True)
class _Fall:
    """A place from which a follower's high watermark may follow its leader's down. `witness` is a place at which
    the leader's own value bounds how far; None where that cannot be known."""

    place: int
    leader: int | None
    witness: int | None


def _falls(
    view: View, own: Roles, control: Control, roles: Mapping[int, Roles], track: Track,
) -> tuple[_Fall, ...]:
    """A follower takes min(leader's high watermark, own log end) from each answer, so its own may fall at the first
    answer of a leader it has not heard yet, and when that leader restarts."""
    falls: list[_Fall] = []
    mine = [row for row in view.rows if row.partition == view.partition and row.replica == own.broker]
    fetchers = any(row.kind == "fetcher_added" for row in mine)
    begins = {"fetcher_added"} if fetchers else {"became_follower", "leader_and_isr_received"}
    leader: int | None = None
    for row in view.rows:
        place = row.index + 1
        if place >= len(view.rows) or own.role_at[place] is not Role.FOLLOWER:
            continue
        about = row.partition == view.partition and row.replica == own.broker
        if about and row.kind in begins:
            number = control.term_of(own.epoch_at[place])
            leader = row.leader if row.leader is not None else leader
            leader = control.terms[number].leader if row.leader is None and number is not None else leader
        elif not (row.kind == "broker_starting" and row.replica == leader):
            continue
        track.cut(place + 1)
        track.drops.add(place + 1)
        other = roles.get(-1 if leader is None else leader)
        falls.append(_Fall(place + 1, leader, None if other is None else _witness(other, own, place)))
    return tuple(falls)


def _witness(leader: Roles, own: Roles, place: int) -> int | None:
    """A place at which the leader leads the follower's epoch: the last one up to `place`, else the first after it."""
    epoch = own.epoch_at[place]
    leads = [p for p, role in enumerate(leader.role_at) if role is Role.LEADER and leader.epoch_at[p] == epoch]
    before = [p for p in leads if p <= place]
    return before[-1] if before else next(iter(leads), None)


def _carry_over_falls(bands: Bands, broker: int, falls: tuple[_Fall, ...]) -> None:
    """It falls no deeper than the leader's own high watermark, which never moves back while it leads."""
    track = bands.hw[broker]
    for fall in falls:
        if fall.witness is None or fall.leader is None:
            continue
        floor = bands.hw[fall.leader].lo[fall.witness]
        if floor is not None:
            track.carry[fall.place] = floor


def _watermark_within_log(bands: Bands, broker: int) -> None:
    """HW <= LEO on every replica (but see _above_log)."""
    hw, leo = bands.hw[broker], bands.leo[broker]
    loose = {place for first, last in bands.above_log[broker] for place in range(first, last + 1)}
    for place in range(hw.places):
        if place in loose:
            continue
        high, can_fail = leo.upper(place)
        if high is not None and not can_fail:
            hw.at_most(place, high, "high watermark <= log end offset")
        elif high is not None:
            hw.softly_at_most(place, high, "high watermark <= log end offset")
        low = hw.lo[place]
        if low is not None:
            leo.at_least(place, low, "high watermark <= log end offset")
    for first, last in bands.above_log[broker]:
        before = hw.hi[first - 1]
        if before is None:
            continue
        for place in range(first, last + 1):
            high, can_fail = leo.upper(place)
            if high is not None and not can_fail:
                hw.at_most(place, max(high, before), "at most the log end, or what it was before the cut")


@dataclass(frozen=True, slots=True)
class Leading:
    """A stretch of places first..last in which a replica leads one epoch, by its own word.

    `until` is where it is known to lead no more: after its last word the process may have ended at any moment.
    """

    broker: int
    epoch: int | None
    first: int
    last: int
    until: int


def _leading(roles: Mapping[int, Roles]) -> list[Leading]:
    found: list[Leading] = []
    for broker, own in roles.items():
        first: int | None = None
        for place, role in enumerate([*own.role_at, Role.UNKNOWN]):
            epoch = own.epoch_at[place] if place < len(own.epoch_at) else None
            same = first is not None and role is Role.LEADER and epoch == own.epoch_at[first]
            if first is not None and not same:
                silent = [death.last for death in own.deaths if first <= death.last < place <= death.noticed]
                last = min([place - 1, *silent])
                found.append(Leading(broker, own.epoch_at[first], first, last, place - 1))
                first = None
            if first is None and role is Role.LEADER:
                first = place
    return found


def _members_hold_watermark(bands: Bands, leading: Leading) -> None:
    """A leader's HW passes no member of the ISR: who is a member at its end holds all below.

    It bounds a member's log in the era in which it was counted: not one that began with a cut made in the term,
    unless the member joined after it or the HW has risen since.
    """
    control, hw = bands.control, bands.hw[leading.broker]
    low = _final_watermark(hw, leading)
    if low is None or leading.epoch is None:
        return
    within = range(leading.first, leading.until + 1)
    last = max((place for place in within if control.epoch_at[place] == leading.epoch), default=0)
    for member in (control.isr_at[last] or ()) if last else ():
        if member == leading.broker or member not in bands.roles:
            continue
        track = bands.leo[member]
        place = _end_in_term(bands.roles[member], track, leading)
        if place is None:
            continue
        start = max((b for b in track.breaks if b <= place), default=0)
        known = hw.hi[start]
        risen = known is not None and low > known
        if start <= leading.first or _joined(control, member, last) > start or risen:
            track.at_least(place, low, "a member of the ISR holds what is below the leader's high watermark")


def _final_watermark(hw: Track, leading: Leading) -> int | None:
    """The HW with which a term ended: the row that ended it finds the value unchanged."""
    after = leading.until + 1
    if after < hw.places and after not in hw.breaks:
        return hw.lo[after]
    return hw.lo[leading.until]


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


def _end_in_term(other: Roles, track: Track, leading: Leading) -> int | None:
    """The last place, not after the stretch, at which a replica's log is as the epoch left it.

    Its own word that leaves the epoch still finds that log, as long as the word is not the cut itself.
    """
    for place in range(leading.until, leading.first - 1, -1):
        if other.epoch_at[place] == leading.epoch and other.role_at[place] is Role.FOLLOWER:
            after = place + 1
            left = after < track.places and after not in track.breaks and place < leading.until
            told = left and other.role_at[after] in (Role.FOLLOWER, Role.LEADER)
            return after if told else place
    return None


def _watermark_within_members(bands: Bands, leading: Leading) -> None:
    """A leader's HW rises to no more than the shortest log of the ISR: while the set stands, it is at most the
    longest that a member's log has been in it, or what it was when the set came."""
    changes = {change.place for change in bands.control.isr_changes}
    start = leading.first
    for place in range(leading.first, leading.until + 2):
        if place <= leading.until and place not in changes:
            continue
        if place > start:
            _cap_by_members(bands, leading, start, place - 1)
        start = place


def _cap_by_members(bands: Bands, leading: Leading, first: int, last: int) -> None:
    control, hw = bands.control, bands.hw[leading.broker]
    members = control.isr_at[first]
    before = hw.hi[first] if first == leading.first else hw.upper(first)[0]
    if members is None or before is None or leading.broker not in members:
        return
    if control.epoch_at[first] != leading.epoch:
        return
    for member in members:
        if member == leading.broker or member not in bands.roles:
            continue
        longest, surely = before, True
        for place in range(first, last + 1):
            high, can_fail = bands.leo[member].upper(place)
            if high is None:
                break
            longest, surely = max(longest, high), surely and not can_fail
            if surely:
                hw.at_most(place, longest, "high watermark <= log end of each member of the ISR")
            else:
                hw.softly_at_most(place, longest, "high watermark <= log end of each member of the ISR")


def _alone_in_sync(bands: Bands, leading: Leading) -> None:
    """To 3.6 the HW of a leader that is alone in the ISR is its log end (from 3.7 min.insync.replicas may hold it)."""
    if not bands.view.before(leading.broker, 3, 7):
        return
    control, hw, leo = bands.control, bands.hw[leading.broker], bands.leo[leading.broker]
    for place in range(leading.first + 1, leading.last + 1):
        if control.epoch_at[place] != leading.epoch or control.isr_at[place] != (leading.broker,):
            continue
        low = leo.lo[place - 1]
        if low is not None:
            hw.at_least(place, low, "a leader alone in the ISR commits what it appends")


def _first_term(bands: Bands) -> None:
    """In the first epoch of a partition nobody holds what its leader does not hold, and no HW is above the leader's."""
    control = bands.control
    if not control.terms or control.terms[0].epoch != 0:
        return
    leader = control.terms[0].leader
    if leader not in bands.roles:
        return
    for leading in _leading({leader: bands.roles[leader]}):
        if leading.epoch != 0:
            continue
        for broker in bands.roles:
            if broker != leader:
                _under_first_leader(bands, leading, broker)


def _under_first_leader(bands: Bands, leading: Leading, broker: int) -> None:
    top, other = bands.leo[leading.broker], bands.leo[broker]
    head, low_head = bands.hw[leading.broker], bands.hw[broker]
    for place in range(leading.first, leading.last + 1):
        if bands.roles[broker].epoch_at[place] not in (0, None):
            return
        high, can_fail = top.upper(place)
        if high is not None and not can_fail:
            other.at_most(place, high, "a follower of the first epoch holds what its leader holds")
        elif high is not None:
            other.softly_at_most(place, high, "a follower of the first epoch holds what its leader holds")
        low = other.lo[place]
        if low is not None:
            top.at_least(place, low, "a follower of the first epoch holds what its leader holds")
        told = low_head.lo[place]
        if told is not None:
            head.at_least(place, told, "no follower of the first epoch knows a higher one")


def band_steps(view: View, track: Track, floors: list[int | None]) -> Steps[Band]:
    """The bands of a track over cursors of the whole trace."""
    writer = StepWriter(track.band(0, floors[0]))
    for place in range(1, track.places):
        writer.put(place, track.band(place, floors[place]))
    return writer.steps(view)
