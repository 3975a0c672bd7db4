"""Followers that left the in-sync set and show no fault why: since when they copied nothing, and until when.

A leader takes a follower that has not caught up for `replica.lag.time.max.ms` out of the in-sync set
(KIP-16). So the follower had all of the leader's log at a time that is at least so long before the shrink.
Nothing shows what it copied after that: it is taken to have copied nothing until it was let in again, led, or
its leader ended.

A controller takes out who is not live. Where the controller of before stood still itself, the next one does
that as it begins (from 2.4 on, KAFKA-3143), and names no broker that it misses: that a broker states itself
that its session was over shows it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.lab.choices import within
from core.lab.faults import BACK, ENDS, Fault, events_of, noticed, signs
from core.trace.trace import Event
from core.trace.units import SECOND_NS
from core.trace.vocabulary import NUMBER

_STATED_EARLIER: Final = SECOND_NS
"""By so much a set may be stated before the line of the leader that proposed it, by clocks that are apart."""


@dataclass(frozen=True, slots=True)
class _Absence:
    """A follower that its leader, or a controller, took out of the in-sync set. Times are ns."""

    broker: int
    leader: int | None
    """Who took it out; None for a controller."""
    shrunk: Event
    caught_up: int
    """It had caught up, or its controller had heard of it, for the last time by then."""
    sooner: int
    """So much sooner at most that was, where somebody looked for it and records came."""

    def fault(self, kind: Literal["freeze", "cut"], lo: int) -> Fault:
        """Its beginning, at the earliest at `lo`: as early as the leader can have needed to see it."""
        lo = min(lo, self.caught_up)
        at = within(self.caught_up - self.sooner, lo, self.caught_up)
        seq = int(self.shrunk.seq)
        leader = self.leader if kind == "cut" else None
        return Fault(kind, self.broker, at, lo, self.caught_up, seq, shrunk=seq, leader=leader)


def with_lags(
    history: History, verdict: PartitionVerdict, faults: Sequence[Fault], lag_ns: int, session_ns: int
) -> tuple[Fault, ...]:
    """The faults, and for each follower that left by lag and shows no fault why, one that does, with its end.

    A fault whose bounds reach back behind the lag is taken to be the cause.
    """
    found = list(faults)
    absences = list(_absences(history, verdict, lag_ns, session_ns))
    events = events_of(history) if absences else []
    for absence in absences:
        own = sorted([one for one in found if one.broker == absence.broker], key=lambda one: one.at)
        cause = next((one for one in reversed(own) if one.lo <= absence.caught_up), None)
        since = [one for one in own if absence.caught_up < one.at <= absence.shrunk.at]
        if cause is not None and cause.kind not in BACK:
            found[found.index(cause)] = _sooner(cause, absence)
        elif all(one.kind in BACK for one in since):
            silence = _silence(events, absence, session_ns)
            same = _within(own, silence)
            found = [one for one in found if one not in same]
            found += silence or _cut(verdict, events, found, absence)
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


def _absences(
    history: History, verdict: PartitionVerdict, lag_ns: int, session_ns: int
) -> Iterator[_Absence]:
    """The followers that were taken out of the in-sync set, each time."""
    for before, after in pairwise(verdict.isr):
        for broker in sorted(set(before.isr) - set(after.isr)):
            shrunk = _shrunk_without(history, broker, before.start, after.start + _STATED_EARLIER)
            leader = None if shrunk is None else shrunk.get("broker")
            if shrunk is not None and leader != broker:
                # A leader looks every half of the lag time.
                yield _Absence(broker, leader, shrunk, shrunk.at - lag_ns, lag_ns // 2)
            elif shrunk is None and after.evidence:
                shows = history.trace.event(after.evidence[0])
                # The session of a controller that stood still, too, ends first.
                yield _Absence(broker, None, shows, after.start - session_ns, session_ns)


def _shrunk_without(history: History, broker: int, since: int, until: int) -> Event | None:
    """The last proposal in a time to take a broker out of the in-sync set."""
    found = None
    trace, seqs = history.trace, history.seqs
    for seq in seqs[trace.columns["kind"][seqs] == NUMBER["isr_shrink_proposed"]].tolist():
        event = trace.event(seq)
        named = event.get("isr")
        if since <= event.at <= until and named is not None and broker not in trace.isrs[named]:
            found = event
    return found


def _sooner(cause: Fault, absence: _Absence) -> Fault:
    """A fault that is no later than its broker had caught up for the last time."""
    if cause.at <= absence.caught_up:
        return cause
    if cause.kind == "freeze":
        return absence.fault("freeze", cause.lo)
    return replace(cause, at=absence.caught_up, hi=absence.caught_up)


def _silence(events: Sequence[Event], absence: _Absence, session_ns: int) -> tuple[Fault, ...]:
    """The process stood still, if nothing of it is seen and its session was missed; else ()."""
    own = list(signs(events, absence.broker))
    before = [one.at for one in own if one.at <= absence.caught_up]
    after = next((one for one in own if one.at > absence.caught_up), None)
    if after is None or after.at <= absence.shrunk.at:
        return ()
    # Others say so before it goes on, it says so itself right after.
    missed = [one for one in noticed(events, absence.broker) if one.at >= absence.caught_up]
    itself = [one for one in missed if one.get("broker") == absence.broker]
    if not any(one.at <= after.at for one in missed) and not any(
        one.at <= after.at + session_ns for one in itself
    ):
        return ()
    freeze = absence.fault("freeze", max(before, default=absence.caught_up))
    back = _registered(events, absence.broker, after, session_ns)
    return freeze, Fault("thaw", absence.broker, back.at, after.at, back.at, int(back.seq))


def _within(own: Sequence[Fault], silence: Sequence[Fault]) -> Sequence[Fault]:
    """A silence that was found before and lies within another one: the same, seen later."""
    if not silence:
        return ()
    begins, ends = silence
    return [
        one
        for one in own
        if (one.kind == "freeze" and begins.at <= one.at <= ends.at)
        or (one.kind == "thaw" and begins.at <= one.at and one.lo <= ends.at)
    ]


def _registered(events: Sequence[Event], broker: int, goes_on: Event, session_ns: int) -> Event:
    """When a broker that goes on does what the simulator does at once: it has registered anew."""
    for event in events:
        soon = goes_on.at <= event.at <= goes_on.at + session_ns
        if soon and event.kind == "broker_registered" and event.get("replica") == broker:
            return event
    return goes_on


def _cut(
    verdict: PartitionVerdict, events: Sequence[Event], faults: Sequence[Fault], absence: _Absence
) -> tuple[Fault, ...]:
    """Follower and leader did not reach each other; () where it was not the leader that took it out."""
    if absence.leader is None:
        return ()
    came = [one.at for one in faults if one.broker == absence.broker and one.at <= absence.caught_up]
    since = _in_sync_since(verdict, absence.broker, absence.shrunk.at)
    begins = absence.fault("cut", max([since, *came]))
    ends = [(one.at, one.seq) for one in faults if one.at > absence.shrunk.at and _ends(one, absence)]
    ends += [
        (one.start, max(one.evidence, default=0))
        for one in verdict.isr
        if one.start > absence.shrunk.at and absence.broker in one.isr
    ]
    ends += [
        (one.start, max(one.evidence, default=0))
        for one in verdict.leadership
        if one.start > absence.shrunk.at and one.leader not in (-1, absence.leader)
    ]
    last = events[-1]
    end, seq = min(ends, default=(last.at, last.seq))
    heal = Fault("heal", absence.broker, end, absence.shrunk.at, end, int(seq), leader=absence.leader)
    return begins, heal


def _in_sync_since(verdict: PartitionVerdict, broker: int, before: int) -> int:
    """Since when a broker had been in the in-sync set that it left."""
    since = before
    for span in reversed([one for one in verdict.isr if one.start < before]):
        if broker in span.isr:
            since = span.start
        elif since < before:
            break
    return since


def _ends(fault: Fault, absence: _Absence) -> bool:
    """Whether the leader ends, or the follower has a fault of its own."""
    of_follower = fault.broker == absence.broker and fault.kind not in BACK
    return of_follower or (fault.broker == absence.leader and fault.kind in ENDS)
