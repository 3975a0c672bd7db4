"""From lines of a broker, and of others about it, to the gaps in its server.log.

That a log has no lines for a while is no gap by itself: a follower prints nothing while it copies.
"""

import itertools
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from core.assumptions import (
    CONTROLLER_TELLS_BROKERS_WITHIN,
    FETCHED_AFTER_CUT_WITHIN,
    ROLE_AND_FETCHER_LINES_WITHIN,
)
from core.history.gaps_by_cuts import uncut_spans
from core.history.gaps_by_files import (
    cut_off_spans,
    ended_before,
    log_ends,
    not_understood_spans,
    silent_on_loading,
)
from core.history.gaps_by_own_lines import contradicted_spans
from core.history.own_lines import ENDS, SERVER_LOG, is_own_line
from core.history.positions import places_between
from core.history.view import Row, Spans, View
from core.trace.ids import Place
from core.trace.vocabulary import NUMBER, Basis

_ROLE: Final = frozenset({"became_leader", "became_follower"})
_ROLES_AND_STARTS: Final = frozenset({"leader_and_isr_received", "broker_starting", *_ROLE})
"""Kinds that state a role of the broker, or its start."""
_NOTIFIED_EPOCHS: Final = frozenset({"leader_and_isr_received", "metadata_applied", "fetcher_added", *_ROLE})
"""Kinds that state an epoch of which the broker was notified."""
_TENURES: Final = frozenset(
    {"leader_elected", "leaderless", "partition_created", "leader_and_isr_sent", *_ROLE}
)
"""Kinds that state a tenure."""
_REMOVED: Final = frozenset({"fetcher_removed"})
_COMMITS: Final = frozenset({"isr_committed", "metadata_applied"})
"""Kinds that state an in-sync set."""
_GONE: Final = _REMOVED | {"log_deleted"}
"""Kinds that a broker prints last of a replica that moved away."""
_NOTICES: Final = frozenset({"broker_failure_noticed", "session_expired", "broker_fenced", *ENDS})
"""Kinds that state that a broker is down or out of service."""
_BACK: Final = frozenset({"broker_registered", "broker_unfenced"})
"""Kinds that state that a broker is up again."""
_BACK_OR_FENCED: Final = _BACK | {"broker_fenced"}
_FENCES: Final = NUMBER["broker_fenced"]
_UNFENCES: Final = NUMBER["broker_unfenced"]
_REGISTERS: Final = frozenset({"broker_registered", "session_expired"})
_LIFE: Final = frozenset({"broker_starting", "broker_started", *ENDS})
_LOADED: Final = frozenset({"log_loaded", "log_created"})
_AT_WORK: Final = frozenset({"fetcher_added", "isr_shrink_proposed", "isr_expand_proposed", "truncated"})
"""Kinds of server.log that a broker which only starts does not print: it has registered before them."""
_USED: Final = frozenset(
    {"appended", "log_end_on_disk", "hw_checkpointed", "fetcher_added", "isr_shrink_proposed", "truncated"}
)
"""Kinds that state something of a log which is in use."""
_LENGTHS: Final = frozenset({"appended", "became_leader", "became_follower", "log_end_on_disk"})
"""Kinds that state the end of a log."""
_EPOCHS_ON_DISK: Final = frozenset({"batch_on_disk", "epoch_assigned"})
"""Kinds that state a leader epoch of records in a log."""
_SHORTER: Final = frozenset(
    {"truncated", "log_reset", "log_deleted", "log_created", "log_loaded", "broker_starting", *ENDS}
)
"""Kinds at which a log may be shorter than before."""
_REACHED: Final = frozenset({"hw_checkpointed", "flushed"})
"""Kinds that state what a log has reached: it is no shorter, or it was cut."""
_CUT: Final = frozenset({"truncated", "log_reset"})
_DECIDES: Final = frozenset({"truncation_decided"})
"""Kinds that state how short a log will be at once: no line on the cut itself is needed."""
_BEGUN: Final = frozenset({"broker_starting"})
_ON_LENGTH: Final = _LENGTHS | _SHORTER | _DECIDES | _REACHED
_ON_LOADING: Final = _BEGUN | _LOADED | _USED
_TENURES_AND_NOTICES: Final = _TENURES | _NOTICES
_LIFE_AND_WORK: Final = _LIFE | _AT_WORK
_STARTING: Final = frozenset(
    {
        "broker_starting",
        "log_loaded",
        "leo_sample",
        "unclean_restart_detected",
        "broker_registered",
        "session_expired",
    }
)
"""Kinds that a broker prints while it starts, before its start is complete."""
_CHANGED: Final = _REMOVED | {"fetcher_added", "truncated", "truncation_decided", "hw_loaded", "log_created"}
"""Kinds that a broker prints when it takes a new role."""


def gap_spans(view: View, broker: int) -> Spans:
    """Spans first..last of places within which lines of the broker's server.log are missing.

    Between two lines of server.log there is a gap in two cases. First, state-change.log has a new role there,
    and server.log does not have the line that removes the fetcher. Each new role has one, but that of a
    follower which goes on as it was (follows_anew in core/kafka/truncation.py), where logs have such lines at
    all, or server.log had ended (ReplicaManager.makeLeaders, makeFollowers, applyLocalLeadersDelta,
    applyLocalFollowersDelta). Second, others print that the broker registered, as it does at a start and
    after an expired session, and its log has no line at that time.

    After its last line there is a gap in the same cases, and where others state an epoch of which this
    broker, up as far as is known, has no line although it prints its roles. So there is where a log was cut
    off or lines were dropped, where a replica begins to follow in logs that are not understood
    (core/history/gaps_by_files.py), and where it must have cut its log (core/history/gaps_by_cuts.py).

    None of that holds for a member of the metadata quorum, which has no fetchers of that kind.
    """
    found = view.gaps.get(broker)
    if found is None:
        found = view.gaps[broker] = () if view.exact or view.of_quorum else _find_gaps(view, broker)
    return found


def _find_gaps(view: View, broker: int) -> Spans:
    """The spans of `gap_spans`, found anew."""
    rows = view.rows
    printed = rows.own_lines_of(broker, SERVER_LOG)
    if not printed:
        return ()
    found: list[tuple[Place, Place]] = []
    changed = rows.own_lines_of(broker, _CHANGED)
    for number in _fetchers_removed(view, broker):
        if not rows.of(_REMOVED) and not ended_before(view, broker, rows[number].at):
            continue
        at = bisect_left(printed, number)
        place = bisect_left(changed, number)
        if at and not any(
            _close_in_time(view, number, one) for one in changed[max(place - 1, 0) : place + 1]
        ):
            after = printed[at] if at < len(printed) else len(rows)
            found.append(places_between(printed[at - 1], after))
    found += _unprinted_registrations(view, printed, broker)
    found += _unprinted_falls(view, broker)
    found += _unprinted_epochs_on_disk(view, broker)
    found += _unfinished_start(view, broker)
    found += _unprinted_loading(view, broker)
    found += contradicted_spans(view, broker)
    found += cut_off_spans(view, broker)
    found += not_understood_spans(view, broker)
    found += uncut_spans(view, broker)
    last = rows[rows.own_lines(broker)[-1]]
    if not any(until == len(rows) for _, until in found) and _later_tenure_unprinted(view, last, broker):
        found.append(places_between(last.number, len(rows)))
    return tuple(sorted(dict.fromkeys(found)))


def _fetchers_removed(view: View, broker: int) -> Iterator[int]:
    """The numbers of rows on roles with which a broker surely removes its fetcher.

    The first one after a start, and from 2.1 every one; before that not those of a follower that keeps its
    leader. Never a role in which a
    ZooKeeper controller makes it follow no leader: it "cannot become follower since the new leader -1 is
    unavailable" (ReplicaManager.makeFollowers), and keeps its fetcher and its earlier leader.
    """
    fetched_from: int | None = None
    stated_leader: int | None = None
    first_role = False
    for row in view.rows.of(_ROLES_AND_STARTS):
        if broker not in (row.replica, row.broker) or row.partition not in (view.partition, None):
            continue
        if row.kind == "broker_starting":
            fetched_from = stated_leader = None
            first_role = log_ends(broker, "server") in view.trace.facts
        elif row.kind == "leader_and_isr_received":
            stated_leader = stated_leader if row.leader is None else row.leader
        elif row.kind == "became_follower" and row.leader in (None, -1) and stated_leader == -1:
            continue
        else:
            leader = stated_leader if row.leader is None else row.leader
            leads = row.kind == "became_leader"
            if (
                leads
                or first_role
                or view.since(broker, 2, 1, at=row.seq)
                or (leader is not None and leader != fetched_from)
            ):
                yield row.number
            fetched_from = broker if leads else leader
            first_role = False


def _close_in_time(view: View, one: int, other: int) -> bool:
    """Whether two rows are so close in time that they may state one change."""
    return abs(view.rows[one].at - view.rows[other].at) <= ROLE_AND_FETCHER_LINES_WITHIN.ns


def _unprinted_registrations(view: View, printed: list[int], broker: int) -> list[tuple[Place, Place]]:
    """Spans between lines of server.log in which others state that the broker registered, and it does not."""
    rows = view.rows
    found: list[tuple[Place, Place]] = []
    for row in _stated_by_others(view, broker):
        at = bisect_left(printed, row.number)
        if not at or rows[printed[at - 1]].at + ROLE_AND_FETCHER_LINES_WITHIN.ns >= row.at:
            continue
        if _prints_registration(view, broker, row):
            continue
        if at == len(printed):
            found.append(places_between(printed[-1], len(rows)))
        elif row.kind == "broker_registered" and (
            row.at + ROLE_AND_FETCHER_LINES_WITHIN.ns < rows[printed[at]].at
            or _only_warns(view, row, printed[at:])
        ):
            turns = [rows[one].kind for one in printed[:at] if rows[one].kind in _LIFE_AND_WORK]
            if turns[-1:] != ["broker_starting"]:
                found.append(places_between(printed[at - 1], printed[at]))
    return found


def _stated_by_others(view: View, broker: int) -> Iterator[Row]:
    """The rows in which others state that a broker is up again. Those that it prints itself are not made.

    A broker of KRaft that was fenced and is not any more, and has not registered meanwhile, stood still: it
    is the process of before, and prints nothing of that.
    """
    rows = view.rows
    numbers = rows.numbers(_BACK_OR_FENCED, replica=broker)
    if not numbers:
        return
    own = frozenset(rows.own_lines_of(broker, _BACK))
    kinds, reported = (rows.column("kind")[numbers], rows.column("basis")[numbers] == Basis.REPORTED)
    stood_still = False
    for number, kind, by_another in zip(numbers, kinds.tolist(), reported.tolist(), strict=True):
        stood_still = kind == _FENCES or (stood_still and kind == _UNFENCES)
        if not stood_still and (by_another or number not in own):
            yield rows[number]


def _only_warns(view: View, row: Row, later: list[int]) -> bool:
    """Whether a broker prints only failed fetches when it registers: its log is at WARN, or torn."""
    rows = view.rows
    soon = [one for one in later if rows[one].at <= row.at + ROLE_AND_FETCHER_LINES_WITHIN.ns]
    return all(rows[one].kind == "fetch_failed" for one in soon)


def _prints_registration(view: View, broker: int, row: Row) -> bool:
    """Whether a broker itself prints, near a row, that it registers or that its session has expired."""
    basis = view.rows.column("basis")
    return any(
        _close_in_time(view, row.number, one)
        for one in view.rows.own_lines_of(broker, _REGISTERS)
        if basis.item(one) != Basis.REPORTED
    )


def _unprinted_falls(view: View, broker: int) -> list[tuple[Place, Place]]:
    """Spans between rows in which a log became shorter without a line on a cut or a start.

    The later row may be of a file: then the log of the broker ends before it did. A checkpoint states what
    was reached by its time; right after a cut, to 2.3, it may still state what was reached before that.
    """
    found: list[tuple[Place, Place]] = []
    since, length, cut = -1, -1, -FETCHED_AFTER_CUT_WITHIN.ns
    for row in view.rows.of(_ON_LENGTH):
        if row.replica != broker or row.partition not in (view.partition, None):
            continue
        if row.kind in _SHORTER:
            since = row.number
            length = row.leo if row.kind == "log_loaded" and row.leo is not None else -1
            cut = row.at if row.kind in _CUT else cut
        elif row.kind in _DECIDES:
            if row.offset is not None and row.offset < length:
                since, length, cut = row.number, row.offset, row.at
        elif row.kind in _REACHED:
            reached = row.hw if row.hw is not None else row.offset
            if row.disk and reached is not None and row.at >= cut + FETCHED_AFTER_CUT_WITHIN.ns:
                length = max(length, reached)
        elif row.leo is not None and (row.kind == "log_end_on_disk" or is_own_line(row, broker)):
            if not row.at_least and row.leo < length:
                found.append(places_between(since, row.number))
            since, length = row.number, row.leo
    return found


def _unprinted_epochs_on_disk(view: View, broker: int) -> list[tuple[Place, Place]]:
    """Spans from the last line on a role to a file of the replica with a later epoch than any line before.

    A replica gets records of an epoch only while it leads or follows in it or in a later one.
    """
    own_lines = (view.rows[number] for number in view.rows.own_lines_of(broker, _NOTIFIED_EPOCHS))
    notified = [row for row in own_lines if row.epoch is not None and row.partition == view.partition]
    latest = list(itertools.accumulate((row.epoch or 0 for row in notified), max))
    found: list[tuple[Place, Place]] = []
    before_moment, latest_on_disk, moment = (-1, -1), (-1, -1), -1
    for row in view.rows.of(_EPOCHS_ON_DISK):
        if row.replica != broker or row.partition != view.partition or row.epoch is None:
            continue
        if not (row.disk or row.kind == "batch_on_disk"):
            continue
        if row.at != moment:
            # What files stated before, at another time, counts too: (latest epoch, row).
            moment, before_moment = row.at, latest_on_disk
        latest_on_disk = max(latest_on_disk[0], row.epoch), row.number
        before = bisect_left(notified, row.number, key=lambda one: one.number)
        if before and row.epoch > max(latest[before - 1], before_moment[0]):
            span = places_between(max(notified[before - 1].number, before_moment[1]), row.number)
            found += [] if found and found[-1][0] >= span[0] else [span]
    return found


def _unprinted_loading(view: View, broker: int) -> list[tuple[Place, Place]]:
    """Spans from a start to the next line with a log end, if no line states the loading of a log in use.

    Each log is printed as it is loaded or created, before anything else happens to it. Where that line is
    missing, others on the partition may be missing, too; not where no log of the broker has such a line.
    """
    if silent_on_loading(broker) in view.trace.facts:
        return []
    found: list[tuple[Place, Place]] = []
    begun: int | None = None
    used = False
    for row in view.rows.of(_ON_LOADING):
        if row.replica != broker or (not row.disk and row.broker != broker):
            continue
        if row.kind in _BEGUN:
            found += [places_between(begun, row.number)] if begun is not None and used else []
            begun, used = row.number, False
        elif row.partition == view.partition and begun is not None:
            loaded = row.kind in _LOADED
            if loaded or row.leo is not None:
                found += [places_between(begun, row.number)] if used or not loaded else []
                begun = None
            used = True
    return [*found, places_between(begun, len(view.rows))] if begun is not None and used else found


def _unfinished_start(view: View, broker: int) -> list[tuple[Place, Place]]:
    """The span from the last own line on, if it belongs to a start that did not complete for long."""
    rows = view.rows
    own_lines = rows.own_lines(broker)
    last = rows[own_lines[-1]]
    begun = rows.own_lines_of(broker, _BEGUN)
    since = own_lines[bisect_left(own_lines, begun[-1]) :] if begun else own_lines[-1:]
    starting = all(rows[number].kind in _STARTING for number in since)
    if not starting or not _time_to_be_notified(view, last):
        return []
    return [places_between(last.number, len(rows))]


def _later_tenure_unprinted(view: View, last: Row, broker: int) -> bool:
    """Whether a tenure began after the last own line, and no row states that the broker was down.

    Without state-change.log a broker prints no epochs, but it changes its fetcher with its leader. One whose
    replica moved away is told of no tenure.
    """
    if last.kind in ENDS or _moved_away(view, broker):
        return False
    own = (view.rows[number] for number in view.rows.own_lines_of(broker, _ROLES_AND_STARTS))
    epochs = [row.epoch for row in own if row.epoch is not None and row.partition == view.partition]
    stated = [
        row
        for row in view.rows.of(_TENURES_AND_NOTICES)
        if row.kind in _NOTICES or (row.partition == view.partition and row.epoch is not None)
    ]
    before = [row for row in stated if row.kind in _TENURES and row.number <= last.number]
    known = before[-1] if before else next((row for row in stated if row.kind in _TENURES), None)
    down = False
    for row in stated:
        if row.number <= last.number or known is None:
            continue
        if row.kind in _NOTICES:
            down = down or row.replica == broker
        elif row.kind == "leader_and_isr_sent" and row.replica == broker:
            down = False
        begins = (row.epoch or 0) > max(epochs) if epochs else _another_leader(row, known)
        if row.kind in _TENURES and begins and not down and _time_to_be_notified(view, row):
            return True
    return False


def _moved_away(view: View, broker: int) -> bool:
    """Whether the replica is not among those last assigned, and its broker has done nothing for it since.

    Its last line on it removes the fetcher or the log (ReplicaManager.stopPartitions), and no leader and no
    in-sync set that is stated later has it. Where the log is removed it is none of those assigned, whatever
    was stated last: with ZooKeeper the controller's log alone states an assignment, and it may be missing.
    """
    about = reversed(view.rows.about(broker, view.partition))
    since = next((one for one in about if not view.rows[one].disk), None)
    if since is None or view.rows[since].kind not in _GONE:
        return False
    replicas = view.trace.partitions[view.partition].replicas
    if view.rows[since].kind in _REMOVED and (not replicas or broker in replicas):
        return False
    later = (row for row in view.rows.of(_TENURES | _COMMITS) if row.number > since)
    return not any(
        row.partition == view.partition and (row.leader == broker or broker in (row.isr or ()))
        for row in later
    )


def _another_leader(row: Row, known: Row) -> bool:
    """Whether a row states a later epoch than another row, with another leader."""
    later = (row.epoch or 0) > (known.epoch or 0)
    return later and None not in (row.leader, known.leader) and row.leader not in (known.leader, -1)


def _time_to_be_notified(view: View, row: Row) -> bool:
    """Whether the trace goes on for so long after a row that a broker would be notified of it."""
    return view.rows[-1].at >= row.at + CONTROLLER_TELLS_BROKERS_WITHIN.ns
