"""What brokers and people ask of a controller with a quorum: nothing is so before it is committed.

A decision of core/sim/quorum.py is one of the active controller. It writes records for it, and when a
majority holds them the decision is made, told and answered. A controller that a majority does not follow
decides, and nothing comes of it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from core.sim import observer, quorum
from core.sim.engine import Engine
from core.sim.messages.control import (
    AlterPartition,
    BrokerHeartbeat,
    BrokerRegistration,
    BrokerSessionTimeout,
    ControllerElected,
    Metadata,
    UnfenceRequest,
)
from core.sim.messages.quorum import ControllerAwaited
from core.sim.quorum import KRAFT
from core.sim.state import NOBODY, Broker, Leading, Partition, Replica
from core.sim.voters import processes
from core.sim.voters.begin import begin
from core.sim.voters.commits import append
from core.sim.voters.images import rehearse, voters_of
from core.sim.voters.names import names_of
from core.sim.voters.observers import observe
from core.sim.voters.roles import RETRY_AFTER
from core.sim.voters.state import Decision, Voter
from core.trace.ids import BrokerId, Seq


def decide(
    engine: Engine, voter: Voter, do: Callable[[], None], asked_by: AlterPartition | None = None
) -> None:
    """The active controller deals with something: at once where it writes nothing."""
    voters, leads = voters_of(engine), voter.leads
    image = None if leads is None else leads.image
    if leads is None or image is None:
        return
    before = len(image.log)
    would = rehearse(engine, voter, image, do)
    if would.entries:
        names = names_of(engine, would.entries, before, (voter.epoch, voter.replica.leo))
        append(engine, voter, leads, names, Decision(do, asked_by))
        return
    voters.acting = voter.id
    for message, source, target in would.sends:
        shown = message
        if isinstance(message, Metadata):
            shown = replace(message, end=min(message.end, voters.entries_at(voter.replica.hw)))
        engine.send(shown, source, target)
    voters.acting = NOBODY
    for at, _, awaited, timer, target in would.timers:
        engine.push(at, timer, awaited=awaited, target=target)


def receive(
    engine: Engine,
    voter: Voter,
    message: AlterPartition | BrokerHeartbeat | BrokerRegistration | UnfenceRequest,
) -> None:
    """A broker's request arrives at a controller. One that is not the active one refuses it."""
    if not voter.up or not voter.active:
        if isinstance(message, AlterPartition):
            engine.after(RETRY_AFTER, ControllerAwaited(message))
    elif isinstance(message, AlterPartition):
        decide(engine, voter, partial(quorum.on_alter_isr, engine, message), message)
    elif isinstance(message, BrokerRegistration):
        decide(engine, voter, partial(quorum.on_register, engine, message))
    else:
        decide(engine, voter, partial(quorum.on_heartbeat, engine, message))


def on_controller_awaited(engine: Engine, message: ControllerAwaited) -> None:
    """The leader of a partition asks again, if it still waits for an answer."""
    request = message.request
    waits = request.replica.broker.up and request.replica.leading is request.leading
    if waits and request.leading.proposed is not None:
        engine.send(request, request.replica.id, 0)


def on_session_expired(engine: Engine, message: BrokerSessionTimeout) -> None:
    """A controller has not heard of a broker for the whole timeout. There may be two of them."""
    for voter in voters_of(engine).members.values():
        if voter.up and voter.active and voter.heard.get(message.broker) == message.heard:
            decide(engine, voter, partial(quorum.expire, engine, message.broker))


def _active(engine: Engine) -> Voter | None:
    """The active controller of the latest epoch: whom people find."""
    active = [one for one in voters_of(engine).members.values() if one.up and one.active]
    return max(active, key=_epoch, default=None)


def _epoch(voter: Voter) -> int:
    return voter.epoch


def _ask(engine: Engine, do: Callable[[], None]) -> None:
    """Someone asks the active controller; without one it is as it is without a controller."""
    voter = _active(engine)
    if voter is not None:
        decide(engine, voter, do)
        return
    engine.controller.up = False
    do()
    engine.controller.up = True


def _come_up(engine: Engine, broker: Broker, starting: Seq) -> None:
    observe(engine, broker)
    observer.come_up(engine, broker, starting)


def _shut_down(engine: Engine, broker: Broker, cause: Seq) -> None:
    _ask(engine, partial(quorum.shut_down, engine, broker, cause))


def _appoint(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    _ask(engine, partial(quorum.appoint_by_hand, engine, partition, broker, cause))


def _appoint_uncleanly(engine: Engine, partition: Partition, broker: BrokerId | None, cause: Seq) -> None:
    _ask(engine, partial(quorum.appoint_uncleanly, engine, partition, broker, cause))


def _was_down(engine: Engine, broker: Broker, since: int) -> None:
    _ask(engine, partial(quorum.was_down, engine, broker, since))


def _reassign(engine: Engine, partition: Partition, cause: Seq) -> None:
    _ask(engine, partial(quorum.reassign, engine, partition, cause))


def _complete(engine: Engine, partition: Partition, cause: Seq) -> None:
    _ask(engine, partial(quorum.complete, engine, partition, cause))


def _configure(engine: Engine, min_isr: int, cause: Seq) -> None:
    _ask(engine, partial(quorum.configure, engine, min_isr, cause))


def _write_isr(
    engine: Engine, replica: Replica, leading: Leading, isr: tuple[BrokerId, ...], cause: Seq
) -> None:
    """As with ZooKeeper nobody is asked, and nobody waits for the quorum (the switch isr-change)."""
    voters, voter = voters_of(engine), _active(engine)
    voters.acting = NOBODY if voter is None else voter.id
    quorum.write_isr(engine, replica, leading, isr, cause)
    voters.acting = NOBODY


def _fail_over(engine: Engine) -> None:
    """The active controller dies; the others elect one of themselves."""
    voter = _active(engine)
    if voter is not None:
        processes.crash(engine, voter, None)


def _on_elected(_: Engine, __: ControllerElected) -> None:
    """Who is the controller, the voters decide."""


WITH_QUORUM: Final = replace(
    KRAFT,
    begin=begin,
    come_up=_come_up,
    shut_down=_shut_down,
    appoint=_appoint,
    appoint_uncleanly=_appoint_uncleanly,
    was_down=_was_down,
    reassign=_reassign,
    complete_reassignment=_complete,
    configure=_configure,
    fail_over=_fail_over,
    write_isr=_write_isr,
    on_elected=_on_elected,
)
