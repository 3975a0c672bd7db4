"""What a controller holds in memory: put into the place of what is committed, to see what it would decide."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.sim.engine import Engine, Item, Network
from core.sim.journal import Journal
from core.sim.messages.kinds import Message, Sent
from core.sim.state import BrokerEntry, PartitionEntry
from core.sim.voters.state import Entries, Image, Voter, Voters

HELD: Final = (
    "leader", "epoch", "isr", "partition_epoch", "elr", "last_leader", "recovering", "assigned", "target",
)  # fmt: skip
"""What a controller holds in memory of a partition: fields of core/sim/state.py, Partition."""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What a controller would write, send and set timers for."""

    entries: tuple[BrokerEntry | PartitionEntry, ...]
    sends: tuple[tuple[Sent, int, int], ...]
    """(message, source, target)."""
    timers: tuple[Item, ...]


def voters_of(engine: Engine) -> Voters:
    """The quorum of the run. Raises LookupError for a run without one."""
    if engine.voters is None:
        raise LookupError("no quorum is simulated")
    return engine.voters


def take(engine: Engine, log: Entries | None = None) -> Image:
    """What the controller holds now; with a copy of the log that is committed, or with `log`."""
    return Image(
        list(engine.quorum.log) if log is None else log,
        dict(engine.quorum.registrations),
        {broker.id: broker.registered for broker in engine.brokers.values()},
        tuple(tuple(getattr(one, name) for name in HELD) for one in engine.partitions),
        engine.rules,
    )


def _put(engine: Engine, image: Image) -> None:
    engine.quorum.log, engine.quorum.registrations = image.log, dict(image.registrations)
    engine.rules = image.rules
    for broker in engine.brokers.values():
        broker.registered = image.registered[broker.id]
    for one, held in zip(engine.partitions, image.partitions, strict=True):
        for name, value in zip(HELD, held, strict=True):
            setattr(one, name, value)


def rehearse(engine: Engine, voter: Voter, image: Image, do: Callable[[], None]) -> Rehearsed:
    """What the active controller would make of something, by what it holds in memory, which goes on with it.

    Nothing of it is told, sent or applied.
    """
    committed = take(engine, engine.quorum.log)
    kept = engine.journal, engine.heap, engine.network, engine.held, engine.under_way
    sends: list[tuple[Sent, int, int]] = []

    def note(_: Engine, message: Sent, source: int, target: int) -> None:
        sends.append((message, source, target))

    engine.journal, engine.heap, engine.held = Journal(now=engine.now), [], {}
    engine.network = Network(note, _deliver_nothing)
    _put(engine, image)
    engine.quorum.heard = voter.heard
    before = len(image.log)
    do()
    entries, timers = tuple(image.log[before:]), tuple(sorted(engine.heap, key=_when))
    after = take(engine, image.log)
    image.registrations, image.registered = after.registrations, after.registered
    image.partitions, image.rules = after.partitions, after.rules
    _put(engine, committed)
    engine.journal, engine.heap, engine.network, engine.held, engine.under_way = kept
    return Rehearsed(entries, tuple(sends), timers)


def _deliver_nothing(_: Engine, __: Message, ___: int) -> None:
    """Nothing arrives meanwhile."""


def _when(item: Item) -> tuple[int, int]:
    return item[0], item[1]
