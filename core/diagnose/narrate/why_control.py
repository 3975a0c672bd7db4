"""Why a broker leads, follows, is in sync, runs or does not run."""

from collections.abc import Mapping
from typing import Final, LiteralString

from core.diagnose.narrate.holds import (
    first_deed,
    follows_whom,
    how_they_left,
    leads_on,
    log_end_stays,
    member_leads_next,
    own_set,
    set_before,
    waits_for_followers,
    watermark_reaches_end,
)
from core.diagnose.narrate.rules import eligible_may_lead
from core.diagnose.narrate.scene import EVERY_RELEASE, Explanation, Scene
from core.diagnose.narrate.values import number
from core.history.state import ReplicaState, Role
from core.history.tenures import Tenure
from core.message import Count, Message, Value, message
from core.trace.units import SECOND_NS
from core.trace.vocabulary import Basis, Election

_KINDS: Final[Mapping[Election, tuple[Message, Message | None]]] = {
    Election.FIRST: (message("why.election.first"), message("why.rule.election.first")),
    Election.CLEAN: (message("why.election.clean"), message("why.rule.election.clean")),
    Election.PREFERRED: (message("why.election.preferred"), message("why.rule.election.preferred")),
    Election.CONTROLLED: (message("why.election.controlled"), message("why.rule.election.controlled")),
    Election.UNCLEAN: (message("why.election.unclean"), message("why.rule.election.unclean")),
    Election.ELR: (message("why.election.elr"), message("why.rule.election.elr")),
    Election.LAST_KNOWN: (message("why.election.last-known"), message("why.rule.election.last-known")),
    Election.UNKNOWN: (message("why.election.unknown"), None),
}
"""By election: what it is called, and its rule."""
_SINCE_ELR: Final = (Election.ELR, Election.LAST_KNOWN)


def _tenure_now(scene: Scene) -> Tenure | None:
    """The tenure after the event, or None."""
    place = scene.case.control.tenure_number(scene.after.leader_epoch)
    return None if place is None else scene.case.control.tenures[place]


def elected(scene: Scene) -> Explanation:
    """A leader was elected."""
    row, term = scene.row, _tenure_now(scene)
    if row.leader is None and row.kind == "partition_created":
        return Explanation(message("why.created.title"), (message("why.created"),))
    if row.epoch is None and row.leader != scene.after.leader:
        return _chosen_before_epoch(scene)
    leader = row.leader if row.leader is not None else scene.after.leader
    election = term.election if term is not None and term.leader == leader else Election.UNKNOWN
    if row.aux is not None and row.kind == "leader_elected":
        election = Election(row.aux)
    kind, rule = _KINDS[election]
    who = scene.name(leader)
    epoch = number(row.epoch if row.epoch is not None else scene.after.leader_epoch)
    stated = row.kind == "leader_elected" and row.aux is not None and row.basis is Basis.OBSERVED
    inferred = term is not None and term.basis is Basis.INFERRED and not stated
    first = _leads(scene, who, epoch, kind, leader, inferred=inferred)
    holds = _holds(scene, leader, election)
    return Explanation(
        message("why.elected.title", who=who, epoch=epoch),
        (first,) if holds is None else (first, holds),
        rule,
        None if rule is None else message("why.since.elr") if election in _SINCE_ELR else EVERY_RELEASE,
    )


def _leads(
    scene: Scene, who: Value, epoch: Value, kind: Message, leader: int | None, *, inferred: bool
) -> Message:
    """By which election it leads, and whether it was in sync before."""
    before = set_before(scene)
    if before is None:
        if inferred:
            return message("why.elected.inferred", who=who, epoch=epoch, kind=kind)
        return message("why.elected", who=who, epoch=epoch, kind=kind)
    isr = scene.members(before)
    if leader in before:
        if inferred:
            return message("why.elected.inferred.member", who=who, epoch=epoch, kind=kind, isr=isr)
        return message("why.elected.member", who=who, epoch=epoch, kind=kind, isr=isr)
    if inferred:
        return message("why.elected.inferred.stranger", who=who, epoch=epoch, kind=kind, isr=isr)
    return message("why.elected.stranger", who=who, epoch=epoch, kind=kind, isr=isr)


def _chosen_before_epoch(scene: Scene) -> Explanation:
    """A choice of the controller whose epoch is stated later."""
    row, who = scene.row, scene.name(scene.row.leader)
    return Explanation(
        message("why.chosen.title", who=who),
        (
            message("why.chosen", who=who)
            if row.aux is None
            else message("why.chosen.by", who=who, kind=_KINDS[Election(row.aux)][0]),
        ),
    )


def _holds(scene: Scene, leader: int | None, election: Election) -> Message | None:
    """What the log of a new leader holds, and what that means for the others."""
    state = scene.now(leader)
    if state is None:
        return None
    if state.hw.lo is None and state.hw.hi is None:
        return message("why.elected.log.only", end=number(state.leo))
    if election is Election.FIRST or not log_end_stays(scene, leader):
        return message("why.elected.log.first", end=number(state.leo), hw=number(state.hw))
    return message("why.elected.log", end=number(state.leo), hw=number(state.hw))


def leaderless(scene: Scene) -> Explanation:
    """The partition has no leader."""
    isr = scene.row.isr if scene.row.isr is not None else scene.after.isr
    dead = message("why.leaderless", isr=scene.members(isr)) if isr != () else message("why.leaderless.empty")
    told = (dead,) if leads_on(scene) else (dead, message("why.leaderless.then"))
    if member_leads_next(scene, isr or ()):
        told = (message("why.leaderless.next"),)
    if eligible_may_lead(scene):
        return Explanation(
            message("why.leaderless.title"),
            told,
            message("why.rule.leaderless.eligible"),
            message("why.since.elr"),
        )
    return Explanation(
        message("why.leaderless.title"),
        told,
        message("why.rule.leaderless"),
        message("why.since.leaderless"),
    )


def became_leader(scene: Scene) -> Explanation:
    """A replica took its role as leader."""
    row, who = scene.row, scene.who
    state = scene.now(row.replica)
    epoch = row.epoch if row.epoch is not None else state.epoch if state is not None else None
    leo, hw = (None, None) if state is None else (state.leo, state.hw)
    return Explanation(
        message("why.leads.title", who=who, epoch=number(epoch)),
        (
            message("why.leads", who=who, end=number(leo), hw=number(hw)),
            *((message("why.leads.then"),) if waits_for_followers(scene) else ()),
        ),
        message("why.rule.leads"),
        EVERY_RELEASE,
    )


def became_follower(scene: Scene) -> Explanation:
    """A replica took its role as follower."""
    row, who, leader = scene.row, scene.who, scene.name(follows_whom(scene))
    state = scene.now(row.replica)
    epoch = row.epoch if row.epoch is not None else state.epoch if state is not None else None
    leo, hw = (None, None) if state is None else (state.leo, state.hw)
    return Explanation(
        message("why.follows.title", who=who, leader=leader, epoch=number(epoch)),
        (
            message("why.follows", who=who, end=number(leo), hw=number(hw)),
            *_begins(scene, leader),
        ),
        message("why.rule.follows"),
        EVERY_RELEASE,
    )


def _begins(scene: Scene, leader: Value) -> tuple[Message, ...]:
    """What it does first, as the next rows show it."""
    deed = first_deed(scene)
    if deed in ("epoch_end_asked", "epoch_end_failed"):
        return (message("why.follows.asks", leader=leader),)
    if deed == "truncation_decided":
        return (message("why.follows.cuts"),)
    return () if deed is None else (message("why.follows.fetches", leader=leader),)


_ROLES: Final[Mapping[tuple[bool, bool, bool, bool], LiteralString]] = {
    (False, False, False, False): "why.role",
    (False, False, False, True): "why.role.isr",
    (False, False, True, False): "why.role.leaderless",
    (False, False, True, True): "why.role.leaderless-isr",
    (False, True, False, False): "why.role.leader",
    (False, True, False, True): "why.role.leader-isr",
    (True, False, False, False): "why.role.epoch",
    (True, False, False, True): "why.role.epoch-isr",
    (True, False, True, False): "why.role.epoch-leaderless",
    (True, False, True, True): "why.role.epoch-leaderless-isr",
    (True, True, False, False): "why.role.epoch-leader",
    (True, True, False, True): "why.role.epoch-leader-isr",
}
"""By what a request says: an epoch, a leader, that there is none, an in-sync set."""


def _role(scene: Scene) -> Message:
    """What a request about leader and ISR states of the partition."""
    row = scene.row
    values: dict[str, Value] = {}
    if row.epoch is not None:
        values["epoch"] = row.epoch
    if row.leader is not None and row.leader >= 0:
        values["leader"] = scene.name(row.leader)
    if row.isr is not None:
        values["isr"] = scene.members(row.isr)
    nobody = row.leader is not None and row.leader < 0
    said = _ROLES["epoch" in values, "leader" in values, nobody, "isr" in values]
    return Message(said, tuple(values.items()))


def role_notified(scene: Scene) -> Explanation:
    """The controller's request about leader and ISR reached a broker."""
    row, who = scene.row, scene.who
    if row.kind == "stale_request_ignored":
        return Explanation(
            message("why.stale-request.title", who=who, epoch=number(row.epoch)),
            (message("why.stale-request", who=who),),
            message("why.rule.stale-request"),
            message("why.since.zookeeper"),
        )
    if row.kind in ("leader_and_isr_sent", "metadata_sent"):
        controller = scene.name(row.broker)
        return Explanation(
            message("why.role-sent.title", what=_role(scene)),
            (
                message("why.role-sent.to-all", controller=controller)
                if row.replica is None
                else message("why.role-sent", controller=controller, to=scene.name(row.replica)),
            ),
        )
    return Explanation(
        message("why.role-told.title", who=who, what=_role(scene)), (message("why.role-told", who=who),)
    )


def isr_changed(scene: Scene) -> Explanation:
    """The in-sync set changed, or a change was proposed."""
    row = scene.row
    proposed = row.kind.endswith("_proposed")
    leads = row.leader if row.leader is not None else scene.after.leader
    own = own_set(scene, leads) if proposed else None
    old, new = own or scene.before.isr, row.isr if row.isr is not None else scene.after.isr
    before, after = set(old or ()), set(new or ())
    left, joined = tuple(sorted(before - after)), tuple(sorted(after - before))
    leader = scene.now(leads)
    sentences: list[Message] = []
    outdated = proposed and scene.before.leader is not None and scene.before.leader != leads
    if outdated:
        sentences.append(message("why.isr.outdated", who=scene.who))
    elif left and old is not None:
        sentences.append(_left(scene, left, proposed=proposed))
    if joined and old is not None and not outdated:
        sentences.append(_joined(scene, joined, leader, proposed=proposed))
    if not proposed and leader is not None and after == {leads}:
        straight = watermark_reaches_end(scene, leads)
        sentences.append(message("why.isr.alone") if straight else message("why.isr.only"))
    elif not left and not joined and not outdated:
        sentences.append(message("why.isr.same"))
    isr = scene.members(new)
    return Explanation(
        message("why.isr.proposed.title", who=scene.who, isr=isr)
        if proposed
        else message("why.isr.title", isr=isr),
        tuple(sentences[:3]),
        *_isr_rule(scene, left, joined),
    )


def _isr_rule(
    scene: Scene, left: tuple[int, ...], joined: tuple[int, ...]
) -> tuple[Message | None, Message | None]:
    """By which rule members left or joined, and since when; None where no row shows it."""
    if left:
        how = how_they_left(scene, left)
        if how == "time":
            return message("why.rule.isr.leaves"), message("why.since.isr.leaves")
        if how == "controller":
            return message("why.rule.isr.removed"), EVERY_RELEASE
        return None, None
    if joined:
        return message("why.rule.isr.joins"), message("why.since.isr")
    return None, None


def _left(scene: Scene, brokers: tuple[int, ...], *, proposed: bool) -> Message:
    """The sentences on replicas that leave the in-sync set."""
    who = scene.names(brokers)
    if proposed:
        return message("why.isr.to-leave", count=Count(len(brokers)), who=who)
    how = how_they_left(scene, brokers)
    if how == "time":
        return message("why.isr.left.time", who=who)
    return message("why.isr.left.controller", who=who) if how else message("why.isr.left", who=who)


def _joined(
    scene: Scene, brokers: tuple[int, ...], leader: ReplicaState | None, *, proposed: bool
) -> Message:
    """The sentences on replicas that join the in-sync set."""
    who, count = scene.names(brokers), Count(len(brokers))
    hw = number(leader.hw if leader is not None else None)
    if leader is not None and any(
        broker in brokers and end is not None and end < (leader.hw.lo or 0) for broker, end in leader.remote
    ):
        return message("why.isr.joined.behind", who=who)
    if proposed:
        return message("why.isr.to-join", count=count, who=who, hw=hw)
    return message("why.isr.joined", count=count, who=who, hw=hw)


_HANDS_OVER: Final = message("why.process.hands-over")
PROCESS: Final[Mapping[str, tuple[LiteralString, Message]]] = {
    "broker_starting": ("why.process.starting.title", message("why.process.starting")),
    "broker_started": ("why.process.started.title", message("why.process.started")),
    "broker_registered": ("why.process.registered.title", message("why.process.registered")),
    "broker_fenced": ("why.process.fenced.title", message("why.process.fenced")),
    "broker_unfenced": ("why.process.unfenced.title", message("why.process.unfenced")),
    "shutdown_requested": ("why.process.shutdown-requested.title", _HANDS_OVER),
    "controlled_shutdown_begun": ("why.process.shutdown-begun.title", _HANDS_OVER),
    "controlled_shutdown_ended": (
        "why.process.shutdown-ended.title",
        message("why.process.shutdown-ended"),
    ),
    "broker_exited": ("why.process.exited.title", message("why.process.exited")),
    "unclean_restart_detected": (
        "why.process.unclean-restart.title",
        message("why.process.unclean-restart"),
    ),
    "broker_frozen": ("why.process.frozen.title", message("why.process.frozen")),
    "broker_thawed": ("why.process.thawed.title", message("why.process.thawed")),
    "broker_failure_noticed": (
        "why.process.failure-noticed.title",
        message("why.process.failure-noticed"),
    ),
    "session_expired": ("why.process.session-expired.title", message("why.process.session-expired")),
    "evidence_gap": ("why.process.silent.title", message("why.process.silent")),
    "controller_elected": ("why.process.controller.title", message("why.process.controller")),
    "controller_resigned": ("why.process.resigned.title", message("why.process.resigned")),
}
"""By kind of event: the title and what follows from it."""


def process(scene: Scene) -> Explanation:
    """Something happened to a broker as a whole."""
    row, who = scene.row, scene.who
    title, then = PROCESS[row.kind]
    if row.kind == "evidence_gap" and row.aux is not None:
        return Explanation(
            message("why.process.silent-for.title", who=who, seconds=row.aux // SECOND_NS), (then,)
        )
    return Explanation(message(title, who=who), (then,))


def _stays(scene: Scene, left: ReplicaState) -> Message:
    """What stays of a log after a crash, and of its high watermark.

    From 2.4 a high watermark is not loaded below the log start (apache/kafka PR 7055).
    """
    view, end = scene.case.view, number(left.leo)
    if left.log_start.hi == 0 or view.before(left.broker, 2, 4, at=scene.row.seq):
        return message("why.crashed.log", end=end)
    if view.since(left.broker, 2, 4, at=scene.row.seq):
        return message("why.crashed.log.start", end=end)
    return message("why.crashed.log.only", end=end)


def stopped(scene: Scene) -> Explanation:
    """A broker went down."""
    row, who = scene.row, scene.who
    was = scene.was(row.replica)
    clean = row.kind == "broker_stopped"
    sentences = [message("why.stopped", who=who) if clean else message("why.crashed", who=who)]
    if was is not None:
        left = scene.now(row.replica) or was
        end = number(left.leo)
        sentences.append(message("why.stopped.log", end=end) if clean else _stays(scene, left))
        if was.role is Role.LEADER and scene.after.leader in (row.replica, -1):
            sentences.append(message("why.stopped.led"))
    return Explanation(
        message("why.stopped.title", who=who) if clean else message("why.crashed.title", who=who),
        tuple(sentences),
        message("why.rule.stopped"),
        EVERY_RELEASE,
    )
