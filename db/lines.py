"""Kept lines: raw evidence in compressed blocks with an index: one line is read without the others."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.trace.kept import KeptLines
from core.trace.trace import KeptLine
from db.codec import pack, unpack
from db.tables import KeptBlockRow, table_of

_PER_BLOCK = 256
_BLOCKS = table_of(KeptBlockRow)
_Row: TypeAlias = tuple[int, int, str]
"""Line, byte and text, as they stand in a block."""
_CONTEXT = 2
"""Neighbours that are kept on each side of a line that is evidence."""


def write_lines(connection: sa.Connection, trace_id: int, lines: Sequence[KeptLine]) -> None:
    """Store the lines of a trace, which are in order of source and line."""
    blocks = _packed(lines) if isinstance(lines, KeptLines) else map(_rows, _blocks(lines))
    asked = sa.insert(_BLOCKS)
    for source, rows in blocks:
        raw = json.dumps(rows).encode()
        connection.execute(
            asked,
            {
                "trace_id": trace_id,
                "source": source,
                "first_line": rows[0][0],
                "first_byte": rows[0][1],
                "last_line": rows[-1][0],
                "size": len(raw),
                "data": pack(raw),
            },
        )


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


def _packed(lines: KeptLines) -> Iterator[tuple[int, list[_Row]]]:
    """Rows of lines that are in blocks already."""
    for block in lines.blocks:
        rows = zip(block.lines.tolist(), block.places.tolist(), block.texts(), strict=True)
        yield block.source, list(rows)


def _rows(block: Sequence[KeptLine]) -> tuple[int, list[_Row]]:
    return block[0].source, [(line.line, line.byte, line.text) for line in block]


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
