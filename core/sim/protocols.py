"""Brokers with an inter-broker protocol and a message format of their own, as in a rolling upgrade."""

from collections.abc import Mapping
from typing import Final

from core.kafka.eras import Era
from core.kafka.protocols import (
    FORMAT,
    PROTOCOL,
    fetches_old_records,
    own_protocol,
    under_protocol,
    writes_old_records,
)
from core.kafka.releases import version_numbers
from core.sim.engine import Engine
from core.sim.script import ProtocolPlan, Scenario
from core.sim.state import NONE_OLD, Broker, Replica
from core.trace.settings import of_broker, over_time, values_and_times

_OWN: Final = ProtocolPlan()


def set_up(engine: Engine, scenario: Scenario) -> None:
    """Give each broker the protocol and format that the script names for it."""
    if scenario.protocols:
        engine.mixed = engine.rules.switches.controller == "zookeeper"
        for broker in engine.brokers.values():
            adopt(engine, broker, scenario.protocols.get(broker.name, _OWN))


def adopt(engine: Engine, broker: Broker, plan: ProtocolPlan) -> None:
    """From now on a broker has that protocol and format. With KRaft both are ignored (KafkaConfig, 3.3.2).

    One that is newer than the era changes nothing: the switches hold as they are, flipped or not.
    """
    if engine.rules.switches.controller != "zookeeper":
        return
    era = engine.rules.era
    broker.switches = under_protocol(era, plan.protocol, plan.message_format).switches
    broker.writes_old = writes_old_records(plan.protocol, plan.message_format)
    broker.fetches_old = fetches_old_records(plan.protocol)
    broker.stated.append((engine.now, _of_release(era, plan)))


def _of_release(era: Era, plan: ProtocolPlan) -> ProtocolPlan:
    """What a broker of an era can state: nothing newer than its release."""
    newest = version_numbers(era.release)
    protocol, message_format = (
        own_protocol(era) if version_numbers(one) > newest else one
        for one in (plan.protocol, plan.message_format)
    )
    return ProtocolPlan(protocol, message_format)


def in_old_format(replica: Replica, follower: Broker, first: int, end: int) -> frozenset[int]:
    """Which of the records at [first, end) a follower gets without their leader epoch."""
    if follower.fetches_old:
        return frozenset(range(first, end))
    return frozenset(offset for offset in replica.old_format if first <= offset < end) or NONE_OLD


def facts(engine: Engine) -> Mapping[str, str]:
    """What brokers state of protocol and format, as facts of a trace; nothing where the era alone decides."""
    found: dict[str, str] = {}
    for broker in engine.brokers.values():
        for name, values in (
            (PROTOCOL, [(at, plan.protocol) for at, plan in broker.stated]),
            (FORMAT, [(at, plan.message_format or plan.protocol) for at, plan in broker.stated]),
        ):
            changes = [
                (at, value or own_protocol(engine.rules.era))
                for place, (at, value) in enumerate(values)
                if not place or value != values[place - 1][1]
            ]
            fact = of_broker(broker.id, name)
            if len(changes) > 1:
                found[over_time(fact)] = values_and_times(changes)
            elif changes:
                found[fact] = changes[0][1]
    return found
