"""From an incident to its story: what each broker held of the lost records, who led, at most nine steps."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from core.assumptions import STEPS_OF_A_STORY_WITHIN
from core.diagnose.account.incident import Incident, LostRange, PartitionLoss
from core.diagnose.verdict.facts import Copy, Leadership, Severity, Verdict
from core.diagnose.verdict.ranges import joined, without
from core.diagnose.verdict.seen import Seen, seen_in
from core.message import AtLeast, Count, Message, Value, how_many, message
from core.trace.broker_names import brokers_value
from core.trace.ids import NO_INDEX
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER

STEPS: Final = 9
"""At most so many steps are told."""
_ENDS: Final = tuple(NUMBER[name] for name in ("broker_crashed", "broker_stopped", "broker_exited"))
_STARTS: Final = NUMBER["broker_started"]


class StepKind(StrEnum):
    """What a step of the story is; the first are left out last."""

    GONE = "last copy gone"
    CUT = "copy gone"
    ELECTED = "elected"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Held:
    """How many of the lost records a broker held: (from when, in ns, how many), in order of time."""

    broker: int
    steps: tuple[tuple[int, int], ...]

    @property
    def most(self) -> int:
        """The most that it held at one time."""
        return max((count for _, count in self.steps), default=0)


@dataclass(frozen=True, slots=True)
class Led:
    """A broker led so many of the partitions from when to when, ns; `epoch` None: not all in the same."""

    broker: int
    start: int
    end: int
    partitions: int
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One step: from when to when, in ns, who, what. `partition` and `seq` are where it is seen best.

    `possible`: its records may be lost, which is not proven. `at_least`: more may have gone with them.
    """

    kind: StepKind
    at: int
    until: int
    brokers: tuple[int, ...]
    records: int
    message: Message
    partition: int | None
    seq: int | None
    possible: bool = False
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """An incident from `first` to `last`, in ns. `silent` are times without a line of a broker, by broker.

    `records` are those that the areas are of: the lost ones, or where none is proven lost those that may be.
    """

    first: int
    last: int
    records: int
    epoch: int | None
    """The leader epoch of all of them; None: not all of one, or not known."""
    held: tuple[Held, ...]
    led: tuple[Led, ...]
    silent: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    steps: tuple[Step, ...]
    left_out: int
    """Steps that are not told here."""


def counted_ranges(losses: Iterable[PartitionLoss]) -> list[tuple[PartitionLoss, LostRange]]:
    """The ranges that the story and its totals are of: the lost ones, else those that may be lost."""
    every = [(loss, one) for loss in losses for one in loss.ranges]
    lost = [pair for pair in every if pair[1].severity is Severity.LOSS]
    return lost or every


def story_of(trace: Trace, verdict: Verdict, incident: Incident) -> Story:
    """The story of an incident; without losses there are no areas and no steps."""
    told = counted_ranges(incident.losses)
    seen = seen_in(trace)
    silent = silences(trace, seen)
    steps = [*gone_steps(trace, told), *election_steps(trace, incident.losses)]
    begun = min((one.at for one in steps), default=incident.start)
    faults = list(fault_steps(trace, silent, begun))
    kept = most_telling([*faults, *steps])
    epochs = {one.epoch for _, one in told}
    copies = [copy for _, one in told for copy in one.copies]
    brokers = sorted({copy.broker for copy in copies} | {broker for one in kept for broker in one.brokers})
    first, last = (int(trace.columns["at"][0]), int(trace.columns["at"][-1])) if len(trace) else (0, 0)
    return Story(
        first=first,
        last=last,
        records=sum(one.end_offset - one.first_offset for _, one in told),
        epoch=epochs.pop() if len(epochs) == 1 else None,
        held=tuple(_held(broker, copies, first) for broker in brokers),
        led=tuple(_led(verdict, incident, last)),
        silent=tuple((broker, silent.get(broker, ())) for broker in brokers),
        steps=tuple(kept),
        left_out=len(faults) + len(steps) - len(kept),
    )


def _held(broker: int, copies: Iterable[Copy], first: int) -> Held:
    """What a broker held, from its copies; each counts from when all of it was surely there."""
    changes: dict[int, int] = defaultdict(int)
    for one in copies:
        if one.broker == broker:
            size = one.end_offset - one.first_offset
            since = one.whole if one.whole is not None else one.since
            changes[first if since is None else since] += size
            if one.until is not None:
                changes[one.until] -= size
    times = sorted(changes)
    counts = accumulate(changes[at] for at in times)
    return Held(broker, tuple(zip(times, counts, strict=True)))


def _led(verdict: Verdict, incident: Incident, last: int) -> Iterator[Led]:
    """Who led how many of the incident's partitions, span by span."""
    mine = set(incident.partitions)
    terms: dict[int, list[Leadership]] = defaultdict(list)
    for one in verdict.partitions:
        for term in one.leadership if one.partition in mine else ():
            terms[term.leader].append(term)
    terms.pop(-1, None)
    for broker in sorted(terms):
        own = terms[broker]
        edges = sorted(
            {edge for term in own for edge in (term.start, last if term.end is None else term.end)}
        )
        for start, end in pairwise(edges):
            there = [term for term in own if term.start <= start and (term.end is None or term.end >= end)]
            epochs = {term.epoch for term in there}
            if there:
                yield Led(broker, start, end, len(there), epochs.pop() if len(epochs) == 1 else None)


def silences(trace: Trace, seen: Seen) -> dict[int, tuple[tuple[int, int], ...]]:
    """When no line of a broker is there: gaps, and after its last one; in a simulation when it is down."""
    found = {broker: list(gaps) for broker, gaps in seen.silences.items()}
    if seen.everything:
        return _down(trace, seen.last)
    for broker, (_, end) in seen.spans.items():
        if seen.last - end > STEPS_OF_A_STORY_WITHIN.ns:
            found.setdefault(broker, []).append((end, seen.last))
    return {broker: tuple(sorted(gaps)) for broker, gaps in found.items()}


def _down(trace: Trace, last: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """When the brokers of a simulation did not run."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    begun: dict[int, int] = {}
    kinds, times = trace.columns["kind"], trace.columns["at"]
    for seq in np.flatnonzero(np.isin(kinds, (*_ENDS, _STARTS))).tolist():
        event = trace.event(seq)
        broker = event.get("replica")
        broker = event.get("broker") if broker is None else broker
        if broker is None or broker == NO_INDEX:
            continue
        if kinds[seq] == _STARTS and broker in begun:
            found[broker].append((begun.pop(broker), int(times[seq])))
        elif kinds[seq] != _STARTS:
            begun.setdefault(broker, int(times[seq]))
    for broker, since in begun.items():
        found[broker].append((since, last))
    return {broker: tuple(gaps) for broker, gaps in found.items()}


def fault_steps(trace: Trace, silent: dict[int, tuple[tuple[int, int], ...]], begun: int) -> Iterator[Step]:
    """The silences in which, or before which, records began to go: of each broker the last one."""
    starts: dict[int, int] = {}
    for broker, gaps in silent.items():
        before = [start for start, _ in gaps if start <= begun]
        if before:
            starts[broker] = before[-1]
    for mine in _near(sorted((at, broker) for broker, at in starts.items())):
        brokers = tuple(sorted(broker for _, broker in mine))
        who = brokers_value(trace, brokers)
        simulated = trace.origin is Origin.SIMULATED
        told = (
            message("incident.step.down", who=who) if simulated else message("incident.step.silent", who=who)
        )
        yield Step(StepKind.SILENT, mine[0][0], mine[-1][0], brokers, 0, told, None, None)


def _near(found: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Pairs that begin with a time, in order, those together that are near the first of them."""
    group: list[tuple[int, int]] = []
    for pair in found:
        if group and pair[0] - group[0][0] > STEPS_OF_A_STORY_WITHIN.ns:
            yield group
            group = []
        group.append(pair)
    if group:
        yield group


def election_steps(trace: Trace, losses: Iterable[PartitionLoss]) -> Iterator[Step]:
    """How leaders without the records came to lead, or that they led again in their own epoch."""
    groups: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    terms: dict[tuple[int, int], Leadership] = {}
    for one in losses:
        term = one.election
        if one.returned is not None and term is not None:
            again = one.returned
            told = message("incident.step.led-again", who=brokers_value(trace, (term.leader,)))
            yield Step(
                StepKind.ELECTED, again.at, again.at, (term.leader,), 0, told, one.partition, again.seq
            )
        elif term is not None and term.leader >= 0:
            groups[term.leader, term.election].append((term.start, one.partition))
            terms[term.start, one.partition] = term
    for (leader, how), found in groups.items():
        for mine in _near(sorted(found)):
            first = terms[mine[0]]
            seq = first.evidence[0] if first.evidence else None
            told = _elected(trace, leader, how)
            yield Step(StepKind.ELECTED, mine[0][0], mine[-1][0], (leader,), 0, told, mine[0][1], seq)


def _elected(trace: Trace, leader: int, how: str) -> Message:
    """An election in a few words."""
    who = brokers_value(trace, (leader,))
    if how == "unclean":
        return message("incident.step.elected.unclean", who=who)
    if how in ("clean", "preferred", "controlled"):
        return message("incident.step.elected.clean", who=who)
    return message("incident.step.elected", who=who)


@dataclass(frozen=True, slots=True)
class _Removed:
    """A copy that went: when, where, how many records, and of how many of them no other copy was left."""

    at: int
    partition: int
    seq: int | None
    records: int
    last: int
    at_least: bool = False
    """More may have gone with them."""


def gone_steps(trace: Trace, told: Sequence[tuple[PartitionLoss, LostRange]]) -> Iterator[Step]:
    """The copies that went, by broker and time."""
    of: dict[int, list[_Removed]] = defaultdict(list)
    possible = any(one.severity is not Severity.LOSS for _, one in told)
    for loss, one in told:
        for broker, removed in _removed(loss.partition, one):
            of[broker].append(removed)
    for broker, found in of.items():
        ordered = sorted(found, key=lambda one: (one.at, -one.last, -one.records))
        for pairs in _near([(one.at, place) for place, one in enumerate(ordered)]):
            mine = [ordered[place] for _, place in pairs]
            last, who = sum(one.last for one in mine), brokers_value(trace, (broker,))
            count = last or sum(one.records for one in mine)
            kind = StepKind.GONE if last else StepKind.CUT
            open_ended = any(one.at_least for one in mine)
            amount = how_many(count, at_least=open_ended)
            words = _went(who, amount, last=bool(last), possible=possible)
            telling = [one for one in mine if one.last] or mine
            best = max(telling, key=lambda one: one.records)
            span = telling[0].at, telling[-1].at
            yield Step(kind, *span, (broker,), count, words, best.partition, best.seq, possible, open_ended)


def _went(who: Value, count: Count | AtLeast, *, last: bool, possible: bool) -> Message:
    """That copies went from a broker: the last ones, proven or not, or others."""
    if not last:
        return message("incident.step.cut", who=who, count=count)
    if not possible:
        return message("incident.step.gone", who=who, count=count)
    if isinstance(count, AtLeast):
        return message("incident.step.may-be-gone-least", who=who, count=count)
    return message("incident.step.may-be-gone", who=who, count=count)


def _removed(partition: int, lost: LostRange) -> Iterator[tuple[int, _Removed]]:
    """Each copy of a range that went, with its broker; the later ones first."""
    later: list[tuple[int, int]] = []
    for one in sorted(lost.copies, key=lambda one: (one.until is not None, -(one.until or 0))):
        own = (one.first_offset, one.end_offset)
        if one.until is not None:
            last = sum(end - first for first, end in without([own], later))
            open_ended = lost.at_least and one.end_offset == lost.end_offset
            yield one.broker, _Removed(one.until, partition, one.seq, own[1] - own[0], last, open_ended)
        later = joined([*later, own])


def most_telling(steps: Sequence[Step]) -> list[Step]:
    """As many as are told, in order of time; of equal kinds the larger and later ones."""
    kinds = list(StepKind)
    ranked = sorted(steps, key=lambda one: (kinds.index(one.kind), -one.records, -one.at))
    kept = ranked[:STEPS]
    return sorted(kept, key=lambda one: (one.at, kinds[::-1].index(one.kind)))
