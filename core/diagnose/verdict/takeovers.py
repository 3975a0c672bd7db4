"""From tenures and cuts to who took over a partition when, and which earlier records they did not hold."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise

from core.assumptions import ROLES_TOLD_AFTER_START_WITHIN
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Truncation
from core.diagnose.verdict.left_behind import log_end_left
from core.history.cuts import Cut
from core.history.epoch_runs import end_of, epoch_at, slice_runs
from core.history.positions import place_after, place_before, previous_place
from core.history.roles import Roles, RoleSpan
from core.history.state import WITHOUT_ROLE, Role
from core.history.tenures import Tenure
from core.history.view import Row
from core.trace.ids import Place
from core.trace.vocabulary import Basis


@dataclass(frozen=True, slots=True)
class Piece:
    """Offsets [first, end) of one leader epoch that a replica held.

    They were removed by `cut`, or are still there (cut None). Where the piece is not `sure`, the records are
    of this epoch or of earlier ones. `after` is the latest leader epoch of records below them in the same
    log: a leader of a later one had these, and the replica copied them from it (as in KIP-279).
    """

    epoch: int
    first: int
    end: int
    broker: int
    cut: Truncation | None
    sure: bool = True
    after: int = -1
    deleted: int | None = None
    """The Seq of the row by which its broker deleted the log with it, as the replica was moved away."""

    def may_be(self, epoch: int | None) -> bool:
        """Whether a record of an epoch may be one of these."""
        return epoch is None or epoch == self.epoch or (epoch < self.epoch and not self.sure)


@dataclass(frozen=True, slots=True)
class Takeover:
    """A tenure with the place at which its leader took over.

    `end` is its log end then, a sure upper bound; None where there is none.
    """

    tenure: Tenure
    epoch: int
    place: Place
    end: int | None
    again: bool = False
    """It leads again in its own epoch, after its process had ended."""
    idle: bool = False
    """Then it surely wrote nothing before it led in a later epoch: it wrote all records of its own before."""


def find_takeovers(case: Case, cuts: tuple[Truncation, ...] = ()) -> list[Takeover]:
    """All takeovers in order, with each time that a leader leads again in its own epoch.

    Where the own lines of a leader are missing, a cut by which a follower agreed with it shows that it led.
    """
    takeovers: list[Takeover] = []
    agreed = {_epoch_of_cut(case, cut) for cut in cuts if cut.rule in AGREED}
    for tenure in case.control.tenures:
        place = case.led_from(tenure) if tenure.leader != -1 else None
        if place is None and tenure.leader in case.roles and tenure.epoch in agreed:
            place = tenure.place
        if place is None or tenure.epoch is None:
            continue
        takeovers.append(Takeover(tenure, tenure.epoch, place, case.surely_ends_by(tenure.leader, place)))
        takeovers += returns_of(case, tenure, tenure.epoch, place)
    return takeovers


def returns_of(case: Case, tenure: Tenure, epoch: int, first: int) -> list[Takeover]:
    """The later times at which the leader of a tenure leads again in its own epoch."""
    own = case.roles[tenure.leader]
    found: list[Takeover] = []
    for before, one in pairwise(own.spans):
        if one.first <= first or one.role is not Role.LEADER or one.epoch != epoch:
            continue
        end = case.surely_ends_by(tenure.leader, one.first)
        if before.role is not Role.LEADER and end is not None:
            idle = _wrote_nothing(case, own, one, end)
            found.append(Takeover(tenure, epoch, one.first, end, again=True, idle=idle))
    return found


def _wrote_nothing(case: Case, own: Roles, led: RoleSpan, end: int) -> bool:
    """Whether a leader's log ended where it had begun, as it went on to a later epoch without a stop."""
    after = next((one for one in own.spans if one.first == led.end), None)
    if case.view.exact or after is None or after.role is not Role.LEADER:
        return False
    ended = case.surely_ends_by(own.broker, after.first)
    return ended is not None and ended <= end


def led_before(case: Case, tenure: Tenure) -> Tenure | None:
    """The tenure before another one, if it has the same leader: that stayed, or is elected once more."""
    number = case.control.tenure_number(tenure.epoch)
    before = case.control.tenures[number - 1] if number else None
    return before if before is not None and before.leader == tenure.leader else None


def came_back_between(
    case: Case, anew: Takeover, seq: int, takeover: Takeover, pieces: Iterable[Piece]
) -> bool:
    """Whether a leader came back in its epoch between an event and the takeover that lost `pieces`.

    From where its log ended then it wrote other records of that epoch. What its replicas held before is not
    among those: the event was on them.
    """
    before = case.place_of(seq) <= anew.place
    if before == (takeover.place <= anew.place):
        return False
    return not (before and all(_held_before(case, anew, piece) for piece in pieces))


def find_pieces(case: Case, cuts: tuple[Truncation, ...]) -> list[Piece]:
    """What was cut away, what went with a replica that moved, and what every replica holds at the end.

    Of real logs without segments, what a replica holds at the end is of an epoch only where the leader of
    that epoch surely wrote it.
    """
    pieces: list[Piece] = []
    written_in = cache(partial(_written_in, case))
    for cut in cuts:
        if cut.from_offset is None:
            continue
        before = case.runs(cut.broker, place_before_cut(case, cut))
        held = slice_runs(before, cut.to_offset, cut.from_offset)
        for run in held:
            epoch = run.latest if run.epoch is None else run.epoch
            if epoch is not None:
                sure = run.epoch is not None
                pieces.append(Piece(epoch, run.start, run.end, cut.broker, cut, sure))
    for broker, place, deleted in _last_seen(case):
        top = case.leo(broker, place).lo
        runs = case.runs(broker, place)
        held = slice_runs(runs, 0, min(top if top is not None else 0, end_of(runs)))
        after = -1
        for run in held:
            first, end = run.start, run.end
            if not case.view.exact and run.basis is not Basis.OBSERVED:
                begun, ended = written_in(run.epoch)
                first, end = max(first, begun), min(end, ended)
            if run.epoch is not None and first < end:
                pieces.append(Piece(run.epoch, first, end, broker, None, after=after, deleted=deleted))
            if run.epoch is not None and run.basis is Basis.OBSERVED:
                after = max(after, run.epoch)
    return pieces


def _last_seen(case: Case) -> Iterator[tuple[int, Place, int | None]]:
    """Each place at which a replica is last seen with records, and the Seq by which its log was deleted.

    That is the end, the moment before its log is deleted as it is moved away, and the moment at which it
    follows a leader and no line of it tells what it cut.
    """
    for broker in case.history.replicas:
        yield broker, case.end, None
    if case.view.exact:
        return
    for broker, row in _moved_away(case):
        yield broker, place_before(row.number), row.seq
    for broker, own in case.roles.items():
        for row in _follows_with_log_end(case, own):
            yield broker, place_after(row.number), None


def _moved_away(case: Case) -> Iterator[tuple[int, Row]]:
    """Each broker that deleted its log as its replica was moved away, and the row of that.

    A topic that is deleted takes no record that counts. It is still there where another broker leads it then,
    and never deletes its log.
    """
    deleted = [row for row in case.of(_DELETED) if row.replica == row.broker]
    for row in deleted:
        place = place_before(row.number)
        gone = {one.broker for one in deleted if one.number >= row.number}
        others = (own for broker, own in case.roles.items() if broker not in gone)
        leads = any(own.role_at[place] is Role.LEADER for own in others)
        if leads and row.broker is not None and row.broker in case.history.replicas:
            yield row.broker, row


def _follows_with_log_end(case: Case, own: Roles) -> Iterator[Row]:
    """Rows by which a broker follows with a log end, where lines are missing before it does anything else.

    Its class that prints cuts logs at WARN, to 3.0; or what it printed then is not there.
    """
    if not own.gaps:
        return
    rows = [row for row in case.of(_FOLLOWED) if row.broker == own.broker == row.replica]
    cuts = [cut.row.number for cut in case.cuts[own.broker]]
    for row, until in pairwise([*(row.number for row in rows), case.end]):
        missing = any(row < first <= until for first, _ in own.gaps)
        if missing and case.view.rows[row].leo is not None and not any(row < cut < until for cut in cuts):
            yield case.view.rows[row]


def _written_in(case: Case, epoch: int | None) -> tuple[int, int]:
    """The offsets [first, end) that the leader of an epoch surely wrote in it; (0, 0) for none.

    From where its log surely ended when it took over, to where some log surely reached before its broker was
    notified of another epoch: the leader's, to the end of its process, or that of a follower which surely
    began with no more. What else
    a follower's log grew by may be of earlier epochs.
    """
    number = case.control.tenure_number(epoch) if epoch is not None else None
    tenure = case.control.tenures[number] if number is not None else None
    begun = case.led_from(tenure) if tenure is not None and tenure.leader != -1 else None
    first = case.surely_ends_by(tenure.leader, begun) if tenure is not None and begun is not None else None
    if first is None:
        return 0, 0
    end = first
    if tenure is not None:
        own = case.roles[tenure.leader]
        led = (
            number for number, one in enumerate(own.spans) if (one.role, one.epoch) == (Role.LEADER, epoch)
        )
        left = (log_end_left(case, own, number) for number in led)
        end = max([end, *(one[0] for one in left if one is not None)])
    for broker, own in case.roles.items():
        entered = next((one.first for one in own.spans if one.epoch == epoch), None)
        high = case.surely_ends_by(broker, entered) if entered is not None else None
        if entered is None or high is None or high > first:
            continue
        end = max(
            end, case.surely_reaches(broker, entered, _surely_in_epoch_until(case, own, epoch, entered))
        )
    return first, end


def _surely_in_epoch_until(case: Case, own: Roles, epoch: int | None, entered: Place) -> Place:
    """The place up to which a replica that entered an epoch at a place surely is in it; else the end.

    Its lines on another role may be missing, or those on a later epoch that has begun.
    """
    later = (
        one.first
        for one in own.spans
        if one.first > entered and (one.role in WITHOUT_ROLE or one.epoch not in (None, epoch))
    )
    begun = (
        tenure.place
        for tenure in case.control.tenures
        if tenure.place > entered and (tenure.epoch or 0) > (epoch or 0)
    )
    past = (
        place for place in begun if case.may_be_past(own, place) or _may_copy_later_epoch(case, own, place)
    )
    return min(next(later, case.end), next(past, case.end), *_applied_without_role(case, own, epoch))


def _applied_without_role(case: Case, own: Roles, epoch: int | None) -> Iterator[Place]:
    """Where later epochs begin of which a replica states that it applied them, but not its role in them.

    That line is missing: it may have been in them since they began.
    """
    stated = {row.epoch for row in case.of(_APPLIED) if row.broker == own.broker}
    without = stated - {one.epoch for one in own.spans}
    for tenure in case.control.tenures:
        if tenure.epoch is not None and tenure.epoch > (epoch or 0) and tenure.epoch in without:
            yield tenure.place


def _may_copy_later_epoch(case: Case, own: Roles, place: Place) -> bool:
    """Whether a follower that was not notified of a later epoch may copy its records, from the leader it had.

    To 2.0 a fetch names no epoch, and no follower is fenced (KIP-320, 2.1).
    """
    return own.role_at[place] is Role.FOLLOWER and not case.view.since(
        own.broker, 2, 1, at=case.view.seq_at(place)
    )


def place_before_cut(case: Case, cut: Truncation) -> Place:
    """The place at which the log still held what a cut removed.

    What is missing at a start was lost with the process before it: the row that states it is a later one.
    """
    place = previous_place(case.place_of(cut.seq))
    if case.view.exact or cut.rule != "recovery":
        return place
    before = [previous_place(start) for start in case.roles[cut.broker].starts if start <= place]
    return max((one for one in before if end_of(case.runs(cut.broker, one)) > cut.to_offset), default=place)


def _may_hold_below(case: Case, takeover: Takeover, piece: Piece) -> int | None:
    """The offset below which the leader of a takeover may hold the records of a piece; None for no bound.

    In a simulation that is known. Else none, if it took no part in their epoch or a later one, and its own
    lines on these are there; else up to its log end.
    """
    epoch = piece.epoch
    if case.view.exact:
        return _common_end(case, takeover, piece)
    if not piece.sure:
        return takeover.end
    own = case.roles[takeover.tenure.leader]
    number = case.control.tenure_number(epoch)
    begun = case.control.tenures[number].place if number is not None else 0
    if number is None or own.first_own_line is None or own.first_own_line > begun:
        return takeover.end
    if case.control.tenures[number].leader == takeover.tenure.leader or not _leader_states_tenure(
        case, takeover
    ):
        return takeover.end
    for one in own.spans:
        first, end = max(one.first, begun), min(one.end, takeover.place)
        took_part = one.role in (Role.FOLLOWER, Role.LEADER) and (one.epoch is None or one.epoch >= epoch)
        # It has begun to lead, and the line that states its epoch comes a moment later.
        begins = (one.role, one.epoch, one.end) == (Role.LEADER, None, takeover.place)
        took_part = took_part and not begins and not _follows_nobody(case, own, one)
        if first < end and (took_part or _notices_missing(case, own, one.role, range(first, end))):
            return takeover.end
    return 0


def _follows_nobody(case: Case, own: Roles, span: RoleSpan) -> bool:
    """Whether a follower states that there is no leader, and states none after that: it copies nothing."""
    if span.role is not Role.FOLLOWER:
        return False
    told = [
        row.leader
        for row in case.of(_FOLLOWING)
        if row.broker == own.broker and span.first <= row.number + 1 < span.end and row.leader is not None
    ]
    return bool(told) and set(told) == {-1}


def _notices_missing(case: Case, own: Roles, role: Role, places: range) -> bool:
    """Whether a replica's lines on its roles are missing at some of these places, all of one role.

    It is up, and has no role. A broker that has started is notified of its roles within seconds.
    """
    if role is not Role.STARTING:
        return role in WITHOUT_ROLE
    begun = [max((start for start in own.starts if start <= places.start), default=0)]
    begun += [start for start in own.starts if places.start < start < places.stop]
    rows = case.view.rows
    return any(
        start and rows[end - 1].at > rows[start - 1].at + ROLES_TOLD_AFTER_START_WITHIN.ns
        for start, end in zip(begun, [*begun[1:], places.stop], strict=True)
    )


def _leader_states_tenure(case: Case, takeover: Takeover) -> bool:
    """Whether the leader of a takeover itself states that it leads: its state change log is there."""
    return any(
        row.broker == takeover.tenure.leader and row.epoch == takeover.epoch for row in case.of(_NOTIFIED)
    )


_DELETED = frozenset({"log_deleted"})
_FOLLOWED = frozenset({"became_follower"})
_FOLLOWING = frozenset({"became_follower", "leader_and_isr_received", "fetcher_added"})
"""Kinds that state from whom a follower copies."""
_NOTIFIED = frozenset({"became_leader", "leader_and_isr_received", "metadata_applied"})
"""Kinds that state of which tenure a broker was notified."""
_APPLIED = frozenset({"metadata_applied"})
AGREED = frozenset({"leader-epoch", "diverging-epoch", "leader-end"})
"""Rules of cuts by which a follower agrees with its leader."""


def _cut_to_agree(case: Case, cut: Truncation, takeover: Takeover) -> bool:
    """Whether a follower cut to agree with the leader of this takeover, which did not hold what was removed.

    It cuts where its log and its leader's part (KIP-101, KIP-279, KIP-595), or to its leader's end. A cut to
    its own high watermark shows nothing of the leader's log.
    """
    return cut.rule in AGREED and _epoch_of_cut(case, cut) == takeover.epoch


def _epoch_of_cut(case: Case, cut: Truncation) -> int | None:
    """The leader epoch in which a follower cut its log; None where it is not known."""
    return case.roles[cut.broker].epoch_at[case.place_of(cut.seq) - 1]


def _common_end(case: Case, takeover: Takeover, piece: Piece) -> int:
    """The first offset of a piece, above the start of the leader's log, at which that lacks the record."""
    replica, cursor = case.history.replicas[takeover.tenure.leader], case.view.cursors[takeover.place]
    end = max(piece.first, replica.log_start.at(cursor).lo or 0)
    for run in replica.runs.at(cursor):
        if run.start <= end < run.end and run.epoch == piece.epoch:
            end = run.end
    return end


def split_at_returns(case: Case, takeovers: list[Takeover], pieces: list[Piece]) -> list[Piece]:
    """Pieces divided where the log ended when a leader of their own epoch led again, and was cut since."""
    parts: list[Piece] = []
    for piece in pieces:
        returns = [one for one in takeovers if one.again and one.epoch == piece.epoch]
        tops = {end_of(case.runs(piece.broker, one.place)) for one in returns}
        tops |= {cut.to for one in returns for cut in _cut_since(case, one, piece)}
        edges = sorted({piece.first, piece.end, *(top for top in tops if piece.first < top < piece.end)})
        parts += [replace(piece, first=first, end=end) for first, end in pairwise(edges)] if tops else [piece]
    return parts


def _cut_since(case: Case, takeover: Takeover, piece: Piece) -> Iterator[Cut]:
    """In a simulation, the cuts of a piece's replica after a takeover and before the one that took the piece.

    What is above them was written anew.
    """
    until = case.end if piece.cut is None else case.place_of(piece.cut.seq) - 1
    for cut in case.cuts[piece.broker] if case.view.exact else ():
        if takeover.place <= cut.row.number < until:
            yield cut


def _held_before(case: Case, takeover: Takeover, piece: Piece) -> bool:
    """Whether a piece of the leader's own epoch was there when it began to lead again.

    What it wrote afterwards may have the same epoch and offsets.
    """
    if takeover.epoch != piece.epoch or not piece.sure:
        return False
    if takeover.idle:
        return True
    if not case.view.exact and piece.cut is not None and _cut_to_agree(case, piece.cut, takeover):
        # What it copied since lies below the leader's log end, and that is where it cut.
        return (takeover.end or 0) <= piece.cut.to_offset and case.place_of(piece.cut.seq) > takeover.place
    if not case.view.exact and piece.broker != takeover.tenure.leader:
        # Lines of two brokers are not ordered so well that a record is surely from before the return.
        return False
    if piece.cut is not None and case.place_of(piece.cut.seq) <= takeover.place:
        return True
    if any(cut.to <= piece.first for cut in _cut_since(case, takeover, piece)):
        return False
    return case.view.exact and epoch_at(case.runs(piece.broker, takeover.place), piece.first) == piece.epoch


def takeovers_without(case: Case, takeovers: list[Takeover], piece: Piece) -> Iterator[tuple[Takeover, int]]:
    """Each takeover whose leader lacks part of a piece, in order, and the offset from which it lacks it."""
    for takeover in takeovers:
        if takeover.epoch <= piece.epoch and not (takeover.again and _held_before(case, takeover, piece)):
            continue
        held = _may_hold_below(case, takeover, piece)
        if not case.view.exact and piece.cut is not None and _cut_to_agree(case, piece.cut, takeover):
            held = piece.cut.to_offset if held is None else min(held, piece.cut.to_offset)
        if held is not None and held < piece.end:
            yield takeover, max(piece.first, held)


def took_a_role_after(case: Case, broker: int, place: Place) -> bool:
    """Whether a replica led or followed after a place, and may have other records since."""
    roles = (Role.LEADER, Role.FOLLOWER)
    return any(one.end > place and one.role in roles for one in case.roles[broker].spans)


def never_committed(case: Case, takeover: Takeover, epoch: int, first: int) -> bool:
    """Whether the high watermark never can have passed `first` in the epochs in which the records existed."""
    for tenure in case.control.tenures:
        if tenure.epoch is None or not epoch <= tenure.epoch < takeover.epoch or tenure.leader == -1:
            continue
        begin = case.led_from(tenure)
        if begin is None:
            return False
        own, until = case.roles[tenure.leader], takeover.place
        spans = [(one.first, min(one.end, until)) for one in own.spans if one.epoch == tenure.epoch]
        end = max((end for first, end in spans if max(first, begin) < end), default=None)
        high = None if end is None else case.hw(tenure.leader, previous_place(end)).hi
        if high is None or high > first:
            return False
    return True
