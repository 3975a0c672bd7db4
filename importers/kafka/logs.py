"""Lines about a replica's own log: loading, truncation, recovery, creation. Most do not name their broker."""

import re
from dataclasses import replace
from typing import Final

from core.trace.ids import METADATA_TOPIC
from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import EPOCH_ENTRY, LOG_PREFIX, OFFSET, TP, each, group, partition_of
from importers.kafka.topic_settings import MADE, topic_facts

_GONE: Final = re.compile(r"\.[0-9a-f]{32}-(?:delete|future|stray)$")


def _loaded(message: Message) -> Reading:
    start = group(message.match, "start")
    said = Said("log_loaded", partition_of(message.match), leo=message.number("leo"), log_start=start)
    named = message.match.groupdict()
    if any(each(_GONE, named.get("dir") or "")):
        # What is left of a replica that was removed, or of a topic that is gone.
        return Reading()
    said = replace(said, topic_id=named.get("topic_id"))
    local = None if named.get("local") is None else message.number("local")
    if local is None or local <= (start or 0):
        return Reading((said,))
    # What is below lies in the remote tier (3.6, KIP-405).
    return Reading((said, Said("local_start_moved", said.tp, offset=local)))


def _truncated(message: Message) -> Reading:
    return Reading((Said("truncated", partition_of(message.match), offset=message.number("to")),))


def _truncation_noop(message: Message) -> Reading:
    end = message.number("largest") + 1
    return Reading(
        (Said("truncation_noop", partition_of(message.match), offset=message.number("to"), leo=end),)
    )


def _recovering(message: Message) -> Reading:
    """The metadata log says nothing of the stop: no file says of it that it was closed (`lastShutdownClean = false`)."""
    if partition_of(message.match)[0] == METADATA_TOPIC:
        return Reading()
    return Reading((Said("unclean_restart_detected", partition_of(message.match)),))


def _created(message: Message) -> Reading:
    if _GONE.search(message["dir"]):
        # A copy inside the same broker begins: the replica keeps the log that it has (KIP-113).
        return Reading()
    partition = partition_of(message.match)
    return Reading((Said("log_created", partition),), topic_facts(MADE, partition[0], message["listed"]))


def _snapshot(message: Message) -> Reading:
    end = group(message.match, "leo", "leo_3")
    said = Said("leo_sample", partition_of(message.match), leo=end, at_least=("leo",))
    return Reading((said,))


def epoch_assigned(message: Message) -> Reading:
    """An entry of the epoch cache: `epoch` begins at `offset`.

    The line says how many entries there are with it (`count`), how many there were (`before`), or neither.
    """
    before = group(message.match, "before")
    said = Said(
        "epoch_assigned",
        partition_of(message.match),
        epoch=message.number("epoch"),
        offset=message.number("offset"),
        aux=group(message.match, "count") if before is None else before + 1,
    )
    return Reading((said,))


def epochs_cut(message: Message) -> Reading:
    """Entries of the epoch cache that begin at `offset` or above are dropped; `count` are left."""
    said = Said(
        "epoch_cache_cut",
        partition_of(message.match),
        offset=message.number("offset"),
        aux=message.number("count"),
    )
    return Reading((said,))


def _hw_lowered(message: Message) -> Reading:
    return Reading((Said("hw_moved", partition_of(message.match), hw=message.number("hw")),))


LOG_RULES = (
    LineRule(
        "log-loaded",
        "0.8.2",
        "1.0.1",
        rf"Completed load of log {TP} with (?:\d+ log segments(?:, log start offset (?P<start>\d+))? and )?"
        r"log end offset (?P<leo>\d+)(?: in \d+ ms)?",
        (
            "Completed load of log orders-0 with 1 log segments and log end offset 254 in 3 ms",
            "Completed load of log orders-0 with log end offset 45",
            "Completed load of log orders-0 with 1 log segments, log start offset 0 and log end offset 45 in 20 ms",
        ),
        _loaded,
    ),
    LineRule(
        "log-loaded-1.0.2",
        "1.0.2",
        "2.5",
        rf"{LOG_PREFIX}Completed load of log with \d+ segments, log start offset (?P<start>\d+) and log end offset "
        r"(?P<leo>\d+) in \d+ ms",
        (
            "[Log partition=trades-1, dir=/var/lib/kafka/broker-1] Completed load of log with 1 segments, log start "
            "offset 0 and log end offset 30 in 57 ms",
        ),
        _loaded,
    ),
    LineRule(
        "log-loaded-2.6",
        "2.6.0",
        "",
        r"Completed load of Log\(dir=(?P<dir>[^,]*+)(?:, topicId=(?P<topic_id>[\w\-]{22}))?, topic=(?P<topic_d>[\w.\-]{1,249}), partition=(?P<number_d>\d+), "
        # highWatermark is always 0 here: it has not been read yet. Never a statement.
        r"highWatermark=-?\d+, lastStableOffset=-?\d+, logStartOffset=(?P<start>\d+), logEndOffset=(?P<leo>\d+)\) "
        r"with \d+ segments(?:, local-log-start-offset (?P<local>\d+) and log-end-offset \d+)? in .*",
        (
            "Completed load of Log(dir=/var/lib/kafka/broker-1/clicks-2, topic=clicks, partition=2, "
            "highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=251) with 1 segments in 102ms "
            "(1/7 loaded in /var/lib/kafka/broker-1)",
            "Completed load of Log(dir=/var/lib/kafka/broker-1/ledger-0, topicId=pmtMAnWcQ6-BgvYr-m5KvA, topic=ledger, "
            "partition=0, highWatermark=0, lastStableOffset=0, logStartOffset=3, logEndOffset=26) with 1 segments, "
            "local-log-start-offset 0 and log-end-offset 26 in 12ms (3/4 completed in /var/lib/kafka/broker-1)",
            "Completed load of Log(dir=/var/lib/kafka/broker-1/ledger-0, topicId=pmtMAnWcQ6-BgvYr-m5KvA, topic=ledger, "
            "partition=0, highWatermark=0, lastStableOffset=0, logStartOffset=3, logEndOffset=26) with 1 segments, "
            "local-log-start-offset 20 and log-end-offset 26 in 12ms (3/4 completed in /var/lib/kafka/broker-1)",
        ),
        _loaded,
    ),
    LineRule(
        "truncated",
        "0.8.2",
        "1.0.1",
        rf"Truncating log {TP} to offset (?P<to>\d+)\.",
        ("Truncating log orders-0 to offset 206.",),
        _truncated,
    ),
    LineRule(
        "truncated-1.0.2",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}Truncating to offset (?P<to>\d+)",
        (
            "[Log partition=audit-0, dir=/var/lib/kafka/broker-1] Truncating to offset 257",
            "[UnifiedLog partition=audit-0, dir=/var/lib/kafka/broker-1] Truncating to offset 257",
            "[MergedLog partition=audit-0, dir=/var/lib/kafka/data] Truncating to offset 257",
        ),
        _truncated,
    ),
    LineRule(
        "truncation-noop",
        "0.8.2",
        "1.0.1",
        rf"Truncating {TP} to (?P<to>\d+) has no effect as the largest offset in the log is (?P<largest>-?\d+)\.?",
        ("Truncating orders-0 to 254 has no effect as the largest offset in the log is 253.",),
        _truncation_noop,
    ),
    LineRule(
        "truncation-noop-1.0.2",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}Truncating to (?P<to>\d+) has no effect as the largest offset in the log is (?P<largest>-?\d+)",
        (
            "[Log partition=orders-0, dir=/var/lib/kafka/broker-2] Truncating to 0 has no effect as the largest "
            "offset in the log is -1",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-2] Truncating to 42 has no effect as the "
            "largest offset in the log is 40",
            "[MergedLog partition=orders-0, dir=/var/lib/kafka/data] Truncating to 42 has no effect as the largest "
            "offset in the log is 40",
        ),
        _truncation_noop,
    ),
    LineRule(
        "recovering",
        "0.8.2",
        "1.0.1",
        rf"Recovering unflushed segment \d+ in log {TP}\.",
        ("Recovering unflushed segment 0 in log orders-0.",),
        _recovering,
    ),
    LineRule(
        "recovering-1.0.2",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}Recovering unflushed segment \d+(?:\. \d+(?:/\d+)? recovered for \S+\.)?",
        (
            "[Log partition=clicks-2, dir=/var/lib/kafka/broker-1] Recovering unflushed segment 0",
            "[LogLoader partition=events-2, dir=/var/lib/kafka/broker-1] Recovering unflushed segment 0. 0/1 recovered "
            "for events-2.",
            "[LogLoader partition=events-2, dir=/var/lib/kafka/broker-1] Recovering unflushed segment 0. 0 recovered "
            "for events-2.",
        ),
        _recovering,
    ),
    LineRule(
        "log-created",
        "0.8.2",
        "",
        rf"Created log for partition {TP} in (?>(?P<dir>.{{1,4096}}?) with properties )(?P<listed>.*)",
        (
            "Created log for partition orders-2 in /data2/orders-2.0f16e07cea784958a91f77488c4018b6-future with "
            "properties {}",
            "Created log for partition [orders,0] in /var/lib/kafka/broker-1 with properties "
            "{compression.type -> producer, message.format.version -> 0.10.2-IV0}.",
            "Created log for partition orders-2 in /var/lib/kafka/broker-1/orders-2 with properties {}",
            "Created log for partition orders-2 in /var/lib/kafka data/orders-2 with properties {}",
        ),
        _created,
    ),
    LineRule(
        "producer-snapshot",
        "1.0.2",
        "",
        # While several segments are recovered it is printed for each of them: the log reaches at least so far.
        # Without a space after the bracket in 3.5 and 3.6.
        r"\[ProducerStateManager partition=(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)\] ?"
        r"(?:Writing producer snapshot at offset (?P<leo>\d+)"
        r"|Wrote producer snapshot at offset (?P<leo_3>\d+) with \d+ producer ids in \d+ ms\.)",
        (
            "[ProducerStateManager partition=clicks-2] Writing producer snapshot at offset 251",
            "[ProducerStateManager partition=clicks-1] Wrote producer snapshot at offset 46 with 0 producer ids in 1 ms.",
            "[ProducerStateManager partition=clicks-1]Wrote producer snapshot at offset 46 with 0 producer ids in 1 ms.",
        ),
        _snapshot,
    ),
    LineRule(
        "producer-snapshot-0.11",
        "0.11",
        "1.0.1",
        rf"Writing producer snapshot for partition {TP} at offset (?P<leo>\d+)",
        ("Writing producer snapshot for partition clicks-1 at offset 46",),
        _snapshot,
    ),
    LineRule(
        "producer-state",
        "1.0.2",
        "",
        rf"{LOG_PREFIX}(?:Loading producer state (?:till|from) offset \d+(?: with message format version \d)?"
        r"|Reloading from producer snapshot and rebuilding producer state from offset \d+"
        r"|Producer state recovery took \d+ms for snapshot load and \d+ms for segment recovery from offset \d+)",
        (
            "[Log partition=orders-2, dir=/var/lib/kafka/broker-1] Loading producer state till offset 0 with "
            "message format version 2",
            "[Log partition=trades-1, dir=/var/lib/kafka/broker-1] Loading producer state from offset 30 with message "
            "format version 2",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Loading producer state till offset 10",
            "[UnifiedLog partition=clicks-0, dir=/var/lib/kafka/broker-3] Reloading from producer snapshot and "
            "rebuilding producer state from offset 60",
            "[UnifiedLog partition=clicks-0, dir=/var/lib/kafka/broker-3] Producer state recovery took 0ms for "
            "snapshot load and 0ms for segment recovery from offset 60",
            "[LogLoader partition=invoices-1, dir=/var/lib/kafka/broker-1] Loading producer state till offset 0",
            "[LogLoader partition=events-2, dir=/var/lib/kafka/broker-1] Reloading from producer snapshot and "
            "rebuilding producer state from offset 0",
            "[LogLoader partition=events-2, dir=/var/lib/kafka/broker-1] Producer state recovery took 0ms for "
            "snapshot load and 0ms for segment recovery from offset 0",
        ),
        why="during recovery it prints the base offset of the segment, not the end of the log; "
        "the end is in the load and truncation lines beside it",
    ),
    LineRule(
        "producer-state-file",
        "1.0.2",
        "",
        r"\[ProducerStateManager partition=[^\]]*\] ?Loading producer state from snapshot file '.*'",
        (
            "[ProducerStateManager partition=clicks-2] Loading producer state from snapshot file "
            "'SnapshotFile(/var/lib/kafka/broker-1/clicks-2/00000000000000000251.snapshot,251)'",
        ),
        why="the name of a file that was written earlier",
    ),
    LineRule(
        "corrupt-index",
        "0.8.2",
        "",
        rf"Found a corrupted index file due to .*|{LOG_PREFIX}Found a corrupted index file .*",
        (
            "[LogLoader partition=trades-1, dir=/var/lib/kafka/broker-1] Found a corrupted index file corresponding to log "
            "file /var/lib/kafka/broker-1/trades-1/00000000000000000000.log due to Corrupt index found, recovering segment "
            "and rebuilding index files...",
            "[Log partition=trades-1, dir=/var/lib/kafka/broker-1] Found a corrupted index file corresponding to log "
            "file /var/lib/kafka/broker-1/trades-1/00000000000000000000.log due to Corrupt index found, index file "
            "(/var/lib/kafka/broker-1/trades-1/00000000000000000000.index) has non-zero size but the last offset is 0 "
            "which is no larger than the base offset 0.}, recovering segment and rebuilding index files...",
            "Found a corrupted index file due to requirement failed: Corrupt index found, index file "
            "(/var/lib/kafka/broker-2/orders-0/00000000000000000000.index) has non-zero size but the last offset is 0 "
            "which is no larger than the base offset 0.}. deleting "
            "/var/lib/kafka/broker-2/orders-0/00000000000000000000.timeindex, "
            "/var/lib/kafka/broker-2/orders-0/00000000000000000000.index and rebuilding index...",
        ),
        why="routine after every kill: the index is preallocated; the log is not touched",
    ),
    LineRule(
        "producer-state-0.11",
        "0.11",
        "1.0.1",
        rf"Loading producer state from offset \d+ for partition {TP} with message format version \d",
        ("Loading producer state from offset 257 for partition orders-0 with message format version 2",),
        why="the end of the log is in the load and truncation lines beside it",
    ),
    LineRule(
        "producer-state-file-0.11",
        "0.11",
        "1.0.1",
        rf"Loading producer state from snapshot file '.*' for partition {TP}",
        (
            "Loading producer state from snapshot file '/var/lib/kafka/broker-2/orders-0/00000000000000000257.snapshot'"
            " for partition orders-0",
        ),
        why="the name of a file that was written earlier",
    ),
    LineRule(
        "epoch-assigned",
        "0.11",
        "2.0.0",
        # Without a colon after the second `offset` to 1.0.
        r"Updated PartitionLeaderEpoch\. New: \{epoch:(?P<epoch>\d+), offset:(?P<offset>\d+)\}, Current: "
        rf"\{{epoch:-?\d+, offset:?-?\d+\}} for Partition: {TP}\. Cache now contains (?P<before>\d+) entries\.",
        (
            "Updated PartitionLeaderEpoch. New: {epoch:1, offset:257}, Current: {epoch:0, offset0} for Partition: "
            "orders-0. Cache now contains 1 entries.",
            "Updated PartitionLeaderEpoch. New: {epoch:0, offset:0}, Current: {epoch:-1, offset:-1} for Partition: "
            "orders-0. Cache now contains 0 entries.",
        ),
        epoch_assigned,
    ),
    LineRule(
        "epoch-conflict",
        "2.0.1",
        "",
        # No conflict where nothing was written under the epoch that gives way: the start offsets are then equal.
        # Older releases count with the new entry, later ones without: the count is not used.
        rf"\[LeaderEpochCache {TP}\] New epoch entry {EPOCH_ENTRY} "
        r"caused truncation of conflicting entries .*\. Cache now contains \d+ entries\.",
        (
            "[LeaderEpochCache cart-0] New epoch entry EpochEntry(epoch=2, startOffset=186) caused truncation of "
            "conflicting entries ListBuffer(EpochEntry(epoch=1, startOffset=186)). Cache now contains 2 entries.",
            "[LeaderEpochCache cart-0] New epoch entry EpochEntry[epoch=2, startOffset=186] caused truncation of "
            "conflicting entries [EpochEntry[epoch=1, startOffset=186]]. Cache now contains 2 entries.",
        ),
        epoch_assigned,
    ),
    LineRule(
        "epochs-cut",
        "0.11",
        "2.0.0",
        r"Cleared latest \w+\(.*\) entries from epoch cache based on passed offset (?P<offset>\d+) leaving "
        rf"(?P<count>\d+) in EpochFile for partition {TP}",
        (
            "Cleared latest Set(EpochEntry(2,35)) entries from epoch cache based on passed offset 30 leaving 2 in "
            "EpochFile for partition orders-0",
        ),
        epochs_cut,
    ),
    LineRule(
        "hw-lowered",
        "2.7.2",
        "",
        # Where it stood before is no proof of a commit: to 3.4 it may just have been taken over (KAFKA-14704).
        rf"{LOG_PREFIX}Non-monotonic update of high watermark from {OFFSET % 'was'} to {OFFSET % 'hw'}",
        (
            "[UnifiedLog partition=clicks-0, dir=/var/lib/kafka/broker-3] Non-monotonic update of high watermark from "
            "(offset=60, segment=[60:0]) to (offset=56, segment=[56:0])",
            "[Log partition=orders-0, dir=/var/lib/kafka/broker-2] Non-monotonic update of high watermark from "
            "(offset=251 segment=[0:12299]) to (offset=201 segment=[0:9849])",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-2] Non-monotonic update of high watermark from "
            "(offset=251segment=[0:12299]) to (offset=201segment=[0:9849])",
        ),
        _hw_lowered,
    ),
)
