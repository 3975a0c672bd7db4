"""What happened to the controllers of KRaft in an incident: they ended, started, or did not reach each other.

A leader of the quorum that another one follows on though it did not end was cut off from the other voters.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from core.kafka.raft import FETCH_TIMEOUT_MS, check_quorum_ns
from core.lab.choices import within
from core.lab.faults import Fault
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import NUMBER, QuorumRole

_FETCH_TIMEOUT: Final = FETCH_TIMEOUT_MS * MILLISECOND_NS
"""Logs do not state it."""
_CHECK_QUORUM: Final = check_quorum_ns(_FETCH_TIMEOUT)
_ENDED: Final = frozenset({"broker_stopped", "quorum_member_stopped"})
_SEEKS: Final = frozenset({QuorumRole.PROSPECTIVE, QuorumRole.CANDIDATE})
_KINDS: Final = (
    *("quorum_member_starting", "quorum_member_stopped", "quorum_role_changed", "controller_elected"),
    *("broker_crashed", "broker_stopped", "became_follower", "became_leader", "vote_answered"),
)


@dataclass(frozen=True, slots=True)
class Reign:
    """A voter that leads the quorum in an epoch, since a time in ns."""

    leader: int
    epoch: int
    since: int


@dataclass(frozen=True, slots=True)
class Quorum:
    """The voters of a metadata quorum, who led it, and their faults in order.

    A stop is the end of a process like a crash. A cut is one from all other voters.
    """

    voters: tuple[int, ...]
    reigns: tuple[Reign, ...]
    faults: tuple[Fault, ...]

    def between(self, start: int, end: int) -> tuple[Fault, ...]:
        """The faults that began before a time and last, at that time, and those up to another time."""
        last = {one.broker: one for one in self.faults if one.at <= start}
        begun = (replace(one, at=start) for one in last.values() if one.kind not in ("start", "heal"))
        return (*begun, *(one for one in self.faults if start < one.at <= end))

    def timed(self, faults: Iterable[Fault]) -> tuple[Fault, ...]:
        """Faults of brokers in order, those of a node that votes, too, at the times that both show."""
        own = {one.seq: one for one in self.faults if one.kind == "crash"}
        found = (own.get(one.seq, one) if one.kind == "crash" else one for one in faults)
        return tuple(sorted(found, key=lambda one: (one.at, one.seq)))

    def in_order(self, at: int) -> tuple[int, ...]:
        """The voters, first the one that led last by then."""
        led = _leader(self.reigns, at)
        first = self.voters[0] if led is None else led
        return (first, *(one for one in self.voters if one != first))


def quorum_of(trace: Trace, faults: Iterable[Fault]) -> Quorum | None:
    """The quorum of a trace; None where there is none, or its voters are not known.

    `faults` are those of brokers: a node that is both ends as one.
    """
    index = next((at for at, one in enumerate(trace.partitions) if one.tp.of_quorum), None)
    if index is None or not trace.partitions[index].replicas:
        return None
    voters = tuple(trace.partitions[index].replicas)
    seqs = np.flatnonzero(np.isin(trace.columns["kind"], [NUMBER[one] for one in _KINDS])).tolist()
    events = [one for one in map(trace.event, seqs) if one.get("partition") in (None, index)]
    reigns = tuple(_reigns(events, voters))
    crashes = {one.seq: one for one in faults if one.kind == "crash"}
    own = [fault for voter in voters for fault in _own(events, voter, crashes, reigns)]
    found = [*own, *(cut for pair in pairwise(reigns) for cut in _cut(events, own, voters, pair))]
    return Quorum(voters, reigns, tuple(sorted(found, key=lambda one: (one.at, one.seq))))


def _reigns(events: Iterable[Event], voters: Sequence[int]) -> Iterator[Reign]:
    """Who led the quorum, by epoch."""
    epoch = -1
    for event in events:
        if event.kind == "controller_elected" and event.get("replica") in voters:
            known = event.values["epoch"]
            if known > epoch:
                epoch = known
                yield Reign(event.values["replica"], epoch, event.at)


def _own(
    events: Sequence[Event], voter: int, crashes: Mapping[int, Fault], reigns: Sequence[Reign]
) -> Iterator[Fault]:
    """The ends and starts of one voter."""
    up, last = True, events[0]
    for event in events:
        if event.get("replica") != voter or event.get("broker") != voter:
            continue
        last, seq = event, int(event.seq)
        if event.kind in _ENDED and up:
            up = False
            yield Fault("stop", voter, event.at, event.at, event.at, seq)
        elif event.kind == "broker_crashed" and up:
            up = False
            yield _both(_crash(events, voter, event, reigns), crashes.get(seq))
        elif event.kind == "quorum_member_starting" and not up:
            up = True
            yield Fault("start", voter, event.at, event.at, event.at, seq)
    later = [one.since for one in reigns if one.leader != voter]
    later += [one.at for one in events if _resigns(one) and one.get("replica") == _leader(reigns, one.at)]
    # A voter that runs has a part in what comes of that.
    if up and max(later, default=last.at) - last.at > _FETCH_TIMEOUT:
        yield _crash(events, voter, last, reigns)


def _both(voter: Fault, broker: Fault | None) -> Fault:
    """The end of a node that is a broker, too: what both show of its time."""
    if broker is None:
        return voter
    lo, hi = max(voter.lo, broker.lo), min(voter.hi, broker.hi)
    return replace(broker, at=within(min(voter.at, broker.at), lo, hi), lo=lo, hi=max(lo, hi))


def _leader(reigns: Sequence[Reign], at: int) -> int | None:
    """Who led at a time."""
    led = [one.leader for one in reigns if one.since <= at]
    return led[-1] if led else None


def _crash(events: Sequence[Event], voter: int, last: Event, reigns: Sequence[Reign]) -> Fault:
    """The end of a voter between its last sign of life and the first sign of its absence.

    The others seek another leader when they have not fetched for the fetch timeout; a leader that a majority
    does not fetch from resigns.
    """
    lo, seq = last.at, int(last.seq)
    later = [one for one in events if one.at > lo]
    back = (one.at for one in later if one.kind == "quorum_member_starting" and one.get("replica") == voter)
    hi = next(back, events[-1].at)
    missed = _seeks if _leader(reigns, lo) == voter else _resigns
    after = _FETCH_TIMEOUT if missed is _seeks else _CHECK_QUORUM
    shows = next(
        (one.at for one in later if missed(one) and one.get("replica") != voter and one.at < hi), None
    )
    if shows is None:
        return Fault("crash", voter, lo, lo, hi, seq)
    return Fault("crash", voter, within(shows - after, lo, shows), lo, shows, seq)


def _seeks(event: Event) -> bool:
    """Whether a voter seeks to lead."""
    return event.kind == "quorum_role_changed" and event.get("aux") in _SEEKS


def _resigns(event: Event) -> bool:
    """Whether a voter leads no more, by itself."""
    return event.kind == "quorum_role_changed" and event.get("aux") == QuorumRole.RESIGNED


def _cut(
    events: Sequence[Event], own: Iterable[Fault], voters: Sequence[int], pair: tuple[Reign, Reign]
) -> Iterator[Fault]:
    """A leader that another one, or itself, followed on though a majority ran all the while."""
    old, new = pair
    faults = list(own)
    ran = [one for one in voters if _ran([fault for fault in faults if fault.broker == one], old, new)]
    if old.leader not in ran or len(ran) <= len(voters) // 2:
        return
    during = [one for one in events if old.since < one.at <= new.since]
    resigned = [one for one in during if _resigns(one) and one.get("replica") == old.leader]
    seeking = [one for one in during if _seeks(one) and one.get("replica") == new.leader != old.leader]
    gives_way = [one.at for one in during if _hears(one, old.leader, old.epoch + 1)]
    begun = [one.at - _CHECK_QUORUM for one in resigned[:1]] + [
        one.at - _FETCH_TIMEOUT for one in seeking[:1]
    ]
    if not begun or min(gives_way, default=new.since) < min(one.at for one in (resigned + seeking)):
        # It heard of a later epoch before anybody missed it.
        return
    shows = (resigned + seeking)[0]
    at = within(min(begun), old.since, shows.at)
    hears = (one for one in events if one.at >= at and _hears(one, old.leader, new.epoch))
    end = next(hears, events[-1])
    yield Fault("cut", old.leader, at, old.since, shows.at, int(shows.seq))
    yield Fault("heal", old.leader, max(end.at, at), max(shows.at, at), max(end.at, at), int(end.seq))


def _ran(own: Sequence[Fault], old: Reign, new: Reign) -> bool:
    """Whether a voter with these faults ran from one reign to the next."""
    before = [one.kind for one in own if one.at <= old.since]
    # Who is being stopped resigns before it ends.
    until = {"crash": new.since, "stop": new.since + _FETCH_TIMEOUT}
    ended = [one for one in own if one.kind != "start" and old.since < one.at <= until[one.kind]]
    return not ended and (not before or before[-1] == "start")


def _hears(event: Event, voter: int, epoch: int) -> bool:
    """Whether another voter tells one of an epoch of the quorum: its own candidacies raise it, too."""
    alone = _seeks(event) or _resigns(event)
    of_quorum = event.get("broker") == voter and event.get("partition") is not None
    return of_quorum and not alone and (event.get("epoch") or 0) >= epoch
