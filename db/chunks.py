"""Events in chunks: which rows go together, how they are written, and how one partition is read back.

A large partition has chunks of its own. Small ones share a chunk, each as one stretch of rows, so that
100,000 quiet partitions do not become millions of blobs. Each row keeps its Seq; the rows of a stretch are
in the order of Seq.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX
from core.trace.trace import DTYPES, Column, Trace
from db.codec import decode, encode
from db.tables import ChunkColumnRow, ChunkPartRow, ChunkRow, table_of

CHUNK: Final = 16_384
"""Rows of a full chunk: a window on the screen decodes one or two of them."""
SMALL: Final = 4_096
"""A partition with fewer events shares its chunk."""

_SEQ: Final = np.dtype(np.int64)
_RISING: Final = frozenset(
    {
        "seq",
        "at",
        "leo",
        "hw",
        "log_start",
        "from_offset",
        "offset",
        "aux",
        "stamp",
        "cause",
        "position",
        "line",
    },
)
_CHUNKS = table_of(ChunkRow)
_PARTS = table_of(ChunkPartRow)
_COLUMNS = table_of(ChunkColumnRow)


@dataclass(frozen=True, slots=True)
class _Part:
    partition: int
    seqs: NDArray[np.int64]


def write_chunks(connection: sa.Connection, trace_id: int, trace: Trace, step: Callable[[int], None]) -> None:
    """Store all events of a trace; `step` hears how many are stored."""
    done = 0
    for parts in _grouped(trace):
        seqs = np.concatenate([part.seqs for part in parts])
        made = connection.execute(sa.insert(_CHUNKS).values(trace_id=trace_id, events=len(seqs)))
        chunk_id = int(made.inserted_primary_key[0]) if made.inserted_primary_key else 0
        start = 0
        for part in parts:
            connection.execute(
                sa.insert(_PARTS).values(
                    chunk_id=chunk_id,
                    start=start,
                    trace_id=trace_id,
                    partition=part.partition,
                    events=len(part.seqs),
                ),
            )
            start += len(part.seqs)
        blobs = [("seq", *encode(seqs, delta=True))]
        blobs += [
            (name, *encode(values[seqs], delta=name in _RISING)) for name, values in trace.columns.items()
        ]
        connection.exec_driver_sql(
            "INSERT INTO chunk_column (chunk_id, name, codec, data) VALUES (?, ?, ?, ?)",
            [(chunk_id, *blob) for blob in blobs],
        )
        done += len(seqs)
        step(done)


def read_columns(
    connection: sa.Connection,
    trace_id: int,
    partitions: Sequence[int] | None,
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """(Seqs, columns) of these partitions' events in the order of Seq; None is all of the trace.

    Only the chunks that hold such events are read. Raises ValueError where a blob is damaged.
    """
    wanted = sa.select(_PARTS.c.chunk_id, _PARTS.c.start, _PARTS.c.events).where(
        _PARTS.c.trace_id == trace_id
    )
    if partitions is not None:
        wanted = wanted.where(_PARTS.c.partition.in_(partitions))
    stretches: dict[int, list[slice]] = {}
    for chunk_id, start, events in connection.execute(wanted.order_by(_PARTS.c.chunk_id, _PARTS.c.start)):
        stretches.setdefault(chunk_id, []).append(slice(start, start + events))
    pieces: dict[str, list[Column]] = {name: [] for name in ("seq", *DTYPES)}
    for chunk_id, slices in stretches.items():
        for name, values in _chunk(connection, chunk_id).items():
            pieces[name].extend(values[rows] for rows in slices)
    types: Mapping[str, np.dtype[Any]] = {"seq": _SEQ, **DTYPES}
    joined = {
        name: np.concatenate(parts) if parts else np.empty(0, dtype=types[name])
        for name, parts in pieces.items()
    }
    seqs = joined.pop("seq")
    order = np.argsort(seqs, kind="stable")
    return seqs[order], {name: values[order] for name, values in joined.items()}


def _chunk(connection: sa.Connection, chunk_id: int) -> dict[str, Column]:
    """All columns of a chunk, decoded."""
    count = connection.execute(sa.select(_CHUNKS.c.events).where(_CHUNKS.c.id == chunk_id)).scalar_one()
    asked = sa.select(_COLUMNS.c.name, _COLUMNS.c.codec, _COLUMNS.c.data).where(
        _COLUMNS.c.chunk_id == chunk_id
    )
    types: Mapping[str, np.dtype[Any]] = {"seq": _SEQ, **DTYPES}
    found = {
        name: decode(codec, data, types[name], count)
        for name, codec, data in connection.execute(asked)
        if name in types
    }
    missing = set(types) - set(found)
    if missing:
        message = f"chunk {chunk_id} lacks the columns {', '.join(sorted(missing))}"
        raise ValueError(message)
    return found


def _grouped(trace: Trace) -> Iterator[list[_Part]]:
    """The chunks of a trace: large partitions cut into full ones, small ones gathered."""
    owner = trace.columns["partition"]
    if len(owner) == 0:
        return
    order = np.argsort(owner, kind="stable").astype(np.int64)
    places, starts = np.unique(owner[order], return_index=True)
    gathered: list[_Part] = []
    for place, seqs in zip(places.tolist(), np.split(order, starts[1:]), strict=True):
        if place == NO_INDEX or len(seqs) >= SMALL:
            for start in range(0, len(seqs), CHUNK):
                yield [_Part(place, seqs[start : start + CHUNK])]
            continue
        if sum(len(part.seqs) for part in gathered) + len(seqs) > CHUNK:
            yield gathered
            gathered = []
        gathered.append(_Part(place, seqs))
    if gathered:
        yield gathered
