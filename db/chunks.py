"""Events in chunks: which rows go together, how they are written, and how one partition is read back.

A large partition has chunks of its own. Small ones share a chunk, each as one stretch of rows, so that
100,000 quiet partitions do not become millions of blobs. Each row keeps its Seq; the rows of a stretch are
in the order of Seq.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.trace.by_partition import order_of
from core.trace.ids import NO_INDEX
from core.trace.trace import DTYPES, Column, Trace
from db.budgets import FLOOR_EVENTS, LEAST_EVENT_BYTES, MOST_CHUNK_EVENTS
from db.codec import CONSTANT, decode, encode
from db.events import check_events

CHUNK: Final = 16_384
"""Rows of a full chunk: a window on the screen decodes one or two of them."""
SMALL: Final = 4_096
"""A partition with fewer events shares its chunk."""
BROKER_CHUNK: Final = 2_048
"""Broker-level events of a chunk: whoever opens a partition reads those of three brokers of a hundred."""

_SEQ: Final = np.dtype(np.int64)
_TYPES: Final[Mapping[str, np.dtype[Any]]] = {"seq": _SEQ, **DTYPES}
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
_FEW: Final = 500
"""So many chunks are asked for one by one; of more all of the trace are."""


@dataclass(frozen=True, slots=True)
class _Part:
    partition: int
    seqs: NDArray[np.int64]


def write_chunks(connection: sa.Connection, trace_id: int, trace: Trace, step: Callable[[int], None]) -> None:
    """Store all events of a trace; `step` hears how many are stored."""
    constants = _constants(trace)
    done = 0
    for parts in _grouped(trace):
        seqs = parts[0].seqs if len(parts) == 1 else np.concatenate([part.seqs for part in parts])
        chunk_id = connection.exec_driver_sql(
            "INSERT INTO chunk (trace_id, events) VALUES (?, ?)", (trace_id, len(seqs))
        ).lastrowid
        sizes = [len(part.seqs) for part in parts]
        starts = accumulate(sizes[:-1], initial=0)
        connection.exec_driver_sql(
            "INSERT INTO chunk_part (chunk_id, start, trace_id, partition, events) VALUES (?, ?, ?, ?, ?)",
            [
                (chunk_id, start, trace_id, part.partition, size)
                for part, start, size in zip(parts, starts, sizes, strict=True)
            ],
        )
        blobs = [("seq", *encode(seqs, delta=True))]
        blobs += [
            (name, *(constants.get(name) or encode(values.take(seqs), delta=name in _RISING)))
            for name, values in trace.columns.items()
        ]
        connection.exec_driver_sql(
            "INSERT INTO chunk_column (chunk_id, name, codec, data) VALUES (?, ?, ?, ?)",
            [(chunk_id, *blob) for blob in blobs],
        )
        done += len(seqs)
        step(done)


def _constants(trace: Trace) -> dict[str, tuple[str, bytes]]:
    """(codec, blob) of each column that has one value in the whole trace, as most have: each chunk has it."""
    return {
        name: encode(values[:1], delta=False)
        for name, values in trace.columns.items()
        if len(values) and values[0] == values[-1] and bool(np.all(values == values[0]))
    }


def read_columns(
    connection: sa.Connection,
    trace_id: int,
    partitions: Sequence[int] | None,
    names: Collection[str] = tuple(DTYPES),
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """(Seqs, columns) of these partitions' events in the order of Seq; None is all of the trace.

    `names` are the columns that are read; `partition` is always one of them. Only the chunks that
    hold such events are read. Raises ValueError where a blob is damaged, where they would take more memory
    than db.budgets allows to so few bytes, and where a row says what no row can.
    """
    pieces = _pieces(names)
    _decode(connection, trace_id, _stretches(connection, trace_id, partitions), pieces)
    return _in_order(connection, trace_id, pieces, whole=partitions is None)


def read_partition(
    connection: sa.Connection, trace_id: int, partition: int, replicas: Collection[int]
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """The same of one partition and of the brokers that hold it: `replicas`, and those that its events name.

    Broker-level events of no broker are among them, and the last broker-level event, with which the time
    ends. Of the chunks of broker-level events only those with such events are read as a whole. Raises
    ValueError as `read_columns` does.
    """
    pieces = _pieces(DTYPES)
    _decode(connection, trace_id, _stretches(connection, trace_id, (partition,)), pieces)
    wanted = {NO_INDEX, *replicas, *np.unique(_joined(pieces["replica"], DTYPES["replica"])).tolist()}
    holders = np.array(sorted(wanted), np.int64)
    general = _pieces(DTYPES)
    _decode(connection, trace_id, _of_brokers(connection, trace_id, holders), general)
    replica, seqs = _joined(general["replica"], DTYPES["replica"]), _joined(general["seq"], _SEQ)
    keep = np.isin(replica, holders) | (seqs == seqs.max(initial=NO_INDEX))
    for name, parts in general.items():
        pieces[name].append(_joined(parts, _TYPES[name])[keep])
    return _in_order(connection, trace_id, pieces, whole=False)


def _of_brokers(connection: sa.Connection, trace_id: int, brokers: NDArray[np.int64]) -> "_Stretches":
    """Where broker-level events of some brokers are, and the last one."""
    chosen = _stretches(connection, trace_id, (NO_INDEX,))
    last = max(chosen, default=None)
    counts = _counted(connection, trace_id, chosen)
    asked = (
        "SELECT chunk_id, codec, data FROM chunk_column WHERE name = 'replica' AND chunk_id IN "
        "(SELECT chunk_id FROM chunk_part WHERE trace_id = ? AND partition = ?)"
    )
    about: dict[int, bool] = {}
    for chunk_id, codec, data in connection.exec_driver_sql(asked, (trace_id, NO_INDEX)):
        if chunk_id in counts and isinstance(data, bytes) and 0 < counts[chunk_id] <= MOST_CHUNK_EVENTS:
            # Of a column of one value that is enough.
            count = 1 if codec == CONSTANT else counts[chunk_id]
            about[chunk_id] = bool(np.isin(decode(codec, data, DTYPES["replica"], count), brokers).any())
    # What lacks that column, or spoils it, is told by whoever reads the chunk.
    return {
        chunk_id: parts for chunk_id, parts in chosen.items() if chunk_id == last or about.get(chunk_id, True)
    }


_Stretches: TypeAlias = dict[int, list[tuple[slice, int]]]
"""By chunk the rows in it that are wanted, and whose they are."""


def _stretches(connection: sa.Connection, trace_id: int, partitions: Sequence[int] | None) -> _Stretches:
    """Where the events of these partitions are; None is all."""
    asked = "SELECT chunk_id, start, events, partition FROM chunk_part WHERE trace_id = ?"
    chosen = () if partitions is None else tuple(partitions)
    if partitions is not None:
        asked += f" AND partition IN ({_places(chosen)})"
    rows = connection.exec_driver_sql(f"{asked} ORDER BY chunk_id, start", (trace_id, *chosen))
    found: _Stretches = {}
    for chunk_id, *part in rows:
        found.setdefault(chunk_id, []).append(_stretch(*part))
    return found


def _pieces(names: Collection[str]) -> dict[str, list[Column]]:
    """Nothing yet of these columns, of `seq` and of `partition`."""
    return {name: [] for name in ("seq", *DTYPES) if name in {"seq", "partition", *names}}


def _decode(
    connection: sa.Connection, trace_id: int, stretches: _Stretches, pieces: dict[str, list[Column]]
) -> None:
    """Add the rows of stretches to pieces of columns."""
    counts = _counted(connection, trace_id, stretches)
    for chunk_id, parts in stretches.items():
        found = _chunk(connection, chunk_id, pieces)
        # A few events of a chunk that many partitions share do not keep all of it in memory.
        few = 2 * sum(rows.stop - rows.start for rows, _ in parts) < counts[chunk_id]
        for name, values in found.items():
            pieces[name].extend(values[rows].copy() if few else values[rows] for rows, _ in parts)
        for rows, partition in parts:
            if rows.stop > counts[chunk_id] or (found["partition"][rows] != partition).any():
                message = f"chunk {chunk_id} holds other events than its index says"
                raise ValueError(message)


def _in_order(
    connection: sa.Connection, trace_id: int, pieces: dict[str, list[Column]], *, whole: bool
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """Pieces as columns in the order of Seq, checked."""
    seqs = _joined(pieces.pop("seq"), _SEQ)
    order = np.argsort(seqs, kind="stable")
    columns: dict[str, Column] = {}
    # Column by column, so that all of them are never there twice.
    for name in [name for name in DTYPES if name in pieces]:
        columns[name] = _joined(pieces.pop(name), DTYPES[name])[order]
    seqs = seqs[order]
    check_events(connection, trace_id, seqs, columns, whole=whole)
    return seqs, columns


def _stretch(start: object, events: object, partition: object) -> tuple[slice, int]:
    if type(start) is int and type(events) is int and type(partition) is int and start >= 0 < events:
        return slice(start, start + events), partition
    message = "a part of a chunk is not a range of rows of a partition"
    raise ValueError(message)


def _counted(connection: sa.Connection, trace_id: int, chunk_ids: Collection[int]) -> Mapping[int, int]:
    """How many events these chunks have. Raises ValueError where they would unpack to too much."""
    few = tuple(chunk_ids) if len(chunk_ids) <= _FEW else ()
    these = f" AND id IN ({_places(few)})" if few else ""
    asked = f"SELECT id, events FROM chunk WHERE trace_id = ?{these}"  # noqa: S608 - question marks
    rows = connection.exec_driver_sql(asked, (trace_id, *few))
    counts = {chunk_id: events for chunk_id, events in rows if chunk_id in chunk_ids}
    if len(counts) < len(chunk_ids):
        message = "parts of chunks are of another trace than these, or of none"
        raise ValueError(message)
    events = sum(counts.values())
    if events > FLOOR_EVENTS:
        these = f" WHERE chunk_id IN ({_places(few)})" if few else ""
        sizes = f"SELECT chunk_id, total(length(data)) FROM chunk_column{these} GROUP BY chunk_id"  # noqa: S608
        found = connection.exec_driver_sql(sizes, few)
        held = sum(size for chunk_id, size in found if chunk_id in counts)
        if held < events * LEAST_EVENT_BYTES:
            message = f"it says that {held:,.0f} bytes hold {events:,} events"
            raise ValueError(message)
    return counts


def _places(values: Collection[object]) -> str:
    """Question marks for so many values."""
    return ", ".join("?" * len(values))


def _joined(parts: list[Column], dtype: np.dtype[Any]) -> Column:
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)


def _chunk(connection: sa.Connection, chunk_id: int, names: Collection[str]) -> dict[str, Column]:
    """Columns of a chunk, decoded."""
    asked = "SELECT events FROM chunk WHERE id = ?"
    counts = connection.exec_driver_sql(asked, (chunk_id,)).scalars().all()
    if len(counts) != 1 or type(counts[0]) is not int or not 0 < counts[0] <= MOST_CHUNK_EVENTS:
        message = f"chunk {chunk_id} cannot have {counts} events"
        raise ValueError(message)
    marks = _places(names)
    asked = f"SELECT name, codec, data FROM chunk_column WHERE chunk_id = ? AND name IN ({marks})"  # noqa: S608
    found: dict[str, Column] = {}
    for name, codec, data in connection.exec_driver_sql(asked, (chunk_id, *names)):
        if not isinstance(data, bytes):
            message = f"the column {name} of chunk {chunk_id} is no blob"
            raise ValueError(message)  # noqa: TRY004 - the file is wrong, and not a caller
        found[name] = decode(codec, data, _TYPES[name], counts[0])
    missing = set(names) - set(found)
    if missing:
        message = f"chunk {chunk_id} lacks the columns {', '.join(sorted(missing))}"
        raise ValueError(message)
    return found


def _grouped(trace: Trace) -> Iterator[list[_Part]]:
    """The chunks of a trace: large partitions cut into full ones, small ones gathered."""
    owner = trace.columns["partition"]
    if len(owner) == 0:
        return
    order = order_of(owner)
    owners = owner[order]
    starts = np.append(0, np.flatnonzero(owners[1:] != owners[:-1]) + 1)
    gathered: list[_Part] = []
    held = 0
    for place, seqs in zip(owners[starts].tolist(), np.split(order, starts[1:]), strict=True):
        if place == NO_INDEX:
            yield from _by_broker(trace, seqs)
        elif len(seqs) >= SMALL:
            for start in range(0, len(seqs), CHUNK):
                yield [_Part(place, seqs[start : start + CHUNK])]
        else:
            if held + len(seqs) > CHUNK:
                yield gathered
                gathered, held = [], 0
            gathered.append(_Part(place, seqs))
            held += len(seqs)
    if gathered:
        yield gathered


def _by_broker(trace: Trace, seqs: NDArray[np.int64]) -> Iterator[list[_Part]]:
    """Broker-level events in chunks broker after broker; the last event of all is the last of the last."""
    about = trace.columns["replica"][seqs]
    brokers, last = np.unique(about[::-1], return_index=True)
    gathered: list[_Part] = []
    room = BROKER_CHUNK
    for broker in brokers[np.argsort(-last)].tolist():
        mine = seqs[about == broker]
        while len(mine):
            gathered.append(_Part(NO_INDEX, mine[:room]))
            mine, room = mine[room:], room - len(gathered[-1].seqs)
            if not room:
                yield gathered
                gathered, room = [], BROKER_CHUNK
    if gathered:
        yield gathered
