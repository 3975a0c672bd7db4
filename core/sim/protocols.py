"""Brokers with an inter-broker protocol and a message format of their own, as in a rolling upgrade."""

from collections.abc import Mapping
from typing import Final

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

    One that is newer than the era changes nothing.
    """
    if engine.rules.switches.controller != "zookeeper":
        return
    era = engine.rules.era
    if version_numbers(plan.protocol) > version_numbers(era.release):
        plan = ProtocolPlan(own_protocol(era), plan.message_format)
    if version_numbers(plan.message_format) > version_numbers(era.release):
        plan = ProtocolPlan(plan.protocol, own_protocol(era))
    broker.switches = under_protocol(era, plan.protocol, plan.message_format).switches
    broker.writes_old = writes_old_records(plan.protocol, plan.message_format)
    broker.fetches_old = fetches_old_records(plan.protocol)
    broker.stated.append((engine.now, plan))


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
