"""Who may write a document's file, and what stands beside it: the lock, side files, replacing in one step.

SQLite keeps an unfinished change in a file beside the document (NAME-journal; up to version 0005 of
documents NAME-wal and NAME-shm). Such a file belongs to one life of the document. Applied to another
file of that name it ruins it: whoever puts a new file in the place ends the life of the old one first.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import DocumentError, MissingDocumentError
from core.file_lock import FileLock, HeldError, take
from core.leftovers import Entered, enter
from core.message import message
from core.placing import put_file, sync_folder
from db.recognise import is_document

SIDE_FILES: Final = ("-journal", "-wal", "-shm")
_WAIT_S: Final = 5.0
_SOON_S: Final = 0.5
"""How long another process may take to tidy up, or to write one note."""
_PAGES: Final = 4_096
"""Pages that are copied between two looks at whether the work was stopped: 16 MiB."""
_WAL: Final = b"\x02\x02"
"""Bytes 18 and 19 of a file that keeps a write-ahead log."""


def real(path: str | Path) -> Path:
    """The file itself, where `path` is a link: SQLite keeps its journal there, and the lock stands there."""
    return Path(os.path.realpath(path))


def lock_of(target: Path) -> Path:
    """The file that whoever writes the document holds locked."""
    return target.with_name(f".{target.name}.lock")


class Ownership:
    """A document is this process's to write until `release`."""

    def __init__(self, lock: FileLock, entered: Entered) -> None:
        """Use `own`."""
        self._lock, self._entered = lock, entered

    def release(self) -> None:
        """Let others write it. A second call does nothing."""
        self._lock.release()
        self._entered.done()


def own(target: Path) -> Ownership:
    """Take the document for writing. `target` is `real`.

    If this process dies, the lock file stays, perhaps beside no document: the next start removes it.
    Raises DocumentError where another process has it, OSError where the folder cannot be written.
    """
    entered = enter(lock_of(target), "lock")
    try:
        lock = _taken(lock_of(target))
    except HeldError as error:
        entered.done()
        raise DocumentError(
            message("error.document.elsewhere"),
            why=message("error.document.elsewhere.holder", holder=str(error)),
            where=str(target),
            background=message("error.document.elsewhere.meanwhile"),
            advice=message("error.document.elsewhere.way-out"),
        ) from error
    except BaseException:
        entered.done()
        raise
    owner = Ownership(lock, entered)
    try:
        _remove_part_of_earlier_version(target)
    except BaseException:
        owner.release()
        raise
    return owner


def _remove_part_of_earlier_version(target: Path) -> None:
    """Remove NAME.part as killed processes left it up to version 0005; a file of another kind stays."""
    part = _side(target, ".part")
    if is_document(part) or (part.is_file() and not _size(part)):
        part.unlink(missing_ok=True)


def _taken(path: Path) -> FileLock:
    """The lock; a holder that is about to let go is waited for."""
    end = time.monotonic() + _SOON_S
    while True:
        try:
            return take(path)
        except HeldError:
            if time.monotonic() >= end:
                raise
        time.sleep(_SOON_S / 10)


@contextmanager
def owned(target: Path) -> Generator[None]:
    """The document is this process's to write. Raises as `own` does."""
    lock = own(target)
    try:
        yield
    finally:
        lock.release()


def may_write(target: Path) -> bool:
    """Whether the file and its folder can be written, so that SQLite can recover what a killed owner left."""
    return os.access(target, os.W_OK) and os.access(target.parent, os.W_OK)


def is_unfinished(target: Path) -> bool:
    """Whether a side file holds what belongs to the document."""
    return any(_size(_side(target, ending)) for ending in ("-journal", "-wal"))


def keeps_wal(target: Path) -> bool:
    """Whether the file says that a write-ahead log goes with it, be there one or not."""
    try:
        with target.open("rb") as file:
            return file.read(20)[18:] == _WAL
    except OSError:
        return False


def tidy(target: Path) -> None:
    """Remove what a killed owner left beside the document. Does nothing while a living one is at work."""
    if not may_write(target):
        return
    if lock_of(target).exists() or any(_side(target, ending).exists() for ending in SIDE_FILES):
        with suppress(HeldError, OSError):
            lock = take(lock_of(target))
            try:
                finish(target)
            finally:
                lock.release()
    elif keeps_wal(target):
        # A living process of an earlier version of the program may be using it: then it stays as it is.
        with suppress(sqlite3.Error, OSError):
            recover(target)


def finish(target: Path) -> None:
    """Leave nothing beside a document that the caller owns. What is damaged or in use stays as it is."""
    if keeps_wal(target) or any(_side(target, ending).exists() for ending in SIDE_FILES):
        with suppress(sqlite3.Error, OSError):
            recover(target)


def recover(target: Path) -> None:
    """Take back or carry out what a killed owner left beside the document, so that it is one file again.

    Raises sqlite3.Error, as for a file that is damaged or that a living process has in use.
    """
    uri = f"{target.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_S, isolation_level=None)
    try:
        ((mode,),) = connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        there = [side for ending in SIDE_FILES if (side := _side(target, ending)).exists()]
        if mode == "delete" and there and not _side(target, "-wal").exists():
            # A journal whose first change was not begun, or the index of a log that is gone: SQLite leaves
            # them, and reads them no more. While nobody else can use the document, they are nobody's.
            connection.execute("BEGIN EXCLUSIVE")
            for side in there:
                side.unlink(missing_ok=True)
            connection.execute("ROLLBACK")
    finally:
        connection.close()


def put(part: Path, target: Path) -> None:
    """Give a finished file its name in one step, with no side file of what stood there before.

    The caller owns `target`. Raises OSError, and sqlite3.OperationalError where a living process uses it.
    """
    if is_document(target) and (is_unfinished(target) or keeps_wal(target)):
        # A kill between the next two steps must find the old document whole.
        with suppress(sqlite3.DatabaseError):
            _recover_unless_used(target)
    for ending in SIDE_FILES:
        _side(target, ending).unlink(missing_ok=True)
    sync_folder(target.parent)
    put_file(part, target)


def copied_with_journal(target: Path, folder: Path) -> Path:
    """A copy in `folder` of a document that nobody writes, with what was left beside it. Raises OSError."""
    for ending in ("", "-journal", "-wal"):
        file = _side(target, ending)
        if file.exists():
            shutil.copyfile(file, folder / file.name)
    return folder / target.name


def copy_database(
    source: sqlite3.Connection, part: Path, step: Callable[[int, int], None] = lambda _done, _total: None
) -> None:
    """Copy what `source` reads into a new file without side files. `step` hears pages done, and of how many.

    Raises sqlite3.Error, and what `step` raises.
    """
    with closing(sqlite3.connect(part)) as copy:
        source.backup(copy, pages=_PAGES, progress=lambda _status, left, total: step(total - left, total))
        copy.execute("PRAGMA journal_mode=DELETE").fetchall()


def _recover_unless_used(target: Path) -> None:
    """As `recover`; what is damaged need not be recovered, as it is replaced."""
    try:
        recover(target)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise InUseError(str(error)) from error
        raise


class InUseError(Exception):
    """A living process has the file open, and is in the middle of a change."""


@dataclass(frozen=True, slots=True)
class Place:
    """The file that was opened. While a connection to it is open, no other file can have its number."""

    path: Path
    device: int
    inode: int

    def check(self) -> None:
        """Raise MissingDocumentError unless the file that was opened still stands there."""
        try:
            there = self.path.stat()
        except OSError:
            there = None
        if there is None:
            raise MissingDocumentError(
                message("error.document.gone"),
                where=str(self.path),
                background=message("error.document.kept-in-window"),
                advice=message("error.document.save-anywhere"),
            )
        if (there.st_dev, there.st_ino) != (self.device, self.inode):
            raise MissingDocumentError(
                message("error.document.other-file"),
                why=message("error.document.other-file.why"),
                where=str(self.path),
                background=message("error.document.kept-in-window"),
                advice=message("error.document.save-elsewhere"),
            )


def place_of(path: Path) -> Place:
    """The file that stands there now. Raises OSError."""
    there = path.stat()
    return Place(path, there.st_dev, there.st_ino)


def _side(target: Path, ending: str) -> Path:
    return target.with_name(f"{target.name}{ending}")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
