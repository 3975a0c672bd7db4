"""The only way to make a trace: rows are added in their total order, then frozen."""

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np

from core.trace.columns import Columns
from core.trace.ids import Seq
from core.trace.kept import KeptLines
from core.trace.trace import DTYPES, EMPTY, VALUES, Broker, Column, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import KIND, KINDS, NAME, NUMBER, Basis

_BIT = {name: 1 << place for place, name in enumerate(VALUES)}
_PLACE = {name: place for place, name in enumerate(DTYPES)}
_BLANK = [EMPTY[name] for name in DTYPES]
_ALLOWED = {
    kind.name: frozenset((*kind.columns, "partition", *(("aux",) if kind.aux else ())))
    for kind in KIND.values()
}
_CHECKED = ("partition", "broker", "replica", "isr", *VALUES)
_ALLOWED_OF = np.zeros((max(NAME) + 1, len(_CHECKED)), dtype=bool)
"""The same as _ALLOWED, by the number of a kind and the place of a column in _CHECKED."""
for _kind in KINDS:
    _ALLOWED_OF[_kind.number] = [name in _ALLOWED[_kind.name] for name in _CHECKED]
_BLOCK_ROWS = 8192
_AT, _KIND, _BASIS, _ISR, _CAUSE, _SOURCE, _POSITION, _LINE, _AT_LEAST, _AT_MOST = (
    _PLACE[name]
    for name in ("at", "kind", "basis", "isr", "cause", "source", "position", "line", "at_least", "at_most")
)


class TraceBuilder:
    """Collects rows in Seq order, each by what it says (`add`) or whole (`append`). `build` freezes.

    Rows are packed block by block into arrays that grow where they are, so that a long run costs what its
    trace will cost and little more.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._columns: dict[str, Column] = {name: np.empty(0, dtype) for name, dtype in DTYPES.items()}
        self._packed_rows = 0
        self._rows: list[Sequence[int]] = []
        self._isrs: dict[tuple[int, ...], int] = {}
        self._last_at = -(2**63)

    def __len__(self) -> int:
        """How many rows there are; the next one gets this Seq."""
        return self._packed_rows + len(self._rows)

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
        return Seq(self.append(row))

    def append(self, row: Sequence[int]) -> int:
        """Add one event as a whole row: every column of DTYPES in order, EMPTY where not said. Gives its Seq.

        The quick way, for one who writes millions. A column that the kind does not have raises ValueError
        only when its block is packed, a time that goes back when the trace is frozen.
        """
        rows = self._rows
        rows.append(row)
        seq = self._packed_rows + len(rows) - 1
        if len(rows) == _BLOCK_ROWS:
            self._pack()
        return seq

    def _pack(self) -> None:
        """Rows become columns, each in its own type."""
        if not self._rows:
            return
        count, width = len(self._rows), len(_BLANK)
        table = np.fromiter(chain.from_iterable(self._rows), np.int64, count * width).reshape(count, width)
        checked({name: table[:, _PLACE[name]] for name in ("kind", *_CHECKED)})
        start, end = self._packed_rows, self._packed_rows + count
        if end > len(self._columns["at"]):
            self._resize(end + end // 8)
        for name, place in _PLACE.items():
            self._columns[name][start:end] = table[:, place]
        self._packed_rows = end
        self._rows = []

    def _resize(self, rows: int) -> None:
        """Room for so many rows: in place, as a copy beside it would need the memory twice."""
        for name, column in self._columns.items():
            # What `build` gave away belongs to a trace, and is read-only since.
            mine = column if column.flags.writeable else column.copy()
            mine.resize(rows, refcheck=False)
            self._columns[name] = mine

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
        """Freeze what was added so far."""
        self._pack()
        self._resize(self._packed_rows)
        return freeze(
            name,
            origin,
            self._columns,
            brokers=tuple(brokers),
            partitions=tuple(partitions),
            sources=tuple(sources),
            isrs=tuple(self._isrs),
            records=tuple(records),
            facts=MappingProxyType(dict(facts or {})),
            lines=lines if isinstance(lines, KeptLines) else tuple(lines),
            report=MappingProxyType(dict(report or {})),
        )


def checked(columns: Mapping[str, Column]) -> Mapping[str, Column]:
    """The same columns. Raises ValueError where a row says one that its kind does not have."""
    kinds = columns["kind"]
    for place, name in enumerate(_CHECKED):
        odd = (columns[name] != EMPTY[name]) & ~_ALLOWED_OF[kinds, place]
        if odd.any():
            message = f"{NAME[int(kinds[odd.argmax()])]} has no {name}"
            raise ValueError(message)
    return columns


def freeze(name: str, origin: Origin, columns: Mapping[str, Column], **dictionaries: Any) -> Trace:  # noqa: ANN401 - forwarded as they are
    """A trace from whole columns. Raises ValueError where one is missing, odd in length or out of order.

    Columns that nobody holds are taken as they are.
    """
    missing = set(DTYPES) ^ set(columns)
    if missing:
        message = f"columns missing or unknown: {', '.join(sorted(missing))}"
        raise ValueError(message)
    rows = {columns.rows} if isinstance(columns, Columns) else {len(one) for one in columns.values()}
    if len(rows) != 1:
        message = f"columns of different lengths: {sorted(rows)}"
        raise ValueError(message)
    at = columns["at"]
    if np.any(at[1:] < at[:-1]):
        message = "times go back along Seq"
        raise ValueError(message)
    if isinstance(columns, Columns):
        return Trace(name, origin, columns, **dictionaries)
    frozen: dict[str, Column] = {}
    for column, dtype in DTYPES.items():
        values = np.ascontiguousarray(columns[column], dtype=dtype)
        values.flags.writeable = False
        frozen[column] = values
    return Trace(name, origin, MappingProxyType(frozen), **dictionaries)
