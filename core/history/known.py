"""How long a leader, an epoch or an in-sync set that was stated is known to stand.

What the control plane decided is told to nodes whose words may be missing. A statement holds at its own
place, up to the next one that repeats it, and as long as somebody speaks who would be told of a change.
After that it is unknown. In a simulation every change is an event.

Who is told may be told late: a process that was stopped for a while hears of a term seconds after it began.
Where not all replicas are heard, a term that ends with such a word is known only up to the last word on it.

Who is told (the same in all releases to 4.3): the replicas of a change of leader, by LeaderAndIsr requests or
by the metadata log (state-change.log); the controller of what it decides; the leader of what it does to the
in-sync set itself (server.log). Under KRaft the controller also takes a fenced broker out of the set without
a new leader epoch (KIP-841), which no broker prints: there only the metadata log and the number of the set,
the partition epoch, tell.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.assumptions import SAID_STANDS_AFTER_LOGS_FOR
from core.history.blind import blind_stretches
from core.history.standing import Known
from core.history.view import Row, View
from core.history.words import first_log_word, is_own_word

STATED: Final = frozenset(
    {
        "partition_created",
        "leader_and_isr_sent",
        "leader_and_isr_received",
        "metadata_sent",
        "metadata_applied",
        "partition_state",
        "leader_elected",
        "leaderless",
        "became_leader",
        "became_follower",
        "isr_committed",
        "fetcher_added",
    },
)
"""Kinds that say who leads, in which epoch, with which in-sync set.

A follower adds a fetcher for each new epoch, to the leader and in the epoch that it was told (in
ReplicaManager makeFollowers, applyLocalFollowersDelta; the line has the epoch from 2.1): where the log of
state changes is missing, that is all that is said.
"""
SPINE_UNTIL: Final = "metadata.until"
"""The fact that says to which time, in ns, the metadata log is here without a hole."""
_LOG_UNTIL: Final = "log.broker-{}.until"
REQUESTS: Final = frozenset({"leader_and_isr_sent", "leader_and_isr_received", "metadata_sent"})
"""Sent only by a controller with ZooKeeper."""
DECISIONS: Final = frozenset({"leader_elected", "leaderless", "partition_created"})
"""Kinds by which a controller says what it has just decided."""
_TOLD: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower"})
DECIDED: Final = frozenset({"leader_and_isr_sent", "leader_elected", "leaderless", "partition_created"})
"""Kinds by which a controller says what it has decided, at once."""
_SAID_AFTER: Final = frozenset(
    {"isr_shrink_proposed", "isr_expand_proposed", "isr_committed", "metadata_sent", "metadata_applied"}
)
"""Kinds that never are the first on a term, where nothing is missing."""
_WRITTEN: Final = frozenset({"batch_on_disk", "epoch_assigned"})
_ENDS: Final = frozenset(
    {
        "shutdown_requested",
        "controlled_shutdown_begun",
        "broker_stopped",
        "broker_crashed",
        "broker_exited",
        "session_expired",
    }
)
_STARTS: Final = frozenset({"broker_starting"})
_TURNS: Final = _ENDS | _STARTS | {"log_deleted"}


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Who would have told of a change, at every place of a view."""

    leader: list[bool]
    """Of another leader or epoch."""
    by_broker: dict[int, list[bool]]
    """Where a broker would have printed what it did: from the first to the last word of its server.log."""
    lives: dict[int, list[bool]]
    """Where a broker speaks and is told: from the first to the last word of each of its lives."""
    tellers: frozenset[int]
    """Who says what it is told of leaders and epochs."""
    spine: list[bool]
    """Where the metadata log tells of everything."""
    requests: bool
    """Whether the controller is known to be one of ZooKeeper's."""
    complete: bool
    """Whether all replicas speak."""
    told: bool
    """Whether all replicas speak, and say what they are told."""

    def growth(self, leader: int, place: int) -> bool:
        """Whether a replica that joined the set would be known: only a leader lets one in, and prints it."""
        if self.spine[place]:
            return True
        own = self.by_broker.get(leader)
        return own is not None and own[place]

    def in_sync_sets(self, leader: int, first: int, until: int) -> list[bool]:
        """By place of a stretch, whether any change of the set would be known.

        Without a leader only an election changes it.
        """
        spine = self.spine[first:until]
        if False not in spine or (leader == -1 and self.complete):
            return [True] * (until - first)
        if leader == -1:
            told = self.leader[first:until]
        elif self.requests and leader in self.by_broker:
            prints = self.by_broker[leader][first:until]
            told = [one and other for one, other in zip(self.leader[first:until], prints, strict=True)]
        else:
            return spine
        return [one or other for one, other in zip(told, spine, strict=True)] if True in spine else told


def told_late(row: Row, seen: Witnesses, place: int) -> bool:
    """Whether what ended a term may have been decided long before the row that tells of it.

    The metadata of all partitions and a leader's in-sync set come after the word on a new leader: where
    nobody has that word, logs of that time are missing. A controller of ZooKeeper that takes a dead replica
    out of the set raises the epoch itself: its line on that has the epoch.
    """
    decides = row.kind == "isr_committed" and row.epoch is not None
    if row.kind in _SAID_AFTER and not decides and not seen.spine[place]:
        return True
    return not (seen.told or seen.spine[place] or row.disk or row.kind in DECIDED)


def later_on_disk(view: View, epoch: int) -> bool:
    """Whether files of a replica know of a later epoch than any word."""
    return any(
        row.epoch is not None and row.epoch > epoch and row.disk and row.partition == view.partition
        for row in view.rows.of(_WRITTEN)
    )


def fall_silent(view: View, known: list[Known], seen: Witnesses) -> None:
    """Nothing is known to stand long after the last word of all, in place.

    Directories that were copied later have times behind the ends of all logs, which may have been cut, too.
    Where every replica said that it ends, nothing changes any more.
    """
    rows = view.rows
    end = max((logs_end(view, broker) for broker in view.brokers), default=0) + SAID_STANDS_AFTER_LOGS_FOR.ns
    if view.exact or not len(rows) or rows[-1].at <= end:
        return
    if all(rows[words[-1]].kind in _ENDS for broker in view.brokers if (words := rows.words(broker))):
        return
    places = range(int(np.searchsorted(rows.column("at"), end, "right")), len(rows) + 1)
    for place in places:
        if not seen.spine[place]:
            known[place] = min(known[place], Known.JUST_SAID) if place == places[0] else Known.NO


def log_until(broker: int) -> str:
    """The name of the fact that says up to which time, in ns, there are lines in the logs of a broker."""
    return _LOG_UNTIL.format(broker)


def logs_end(view: View, broker: int) -> int:
    """The time of the last line in the logs of a broker, in ns; 0 where there is none."""
    told = view.trace.facts.get(log_until(broker))
    words = view.rows.words(broker)
    return int(told) if told is not None else view.rows[words[-1]].at if words else 0


def witnesses(view: View) -> Witnesses:
    """Read from the words that the view has, of its replicas and of controllers on it."""
    places = len(view.rows) + 1
    if view.exact:
        always = [True] * places
        return Witnesses(always, {}, {}, frozenset(), always, requests=True, complete=True, told=True)
    mine = [row for row in view.rows.of(STATED) if row.partition == view.partition]
    said = [row for row in mine if not row.disk and row.broker is not None]
    blind = {broker: blind_stretches(view, broker) for broker in view.brokers}
    speakers = {*view.brokers, *(row.broker for row in said if row.broker is not None)}
    lives = {broker: _lives(view, broker) for broker in speakers}
    ends = {broker: view.rows.words(broker)[-1:] for broker in blind}
    unseen = any([last] > ends[broker] for broker, holes in blind.items() for _, last in holes)
    complete = bool(view.brokers) and all(lives[broker] for broker in view.brokers) and not unseen
    told = {row.broker for row in said if row.kind in _TOLD and row.epoch is not None}
    spine = _of_spine(view, mine)
    leader = list(spine)
    by_broker: dict[int, list[bool]] = {}
    told_at: dict[int, list[bool]] = {}
    for broker, own in lives.items():
        stretches = list(_seen(_covered(own, places, complete=complete), blind.get(broker, ())))
        told_at[broker] = [False] * places
        for first, until in stretches:
            told_at[broker][first:until] = [True] * (until - first)
            if broker in told:
                leader[first:until] = [True] * (until - first)
        begun = first_log_word(view, broker)
        if begun is not None and own:
            last = places if complete else own[-1][1]
            by_broker[broker] = [False] * places
            for first, until in _seen([(begun, last)], blind.get(broker, ())):
                by_broker[broker][first:until] = [True] * (until - first)
    for first, last, broker in _decisions(said):
        if False not in told_at[broker][first : last + 1]:
            leader[first : last + 1] = [True] * (last + 1 - first)
    requests = any(row.kind in REQUESTS for row in said) or _before_kraft(view)
    return Witnesses(
        leader,
        by_broker,
        told_at,
        frozenset(broker for broker in lives if broker in told),
        spine,
        requests=requests,
        complete=complete,
        told=complete and told.issuperset(view.brokers),
    )


def _seen(
    stretches: Sequence[tuple[int, int]], blind: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Stretches of places, without those where the log of the broker is missing."""
    for first, until in stretches:
        begin = first
        for hole, last in blind:
            if begin < hole < until:
                yield begin, hole
            if hole < until and last >= begin:
                begin = max(begin, last + 1)
        if begin < until:
            yield begin, until


def _between(first: int, until: int, places: int) -> list[bool]:
    """True from a place to before another."""
    until = max(until, first)
    return [False] * first + [True] * (until - first) + [False] * (places - until)


def _before_kraft(view: View) -> bool:
    return bool(view.brokers) and all(view.before(broker, 2, 8) for broker in view.brokers)


def _lives(view: View, broker: int) -> list[tuple[int, int, bool]]:
    """(first place, last place, whether it was still up there) of a broker's own words, life by life.

    A clean stop ends it where it begins: from then on the broker is told nothing. So does the deletion of
    its replica, but at the last word on who leads: it may have been told of its removal late. None where the
    log is missing that says when the broker started.
    """
    if first_log_word(view, broker) is None:
        return []
    found: list[tuple[int, int, bool]] = []
    words = view.rows.words(broker)
    first = last = None
    spoken, turned, ended, removed = 0, 0, False, False
    for number in (*_turns(view, broker), len(view.rows)):
        before = bisect_left(words, number, spoken)
        if removed:
            spoken = _resumes(view, words, spoken, before)
            removed = spoken == before
        if spoken < before and not ended:
            first, last = words[spoken] + 1 if first is None else first, words[before - 1] + 1
        row, spoken = view.rows[number] if number < len(view.rows) else None, before
        if row is None:
            break
        if row.kind == "log_deleted":
            stated = _stated_last(view, broker, turned, number)
            if first is not None and stated is not None:
                found.append((first, stated, False))
            first, removed, spoken = None, True, before + 1
            continue
        ended, turned = row.kind in _ENDS, number
        if first is not None and last is not None:
            crashed = row.kind in _STARTS or row.kind == "broker_crashed"
            found.append((first, last if crashed else number + 1, False))
        first = last = None
    if first is not None and last is not None:
        found.append((first, last, True))
    return found


def _turns(view: View, broker: int) -> list[int]:
    """The rows by which a broker starts or ends, and by which it says that its replica is deleted."""
    return [
        row.number
        for row in view.rows.of(_TURNS)
        if (row.kind in _ENDS and row.replica == broker and row.partition is None)
        or (row.kind in _STARTS and row.broker == broker)
        or (row.kind == "log_deleted" and row.partition == view.partition and is_own_word(row, broker))
    ]


def _resumes(view: View, words: Sequence[int], first: int, end: int) -> int:
    """Which of a stretch of own words is the first on the partition after its replica was deleted."""
    rows = view.rows
    return next((at for at in range(first, end) if rows[words[at]].partition == view.partition), end)


def _stated_last(view: View, broker: int, first: int, end: int) -> int | None:
    """The place of the last own word on who leads, among some rows."""
    told = [row for row in view.rows.of(STATED) if first <= row.number < end and is_own_word(row, broker)]
    return next((row.number + 1 for row in reversed(told) if row.partition == view.partition), None)


def _place(view: View, seq: int) -> int:
    """The first place that has the event."""
    return int(np.searchsorted(view.seqs, seq, side="right"))


def _covered(lives: Sequence[tuple[int, int, bool]], places: int, *, complete: bool) -> list[tuple[int, int]]:
    """(first place, place after the last). What follows the last word of a life is open.

    A log that just ends may be a dead broker's. Where all replicas speak the others would tell.
    """
    return [(first, max(first, places if up and complete else last)) for first, last, up in lives]


def _of_spine(view: View, mine: Sequence[Row]) -> list[bool]:
    """Everything from the first record of the metadata log about the partition to the end of the log."""
    places = len(view.rows) + 1
    first = next((row.number + 1 for row in mine if row.disk and row.kind in STATED), None)
    until = view.trace.facts.get(SPINE_UNTIL)
    if first is None or until is None:
        return [False] * places
    ends = int(np.searchsorted(view.trace.columns["at"], int(until), side="right"))
    last = min(_place(view, ends - 1) if ends < len(view.trace.columns["at"]) else places - 1, places - 1)
    return _between(first, last + 1, places)


def _decisions(said: Sequence[Row]) -> list[tuple[int, int, int]]:
    """(place, place, broker): between two decisions of one controller, in one life, no other decided."""
    found: list[tuple[int, int, int]] = []
    last: Row | None = None
    for row in said:
        if row.kind not in DECIDED or row.broker is None:
            continue
        first = row.number + 1 if last is None or last.broker != row.broker else last.number + 1
        found.append((first, row.number + 1, row.broker))
        last = row
    return found
