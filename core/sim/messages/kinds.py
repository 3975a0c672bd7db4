"""All that can be sent and all that can fall due.

A message has a `kind`. It is a key of the luck of the message: with another one, other runs come of it.
"""

from dataclasses import dataclass
from typing import TypeAlias

from core.sim.messages import clients, control, quorum, replication
from core.sim.script import Action, Scenario
from core.sim.state import Broker, Replica
from core.trace.ids import Seq


@dataclass(frozen=True, slots=True)
class CheckpointDue:
    """Timer: a broker writes its high watermarks to disk."""

    broker: Broker
    life: int


@dataclass(frozen=True, slots=True)
class IsrCheckDue:
    """Timer: a broker looks for followers that have not caught up for `replica.lag.time.max.ms`."""

    broker: Broker
    life: int


@dataclass(slots=True, frozen=True)
class EpochFileFlushDue:
    """Timer: a thread of the background flushes the file of leader epochs (3.7, KAFKA-15046)."""

    replica: Replica
    life: int


@dataclass(frozen=True, slots=True)
class BrokerExit:
    """Timer of this instant: a broker ends itself."""

    broker: Broker
    cause: Seq


@dataclass(frozen=True, slots=True)
class ActionDue:
    """Timer: a part of a step that the luck of the seed has put at this time."""

    scenario: Scenario
    action: Action
    begun: Seq
    """Seq of the step."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A message or a timer that waits: at a way that is cut, or at a process that is paused."""

    message: "Message"
    target: int
    """Of a message; NOBODY of a timer."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Timer: the sender of what waits has waited for `request.timeout.ms`."""

    waiting: Waiting


BrokerTimer: TypeAlias = CheckpointDue | IsrCheckDue | EpochFileFlushDue | BrokerExit
Sent: TypeAlias = (
    replication.SentOnReplication
    | clients.SentOfClients
    | control.SentOfAnyController
    | control.SentOfZooKeeper
    | control.SentOfKRaft
    | quorum.SentOfQuorum
)
Timer: TypeAlias = (
    replication.ReplicationTimer
    | clients.ProducerTimer
    | clients.ConsumerTimer
    | control.ControllerTimer
    | control.ZooKeeperTimer
    | control.KRaftTimer
    | quorum.QuorumTimer
    | BrokerTimer
    | ActionDue
    | GivenUp
)
Message: TypeAlias = Sent | Timer
