"""Why the log of the metadata quorum has a row: roles, votes, records, high watermarks (KIP-595)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, LiteralString

from core.diagnose.narrate.scene import Explanation, Scene
from core.diagnose.narrate.values import number
from core.diagnose.narrate.why_control import process
from core.diagnose.narrate.why_cuts import CUT_RULES, decided, not_truncated, truncated
from core.diagnose.narrate.why_fetches import asked
from core.history.state import Role
from core.message import Count, Message, message
from core.trace.vocabulary import CutReason, QuorumRole, VoterRefusal

_SINCE: Final = message("why.since.quorum")
_LEADER_RULE: Final = message("why.rule.quorum.leader")
_FOLLOWS_RULE: Final = message("why.rule.quorum.follows")
_PARTED: Final = (CUT_RULES["diverging-epoch"][0], message("why.rule.fetch-diverged"))
"""The rules of other partitions by which a fetch is answered where the logs part."""
_ROLES: Final[Mapping[QuorumRole, LiteralString]] = {
    QuorumRole.UNATTACHED: "why.quorum.unattached",
    QuorumRole.VOTED: "why.quorum.voted",
    QuorumRole.PROSPECTIVE: "why.quorum.prospective",
    QuorumRole.CANDIDATE: "why.quorum.candidate",
    QuorumRole.RESIGNED: "why.quorum.resigned",
}
_VOTES: Final[tuple[LiteralString, ...]] = (
    "why.quorum.vote.refused.title",
    "why.quorum.vote.granted.title",
    "why.quorum.vote.would-refuse.title",
    "why.quorum.vote.would-grant.title",
)
"""By what `aux` of vote_answered has."""
_BEFORE: Final = 2
_VOTERS_RULE: Final = message("why.rule.quorum.voters")
_VOTERS_SINCE: Final = message("why.since.quorum.voters")
_SNAPSHOT_RULE: Final = message("why.rule.quorum.snapshot")
_SNAPSHOT_SINCE: Final = message("why.since.quorum.snapshot")
_REFUSED: Final[Mapping[VoterRefusal, LiteralString]] = {
    VoterRefusal.UNSUPPORTED: "why.quorum.refused.unsupported",
    VoterRefusal.PENDING: "why.quorum.refused.pending",
    VoterRefusal.ALREADY: "why.quorum.refused.already",
    VoterRefusal.NONE_SUCH: "why.quorum.refused.none-such",
    VoterRefusal.UNREACHABLE: "why.quorum.refused.unreachable",
    VoterRefusal.LAGGING: "why.quorum.refused.lagging",
}


def _leads(scene: Scene) -> Explanation:
    """A member leads, as its own line or its first record says."""
    row = scene.row
    who = scene.name(row.leader)
    told = (
        message("why.quorum.begins", end=number(row.leo))
        if row.leo is not None
        else message("why.quorum.elected", who=who)
    )
    title = message("why.quorum.leads.title", who=who, epoch=number(row.epoch))
    return Explanation(title, (told,), _LEADER_RULE, _SINCE)


def _follows(scene: Scene) -> Explanation:
    """A member follows the leader that it was told of."""
    leader = scene.leader
    return Explanation(
        message("why.quorum.follows.title", who=scene.who, leader=leader, epoch=number(scene.row.epoch)),
        (message("why.quorum.follows", leader=leader),),
        _FOLLOWS_RULE,
        _SINCE,
    )


def _where_logs_part(tell: Callable[[Scene], Explanation]) -> Callable[[Scene], Explanation]:
    """A cut, or the answer before it, told as on every partition, by the rule of the quorum (KIP-595)."""

    def told(scene: Scene) -> Explanation:
        found = tell(scene)
        return replace(found, rule=_FOLLOWS_RULE, since=_SINCE) if found.rule in _PARTED else found

    return told


def _seeks(scene: Scene) -> Explanation:
    """A member knows no leader in its epoch."""
    role = QuorumRole(scene.row.aux or QuorumRole.UNATTACHED)
    return Explanation(
        message("why.quorum.seeks.title", who=scene.who, epoch=number(scene.row.epoch)),
        (message(_ROLES[role]),),
        message("why.rule.quorum.pre-vote") if role is QuorumRole.PROSPECTIVE else _LEADER_RULE,
        message("why.since.quorum.pre-vote") if role is QuorumRole.PROSPECTIVE else _SINCE,
    )


def _voted(scene: Scene) -> Explanation:
    """A member answers one that asks for its vote, or that asks whether it would get it."""
    answer = scene.row.aux or 0
    before = answer >= _BEFORE
    return Explanation(
        message(_VOTES[answer], who=scene.who, leader=scene.leader, epoch=number(scene.row.epoch)),
        (
            message("why.quorum.vote.granted", leader=scene.leader)
            if answer % _BEFORE
            else message("why.quorum.vote.refused", leader=scene.leader),
        ),
        message("why.rule.quorum.pre-vote") if before else _LEADER_RULE,
        message("why.since.quorum.pre-vote") if before else _SINCE,
    )


def _voters(scene: Scene) -> Explanation:
    """A member has a record of who votes; the record itself names nobody who read it."""
    row = scene.row
    voters = scene.members(row.isr)
    title = (
        message("why.quorum.voters.record.title", voters=voters)
        if row.replica is None
        else message("why.quorum.voters.title", who=scene.who, voters=voters)
    )
    return Explanation(
        title, (message("why.quorum.voters", count=Count(len(row.isr or ()))),), _VOTERS_RULE, _VOTERS_SINCE
    )


def _refused(scene: Scene) -> Explanation:
    """The leader adds or removes no voter."""
    return Explanation(
        message("why.quorum.refused.title", who=scene.who),
        (message(_REFUSED[VoterRefusal(scene.row.aux or VoterRefusal.PENDING)]),),
        _VOTERS_RULE,
        _VOTERS_SINCE,
    )


def _snapshot(scene: Scene) -> Explanation:
    """A member has written a snapshot."""
    row = scene.row
    title = message("why.quorum.snapshot.title", who=scene.who, end=number(row.offset))
    told = message("why.quorum.snapshot", epoch=number(row.epoch))
    return Explanation(title, (told,), _SNAPSHOT_RULE, _SNAPSHOT_SINCE)


def _anew(scene: Scene) -> Explanation:
    """A member has dropped its log, for a snapshot or with its disk."""
    row, who, to = scene.row, scene.who, number(scene.row.offset)
    if row.aux == CutReason.RECOVERY:
        return truncated(scene)
    did = () if row.from_offset is None else (message("why.reset", who=who, start=row.from_offset, to=to),)
    why = message("why.quorum.from-snapshot", to=to)
    return Explanation(
        message("why.reset.title", who=who, to=to), (*did, why), _SNAPSHOT_RULE, _SNAPSHOT_SINCE
    )


def _starting(scene: Scene) -> Explanation:
    title = message("why.quorum.starting.title", who=scene.who)
    return Explanation(title, (message("why.quorum.starting"),))


def _up(scene: Scene) -> Explanation:
    """A process has started. A controller of a simulation is none of a broker, which is told of its roles."""
    if not scene.case.view.exact:
        return process(scene)
    return Explanation(message("why.process.started.title", who=scene.who), ())


def _stopped(scene: Scene) -> Explanation:
    title = message("why.quorum.stopped.title", who=scene.who)
    return Explanation(title, (message("why.quorum.stopped"),))


def _appended(scene: Scene) -> Explanation:
    """The leader wrote records, or a follower copied them."""
    row, who = scene.row, scene.who
    what = scene.records(row.replica, row.from_offset, row.offset)
    return Explanation(
        message("why.appended.title", who=who, what=what),
        (message("why.appended.end.only", end=number(row.leo)),),
        message("why.rule.quorum.appended"),
        _SINCE,
    )


def _watermark(scene: Scene) -> Explanation:
    """How far a member knows the log to be committed."""
    row = scene.row
    now = scene.now(row.replica)
    leads = now is not None and now.role is Role.LEADER
    told: Message = (
        message("why.quorum.watermark.leader", hw=number(row.hw))
        if leads
        else message("why.quorum.watermark.follower")
    )
    title = message("why.watermark.is.title", who=scene.who, hw=number(row.hw))
    return Explanation(title, (told,), message("why.rule.quorum.watermark"), _SINCE)


OF_QUORUM: Final[Mapping[str, Callable[[Scene], Explanation]]] = {
    "leader_elected": _leads,
    "became_leader": _leads,
    "became_follower": _follows,
    "quorum_role_changed": _seeks,
    "vote_answered": _voted,
    "voters_changed": _voters,
    "voter_change_refused": _refused,
    "snapshot_written": _snapshot,
    "log_reset": _anew,
    "quorum_member_starting": _starting,
    "broker_started": _up,
    "quorum_member_stopped": _stopped,
    "appended": _appended,
    "hw_sample": _watermark,
    "hw_moved": _watermark,
    "fetch_diverged": _where_logs_part(asked),
    "truncation_decided": _where_logs_part(decided),
    "truncation_not_needed": _where_logs_part(not_truncated),
    "truncation_noop": _where_logs_part(not_truncated),
    "truncated": _where_logs_part(truncated),
}
"""Who tells which kind of event of the quorum's log; the others are as on every partition."""
