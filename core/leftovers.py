"""What this process is making on the disk, written down before it exists, so that a kill leaves nothing.

Whoever makes a file or folder that must not outlive the work enters it here: `staging` for what is renamed
to a target at the end, `scratch_folder` for what only this process needs, `swapping` for a folder whose
former version stands aside for a moment, `enter` for the rest. Entries go into a file in a folder of the
user's own, locked for as long as this process lives. The next start reads the files of dead processes and
removes what they list (core/sweeping.py).

Where that folder cannot be made, and where its disk is full, the work goes on without entries. Nothing is
synced: entries survive every kill, but not always a power loss.
"""

import json
import os
import socket
import threading
import weakref
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from core.file_lock import FileLock, HeldError, take
from core.state_folder import making_folder

ENTRIES: Final = ".entries"
LOCK: Final = ".lock"
VERSION: Final = 1
SIDE_FILES: Final = ("", "-journal", "-wal", "-shm")
"""A file, and what SQLite may have written beside it."""
SCRATCH: Final = "tidegauge-"
_LONGEST_NAME: Final = 200
"""Bytes of the target's name that a name beside it repeats: file systems allow 255 in all."""
_TRIES: Final = 3


def token() -> str:
    """16 hexadecimal digits that nobody else has."""
    return os.urandom(8).hex()  # noqa: TID251 - it names a file, and no result depends on it


def beside(target: Path, ending: str, *, hidden: bool = False) -> Path:
    """A name in the folder of `target` that nobody else has: NAME.0123456789abcdef.ENDING."""
    name = os.fsencode(target.name)[:_LONGEST_NAME].decode(errors="ignore")
    return target.with_name(f"{'.' if hidden else ''}{name}.{token()}.{ending}")


class _Register:
    """The file of this process. It is there while something is entered, and locked as long."""

    def __init__(self) -> None:
        self._guard = threading.RLock()
        self._reset()

    def _reset(self) -> None:
        self._process, self._last = os.getpid(), 0
        self._lock: FileLock | None = None
        self._file = -1
        self._path = Path()
        self._open: set[int] = set()
        self._kept = False

    def enter(self, fields: Mapping[str, Any]) -> int:
        """The number of a new entry; 0 where there is no register."""
        with self._guard:
            if self._process != os.getpid():
                # A fork shares the parent's lock, and must write nothing into the parent's file.
                self._reset()
            if self._lock is None and not self._begin():
                return 0
            self._last += 1
            if not self._write({"enter": self._last, **fields}):
                return 0
            self._open.add(self._last)
            return self._last

    def add(self, number: int, fields: Mapping[str, Any]) -> None:
        """Say more of an entry."""
        with self._guard:
            if number in self._open and self._process == os.getpid():
                self._write({**fields, "of": number})

    def leave(self, number: int, *, kept: bool = False) -> None:
        """Take an entry out; `kept`: it stays for the next start."""
        with self._guard:
            if number not in self._open or self._process != os.getpid():
                return
            self._open.discard(number)
            self._kept |= kept
            if not kept:
                self._write({"done": number})
            if not self._open:
                self._end()

    def _begin(self) -> bool:
        folder = making_folder()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for _ in range(_TRIES):
                name = token()
                with suppress(HeldError):  # The next start of another process was quicker.
                    self._lock = take(folder / f"{name}{LOCK}")
                    break
            else:
                return False
            self._path = folder / f"{name}{ENTRIES}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._file = os.open(self._path, flags, 0o600)
        except OSError:
            self._end()
            return False
        header = {"tidegauge": VERSION, "host": socket.gethostname(), "process": os.getpid()}
        return self._write(header)

    def _end(self) -> None:
        """Close the file, and remove it unless the next start has to read it."""
        if self._file >= 0:
            os.close(self._file)
            if not self._kept:
                with suppress(OSError):
                    self._path.unlink()
        if self._lock is not None:
            self._lock.release()
        self._reset()

    def _write(self, line: Mapping[str, Any]) -> bool:
        # The line end comes first: what a full disk cut off does not spoil the next line.
        text = b"\n" + json.dumps(line).encode()
        try:
            return os.write(self._file, text) == len(text)
        except OSError:
            return False


_REGISTER: Final = _Register()


class Entered:
    """Something that the next start removes if this process dies before `done`."""

    def __init__(self, path: Path, kind: str, **more: object) -> None:
        """Use `enter`."""
        self.path = path
        self._number = _REGISTER.enter({"kind": kind, "path": str(path), **more})

    def add(self, **fields: object) -> None:
        """Say more of it, in the words of core/sweeping.py."""
        _REGISTER.add(self._number, fields)

    def identify(self) -> None:
        """Write down which file or folder it is, now that it exists. Raises OSError where it does not."""
        found = self.path.lstat()
        self.add(device=found.st_dev, inode=found.st_ino)

    def done(self, *, kept: bool = False) -> None:
        """The next start need not remove it. `kept`: it is left on purpose, and `doctor` tells of it."""
        _REGISTER.leave(self._number, kept=kept)


def enter(path: Path, kind: str, target: Path | None = None) -> Entered:
    """Enter something before it exists. `kind` is one of core/sweeping.py, which says what becomes of it.

    `target` is what it is made for.
    """
    return Entered(_settled(path), kind, **({} if target is None else {"target": str(_settled(target))}))


@contextmanager
def staging(target: Path, *, hidden: bool = False) -> Generator[Path]:
    """A name beside `target` that nobody else has, for what is renamed to `target` when it is whole.

    Nothing stands there at first. What stands there at the end of the block is removed, with the side files
    of SQLite; the next start does the same if this process dies in the block.
    """
    part = beside(target, "part", hidden=hidden)
    entered = enter(part, "part")
    try:
        yield part
    finally:
        if discard(part):
            entered.done()


@contextmanager
def swapping(part: Path, target: Path) -> Generator[Path]:
    """A name for the former `target` while `part` takes its place; `part` must exist.

    If this process dies while nothing stands at `target`, the next start puts the former one back. At the end
    of the block the former one is removed where `part` stands at `target`, and put back where nothing does.
    """
    old = beside(target, "old")
    entered = enter(old, "former", target)
    made = part.lstat()
    entered.add(device=made.st_dev, inode=made.st_ino)
    try:
        yield old
    finally:
        if not os.path.lexists(target) and os.path.lexists(old):
            old.rename(target)
        if not os.path.lexists(old) or (is_same(target, made.st_dev, made.st_ino) and discard(old)):
            entered.done()


class Scratch:
    """A temporary folder of this process: removed by `close`, when the program ends, or by the next start."""

    def __init__(self, path: Path, entered: Entered) -> None:
        """Use `scratch_folder`."""
        self.path = path
        self._entered = entered
        self._end = weakref.finalize(self, _close, path, entered, os.getpid())

    def keep(self, document: Path, name: str = "") -> None:
        """From now on a person's work is in this document of the folder, by a name that the person knows.

        Call it before the first note is written into it. If this process dies, the next start does not remove
        the folder: core/sweeping.py `found_documents` lists the document, to be offered.
        """
        self._entered.add(keep=str(document.relative_to(self.path)), name=name)

    def forget(self, document: Path) -> None:
        """What is in the document is saved elsewhere: nothing of it needs to be offered."""
        self._entered.add(forget=str(document.relative_to(self.path)))

    def close(self) -> None:
        """Remove the folder and all that is in it. A second call does nothing."""
        self._end()

    def __enter__(self) -> Self:
        """It is there."""
        return self

    def __exit__(self, *_: object) -> None:
        """It is gone."""
        self.close()


def scratch_folder(prefix: str = SCRATCH) -> Scratch:
    """A new folder for this user alone, where temporary files go. `prefix` begins with "tidegauge-".

    Raises OSError where it cannot be made.
    """
    import tempfile  # noqa: PLC0415 - only where somebody needs a folder

    path = _settled(Path(tempfile.gettempdir()) / f"{prefix}{token()}")
    entered = enter(path, "scratch")
    try:
        path.mkdir(mode=0o700)
    except OSError:
        entered.done()
        raise
    return Scratch(path, entered)


def _close(path: Path, entered: Entered, process: int) -> None:
    if os.getpid() == process and discard(path):
        entered.done()


def discard(path: Path) -> bool:
    """Remove a file with the side files of SQLite, or a folder; follow no symbolic link.

    Gives whether nothing is left.
    """
    import shutil  # noqa: PLC0415 - it takes longer to load than what has nothing to remove

    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            for ending in SIDE_FILES:
                path.with_name(path.name + ending).unlink(missing_ok=True)
    return not os.path.lexists(path)


def is_same(path: Path, device: int, inode: int) -> bool:
    """Whether this very file or folder stands there."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (device, inode)


def _settled(path: Path) -> Path:
    """The same place by an absolute name without links in it, whatever the last part is."""
    return Path(os.path.realpath(path.parent)) / path.name
