"""The same line in two files of one broker is one statement: stdout repeats what server.log says."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.units import SECOND_NS
from importers.lines.statements import Statements
from importers.merge.lives import LogOf
from importers.merge.zones import all_utc

_CONSOLE: Final = (
    ".out",
    "stdout",
    "nohup",
    "console",
    "journal",
    "docker",
    "container",
    "-json.log",
    "syslog",
)
_CHANCE: Final = 5


def without_repeats(
    logs: Sequence[LogOf], paths: Sequence[str], *, of_one: bool = True
) -> Iterator[tuple[LogOf, Statements, int]]:
    """Each log of one broker with the drafts that no log before it has, and how many records it repeats.

    The same message at the same time is the same record, in whatever layout; a layout without milliseconds
    makes all times of this broker as coarse. Console output comes last, so that evidence points into the
    files that are kept for long. A record that a file holds twice was collected twice. Where times are cut to
    seconds the broker may have printed it twice, and where the logs are not `of_one` broker, two of them may:
    there it is repeated only as often as another file holds it.
    """
    tick = SECOND_NS if any(_coarse(log) for log in logs) else 1
    counted = tick > 1 or not of_one
    ranked = sorted(zip(logs, paths, strict=True), key=lambda pair: (_is_console(pair[1]), pair[1]))
    ordered = [log for log, _ in ranked]
    records = _records(ordered, tick)
    known = np.zeros(max((int(found.max(initial=-1)) for found in records), default=-1) + 1, dtype=np.int64)
    for log, record in zip(ordered, records, strict=True):
        columns = log.drafts.drafts.columns
        first = columns["ordinal"] == 0
        # How often the file has held the record so far, for each statement of it.
        times = _times(record[first])[np.cumsum(first) - 1] if len(record) else record
        held = known[record]
        fresh = times > held if counted else (times == 1) & (held == 0)
        repeated = len(np.unique(columns["byte"][~fresh]))
        known = np.maximum(known, np.bincount(record[first], minlength=len(known)))
        yield log, log.drafts.drafts if fresh.all() else log.drafts.drafts.taken(fresh), repeated


def _records(logs: Sequence[LogOf], tick: int) -> list[NDArray[np.int64]]:
    """A number for the record of each statement of each log: the same for the same text at the same time."""
    marks = [log.drafts.drafts.columns["fingerprint"] for log in logs]
    ticks = [all_utc(log.drafts.drafts.columns["local_ns"], log.to_utc) // tick for log in logs]
    _, mark = np.unique(np.concatenate(marks), return_inverse=True)
    _, moment = np.unique(np.concatenate(ticks), return_inverse=True)
    _, numbers = np.unique(mark * (int(moment.max(initial=0)) + 1) + moment, return_inverse=True)
    ends = np.cumsum([len(one) for one in marks])
    return np.split(numbers, ends[:-1])


def _times(records: NDArray[np.int64]) -> NDArray[np.int64]:
    """The how manieth of its number each is, from 1."""
    order = np.argsort(records, kind="stable")
    ranked = records[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    times = np.empty_like(records)
    times[order] = np.arange(len(records)) - np.repeat(starts, np.diff(starts, append=len(records))) + 1
    return times


def _coarse(log: LogOf) -> bool:
    """Whether all stamps are whole seconds. A single record may be one by chance."""
    stamps = log.drafts.stamps
    return len(stamps) > _CHANCE and not (stamps % SECOND_NS).any()


def _is_console(path: str) -> bool:
    return any(word in path.rsplit("/", 1)[-1].lower() for word in _CONSOLE)
