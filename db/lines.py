"""Kept lines: raw evidence in compressed blocks with an index: one line is read without the others."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from zstandard import ZstdCompressor

from core.trace.kept import KeptLines
from core.trace.trace import KeptLine
from db.codec import LEVEL, unpack
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
    """All kept lines of a trace."""
    asked = _ordered().where(_BLOCKS.c.trace_id == trace_id)
    return tuple(line for row in connection.execute(asked) for line in _unpacked(row))


def read_lines_near(
    connection: sa.Connection,
    trace_id: int,
    sources: NDArray[np.int32],
    lines: NDArray[np.int32],
) -> tuple[KeptLine, ...]:
    """The kept lines at (source, line) of each event, and their neighbours; other blocks stay packed."""
    found: list[KeptLine] = []
    index = _ordered().where(_BLOCKS.c.trace_id == trace_id)
    places = index.with_only_columns(
        _BLOCKS.c.source, _BLOCKS.c.first_line, _BLOCKS.c.first_byte, _BLOCKS.c.last_line
    )
    wanted: dict[int, NDArray[np.int32]] = {}
    for source, first_line, first_byte, last_line in connection.execute(places).all():
        if source not in wanted:
            wanted[source] = np.unique(lines[sources == source])
        numbers = wanted[source]
        if not _near(numbers, first_line, last_line):
            continue
        one = index.where(
            _BLOCKS.c.source == source, _BLOCKS.c.first_line == first_line, _BLOCKS.c.first_byte == first_byte
        )
        block = _unpacked(connection.execute(one).one())
        found.extend(line for line in block if _near(numbers, line.line, line.line))
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


def _unpacked(row: sa.Row[Any, Any, Any]) -> Iterator[KeptLine]:
    source, size, data = row
    for number, byte, text in json.loads(unpack(data, size)):
        yield KeptLine(source, number, byte, text)
