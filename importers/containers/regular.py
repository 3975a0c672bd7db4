"""Only files are read: a pipe would be waited for, a device has no end, a socket cannot be opened."""

import os
import stat
from pathlib import Path
from typing import IO, Final

from core.errors import Facts

_KINDS: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a disk"),
)
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NoFileError(OSError):
    """What is to be read is no file. `strerror` says what it is."""


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
        raise NoFileError(0, what, str(path))


def _kind(mode: int) -> str | None:
    return next((what for test, what in _KINDS if test(mode)), None)


def what_it_is(path: Path) -> str | None:
    """What is at a path where that is no file and no folder, in words; None for those and for nothing."""
    try:
        return _kind(path.stat().st_mode)
    except OSError:
        return "a link that leads nowhere" if path.is_symlink() else None


def left_out(path: Path) -> Facts | None:
    """Why something in a folder is not read that is neither a file nor a folder; None for those."""
    what = what_it_is(path)
    if what is None:
        return None
    return Facts(
        "It is no file",
        why=f"it is {what}",
        where=str(path),
        background="Only files are opened: a pipe would be waited for, and a device has no end",
    )
