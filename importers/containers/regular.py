"""Only files are read: a pipe would be waited for, a device has no end, a socket cannot be opened."""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final, LiteralString

from core.errors import Facts, at
from core.message import Message, message
from core.words import text

_KINDS: Final[Sequence[tuple[Callable[[int], bool], LiteralString]]] = (
    (stat.S_ISFIFO, "kind.pipe"),
    (stat.S_ISSOCK, "kind.socket"),
    (stat.S_ISCHR, "kind.device"),
    (stat.S_ISBLK, "kind.disk"),
)
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NoFileError(OSError):
    """What is to be read is no file. `kind` says what it is."""

    def __init__(self, kind: Message, path: str) -> None:
        """`path` is what was to be read."""
        super().__init__(0, text(kind), path)
        self.kind = kind


def open_file(path: Path) -> IO[bytes]:
    """A file for reading, links followed.

    Raises NoFileError for what is no file, before it is opened, and OSError. Where something else takes the
    place of the file in between, opening it does not wait (open(2), O_NONBLOCK).
    """
    _check(path, path.stat())
    descriptor = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
    try:
        _check(path, os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check(path: Path, found: os.stat_result) -> None:
    what = _kind(found.st_mode)
    if what is not None:
        raise NoFileError(what, str(path))


def _kind(mode: int) -> Message | None:
    return next((message(id_) for test, id_ in _KINDS if test(mode)), None)


def what_it_is(path: Path) -> Message | None:
    """What is at a path where that is no file and no folder; None for those and for nothing."""
    try:
        return _kind(path.stat().st_mode)
    except OSError:
        return message("kind.loose-link") if path.is_symlink() else None


def left_out(path: Path) -> Facts | None:
    """Why something in a folder is not read that is neither a file nor a folder; None for those."""
    what = what_it_is(path)
    if what is None:
        return None
    return Facts(
        message("error.source.no-file"),
        why=message("error.source.no-file.why", kind=what),
        where=at(str(path)),
        background=message("error.source.no-file.background"),
    )
