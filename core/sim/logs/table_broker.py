"""Lines of a broker's server.log: its life, its logs, its fetchers and the in-sync set, as releases print them.

The wordings were read in tagged sources (0.10.2.2, 0.11.0.2, 2.8.2) and in logs of real brokers.
"""

from typing import Final

from core.sim.logs.wording import CONSOLE, SERVER, Line

_LOG: Final = "kafka.log.Log"
_MANAGER: Final = "kafka.log.LogManager"
_SERVER: Final = "kafka.server.KafkaServer"
_INFO: Final = "org.apache.kafka.common.utils.AppInfoParser"
_PARTITION: Final = "kafka.cluster.Partition"
_FETCHERS: Final = "kafka.server.ReplicaFetcherManager"
_FETCHER: Final = "kafka.server.ReplicaFetcherThread"
_FETCHER_8: Final = "[ReplicaFetcherThread-0-{leader}], "
_FETCHER_11: Final = "[ReplicaFetcherThread-0-{leader}]: "
_FETCHER_1: Final = "[ReplicaFetcher replicaId={broker}, leaderId={leader}, fetcherId=0] "
_PARTITION_8: Final = "Partition {btp} on broker {broker}: "
_PARTITION_1: Final = "[Partition {tp} broker={broker}] "
_LOG_1: Final = "[Log partition={tp}, dir={dir}] "
_LOADED_10: Final = "Completed load of log {tp} with 1 log segments and log end offset {leo} in 1 ms"
_LOADED_11: Final = "Completed load of log {tp} with 1 log segments, log start offset {log_start} and log end offset {leo} in 1 ms"
_NO_LEADER: Final = (
    "org.apache.kafka.common.errors.NotLeaderForPartitionException: This server is not the leader for that "
    "topic-partition."
)
_BROKEN: Final = (
    "java.io.IOException: Connection to 127.0.0.1:{leader_port} (id: {leader} rack: null) failed{stop}\n"
)

# name, since, until, file, level, logger, text, tail
_LIFE: Final = (
    Line(
        "mbean", "2.0", "", SERVER, "INFO", "kafka.utils.Log4jControllerRegistration$",
        "Registered kafka:type=kafka.Log4jController MBean",
    ),
    Line("settings", "", "", SERVER, "INFO", "kafka.server.KafkaConfig", "KafkaConfig values: \n{settings}"),
    Line("starting", "", "", SERVER, "INFO", _SERVER, "starting"),
    Line("logs-loading", "", "2.6", SERVER, "INFO", _MANAGER, "Loading logs."),
    Line("logs-loading", "2.6", "", SERVER, "INFO", _MANAGER, "Loading logs from log dirs ArraySeq({dir})"),
    Line(
        "stopped-uncleanly", "2.6", "3.5", SERVER, "INFO", _MANAGER,
        "Attempting recovery for all logs in {dir} since no clean shutdown file was found",
    ),
    Line(
        "stopped-cleanly", "2.6", "3.5", SERVER, "INFO", _MANAGER,
        "Skipping recovery for all logs in {dir} since clean shutdown file was found",
    ),
    Line("logs-loaded", "", "2.6", SERVER, "INFO", _MANAGER, "Logs loading complete in 1 ms."),
    Line("logs-loaded", "2.6", "", SERVER, "INFO", _MANAGER, "Loaded {count} logs in 1ms."),
    Line(
        "registering", "", "1.1", SERVER, "INFO", "kafka.utils.ZKCheckedEphemeral",
        "Creating /brokers/ids/{broker} (is it secure? false)",
    ),
    Line(
        "registering", "1.1", "", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Creating /brokers/ids/{broker} (is it secure? false)",
    ),
    Line(
        "znode-created", "", "1.1", SERVER, "INFO", "kafka.utils.ZKCheckedEphemeral",
        "Result of znode creation is: OK",
    ),
    Line(
        "registered", "", "1.1", SERVER, "INFO", "kafka.utils.ZkUtils",
        "Registered broker {broker} at path /brokers/ids/{broker} with addresses: "
        "EndPoint(127.0.0.1,{port},ListenerName(PLAINTEXT),PLAINTEXT)",
    ),
    Line(
        "registered", "2.2", "", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Registered broker {broker} at path /brokers/ids/{broker} with addresses: PLAINTEXT://127.0.0.1:{port}, "
        "czxid (broker epoch): {broker_epoch}",
    ),
    Line("version", "", "0.11", CONSOLE, "INFO", _INFO, "Kafka version : {release}"),
    Line("version", "0.11", "2.2", SERVER, "INFO", _INFO, "Kafka version : {release}"),
    Line("version", "2.2", "", SERVER, "INFO", _INFO, "Kafka version: {release}"),
    Line("start-time", "2.2", "", SERVER, "INFO", _INFO, "Kafka startTimeMs: {now_ms}"),
    Line("started", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], started"),
    Line("started", "1.0", "", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] started"),
    Line("stopping", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], shutting down"),
    Line("stopping", "1.0", "", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] shutting down"),
    Line(
        "shutdown-begun", "", "1.0", SERVER, "INFO", _SERVER,
        "[Kafka Server {broker}], Starting controlled shutdown",
    ),
    Line(
        "shutdown-begun", "1.0", "", SERVER, "INFO", _SERVER,
        "[KafkaServer id={broker}] Starting controlled shutdown",
    ),
    Line(
        "shutdown-granted", "", "1.0", SERVER, "INFO", _SERVER,
        "[Kafka Server {broker}], Controlled shutdown succeeded",
    ),
    Line(
        "shutdown-granted", "1.0", "", SERVER, "INFO", _SERVER,
        "[KafkaServer id={broker}] Controlled shutdown succeeded",
    ),
    Line("stopped", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], shut down completed"),
    Line("stopped", "1.0", "", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] shut down completed"),
    Line(
        "exiting", "", "0.11", SERVER, "FATAL", _FETCHER,
        _FETCHER_8 + "Exiting because log truncation is not allowed for partition {tp}, Current leader {leader}'s "
        "latest offset {to} is less than replica {broker}'s latest offset {leo}",
    ),
    Line(
        "exiting", "0.11", "1.0", SERVER, "FATAL", _FETCHER,
        _FETCHER_11 + "Exiting because log truncation is not allowed for partition {tp}, current leader "
        "{leader}'s latest offset {to} is less than replica {broker}'s latest offset {leo}",
    ),
)  # fmt: skip

_LOGS: Final = (
    Line(
        "corrupt-index", "", "1.1", SERVER, "WARN", _LOG,
        "Found a corrupted index file due to requirement failed: Corrupt index found, index file "
        "({dir}/{tp}/00000000000000000000.index) has non-zero size but the last offset is 0 which is no larger than "
        "the base offset 0.}}. deleting {dir}/{tp}/00000000000000000000.timeindex, "
        "{dir}/{tp}/00000000000000000000.index and rebuilding index...",
    ),
    Line("recovering", "", "1.0.2", SERVER, "INFO", _LOG, "Recovering unflushed segment 0 in log {tp}."),
    Line("recovering", "1.0.2", "3.1", SERVER, "INFO", _LOG, _LOG_1 + "Recovering unflushed segment 0"),
    Line(
        "producer-state", "0.11", "1.0.2", SERVER, "INFO", _LOG,
        "Loading producer state from offset {leo} for partition {tp} with message format version 2",
    ),
    Line(
        "producer-state", "2.0", "3.0", SERVER, "INFO", _LOG,
        _LOG_1 + "Loading producer state till offset {leo} with message format version 2",
    ),
    Line(
        "producer-snapshot", "2.0", "3.0", SERVER, "INFO", "kafka.log.ProducerStateManager",
        "[ProducerStateManager partition={tp}] Writing producer snapshot at offset {leo}",
    ),
    Line("log-loaded", "0.10.1", "0.11", SERVER, "INFO", _LOG, _LOADED_10),
    Line("log-loaded", "0.11", "1.0.2", SERVER, "INFO", _LOG, _LOADED_11),
    # To 2.5 a log says so when it is opened, also when it has just been created.
    Line("log-opened", "0.10.1", "0.11", SERVER, "INFO", _LOG, _LOADED_10),
    Line("log-opened", "0.11", "1.0.2", SERVER, "INFO", _LOG, _LOADED_11),
    Line(
        "log-loaded", "2.6", "3.1", SERVER, "INFO", _MANAGER,
        "Completed load of Log(dir={dir}/{tp}, topic={topic}, partition={number}, highWatermark=0, "
        "lastStableOffset=0, logStartOffset={log_start}, logEndOffset={leo}) with 1 segments in 1ms (1/{count} "
        "loaded in {dir})",
    ),
    Line(
        "log-created", "", "2.6", SERVER, "INFO", _MANAGER,
        "Created log for partition {btp} in {dir} with properties {{message.format.version -> {format}}}.",
    ),
    Line(
        "log-created", "2.6", "", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {dir}/{tp} with properties {{}}",
    ),
    Line(
        "hw-missing", "0.10.2", "1.0", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "No checkpointed highwatermark is found for partition {tp}",
    ),
    Line(
        "hw-missing", "1.0", "", SERVER, "INFO", _PARTITION,
        _PARTITION_1 + "No checkpointed highwatermark is found for partition {tp}",
    ),
    Line(
        "hw-loaded", "0.11", "2.4", SERVER, "INFO", "kafka.cluster.Replica",
        "Replica loaded for partition {tp} with initial high watermark {hw}",
    ),
    Line(
        "hw-loaded", "2.4", "", SERVER, "INFO", _PARTITION,
        _PARTITION_1 + "Log loaded for partition {tp} with initial high watermark {hw}",
    ),
    Line(
        "epoch-assigned", "0.11", "1.1", SERVER, "INFO", "kafka.server.epoch.LeaderEpochFileCache",
        "Updated PartitionLeaderEpoch. New: {{epoch:{epoch}, offset:{offset}}}, Current: {{epoch:{last_epoch}, "
        "offset{last_start}}} for Partition: {tp}. Cache now contains {count} entries.",
    ),
    Line(
        "epochs-cut", "0.11", "2.1", SERVER, "INFO", "kafka.server.epoch.LeaderEpochFileCache",
        "Cleared latest Set({removed}) entries from epoch cache based on passed offset {offset} leaving {count} in "
        "EpochFile for partition {tp}",
    ),
    Line(
        "epochs-conflict", "2.1", "", SERVER, "WARN", "kafka.server.epoch.LeaderEpochFileCache",
        "[LeaderEpochCache {tp}] New epoch entry EpochEntry(epoch={epoch}, startOffset={offset}) caused truncation "
        "of conflicting entries ListBuffer({removed}). Cache now contains {count} entries.",
    ),
    Line(
        "hw-lowered", "2.8", "3.1", SERVER, "WARN", _LOG,
        _LOG_1 + "Non-monotonic update of high watermark from (offset={was} segment=[-1:-1]) to (offset={hw} "
        "segment=[0:0])",
    ),
)  # fmt: skip

_CUTS: Final = (
    # To 0.10 the first of these is printed for every new follower, whether or not it removes something.
    Line("cut-asked", "", "0.11", SERVER, "INFO", _LOG, "Truncating log {tp} to offset {to}."),
    Line("cut", "", "1.0.2", SERVER, "INFO", _LOG, "Truncating log {tp} to offset {to}."),
    Line("cut", "1.0.2", "3.1", SERVER, "INFO", _LOG, _LOG_1 + "Truncating to offset {to}"),
    Line(
        "cut-at-end", "0.11", "1.0.2", SERVER, "INFO", _LOG,
        "Truncating {tp} to {to} has no effect as the largest offset in the log is {last}.",
    ),
    Line(
        "cut-at-end", "1.0.2", "3.1", SERVER, "INFO", _LOG,
        _LOG_1 + "Truncating to {to} has no effect as the largest offset in the log is {last}",
    ),
    Line(
        "cut-beyond-end", "", "0.11", SERVER, "INFO", _LOG,
        "Truncating {tp} to {to} has no effect as the largest offset in the log is {last}.",
    ),
    Line(
        "cut-to-hw", "2.2", "3.1", SERVER, "INFO", _FETCHER,
        _FETCHER_1 + "Truncating partition {tp} to local high watermark {to}",
    ),
    Line(
        "epoch-unknown", "0.11", "1.0", SERVER, "WARN", _FETCHER,
        _FETCHER_11 + "Based on follower's leader epoch, leader replied with an unknown offset in {tp}. High "
        "watermark {to} will be used for truncation.",
    ),
    Line(
        "cut-not-needed", "0.11", "1.0", SERVER, "INFO", _FETCHER,
        _FETCHER_11 + "Based on follower's leader epoch, leader replied with an offset {to} >= the follower's log "
        "end offset {leo} in {tp}. No truncation needed.",
    ),
    Line(
        "offset-reset", "0.10.2", "0.11", SERVER, "WARN", _FETCHER,
        _FETCHER_8 + "Replica {broker} for partition {tp} reset its fetch offset from {was} to current leader "
        "{leader}'s latest offset {to}",
    ),
    Line(
        "offset-reset", "0.11", "1.0", SERVER, "WARN", _FETCHER,
        _FETCHER_11 + "Replica {broker} for partition {tp} reset its fetch offset from {was} to current leader "
        "{leader}'s latest offset {to}",
    ),
    Line(
        "offset-reset", "1.0", "", SERVER, "WARN", _FETCHER,
        _FETCHER_1 + "Reset fetch offset for partition {tp} from {was} to current leader's latest offset {to}",
    ),
    Line(
        "out-of-range", "", "0.11", SERVER, "ERROR", _FETCHER,
        _FETCHER_8 + "Current offset {was} for partition {btp} out of range; reset offset to {to}",
    ),
    Line(
        "out-of-range", "0.11", "1.0", SERVER, "ERROR", _FETCHER,
        _FETCHER_11 + "Current offset {was} for partition {btp} out of range; reset offset to {to}",
    ),
    Line(
        "out-of-range", "1.1", "", SERVER, "INFO", _FETCHER,
        _FETCHER_1 + "Current offset {was} for partition {tp} is out of range, which typically implies a leader "
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
        "fetcher-added", "2.7", "3.1", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher to broker {leader} for partitions Map({tp} -> "
        "InitialFetchState(BrokerEndPoint(id={leader}, host=127.0.0.1:{leader_port}),{epoch},{offset}))",
    ),
    Line(
        "fetch-unreachable", "", "0.11", SERVER, "WARN", _FETCHER,
        _FETCHER_8 + "Error in fetch kafka.server.ReplicaFetcherThread$FetchRequest@{mark}",
        _BROKEN.replace("{stop}", ""),
    ),
    Line(
        "fetch-unreachable", "0.11", "1.1", SERVER, "WARN", _FETCHER,
        _FETCHER_11 + "Error in fetch to broker {leader}, request (type=FetchRequest, replicaId={broker}, "
        "maxWait=500, minBytes=1, maxBytes=10485760, fetchData={{{tp}=(offset={offset}, logStartOffset=0, "
        "maxBytes=1048576)}})",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-unreachable", "2.7", "3.1", SERVER, "WARN", _FETCHER,
        _FETCHER_1 + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=PartitionData(fetchOffset={offset}, logStartOffset=0, "
        "maxBytes=1048576, currentLeaderEpoch=Optional[{epoch}], lastFetchedEpoch={last_epoch})}}, "
        "isolationLevel=READ_UNCOMMITTED, toForget=, metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "fetch-not-leader", "", "0.11", SERVER, "ERROR", _FETCHER,
        _FETCHER_8 + "Error for partition {btp} to broker {leader}:" + _NO_LEADER,
    ),
    Line(
        "fetch-not-leader", "0.11", "1.0", SERVER, "ERROR", _FETCHER,
        _FETCHER_11 + "Error for partition {btp} to broker {leader}:" + _NO_LEADER,
    ),
    Line(
        "fetch-fenced", "2.1", "", SERVER, "INFO", _FETCHER,
        _FETCHER_1 + "Partition {tp} has an older epoch ({epoch}) than the current leader. Will await the new "
        "LeaderAndIsr state before resuming fetching.",
    ),
    Line("fetch-failed", "2.3", "", SERVER, "WARN", _FETCHER, _FETCHER_1 + "Partition {tp} marked as failed"),
    Line(
        "fetch-ahead", "2.5", "3.4", SERVER, "INFO", _FETCHER,
        _FETCHER_1 + "Partition {tp} has an new epoch ({epoch}) than the current leader. retry the partition later",
    ),
    Line(
        "epoch-unreachable", "0.11", "1.0", SERVER, "WARN", _FETCHER,
        _FETCHER_11 + "Error when sending leader epoch request for Map({tp} -> {last_epoch})",
        _BROKEN.replace("{stop}", "."),
    ),
    Line(
        "epoch-retry", "0.11", "1.0", SERVER, "INFO", _FETCHER,
        _FETCHER_11 + "Retrying leaderEpoch request for partition {tp} as the leader reported an error: {error}",
    ),
)  # fmt: skip

_ISR: Final = (
    Line(
        "isr-shrinking", "", "0.11", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "Shrinking ISR for partition {btp} from {was} to {isr}",
    ),
    Line(
        "isr-shrinking", "0.11", "1.0", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "Shrinking ISR from {was} to {isr}",
    ),
    Line(
        "isr-shrinking", "2.2", "3.6", SERVER, "INFO", _PARTITION,
        _PARTITION_1 + "Shrinking ISR from {was} to {isr}. Leader: (highWatermark: {hw}, endOffset: {leo}). Out of "
        "sync replicas: {late}.",
    ),
    Line(
        "isr-expanding", "", "0.11", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "Expanding ISR for partition {tp} from {was} to {isr}",
    ),
    Line(
        "isr-expanding", "0.11", "1.0", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "Expanding ISR from {was} to {isr}",
    ),
    Line(
        "isr-expanding", "1.0", "2.7", SERVER, "INFO", _PARTITION,
        _PARTITION_1 + "Expanding ISR from {was} to {isr}",
    ),
    Line(
        "isr-updated", "2.8", "3.1", SERVER, "INFO", _PARTITION,
        _PARTITION_1 + "ISR updated to {isr} and version updated to [{version}]",
    ),
    Line(
        "isr-rejected", "", "1.0", SERVER, "INFO", _PARTITION,
        _PARTITION_8 + "Cached zkVersion [{version}] not equal to that in zookeeper, skip updating ISR",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_LIFE, *_LOGS, *_CUTS, *_FETCHING, *_ISR)
