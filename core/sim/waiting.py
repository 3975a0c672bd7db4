"""Whether what a step waits for holds: a state of the engine, or an event that was seen since it began."""

from collections.abc import Callable, Mapping
from typing import Final

from core.sim.conditions import BROKER_LEVEL, EVENTS, OF_QUORUM
from core.sim.engine import Engine
from core.sim.journal import Watch
from core.sim.script import Condition, Scenario
from core.sim.state import NOBODY, Broker, Replica
from core.trace.ids import BrokerId

_OF_BROKER: Final[Mapping[str, Callable[[Broker], bool]]] = {
    "registered": lambda broker: broker.registered,
    "not_registered": lambda broker: not broker.registered,
    "down": lambda broker: not broker.up,
}


def _remembers(replica: Replica, number: int, other: BrokerId) -> bool:
    remote = None if replica.leading is None else replica.leading.remotes.get(other)
    return remote is not None and remote.leo is not None and remote.leo >= number


_OF_REPLICA: Final[Mapping[str, Callable[[Replica, int, BrokerId], bool]]] = {
    "appended": lambda replica, number, _: replica.leo > number,
    "leo": lambda replica, number, _: replica.leo >= number,
    "hw": lambda replica, number, _: replica.hw >= number,
    "checkpointed": lambda replica, number, _: replica.checkpointed >= number,
    "remembers": _remembers,
    "leads": lambda replica, _number, _other: replica.role == "leader",
    "follows": lambda replica, _, other: replica.role == "follower" and replica.leader == other,
    "in_epoch": lambda replica, number, _: replica.leader_epoch >= number,
}
"""Asked of a replica, with the number of the condition and the id of its other broker."""


def watch(engine: Engine, scenario: Scenario, until: Condition | None) -> None:
    """A step begins: from now on the journal looks for the event that it waits for, if it is one."""
    engine.journal.watch = None
    if until is not None and until.kind in EVENTS:
        engine.journal.watch = Watch(
            EVENTS[until.kind],
            broker=scenario.broker_id(until.broker) if until.broker else None,
            replica=scenario.broker_id(until.other) if until.other else None,
            partition=None if until.kind in BROKER_LEVEL else until.partition,
            offset=until.number,
        )


def holds(engine: Engine, scenario: Scenario, until: Condition | None) -> bool:
    """Whether the condition of the step holds now; without one, whether no message is under way."""
    if until is None or until.kind == "quiet":
        return engine.under_way == 0
    voters = engine.voters
    if until.kind in OF_QUORUM and voters is None:
        return True
    if engine.journal.watch is not None:
        return engine.journal.watch.seen
    if until.kind == "leads_quorum" and voters is not None:
        return voters.members[scenario.broker_id(until.broker)].active
    if until.kind in _OF_BROKER:
        return _OF_BROKER[until.kind](engine.brokers[scenario.broker_id(until.broker)])
    partition = engine.partitions[until.partition]
    if until.kind == "nobody_leads":
        return partition.leader == NOBODY
    broker = scenario.broker_id(until.broker)
    if until.kind in ("in_isr", "not_in_isr"):
        return (broker in partition.isr) == (until.kind == "in_isr")
    replica = partition.replicas.get(broker)
    other = scenario.broker_id(until.other) if until.other else NOBODY
    return replica is not None and _OF_REPLICA[until.kind](replica, until.number or 0, other)
