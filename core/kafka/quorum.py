"""How a KRaft controller changes a partition: leader, in-sync set, eligible leader replicas."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.kafka.election import NOBODY
from core.kafka.switches import (
    EligibleLeaders,
    EligibleOnChange,
    EpochOnShrink,
    LeaderRecovery,
    UncleanSetting,
)
from core.trace.vocabulary import Election

Ask: TypeAlias = Literal["any", "preferred", "unclean"]
"""Who is to lead: any clean one, the first of the assignment if it may, or at need any that is live."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A partition in the metadata log. `leader` is -1 where there is none."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int
    elr: tuple[int, ...] = ()
    """Eligible leader replicas: they left the ISR below min ISR and hold all that was committed (KIP-966)."""
    last_leader: int = NOBODY
    """Who led last, while nobody does. Kept only with eligible leader replicas."""
    recovering: bool = False
    """Its leader was elected uncleanly, and has not said since that it has recovered (KIP-704)."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a change comes to. `election` is None where the leader stays, or where none is found."""

    partition: Registration
    election: Election | None
    raises_epoch: bool
    """The leader epoch grows by one. The partition epoch grows with every change."""


def allows_unclean(rule: UncleanSetting, *, configured: bool) -> bool:
    """Whether the controller elects uncleanly by itself.

    To 3.8 a KRaft controller does not look at `unclean.leader.election.enable` (KAFKA-12670).
    """
    return configured and rule == "obeyed"


def change(
    now: Registration,
    isr: Sequence[int],
    live: Collection[int],
    *,
    min_isr: int,
    eligible_leaders: EligibleLeaders,
    epoch_on_shrink: EpochOnShrink,
    ask: Ask = "any",
    unclean_shutdown: Collection[int] = (),
    leader_recovery: LeaderRecovery = "unmarked",
    recovered: bool = False,
) -> Change:
    """The partition after its in-sync set is to become `isr`, and a leader is looked for where one is due.

    `live` are the brokers that may lead: registered, not fenced, not shutting down. `unclean_shutdown` are
    those that came back without a clean stop. The set may become empty only with eligible leader replicas
    (KIP-966); else its last member stays, so that it may lead when it comes back. `recovered`: the leader
    asks for it, and says that it has recovered.
    """
    with_elr = eligible_leaders == "on"
    wanted = replace(now, isr=tuple(isr), elr=_elr(now, isr, min_isr, unclean_shutdown) if with_elr else ())
    leader, kind = _leader(wanted, live, ask)
    if kind == Election.ELR:
        wanted = replace(wanted, isr=(leader,), elr=tuple(one for one in wanted.elr if one != leader))
    elif kind in (Election.UNCLEAN, Election.LAST_KNOWN):
        wanted = replace(wanted, isr=(leader,), elr=())
    if not wanted.isr and not with_elr:
        wanted = replace(wanted, isr=now.isr)
    last = now.leader if leader == NOBODY and now.leader != NOBODY and not wanted.isr else now.last_leader
    after = replace(
        wanted,
        leader=leader,
        last_leader=last if with_elr and leader == NOBODY else NOBODY,
        recovering=_recovers(leader_recovery, now, kind, recovered=recovered),
    )
    removed = not set(now.isr) <= set(after.isr)
    return Change(
        after,
        None if leader in (now.leader, NOBODY) else kind,
        raises_epoch(epoch_on_shrink, leader_changed=leader != now.leader, removed=removed),
    )


def with_other_min_isr(rule: EligibleOnChange, now: Registration) -> Registration:
    """The partition after `min.insync.replicas` was set anew, to whatever value.

    With eligible leader replicas (4.0, KIP-966) they are cleared, and the last known leader with them
    (ClearElrRecord): they held all that was committed only under the old value. The partition epoch stays.
    """
    return replace(now, elr=(), last_leader=NOBODY) if rule == "cleared" else now


def _recovers(rule: LeaderRecovery, now: Registration, kind: Election, *, recovered: bool) -> bool:
    """Whether the partition is marked as recovering after a change.

    From 3.2 with KRaft (KIP-704) an unclean election marks it (PartitionChangeBuilder.electLeader), that of
    the last known leader too, and the leader's next request for another in-sync set clears it, as a leader
    takes itself for recovered (Partition.makeLeader: "Leader log recovery is not implemented").
    """
    if rule == "marked" and kind in (Election.UNCLEAN, Election.LAST_KNOWN):
        return True
    return now.recovering and not recovered


def may_grow(*, recovering: bool, recovered: bool, members: int) -> bool:
    """Whether a leader may have an in-sync set of so many members (3.2, KIP-704).

    While it recovers, and does not say that it has recovered, it is refused any but itself
    (ReplicationControlManager.validateAlterPartitionData, INVALID_REQUEST). No leader of a release asks so.
    """
    return recovered or not recovering or members <= 1


def raises_epoch(rule: EpochOnShrink, *, leader_changed: bool, removed: bool) -> bool:
    """Whether a change raises the leader epoch.

    It does with every change of leader, also to none. To 3.5 also when a member leaves the in-sync set,
    whoever asked for it; from 3.6 not (KAFKA-15021).
    """
    return leader_changed or (removed and rule == "bumped")


def _elr(
    now: Registration, isr: Sequence[int], min_isr: int, unclean_shutdown: Collection[int]
) -> tuple[int, ...]:
    """The eligible leader replicas beside a new in-sync set: nobody while that reaches min ISR.

    The controller counts min ISR as at most the number of replicas (getTopicEffectiveMinIsr). It comes to the
    same: where all are in sync, nobody is left.
    """
    if len(isr) >= min_isr:
        return ()
    known = (*now.elr, *(member for member in now.isr if member not in now.elr))
    return tuple(one for one in known if one not in isr and one not in unclean_shutdown)


def _leader(wanted: Registration, live: Collection[int], ask: Ask) -> tuple[int, Election]:
    """Who leads, and by which election; the leader that there is stays if it may."""
    in_line = wanted.isr or wanted.elr
    clean = [one for one in wanted.replicas if one in in_line and one in live]
    kind = Election.CLEAN if wanted.isr else Election.ELR
    if ask == "preferred" and wanted.replicas[0] in clean:
        return wanted.replicas[0], Election.PREFERRED if wanted.isr else Election.ELR
    if wanted.leader in clean:
        return wanted.leader, kind
    if clean:
        return clean[0], kind
    if not in_line and wanted.last_leader in live:
        return wanted.last_leader, Election.LAST_KNOWN
    any_live = [one for one in wanted.replicas if one in live]
    if ask == "unclean" and any_live:
        return any_live[0], Election.UNCLEAN
    return NOBODY, Election.UNKNOWN
