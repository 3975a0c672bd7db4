"""Logs that came back shorter than they had been, as their brokers or their followers state.

A process that dies loses nothing that it wrote to the system. A machine does that goes down: it may take the
end of any of its logs, and of those of machines that went down with it.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from core.history.gaps_by_files import lost_ends
from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.lines.items import Items, distinct, same_as
from importers.lines.statements import NONE

_CRASHED: Final = NUMBER["broker_crashed"]
_LOADED: Final = NUMBER["log_loaded"]
_FETCHES: Final = NUMBER["fetcher_added"]
_LEADS: Final = NUMBER["became_leader"]
_STATES_ITS_END: Final = (_LOADED, _LEADS, NUMBER["became_follower"])
_EMPTY: Final = NUMBER["log_created"]
_CUTS: Final = tuple(NUMBER[kind] for kind in ("truncated", "truncation_decided", "log_reset", "log_deleted"))
_KINDS: Final = (_CRASHED, _FETCHES, _EMPTY, *_STATES_ITS_END, *_CUTS)


class _Row(NamedTuple):
    """What a line states of one log of one broker. `place` counts the rows that are looked at."""

    place: int
    at: int
    kind: int
    broker: int
    leader: int
    end: int


class _Copying(NamedTuple):
    """From whom a follower fetches, where its log ended before, and the place of the line that says so."""

    leader: int
    end: int
    place: int


@dataclass(slots=True)
class _Logs:
    """The logs of one partition, by broker, while its rows are read in order."""

    least: dict[int, int] = field(default_factory=dict[int, int])
    """An end that a log had reached, below which nothing cut it since."""
    end: dict[int, int] = field(default_factory=dict[int, int])
    """Where a log ends that neither led nor fetched since that was stated."""
    copying: dict[int, _Copying] = field(default_factory=dict[int, _Copying])
    back: dict[int, _Row] = field(default_factory=dict[int, _Row])
    """The last load after a crash."""
    last: dict[int, int] = field(default_factory=dict[int, int])
    """The place of the last row about a log."""


def facts_of_lost_ends(items: Items) -> dict[str, str]:
    """As facts: when a broker that had not stopped cleanly loaded a log that had lost its end.

    Either it had stated a longer one, or a follower has more than it had before it fetched from this broker
    and from nobody else: a leader sends what is in its log (ReplicaManager.fetchMessages, all releases).
    """
    found: dict[int, set[int]] = defaultdict(set)
    crashes: dict[int, int] = {}
    logs: dict[int, _Logs] = defaultdict(_Logs)
    for partition, row in _rows(items):
        if row.kind == _CRASHED:
            crashes[row.broker] = row.place
            continue
        mine = logs[partition]
        for broker, at in _read(mine, row, crashes):
            found[broker].add(at)
        mine.last[row.broker] = row.place
    return {lost_ends(broker): ",".join(map(str, sorted(times))) for broker, times in sorted(found.items())}


def _rows(items: Items) -> Iterator[tuple[int, _Row]]:
    """The number of the partition and the row of each statement; where nobody crashed, none."""
    kinds = items.said.columns["kind"]
    if not np.any(kinds == _CRASHED):
        return
    some = items.taken(np.isin(kinds, _KINDS))
    columns = some.said.columns
    about = [columns[name] for name in ("topic", "number", "topic_id")]
    partitions = same_as(np.sort(distinct(*about)), *about)
    told = (some.at, columns["kind"], some.about(), columns["leader"], columns["leo"])
    rows = zip(*(column.tolist() for column in (partitions, columns["topic"], *told)), strict=True)
    for place, (partition, topic, *row) in enumerate(rows):
        if topic != NONE or row[1] == _CRASHED:
            yield partition, _Row(place, *row)


def _read(logs: _Logs, row: _Row, crashes: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Take in a row of a partition. Gives (broker, time of its load) of each log that had lost its end."""
    broker = row.broker
    if row.kind in _STATES_ITS_END and row.end != UNSAID:
        yield from _shown_by_its_follower(logs, row, crashes)
        if row.kind == _LOADED and crashes.get(broker, -1) > logs.last.get(broker, -1):
            if row.end < logs.least.get(broker, 0):
                yield broker, row.at
            _is_back(logs, row, crashes)
        logs.least[broker] = logs.end[broker] = row.end
    elif row.kind == _EMPTY:
        logs.least[broker] = logs.end[broker] = 0
    elif row.kind in _CUTS:
        logs.least.pop(broker, None)
    if row.kind in (_FETCHES, _LEADS):
        end = logs.end.pop(broker, None)
        logs.copying.pop(broker, None)
        if row.kind == _FETCHES and end is not None and row.leader != UNSAID:
            logs.copying[broker] = _Copying(row.leader, end, row.place)


def _is_back(logs: _Logs, row: _Row, crashes: dict[int, int]) -> None:
    """A broker loads a log after a crash. Followers that are up copy what it writes from now on."""
    for follower, one in list(logs.copying.items()):
        if one.leader == row.broker and crashes.get(follower, -1) < one.place:
            del logs.copying[follower]
    logs.back[row.broker] = row


def _shown_by_its_follower(logs: _Logs, row: _Row, crashes: dict[int, int]) -> Iterator[tuple[int, int]]:
    """What the end of a follower's log shows of the leader that it fetched from, which may be back by now."""
    one = logs.copying.get(row.broker)
    if one is None or row.end <= one.end:
        return
    back = logs.back.get(one.leader)
    if back is None or back.place < one.place:
        logs.least[one.leader] = max(logs.least.get(one.leader, 0), row.end)
    elif row.end > back.end:
        yield one.leader, back.at
    if crashes.get(row.broker, -1) > one.place:
        del logs.copying[row.broker]
