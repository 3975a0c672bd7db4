"""From items in their order to a trace: columns, dictionaries, facts, kept lines."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np

from core.errors import SourceError
from core.trace.builder import TraceBuilder
from core.trace.ids import NO_INDEX, BrokerId, TopicPartition
from core.trace.trace import Broker, Origin, Partition, Source, Trace
from core.trace.vocabulary import KIND
from importers import limits
from importers.clock import Clocks
from importers.drafts import Said
from importers.evidence import kept_lines, unpacked
from importers.files import Role
from importers.gathered import Gathered, stated
from importers.incarnations import Incarnations
from importers.items import Item, about
from importers.options import ImportOptions
from importers.order import Ordered

_KEPT_SETTINGS: Final = (
    "inter.broker.protocol.version",
    "log.message.format.version",
    "metadata.version",
    "unclean.leader.election.enable",
    "min.insync.replicas",
    "replica.lag.time.max.ms",
)


def build_trace(
    name: str,
    gathered: Gathered,
    ordered: Ordered,
    final: Sequence[Item],
    clocks: Clocks,
    report: Mapping[str, Any],
    options: ImportOptions,
    *,
    more_facts: Mapping[str, str],
    topics: Incarnations,
) -> Trace:
    """The trace. `more_facts` are those of the metadata log, `topics` those that had one name in turn.

    What the final data directories say comes last; a time never goes back along Seq.
    """
    items = [*ordered.items, *final]
    causes = [*ordered.causes, *([None] * len(final))]
    kept = [number for number, item in enumerate(items) if _wanted(item, options)]
    partitions = _partitions((items[number] for number in kept), topics)
    if len(partitions) > limits.MOST_PARTITIONS:
        raise SourceError(
            "The sources name more partitions than any cluster has",
            why=f"they are more than {limits.MOST_PARTITIONS:,}",
            where=name,
            advice="Leave out what is damaged, or choose topics with --topic",
        )
    index = {partition.tp: place for place, partition in enumerate(partitions)}
    sources, source_of = _sources(gathered)
    builder = TraceBuilder()
    seqs: dict[int, int] = {}
    at: int | None = None
    for number in kept:
        item = items[number]
        at = item.at if at is None else max(at, item.at)
        cause = causes[number]
        seqs[number] = _add(
            builder, item, at, index, source_of[item.source], None if cause is None else seqs.get(cause)
        )
    texts = {
        source_of[number]: unpacked(file.quotes)
        for number, file in enumerate(gathered.files)
        if number in source_of
    }
    used: dict[int, list[int]] = {}
    for number in kept:
        used.setdefault(source_of[items[number].source], []).append(items[number].line)
    return builder.build(
        name,
        Origin.IMPORTED,
        brokers=_brokers(gathered, items),
        partitions=partitions,
        sources=sources,
        facts=dict(sorted((_facts(gathered, clocks) | dict(more_facts)).items())),
        lines=kept_lines(texts, {source: np.array(lines) for source, lines in used.items()}),
        report=report,
    )


def _add(
    builder: TraceBuilder,
    item: Item,
    at: int,
    index: Mapping[TopicPartition, int],
    source: int,
    cause: int | None,
) -> int:
    said = item.said
    columns = KIND[said.kind].columns
    return builder.add(
        at,
        said.kind,
        basis=said.basis,
        isr=said.isr,
        cause=cause,
        source=source,
        position=item.byte,
        line=item.line,
        at_least=said.at_least,
        partition=None if said.tp is None else index[_named(said)],
        broker=item.broker,
        replica=about(item) if "replica" in columns else None,
        at_most=(),
        **said.values(),
    )


def _wanted(item: Item, options: ImportOptions) -> bool:
    """Whether the person asked for it."""
    if (
        options.topic is not None
        and item.said.tp is not None
        and not fnmatchcase(item.said.tp[0], options.topic)
    ):
        return False
    return (options.start is None or item.at >= options.start) and (
        options.end is None or item.at <= options.end
    )


def _named(said: Said) -> TopicPartition:
    topic, number = said.tp if said.tp is not None else ("", 0)
    return TopicPartition(topic, number, said.topic_id or "")


def _partitions(items: Iterable[Item], topics: Incarnations) -> tuple[Partition, ...]:
    """Every partition that an event is about, with its assigned replicas as last stated.

    Sorted; of two of one name the one that was made later comes later.
    """
    assigned: dict[TopicPartition, tuple[int, ...]] = {}

    def place(tp: TopicPartition) -> tuple[str, int, int, str]:
        return tp.topic, tp.partition, topics.rank(tp.topic, tp.incarnation), tp.incarnation

    for item in items:
        if item.said.tp is None:
            continue
        named = _named(item.said)
        known = assigned.setdefault(named, ())
        # The line of the creation has the order, preferred leader first; requests list the set in any order.
        if item.said.assigned and set(item.said.assigned) != set(known):
            assigned[named] = item.said.assigned
    return tuple(
        Partition(tp, tuple(BrokerId(one) for one in assigned[tp])) for tp in sorted(assigned, key=place)
    )


def _sources(gathered: Gathered) -> tuple[tuple[Source, ...], Mapping[int, int]]:
    """The files that were read, and from the number of a file to its index among them."""
    sources: list[Source] = []
    index: dict[int, int] = {}
    for number, (file, owner, zone) in enumerate(
        zip(gathered.files, gathered.owners, gathered.zones, strict=True)
    ):
        foreign = file.role is Role.LOG and (file.drafts is None or not file.drafts.kafka)
        if file.role is Role.IGNORED or foreign:
            continue
        index[number] = len(sources)
        broker = BrokerId(NO_INDEX if owner.broker is None else owner.broker)
        sources.append(Source(file.path, file.sha256, file.size, broker, zone.name, zone.basis))
    return tuple(sources), index


def _brokers(gathered: Gathered, items: Sequence[Item]) -> tuple[Broker, ...]:
    """Every broker that speaks or is spoken of, with the version that it printed last."""
    ids = {owner.broker for owner in gathered.owners} | {item.broker for item in items}
    for item in items:
        ids |= {about(item), *(item.said.assigned or ()), *(item.said.isr or ())}
    versions = stated(gathered, "version")
    known = sorted(one for one in ids if one is not None)
    return tuple(Broker(BrokerId(one), version=versions.get(one, "")) for one in known)


def _facts(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """`version.broker-1`, `config.broker-1.min.insync.replicas`, `clock.broker-1`."""
    facts = {f"version.broker-{broker}": version for broker, version in stated(gathered, "version").items()}
    for file, owner in zip(gathered.files, gathered.owners, strict=True):
        if file.role is Role.PROPERTIES and owner.broker is not None:
            for setting in _KEPT_SETTINGS:
                if setting in file.properties:
                    facts[f"config.broker-{owner.broker}.{setting}"] = file.properties[setting]
    for setting in _KEPT_SETTINGS:
        for broker, value in stated(gathered, f"config:{setting}").items():
            facts[f"config.broker-{broker}.{setting}"] = value
    facts |= {
        f"clock.broker-{number}": str(skews)
        for (what, number), skews in clocks.skews.items()
        if what == "broker"
    }
    return dict(sorted(facts.items()))
