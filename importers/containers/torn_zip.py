"""A zip whose end is missing, as a broken download leaves it: the files that are there whole.

Its table of contents stands at its end. Before each file are its name and its length, but where the zip was
written as a stream (`zip -`): there nothing is read.
"""

import zlib
from collections.abc import Iterator
from typing import IO, Final

_HEADER_BYTES: Final = 30
_MAGIC: Final = b"PK\x03\x04"
_LOCKED_OR_STREAMED: Final = 0x0009
_IN_UTF_8: Final = 0x0800
_STORED: Final = 0
_DEFLATED: Final = 8
_GZIP: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


def files_before_the_end(file: IO[bytes], size: int) -> Iterator[tuple[str, bytes]]:
    """The name and content of each, packed as a gzip file where it is packed; `size` is that of the zip."""
    at = 0
    while at + _HEADER_BYTES <= size:
        file.seek(at)
        header = file.read(_HEADER_BYTES)
        flags, method, named, extra = (_number(header, place, 2) for place in (6, 8, 26, 28))
        packed = _number(header, 18, 4)
        begin = at + _HEADER_BYTES + named + extra
        if not header.startswith(_MAGIC) or flags & _LOCKED_OR_STREAMED or begin + packed > size:
            return
        name = file.read(named).decode("utf-8" if flags & _IN_UTF_8 else "cp437", "replace")
        file.seek(begin)
        content = file.read(packed)
        if method == _DEFLATED:
            # A gzip file ends with the same checksum and length.
            yield name, _GZIP + content + header[14:18] + header[22:26]
        elif method == _STORED and zlib.crc32(content) == _number(header, 14, 4) and not name.endswith("/"):
            yield name, content
        at = begin + packed


def _number(header: bytes, at: int, size: int) -> int:
    return int.from_bytes(header[at : at + size], "little")
