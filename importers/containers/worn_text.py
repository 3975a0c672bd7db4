"""Text that went through a mail, a document or a terminal: its signs as the broker wrote them."""

import re
from typing import Final

from importers.limits import Stream

_SIGNS: Final = {
    "\u00a0": " ", "\u2007": " ", "\u202f": " ",
    "\u200b": "", "\u2060": "", "\ufeff": "",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
    "\u2026": "...", "\u2192": "->",
    "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&nbsp;": " ", "&amp;": "&",
}  # fmt: skip
"""What office programs and web pages put for spaces, quotes, dots and arrows, and between letters.

The sign by which the others of a page begin comes last."""
_BYTES: Final = tuple((sign.encode(), anew.encode()) for sign, anew in _SIGNS.items())
_ANY: Final = re.compile(b"|".join(re.escape(sign) for sign, _ in _BYTES))
_ERASED: Final = b"\x1b[K"
"""What GNU grep puts behind each colour: what it marks lies within messages."""
_CODES: Final = re.compile(rb"\x1b\[[\d;]{0,12}[mK]")
_LONGEST: Final = 3
_LONGEST_ENTITY: Final = 6
_LONGEST_CODE: Final = 15
_TEXT: Final = frozenset([*range(0x20, 0x100), 0x09, 0x0A, 0x0D, 0x1B])
_TIME: Final = re.compile(rb"\d\d:\d\d:\d\d")


def is_worn(head: bytes) -> bool:
    """Whether a file begins with text that has such signs, or lines that only a carriage return ends."""
    text = head.removeprefix(b"\xef\xbb\xbf")
    if not _TEXT.issuperset(text) or _TIME.search(text) is None:
        return False
    if _ANY.search(text) is not None or _ERASED in text:
        return True
    return b"\r" in text and b"\n" not in text


class WornText:
    """A stream of such text with plain signs, and lines that end with a newline."""

    def __init__(self, stream: Stream, head: bytes) -> None:
        """Nothing read yet. `head` is how it begins."""
        self._stream = stream
        self._returns = b"\n" not in head
        self._marked = _ERASED in head
        self._held = b""

    def read(self, count: int) -> bytes:
        """At most `count` bytes, for more than a sign or a code has; b"" at the end."""
        while True:
            # No sign becomes longer than it was.
            piece = self._stream.read(max(count - len(self._held), 1))
            text = self._held + piece
            cut = min(_end_of_signs(text), _end_of_codes(text)) if piece else len(text)
            text, self._held = text[:cut], text[cut:]
            for sign, anew in _BYTES if text else ():
                text = text.replace(sign, anew)
            if b"\x1b" in text and self._marked:
                text = _CODES.sub(b"", text)
            if self._returns:
                text = text.replace(b"\r", b"\n")
            if text or not piece:
                return text


def _end_of_signs(text: bytes) -> int:
    """Where a sign begins that may go on in the next piece; the length where none does."""
    entity = text.rfind(b"&", max(0, len(text) - _LONGEST_ENTITY))
    if entity >= 0 and b";" not in text[entity:]:
        return entity
    near = text[-_LONGEST + 1 :]
    begun = next((at for at, byte in enumerate(near) if byte >= 0xC0), len(near))
    return len(text) - len(near) + begun


def _end_of_codes(text: bytes) -> int:
    """Where a code of a terminal begins that may go on in the next piece; the length where none does."""
    begun = text.rfind(b"\x1b", max(0, len(text) - _LONGEST_CODE))
    return len(text) if begun < 0 or _CODES.match(text, begun) else begun
