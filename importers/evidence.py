"""The raw lines that are kept in a trace: those that events come from, and their neighbours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from core.trace.trace import KeptLine

_NEWLINE: Final = 10
_LEVEL: Final = 1
NEIGHBOURS: Final = 2
"""How many lines on each side of a used line are kept with it."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file as they stand there: the number of the first, the byte at which it begins, the text."""

    line: int
    byte: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Packed:
    """Blocks, compressed: what is said in a log is many times larger than what is understood of it.

    `places` are line, byte and length of each.
    """

    places: tuple[tuple[int, int, int], ...]
    text: bytes


def packed(blocks: Sequence[Block]) -> Packed:
    """Blocks as they are held until it is known which lines a trace shows."""
    places = tuple((block.line, block.byte, len(block.text)) for block in blocks)
    return Packed(places, zstandard.compress(b"".join(block.text for block in blocks), _LEVEL))


def unpacked(parts: Iterable[Packed]) -> Iterator[Block]:
    """The blocks again, in their order."""
    for part in parts:
        text, at = zstandard.decompress(part.text), 0
        for line, byte, length in part.places:
            yield Block(line, byte, text[at : at + length])
            at += length


def around(lines: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lines and their neighbours, sorted."""
    used = np.unique(lines)
    near = np.sort(np.add.outer(used, np.arange(-NEIGHBOURS, NEIGHBOURS + 1)), axis=None)
    return near[np.append(True, near[1:] != near[:-1])] if len(near) else near


def blocks_of(text: Block, wanted: NDArray[np.int64]) -> tuple[Block, ...]:
    """The wanted lines of a text, those that follow each other together. `wanted` is sorted."""
    if not len(wanted) or not text.text:
        return ()
    breaks = np.flatnonzero(np.frombuffer(text.text, dtype=np.uint8) == _NEWLINE) + 1
    edges = np.concatenate(([0], breaks, [len(text.text)] if text.text[-1] != _NEWLINE else []))
    numbers = wanted - text.line
    numbers = numbers[(numbers >= 0) & (numbers < len(edges) - 1)]
    if not len(numbers):
        return ()
    gaps = np.flatnonzero(np.diff(numbers) > 1)
    first = numbers[np.append(0, gaps + 1)]
    after = numbers[np.append(gaps, len(numbers) - 1)] + 1
    places = zip(
        first.tolist(), edges[first].astype(int).tolist(), edges[after].astype(int).tolist(), strict=True
    )
    return tuple(
        Block(text.line + number, text.byte + start, _ended(text.text[start:end]))
        for number, start, end in places
    )


def _ended(text: bytes) -> bytes:
    """Whole lines: the last line of a file may have no end."""
    return text if text.endswith(b"\n") else text + b"\n"


def kept_lines(texts: Mapping[int, Iterable[Block]], used: Iterable[tuple[int, int]]) -> tuple[KeptLine, ...]:
    """Lines of `texts` (source -> blocks) around the `used` ones, as (source, line); line 0 is binary."""
    lines: dict[int, list[int]] = {}
    for source, line in used:
        if line > 0 and source in texts:
            lines.setdefault(source, []).append(line)
    wanted = {source: set(around(np.array(found)).tolist()) for source, found in lines.items()}
    return tuple(kept for source in sorted(wanted) for kept in _lines(source, texts[source], wanted[source]))


def _lines(source: int, blocks: Iterable[Block], wanted: set[int]) -> Iterator[KeptLine]:
    done = 0
    for block in blocks:
        byte = block.byte
        for number, raw in enumerate(_split(block.text), start=block.line):
            # Blocks of neighbouring pieces may share lines.
            if number in wanted and number > done:
                yield KeptLine(source, number, byte, raw.removesuffix(b"\r").decode("utf-8", "replace"))
                done = number
            byte += len(raw) + 1


def _split(text: bytes) -> list[bytes]:
    """The lines without their ends; a text that ends with a line end has no line after it."""
    return text.removesuffix(b"\n").split(b"\n") if text else []
