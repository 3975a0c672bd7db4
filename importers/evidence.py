"""The raw lines that are kept in a trace: those that events come from, and their neighbours."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.trace.trace import KeptLine

NEIGHBOURS: Final = 2
"""How many lines on each side of a used line are kept with it."""


def kept_lines(texts: Mapping[int, bytes], used: Iterable[tuple[int, int]]) -> tuple[KeptLine, ...]:
    """Lines of `texts` (source -> file) around the `used` ones, given as (source, line); line 0 is binary."""
    wanted: dict[int, set[int]] = {}
    for source, line in used:
        if line > 0 and source in texts:
            wanted.setdefault(source, set()).update(range(line - NEIGHBOURS, line + NEIGHBOURS + 1))
    return tuple(kept for source in sorted(wanted) for kept in _lines(source, texts[source], wanted[source]))


def _lines(source: int, data: bytes, wanted: set[int]) -> Iterator[KeptLine]:
    byte = 0
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if number in wanted and (raw or byte < len(data)):
            yield KeptLine(source, number, byte, raw.removesuffix(b"\r").decode("utf-8", "replace"))
        byte += len(raw) + 1
