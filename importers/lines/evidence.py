"""The raw lines that are kept in a trace: those that events come from, and their neighbours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from core.trace.kept import KeptBlock, KeptLines
from importers.lines.digits import spread

_NEWLINE: Final = 10
_LEVEL: Final = 1
NEIGHBOURS: Final = 2
"""How many lines on each side of a used line are kept with it."""
_PER_BLOCK: Final = 256


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file as they stand there: the number of the first, the byte at which it begins, the text.

    `starts` is where each line begins in the text, if anybody knows.
    """

    line: int
    byte: int
    text: bytes
    starts: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class Quotes:
    """Blocks of one file in their order: the line, the byte and the length of each, and all texts, joined."""

    lines: NDArray[np.int64]
    places: NDArray[np.int64]
    lengths: NDArray[np.int64]
    text: bytes


@dataclass(frozen=True, slots=True)
class Packed:
    """Quotes, compressed: what is said in a log is many times larger than what is understood of it."""

    lines: NDArray[np.int64]
    places: NDArray[np.int64]
    lengths: NDArray[np.int64]
    text: bytes


def packed(quotes: Quotes) -> Packed:
    """Quotes as they are held until it is known which lines a trace shows."""
    return Packed(
        quotes.lines, quotes.places, quotes.lengths, _small(zstandard.compress(quotes.text, _LEVEL))
    )


def _small(packed: bytes) -> bytes:
    """The same bytes. What zstandard gives holds as much memory as if nothing could have been packed."""
    return bytes(memoryview(packed))


def unpacked(parts: Iterable[Packed]) -> Iterator[Quotes]:
    """The quotes again, in their order."""
    for part in parts:
        yield Quotes(part.lines, part.places, part.lengths, zstandard.decompress(part.text))


def whole(text: Block) -> Quotes:
    """All lines of a text."""
    ended = _ended(text.text)
    return Quotes(np.array([text.line]), np.array([text.byte]), np.array([len(ended)]), ended)


def around(lines: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lines and their neighbours, sorted."""
    own = once(lines)
    first = own - NEIGHBOURS
    first[1:] = np.maximum(first[1:], own[:-1] + (NEIGHBOURS + 1))
    return spread(first, own + (NEIGHBOURS + 1) - first)[1]


def once(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Each number once, sorted. They come nearly sorted, and then `np.unique`, which hashes, takes long."""
    ranked = np.sort(numbers.astype(np.int64), kind="stable")
    return ranked[np.append(True, ranked[1:] != ranked[:-1])] if len(ranked) else ranked


def starts_of(text: bytes) -> NDArray[np.int64]:
    """Where each line of a text begins."""
    breaks = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _NEWLINE) + 1
    return np.append(0, breaks[: len(breaks) - text.endswith(b"\n")]) if text else breaks


def quotes_of(text: Block, wanted: NDArray[np.int64]) -> Quotes | None:
    """The wanted lines of a text, those that follow each other together. `wanted` is sorted."""
    if not len(wanted) or not text.text:
        return None
    starts = starts_of(text.text) if text.starts is None else text.starts
    edges = np.append(starts, len(text.text))
    numbers = wanted - text.line
    numbers = numbers[(numbers >= 0) & (numbers < len(edges) - 1)]
    if not len(numbers):
        return None
    gaps = np.flatnonzero(np.diff(numbers) > 1)
    first = numbers[np.append(0, gaps + 1)]
    begins, ends = edges[first], edges[numbers[np.append(gaps, len(numbers) - 1)] + 1]
    pairs = zip(begins.tolist(), ends.tolist(), strict=True)
    lines = _ended(b"".join([text.text[start:end] for start, end in pairs]))
    lengths = ends - begins
    lengths[-1] += len(lines) - int(lengths.sum())
    return Quotes(text.line + first, text.byte + begins, lengths, lines)


def joined_quotes(parts: Sequence[Quotes]) -> Quotes:
    """The quotes of blocks that follow each other."""
    if len(parts) == 1:
        return parts[0]
    return Quotes(
        np.concatenate([part.lines for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        b"".join(part.text for part in parts),
    )


def _ended(text: bytes) -> bytes:
    """Whole lines: the last line of a file may have no end."""
    return text if text.endswith(b"\n") or not text else text + b"\n"


def kept_lines(texts: Mapping[int, Iterable[Quotes]], used: Mapping[int, NDArray[np.int64]]) -> KeptLines:
    """Lines of `texts` around the `used` ones, both by source; line 0 is binary."""
    blocks: list[KeptBlock] = []
    for source in sorted(used.keys() & texts.keys()):
        blocks += blocks_of(source, texts[source], around(used[source][used[source] > 0]))
    return KeptLines(blocks)


def blocks_of(source: int, texts: Iterable[Quotes], wanted: NDArray[np.int64]) -> Iterator[KeptBlock]:
    """The wanted lines of a source and no others, packed. `wanted` is sorted."""
    done = 0
    for quotes in texts if len(wanted) else ():
        lines, places, ends = _lines(quotes)
        # Quotes of neighbouring pieces may share lines.
        found = np.minimum(np.searchsorted(wanted, lines), len(wanted) - 1)
        chosen = np.flatnonzero((lines > done) & (wanted[found] == lines))
        if not len(chosen):
            continue
        done = int(lines[chosen[-1]])
        for at in range(0, len(chosen), _PER_BLOCK):
            some = chosen[at : at + _PER_BLOCK]
            text = _small(zstandard.compress(_texts(quotes.text, ends, some), _LEVEL))
            yield block_again(source, lines[some], places[some], text)


def block_again(source: int, lines: NDArray[np.int64], places: NDArray[np.int64], packed: bytes) -> KeptBlock:
    """A block of `blocks_of` whose packed text went elsewhere and came back."""
    return KeptBlock(source, lines, places, packed, zstandard.decompress)


def _lines(quotes: Quotes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The number of each line, the byte at which it begins, and where it ends in the text, behind its end."""
    ends = np.flatnonzero(np.frombuffer(quotes.text, dtype=np.uint8) == _NEWLINE) + 1
    starts = np.append(0, ends[:-1])[: len(ends)]
    begins = np.cumsum(quotes.lengths) - quotes.lengths
    block = np.searchsorted(begins, starts, side="right") - 1
    first = np.searchsorted(starts, begins)
    numbers = quotes.lines[block] + np.arange(len(starts)) - first[block]
    return numbers, quotes.places[block] + starts - begins[block], ends


def _texts(text: bytes, ends: NDArray[np.int64], some: NDArray[np.int64]) -> bytes:
    """Some lines of a text, without their ends, with a newline between them, and in UTF-8."""
    breaks = np.flatnonzero(np.diff(some) > 1)
    first, last = some[np.append(0, breaks + 1)], some[np.append(breaks, len(some) - 1)]
    starts = np.where(first == 0, 0, ends[first - 1])
    pairs = zip(starts.tolist(), ends[last].tolist(), strict=True)
    lines = b"".join([text[start:end] for start, end in pairs])[:-1]
    if b"\r" in lines:
        lines = b"\n".join([line.rstrip(b"\r") for line in lines.split(b"\n")])
    return lines if lines.isascii() else lines.decode("utf-8", "replace").encode()
