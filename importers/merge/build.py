"""From items in their order to a trace: columns, dictionaries, facts, kept lines."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import SourceError
from core.message import message
from core.trace.builder import checked, freeze
from core.trace.columns import Columns, keep_of
from core.trace.ids import NO_INDEX, UNSAID, BrokerId, TopicPartition
from core.trace.settings import of_broker
from core.trace.trace import DTYPES, WHOLE_SECONDS, Broker, Column, Origin, Partition, Source, Trace
from core.trace.vocabulary import KINDS, NUMBER
from importers import limits
from importers.disk.incarnations import Incarnations
from importers.lines.evidence import kept_lines, once, unpacked
from importers.lines.items import Items, distinct, joined_items, same_as
from importers.lines.statements import LISTS, NONE
from importers.merge.clock import Clocks
from importers.merge.coarse import in_whole_seconds
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered, stated
from importers.merge.order import NO_CAUSE, Ordered
from importers.merge.over_time import last_releases
from importers.merge.parts import bytes_in_file
from importers.options import ImportOptions

KEPT_SETTINGS: Final = (
    "inter.broker.protocol.version",
    "log.message.format.version",
    "metadata.version",
    "unclean.leader.election.enable",
    "min.insync.replicas",
    "replica.lag.time.max.ms",
    "replica.high.watermark.checkpoint.interval.ms",
    "transaction.max.timeout.ms",
)
_WITH_ORDER: Final = (NUMBER["partition_created"], NUMBER["replicas_assigned"])
"""Kinds that list the assigned replicas with the preferred leader first; requests list them in any order."""


def build_trace(
    name: str,
    gathered: Gathered,
    ordered: Ordered,
    final: Items,
    clocks: Clocks,
    report: Mapping[str, Any],
    options: ImportOptions,
    *,
    more_facts: Mapping[str, str],
    topics: Incarnations,
) -> Trace:
    """The trace. `more_facts` are those of the metadata log and the ends of the brokers' logs.

    `topics` are those that had one name in turn.

    What the final data directories say comes last; a time never goes back along Seq.
    """
    items = joined_items([ordered.items, final])
    kept = _wanted(items, options)
    causes = np.append(ordered.causes, np.full(len(final), NO_CAUSE))[kept]
    told = items.taken(kept)
    named, partition_of = _tps(told)
    partitions = _partitions(told, named, partition_of, topics)
    if len(partitions) > limits.MOST_PARTITIONS:
        raise SourceError(
            message("error.source.partitions"),
            why=message("error.source.partitions.why", count=limits.MOST_PARTITIONS),
            where=name,
            advice=message("error.source.partitions.way-out"),
        )
    index = {partition.tp: place for place, partition in enumerate(partitions)}
    places = np.array([*(index[tp] for tp in named), NO_INDEX], dtype=np.int64)
    sources, source_of = _sources(gathered)
    codes = _isr_codes(told)
    columns = _columns(told, places[partition_of], source_of, codes, _causes(causes, kept), gathered.files)
    columns = checked(columns.keep(columns))
    texts = {
        int(source_of[number]): unpacked(file.quotes)
        for number, file in enumerate(gathered.files)
        if file.quotes and source_of[number] != NO_INDEX
    }
    used = {source: once(columns["line"][columns["source"] == source]) for source in texts}
    releases = last_releases(gathered)
    facts = {**_facts(gathered, clocks, releases), **_coarse(gathered, source_of), **more_facts}
    return freeze(
        name,
        Origin.IMPORTED,
        columns,
        brokers=_brokers(gathered, items, releases),
        partitions=partitions,
        sources=sources,
        isrs=tuple(told.said.lists[code] for code in codes),
        facts=MappingProxyType(dict(sorted(facts.items()))),
        lines=kept_lines(texts, used),
        report=MappingProxyType(dict(report)),
    )


def _isr_codes(items: Items) -> list[int]:
    """The numbers of the in-sync sets in the order of first sight."""
    shown = items.said.columns["isr"]
    codes, first = np.unique(shown[shown != NONE], return_index=True)
    return codes[np.argsort(first)].tolist()


def _coarse(gathered: Gathered, source_of: NDArray[np.int64]) -> dict[str, str]:
    """The fact that names the logs without fractions of a second, if there are any."""
    places = [
        str(source)
        for file, source in zip(gathered.files, source_of.tolist(), strict=True)
        if source != NO_INDEX and in_whole_seconds(file)
    ]
    return {WHOLE_SECONDS: " ".join(places)} if places else {}


def _columns(
    items: Items,
    partition: NDArray[np.int64],
    source_of: NDArray[np.int64],
    isrs: Sequence[int],
    causes: NDArray[np.int64],
    files: Sequence[ReadFile],
) -> Columns:
    """The columns of a trace, each made when it is asked for. `isrs`: `_isr_codes`."""
    said = items.said.columns
    isr_of = np.full(len(items.said.lists) + 1, NO_INDEX)
    isr_of[isrs] = np.arange(len(isrs))
    isr_of[NONE] = NO_INDEX
    makers: dict[str, Callable[[], Column]] = {
        "at": lambda: np.maximum.accumulate(items.at),
        "partition": lambda: partition,
        "broker": lambda: np.where(items.broker == UNSAID, NO_INDEX, items.broker),
        "replica": lambda: _replicas(items),
        "isr": lambda: isr_of[said["isr"]],
        "at_most": lambda: np.zeros(len(items), dtype=np.int16),
        "cause": lambda: causes,
        "source": lambda: source_of[items.source],
        "position": lambda: _positions(items, files),
    }

    def make(name: str) -> Column:
        column = makers[name]() if name in makers else said[name]
        return column.astype(DTYPES[name], copy=False)

    return Columns(DTYPES, len(items), make, keep_of(said))


def _positions(items: Items, files: Sequence[ReadFile]) -> Column:
    """The byte of each in its file."""
    found = items.said.columns["byte"]
    for number, file in enumerate(files):
        if file.parts:
            own = items.source == number
            found = np.where(own, bytes_in_file(file.parts, found), found)
    return found


def _replicas(items: Items) -> Column:
    """The broker that each is about, where its kind has one."""
    with_replica = [kind.number for kind in KINDS if "replica" in kind.columns]
    about = items.about()
    has = np.isin(items.said.columns["kind"], with_replica) & (about != UNSAID)
    return np.where(has, about, NO_INDEX)


def _causes(causes: NDArray[np.int64], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Causes by Seq: the numbers of items, less those that were not asked for."""
    seq = np.where(kept, np.cumsum(kept) - 1, UNSAID)
    known = causes != NO_CAUSE
    return np.where(known, seq[np.where(known, causes, 0)], UNSAID) if len(causes) else causes


def _wanted(items: Items, options: ImportOptions) -> NDArray[np.bool_]:
    """Whether the person asked for each."""
    wanted = np.ones(len(items), dtype=bool)
    if options.topic is not None:
        asked = [fnmatchcase(text, options.topic) for text in items.said.texts]
        wanted &= np.array([*asked, True])[items.said.columns["topic"]]
    if options.start is not None:
        wanted &= items.at >= options.start
    if options.end is not None:
        wanted &= items.at <= options.end
    return wanted


def _tps(items: Items) -> tuple[list[TopicPartition], NDArray[np.int64]]:
    """The partitions that items are about, and the number of each item's among them; NONE for none."""
    columns, texts = items.said.columns, items.said.texts
    about = np.flatnonzero(columns["topic"] != NONE)
    keys = [columns[name][about] for name in ("topic", "number", "topic_id")]
    first = np.sort(distinct(*keys))
    named = [
        TopicPartition(texts[topic], number, texts[one] if one != NONE else "")
        for topic, number, one in zip(*(key[first].tolist() for key in keys), strict=True)
    ]
    found = np.full(len(items), NONE, dtype=np.int64)
    found[about] = same_as(first, *keys)
    return named, found


def _partitions(
    items: Items, named: Sequence[TopicPartition], partition_of: NDArray[np.int64], topics: Incarnations
) -> tuple[Partition, ...]:
    """Every partition that an event is about, with its assigned replicas as last stated.

    Sorted; of two of one name the one that was made later comes later.
    """
    assigned: dict[int, tuple[int, ...]] = {}

    def place(number: int) -> tuple[str, int, int, str]:
        tp = named[number]
        return tp.topic, tp.partition, topics.rank(tp.topic, tp.incarnation), tp.incarnation

    lists, kinds = items.said.columns["assigned"], items.said.columns["kind"]
    stated = np.flatnonzero((partition_of != NONE) & (lists != NONE))
    ordered = np.isin(kinds[stated], _WITH_ORDER).tolist()
    for partition, code, in_order in zip(
        partition_of[stated].tolist(), lists[stated].tolist(), ordered, strict=True
    ):
        members = items.said.lists[code]
        if members and (in_order or set(members) != set(assigned.get(partition, ()))):
            assigned[partition] = members
    return tuple(
        Partition(named[number], tuple(BrokerId(one) for one in assigned.get(number, ())))
        for number in sorted(range(len(named)), key=place)
    )


def _sources(gathered: Gathered) -> tuple[tuple[Source, ...], NDArray[np.int64]]:
    """The files that were read, and for each file its index among them, or NO_INDEX."""
    sources: list[Source] = []
    index = np.full(len(gathered.files), NO_INDEX)
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


def _brokers(gathered: Gathered, items: Items, versions: Mapping[int, str]) -> tuple[Broker, ...]:
    """Every broker that speaks or is spoken of, with the last release that its logs show."""
    ids = {owner.broker for owner in gathered.owners if owner.broker is not None}
    for column in (items.broker, items.about()):
        ids |= set(np.unique(column[column != UNSAID]).tolist())
    for name in LISTS:
        codes = np.unique(items.said.columns[name])
        ids |= {one for code in codes[codes != NONE].tolist() for one in items.said.lists[code]}
    return tuple(Broker(BrokerId(one), version=versions.get(one, "")) for one in sorted(ids))


def _facts(gathered: Gathered, clocks: Clocks, releases: Mapping[int, str]) -> dict[str, str]:
    """`version.broker-1`, `config.broker-1.min.insync.replicas`, `clock.broker-1`."""
    facts = {f"version.broker-{broker}": version for broker, version in releases.items()}
    for file, owner in zip(gathered.files, gathered.owners, strict=True):
        if file.role is Role.PROPERTIES and owner.broker is not None:
            for setting in KEPT_SETTINGS:
                if setting in file.properties:
                    facts[of_broker(owner.broker, setting)] = file.properties[setting]
    for setting in KEPT_SETTINGS:
        for broker, value in stated(gathered, f"config:{setting}").items():
            facts[of_broker(broker, setting)] = value
    facts |= {
        f"clock.broker-{number}": str(skews)
        for (what, number), skews in clocks.skews.items()
        if what == "broker"
    }
    return dict(sorted(facts.items()))
