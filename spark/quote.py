"""Which raw lines a trace keeps, and a worker that fetches those of a range: no driver sees one.

The driver knows of each event where it stands and of which partition it is. Of a source the lines that are
kept are those of its events, and two neighbours on each side.
"""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import SourceError
from core.trace.kept import KeptBlock
from core.trace.trace import Column, Trace
from importers.lines.evidence import NEIGHBOURS, Block, Quotes, blocks_of, once, whole
from importers.lines.reading import lines_again
from importers.prepared.data_set import place_of_line
from spark.clustered import LINE
from spark.merge import Merged, numbers_of
from spark.parse import changed
from spark.ranges import File, Range, own_records, unpack, unreadable

_BLOCKS: Final = 32
"""Blocks of a table: one for itself would be a row group of some hundred lines."""
_NO_END: Final = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class Ask:
    """Of one source: its events that stand in a range or beside it, as rows [first, end) of `events_of`.

    `stream` and `member` say which file of an archive it is. No line behind `last` is kept.
    """

    source: int
    stream: int
    member: int
    first: int
    end: int
    last: int


@dataclass(frozen=True, slots=True)
class Quote:
    """A task: raw lines of a range, which has the lines [first_line, end_line) of the file."""

    file: File
    range: Range
    first_line: int
    end_line: int
    of: tuple[Ask, ...]

    def own(self, ask: Ask, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those lines of a source that are of this range."""
        return lines[(lines >= self.first_line) & (lines < self.end_line) & (lines <= ask.last)]

    def read(self, wanted: Mapping[int, NDArray[np.int64]]) -> Iterator[tuple[int, pa.Table]]:
        """Lines that are there (LINE), each with the place in `of` of its source.

        `wanted` are their numbers by that place, sorted. Raises SourceError where the file is not what it
        was.
        """
        try:
            for at, blocks in self._blocks(wanted):
                for table in _tables(self.of[at].source, blocks):
                    yield at, table
        except OSError as error:
            raise unreadable(self.file, error) from error
        fault = changed(self.file)
        if fault is not None:
            raise SourceError.of(fault)

    def _blocks(self, wanted: Mapping[int, NDArray[np.int64]]) -> Iterator[tuple[int, Iterator[KeptBlock]]]:
        base, before = 0, self.first_line - 1
        if self.range.layout is None:
            texts = self._texts(wanted)
        else:
            base, data = own_records(self.file, self.range, self.range.layout)
            texts = dict.fromkeys(wanted, (whole(Block(1, 0, data)),))
        for at in sorted(texts):
            found = blocks_of(self.of[at].source, texts[at], wanted[at] - before)
            yield at, (_moved(block, before, base) for block in found)

    def _texts(self, wanted: Mapping[int, NDArray[np.int64]]) -> dict[int, tuple[Quotes, ...]]:
        """What is asked for of a file that was read whole."""
        asked: dict[int, list[int]] = {}
        for at in wanted:
            asked.setdefault(self.of[at].stream, []).append(at)
        texts: dict[int, tuple[Quotes, ...]] = {}
        for stream, member in enumerate(unpack(self.file)):
            mine = asked.pop(stream, [])
            if mine and member.stream is not None:
                quotes = lines_again(member.stream, once(np.concatenate([wanted[at] for at in mine])))
                texts |= dict.fromkeys(mine, quotes)
            if not asked:
                break
        return texts


def _moved(block: KeptBlock, lines: int, places: int) -> KeptBlock:
    """A block with its lines and bytes counted from the beginning of the file."""
    return KeptBlock(block.source, block.lines + lines, block.places + places, block.packed, block.unpack)


def _tables(source: int, blocks: Iterator[KeptBlock]) -> Iterator[pa.Table]:
    """Blocks as tables, some together."""
    held: list[pa.Table] = []
    for block in blocks:
        own = np.full(len(block.lines), source, np.int32)
        held.append(pa.table([own, block.lines, block.places, block.texts()], schema=LINE))
        if len(held) == _BLOCKS:
            yield pa.concat_tables(held).combine_chunks()
            held.clear()
    if held:
        yield pa.concat_tables(held).combine_chunks()


def events_of(trace: Trace) -> tuple[dict[str, Column], NDArray[np.int64]]:
    """Line and partition of the events that come from lines, by source and line; where each source begins."""
    source, line = trace.columns["source"], trace.columns["line"]
    told = np.flatnonzero((source >= 0) & (line > 0))
    told = told[np.argsort(place_of_line(source[told], line[told]), kind="stable")]
    begins = np.searchsorted(source[told], np.arange(len(trace.sources) + 1))
    return {"line": line[told], "partition": trace.columns["partition"][told]}, begins


def quotes(
    trace: Trace, merged: Merged, files: Sequence[File], line: Column, begins: NDArray[np.int64]
) -> tuple[Quote, ...]:
    """A task for each range in which lines are kept. `line` and `begins` are what `events_of` gives."""
    own: dict[int, list[tuple[int, int]]] = {}
    numbers = numbers_of(trace, merged)
    for source, (first, end) in enumerate(pairwise(begins.tolist())):
        if first < end:
            own.setdefault(merged.places[numbers[source]][0], []).append((source, numbers[source]))
    found: list[Quote] = []
    for file in sorted(own):
        parts = merged.parts[file]
        edges = [*(part.first_line for part in parts), _NO_END]
        for part, (first_line, end_line) in zip(parts, pairwise(edges), strict=True):
            near = first_line - NEIGHBOURS, min(end_line, _NO_END - NEIGHBOURS) + NEIGHBOURS
            asks: list[Ask] = []
            for source, number in own[file]:
                mine = line[begins[source] : begins[source + 1]]
                first, end = (int(begins[source] + at) for at in np.searchsorted(mine, near))
                # Lines of a shared log count for whose they are, and a neighbour may be anybody's. What is no
                # log and was not kept whole has no count of lines.
                shared = bool(merged.files[number].label)
                last = _NO_END if shared else max(merged.lines[number], int(mine[-1]))
                if first < end:
                    asks.append(Ask(source, *merged.places[number][1:], first, end, last))
            if asks:
                found.append(Quote(files[file], part.range, first_line, end_line, tuple(asks)))
    return tuple(found)
