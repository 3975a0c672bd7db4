"""A broker under a KRaft controller: it registers, sends heartbeats, and applies the metadata log."""

from typing import Final

from core.sim import insync, processes
from core.sim.assignment import learn_assignment
from core.sim.controller import CONTROLLER, take_up
from core.sim.engine import Engine
from core.sim.messages.control import (
    AlterPartitionAnswer,
    AlterPartitionOutdated,
    AlterPartitionRefused,
    BrokerHeartbeat,
    BrokerHeartbeatDue,
    BrokerRegistration,
    BrokerRegistrationAnswer,
    BrokerRegistrationDue,
    Metadata,
    MetadataRead,
    UnfenceRequest,
)
from core.sim.messages.replication import IsrAdopted
from core.sim.state import Broker, BrokerEntry, Leading, PartitionEntry, Replica
from core.trace.ids import Seq

_EVERY: Final = 2_000_000_000
"""`broker.heartbeat.interval.ms` (2000), in ns. A refused registration is repeated as often."""


def come_up(engine: Engine, broker: Broker, starting: Seq) -> None:
    """A broker that starts reads the metadata log, and serves nobody before it is registered."""
    broker.listening = False
    started = processes.finish_start(engine, broker, starting)
    on_register_due(engine, BrokerRegistrationDue(broker, broker.life, started))


def gone_down(_engine: Engine, broker: Broker, *, clean: bool) -> None:
    """What it has read goes with its memory. Its session lasts until the controller has missed it."""
    broker.stopped_cleanly = clean
    broker.epoch, broker.offered, broker.applied, broker.known = -1, 0, 0, {}


def on_register_due(engine: Engine, message: BrokerRegistrationDue) -> None:
    """Ask to be registered, until an answer is there."""
    broker, life, cause = message.broker, message.life, message.cause
    if broker.up and broker.life == life and broker.epoch < 0:
        engine.send(BrokerRegistration(broker, life, cause), broker.id, CONTROLLER)
        engine.after(_EVERY, message)


def on_registered(engine: Engine, message: BrokerRegistrationAnswer) -> None:
    """The controller has registered the broker, in a broker epoch of this life."""
    broker, life, epoch = message.broker, message.life, message.epoch
    if broker.up and broker.life == life and broker.epoch < 0:
        broker.epoch = epoch
        start_beating(engine, broker)
        _get_ready(engine, broker)


def start_beating(engine: Engine, broker: Broker) -> None:
    """Heartbeats from now on."""
    engine.after(_EVERY, BrokerHeartbeatDue(broker, broker.life))


def on_heartbeat_due(engine: Engine, message: BrokerHeartbeatDue) -> None:
    """Every 2 s a broker tells the controller that it lives, and how far it has read the log."""
    broker, life = message.broker, message.life
    if broker.up and broker.life == life:
        engine.send(BrokerHeartbeat(broker, broker.epoch, broker.applied), broker.id, CONTROLLER)
        start_beating(engine, broker)


def _get_ready(engine: Engine, broker: Broker) -> None:
    """One that has read its own registration opens its listeners, and asks at once to be unfenced."""
    if not broker.listening and 0 <= broker.epoch < broker.applied:
        broker.listening = True
        engine.send(UnfenceRequest(broker, broker.epoch, broker.applied), broker.id, CONTROLLER)


def on_metadata(engine: Engine, message: Metadata) -> None:
    """More of the log arrives, up to `end`. What arrives at one instant is read in one go."""
    broker, end = message.broker, message.end
    if broker.up and end > broker.offered:
        broker.offered = end
        engine.soon(0, MetadataRead(broker))


def on_metadata_read(engine: Engine, message: MetadataRead) -> None:
    """A broker applies what it was given of the log. Of a partition that changed twice it sees the last."""
    broker, end = message.broker, message.broker.offered
    changed: dict[int, PartitionEntry] = {}
    for entry in engine.quorum.log[broker.applied : end]:
        if isinstance(entry, BrokerEntry):
            broker.known[entry.broker] = entry.registration
        else:
            changed[entry.partition] = entry
    broker.applied = end
    for entry in changed.values():
        partition = engine.partitions[entry.partition]
        if broker.id in partition.assigned:
            _apply(engine, partition.replicas[broker.id], entry)
    _get_ready(engine, broker)


def _apply(engine: Engine, replica: Replica, entry: PartitionEntry) -> None:
    """Lead or follow in a new leader epoch; in the same one a leader takes over the in-sync set."""
    leader, epoch, isr, partition_epoch = entry.state
    seq = engine.journal.tell(
        "metadata_applied",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=entry.seq,
        leader=leader,
        epoch=epoch,
        isr=isr,
        partition_epoch=partition_epoch,
    )
    leading = replica.leading
    if epoch > replica.leader_epoch:
        take_up(engine, replica, entry.state, seq)
    elif leading is not None and partition_epoch > leading.partition_epoch:
        leading.isr, leading.proposed, leading.partition_epoch = isr, None, partition_epoch
        learn_assignment(engine, replica)
        engine.soon(0, IsrAdopted(replica, leading, seq))


def on_isr_altered(engine: Engine, message: AlterPartitionAnswer) -> None:
    """The controller has accepted the set. If it has raised the leader epoch with it, the log will tell."""
    replica, leading, state = message.replica, message.leading, message.state
    waits = replica.broker.up and replica.leading is leading and leading.proposed is not None
    if waits and state.epoch == replica.leader_epoch:
        insync.adopt(engine, replica, leading, state.isr, state.partition_epoch, message.cause)


def on_isr_rejected(engine: Engine, message: AlterPartitionRefused) -> None:
    """The controller has refused the set, as one of it may not be in it. The leader may try again."""
    _rejected(engine, message.replica, message.leading, message.cause)


def _rejected(engine: Engine, replica: Replica, leading: Leading, cause: Seq) -> None:
    if replica.broker.up and replica.leading is leading and leading.proposed is not None:
        insync.reject(engine, replica, leading, leading.proposed, cause)


def on_isr_outdated(engine: Engine, message: AlterPartitionOutdated) -> None:
    """The controller has refused the set, as the leader is behind the log.

    What it knows is in doubt until the log tells it more: it goes on counting the larger set.
    """
    proposed = message.leading.proposed
    _rejected(engine, message.replica, message.leading, message.cause)
    message.leading.proposed = proposed
