"""One partition's events as plain rows: what every module of this folder loops over."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX, UNSAID
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NAME, Basis

_DISK_FILE: Final = re.compile(
    r"(.*/)?([a-z-]+-checkpoint|\d{20}\.log(\.deleted)?|\d{20}-\d{10}\.checkpoint(\.deleted)?)"
)
"""Files of a data directory: what they state is no sign of life of the broker."""

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


class Row(NamedTuple):
    """One event of the view. None is not said. `number` counts in the view, from 0."""

    number: int
    seq: int
    at: int
    kind: str
    basis: Basis
    partition: int | None
    broker: int | None
    replica: int | None
    leader: int | None
    epoch: int | None
    partition_epoch: int | None
    leo: int | None
    hw: int | None
    log_start: int | None
    from_offset: int | None
    offset: int | None
    aux: int | None
    stamp: int | None
    isr: tuple[int, ...] | None
    at_least: int
    at_most: int
    disk: bool
    """Read from a file of a data directory."""


@dataclass(frozen=True, slots=True)
class View:
    """A partition opened for reading: rows in Seq order, and who holds a replica.

    A place p is 0..len(rows): the state after p rows. `cursors[p]` is the cursor of the whole trace there.
    """

    trace: Trace
    partition: int
    seqs: NDArray[np.int64]
    rows: tuple[Row, ...]
    cursors: tuple[int, ...]
    brokers: tuple[int, ...]
    versions: dict[int, tuple[int, ...]]
    exact: bool
    """True for a simulation: every change of every value is an event."""

    def before(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be older than `version`."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known < version

    def since(self, broker: int | None, *version: int) -> bool:
        """Whether a broker's release is known to be `version` or newer."""
        known = self.versions.get(-1 if broker is None else broker, ())
        return bool(known) and known >= version


def version_numbers(text: str) -> tuple[int, ...]:
    """0.10.2.2 as (0, 10, 2, 2); () where the text has none."""
    numbers: list[int] = []
    for part in text.split("."):
        digits = part.split("-", maxsplit=1)[0]
        if not digits.isdigit():
            break
        numbers.append(int(digits))
    return tuple(numbers)


def _said(values: NDArray[np.generic], nothing: int) -> list[int | None]:
    return [None if value == nothing else int(value) for value in values.tolist()]


def _versions(trace: Trace) -> dict[int, tuple[int, ...]]:
    """Release by broker; a simulation's era holds for all."""
    era = version_numbers(trace.facts.get("release", "")) or version_numbers(trace.facts.get("era", ""))
    known = {int(broker.broker_id): version_numbers(broker.version) or era for broker in trace.brokers}
    if era:
        known[-1] = era
    return known


def _replicas(trace: Trace, partition: int, rows: Sequence[Row]) -> tuple[int, ...]:
    """Assigned replicas, then others that were seen to hold a copy."""
    found: dict[int, None] = dict.fromkeys(int(b) for b in trace.partitions[partition].replicas)
    for row in rows:
        if row.partition == partition and row.kind in REPLICA_KINDS and row.replica is not None:
            found.setdefault(row.replica)
    if not trace.partitions[partition].replicas:
        for row in rows:
            for member in row.isr or ():
                found.setdefault(member)
    return tuple(found)


def read_view(trace: Trace, partition: int, seqs: NDArray[np.int64] | None = None) -> View:
    """The rows of one partition and of the brokers that hold it. One selection of columns.

    Then plain values. `seqs` are those of `Trace.seqs_of`, where they are known already.
    """
    seqs = trace.seqs_of(partition) if seqs is None else seqs
    columns = trace.columns

    def said(name: str, nothing: int = UNSAID) -> list[int | None]:
        return _said(columns[name][seqs], nothing)

    used: set[int] = set(columns["source"][seqs].tolist()) - {NO_INDEX}
    disk = {number for number in used if _DISK_FILE.fullmatch(trace.sources[number].path)}
    isr = [None if index is None else trace.isrs[index] for index in said("isr", NO_INDEX)]
    rows = tuple(
        Row(number, seq, at, NAME[kind], Basis(basis), *values)
        for number, (seq, at, kind, basis, *values) in enumerate(
            zip(
                seqs.tolist(),
                columns["at"][seqs].tolist(),
                columns["kind"][seqs].tolist(),
                columns["basis"][seqs].tolist(),
                said("partition", NO_INDEX),
                said("broker", NO_INDEX),
                said("replica", NO_INDEX),
                said("leader"),
                said("epoch"),
                said("partition_epoch"),
                said("leo"),
                said("hw"),
                said("log_start"),
                said("from_offset"),
                said("offset"),
                said("aux"),
                said("stamp"),
                isr,
                columns["at_least"][seqs].tolist(),
                columns["at_most"][seqs].tolist(),
                [source in disk for source in columns["source"][seqs].tolist()],
                strict=True,
            ),
        )
    )
    return View(
        trace=trace,
        partition=partition,
        seqs=seqs,
        rows=rows,
        cursors=(0, *(int(seq) + 1 for seq in seqs)),
        brokers=_replicas(trace, partition, rows),
        versions=_versions(trace),
        exact=trace.origin is Origin.SIMULATED,
    )
