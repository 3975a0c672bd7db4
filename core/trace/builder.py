"""The only way to make a trace: rows are added in their total order, then frozen."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from core.trace.ids import UNSAID, Seq
from core.trace.trace import DTYPES, EMPTY, VALUES, Broker, Column, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import KIND, Basis

_BIT = {name: 1 << place for place, name in enumerate(VALUES)}


class TraceBuilder:
    """Collects rows in Seq order. `add` checks kind, columns and time; `build` freezes."""

    def __init__(self) -> None:
        """Start empty."""
        self._rows: dict[str, list[int]] = {name: [] for name in DTYPES}
        self._isrs: dict[tuple[int, ...], int] = {}
        self._last_at = -(2**63)

    def __len__(self) -> int:
        """How many rows there are; the next one gets this Seq."""
        return len(self._rows["at"])

    def isr(self, members: Sequence[int]) -> int:
        """The index of an interned in-sync set. The order of first sight is kept as Kafka printed it."""
        return self._isrs.setdefault(tuple(members), len(self._isrs))

    def add(
        self,
        at: int,
        kind: str,
        *,
        basis: Basis = Basis.OBSERVED,
        isr: Sequence[int] | None = None,
        cause: int | None = None,
        source: int = -1,
        position: int = 0,
        line: int = 0,
        at_least: Sequence[str] = (),
        at_most: Sequence[str] = (),
        **said: int | None,
    ) -> Seq:
        """Add one event and give its Seq. `said` are partition, broker, replica and values; None is not said.

        Raises ValueError for a column that the kind does not have, and for a time that goes back: ordering is
        the caller's work, and it corrects times so that they never decrease along Seq.
        """
        spec = KIND[kind]
        allowed = {*spec.columns, "partition", *(("aux",) if spec.aux else ())}
        extra = {name for name, value in said.items() if value is not None} - allowed
        if extra or (isr is not None and "isr" not in allowed):
            message = f"{kind} has no {', '.join(sorted(extra)) or 'isr'}"
            raise ValueError(message)
        if at < self._last_at:
            message = f"{kind} at {at} is earlier than the event before it at {self._last_at}"
            raise ValueError(message)
        self._last_at = at
        seq = Seq(len(self))
        row = dict(EMPTY)
        row.update({name: value for name, value in said.items() if value is not None})
        row.update(at=at, kind=spec.number, basis=int(basis), source=source, position=position, line=line)
        row.update(
            isr=EMPTY["isr"] if isr is None else self.isr(isr),
            cause=UNSAID if cause is None else cause,
            at_least=sum(_BIT[name] for name in at_least),
            at_most=sum(_BIT[name] for name in at_most),
        )
        for name, values in self._rows.items():
            values.append(row[name])
        return seq

    def build(
        self,
        name: str,
        origin: Origin,
        *,
        brokers: Sequence[Broker] = (),
        partitions: Sequence[Partition] = (),
        sources: Sequence[Source] = (),
        records: Sequence[str] = (),
        facts: Mapping[str, str] | None = None,
        lines: Sequence[KeptLine] = (),
        report: Mapping[str, Any] | None = None,
    ) -> Trace:
        """Freeze what was added."""
        return freeze(
            name,
            origin,
            {column: np.array(values, dtype=DTYPES[column]) for column, values in self._rows.items()},
            brokers=tuple(brokers),
            partitions=tuple(partitions),
            sources=tuple(sources),
            isrs=tuple(self._isrs),
            records=tuple(records),
            facts=MappingProxyType(dict(facts or {})),
            lines=tuple(lines),
            report=MappingProxyType(dict(report or {})),
        )


def freeze(name: str, origin: Origin, columns: Mapping[str, Column], **dictionaries: Any) -> Trace:  # noqa: ANN401 - forwarded as they are
    """A trace from whole columns. Raises ValueError where one is missing, odd in length or out of order."""
    missing = set(DTYPES) ^ set(columns)
    if missing:
        message = f"columns missing or unknown: {', '.join(sorted(missing))}"
        raise ValueError(message)
    rows = {len(values) for values in columns.values()}
    if len(rows) != 1:
        message = f"columns of different lengths: {sorted(rows)}"
        raise ValueError(message)
    if np.any(np.diff(columns["at"]) < 0):
        message = "times go back along Seq"
        raise ValueError(message)
    frozen: dict[str, Column] = {}
    for column, dtype in DTYPES.items():
        values = np.ascontiguousarray(columns[column], dtype=dtype)
        values.flags.writeable = False
        frozen[column] = values
    return Trace(name, origin, MappingProxyType(frozen), **dictionaries)
