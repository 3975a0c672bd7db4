"""The states of voters as they print them: the texts of LeaderState, FollowerState and the others."""

from typing import Final

from core.sim.logs.names import directory_id
from core.sim.logs.quorum_book import NO_NODE, Member, QuorumBook
from core.sim.logs.scribe import Scribe, port
from core.sim.logs.wording import numbers
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import QuorumRole

_TIMEOUT: Final = "electionTimeoutMs=1000"
"""A real election timeout is random, between this and twice as much."""
_UNSET: Final = "highWatermark=Optional.empty"


def leader(scribe: Scribe, book: QuorumBook, node: int, start: int) -> str:
    """One that leads from the end of its log on."""
    voters = ", ".join(f"{one}={replica(scribe, one, None, node)}" for one in book.members[node].voters)
    who = f"localId={node}"
    if _later(scribe):
        who = (
            f"localVoterNode=VoterNode(voterKey={key(node)}, listeners={endpoints(node)}, "
            "supportedKRaftVersion=SupportedVersionRange[min_version:0, max_version:1])"
        )
    return (
        f"Leader({who}, epoch={book.members[node].epoch}, epochStartOffset={start}, {_UNSET}, "
        f"voterStates={{{voters}}})"
    )


def follower(scribe: Scribe, book: QuorumBook, node: int) -> str:
    """One that knows who leads."""
    member = book.members[node]
    voters = _voters(member)
    timeout = book.plan.fetch_timeout_ns // MILLISECOND_NS
    head = f"FollowerState(fetchTimeoutMs={timeout}, epoch={member.epoch}"
    tail = f"voters={voters}, {_UNSET}, fetchingSnapshot=Optional.empty)"
    if not _later(scribe):
        return f"{head}, leaderId={member.leader}, {tail}"
    where = f"leaderEndpoints={endpoints(member.leader)}"
    return f"{head}, leader={member.leader}, {where}, votedKey={_voted(member)}, {tail}"


def seeking(scribe: Scribe, book: QuorumBook, node: int, role: QuorumRole) -> str:
    """One that is without a leader."""
    member = book.members[node]
    voters = _voters(member)
    match role:
        case QuorumRole.VOTED:
            return f"Voted(epoch={member.epoch}, votedId={member.voted}, voters={voters}, {_TIMEOUT})"
        case QuorumRole.CANDIDATE:
            return _candidate(scribe, book, node)
        case QuorumRole.PROSPECTIVE:
            known = f"OptionalInt[{member.leader}]" if member.leader != NO_NODE else "OptionalInt.empty"
            return (
                f"ProspectiveState(epoch={member.epoch}, leaderId={known}, votedKey={_voted(member)}, "
                f"{_election(book, node)}, {_TIMEOUT}, {_UNSET})"
            )
        case QuorumRole.RESIGNED:
            others = [one for one in member.voters if one != node]
            return (
                f"ResignedState(localId={node}, epoch={member.epoch}, voters={voters}, {_TIMEOUT}, "
                f"unackedVoters={others}, preferredSuccessors={[] if member.state == 'null' else others})"
            )
        case QuorumRole.UNATTACHED:
            if not _later(scribe):
                return f"Unattached(epoch={member.epoch}, voters={voters}, {_TIMEOUT})"
            return (
                f"UnattachedState(epoch={member.epoch}, leaderId=OptionalInt.empty, "
                f"votedKey={_voted(member)}, voters={voters}, {_TIMEOUT}, {_UNSET})"
            )


def _candidate(scribe: Scribe, book: QuorumBook, node: int) -> str:
    epoch = book.members[node].epoch
    if _later(scribe):
        return (
            f"CandidateState(localId={node}, localDirectoryId={directory_id(node)}, epoch={epoch}, "
            f"{_election(book, node)}, {_UNSET}, {_TIMEOUT})"
        )
    votes = ", ".join(f"{one}={_vote(one, node)}" for one in book.members[node].voters)
    known = f", voteStates={{{votes}}}, {_UNSET}" if numbers(scribe.release) >= (3, 5) else ""
    return f"CandidateState(localId={node}, epoch={epoch}, retries=1{known}, {_TIMEOUT})"


def replica(scribe: Scribe, node: int, end: int | None, leader_id: int) -> str:
    """How a leader prints what it knows of a voter."""
    named = f"nodeId={node}"
    if _later(scribe):
        named = f"replicaKey=ReplicaKey(id={node}, directoryId=<undefined>)"
    known = "Optional.empty"
    if end is not None:
        known = f"Optional[LogOffsetMetadata(offset={end}, metadata=Optional.empty)]"
    now = (scribe.origin + scribe.at) // MILLISECOND_NS
    at = -1 if end is None or node == leader_id else now
    heard = "true" if node == leader_id or end is not None else "false"
    return (
        f"ReplicaState({named}, endOffset={known}, lastFetchTimestamp={at}, lastCaughtUpTimestamp={at}, "
        f"hasAcknowledgedLeader={heard})"
    )


def _later(scribe: Scribe) -> bool:
    """Since 3.9 voters have directories (KIP-853), since 4.0 they ask before (KIP-996)."""
    return numbers(scribe.release) >= (4, 0)


def _voters(member: Member) -> str:
    return f"[{', '.join(str(one) for one in member.voters)}]"


def voter_set(member: Member) -> str:
    """A set of voters, as nodes print it (VoterSet.toString, 3.9)."""
    told = ", ".join(
        f"{one}=VoterNode(voterKey={key(one)}, listeners={endpoints(one)}, "
        "supportedKRaftVersion=SupportedVersionRange[min_version:0, max_version:1])"
        for one in member.voters
    )
    return f"VoterSet(voters={{{told}}})"


def key(node: int) -> str:
    """A controller with its directory."""
    return f"ReplicaKey(id={node}, directoryId={directory_id(node)})"


def _voted(member: Member) -> str:
    return "Optional.empty" if member.voted == NO_NODE else f"Optional[{key(member.voted)}]"


def endpoints(node: int) -> str:
    """Where a controller listens."""
    return f"Endpoints(endpoints={{ListenerName(CONTROLLER)=127.0.0.1/<unresolved>:{port(node)}}})"


def _vote(one: int, node: int) -> str:
    return "GRANTED" if one == node else "UNRECORDED"


def _election(book: QuorumBook, node: int) -> str:
    states = ", ".join(
        f"{one}=VoterState(replicaKey=ReplicaKey(id={one}, directoryId=<undefined>), "
        f"state={_vote(one, node)})"
        for one in book.members[node].voters
    )
    return f"epochElection=EpochElection(voterStates={{{states}}})"
