"""What stands where a data set is to be written. Needs no Spark: the window asks before a job begins."""

import os
from collections.abc import Sequence
from pathlib import Path

from core.errors import DocumentError, SourceError
from importers.prepared import is_prepared, read_manifest


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


def check_target(out: Path, *, replace: bool) -> None:
    """Raise DocumentError unless `out` may be written."""
    if not os.path.lexists(out):
        return
    if not replace:
        raise DocumentError(f"{out} exists", advice="Choose another name, or say --replace")
    if not is_prepared(out) and not (out.is_dir() and not any(out.iterdir())):
        raise DocumentError(
            f"{out} is not a data set of Tidegauge, so it is not replaced", advice="Choose another name"
        )


def cannot_write(out: Path, error: OSError) -> DocumentError:
    """The one message for an output that the system refuses."""
    return DocumentError(
        "The data set cannot be written",
        # pyarrow's own words name its source code where the system has two.
        why=os.strerror(error.errno) if error.errno else str(error),
        where=str(out),
        advice="Check that the folder is there, that you may write into it, and that the disk has room",
    )
