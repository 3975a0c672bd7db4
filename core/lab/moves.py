"""Reassignments: to which brokers a partition was moved, as the logs of these show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.history.state import History
from core.trace.trace import Event
from core.trace.units import SECOND_NS

_OF_A_LOG: Final = frozenset({"log_created", "log_loaded", "log_deleted"})
_MADE_WITHIN: Final = 2 * SECOND_NS
"""So soon after a topic is made all of its brokers have their logs."""
_ENDS: Final = frozenset({"broker_crashed", "broker_stopped", "broker_exited"})


@dataclass(frozen=True, slots=True)
class Move:
    """The partition moves at a time, in ns, from brokers to others, the preferred one first."""

    at: int
    before: tuple[int, ...]
    brokers: tuple[int, ...]
    seq: int


def moves_of(history: History, events: Sequence[Event]) -> tuple[Move, ...]:
    """The reassignments of a partition, in order; `events` are its own and those of processes.

    A broker that ran all the while and makes a log of a partition that exists has been assigned; one that
    deletes its log while others keep theirs is assigned no more.
    """
    found: list[Move] = []
    assigned = list(_first_holders(history, events))
    for event in events:
        broker = event.get("replica")
        if broker is None:
            continue
        before = tuple(assigned)
        if event.kind == "log_created" and broker not in assigned and _joins(history, events, event):
            assigned.append(broker)
        elif event.kind == "log_deleted" and broker in assigned and _others_stay(history, events, broker):
            assigned.remove(broker)
        else:
            continue
        leader = history.leader.at(int(event.seq))
        order = sorted(assigned, key=lambda one: one != leader)
        if found and event.kind == "log_deleted":
            # Who is new copied the log first: it is the same move.
            found[-1] = replace(found[-1], brokers=tuple(order))
        else:
            found.append(Move(event.at, before, tuple(order), int(event.seq)))
    return tuple(found)


def _first_holders(history: History, events: Sequence[Event]) -> Iterator[int]:
    """The brokers that hold the partition before any move, who led first before the others."""
    led = next((one.get("replica") for one in events if one.kind == "became_leader"), None)
    stated = history.trace.partitions[history.partition].replicas
    every = sorted(history.replicas, key=lambda one: stated.index(one) if one in stated else len(stated))
    for broker in sorted(every, key=lambda one: one != led):
        own = (one for one in events if one.kind in _OF_A_LOG and one.get("replica") == broker)
        first = next(own, None)
        if first is None or first.kind != "log_created" or not _joins(history, events, first):
            yield broker


def _joins(history: History, events: Sequence[Event], created: Event) -> bool:
    """Whether a broker that makes its log ran all the while that others had led the partition without it."""
    broker = created.values["replica"]
    led = next((one for one in events if one.kind == "became_leader"), None)
    if led is None or created.at - led.at < _MADE_WITHIN or led.get("replica") == broker:
        return False
    if broker in (history.isr.at(int(created.seq)) or ()):
        return False
    own = (one for one in events if led.seq < one.seq < created.seq and one.get("replica") == broker)
    return not any(one.kind == "broker_starting" or one.kind in _ENDS for one in own)


def _others_stay(history: History, events: Sequence[Event], broker: int) -> bool:
    """Whether another replica keeps its log: else the topic was deleted."""
    deleted = {one.get("replica") for one in events if one.kind == "log_deleted"}
    return bool(set(history.replicas) - deleted - {broker})
