"""From lines of one broker that contradict each other to the gaps in its logs.

Each line looked at here requires an earlier one, which the same logs would have. Where that is missing, the
logs have a gap. It lies between the last line that agrees with the earlier state and the first that
contradicts it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.assumptions import (
    CHECKPOINT_READ_TWICE_WITHIN,
    END_NOTICED_WITHIN,
    FETCHES_PAUSE_AT_MOST,
    FORMER_ROLE_ECHOES_FOR,
    NEXT_ROLE_FOLLOWS_WITHIN,
)
from core.history.epochs_at_once import epochs_at_once
from core.history.positions import places_between
from core.history.rows import ENDS
from core.history.view import Row, View
from core.trace.ids import UNSAID, Place
from core.trace.vocabulary import Basis

_BECAME: Final = frozenset({"became_leader", "became_follower"})
_ROLE: Final = _BECAME | {"leader_and_isr_received"}
_STARTING: Final = frozenset({"broker_starting"})
_STOPPING: Final = frozenset({"shutdown_requested", "controlled_shutdown_begun"})
_ENDS_A_ROLE: Final = _STARTING | _STOPPING
_PROPOSED: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
_LEADS: Final = frozenset({*_PROPOSED, "follower_leo_recorded", "fetch_answered"})
"""Kinds that only a leader prints."""
_FETCHES: Final = frozenset({"fetch_sent", "fetch_delivered", "fetcher_added", "truncated"})
"""Kinds that only a follower prints."""
_NOTICED: Final = frozenset({"broker_failure_noticed"})
_EXPIRED: Final = frozenset({"session_expired"})
_APPLIED: Final = frozenset({"metadata_applied"})
_NOTIFIED_OR_STARTED: Final = (
    _ROLE
    | _APPLIED
    | {"fetcher_added", "log_loaded", "log_created", "hw_loaded", "broker_registered", "broker_started"}
)
"""Kinds that a broker prints as it starts, or because the controller notified it of something."""
_STATED: Final = frozenset(
    {
        "leader_elected",
        "leaderless",
        "partition_created",
        "leader_and_isr_sent",
        "metadata_sent",
        "isr_committed",
    }
    | {*_ROLE, *_APPLIED}
)
_SENT: Final = frozenset({"leader_and_isr_sent"})
_ENDS: Final = frozenset(ENDS)
_EVERY_FETCH: Final = frozenset(
    {"fetch_sent", "fetch_delivered", "fetch_answered", "follower_leo_recorded", "appended", "leo_sample"}
)
"""Kinds that a broker prints of each fetch, at DEBUG and TRACE."""
_OF_LEADER: Final = frozenset({"fetch_answered", "follower_leo_recorded", "appended", "hw_moved"})
"""Kinds that a leader prints as it answers fetches."""
_APPENDS: Final = frozenset({"leo_sample"})
"""Kinds that a follower prints as it appends what it fetched."""
_APPENDED: Final = frozenset({"appended"})
_MANY_FETCHES: Final = 200
"""From so many of these lines on it is known how often a broker prints them."""
_CHECKPOINT_READ: Final = frozenset({"hw_loaded"})
_DELETED: Final = frozenset({"log_deleted"})
_REGISTERED: Final = frozenset({"broker_registered"})
_DOWN: Final = _NOTICED | _STOPPING
_UP_OR_DOWN: Final = _DOWN | _STARTING | _REGISTERED
_AT_WORK: Final = frozenset({"fetcher_added", "fetch_failed", *_PROPOSED})
"""Kinds of server.log that a broker prints as it follows or leads: it has registered before."""


def contradicted_spans(view: View, broker: int) -> list[tuple[Place, Place]]:
    """Spans first..last of places within which lines of a broker are missing, as its other lines show.

    - A leader fetches from no broker, and a follower lets no replica into the in-sync set.
    - Leader epochs are given out one by one, and every replica that is up is notified of each. The metadata
      of all partitions, and requests of the controller, reach a broker with its own role or after it.
    - A broker whose end others noticed prints a start, or that its session expired, before anything else. So
      does one that has stopped.
    - A broker registers, and prints that, before it is notified of any role.
    - A checkpoint is read once in a life.
    - A log with every fetch goes on as long as its broker is up.
    - A log with every append has no offset between the end of one and the beginning of the next.
    """
    found = [
        *_acts_against_role(view, broker),
        *_back_after_noticed_end(view, broker),
        *_lines_after_end(view, broker),
    ]
    found += [*_silent_after_fetches(view, broker), *_checkpoint_read_twice(view, broker)]
    found += _at_work_unregistered(view, broker)
    found += _appends_missing(view, broker)
    return [(first, last) for first, last in found if first <= last]


def _acts_against_role(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans in which a broker acts against its role, each role lasting until the next one or a start."""
    roles = _role_changes(view, broker)
    if not roles:
        return
    acts = {leads: _act_rows(view, broker, _LEADS if leads else _FETCHES) for leads in (True, False)}
    others = sorted((*_own_rows(view, broker, _APPLIED), *_sent(view, broker)), key=lambda row: row.number)
    others = [row for row in others if row.epoch is not None]
    other_numbers = [row.number for row in others]
    registered = view.rows.own_lines_of(broker, _REGISTERED)
    for number, (row, leads, epoch) in enumerate(roles):
        if leads is None:
            continue
        after = roles[number + 1] if number + 1 < len(roles) else None
        end = len(view.rows) if after is None else after[0].number
        against = _first_after_echoes(view, acts[not leads], row, end)
        if epoch is not None:
            later = (
                one
                for one in others[bisect_left(other_numbers, row.number) : bisect_left(other_numbers, end)]
                if (one.epoch or 0) > epoch and not _next_role_in_time(view, one, after)
            )
            late_notice = next(later, None)
            against = min(
                (one for one in (against, late_notice and late_notice.number) if one is not None),
                default=None,
            )
        if against is None and after is not None and _may_have_acted_between(view, epoch, after[2]):
            # From the end of its session until it registers anew, a broker is notified of nothing.
            at = bisect_left(registered, row.number)
            against = None if at < len(registered) and registered[at] < end else end
        if against is not None:
            acts_in_role = acts[leads]
            place = bisect_left(acts_in_role, against)
            last_in_role = max(row.number, acts_in_role[place - 1] if place else 0)
            yield places_between(last_in_role, max(against, end))


def _role_changes(view: View, broker: int) -> list[tuple[Row, bool | None, int | None]]:
    """(row, whether it leads, leader epoch) of each change of role; None for no role.

    A start ends the role. A broker that stops gets no new role, only the order to stop its replicas.
    """
    found: list[tuple[Row, bool | None, int | None]] = []
    leads: bool | None = None
    epoch: int | None = None
    for row in _own_rows(view, broker, _ROLE | _ENDS_A_ROLE):
        if row.kind in _ENDS_A_ROLE:
            leads = epoch = None
        else:
            now = (
                row.leader == broker if row.kind == "leader_and_isr_received" else row.kind == "became_leader"
            )
            if row.kind == "leader_and_isr_received" and row.leader is None:
                continue
            outdated = row.epoch is not None and epoch is not None and row.epoch < epoch
            new_epoch = epoch if row.epoch is None else row.epoch
            if outdated or (leads, epoch) == (now, new_epoch):
                continue
            leads, epoch = now, new_epoch
        found.append((row, leads, epoch))
    return found


def _leaders(view: View) -> dict[int, int]:
    """The leader of each leader epoch that any row states; -1 for none, also where no broker was notified."""
    found: dict[int, int] = {}
    for row in view.rows.of(_STATED):
        leader = -1 if row.kind == "leaderless" else row.leader
        leader = row.replica if row.kind == "became_leader" else leader
        if row.partition == view.partition and row.epoch is not None and leader is not None:
            found[row.epoch] = leader
    return found | dict.fromkeys(epochs_at_once(view), -1)


def _may_have_acted_between(view: View, epoch: int | None, later: int | None) -> bool:
    """Whether a replica may have acted in an epoch between two that its lines state.

    A fenced broker is not notified of all of them. In an epoch without a leader no log changes.
    """
    if epoch is None or later is None or later <= epoch + 1:
        return False
    leaders = _leaders(view)
    return any(leaders.get(one) != -1 for one in range(epoch + 1, later))


def _own_rows(view: View, broker: int, kinds: frozenset[str]) -> Iterator[Row]:
    """The broker's own lines of some kinds, without those about other replicas or partitions."""
    for number in view.rows.own_lines_of(broker, kinds):
        row = view.rows[number]
        if row.replica in (broker, None) and row.partition in (view.partition, None):
            yield row


def _sent(view: View, broker: int) -> Iterator[Row]:
    """The rows in which a ZooKeeper controller states what it sends to a broker that is up.

    It prints the same of one that is down, and drops the request then: "Not sending request ..., since it is
    offline" (ControllerChannelManager.sendRequest; seen in 0.11 as the last member left the in-sync set). One
    that stops may be gone before it reads a request.
    """
    lives = [row for row in view.rows.of(_UP_OR_DOWN) if row.replica == broker]
    numbers = [row.number for row in lives]
    for row in view.rows.of(_SENT):
        if row.replica == broker and row.partition == view.partition:
            at = bisect_left(numbers, row.number)
            if not at or lives[at - 1].kind not in _DOWN:
                yield row


def _act_rows(view: View, broker: int, kinds: frozenset[str]) -> list[int]:
    """The numbers of the rows by which a broker acts in a role."""
    rows = view.rows
    numbers = np.array(rows.own_lines_of(broker, kinds), dtype=np.intp)
    mine = rows.column("partition")[numbers] == view.partition
    if kinds is _FETCHES:
        mine &= rows.column("replica")[numbers] == broker
    return numbers[mine].tolist()


def _first_after_echoes(view: View, numbers: list[int], row: Row, end: int) -> int | None:
    """The first of some rows, before `end`, that is too late to belong to the role before `row`; or None."""
    for number in numbers[bisect_right(numbers, row.number) : bisect_left(numbers, end)]:
        if view.rows[number].at > row.at + FORMER_ROLE_ECHOES_FOR.ns:
            return number
    return None


def _next_role_in_time(view: View, row: Row, after: tuple[Row, bool | None, int | None] | None) -> bool:
    """Whether the next role follows in time, or the logs end before it could."""
    return (view.rows[-1] if after is None else after[0]).at <= row.at + NEXT_ROLE_FOLLOWS_WITHIN.ns


def _back_after_noticed_end(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from the last own line before others noticed its end to the first that shows it up again.

    Only where neither a start nor an expired session is printed between. A broker that is cut off goes on and
    prints lines until it learns that its session has expired.
    """
    rows = view.rows
    own_lines = rows.own_lines(broker)
    back = rows.own_lines_of(broker, _NOTIFIED_OR_STARTED)
    starts = [rows[number] for number in rows.own_lines_of(broker, _ENDS_A_ROLE)]
    expired = rows.numbers(_EXPIRED, replica=broker)
    for row in rows.of(_NOTICED):
        if row.replica != broker or row.broker == broker:
            continue
        at = bisect_left(own_lines, row.number)
        after = back[bisect_left(back, row.number) :]
        later = next(
            (number for number in after if rows[number].at > row.at + FORMER_ROLE_ECHOES_FOR.ns), None
        )
        if not at or later is None:
            continue
        begun = any(row.at - END_NOTICED_WITHIN.ns <= start.at and start.number <= later for start in starts)
        lapsed = any(own_lines[at - 1] <= number <= later for number in expired)
        if not begun and not lapsed:
            yield places_between(own_lines[at - 1], later)


def _at_work_unregistered(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from the last own line of a start to the first at work, with no registration printed between.

    Only where it has printed the registration of an earlier life.
    """
    starting = printed = False
    if not (view.rows.own_lines_of(broker, _STARTING) and view.rows.own_lines_of(broker, _AT_WORK)):
        # A long view has many registrations: they are not looked at for nothing.
        return
    own_lines = view.rows.own_lines(broker)
    for row in _own_rows(view, broker, _STARTING | _REGISTERED | _AT_WORK):
        if starting and printed and row.kind in _AT_WORK:
            yield places_between(own_lines[bisect_left(own_lines, row.number) - 1], row.number)
        starting = row.kind in _STARTING
        printed = printed or (row.kind in _REGISTERED and row.basis is not Basis.REPORTED)


def _lines_after_end(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from the end of a process to its next own line, if that is no start."""
    rows = view.rows
    own_lines = rows.own_lines(broker)
    for number in rows.numbers(_ENDS, replica=broker):
        end = rows[number]
        if end.basis is not Basis.OBSERVED or end.partition is not None:
            continue
        later = next(
            (
                one
                for one in own_lines[bisect_right(own_lines, number) :]
                if rows[one].at > end.at + FORMER_ROLE_ECHOES_FOR.ns
            ),
            None,
        )
        if later is not None and not any(
            number < one <= later for one in rows.own_lines_of(broker, _STARTING)
        ):
            yield places_between(number, later)


def _silent_after_fetches(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans in which a log with every fetch is silent, with no end or start stated in them.

    From its last line to the end of the trace, or between two lines of a leader while others append what they
    fetch. Only that shows that it ran: a process may be stopped for a while, or a follower lack a leader.
    """
    rows = view.rows
    regular = rows.own_lines_of(broker, _EVERY_FETCH)
    if len(regular) < _MANY_FETCHES:
        return
    pauses = np.diff(rows.column("at")[np.array(regular, dtype=np.intp)])
    longest = max(FETCHES_PAUSE_AT_MOST.ns, 10 * int(np.quantile(pauses, 0.99)))
    stated = sorted(
        {*rows.numbers(_ENDS | _NOTICED | _EXPIRED, replica=broker), *rows.own_lines_of(broker, _STARTING)}
    )
    for number in np.flatnonzero(pauses > longest).tolist():
        first, last = regular[number], regular[number + 1]
        unended = bisect_left(stated, first) == bisect_left(stated, last)
        if unended and rows[first].kind in _OF_LEADER and _others_append(view, broker, first, last):
            yield places_between(first, last)
    last = rows.own_lines(broker)[-1]
    silent = rows[-1].at - rows[last].at > longest
    if silent and not any(number > regular[-1] for number in stated) and rows[last].kind not in _ENDS:
        yield places_between(last, len(rows))


def _appends_missing(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans between two appends of one life of which the later one begins beyond the end of the earlier."""
    rows = view.rows
    numbers = np.array(rows.own_lines_of(broker, _APPENDED), dtype=np.intp)
    numbers = numbers[
        (rows.column("replica")[numbers] == broker) & (rows.column("partition")[numbers] == view.partition)
    ]
    begins, ends = rows.column("from_offset")[numbers], rows.column("leo")[numbers]
    beyond = (begins[1:] > ends[:-1]) & (ends[:-1] != UNSAID)
    starts = rows.own_lines_of(broker, _STARTING)
    for first, last in zip(numbers[:-1][beyond].tolist(), numbers[1:][beyond].tolist(), strict=True):
        if bisect_left(starts, first) == bisect_left(starts, last):
            yield places_between(first, last)


def _others_append(view: View, broker: int, first: int, last: int) -> bool:
    """Whether others append what they fetched, between two rows and not just after the first."""
    begun = view.rows[first].at + FORMER_ROLE_ECHOES_FOR.ns
    others = (view.rows[one] for one in view.rows.numbers(_APPENDS) if first < one < last)
    return any(row.broker != broker and row.at > begun for row in others)


def _checkpoint_read_twice(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans between two lines on reading a checkpoint, if there is no start and no deletion between them."""
    last: Row | None = None
    for row in _own_rows(view, broker, _CHECKPOINT_READ | _STARTING | _DELETED):
        if row.kind not in _CHECKPOINT_READ:
            last = None
            continue
        if last is not None and row.at > last.at + CHECKPOINT_READ_TWICE_WITHIN.ns:
            yield places_between(last.number, row.number)
        last = row
