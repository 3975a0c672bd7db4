"""Lines of the metadata quorum's voters (KIP-595), from 3.3 on.

The wordings were read in tagged sources (3.3.2, 3.5.2, 3.6.2, 3.7.1, 3.9.0-rc3, 4.0.0, 4.1.1) and in logs of real controllers (4.1, 4.3).
"""

import re
from typing import Final

from core.sim.logs.wording import SERVER, Line

_CLIENT: Final = "org.apache.kafka.raft.KafkaRaftClient"
_INTERNALS: Final = "org.apache.kafka.raft.internals."
_STATE: Final = "org.apache.kafka.raft.QuorumState"
_NODE_3_3: Final = "[RaftManager nodeId={broker}] "
_NODE: Final = "[RaftManager id={broker}] "
_LEADER_WATERMARK: Final = (
    "High watermark set to LogOffsetMetadata(offset={hw}, metadata=Optional.empty) for the first time for epoch "
    "{epoch} based on indexOfHw {index} and voters [{ends}]"
)
_VOTE: Final = (
    "Vote request VoteRequestData(clusterId='{cluster}', topics=[TopicData(topicName='__cluster_metadata', "
    "partitions=[PartitionData(partitionIndex=0, candidateEpoch={epoch}, candidateId={asks}, "
    "lastOffsetEpoch={last_epoch}, lastOffset={leo})])]) with epoch {epoch} is {vote}"
)

_FETCHING: Final = (
    "Fetching snapshot OffsetAndEpoch(offset={to}, epoch={epoch}) from Fetch response from leader {leader}"
)
_FROM_SNAPSHOT: Final = (
    "Fully truncated the log at (LogOffsetMetadata(offset={to}, metadata=Optional[(segmentBaseOffset={to},"
    "relativePositionInSegment=0)]), {epoch}) after downloading snapshot OffsetAndEpoch(offset={to}, epoch={epoch}) "
    "from leader {leader}"
)
_LOG_START: Final = "[UnifiedLog partition=__cluster_metadata-0, dir={dir}] Incremented log start offset to {to} due to snapshot generated"
_PUBLISHER: Final = "org.apache.kafka.image.publisher."

_NOT_FETCHED: Final = "Did not receive fetch request from the majority of the voters within {limit_ms}ms. Current fetched voters are []"


def _as_record(text: str) -> str:
    """How a snapshot is called since OffsetAndEpoch is a record: in 4.1, as real controllers print it."""
    return re.sub(r"OffsetAndEpoch\((offset=\{to\}, epoch=\{epoch\})\)", r"OffsetAndEpoch[\1]", text)


LINES: Final = (
    Line(
        "raft-starting", "3.4", "", SERVER, "INFO", "kafka.server.SharedServer",
        "[SharedServer id={broker}] Starting SharedServer",
    ),
    Line("raft-state", "3.3", "3.5", SERVER, "INFO", _STATE, _NODE_3_3 + "Completed transition to {state}"),
    Line(
        "raft-state", "3.5", "", SERVER, "INFO", _STATE,
        _NODE + "Completed transition to {state} from {state_before}",
    ),
    Line(
        "raft-leader-watermark", "3.3", "3.5", SERVER, "INFO", "org.apache.kafka.raft.LeaderState",
        _NODE_3_3 + _LEADER_WATERMARK,
    ),
    Line(
        "raft-leader-watermark", "3.5", "", SERVER, "INFO", "org.apache.kafka.raft.LeaderState",
        _NODE + _LEADER_WATERMARK,
    ),
    Line(
        "raft-watermark", "3.5", "", SERVER, "INFO", "org.apache.kafka.raft.FollowerState",
        _NODE + "High watermark set to Optional[LogOffsetMetadata(offset={hw}, metadata=Optional.empty)] for the "
        "first time for epoch {epoch}",
    ),
    Line("raft-vote", "3.3", "3.5", SERVER, "INFO", _CLIENT, _NODE_3_3 + _VOTE),
    Line("raft-vote", "3.5", "4.0", SERVER, "INFO", _CLIENT, _NODE + _VOTE),
    Line(
        "raft-vote", "4.0", "", SERVER, "INFO", _CLIENT,
        _NODE + "Vote request VoteRequestData(clusterId='{cluster}', voterId={broker}, topics=[TopicData("
        "topicName='__cluster_metadata', partitions=[PartitionData(partitionIndex=0, replicaEpoch={epoch}, "
        "replicaId={asks}, replicaDirectoryId={asks_directory}, voterDirectoryId=AAAAAAAAAAAAAAAAAAAAAA, "
        "lastOffsetEpoch={last_epoch}, lastOffset={leo}, preVote={pre_vote})])]) with epoch {epoch} is {vote}",
    ),
    Line(
        "raft-cut", "3.3", "3.5", SERVER, "INFO", _CLIENT,
        _NODE_3_3 + "Truncated to offset {to} from Fetch response from leader {leader}",
    ),
    Line(
        "raft-cut", "3.5", "", SERVER, "INFO", _CLIENT,
        _NODE + "Truncated to offset {to} from Fetch response from leader {leader}",
    ),
    # To 3.5 neither is printed (KafkaRaftClient.handleFetchSnapshotResponse).
    Line("raft-fetching-snapshot", "3.6", "4.1", SERVER, "INFO", _CLIENT, _NODE + _FETCHING),
    Line("raft-fetching-snapshot", "4.1", "", SERVER, "INFO", _CLIENT, _NODE + _as_record(_FETCHING)),
    Line("raft-from-snapshot", "3.6", "4.1", SERVER, "INFO", _CLIENT, _NODE + _FROM_SNAPSHOT),
    Line("raft-from-snapshot", "4.1", "", SERVER, "INFO", _CLIENT, _NODE + _as_record(_FROM_SNAPSHOT)),
    Line("raft-log-start", "3.3", "4.1", SERVER, "INFO", "kafka.log.UnifiedLog", _LOG_START),
    Line("raft-log-start", "4.1", "", SERVER, "INFO", "org.apache.kafka.storage.internals.log.UnifiedLog", _LOG_START),
    Line(
        "raft-snapshot", "3.3", "3.4", SERVER, "INFO", "org.apache.kafka.controller.QuorumController",
        "[Controller {broker}] Generating a snapshot that includes (epoch={epoch}, offset={last}) after 20971520 "
        "committed bytes since the last snapshot.",
    ),
    Line(
        "raft-snapshot", "3.4", "", SERVER, "INFO", _PUBLISHER + "SnapshotGenerator",
        "[SnapshotGenerator id={broker}] Creating new KRaft snapshot file snapshot {name} because we have replayed at "
        "least 20971520 bytes.",
    ),
    Line(
        "raft-snapshot-written", "3.4", "", SERVER, "INFO", _PUBLISHER + "SnapshotEmitter",
        "[SnapshotEmitter id={broker}] Successfully wrote snapshot {name}",
    ),
    Line(
        "raft-not-fetched", "3.7", "3.9", SERVER, "INFO", "org.apache.kafka.raft.LeaderState",
        _NODE + _NOT_FETCHED + ".",
    ),
    Line(
        "raft-not-fetched", "4.0", "", SERVER, "INFO", "org.apache.kafka.raft.LeaderState",
        _NODE + _NOT_FETCHED + ", and voters are {keys}",
    ),
    Line(
        "raft-voters", "3.9", "", SERVER, "INFO", _INTERNALS + "KRaftControlRecordStateMachine",
        _NODE + "Latest set of voters is {voters} at offset {offset}",
    ),
    Line(
        "raft-voter-refused", "3.9", "", SERVER, "INFO", _INTERNALS + "AddVoterHandler",
        _NODE + "Aborting add voter operation for {key} at {where} since {why}",
    ),
    Line(
        "raft-no-voter", "3.9", "", SERVER, "INFO", _INTERNALS + "RemoveVoterHandler",
        _NODE + "Leader is not in the committed voter set {keys} resign from epoch {epoch}",
    ),
)  # fmt: skip
