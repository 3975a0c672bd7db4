"""Lines of the metadata quorum (KIP-595): roles and epochs of its members, votes, high watermarks, cuts.

`__cluster_metadata-0` is a partition with rules of its own: no in-sync set, a leader by votes, a high watermark
by majority. From QuorumState, LeaderState, FollowerState and KafkaRaftClient (2.8 to 4.3).
"""

import re
from typing import Final

from core.trace.ids import METADATA_TOPIC
from core.trace.vocabulary import Basis, QuorumRole, VoterRefusal
from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import each, group, whole

QUORUM: Final = (METADATA_TOPIC, 0)
_MANAGER: Final = r"\[RaftManager (?:nodeI|i)d=(?P<broker>\d+)\] "
_ENTERS: Final = rf"{_MANAGER}Completed transition to "
_OFFSET: Final = r"LogOffsetMetadata\(offset=(?P<hw>\d++)"
_VOTER: Final = re.compile(
    r"ReplicaState\((?:nodeId=|replicaKey=ReplicaKey\(id=)(\d++)(?:, directoryId=[^,]*+)?, "
    r"endOffset=Optional\[LogOffsetMetadata\(offset=(\d++)"
)
"""A voter, and how far the leader knows its log; one that has not fetched yet has `Optional.empty`."""
_KEY: Final = re.compile(r"voterKey=ReplicaKey\(id=(\d++)")
"""A voter in a set of voters (KIP-853)."""
_ROLES: Final = {
    "Unattached": QuorumRole.UNATTACHED,
    "Voted": QuorumRole.VOTED,
    "Prospective": QuorumRole.PROSPECTIVE,
    "Candidate": QuorumRole.CANDIDATE,
    "Resigned": QuorumRole.RESIGNED,
}


def _starting(message: Message) -> Reading:
    """Before broker and controller, and whichever of them the node has."""
    return Reading((Said("quorum_member_starting", QUORUM, broker=message.number("broker")),))


def _stopped(message: Message) -> Reading:
    return Reading((Said("quorum_member_stopped", QUORUM, broker=message.number("broker")),))


def _leads(message: Message) -> Reading:
    """It begins at the end of its log, and writes a record of its own epoch there."""
    broker = message.number("broker")
    said = Said(
        "became_leader",
        QUORUM,
        broker=broker,
        leader=broker,
        epoch=message.number("epoch"),
        leo=message.number("leo"),
    )
    return Reading((said,))


def _follows(message: Message) -> Reading:
    said = Said(
        "became_follower",
        QUORUM,
        broker=message.number("broker"),
        leader=group(message.match, "leader", "leader_o"),
        epoch=message.number("epoch"),
    )
    return Reading((said,))


def _seeks(message: Message) -> Reading:
    said = Said(
        "quorum_role_changed",
        QUORUM,
        broker=message.number("broker"),
        epoch=message.number("epoch"),
        aux=_ROLES[message["role"]],
    )
    return Reading((said,))


def _leader_watermark(message: Message) -> Reading:
    broker = message.number("broker")
    said = [Said("hw_sample", QUORUM, broker=broker, hw=message.number("hw"))]
    for one in each(_VOTER, message["voters"]):
        voter, leo = whole(one[1]), whole(one[2])
        if voter != broker:
            said.append(
                Said("follower_leo_recorded", QUORUM, broker=broker, replica=voter, leader=broker, leo=leo)
            )
    return Reading(tuple(said))


def _watermark(message: Message) -> Reading:
    said = Said("hw_sample", QUORUM, broker=message.number("broker"), hw=message.number("hw"))
    return Reading((said,))


def _voted(message: Message) -> Reading:
    """What a voter answers; and how far the log of the one who asks went when he asked: he may lead by now."""
    voter, asks = message.number("broker"), message.number("replica")
    granted = message["vote"] == "granted"
    before = message.match.groupdict().get("before") == "true"
    answer = Said(
        "vote_answered",
        QUORUM,
        broker=voter,
        leader=asks,
        epoch=message.number("epoch"),
        aux=granted + 2 * before,
    )
    log = Said(
        "leo_sample",
        QUORUM,
        broker=voter,
        replica=asks,
        leo=message.number("leo"),
        at_least=("leo",),
        basis=Basis.REPORTED,
    )
    return Reading((answer, log))


def _cut(message: Message) -> Reading:
    return Reading((Said("truncated", QUORUM, broker=message.number("broker"), offset=message.number("to")),))


def _voters(message: Message) -> Reading:
    """Who votes, by the last record of that in a node's log, committed or not (KIP-853). Brokers say it, too."""
    said = Said(
        "voters_changed",
        QUORUM,
        broker=message.number("broker"),
        offset=message.number("offset"),
        isr=tuple(whole(one[1]) for one in each(_KEY, message["voters"])),
    )
    return Reading((said,))


def _voter_refused(message: Message) -> Reading:
    """The leader adds no voter. What else it refuses it only answers, and does not print."""
    lags = message["why"].startswith("it is lagging")
    said = Said(
        "voter_change_refused",
        QUORUM,
        broker=message.number("broker"),
        replica=message.number("replica"),
        aux=VoterRefusal.LAGGING if lags else VoterRefusal.UNREACHABLE,
    )
    return Reading((said,))


def _from_snapshot(message: Message) -> Reading:
    """KIP-630: the log is dropped whole, and begins where the snapshot ends."""
    said = Said("log_reset", QUORUM, broker=message.number("broker"), offset=message.number("to"))
    return Reading((said,))


RAFT_RULES = (
    LineRule(
        "raft-starting",
        "3.4",
        "",
        r"\[SharedServer id=(?P<broker>\d+)\] Starting SharedServer",
        ("[SharedServer id=1] Starting SharedServer",),
        _starting,
    ),
    LineRule(
        "raft-stopped",
        "3.9",
        "",
        rf"{_MANAGER}Completed graceful shutdown of RaftClient",
        ("[RaftManager id=102] Completed graceful shutdown of RaftClient",),
        _stopped,
    ),
    LineRule(
        "raft-stopped-to-3.8",
        "2.8",
        "3.8",
        # The line of its thread, "Completed graceful shutdown of RaftClient", does not name the node.
        r"\[RaftManager nodeId=(?P<broker>\d+)\] Graceful shutdown completed",
        ("[RaftManager nodeId=3] Graceful shutdown completed",),
        _stopped,
    ),
    LineRule(
        "raft-leads",
        "2.8",
        "",
        rf"{_ENTERS}Leader\((?>.{{0,500}}?, epoch=)(?P<epoch>\d+), epochStartOffset=(?P<leo>\d+)[,)].*",
        (
            "[RaftManager id=1] Completed transition to Leader(localId=1, epoch=1, epochStartOffset=0, "
            "highWatermark=Optional.empty, voterStates={1=ReplicaState(nodeId=1, endOffset=Optional.empty, "
            "lastFetchTimestamp=-1, lastCaughtUpTimestamp=-1, hasAcknowledgedLeader=true)}) from CandidateState("
            "localId=1, epoch=1, retries=1)",
            "[RaftManager id=3] Completed transition to Leader(localVoterNode=VoterNode(voterKey=ReplicaKey(id=3, "
            "directoryId=VZB0gZ_jQQDl8AuXZuwgVw)), epoch=2, epochStartOffset=32, highWatermark=Optional.empty, "
            "voterStates={}) from CandidateState(localId=3, epoch=2)",
        ),
        _leads,
    ),
    LineRule(
        "raft-follows",
        "2.8",
        "",
        # In 3.8 the leader is `host:port (id: 1 rack: null)`, and no comma follows.
        rf"{_ENTERS}FollowerState\(fetchTimeoutMs=\d+, epoch=(?P<epoch>\d+), "
        r"leader(?:Id)?=(?:(?P<leader>\d+),|\S{1,300} \(id: (?P<leader_o>\d+) rack: ).*",
        (
            "[RaftManager nodeId=1] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=1, leaderId=2, "
            "voters=[1, 2, 3])",
            "[RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=2, leader=3, "
            "leaderEndpoints=Endpoints(endpoints={ListenerName(CONTROLLER)=127.0.0.1/<unresolved>:29190}), "
            "votedKey=Optional.empty, voters=[1, 2, 3], highWatermark=Optional.empty, fetchingSnapshot=Optional.empty) "
            "from FollowerState(fetchTimeoutMs=2000, epoch=1, leader=2)",
            "[RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=2, "
            "leader=127.0.0.1:29190 (id: 3 rack: null) voters=[1, 2, 3], highWatermark=Optional.empty, "
            "fetchingSnapshot=Optional.empty) from Unattached(epoch=2, voters=[1, 2, 3], electionTimeoutMs=1070)",
        ),
        _follows,
    ),
    LineRule(
        "raft-seeks",
        "2.8",
        "",
        rf"{_ENTERS}(?P<role>Unattached|Voted|Prospective|Candidate|Resigned)(?:State)?\((?>(?:.{{0,500}}?[ ,(])??epoch=)"
        r"(?P<epoch>\d+)[,)].*",
        (
            "[RaftManager id=1] Completed transition to UnattachedState(epoch=0, leaderId=OptionalInt.empty, "
            "votedKey=Optional.empty, voters=[1, 2, 3], electionTimeoutMs=1124, highWatermark=Optional.empty) from null",
            "[RaftManager id=1] Completed transition to Voted(epoch=2, votedId=3, voters=[1, 2, 3], "
            "electionTimeoutMs=1376) from Unattached(epoch=2, voters=[1, 2, 3], electionTimeoutMs=1070)",
            "[RaftManager id=2] Completed transition to ProspectiveState(epoch=0, leaderId=OptionalInt.empty, "
            "votedKey=Optional.empty) from UnattachedState(epoch=0, leaderId=OptionalInt.empty)",
            "[RaftManager id=100] Completed transition to CandidateState(localId=100, "
            "localDirectoryId=IsbxPwu3fjcuvsbrbSMg_A,epoch=1, retries=1) from Unattached(epoch=0, votedKey=null)",
            "[RaftManager id=2] Completed transition to ResignedState(localId=2, epoch=1, voters=[1, 2, 3], "
            "electionTimeoutMs=1346, unackedVoters=[1, 3], preferredSuccessors=[]) from null",
        ),
        _seeks,
    ),
    LineRule(
        "raft-leader-watermark",
        "3.0",
        "",
        rf"{_MANAGER}High watermark set to {_OFFSET}(?>.{{0,500}}? based on indexOfHw )\d+ and voters (?P<voters>.*)",
        (
            "[RaftManager id=3] High watermark set to LogOffsetMetadata(offset=33, metadata=Optional[(segmentBaseOffset=0,"
            "relativePositionInSegment=3424)]) for the first time for epoch 2 based on indexOfHw 1 and voters [ReplicaState("
            "replicaKey=ReplicaKey(id=2, directoryId=<undefined>), endOffset=Optional[LogOffsetMetadata(offset=33, "
            "metadata=Optional[(segmentBaseOffset=0,relativePositionInSegment=3424)])], "
            "lastFetchTimestamp=1795231745692, lastCaughtUpTimestamp=1795231745692, hasAcknowledgedLeader=true), "
            "ReplicaState(replicaKey=ReplicaKey(id=3, directoryId=<undefined>), endOffset=Optional[LogOffsetMetadata("
            "offset=33, metadata=Optional[(segmentBaseOffset=0,relativePositionInSegment=3424)])], "
            "lastFetchTimestamp=-1, lastCaughtUpTimestamp=-1, hasAcknowledgedLeader=true), ReplicaState("
            "replicaKey=ReplicaKey(id=1, directoryId=<undefined>), endOffset=Optional.empty, lastFetchTimestamp=-1, "
            "lastCaughtUpTimestamp=-1, hasAcknowledgedLeader=false)]",
            "[RaftManager nodeId=1] High watermark set to LogOffsetMetadata(offset=3, metadata=Optional.empty) based on "
            "indexOfHw 1 and voters [ReplicaState(nodeId=2, endOffset=Optional[LogOffsetMetadata(offset=3, "
            "metadata=Optional.empty)], lastFetchTimestamp=OptionalLong[5], hasAcknowledgedLeader=true)]",
        ),
        _leader_watermark,
    ),
    LineRule(
        "raft-watermark",
        "3.4",
        "",
        rf"{_MANAGER}High watermark set to (?:Optional\[)?{_OFFSET}(?>.{{0,500}}? for epoch )\d+",
        (
            "[RaftManager id=1] High watermark set to Optional[LogOffsetMetadata(offset=9, metadata=Optional.empty)] for "
            "the first time for epoch 1",
        ),
        _watermark,
    ),
    LineRule(
        "raft-vote",
        "2.8",
        "",
        rf"{_MANAGER}Vote request VoteRequestData\((?>.{{0,500}}?(?:candidateEpoch|replicaEpoch)=)(?P<epoch>\d+), "
        r"(?:candidateId|replicaId)=(?P<replica>\d+), (?>.{0,200}?lastOffset=)(?P<leo>\d+)"
        r"(?:, preVote=(?P<before>true|false))?[)\]]*(?: with epoch \d+)? is (?P<vote>granted|rejected)",
        (
            "[RaftManager id=2] Vote request VoteRequestData(clusterId='uq00AzObRuC3lZ46spn0SQ', voterId=2, "
            "topics=[TopicData(topicName='__cluster_metadata', partitions=[PartitionData(partitionIndex=0, "
            "replicaEpoch=1, replicaId=3, replicaDirectoryId=VZB0gZ_jQQDl8AuXZuwgVw, "
            "voterDirectoryId=_6UHM-9X_g61vm65uGXegA, lastOffsetEpoch=1, lastOffset=32, preVote=true)])]) with epoch 1 "
            "is granted",
            "[RaftManager id=1] Vote request VoteRequestData(clusterId='5K2x3xTSrS2xeFGVVB_wg', "
            "topics=[TopicData(topicName='__cluster_metadata', partitions=[PartitionData(partitionIndex=0, "
            "candidateEpoch=4, candidateId=2, lastOffsetEpoch=3, lastOffset=120)])]) with epoch 4 is rejected",
        ),
        _voted,
    ),
    LineRule(
        "raft-cut",
        "2.8",
        "",
        rf"{_MANAGER}Truncated to offset (?P<to>\d+) from Fetch response from leader .*",
        ("[RaftManager id=1] Truncated to offset 120 from Fetch response from leader 100",),
        _cut,
    ),
    LineRule(
        "raft-voters",
        "3.9",
        "",
        rf"{_MANAGER}Latest set of voters is VoterSet\(voters=\{{(?P<voters>.*)\}}\) at offset (?P<offset>-?\d+)",
        (
            "[RaftManager id=3] Latest set of voters is VoterSet(voters={100=VoterNode(voterKey=ReplicaKey(id=100, "
            "directoryId=BOAobdvNRWa0gJ2X8ZjhyQ), listeners=Endpoints(endpoints={ListenerName(CONTROLLER)="
            "127.0.0.1/<unresolved>:29192}), supportedKRaftVersion=SupportedVersionRange[min_version:0, "
            "max_version:1])}) at offset 2",
            # From the source: more than one voter.
            "[RaftManager id=1] Latest set of voters is VoterSet(voters={1=VoterNode(voterKey=ReplicaKey(id=1, "
            "directoryId=VZB0gZ_jQQDl8AuXZuwgVw), listeners=Endpoints(endpoints={ListenerName(CONTROLLER)="
            "127.0.0.1/<unresolved>:19093}), supportedKRaftVersion=SupportedVersionRange[min_version:0, "
            "max_version:1]), 3=VoterNode(voterKey=ReplicaKey(id=3, directoryId=_6UHM-9X_g61vm65uGXegA), "
            "listeners=Endpoints(endpoints={ListenerName(CONTROLLER)=127.0.0.1/<unresolved>:19095}), "
            "supportedKRaftVersion=SupportedVersionRange[min_version:0, max_version:1])}) at offset 57",
        ),
        _voters,
    ),
    LineRule(
        "raft-voter-refused",
        "3.9",
        "",
        rf"{_MANAGER}Aborting add voter operation for ReplicaKey\(id=(?P<replica>\d+), directoryId=[^)]*\) at "
        r"Endpoints\((?>.{0,500}?\) since )(?P<why>it is lagging behind: .*|API_VERSIONS returned an error .*)",
        (
            "[RaftManager id=1] Aborting add voter operation for ReplicaKey(id=4, directoryId=VZB0gZ_jQQDl8AuXZuwgVw) "
            "at Endpoints(endpoints={ListenerName(CONTROLLER)=127.0.0.1/<unresolved>:19096}) since it is lagging "
            "behind: Optional.empty",
            "[RaftManager id=1] Aborting add voter operation for ReplicaKey(id=4, directoryId=VZB0gZ_jQQDl8AuXZuwgVw) "
            "at Endpoints(endpoints={ListenerName(CONTROLLER)=127.0.0.1/<unresolved>:19096}) since API_VERSIONS "
            "returned an error BROKER_NOT_AVAILABLE",
        ),
        _voter_refused,
    ),
    LineRule(
        "raft-from-snapshot",
        "3.5",
        "",
        rf"{_MANAGER}Fully truncated the log at \((?>.{{0,200}}?\), )\d+\) after downloading snapshot "
        r"OffsetAndEpoch[\[(]offset=(?P<to>\d+), epoch=\d+[\])] from leader .*",
        (
            "[RaftManager id=3] Fully truncated the log at (LogOffsetMetadata(offset=158, metadata=Optional[("
            "segmentBaseOffset=158,relativePositionInSegment=0)]), 1) after downloading snapshot OffsetAndEpoch["
            "offset=158, epoch=1] from leader 101",
        ),
        _from_snapshot,
    ),
)
