"""Lines of server.log on cuts, fetchers and the in-sync set, as releases print them."""

from typing import Final

from core.sim.logs.wording import (
    FETCHER,
    FETCHER_1,
    FETCHER_8,
    FETCHER_11,
    LOG_1,
    PARTITION_1,
    PARTITION_8,
    SERVER,
    Line,
)

_LOG: Final = "kafka.log.Log"
_PARTITION: Final = "kafka.cluster.Partition"
_FETCHERS: Final = "kafka.server.ReplicaFetcherManager"
_BELOW: Final = "Truncating {tp} to offset {to} below high watermark {hw}"
_NO_LEADER: Final = (
    "org.apache.kafka.common.errors.NotLeaderForPartitionException: This server is not the leader for that "
    "topic-partition."
)
_RESET_8: Final = (
    "Replica {broker} for partition {tp} reset its fetch offset from {was} to current leader {leader}'s start offset "
    "{leader_start}"
)
_BROKEN: Final = (
    "java.io.IOException: Connection to 127.0.0.1:{leader_port} (id: {leader} rack: null) failed{stop}\n"
)

_CUTS: Final = (
    # To 0.10 the first of these is printed for every new follower, whether or not it removes something.
    Line("cut-asked", "", "0.11", SERVER, "INFO", _LOG, "Truncating log {tp} to offset {to}."),
    Line("cut", "", "1.0.2", SERVER, "INFO", _LOG, "Truncating log {tp} to offset {to}."),
    Line("cut", "1.0.2", "3.1", SERVER, "INFO", _LOG, LOG_1 + "Truncating to offset {to}"),
    Line(
        "cut-at-end", "0.11", "1.0.2", SERVER, "INFO", _LOG,
        "Truncating {tp} to {to} has no effect as the largest offset in the log is {last}.",
    ),
    Line(
        "cut-at-end", "1.0.2", "3.1", SERVER, "INFO", _LOG,
        LOG_1 + "Truncating to {to} has no effect as the largest offset in the log is {last}",
    ),
    Line(
        "cut-beyond-end", "", "0.11", SERVER, "INFO", _LOG,
        "Truncating {tp} to {to} has no effect as the largest offset in the log is {last}.",
    ),
    Line(
        "cut-to-hw", "2.1", "3.1", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Truncating partition {tp} to local high watermark {to}",
    ),
    Line(
        "epoch-unknown", "0.11", "1.0", SERVER, "WARN", FETCHER,
        FETCHER_11 + "Based on follower's leader epoch, leader replied with an unknown offset in {tp}. High "
        "watermark {to} will be used for truncation.",
    ),
    Line(
        "epoch-unknown", "1.1", "2.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Based on follower's leader epoch, leader replied with an unknown offset in {tp}. The initial "
        "fetch offset {to} will be used for truncation.",
    ),
    Line(
        "epoch-unknown", "2.1", "3.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Based on replica's leader epoch, leader replied with an unknown offset in {tp}. The initial "
        "fetch offset {to} will be used for truncation.",
    ),
    # Between two questions to the leader: it answers with an epoch that the follower does not know (KIP-279).
    Line(
        "cut-then-ask", "2.0", "2.1", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Based on follower's leader epoch, leader replied with epoch {answered} unknown to the follower "
        "for {tp}. Will truncate to {to} and send another leader epoch request to the leader.",
    ),
    Line(
        "cut-then-ask", "2.1", "3.1", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Based on replica's leader epoch, leader replied with epoch {answered} unknown to the replica "
        "for {tp}. Will truncate to {to} and send another leader epoch request to the leader.",
    ),
    Line(
        "epoch-below-all", "2.0", "2.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Based on follower's leader epoch, leader replied with epoch {answered} below any follower's "
        "tracked epochs for {tp}. The leader's offset only {to} will be used for truncation.",
    ),
    Line(
        "epoch-below-all", "2.1", "3.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Based on replica's leader epoch, leader replied with epoch {answered} below any replica's "
        "tracked epochs for {tp}. The leader's offset only {to} will be used for truncation.",
    ),
    Line("cut-below-hw", "2.0", "2.1", SERVER, "WARN", FETCHER, FETCHER_1 + _BELOW),
    # From 2.1 it is printed behind the cut; from 2.4 that has lowered the high watermark before.
    Line("cut-was-below-hw", "2.1", "2.4", SERVER, "WARN", FETCHER, FETCHER_1 + _BELOW),
    Line(
        "cut-not-needed", "0.11", "1.0", SERVER, "INFO", FETCHER,
        FETCHER_11 + "Based on follower's leader epoch, leader replied with an offset {to} >= the follower's log "
        "end offset {leo} in {tp}. No truncation needed.",
    ),
    Line(
        "cut-not-needed", "1.0", "2.0", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Based on follower's leader epoch, leader replied with an offset {to} >= the follower's log "
        "end offset {leo} in {tp}. No truncation needed.",
    ),
    Line(
        "offset-reset", "0.10.2", "0.11", SERVER, "WARN", FETCHER,
        FETCHER_8 + "Replica {broker} for partition {tp} reset its fetch offset from {was} to current leader "
        "{leader}'s latest offset {to}",
    ),
    Line(
        "offset-reset", "0.11", "1.0", SERVER, "WARN", FETCHER,
        FETCHER_11 + "Replica {broker} for partition {tp} reset its fetch offset from {was} to current leader "
        "{leader}'s latest offset {to}",
    ),
    Line(
        "offset-reset", "1.0", "", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Reset fetch offset for partition {tp} from {was} to current leader's latest offset {to}",
    ),
    # To 3.5 the leader's log start is printed in any case, though a follower that ends above it stays there.
    *(
        Line(name, since, until, SERVER, "WARN", FETCHER, prefix + text)
        for name in ("offset-reset-to-start", "offset-reset-to-itself")
        for since, until, prefix, text in (
            ("0.10.2", "0.11", FETCHER_8, _RESET_8),
            ("0.11", "1.0", FETCHER_11, _RESET_8),
            (
                "1.0", "3.6", FETCHER_1,
                "Reset fetch offset for partition {tp} from {was} to current leader's start offset {leader_start}",
            ),
        )
    ),
    Line(
        "offset-reset-to-start", "3.6", "", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Truncate fully and reset fetch offset for partition {tp} from {was} to the current leader's start "
        "offset {to} because the local replica's end offset is smaller than the current leader's start offsets.",
    ),
    Line(
        "offset-reset-to-itself", "3.6", "", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Reset fetch offset for partition {tp} from {was} to the current local replica's end offset {to}",
    ),
    Line(
        "out-of-range", "", "0.11", SERVER, "ERROR", FETCHER,
        FETCHER_8 + "Current offset {was} for partition {btp} out of range; reset offset to {to}",
    ),
    Line(
        "out-of-range", "0.11", "1.0", SERVER, "ERROR", FETCHER,
        FETCHER_11 + "Current offset {was} for partition {btp} out of range; reset offset to {to}",
    ),
    Line(
        "out-of-range", "1.1", "", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Current offset {was} for partition {tp} is out of range, which typically implies a leader "
        "change. Reset fetch offset to {to}",
    ),
)  # fmt: skip

_FETCHING: Final = (
    Line(
        "fetcher-removed", "0.10.2", "2.1", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Removed fetcher for partitions {tp}",
    ),
    Line(
        "fetcher-removed", "2.1", "", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Removed fetcher for partitions Set({tp})",
    ),
    Line(
        "fetcher-added", "0.10.2", "2.1", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher for partitions List([{tp}, initOffset {offset} to "
        "broker BrokerEndPoint({leader},127.0.0.1,{leader_port})] )",
    ),
    Line(
        "fetcher-added", "2.1", "2.7", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher to broker BrokerEndPoint(id={leader}, "
        "host=127.0.0.1:{leader_port}) for partitions Map({tp} -> (offset={offset}, leaderEpoch={epoch}))",
    ),
    Line(
        "fetcher-added", "2.7", "3.1", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher to broker {leader} for partitions Map({tp} -> "
        "InitialFetchState(BrokerEndPoint(id={leader}, host=127.0.0.1:{leader_port}),{epoch},{offset}))",
    ),
    Line(
        "fetch-unreachable", "", "0.11", SERVER, "WARN", FETCHER,
        FETCHER_8 + "Error in fetch kafka.server.ReplicaFetcherThread$FetchRequest@{mark}",
        _BROKEN.replace("{stop}", ""),
    ),
    Line(
        "fetch-unreachable", "0.11", "1.1", SERVER, "WARN", FETCHER,
        FETCHER_11 + "Error in fetch to broker {leader}, request (type=FetchRequest, replicaId={broker}, "
        "maxWait=500, minBytes=1, maxBytes=10485760, fetchData={{{tp}=(offset={offset}, logStartOffset=0, "
        "maxBytes=1048576)}})",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-unreachable", "1.1", "2.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=(offset={offset}, logStartOffset=0, maxBytes=1048576)}}, "
        "isolationLevel=READ_UNCOMMITTED, toForget=, metadata=(sessionId=INVALID, epoch=INITIAL))",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-unreachable", "2.1", "2.4", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=(fetchOffset={offset}, logStartOffset=0, maxBytes=1048576, "
        "currentLeaderEpoch=Optional[{epoch}])}}, isolationLevel=READ_UNCOMMITTED, toForget=, "
        "metadata=(sessionId=INVALID, epoch=INITIAL))",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-unreachable", "2.4", "2.7", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=(fetchOffset={offset}, logStartOffset=0, maxBytes=1048576, "
        "currentLeaderEpoch=Optional[{epoch}])}}, isolationLevel=READ_UNCOMMITTED, toForget=, "
        "metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-unreachable", "2.7", "3.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=PartitionData(fetchOffset={offset}, logStartOffset=0, "
        "maxBytes=1048576, currentLeaderEpoch=Optional[{epoch}], lastFetchedEpoch={last_epoch})}}, "
        "isolationLevel=READ_UNCOMMITTED, toForget=, metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-not-leader", "", "0.11", SERVER, "ERROR", FETCHER,
        FETCHER_8 + "Error for partition {btp} to broker {leader}:" + _NO_LEADER,
    ),
    Line(
        "fetch-not-leader", "0.11", "1.0", SERVER, "ERROR", FETCHER,
        FETCHER_11 + "Error for partition {btp} to broker {leader}:" + _NO_LEADER,
    ),
    Line(
        "fetch-not-leader", "1.1", "2.1", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Remote broker is not the leader for partition {tp}, which could indicate that the partition is "
        "being moved",
    ),
    Line(
        "fetch-fenced", "2.1", "", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Partition {tp} has an older epoch ({epoch}) than the current leader. Will await the new "
        "LeaderAndIsr state before resuming fetching.",
    ),
    Line("fetch-failed", "2.3", "", SERVER, "WARN", FETCHER, FETCHER_1 + "Partition {tp} marked as failed"),
    Line(
        "fetch-ahead", "2.5", "3.4", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Partition {tp} has an new epoch ({epoch}) than the current leader. retry the partition later",
    ),
    Line(
        "epoch-unreachable", "0.11", "1.0", SERVER, "WARN", FETCHER,
        FETCHER_11 + "Error when sending leader epoch request for Map({tp} -> {last_epoch})",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "epoch-unreachable", "1.0", "2.1", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error when sending leader epoch request for Map({tp} -> {last_epoch})",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "epoch-unreachable", "2.1", "2.7", SERVER, "WARN", FETCHER,
        FETCHER_1 + "Error when sending leader epoch request for Map({tp} -> (currentLeaderEpoch=Optional[{epoch}], "
        "leaderEpoch={last_epoch}))",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "epoch-retry", "0.11", "1.0", SERVER, "INFO", FETCHER,
        FETCHER_11 + "Retrying leaderEpoch request for partition {tp} as the leader reported an error: {error}",
    ),
    Line(
        "epoch-retry", "1.0", "3.1", SERVER, "INFO", FETCHER,
        FETCHER_1 + "Retrying leaderEpoch request for partition {tp} as the leader reported an error: {error}",
    ),
)  # fmt: skip

_ISR: Final = (
    Line(
        "isr-shrinking", "", "0.11", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "Shrinking ISR for partition {btp} from {was} to {isr}",
    ),
    Line(
        "isr-shrinking", "0.11", "1.0", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "Shrinking ISR from {was} to {isr}",
    ),
    Line(
        "isr-shrinking", "1.0", "2.2", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "Shrinking ISR from {was} to {isr}",
    ),
    Line(
        "isr-shrinking", "2.2", "3.6", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "Shrinking ISR from {was} to {isr}. Leader: (highWatermark: {hw}, endOffset: {leo}). Out of "
        "sync replicas: {late}.",
    ),
    Line(
        "isr-expanding", "", "0.11", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "Expanding ISR for partition {tp} from {was} to {isr}",
    ),
    Line(
        "isr-expanding", "0.11", "1.0", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "Expanding ISR from {was} to {isr}",
    ),
    Line(
        "isr-expanding", "1.0", "2.7", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "Expanding ISR from {was} to {isr}",
    ),
    Line(
        "isr-updated", "2.4", "2.8", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "ISR updated to [{isr}] and zkVersion updated to [{version}]",
    ),
    Line(
        "isr-updated", "2.8", "3.1", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "ISR updated to {isr} and version updated to [{version}]",
    ),
    Line(
        "isr-rejected", "", "1.0", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "Cached zkVersion [{version}] not equal to that in zookeeper, skip updating ISR",
    ),
    Line(
        "isr-rejected", "1.0", "2.8", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "Cached zkVersion [{version}] not equal to that in zookeeper, skip updating ISR",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_CUTS, *_FETCHING, *_ISR)
