"""Lines of state-change.log and controller.log, as releases print them: elections, requests, live brokers.

To 0.11 the state change log is at TRACE in stock, since 2.6 at INFO; the controller's log is at TRACE in all.
"""

from typing import Final

from core.sim.logs.wording import CONTROLLER, STATE, Line

_CONTROLLER: Final = "kafka.controller.KafkaController"
_MACHINE: Final = "kafka.controller.PartitionStateMachine"
_BROKERS: Final = "kafka.controller.ReplicaStateMachine$BrokerChangeListener"
_OFFLINE: Final = "kafka.controller.OfflinePartitionLeaderSelector"
_SELECTOR: Final = "[OfflinePartitionLeaderSelector]: "
_LOGGER: Final = "state.change.logger"
_BY_8: Final = "Controller {controller} epoch {controller_epoch} "
_BY_1: Final = "[Controller id={controller} epoch={controller_epoch}] "
_NAME_8: Final = "[Controller {controller}]: "
_NAME_1: Final = "[Controller id={controller}] "
_STATE_TEXT: Final = "(Leader:{leader},ISR:{isr},LeaderEpoch:{epoch},ControllerEpoch:{controller_epoch})"
_JSON: Final = '{{"leader":{leader},"leader_epoch":{epoch},"isr":[{isr}]}}'
_FROM: Final = "from controller {controller} epoch {controller_epoch}"

_ELECTIONS: Final = (
    Line(
        "partition-created", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "changed partition {btp} state from NonExistentPartition to NewPartition with assigned replicas "
        "{replicas}",
    ),
    Line(
        "partition-created", "2.6", "", STATE, "INFO", _LOGGER,
        _BY_1 + "Changed partition {tp} state from NonExistentPartition to NewPartition with assigned replicas "
        "{replicas}",
    ),
    Line(
        "first-leader", "", "1.0", CONTROLLER, "DEBUG", _MACHINE,
        "[Partition state machine on Controller {controller}]: Initializing leader and isr for partition {btp} to "
        + _STATE_TEXT,
    ),
    Line(
        "leader-changed", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "changed partition {btp} from {from_state} to OnlinePartition with leader {leader}",
    ),
    Line(
        "leader-changed", "2.6", "3.2", STATE, "INFO", _LOGGER,
        _BY_1 + "Changed partition {tp} from {from_state} to OnlinePartition with state LeaderAndIsr("
        "leader={leader}, leaderEpoch={epoch}, isr=List({isr_list}), zkVersion={version})",
    ),
    Line(
        "election-begun", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "started leader election for partition {btp}",
    ),
    Line(
        "leader-offline", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "elected leader {leader} for Offline partition {btp}",
    ),
    Line(
        "leader-clean", "", "1.0", CONTROLLER, "DEBUG", _OFFLINE,
        _SELECTOR + "Some broker in ISR is alive for {btp}. Select {leader} from ISR {live} to be the leader.",
    ),
    Line(
        "leader-unclean", "", "1.0", CONTROLLER, "WARN", _OFFLINE,
        _SELECTOR + "No broker in ISR is alive for {btp}. Elect leader {leader} from live brokers {live}. There's "
        "potential data loss.",
    ),
    Line(
        "leader-selected", "", "1.0", CONTROLLER, "INFO", _OFFLINE,
        _SELECTOR + "Selected new leader and ISR " + _JSON + " for offline partition {btp}",
    ),
    Line(
        "leader-preferred", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "Partition {btp} completed preferred replica leader election. New leader is {leader}",
    ),
    Line(
        "leader-preferred", "1.0", "", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Partition {tp} completed preferred replica leader election. New leader is {leader}",
    ),
    Line(
        "replica-removed", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "New leader and ISR for partition {btp} is " + _JSON,
    ),
    Line(
        "replica-removed", "2.6", "3.2", STATE, "INFO", _LOGGER,
        _BY_1 + "Partition {tp} state changed to (Leader:{leader},ISR:{isr},LeaderEpoch:{epoch},"
        "ZkVersion:{version},ControllerEpoch:{controller_epoch}) after removing replica {removed} from the ISR as "
        "part of transition to OfflineReplica",
    ),
    Line(
        "isr-altered", "2.7", "", CONTROLLER, "DEBUG", _CONTROLLER,
        _NAME_1 + "ISR for partition {tp} updated to [{isr}] and zkVersion updated to [{version}]",
    ),
)  # fmt: skip

_CONTROL: Final = (
    Line(
        "controller-taking-over", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "Broker {controller} starting become controller state transition",
    ),
    Line(
        "controller-elected", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "Controller {controller} incremented epoch to {controller_epoch}",
    ),
    Line(
        "controller-elected", "2.1", "", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "{controller} successfully elected as the controller. Epoch incremented to {controller_epoch} "
        "and epoch zk version is now {controller_epoch}",
    ),
    Line(
        "controller-ready", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "Broker {controller} is ready to serve as the new controller with epoch {controller_epoch}",
    ),
    Line(
        "controller-ready", "1.0", "", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Ready to serve as the new controller with epoch {controller_epoch}",
    ),
    Line(
        "brokers-changed", "", "1.0", CONTROLLER, "INFO", _BROKERS,
        "[BrokerChangeListener on Controller {controller}]: Newly added brokers: {added}, deleted brokers: {gone}, "
        "all live brokers: {live}",
    ),
    Line(
        "brokers-changed", "2.2", "", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Newly added brokers: {added}, deleted brokers: {gone}, bounced brokers: , all live brokers: "
        "{live}",
    ),
)  # fmt: skip

_REQUESTS: Final = (
    Line(
        "request-sent", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "sending become-{role} LeaderAndIsr request " + _STATE_TEXT + " to broker {broker} for partition "
        "{btp}",
    ),
    Line(
        "request-sent", "2.6", "", STATE, "INFO", _LOGGER,
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
        "request-received", "2.6", "", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Handling LeaderAndIsr request correlationId {correlation} from controller "
        "{controller} for 1 partitions",
    ),
    Line(
        "transition-begun", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} handling LeaderAndIsr request correlationId {correlation} " + _FROM + " starting the "
        "become-{role} transition for partition {tp}",
    ),
    Line(
        "leading-fetchers-stopped", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} stopped fetchers as part of become-leader request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}",
    ),
    Line(
        "leading-fetchers-stopped", "2.6", "", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Stopped fetchers as part of LeaderAndIsr request correlationId {correlation} " + _FROM
        + " as part of the become-leader transition for 1 partitions",
    ),
    Line(
        "following-fetchers-stopped", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} stopped fetchers as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for partition {tp}",
    ),
    Line(
        "following-fetchers-stopped", "2.6", "", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Stopped fetchers as part of become-follower request " + _FROM + " with correlation id "
        "{correlation} for 1 partitions",
    ),
    Line(
        "following-log-cut", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} truncated logs and checkpointed recovery boundaries for partition {tp} as part of "
        "become-follower request with correlation id {correlation} " + _FROM,
    ),
    Line(
        "following-fetcher-started", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} started fetcher to new leader as part of become-follower request " + _FROM + " with "
        "correlation id {correlation} for partition {tp}",
    ),
    Line(
        "transition-done", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} completed LeaderAndIsr request correlationId {correlation} " + _FROM + " for the "
        "become-{role} transition for partition {tp}",
    ),
    Line(
        "transition-done", "2.6", "", STATE, "INFO", _LOGGER,
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
        "leader-unavailable", "0.10.2", "1.0", STATE, "ERROR", _LOGGER,
        "Broker {broker} received LeaderAndIsrRequest with correlation id {correlation} " + _FROM + " for partition "
        "{tp} but cannot become follower since the new leader {leader} is unavailable.",
    ),
    Line(
        "leader-unavailable", "1.0", "", STATE, "ERROR", _LOGGER,
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
    Line(
        "request-stale", "2.3", "", STATE, "WARN", _LOGGER,
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
    Line(
        "request-repeated", "2.6", "", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Ignoring LeaderAndIsr request from controller {controller} with correlation id "
        "{correlation} epoch {controller_epoch} for partition {tp} since its associated leader epoch {epoch} "
        "matches the current leader epoch",
    ),
    Line(
        "metadata-sent", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "sending UpdateMetadata request " + _STATE_TEXT + " to brokers Set({live_list}) for partition {tp}",
    ),
    Line(
        "metadata-sent", "2.6", "", STATE, "INFO", _LOGGER,
        _BY_1 + "Sending UpdateMetadata request to brokers Set({live_list}) for 1 partitions",
    ),
    Line(
        "metadata-cached", "0.10.2", "1.0", STATE, "TRACE", _LOGGER,
        "Broker {broker} cached leader info (LeaderAndIsrInfo:" + _STATE_TEXT + ",ReplicationFactor:{factor}),"
        "AllReplicas:{replicas}) for partition {tp} in response to UpdateMetadata request sent by controller "
        "{controller} epoch {controller_epoch} with correlation id {correlation}",
    ),
    Line(
        "metadata-cached", "2.6", "", STATE, "INFO", _LOGGER,
        "[Broker id={broker}] Add 1 partitions and deleted 0 partitions from metadata cache in response to "
        "UpdateMetadata request sent by controller {controller} epoch {controller_epoch} with correlation id "
        "{correlation}",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_ELECTIONS, *_CONTROL, *_REQUESTS)
