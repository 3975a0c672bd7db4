"""What stands where a data set is to be written. Needs no Spark: the window asks before a job begins."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from core.errors import DocumentError, SourceError
from core.file_lock import FileLock, HeldError, take
from core.leftovers import enter
from core.message import Listing, message
from core.system_errors import reason
from importers.prepared.data_set import is_prepared, read_manifest

_TRIES: Final = 3
_PAUSE_S: Final = 0.1


def continues(out: Path, sources: Sequence[str]) -> bool:
    """Whether `out` is a data set that these sources go on with: they are all that it was made from, or more.

    False where nothing is there. Raises DocumentError for anything else.
    """
    if not os.path.lexists(out):
        return False
    advice = message("error.process.choose-or-replace")
    if not is_prepared(out):
        raise DocumentError(message("error.process.exists", path=str(out)), advice=advice)
    try:
        before = read_manifest(out).get("provenance", {}).get("sources")
    except SourceError as error:
        raise DocumentError(
            message("error.process.not-continued", path=str(out)), why=error.facts.why, advice=advice
        ) from error
    if not before:
        raise DocumentError(
            message("error.process.exists", path=str(out)),
            why=message("error.process.not-from-logs"),
            advice=advice,
        )
    if missing := [source for source in before if source not in sources]:
        raise DocumentError(
            message("error.process.other-logs", path=str(out)),
            why=message("error.process.other-logs.why", names=Listing(tuple(missing))),
            advice=advice,
        )
    return True


def check_target(out: Path, *, replace: bool, former: Path | None = None) -> None:
    """Raise DocumentError unless `out` may be written.

    `former` is where that stands now which stood at `out` a moment ago.
    """
    there = former or out
    if not os.path.lexists(there):
        return
    if not replace:
        raise DocumentError(
            message("error.process.exists", path=str(out)), advice=message("error.process.choose-or-replace")
        )
    if not is_prepared(there) and not (there.is_dir() and not any(there.iterdir())):
        raise DocumentError(
            message("error.process.no-data-set", path=str(out)), advice=message("error.command.choose-name")
        )


@contextmanager
def only_run(out: Path) -> Generator[None]:
    """In the block this run alone writes `out`, by a lock file .NAME.lock beside it that other processes see.

    Raises DocumentError at once where another run has it, and where the folder cannot be written into. A run
    that was killed has it no longer.
    """
    entered = enter(out.with_name(f".{out.name}.lock"), "lock")
    try:
        lock = _taken(entered.path)
    except HeldError as error:
        raise DocumentError(
            message("error.process.another-run"),
            why=message("error.document.elsewhere.holder", holder=str(error.holder))
            if error.holder
            else None,
            where=str(out),
            advice=message("error.process.another-run.way-out"),
        ) from error
    except OSError as error:
        raise cannot_write(out, error) from error
    else:
        try:
            yield
        finally:
            lock.release()
    finally:
        entered.done()


def _taken(path: Path) -> FileLock:
    """The lock. Raises HeldError, OSError."""
    for _ in range(_TRIES - 1):
        try:
            return take(path)
        except HeldError:
            # A program that starts looks for what dead runs left, and holds the lock for a moment.
            Event().wait(_PAUSE_S)
    return take(path)


def cannot_write(out: Path, error: OSError) -> DocumentError:
    """The one message for an output that the system refuses."""
    return DocumentError(
        message("error.process.cannot-write"),
        why=reason(error),
        where=str(out),
        advice=message("error.process.cannot-write.way-out"),
    )
