"""Lines about log directories: how they were left, what cannot be written, copies from one to another."""

from typing import Final

from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import TP, partition_of

LEFT_CLEAN: Final = "left_clean"
"""The fact that a directory was found as a clean stop leaves it: the life before did not break off."""
LEFT_UNCLEAN: Final = "left_unclean"
"""The fact that a directory was found without the marker of a clean stop, with logs in it."""


def _clean(_message: Message) -> Reading:
    return Reading(facts=((LEFT_CLEAN, ""),))


def _unclean(_message: Message) -> Reading:
    return Reading(facts=((LEFT_UNCLEAN, ""),))


def _halted(_message: Message) -> Reading:
    """The process ends at once (Exit.halt): to 0.11 whenever a disk fails, later where it cannot do without."""
    return Reading((Said("broker_exited"),))


def _moved(message: Message) -> Reading:
    """A copy in another directory has taken the place of the log (KIP-113)."""
    return Reading((Said("log_moved", partition_of(message.match)),))


DIRECTORY_RULES = (
    LineRule(
        "clean-shutdown",
        "0.8.2",
        "",
        r"Skipping recovery (?:for all|of \d+) logs (?:in|from) .* since clean shutdown file was found"
        r"|Found clean shutdown file\. Skipping recovery for all logs in data directory:? .*",
        (
            "Skipping recovery for all logs in /var/lib/kafka/broker-3 since clean shutdown file was found",
            "Skipping recovery of 4 logs from /var/lib/kafka/broker-3 since clean shutdown file was found",
            "Found clean shutdown file. Skipping recovery for all logs in data directory: /var/lib/kafka/broker-3",
        ),
        _clean,
    ),
    LineRule(
        "no-clean-shutdown",
        "2.6.0",
        "",
        r"(?:Attempting recovery for all logs in|Recovering \d+ logs from) .* since no clean shutdown file was found",
        (
            "Attempting recovery for all logs in /var/lib/kafka/broker-1 since no clean shutdown file was found",
            "Recovering 4 logs from /var/lib/kafka/broker-1 since no clean shutdown file was found",
        ),
        _unclean,
    ),
    LineRule(
        "disk-halt-0.8",
        "0.8.2",
        "0.11",
        r"\[Replica Manager on Broker \d+\]: (?:Error writing to highwatermark file: ?.*"
        r"|Halting due to unrecoverable I/O error while handling \w+(?: request)?: ?.*)"
        r"|Partition \[[^\]]*\] on broker \d+: Error deleting the log for partition \S+"
        r"|\[ReplicaFetcherThread-\d+-\d+\][:,] Disk error while replicating data for \S+"
        r"|Halting writes to (?:offset checkpoint file|checkpoint file \(.*\)) because the underlying file system is "
        r"inaccessible ?: ?",
        (
            "[Replica Manager on Broker 1]: Error writing to highwatermark file: ",
            "[Replica Manager on Broker 1]: Halting due to unrecoverable I/O error while handling produce request: ",
            "[Replica Manager on Broker 1]: Halting due to unrecoverable I/O error while handling DeleteRecordsRequest: ",
            "Partition [orders,0] on broker 1: Error deleting the log for partition orders-0",
            "[ReplicaFetcherThread-0-1], Disk error while replicating data for orders-0",
            "Halting writes to offset checkpoint file because the underlying file system is inaccessible : ",
            "Halting writes to checkpoint file (/data1/recovery-point-offset-checkpoint) because the underlying file "
            "system is inaccessible: ",
        ),
        _halted,
    ),
    LineRule(
        "disk-halt",
        "1.0",
        "",
        r"\[ReplicaManager broker=\d+\] (?:Halting broker because dir .* is offline"
        r"|Shutdown broker because (?:the metadata log dir .* has failed|some log directory has failed during .*)"
        r"|Unable to propagate directory failure disabled because directory .* has no UUID)"
        r"|Shutdown broker because none of the specified log dirs from .* can be created or validated",
        (
            "[ReplicaManager broker=1] Halting broker because dir /data1 is offline",
            "[ReplicaManager broker=1] Shutdown broker because the metadata log dir /data1 has failed",
            "[ReplicaManager broker=1] Shutdown broker because some log directory has failed during migration mode: "
            "/data1",
            "[ReplicaManager broker=1] Unable to propagate directory failure disabled because directory /data1 has no "
            "UUID",
            "Shutdown broker because none of the specified log dirs from /data1, /data2 can be created or validated",
        ),
        _halted,
    ),
    LineRule(
        "directory-trouble",
        "1.0",
        "",
        r"(?:\[ReplicaManager broker=\d+\] )?(?:Error while (?:writing to|reading) (?:highwatermark file in directory"
        r"|checkpoint file|partition metadata file) .*|Error while (?:loading log dir|deleting the clean shutdown file) .*"
        r"|Error while (?:appending records to|deleting segments for|rolling log segment for|flushing log for"
        r"|deleting log for|renaming dir for|deleting dir for|deleting all segments for"
        r"|deleting producer state snapshots? (?:\S+ )?for) .*|Failed to write to checkpoint file .*"
        r"|Error occurr?ed while reading [\w\-]+ file of directory .*|Disk error while writing .* in directory .*"
        r"|Found different broker epochs in .*|Writing clean shutdown marker at .*|Updating log start offsets at .*)",
        (
            "[ReplicaManager broker=1] Error while writing to highwatermark file in directory /data1",
            "Error while writing to checkpoint file /data1/replication-offset-checkpoint",
            "Error occurred while reading log-start-offset-checkpoint file of directory /data1, resetting to the base offset "
            "of the first segment",
            "Disk error while writing recovery offsets checkpoint in directory /data1: null",
            "Found different broker epochs in /data1. Other=7 vs current=9.",
            "Writing clean shutdown marker at /data1 with broker epoch=9",
            "Updating log start offsets at /data1",
            "Error while reading checkpoint file /data1/orders-0/leader-epoch-checkpoint",
            "Error while loading log dir /data1",
            "Error while appending records to orders-0 in dir /data1",
            "Error while flushing log for orders-0 in dir /data1 with offset 42",
            "Failed to write to checkpoint file /data1/orders-0/leader-epoch-checkpoint. This is ok if the "
            "topic/partition is being deleted",
        ),
        why="what fails with it, the directory or the broker, has its own line",
    ),
    LineRule(
        "broker-epoch-stale",
        "2.7",
        "",
        r"Broker had a stale broker epoch \(-?\d+\), retrying\.",
        ("Broker had a stale broker epoch (10), retrying.",),
        why="a proposed in-sync set is sent again after the broker has registered anew",
    ),
    LineRule(
        "replica-moves",
        "1.1",
        "",
        r"\[ReplicaAlterLogDirsThread-\d+\]:? .*|(?:\[LocalLeaderEndPoint[^\]]*\] )?Beginning/resuming copy of partition "
        r"\S+ from offset \d+\. .*|Future replica for partition \S+ reset its fetch offset .*",
        (
            "[ReplicaAlterLogDirsThread-0]: Beginning/resuming copy of partition orders-0 from offset 42. Including this "
            "partition, there are 1 remaining partitions to copy by this thread.",
            "[ReplicaAlterLogDirsThread-0]: Truncating partition orders-0 with TruncationState(offset=0, completed=true) "
            "due to local high watermark 0",
            "Beginning/resuming copy of partition orders-0 from offset 42. Including this partition, there are 1 "
            "remaining partitions to copy by ReplicaAlterLogDirs threads.",
            "Future replica for partition orders-0 reset its fetch offset from 9 to current replica's latest offset 7",
        ),
        why="a future replica: a copy inside the same broker (KIP-113), no replication",
        components=("ReplicaAlterLogDirsThread",),
    ),
    LineRule(
        "log-moved",
        "1.1",
        "",
        rf"(?:The current replica is successfully replaced with the future replica|Successfully recovered abandoned "
        rf"future log) for {TP}",
        (
            "The current replica is successfully replaced with the future replica for orders-0",
            "Successfully recovered abandoned future log for orders-0",
        ),
        _moved,
    ),
    LineRule(
        "log-moving",
        "2.3",
        "",
        r"Attempting to (?:replace current log|recover abandoned future log for) .*",
        (
            "Attempting to replace current log Log(dir=/data1/orders-0, topic=orders, partition=0, highWatermark=3, "
            "lastStableOffset=3, logStartOffset=0, logEndOffset=3) with "
            "Log(dir=/data2/orders-0.0f16e07cea784958a91f77488c4018b6-future, topic=orders, partition=0, "
            "highWatermark=3, lastStableOffset=3, logStartOffset=0, logEndOffset=3) for orders-0",
            "Attempting to recover abandoned future log for orders-0 at "
            "Log(dir=/data2/orders-0.0f16e07cea784958a91f77488c4018b6-future, topicId=pmtMAnWcQ6-BgvYr-m5KvA, "
            "topic=orders, partition=0, highWatermark=3, lastStableOffset=3, logStartOffset=0, logEndOffset=3)",
        ),
        why="the line after it says that it was done",
    ),
    LineRule(
        "truncate-and-start",
        "0.8.2",
        "",
        r"(?:\[(?:Unified|Local)?Log partition=\S+, dir=[^\]]*\] )?Truncate and start (?:at offset \d+(?:, logStartOffset: "
        r"\d+)?|log '\S+' (?:to|at offset) \d+)",
        (
            "[Log partition=orders-0, dir=/data1] Truncate and start at offset 100",
            "[UnifiedLog partition=orders-0, dir=/data1] Truncate and start at offset 100, logStartOffset: 100",
            "[LocalLog partition=orders-0, dir=/data1] Truncate and start at offset 100",
            "Truncate and start log 'orders-0' to 100",
        ),
        why="the log is begun anew; the fetcher's warning before it names the offsets and the leader",
    ),
)
