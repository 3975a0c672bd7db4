"""From rows to when a replica's log can grow at all: while it leads, and while it has a fetcher."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import Final

from core.assumptions import FORMER_ROLE_ECHOES_FOR, RESTART_TAKES_AT_LEAST, ROLE_AND_REMOVAL_WITHIN
from core.history.control import Control
from core.history.cuts import Cut
from core.history.gaps_by_files import unread
from core.history.leader_by_fetchers import ROLE_KINDS, prints_roles
from core.history.positions import place_after, place_before, previous_place
from core.history.roles import Roles
from core.history.state import Role
from core.history.view import Row, View
from core.trace.ids import Place
from core.trace.vocabulary import CutReason

_LIFE: Final = frozenset({"broker_starting", "controlled_shutdown_begun"})
_OPENED: Final = frozenset({"log_loaded", "log_created"})
_ADDED: Final = frozenset({"fetcher_added"})
_FETCHERS: Final = _ADDED | {"fetcher_removed"}
_ON_MOTION: Final = _LIFE | _FETCHERS | ROLE_KINDS
_STOPS: Final = frozenset({"shutdown_requested", "controlled_shutdown_begun"})
_FETCHING: Final = frozenset({"fetch_failed", "truncation_decided"})
_BY_EPOCHS: Final = (CutReason.LEADER_EPOCH, CutReason.DIVERGING_EPOCH)


class Motion(Enum):
    """What a replica does with its log from a place on."""

    UNKNOWN = "unknown"
    IDLE = "idle"
    """The log does not grow: no role yet after it was loaded, the fetcher removed, or the process down."""
    FETCHING = "fetching"
    LEADING = "leading"


def motion(view: View, roles: Roles) -> list[tuple[Place, Motion]]:
    """(place, what the replica does with its log from there on), one a change.

    A log cannot grow between two places only if it is IDLE at both of them. A fetcher is also removed from a
    replica that begins to lead: see `_idle_removals`.
    """
    now = Motion.UNKNOWN
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    changes = [(Place(0), now)]
    starts = set(roles.starts)
    idle = _idle_removals(view, roles)
    may_change = {place_after(row.number) for row in view.rows.of(_FETCHERS) if row.replica == roles.broker}
    may_change |= down | starts | {one.first for one in roles.spans}
    # After each of these places only the next row about the replica may change it, too.
    about = view.rows.about(roles.broker, view.partition)
    after = (bisect_left(about, place) for place in may_change)
    may_change |= {place_after(about[number]) for number in after if number < len(about)}
    for place in sorted(may_change):
        if not 0 < place <= len(view.rows):
            continue
        row = view.rows[place - 1]
        own = row.replica == roles.broker and row.partition == view.partition
        if place in starts or place in down:
            now = Motion.IDLE
        elif own and row.kind == "fetcher_added":
            now = Motion.FETCHING
        elif own and roles.role_at[place] is Role.LEADER:
            now = Motion.LEADING
        elif own and row.kind == "fetcher_removed":
            now = Motion.IDLE if row.number in idle else Motion.UNKNOWN
        elif now is Motion.LEADING and own and roles.role_at[place] is not Role.LEADER:
            now = Motion.IDLE if roles.role_at[place] is Role.FOLLOWER else Motion.UNKNOWN
        if now is not changes[-1][1]:
            changes.append((place, now))
    return changes


def _idle_removals(view: View, roles: Roles) -> set[int]:
    """The numbers of the rows that remove a fetcher and leave the replica idle.

    A fetcher is removed before a new one is added, before the replica leads, again when a leader's in-sync
    set changes (KRaft), and when the replica is stopped (ReplicaManager.makeLeaders, makeFollowers,
    stopReplicas, applyLocalLeadersDelta). A leader that becomes a follower removes once more before it adds.

    So the replica is idle in three cases: the next line of the log adds a fetcher; a line near in time states
    that it follows; or the broker is about to stop, and its roles are printed. Roles are printed in another
    file (state-change.log), which may be missing, or have only some of them.
    """
    own = [
        row
        for row in view.rows.of(_ON_MOTION)
        if row.replica == roles.broker and (row.kind in _LIFE or row.partition == view.partition)
    ]
    roles_printed = prints_roles(view, roles.broker)
    stopping = False
    found: set[int] = set()
    for number, row in enumerate(own):
        if row.kind in _LIFE:
            stopping = row.kind == "controlled_shutdown_begun"
        if row.kind != "fetcher_removed":
            continue
        after = own[number + 1].kind if number + 1 < len(own) else ""
        beside = own[max(number - 2, 0) : number + 3]
        near = [one for one in beside if abs(one.at - row.at) <= ROLE_AND_REMOVAL_WITHIN.ns]
        follows = any(one.kind in ROLE_KINDS for one in near) and not any(
            roles.role_at[place_after(one.number)] is Role.LEADER for one in near if one.kind in ROLE_KINDS
        )
        if after == "fetcher_added" or follows or (stopping and roles_printed):
            found.add(row.number)
    return found


def _last_place_soon_after(view: View, place: Place) -> Place:
    """The last place whose row comes within ROLE_AND_REMOVAL_WITHIN of the row of a place."""
    rows, later = view.rows, place
    while later < len(rows) and rows[later].at <= rows[max(place - 1, 0)].at + ROLE_AND_REMOVAL_WITHIN.ns:
        later += 1
    return Place(later)


def still_spans(view: View, roles: Roles, control: Control) -> list[tuple[Place, Place]]:
    """Spans first..last of places over which the log of a replica cannot change by itself.

    A row that ends an idle span (a fetcher was added) still states the value from before it, so its own place
    belongs to the span. A span counts only if a line of the replica ends it, or its stop lies in it (a broker
    that stops adds no fetchers), and it did not lead meanwhile: where lines on roles are missing, the log may
    have grown. A follower of a leader gets a fetcher at once: where it runs on without one, that line is
    missing.

    One that begins with a start counts only if the log is stated to be loaded or created then: where that
    line is missing, other lines after the start may be missing too. One in which the replica states two log
    ends, decides on a cut, or fails to fetch, does not count: a line on its fetcher is missing. Where many
    lines of the broker are not understood, one of them may add a fetcher: then only spans count in which its
    process is down.
    """
    loaded = [
        place_after(row.number)
        for row in view.rows.of(_OPENED)
        if row.replica == roles.broker and row.partition == view.partition
    ]
    at_work = [
        row
        for row in view.rows.of(_FETCHING)
        if row.replica == roles.broker and row.partition == view.partition
    ]
    spans: list[tuple[Place, Place]] = []
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    not_understood = unread(roles.broker) in view.trace.facts
    first: Place | None = None
    changes = dict(motion(view, roles))
    now = Motion.UNKNOWN
    for place in sorted({*changes, *(start for start in roles.starts if start <= len(view.rows))}):
        now = changes.get(place, now)
        if first is not None and (now is not Motion.IDLE or place in roles.starts):
            last = place if now is Motion.FETCHING else previous_place(place)
            stopped = any(first <= place_down <= last for place_down in down)
            ended = now is not Motion.IDLE or stopped
            if first in roles.starts and not any(
                first <= place_opened <= _last_place_soon_after(view, last) for place_opened in loaded
            ):
                ended = False
            alone = first in down or roles.broker not in control.leader_at[first : last + 1]
            if (
                ended
                and alone
                and not (not_understood and first not in down)
                and not _differing_log_ends(view, roles.broker, first, last)
                and not _fetches_in(view, at_work, first, last)
                and not _lacks_a_fetcher(view, roles, control, first, last)
            ):
                spans.append((first, last))
            first = None
        if now is Motion.IDLE and first is None:
            first = place
    return spans


def spans_before_cuts(view: View, broker: int, cuts: Sequence[Cut]) -> Iterator[tuple[Place, Place]]:
    """Spans first..last of places from where a follower gets a fetcher to right before it cuts.

    Its log ends there as it did: before it appends, the follower asks where the logs part (KIP-101), or its
    first fetch is answered with that (KIP-595). The epoch that the answer names is below the fetcher's, so
    that no record of this epoch was appended; nor did the leader start again meanwhile, with a shorter log.
    """
    added = [
        row
        for row in view.rows.of(_ADDED)
        if row.replica == broker and row.partition == view.partition and row.epoch is not None
    ]
    by_epochs = [cut for cut in cuts if cut.decided is not None and cut.decided.aux in _BY_EPOCHS]
    ends = view.rows.stated_values("leo", broker, view.partition) if by_epochs and added else []
    seen = sorted([number for number, _ in ends] + [cut.row.number for cut in cuts])
    for cut in by_epochs:
        decided = cut.decided
        if decided is None or decided.epoch is None:
            continue
        first = min(decided.number, cut.row.number)
        fetcher = next((row for row in reversed(added) if row.number < first), None)
        if fetcher is None or decided.epoch >= (fetcher.epoch or 0):
            continue
        told = bisect_left(seen, first) > bisect_left(seen, fetcher.number + 1)
        if decided.at - fetcher.at < RESTART_TAKES_AT_LEAST.ns and not told:
            yield place_after(fetcher.number), place_before(cut.row.number)


def _lacks_a_fetcher(view: View, roles: Roles, control: Control, first: Place, last: Place) -> bool:
    """Whether a replica follows another one within first..last, for longer than adding a fetcher takes.

    A broker that is stopping keeps its role, and its fetchers are removed: up to there, then.
    One with many partitions may take long until it adds the fetcher of the role, which the line at `last`
    then does.
    """
    end = _end_of_running(view, roles, first, last)
    if end is None:
        return False
    follows = (one for one in roles.spans if one.role is Role.FOLLOWER and first < one.end)
    for place in chain.from_iterable(range(max(first, one.first), min(last + 1, one.end)) for one in follows):
        leader, epoch = control.leader_at[place], roles.epoch_at[place]
        if leader not in (None, -1, roles.broker):
            for_this_role = (
                end.kind == "fetcher_added" and end.leader in (None, leader) and end.epoch in (None, epoch)
            )
            too_long = end.at - view.rows[max(place - 1, 0)].at > ROLE_AND_REMOVAL_WITHIN.ns
            return too_long and not for_this_role
    return False


def _end_of_running(view: View, roles: Roles, first: Place, last: Place) -> Row | None:
    """The row at `last`; where the broker stops cleanly in first..last, the one that tells it to, or None."""
    if not any(death.clean and first <= death.noticed <= last for death in roles.deaths):
        return view.rows[max(last - 1, 0)]
    asked = view.rows.own_lines_of(roles.broker, _STOPS)
    begun = bisect_left(asked, first)
    return view.rows[asked[begun]] if begun < len(asked) and place_after(asked[begun]) <= last else None


def _fetches_in(view: View, at_work: list[Row], first: Place, last: Place) -> bool:
    """Whether a fetcher decides on a cut within first..last, or fails too late to be the former one.

    A fetcher decides under the lock under which it is removed (AbstractFetcherThread.partitionMapLock).
    """
    begun = view.rows[max(first - 1, 0)].at + FORMER_ROLE_ECHOES_FOR.ns
    return any(
        first < place_after(row.number) <= last and (row.kind == "truncation_decided" or row.at > begun)
        for row in at_work
    )


def _differing_log_ends(view: View, broker: int, first: int, last: int) -> bool:
    """Whether rows about a replica at places first..last state different log ends."""
    ends = view.rows.stated_values("leo", broker, view.partition)
    begun = bisect_left(ends, (first - 1, 0))
    named = {value for _, value in ends[begun : bisect_left(ends, (last, 0))]}
    return len(named) > 1
