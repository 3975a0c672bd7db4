"""Where tracing is forbidden: the writing calls of this process, counted and stopped from inside.

SQLite lets whoever asks put another function in the place of a system call (`xSetSystemCall` of its VFS; its
own crash tests do so): here a function of Python, by ctypes. Python's own calls are those of `os`. Two kinds
are not seen: fsync and fdatasync of SQLite, which change nothing that outlives a kill, and the writes of
Python's file objects, of which the opening is seen.
"""

import ctypes
import ctypes.util
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

NAMES: Final = (
    "open", "write", "ftruncate", "fsync", "rename", "replace", "unlink", "remove", "mkdir", "rmdir",
)  # fmt: skip
_OFFSET: Final = ctypes.c_int64
_CALLS: Final[dict[str, tuple[Any, ...]]] = {
    "open": (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_int),
    "write": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t),
    "pwrite": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _OFFSET),
    "pwrite64": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _OFFSET),
    "ftruncate": (ctypes.c_int, ctypes.c_int, _OFFSET),
    "unlink": (ctypes.c_int, ctypes.c_char_p),
}
"""What they give, and what they take."""


class _Vfs(ctypes.Structure):
    """sqlite3_vfs, version 3: https://www.sqlite.org/c3ref/vfs.html."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("next", "name", "data")),
        *((f"method_{number}", ctypes.c_void_p) for number in range(13)),
        ("set", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)),
        ("get", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)),
    )


def _library() -> ctypes.CDLL:
    """The SQLite that Python's sqlite3 uses. Raises OSError where it is not a library of its own."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text(encoding="utf-8").splitlines() if maps.exists() else []
    loaded = [line.split()[-1] for line in lines if "/libsqlite3." in line]
    library = ctypes.CDLL(loaded[0] if loaded else ctypes.util.find_library("sqlite3"))
    library.sqlite3_libversion.restype = ctypes.c_char_p
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    if library.sqlite3_libversion().decode() != sqlite3.sqlite_version:
        message = "Python has an SQLite of its own"
        raise OSError(message)
    return library


def is_possible() -> bool:
    """Whether the calls of SQLite can be seen here."""
    try:
        return bool(_library().sqlite3_vfs_find(None).contents.get(None, b"open"))
    except (OSError, AttributeError):
        return False


class _Twin:
    def __init__(self, run: Path, stop: int, error: int, log: str) -> None:
        self.run, self.stop, self.error = str(run), stop, error
        self.count = 0
        self.paths: dict[int, str] = {}
        self.really = {name: getattr(os, name) for name in NAMES}
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.log = self.really["open"](log, flags, 0o600) if log else -1

    def refuses(self, name: str, path: str) -> bool:
        """Take a call in; die at the one that was asked for, or say whether it is to fail."""
        if not path.startswith(self.run):
            return False
        self.count += 1
        if self.log >= 0:
            os.writev(self.log, [f"{name} {path}\n".encode()])
        if self.count != self.stop:
            return False
        if not self.error:
            os.kill(os.getpid(), signal.SIGKILL)
        return True


def install(run: Path, *, stop: int = 0, error: int = 0, log: str = "") -> None:
    """Kill this process before its writing call number `stop` (from 1), or have that call fail with `error`.

    `log` is a file that names each call that was begun. Calls outside of the folder `run` do not count.
    """
    twin = _Twin(run, stop, error, log)
    for name in NAMES:
        setattr(os, name, _of_python(twin, name))
    library = _library()
    vfs = library.sqlite3_vfs_find(None)
    for name, types in _CALLS.items():
        before = vfs.contents.get(ctypes.cast(vfs, ctypes.c_void_p), name.encode())
        if before:
            kind = ctypes.CFUNCTYPE(*types, use_errno=True)
            function = kind(_of_sqlite(twin, name, kind(before)))
            _ALIVE.append(function)
            vfs.contents.set(
                ctypes.cast(vfs, ctypes.c_void_p), name.encode(), ctypes.cast(function, ctypes.c_void_p)
            )


_ALIVE: Final[list[Any]] = []
"""SQLite holds pointers to them."""


def _of_python(twin: _Twin, name: str) -> Callable[..., Any]:
    really = twin.really[name]

    def call(first: Any, *rest: Any, **more: Any) -> Any:
        path = twin.paths.get(first, "") if isinstance(first, int) else os.fsdecode(os.fspath(first))
        counts = name != "open" or bool(rest and rest[0] & os.O_CREAT)
        if counts and twin.refuses(name, path):
            raise OSError(twin.error, os.strerror(twin.error), path)
        result = really(first, *rest, **more)
        if name == "open":
            twin.paths[result] = path
        return result

    return call


def _of_sqlite(twin: _Twin, name: str, really: Callable[..., int]) -> Callable[..., int]:
    def call(first: Any, *rest: Any) -> int:
        path = twin.paths.get(first, "") if isinstance(first, int) else os.fsdecode(first)
        counts = name != "open" or bool(rest[0] & os.O_CREAT)
        if counts and twin.refuses(name, path):
            ctypes.set_errno(twin.error)
            return -1
        result = really(first, *rest)
        if name == "open" and result >= 0:
            twin.paths[result] = path
        return result

    return call
