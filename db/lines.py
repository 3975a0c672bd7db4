"""Kept lines: raw evidence in compressed blocks with an index: one line is read without the others."""

import json
from collections.abc import Iterator, Sequence, Sized
from functools import partial
from itertools import islice
from typing import Any, Final, TypeAlias, cast

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from zstandard import ZstdCompressor

from core.trace.kept import KeptLines
from core.trace.trace import KeptLine
from db.allowed import check_rows
from db.budgets import FLOOR_LINE_BYTES, MOST_BLOCK_BYTES, MOST_LINE_RATIO
from db.codec import LEVEL, unpack
from db.shapes import MOST, loaded
from db.tables import KeptBlockRow, table_of

_PER_BLOCK = 256
_BLOCKS = table_of(KeptBlockRow)
_Block: TypeAlias = tuple[int, list[int], list[int], list[str]]
"""Source, then of each line its number, its byte and its text."""
_AT_ONCE: Final = 64
_INSERT: Final = (
    "INSERT INTO kept_block (trace_id, source, first_line, first_byte, last_line, size, data) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_WIDTH: Final = 3
"""A line of a block: its number, its byte and its text."""
_CONTEXT = 2
"""Neighbours that are kept on each side of a line that is evidence."""


def write_lines(connection: sa.Connection, trace_id: int, lines: Sequence[KeptLine]) -> None:
    """Store the lines of a trace, which are in order of source and line."""
    blocks = _packed(lines) if isinstance(lines, KeptLines) else map(_rows, _blocks(lines))
    press = ZstdCompressor(level=LEVEL)
    while some := list(islice(blocks, _AT_ONCE)):
        rows: list[tuple[int | bytes, ...]] = []
        for source, numbers, places, texts in some:
            raw = json.dumps(list(zip(numbers, places, texts, strict=True))).encode()
            rows.append((trace_id, source, numbers[0], places[0], numbers[-1], len(raw), press.compress(raw)))
        connection.exec_driver_sql(_INSERT, rows)


def read_lines(connection: sa.Connection, trace_id: int) -> tuple[KeptLine, ...]:
    """All kept lines of a trace. Raises ValueError where a block is damaged, or unpacks to too much."""
    check_rows(connection, _BLOCKS, trace_id)
    sizes = sa.select(sa.func.total(_BLOCKS.c.size), sa.func.total(sa.func.length(_BLOCKS.c.data)))
    _refuse_bombs(*connection.execute(sizes.where(_BLOCKS.c.trace_id == trace_id)).one())
    most = _sources(connection, trace_id)
    asked = _ordered().where(_BLOCKS.c.trace_id == trace_id)
    return tuple(line for row in connection.execute(asked) for line in _unpacked(row, most))


def read_lines_near(
    connection: sa.Connection,
    trace_id: int,
    sources: NDArray[np.int32],
    lines: NDArray[np.int32],
) -> tuple[KeptLine, ...]:
    """The kept lines at (source, line) of each event, and their neighbours; other blocks stay packed.

    Raises ValueError as `read_lines` does.
    """
    check_rows(connection, _BLOCKS, trace_id)
    most = _sources(connection, trace_id)
    found: list[KeptLine] = []
    unpacked = packed = 0
    index = _ordered().where(_BLOCKS.c.trace_id == trace_id)
    places = (
        "SELECT source, first_line, first_byte, last_line FROM kept_block WHERE trace_id = ? "
        "ORDER BY source, first_line, first_byte"
    )
    wanted: dict[int, NDArray[np.int32]] = {}
    for source, first_line, first_byte, last_line in connection.exec_driver_sql(places, (trace_id,)).all():
        if source not in wanted:
            wanted[source] = np.unique(lines[sources == source])
        numbers = wanted[source]
        if not _near(numbers, first_line, last_line):
            continue
        one = index.where(
            _BLOCKS.c.source == source, _BLOCKS.c.first_line == first_line, _BLOCKS.c.first_byte == first_byte
        )
        # More than one where a stranger took the key away.
        for row in connection.execute(one):
            unpacked, packed = unpacked + row.size, packed + len(row.data)
            _refuse_bombs(unpacked, packed)
            block = _rows_of(row, most)
            lines_of = np.array([line for line, _, _ in block], dtype=np.int64)
            found.extend(KeptLine(source, *block[at]) for at in _all_near(numbers, lines_of))
    return tuple(found)


def _ordered() -> sa.Select[Any, Any, Any]:
    """Blocks in the order of the lines in them. `first_byte` tells apart blocks of a source without lines."""
    return sa.select(_BLOCKS.c.source, _BLOCKS.c.size, _BLOCKS.c.data).order_by(
        _BLOCKS.c.source,
        _BLOCKS.c.first_line,
        _BLOCKS.c.first_byte,
    )


def _near(numbers: NDArray[np.int32], first: int, last: int) -> bool:
    """Whether one of the rising numbers lies in [first, last], widened by the neighbours."""
    at = int(np.searchsorted(numbers, first - _CONTEXT))
    return at < len(numbers) and int(numbers[at]) <= last + _CONTEXT


def _all_near(numbers: NDArray[np.int32], lines: NDArray[np.int64]) -> list[int]:
    """The places of those `lines` that are one of the rising numbers, or a neighbour."""
    at = np.searchsorted(numbers, lines - _CONTEXT)
    there = np.flatnonzero(at < len(numbers))
    return there[numbers[at[there]] <= lines[there] + _CONTEXT].tolist()


def _packed(lines: KeptLines) -> Iterator[_Block]:
    """Lines that are in blocks already."""
    for block in lines.blocks:
        yield block.source, block.lines.tolist(), block.places.tolist(), block.texts()


def _rows(block: Sequence[KeptLine]) -> _Block:
    return (
        block[0].source,
        [line.line for line in block],
        [line.byte for line in block],
        [line.text for line in block],
    )


def _blocks(lines: Sequence[KeptLine]) -> Iterator[list[KeptLine]]:
    block: list[KeptLine] = []
    for line in lines:
        if block and (line.source != block[0].source or len(block) >= _PER_BLOCK):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _sources(connection: sa.Connection, trace_id: int) -> int:
    """How many sources the trace has."""
    asked = "SELECT count(*) FROM source WHERE trace_id = ?"
    return connection.exec_driver_sql(asked, (trace_id,)).scalar_one()


def _refuse_bombs(unpacked: float, packed: float) -> None:
    """Raise ValueError where so few bytes say that they hold so many. Asked before they are unpacked."""
    if unpacked > max(FLOOR_LINE_BYTES, MOST_LINE_RATIO * packed):
        message = f"{packed:,.0f} bytes of kept lines say that they hold {unpacked:,.0f}"
        raise ValueError(message)


def _unpacked(row: sa.Row[Any, Any, Any], sources: int) -> list[KeptLine]:
    rows = _rows_of(row, sources)
    return list(map(partial(KeptLine, row.source), *zip(*rows, strict=True))) if rows else []


def _rows_of(row: sa.Row[Any, Any, Any], sources: int) -> list[tuple[int, int, str]]:
    """The line, byte and text of each line of a block."""
    source, size, data = row
    if source >= sources:
        message = "kept lines are of a source that is not there"
        raise ValueError(message)
    return loaded(unpack(data, size), _check_lines, "kept lines", MOST_BLOCK_BYTES)


def _check_lines(value: object, path: str) -> None:
    """[[line, byte, text], …]. Types of whole columns: a shape for each value takes longer than reading."""
    rows = cast("list[Sized]", value)
    if type(value) is list and set(map(type, rows)) <= {list} and set(map(len, rows)) <= {_WIDTH}:
        if not rows:
            return
        numbers, places, texts = zip(*cast("list[tuple[int, int, str]]", rows), strict=True)
        typed = {*map(type, numbers), *map(type, places)} == {int} and set(map(type, texts)) == {str}
        if typed and all(min(of) >= 0 and max(of) <= MOST for of in (numbers, places)):
            return
    message = f"{path} are not lines with their numbers and bytes"
    raise ValueError(message)
