"""Lines of the ZooKeeper controller: who leads, who is in the in-sync set, which brokers live."""

import re
from dataclasses import replace
from typing import Final

from core.trace.vocabulary import Basis, Election
from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import IDS, TP, group, ids, partition_of

_BY: Final = (
    r"(?:\[Controller id=(?P<controller>\d+) epoch=\d+\] |Controller (?P<controller_o>\d+) epoch \d+ )"
)
_MACHINE: Final = (
    r"\[Partition(?: state machine on Controller |StateMachine controllerId=)(?P<controller>\d+)\]:? "
)
_LEADER_AND_ISR: Final = (
    r"LeaderAndIsr\(leader=(?P<leader>-?\d+), leaderEpoch=(?P<epoch>\d+), "
    r"(?:isr=List\((?P<isr>[\d, ]*)\)|isrWithBrokerEpoch=List\((?P<members>.*?)\)), "
    r"(?:leaderRecoveryState=(?P<recovery>\w+), )?(?:zkVersion|partitionEpoch)=(?P<version>\d+)\)"
)
"""The state in ZooKeeper: with the recovery state from 3.2, with broker epochs from 3.7."""
_MEMBER: Final = re.compile(r"brokerId=(\d+)")
_NAME: Final = r"\[Controller (?:id=)?(?P<controller>\d+)\]:? "
_BROKERS: Final = r"[\d, ]{0,16384}"
"""Ids of brokers: a cluster has some hundreds."""


def _controller(message: Message) -> int | None:
    return group(message.match, "controller", "controller_o")


def _created(message: Message) -> Reading:
    tp = partition_of(message.match)
    said = Said("partition_created", tp, broker=_controller(message), assigned=ids(message["replicas"]))
    return Reading((said,))


def _reassigned(message: Message) -> Reading:
    """Which brokers hold the partition, in their order, from now on: KafkaController wrote it to ZooKeeper.

    While replicas are added all are listed, old and new, to 2.3 in any order; then the new ones alone
    (onPartitionReassignment, steps 1 and 10, to 2.3; U1 and B6 from 2.4, KIP-455).
    """
    replicas = ids(message["replicas"])
    said = Said(
        "replicas_assigned",
        partition_of(message.match),
        broker=_controller(message),
        isr=replicas,
        assigned=replicas,
    )
    return Reading((said,))


def _election(message: Message) -> Said:
    """Who leads from now on; a partition that was new is elected for the first time."""
    leader = message.number("leader")
    first = message["from"] == "NewPartition"
    return Said(
        "leaderless" if leader < 0 else "leader_elected",
        partition_of(message.match),
        broker=_controller(message),
        leader=leader,
        aux=Election.FIRST if first and leader >= 0 else None,
    )


def _elected(message: Message) -> Reading:
    return Reading((_election(message),))


def _elected_with_state(message: Message) -> Reading:
    """From 3.2 on RECOVERING says that the election was unclean; before, no word does (KAFKA-8969)."""
    said = _election(message)
    unclean = message.match.groupdict()["recovery"] == "RECOVERING"
    said = replace(
        said,
        epoch=message.number("epoch"),
        isr=_in_sync(message),
        partition_epoch=message.number("version"),
        aux=Election.UNCLEAN if unclean and said.kind == "leader_elected" else said.aux,
    )
    return Reading((said,))


def _in_sync(message: Message) -> tuple[int, ...]:
    named = message.match.groupdict()
    return ids(named["isr"]) if named["members"] is None else _members(named["members"])


def _members(text: str) -> tuple[int, ...]:
    """The brokers of `BrokerState(brokerId=1, brokerEpoch=-1), …`."""
    return tuple(int(one) for one in _MEMBER.findall(text))


def _new_state(message: Message) -> Reading:
    leader = message.number("leader")
    said = Said(
        "leaderless" if leader < 0 else "isr_committed",
        partition_of(message.match),
        broker=_controller(message),
        leader=leader,
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
        partition_epoch=group(message.match, "version"),
    )
    return Reading((said,))


def _initial(message: Message) -> Reading:
    said = Said(
        "leader_elected",
        partition_of(message.match),
        broker=_controller(message),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
        aux=Election.FIRST,
    )
    return Reading((said,))


def _selected(message: Message) -> Reading:
    said = Said(
        "leader_elected",
        partition_of(message.match),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
    )
    return Reading((said,))


def _clean(message: Message) -> Reading:
    leader = message.number("leader")
    return Reading((Said("leader_elected", partition_of(message.match), leader=leader, aux=Election.CLEAN),))


def _unclean(message: Message) -> Reading:
    leader = message.number("leader")
    return Reading(
        (Said("leader_elected", partition_of(message.match), leader=leader, aux=Election.UNCLEAN),)
    )


def _preferred(message: Message) -> Reading:
    said = Said(
        "leader_elected",
        partition_of(message.match),
        broker=_controller(message),
        leader=message.number("leader"),
        aux=Election.PREFERRED,
    )
    return Reading((said,))


def _isr_committed(message: Message) -> Reading:
    said = Said(
        "isr_committed",
        partition_of(message.match),
        broker=_controller(message),
        isr=ids(message["isr"]),
        partition_epoch=message.number("version"),
    )
    return Reading((said,))


def _isr_committed_with_state(message: Message) -> Reading:
    said = Said(
        "isr_committed",
        partition_of(message.match),
        broker=_controller(message),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=_in_sync(message),
        partition_epoch=message.number("version"),
    )
    return Reading((said,))


def _isr_rejected(message: Message) -> Reading:
    return Reading((Said("isr_update_rejected", partition_of(message.match), broker=_controller(message)),))


def _controller_elected(message: Message) -> Reading:
    controller = _controller(message)
    return Reading((Said("controller_elected", broker=controller, epoch=message.number("epoch")),))


def _controller_resigned(message: Message) -> Reading:
    return Reading((Said("controller_resigned", broker=_controller(message)),))


def _brokers_changed(message: Message) -> Reading:
    controller = _controller(message)
    bounced = ids(message.match.groupdict().get("bounced") or "")
    added = tuple(
        Said("broker_registered", broker=controller, replica=one, basis=Basis.REPORTED)
        for one in (*ids(message["added"]), *bounced)
    )
    gone = tuple(
        Said("broker_failure_noticed", broker=controller, replica=one, basis=Basis.REPORTED)
        for one in (*ids(message["gone"]), *bounced)
    )
    return Reading((*gone, *added))


def _shutdown_asked(message: Message) -> Reading:
    about, controller = message.number("about"), _controller(message)
    said = Said("controlled_shutdown_begun", broker=controller, replica=about, basis=Basis.REPORTED)
    return Reading((said,))


CONTROLLER_RULES = (
    LineRule(
        "replica-removed-0.8",
        "0.8.2",
        "1.0",
        rf"{_NAME}New leader and ISR for partition {TP} is \{{\"leader\":(?P<leader>-?\d+),"
        r"\"leader_epoch\":(?P<epoch>\d+),\"isr\":\[(?P<isr>[\d,]*)\]\}",
        (
            '[Controller 3]: New leader and ISR for partition [orders,0] is {"leader":1,"leader_epoch":1,"isr":[1]}',
            '[Controller 3]: New leader and ISR for partition [orders,0] is {"leader":-1,"leader_epoch":1,"isr":[1]}',
        ),
        _new_state,
    ),
    LineRule(
        "partition-created",
        "0.8.2",
        "3.9",
        rf"{_BY}[cC]hanged partition {TP} state from NonExistentPartition to NewPartition with assigned replicas "
        rf"(?P<replicas>{IDS})",
        (
            "Controller 3 epoch 1 changed partition [orders,0] state from NonExistentPartition to NewPartition with "
            "assigned replicas 1,2",
            "[Controller id=3 epoch=1] Changed partition orders-0 state from NonExistentPartition to NewPartition with "
            "assigned replicas 1,2",
        ),
        _created,
    ),
    LineRule(
        "replicas-assigned",
        "0.8.2",
        "2.3",
        rf"{_NAME}Updated assigned replicas for partition {TP} being reassigned to (?P<replicas>{IDS}) ?",
        (
            "[Controller 1]: Updated assigned replicas for partition [moves,0] being reassigned to 3,1 ",
            "[Controller id=1] Updated assigned replicas for partition moves-0 being reassigned to 3,1,2",
        ),
        _reassigned,
    ),
    LineRule(
        "replicas-assigned-2.4",
        "2.4.0",
        "3.9",
        rf"{_NAME}Successfully updated assignment of partition {TP} to ReplicaAssignment\(replicas=(?P<replicas>{IDS}), "
        rf"addingReplicas={IDS}, removingReplicas={IDS}\)",
        (
            "[Controller id=1] Successfully updated assignment of partition moves-0 to "
            "ReplicaAssignment(replicas=3,1,2, addingReplicas=3, removingReplicas=2)",
            "[Controller id=1] Successfully updated assignment of partition moves-0 to "
            "ReplicaAssignment(replicas=3,1, addingReplicas=, removingReplicas=)",
        ),
        _reassigned,
    ),
    LineRule(
        "leader-changed",
        "0.8.2",
        "1.0.2",
        rf"{_BY}[cC]hanged partition {TP} from (?P<from>\w+) to OnlinePartition with leader (?P<leader>-?\d+)",
        (
            "Controller 3 epoch 1 changed partition [orders,0] from NewPartition to OnlinePartition with leader 1",
            "[Controller id=3 epoch=1] Changed partition orders-0 from NewPartition to OnlinePartition with leader 1",
        ),
        _elected,
    ),
    LineRule(
        "leader-changed-1.1",
        "1.1.0",
        "3.9",
        rf"{_BY}[cC]hanged partition {TP} from (?P<from>\w+) to OnlinePartition with state {_LEADER_AND_ISR}",
        (
            "[Controller id=2 epoch=3] Changed partition orders-0 from OfflinePartition to OnlinePartition with state "
            "LeaderAndIsr(leader=2, leaderEpoch=2, isr=List(2), leaderRecoveryState=RECOVERING, partitionEpoch=5)",
            "[Controller id=2 epoch=3] Changed partition orders-0 from OnlinePartition to OnlinePartition with state "
            "LeaderAndIsr(leader=2, leaderEpoch=2, isrWithBrokerEpoch=List(BrokerState(brokerId=2, brokerEpoch=-1), "
            "BrokerState(brokerId=3, brokerEpoch=-1)), leaderRecoveryState=RECOVERED, partitionEpoch=5)",
            "[Controller id=2 epoch=3] Changed partition orders-0 from OfflinePartition to OnlinePartition with state "
            "LeaderAndIsr(leader=2, leaderEpoch=2, isr=List(2), zkVersion=2)",
        ),
        _elected_with_state,
    ),
    LineRule(
        "replica-removed",
        "2.6.0",
        "3.9",
        rf"{_BY}Partition {TP} state changed to \(Leader:(?P<leader>-?\d+),ISR:(?P<isr>[\d,]*),"
        r"(?:LeaderRecoveryState:\w+,)?LeaderEpoch:(?P<epoch>\d+),(?:ZkVersion:(?P<version>\d+),)?ControllerEpoch:\d+\) after removing replica \d+ from "
        r"the ISR as part of transition to OfflineReplica",
        (
            "[Controller id=2 epoch=3] Partition orders-0 state changed to (Leader:2,ISR:2,LeaderEpoch:3,ControllerEpoch:5) "
            "after removing replica 1 from the ISR as part of transition to OfflineReplica",
            "[Controller id=2 epoch=3] Partition orders-0 state changed to (Leader:-1,ISR:2,LeaderEpoch:1,ZkVersion:1,"
            "ControllerEpoch:3) after removing replica 1 from the ISR as part of transition to OfflineReplica",
            "[Controller id=1 epoch=5] Partition orders-0 state changed to (Leader:2,ISR:2,"
            "LeaderRecoveryState:RECOVERED,LeaderEpoch:3,ZkVersion:7,ControllerEpoch:5) after removing replica 1 from "
            "the ISR as part of transition to OfflineReplica",
        ),
        _new_state,
    ),
    LineRule(
        "leader-initialized",
        "0.8.2",
        "1.0",
        rf"{_MACHINE}Initializing leader and isr for partition {TP} to \(Leader:(?P<leader>\d+),ISR:(?P<isr>[\d,]*),"
        r"LeaderEpoch:(?P<epoch>\d+),ControllerEpoch:\d+\)",
        (
            "[Partition state machine on Controller 3]: Initializing leader and isr for partition [orders,1] to "
            "(Leader:1,ISR:1,2,LeaderEpoch:0,ControllerEpoch:1)",
            "[PartitionStateMachine controllerId=3] Initializing leader and isr for partition orders-1 to "
            "(Leader:1,ISR:1,2,LeaderEpoch:0,ControllerEpoch:1)",
        ),
        _initial,
    ),
    LineRule(
        "leader-selected",
        "0.8.2",
        "1.0",
        r"\[OfflinePartitionLeaderSelector\]: Selected new leader and ISR \{\"leader\":(?P<leader>\d+),"
        rf"\"leader_epoch\":(?P<epoch>\d+),\"isr\":\[(?P<isr>[\d,]*)\]\}} for offline partition {TP}",
        (
            '[OfflinePartitionLeaderSelector]: Selected new leader and ISR {"leader":2,"leader_epoch":1,"isr":[2]} '
            "for offline partition [clicks,0]",
        ),
        _selected,
    ),
    LineRule(
        "leader-from-isr",
        "0.8.2",
        "1.0",
        rf"\[OfflinePartitionLeaderSelector\]: Some broker in ISR is alive for {TP}\. Select (?P<leader>\d+) from ISR "  # noqa: S608 - Kafka's words, no SQL
        rf"{IDS} to be the leader\.",
        (
            "[OfflinePartitionLeaderSelector]: Some broker in ISR is alive for [orders,0]. Select 2 from ISR 2 to be "
            "the leader.",
        ),
        _clean,
    ),
    LineRule(
        "leader-outside-isr",
        "0.8.2",
        "1.0",
        rf"\[OfflinePartitionLeaderSelector\]: No broker in ISR is alive for {TP}\. Elect leader (?P<leader>\d+) from "
        rf"live brokers {IDS}\. There's potential data loss\.",
        (
            "[OfflinePartitionLeaderSelector]: No broker in ISR is alive for [orders,1]. Elect leader 1 from live "
            "brokers 1. There's potential data loss.",
        ),
        _unclean,
    ),
    LineRule(
        "preferred-election-completed",
        "0.8.2",
        "3.9",
        rf"{_NAME}Partition {TP} completed preferred replica leader election\. New leader is (?P<leader>\d+)",
        (
            "[Controller 2]: Partition [clicks,0] completed preferred replica leader election. New leader is 1",
            "[Controller id=2] Partition orders-0 completed preferred replica leader election. New leader is 1",
        ),
        _preferred,
    ),
    LineRule(
        "controller-isr-updated",
        "2.7.0",
        "3.2",
        rf"{_NAME}ISR for partition {TP} updated to \[(?P<isr>[\d, ]*)\] and zkVersion updated to \[(?P<version>\d+)\]",
        ("[Controller id=2] ISR for partition clicks-1 updated to [2,1] and zkVersion updated to [3]",),
        _isr_committed,
    ),
    LineRule(
        "controller-isr-updated-3.3",
        "3.3",
        "3.9",
        rf"{_NAME}ISR for partition {TP} updated to {_LEADER_AND_ISR}\.",
        (
            "[Controller id=2] ISR for partition clicks-1 updated to LeaderAndIsr(leader=2, leaderEpoch=5, isr=List(2, 1), "
            "leaderRecoveryState=RECOVERED, partitionEpoch=3).",
            "[Controller id=2] ISR for partition clicks-1 updated to LeaderAndIsr(leader=2, leaderEpoch=5, "
            "isrWithBrokerEpoch=List(BrokerState(brokerId=2, brokerEpoch=-1), BrokerState(brokerId=1, brokerEpoch=-1)), "
            "leaderRecoveryState=RECOVERED, partitionEpoch=3).",
        ),
        _isr_committed_with_state,
    ),
    LineRule(
        "controller-isr-rejected",
        "3.2",
        "3.9",
        rf"\[Controller id=(?P<controller>\d+)\] Rejecting AlterPartition (?:request )?from node \d+ for {TP} because .*",
        (
            "[Controller id=2] Rejecting AlterPartition request from node 1 for clicks-1 because it specified ineligible "
            "replicas Set(3) in the new ISR List(1, 2, 3).",
            "[Controller id=2] Rejecting AlterPartition from node 1 for clicks-1 because leader is recovering and ISR is "
            "greater than 1: LeaderAndIsr(leader=1, leaderEpoch=5, isr=List(1, 2), leaderRecoveryState=RECOVERING, "
            "zkVersion=3)",
        ),
        _isr_rejected,
    ),
    LineRule(
        "controller-elected",
        "0.8.2",
        "0.11",
        rf"{_NAME}Controller \d+ incremented epoch to (?P<epoch>\d+)",
        ("[Controller 1]: Controller 1 incremented epoch to 2",),
        _controller_elected,
    ),
    LineRule(
        "controller-elected-1.0",
        "1.0",
        "2.0",
        rf"{_NAME}(?:Epoch incremented|Incremented epoch) to (?P<epoch>\d+)",
        ("[Controller id=3] Epoch incremented to 1", "[Controller id=3] Incremented epoch to 1"),
        _controller_elected,
    ),
    LineRule(
        "controller-elected-2.1",
        "2.1.0",
        "3.9",
        rf"{_NAME}\d+ successfully elected as the controller\. Epoch incremented to (?P<epoch>\d+) and epoch zk version "
        r"is now \d+",
        (
            "[Controller id=1] 1 successfully elected as the controller. Epoch incremented to 2 and epoch zk version "
            "is now 2",
        ),
        _controller_elected,
    ),
    LineRule(
        "controller-resigned",
        "1.0",
        "3.9",
        rf"{_NAME}Resigned",
        ("[Controller id=1] Resigned",),
        _controller_resigned,
    ),
    LineRule(
        "controller-resigned-0.8",
        "0.8.2",
        "0.11",
        rf"{_NAME}Broker \d+ resigned as the controller",
        ("[Controller 3]: Broker 3 resigned as the controller",),
        _controller_resigned,
    ),
    LineRule(
        "brokers-changed",
        "0.8.2",
        "3.9",
        r"\[(?:BrokerChangeListener on )?Controller (?:id=)?(?P<controller>\d+)\]:? Newly added brokers: "
        rf"(?P<added>{_BROKERS}), deleted brokers: (?P<gone>{_BROKERS}),(?: bounced brokers: (?P<bounced>{_BROKERS}),)? all "
        rf"live brokers: {_BROKERS}",
        (
            "[Controller 3]: Newly added brokers: 3, deleted brokers: , all live brokers: 3",
            "[BrokerChangeListener on Controller 1]: Newly added brokers: 2, deleted brokers: , all live brokers: 1,2",
            "[Controller id=2] Newly added brokers: 1, deleted brokers: , bounced brokers: , all live brokers: 1,2",
        ),
        _brokers_changed,
    ),
    LineRule(
        "shutdown-asked",
        "0.8.2",
        "3.9",
        rf"{_NAME}Shutting down broker (?P<about>\d+)",
        ("[Controller 3]: Shutting down broker 2", "[Controller id=3] Shutting down broker 2"),
        _shutdown_asked,
    ),
)
