"""When a replica's log can grow at all: while it leads, and while a fetcher runs for it."""

from enum import Enum

from core.history.control import Control
from core.history.leading import tells_roles
from core.history.roles import Roles
from core.history.state import Role
from core.history.view import View


class Motion(Enum):
    """What a replica does with its log."""

    UNKNOWN = "unknown"
    IDLE = "idle"
    """Loaded, told nothing yet; or its fetcher was removed; or the process is gone."""
    FETCHING = "fetching"
    LEADING = "leading"


def motion(view: View, roles: Roles) -> list[Motion]:
    """Motion at every place.

    A log stands still between two places only if both of them, and the row, are idle. A fetcher is removed
    from one that begins to lead, too: where its log has no roles that is not idle.
    """
    now = Motion.UNKNOWN
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    places = [now]
    begun = set(roles.starts)
    without = Motion.IDLE if tells_roles(view, roles.broker) else Motion.UNKNOWN
    for row in view.rows:
        place = row.number + 1
        mine = row.replica == roles.broker and row.partition == view.partition
        if place in begun or place in down:
            now = Motion.IDLE
        elif mine and row.kind == "fetcher_added":
            now = Motion.FETCHING
        elif mine and roles.role_at[place] is Role.LEADER:
            now = Motion.LEADING
        elif mine and row.kind == "fetcher_removed" and now is not Motion.UNKNOWN:
            now = without
        elif now is Motion.LEADING and mine and roles.role_at[place] is not Role.LEADER:
            now = Motion.IDLE if roles.role_at[place] is Role.FOLLOWER else Motion.UNKNOWN
        places.append(now)
    return places


def still_stretches(view: View, roles: Roles, control: Control) -> list[tuple[int, int]]:
    """Stretches first..last of places at which the log cannot change by itself.

    A row that ends an idle stretch (a fetcher was added) still tells the value from before it, so its own
    place belongs to the stretch. A stretch counts only if the replica's own word ends it, or its stop lies in
    it (a broker that stops adds no fetchers), and it was no leader meanwhile: a log that leaves out roles
    must not make a log stand still.
    """
    stretches: list[tuple[int, int]] = []
    down = {death.noticed for death in roles.deaths if death.noticed == death.last + 1}
    leads = [leader == roles.broker for leader in control.leader_at]
    first: int | None = None
    for place, now in enumerate(motion(view, roles)):
        if first is not None and (now is not Motion.IDLE or place in roles.starts):
            last = place if now is Motion.FETCHING else place - 1
            stopped = any(first <= place_down <= last for place_down in down)
            ended = now is not Motion.IDLE or stopped
            if ended and (first in down or not any(leads[first : last + 1])):
                stretches.append((first, last))
            first = None
        if now is Motion.IDLE and first is None:
            first = place
    return stretches
