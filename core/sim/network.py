"""Ways that are cut or slow, and processes that are paused: how messages and timers fare then.

A cut loses packets in one direction. TCP sends them again, so what was sent arrives when the way is healed,
in order; unless its sender has given it up first (`request.timeout.ms`, 30 s), closed the connection and
tries anew. The controller does not give up what it tells a broker. A new connection needs both directions.

A paused process (SIGSTOP, a long collection of garbage) keeps its sockets: what is sent to it waits there,
its timers are late, and nothing of it is heard. Requests that wait too long for it are given up likewise.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from core.sim.controller import CONTROLLER
from core.sim.follower import give_up
from core.sim.state import (
    BACKGROUND,
    CLIENTS,
    NOBODY,
    Broker,
    Engine,
    Fetcher,
    FetchRequest,
    Leading,
    Replica,
    Waiting,
    Way,
)

_OF_CLIENTS: Final = frozenset({"produce", "produce-answered", "sequence-refused", "delete-records"})
"""Messages from or to clients that name none. Where an end of a message is below 0 it is a client too."""
_ELSEWHERE: Final = frozenset({"session-expired", "silent-too-long"})
"""Timers about a broker that run elsewhere."""


def disconnect(engine: Engine, way: Way) -> None:
    """From now on nothing that is sent one way arrives."""
    engine.world.cut.setdefault(way, [])
    engine.odd = True
    if way[1] == CONTROLLER and way[0] in engine.brokers and way[0] not in engine.world.paused:
        engine.do("silenced", engine.brokers[way[0]])


def heal(engine: Engine, way: Way, cause: int) -> None:
    """A way works as usual again. What was sent and not given up arrives now."""
    world = engine.world
    waiting = world.cut.pop(way, None)
    world.slow.pop(way, None)
    for one in waiting or ():
        _push(engine, engine.now + engine.limits.latency_ns, one)
    engine.odd = world.odd
    if waiting is not None and way[1] == CONTROLLER and way[0] not in world.paused:
        engine.do("heard-again", engine.brokers[way[0]], cause)


def slow_down(engine: Engine, way: Way, latency: int) -> None:
    """From now on a message takes `latency` ns one way."""
    engine.world.slow[way] = latency
    engine.world.latest.setdefault(way, engine.now)
    engine.odd = True


def freeze(engine: Engine, broker: Broker, cause: int) -> None:
    """Pause the process of a broker."""
    if not broker.up or broker.id in engine.world.paused:
        return
    engine.journal.tell("broker_frozen", broker.id, broker.id, cause=cause, partition=None)
    engine.world.paused[broker.id] = []
    engine.odd = True
    if (broker.id, CONTROLLER) not in engine.world.cut:
        engine.do("silenced", broker)


def thaw(engine: Engine, broker: Broker, cause: int) -> None:
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
        engine.do("heard-again", broker, seq)


def forget(engine: Engine, broker: Broker) -> None:
    """The process of a broker has ended, paused or not: what waited at it is gone."""
    engine.world.paused.pop(broker.id, None)
    engine.odd = engine.world.odd


def send_over(engine: Engine, kind: str, source: int, target: int, args: tuple[Any, ...]) -> None:
    """Send a message while not all is as usual."""
    world = engine.world
    way = _way(kind, source, target)
    waiting = world.cut.get(way)
    if waiting is not None:
        waiting.append(_wait(engine, Waiting(kind, args, target)))
        return
    at = engine.now + world.slow.get(way, engine.limits.latency_ns) + engine.luck(kind, source, target)
    if way in world.latest:
        at = world.latest[way] = max(at, world.latest[way])
    _push(engine, at, Waiting(kind, args, target))


def deliver(engine: Engine, kind: str, args: tuple[Any, ...], target: int) -> None:
    """A message or a timer is due while not all is as usual."""
    waiting = engine.world.paused.get(_place(kind, args, target))
    if waiting is None:
        engine.do(kind, *args)
    else:
        waiting.append(_wait(engine, Waiting(kind, args, target)))


def _push(engine: Engine, at: int, one: Waiting) -> None:
    """A step waits for messages, but not for timers, nor for what goes to and fro all the time."""
    message = one.target != NOBODY and one.kind not in BACKGROUND
    engine.push(at, one.kind, one.args, message=message, target=one.target)


def _way(kind: str, source: int, target: int) -> Way:
    if kind in _OF_CLIENTS:
        return (source if source > 0 else CLIENTS), (target if target > 0 else CLIENTS)
    return max(source, CLIENTS), max(target, CLIENTS)


def _place(kind: str, args: tuple[Any, ...], target: int) -> int:
    """The broker at which an item of the heap is dealt with, or NOBODY."""
    if target != NOBODY or kind in _ELSEWHERE or not args:
        return target
    about = args[0]
    if isinstance(about, Broker | Replica):
        return about.id
    return about.leader if isinstance(about, FetchRequest) else NOBODY


def _wait(engine: Engine, waiting: Waiting) -> Waiting:
    """Its sender gives it up in the end, if it is of a kind that is."""
    if waiting.kind in _GIVEN_UP:
        engine.after(engine.rules.request_timeout, "given-up", waiting)
    return waiting


def on_given_up(engine: Engine, waiting: Waiting) -> None:
    """Who waits for an answer to a message, or to what it answers, waits no longer."""
    for held in (*engine.world.cut.values(), *engine.world.paused.values()):
        if any(one is waiting for one in held):
            held[:] = [one for one in held if one is not waiting]
            _GIVEN_UP[waiting.kind](engine, *waiting.args)
            return


def _request(engine: Engine, request: FetchRequest, *_: object) -> None:
    fetcher = request.follower.fetcher
    if fetcher is not None and fetcher.token == request.token:
        give_up(engine, request.follower, fetcher)


def _end_asked(engine: Engine, follower: Replica, fetcher: Fetcher, *_: object) -> None:
    if follower.fetcher is fetcher:
        give_up(engine, follower, fetcher)


def _produce(engine: Engine, replica: Replica, *_: object) -> None:
    engine.journal.tell("produce_failed", None, None, partition=replica.partition.index, cause=None, aux=None)


def _alter_isr(engine: Engine, replica: Replica, leading: Leading, cause: int) -> None:
    if replica.broker.up and replica.leading is leading and leading.proposed is not None:
        engine.send("alter-isr", replica.id, CONTROLLER, replica, leading, cause)


def _register(engine: Engine, broker: Broker, life: int, cause: int) -> None:
    if broker.up and broker.life == life:
        engine.send("registered", broker.id, CONTROLLER, broker, life, cause)


GiveUp: TypeAlias = Callable[..., None]
_GIVEN_UP: Final[Mapping[str, GiveUp]] = {
    **dict.fromkeys(("fetch", "ask-epoch-end", "answer", "refused", "diverged", "not-leader"), _request),
    **dict.fromkeys(("epoch-end", "epoch-end-refused"), _request),
    **dict.fromkeys(("list-offsets", "leader-end"), _end_asked),
    "produce": _produce,
    "alter-isr": _alter_isr,
    "registered": _register,
}
"""What becomes of a message that was not delivered in time."""
