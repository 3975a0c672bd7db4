"""The only way to make a trace: rows are added in their total order, then frozen."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from core.trace.ids import Seq
from core.trace.trace import DTYPES, EMPTY, VALUES, Broker, Column, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import KIND, NUMBER, Basis

_BIT = {name: 1 << place for place, name in enumerate(VALUES)}
_PLACE = {name: place for place, name in enumerate(DTYPES)}
_BLANK = [EMPTY[name] for name in DTYPES]
_ALLOWED = {
    kind.name: frozenset((*kind.columns, "partition", *(("aux",) if kind.aux else ())))
    for kind in KIND.values()
}
_BLOCK_ROWS = 8192
_AT, _KIND, _BASIS, _ISR, _CAUSE, _SOURCE, _POSITION, _LINE, _AT_LEAST, _AT_MOST = (
    _PLACE[name]
    for name in ("at", "kind", "basis", "isr", "cause", "source", "position", "line", "at_least", "at_most")
)


class TraceBuilder:
    """Collects rows in Seq order. `add` checks kind, columns and time; `build` freezes.

    Rows are packed into arrays block by block, so that a long run costs what its trace will cost and no more.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._blocks: list[dict[str, Column]] = []
        self._rows: list[list[int]] = []
        self._isrs: dict[tuple[int, ...], int] = {}
        self._last_at = -(2**63)

    def __len__(self) -> int:
        """How many rows there are; the next one gets this Seq."""
        return len(self._blocks) * _BLOCK_ROWS + len(self._rows)

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
        allowed = _ALLOWED[kind]
        row = _BLANK.copy()
        for name, value in said.items():
            if value is not None:
                if name not in allowed:
                    message = f"{kind} has no {name}"
                    raise ValueError(message)
                row[_PLACE[name]] = value
        if isr is not None:
            if "isr" not in allowed:
                message = f"{kind} has no isr"
                raise ValueError(message)
            row[_ISR] = self.isr(isr)
        if at < self._last_at:
            message = f"{kind} at {at} is earlier than the event before it at {self._last_at}"
            raise ValueError(message)
        self._last_at = at
        row[_AT], row[_KIND], row[_BASIS] = at, NUMBER[kind], int(basis)
        row[_SOURCE], row[_POSITION], row[_LINE] = source, position, line
        if cause is not None:
            row[_CAUSE] = cause
        if at_least or at_most:
            row[_AT_LEAST] = sum(_BIT[name] for name in at_least)
            row[_AT_MOST] = sum(_BIT[name] for name in at_most)
        seq = Seq(len(self))
        self._rows.append(row)
        if len(self._rows) == _BLOCK_ROWS:
            self._blocks.append(_packed(self._rows))
            self._rows = []
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
            _joined([*self._blocks, _packed(self._rows)]),
            brokers=tuple(brokers),
            partitions=tuple(partitions),
            sources=tuple(sources),
            isrs=tuple(self._isrs),
            records=tuple(records),
            facts=MappingProxyType(dict(facts or {})),
            lines=tuple(lines),
            report=MappingProxyType(dict(report or {})),
        )


def _packed(rows: list[list[int]]) -> dict[str, Column]:
    """Rows as columns, each in its own type."""
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(_BLANK))
    return {
        name: table[:, place].astype(dtype)
        for (name, dtype), place in zip(DTYPES.items(), _PLACE.values(), strict=True)
    }


def _joined(blocks: list[dict[str, Column]]) -> dict[str, Column]:
    """Blocks one after the other."""
    return {name: np.concatenate([block[name] for block in blocks]) for name in DTYPES}


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
