"""A partition moves to other brokers: who is asked to copy it, when the others let go of it."""

from core.kafka.isr import NEVER
from core.kafka.reassignment import is_reached, replicas_meanwhile
from core.sim.engine import Engine
from core.sim.messages.control import DeleteReplica, IsrNoticed
from core.sim.messages.replication import NotLeader
from core.sim.state import LOG_BEGIN, NO_EPOCH, NOBODY, Partition, Remote, Replica, broker_ids
from core.trace.ids import BrokerId, Seq


def move(engine: Engine, partition: Partition, target: tuple[BrokerId, ...], cause: Seq) -> None:
    """Begin to move a partition to the brokers of `target`, which then hold it in this order."""
    partition.target = target
    partition.assigned = broker_ids(replicas_meanwhile(target, partition.assigned))
    partition.holders = broker_ids(replicas_meanwhile(partition.holders, target))
    engine.control.reassign(engine, partition, cause)
    notice(engine, partition, cause)


def notice(engine: Engine, partition: Partition, cause: Seq) -> None:
    """The in-sync set has changed: the controller looks whether a move is over."""
    if partition.target:
        engine.soon(engine.limits.latency_ns, IsrNoticed(partition, cause))


def on_noticed(engine: Engine, message: IsrNoticed) -> None:
    """The controller sees a new in-sync set of a partition that moves."""
    partition, cause = message.partition, message.cause
    if engine.controller.up and partition.target and is_reached(partition.isr, partition.target):
        engine.control.complete_reassignment(engine, partition, cause)


def learn_assignment(engine: Engine, replica: Replica) -> None:
    """A leader hears of new followers, in the epoch that it leads (KRaft)."""
    if replica.leading is not None:
        remotes = replica.leading.remotes
        for broker in replica.partition.assigned:
            if broker != replica.id and broker not in remotes:
                remotes[broker] = Remote(None, NEVER, engine.now, replica.leo)


def _refuse_parked(engine: Engine, replica: Replica) -> None:
    """A broker leads no more: the fetches that wait at it are refused."""
    for one in [] if replica.leading is None else replica.leading.parked:
        engine.send(NotLeader(one.request, one.parked), replica.id, one.request.follower.id)


def on_delete(engine: Engine, message: DeleteReplica) -> None:
    """A broker is told that it holds a partition no more: it deletes its log."""
    replica, cause = message.replica, message.cause
    if not replica.broker.up or not replica.exists or replica.id in replica.partition.assigned:
        return
    _refuse_parked(engine, replica)
    engine.journal.tell("log_deleted", replica.id, replica.id, partition=replica.partition.index, cause=cause)
    replica.role, replica.leader, replica.leader_epoch = "none", NOBODY, NO_EPOCH
    replica.leading, replica.fetcher, replica.exists = None, None, False
    replica.records, replica.epochs, replica.entries = [], [], ()
    replica.log_start = replica.hw = replica.checkpointed = LOG_BEGIN
    replica.disk_start = replica.local_start = LOG_BEGIN
