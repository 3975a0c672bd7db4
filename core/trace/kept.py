"""Raw lines that are kept as evidence: packed text that is read where somebody looks."""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final, cast, overload

import numpy as np
from numpy.typing import NDArray

from core.trace.trace import KeptLine

_LEVEL: Final = 1


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """Lines of one source in their order, packed: the number of each, and the byte where it begins."""

    source: int
    lines: NDArray[np.int64]
    places: NDArray[np.int64]
    packed: bytes
    unpack: Callable[[bytes], bytes]

    def texts(self) -> list[str]:
        """The lines without their ends."""
        return _texts(self.packed, self.unpack)


@lru_cache(maxsize=64)
def _texts(packed: bytes, unpack: Callable[[bytes], bytes]) -> list[str]:
    return unpack(packed).decode().split("\n")


def kept_block(
    source: int, lines: NDArray[np.int64], at: NDArray[np.int64], texts: Iterable[str]
) -> KeptBlock:
    """Lines of one source, packed. No text has a line end in it."""
    return KeptBlock(source, lines, at, zlib.compress("\n".join(texts).encode(), _LEVEL), zlib.decompress)


class KeptLines(Sequence[KeptLine]):
    """Kept lines in order of source and line. Each is unpacked when it is asked for."""

    __slots__ = ("_firsts", "blocks")

    def __init__(self, blocks: Sequence[KeptBlock] = ()) -> None:
        """Blocks in order of source and line; none of them is empty."""
        self.blocks: tuple[KeptBlock, ...] = tuple(blocks)
        self._firsts = np.cumsum([0, *(len(block.lines) for block in self.blocks)])

    def __len__(self) -> int:
        """How many lines there are."""
        return int(self._firsts[-1])

    @overload
    def __getitem__(self, at: int) -> KeptLine: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[KeptLine, ...]: ...
    def __getitem__(self, at: int | slice) -> KeptLine | tuple[KeptLine, ...]:
        """A line by its number among all, or some of them."""
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        number = range(len(self))[at]
        place = int(np.searchsorted(self._firsts, number, side="right")) - 1
        block, within = self.blocks[place], number - int(self._firsts[place])
        line, byte = int(block.lines[within]), int(block.places[within])
        return KeptLine(block.source, line, byte, block.texts()[within])

    def place(self, source: int, line: int) -> int:
        """Where (source, line) is or would be."""
        place = bisect_right(self.blocks, (source, line), key=_first) - 1
        if place < 0:
            return 0
        block = self.blocks[place]
        within = np.searchsorted(block.lines, line) if block.source == source else len(block.lines)
        return int(self._firsts[place] + within)

    def __iter__(self) -> Iterator[KeptLine]:
        """Each line, block by block."""
        for block in self.blocks:
            for line, byte, text in zip(
                block.lines.tolist(), block.places.tolist(), block.texts(), strict=True
            ):
                yield KeptLine(block.source, line, byte, text)

    def __eq__(self, other: object) -> bool:
        """Whether the same lines are kept there."""
        if not isinstance(other, (KeptLines, tuple)):
            return NotImplemented
        lines = cast("Sequence[KeptLine]", other)
        return len(lines) == len(self) and all(one == its for one, its in zip(self, lines, strict=True))

    def __hash__(self) -> int:
        """By place: the text follows from it."""
        return hash(tuple(chain.from_iterable(block.lines.tolist() for block in self.blocks)))


def with_more(lines: KeptLines, more: Sequence[KeptBlock]) -> KeptLines:
    """The lines with others in their places; what is there already stays as it is."""
    found = list(lines.blocks)
    for block in more:
        for line, byte, text in zip(block.lines.tolist(), block.places.tolist(), block.texts(), strict=True):
            _insert(found, KeptLine(block.source, line, byte, text))
    return KeptLines(found)


def _insert(blocks: list[KeptBlock], new: KeptLine) -> None:
    """Put a line into the last block that begins before it, or before all blocks."""
    place = bisect_right(blocks, (new.source, new.line), key=_first) - 1
    old = blocks[place] if place >= 0 and blocks[place].source == new.source else None
    if old is None:
        alone = np.array([new.line]), np.array([new.byte])
        blocks.insert(place + 1, kept_block(new.source, *alone, [new.text]))
        return
    at = int(np.searchsorted(old.lines, new.line))
    if at < len(old.lines) and old.lines[at] == new.line:
        return
    texts = old.texts()
    blocks[place] = kept_block(
        old.source,
        np.insert(old.lines, at, new.line),
        np.insert(old.places, at, new.byte),
        [*texts[:at], new.text, *texts[at:]],
    )


def _first(block: KeptBlock) -> tuple[int, int]:
    return block.source, int(block.lines[0])
