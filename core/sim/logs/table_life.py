"""Lines of a broker's life and of its logs, as releases print them. All stand in server.log but for one.

The wordings were read in tagged sources (0.10.2.2, 0.11.0.2, 1.1.1, 2.0.0, 2.1.1, 2.4.1, 2.8.2) and in logs of
real brokers.
"""

from typing import Final

from core.sim.logs.wording import (
    CONSOLE,
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
_MANAGER: Final = "kafka.log.LogManager"
_SERVER: Final = "kafka.server.KafkaServer"
_INFO: Final = "org.apache.kafka.common.utils.AppInfoParser"
_PARTITION: Final = "kafka.cluster.Partition"
_END_POINTS: Final = "ArrayBuffer(EndPoint(127.0.0.1,{port},ListenerName(PLAINTEXT),PLAINTEXT))"
_LOADED_10: Final = "Completed load of log {tp} with 1 log segments and log end offset {leo} in 1 ms"
_LOADED_11: Final = "Completed load of log {tp} with 1 log segments, log start offset {log_start} and log end offset {leo} in 1 ms"
_LOADED_1: Final = (
    "Completed load of log with 1 segments, log start offset {log_start} and log end offset {leo} in 1 ms"
)

# name, since, until, file, level, logger, text, tail
_LIFE: Final = (
    Line(
        "mbean", "1.1", "", SERVER, "INFO", "kafka.utils.Log4jControllerRegistration$",
        "Registered kafka:type=kafka.Log4jController MBean",
    ),
    Line("settings", "", "", SERVER, "INFO", "kafka.server.KafkaConfig", "KafkaConfig values: \n{settings}"),
    Line("starting", "", "3.3", SERVER, "INFO", _SERVER, "starting"),
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
    Line("logs-loaded", "2.6", "3.5", SERVER, "INFO", _MANAGER, "Loaded {count} logs in 1ms."),
    Line(
        "session-expired", "", "1.1", SERVER, "INFO", "org.I0Itec.zkclient.ZkClient",
        "zookeeper state changed (Expired)",
    ),
    Line(
        "session-expired", "1.1", "3.3", SERVER, "INFO", "kafka.zookeeper.ZooKeeperClient",
        "[ZooKeeperClient Kafka server] Session expired.",
    ),
    Line(
        "registering", "", "1.1", SERVER, "INFO", "kafka.utils.ZKCheckedEphemeral",
        "Creating /brokers/ids/{broker} (is it secure? false)",
    ),
    Line(
        "registering", "1.1", "3.3", SERVER, "INFO", "kafka.zk.KafkaZkClient",
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
        "znode-created", "1.1", "2.2", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Result of znode creation at /brokers/ids/{broker} is: OK",
    ),
    Line(
        "registered", "1.1", "2.2", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Registered broker {broker} at path /brokers/ids/{broker} with addresses: " + _END_POINTS,
    ),
    Line(
        "registered", "2.2", "2.6", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Registered broker {broker} at path /brokers/ids/{broker} with addresses: " + _END_POINTS + ", czxid (broker "
        "epoch): {broker_epoch}",
    ),
    Line(
        "registered", "2.6", "3.3", SERVER, "INFO", "kafka.zk.KafkaZkClient",
        "Registered broker {broker} at path /brokers/ids/{broker} with addresses: PLAINTEXT://127.0.0.1:{port}, "
        "czxid (broker epoch): {broker_epoch}",
    ),
    Line("version", "", "0.11", CONSOLE, "INFO", _INFO, "Kafka version : {release}"),
    Line("version", "0.11", "2.2", SERVER, "INFO", _INFO, "Kafka version : {release}"),
    Line("version", "2.2", "", SERVER, "INFO", _INFO, "Kafka version: {release}"),
    Line("start-time", "2.2", "", SERVER, "INFO", _INFO, "Kafka startTimeMs: {now_ms}"),
    Line("started", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], started"),
    Line("started", "1.0", "3.3", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] started"),
    Line("stopping", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], shutting down"),
    Line("stopping", "1.0", "3.3", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] shutting down"),
    Line(
        "shutdown-begun", "", "1.0", SERVER, "INFO", _SERVER,
        "[Kafka Server {broker}], Starting controlled shutdown",
    ),
    Line(
        "shutdown-begun", "1.0", "3.3", SERVER, "INFO", _SERVER,
        "[KafkaServer id={broker}] Starting controlled shutdown",
    ),
    Line(
        "shutdown-granted", "", "1.0", SERVER, "INFO", _SERVER,
        "[Kafka Server {broker}], Controlled shutdown succeeded",
    ),
    Line(
        "shutdown-granted", "1.0", "3.3", SERVER, "INFO", _SERVER,
        "[KafkaServer id={broker}] Controlled shutdown succeeded",
    ),
    Line("stopped", "", "1.0", SERVER, "INFO", _SERVER, "[Kafka Server {broker}], shut down completed"),
    Line("stopped", "1.0", "3.3", SERVER, "INFO", _SERVER, "[KafkaServer id={broker}] shut down completed"),
    Line(
        "exiting", "", "0.11", SERVER, "FATAL", FETCHER,
        FETCHER_8 + "Exiting because log truncation is not allowed for partition {tp}, Current leader {leader}'s "
        "latest offset {to} is less than replica {broker}'s latest offset {leo}",
    ),
    Line(
        "exiting", "0.11", "1.0", SERVER, "FATAL", FETCHER,
        FETCHER_11 + "Exiting because log truncation is not allowed for partition {tp}, current leader "
        "{leader}'s latest offset {to} is less than replica {broker}'s latest offset {leo}",
    ),
    Line(
        "exiting", "1.0", "2.0.1", SERVER, "FATAL", FETCHER,
        FETCHER_1 + "Exiting because log truncation is not allowed for partition {tp}, current leader's latest "
        "offset {to} is less than replica's latest offset {leo}",
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
    Line(
        "corrupt-index", "1.1", "2.6", SERVER, "WARN", _LOG,
        LOG_1 + "Found a corrupted index file corresponding to log file {dir}/{tp}/00000000000000000000.log due to "
        "Corrupt index found, index file ({dir}/{tp}/00000000000000000000.index) has non-zero size but the last "
        "offset is 0 which is no greater than the base offset 0.}}, recovering segment and rebuilding index files...",
    ),
    Line("recovering", "", "1.0.2", SERVER, "INFO", _LOG, "Recovering unflushed segment 0 in log {tp}."),
    Line("recovering", "1.0.2", "3.1", SERVER, "INFO", _LOG, LOG_1 + "Recovering unflushed segment 0"),
    Line(
        "producer-state", "0.11", "1.0.2", SERVER, "INFO", _LOG,
        "Loading producer state from offset {leo} for partition {tp} with message format version {message_version}",
    ),
    Line(
        "producer-state", "1.0.2", "2.0", SERVER, "INFO", _LOG,
        LOG_1 + "Loading producer state from offset {leo} with message format version {message_version}",
    ),
    Line(
        "producer-state", "2.0", "3.0", SERVER, "INFO", _LOG,
        LOG_1 + "Loading producer state till offset {leo} with message format version {message_version}",
    ),
    Line(
        "producer-snapshot", "1.0.2", "3.0", SERVER, "INFO", "kafka.log.ProducerStateManager",
        "[ProducerStateManager partition={tp}] Writing producer snapshot at offset {leo}",
    ),
    Line("log-loaded", "0.10.1", "0.11", SERVER, "INFO", _LOG, _LOADED_10),
    Line("log-loaded", "0.11", "1.0.2", SERVER, "INFO", _LOG, _LOADED_11),
    Line("log-loaded", "1.0.2", "2.6", SERVER, "INFO", _LOG, LOG_1 + _LOADED_1),
    # To 2.5 a log says so when it is opened, also when it has just been created.
    Line("log-opened", "0.10.1", "0.11", SERVER, "INFO", _LOG, _LOADED_10),
    Line("log-opened", "0.11", "1.0.2", SERVER, "INFO", _LOG, _LOADED_11),
    Line("log-opened", "1.0.2", "2.6", SERVER, "INFO", _LOG, LOG_1 + _LOADED_1),
    Line(
        "log-loaded", "2.6", "3.1", SERVER, "INFO", _MANAGER,
        "Completed load of Log(dir={dir}/{tp}, topic={topic}, partition={number}, highWatermark=0, "
        "lastStableOffset=0, logStartOffset={log_start}, logEndOffset={leo}) with 1 segments in 1ms (1/{count} "
        "loaded in {dir})",
    ),
    Line(
        "log-created", "", "1.0.2", SERVER, "INFO", _MANAGER,
        "Created log for partition {btp} in {dir} with properties {{message.format.version -> {format}}}.",
    ),
    Line(
        "log-created", "1.0.2", "2.6", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {dir} with properties {{message.format.version -> {format}}}.",
    ),
    Line(
        "log-created", "2.6", "", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {dir}/{tp} with properties {{}}",
    ),
    Line(
        "hw-missing", "0.10.2", "1.0", SERVER, "INFO", _PARTITION,
        PARTITION_8 + "No checkpointed highwatermark is found for partition {tp}",
    ),
    Line(
        "hw-missing", "1.0", "", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "No checkpointed highwatermark is found for partition {tp}",
    ),
    Line(
        "hw-loaded", "0.11", "2.4", SERVER, "INFO", "kafka.cluster.Replica",
        "Replica loaded for partition {tp} with initial high watermark {hw}",
    ),
    # To 2.3 it is printed for the replicas of other brokers too, and does not name the broker.
    Line(
        "other-replica-loaded", "0.11", "2.4", SERVER, "INFO", "kafka.cluster.Replica",
        "Replica loaded for partition {tp} with initial high watermark 0",
    ),
    Line(
        "hw-loaded", "2.4", "", SERVER, "INFO", _PARTITION,
        PARTITION_1 + "Log loaded for partition {tp} with initial high watermark {hw}",
    ),
    Line(
        "epoch-assigned", "0.11", "1.1", SERVER, "INFO", "kafka.server.epoch.LeaderEpochFileCache",
        "Updated PartitionLeaderEpoch. New: {{epoch:{epoch}, offset:{offset}}}, Current: {{epoch:{last_epoch}, "
        "offset{last_start}}} for Partition: {tp}. Cache now contains {count} entries.",
    ),
    Line(
        "epoch-assigned", "1.1", "2.0.1", SERVER, "INFO", "kafka.server.epoch.LeaderEpochFileCache",
        "Updated PartitionLeaderEpoch. New: {{epoch:{epoch}, offset:{offset}}}, Current: {{epoch:{last_epoch}, "
        "offset:{last_start}}} for Partition: {tp}. Cache now contains {count} entries.",
    ),
    Line(
        "epochs-cut", "0.11", "2.0.1", SERVER, "INFO", "kafka.server.epoch.LeaderEpochFileCache",
        "Cleared latest Set({removed}) entries from epoch cache based on passed offset {offset} leaving {count} in "
        "EpochFile for partition {tp}",
    ),
    Line(
        "epochs-cleared", "2.2.1", "3.1", SERVER, "WARN", _LOG,
        LOG_1 + "Clearing leader epoch cache after unexpected append with message format v1",
    ),
    Line(
        "epochs-conflict", "2.0.1", "", SERVER, "WARN", "kafka.server.epoch.LeaderEpochFileCache",
        "[LeaderEpochCache {tp}] New epoch entry EpochEntry(epoch={epoch}, startOffset={offset}) caused truncation "
        "of conflicting entries ListBuffer({removed}). Cache now contains {count} entries.",
    ),
    Line(
        "hw-lowered", "2.8", "3.1", SERVER, "WARN", _LOG,
        LOG_1 + "Non-monotonic update of high watermark from (offset={was} segment=[-1:-1]) to (offset={hw} "
        "segment=[0:0])",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_LIFE, *_LOGS)
