"""Brokers with releases, inter-broker protocols and message formats of their own, as in a rolling upgrade."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.kafka.eras import Era, era_named, with_switches
from core.kafka.protocols import (
    FORMAT,
    METADATA_VERSION,
    PROTOCOL,
    era_of_release,
    fetches_old_records,
    own_protocol,
    under_metadata_version,
    under_protocol,
    writes_old_records,
)
from core.kafka.releases import version_numbers
from core.sim.engine import Engine
from core.sim.script import BrokerPlan, Scenario
from core.sim.state import NONE_OLD, Broker, Replica, Rules, Stated
from core.trace.settings import of_broker, over_time, values_and_times, version_of

_OWN: Final = BrokerPlan()


def base_of(era: Era, release: str) -> Era:
    """The rules of a broker of a release in a run of an era, with the switches that were set by hand.

    The era's own for "", for a release that is newer, and for one with another kind of controller: a script
    runs in every era.
    """
    found, own = era_of_release(release), era_named(era.id)
    if found is None or version_numbers(found.id) >= version_numbers(own.id):
        return era
    if found.switches.controller != own.switches.controller:
        return era
    return with_switches(found, dict(era.overrides))


def metadata_version(scenario: Scenario, era: Era) -> str:
    """The metadata.version of a cluster with KRaft; "" where it is the era's own.

    A cluster that is being upgraded keeps that of its oldest release, until somebody raises it.
    """
    if era.switches.controller != "kraft":
        return ""
    plans = [scenario.plans.get(name, _OWN) for name in scenario.brokers]
    eras = [base_of(era, plan.release).id for plan in plans]
    oldest = scenario.metadata_version or min(eras, key=version_numbers)
    return "" if version_numbers(oldest) >= version_numbers(era.id) else oldest


def raise_metadata_version(engine: Engine, version: str) -> None:
    """From now on a cluster has that metadata.version, at most its era's own; with ZooKeeper there is none.

    Controllers and brokers go by it at once, as by min.insync.replicas.
    """
    version = min(version, engine.era.id, key=version_numbers)
    if not engine.metadata_versions or engine.metadata_versions[-1][1] == version:
        return
    engine.metadata_versions.append((engine.now, version))
    engine.rules = _raised(engine, engine.rules, version)
    engine.by_release = {one: _raised(engine, rules, version) for one, rules in engine.by_release.items()}
    voters = () if engine.voters is None else engine.voters.members.values()
    for node in (*engine.brokers.values(), *(one.replica.broker for one in voters)):
        node.rules = _raised(engine, node.rules, version)
        node.switches = node.rules.switches


def _raised(engine: Engine, rules: Rules, version: str) -> Rules:
    """The rules of a broker's release in a cluster of another metadata.version."""
    era = under_metadata_version(base_of(engine.era, rules.era.release), version)
    return replace(rules, era=era, switches=era.switches)


def set_up(engine: Engine, scenario: Scenario) -> None:
    """Give each broker the release, protocol and format that the script names for it."""
    if not scenario.has_own_releases:
        return
    engine.mixed = engine.rules.switches.controller == "zookeeper"
    plans = [(broker, scenario.plans.get(broker.name, _OWN)) for broker in engine.brokers.values()]
    for broker, plan in plans:
        broker.rules = engine.by_release.get(plan.release, engine.rules)
    for broker, plan in plans:
        adopt(engine, broker, plan)


def adopt(engine: Engine, broker: Broker, plan: BrokerPlan) -> None:
    """From now on a broker has that release, protocol and format.

    Without a protocol it talks by that of the oldest release that a broker has now. With KRaft protocol and
    format are ignored (KafkaConfig, 3.3.2). One that is newer than its release changes nothing: the
    switches hold as they are, flipped or not.
    """
    broker.rules = engine.by_release.get(plan.release, engine.rules)
    era = broker.rules.era
    if engine.rules.switches.controller != "zookeeper":
        broker.switches = broker.rules.switches
        broker.stated.append(Stated(engine.now, era, _OWN))
        return
    plan = replace(plan, protocol=plan.protocol or _of_oldest(engine, era))
    ignored = not plan.protocol and not writes_old_records(own_protocol(era), plan.message_format)
    message_format = "" if ignored else plan.message_format
    broker.switches = under_protocol(era, plan.protocol, message_format).switches
    broker.writes_old = writes_old_records(plan.protocol, message_format)
    broker.fetches_old = fetches_old_records(plan.protocol)
    broker.stated.append(Stated(engine.now, era, _of_release(era, plan)))


def _of_release(era: Era, plan: BrokerPlan) -> BrokerPlan:
    """What a broker of an era can state: nothing newer than its release."""
    newest = version_numbers(era.release)
    protocol, message_format = (
        own_protocol(era) if version_numbers(one) > newest else one
        for one in (plan.protocol, plan.message_format)
    )
    return replace(plan, protocol=protocol, message_format=message_format)


def _of_oldest(engine: Engine, era: Era) -> str:
    """The protocol of the oldest release that a broker has now; "" where that is the era."""
    eras = (broker.rules.era for broker in engine.brokers.values())
    oldest = min(eras, key=lambda one: version_numbers(one.id))
    return "" if oldest.id == era.id else own_protocol(oldest)


def in_old_format(replica: Replica, follower: Broker, first: int, end: int) -> frozenset[int]:
    """Which of the records at [first, end) a follower gets without their leader epoch."""
    if follower.fetches_old:
        return frozenset(range(first, end))
    return frozenset(offset for offset in replica.old_format if first <= offset < end) or NONE_OLD


def facts(engine: Engine) -> Mapping[str, str]:
    """What brokers state of what they run by, as facts of a trace; nothing where the era decides."""
    found: dict[str, str] = {}
    for broker in engine.brokers.values():
        releases = _changes([(one.at, one.era.release) for one in broker.stated])
        if len(releases) > 1:
            found[over_time(version_of(broker.id))] = values_and_times(releases)
        _state(found, of_broker(broker.id, METADATA_VERSION), engine.metadata_versions)
        if engine.rules.switches.controller != "zookeeper":
            continue
        for name, values in (
            (PROTOCOL, [(one.at, one.plan.protocol or own_protocol(one.era)) for one in broker.stated]),
            (FORMAT, [(one.at, _format_of(one)) for one in broker.stated]),
        ):
            _state(found, of_broker(broker.id, name), values)
    return found


def _state(found: dict[str, str], fact: str, values: Sequence[tuple[int, str]]) -> None:
    changes = _changes(values)
    if len(changes) > 1:
        found[over_time(fact)] = values_and_times(changes)
    elif changes:
        found[fact] = changes[0][1]


def _format_of(one: Stated) -> str:
    return one.plan.message_format or one.plan.protocol or own_protocol(one.era)


def _changes(values: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """The values without those that repeat the one before."""
    return [one for place, one in enumerate(values) if not place or one[1] != values[place - 1][1]]
