"""From a trace and a partition to its rows, the brokers that hold a replica of it, and their releases."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.history.rows import SHORT, Row, Rows, files_of_data
from core.history.running import mixes_formats
from core.kafka.releases import version_numbers
from core.trace.ids import NO_INDEX, Instant, Place
from core.trace.settings import stated_over_time, version_of
from core.trace.trace import Origin, Trace

__all__ = ["InstantSpans", "Row", "Spans", "View", "read_view"]

REPLICA_KINDS: Final = frozenset(
    {
        "became_leader",
        "became_follower",
        "fetcher_added",
        "appended",
        "tier_joined",
        "leo_sample",
        "log_loaded",
        "log_created",
        "log_end_on_disk",
        "batch_on_disk",
        "truncated",
        "hw_loaded",
        "follower_leo_recorded",
    },
)
"""Kinds whose `replica` surely holds a copy: a broker that only caches metadata holds none."""

Spans = tuple[tuple[Place, Place], ...]
Numbers: TypeAlias = tuple[int, ...]
"""A release that compares: core/kafka/releases.py."""
InstantSpans = tuple[tuple[Instant, Instant], ...]


@dataclass(frozen=True, slots=True)
class View:
    """The rows of a partition in Seq order, the brokers that hold a replica, and their releases.

    A place p is 0..len(rows): the state after p rows. `cursors[p]` is the cursor of the whole trace there.
    """

    trace: Trace
    partition: int
    seqs: NDArray[np.int64]
    rows: Rows
    cursors: tuple[int, ...]
    brokers: tuple[int, ...]
    versions: Mapping[int, Numbers]
    """The release of each broker, the last where it changed; that of a simulation under -1."""
    exact: bool
    """True for a simulation: every change of every value is an event."""
    gaps: dict[int, Spans] = field(default_factory=dict[int, Spans])
    """By broker the spans of places in which its log is missing, kept by core/history/gaps_by_others.py."""
    server_logs: dict[int, Place | None] = field(default_factory=dict[int, Any])
    """By broker the place of the first line of its server.log, kept by core/history/own_lines.py."""
    upgrades: Mapping[int, tuple[tuple[int, Numbers], ...]] = field(default_factory=dict[int, Any])
    """By broker whose release changed: each release with the Seq from which on it ran, oldest first."""
    without: frozenset[str] = frozenset()
    """The rules of inference that are taken away (core/history/inference.py)."""
    mixes_formats: bool = False
    """Some records name their leader epoch and others do not, by what brokers state (message format 0.11)."""
    has_quorum: bool = False
    """The trace has the log of a metadata quorum (KRaft)."""

    @property
    def of_quorum(self) -> bool:
        """Whether its partition is the log of the metadata quorum."""
        return self.trace.partitions[self.partition].tp.of_quorum

    def before(self, broker: int | None, *version: int, at: int | None = None) -> bool:
        """Whether a broker's release is known to be older than `version`, at a Seq or at all times."""
        known = self.releases(broker, at)
        return bool(known) and max(known) < version

    def since(self, broker: int | None, *version: int, at: int | None = None) -> bool:
        """Whether a broker's release is known to be `version` or newer, at a Seq or at all times."""
        known = self.releases(broker, at)
        return bool(known) and min(known) >= version

    def seq_at(self, place: Place) -> int:
        """The Seq of the row before a place; of the first one at the beginning."""
        return int(self.seqs[max(place - 1, 0)]) if len(self.seqs) else 0

    def releases(self, broker: int | None, at: int | None = None) -> tuple[Numbers, ...]:
        """The release that a broker ran at a Seq, else all that it ran. Nothing where one is not known."""
        number = -1 if broker is None else broker
        changes = self.upgrades.get(number)
        if changes is None:
            known = self.versions.get(number, ())
            return (known,) if known else ()
        if at is not None:
            place = bisect_right(changes, at, key=lambda one: one[0])
            changes = changes[max(place - 1, 0) : max(place, 1)]
        known = tuple(numbers for _, numbers in changes)
        return known if all(known) else ()


def _upgrades(trace: Trace) -> Mapping[int, tuple[tuple[int, Numbers], ...]]:
    """The releases of each broker that ran several, with the Seq from which on each ran, oldest first."""
    found: dict[int, tuple[tuple[int, Numbers], ...]] = {}
    for broker in trace.brokers:
        stated = stated_over_time(trace, version_of(broker.broker_id))
        if len(stated) > 1:
            seqs = np.searchsorted(trace.columns["at"], [at for at, _ in stated]).tolist()
            found[int(broker.broker_id)] = tuple(
                (seq, version_numbers(value)) for seq, (_, value) in zip(seqs, stated, strict=True)
            )
    return found


def _versions(trace: Trace) -> Mapping[int, Numbers]:
    """The release of each broker; a simulation's era is that of all, under -1."""
    era = version_numbers(trace.facts.get("release", "")) or version_numbers(trace.facts.get("era", ""))
    known = {int(broker.broker_id): version_numbers(broker.version) or era for broker in trace.brokers}
    if era:
        known[-1] = era
    return known


@dataclass(frozen=True, slots=True)
class TraceFacts:
    """What is the same for all partitions of a trace, read once."""

    trace: Trace
    files: frozenset[int]
    """The sources that are files of data directories."""
    versions: Mapping[int, Numbers]
    upgrades: Mapping[int, tuple[tuple[int, Numbers], ...]]
    mixes_formats: bool
    has_quorum: bool


def read_trace_facts(trace: Trace) -> TraceFacts:
    """What is the same for all partitions of a trace: for those who open many of them."""
    versions, upgrades = _versions(trace), _upgrades(trace)
    return TraceFacts(trace, files_of_data(trace), versions, upgrades, mixes_formats(trace), trace.has_quorum)


def _replicas(trace: Trace, partition: int, rows: Rows) -> tuple[int, ...]:
    """The assigned replicas, then others that a row shows to hold a copy, by their ids."""
    assigned = tuple(int(broker) for broker in trace.partitions[partition].replicas)
    shown: set[int | None]
    if len(rows) <= SHORT:
        shown = {row.replica for row in rows.of(REPLICA_KINDS) if row.partition == partition}
    else:
        numbers = rows.numbers_of(REPLICA_KINDS)
        holders = rows.column("replica")[numbers[rows.column("partition")[numbers] == partition]]
        shown = set(map(int, np.unique(holders)))
    if not assigned:
        isrs = (trace.isrs[int(index)] for index in np.unique(rows.column("isr")) if index != NO_INDEX)
        shown.update(int(member) for isr in isrs for member in isr)
    others = {one for one in shown if one is not None and one != NO_INDEX}
    return (*assigned, *sorted(others.difference(assigned)))


def read_view(
    trace: Trace,
    partition: int,
    seqs: NDArray[np.int64] | None = None,
    facts: TraceFacts | None = None,
    without: frozenset[str] = frozenset(),
) -> View:
    """The rows of one partition and of the brokers that hold it.

    `seqs` are those of `Trace.seqs_of` and `facts` those of `read_trace_facts`, where they are known already.
    `without` are rules of inference that are to bound nothing.
    """
    seqs = trace.seqs_of(partition) if seqs is None else seqs
    facts = read_trace_facts(trace) if facts is None else facts
    rows = Rows(trace, seqs, facts.files)
    return View(
        trace=trace,
        partition=partition,
        seqs=seqs,
        rows=rows,
        cursors=(0, *(seqs + 1).tolist()),
        brokers=_replicas(trace, partition, rows),
        versions=facts.versions,
        upgrades=facts.upgrades,
        exact=trace.origin is Origin.SIMULATED,
        without=without,
        mixes_formats=facts.mixes_formats,
        has_quorum=facts.has_quorum,
    )
