"""The raw lines that are kept in a trace: those that events come from, and their neighbours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.trace.trace import KeptLine

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
    blocks: list[Block] = []
    held: list[bytes] = []
    first = start = 0
    byte = text.byte
    for number, raw in enumerate(_split(text.text) if wanted else (), start=text.line):
        if number in wanted:
            if not held:
                first, start = number, byte
            held.append(raw + b"\n")
        elif held:
            blocks.append(Block(first, start, b"".join(held)))
            held = []
        byte += len(raw) + 1
    if held:
        blocks.append(Block(first, start, b"".join(held)))
    return tuple(blocks)


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
