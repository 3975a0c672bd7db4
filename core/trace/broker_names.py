"""What the nodes of a trace are called: brokers, and controllers that are no brokers.

A node's id stands in the columns `broker` and `replica`, whichever of the two it is. A node with both roles
(process.roles=broker,controller) is called a broker, as its lines about partitions call it.
"""

from collections.abc import Iterable
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from core.message import Message, Names, Value, message
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from core.words import Words, in_force, text

_OF_BROKERS: Final = tuple(NUMBER[kind] for kind in ("broker_registered", "broker_unfenced"))
"""Kinds of events that are about brokers alone: a controller registers as no broker, and is never fenced."""


def broker_value(trace: Trace, broker: int) -> Value:
    """A node within a sentence: its name in a simulation ("A"), else what it is and its id ("broker 1")."""
    return _name(trace, broker) or numbered_name(trace, broker)


def broker_text(trace: Trace, broker: int) -> str:
    """The text of `broker_value`: "A", "broker 1", "controller 100"."""
    value = broker_value(trace, broker)
    return text(value) if isinstance(value, Message) else str(value)


def brokers_value(trace: Trace, brokers: Iterable[int]) -> Value:
    """Nodes within a sentence; of one it is that node itself."""
    named = tuple(broker_value(trace, broker) for broker in brokers)
    return named[0] if len(named) == 1 else Names(named)


def numbered_name(trace: Trace, broker: int) -> Message:
    """What a node is, and its id, also where it has a name: "broker 1", "controller 100"."""
    if broker in _controllers(trace):
        return message("controller.number", number=broker)
    return message("broker.number", number=broker)


def full_name(trace: Trace, broker: int) -> Message:
    """What a node is, and its name, else its id: "broker A", "controller K", "broker 1"."""
    name = _name(trace, broker)
    if not name:
        return numbered_name(trace, broker)
    if name.lower().startswith("broker"):
        return message("broker.own-name", name=name)
    if broker in _controllers(trace):
        return message("controller.named", name=name)
    return message("broker.named", name=name)


def abridged(value: Value) -> Value:
    """What `broker_value` gives, for narrow columns: "b1" for "broker 1"; a name is as short already."""
    match value:
        case Message(id="broker.number", values=values):
            return Message("broker.abridged", values)
        case Message(id="controller.number", values=values):
            return Message("controller.abridged", values)
        case _:
            return value


def broker_name(trace: Trace, broker: int) -> str:
    """The text of `full_name`, as a lane has it: "broker A", "controller K", "broker 1"."""
    words, kept = in_force(), _TEXTS.get(trace)
    if kept is None:
        kept = _TEXTS[trace] = {}
    name = kept.get((broker, words))
    if name is None:
        name = kept[broker, words] = words(full_name(trace, broker))
    return name


def short_name(trace: Trace, broker: int) -> str:
    """The name or id alone: "A", "1"."""
    return _name(trace, broker) or str(broker)


def short_names(trace: Trace) -> dict[int, str]:
    """What `short_name` gives, for each node of a trace."""
    return {int(one.broker_id): short_name(trace, int(one.broker_id)) for one in trace.brokers}


def _name(trace: Trace, broker: int) -> str:
    """The name that a trace has for a node; "" where it has none but the id."""
    names = _NAMES.get(trace)
    if names is None:
        # Of two entries for one node the first one counts.
        found = {int(one.broker_id): one.name for one in reversed(trace.brokers) if _is_name(one.name)}
        names = _NAMES[trace] = found
    return names.get(broker, "")


def _is_name(name: str) -> bool:
    return bool(name) and not name.isdigit()


_NAMES: Final[WeakKeyDictionary[Trace, dict[int, str]]] = WeakKeyDictionary()
_CONTROLLERS: Final[WeakKeyDictionary[Trace, frozenset[int]]] = WeakKeyDictionary()
_TEXTS: Final[WeakKeyDictionary[Trace, dict[tuple[int, Words], str]]] = WeakKeyDictionary()
"""What was found for each trace that is still held: a picture asks for a name with every mark."""


def _controllers(trace: Trace) -> frozenset[int]:
    """The voters of the metadata quorum that are no brokers: no replica, no registration as a broker."""
    found = _CONTROLLERS.get(trace)
    if found is None:
        found = _CONTROLLERS[trace] = _find_controllers(trace)
    return found


def _find_controllers(trace: Trace) -> frozenset[int]:
    voters: set[int] = set()
    brokers: set[int] = set()
    for partition in trace.partitions:
        (voters if partition.tp.of_quorum else brokers).update(partition.replicas)
    alone = voters - brokers
    if alone:
        # A node with both roles may hold no replica of a topic's partitions.
        lives = np.isin(trace.columns["kind"], _OF_BROKERS)
        alone.difference_update(np.unique(trace.columns["replica"][lives]).tolist())
    return frozenset(alone)
