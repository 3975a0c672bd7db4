"""What every controller does. Each kind of controller is a module of its own, with a `Control` (engine.py).

The rest of the engine asks a controller by `engine.control`; `run.py` takes it by the switch `controller`.
"""

from typing import Final

from core.sim.engine import Engine
from core.sim.follower import start_following
from core.sim.leader import start_leading
from core.sim.messages.replication import NotLeader
from core.sim.state import Partition, PartitionState, Replica
from core.trace.ids import BrokerId, LeaderEpoch, Seq
from core.trace.vocabulary import Election

CONTROLLER: Final = 0
"""As the sender of messages. It runs on a broker outside of the picture, so its events have no broker."""


def hold(engine: Engine, broker: BrokerId) -> None:
    """From now on what the controller tells a broker is late."""
    engine.held.setdefault(broker, [])


def release(engine: Engine, broker: BrokerId, count: int | None, *, newest_first: bool) -> None:
    """What was held back is sent now: all and for good, or `count` messages while the rest stays.

    A later message about the metadata log (KRaft) brings all that stands before it.
    """
    held = engine.held.get(broker, [])
    if count is None:
        engine.held.pop(broker, None)
        count = len(held)
    for _ in range(min(count, len(held))):
        message = held.pop(-1 if newest_first else 0)
        # Not by `send`, which would hold it again. One after the other, in this order.
        engine.soon(engine.limits.latency_ns, message)


def create(
    engine: Engine, partition: Partition, leader: BrokerId, epoch: LeaderEpoch, isr: tuple[BrokerId, ...]
) -> Seq:
    """The partition as it is before the first step. Gives the Seq of the election."""
    partition.leader, partition.epoch, partition.isr = leader, epoch, isr
    created = engine.journal.tell(
        "partition_created",
        None,
        None,
        partition=partition.index,
        cause=None,
        leader=leader,
        epoch=epoch,
        isr=isr,
    )
    return engine.journal.tell(
        "leader_elected",
        None,
        None,
        partition=partition.index,
        cause=created,
        leader=leader,
        epoch=epoch,
        isr=isr,
        partition_epoch=0,
        aux=Election.FIRST,
    )


def tell_change(engine: Engine, partition: Partition, election: Election | None, cause: Seq | None) -> Seq:
    """The event of a change that the controller has made: a leader, none, or another in-sync set.

    `election` is None where the leader stays.
    """
    kind = "isr_committed"
    if election is not None:
        kind = "leaderless" if partition.leader < 0 else "leader_elected"
    return engine.journal.tell(
        kind,
        None,
        None,
        partition=partition.index,
        cause=cause,
        leader=partition.leader,
        epoch=partition.epoch,
        isr=partition.isr,
        partition_epoch=partition.partition_epoch,
        aux=election if kind == "leader_elected" else None,
    )


def take_up(engine: Engine, replica: Replica, state: PartitionState, cause: Seq) -> None:
    """A broker leads or follows in a new leader epoch."""
    leader, epoch, isr, partition_epoch = state
    if leader == replica.id:
        start_leading(engine, replica, epoch, isr, partition_epoch, cause)
        return
    parked = [] if replica.leading is None else replica.leading.parked
    start_following(engine, replica, leader, epoch, cause)
    for one in parked:
        engine.send(NotLeader(one.request, one.parked), replica.id, one.request.follower.id)
