"""Snapshots of the metadata log: who writes one, what goes with it, who is sent one (KIP-630).

Read at 3.0.0, 3.3.2, 3.6.2, 3.7.0 and 3.9.0-rc3: core/src/main/scala/kafka/raft/KafkaMetadataLog.scala;
KafkaRaftClient.java and ReplicatedLog.java in raft/src/main/java/org/apache/kafka/raft; from 3.4 on
metadata/src/main/java/org/apache/kafka/image/publisher/SnapshotGenerator.java, before QuorumController.java.

A snapshot is named by the offset after its last record and by that record's epoch: OffsetAndEpoch, here a
`LogEnd`. Snapshots are ordered by that, the earliest first.
"""

from collections.abc import Sequence

from core.kafka.raft import LogEnd
from core.kafka.switches import MetadataSnapshot


def may_write(
    rule: MetadataSnapshot, wanted: LogEnd, snapshots: Sequence[LogEnd], *, log_start: int, hw: int
) -> bool:
    """Whether a node writes a snapshot of what it has up to there; of what is committed alone.

    From 3.0 on each controller and each broker does so by itself, after
    `metadata.log.max.record.bytes.between.snapshots`, from 3.4 on also after
    `metadata.log.max.snapshot.interval.ms`. Not below its log start, not above its high watermark, and no
    second one of one name (KafkaMetadataLog.createNewSnapshot, storeSnapshot). Of nothing there is none.
    """
    return (
        rule != "none" and 0 < wanted.offset <= hw and wanted.offset >= log_start and wanted not in snapshots
    )


def start_after_cleaning(snapshots: Sequence[LogEnd], *, old: int, log_start: int, hw: int) -> int:
    """Where the log of a node begins once it has deleted its `old` earliest snapshots, as far as it may.

    By `metadata.max.retention.bytes` or `metadata.max.retention.ms` the earliest goes, and the log below the
    next one with it, again and again; the latest stays, so that with a single one nothing goes
    (KafkaMetadataLog.maybeClean, cleanSnapshots, deleteBeforeSnapshot). Not above the high watermark, which
    is unknown after a start (UnifiedLog.maybeIncrementLogStartOffset).
    """
    start = log_start
    for following in snapshots[1 : old + 1]:
        if not start < following.offset <= hw:
            break
        start = following.offset
    return start


def kept_from(snapshots: Sequence[LogEnd], log_start: int) -> tuple[LogEnd, ...]:
    """The snapshots that a node keeps whose log begins there (forgetSnapshotsBefore, recoverSnapshots)."""
    return tuple(one for one in snapshots if one.offset >= log_start)


def snapshot_to_fetch(
    rule: MetadataSnapshot, snapshots: Sequence[LogEnd], log_start: int, fetch_offset: int, last_epoch: int
) -> LogEnd | None:
    """The snapshot that a leader names in place of records: its latest; None where it looks at its log.

    ReplicatedLog.validateOffsetAndEpoch: the fetch is below the log start, or there with another epoch than
    the earliest snapshot's, or its last epoch is older than that of the earliest snapshot, even where the log
    begins far below. From 3.6 on an empty log is sent one in any case (KAFKA-15078,
    KafkaRaftClient.tryCompleteFetchRequest); before, a log that begins at 0 was copied from there.
    """
    if rule == "none" or not snapshots:
        return None
    earliest, latest = snapshots[0], snapshots[-1]
    if fetch_offset == 0 and (rule == "empty-log-too" or log_start == 0):
        return latest if rule == "empty-log-too" else None
    below = fetch_offset < log_start or (fetch_offset == log_start and last_epoch != earliest.epoch)
    return latest if below or last_epoch < earliest.epoch else None


def replaces_log(snapshot: LogEnd, own: LogEnd) -> bool:
    """Whether a follower that has fetched a snapshot drops its whole log for it, and goes on at its end.

    KafkaMetadataLog.truncateToLatestSnapshot, UnifiedLog.truncateFullyAndStartAt: log start, log end and high
    watermark are the snapshot's end offset. `own` is where its log ends.
    """
    return snapshot > own
