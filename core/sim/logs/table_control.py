"""Lines of the controller: elections, live brokers. It writes controller.log and the state change log.

To 2.5 the state change log is at TRACE in stock, since 2.6 at INFO; the controller's log is at TRACE in all.
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

_ELECTIONS: Final = (
    Line(
        "partition-created", "", "1.0", STATE, "TRACE", _LOGGER,
        _BY_8 + "changed partition {btp} state from NonExistentPartition to NewPartition with assigned replicas "
        "{replicas}",
    ),
    Line(
        "partition-created", "1.0", "2.6", STATE, "TRACE", _LOGGER,
        _BY_1 + "Changed partition {tp} state from NonExistentPartition to NewPartition with assigned replicas "
        "{replicas}",
    ),
    Line(
        "partition-created", "2.6", "3.3", STATE, "INFO", _LOGGER,
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
        "leader-changed", "1.1", "2.6", STATE, "TRACE", _LOGGER,
        _BY_1 + "Changed partition {tp} from {from_state} to OnlinePartition with state LeaderAndIsr("
        "leader={leader}, leaderEpoch={epoch}, isr=List({isr_list}), zkVersion={version})",
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
        "leader-preferred", "1.0", "3.3", CONTROLLER, "INFO", _CONTROLLER,
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
        "isr-altered", "2.7", "3.3", CONTROLLER, "DEBUG", _CONTROLLER,
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
        "controller-taking-over", "1.0", "2.1", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "{controller} successfully elected as the controller",
    ),
    Line(
        "controller-elected", "1.0", "2.1", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Epoch incremented to {controller_epoch}",
    ),
    Line(
        "controller-elected", "2.1", "3.3", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "{controller} successfully elected as the controller. Epoch incremented to {controller_epoch} "
        "and epoch zk version is now {controller_epoch}",
    ),
    Line(
        "controller-ready", "", "1.0", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_8 + "Broker {controller} is ready to serve as the new controller with epoch {controller_epoch}",
    ),
    Line(
        "controller-ready", "1.0", "3.3", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Ready to serve as the new controller with epoch {controller_epoch}",
    ),
    Line(
        "brokers-changed", "", "1.0", CONTROLLER, "INFO", _BROKERS,
        "[BrokerChangeListener on Controller {controller}]: Newly added brokers: {added}, deleted brokers: {gone}, "
        "all live brokers: {live}",
    ),
    Line(
        "brokers-changed", "1.1", "2.2", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Newly added brokers: {added}, deleted brokers: {gone}, all live brokers: {live}",
    ),
    Line(
        "brokers-changed", "2.2", "3.3", CONTROLLER, "INFO", _CONTROLLER,
        _NAME_1 + "Newly added brokers: {added}, deleted brokers: {gone}, bounced brokers: , all live brokers: "
        "{live}",
    ),
)  # fmt: skip

LINES: Final[tuple[Line, ...]] = (*_ELECTIONS, *_CONTROL)
