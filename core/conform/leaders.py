"""Rules on leaders and the controller: epochs, high watermarks, in-sync sets. Most need every event."""

from collections.abc import Iterator
from typing import Final

from core.conform.decision import Decision
from core.conform.kinds import named
from core.conform.near import rows_after, rows_before
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.min_isr import min_isr
from core.diagnose.verdict.two_logs import unclean_allowed, unclean_stated
from core.history.positions import place_after
from core.history.state import Role
from core.history.view import Row
from core.kafka.eras import Era
from core.kafka.high_watermark import effective_min_isr, may_move
from core.kafka.isr import keeps_last_member
from core.message import message
from core.trace.ids import Place
from core.trace.settings import script_tables
from core.trace.vocabulary import CutReason, Election

_BEGINS: Final = frozenset({"became_leader"})
_CUTS: Final = frozenset({"truncated"})
_MOVES: Final = frozenset({"hw_moved"})
_TELLS: Final = frozenset({"became_leader", "isr_committed", "metadata_applied"})
_DECIDES: Final = frozenset({"isr_committed", "leader_elected", "leaderless"})
_PROPOSES: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
_DELETES: Final = frozenset({"log_deleted"})
_ELECTS: Final = frozenset({"leader_elected"})


def epoch_begun(case: Case) -> Iterator[Decision]:
    """Whether a new leader puts its epoch into its cache at once, or with the first record (KAFKA-7415)."""
    if not case.view.exact:
        return
    for row in case.of(_BEGINS):
        if row.replica is None or row.epoch is None or not row.at:
            continue
        known = case.history.replicas[row.replica].epochs.at(case.view.cursors[row.number]) or ()
        if known and known[-1][0] >= row.epoch:
            continue
        next_act = _next_act(case, row)
        if next_act is None:
            continue
        put = next_act.kind == "epoch_assigned"
        who = named(case, row.replica)
        told = (
            message("conform.epoch-begun", who=who, epoch=row.epoch)
            if put
            else message("conform.epoch-not-begun", who=who, epoch=row.epoch)
        )
        yield Decision(
            next_act.seq,
            row.replica,
            lambda era, put=put: (era.switches.epoch_entry == "election") is put,
            told,
            (row.seq,),
        )


def _next_act(case: Case, begins: Row) -> Row | None:
    """What a new leader does next, after it has recalled what it knows of its followers."""
    return next((row for row in rows_after(case, begins.number) if row.kind != "follower_leo_recorded"), None)


def mark_after_cut(case: Case) -> Iterator[Decision]:
    """Whether a cut below the high watermark lowers it in memory, from 2.4, or leaves it."""
    for row in case.of(_CUTS):
        if row.replica is None or row.offset is None or row.aux == CutReason.RECOVERY:
            continue
        number = _decided(case, row)
        before = case.hw(row.replica, Place(number))
        after = case.hw(row.replica, place_after(row.number))
        if before.lo is None or before.lo <= row.offset or not case.view.exact:
            continue
        lowered = after.hi is not None and after.hi <= row.offset
        who = named(case, row.replica)
        told = (
            message("conform.mark-lowered", who=who, to=row.offset)
            if lowered
            else message("conform.mark-kept", who=who, to=row.offset)
        )
        yield Decision(
            row.seq,
            row.replica,
            lambda era, lowered=lowered: (era.switches.hw_after_cut == "lowered") is lowered,
            told,
        )


def _decided(case: Case, cut: Row) -> int:
    """The number of the row that decides on a cut, before which nothing of it has happened."""
    for row in rows_before(case, cut.number):
        if row.kind == "truncation_decided" and row.replica == cut.replica:
            return row.number
    return cut.number


def mark_moved(case: Case) -> Iterator[Decision]:
    """A leader's high watermark that moves while the in-sync set is below min.insync.replicas (to 3.6)."""
    if not case.view.exact:
        return
    limit = min_isr(case)
    replicas = len(case.view.trace.partitions[case.view.partition].replicas)
    sets: dict[int, tuple[int, ...] | None] = {}
    """By broker the in-sync set that it knows as committed."""
    for row in case.of(_MOVES | _TELLS):
        if row.kind != "hw_moved":
            if row.broker is not None:
                sets[row.broker] = row.isr
            continue
        leads = row.replica is not None and case.roles[row.replica].role_at[row.number] is Role.LEADER
        isr = sets.get(row.replica) if row.replica is not None and leads and row.at else None
        wanted = limit.at(case.place_of(row.seq))
        if isr is None or wanted is None:
            continue

        def fits(era: Era, size: int = len(isr), wanted: int = wanted) -> bool | None:
            rule = era.switches.hw_below_min_isr
            needed = effective_min_isr(rule, min_isr=wanted, replicas=replicas)
            return may_move(rule, isr_size=size, min_isr=needed)

        told = message("conform.mark-moved", who=named(case, row.replica), size=len(isr), wanted=wanted)
        yield Decision(row.seq, row.replica, fits, told)


def epoch_on_shrink(case: Case) -> Iterator[Decision]:
    """Whether the leader epoch rises where the controller removes a replica and the leader stays (to 3.5)."""
    leader, epoch, isr = None, None, None
    # A partition that moves lets go of a replica, in a new epoch in any release.
    let_go = {row.replica for row in case.of(_DELETES)}
    for row in case.of(_DECIDES | {"partition_created"}):
        mine = row.broker is None or row.kind != "isr_committed"
        if (
            case.view.exact
            and mine
            and row.kind != "partition_created"
            and None not in (isr, epoch, row.epoch, row.isr)
            and row.leader == leader != -1
            and set(row.isr or ()) < set(isr or ())
            and not (set(isr or ()) - set(row.isr or ())) & let_go
        ):
            raised = (row.epoch or 0) > (epoch or 0)
            told = (
                message("conform.epoch-raised", epoch=row.epoch or 0)
                if raised
                else message("conform.epoch-kept", epoch=row.epoch or 0)
            )
            yield Decision(
                row.seq,
                None,
                lambda era, raised=raised: (era.switches.epoch_on_shrink == "bumped") is raised,
                told,
            )
        leader = row.leader if row.leader is not None else leader
        epoch = row.epoch if row.epoch is not None else epoch
        isr = row.isr if row.isr is not None else isr


def last_member(case: Case) -> Iterator[Decision]:
    """An in-sync set without a member, with KRaft: only with eligible leader replicas (KIP-966)."""
    for row in case.of(_DECIDES):
        if row.isr == ():
            yield Decision(row.seq, None, _may_be_empty, message("conform.isr-empty"))


def _may_be_empty(era: Era) -> bool | None:
    switches = era.switches
    if switches.controller == "zookeeper" or switches.eligible_leaders == "on":
        return True
    return None if switches.unclean_setting == "obeyed" else False


def last_member_left(case: Case) -> Iterator[Decision]:
    """An in-sync set without a member, over ZooKeeper: to 1.0, where the topic allows unclean elections.

    What a script does not say is the default of the release; what logs do not say is not known.
    """
    scripted = script_tables(case.history.trace) is not None
    for row in case.of(_DECIDES):
        if row.isr != ():
            continue

        def fits(era: Era, at: int = row.at) -> bool | None:
            rule = era.switches.isr_last_member
            if era.switches.controller != "zookeeper":
                return True
            if keeps_last_member(rule, unclean_allowed=True):
                return False
            stated = unclean_stated(case, at)
            if stated is None and not scripted:
                return None
            return not keeps_last_member(rule, unclean_allowed=unclean_allowed(era, stated=stated))

        yield Decision(row.seq, None, fits, message("conform.isr-empty"))


def isr_changed(case: Case) -> Iterator[Decision]:
    """Whether a leader changes the in-sync set itself, or asks the controller, and waits (KIP-497)."""
    if not case.view.exact:
        return
    for row in case.of(_PROPOSES):
        after = next(
            (
                one
                for one in rows_after(case, row.number)
                if one.broker == row.broker and one.kind in ("isr_committed", "isr_update_rejected")
            ),
            None,
        )
        if after is None or after.kind == "isr_update_rejected":
            continue
        waits = after.at > row.at
        who = named(case, row.broker)
        told = message("conform.isr-asked", who=who) if waits else message("conform.isr-written", who=who)
        yield Decision(
            after.seq,
            row.broker,
            lambda era, waits=waits: (era.switches.isr_change == "alter-isr") is waits,
            told,
            (row.seq,),
        )


def isr_left(case: Case) -> Iterator[Decision]:
    """A follower that is taken out although its log end is the leader's (to 2.0, KAFKA-7152)."""
    for row in case.of(frozenset({"isr_shrink_proposed"})):
        if row.broker is None or row.isr is None or row.leo is None or not case.view.exact:
            continue
        cursor = case.view.cursors[row.number]
        before = case.history.isr.at(cursor) or ()
        known = dict(case.history.replicas[row.broker].remote.at(cursor))
        level = [one for one in before if one not in row.isr and known.get(one) == row.leo]
        if level:
            told = message("conform.isr-left", who=named(case, row.broker), other=named(case, level[0]))
            yield Decision(row.seq, row.broker, lambda era: era.switches.isr_leave == "time", told)


def isr_joined(case: Case) -> Iterator[Decision]:
    """A follower that is let in before it reaches the start of the leader's epoch (to 2.0, KAFKA-7128)."""
    for row in case.of(frozenset({"isr_expand_proposed"})):
        if row.broker is None or row.isr is None or not case.view.exact:
            continue
        cursor = case.view.cursors[row.number]
        begun = next(
            (
                one.leo
                for one in rows_before(case, row.number)
                if one.kind == "became_leader" and one.replica == row.broker
            ),
            None,
        )
        known = dict(case.history.replicas[row.broker].remote.at(cursor))
        before = case.history.isr.at(cursor) or ()
        for one in row.isr:
            end = known.get(one)
            if one not in before and end is not None and begun is not None and end < begun:
                told = message("conform.isr-joined", who=named(case, row.broker), other=named(case, one))
                yield Decision(
                    row.seq, row.broker, lambda era: era.switches.isr_join == "high-watermark", told
                )


def unclean(case: Case) -> Iterator[Decision]:
    """An unclean election. Where it is off by default, a setting or an operator may have asked for it."""
    for row in case.of(_ELECTS):
        if row.aux == Election.UNCLEAN:
            yield Decision(
                row.seq,
                None,
                lambda era: True if era.switches.unclean_election == "true" else None,
                message("conform.unclean"),
            )
