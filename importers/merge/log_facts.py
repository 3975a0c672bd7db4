"""From logs with their clocks to facts of a trace: where each ends or was cut off, what it never has."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Final

from core.history.gaps_by_files import (
    PRINTED,
    cut_off,
    failed_directories,
    log_ends,
    silent_on_loading,
    silent_on_sets,
    torn_tails,
)
from core.history.witnesses import log_until
from importers.kafka.log_files import FAILED_DIRECTORY, TORN_TAIL
from importers.lines.dropped import DROPPED
from importers.lines.parsed import Drafts
from importers.lines.torn import CUT_OFF
from importers.merge.clock import AS_PRINTED, Clocks
from importers.merge.file_clocks import LogEnd
from importers.merge.files import ReadFile
from importers.merge.gathered import Gathered
from importers.merge.left_out import of_one_length
from importers.merge.over_time import releases_in_order
from importers.merge.silent import LOG_MANAGER, PARTITION, reach, silent_loggers
from importers.merge.zones import Zone, to_utc

_OF_LOGS: Final = frozenset({"truncated", "segment_rolled", "log_start_moved"})
"""Kinds that a log prints of itself, its cuts among them."""
_FETCHER_SAYS_CUTS: Final = (3, 1)
"""From this release on a fetcher says each cut that it decides (AbstractFetcherThread)."""


def facts_of_logs(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """By the names of core/history/gaps_by_files.py: times in ns, corrected."""
    ends, cut_offs, torn = _log_ends(gathered, clocks), _cut_off(gathered, clocks), _torn(gathered, clocks)
    return {**ends, **cut_offs, **torn, **_failed(gathered, clocks), **_silent(gathered, clocks)}


def ends_of_logs(gathered: Gathered, clocks: Clocks = AS_PRINTED) -> list[LogEnd]:
    """When the last line of each log was written, corrected, and its file, on its own clock."""
    return [
        LogEnd(broker, last, file.mtime_ns)
        for broker, file, _, last in log_times(gathered, clocks)
        if broker is not None and file.mtime_ns is not None
    ]


def log_times(gathered: Gathered, clocks: Clocks) -> Iterator[tuple[int | None, ReadFile, int, int]]:
    """The broker of each log, its file, and the times of its first and last record, corrected."""
    for file, owner, zone in zip(gathered.files, gathered.owners, gathered.zones, strict=True):
        drafts = file.drafts
        if drafts is None or not drafts.kafka or not len(drafts.stamps):
            continue
        ends = int(drafts.stamps.min()), int(drafts.stamps.max())
        first, last = (_corrected(clocks, owner.broker, zone, local) for local in ends)
        yield owner.broker, file, first, last


def _log_ends(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: the time of the last line of each broker's logs, whatever it says, and of its server.log."""
    found: dict[str, int] = {}
    for broker, file, _, last in log_times(gathered, clocks):
        if broker is not None and file.drafts is not None:
            of_server = file.drafts.drafts.of_kinds(PRINTED["server"])
            for name in (log_until(broker), *([log_ends(broker, "server")] if len(of_server) else [])):
                found[name] = max(found.get(name, last), last)
    return {name: str(last) for name, last in found.items()}


def _cut_off(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: when logs of each broker were cut off, or lines of them dropped, by what they print."""
    found: dict[str, list[int]] = {}
    beginnings = of_one_length(gathered.files)
    for broker, drafts, path, corrected in _logs_of_brokers(gathered, clocks):
        stamps = [fact.local_ns for fact in drafts.facts if fact.name in (CUT_OFF, DROPPED)]
        if path in beginnings and len(drafts.stamps):
            stamps.append(int(drafts.stamps.max()))
        logs = [log for log, kinds in PRINTED.items() if stamps and len(drafts.drafts.of_kinds(kinds))]
        for log in logs:
            found.setdefault(cut_off(broker, log), []).extend(map(corrected, stamps))
    return _listed(found)


def _torn(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: when each broker loaded a log with a damaged batch at its end."""
    found: dict[str, set[int]] = {}
    for broker, drafts, _, corrected in _logs_of_brokers(gathered, clocks):
        stamps = [fact.local_ns for fact in drafts.facts if fact.name == TORN_TAIL]
        if stamps:
            found.setdefault(torn_tails(broker), set()).update(map(corrected, stamps))
    return _listed(found)


def _failed(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: which log directories of each broker failed, when, and with which logs."""
    found: dict[str, set[str]] = {}
    for broker, drafts, _, corrected in _logs_of_brokers(gathered, clocks):
        told = {
            f"{corrected(fact.local_ns)} {fact.value}"
            for fact in drafts.facts
            if fact.name == FAILED_DIRECTORY
        }
        if told:
            found.setdefault(failed_directories(broker), set()).update(told)
    return {name: "\n".join(sorted(told)) for name, told in found.items()}


def _silent(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: the brokers of whose LogManager or Partition no line is there.

    Not of LogManager where nothing would tell of a cut, either: then lines of others may be missing, too.
    """
    printed: dict[int, set[str]] = {}
    for broker, drafts, _, _ in _logs_of_brokers(gathered, clocks):
        printed.setdefault(broker, set()).update(drafts.drafts.kinds())
    releases, found = releases_in_order(gathered), dict[str, str]()
    for broker, kinds in sorted(printed.items()):
        mine = releases.get(broker, ())
        silent = tuple(silent_loggers(kinds, mine))
        tells_cuts = not kinds.isdisjoint(_OF_LOGS) or reach(mine, _FETCHER_SAYS_CUTS)
        if LOG_MANAGER in silent and tells_cuts:
            found[silent_on_loading(broker)] = "1"
        if PARTITION in silent:
            found[silent_on_sets(broker)] = "1"
    return found


def _logs_of_brokers(
    gathered: Gathered, clocks: Clocks
) -> Iterator[tuple[int, Drafts, str, Callable[[int], int]]]:
    """The broker of each log, what it states, its path, and how its local times become corrected ones."""
    for file, owner, zone in zip(gathered.files, gathered.owners, gathered.zones, strict=True):
        if file.drafts is not None and owner.broker is not None:
            yield owner.broker, file.drafts, file.path, partial(_corrected, clocks, owner.broker, zone)


def _corrected(clocks: Clocks, broker: int | None, zone: Zone, local: int) -> int:
    at = to_utc(zone.name)(local)
    return at + clocks.correction(None if broker is None else ("broker", broker), at)


def _listed(found: Mapping[str, Collection[int]]) -> dict[str, str]:
    return {name: ",".join(map(str, sorted(times))) for name, times in found.items()}
