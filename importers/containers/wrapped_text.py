"""Lines that a terminal, `fold` or a mail broke at a width: each whole again.

A record begins with a time: a line without one goes on with the line above if that had no room for it.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from importers.limits import Stream
from importers.lines.stamps import EPOCH_TIME, FORMS

_TIMES: Final = "|".join(form for name, form in FORMS.items() if name not in ("compact", EPOCH_TIME))
"""Of digits alone may be the rest of a broken line, too: an offset, a size."""
_BEGINS: Final = re.compile(rf"\[?(?:[A-Z]{{4,7}} \[?)?(?:{_TIMES})".encode())
_WORD: Final = re.compile(rb"\S+")
_LEAST_WIDTH: Final = 40
_MOST_WIDTH: Final = 512
_LEAST_LINES: Final = 20
_LEAST: Final = 8
"""So many lines must have been broken at one width."""
_SHARE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Wrap:
    """At which width lines were broken, whether between words, and whether the blank there is gone."""

    width: int
    between_words: bool = False
    without_blanks: bool = False

    def broke(self, line: bytes, following: bytes) -> bool:
        """Whether a line goes on in the following one."""
        if not following or _BEGINS.match(following):
            return False
        if not self.between_words:
            return _length(line) == self.width
        word = _WORD.match(following)
        return word is not None and _length(line) + 1 + _length(word[0]) > self.width

    def joined(self, line: bytes, following: bytes) -> bytes:
        """Both as one line."""
        return line + (b" " if self.without_blanks else b"") + following


def wrap_of(head: bytes) -> Wrap | None:
    """How the lines of a file were broken, by its beginning; None where they were not."""
    lines = [line.rstrip(b"\r") for line in head.split(b"\n")[:-1]]
    if len(lines) < _LEAST_LINES or not any(map(_BEGINS.match, lines)):
        return None
    width = max(map(_length, lines))
    if not _LEAST_WIDTH <= width <= _MOST_WIDTH:
        return None
    going_on = [
        (line, following)
        for line, following in pairwise(lines)
        if _WORD.match(following) and not _BEGINS.match(following)
    ]
    full = sum(_length(line) == width for line, _ in pairwise(lines))
    anywhere, by_words = Wrap(width), Wrap(width, between_words=True)
    if _most(sum(anywhere.broke(*pair) for pair in pairwise(lines)), full) and _most(
        sum(anywhere.broke(*pair) for pair in going_on), len(going_on)
    ):
        return anywhere
    broken = [line for line, following in going_on if by_words.broke(line, following)]
    if not _most(len(broken), len(going_on)):
        return None
    return replace(by_words, without_blanks=sum(line.endswith(b" ") for line in broken) * 2 < len(broken))


def _most(count: int, of_all: int) -> bool:
    return count >= _LEAST and count >= _SHARE * of_all


def _length(line: bytes) -> int:
    return len(line.decode("utf-8", "replace"))


class UnwrappedText:
    """A stream of such text with whole lines."""

    def __init__(self, stream: Stream, wrap: Wrap) -> None:
        """Nothing read yet."""
        self._stream = stream
        self._wrap = wrap
        self._raw = b""
        self._line: bytes | None = None
        self._last = b""
        self._ready = b""

    def read(self, count: int) -> bytes:
        """At most `count` bytes; b"" at the end."""
        while not self._ready:
            piece = self._stream.read(max(count, 1))
            *whole, self._raw = (self._raw + piece).split(b"\n")
            if not piece and self._raw:
                whole, self._raw = [*whole, self._raw], b""
            told = [line for raw in whole for line in self._add(raw.rstrip(b"\r"))]
            if not piece and self._line is not None:
                told.append(self._line)
                self._line = None
            self._ready = b"".join(line + b"\n" for line in told)
            if not piece:
                break
        out, self._ready = self._ready[:count], self._ready[count:]
        return out

    def _add(self, line: bytes) -> list[bytes]:
        """Take one line as it was broken; the lines that are whole with it."""
        before, last, self._last = self._line, self._last, line
        if before is not None and self._wrap.broke(last, line):
            self._line = self._wrap.joined(before, line)
            return []
        self._line = line
        return [] if before is None else [before]
