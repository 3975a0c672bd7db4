"""Lines of brokers and controllers under KRaft, from 3.3 on.

The wordings were read in tagged sources (3.3.2, 3.5.2, 3.6.2) and in logs of real brokers (3.9.2, 4.1, 4.3).
"""

from typing import Final

from core.sim.logs.wording import CONTROLLER, SERVER, STATE, Line

_BROKER: Final = "kafka.server.BrokerServer"
_PUBLISHER: Final = "kafka.server.metadata.BrokerMetadataPublisher"
_LIFE: Final = "kafka.server.BrokerLifecycleManager"
_RAFT: Final = "kafka.server.KafkaRaftServer"
_MANAGER: Final = "kafka.log.LogManager"
_LOADER: Final = "kafka.log.LogLoader"
_LOG: Final = "kafka.log.UnifiedLog"
_LOG_4: Final = "org.apache.kafka.storage.internals.log.UnifiedLog"
_LOGGER: Final = "state.change.logger"
_QUORUM: Final = "org.apache.kafka.controller.QuorumController"
_CLUSTER: Final = "org.apache.kafka.controller.ClusterControlManager"
_BEATS: Final = "org.apache.kafka.controller.BrokerHeartbeatManager"
_REPLICATION: Final = "org.apache.kafka.controller.ReplicationControlManager"
_SERVER: Final = "[BrokerServer id={broker}] "
_LIFECYCLE: Final = "[BrokerLifecycleManager id={broker}] "
_LOG_3: Final = "[UnifiedLog partition={tp}, dir={dir}] "
_HERE: Final = "[Broker id={broker}] "
_NODE: Final = "[{quorum}{controller}] "
_FETCHER: Final = "[ReplicaFetcher replicaId={broker}, leaderId={leader}, fetcherId=0] "
_FETCHER_THREAD: Final = "kafka.server.ReplicaFetcherThread"
_FETCHERS: Final = "kafka.server.ReplicaFetcherManager"
_PARTITION: Final = "kafka.cluster.Partition"
_LOG_TEXT: Final = (
    "Log(dir={dir}/{tp}, topicId={topic_id}, topic={topic}, partition={number}, highWatermark=0, "
    "lastStableOffset=0, logStartOffset={log_start}, logEndOffset={leo})"
)
_BROKEN: Final = (
    "java.io.IOException: Connection to 127.0.0.1:{leader_port} (id: {leader} rack: null) failed.\n"
)
_STATE_TEXT: Final = (
    "LeaderAndIsrPartitionState(topicName='{topic}', partitionIndex={number}, controllerEpoch=-1, leader={leader}, "
    "leaderEpoch={epoch}, isr=[{isr_list}], partitionEpoch={version}, replicas=[{replica_list}], addingReplicas=[], "
    "removingReplicas=[], isNew=false, leaderRecoveryState={recovering})"
)
_REGISTRATION: Final = (
    "PartitionRegistration(replicas=[{replica_list}], isr=[{isr_list}], removingReplicas=[], addingReplicas=[], "
    "leader={leader}, leaderRecoveryState=RECOVERED, leaderEpoch={epoch}, partitionEpoch={version})"
)
_REGISTRATION_3_7: Final = (
    "PartitionRegistration(replicas=[{replica_list}], directories=[{directories}], isr=[{isr_list}], "
    "removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], leader={leader}, "
    "leaderRecoveryState=RECOVERED, leaderEpoch={epoch}, partitionEpoch={version})"
)
_REGISTERED: Final = (
    "RegisterBrokerRecord(brokerId={one}, {migrating}incarnationId={incarnation}, "
    "brokerEpoch={broker_epoch}, endPoints=[BrokerEndpoint(name='PLAINTEXT', host='127.0.0.1', port={one_port}, "
    "securityProtocol=0)], features=[], rack=null, fenced=true, inControlledShutdown=false{log_dirs})"
)
_STANDING: Final = (
    "BrokerRegistrationChangeRecord(brokerId={one}, brokerEpoch={broker_epoch}, fenced={fenced}, "
    "inControlledShutdown={leaving}{log_dirs})"
)

_LIVES: Final = (
    Line(
        "metadata-version", "3.3", "4.1", SERVER, "INFO", _PUBLISHER,
        "[BrokerMetadataPublisher id={broker}] Publishing initial metadata at offset "
        "OffsetAndEpoch(offset={offset}, epoch={controller_epoch}) with metadata.version {version}.",
    ),
    Line(
        "metadata-version", "4.1", "", SERVER, "INFO", _PUBLISHER,
        "[BrokerMetadataPublisher id={broker}] Publishing initial metadata at offset "
        "OffsetAndEpoch[offset={offset}, epoch={controller_epoch}] with metadata.version Optional[{version}].",
    ),
    Line(
        "metadata-version-updated", "3.3", "4.1", SERVER, "INFO", _PUBLISHER,
        "[BrokerMetadataPublisher id={broker}] Updating metadata.version to {level} at offset "
        "OffsetAndEpoch(offset={offset}, epoch={controller_epoch}).",
    ),
    Line(
        "metadata-version-updated", "4.1", "", SERVER, "INFO", _PUBLISHER,
        "[BrokerMetadataPublisher id={broker}] Updating metadata.version to {level} at offset "
        "OffsetAndEpoch[offset={offset}, epoch={controller_epoch}].",
    ),
    Line("starting", "3.3", "", SERVER, "INFO", _BROKER, _SERVER + "Transition from SHUTDOWN to STARTING"),
    Line(
        "incarnation", "3.3", "", SERVER, "INFO", _LIFE,
        _LIFECYCLE + "Incarnation {incarnation} of broker {broker} in cluster {cluster} is now STARTING.",
    ),
    Line("no-logs", "3.5", "", SERVER, "INFO", _MANAGER, "No logs found to be loaded in {dir}"),
    Line(
        "stopped-uncleanly", "3.5", "", SERVER, "INFO", _MANAGER,
        "Recovering {count} logs from {dir} since no clean shutdown file was found",
    ),
    Line(
        "stopped-cleanly", "3.5", "", SERVER, "INFO", _MANAGER,
        "Skipping recovery of {count} logs from {dir} since clean shutdown file was found",
    ),
    Line(
        "recovering", "3.3", "4.1", SERVER, "INFO", _LOADER,
        "[LogLoader partition={tp}, dir={dir}] Recovering unflushed segment 0. 0/1 recovered for {tp}.",
    ),
    Line(
        "recovering", "4.1", "", SERVER, "INFO", "org.apache.kafka.storage.internals.log.LogLoader",
        "[LogLoader partition={tp}, dir={dir}] Recovering unflushed segment 0. 0 recovered for {tp}.",
    ),
    Line(
        "log-loaded", "3.3", "3.6", SERVER, "INFO", _MANAGER,
        "Completed load of " + _LOG_TEXT + " with 1 segments in 1ms (1/{count} completed in {dir})",
    ),
    Line(
        "log-loaded", "3.6", "", SERVER, "INFO", _MANAGER,
        "Completed load of " + _LOG_TEXT + " with 1 segments, local-log-start-offset {local_start} and log-end-offset "
        "{leo} in 1ms (1/{count} completed in {dir})",
    ),
    Line("logs-loaded", "3.5", "", SERVER, "INFO", _MANAGER, "Loaded {count} logs in 1ms"),
    Line(
        "registered", "3.3", "", SERVER, "INFO", _LIFE,
        _LIFECYCLE + "Successfully registered broker {broker} with broker epoch {broker_epoch}",
    ),
    Line(
        "caught-up", "3.3", "", SERVER, "INFO", _LIFE,
        _LIFECYCLE + "The broker has caught up. Transitioning from STARTING to RECOVERY.",
    ),
    Line(
        "unfenced", "3.3", "", SERVER, "INFO", _LIFE,
        _LIFECYCLE + "The broker has been unfenced. Transitioning from RECOVERY to RUNNING.",
    ),
    Line("serving", "3.3", "", SERVER, "INFO", _BROKER, _SERVER + "Transition from STARTING to STARTED"),
    Line("started", "3.3", "", SERVER, "INFO", _RAFT, "[KafkaRaftServer nodeId={broker}] Kafka Server started"),
    Line("stopping", "3.3", "", SERVER, "INFO", _BROKER, _SERVER + "Transition from STARTED to SHUTTING_DOWN"),
    Line(
        "shutdown-begun", "3.3", "", SERVER, "INFO", _LIFE, _LIFECYCLE + "Beginning controlled shutdown.",
    ),
    Line(
        "shutdown-granted", "3.3", "", SERVER, "INFO", _LIFE,
        _LIFECYCLE + "The controller has asked us to exit controlled shutdown.",
    ),
    Line("stopped", "3.3", "", SERVER, "INFO", _BROKER, _SERVER + "shut down completed"),
)  # fmt: skip

_REPLICAS: Final = (
    Line(
        "cut-to-hw", "3.1", "", SERVER, "INFO", _FETCHER_THREAD,
        _FETCHER + "Truncating partition {tp} with TruncationState(offset={to}, completed=true) due to local high "
        "watermark {to}",
    ),
    Line(
        "cut-diverging", "3.1", "", SERVER, "INFO", _FETCHER_THREAD,
        _FETCHER + "Truncating partition {tp} with TruncationState(offset={to}, completed=true) due to leader epoch "
        "and offset EpochEndOffset(errorCode=0, partition={number}, leaderEpoch={answered}, endOffset={end})",
    ),
    Line("cut", "3.1", "4.1", SERVER, "INFO", _LOG, _LOG_3 + "Truncating to offset {to}"),
    Line("cut", "4.1", "", SERVER, "INFO", _LOG_4, _LOG_3 + "Truncating to offset {to}"),
    Line(
        "cut-at-end", "3.1", "4.1", SERVER, "INFO", _LOG,
        _LOG_3 + "Truncating to {to} has no effect as the largest offset in the log is {last}",
    ),
    Line(
        "cut-at-end", "4.1", "", SERVER, "INFO", _LOG_4,
        _LOG_3 + "Truncating to {to} has no effect as the largest offset in the log is {last}",
    ),
    Line(
        "hw-lowered", "3.1", "4.1", SERVER, "WARN", _LOG,
        _LOG_3 + "Non-monotonic update of high watermark from (offset={was}, segment=[-1:-1]) to (offset={hw}, "
        "segment=[0:0])",
    ),
    Line(
        "hw-lowered", "4.1", "", SERVER, "WARN", _LOG_4,
        _LOG_3 + "Non-monotonic update of high watermark from (offset={was}, segment=[-1:-1]) to (offset={hw}, "
        "segment=[0:0])",
    ),
    Line(
        "fetcher-added", "3.1", "4.0", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher to broker {leader} for partitions HashMap({tp} -> "
        "InitialFetchState(Some({topic_id}),BrokerEndPoint(id={leader}, host=127.0.0.1:{leader_port}),{epoch},"
        "{offset}))",
    ),
    Line(
        "fetcher-added", "4.0", "", SERVER, "INFO", _FETCHERS,
        "[ReplicaFetcherManager on broker {broker}] Added fetcher to broker {leader} for partitions HashMap({tp} -> "
        "InitialFetchState(Some({topic_id}),BrokerEndPoint[id={leader}, host=127.0.0.1, port={leader_port}],{epoch},"
        "{offset}))",
    ),
    Line(
        "fetch-unreachable", "3.1", "", SERVER, "WARN", _FETCHER_THREAD,
        _FETCHER + "Error in response for fetch request (type=FetchRequest, replicaId={broker}, maxWait=500, "
        "minBytes=1, maxBytes=10485760, fetchData={{{tp}=PartitionData(topicId={topic_id}, fetchOffset={offset}, "
        "logStartOffset=0, maxBytes=1048576, currentLeaderEpoch=Optional[{epoch}], lastFetchedEpoch={last_epoch})}}, "
        "isolationLevel=read_uncommitted, removed=, replaced=, metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)",
        _BROKEN,
    ),
    Line(
        "fetch-ahead", "3.4", "", SERVER, "INFO", _FETCHER_THREAD,
        _FETCHER + "Partition {tp} has a newer epoch ({epoch}) than the current leader. Retry the partition later.",
    ),
    Line(
        "isr-shrinking", "3.6", "", SERVER, "INFO", _PARTITION,
        "[Partition {tp} broker={broker}] Shrinking ISR from {was} to {isr}. Leader: (highWatermark: {hw}, "
        "endOffset: {leo}). Out of sync replicas: {late_since}.",
    ),
    Line(
        "isr-updated", "3.1", "3.5", SERVER, "INFO", _PARTITION,
        "[Partition {tp} broker={broker}] ISR updated to {isr} and version updated to {version}",
    ),
    Line(
        "isr-updated", "3.5", "", SERVER, "INFO", _PARTITION,
        "[Partition {tp} broker={broker}] ISR updated to {isr} {under} and version updated to {version}",
    ),
)  # fmt: skip

_STATES: Final = (
    Line(
        "partition-object", "3.3", "", STATE, "INFO", _LOGGER,
        _HERE + "Creating new partition {tp} with topic id {topic_id}.",
    ),
    Line(
        "transition-begun", "3.3", "", STATE, "INFO", _LOGGER,
        _HERE + "Transitioning 1 partition(s) to local {role}s.",
    ),
    Line(
        "leader-starts", "3.3", "3.5", STATE, "INFO", _LOGGER,
        _HERE + "Leader {tp} with topic id Some({topic_id}) starts at leader epoch {epoch} from offset {leo} with "
        "partition epoch {version}, high watermark {hw}, ISR [{isr}], adding replicas [] and removing replicas []. "
        "Previous leader epoch was {before}.",
    ),
    Line(
        "leader-starts", "3.5", "3.6", STATE, "INFO", _LOGGER,
        _HERE + "Leader {tp} with topic id Some({topic_id}) starts at leader epoch {epoch} from offset {leo} with "
        "partition epoch {version}, high watermark {hw}, ISR [{isr}], adding replicas [] and removing replicas [] "
        "{under}. Previous leader epoch was {before}.",
    ),
    Line(
        "leader-starts", "3.6", "", STATE, "INFO", _LOGGER,
        _HERE + "Leader {tp} with topic id Some({topic_id}) starts at leader epoch {epoch} from offset {leo} with "
        "partition epoch {version}, high watermark {hw}, ISR [{isr}], adding replicas [] and removing replicas [] "
        "{under}. Previous leader {led_before} and previous leader epoch was {before}.",
    ),
    Line(
        "follower-starts", "3.3", "3.6", STATE, "INFO", _LOGGER,
        _HERE + "Follower {tp} starts at leader epoch {epoch} from offset {leo} with partition epoch {version} and "
        "high watermark {hw}. Current leader is {leader}. Previous leader epoch was {before}.",
    ),
    # What it calls previous is what it has just taken over (KAFKA-19776).
    Line(
        "follower-starts", "3.6", "", STATE, "INFO", _LOGGER,
        _HERE + "Follower {tp} starts at leader epoch {epoch} from offset {leo} with partition epoch {version} and "
        "high watermark {hw}. Current leader is {leader}. Previous leader Some({leader}) and previous leader epoch "
        "was {epoch}.",
    ),
    Line(
        "still-leader", "3.3", "", STATE, "INFO", _LOGGER,
        _HERE + "Skipped the become-leader state change for {tp} with topic id Some({topic_id}) and partition state "
        + _STATE_TEXT + " since it is already the leader with leader epoch {epoch}. Current high watermark {hw}, ISR "
        "[{isr}], adding replicas [] and removing replicas [].",
    ),
    Line(
        "still-follower", "3.3", "", STATE, "INFO", _LOGGER,
        _HERE + "Skipped the become-follower state change for {tp} with topic id Some({topic_id}) and partition "
        "state " + _STATE_TEXT + " since it is already a follower with leader epoch {epoch}.",
    ),
)  # fmt: skip

_DECISIONS: Final = (
    Line(
        "controller-elected", "3.3", "3.6", CONTROLLER, "INFO", _QUORUM,
        _NODE + "Becoming the active controller at epoch {controller_epoch}, committed offset {last_offset}, "
        "committed epoch {last_epoch}",
    ),
    Line(
        "controller-elected", "3.6", "", CONTROLLER, "INFO", _QUORUM,
        _NODE + "Becoming the active controller at epoch {controller_epoch}, next write offset {next_offset}.",
    ),
    Line(
        "broker-registering", "3.9", "", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Registering a new incarnation of broker {one}. Previous incarnation ID was {incarnation_before}; new "
        "incarnation ID is {incarnation}. Generated 0 record(s) to clean up previous incarnations. Broker epoch will "
        "become {broker_epoch}.",
    ),
    Line(
        "broker-first-registering", "3.9", "", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "No previous registration found for broker {one}. New incarnation ID is {incarnation}.  Generated 0 "
        "record(s) to clean up previous incarnations. New broker epoch is {broker_epoch}.",
    ),
    Line(
        "broker-recorded", "3.3", "3.6", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Re-registered broker id {one}: " + _REGISTERED,
    ),
    Line(
        "broker-recorded", "3.6", "", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Replayed RegisterBrokerRecord establishing a new incarnation of broker {one}: " + _REGISTERED,
    ),
    Line(
        "broker-first-recorded", "3.3", "3.6", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Registered new broker: " + _REGISTERED,
    ),
    Line(
        "broker-first-recorded", "3.6", "", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Replayed initial RegisterBrokerRecord for broker {one}: " + _REGISTERED,
    ),
    Line(
        "standing-recorded", "3.6", "", CONTROLLER, "INFO", _CLUSTER,
        _NODE + "Replayed BrokerRegistrationChangeRecord modifying the registration for broker {one}: " + _STANDING,
    ),
    Line(
        "unfencing", "3.3", "3.5", CONTROLLER, "INFO", _BEATS,
        _NODE + "The request from broker {one} to unfence has been granted because it has caught up with the offset "
        "of it's register broker record {broker_epoch}.",
    ),
    Line(
        "unfencing", "3.5", "", CONTROLLER, "INFO", _BEATS,
        _NODE + "The request from broker {one} to unfence has been granted because it has caught up with the offset "
        "of its register broker record {broker_epoch}.",
    ),
    Line(
        "fencing", "3.3", "4.0", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "Fencing broker {one} because its session has timed out.",
    ),
    Line(
        "fencing", "4.0", "", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "Fencing broker {one} at epoch {broker_epoch} because its session has timed out.",
    ),
    Line(
        "leaving", "3.3", "", CONTROLLER, "INFO", _BEATS,
        _NODE + "Unfenced broker {one} has requested and been granted a controlled shutdown.",
    ),
    Line(
        "left", "3.3", "", CONTROLLER, "INFO", _BEATS,
        _NODE + "The request from broker {one} to shut down has been granted since the lowest active offset "
        "{next_offset} is now greater than the broker's controlled shutdown offset {last_offset}.",
    ),
    Line(
        "partition-created", "3.3", "3.6", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "Created partition {tp} with topic ID {topic_id} and " + _REGISTRATION + ".",
    ),
    Line(
        "partition-created", "3.6", "3.7", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "Replayed PartitionRecord for new partition {tp} with topic ID {topic_id} and " + _REGISTRATION + ".",
    ),
    Line(
        "partition-created", "3.7", "", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "Replayed PartitionRecord for new partition {tp} with topic ID {topic_id} and " + _REGISTRATION_3_7
        + ".",
    ),
    Line(
        "unclean-change", "3.3", "", CONTROLLER, "INFO", _REPLICATION,
        _NODE + "UNCLEAN partition change for {tp} with topic ID {topic_id}: isr: [{was_isr}] -> [{isr_list}], leader: "
        "{was_leader} -> {leader}, leaderRecoveryState: RECOVERED -> RECOVERING, leaderEpoch: {was_epoch} -> {epoch}, "
        "partitionEpoch: {was_version} -> {version}",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_LIVES, *_REPLICAS, *_STATES, *_DECISIONS)
