"""The ZooKeeper controller: sessions, elections, the in-sync set, and what it tells the brokers."""

from dataclasses import replace
from typing import Final

from core.kafka.election import Choice, elect, elect_for_shutdown, elect_named
from core.kafka.isr import keeps_last_member
from core.kafka.reassignment import raises_epoch
from core.sim import assignment, insync, processes
from core.sim.controller import CONTROLLER, take_up, tell_change
from core.sim.engine import Control, Engine
from core.sim.messages.control import (
    AlterPartition,
    AlterPartitionAnswer,
    AlterPartitionRefused,
    BrokerRegistered,
    ControllerElected,
    DeleteReplica,
    LeaderAndIsr,
    ShutdownAnswer,
    SilentSessionTimeout,
    StopReplica,
    ZooKeeperReconnected,
    ZooKeeperSessionTimeout,
)
from core.sim.state import NOBODY, Broker, Leading, Partition, Replica, broker_ids
from core.trace.ids import BrokerId, Seq
from core.trace.vocabulary import Election

_RECONNECTING: Final = 1_000_000_000
"""How long the ZooKeeper client of a broker takes to connect anew, in ns: it waits up to a second first."""
_READING: Final = 1_000_000_000
"""How long a new controller reads ZooKeeper, in ns: a broker that died with the old one is gone by then."""


def begin(_engine: Engine) -> None:
    """Sessions need nothing here: they live until a timer of a dead broker ends them."""


def come_up(engine: Engine, broker: Broker, starting: Seq) -> None:
    """A broker that starts is registered at once, and is told of its partitions."""
    broker.registered = True
    engine.journal.tell("broker_registered", broker.id, broker.id, cause=starting, partition=None)
    started = processes.finish_start(engine, broker, starting)
    engine.send(BrokerRegistered(broker, broker.life, started), broker.id, CONTROLLER)


def gone_down(engine: Engine, broker: Broker, *, clean: bool) -> None:
    """A clean stop closes the session at once; else it expires when the broker is silent for long enough."""
    delay = 0 if clean else broker.rules.session_timeout
    engine.after(delay, ZooKeeperSessionTimeout(broker, broker.life))


def on_session_expired(engine: Engine, message: ZooKeeperSessionTimeout) -> None:
    """ZooKeeper drops the session of a broker that died and did not come back."""
    broker, life = message.broker, message.life
    if not broker.up and broker.life == life:
        _expire(engine, broker)


def _expire(engine: Engine, broker: Broker) -> None:
    if not broker.registered:
        return
    broker.registered = False
    seq = engine.journal.tell("session_expired", None, broker.id, cause=None, partition=None)
    if engine.controller.up:
        _broker_gone(engine, broker, seq)


def silenced(engine: Engine, broker: Broker) -> None:
    """ZooKeeper hears nothing of a broker that runs: its session will expire."""
    broker.silent_since = engine.now
    timer = SilentSessionTimeout(broker, broker.life, engine.now)
    engine.after(broker.rules.session_timeout, timer)


def on_silent_too_long(engine: Engine, message: SilentSessionTimeout) -> None:
    """The session of a broker that is silent expires, whatever the broker believes of itself."""
    broker, life, since = message.broker, message.life, message.since
    if broker.life == life and broker.silent_since == since:
        _expire(engine, broker)


def reconnected(engine: Engine, broker: Broker, cause: Seq) -> None:
    """A silent broker can speak again: its ZooKeeper client connects anew, and then learns what became of it.

    Until then it goes on with what it believes.
    """
    broker.silent_since = None
    if not broker.registered:
        engine.after(_RECONNECTING, ZooKeeperReconnected(broker, broker.life, cause))


def on_connected_anew(engine: Engine, message: ZooKeeperReconnected) -> None:
    """A broker hears that its session has expired, and registers anew."""
    broker, life, cause = message.broker, message.life, message.cause
    if broker.up and broker.life == life and broker.silent_since is None and not broker.registered:
        broker.registered = True
        seq = engine.journal.tell("broker_registered", broker.id, broker.id, cause=cause, partition=None)
        engine.send(BrokerRegistered(broker, life, seq), broker.id, CONTROLLER)


def _broker_gone(engine: Engine, broker: Broker, cause: Seq) -> None:
    """Where it led, another is elected. Where nobody can be, it leaves the in-sync set like any other.

    KafkaController.onReplicasBecomeOffline: the election comes first, then the replica is offline.
    """
    seq = engine.journal.tell("broker_failure_noticed", None, broker.id, cause=cause, partition=None)
    for partition in engine.partitions:
        if partition.leader == broker.id and (choice := _choice(engine, partition)).leader != NOBODY:
            _appoint(engine, partition, choice, seq)
        elif broker.id in partition.isr:
            _remove_from_isr(engine, partition, broker.id, seq)


def _live(engine: Engine, partition: Partition) -> list[BrokerId]:
    return [broker for broker in partition.assigned if engine.brokers[broker].registered]


def _choice(engine: Engine, partition: Partition) -> Choice:
    """Who would be elected now."""
    live, allowed = _live(engine, partition), engine.rules.unclean_allowed
    return elect(partition.assigned, partition.isr, live, unclean_allowed=allowed)


def _elect(engine: Engine, partition: Partition, cause: Seq) -> None:
    """A new leader for a partition without one. It is told to every live replica."""
    choice = _choice(engine, partition)
    if choice.leader != NOBODY or partition.leader != NOBODY:
        _appoint(engine, partition, choice, cause)


def _appoint(engine: Engine, partition: Partition, choice: Choice, cause: Seq) -> None:
    """What was chosen holds from now on, in a new leader epoch, and every live replica is told."""
    partition.leader, partition.isr = BrokerId(choice.leader), broker_ids(choice.isr)
    partition.change(raises_epoch=True)
    seq = tell_change(engine, partition, choice.election, cause)
    _tell_all(engine, partition, seq)


def _remove_from_isr(engine: Engine, partition: Partition, broker: BrokerId, cause: Seq) -> None:
    """Take a broker that is dead, or stops, out of the in-sync set; the leader epoch grows with it (to 3.5).

    The last member stays or leaves by the rule of the release. A dead leader leads no more: nobody does,
    until an election. The broker itself is not told.
    """
    if len(partition.isr) == 1 and partition.leader != broker:
        return
    rules = engine.rules
    keeps = keeps_last_member(rules.switches.isr_last_member, unclean_allowed=rules.unclean_allowed)
    if len(partition.isr) > 1 or not keeps:
        partition.isr = tuple(member for member in partition.isr if member != broker)
    leads = partition.leader == broker
    if leads:
        partition.leader = NOBODY
    partition.change(raises_epoch=True)
    seq = tell_change(engine, partition, Election.UNKNOWN if leads else None, cause)
    _tell_all(engine, partition, seq, but=broker)


def _tell_all(engine: Engine, partition: Partition, cause: Seq, but: BrokerId = NOBODY) -> None:
    for broker in _live(engine, partition):
        if broker != but:
            _tell(engine, partition, broker, cause)


def _tell(engine: Engine, partition: Partition, broker: BrokerId, cause: Seq) -> None:
    engine.send(LeaderAndIsr(partition.replicas[broker], partition.state, cause), CONTROLLER, broker)


def on_leader_and_isr(engine: Engine, message: LeaderAndIsr) -> None:
    """A broker hears who leads in which epoch. An epoch that it knows already is ignored."""
    replica, state, cause = message.replica, message.state, message.cause
    if not replica.broker.up:
        return
    leader, epoch, isr, partition_epoch = state
    seq = engine.journal.tell(
        "leader_and_isr_received",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=leader,
        epoch=epoch,
        isr=isr,
        partition_epoch=partition_epoch,
    )
    if epoch <= replica.leader_epoch:
        engine.journal.tell(
            "stale_request_ignored",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=seq,
            leader=leader,
            epoch=epoch,
        )
    else:
        take_up(engine, replica, state, seq)


def on_registered(engine: Engine, message: BrokerRegistered) -> None:
    """The controller hears of a broker that came up, and tells it of its partitions."""
    broker, life, cause = message.broker, message.life, message.cause
    if not broker.up or broker.life != life or not engine.controller.up:
        return
    for partition in engine.partitions:
        if broker.id not in partition.assigned:
            continue
        if partition.leader == NOBODY:
            _elect(engine, partition, cause)
        if partition.leader != NOBODY:
            _tell(engine, partition, broker.id, cause)


def reassign(engine: Engine, partition: Partition, cause: Seq) -> None:
    """The partition is to move to `target`: all, old and new, hear of it, and the new ones begin to copy."""
    if engine.controller.up:
        _tell_in_next_epoch(engine, partition, cause)


def complete(engine: Engine, partition: Partition, cause: Seq) -> None:
    """All of the new replicas are in sync: one of them leads, and the others leave the in-sync set."""
    gone = [one for one in partition.assigned if one not in partition.target]
    partition.assigned, partition.target = partition.target, ()
    if partition.leader in partition.assigned:
        _tell_in_next_epoch(engine, partition, cause)
    else:
        choice = elect(partition.assigned, partition.isr, _live(engine, partition), unclean_allowed=False)
        _appoint(engine, partition, replace(choice, isr=partition.isr), cause)
    for broker in gone:
        if broker in partition.isr:
            _remove_from_isr(engine, partition, broker, cause)
            _tell_all(engine, partition, cause)
        engine.send(DeleteReplica(partition.replicas[broker], cause), CONTROLLER, broker)


def _tell_in_next_epoch(engine: Engine, partition: Partition, cause: Seq) -> None:
    """The leader stays, and every replica is told of it in the next leader epoch."""
    kind = engine.rules.switches.controller
    partition.change(raises_epoch=raises_epoch(kind, removes=False))
    _tell_all(engine, partition, tell_change(engine, partition, None, cause))


def configure(engine: Engine, min_isr: int, _: Seq) -> None:
    """Set min.insync.replicas anew: brokers read it in ZooKeeper."""
    engine.rules = replace(engine.rules, min_isr=min_isr)


def fail_over(engine: Engine) -> None:
    """The controller dies. Another begins when its session has expired and it has read the state of all."""
    controller = engine.controller
    controller.up = False
    controller.deaths += 1
    engine.after(engine.rules.session_timeout + _READING, ControllerElected(controller.deaths))


def on_elected(engine: Engine, message: ControllerElected) -> None:
    """A new controller begins: it elects where a leader is gone, and tells every live broker what holds."""
    controller = engine.controller
    if controller.deaths != message.deaths:
        return  # it died before it began
    controller.up = True
    controller.epoch += 1
    seq = engine.journal.tell(
        "controller_elected", None, None, cause=None, partition=None, epoch=controller.epoch
    )
    for partition in engine.partitions:
        _take_over(engine, partition, seq)


def _take_over(engine: Engine, partition: Partition, cause: Seq) -> None:
    """Bring a partition in line with who is live.

    From 2.3 (KAFKA-3143) dead replicas are taken out first: with a dead leader there is then no leader for
    one epoch, before the election.
    """
    live = _live(engine, partition)
    if engine.rules.switches.controller_start == "drops-dead" and partition.leader != NOBODY:
        for broker in [member for member in partition.isr if member not in live]:
            _remove_from_isr(engine, partition, broker, cause)
    if partition.leader not in live:
        _elect(engine, partition, cause)
    _tell_all(engine, partition, cause)


def appoint_by_hand(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    """Make a live member of the ISR the leader; None is the preferred one. Nothing if it may not or leads.

    The old leader stays in sync. Of another broker than the first of the assignment it is no preferred
    election: the assignment was ordered anew for it, and then back.
    """
    named = partition.assigned[0] if broker is None else broker
    choice = elect_named(partition.assigned, partition.isr, _live(engine, partition), named)
    if choice.leader not in (NOBODY, partition.leader) and engine.controller.up:
        _appoint(engine, partition, choice, cause)


def appoint_uncleanly(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    """Make any live replica the leader, where no member of the ISR is live; None is the first of them."""
    named = partition.assigned if broker is None else (broker,)
    live = _live(engine, partition)
    if engine.controller.up and partition.leader not in live and not set(partition.isr) & set(live):
        choice = elect(named, partition.isr, live, unclean_allowed=True)
        if choice.leader != NOBODY:
            _appoint(engine, partition, choice, cause)


def was_down(engine: Engine, broker: Broker, since: int) -> None:
    """The session of a broker that died `since` ns ago has expired, or does so that much earlier."""
    left = broker.rules.session_timeout - since
    if left > 0:
        engine.after(left, ZooKeeperSessionTimeout(broker, broker.life))
    else:
        broker.registered = False


def shut_down(engine: Engine, broker: Broker, cause: Seq) -> None:
    """A broker asks to be stopped: leaders move away from it, it leaves the in-sync sets, then it stops."""
    journal, here = engine.journal, broker.id
    asked = journal.tell("shutdown_requested", here, here, cause=cause, partition=None)
    journal.tell("controlled_shutdown_begun", here, here, cause=asked, partition=None)
    granted = engine.controller.up
    for partition in engine.partitions:
        granted = (here not in partition.assigned or _move_away(engine, partition, here, asked)) and granted
    seq = journal.tell("controlled_shutdown_ended", here, here, cause=asked, partition=None, aux=int(granted))
    engine.send(ShutdownAnswer(broker, broker.life, seq), CONTROLLER, here)


def _move_away(engine: Engine, partition: Partition, broker: BrokerId, cause: Seq) -> bool:
    """Whether the partition can do without the broker, after another leads or it has left the ISR."""
    if not engine.controller.up:
        return False
    if partition.leader != broker:
        engine.send(StopReplica(partition.replicas[broker], cause), CONTROLLER, broker)
        if broker in partition.isr:
            _remove_from_isr(engine, partition, broker, cause)
        return True
    choice = elect_for_shutdown(partition.assigned, partition.isr, _live(engine, partition), (broker,))
    if choice.leader == NOBODY:
        return False
    _appoint(engine, partition, choice, cause)
    return True


def on_alter_isr(engine: Engine, message: AlterPartition) -> None:
    """A leader asks for another in-sync set (2.7, KIP-497). Without a controller the request is repeated."""
    replica, leading, cause = message.replica, message.leading, message.cause
    if not replica.broker.up or replica.leading is not leading or leading.proposed is None:
        return
    if not engine.controller.up:
        engine.after(engine.rules.fetch_backoff, message)
        return
    partition = replica.partition
    if leading.partition_epoch == partition.partition_epoch and partition.leader == replica.id:
        partition.isr = leading.proposed
        partition.change(raises_epoch=False)
        answer = AlterPartitionAnswer(replica, leading, partition.state, cause)
        engine.send(answer, CONTROLLER, replica.id)
        assignment.notice(engine, partition, cause)
    else:
        engine.send(AlterPartitionRefused(replica, leading, cause), CONTROLLER, replica.id)


def on_isr_altered(engine: Engine, message: AlterPartitionAnswer) -> None:
    """The controller has accepted the proposed in-sync set."""
    replica, leading, epoch = message.replica, message.leading, message.state.partition_epoch
    if replica.broker.up and replica.leading is leading and leading.proposed is not None:
        insync.adopt(engine, replica, leading, leading.proposed, epoch, message.cause)


def on_isr_rejected(engine: Engine, message: AlterPartitionRefused) -> None:
    """The controller has refused the proposed in-sync set: the one before it stands."""
    replica, leading = message.replica, message.leading
    if replica.broker.up and replica.leading is leading:
        insync.reject(engine, replica, leading, leading.proposed, message.cause)


def on_stop_replica(engine: Engine, message: StopReplica) -> None:
    """A follower on a broker that stops ends to fetch, so that it does not join the in-sync set again."""
    replica, cause = message.replica, message.cause
    if replica.broker.up and replica.fetcher is not None:
        replica.fetcher = None
        index = replica.partition.index
        engine.journal.tell("fetcher_removed", replica.id, replica.id, partition=index, cause=cause)


def write_isr(
    engine: Engine, replica: Replica, leading: Leading, isr: tuple[BrokerId, ...], cause: Seq
) -> None:
    """A leader writes the in-sync set to ZooKeeper, if it knows the latest state of the partition.

    Without a session nothing can be written.
    """
    partition, broker = replica.partition, replica.broker
    cut_off = broker.silent_since is not None or not broker.registered
    if cut_off or leading.partition_epoch != partition.partition_epoch:
        insync.reject(engine, replica, leading, isr, cause)
        return
    partition.isr = isr
    partition.change(raises_epoch=False)
    insync.adopt(engine, replica, leading, isr, partition.partition_epoch, cause)
    assignment.notice(engine, partition, cause)


ZOOKEEPER: Final = Control(
    begin=begin,
    come_up=come_up,
    gone_down=gone_down,
    silenced=silenced,
    reconnected=reconnected,
    shut_down=shut_down,
    appoint=appoint_by_hand,
    appoint_uncleanly=appoint_uncleanly,
    was_down=was_down,
    reassign=reassign,
    complete_reassignment=complete,
    configure=configure,
    fail_over=fail_over,
    write_isr=write_isr,
    on_alter_partition=on_alter_isr,
    on_partition_altered=on_isr_altered,
    on_alter_refused=on_isr_rejected,
    on_elected=on_elected,
)
