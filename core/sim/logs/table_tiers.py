"""Lines of tiered storage (KIP-405), read in the sources of 3.6.2, 3.7.1, 3.8.0, 3.9.0, 4.0.0 and 4.1.1."""

from typing import Final

from core.sim.logs.wording import FETCHER, FETCHER_1, SERVER, Line

_TASK: Final = "[RemoteLogManager={broker} partition={topic_id}:{tp}] "
_COPYING: Final = _TASK + "Copying {segment} to remote storage."
_COPIED: Final = (
    _TASK + "Copied {segment} to remote storage with segment-id: RemoteLogSegmentId{{topicIdPartition="
    "{topic_id}:{tp}, id={segment_id}}}"
)
_TASK_3: Final = "kafka.log.remote.RemoteLogManager$RLMTask"
_TASK_39: Final = "kafka.log.remote.RemoteLogManager$RLMCopyTask"
_TASK_41: Final = "org.apache.kafka.server.log.remote.storage.RemoteLogManager$RLMCopyTask"
_MOVED: Final = "[UnifiedLog partition={tp}, dir={dir}] Incremented local log start offset to {to} due to reason segment deletion"
_MISSING: Final = (
    "org.apache.kafka.server.log.remote.storage.RemoteStorageException: Couldn't build the state from remote store for "
    "partition: {tp}, currentLeaderEpoch: {epoch}, leaderLocalLogStartOffset: {local_start}, leaderLogStartOffset: "
    "{leader_start}, epoch: {before}{blank}as the previous remote log segment metadata was not found\n"
)

LINES: Final = (
    Line("tier-copying", "3.6", "3.9", SERVER, "INFO", _TASK_3, _COPYING),
    Line("tier-copying", "3.9", "4.1", SERVER, "INFO", _TASK_39, _COPYING),
    Line("tier-copying", "4.1", "", SERVER, "INFO", _TASK_41, _COPYING),
    Line("tier-copied", "3.6", "3.9", SERVER, "INFO", _TASK_3, _COPIED),
    Line("tier-copied", "3.9", "4.1", SERVER, "INFO", _TASK_39, _COPIED),
    Line("tier-copied", "4.1", "", SERVER, "INFO", _TASK_41, _COPIED),
    Line("local-start-moved", "3.6", "4.1", SERVER, "INFO", "kafka.log.UnifiedLog", _MOVED),
    Line(
        "local-start-moved", "4.1", "", SERVER, "INFO", "org.apache.kafka.storage.internals.log.UnifiedLog", _MOVED
    ),
    # To 3.7 it is printed at DEBUG.
    Line(
        "tier-state-built", "3.8", "", SERVER, "INFO", "kafka.server.TierStateMachine",
        "Updated the epoch cache from remote tier till offset: {to} with size: {count} for Topic: {topic}; Partition: "
        "{number}; Leader: Some({leader}); Replicas: {replicas}; ISR: ; LeaderRecoveryState: {recovery}",
    ),
    Line(
        "tier-state-missing", "3.6", "4.0", SERVER, "ERROR", FETCHER,
        FETCHER_1 + "Error building remote log auxiliary state for {tp}", _MISSING.replace("{blank}", ""),
    ),
    Line(
        "tier-state-missing", "4.0", "", SERVER, "ERROR", FETCHER,
        FETCHER_1 + "Error building remote log auxiliary state for {tp}", _MISSING.replace("{blank}", " "),
    ),
)  # fmt: skip
"""A follower that is told that its offset was moved says so at DEBUG alone."""
