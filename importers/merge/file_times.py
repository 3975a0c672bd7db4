"""Times of files: those of the broker's own writes, and those that a copy has made."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from core.assumptions import COPIED_FILES_LIE_WITHIN, FILE_AFTER_LOGS_AT_MOST, FILE_BEFORE_LOGS_AT_MOST
from core.trace.units import SECOND_NS
from importers.merge.files import ReadFile

_FEW: Final = 3
"""Fewer files than these may well have been written at once."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time that the logs cover; None where there is no log."""

    first: int | None
    last: int | None

    def believes(self, at: int | None) -> bool:
        """Whether a modification time can be that of the broker's own write."""
        if at is None:
            return False
        if self.first is None or self.last is None:
            return True
        return self.first - FILE_BEFORE_LOGS_AT_MOST.ns <= at <= self.last + FILE_AFTER_LOGS_AT_MOST.ns


def written_at(file: ReadFile) -> int | None:
    """The latest moment at which a file was written: a container of whole seconds has cut the rest off."""
    if file.mtime_ns is None:
        return None
    return file.mtime_ns + (SECOND_NS - 1 if file.mtime_ns % SECOND_NS == 0 else 0)


def copied_anew(files: Iterable[ReadFile]) -> frozenset[str]:
    """The data directories whose files all have the time of a copy (`cp -r`): they lie within two seconds.

    A broker writes its files one after the other while it runs: meta.properties and the first segments when
    it starts, checkpoints every few seconds, the last segments with each record.
    """
    return frozenset(
        name
        for name, times in _times(files).items()
        if len(times) >= _FEW and max(times) - min(times) <= COPIED_FILES_LIE_WITHIN.ns
    )


def untimed_copies(files: Iterable[ReadFile], span: Span) -> frozenset[str]:
    """The earlier copies of data directories of which nobody knows when they were made.

    Those with the time of a later copy, and those whose files are all later than the last line of any log:
    a copy that was made before the end has an older one.
    """
    earlier = [one for one in files if one.place is not None and one.place.snapshot]
    late = {
        name
        for name, times in _times(earlier).items()
        if not any(span.believes(at) for at in times) or (span.last is not None and min(times) > span.last)
    }
    return copied_anew(earlier) | late


def _times(files: Iterable[ReadFile]) -> dict[str, list[int]]:
    """The modification times of the files of each data directory."""
    found: dict[str, list[int]] = {}
    for one in files:
        if one.place is not None and one.mtime_ns is not None:
            found.setdefault(one.place.directory, []).append(one.mtime_ns)
    return found
