"""The lives of a broker: where one began, and whether the one before it was stopped or broke off."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import DIRECTORIES_TOLD_OF_WITHIN, FIRST_LINES_OF_START_WITHIN
from core.trace.vocabulary import Basis
from importers.kafka.directories import LEFT_CLEAN, LEFT_UNCLEAN
from importers.kafka.drafts import Draft, Fact, Said
from importers.kafka.life import beginnings
from importers.lines.items import Item
from importers.lines.parsed import Drafts
from importers.lines.statements import Statements, statements_of
from importers.merge.zones import all_utc

_STOPS: Final = frozenset({"broker_stopped", "broker_exited"})
_OF_REPLICAS: Final = frozenset({"log_created", "log_loaded", "fetcher_added", "fetcher_removed"})
"""Kinds that only a broker prints, and a controller that is none does not."""


@dataclass(frozen=True, slots=True)
class LogOf:
    """One log of a broker: its source, its rank in the order, its records, and its zone as a function.

    A line was written up to `late_by` ns after its time.
    """

    source: int
    rank: int
    drafts: Drafts
    to_utc: Callable[[int], int]
    late_by: int = 0


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that a broker was alive: a record of a log, or a checkpoint file that it wrote.

    It was alive at `at`. `latest` is where the sign itself is told, later only where a time was cut to a
    second.
    """

    at: int
    latest: int
    source: int
    rank: int
    byte: int
    line: int


def breaks(broker: int, logs: Sequence[LogOf], signs: Sequence[Sign] = ()) -> tuple[Item, ...]:
    """For each life that ended without a word: `broker_crashed` and `evidence_gap` at its last sign.

    `signs` are those beside the logs. The crash is inferred: it lies somewhere in the gap, whose length
    `evidence_gap` states, and not at its beginning. Where the start says that the directories had been left
    clean, there is the gap alone. A last life is never said to have crashed: its log may
    just end.
    """
    begun_at = starts(logs)
    stops = times_of(logs, *_STOPS)
    utc = [utc_of(log) for log in logs]
    items: list[Item] = []
    for begun, started in zip([None, *begun_at], begun_at, strict=False):
        last = last_before(started, logs, utc)
        last = max(
            (sign for sign in (last, *signs) if sign is not None and sign.latest < started),
            key=_when,
            default=None,
        )
        # Before the first start that is seen there may be the tail of a life that began before these logs.
        tail = 0 if last is None else last.at - FIRST_LINES_OF_START_WITHIN.ns
        since = tail if begun is None else begun
        # In the millisecond of a start nothing can have been stopped but the life before.
        if last is None or any(since <= stop <= started for stop in stops):
            continue
        crash = Said("broker_crashed", basis=Basis.INFERRED)
        gap = Said("evidence_gap", aux=started - last.latest)
        # Where the directories were as a clean stop leaves them, only its lines are missing.
        ended = () if _left_clean(logs, started) else ((1_000_000, crash),)
        items += [
            Item(last.latest, last.rank, last.source, last.byte, last.line, ordinal, broker, "life", said)
            for ordinal, said in (*ended, (1_000_001, gap))
        ]
    return tuple(items)


def unsaid_starts(logs: Sequence[LogOf]) -> Mapping[int, Statements]:
    """By source, a `broker_starting` at each start of a broker that prints none: KafkaServer is at WARN.

    It stands at the first of the other lines that only a start prints, as the dump of the settings; of two
    logs with that line (server.log and what the console printed) in the longer one.
    """
    if times_of(logs, "broker_starting") or not times_of(logs, *_OF_REPLICAS):
        return {}
    marks = [(log.to_utc(one.local_ns), log, one) for log in logs for one in beginnings(log.drafts.facts)]
    said = Said("broker_starting", basis=Basis.INFERRED)
    found: dict[int, list[Draft]] = {}
    for begun in starts(logs):
        _, log, one = min((mark for mark in marks if mark[0] == begun), key=_shorter_log_last)
        found.setdefault(log.source, []).append(Draft(one.local_ns, one.byte, one.line, 0, 0, "life", said))
    return {source: statements_of(drafts) for source, drafts in found.items()}


def _shorter_log_last(mark: tuple[int, LogOf, Fact]) -> tuple[int, int]:
    _, log, one = mark
    return -len(log.drafts.stamps), one.byte


def _left_clean(logs: Sequence[LogOf], started: int) -> bool:
    """Whether a start found the marker of a clean stop in every directory that it speaks of."""
    told = {
        fact.name
        for log in logs
        for fact in log.drafts.facts
        if fact.name in (LEFT_CLEAN, LEFT_UNCLEAN)
        and started <= log.to_utc(fact.local_ns) < started + DIRECTORIES_TOLD_OF_WITHIN.ns
    }
    return told == {LEFT_CLEAN}


def starts(logs: Sequence[LogOf]) -> list[int]:
    """When each life of a broker began, in ns UTC: the first of the lines that only a start prints.

    A broker that had started and says again that it is starting has begun anew, however soon.
    """
    marks = sorted({log.to_utc(fact.local_ns) for log in logs for fact in beginnings(log.drafts.facts)})
    up, again = times_of(logs, "broker_started"), times_of(logs, "broker_starting")
    found: list[int] = []
    previous: int | None = None
    for mark in marks:
        begins = _any_in(again, mark, mark + FIRST_LINES_OF_START_WITHIN.ns)
        anew = previous is not None and _any_in(up, previous, mark) and begins
        # A start that waits for others (a quorum, a disk) prints its lines late: it was not up yet.
        waited = bool(found and again) and not begins and not _any_in(up, found[-1], mark)
        if previous is None or (mark - previous > FIRST_LINES_OF_START_WITHIN.ns and not waited) or anew:
            found.append(mark)
        previous = mark
    return found


def times_of(logs: Sequence[LogOf], *kinds: str) -> list[int]:
    """When lines of some kinds were printed, sorted."""
    return sorted(
        log.to_utc(stamp)
        for log in logs
        for stamp in log.drafts.drafts.of_kinds(kinds).columns["local_ns"].tolist()
    )


def _any_in(times: Sequence[int], first: int, end: int) -> bool:
    """Whether a time lies in [first, end)."""
    place = bisect_left(times, first)
    return place < len(times) and times[place] < end


def _when(sign: Sign) -> int:
    return sign.at


def utc_of(log: LogOf) -> NDArray[np.int64]:
    """The stamps of all records in UTC, as if none went back."""
    return np.maximum.accumulate(all_utc(log.drafts.stamps, log.to_utc))


def last_before(moment: int, logs: Sequence[LogOf], utc: Sequence[NDArray[np.int64]]) -> Sign | None:
    """The last record before a time. `utc`: `utc_of` each log."""
    best: Sign | None = None
    for log, stamps in zip(logs, utc, strict=True):
        index = int(np.searchsorted(stamps, moment, side="left")) - 1
        if index >= 0 and (best is None or int(stamps[index]) > best.at):
            at = int(stamps[index])
            byte, line = int(log.drafts.bytes[index]), int(log.drafts.lines[index])
            # What other files tell of that second is of the same life.
            latest = min(at + log.late_by, moment - 1)
            best = Sign(at, latest, log.source, log.rank, byte, line)
    return best
