"""Lines about the files of a log: where it begins, when it rolls, when it is set aside, its epoch cache."""

from typing import Final

from importers.kafka.drafts import Said
from importers.kafka.logs import epoch_assigned, epochs_cut
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import EPOCH_ENTRY, LOG_PREFIX, TP, group, partition_of, partitions

TORN_TAIL: Final = "torn_tail"
"""The name of the fact that a log of the broker ended in a damaged batch as it was loaded."""
FAILED_DIRECTORY: Final = "failed_directory"
"""The name of the fact that a log directory failed with a log in it: the partition, a blank, the path."""
_CACHE: Final = rf"\[LeaderEpochCache {TP}\] "


def _start_moved(message: Message) -> Reading:
    said = Said("log_start_moved", partition_of(message.match), log_start=message.number("start"))
    return Reading((said,))


def _local_start_moved(message: Message) -> Reading:
    """From the log start on, what is below lies in the remote tier (3.6, KIP-405)."""
    said = Said("local_start_moved", partition_of(message.match), offset=message.number("start"))
    return Reading((said,))


def _rolled(message: Message) -> Reading:
    said = Said("segment_rolled", partition_of(message.match), offset=message.number("offset"))
    return Reading((said,))


def _deleted(message: Message) -> Reading:
    return Reading((Said("log_deleted", partition_of(message.match)),))


def _cut_by_recovery(message: Message) -> Reading:
    """While a log is loaded after an unclean stop. All behind the damaged batch goes (LogLoader.recoverLog)."""
    said = Said("unclean_restart_detected", partition_of(message.match), offset=message.number("to"))
    return Reading((said,), ((TORN_TAIL, ""),))


def _torn_tail(_message: Message) -> Reading:
    """Of a log of the broker; the load line that follows says where it ends now (LogSegment.recover)."""
    return Reading(facts=((TORN_TAIL, ""),))


def _dir_failed(message: Message) -> Reading:
    """Of a list of partitions each one, else the directory as a whole."""
    named = message.match
    listed = named["list"] or named["list_o"] or named["list_b"] or ""
    broker = group(named, "broker")
    found = tuple(Said("log_dir_failed", tp, broker=broker) for tp in partitions(listed))
    path = (named["dir"] or named["dir_o"] or named["dir_b"] or "").rstrip(".")
    facts = tuple(
        (FAILED_DIRECTORY, f"{topic}-{number} {path}") for topic, number in partitions(listed) if path
    )
    return Reading(found or (Said("log_dir_failed", broker=broker),), facts)


def _all_dirs_failed(_message: Message) -> Reading:
    return Reading((Said("broker_exited"),))


def _epochs_lost(message: Message) -> Reading:
    return Reading((Said("epoch_cache_cut", partition_of(message.match), offset=0, aux=0),))


LOG_FILE_RULES = (
    LineRule(
        "log-start-moved",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}Increment(?:ed|ing) log start offset to (?P<start>\d+)(?: due to .*)?",
        (
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Incremented log start offset to 183 due to client "
            "delete records request",
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Incrementing log start offset to 100",
            "[UnifiedLog partition=clicks-0, dir=/var/lib/kafka/broker-3] Incremented log start offset to 11 due to "
            "leader offset increment",
        ),
        _start_moved,
    ),
    LineRule(
        "log-start-moved-0.11",
        "0.11.0.1",
        "1.0.1",
        rf"Incrementing log start offset of partition {TP} to (?P<start>\d+) in dir .*",
        ("Incrementing log start offset of partition moves-0 to 100 in dir /var/lib/kafka/broker-1",),
        _start_moved,
    ),
    LineRule(
        "segment-rolled",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}Rolled new log segment at offset (?P<offset>\d+) in \d+ ms\.",
        (
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Rolled new log segment at offset 158 in 5 ms.",
            "[UnifiedLog partition=clicks-1, dir=/var/lib/kafka/broker-1] Rolled new log segment at offset 46 in 6 ms.",
            "[LocalLog partition=clicks-1, dir=/var/lib/kafka/broker-1] Rolled new log segment at offset 46 in 6 ms.",
        ),
        _rolled,
    ),
    LineRule(
        "local-start-moved",
        "3.6",
        "",
        rf"{LOG_PREFIX}Incremented local log start offset to (?P<start>\d+) due to reason .*",
        (
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-1] Incremented local log start offset to 100 due to reason "
            "segment deletion",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Incremented local log start offset to 100 due "
            "to reason segment deletion",
        ),
        _local_start_moved,
    ),
    LineRule(
        "segment-files",
        "0.8.2",
        "",
        r"Rolled new log segment for '\S+' in \d+ ms\.|Scheduling log segment \d+ for log \S+ for deletion\."
        r"|Deleting segment \d+ from log \S+|Found deletable segments with base offsets \[[\d,]*\] due to .*"
        r"|Deleted (?:(?:offset|time|transaction) index|log|producer state snapshot|transaction index) \S+"
        r"|Failed to delete .* because it does not exist\."
        rf"|{LOG_PREFIX}(?:Found deletable segments|Deleting segments?|Scheduling log segment"
        r"|Flushing log up to offset|Closing log"
        r"|Scheduling segments? for deletion|Reading maximum|Reading \d+ bytes) ?.*",
        (
            "Rolled new log segment for 'orders-0' in 2 ms.",
            "Scheduling log segment 0 for log orders-0 for deletion.",
            "Deleting segment 0 from log orders-0",
            "Found deletable segments with base offsets [0] due to retention time 604800000ms breach",
            "Deleted offset index /var/lib/kafka/broker-1/clicks-0/00000000000000000000.index.deleted.",
            "Deleted producer state snapshot /var/lib/kafka/broker-1/state-change.log-1/00000000000000000048.snapshot",
            "Failed to delete offset index /var/lib/kafka/broker-3/clicks-0/00000000000000000060.index.deleted because it "
            "does not exist.",
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Found deletable segments with base offsets [0] due to "
            "retention time 604800000ms breach",
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Deleting segments due to log start offset 183 breach: "
            "LogSegment(baseOffset=0, size=8137, lastModifiedTime=1795230761169, "
            "largestRecordTimestamp=Some(1795230761176))",
            "[Log partition=moves-0, dir=/var/lib/kafka/broker-1] Scheduling log segment [baseOffset 0, size 506] for "
            "deletion.",
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-3] Flushing log up to offset 275, last flushed: "
            "1795231112614,  current time: 1795231222269, unflushed: 275",
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-3] Closing log",
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-1] Reading maximum 1 bytes at offset 116 from log with total "
            "length 9243 bytes",
            "[UnifiedLog partition=clicks-1, dir=/var/lib/kafka/broker-1] Deleting segments due to log start offset 156 "
            "breach: LogSegment(baseOffset=0, size=1927, lastModifiedTime=1795230827844, "
            "largestRecordTimestamp=1795230827843)",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Flushing log up to offset 1 (exclusive) with "
            "recovery point 1, last flushed: 1795230677439,  current time: 1795230679133, unflushed: 1",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Closing log",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Reading maximum 1048576 bytes at offset 0 from "
            "log with total length 105 bytes",
            "[LocalLog partition=clicks-1, dir=/var/lib/kafka/broker-1] Deleting segment files LogSegment(baseOffset=0, "
            "size=1927, lastModifiedTime=1795230827844, largestRecordTimestamp=1795230827843)",
            "[LocalLog partition=clicks-1, dir=/var/lib/kafka/broker-1] Reading maximum 1 bytes at offset 6 from log "
            "with total length 105 bytes",
        ),
        why="files of the log, by retention or by a truncation that has its own line; reads and flushes",
    ),
    LineRule(
        "log-steps",
        "0.8.2",
        "",
        rf"(?:{LOG_PREFIX}|\[ProducerStateManager partition=[^\]]*\] ?)(?:First unstable offset updated to .*"
        r"|Closing handlers|Searching offset for timestamp .*|Offset time array = .*|Rolling new log segment \(.*"
        r"|Rolling the active segment .*|Newly rolled segment file .*|Trying to roll a new log segment .*"
        r"|Record format version has been downgraded .*|Empty active segment at .*"
        r"|(?:Splitting|Replacing) overflowed segment .*|Caught segment overflow error: .*"
        r"|Found (?:log file|file|an? \w+ file|an orphaned index file,?) .*|Could not find offset index file .*"
        r"|Deleting (?:stray|invalid swap file|index files|segments as part of log recovery:) .*|Recovering file .*"
        r"|Deleting segment files \S+ that is compacted .*"
        r"|LogSegment\(.*|Error while trying to delete partition metadata file .*"
        r"|The topic id \S+ will not be persisted .*|Unable to update the highest offset in remote storage .*"
        r"|Ignoring the call as the remote log storage is disabled|Reloading the producer state snapshots"
        r"|(?:Failed to (?:load|rename)|Deleted) producer (?:state )?snapshot .*|Reconfigure .*"
        r"|Detected invalid coordinator epoch .*|retention\.ms for topic .*)",
        (
            "[UnifiedLog partition=orders-0, dir=/data1] First unstable offset updated to None",
            "[Log partition=orders-0, dir=/data1] Rolling new log segment (log_size = 1048/1048}, offset_index_size = "
            "1/1048, time_index_size = 1/1048, inactive_time_ms = 7/604800000).",
            "[LogLoader partition=orders-0, dir=/data1] Deleting stray temporary file /data1/orders-0/0.cleaned",
            "[LocalLog partition=orders-0, dir=/data1/orders-0] Newly rolled segment file /data1/orders-0/9.log already "
            "exists; deleting it first",
            "[ProducerStateManager partition=orders-0]Reloading the producer state snapshots",
        ),
        why="files of the log and lookups in it; where it begins and ends has its own lines",
        components=("Log", "UnifiedLog", "LogLoader", "LocalLog", "ProducerStateManager"),
    ),
    LineRule(
        "log-cut-by-recovery",
        "0.8.2",
        "",
        rf"(?:{LOG_PREFIX}Corruption found in segment \d+|Corruption found in segment \d+ of log (?P<topic_b>[\w.\-]{{1,249}})"
        r"-(?P<number_b>\d+)), truncating to offset (?P<to>\d+)\.?",
        (
            "Corruption found in segment 0 of log orders-0, truncating to offset 41.",
            "[Log partition=orders-0, dir=/var/lib/kafka/data] Corruption found in segment 0, truncating to offset 41",
            "[LogLoader partition=orders-0, dir=/var/lib/kafka/data] Corruption found in segment 0, truncating to offset "
            "41",
        ),
        _cut_by_recovery,
    ),
    LineRule(
        "log-corrupt",
        "0.8.2",
        "",
        rf"(?:{LOG_PREFIX})?(?:Found invalid offset during recovery.*|Deleting all segments because (?:the )?logEndOffset \(\d+\) is smaller "
        r"than (?:the )?logStartOffset.*|Deleting all segments because logEndOffset \(\d+\)  smaller than .*)",
        (
            "[LogLoader partition=orders-0, dir=/var/lib/kafka/data] Deleting all segments because logEndOffset (40) is "
            "smaller than logStartOffset (42). This could happen if segment files were deleted from the file system.",
            "Found invalid offset during recovery. Deleting the corrupt segment and creating an empty one with starting "
            "offset 0",
            "[Log partition=orders-0, dir=/var/lib/kafka/data] Found invalid offset during recovery of log orders-0. "
            "Deleting the corrupt segment and creating an empty one with starting offset 0",
            "[LogLoader partition=orders-0, dir=/var/lib/kafka/data] Found invalid offset during recovery. Deleting the "
            "corrupt segment and creating an empty one with starting offset 0",
            "[LogLoader partition=orders-0, dir=/var/lib/kafka/data] Deleting all segments because logEndOffset (40)  "
            "smaller than logStartOffset 42. This could happen if segment files were deleted from the file system.",
        ),
        why="while loading; the load line that follows says where the log ends now",
    ),
    LineRule(
        "log-segment-torn",
        "0.8.2",
        "",
        r"Found invalid messages in log segment .*",
        (
            "Found invalid messages in log segment /data1/orders-0/00000000000000000000.log at byte offset 91: Record size "
            "is less than the minimum record overhead (14).",
        ),
        _torn_tail,
    ),
    LineRule(
        "log-set-aside",
        "0.10.2",
        "",
        # The name of the folder is cut short where a topic's name is long (255 characters).
        rf"Log for partition {TP} is (?:renamed to .*-delete and is scheduled for deletion"
        r"|marked as stray and renamed to .*-stray)"
        r"|Log in (?>.{1,4096}? marked stray and renamed to )(?:[^/\\]*+[/\\])*+"
        r"(?P<topic_o>[\w.\-]{1,249})-(?P<number_o>\d+)\.[0-9a-f]{32}-stray",
        (
            "Log for partition moves-0 is renamed to /var/lib/kafka/broker-2/moves-0.488c382333114b849a2d0c5bfdee5bcd-"
            "delete and is scheduled for deletion",
            "Log in /var/lib/kafka/broker-3/temp-0 marked stray and renamed to "
            "/var/lib/kafka/broker-3/temp-0.0f16e07cea784958a91f77488c4018b6-stray",
            "Log for partition temp-0 is marked as stray and renamed to "
            "/var/lib/kafka/broker-3/temp-0.0f16e07cea784958a91f77488c4018b6-stray",
            "Log for partition moves-0 is renamed to /var/lib/kafka data/moves-0.488c382333114b849a2d0c5bfdee5bcd-delete and "
            "is scheduled for deletion",
        ),
        _deleted,
    ),
    LineRule(
        "log-deleted",
        "0.8.2",
        "0.10.1",
        rf"Deleted log for partition {TP} in (?!.*-(?:delete|stray)\.?\Z).+",
        ("Deleted log for partition [orders,0] in /var/lib/kafka/data/orders-0.",),
        _deleted,
    ),
    LineRule(
        "log-files-gone",
        "0.10.2",
        "",
        r"Deleted log for partition \S+ in .*-(?:delete|stray)\.?|Found stray log dir .*|Loaded stray log: .*"
        r"|The topicId does not exist in Log\(.*",
        (
            "Loaded stray log: /var/lib/kafka/broker-3/temp-0.0f16e07cea784958a91f77488c4018b6-stray",
            "The topicId does not exist in Log(dir=/var/lib/kafka/broker-3/temp-0, topic=temp, partition=0, "
            "highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=9), treat it as a stray log",
            "Deleted log for partition temp-0 in "
            "/var/lib/kafka/broker-2/temp-0.13a9b542785f4f9eb9faa1c6e5ef182c-delete.",
            "Found stray log dir Log(dir=/var/lib/kafka/broker-3/temp-0, topicId=rG8yobaoRmaD1tqUpL6lXQ, topic=temp, "
            "partition=0, highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=9): the topicId "
            "rG8yobaoRmaD1tqUpL6lXQ does not exist in the metadata image.",
        ),
        why="the log was set aside when it was renamed, and a new one may have its name by now",
    ),
    LineRule(
        "log-dir-failed",
        "1.0",
        "",
        # In 1.0 with a space behind each comma.
        r"(?:\[ReplicaManager broker=(?P<broker>\d+)\] )?(?:Stopping serving (?:replicas|logs) in .+"
        r"|Logs for partitions (?P<list>\S*) are offline and logs for future partitions \S* are offline due to failure on "
        r"log directory (?P<dir>.+)|Partitions (?P<list_o>\S*) are offline due to failure on log directory (?P<dir_o>.+)"
        r"|Broker \d+ stopped fetcher for partitions (?P<list_b>(?:[^\s,]+, )*+\S*) "
        r"(?:and stopped moving logs for partitions \S* )?because they are in the failed log dir(?:ectory)? (?P<dir_b>.+))",
        (
            "[ReplicaManager broker=1] Broker 1 stopped fetcher for partitions orders-0,clicks-1 and stopped moving logs "
            "for partitions  because they are in the failed log directory /data1.",
            "Partitions orders-0 are offline due to failure on log directory /data1",
            "[ReplicaManager broker=1] Partitions orders-0 are offline due to failure on log directory /data1",
            "[ReplicaManager broker=1] Stopping serving replicas in dir /data1",
            "Stopping serving logs in dir /data1",
            "Logs for partitions orders-0,clicks-1 are offline and logs for future partitions  are offline due to "
            "failure on log directory /data1",
            "[ReplicaManager broker=1] Stopping serving replicas in dir /data1 with uuid Optional[8VSRivgKSmSC3x9iq5VHEw] "
            "because the log directory has failed.",
            "[ReplicaManager broker=1] Broker 1 stopped fetcher for partitions orders-0, clicks-1 because they are in the "
            "failed log dir /data1",
        ),
        _dir_failed,
    ),
    LineRule(
        "all-log-dirs-failed",
        "1.0",
        "",
        r"Shutdown broker because all log dirs in .* have failed",
        ("Shutdown broker because all log dirs in /data1 have failed",),
        _all_dirs_failed,
    ),
    LineRule(
        "epoch-appended",
        "2.0.1",
        "",
        rf"{_CACHE}Appended new epoch entry {EPOCH_ENTRY}\. Cache now contains (?P<count>\d+) entries\.",
        (
            "[LeaderEpochCache t1-0] Appended new epoch entry EpochEntry(epoch=1, startOffset=60). Cache now contains 2 "
            "entries.",
            "[LeaderEpochCache t1-0] Appended new epoch entry EpochEntry[epoch=1, startOffset=60]. Cache now contains 2 "
            "entries.",
        ),
        epoch_assigned,
    ),
    LineRule(
        "epochs-cut-2.1",
        "2.0.1",
        "",
        rf"{_CACHE}Cleared entries .* from epoch cache after truncating to end offset (?P<offset>\d+), leaving "
        r"(?P<count>\d+) entries in the cache\.",
        (
            "[LeaderEpochCache orders-0] Cleared entries [EpochEntry(epoch=2, startOffset=35)] from epoch cache after "
            "truncating to end offset 30, leaving 2 entries in the cache.",
        ),
        epochs_cut,
    ),
    LineRule(
        "epochs-lost",
        "2.1.1",
        "",
        rf"{LOG_PREFIX}(?:Deleting non-empty leader epoch cache due to incompatible message format \S+"
        r"|Clearing leader epoch cache after unexpected append with message format .*)",
        (
            "[Log partition=orders-0, dir=/var/lib/kafka/data] Deleting non-empty leader epoch cache due to incompatible "
            "message format V1",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/data] Clearing leader epoch cache after unexpected append "
            "with message format v1",
            "[Log partition=orders-0, dir=/var/lib/kafka/data] Clearing leader epoch cache after unexpected append with "
            "message format v1",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/data] Deleting non-empty leader epoch cache due to "
            "incompatible message format V1",
        ),
        _epochs_lost,
    ),
    LineRule(
        "epoch-cache-words",
        "0.11",
        "",
        rf"(?:{_CACHE})?(?:Processed (?:end )?offset (?:for epoch )?request for .*"
        r"|Cleared entries .* and rewrote first entry .*|Cleared earliest \d+ entries from epoch cache based on passed "
        r"offset \d+ leaving \d+ in EpochFile for partition \S+"
        r"|Received (?:a PartitionLeaderEpoch|leader epoch) assignment .*)"
        r"|\[(?:Unified)?Log partition=\S+, dir=[^\]]*\] Skipping batch .* from an origin of REPLICATION because its partition leader epoch .*",
        (
            "[LeaderEpochCache t1-0] Processed end offset request for epoch 0 and returning epoch 0 with end offset 63 "
            "from epoch cache of size 1",
            "[UnifiedLog partition=t1-0, dir=/var/lib/kafka/data] Skipping batch DefaultRecordBatch(baseOffset=30) from an "
            "origin of REPLICATION because its partition leader epoch 7 is higher than the replica's current leader "
            "epoch 6",
            "Processed offset for epoch request for partition t1-0 epoch:0 and returning offset 30 from epoch list of "
            "size 2",
            "[LeaderEpochCache t1-0] Cleared entries ListBuffer(EpochEntry(epoch=0, startOffset=0)) and rewrote first "
            "entry EpochEntry(epoch=0, startOffset=0) after truncating to start offset 0, leaving 1 in the cache.",
            "Cleared earliest 1 entries from epoch cache based on passed offset 100 leaving 1 in EpochFile for partition "
            "t1-0",
            "Received a PartitionLeaderEpoch assignment for an epoch < latestEpoch. This implies messages have arrived "
            "out of order. New: {epoch:1, offset:30}, Current: {epoch:2, offset:29} for Partition: t1-0",
            "[LeaderEpochCache t1-0] Received leader epoch assignment EpochEntry(epoch=1, startOffset=30) which has an "
            "epoch less than the epoch of the latest entry EpochEntry(epoch=2, startOffset=29). This implies messages "
            "have arrived out of order.",
        ),
        why="questions to the cache, and its first entry moving with the log start; entries have their own lines",
    ),
)
