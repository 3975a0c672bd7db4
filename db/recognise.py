"""Is this file a document? Answered from its first hundred bytes, without SQLAlchemy."""

import os
import stat
from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x54494447
"""The four letters TIDG, which SQLite keeps at byte 68 of the file."""
SUFFIX: Final = ".tide"
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def is_document(path: str | Path) -> bool:
    """Whether `path` is a SQLite file of this program, of whatever version. False where it cannot be read.

    Only a file is opened: a named pipe would be waited for, and reading a device may change it. Should
    something else take its place in between, opening it does not wait (open(2), O_NONBLOCK).
    """
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return False
        descriptor = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
        with os.fdopen(descriptor, "rb") as file:
            head = file.read(72) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:72], "big") == APPLICATION_ID
