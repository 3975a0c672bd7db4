"""Lines of the requests between controller and brokers: what is sent, received, done and cached."""

from typing import Final

from core.sim.logs.wording import STATE, Line

_LOGGER: Final = "state.change.logger"
_BY_8: Final = "Controller {controller} epoch {controller_epoch} "
_BY_1: Final = "[Controller id={controller} epoch={controller_epoch}] "
_HERE: Final = "[Broker id={broker}] "
_STATE_TEXT: Final = "(Leader:{leader},ISR:{isr},LeaderEpoch:{epoch},ControllerEpoch:{controller_epoch})"
_FROM: Final = "from controller {controller} epoch {controller_epoch}"
_ASKED_1: Final = (
    "PartitionState(controllerEpoch={controller_epoch}, leader={leader}, leaderEpoch={epoch}, isr={isr}, "
    "zkVersion={version}, replicas={replicas}, isNew={is_new})"
)
"""What a LeaderAndIsr request says of a partition, to 2.3."""
_ASKED_2_4: Final = (
    "LeaderAndIsrPartitionState(topicName='{topic}', partitionIndex={number}, controllerEpoch={controller_epoch}, "
    "leader={leader}, leaderEpoch={epoch}, isr=[{isr_list}], zkVersion={version}, replicas=[{replica_list}], "
    "addingReplicas=[], removingReplicas=[], isNew={is_new})"
)
_SPREAD_1: Final = (
    "PartitionState(controllerEpoch={controller_epoch}, leader={leader}, leaderEpoch={epoch}, isr=[{isr_list}], "
    "zkVersion={version}, replicas=[{replica_list}], offlineReplicas=[{offline}])"
)
"""What an UpdateMetadata request says of a partition, to 2.3."""
_SPREAD_2_4: Final = (
    "UpdateMetadataPartitionState(topicName='{topic}', partitionIndex={number}, "
    "controllerEpoch={controller_epoch}, leader={leader}, leaderEpoch={epoch}, isr=[{isr_list}], "
    "zkVersion={version}, replicas=[{replica_list}], offlineReplicas=[{offline}])"
)
_CACHED: Final = (
    " for partition {tp} in response to UpdateMetadata request sent by controller {controller} epoch "
    "{controller_epoch} with correlation id {correlation}"
)
_NOT_HIGHER: Final = (
    "Ignoring LeaderAndIsr request from controller {controller} with correlation id {correlation} epoch "
    "{controller_epoch} for partition {tp} since its associated leader epoch {epoch} is not higher than the current "
    "leader epoch {current}"
)

_REQUESTS: Final = (
    Line(
        "request-sent", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "sending become-{role} LeaderAndIsr request " + _STATE_TEXT + " to broker {broker} for partition "
        "{btp}",
    ),
    Line(
        "request-sent", "1.0", "2.4", STATE, "TRACE", _LOGGER,
        _BY_1 + "Sending become-{role} LeaderAndIsr request " + _ASKED_1 + " to broker {broker} for partition {tp}",
    ),
    Line(
        "request-sent", "2.4", "2.6", STATE, "TRACE", _LOGGER,
        _BY_1 + "Sending become-{role} LeaderAndIsr request " + _ASKED_2_4 + " to broker {broker} for partition {tp}",
    ),
    Line(
        "request-sent", "2.6", "3.3", STATE, "INFO", _LOGGER,
        _BY_1 + "Sending LeaderAndIsr request to broker {broker} with {leaders} become-leader and {followers} "
        "become-follower partitions",
    ),
    Line(
        "request-received", "0.10.2", "0.11", STATE, "TRACE", _LOGGER,
        "Broker {broker} received LeaderAndIsr request PartitionState(controllerEpoch={controller_epoch}, "
        "leader={leader}, leaderEpoch={epoch}, isr=[{isr_list}], zkVersion={version}, replicas=[{replica_list}]) "
        "correlation id {correlation} " + _FROM + " for partition {btp}",
    ),
    Line(
        "request-received", "0.11", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} received LeaderAndIsr request PartitionState(controllerEpoch={controller_epoch}, "
        "leader={leader}, leaderEpoch={epoch}, isr={isr}, zkVersion={version}, replicas={replicas}) "
        "correlation id {correlation} " + _FROM + " for partition {btp}",
    ),
    Line(
        "request-received", "1.0", "2.4", STATE, "TRACE", _LOGGER,
        _HERE + "Received LeaderAndIsr request " + _ASKED_1 + " correlation id {correlation} " + _FROM
        + " for partition {tp}",
    ),
    Line(
        "request-received", "2.4", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Received LeaderAndIsr request " + _ASKED_2_4 + " correlation id {correlation} " + _FROM,
    ),
    Line(
        "request-received", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Handling LeaderAndIsr request correlationId {correlation} from controller "
        "{controller} for 1 partitions",
    ),
    Line(
        "transition-begun", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} handling LeaderAndIsr request correlationId {correlation} " + _FROM + " starting the "
        "become-{role} transition for partition {tp}",
    ),
    Line(
        "transition-begun", "1.0", "2.1", STATE, "TRACE", _LOGGER,
        _HERE + "Handling LeaderAndIsr request correlationId {correlation} " + _FROM + " starting the become-{role} "
        "transition for partition {tp}",
    ),
    # From 2.1 those of a follower name its leader.
    Line(
        "transition-begun", "2.1", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Handling LeaderAndIsr request correlationId {correlation} " + _FROM + " starting the become-{role} "
        "transition for partition {tp}{with_leader}",
    ),
    Line(
        "leading-fetchers-stopped", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} stopped fetchers as part of become-leader request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}",
    ),
    Line(
        "leading-fetchers-stopped", "1.0", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Stopped fetchers as part of become-leader request " + _FROM + " with correlation id {correlation} "
        "for partition {tp} (last update controller epoch {controller_epoch})",
    ),
    Line(
        "leading-fetchers-stopped", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Stopped fetchers as part of LeaderAndIsr request correlationId {correlation} " + _FROM
        + " as part of the become-leader transition for 1 partitions",
    ),
    Line(
        "following-fetchers-stopped", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} stopped fetchers as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}",
    ),
    Line(
        "following-fetchers-stopped", "1.0", "2.1", STATE, "TRACE", _LOGGER,
        _HERE + "Stopped fetchers as part of become-follower request " + _FROM + " with correlation id {correlation} "
        "for partition {tp}",
    ),
    Line(
        "following-fetchers-stopped", "2.1", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Stopped fetchers as part of become-follower request " + _FROM + " with correlation id {correlation} "
        "for partition {tp}{with_leader}",
    ),
    Line(
        "following-fetchers-stopped", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Stopped fetchers as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for 1 partitions",
    ),
    Line(
        "following-log-cut", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} truncated logs and checkpointed recovery boundaries for partition {tp} as part of "
        "become-follower request with correlation id {correlation} " + _FROM,
    ),
    Line(
        "following-log-cut", "1.0", "2.1", STATE, "TRACE", _LOGGER,
        _HERE + "Truncated logs and checkpointed recovery boundaries for partition {tp} as part of become-follower "
        "request with correlation id {correlation} " + _FROM,
    ),
    Line(
        "following-log-cut", "2.1", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Truncated logs and checkpointed recovery boundaries for partition {tp} as part of become-follower "
        "request with correlation id {correlation} " + _FROM + "{with_leader}",
    ),
    Line(
        "following-fetcher-started", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} started fetcher to new leader as part of become-follower request " + _FROM + " with "
        "correlation id {correlation} for partition {tp}",
    ),
    Line(
        "following-fetcher-started", "1.0", "2.1", STATE, "TRACE", _LOGGER,
        _HERE + "Started fetcher to new leader as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}",
    ),
    Line(
        "following-fetcher-started", "2.1", "2.4", STATE, "TRACE", _LOGGER,
        _HERE + "Started fetcher to new leader as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}{with_leader}",
    ),
    Line(
        "following-fetcher-started", "2.4", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Started fetcher to new leader as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for partition {tp} with leader BrokerEndPoint(id={leader}, host=127.0.0.1:{leader_port})",
    ),
    Line(
        "transition-done", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} completed LeaderAndIsr request correlationId {correlation} " + _FROM + " for the "
        "become-{role} transition for partition {tp}",
    ),
    Line(
        "transition-done", "1.0", "2.1", STATE, "TRACE", _LOGGER,
        _HERE + "Completed LeaderAndIsr request correlationId {correlation} " + _FROM + " for the become-{role} "
        "transition for partition {tp}",
    ),
    Line(
        "transition-done", "2.1", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Completed LeaderAndIsr request correlationId {correlation} " + _FROM + " for the become-{role} "
        "transition for partition {tp}{with_leader}",
    ),
    Line(
        "transition-done", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Finished LeaderAndIsr request in 1ms correlationId {correlation} from controller "
        "{controller} for 1 partitions",
    ),
    Line(
        "already-leader", "0.10.2", "1.0", STATE, "INFO", _LOGGER,
        "Broker {broker} skipped the become-leader state change after marking its partition as leader with "
        "correlation id {correlation} " + _FROM + " for partition {tp} since it is already the leader for the "
        "partition.",
    ),
    Line(
        "already-leader", "1.0", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Skipped the become-leader state change after marking its partition as leader with "
        "correlation id {correlation} " + _FROM + " for partition {tp} (last update controller epoch "
        "{controller_epoch}) since it is already the leader for the partition.",
    ),
    Line(
        "same-leader", "0.10.2", "1.0", STATE, "INFO", _LOGGER,
        "Broker {broker} skipped the become-follower state change after marking its partition as follower with "
        "correlation id {correlation} " + _FROM + " for partition {tp} since the new leader {leader} is the same as "
        "the old leader",
    ),
    Line(
        "same-leader", "1.0", "3.3", STATE, "INFO", _LOGGER,
        _HERE + "Skipped the become-follower state change after marking its partition as follower with correlation "
        "id {correlation} " + _FROM + " for partition {tp} (last update controller epoch {controller_epoch}) since "
        "the new leader {leader} is the same as the old leader",
    ),
    Line(
        "leader-unavailable", "0.10.2", "1.0", STATE, "ERROR", _LOGGER,
        "Broker {broker} received LeaderAndIsrRequest with correlation id {correlation} " + _FROM + " for partition "
        "{tp} but cannot become follower since the new leader {leader} is unavailable.",
    ),
    Line(
        "leader-unavailable", "1.0", "3.3", STATE, "ERROR", _LOGGER,
        "[Broker id={broker}] Received LeaderAndIsrRequest with correlation id {correlation} " + _FROM + " for "
        "partition {tp} (last update controller epoch {controller_epoch}) but cannot become follower since the new "
        "leader {leader} is unavailable.",
    ),
    Line(
        "leader-starts", "0.11", "1.0", "server.log", "INFO", "kafka.cluster.Partition",
        "Partition {btp} on broker {broker}: {tp} starts at Leader Epoch {epoch} from offset {leo}. Previous Leader "
        "Epoch was: {before}",
    ),
    Line(
        "leader-starts", "1.0", "2.4.1", "server.log", "INFO", "kafka.cluster.Partition",
        "[Partition {tp} broker={broker}] {tp} starts at Leader Epoch {epoch} from offset {leo}. Previous Leader "
        "Epoch was: {before}",
    ),
    Line(
        "leader-starts", "2.4.1", "2.6", "server.log", "INFO", "kafka.cluster.Partition",
        "[Partition {tp} broker={broker}] {tp} starts at leader epoch {epoch} from offset {leo} with high watermark "
        "{hw}. Previous leader epoch was {before}.",
    ),
    Line(
        "leader-starts", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Leader {tp} starts at leader epoch {epoch} from offset {leo} with high watermark {hw} "
        "ISR [{isr}] addingReplicas [] removingReplicas []. Previous leader epoch was {before}.",
    ),
    Line(
        "follower-starts", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Follower {tp} starts at leader epoch {epoch} from offset {leo} with high watermark "
        "{hw}. Previous leader epoch was {before}.",
    ),
    Line(
        "request-stale", "0.10.2", "1.0", STATE, "WARN", _LOGGER,
        "Broker {broker} ignoring LeaderAndIsr request from controller {controller} with correlation id "
        "{correlation} epoch {controller_epoch} for partition {btp} since its associated leader epoch {epoch} is "
        "not higher than the current leader epoch {current}",
    ),
    Line("request-stale", "1.0", "2.3", STATE, "WARN", _LOGGER, _HERE + _NOT_HIGHER),
    Line(
        "request-stale", "2.3", "3.3", STATE, "WARN", _LOGGER,
        "[Broker id={broker}] Ignoring LeaderAndIsr request from controller {controller} with correlation id "
        "{correlation} epoch {controller_epoch} for partition {tp} since its associated leader epoch {epoch} is "
        "smaller than the current leader epoch {current}",
    ),
    Line(
        "request-repeated", "0.10.2", "1.0", STATE, "WARN", _LOGGER,
        "Broker {broker} ignoring LeaderAndIsr request from controller {controller} with correlation id "
        "{correlation} epoch {controller_epoch} for partition {btp} since its associated leader epoch {epoch} is "
        "not higher than the current leader epoch {current}",
    ),
    Line("request-repeated", "1.0", "2.3", STATE, "WARN", _LOGGER, _HERE + _NOT_HIGHER),
    Line(
        "request-repeated", "2.3", "2.6", STATE, "DEBUG", _LOGGER,
        _HERE + "Ignoring LeaderAndIsr request from controller {controller} with correlation id {correlation} epoch "
        "{controller_epoch} for partition {tp} since its associated leader epoch {epoch} matches the current leader "
        "epoch",
    ),
    Line(
        "request-repeated", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Ignoring LeaderAndIsr request from controller {controller} with correlation id "
        "{correlation} epoch {controller_epoch} for partition {tp} since its associated leader epoch {epoch} "
        "matches the current leader epoch",
    ),
    Line(
        "metadata-sent", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "sending UpdateMetadata request " + _STATE_TEXT + " to brokers Set({live_list}) for partition {tp}",
    ),
    Line(
        "metadata-sent", "1.0", "2.4", STATE, "TRACE", _LOGGER,
        _BY_1 + "Sending UpdateMetadata request " + _SPREAD_1 + " to brokers Set({live_list}) for partition {tp}",
    ),
    Line(
        "metadata-sent", "2.4", "2.6", STATE, "TRACE", _LOGGER,
        _BY_1 + "Sending UpdateMetadata request " + _SPREAD_2_4 + " to brokers Set({live_list}) for partition {tp}",
    ),
    Line(
        "metadata-sent", "2.6", "3.3", STATE, "INFO", _LOGGER,
        _BY_1 + "Sending UpdateMetadata request to brokers Set({live_list}) for 1 partitions",
    ),
    Line(
        "metadata-cached", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} cached leader info (LeaderAndIsrInfo:" + _STATE_TEXT + ",ReplicationFactor:{factor}),"
        "AllReplicas:{replicas}) for partition {tp} in response to UpdateMetadata request sent by controller "
        "{controller} epoch {controller_epoch} with correlation id {correlation}",
    ),
    Line(
        "metadata-cached", "1.0", "2.4", STATE, "TRACE", _LOGGER,
        _HERE + "Cached leader info " + _SPREAD_1 + _CACHED,
    ),
    Line(
        "metadata-cached", "2.4", "2.6", STATE, "TRACE", _LOGGER,
        _HERE + "Cached leader info " + _SPREAD_2_4 + _CACHED,
    ),
    Line(
        "metadata-cached", "2.6", "3.3", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Add 1 partitions and deleted 0 partitions from metadata cache in response to "
        "UpdateMetadata request sent by controller {controller} epoch {controller_epoch} with correlation id "
        "{correlation}",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = _REQUESTS
