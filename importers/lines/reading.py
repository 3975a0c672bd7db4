"""A log in pieces: what is held does not grow with the file, only with what is found in it."""

import hashlib
from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.errors import Facts
from core.work import QUIET, Work
from importers.limits import DamagedError, Stream
from importers.lines.evidence import (
    NEIGHBOURS,
    Block,
    Packed,
    Quotes,
    around,
    joined_quotes,
    once,
    packed,
    quotes_of,
    starts_of,
)
from importers.lines.layout import Layout
from importers.lines.parsed import RECORDS, Drafts, joined
from importers.lines.parser import parse_piece
from importers.lines.statements import NO_STATEMENTS, Gathering

PIECE: Final = 1 << 21
_MOST_RECORD: Final = 1 << 24
"""A record that is longer is cut: what is behind the cut belongs to no record."""
_LOOK_BACK: Final = 1 << 16
_NONE: Final = np.array([], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Pulled:
    """A stream read to its end, or to where it is damaged: digest and size of what was read."""

    sha256: str
    size: int
    fault: Facts | None


class LogReader:
    """Parses a log that comes in pieces, each cut where a record begins."""

    def __init__(self, layout: Layout, *, base: int = 0, line: int = 1, before: bytes = b"") -> None:
        """Nothing read yet: the first piece begins at a byte and a line, with some lines before it."""
        self.layout = layout
        self._held = b""
        self._base, self._line = base, line
        self._parts: list[Drafts] = []
        self._told = Gathering()
        # They grow in place: two copies of them would be most of what is held.
        self._columns = {name: array("q") for name in RECORDS}
        self._quotes: list[Packed] = []
        self._before = before
        self._due = _NONE
        self._in_line = False

    def feed(self, piece: bytes) -> None:
        """The next bytes of the file."""
        cut = 0 if self._in_line else self._last_record(piece)
        if cut:
            # One copy: pieces are large.
            text = b"".join((self._held, memoryview(piece)[:cut]))
            self._held = piece[cut:]
            self._parse(text)
            return
        self._held += piece
        if self._in_line and not self._skip():
            return
        cut = self._last_record(self._held)
        if cut == 0 and len(self._held) > _MOST_RECORD:
            cut = self._held.rfind(b"\n") + 1 or len(self._held)
            self._in_line = not self._held.endswith(b"\n", 0, cut)
        if cut:
            text, self._held = self._held[:cut], self._held[cut:]
            self._parse(text)

    def end(self) -> tuple[Drafts, tuple[Packed, ...]]:
        """All drafts, and the lines around those that they come from."""
        if self._held or not self._parts:
            text, self._held = self._held, b""
            self._parse(text)
        columns = {name: np.frombuffer(column, dtype=np.int64) for name, column in self._columns.items()}
        return replace(joined(self._parts), drafts=self._told.done(), records=columns), tuple(self._quotes)

    def _skip(self) -> bool:
        """Pass over the rest of a line without end; False where its end has not come yet."""
        end = self._held.find(b"\n") + 1
        self._base += end or len(self._held)
        self._held = self._held[end:] if end else b""
        self._line += bool(end)
        self._in_line = not end
        return not self._in_line

    def _last_record(self, text: bytes) -> int:
        """Where the last record of a text begins; what is before it is whole. 0: none, or just there."""
        back = _LOOK_BACK
        while True:
            heads = self.layout.pattern().finditer(text, max(0, len(text) - back))
            found = max((head.start() for head in heads), default=0)
            if found or back >= len(text):
                return found
            back *= 8

    def _parse(self, text: bytes) -> None:
        part, starts = parse_piece(text, self.layout, first_line=self._line, base=self._base)
        starts = starts_of(text) if starts is None else starts
        after = self._line + len(starts) - (bool(text) and not text.endswith(b"\n"))
        for name, column in self._columns.items():
            column.frombytes(part.records[name].tobytes())
        self._told.add(part.drafts)
        self._parts.append(replace(part, drafts=NO_STATEMENTS, records=dict.fromkeys(RECORDS, _NONE)))
        self._keep(text, starts, part, after)
        self._base += len(text)
        self._line = after

    def _keep(self, text: bytes, starts: NDArray[np.int64], part: Drafts, after: int) -> None:
        """Keep lines around drafts, the last ones of the piece before and those still due in this one too."""
        wanted = around(part.drafts.columns["line"])
        if len(self._due):
            wanted = once(np.concatenate([self._due, wanted]))
        before = starts_of(self._before)
        blocks = (
            Block(self._line - len(before), self._base - len(self._before), self._before, before),
            Block(self._line, self._base, text, starts),
        )
        found = [quotes for block in blocks if (quotes := quotes_of(block, wanted)) is not None]
        if found:
            self._quotes.append(packed(joined_quotes(found)))
        self._due = wanted[wanted >= after]
        self._before = last_lines(text if len(starts) >= NEIGHBOURS else self._before + text, NEIGHBOURS)


def last_lines(text: bytes, count: int) -> bytes:
    """The last whole lines; b"" where the text does not end with a line."""
    if not text.endswith(b"\n"):
        return b""
    place = len(text) - 1
    for _ in range(count):
        place = text.rfind(b"\n", 0, place)
        if place < 0:
            return text
    return text[place + 1 :]


def lines_again(stream: Stream, wanted: NDArray[np.int64]) -> tuple[Quotes, ...]:
    """The wanted lines, sorted, of a log that is read a second time, as far as it can be read."""
    found: list[Quotes] = []
    held, line, byte = b"", 1, 0
    last = int(wanted[-1]) if len(wanted) else 0
    while line <= last:
        try:
            piece = stream.read(PIECE)
        except DamagedError:
            piece = b""
        held += piece
        whole = held.rfind(b"\n") + 1 if piece else len(held)
        text, held = held[:whole], held[whole:]
        after = line + text.count(b"\n")
        # The last line may have no end.
        near = wanted[(wanted >= line) & (wanted <= after)]
        quotes = quotes_of(Block(line, byte, text), near)
        if quotes is not None:
            found.append(quotes)
        line = after
        byte += len(text)
        if not piece:
            break
    return tuple(found)


def pull(stream: Stream, feed: Callable[[bytes], None], work: Work = QUIET) -> Pulled:
    """Feed a stream to a reader, without zeros. Damage ends it early, with the reason. Raises CancelledError.

    Zeros stand where a log was cut while its broker wrote on (logrotate's copytruncate), where a file system
    lost what was written, and between letters where PowerShell added UTF-16 to a file.
    """
    digest = hashlib.sha256()
    size = 0
    try:
        while piece := stream.read(PIECE):
            digest.update(piece)
            size += len(piece)
            feed(piece.replace(b"\0", b"") if b"\0" in piece else piece)
            work.step(0, 0)
    except DamagedError as error:
        return Pulled(digest.hexdigest(), size, error.facts)
    return Pulled(digest.hexdigest(), size, None)
