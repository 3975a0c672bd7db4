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
from importers.prepared.data_set import is_prepared, read_manifest

_TRIES: Final = 3
_PAUSE_S: Final = 0.1


def continues(out: Path, sources: Sequence[str]) -> bool:
    """Whether `out` is a data set that these sources go on with: they are all that it was made from, or more.

    False where nothing is there. Raises DocumentError for anything else.
    """
    if not os.path.lexists(out):
        return False
    advice = "Choose another name, or say --replace"
    if not is_prepared(out):
        raise DocumentError(f"{out} exists", advice=advice)
    try:
        before = read_manifest(out).get("provenance", {}).get("sources")
    except SourceError as error:
        raise DocumentError(f"{out} cannot be continued", why=error.facts.why, advice=advice) from error
    if not before:
        raise DocumentError(f"{out} exists", why="It was not made from logs", advice=advice)
    if missing := [source for source in before if source not in sources]:
        raise DocumentError(
            f"{out} holds other logs", why=f"It was made from {', '.join(missing)} too", advice=advice
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
        raise DocumentError(f"{out} exists", advice="Choose another name, or say --replace")
    if not is_prepared(there) and not (there.is_dir() and not any(there.iterdir())):
        raise DocumentError(
            f"{out} is not a data set of Tidegauge, so it is not replaced", advice="Choose another name"
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
            "Another run is writing this data set",
            why=f"By {error.holder}" if error.holder else "",
            where=str(out),
            advice="Wait until it has ended, or choose another name",
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
        "The data set cannot be written",
        # pyarrow's own words name its source code where the system has two.
        why=os.strerror(error.errno) if error.errno else str(error),
        where=str(out),
        advice="Check that the folder is there, that you may write into it, and that the disk has room",
    )
