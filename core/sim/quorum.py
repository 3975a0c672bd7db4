"""The KRaft controller: a metadata log, broker sessions and fencing (KIP-500, KIP-631).

It decides, and writes each decision to the log. What a broker makes of the log is in core/sim/observer.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.kafka.election import kind_of_named
from core.kafka.isr import is_eligible
from core.kafka.quorum import Ask, Change, Registration, allows_unclean, change, may_grow, with_other_min_isr
from core.kafka.reassignment import raises_epoch
from core.sim import assignment, insync, observer
from core.sim.controller import CONTROLLER, tell_change
from core.sim.engine import Control, Engine
from core.sim.messages.control import (
    AlterPartition,
    AlterPartitionAnswer,
    AlterPartitionOutdated,
    AlterPartitionRefused,
    BrokerHeartbeat,
    BrokerRegistration,
    BrokerRegistrationAnswer,
    BrokerSessionTimeout,
    ControllerElected,
    DeleteReplica,
    Metadata,
    ShutdownAnswer,
    UnfenceRequest,
)
from core.sim.state import (
    NOBODY,
    Broker,
    BrokerEntry,
    Leading,
    Partition,
    PartitionEntry,
    RegisteredBroker,
    Replica,
    broker_ids,
)
from core.trace.ids import BrokerId, Seq
from core.trace.vocabulary import Election

_TAKING_OVER: Final = 2_000_000_000
"""How long the quorum is without a leader, in ns: its voters wait for one, then elect in milliseconds
(`controller.quorum.fetch.timeout.ms`, 2000)."""


def begin(engine: Engine) -> None:
    """All brokers are registered and unfenced, and have read the whole log."""
    for broker in engine.brokers.values():
        broker.epoch = len(engine.quorum.log)
        _record_registration(engine, broker.id, RegisteredBroker(broker.epoch, fenced=False))
    for partition in engine.partitions:
        _enter(engine, partition, None)
    for broker in engine.brokers.values():
        broker.known = dict(engine.quorum.registrations)
        broker.offered = broker.applied = len(engine.quorum.log)
        _hear(engine, broker.id)
        observer.start_beating(engine, broker)


def _record_registration(engine: Engine, broker: BrokerId, registration: RegisteredBroker) -> None:
    engine.quorum.registrations[broker] = registration
    engine.brokers[broker].registered = not registration.fenced
    engine.quorum.log.append(BrokerEntry(broker, registration))


def _enter(engine: Engine, partition: Partition, seq: Seq | None) -> None:
    engine.quorum.log.append(PartitionEntry(partition.index, partition.state, seq))


def _publish(engine: Engine) -> None:
    """Every broker that runs reads on to the end of the log."""
    for broker in engine.brokers.values():
        if broker.up:
            _show_log(engine, broker)


def _show_log(engine: Engine, broker: Broker) -> None:
    engine.send(Metadata(broker, len(engine.quorum.log)), CONTROLLER, broker.id)


def _changed(
    engine: Engine,
    partition: Partition,
    isr: Sequence[int],
    *,
    ask: Ask | None = None,
    first: BrokerId | None = None,
    unclean_shutdown: Sequence[int] = (),
    recovered: bool = False,
) -> Change:
    """What comes of it if the in-sync set is to become `isr`, and a leader is looked for where one is due.

    `ask` None is what the controller wants by itself: an unclean election too, if it may. `first` is taken
    for the preferred leader.
    """
    switches = engine.rules.switches
    if ask is None:
        unclean = allows_unclean(switches.unclean_setting, configured=engine.rules.unclean_allowed)
        ask = "unclean" if unclean else "any"
    order = partition.assigned
    if first is not None:
        order = (first, *(one for one in order if one != first))
    now = Registration(order, partition.isr, partition.leader, partition.elr, partition.last_leader)
    now = replace(now, recovering=partition.recovering)
    registrations = engine.quorum.registrations
    return change(
        now,
        isr,
        [one for one in order if not registrations[one].fenced and not registrations[one].leaving],
        min_isr=engine.rules.min_isr,
        eligible_leaders=switches.eligible_leaders,
        epoch_on_shrink=switches.epoch_on_shrink,
        ask=ask,
        unclean_shutdown=unclean_shutdown,
        leader_recovery=switches.leader_recovery,
        recovered=recovered,
    )


def _write(engine: Engine, partition: Partition, made: Change, cause: Seq | None) -> None:
    """Write a change to the log, if it changes anything."""
    after = made.partition
    before = (partition.isr, partition.leader, partition.elr, partition.last_leader)
    recovering, partition.recovering = partition.recovering, after.recovering
    if before == (after.isr, after.leader, after.elr, after.last_leader):
        return
    election = made.election
    if after.leader == NOBODY != partition.leader:
        election = Election.UNKNOWN
    partition.isr, partition.leader = broker_ids(after.isr), BrokerId(after.leader)
    partition.elr, partition.last_leader = broker_ids(after.elr), BrokerId(after.last_leader)
    partition.change(raises_epoch=made.raises_epoch)
    seq = cause
    if before[:2] != (after.isr, after.leader):
        seq = tell_change(engine, partition, election, cause)
    if before[2:] != (after.elr, after.last_leader):
        seq = _tell_eligible(engine, partition, seq)
    if recovering != after.recovering:
        engine.journal.tell(
            "leader_recovery_changed",
            None,
            None,
            partition=partition.index,
            cause=seq,
            leader=partition.leader,
            epoch=partition.epoch,
            partition_epoch=partition.partition_epoch,
            aux=int(after.recovering),
        )
    _enter(engine, partition, seq)


def _tell_eligible(engine: Engine, partition: Partition, cause: Seq | None) -> Seq:
    return engine.journal.tell(
        "elr_changed",
        None,
        None,
        partition=partition.index,
        cause=cause,
        isr=partition.elr,
        partition_epoch=partition.partition_epoch,
        aux=None if partition.last_leader == NOBODY else partition.last_leader,
    )


def _hear(engine: Engine, broker: BrokerId) -> None:
    """A sign of life: the session lasts for the timeout from now on."""
    engine.quorum.heard[broker] = engine.now
    engine.after(engine.rules.session_timeout, BrokerSessionTimeout(broker, engine.now))


def on_heartbeat(engine: Engine, message: BrokerHeartbeat | UnfenceRequest) -> None:
    """A heartbeat of a broker, in the broker epoch `epoch`, that has read `applied` entries of the log.

    A fenced broker is unfenced once it has read its own registration.
    """
    broker, epoch, applied = message.broker, message.epoch, message.applied
    registration = engine.quorum.registrations[broker.id]
    if not engine.controller.up or registration.epoch != epoch or registration.leaving:
        return
    _hear(engine, broker.id)
    if registration.fenced and applied > epoch:
        seq = engine.journal.tell("broker_unfenced", None, broker.id, cause=None, partition=None)
        _record_registration(engine, broker.id, replace(registration, fenced=False))
        for partition in engine.partitions:
            if partition.leader == NOBODY:
                _write(engine, partition, _changed(engine, partition, partition.isr), seq)
        _publish(engine)
    elif applied < len(engine.quorum.log) and broker.id not in engine.held:
        _show_log(engine, broker)


def on_session_expired(engine: Engine, message: BrokerSessionTimeout) -> None:
    """A broker was silent since `heard`, for the whole timeout: it is fenced."""
    if engine.controller.up and engine.quorum.heard[message.broker] == message.heard:
        expire(engine, message.broker)


def expire(engine: Engine, broker: BrokerId) -> None:
    """The session of a broker is over: it is fenced, if it is not."""
    if not engine.quorum.registrations[broker].fenced:
        _fence(engine, broker, None)
        _publish(engine)


def _fence(engine: Engine, broker: BrokerId, cause: Seq | None) -> None:
    """Take a broker's leaderships away, and take it out of every in-sync set."""
    seq = engine.journal.tell("broker_fenced", None, broker, cause=cause, partition=None)
    _record_registration(engine, broker, replace(engine.quorum.registrations[broker], fenced=True))
    _leave(engine, broker, seq)


def _leave(engine: Engine, broker: BrokerId, cause: Seq, clean: Election = Election.CLEAN) -> None:
    """`clean` is what an election among the rest of the in-sync set is called."""
    for partition in engine.partitions:
        if broker in partition.isr:
            made = _changed(engine, partition, _without(partition.isr, broker))
            if made.election == Election.CLEAN:
                made = replace(made, election=clean)
            _write(engine, partition, made, cause)


def _without(isr: tuple[BrokerId, ...], broker: BrokerId) -> tuple[BrokerId, ...]:
    return tuple(member for member in isr if member != broker)


def on_register(engine: Engine, message: BrokerRegistration) -> None:
    """A broker that has started asks to be registered. It reads the log in any case.

    While the session of its former life lasts it is refused (DUPLICATE_BROKER_REGISTRATION), and asks again.
    After an unclean stop it is eligible for nothing any more (KIP-966).
    """
    broker, life, cause = message.broker, message.life, message.cause
    if not engine.controller.up or not broker.up or broker.life != life:
        return
    registration = engine.quorum.registrations[broker.id]
    if registration.life == life:  # an answer that is late, or was lost
        engine.send(BrokerRegistrationAnswer(broker, life, registration.epoch), CONTROLLER, broker.id)
    if registration.life == life or not registration.fenced:
        _show_log(engine, broker)
        return
    seq = engine.journal.tell("broker_registered", None, broker.id, cause=cause, partition=None)
    epoch = len(engine.quorum.log)
    _record_registration(engine, broker.id, RegisteredBroker(epoch, fenced=True, life=life))
    for partition in engine.partitions:
        if not broker.stopped_cleanly and broker.id in (*partition.isr, *partition.elr):
            isr = _without(partition.isr, broker.id)
            made = _changed(engine, partition, isr, unclean_shutdown=(broker.id,))
            _write(engine, partition, made, seq)
    engine.send(BrokerRegistrationAnswer(broker, life, epoch), CONTROLLER, broker.id)
    _publish(engine)


def shut_down(engine: Engine, broker: Broker, cause: Seq) -> None:
    """A broker asks to be stopped: leaders move away from it, it leaves the in-sync sets, then it stops."""
    journal, here = engine.journal, broker.id
    asked = journal.tell("shutdown_requested", here, here, cause=cause, partition=None)
    journal.tell("controlled_shutdown_begun", here, here, cause=asked, partition=None)
    registration = engine.quorum.registrations[here]
    granted = engine.controller.up and registration.epoch == broker.epoch
    if granted:
        _record_registration(engine, here, replace(registration, leaving=True))
        _leave(engine, here, asked, Election.CONTROLLED)
    seq = journal.tell("controlled_shutdown_ended", here, here, cause=asked, partition=None, aux=int(granted))
    if granted:
        _fence(engine, here, seq)
        _publish(engine)
    engine.send(ShutdownAnswer(broker, broker.life, seq), CONTROLLER, here)


def appoint_by_hand(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    """Make a live member of the ISR the leader; None is the preferred one. Nothing if it may not or leads.

    The old leader stays in sync. Of another broker than the first of the assignment it is no preferred
    election: the assignment was ordered anew for it, and then back.
    """
    made = _changed(engine, partition, partition.isr, ask="preferred", first=broker)
    if engine.controller.up and made.election == Election.PREFERRED:
        kind = kind_of_named(partition.assigned, made.partition.leader)
        _write(engine, partition, replace(made, election=kind), cause)
        _publish(engine)


def appoint_uncleanly(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    """Make any live replica the leader, where no member of the ISR may lead; None is the first of them."""
    made = _changed(engine, partition, partition.isr, ask="unclean", first=broker)
    if engine.controller.up and made.election == Election.UNCLEAN:
        _write(engine, partition, made, cause)
        _publish(engine)


def was_down(engine: Engine, broker: Broker, since: int) -> None:
    """A broker that died `since` ns ago is fenced, or will be that much earlier."""
    left = engine.rules.session_timeout - since
    if left > 0:
        engine.after(left, BrokerSessionTimeout(broker.id, engine.quorum.heard[broker.id]))
    else:
        _record_registration(engine, broker.id, replace(engine.quorum.registrations[broker.id], fenced=True))


def reassign(engine: Engine, partition: Partition, cause: Seq) -> None:
    """The partition is to move to `target`: the new replicas read of it in the log, and begin to copy."""
    if engine.controller.up:
        _enter_assignment(engine, partition, cause, removes=False)


def complete(engine: Engine, partition: Partition, cause: Seq) -> None:
    """All of the new replicas are in sync: the others leave assignment and in-sync set, in one change."""
    gone = [one for one in partition.assigned if one not in partition.target]
    partition.assigned, partition.target = partition.target, ()
    left = tuple(one for one in partition.isr if one in partition.assigned)
    if partition.leader in partition.assigned:
        partition.isr = left
        _enter_assignment(engine, partition, cause, removes=True)
    else:
        _write(engine, partition, _changed(engine, partition, left), cause)
        _publish(engine)
    for broker in gone:
        engine.send(DeleteReplica(partition.replicas[broker], cause), CONTROLLER, broker)


def _enter_assignment(engine: Engine, partition: Partition, cause: Seq, *, removes: bool) -> None:
    """Write another assignment to the log. The leader stays."""
    partition.change(raises_epoch=raises_epoch(engine.rules.switches.controller, removes=removes))
    _enter(engine, partition, tell_change(engine, partition, None, cause))
    _publish(engine)


def configure(engine: Engine, min_isr: int, cause: Seq) -> None:
    """Set min.insync.replicas anew: eligible leader replicas are cleared with it (4.0, KIP-966)."""
    if not engine.controller.up:
        return
    engine.rules = replace(engine.rules, min_isr=min_isr)
    for partition in engine.partitions:
        known = Registration(
            partition.assigned, partition.isr, partition.leader, partition.elr, partition.last_leader
        )
        after = with_other_min_isr(engine.rules.switches.eligible_on_change, known)
        if after != known:
            partition.elr, partition.last_leader = broker_ids(after.elr), BrokerId(after.last_leader)
            _enter(engine, partition, _tell_eligible(engine, partition, cause))
    _publish(engine)


def fail_over(engine: Engine) -> None:
    """The active controller dies. Another voter, which holds the same log, takes over."""
    controller = engine.controller
    controller.up = False
    controller.deaths += 1
    engine.after(_TAKING_OVER, ControllerElected(controller.deaths))


def on_elected(engine: Engine, message: ControllerElected) -> None:
    """A new controller begins: every session begins anew, the log goes on."""
    controller = engine.controller
    if controller.deaths != message.deaths:
        return  # it died before it began
    controller.up = True
    controller.epoch += 1
    engine.journal.tell("controller_elected", None, None, cause=None, partition=None, epoch=controller.epoch)
    for broker, registration in engine.quorum.registrations.items():
        if not registration.fenced:
            _hear(engine, broker)


def on_alter_isr(engine: Engine, message: AlterPartition) -> None:
    """A leader asks for another in-sync set (KIP-497, KIP-841, KIP-903).

    Without a controller the request is repeated. It is refused if the leader does not know the latest state
    of the partition, or if one of the set may not be in it.
    """
    replica, leading, cause = message.replica, message.leading, message.cause
    proposed = leading.proposed
    if not replica.broker.up or replica.leading is not leading or proposed is None:
        return
    if not engine.controller.up:
        engine.after(engine.rules.fetch_backoff, message)
        return
    partition = replica.partition
    known = leading.partition_epoch == partition.partition_epoch and partition.leader == replica.id
    fits = may_grow(recovering=partition.recovering, recovered=True, members=len(proposed))
    if not known or not fits or not all(_may_be_in(engine, leading, member) for member in proposed):
        refused = AlterPartitionRefused if known else AlterPartitionOutdated
        engine.send(refused(replica, leading, cause), CONTROLLER, replica.id)
        return
    _write(engine, partition, _changed(engine, partition, proposed, ask="any", recovered=True), cause)
    answer = AlterPartitionAnswer(replica, leading, partition.state, cause)
    engine.send(answer, CONTROLLER, replica.id)
    _publish(engine)
    assignment.notice(engine, partition, cause)


def _may_be_in(engine: Engine, leading: Leading, member: BrokerId) -> bool:
    registration = engine.quorum.registrations[member]
    return is_eligible(
        engine.rules.switches.isr_eligible,
        fenced=registration.fenced,
        shutting_down=registration.leaving,
        registered_epoch=registration.epoch,
        fetched_epoch=leading.vouched[member],
    )


def write_isr(
    engine: Engine, replica: Replica, leading: Leading, isr: tuple[BrokerId, ...], cause: Seq
) -> None:
    """A leader changes the in-sync set without asking, as it did with ZooKeeper: the log takes it over."""
    partition = replica.partition
    if leading.partition_epoch != partition.partition_epoch:
        insync.reject(engine, replica, leading, isr, cause)
        return
    partition.isr = isr
    partition.change(raises_epoch=False)
    _enter(engine, partition, cause)
    insync.adopt(engine, replica, leading, isr, partition.partition_epoch, cause)
    _publish(engine)


def _nothing(*_: object) -> None:
    """Whether it hears a broker, this controller knows by the messages alone."""


KRAFT: Final = Control(
    begin=begin,
    come_up=observer.come_up,
    gone_down=observer.gone_down,
    silenced=_nothing,
    reconnected=_nothing,
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
    on_partition_altered=observer.on_isr_altered,
    on_alter_refused=observer.on_isr_rejected,
    on_elected=on_elected,
)
