"""Lines of tiered storage (KIP-405), read in the sources of 3.6.2, 3.7.1, 3.8.0, 3.9.0, 4.0.0, 4.1.1 and 4.2.1."""

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
_EXPIRY_39: Final = "kafka.log.remote.RemoteLogManager$RLMExpirationTask"
_EXPIRY_41: Final = "org.apache.kafka.server.log.remote.storage.RemoteLogManager$RLMExpirationTask"
_SEGMENT: Final = (
    _TASK
    + "{verb} remote log segment RemoteLogSegmentId{{topicIdPartition={topic_id}:{tp}, id={segment_id}}} due to "
)
_OLD: Final = (
    _SEGMENT.replace("{verb}", "About to delete")
    + "retention time 604800000ms breach based on the largest record timestamp in the segment"
)
_ENDS: Final = "segment-end-offset: {last} and segment-epochs: "
_BELOW: Final = (
    _SEGMENT.replace("{verb}", "About to delete")
    + "log-start-offset {log_start} breach. Current earliest-epoch-entry: {epoch}={start}, "
    + _ENDS
    + "{epochs}"
)
_NO_EPOCH: Final = (
    _SEGMENT.replace("{verb}", "Deleted")
    + "leader-epoch-cache truncation. Current earliest-epoch-entry: EpochEntry(epoch={epoch}, startOffset={start}), "
    + _ENDS
    + "{own}"
)
_NO_EPOCH_42: Final = _NO_EPOCH.replace("EpochEntry(", "EpochEntry[").replace("{start})", "{start}]")
_START: Final = "[UnifiedLog partition={tp}, dir={dir}] Incremented log start offset to {to} due to {reason}"
_LOG_41: Final = "org.apache.kafka.storage.internals.log.UnifiedLog"
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
    *(
        Line(f"tier-deleted-{reason}", since, until, SERVER, "INFO", logger, text)
        for reason, text, text_42 in (
            ("retention", _OLD, _OLD), ("log-start", _BELOW, _BELOW), ("no-epoch", _NO_EPOCH, _NO_EPOCH_42),
        )
        for since, until, logger, text in (
            ("3.6", "3.9", _TASK_3, text), ("3.9", "4.1", _EXPIRY_39, text), ("4.1", "4.2", _EXPIRY_41, text),
            ("4.2", "", _EXPIRY_41, text_42),
        )
    ),
    Line("tier-log-start", "3.6", "4.1", SERVER, "INFO", "kafka.log.UnifiedLog", _START),
    Line("tier-log-start", "4.1", "", SERVER, "INFO", _LOG_41, _START),
    Line("local-start-moved", "3.6", "4.1", SERVER, "INFO", "kafka.log.UnifiedLog", _MOVED),
    Line("local-start-moved", "4.1", "", SERVER, "INFO", _LOG_41, _MOVED),
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
