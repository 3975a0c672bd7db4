"""Ways that are cut or slow, and processes that are paused: how messages and timers fare then.

A cut loses packets in one direction. TCP sends them again, so what was sent arrives when the way is healed,
in order; unless its sender has given it up first (`request.timeout.ms`, 30 s), closed the connection and
tries anew. The controller does not give up what it tells a broker. A new connection needs both directions.

A paused process (SIGSTOP, a long collection of garbage) keeps its sockets: what is sent to it waits there,
its timers are late, and nothing of it is heard. Requests that wait too long for it are given up likewise.
"""

from typing import TypeAlias

from core.sim.controller import CONTROLLER
from core.sim.engine import Engine
from core.sim.follower import give_up
from core.sim.messages import clients, control, replication
from core.sim.messages.kinds import (
    BrokerExit,
    CheckpointDue,
    EpochFileFlushDue,
    GivenUp,
    IsrCheckDue,
    Message,
    Sent,
    Waiting,
)
from core.sim.state import CLIENTS, NOBODY, Broker, Way
from core.trace.ids import Seq

_AtReplica: TypeAlias = (
    replication.FetchWaitOver
    | replication.FetchBackoffOver
    | replication.IsrAdopted
    | clients.ConsumerFetchWaitOver
    | clients.AcksTimeout
    | control.LeaderAndIsr
    | control.AlterPartition
    | EpochFileFlushDue
)
_AtBroker: TypeAlias = (
    CheckpointDue
    | IsrCheckDue
    | BrokerExit
    | control.BrokerHeartbeatDue
    | control.BrokerRegistrationDue
    | control.MetadataRead
    | control.Metadata
    | control.ZooKeeperReconnected
)
"""What a broker deals with by itself. The sessions of brokers end elsewhere."""
_Expected: TypeAlias = (
    replication.SentOnReplication | clients.Produce | control.AlterPartition | control.BrokerRegistered
)
"""The messages whose senders wait for an answer, and the answers to them."""


def disconnect(engine: Engine, way: Way) -> None:
    """From now on nothing that is sent one way arrives."""
    engine.world.cut.setdefault(way, [])
    engine.odd = True
    if way[1] == CONTROLLER and way[0] in engine.brokers and way[0] not in engine.world.paused:
        engine.control.silenced(engine, engine.brokers[way[0]])


def heal(engine: Engine, way: Way, cause: Seq) -> None:
    """A way works as usual again. What was sent and not given up arrives now."""
    world = engine.world
    waiting = world.cut.pop(way, None)
    world.slow.pop(way, None)
    for one in waiting or ():
        _push(engine, engine.now + engine.limits.latency_ns, one)
    engine.odd = world.odd
    if waiting is not None and way[1] == CONTROLLER and way[0] not in world.paused:
        engine.control.reconnected(engine, engine.brokers[way[0]], cause)


def slow_down(engine: Engine, way: Way, latency: int) -> None:
    """From now on a message takes `latency` ns one way."""
    engine.world.slow[way] = latency
    engine.world.latest.setdefault(way, engine.now)
    engine.odd = True


def freeze(engine: Engine, broker: Broker, cause: Seq) -> None:
    """Pause the process of a broker."""
    if not broker.up or broker.id in engine.world.paused:
        return
    engine.journal.tell("broker_frozen", broker.id, broker.id, cause=cause, partition=None)
    engine.world.paused[broker.id] = []
    engine.odd = True
    if (broker.id, CONTROLLER) not in engine.world.cut:
        engine.control.silenced(engine, broker)


def thaw(engine: Engine, broker: Broker, cause: Seq) -> None:
    """The process goes on: late timers fire and waiting messages are read, in the order of their times."""
    world = engine.world
    waiting = world.paused.pop(broker.id, None)
    if waiting is None:
        return
    seq = engine.journal.tell("broker_thawed", broker.id, broker.id, cause=cause, partition=None)
    for one in waiting:
        _push(engine, engine.now, one)
    engine.odd = world.odd
    if (broker.id, CONTROLLER) not in world.cut:
        engine.control.reconnected(engine, broker, seq)


def forget(engine: Engine, broker: Broker) -> None:
    """The process of a broker has ended, paused or not: what waited at it is gone."""
    engine.world.paused.pop(broker.id, None)
    engine.odd = engine.world.odd


def send_over(engine: Engine, message: Sent, source: int, target: int) -> None:
    """Send a message while not all is as usual."""
    world = engine.world
    way = _way(message, source, target)
    waiting = world.cut.get(way)
    if waiting is not None:
        waiting.append(_wait(engine, Waiting(message, target)))
        return
    at = engine.now + world.slow.get(way, engine.limits.latency_ns) + engine.luck(message, source, target)
    if way in world.latest:
        at = world.latest[way] = max(at, world.latest[way])
    _push(engine, at, Waiting(message, target))


def deliver(engine: Engine, message: Message, target: int) -> None:
    """A message or a timer is due while not all is as usual."""
    waiting = engine.world.paused.get(_place(message, target))
    if waiting is None:
        engine.handlers[type(message)](engine, message)
    else:
        waiting.append(_wait(engine, Waiting(message, target)))


def _push(engine: Engine, at: int, one: Waiting) -> None:
    """A step waits for messages, but not for timers, nor for what goes to and fro all the time."""
    awaited = one.target != NOBODY and not isinstance(one.message, control.Background)
    engine.push(at, one.message, awaited=awaited, target=one.target)


def _way(message: Sent, source: int, target: int) -> Way:
    """A client is the end that is below 0, or 0 where a message names no client."""
    if isinstance(message, clients.NamesNoClient):
        return (source if source > 0 else CLIENTS), (target if target > 0 else CLIENTS)
    return max(source, CLIENTS), max(target, CLIENTS)


def _place(message: Message, target: int) -> int:
    """The broker at which an item of the heap is dealt with, or NOBODY.

    A message that a broker sends to itself later has no target, as a timer has none.
    """
    if target != NOBODY:
        return target
    if isinstance(message, _AtReplica):
        return message.replica.id
    if isinstance(message, _AtBroker):
        return message.broker.id
    return message.request.leader if isinstance(message, replication.FetchDelayed) else NOBODY


def _wait(engine: Engine, waiting: Waiting) -> Waiting:
    """Its sender gives it up in the end, if it is of a kind that is."""
    if isinstance(waiting.message, _Expected):
        engine.after(engine.rules.request_timeout, GivenUp(waiting))
    return waiting


def on_given_up(engine: Engine, message: GivenUp) -> None:
    """Who waits for an answer to a message, or to what it answers, waits no longer."""
    waiting = message.waiting
    for held in (*engine.world.cut.values(), *engine.world.paused.values()):
        if any(one is waiting for one in held):
            held[:] = [one for one in held if one is not waiting]
            if isinstance(waiting.message, _Expected):
                _give_up(engine, waiting.message)
            return


def _give_up(engine: Engine, message: _Expected) -> None:
    """What becomes of a message that was not delivered in time."""
    match message:
        case clients.Produce():
            index = message.replica.partition.index
            engine.journal.tell("produce_failed", None, None, partition=index, cause=None, aux=None)
        case control.AlterPartition():
            if (
                message.replica.broker.up
                and message.replica.leading is message.leading
                and message.leading.proposed is not None
            ):
                engine.send(message, message.replica.id, CONTROLLER)
        case control.BrokerRegistered():
            if message.broker.up and message.broker.life == message.life:
                engine.send(message, message.broker.id, CONTROLLER)
        case (
            replication.ListOffsets()
            | replication.ListOffsetsAnswer()
            | replication.ListLocalStart()
            | replication.ListLocalStartAnswer()
        ):
            if message.follower.fetcher is message.fetcher:
                give_up(engine, message.follower, message.fetcher)
        case _:
            fetcher = message.request.follower.fetcher
            if fetcher is not None and fetcher.token == message.request.token:
                give_up(engine, message.request.follower, fetcher)
