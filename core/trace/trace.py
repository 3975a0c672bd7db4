"""The trace: one row per event in numpy columns, with small dictionaries beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.trace.columns import Columns
from core.trace.ids import METADATA_TOPIC, NO_INDEX, UNSAID, BrokerId, Cursor, Nanos, Seq, TopicPartition
from core.trace.units import SECOND_NS
from core.trace.vocabulary import NAME, Basis

Column: TypeAlias = NDArray[Any]

VALUES: Final = (
    "leader",
    "epoch",
    "partition_epoch",
    "leo",
    "hw",
    "log_start",
    "from_offset",
    "offset",
    "aux",
    "stamp",
)
"""Columns that state a value. Not said is UNSAID. The place here is the bit in `at_least` and `at_most`."""

DTYPES: Final[Mapping[str, np.dtype[Any]]] = MappingProxyType(
    {
        "at": np.dtype(np.int64),
        "kind": np.dtype(np.int16),
        "basis": np.dtype(np.int8),
        "partition": np.dtype(np.int32),
        "broker": np.dtype(np.int32),
        "replica": np.dtype(np.int32),
        "isr": np.dtype(np.int32),
        **{name: np.dtype(np.int64) for name in VALUES},
        "at_least": np.dtype(np.int16),
        "at_most": np.dtype(np.int16),
        "cause": np.dtype(np.int64),
        "source": np.dtype(np.int32),
        "position": np.dtype(np.int64),
        "line": np.dtype(np.int32),
    },
)
"""Every column and its type, in the order of storage and of the content digest."""

_INDEXES: Final = ("partition", "broker", "replica", "isr", "source")

EMPTY: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(DTYPES, 0),
        **dict.fromkeys(_INDEXES, NO_INDEX),
        **dict.fromkeys((*VALUES, "cause"), UNSAID),
    },
)
"""What a column holds where an event says nothing."""


WHOLE_SECONDS: Final = "whole_seconds"
"""The fact that names the sources whose times are cut to seconds, by place, with blanks between."""


class Origin(StrEnum):
    """Where a trace came from."""

    IMPORTED = "imported"
    SIMULATED = "simulated"
    PREPARED = "prepared"


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker as far as it is known. `version` is what it printed ("0.10.2.2"), "" where it did not."""

    broker_id: BrokerId
    name: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition and its assigned replicas, preferred leader first; empty where no line names them."""

    tp: TopicPartition
    replicas: tuple[BrokerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A file, archive member or script that evidence points into.

    `path` is relative to what the person named; nested containers are joined by `!/`. `zone` and `zone_basis`
    ("stated", "inferred", "assumed") say how its times were read. `broker` is NO_INDEX where none was found.
    """

    path: str
    sha256: str
    size: int
    broker: BrokerId = BrokerId(NO_INDEX)
    zone: str = "UTC"
    zone_basis: str = ""


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A raw line with its place: `line` counts from 1, `byte` from 0, both in the unpacked member."""

    source: int
    line: int
    byte: int
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """One row as a value, for the few rows that someone looks at. Fields are as the columns."""

    seq: Seq
    at: Nanos
    kind: str
    basis: Basis
    values: Mapping[str, int]
    """partition, broker, replica, isr (indexes and ids as stored) and each said value column."""
    cause: Seq | None
    source: int
    position: int
    line: int

    def get(self, name: str) -> int | None:
        """The value of a column, or None where it is not said."""
        return self.values.get(name)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Trace:
    """Everything that one incident or one run said, immutable, ordered by Seq. Equal to itself alone."""

    name: str
    origin: Origin
    columns: Mapping[str, Column]
    brokers: tuple[Broker, ...] = ()
    partitions: tuple[Partition, ...] = ()
    sources: tuple[Source, ...] = ()
    isrs: tuple[tuple[int, ...], ...] = ()
    records: tuple[str, ...] = ()
    """Names of records in a simulated run; `aux` of appended points here."""
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    """What holds for all of it: era, scenario, seed, switches (simulated); versions, clocks (imported)."""
    lines: Sequence[KeptLine] = ()
    """Raw lines kept as evidence, ordered by (source, line)."""
    report: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The import report as plain JSON values; empty for a simulation."""

    @property
    def has_quorum(self) -> bool:
        """Whether a partition is the log of a metadata quorum (KRaft): it looks through all of them."""
        return METADATA_TOPIC in {one.tp.topic for one in self.partitions}

    def __len__(self) -> int:
        """How many events there are."""
        return self.columns.rows if isinstance(self.columns, Columns) else len(self.columns["at"])

    def event(self, seq: int) -> Event:
        """The row at `seq`, only with what it says. Raises IndexError outside of 0..N-1."""
        if not 0 <= seq < len(self):
            raise IndexError(seq)
        return _event(seq, {name: int(self.columns[name][seq]) for name in DTYPES})

    def events(self, seqs: NDArray[np.int64]) -> tuple[Event, ...]:
        """The rows at many Seqs, in their order, by one look at each column. Raises IndexError as `event`."""
        if not len(seqs):
            return ()
        if not 0 <= seqs.min() <= seqs.max() < len(self):
            raise IndexError(seqs)
        columns = (self.columns[name][seqs].tolist() for name in DTYPES)
        rows = zip(*columns, strict=True)
        return tuple(
            _event(seq, dict(zip(DTYPES, row, strict=True)))
            for seq, row in zip(seqs.tolist(), rows, strict=True)
        )

    def cursor_at(self, at: Nanos) -> Cursor:
        """The cursor after the last event with a time <= `at`."""
        return Cursor(int(np.searchsorted(self.columns["at"], at, side="right")))

    @property
    def whole_seconds(self) -> tuple[int, ...]:
        """The places of the sources whose times are cut to seconds."""
        return tuple(map(int, self.facts.get(WHOLE_SECONDS, "").split()))

    @property
    def late_by(self) -> int:
        """By how many ns an event may have happened later than its time says, less one: 0, or a second."""
        return SECOND_NS if self.whole_seconds else 0

    def first_cursor_at(self, at: Nanos) -> Cursor:
        """The first cursor that may stand at `at`; the last one is `cursor_at(at)`.

        A line whose time is cut to the second t was written somewhere in [t, t + 1 s): at a moment in that
        second it is not known whether it has come.
        """
        last = self.cursor_at(at)
        first = int(np.searchsorted(self.columns["at"], at - self.late_by, side="right"))
        late = np.isin(self.columns["source"][first:last], self.whole_seconds).nonzero()[0]
        return Cursor(first + int(late[0])) if len(late) else last

    def partition_index(self, name: str) -> int | None:
        """The index of "topic-partition", or None; of two topics of one name that of the later one."""
        return index_of_partition(self.partitions, name)

    def seqs_of(self, partition: int) -> NDArray[np.int64]:
        """Seqs of one partition's events and of the broker-level ones: what a view of it steps through.

        Broker-level events are counted only for brokers that hold a replica, and for a simulation's script.
        """
        owner = self.columns["partition"]
        mine = owner == partition
        replicas: set[int] = set(self.partitions[partition].replicas)
        replicas.update(int(b) for b in np.unique(self.columns["replica"][mine]) if b != NO_INDEX)
        about = np.isin(self.columns["replica"], np.array(sorted(replicas), dtype=np.int32))
        script = self.columns["replica"] == NO_INDEX
        return np.flatnonzero(mine | ((owner == NO_INDEX) & (about | script))).astype(np.int64)


def index_of_partition(partitions: Sequence[Partition], name: str) -> int | None:
    """The index of "topic-partition", or None; of two topics of one name that of the later one."""
    found = [index for index, partition in enumerate(partitions) if str(partition.tp) == name]
    return found[-1] if found else None


def _event(seq: int, row: Mapping[str, int]) -> Event:
    """The row at a Seq by the names of its columns, only with what it says."""
    said = (*_INDEXES[:4], *VALUES)
    return Event(
        seq=Seq(seq),
        at=Nanos(row["at"]),
        kind=NAME[row["kind"]],
        basis=Basis(row["basis"]),
        values=MappingProxyType({name: row[name] for name in said if row[name] != EMPTY[name]}),
        cause=None if row["cause"] == UNSAID else Seq(row["cause"]),
        source=row["source"],
        position=row["position"],
        line=row["line"],
    )
