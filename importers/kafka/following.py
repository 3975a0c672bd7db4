"""More lines of the replica fetcher: by which rule it cuts, and why a fetch brings nothing."""

from core.trace.vocabulary import CutReason, StopReason
from importers.kafka.drafts import Said
from importers.kafka.rule import Build, LineRule, Message, Reading
from importers.kafka.text import FETCHER, PARTITION_PREFIX, TP, group, partition_of


def _decided(message: Message) -> Reading:
    """Where two offsets are printed, the state is where the cut goes; the other is the leader's own end."""
    said = Said(
        "truncation_decided",
        partition_of(message.match),
        broker=group(message.match, "replica"),
        epoch=group(message.match, "epoch") if "epoch" in message.match.groupdict() else None,
        offset=message.number("to"),
        aux=CutReason.LEADER_EPOCH,
    )
    return Reading((said,))


def _refused(reason: StopReason) -> Build:
    def build(message: Message) -> Reading:
        said = Said(
            "fetch_failed",
            partition_of(message.match),
            broker=group(message.match, "replica"),
            leader=group(message.match, "leader", "leader_o"),
            offset=group(message.match, "offset") if "offset" in message.match.groupdict() else None,
            aux=reason,
        )
        return Reading((said,))

    return build


def _starts_below(message: Message) -> Reading:
    """The log is still empty, and begins anew at the first batch."""
    said = Said(
        "log_reset",
        partition_of(message.match),
        broker=group(message.match, "broker", "broker_o"),
        from_offset=message.number("was"),
        offset=message.number("to"),
        aux=CutReason.RESET,
    )
    return Reading((said,))


FOLLOWING_RULES = (
    LineRule(
        "cut-by-epoch",
        "3.1",
        "",
        rf"{FETCHER}Truncating partition {TP} with TruncationState\(offset=(?P<to>\d+), completed=\w+\) due to leader "
        r"epoch and offset EpochEndOffset\(errorCode=\d+, partition=\d+, leaderEpoch=(?P<epoch>-?\d+), endOffset=-?\d+\)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Truncating partition ledger-0 with "
            "TruncationState(offset=20, completed=true) due to leader epoch and offset EpochEndOffset(errorCode=0, "
            "partition=0, leaderEpoch=0, endOffset=36)",
        ),
        _decided,
    ),
    LineRule(
        "cut-step",
        "2.0",
        "",
        # An answer with an epoch that the follower never had: it goes back and compares again (KIP-279).
        rf"{FETCHER}Based on (?:the )?(?:follower|replica)'s leader epoch, leader replied with epoch (?P<epoch>\d+) "
        rf"unknown to the (?:follower|replica) for {TP}\. Will truncate to (?P<to>\d+) and send another leader epoch "
        r"request to the leader\.",
        (
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Based on replica's leader epoch, leader replied with "
            "epoch 1 unknown to the replica for carts-2. Will truncate to 14 and send another leader epoch request to "
            "the leader.",
        ),
        _decided,
    ),
    LineRule(
        "cut-to-leader-offset",
        "2.0",
        "",
        rf"{FETCHER}(?:Based on (?:follower|replica)'s leader epoch, leader replied with epoch (?P<epoch>\d+) below any "
        rf"(?:follower|replica)'s tracked epochs for {TP}\. The leader's offset only (?P<to>\d+) will be used for "
        r"truncation\.)",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Based on replica's leader epoch, leader replied with "
            "epoch 1 below any replica's tracked epochs for orders-0. The leader's offset only 20 will be used for "
            "truncation.",
        ),
        _decided,
    ),
    LineRule(
        "cut-by-old-protocol",
        "2.0",
        "",
        rf"{FETCHER}Leader or (?:follower|replica) is on protocol version where leader epoch is not considered in the "
        rf"OffsetsForLeaderEpoch response\. The leader's offset (?P<to>\d+) will be used for truncation in {TP}\.",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Leader or replica is on protocol version where "
            "leader epoch is not considered in the OffsetsForLeaderEpoch response. The leader's offset 20 will be used "
            "for truncation in orders-0.",
        ),
        _decided,
    ),
    LineRule(
        "not-leader-1.1",
        "1.1",
        "",
        rf"{FETCHER}Remote broker is not the leader for partition {TP}, which could indicate that the partition is being "
        r"moved",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Remote broker is not the leader for partition "
            "orders-0, which could indicate that the partition is being moved",
        ),
        _refused(StopReason.NOT_LEADER),
    ),
    LineRule(
        "fetch-error",
        "0.8.2",
        "",
        # To 1.0 with the exception in place of an offset; to 2.2 without either where the disk failed.
        rf"{FETCHER}(?:Error for|Found invalid messages during fetch for|(?:Unexpected e|E)rror (?:occurred )?while processing "
        rf"data for) partition {TP}(?: (?:at )?offset (?P<offset>\d+)(?: error .*)?"
        r"| to broker \d+:(?!org\.apache\.kafka\.common\.errors\.(?:NotLeaderForPartition|Unknown\w+)Exception: ).*)?",
        (
            "[ReplicaFetcherThread-0-2], Error for partition [orders,0] to broker 2:org.apache.kafka.common.errors."
            "KafkaStorageException: Disk error when trying to access log file on the disk.",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Error while processing data for partition orders-0",
            "[ReplicaFetcherThread-0-2], Found invalid messages during fetch for partition [orders,0] offset 42 error Record "
            "is corrupt (stored crc = 1, computed crc = 2)",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Found invalid messages during fetch for partition "
            "orders-0 offset 42",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Error while processing data for partition orders-0 "
            "at offset 42",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Unexpected error occurred while processing data for "
            "partition orders-0 at offset 42",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error for partition orders-0 at offset 42",
        ),
        _refused(StopReason.UNKNOWN),
    ),
    LineRule(
        "follower-starts-below",
        "1.0.2",
        "",
        rf"{PARTITION_PREFIX}Unexpected offset in append to \S+\. First offset \d+ is less than log start offset "
        r"(?P<was>\d+)\. Since this is the first record to be appended to the follower's log, will start the log from "
        r"offset (?P<to>\d+)\.",
        (
            "[Partition clicks-0 broker=3] Unexpected offset in append to clicks-0. First offset 56 is less than log "
            "start offset 60. Since this is the first record to be appended to the follower's log, will start the log "
            "from offset 56.",
        ),
        _starts_below,
    ),
    LineRule(
        "cut-below-watermark",
        "2.0",
        "",
        rf"(?:{FETCHER}|\[UnifiedLog partition=[^\]]*\] )Truncating (?:future )?{TP} to offset \d+ below high "
        r"watermark \d+",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Truncating orders-0 to offset 30 below high watermark "
            "45",
            "[UnifiedLog partition=carts-0, dir=/var/lib/kafka/broker-2] Truncating carts-0 to offset 20 below high "
            "watermark 30",
        ),
        why="the cut has its own line; the high watermark may just have been taken over from the leader (KAFKA-14704)",
    ),
    LineRule(
        "fetch-trouble",
        "1.1",
        "",
        rf"{FETCHER}(?:Received \w+ from the leader for partition {TP}\. .*"
        r"|Failed to truncate \S+(?: at offset \d+)?"
        r"|Error getting offset for partition .*|Could not fetch offset for \S+ due to error: .*"
        r"|Unexpected error occurred during truncation for \S+ at offset -?\d+"
        r"|Could not build remote log auxiliary state for \S+ due to error: .*"
        r"|Received error OFFSET_MOVED_TO_TIERED_STORAGE, at fetch offset: .*"
        r"|Current offset \d+ for partition \S+ is out of range or moved to remote tier\. .*"
        r"|Replication is failing due to a message that is greater than replica\.fetch\.max\.bytes for partition .*"
        r"|Error for partition \S+ to broker \d+:org\.apache\.kafka\.common\.errors\.Unknown\w+Exception: .*)",
        (
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Received UNKNOWN_TOPIC_OR_PARTITION from the leader "
            "for partition audit-0. This error may be returned transiently when the partition is being created or "
            "deleted, but it is not expected to persist.",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Failed to truncate orders-0 at offset 30",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Error getting offset for partition orders-0",
            "[ReplicaFetcherThread-0-2], Error getting offset for partition [orders,0] to broker 2",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Could not fetch offset for orders-0 due to error: This "
            "server does not host this topic-partition.",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Unexpected error occurred during truncation for "
            "orders-0 at offset 30",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Current offset 30 for partition orders-0 is out of range "
            "or moved to remote tier. Reset fetch offset to 20",
            "[ReplicaFetcherThread-0-2], Replication is failing due to a message that is greater than "
            "replica.fetch.max.bytes for partition orders-0. This generally occurs when the max.message.bytes has been "
            "overridden to exceed this value.",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Replication is failing due to a message that is greater "
            "than replica.fetch.max.bytes for partition orders-0. This generally occurs when the max.message.bytes has been "
            "overridden to exceed this value.",
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Received error OFFSET_MOVED_TO_TIERED_STORAGE, at fetch "
            "offset: 30, topic-partition: orders-0",
            "[ReplicaFetcherThread-0-2], Error for partition [bookings,1] to broker 2:org.apache.kafka.common.errors."
            "UnknownTopicOrPartitionException: This server does not host this topic-partition.",
        ),
        why="the partition is asked for again; how far the log reaches is in other lines",
    ),
    LineRule(
        "fetcher-network",
        "1.0",
        "",
        rf"{FETCHER}(?:Client requested connection close from node \d+|Node \d+ disconnected\."
        r"|Connection to node \d+ (?:\([^)]*\) )?could not be established\. Node may not be available\."
        r"|Connection to node \d+ could not be established\. Broker may not be available\."
        r"|Cancelled in-flight \w+ request with correlation id .*|Disconnecting from node \d+ .*"
        r"|Unexpected error from \S+; closing connection|Failed (?:re-)?authentication with .*"
        r"|Connection to node \S+ (?:\([^)]*\) )?(?:terminated during|failed) authentication.*"
        r"|(?:Initiating|Completed) connection to node .*|Connection with .* disconnected)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Client requested connection close from node 2",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Node 2 disconnected.",
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Unexpected error from /127.0.0.1; closing connection",
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Failed authentication with kafka-3/10.0.0.3 "
            "(SSL handshake failed)",
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Initiating connection to node kafka-3:9092 (id: 3 "
            "rack: null)",
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Completed connection to node 3. Fetching API versions.",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Connection to node 2 (/127.0.0.1:29092) could not be "
            "established. Node may not be available.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Cancelled in-flight FETCH request with correlation "
            "id 144 due to node 1 being disconnected (elapsed time since creation: 292ms, elapsed time since send: "
            "292ms, throttle time: 0ms, request timeout: 30000ms)",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Disconnecting from node 1 due to request timeout.",
        ),
        why="the fetcher's own warning follows, with the offsets",
    ),
    LineRule(
        "fetcher-steps",
        "0.11",
        "",
        rf"{FETCHER}(?:There are no active partitions\. Back off for \d+ ms before sending a fetch request"
        r"|[hH]andling (?:errors (?:in \w+ )?for partitions|partitions with error for) .*"
        r"|Skipping leaderEpoch request since all partitions do not have an epoch"
        r"|Ignoring epoch offsets for partition \S+ since it has been removed from this fetcher thread\."
        r"|Failed to (?:initiate shutdown of|close) .*|Fail to close leader endpoint .*"
        r"|Error due to ?|Stopped due to fatal error with exit code \d+)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] There are no active partitions. Back off for 1000 ms "
            "before sending a fetch request",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Handling errors in processFetchRequest for partitions "
            "HashSet(orders-0)",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] handling partitions with error for Set(orders-0)",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Skipping leaderEpoch request since all partitions do "
            "not have an epoch",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Ignoring epoch offsets for partition orders-0 since it "
            "has been removed from this fetcher thread.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Failed to close RemoteLeaderEndPoint after shutting "
            "down replica fetcher thread",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error due to",
            "[ReplicaFetcherThread-0-1], Error due to ",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Stopped due to fatal error with exit code 1",
        ),
        why="the thread waits; what it waits for has its own lines",
    ),
    LineRule(
        "other-fetcher-managers",
        "1.1",
        "",
        r"\[ReplicaAlterLogDirsManager on broker \d+\] .*",
        (
            "[ReplicaAlterLogDirsManager on broker 1] Removed fetcher for partitions Set(metrics-2, metrics-1)",
            "[ReplicaAlterLogDirsManager on broker 1] Added fetcher for partitions List()",
            "[ReplicaAlterLogDirsManager on broker 1] Shutting down",
        ),
        why="a future replica: a copy inside the same broker, no replication",
    ),
)
