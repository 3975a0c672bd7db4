"""From lines on fetchers to the tenures of a leader, where state-change.log is missing.

A follower's fetcher names the broker from which it fetches, and from 2.1 the leader epoch.
"""

from typing import Final

from core.assumptions import FILES_OUT_OF_ORDER_WITHIN
from core.history.positions import place_after, row_before
from core.history.view import Row, View
from core.trace.ids import Place

ROLE_KINDS: Final = frozenset({"became_leader", "became_follower", "leader_and_isr_received"})
"""Kinds that state the role of a replica, printed in state-change.log."""
_TENURE_ENDS: Final = frozenset({"broker_starting", "fetcher_added", "log_deleted"})
_FETCHERS: Final = _TENURE_ENDS | {"fetcher_removed", "fetch_failed"}


def prints_roles(view: View, broker: int) -> bool:
    """Whether the broker's own lines state its role in the partition (state-change.log)."""
    return any(
        broker == row.replica == row.broker and row.partition == view.partition
        for row in view.rows.of(ROLE_KINDS)
    )


def leaders_by_fetchers(view: View, broker: int) -> dict[Place, int | None]:
    """By place: from there on the broker leads this epoch; None: its role is no longer known.

    A broker that begins to lead removes its fetcher and prints that (ReplicaManager.makeLeaders,
    applyLocalLeadersDelta). A follower that is notified of the epoch adds a fetcher, and prints leader and
    epoch (from 2.1). So the broker leads from the last removal before the first line of a follower. Any other
    removal may be the beginning of its tenure, the end of it, or a change of the in-sync set (KRaft): the
    tenure goes on through removals that come before another follower's line on the same epoch. A fetcher of
    its own, or its start, ends the tenure; a fetch of its own that fails shows a fetcher, though it may have
    been on its way when that was removed.

    Empty where the broker's own log states its role.
    """
    if view.exact or prints_roles(view, broker):
        return {}
    found: dict[Place, int | None] = {}
    epoch: int | None = None
    removed: list[Place] = []
    """Places of removals since the last line of a follower."""
    for row in view.rows.of(_FETCHERS):
        if _ends_tenure(view, row, broker):
            epoch, removed = None, []
        elif row.kind == "fetch_failed":
            if row.partition == view.partition and row.replica == broker and row.leader != broker:
                removed = [one for one in removed if _removed_just_before(view, one, row)]
        elif row.partition != view.partition:
            continue
        elif row.kind == "fetcher_removed" and row.replica == broker:
            removed.append(place_after(row.number))
            found[place_after(row.number)] = None
        elif row.kind == "fetcher_added" and row.leader == broker and row.epoch is not None:
            if row.epoch != epoch and removed and (epoch is None or row.epoch > epoch):
                found[removed[-1]] = epoch = row.epoch
            elif row.epoch == epoch:
                for place in removed:
                    del found[place]
            removed = removed if row.epoch != epoch else []
    return found


def _removed_just_before(view: View, place: Place, row: Row) -> bool:
    """Whether a fetcher was removed so shortly before a fetch failed that the fetch may be its last one."""
    return view.rows[row_before(place)].at > row.at - FILES_OUT_OF_ORDER_WITHIN.ns


def _ends_tenure(view: View, row: Row, broker: int) -> bool:
    """Whether a row shows that the broker leads no more: a start, its own fetcher, or a deletion."""
    if row.kind not in _TENURE_ENDS or row.replica != broker:
        return False
    return row.kind == "broker_starting" or row.partition == view.partition
