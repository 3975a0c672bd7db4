"""A lock that other processes see: a small file that names its holder, locked by the operating system.

The system ends the lock with the process that holds it, however that process dies. What a dead process
leaves is the file alone, and whoever comes next takes it over.

On a network file system the lock is as good as the server: NFS and SMB pass it on to other machines. Where
a file system knows no locks at all, the text of the file decides: a holder on this machine whose process is
gone is dead, any other is alive (docs/adr/0014).
"""

import errno
import json
import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core.trace.units import SECOND_NS

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

_UNSUPPORTED: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
_TRIES: Final = 100
"""Each failed try means that another process let the lock go meanwhile."""
_LONGEST_TEXT: Final = 4_096
_FAR_BYTE: Final = 1 << 30
"""Windows locks bytes, and nobody else may then read them: one far behind the text."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock: the process id on a machine, and since when (ns, UTC: when the file was written)."""

    process: int
    host: str
    since_ns: int

    def __str__(self) -> str:
        since = datetime.fromtimestamp(self.since_ns // SECOND_NS, UTC)
        return f"process {self.process} on {self.host}, since {since:%Y-%m-%d %H:%M:%S} UTC"


class HeldError(Exception):
    """Somebody else holds the lock; `holder` is None where the file does not say who."""

    def __init__(self, holder: Holder | None) -> None:
        """`holder` is what the file says."""
        super().__init__(str(holder or "an unknown process"))
        self.holder = holder


class FileLock:
    """A lock that this process holds until `release`."""

    def __init__(self, path: Path, handle: int) -> None:
        """Use `take`."""
        self.path = path
        self._handle = handle

    def release(self) -> None:
        """Remove the file and end the lock. A second call does nothing."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        # Removed while it is still locked: whoever has just opened it finds out that it is gone.
        if fcntl is not None:
            with suppress(OSError):
                self.path.unlink()
        os.close(handle)
        if fcntl is None:  # Windows removes no open file.
            with suppress(OSError):
                self.path.unlink()


def take(path: Path) -> FileLock:
    """Take the lock of this file, which is made where there is none.

    Raises HeldError at once where somebody else has it, and OSError where the file cannot be made.
    """
    for _ in range(_TRIES):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        free = mine = taken = False
        try:
            free = _locked(path, handle)
            mine = free and _is_still(path, handle)
            if mine:
                _write(handle)
                taken = True
                return FileLock(path, handle)
        finally:
            if mine and not taken:
                # The disk is full, say: a file without a text is no use to anybody.
                with suppress(OSError):
                    path.unlink()
            if not taken:
                os.close(handle)
        if not free:
            break
    raise HeldError(holder_of(path))


def holder_of(path: Path) -> Holder | None:
    """Who the file says holds it; None where it says nothing."""
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_LONGEST_TEXT))
            return Holder(int(said["process"]), str(said["host"]), os.fstat(file.fileno()).st_mtime_ns)
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _locked(path: Path, handle: int) -> bool:
    """Whether the lock is this process's now."""
    try:
        _lock(handle)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return _is_dead(holder_of(path))
        if isinstance(error, BlockingIOError | PermissionError):
            return False
        raise
    return True


def _lock(handle: int) -> None:
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt  # noqa: PLC0415 - only on Windows

    os.lseek(handle, _FAR_BYTE, os.SEEK_SET)
    msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    os.lseek(handle, 0, os.SEEK_SET)


def _is_dead(holder: Holder | None) -> bool:
    """Without the system's locks: whether the process that the file names is known to be gone."""
    if holder is None:
        return True
    # Windows always has locks, and its os.kill(…, 0) is not harmless.
    if fcntl is None or holder.host != socket.gethostname():
        return False
    try:
        os.kill(holder.process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _is_still(path: Path, handle: int) -> bool:
    """Whether the locked file is the one that stands there: its holder may have removed it meanwhile."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _write(handle: int) -> None:
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, json.dumps({"process": os.getpid(), "host": socket.gethostname()}).encode())
