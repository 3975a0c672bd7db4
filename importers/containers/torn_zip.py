"""A zip whose end is missing, as a broken download leaves it: the files that are there whole.

Its table of contents stands at its end. Before each file are its name and its length, but where the zip was
written as a stream (`zip -`): there nothing is read.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import IO, Final

_HEADER: Final = struct.Struct("<4sHHHHHIIIHH")
_MAGIC: Final = b"PK\x03\x04"
_LOCKED_OR_STREAMED: Final = 0x0009
_IN_UTF_8: Final = 0x0800
_STORED: Final = 0
_DEFLATED: Final = 8
_GZIP: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_CHECKS: Final = struct.Struct("<II")


def files_before_the_end(file: IO[bytes], size: int) -> Iterator[tuple[str, bytes]]:
    """The name and content of each, packed as a gzip file where it is packed; `size` is that of the zip."""
    at = 0
    while at + _HEADER.size <= size:
        file.seek(at)
        magic, _, flags, method, _, _, checksum, packed, plain, named, extra = _HEADER.unpack(
            file.read(_HEADER.size)
        )
        begin = at + _HEADER.size + named + extra
        if magic != _MAGIC or flags & _LOCKED_OR_STREAMED or begin + packed > size:
            return
        name = file.read(named).decode("utf-8" if flags & _IN_UTF_8 else "cp437", "replace")
        file.seek(begin)
        content = file.read(packed)
        if method == _DEFLATED:
            yield name, _GZIP + content + _CHECKS.pack(checksum, plain)
        elif method == _STORED and zlib.crc32(content) == checksum and not name.endswith("/"):
            yield name, content
        at = begin + packed
