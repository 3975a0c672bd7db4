"""From when logs end, and when their files were written, to how far the times of files are ahead of lines.

A file is written with its last line. Where the files of several logs are later than these by one span, the
span is no work of the broker: a container without zones (zip) was unpacked elsewhere, the clock of the broker
is not that of the lines as they are corrected, or its zone is not known. The times of the files in its data
directory are ahead by as much.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.assumptions import COPIED_FILES_LIE_WITHIN, FILE_AFTER_LOGS_AT_MOST
from core.message import Duration, Message, message
from core.trace.units import QUARTER_NS, SECOND_NS
from importers.merge.files import ReadFile
from importers.merge.gathered import Gathered


@dataclass(frozen=True, slots=True)
class LogEnd:
    """A log of a broker: when its last line was written, corrected, and when its file was, both in ns."""

    broker: int
    last: int
    written: int

    @property
    def late(self) -> int:
        """How much later the file was written than the line."""
        return self.written - self.last


def files_ahead(logs: Iterable[LogEnd]) -> dict[int, int]:
    """By how many ns the times of files are ahead of the lines, by broker; only where logs show it.

    A broker of which too few logs are there has what all others have.
    """
    ends: dict[int, set[LogEnd]] = {}
    for log in logs:
        ends.setdefault(log.broker, set()).add(log)
    shown = {broker: late for broker, found in ends.items() if (late := _of_one_broker(found)) is not None}
    if len(shown) > 1 and max(shown.values()) - min(shown.values()) <= COPIED_FILES_LIE_WITHIN.ns:
        shown = dict.fromkeys(ends, min(shown.values())) | shown
    return {broker: late for broker, late in shown.items() if abs(late) > COPIED_FILES_LIE_WITHIN.ns}


def _of_one_broker(logs: set[LogEnd]) -> int | None:
    """The span by which at least half of the logs are late; None where they do not agree on one.

    Logs that end at one time show nothing: a copy of all of them is as late for each. Times in whole seconds
    were cut by less than one: the span is not below the largest that is seen.
    """
    least = min(log.late for log in logs)
    agree = [log for log in logs if log.late - least <= COPIED_FILES_LIE_WITHIN.ns]
    ends = [log.last for log in agree]
    if 2 * len(agree) < len(logs) or max(ends) - min(ends) <= COPIED_FILES_LIE_WITHIN.ns:
        return None
    cut = not any(log.written % SECOND_NS for log in agree)
    zones = round(least / QUARTER_NS) * QUARTER_NS
    # Of files whose times were cut, that of the least span is no later than its line.
    most = zones if cut else zones + COPIED_FILES_LIE_WITHIN.ns
    if zones - COPIED_FILES_LIE_WITHIN.ns <= least <= most:
        return zones
    return min(max(log.late for log in agree), least + SECOND_NS) if cut else least


def with_times_of_lines(gathered: Gathered, logs: Sequence[LogEnd]) -> tuple[Gathered, Mapping[int, int]]:
    """The files with their times on the clock of their broker's lines, and by how much they were ahead of it.

    `logs` are those of all brokers, on that clock.
    """
    ahead = files_ahead(logs)
    if not ahead:
        return gathered, ahead
    until = max(log.last for log in logs) + FILE_AFTER_LOGS_AT_MOST.ns
    files = tuple(
        file
        if owner.broker is None
        else _with_stamps_less(with_time_less(file, by := ahead.get(owner.broker, 0)), by, until)
        for file, owner in zip(gathered.files, gathered.owners, strict=True)
    )
    return replace(gathered, files=files), ahead


def with_time_less(file: ReadFile, ahead: int) -> ReadFile:
    """A file with the time that it has on the clock of the lines."""
    written = file.mtime_ns
    if not ahead or written is None:
        return file
    # What is cut to seconds stays so, and is no earlier than it was.
    by = ahead if written % SECOND_NS else ahead // SECOND_NS * SECOND_NS
    return replace(file, mtime_ns=written - by)


def _with_stamps_less(file: ReadFile, ahead: int, until: int) -> ReadFile:
    """A segment with the stamps that its batches have on the clock of the lines.

    Where producers stamped batches after all logs end, by as much as files are later, it is the lines that
    have another time. Else the stamps stay: producers have clocks of their own.
    """
    segment = file.segment
    stamps = [one.stamp_ns for one in segment.batches if one.stamp_ns is not None] if segment else []
    if segment is None or not stamps or not max(stamps) - ahead <= until < max(stamps):
        return file
    batches = (
        one if one.stamp_ns is None else replace(one, stamp_ns=one.stamp_ns - ahead)
        for one in segment.batches
    )
    return replace(file, segment=replace(segment, batches=tuple(batches)))


def told_of_ahead(ahead: Mapping[int, int]) -> list[Message]:
    """A message for each broker whose files have other times than its lines."""
    return [
        message("report.files-ahead", broker=broker, by=Duration(by))
        if by > 0
        else message("report.files-behind", broker=broker, by=Duration(-by))
        for broker, by in sorted(ahead.items())
    ]
