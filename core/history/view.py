"""From a trace and a partition to its rows, the brokers that hold a replica of it, and their releases."""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.rows import SHORT, Row, Rows, files_of_data
from core.kafka.releases import version_numbers
from core.trace.ids import NO_INDEX, Instant, Place
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
    versions: dict[int, tuple[int, ...]]
    exact: bool
    """True for a simulation: every change of every value is an event."""
    gaps: dict[int, Spans] = field(default_factory=dict[int, Spans])
    """By broker the spans of places in which its log is missing, kept by core/history/gaps_by_others.py."""
    without: frozenset[str] = frozenset()
    """The rules of inference that are taken away (core/history/inference.py)."""

    @property
    def of_quorum(self) -> bool:
        """Whether its partition is the log of the metadata quorum."""
        return self.trace.partitions[self.partition].tp.of_quorum

    def before(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be older than `version`."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known < version

    def since(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be `version` or newer."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known >= version


@cache
def _versions(trace: Trace) -> dict[int, tuple[int, ...]]:
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
    versions: dict[int, tuple[int, ...]]


def read_trace_facts(trace: Trace) -> TraceFacts:
    """What is the same for all partitions of a trace: for those who open many of them."""
    return TraceFacts(trace, files_of_data(trace), _versions(trace))


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
        exact=trace.origin is Origin.SIMULATED,
        without=without,
    )
