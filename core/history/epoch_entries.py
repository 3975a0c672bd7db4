"""From the roles of a replica to the places before which it has written nothing in a new leader epoch.

A follower that is notified of epoch 5 may still get records of epoch 4 from its old fetcher. Its line on the
truncation in epoch 5 is the last place at which its log has records of epoch 4 only.
"""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from core.assumptions import LOG_END_TOLD_BEFORE_APPENDS_WITHIN
from core.history.control import Control
from core.history.positions import place_after
from core.history.roles import Roles, RoleSpan
from core.history.state import Role
from core.history.view import Row, View
from core.trace.ids import Place

_ROLES: Final = frozenset({Role.LEADER, Role.FOLLOWER})
_DOWN: Final = (Role.OFFLINE, Role.STARTING)
_BEFORE_APPENDING: Final = frozenset({"became_leader"})
_TRUNCATIONS: Final = frozenset({"truncation_noop", "truncation_not_needed", "truncated"})
_BEFORE_FETCHING: Final = _TRUNCATIONS | {"became_follower"}


class EpochEntry(NamedTuple):
    """A replica gets a role in a leader epoch in which it had none before."""

    first: Place
    """The place from which it has the role."""
    place: Place
    """Before this place it has written nothing in the epoch."""
    earlier_epoch: int
    """The epoch in which its log may have grown until then."""
    led_earlier: bool
    """Whether it was the leader in that epoch."""


def epoch_entries(
    view: View, roles: Mapping[int, Roles], control: Control
) -> dict[int, tuple[EpochEntry, ...]]:
    """The entries of each broker, in order.

    A leader prints its log end before it appends ("starts at leader epoch", Partition.makeLeader), a follower
    when it is asked to agree with its leader, before it fetches (AbstractFetcherThread.maybeTruncate). The
    fetcher of the epoch before may still bring records until then.
    """
    return {broker: tuple(_entries_of(view, own, control)) for broker, own in roles.items()}


def ended_in(own: Roles, control: Control, place: int) -> tuple[int | None, bool]:
    """The epoch in which the process of a broker that starts ended, and whether it led in it.

    What is loaded above all that was known of the log is what that process had written, or copied. A
    follower's epoch is None where somebody led in a later one by now: its line on that may be missing.
    """
    number = bisect_right(own.spans, place, key=lambda one: one.first) - 1
    ended = next((one for one in reversed(own.spans[:number]) if one.role not in _DOWN), None)
    if ended is None or ended.epoch is None or ended.role not in _ROLES:
        return None, False
    leads = ended.role is Role.LEADER
    later = any(
        one.place <= place and one.leader != -1 and (one.epoch or 0) > ended.epoch for one in control.tenures
    )
    return (ended.epoch if leads or not later else None), leads


def _entries_of(view: View, own: Roles, control: Control) -> list[EpochEntry]:
    """The entries of one replica, in order."""
    leaders = {tenure.epoch: tenure.leader for tenure in control.tenures}
    found: list[EpochEntry] = []
    for before, span in pairwise(own.spans):
        if before.epoch is None or span.epoch is None or before.epoch >= span.epoch:
            continue
        skipped = range(before.epoch + 1, span.epoch)
        same_leader = leaders.get(before.epoch) == leaders.get(span.epoch) and span.role is Role.FOLLOWER
        if not {before.role, span.role} <= _ROLES or any(leaders.get(epoch) != -1 for epoch in skipped):
            continue
        # To 2.0 its fetches name no epoch: a leader that stays may have sent it records of the new one.
        kept = same_leader and view.before(own.broker, 2, 1, at=view.seq_at(span.first))
        row = None if kept else _log_end_row(view, own.broker, span)
        if row is not None:
            found.append(
                EpochEntry(span.first, place_after(row.number), before.epoch, before.role is Role.LEADER)
            )
    return found


def _log_end_row(view: View, broker: int, span: RoleSpan) -> Row | None:
    """The row that states a replica's log end before it appends in a role; None if it comes too late."""
    kinds = _BEFORE_APPENDING if span.role is Role.LEADER else _BEFORE_FETCHING
    rows = view.rows
    from_ns = rows[span.first - 1].at
    for row in rows.of(kinds):
        if place_after(row.number) < span.first or row.replica != broker or row.partition != view.partition:
            continue
        if row.number >= span.end or row.at > from_ns + LOG_END_TOLD_BEFORE_APPENDS_WITHIN.ns:
            return None
        if row.kind in _TRUNCATIONS or (row.leo is not None and row.epoch in (None, span.epoch)):
            return row
    return None
