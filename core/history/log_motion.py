"""When a replica's log can grow at all: while it leads, and while a fetcher runs for it."""

from bisect import bisect_left
from enum import Enum
from typing import Final

from core.assumptions import ROLE_AND_REMOVAL_WITHIN
from core.history.control import Control
from core.history.leader_by_fetchers import ROLE_KINDS, prints_roles
from core.history.roles import Roles
from core.history.state import Role
from core.history.view import View

_LIFE: Final = frozenset({"broker_starting", "controlled_shutdown_begun"})
_CAME: Final = frozenset({"log_loaded", "log_created"})
_FETCHERS: Final = frozenset({"fetcher_added", "fetcher_removed"})


class Motion(Enum):
    """What a replica does with its log."""

    UNKNOWN = "unknown"
    IDLE = "idle"
    """Loaded, told nothing yet; or its fetcher was removed; or the process is gone."""
    FETCHING = "fetching"
    LEADING = "leading"


def motion(view: View, roles: Roles) -> list[tuple[int, Motion]]:
    """(place, motion from there on), one a change.

    A log stands still between two places only if both of them, and the row, are idle. A fetcher is removed
    from one that begins to lead, too: see `_idle_removals`.
    """
    now = Motion.UNKNOWN
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    changes = [(0, now)]
    begun = set(roles.starts)
    idle = _idle_removals(view, roles)
    telling = {row.number + 1 for row in view.rows.of(_FETCHERS) if row.replica == roles.broker}
    telling |= down | begun | {one.first for one in roles.spans}
    # After each of them the next row of the replica itself may change it, and none after that.
    about = view.rows.about(roles.broker, view.partition)
    after = (bisect_left(about, place) for place in telling)
    telling |= {about[number] + 1 for number in after if number < len(about)}
    for place in sorted(telling):
        if not 0 < place <= len(view.rows):
            continue
        row = view.rows[place - 1]
        mine = row.replica == roles.broker and row.partition == view.partition
        if place in begun or place in down:
            now = Motion.IDLE
        elif mine and row.kind == "fetcher_added":
            now = Motion.FETCHING
        elif mine and roles.role_at[place] is Role.LEADER:
            now = Motion.LEADING
        elif mine and row.kind == "fetcher_removed":
            now = Motion.IDLE if row.number in idle else Motion.UNKNOWN
        elif now is Motion.LEADING and mine and roles.role_at[place] is not Role.LEADER:
            now = Motion.IDLE if roles.role_at[place] is Role.FOLLOWER else Motion.UNKNOWN
        if now is not changes[-1][1]:
            changes.append((place, now))
    return changes


def _idle_removals(view: View, roles: Roles) -> set[int]:
    """The rows that remove a fetcher and leave the replica idle, by number.

    A fetcher is removed before a new one is added, before the replica leads, again when a leader's in-sync
    set changes (KRaft), and when the replica is stopped (ReplicaManager.makeLeaders, makeFollowers,
    stopReplicas, applyLocalLeadersDelta). A leader that becomes a follower removes once more before it adds.
    So it is idle if what the log says next is that a fetcher is added; if the log says at that time that it
    follows; and if it is about to stop, where the log says what roles it has. The log of roles is another
    file, and may be missing, or have only some roles.
    """
    mine = [
        row
        for row in view.rows.of(_LIFE | _FETCHERS | ROLE_KINDS)
        if row.replica == roles.broker and (row.kind in _LIFE or row.partition == view.partition)
    ]
    told = prints_roles(view, roles.broker)
    stopping = False
    found: set[int] = set()
    for number, row in enumerate(mine):
        if row.kind in _LIFE:
            stopping = row.kind == "controlled_shutdown_begun"
        if row.kind != "fetcher_removed":
            continue
        after = mine[number + 1].kind if number + 1 < len(mine) else ""
        beside = mine[max(number - 2, 0) : number + 3]
        near = [one for one in beside if abs(one.at - row.at) <= ROLE_AND_REMOVAL_WITHIN.ns]
        follows = any(one.kind in ROLE_KINDS for one in near) and not any(
            roles.role_at[one.number + 1] is Role.LEADER for one in near if one.kind in ROLE_KINDS
        )
        if after == "fetcher_added" or follows or (stopping and told):
            found.add(row.number)
    return found


def _soon(view: View, place: int) -> int:
    """The last place of the moments after the row of a place."""
    rows, later = view.rows, place
    while later < len(rows) and rows[later].at <= rows[max(place - 1, 0)].at + ROLE_AND_REMOVAL_WITHIN.ns:
        later += 1
    return later


def still_spans(view: View, roles: Roles, control: Control) -> list[tuple[int, int]]:
    """Stretches first..last of places at which the log cannot change by itself.

    A row that ends an idle stretch (a fetcher was added) still tells the value from before it, so its own
    place belongs to the stretch. A stretch counts only if the replica's own word ends it, or its stop lies in
    it (a broker that stops adds no fetchers), and it was no leader meanwhile: a log that leaves out roles
    must not make a log stand still. One that begins with a start counts only if it has the word on the log
    that is loaded or created then: without it what else was said after the start is missing too. One in which
    the replica itself names two log ends was none: a line on its fetcher is missing.
    """
    ends = view.rows.stated_values("leo", roles.broker, view.partition)
    loaded = [
        row.number + 1
        for row in view.rows.of(_CAME)
        if row.replica == roles.broker and row.partition == view.partition
    ]
    spans: list[tuple[int, int]] = []
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    first: int | None = None
    changes = dict(motion(view, roles))
    now = Motion.UNKNOWN
    for place in sorted({*changes, *(start for start in roles.starts if start <= len(view.rows))}):
        now = changes.get(place, now)
        if first is not None and (now is not Motion.IDLE or place in roles.starts):
            last = place if now is Motion.FETCHING else place - 1
            stopped = any(first <= place_down <= last for place_down in down)
            ended = now is not Motion.IDLE or stopped
            if first in roles.starts and not any(first <= came <= _soon(view, last) for came in loaded):
                ended = False
            alone = first in down or roles.broker not in control.leader_at[first : last + 1]
            if ended and alone and not _two_named(ends, first, last):
                spans.append((first, last))
            first = None
        if now is Motion.IDLE and first is None:
            first = place
    return spans


def _two_named(ends: list[tuple[int, int]], first: int, last: int) -> bool:
    """Whether rows by whose places first..last a log end is stated differ in it."""
    begun = bisect_left(ends, (first - 1, 0))
    named = {value for _, value in ends[begun : bisect_left(ends, (last, 0))]}
    return len(named) > 1
