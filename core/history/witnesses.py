"""From the lines of a partition to where some log would show another leader, epoch or in-sync set.

Decisions of the controller are sent to brokers whose lines may be missing. A stated value holds at its own
place, up to the next row that states it again, and as long as there is a witness: a broker that would be
notified of a change and print it. After that the value is unknown. In a simulation every change is an event.

A witness may be notified late: a process that was stopped for a while learns of a tenure seconds after it
began. Where not all replicas have logs, a tenure that ends with such a line is known only up to the last line
on it.

Who is notified (the same in all releases to 4.3): the replicas of a change of leader, by LeaderAndIsr
requests or by the metadata log (state-change.log); the controller of its own decisions; the leader of its own
changes of the in-sync set (server.log). Under KRaft the controller also takes a fenced broker out of the set
without a new leader epoch (KIP-841), which no broker prints: there only the metadata log and the partition
epoch show it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.assumptions import SAID_STANDS_AFTER_LOGS_FOR
from core.history.gaps_by_files import silent_on_sets
from core.history.gaps_by_others import gap_spans
from core.history.own_lines import first_server_log_place, is_own_line
from core.history.positions import place_after, place_before
from core.history.validity import Validity
from core.history.view import Row, Spans, View

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

A follower adds a fetcher for each new epoch, to the leader and in the epoch of which it was notified (in
ReplicaManager makeFollowers, applyLocalFollowersDelta; the line has the epoch from 2.1): where
state-change.log is missing, no other line states them.
"""
METADATA_UNTIL: Final = "metadata.until"
"""The fact with the time, in ns, up to which the metadata log is there without a gap."""
_LOG_UNTIL: Final = "log.broker-{}.until"
REQUESTS: Final = frozenset({"leader_and_isr_sent", "leader_and_isr_received", "metadata_sent"})
"""Sent only by a controller with ZooKeeper."""
DECISIONS: Final = frozenset({"leader_elected", "leaderless", "partition_created"})
"""Kinds that state what a controller has just decided."""
_NOTIFIED: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower"})
"""Kinds that state of which leader and epoch a broker was notified."""
DECIDED: Final = frozenset({"leader_and_isr_sent", "leader_elected", "leaderless", "partition_created"})
"""Kinds that state at once what a controller has decided, to itself or to a broker."""
_NEVER_FIRST: Final = frozenset(
    {"isr_shrink_proposed", "isr_expand_proposed", "isr_committed", "metadata_sent", "metadata_applied"}
)
"""Kinds that are never the first to state a tenure, where no line is missing."""
_WITH_EPOCH: Final = frozenset({"batch_on_disk", "epoch_assigned"})
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
_LIFE_CHANGES: Final = _ENDS | _STARTS | {"log_deleted"}


@dataclass(frozen=True, slots=True)
class Witnesses:
    """By place of a view, which logs would show a change."""

    shows_leader: list[bool]
    """By place: some log would show another leader or leader epoch."""
    shows_acts: dict[int, list[bool]]
    """By broker and place: its server.log would show how it changed the in-sync set, from its first to its
    last line."""
    lives: dict[int, list[bool]]
    """By broker and place: it prints lines and is notified, from the first to the last line of each life."""
    print_epochs: frozenset[int]
    """The brokers that print leaders and epochs of which they are notified."""
    metadata_log: list[bool]
    """By place: the metadata log is there and shows every change."""
    by_zookeeper: bool
    """Whether the controller is known to be one of ZooKeeper's."""
    all_have_logs: bool
    """Whether all replicas have logs."""
    all_print_epochs: bool
    """Whether all replicas have logs, and print leaders and epochs of which they are notified."""

    def shows_joining(self, leader: int, place: int) -> bool:
        """Whether some log would show that a replica joined the set: its leader prints whom it lets in."""
        if self.metadata_log[place]:
            return True
        own = self.shows_acts.get(leader)
        return own is not None and own[place]

    def shows_isr_changes(self, leader: int, first: int, until: int) -> list[bool]:
        """By place of a span, whether some log would show any change of the in-sync set.

        Without a leader only an election changes it.
        """
        metadata_log = self.metadata_log[first:until]
        if False not in metadata_log or (leader == -1 and self.all_have_logs):
            return [True] * (until - first)
        if leader == -1:
            shown = self.shows_leader[first:until]
        elif self.by_zookeeper and leader in self.shows_acts:
            prints = self.shows_acts[leader][first:until]
            shown = [one and other for one, other in zip(self.shows_leader[first:until], prints, strict=True)]
        else:
            return metadata_log
        return (
            [one or other for one, other in zip(shown, metadata_log, strict=True)]
            if True in metadata_log
            else shown
        )


def is_notified_late(row: Row, logs: Witnesses, place: int) -> bool:
    """Whether the row that is the first to state a tenure may be much later than its beginning.

    The metadata of all partitions and a leader's in-sync set come after the line on a new leader: where no
    log has that line, logs of that time are missing. A ZooKeeper controller that takes a dead replica out of
    the set raises the epoch itself, and its line states the epoch.
    """
    decides = row.kind == "isr_committed" and row.epoch is not None
    if row.kind in _NEVER_FIRST and not decides and not logs.metadata_log[place]:
        return True
    return not (logs.all_print_epochs or logs.metadata_log[place] or row.disk or row.kind in DECIDED)


def later_on_disk(view: View, epoch: int) -> bool:
    """Whether files of a replica state a later leader epoch than this one."""
    return any(
        row.epoch is not None and row.epoch > epoch and row.disk and row.partition == view.partition
        for row in view.rows.of(_WITH_EPOCH)
    )


def end_after_logs(view: View, known: list[Validity], logs: Witnesses) -> None:
    """End the validity of all values some time after the last line of all logs. Changes `known` in place.

    Directories that were copied later have times after the ends of all logs, which may have been cut off,
    too. Where every replica printed that it ends, nothing changes any more.
    """
    rows = view.rows
    end = max((logs_end(view, broker) for broker in view.brokers), default=0) + SAID_STANDS_AFTER_LOGS_FOR.ns
    if view.exact or not len(rows) or max(rows[-1].at, int(view.trace.columns["at"][-1])) <= end:
        return
    if all(
        rows[own_lines[-1]].kind in _ENDS for broker in view.brokers if (own_lines := rows.own_lines(broker))
    ):
        return
    # Also of the last place, where lines of others go on behind the logs of all replicas.
    places = range(min(int(np.searchsorted(rows.column("at"), end, "right")), len(rows)), len(rows) + 1)
    for place in places:
        if not logs.metadata_log[place]:
            known[place] = min(known[place], Validity.JUST_STATED) if place == places[0] else Validity.NO


def log_until(broker: int) -> str:
    """The name of the fact with the time, in ns, up to which there are lines in the logs of a broker."""
    return _LOG_UNTIL.format(broker)


def logs_end(view: View, broker: int) -> int:
    """The time of the last line in the logs of a broker, in ns; 0 where there is none."""
    stated = view.trace.facts.get(log_until(broker))
    own_lines = view.rows.own_lines(broker)
    return int(stated) if stated is not None else view.rows[own_lines[-1]].at if own_lines else 0


def witnesses(view: View) -> Witnesses:
    """Which logs of a view would show a change, from the lines of its replicas and of the controllers."""
    places = len(view.rows) + 1
    if view.exact:
        always = [True] * places
        return Witnesses(
            always, {}, {}, frozenset(), always, by_zookeeper=True, all_have_logs=True, all_print_epochs=True
        )
    of_partition = [row for row in view.rows.of(STATED) if row.partition == view.partition]
    printed = [row for row in of_partition if not row.disk and row.broker is not None]
    gaps = {broker: gap_spans(view, broker) for broker in view.brokers}
    printers = {*view.brokers, *(row.broker for row in printed if row.broker is not None)}
    lives = {broker: _lives(view, broker) for broker in printers}
    all_have_logs = (
        bool(view.brokers) and all(lives[broker] for broker in view.brokers) and not _open_gap(view, gaps)
    )
    print_epochs = {row.broker for row in printed if row.kind in _NOTIFIED and row.epoch is not None}
    metadata_log = _metadata_log_flags(view, of_partition)
    shows_leader = list(metadata_log)
    shows_acts: dict[int, list[bool]] = {}
    up_at: dict[int, list[bool]] = {}
    for broker, lives_of in lives.items():
        gaps_of = gaps.get(broker, ())
        covered = _covered_spans(lives_of, _last_covered(view, broker), all_have_logs=all_have_logs)
        spans = list(_without_gaps(covered, gaps_of))
        up_at[broker] = _flags_of_spans(spans, places)
        if broker in print_epochs:
            _raise_flags(shows_leader, spans)
        first_line = first_server_log_place(view, broker)
        if first_line is not None and lives_of and silent_on_sets(broker) not in view.trace.facts:
            last = places if all_have_logs else lives_of[-1][1]
            shows_acts[broker] = _flags_of_spans(_without_gaps([(first_line, last)], gaps_of), places)
    decided = ((first, last + 1, broker) for first, last, broker in _decision_spans(printed))
    _raise_flags(
        shows_leader,
        ((first, until) for first, until, broker in decided if False not in up_at[broker][first:until]),
    )
    return Witnesses(
        shows_leader,
        shows_acts,
        up_at,
        frozenset(broker for broker in lives if broker in print_epochs),
        metadata_log,
        by_zookeeper=any(row.kind in REQUESTS for row in printed) or _before_kraft(view),
        all_have_logs=all_have_logs,
        all_print_epochs=all_have_logs and print_epochs.issuperset(view.brokers),
    )


def _open_gap(view: View, gaps: Mapping[int, Spans]) -> bool:
    """Whether there is a gap in the log of a replica behind which no line of its own follows."""
    ends = {broker: [place_before(row) for row in view.rows.own_lines(broker)[-1:]] for broker in gaps}
    return any([last] > ends[broker] for broker, spans in gaps.items() for _, last in spans)


def _flags_of_spans(spans: Iterable[tuple[int, int]], places: int) -> list[bool]:
    """By place of 0..places-1, whether it is in one of the spans."""
    flags = [False] * places
    _raise_flags(flags, spans)
    return flags


def _raise_flags(flags: list[bool], spans: Iterable[tuple[int, int]]) -> None:
    """Set the flags of the places in the spans, each from its first place until before the second."""
    for first, until in spans:
        flags[first:until] = [True] * (until - first)


def _without_gaps(
    spans: Sequence[tuple[int, int]], gaps: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Spans of places without the gaps in a broker's log."""
    for first, until in spans:
        begin = first
        for gap, last in gaps:
            if begin < gap < until:
                yield begin, gap
            if gap < until and last >= begin:
                begin = max(begin, last + 1)
        if begin < until:
            yield begin, until


def _flags_of_span(first: int, until: int, places: int) -> list[bool]:
    """By place of 0..places-1, whether it is in first..until-1."""
    until = max(until, first)
    return [False] * first + [True] * (until - first) + [False] * (places - until)


def _before_kraft(view: View) -> bool:
    """Whether all brokers are known to run a release before 2.8, which has no KRaft."""
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
    counted, last_change, ended, removed = 0, 0, False, False
    for number in (*_life_changes(view, broker), len(view.rows)):
        before = bisect_left(own_lines, number, counted)
        if removed:
            counted = _first_after_deletion(view, own_lines, counted, before)
            removed = counted == before
        if counted < before and not ended:
            first, last = own_lines[counted] + 1 if first is None else first, own_lines[before - 1] + 1
        row, counted = view.rows[number] if number < len(view.rows) else None, before
        if row is None:
            break
        if row.kind == "log_deleted":
            stated = _last_stated_place(view, broker, last_change, number)
            if first is not None and stated is not None:
                found.append((first, stated, False))
            first, removed, counted = None, True, before + 1
            continue
        ended, last_change = row.kind in _ENDS, number
        if first is not None and last is not None:
            crashed = row.kind in _STARTS or row.kind == "broker_crashed"
            found.append((first, last if crashed else number + 1, False))
        first = last = None
    if first is not None and last is not None:
        found.append((first, last, True))
    return found


def _life_changes(view: View, broker: int) -> list[int]:
    """The numbers of the rows that state a start or an end of the broker, or the deletion of its replica."""
    return [
        row.number
        for row in view.rows.of(_LIFE_CHANGES)
        if (row.kind in _ENDS and row.replica == broker and row.partition is None)
        or (row.kind in _STARTS and row.broker == broker)
        or (row.kind == "log_deleted" and row.partition == view.partition and is_own_line(row, broker))
    ]


def _first_after_deletion(view: View, own_lines: Sequence[int], first: int, end: int) -> int:
    """The index of the first own line on the partition after its replica was deleted; `end` for none."""
    rows = view.rows
    return next((at for at in range(first, end) if rows[own_lines[at]].partition == view.partition), end)


def _last_stated_place(view: View, broker: int, first: int, end: int) -> int | None:
    """The place of the last own line on the leader, among rows first..end-1."""
    stated = [row for row in view.rows.of(STATED) if first <= row.number < end and is_own_line(row, broker)]
    return next(
        (place_after(row.number) for row in reversed(stated) if row.partition == view.partition), None
    )


def _place(view: View, seq: int) -> int:
    """The first place at which the event with this Seq has been applied."""
    return int(np.searchsorted(view.seqs, seq, side="right"))


def _last_covered(view: View, broker: int) -> int:
    """The place up to which the last life of a broker may be a witness: of its log a part may have been kept.

    The place before a row that comes long after the last line of its logs is none: a change may lie between.
    """
    places = len(view.rows) + 1
    if log_until(broker) not in view.trace.facts:
        return places
    end = logs_end(view, broker) + SAID_STANDS_AFTER_LOGS_FOR.ns
    if int(view.trace.columns["at"][-1]) <= end:
        return places
    return int(np.searchsorted(view.rows.column("at"), end, "right"))


def _covered_spans(
    lives: Sequence[tuple[int, int, bool]], places: int, *, all_have_logs: bool
) -> list[tuple[int, int]]:
    """(first place, place after the last) of each life. Nothing is known after the last line of a life.

    The log of a broker that died ends without a line on that. Where all replicas have logs, others would show
    it. `places` is the end of the last life, exclusive.
    """
    return [(first, max(first, places if up and all_have_logs else last)) for first, last, up in lives]


def _metadata_log_flags(view: View, of_partition: Sequence[Row]) -> list[bool]:
    """By place, whether the metadata log shows every change: from its first record on the partition on."""
    places = len(view.rows) + 1
    first = next((place_after(row.number) for row in of_partition if row.disk and row.kind in STATED), None)
    until = view.trace.facts.get(METADATA_UNTIL)
    if first is None or until is None:
        return [False] * places
    ends = int(np.searchsorted(view.trace.columns["at"], int(until), side="right"))
    last = min(_place(view, ends - 1) if ends < len(view.trace.columns["at"]) else places - 1, places - 1)
    return _flags_of_span(first, last + 1, places)


def _decision_spans(printed: Sequence[Row]) -> list[tuple[int, int, int]]:
    """(first place, last place, broker) between two decisions of one controller, with no other's between."""
    found: list[tuple[int, int, int]] = []
    last: Row | None = None
    for row in printed:
        if row.kind not in DECIDED or row.broker is None:
            continue
        first = place_after(row.number) if last is None or last.broker != row.broker else last.number + 1
        found.append((first, place_after(row.number), row.broker))
        last = row
    return found
