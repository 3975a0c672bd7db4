"""Lines about a replica's own log: loading, truncation, recovery, creation. Most do not name their broker."""

from importers.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import LOG_PREFIX, TP, group, partition_of


def _loaded(message: Message) -> Reading:
    start = group(message.match, "start")
    said = Said("log_loaded", partition_of(message.match), leo=message.number("leo"), log_start=start)
    return Reading((said,))


def _truncated(message: Message) -> Reading:
    return Reading((Said("truncated", partition_of(message.match), offset=message.number("to")),))


def _truncation_noop(message: Message) -> Reading:
    end = message.number("largest") + 1
    return Reading(
        (Said("truncation_noop", partition_of(message.match), offset=message.number("to"), leo=end),)
    )


def _recovering(message: Message) -> Reading:
    return Reading((Said("unclean_restart_detected", partition_of(message.match)),))


def _created(message: Message) -> Reading:
    return Reading((Said("log_created", partition_of(message.match)),))


def _snapshot(message: Message) -> Reading:
    said = Said("leo_sample", partition_of(message.match), leo=message.number("leo"), at_least=("leo",))
    return Reading((said,))


LOG_RULES = (
    LineRule(
        "log-loaded",
        "0.8.2",
        "1.0.0",
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
        "log-loaded-2.6",
        "2.6.0",
        "",
        r"Completed load of Log\(dir=.*?, topic=(?P<topic_d>[\w.\-]+), partition=(?P<number_d>\d+), "
        # highWatermark is always 0 here: it has not been read yet. Never a statement.
        r"highWatermark=-?\d+, lastStableOffset=-?\d+, logStartOffset=(?P<start>\d+), logEndOffset=(?P<leo>\d+)\) .*",
        (
            "Completed load of Log(dir=/var/lib/kafka/broker-1/clicks-2, topic=clicks, partition=2, "
            "highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=251) with 1 segments in 102ms "
            "(1/7 loaded in /var/lib/kafka/broker-1)",
        ),
        _loaded,
    ),
    LineRule(
        "truncated",
        "0.8.2",
        "1.0.0",
        rf"Truncating log {TP} to offset (?P<to>\d+)\.",
        ("Truncating log orders-0 to offset 206.",),
        _truncated,
    ),
    LineRule(
        "truncated-1.0.2",
        "1.0.2",
        "3.0",
        rf"{LOG_PREFIX}Truncating to offset (?P<to>\d+)",
        ("[Log partition=audit-0, dir=/var/lib/kafka/broker-1] Truncating to offset 257",),
        _truncated,
    ),
    LineRule(
        "truncation-noop",
        "0.8.2",
        "1.0.0",
        rf"Truncating {TP} to (?P<to>\d+) has no effect as the largest offset in the log is (?P<largest>-?\d+)\.?",
        ("Truncating orders-0 to 254 has no effect as the largest offset in the log is 253.",),
        _truncation_noop,
    ),
    LineRule(
        "truncation-noop-1.0.2",
        "1.0.2",
        "3.0",
        rf"{LOG_PREFIX}Truncating to (?P<to>\d+) has no effect as the largest offset in the log is (?P<largest>-?\d+)",
        (
            "[Log partition=orders-0, dir=/var/lib/kafka/broker-2] Truncating to 0 has no effect as the largest "
            "offset in the log is -1",
        ),
        _truncation_noop,
    ),
    LineRule(
        "recovering",
        "0.8.2",
        "1.0.0",
        rf"Recovering unflushed segment \d+ in log {TP}\.",
        ("Recovering unflushed segment 0 in log orders-0.",),
        _recovering,
    ),
    LineRule(
        "recovering-1.0.2",
        "1.0.2",
        "3.2",
        rf"{LOG_PREFIX}Recovering unflushed segment \d+",
        ("[Log partition=clicks-2, dir=/var/lib/kafka/broker-1] Recovering unflushed segment 0",),
        _recovering,
    ),
    LineRule(
        "log-created",
        "0.8.2",
        "",
        rf"Created log for partition {TP} in \S+ with properties .*",
        (
            "Created log for partition [orders,0] in /var/lib/kafka/broker-1 with properties "
            "{compression.type -> producer, message.format.version -> 0.10.2-IV0}.",
            "Created log for partition orders-2 in /var/lib/kafka/broker-1/orders-2 with properties {}",
        ),
        _created,
    ),
    LineRule(
        "producer-snapshot",
        "1.0.2",
        "2.8",
        # While several segments are recovered it is printed for each of them: the log reaches at least so far.
        r"\[ProducerStateManager partition=(?P<topic_d>[\w.\-]+)-(?P<number_d>\d+)\] "
        r"Writing producer snapshot at offset (?P<leo>\d+)",
        ("[ProducerStateManager partition=clicks-2] Writing producer snapshot at offset 251",),
        _snapshot,
    ),
    LineRule(
        "producer-state",
        "1.0.2",
        "2.8",
        rf"{LOG_PREFIX}Loading producer state till offset \d+ with message format version \d",
        (
            "[Log partition=orders-2, dir=/var/lib/kafka/broker-1] Loading producer state till offset 0 with "
            "message format version 2",
        ),
        why="during recovery it prints the base offset of the segment, not the end of the log; "
        "the end is in the load and truncation lines beside it",
    ),
    LineRule(
        "producer-state-file",
        "1.0.2",
        "",
        r"\[ProducerStateManager partition=\S+\] Loading producer state from snapshot file '.*'",
        (
            "[ProducerStateManager partition=clicks-2] Loading producer state from snapshot file "
            "'SnapshotFile(/var/lib/kafka/broker-1/clicks-2/00000000000000000251.snapshot,251)'",
        ),
        why="the name of a file that was written earlier",
    ),
    LineRule(
        "no-clean-shutdown",
        "2.6.0",
        "3.4",
        r"Attempting recovery for all logs in \S+ since no clean shutdown file was found",
        (
            "Attempting recovery for all logs in /var/lib/kafka/broker-1 since no clean shutdown file was found",
        ),
        why="also printed at the very first start; each log that is recovered has its own line",
    ),
    LineRule(
        "corrupt-index",
        "0.8.2",
        "1.1",
        r"Found a corrupted index file due to requirement failed: .*",
        (
            "Found a corrupted index file due to requirement failed: Corrupt index found, index file "
            "(/var/lib/kafka/broker-2/orders-0/00000000000000000000.index) has non-zero size but the last offset is 0 "
            "which is no larger than the base offset 0.}. deleting "
            "/var/lib/kafka/broker-2/orders-0/00000000000000000000.timeindex, "
            "/var/lib/kafka/broker-2/orders-0/00000000000000000000.index and rebuilding index...",
        ),
        why="routine after every kill: the index is preallocated; the log is not touched",
    ),
)
