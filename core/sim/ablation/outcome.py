"""The outcome of a run: records lost by class, divergences that stand, time without a leader.

It is read from the truth of the run, and not from what a diagnosis makes of its events.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np

from core.sim.truth import FACT, Promise
from core.trace.trace import Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import NUMBER

_SECOND_MS: Final = 1_000


class Aspect(StrEnum):
    """A part of an outcome; the worst first."""

    LOST = "lost"
    DIVERGED = "diverged"
    LEADERLESS = "leaderless"


@dataclass(frozen=True, slots=True, order=True)
class LostRange:
    """Offsets [first, end) of records that the last leader does not hold, and what was promised of them."""

    partition: int
    promise: Promise
    first_offset: int
    end_offset: int


@dataclass(frozen=True, slots=True, order=True)
class Unlike:
    """Offsets [first, end) at which the logs of two brokers hold different records at the end."""

    partition: int
    brokers: tuple[int, int]
    first_offset: int
    end_offset: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run costs. Records that nobody had been promised are not lost. Epochs do not count.

    Controllers number epochs differently, and the same records lost are the same loss.
    """

    lost: tuple[LostRange, ...] = ()
    diverged: tuple[Unlike, ...] = ()
    leaderless_ms: int = 0
    """How long the controller had no leader to name, over all partitions, in ms."""

    @property
    def records_lost(self) -> int:
        """How many committed or acknowledged records are lost. Two of one offset are two."""
        return sum(self.lost_of(promise) for promise in Promise)

    def lost_of(self, promise: Promise) -> int:
        """How many records are lost of which this was the strongest promise."""
        return sum(one.end_offset - one.first_offset for one in self.lost if one.promise is promise)

    @property
    def offsets_diverged(self) -> int:
        """At how many offsets logs differ, each counted once."""
        return len(
            {
                (one.partition, offset)
                for one in self.diverged
                for offset in range(one.first_offset, one.end_offset)
            }
        )

    @property
    def leaderless_s(self) -> int:
        """The same time in whole seconds: rules also differ in when messages are sent, by some ms."""
        return round(self.leaderless_ms / _SECOND_MS)


def outcome_of(trace: Trace, partition: int | None = None) -> Outcome:
    """The outcome of a simulated run, of one partition or of all.

    Raises KeyError for a trace that carries no truth: one that was not simulated.
    """
    truth: dict[str, list[dict[str, Any]]] = json.loads(trace.facts[FACT])
    lost = [
        LostRange(one["partition"], Promise(one["promise"]), one["first"], one["end"])
        for one in truth["lost"]
        if one["promise"] != Promise.NONE and partition in (None, one["partition"])
    ]
    diverged = [
        Unlike(one["partition"], (one["brokers"][0], one["brokers"][1]), one["first"], one["end"])
        for one in truth["diverged"]
        if partition in (None, one["partition"])
    ]
    return Outcome(_joined(lost), tuple(sorted(diverged)), _leaderless_ms(trace, partition))


def differing(left: Outcome, right: Outcome) -> tuple[Aspect, ...]:
    """In which respects two outcomes differ, the worst first."""
    return tuple(
        aspect for aspect in Aspect if shown(aspect, left, left, right) != shown(aspect, right, left, right)
    )


def shown(aspect: Aspect, one: Outcome, left: Outcome, right: Outcome) -> object:
    """What `one` shows of an aspect, as far as it is compared between `left` and `right`.

    Times without a leader are compared in seconds. Where one of the two has none, it is asked whether there
    is one: how long it lasts is another question.
    """
    if aspect is Aspect.LOST:
        return one.lost
    if aspect is Aspect.DIVERGED:
        return one.diverged
    return one.leaderless_s if left.leaderless_s and right.leaderless_s else one.leaderless_s > 0


def leads_alike(one: Outcome, left: Outcome, right: Outcome) -> bool:
    """Whether an outcome has as much time without a leader as one of two others, as far as it is compared."""
    aspect = Aspect.LEADERLESS
    wanted = [shown(aspect, other, left, right) for other in (left, right)]
    return shown(aspect, one, left, right) in wanted


def _joined(lost: list[LostRange]) -> tuple[LostRange, ...]:
    """Neighbours of one class as one range: they may be of several epochs."""
    joined: list[LostRange] = []
    for one in sorted(lost):
        last = joined[-1] if joined else None
        if last is not None and (last.partition, last.promise, last.end_offset) == (
            one.partition,
            one.promise,
            one.first_offset,
        ):
            joined[-1] = LostRange(one.partition, one.promise, last.first_offset, one.end_offset)
        else:
            joined.append(one)
    return tuple(joined)


def _leaderless_ms(trace: Trace, partition: int | None) -> int:
    columns = trace.columns
    wanted = np.isin(columns["kind"], (NUMBER["leaderless"], NUMBER["leader_elected"]))
    since: dict[int, int] = {}
    total = 0
    for seq in np.flatnonzero(wanted).tolist():
        index, at = int(columns["partition"][seq]), int(columns["at"][seq])
        if partition not in (None, index):
            continue
        if columns["kind"][seq] == NUMBER["leaderless"]:
            since.setdefault(index, at)
        elif index in since:
            total += at - since.pop(index)
    end = int(columns["at"][-1]) if len(trace) else 0
    return (total + sum(end - begun for begun in since.values())) // MILLISECOND_NS


def rounds_in_vain(trace: Trace) -> tuple[tuple[int, int], ...]:
    """(follower, leader), in order: who asks whom the same without end, as with some mixtures of rules."""
    here = trace.columns["kind"] == NUMBER["rounds_in_vain"]
    return tuple(
        zip(trace.columns["replica"][here].tolist(), trace.columns["leader"][here].tolist(), strict=True)
    )
