"""Between brokers and a controller, over ZooKeeper or of KRaft, and the timers of both."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from core.sim.state import Broker, Leading, Partition, PartitionState, Replica
from core.trace.ids import BrokerId, Nanos, Seq


class Background:
    """A message that comes all the time: no step waits for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AlterPartition:
    """A leader asks for another in-sync set (2.7, KIP-497): its `Leading.proposed`."""

    kind: ClassVar[str] = "alter-isr"
    replica: Replica
    leading: Leading
    cause: Seq


@dataclass(frozen=True, slots=True)
class AlterPartitionAnswer:
    """The controller has accepted the set: the state that the partition has now."""

    kind: ClassVar[str] = "isr-altered"
    replica: Replica
    leading: Leading
    state: PartitionState
    cause: Seq


@dataclass(frozen=True, slots=True)
class AlterPartitionRefused:
    """The controller refuses the set. With ZooKeeper also one of a leader that is behind."""

    kind: ClassVar[str] = "isr-rejected"
    replica: Replica
    leading: Leading
    cause: Seq


@dataclass(frozen=True, slots=True)
class ShutdownAnswer:
    """The controller's answer to a controlled shutdown: the broker stops."""

    kind: ClassVar[str] = "broker-stopped"
    broker: Broker
    life: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class DeleteReplica:
    """A broker is told that it holds a partition no more (with ZooKeeper: StopReplica that deletes)."""

    kind: ClassVar[str] = "delete-replica"
    replica: Replica
    cause: Seq


@dataclass(frozen=True, slots=True)
class ControllerElected:
    """Timer: another controller takes over. `deaths` tells which of the dead ones it follows."""

    deaths: int


@dataclass(frozen=True, slots=True)
class IsrNoticed:
    """Timer: the controller sees that the in-sync set of a partition has changed."""

    partition: Partition
    cause: Seq


@dataclass(frozen=True, slots=True)
class LeaderAndIsr:
    """A broker is told who leads a partition, in which epoch, with which in-sync set."""

    kind: ClassVar[str] = "leader-and-isr"
    replica: Replica
    state: PartitionState
    cause: Seq


@dataclass(frozen=True, slots=True)
class StopReplica:
    """A follower on a broker that stops is told to fetch no more."""

    kind: ClassVar[str] = "stop-replica"
    replica: Replica
    cause: Seq


@dataclass(frozen=True, slots=True)
class BrokerRegistered:
    """The controller sees a broker among those that are registered in ZooKeeper."""

    kind: ClassVar[str] = "registered"
    broker: Broker
    life: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class ZooKeeperSessionTimeout:
    """Timer: the session of a broker whose process has ended expires."""

    broker: Broker
    life: int


@dataclass(frozen=True, slots=True)
class SilentSessionTimeout:
    """Timer: the session of a broker that runs, and is not heard of since `since`, expires."""

    broker: Broker
    life: int
    since: Nanos


@dataclass(frozen=True, slots=True)
class ZooKeeperReconnected:
    """Timer: the ZooKeeper client of a broker is connected anew."""

    broker: Broker
    life: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class AlterPartitionOutdated:
    """The controller refuses the set of a leader that does not know the latest state of the partition."""

    kind: ClassVar[str] = "isr-outdated"
    replica: Replica
    leading: Leading
    cause: Seq


@dataclass(frozen=True, slots=True)
class Metadata:
    """A broker is given the metadata log up to `end`."""

    kind: ClassVar[str] = "metadata"
    broker: Broker
    end: int


@dataclass(frozen=True, slots=True)
class BrokerRegistration:
    """A broker asks to be registered, in one of its lives."""

    kind: ClassVar[str] = "register"
    broker: Broker
    life: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class BrokerRegistrationAnswer:
    """The broker is registered, in this broker epoch."""

    kind: ClassVar[str] = "register-answer"
    broker: Broker
    life: int
    epoch: int


@dataclass(frozen=True, slots=True)
class BrokerHeartbeat(Background):
    """A sign of life, in a broker epoch, of a broker that has applied so many entries of the log."""

    kind: ClassVar[str] = "heartbeat"
    broker: Broker
    epoch: int
    applied: int


@dataclass(frozen=True, slots=True)
class UnfenceRequest:
    """The heartbeat of a broker that has read its registration, and wants to be unfenced."""

    kind: ClassVar[str] = "ready"
    broker: Broker
    epoch: int
    applied: int


@dataclass(frozen=True, slots=True)
class BrokerSessionTimeout:
    """Timer: the session of a broker ends, unless it was heard of after `heard`."""

    broker: BrokerId
    heard: Nanos


@dataclass(frozen=True, slots=True)
class MetadataRead:
    """Timer of this instant: a broker applies what it was given of the metadata log."""

    broker: Broker


@dataclass(frozen=True, slots=True)
class BrokerRegistrationDue:
    """Timer: a broker that is not registered asks again."""

    broker: Broker
    life: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class BrokerHeartbeatDue:
    """Timer: a broker sends its next heartbeat."""

    broker: Broker
    life: int


SentOfAnyController: TypeAlias = (
    AlterPartition | AlterPartitionAnswer | AlterPartitionRefused | ShutdownAnswer | DeleteReplica
)
SentOfZooKeeper: TypeAlias = LeaderAndIsr | StopReplica | BrokerRegistered
SentOfKRaft: TypeAlias = (
    AlterPartitionOutdated
    | Metadata
    | BrokerRegistration
    | BrokerRegistrationAnswer
    | BrokerHeartbeat
    | UnfenceRequest
)
Holdable: TypeAlias = LeaderAndIsr | Metadata
"""The messages by which a controller tells a broker who leads: a script can hold them back."""
ControllerTimer: TypeAlias = ControllerElected | IsrNoticed
ZooKeeperTimer: TypeAlias = ZooKeeperSessionTimeout | SilentSessionTimeout | ZooKeeperReconnected
KRaftTimer: TypeAlias = BrokerSessionTimeout | MetadataRead | BrokerRegistrationDue | BrokerHeartbeatDue
