"""The leader's part in the in-sync set: who is to leave by time, who may join by offset."""

from core.kafka.isr import check_interval, is_eligible, may_join, must_leave
from core.sim.engine import Engine
from core.sim.messages.control import AlterPartition
from core.sim.messages.kinds import IsrCheckDue
from core.sim.messages.replication import IsrAdopted
from core.sim.state import Broker, Leading, Replica
from core.trace.ids import BrokerId, Seq


def start_checks(engine: Engine, broker: Broker) -> None:
    """A broker looks for lagging followers every half of the lag time, from its start on."""
    engine.after(check_interval(broker.rules.lag_time), IsrCheckDue(broker, broker.life))


def on_check(engine: Engine, message: IsrCheckDue) -> None:
    """Drop the followers that were not caught up for longer than the lag time."""
    broker, life = message.broker, message.life
    if not broker.up or broker.life != life:
        return
    start_checks(engine, broker)
    for replica in engine.replicas_on(broker.id):
        _drop_late(engine, replica)


def _drop_late(engine: Engine, replica: Replica) -> None:
    leading = replica.leading
    if leading is None or leading.proposed is not None:
        return
    late = [
        member
        for member in leading.isr
        if member != replica.id
        and must_leave(
            replica.broker.switches.isr_leave,
            caught_up=leading.remotes[member].caught_up_at,
            now=engine.now,
            lag_time=replica.broker.rules.lag_time,
            leo=leading.remotes[member].leo,
            leader_leo=replica.leo,
        )
    ]
    if late:
        kept = tuple(member for member in leading.isr if member not in late)
        _propose(engine, replica, leading, kept, None)


def expand(engine: Engine, replica: Replica, follower: BrokerId, cause: Seq) -> None:
    """Let a follower join after its fetch, if it may."""
    leading = replica.leading
    if leading is None or leading.proposed is not None or follower in leading.isr:
        return
    leo = leading.remotes[follower].leo
    rule = replica.broker.switches.isr_join
    if (
        leo is not None
        and may_join(rule, leo=leo, hw=replica.hw, epoch_start=leading.epoch_start)
        and may_be_in(engine, replica, follower)
    ):
        _propose(engine, replica, leading, (*leading.isr, follower), cause)


def may_be_in(engine: Engine, replica: Replica, follower: BrokerId) -> bool:
    """Whether a follower may be in the in-sync set at all, as its leader knows it.

    With KRaft by the metadata that the leader's broker has applied; with ZooKeeper by the brokers that live.
    """
    registration = replica.broker.known.get(follower)
    fetched = -1 if replica.leading is None else replica.leading.remotes[follower].broker_epoch
    return is_eligible(
        replica.broker.switches.isr_eligible,
        fenced=not engine.brokers[follower].registered if registration is None else registration.fenced,
        shutting_down=registration is not None and registration.leaving,
        registered_epoch=-1 if registration is None else registration.epoch,
        fetched_epoch=fetched,
    )


def _propose(
    engine: Engine, replica: Replica, leading: Leading, isr: tuple[BrokerId, ...], cause: Seq | None
) -> None:
    """Change the in-sync set: through ZooKeeper at once, or by a request to the controller (2.7, KIP-497)."""
    seq = engine.journal.tell(
        "isr_shrink_proposed" if len(isr) < len(leading.isr) else "isr_expand_proposed",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=replica.id,
        epoch=replica.leader_epoch,
        isr=isr,
        leo=replica.leo,
        hw=replica.hw,
    )
    if replica.broker.switches.isr_change == "alter-isr":
        leading.proposed = isr
        remotes, own = leading.remotes, replica.broker.epoch
        leading.vouched = {one: own if one == replica.id else remotes[one].broker_epoch for one in isr}
        engine.send(AlterPartition(replica, leading, seq), replica.id, 0)
        return
    engine.control.write_isr(engine, replica, leading, isr, seq)


def adopt(
    engine: Engine,
    replica: Replica,
    leading: Leading,
    isr: tuple[BrokerId, ...],
    partition_epoch: int,
    cause: Seq,
) -> None:
    """The new in-sync set holds: the leader counts it, and its high watermark may rise."""
    leading.isr, leading.proposed, leading.partition_epoch = isr, None, partition_epoch
    seq = engine.journal.tell(
        "isr_committed",
        replica.id,
        None,
        partition=replica.partition.index,
        cause=cause,
        leader=replica.id,
        epoch=replica.leader_epoch,
        isr=isr,
        partition_epoch=leading.partition_epoch,
    )
    engine.soon(0, IsrAdopted(replica, leading, seq))


def reject(
    engine: Engine, replica: Replica, leading: Leading, isr: tuple[BrokerId, ...] | None, cause: Seq
) -> None:
    """The change is refused, as the leader did not know the latest state of the partition."""
    leading.proposed = None
    engine.journal.tell(
        "isr_update_rejected",
        replica.id,
        None,
        partition=replica.partition.index,
        cause=cause,
        epoch=replica.leader_epoch,
        isr=isr,
    )
