"""The content digest: equal content gives equal digests, whatever made it and wherever it is stored.

The events of a partition count in blocks, and the digests of blocks are added: so whoever has some of the
partitions, or a part of one, can make its share of the sum, in any order of work.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.by_partition import order_of
from core.trace.ids import NO_INDEX
from core.trace.trace import DTYPES, Column, Trace

BLOCK: Final = 4_096
"""Events of a partition that are digested together, counted from its first."""
_SEQ: Final = "seq"
_TYPES: Final = {_SEQ: np.dtype("<i8"), **{name: kind.newbyteorder("<") for name, kind in DTYPES.items()}}
_SUM: Final = 1 << 256
_TOGETHER: Final = 16 * BLOCK
"""About so many events are taken out of their order at a time."""


def content_digest(trace: Trace, rows: int | None = None) -> str:
    """SHA-256, as hex, over the sum of the blocks of all partitions and over the dictionaries.

    `rows` is that sum, where somebody has made it. The name of the trace, the import report and kept lines
    are not content: they may differ between two ways of reading the same evidence.
    """
    content = {
        "columns": [f"{name}:{dtype.str}" for name, dtype in DTYPES.items()],
        "events": len(trace),
        "rows": f"{_sum_of(trace) if rows is None else rows:064x}",
        "origin": str(trace.origin),
        "brokers": [asdict(broker) for broker in trace.brokers],
        "partitions": [asdict(partition) for partition in trace.partitions],
        "sources": [asdict(source) for source in trace.sources],
        "isrs": trace.isrs,
        "records": trace.records,
        "facts": dict(trace.facts),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def sum_of_rows(rows: Mapping[str, Column]) -> int:
    """The sum of the blocks of some events: columns with `seq`, sorted by partition and then by Seq.

    They begin where a block does (`block_starts`), and end where one does or with the last of a partition.
    """
    owner = rows["partition"]
    if not len(owner):
        return 0
    columns = [np.ascontiguousarray(rows[name], kind) for name, kind in _TYPES.items()]
    data = [(column.data.cast("B"), column.itemsize) for column in columns]
    firsts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    starts = _starts(firsts, np.diff(firsts, append=len(owner)))
    changes = np.stack([_changes_within(column, starts) for column in columns], axis=1)
    sums: list[int] = []
    for (first, end), changing in zip(
        pairwise([*starts.tolist(), len(owner)]), changes.tolist(), strict=True
    ):
        parts = [
            column[first * width : (end if changes_here else first + 1) * width]
            for (column, width), changes_here in zip(data, changing, strict=True)
        ]
        head = f"{end - first}:{''.join(str(int(one)) for one in changing)}\n".encode()
        sums.append(int.from_bytes(hashlib.sha256(b"".join((head, *parts))).digest()))
    return added(sums)


def _changes_within(column: Column, starts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """By block, whether the column has more than one value there: else its first one stands for all."""
    changes = np.append(False, column[1:] != column[:-1])
    changes[starts] = False
    return np.logical_or.reduceat(changes, starts)


def added(sums: Iterable[int]) -> int:
    """The sum of sums."""
    return sum(sums) % _SUM


def block_starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where blocks begin among events sorted by partition; `counts` has how many each has, in order."""
    return _starts(np.cumsum(counts) - counts, counts)


def stretches(counts: NDArray[np.int64], events: int) -> list[int]:
    """Some of those places, from the first on: from each to the next are about so many events."""
    starts = block_starts(counts)
    wanted = np.arange(0, int(counts.sum()), events)
    return np.unique(starts[np.searchsorted(starts, wanted[wanted <= starts[-1:].sum()])]).tolist()


def _starts(firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    blocks = -(-counts // BLOCK)
    within = np.arange(int(blocks.sum())) - np.repeat(np.cumsum(blocks) - blocks, blocks)
    return np.repeat(firsts, blocks) + within * BLOCK


def _sum_of(trace: Trace) -> int:
    owner = trace.columns["partition"]
    order = order_of(owner)
    same = {name for name in DTYPES if _is_constant(trace.columns[name])}
    edges = [*stretches(np.bincount(owner - NO_INDEX), _TOGETHER), len(trace)]

    def ordered(some: NDArray[np.int64]) -> dict[str, Column]:
        # Any rows of a column of one value are those that are wanted, and need not be looked up.
        columns = {name: trace.columns[name] for name in DTYPES}
        return {
            _SEQ: some,
            **{
                name: column[: len(some)] if name in same else column.take(some)
                for name, column in columns.items()
            },
        }

    return added(sum_of_rows(ordered(order[first:end])) for first, end in pairwise(edges))


def _is_constant(column: Column) -> bool:
    return bool((column == column[:1]).all())
