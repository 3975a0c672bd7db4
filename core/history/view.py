"""One partition opened for reading: its rows, who holds a replica, and which releases they run."""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.rows import SHORT, Row, Rows, files_of_data
from core.trace.ids import NO_INDEX
from core.trace.trace import Origin, Trace

__all__ = ["Row", "Spans", "View", "read_view", "version_numbers"]

REPLICA_KINDS: Final = frozenset(
    {
        "became_leader",
        "became_follower",
        "fetcher_added",
        "appended",
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

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class View:
    """A partition opened for reading: rows in Seq order, and who holds a replica.

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
    """By broker where its log is missing, as far as somebody asked: core/history/gaps_by_others.py."""

    def before(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be older than `version`."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known < version

    def since(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be `version` or newer."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known >= version


_LONGEST: Final = 9
"""Digits of one number of a release."""


@cache
def version_numbers(text: str) -> tuple[int, ...]:
    """0.10.2.2 as (0, 10, 2, 2); () where the text has none."""
    numbers: list[int] = []
    for part in text.split("."):
        digits = part.split("-", maxsplit=1)[0]
        # More digits than a release has are none, and int() refuses thousands of them.
        if not digits.isdecimal() or len(digits) > _LONGEST:
            break
        numbers.append(int(digits))
    return tuple(numbers)


def _versions(trace: Trace) -> dict[int, tuple[int, ...]]:
    """Release by broker; a simulation's era holds for all."""
    era = version_numbers(trace.facts.get("release", "")) or version_numbers(trace.facts.get("era", ""))
    known = {int(broker.broker_id): version_numbers(broker.version) or era for broker in trace.brokers}
    if era:
        known[-1] = era
    return known


@dataclass(frozen=True, slots=True)
class Whole:
    """What holds for all partitions of a trace, read once."""

    trace: Trace
    files: frozenset[int]
    """Sources that are files of data directories."""
    versions: dict[int, tuple[int, ...]]


def read_whole(trace: Trace) -> Whole:
    """For whoever opens many partitions of a trace."""
    return Whole(trace, files_of_data(trace), _versions(trace))


def _replicas(trace: Trace, partition: int, rows: Rows) -> tuple[int, ...]:
    """Assigned replicas, then others that were seen to hold a copy."""
    assigned = trace.partitions[partition].replicas
    found: dict[int, None] = dict.fromkeys(int(b) for b in assigned)
    if len(rows) <= SHORT:
        for row in rows.of(REPLICA_KINDS):
            if row.partition == partition and row.replica is not None:
                found.setdefault(row.replica)
    else:
        numbers = rows.numbers_of(REPLICA_KINDS)
        holders = rows.column("replica")[numbers[rows.column("partition")[numbers] == partition]]
        found.update(dict.fromkeys(broker for broker in _by_first_sight(holders) if broker != NO_INDEX))
    if not assigned:
        for index in _by_first_sight(rows.column("isr")):
            if index != NO_INDEX:
                found.update(dict.fromkeys(member for member in trace.isrs[index] if member not in found))
    return tuple(found)


def _by_first_sight(values: NDArray[np.int32]) -> list[int]:
    """Each value once, in the order in which they come."""
    once, first = np.unique(values, return_index=True)
    return once[np.argsort(first)].tolist()


def read_view(
    trace: Trace, partition: int, seqs: NDArray[np.int64] | None = None, whole: Whole | None = None
) -> View:
    """The rows of one partition and of the brokers that hold it.

    `seqs` are those of `Trace.seqs_of`, `whole` is what holds for the trace, where they are known already.
    """
    seqs = trace.seqs_of(partition) if seqs is None else seqs
    whole = read_whole(trace) if whole is None else whole
    rows = Rows(trace, seqs, whole.files)
    return View(
        trace=trace,
        partition=partition,
        seqs=seqs,
        rows=rows,
        cursors=(0, *(seqs + 1).tolist()),
        brokers=_replicas(trace, partition, rows),
        versions=whole.versions,
        exact=trace.origin is Origin.SIMULATED,
    )
