"""Text in UTF-16, as PowerShell's `>` and Notepad write it, as UTF-8."""

import codecs
from typing import Final

from importers.limits import Stream

_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_PROBE: Final = 64
_PRINTABLE: Final = frozenset([*range(0x20, 0x7F), 0x09, 0x0A, 0x0D])


def wide_encoding(head: bytes) -> str | None:
    """The name of the encoding of a file that begins so; None where it is not UTF-16.

    Without a mark at the beginning the text must be ASCII there: every other byte is 0.
    """
    if head[:2] in _MARKS:
        return _MARKS[head[:2]]
    probe = head[: min(_PROBE, len(head) // 2 * 2)]
    if len(probe) < _PROBE // 2:
        return None
    for name, shown, zeros in (
        ("utf-16-le", probe[::2], probe[1::2]),
        ("utf-16-be", probe[1::2], probe[::2]),
    ):
        if not any(zeros) and _PRINTABLE.issuperset(shown):
            return name
    return None


class WideText:
    """A stream of UTF-16 as UTF-8, without the mark at its beginning. What is no character becomes U+FFFD."""

    def __init__(self, stream: Stream, encoding: str) -> None:
        """Nothing read yet."""
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._first = True

    def read(self, count: int) -> bytes:
        """At most `count` bytes, for more than three; b"" at the end."""
        while True:
            # Two bytes of UTF-16 are up to three of UTF-8.
            piece = self._stream.read(max(count * 2 // 3, 1))
            text = self._decoder.decode(piece, final=not piece)
            if self._first and text:
                text, self._first = text.removeprefix("\ufeff"), False
            if text or not piece:
                return text.encode("utf-8", "replace")
