"""Give a finished file or folder its name in one step: a kill or a power loss leaves the old or the new.

The bytes are synced before the rename and the folder after it: a name never stands for bytes that were lost.
"""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.leftovers import discard, swapping

_HERE: Final = -100
"""AT_FDCWD of Linux: paths are what they are."""
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE of Linux, and RENAME_SWAP of macOS."""
_UNSUPPORTED: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV})


def put_file(part: Path, target: Path) -> None:
    """Rename a whole file to `target`, which it replaces. Raises OSError; then `target` is as it was."""
    sync(part)
    part.replace(target)
    sync_folder(target.parent)


def put_folder(part: Path, target: Path, check: Callable[[Path], None]) -> None:
    """Rename a whole folder to `target`. What stood there is removed, if `check` of it does not raise.

    Raises OSError and what `check` raises; then `target` is as it was. Where the system can exchange two
    names (Linux, macOS), something stands at `target` at every moment; else there is a moment at which
    nothing does, and if the process dies in it the next start puts the old one back (core/sweeping.py).
    """
    for folder, _, files in os.walk(part):
        for name in files:
            sync(Path(folder) / name)
        sync_folder(Path(folder))
    if not os.path.lexists(target):
        part.rename(target)
    elif exchange(part, target):
        try:
            check(part)
        except BaseException:
            exchange(part, target)
            raise
        discard(part)
    else:
        with swapping(part, target) as old:
            target.rename(old)
            check(old)
            part.rename(target)
    sync_folder(target.parent)


def exchange(one: Path, other: Path) -> bool:
    """Let two files or folders of one file system change their names in one step.

    False where the system or the file system cannot. Raises OSError.
    """
    import ctypes  # noqa: PLC0415 - only where a folder is replaced

    names = os.fsencode(one), os.fsencode(other)
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
    if sys.platform == "linux" and hasattr(libc, "renameat2"):
        failed = libc.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)
    elif sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        failed = libc.renamex_np(*names, _EXCHANGE)
    else:
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(one), None, str(other))


def sync(file: Path) -> None:
    """Wait until the bytes of a file are on the disk. Raises OSError."""
    _sync(file, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can."""
    if sys.platform != "win32":
        with suppress(PermissionError):  # A folder that may be written into and not read.
            _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    finally:
        os.close(handle)
