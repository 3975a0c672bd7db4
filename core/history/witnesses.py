"""Witnesses: the brokers whose logs would show another leader, leader epoch or in-sync set, at every place.

Decisions of the controller are sent to brokers whose lines may be missing. A stated value is valid at its own
place, up to the next row that repeats it, and as long as there is a witness: a broker that would be notified
of a change and print it. After that the value is unknown. In a simulation every change is an event.

A witness may be notified late: a process that was stopped for a while learns of a tenure seconds after it
began. Where not all replicas have logs, a tenure that ends with such a line is known only up to the last line
on it.

Who is notified (the same in all releases to 4.3): the replicas of a change of leader, by LeaderAndIsr
requests or by the metadata log (state-change.log); the controller of its own decisions; the leader of its
own changes of the in-sync set (server.log). Under KRaft the controller also takes a fenced broker out of the
set without a new leader epoch (KIP-841), which no broker prints: there only the metadata log and the
partition epoch show it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.assumptions import SAID_STANDS_AFTER_LOGS_FOR
from core.history.gaps_by_others import gap_spans
from core.history.own_lines import first_server_log_place, is_own_line
from core.history.validity import Validity
from core.history.view import Row, View

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
"""Kinds that state the leader, its epoch, or the in-sync set.

A follower adds a fetcher for each new epoch, to the leader and in the epoch that it was told (in
ReplicaManager makeFollowers, applyLocalFollowersDelta; the line has the epoch from 2.1): where the log of
state changes is missing, that is all that is said.
"""
METADATA_UNTIL: Final = "metadata.until"
"""The fact that says to which time, in ns, the metadata log is here without a hole."""
_LOG_UNTIL: Final = "log.broker-{}.until"
REQUESTS: Final = frozenset({"leader_and_isr_sent", "leader_and_isr_received", "metadata_sent"})
"""Sent only by a controller with ZooKeeper."""
DECISIONS: Final = frozenset({"leader_elected", "leaderless", "partition_created"})
"""Kinds that state what a controller has just decided."""
_TOLD: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower"})
DECIDED: Final = frozenset({"leader_and_isr_sent", "leader_elected", "leaderless", "partition_created"})
"""Kinds that state at once what a controller has decided."""
_SAID_AFTER: Final = frozenset(
    {"isr_shrink_proposed", "isr_expand_proposed", "isr_committed", "metadata_sent", "metadata_applied"}
)
"""Kinds that never are the first to state a tenure, where no line is missing."""
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
    """By place of a view, which logs would show a change."""

    leader: list[bool]
    """Some log would show another leader or epoch."""
    by_broker: dict[int, list[bool]]
    """By broker: its server.log would show what it did, from its first to its last line."""
    lives: dict[int, list[bool]]
    """By broker: it prints lines and is notified, from the first to the last line of each life."""
    tellers: frozenset[int]
    """The brokers that print leaders and epochs of which they are notified."""
    spine: list[bool]
    """The metadata log is there and shows every change."""
    requests: bool
    """Whether the controller is known to be one of ZooKeeper's."""
    complete: bool
    """Whether all replicas have logs."""
    told: bool
    """Whether all replicas have logs, and print leaders and epochs of which they are notified."""

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


def is_notified_late(row: Row, seen: Witnesses, place: int) -> bool:
    """Whether a tenure may have ended long before the row that shows it.

    The metadata of all partitions and a leader's in-sync set come after the line on a new leader: where no
    log has that line, logs of that time are missing. A ZooKeeper controller that takes a dead replica out of
    the set raises the epoch itself, and its line states the epoch.
    """
    decides = row.kind == "isr_committed" and row.epoch is not None
    if row.kind in _SAID_AFTER and not decides and not seen.spine[place]:
        return True
    return not (seen.told or seen.spine[place] or row.disk or row.kind in DECIDED)


def later_on_disk(view: View, epoch: int) -> bool:
    """Whether files of a replica state a later epoch than a given one."""
    return any(
        row.epoch is not None and row.epoch > epoch and row.disk and row.partition == view.partition
        for row in view.rows.of(_WRITTEN)
    )


def end_after_logs(view: View, known: list[Validity], seen: Witnesses) -> None:
    """End the validity of all values some time after the last line of all logs. Changes `known` in place.

    Directories that were copied later have times behind the ends of all logs, which may have been cut, too.
    Where every replica printed that it ends, nothing changes any more.
    """
    rows = view.rows
    end = max((logs_end(view, broker) for broker in view.brokers), default=0) + SAID_STANDS_AFTER_LOGS_FOR.ns
    if view.exact or not len(rows) or rows[-1].at <= end:
        return
    if all(
        rows[own_lines[-1]].kind in _ENDS for broker in view.brokers if (own_lines := rows.own_lines(broker))
    ):
        return
    places = range(int(np.searchsorted(rows.column("at"), end, "right")), len(rows) + 1)
    for place in places:
        if not seen.spine[place]:
            known[place] = min(known[place], Validity.JUST_STATED) if place == places[0] else Validity.NO


def log_until(broker: int) -> str:
    """The name of the fact that says up to which time, in ns, there are lines in the logs of a broker."""
    return _LOG_UNTIL.format(broker)


def logs_end(view: View, broker: int) -> int:
    """The time of the last line in the logs of a broker, in ns; 0 where there is none."""
    told = view.trace.facts.get(log_until(broker))
    own_lines = view.rows.own_lines(broker)
    return int(told) if told is not None else view.rows[own_lines[-1]].at if own_lines else 0


def witnesses(view: View) -> Witnesses:
    """The witnesses of a view: from the lines of its replicas, and of controllers on it."""
    places = len(view.rows) + 1
    if view.exact:
        always = [True] * places
        return Witnesses(always, {}, {}, frozenset(), always, requests=True, complete=True, told=True)
    mine = [row for row in view.rows.of(STATED) if row.partition == view.partition]
    said = [row for row in mine if not row.disk and row.broker is not None]
    gaps = {broker: gap_spans(view, broker) for broker in view.brokers}
    speakers = {*view.brokers, *(row.broker for row in said if row.broker is not None)}
    lives = {broker: _lives(view, broker) for broker in speakers}
    ends = {broker: view.rows.own_lines(broker)[-1:] for broker in gaps}
    unseen = any([last] > ends[broker] for broker, gaps in gaps.items() for _, last in gaps)
    complete = bool(view.brokers) and all(lives[broker] for broker in view.brokers) and not unseen
    told = {row.broker for row in said if row.kind in _TOLD and row.epoch is not None}
    spine = _of_spine(view, mine)
    leader = list(spine)
    by_broker: dict[int, list[bool]] = {}
    told_at: dict[int, list[bool]] = {}
    for broker, own in lives.items():
        spans = list(_seen(_covered(own, places, complete=complete), gaps.get(broker, ())))
        told_at[broker] = [False] * places
        for first, until in spans:
            told_at[broker][first:until] = [True] * (until - first)
            if broker in told:
                leader[first:until] = [True] * (until - first)
        begun = first_server_log_place(view, broker)
        if begun is not None and own:
            last = places if complete else own[-1][1]
            by_broker[broker] = [False] * places
            for first, until in _seen([(begun, last)], gaps.get(broker, ())):
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


def _seen(spans: Sequence[tuple[int, int]], gaps: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of places without the gaps in the log of the broker."""
    for first, until in spans:
        begin = first
        for gap, last in gaps:
            if begin < gap < until:
                yield begin, gap
            if gap < until and last >= begin:
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
    """(first place, last place, whether it was still up there) of a broker's own lines, life by life.

    A life ends where a clean stop begins: from then on the broker is not notified. It also ends with the
    deletion of its replica, at the last line on the leader: it may have been notified of its removal late.
    Empty where server.log, which shows starts, is missing.
    """
    if first_server_log_place(view, broker) is None:
        return []
    found: list[tuple[int, int, bool]] = []
    own_lines = view.rows.own_lines(broker)
    first = last = None
    spoken, turned, ended, removed = 0, 0, False, False
    for number in (*_turns(view, broker), len(view.rows)):
        before = bisect_left(own_lines, number, spoken)
        if removed:
            spoken = _resumes(view, own_lines, spoken, before)
            removed = spoken == before
        if spoken < before and not ended:
            first, last = own_lines[spoken] + 1 if first is None else first, own_lines[before - 1] + 1
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
    """The rows that state a start or an end of the broker, or the deletion of its replica."""
    return [
        row.number
        for row in view.rows.of(_TURNS)
        if (row.kind in _ENDS and row.replica == broker and row.partition is None)
        or (row.kind in _STARTS and row.broker == broker)
        or (row.kind == "log_deleted" and row.partition == view.partition and is_own_line(row, broker))
    ]


def _resumes(view: View, own_lines: Sequence[int], first: int, end: int) -> int:
    """The index of the first own line on the partition after its replica was deleted."""
    rows = view.rows
    return next((at for at in range(first, end) if rows[own_lines[at]].partition == view.partition), end)


def _stated_last(view: View, broker: int, first: int, end: int) -> int | None:
    """The place of the last own line on the leader, among rows first..end-1."""
    told = [row for row in view.rows.of(STATED) if first <= row.number < end and is_own_line(row, broker)]
    return next((row.number + 1 for row in reversed(told) if row.partition == view.partition), None)


def _place(view: View, seq: int) -> int:
    """The first place that has the event."""
    return int(np.searchsorted(view.seqs, seq, side="right"))


def _covered(lives: Sequence[tuple[int, int, bool]], places: int, *, complete: bool) -> list[tuple[int, int]]:
    """(first place, place after the last) of each life. Nothing is known behind the last line of a life.

    A log that just ends may be a dead broker's. Where all replicas have logs, the others would show that.
    """
    return [(first, max(first, places if up and complete else last)) for first, last, up in lives]


def _of_spine(view: View, mine: Sequence[Row]) -> list[bool]:
    """By place, whether the metadata log shows every change: from its first record on the partition on."""
    places = len(view.rows) + 1
    first = next((row.number + 1 for row in mine if row.disk and row.kind in STATED), None)
    until = view.trace.facts.get(METADATA_UNTIL)
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
