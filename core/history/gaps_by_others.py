"""Gaps in the server.log of a broker, found by other logs and by its state-change.log.

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
from core.history.gaps_by_own_lines import contradicted_spans
from core.history.own_lines import ENDS, SERVER_LOG, is_own_line
from core.history.view import Row, View
from core.trace.vocabulary import Basis

_ROLE: Final = frozenset({"became_leader", "became_follower"})
_HEARD: Final = frozenset({"leader_and_isr_received", "broker_starting", *_ROLE})
_TOLD_EPOCHS: Final = frozenset({"leader_and_isr_received", "metadata_applied", "fetcher_added", *_ROLE})
_STATED: Final = frozenset(
    {"leader_elected", "leaderless", "partition_created", "leader_and_isr_sent", *_ROLE}
)
_NOTICES: Final = frozenset({"broker_failure_noticed", "session_expired", "broker_fenced", *ENDS})
_BACK: Final = frozenset({"broker_registered", "broker_unfenced"})
_REGISTERS: Final = frozenset({"broker_registered", "session_expired"})
_LIFE: Final = frozenset({"broker_starting", "broker_started", *ENDS})
_LOADED: Final = frozenset({"log_loaded", "log_created"})
_AT_WORK: Final = frozenset({"fetcher_added", "isr_shrink_proposed", "isr_expand_proposed", "truncated"})
"""Kinds of server.log that a broker which only starts does not print: it has registered before them."""
_USED: Final = frozenset(
    {"appended", "log_end_on_disk", "hw_checkpointed", "fetcher_added", "isr_shrink_proposed", "truncated"}
)
"""Kinds that tell of a log which is in use."""
_LENGTHS: Final = frozenset({"appended", "became_leader", "became_follower", "log_end_on_disk"})
"""Kinds that state the end of a log."""
_WRITTEN: Final = frozenset({"batch_on_disk", "epoch_assigned"})
_SHORTER: Final = frozenset(
    {"truncated", "log_reset", "log_deleted", "log_created", "log_loaded", "broker_starting", *ENDS}
)
"""Kinds at which a log may be shorter than before."""
_REACHED: Final = frozenset({"hw_checkpointed", "flushed"})
"""Kinds that state what a log has reached: it is no shorter, or it was cut."""
_CUT: Final = frozenset({"truncated", "log_reset"})
_BEGUN: Final = frozenset({"broker_starting"})
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
"""Kinds after which a start has more to say."""
_REMOVED: Final = frozenset({"fetcher_removed"})
_CHANGED: Final = _REMOVED | {"fetcher_added", "truncated", "truncation_decided", "hw_loaded", "log_created"}
"""What a new role comes with."""


def gap_spans(view: View, broker: int) -> tuple[tuple[int, int], ...]:
    """Spans first..last of places within which lines of the broker's server.log are missing.

    Between two lines of server.log there is a gap in two cases. First, state-change.log has a new role there,
    and server.log does not have the line that removes the fetcher. Each new role has one, but that of a
    follower which goes on as it was (follows_anew in core/kafka/truncation.py), where logs have such lines at
    all (ReplicaManager.makeLeaders, makeFollowers, applyLocalLeadersDelta, applyLocalFollowersDelta). Second,
    others print that the broker registered, as it does at a start and after an expired session, and its log
    has no line at that time.

    Behind its last line the same holds. There is also a gap where others state an epoch on which this broker,
    up as far as is known, has no line although it prints its roles.
    """
    found = view.gaps.get(broker)
    if found is None:
        found = view.gaps[broker] = () if view.exact else _find(view, broker)
    return found


def _find(view: View, broker: int) -> tuple[tuple[int, int], ...]:
    rows = view.rows
    printed = rows.own_lines_of(broker, SERVER_LOG)
    if not printed:
        return ()
    places = len(rows) + 1
    found: list[tuple[int, int]] = []
    changed = rows.own_lines_of(broker, _CHANGED)
    for number in _fetchers_removed(view, broker) if rows.of(_REMOVED) else ():
        at = bisect_left(printed, number)
        place = bisect_left(changed, number)
        if at and not any(_together(view, number, one) for one in changed[max(place - 1, 0) : place + 1]):
            after = printed[at] if at < len(printed) else places - 1
            found.append((printed[at - 1] + 1, after))
    found += _came_back(view, printed, broker)
    found += _fell(view, broker)
    found += _written_later(view, broker)
    found += _never_up(view, broker)
    found += _never_mentioned(view, broker)
    found += contradicted_spans(view, broker)
    last = rows[rows.own_lines(broker)[-1]]
    if not any(until == places - 1 for _, until in found) and _went_on(view, last, broker):
        found.append((last.number + 1, places - 1))
    return tuple(sorted(dict.fromkeys(found)))


def _fetchers_removed(view: View, broker: int) -> Iterator[int]:
    """The rows of roles with which a broker surely removes its fetcher.

    From 2.1 every one, before that not those of a follower that keeps its leader. Never one that a controller
    of ZooKeeper tells to follow nobody: it "cannot become follower since the new leader -1 is unavailable"
    (ReplicaManager.makeFollowers), and keeps its fetcher and its leader of before.
    """
    told: int | None = None
    named: int | None = None
    for row in view.rows.of(_HEARD):
        if broker not in (row.replica, row.broker) or row.partition not in (view.partition, None):
            continue
        if row.kind == "broker_starting":
            told = named = None
        elif row.kind == "leader_and_isr_received":
            named = named if row.leader is None else row.leader
        elif row.kind == "became_follower" and row.leader in (None, -1) and named == -1:
            continue
        else:
            leader = named if row.leader is None else row.leader
            leads = row.kind == "became_leader"
            if leads or view.since(broker, 2, 1) or (leader is not None and leader != told):
                yield row.number
            told = broker if leads else leader


def _together(view: View, one: int, other: int) -> bool:
    """Whether two rows are so close in time that they may state one change."""
    return abs(view.rows[one].at - view.rows[other].at) <= ROLE_AND_FETCHER_LINES_WITHIN.ns


def _came_back(view: View, printed: list[int], broker: int) -> list[tuple[int, int]]:
    """Spans between lines of server.log in which others state that the broker came back, and it does not."""
    rows, places = view.rows, len(view.rows) + 1
    found: list[tuple[int, int]] = []
    for row in rows.of(_BACK):
        at = bisect_left(printed, row.number)
        told = is_own_line(row, broker) and row.basis is not Basis.REPORTED
        if (
            row.replica != broker
            or told
            or not at
            or rows[printed[at - 1]].at + ROLE_AND_FETCHER_LINES_WITHIN.ns >= row.at
        ):
            continue
        if at == len(printed):
            found.append((printed[-1] + 1, places - 1))
        elif row.kind == "broker_registered" and (
            row.at + ROLE_AND_FETCHER_LINES_WITHIN.ns < rows[printed[at]].at
            or _only_warns(view, broker, row, printed[at:])
        ):
            turns = [rows[one].kind for one in printed[:at] if rows[one].kind in _LIFE | _AT_WORK]
            if turns[-1:] != ["broker_starting"]:
                found.append((printed[at - 1] + 1, printed[at]))
    return found


def _only_warns(view: View, broker: int, row: Row, later: list[int]) -> bool:
    """Whether a broker that registers prints nothing then but failed fetches: its log is at WARN, or torn."""
    rows = view.rows
    soon = [one for one in later if rows[one].at <= row.at + ROLE_AND_FETCHER_LINES_WITHIN.ns]
    own = any(_together(view, row.number, one) for one in rows.own_lines_of(broker, _REGISTERS))
    return not own and all(rows[one].kind == "fetch_failed" for one in soon)


def _fell(view: View, broker: int) -> list[tuple[int, int]]:
    """Spans between rows in which a log became shorter without a line on a cut or a start.

    The later one may be a file: then the log of the broker ends before it did. A checkpoint names what was
    reached by its time; right after a cut, to 2.3, perhaps still what was reached before that.
    """
    found: list[tuple[int, int]] = []
    since, length, cut = -1, -1, -FETCHED_AFTER_CUT_WITHIN.ns
    for row in view.rows.of(_LENGTHS | _SHORTER | _REACHED):
        if row.replica != broker or row.partition not in (view.partition, None):
            continue
        if row.kind in _SHORTER:
            since = row.number
            length = row.leo if row.kind == "log_loaded" and row.leo is not None else -1
            cut = row.at if row.kind in _CUT else cut
        elif row.kind in _REACHED:
            reached = row.hw if row.hw is not None else row.offset
            if row.disk and reached is not None and row.at >= cut + FETCHED_AFTER_CUT_WITHIN.ns:
                length = max(length, reached)
        elif row.leo is not None and (row.kind == "log_end_on_disk" or is_own_line(row, broker)):
            if not row.at_least and row.leo < length:
                found.append((since + 1, row.number))
            since, length = row.number, row.leo
    return found


def _written_later(view: View, broker: int) -> list[tuple[int, int]]:
    """From the last line on a role, where a file of the replica then has a later epoch than any line before.

    Records of an epoch come to a replica that leads or follows in it or in a later one.
    """
    own_lines = (view.rows[number] for number in view.rows.own_lines_of(broker, _TOLD_EPOCHS))
    told = [row for row in own_lines if row.epoch is not None and row.partition == view.partition]
    latest = list(itertools.accumulate((row.epoch or 0 for row in told), max))
    found: list[tuple[int, int]] = []
    written, here, moment = (-1, -1), (-1, -1), -1
    for row in view.rows.of(_WRITTEN):
        if row.replica != broker or row.partition != view.partition or row.epoch is None:
            continue
        if not (row.disk or row.kind == "batch_on_disk"):
            continue
        if row.at != moment:
            # What files said before, at another moment, is known too: (latest epoch, row).
            moment, written = row.at, here
        here = max(here[0], row.epoch), row.number
        before = bisect_left(told, row.number, key=lambda one: one.number)
        if before and row.epoch > max(latest[before - 1], written[0]):
            span = (max(told[before - 1].number, written[1]) + 1, row.number)
            found += [] if found and found[-1][0] >= span[0] else [span]
    return found


def _never_mentioned(view: View, broker: int) -> list[tuple[int, int]]:
    """From a start to the next line with a log end, where the log is in use and no line states its loading.

    Each log is printed as it is loaded or created, before anything else happens to it. Where that line is
    missing, others on the partition may be missing, too.
    """
    found: list[tuple[int, int]] = []
    begun: int | None = None
    used = False
    for row in view.rows.of(_BEGUN | _LOADED | _USED):
        if row.replica != broker or (not row.disk and row.broker != broker):
            continue
        if row.kind in _BEGUN:
            found += [(begun + 1, row.number)] if begun is not None and used else []
            begun, used = row.number, False
        elif row.partition == view.partition and begun is not None:
            loaded = row.kind in _LOADED
            if loaded or row.leo is not None:
                found += [(begun + 1, row.number)] if used or not loaded else []
                begun = None
            used = True
    return [*found, (begun + 1, len(view.rows))] if begun is not None and used else found


def _never_up(view: View, broker: int) -> list[tuple[int, int]]:
    """From the last own line, where it belongs to a start that did not complete long before the end."""
    rows = view.rows
    own_lines = rows.own_lines(broker)
    last = rows[own_lines[-1]]
    begun = rows.own_lines_of(broker, _BEGUN)
    since = own_lines[bisect_left(own_lines, begun[-1]) :] if begun else own_lines[-1:]
    starting = all(rows[number].kind in _STARTING for number in since)
    if not starting or not _time_to_be_notified(view, last):
        return []
    return [(last.number + 1, len(rows))]


def _went_on(view: View, last: Row, broker: int) -> bool:
    """Whether an epoch began after the last own line, and no row states that the broker was down.

    Without state-change.log a broker states no epochs, but it changes its fetcher with its leader.
    """
    if last.kind in ENDS:
        return False
    own = (view.rows[number] for number in view.rows.own_lines_of(broker, _HEARD))
    told = [row.epoch for row in own if row.epoch is not None and row.partition == view.partition]
    stated = [
        row
        for row in view.rows.of(_STATED | _NOTICES)
        if row.kind in _NOTICES or (row.partition == view.partition and row.epoch is not None)
    ]
    before = [row for row in stated if row.kind in _STATED and row.number <= last.number]
    known = before[-1] if before else next((row for row in stated if row.kind in _STATED), None)
    down = False
    for row in stated:
        if row.number <= last.number or known is None:
            continue
        if row.kind in _NOTICES:
            down = down or row.replica == broker
        elif row.kind == "leader_and_isr_sent" and row.replica == broker:
            down = False
        begins = (row.epoch or 0) > max(told) if told else _another_leader(row, known)
        if row.kind in _STATED and begins and not down and _time_to_be_notified(view, row):
            return True
    return False


def _another_leader(row: Row, known: Row) -> bool:
    """Whether a row is on a later epoch than another, with another leader."""
    later = (row.epoch or 0) > (known.epoch or 0)
    return later and None not in (row.leader, known.leader) and row.leader not in (known.leader, -1)


def _time_to_be_notified(view: View, row: Row) -> bool:
    """Whether the trace goes on long enough for a broker to be notified."""
    return view.rows[-1].at >= row.at + CONTROLLER_TELLS_BROKERS_WITHIN.ns
