"""What every controller does. Each kind of controller is a module with HANDLERS of its own.

The rest of the engine asks a controller by `engine.do(kind, …)`; `run.py` has the table by the switch
`controller`. Each has handlers for

- `begin`: the state before the first step is there;
- `come-up` (broker, starting): a broker has loaded its logs and starts;
- `gone-down` (broker, clean): its process has ended;
- `silenced` (broker), `heard-again` (broker, cause): nothing of it reaches the controller, or does again;
- `shut-down` (broker, cause): it is asked to stop, and tells the controller;
- `appoint` (partition, broker or None, cause): a person moves the leader;
- `reassign`, `complete-reassignment` (partition, cause): it moves to other brokers, and has moved;
- `fail-over`: the controller dies, another takes over later;
- `write-isr` (replica, leading, isr, cause): a leader changes the in-sync set by itself (to 2.6);
- `alter-isr` (replica, leading, cause): a leader's request for another in-sync set arrives (2.7, KIP-497).
"""

from typing import Final

from core.sim.follower import start_following
from core.sim.leader import start_leading
from core.sim.state import Engine, Partition, Replica
from core.trace.vocabulary import Election

CONTROLLER: Final = 0
"""As the sender of messages. It runs on a broker outside of the picture, so its events have no broker."""


def hold(engine: Engine, broker: int) -> None:
    """From now on what the controller tells a broker is late."""
    engine.held.setdefault(broker, [])


def release(engine: Engine, broker: int, count: int | None, *, newest_first: bool) -> None:
    """What was held back is sent now: all and for good, or `count` messages while the rest stays.

    A later message about the metadata log (KRaft) brings all that stands before it.
    """
    held = engine.held.get(broker, [])
    if count is None:
        engine.held.pop(broker, None)
        count = len(held)
    for _ in range(min(count, len(held))):
        kind, args = held.pop(-1 if newest_first else 0)
        # Not by `send`, which would hold it again. One after the other, in this order.
        engine.soon(engine.limits.latency_ns, kind, *args)


def create(engine: Engine, partition: Partition, leader: int, epoch: int, isr: tuple[int, ...]) -> int:
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


def tell_change(engine: Engine, partition: Partition, election: Election | None, cause: int | None) -> int:
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


def take_up(
    engine: Engine, replica: Replica, state: tuple[int, int, tuple[int, ...], int], cause: int
) -> None:
    """A broker leads or follows in a new leader epoch: (leader, epoch, ISR, partition epoch)."""
    leader, epoch, isr, partition_epoch = state
    if leader == replica.id:
        start_leading(engine, replica, epoch, isr, partition_epoch, cause)
        return
    parked = [] if replica.leading is None else replica.leading.parked
    start_following(engine, replica, leader, epoch, cause)
    for one in parked:
        engine.send("not-leader", replica.id, one.request.follower.id, one.request, one.parked)
