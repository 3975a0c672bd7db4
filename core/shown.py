r"""Text from a file as it may be shown: what would steer a terminal or turn the line around is written out.

A log, a document or the name of a file may hold any character. Escape sequences recolour a terminal or set
its title, bidirectional controls make a line read otherwise than it is, and characters without a width hide.
Each of them is shown as its number, such as \x1b or \u202e.
"""

import re
from typing import Final

_UNSEEN: Final = (
    # C0 but for tab and line feed, DEL, C1.
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"
    # Soft hyphen, Arabic letter mark, Mongolian vowel separator.
    r"\u00ad\u061c\u180e"
    # Zero width space and joiners, marks of direction; separators of lines and paragraphs.
    r"\u200b-\u200f\u2028\u2029"
    # Embeddings, overrides, isolates and what else has no shape (U+2060 to U+206F).
    r"\u202a-\u202e\u2060-\u206f"
    # Byte order mark, annotations, halves of surrogate pairs, tags.
    r"\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
)
_STEERING: Final = re.compile(f"[{_UNSEEN}]")
_IN_ONE_LINE: Final = re.compile(f"[\t\n{_UNSEEN}]")


def shown(text: str) -> str:
    r"""The text with every such character as its number. Tabs and line feeds stay; "\r\n" is a line feed."""
    if text.isprintable():
        return text
    return _STEERING.sub(_number, text.replace("\r\n", "\n"))


def shown_in_line(text: str) -> str:
    """The same for a place that has one line, as a name has: tabs and line feeds are written out, too."""
    return text if text.isprintable() else _IN_ONE_LINE.sub(_number, text)


def shown_in_json(text: str) -> str:
    r"""JSON that says the same, with such characters escaped as JSON escapes them."""
    return text if text.isprintable() else _STEERING.sub(_escaped, text)


def _number(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
