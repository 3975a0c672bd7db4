"""Is this file a document? Answered from its first hundred bytes, without SQLAlchemy."""

from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x54494447
"""The four letters TIDG, which SQLite keeps at byte 68 of the file."""
SUFFIX: Final = ".tide"


def is_document(path: str | Path) -> bool:
    """Whether `path` is a SQLite file of this program, of whatever version. False where it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:72], "big") == APPLICATION_ID
