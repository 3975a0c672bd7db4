"""From two cursors of a partition to what happened between them, counted: a range that a person marked."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.diagnose.verdict.counted import lost_parts
from core.diagnose.verdict.facts import Loss, PartitionVerdict, Truncation
from core.history.state import Band, History, Steps
from core.trace.vocabulary import NAME

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Growth:
    """Log end and high watermark of one replica at both ends of a marked range."""

    broker: int
    leo: tuple[Band, Band]
    hw: tuple[Band, Band]


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """A marked range: the events after one cursor up to and including another. Times in ns; None for none.

    `kinds` has the commonest first. `elections` are (leader epoch, leader) in the order of the events. `isr`
    has how often each broker (left, joined) the in-sync set.
    """

    start: int | None
    end: int | None
    events: int
    kinds: tuple[tuple[str, int], ...]
    losses: tuple[Loss, ...]
    cuts: tuple[Truncation, ...]
    elections: tuple[tuple[int, int | None], ...]
    isr: Mapping[int, tuple[int, int]]
    replicas: tuple[Growth, ...]

    @property
    def records_lost(self) -> int:
        """Records of proven losses of what had been promised."""
        return sum(part.records for part in lost_parts(self.losses))


def marked_range(history: History, verdict: PartitionVerdict, first: int, last: int) -> MarkedRange:
    """What happened after cursor `first` up to cursor `last`, in any order of the two."""
    first, last = min(first, last), max(first, last)
    seqs = history.seqs[slice(*np.searchsorted(history.seqs, (first, last)))]
    columns = history.trace.columns
    kinds = Counter(NAME[number] for number in columns["kind"][seqs].tolist())
    return MarkedRange(
        start=int(columns["at"][seqs[0]]) if len(seqs) else None,
        end=int(columns["at"][seqs[-1]]) if len(seqs) else None,
        events=len(seqs),
        kinds=tuple(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
        losses=tuple(loss for loss in verdict.losses if first <= loss.seq < last),
        cuts=tuple(cut for cut in verdict.truncations if first <= cut.seq < last),
        elections=tuple(
            (epoch, history.leader.at(cursor))
            for cursor, _, epoch in _changes(history.leader_epoch, first, last)
        ),
        isr=_moves(history, first, last),
        replicas=tuple(
            Growth(
                broker,
                (replica.leo.at(first), replica.leo.at(last)),
                (replica.hw.at(first), replica.hw.at(last)),
            )
            for broker, replica in history.replicas.items()
        ),
    )


def _changes(steps: Steps[T | None], first: int, last: int) -> list[tuple[int, T | None, T]]:
    """(cursor, value before, value now) where a known value becomes another one in (first, last]."""
    begin, end = bisect_right(steps.cursors, first), bisect_right(steps.cursors, last)
    known = next((value for value in reversed(steps.values[:begin]) if value is not None), None)
    found: list[tuple[int, T | None, T]] = []
    for place in range(begin, end):
        value = steps.values[place]
        if value is not None and value != known:
            found.append((steps.cursors[place], known, value))
            known = value
    return found


def _moves(history: History, first: int, last: int) -> dict[int, tuple[int, int]]:
    """How often each broker left and joined; after a set that is not known no broker counts."""
    left: Counter[int] = Counter()
    joined: Counter[int] = Counter()
    for _, before, now in _changes(history.isr, first, last):
        if before is not None:
            left.update(set(before) - set(now))
            joined.update(set(now) - set(before))
    return {broker: (left[broker], joined[broker]) for broker in sorted({*left, *joined})}
