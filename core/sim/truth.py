"""The truth of a run: what the simulator knows of each record, beside what the trace makes appear.

Diagnosis is held against it in the tests and never reads it. The trace carries it as the fact `truth`, a JSON
text: ranges of records that were lost, spans that differ between two logs, partitions that nobody leads.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.sim.engine import Engine
from core.sim.ledger import UNKNOWN, Ledger
from core.sim.state import GAP, NOBODY
from core.trace.ids import Seq

FACT: Final = "truth"
"""The fact of a trace that carries it."""


class Promise(StrEnum):
    """The strongest promise that had been given for a record."""

    COMMITTED = "committed"
    """It was below the high watermark of a leader that held it, so consumers could read it."""
    ACKNOWLEDGED = "acknowledged"
    """A producer was told that it is written."""
    NONE = "uncommitted"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one record. Seqs are of the trace, None is never. A second copy is another record."""

    number: int
    name: str
    partition: int
    offset: int
    epoch: int
    broker: int
    """The leader that appended it; before the first step, a broker that held it."""
    acknowledged: Seq | None
    committed: Seq | None
    read: Seq | None
    """When the first consumer got it."""
    held_by: tuple[int, ...]
    """The brokers in whose logs it stands at the end."""
    lost: bool
    """The log of the last leader does not hold it, and does not begin above it."""

    @property
    def promise(self) -> Promise:
        """The strongest promise that had been given for it."""
        known = (UNKNOWN if seq is None else seq for seq in (self.acknowledged, self.committed))
        return _promise(*known)


@dataclass(frozen=True, slots=True)
class Unlike:
    """Offsets at which two logs hold different records at the end."""

    partition: int
    brokers: tuple[int, int]
    first_offset: int
    end_offset: int


@dataclass(frozen=True, slots=True, order=True)
class _LostRange:
    """Offsets [first_offset, end_offset) of one leader epoch that were lost under one promise."""

    partition: int
    epoch: int
    promise: str
    first_offset: int
    end_offset: int


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a run. Large runs cost columns, not objects: a Fate is made when it is asked for."""

    names: Sequence[str]
    ledger: Ledger
    logs: Mapping[tuple[int, int], tuple[int, Sequence[int]]]
    """By (partition, broker): where the log begins in the end, and the record number at each offset from
    there on, GAP where it holds nothing."""
    lost: tuple[int, ...]
    """The numbers of the lost records, in order."""
    diverged: tuple[Unlike, ...]
    unavailable: tuple[int, ...]
    """Partitions without a live leader at the end."""

    def fate(self, number: int) -> Fate | None:
        """What became of a record; None if it never came into a log."""
        told = self.ledger
        if told.partition[number] == UNKNOWN:
            return None
        partition, offset = told.partition[number], told.offset[number]
        holders = tuple(
            broker
            for (index, broker) in sorted(self.logs)
            if index == partition and self._holds(partition, broker, offset, number)
        )
        return Fate(
            number,
            self.names[number],
            partition,
            offset,
            told.epoch[number],
            told.broker[number],
            _seq(told.acknowledged[number]),
            _seq(told.committed[number]),
            _seq(told.read[number]),
            holders,
            self._is_lost(partition, offset, number),
        )

    def _holds(self, partition: int, broker: int, offset: int, number: int) -> bool:
        start, log = self.logs[partition, broker]
        return start <= offset < start + len(log) and log[offset - start] == number

    def fates(self) -> tuple[Fate, ...]:
        """The fate of every record that came into a log."""
        every = (self.fate(number) for number in range(len(self.names)))
        return tuple(one for one in every if one is not None)

    def mark(self) -> str:
        """The truth as the trace carries it: one line of JSON."""
        return json.dumps(
            {
                "lost": [
                    {
                        "partition": one.partition,
                        "epoch": one.epoch,
                        "first": one.first_offset,
                        "end": one.end_offset,
                        "promise": one.promise,
                    }
                    for one in self._lost_ranges()
                ],
                "diverged": [
                    {
                        "partition": one.partition,
                        "brokers": list(one.brokers),
                        "first": one.first_offset,
                        "end": one.end_offset,
                    }
                    for one in self.diverged
                ],
                "unavailable": list(self.unavailable),
            }
        )

    def _is_lost(self, partition: int, offset: int, number: int) -> bool:
        leader = self.ledger.leaders[partition][1]
        start, _ = self.logs[partition, leader]
        return offset >= start and not self._holds(partition, leader, offset, number)

    def _lost_ranges(self) -> list[_LostRange]:
        """The lost records, neighbours joined."""
        told = self.ledger
        offsets: defaultdict[tuple[int, int, str], list[int]] = defaultdict(list)
        for number in self.lost:
            promise = _promise(told.acknowledged[number], told.committed[number])
            key = (told.partition[number], told.epoch[number], str(promise))
            offsets[key].append(told.offset[number])
        ranges: list[_LostRange] = []
        for (partition, epoch, promise), places in offsets.items():
            for first, end in _ranges(sorted(places)):
                ranges.append(_LostRange(partition, epoch, promise, first, end))
        return sorted(ranges)


def truth_of(engine: Engine) -> Truth:
    """What the engine knows when a run is over. Lost is what the log of the last leader lacks."""
    told = engine.ledger
    quorum = () if engine.voters is None else (engine.voters.partition,)
    logs: dict[tuple[int, int], tuple[int, list[int]]] = {
        (one.index, broker): (replica.log_start, replica.records)
        for one in (*engine.partitions, *quorum)
        for broker, replica in one.replicas.items()
    }
    arrays = {key: (start, np.array(log, dtype=np.int64)) for key, (start, log) in logs.items()}
    partition, offset = np.array(told.partition, np.int64), np.array(told.offset, np.int64)
    lost: list[int] = []
    for index, (_, leader) in told.leaders.items():
        mine = np.flatnonzero(partition == index)
        lost += mine[_gone(*arrays[index, leader], mine, offset[mine])].tolist()
    return Truth(
        names=tuple(engine.record_names),
        ledger=told,
        logs=logs,
        lost=tuple(sorted(lost)),
        diverged=tuple(_unlike(arrays)),
        unavailable=tuple(
            one.index
            for one in engine.partitions
            if one.leader == NOBODY or not engine.brokers[one.leader].up
        ),
    )


def _gone(
    start: int, log: NDArray[np.int64], numbers: NDArray[np.int64], offsets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """For each record whether a log lacks it, though it does not begin above it."""
    places = offsets - start
    gone = places >= 0
    within = gone & (places < len(log))
    gone[within] = log[places[within]] != numbers[within]
    return gone


def _unlike(logs: Mapping[tuple[int, int], tuple[int, NDArray[np.int64]]]) -> list[Unlike]:
    found: list[Unlike] = []
    for (index, one), (other_index, other) in combinations(sorted(logs), 2):
        if index != other_index:
            continue
        (left_start, left), (right_start, right) = logs[index, one], logs[index, other]
        first = max(left_start, right_start)
        end = max(min(left_start + len(left), right_start + len(right)), first)
        mine, others = (
            left[first - left_start : end - left_start],
            right[first - right_start : end - right_start],
        )
        places = np.flatnonzero((mine != others) & (mine != GAP) & (others != GAP)) + first
        found += [Unlike(index, (one, other), begun, ended) for begun, ended in _ranges(places.tolist())]
    return found


def _ranges(places: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as ranges [first, end)."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def _promise(acknowledged: int, committed: int) -> Promise:
    if committed != UNKNOWN:
        return Promise.COMMITTED
    return Promise.NONE if acknowledged == UNKNOWN else Promise.ACKNOWLEDGED


def _seq(number: int) -> Seq | None:
    return None if number == UNKNOWN else Seq(number)
