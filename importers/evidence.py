"""The raw lines that are kept in a trace: those that events come from, and their neighbours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.trace.trace import KeptLine

_NEWLINE: Final = 10
NEIGHBOURS: Final = 2
"""How many lines on each side of a used line are kept with it."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file as they stand there: the number of the first, the byte at which it begins, the text."""

    line: int
    byte: int
    text: bytes


def around(lines: Iterable[int]) -> set[int]:
    """The lines and their neighbours."""
    return {near for line in lines for near in range(line - NEIGHBOURS, line + NEIGHBOURS + 1)}


def blocks_of(text: Block, wanted: set[int]) -> tuple[Block, ...]:
    """The wanted lines of a text, those that follow each other together."""
    if not wanted or not text.text:
        return ()
    breaks = np.flatnonzero(np.frombuffer(text.text, dtype=np.uint8) == _NEWLINE) + 1
    edges = np.concatenate(([0], breaks, [len(text.text)] if text.text[-1] != _NEWLINE else []))
    numbers = np.sort(np.fromiter(wanted, dtype=np.int64, count=len(wanted))) - text.line
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


def kept_lines(texts: Mapping[int, Sequence[Block]], used: Iterable[tuple[int, int]]) -> tuple[KeptLine, ...]:
    """Lines of `texts` (source -> blocks) around the `used` ones, as (source, line); line 0 is binary."""
    wanted: dict[int, set[int]] = {}
    for source, line in used:
        if line > 0 and source in texts:
            wanted.setdefault(source, set()).update(around((line,)))
    return tuple(kept for source in sorted(wanted) for kept in _lines(source, texts[source], wanted[source]))


def _lines(source: int, blocks: Sequence[Block], wanted: set[int]) -> Iterator[KeptLine]:
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
