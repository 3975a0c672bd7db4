"""Runs a scenario against the rules of an era."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from core.kafka.eras import Era
from core.kafka.protocols import under_metadata_version
from core.kafka.switches import ControllerKind
from core.message import message
from core.sim import network, protocols, steps
from core.sim.begin import set_up
from core.sim.chance import Chance
from core.sim.engine import Control, Engine, Handlers, Network
from core.sim.handlers import HANDLERS
from core.sim.handlers import WITH_QUORUM as HANDLERS_WITH_QUORUM
from core.sim.journal import Journal
from core.sim.messages.kinds import Message
from core.sim.quorum import KRAFT
from core.sim.script import Scenario
from core.sim.script_quorum import QuorumPlan
from core.sim.state import Broker, Partition, Replica, Rules
from core.sim.step_words import label_of
from core.sim.truth import FACT, Truth, truth_of
from core.sim.voters import ways
from core.sim.voters.requests import WITH_QUORUM
from core.sim.voters.state import Voter, Voters
from core.sim.zookeeper import ZOOKEEPER
from core.trace.ids import METADATA_TOPIC, BrokerId, Nanos, TopicPartition
from core.trace.trace import Broker as TraceBroker
from core.trace.trace import KeptLine, Origin, Source, Trace
from core.trace.trace import Partition as TracePartition
from core.trace.units import MILLISECOND_NS
from core.work import QUIET, Work

_CONTROLLERS: Final[Mapping[ControllerKind, Control]] = {"zookeeper": ZOOKEEPER, "kraft": KRAFT}

Look: TypeAlias = Callable[[Engine, Message | None], None]
"""Is shown the engine before each message or timer (None), and after it. It changes nothing."""


@dataclass(frozen=True, slots=True)
class Played:
    """A run: what appears of it, and beside it what is true."""

    trace: Trace
    truth: Truth


def simulate(scenario: Scenario, era: Era, *, seed: int = 1, work: Work = QUIET) -> Trace:
    """The trace of one run: the same scenario, era and seed give the same content, always.

    Raises CancelledError if `work` was stopped. Times begin at 0 ns.
    """
    return play(scenario, era, seed=seed, work=work).trace


def play(
    scenario: Scenario, era: Era, *, seed: int = 1, work: Work = QUIET, look: Look | None = None
) -> Played:
    """The trace of one run as `simulate` gives it, with the truth that diagnosis does not read."""
    engine = engine_of(scenario, era, seed)
    set_up(engine, scenario)
    if look is not None:
        engine.handlers = _shown(engine.handlers, look)
        look(engine, None)
    for step in scenario.steps:
        work.step(step.number - 1, len(scenario.steps), message("progress.named", name=label_of(step)))
        steps.run_step(engine, scenario, step, work)
    work.step(len(scenario.steps), len(scenario.steps), message("progress.done"))
    if look is not None:
        look(engine, None)
    truth = truth_of(engine)
    return Played(_trace(engine, scenario, era, seed, truth), truth)


def frozen(engine: Engine, scenario: Scenario, era: Era, seed: int) -> Trace:
    """What an engine has said so far, as the trace of a run."""
    return _trace(engine, scenario, era, seed, truth_of(engine))


def _shown(handlers: Handlers, look: Look) -> Handlers:
    """The same handlers, each between two looks."""

    def between(handler: Callable[[Engine, Any], None]) -> Callable[[Engine, Any], None]:
        def handle(engine: Engine, message: Any) -> None:  # noqa: ANN401 - each handler has its own class
            look(engine, None)
            handler(engine, message)
            look(engine, message)

        return handle

    return {kind: between(handler) for kind, handler in handlers.items()}


def engine_of(scenario: Scenario, era: Era, seed: int) -> Engine:
    """The engine of a run, before its first event."""
    ids = [scenario.broker_id(name) for name in scenario.brokers]
    version = protocols.metadata_version(scenario, era)
    rules = _rules(scenario, under_metadata_version(era, version))
    brokers: dict[int, Broker] = {
        one: Broker(one, name, rules, rules.switches) for one, name in zip(ids, scenario.brokers, strict=True)
    }
    partitions = tuple(Partition(index) for index in range(scenario.partitions))
    for partition in partitions:
        # The assignment turns, as Kafka's does: partition 1 prefers the second broker.
        turned = [brokers[ids[(partition.index + place) % len(ids)]] for place in range(len(ids))]
        partition.assigned = tuple(broker.id for broker in turned[: scenario.replication_factor])
        partition.holders = partition.assigned
        for broker in turned:
            held = broker.id in partition.assigned
            partition.replicas[broker.id] = Replica(
                broker, partition, exists=held, free=scenario.free_fetching
            )
    engine = Engine(
        era=era,
        rules=rules,
        limits=scenario.limits,
        chance=Chance(seed),
        control=_CONTROLLERS[era.switches.controller],
        handlers=HANDLERS,
        network=Network(network.send_over, network.deliver),
        journal=Journal(),
        brokers=brokers,
        partitions=partitions,
        metadata_versions=[(Nanos(0), version)] if version else [],
    )
    engine.by_release = {
        one: _rules(scenario, under_metadata_version(protocols.base_of(era, one), version))
        for one in scenario.releases
    }
    protocols.set_up(engine, scenario)
    if scenario.quorum is not None and era.switches.controller == "kraft":
        _add_quorum(engine, scenario, scenario.quorum)
    return engine


def _add_quorum(engine: Engine, scenario: Scenario, plan: QuorumPlan) -> None:
    """Controllers of their own, which vote and copy a log as replicas do."""
    partition = Partition(len(engine.partitions))
    for name in plan.controllers:
        node = Broker(scenario.broker_id(name), name, engine.rules, engine.rules.switches)
        partition.replicas[node.id] = Replica(node, partition)
    voters = tuple(scenario.broker_id(name) for name in plan.voters)
    partition.assigned = partition.holders = voters
    members = {one: Voter(replica) for one, replica in partition.replicas.items()}
    engine.voters = Voters(partition, members, voters, plan.fetch_timeout_ns, plan.election_timeout_ns)
    engine.control, engine.handlers = WITH_QUORUM, HANDLERS_WITH_QUORUM
    engine.network = Network(ways.send_over, ways.deliver)
    engine.world.routed = engine.odd = True


def _rules(scenario: Scenario, era: Era) -> Rules:
    settings, switches = scenario.settings, era.switches
    unclean = settings.unclean_election
    return Rules(
        era=era,
        switches=switches,
        unclean_allowed=switches.unclean_election == "true" if unclean is None else unclean,
        lag_time=MILLISECOND_NS * (settings.lag_time_ms or int(switches.lag_time_ms)),
        session_timeout=MILLISECOND_NS * (settings.session_timeout_ms or int(switches.session_timeout_ms)),
        min_isr=settings.min_isr,
        checkpoint_interval=MILLISECOND_NS * settings.checkpoint_interval_ms,
        fetch_wait_max=MILLISECOND_NS * settings.fetch_wait_max_ms,
        fetch_backoff=MILLISECOND_NS * settings.fetch_backoff_ms,
        request_timeout=MILLISECOND_NS * settings.request_timeout_ms,
        fetch_min_bytes=settings.fetch_min_bytes,
        consumer_wait_max=MILLISECOND_NS * settings.consumer_wait_max_ms,
        retry_backoff=MILLISECOND_NS * settings.retry_backoff_ms,
        transaction_timeout=MILLISECOND_NS * settings.transaction_timeout_ms,
        tiered=settings.tiered and switches.tiered_storage != "none",
        acks=settings.acks,
    )


def _trace(engine: Engine, scenario: Scenario, era: Era, seed: int, truth: Truth) -> Trace:
    raw = scenario.text.encode()
    return engine.journal.builder.build(
        era.name,
        Origin.SIMULATED,
        brokers=[TraceBroker(BrokerId(one.id), one.name, one.rules.era.release) for one in _nodes(engine)],
        partitions=[
            TracePartition(
                TopicPartition(scenario.topic, scenario.first_partition + one.index),
                tuple(BrokerId(broker) for broker in one.holders),
            )
            for one in engine.partitions
        ]
        + _quorum_of(engine),
        sources=[Source(f"{scenario.id}.toml", hashlib.sha256(raw).hexdigest(), len(raw))],
        records=engine.record_names,
        facts={
            "scenario": scenario.id,
            "title": scenario.title["en"],
            "era": era.id,
            "release": era.release,
            "seed": str(seed),
            "switches": ",".join(f"{switch}={value}" for switch, value in era.overrides),
            "script": scenario.text,
            **({"consumers": ",".join(engine.consumers)} if engine.consumers else {}),
            **({"producers": ",".join(engine.producers)} if engine.transactional else {}),
            **protocols.facts(engine),
            FACT: truth.mark(),
        },
        lines=_kept_lines(raw),
    )


def _nodes(engine: Engine) -> list[Broker]:
    """The brokers, and the controllers of a quorum."""
    voters = () if engine.voters is None else engine.voters.members.values()
    return [*engine.brokers.values(), *(one.replica.broker for one in voters)]


def _quorum_of(engine: Engine) -> list[TracePartition]:
    """The metadata log as a partition, where its quorum is simulated."""
    if engine.voters is None:
        return []
    return [TracePartition(TopicPartition(METADATA_TOPIC, 0), engine.voters.partition.holders)]


@lru_cache(maxsize=8)
def _kept_lines(raw: bytes) -> tuple[KeptLine, ...]:
    kept: list[KeptLine] = []
    byte = 0
    for number, line in enumerate(raw.split(b"\n"), start=1):
        if line or byte < len(raw):
            kept.append(KeptLine(0, number, byte, line.decode().removesuffix("\r")))
        byte += len(line) + 1
    return tuple(kept)
