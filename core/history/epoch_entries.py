"""The place from which a replica can hold records of a leader epoch that it enters."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from core.assumptions import LOG_END_TOLD_BEFORE_APPENDS_WITHIN
from core.history.control import Control
from core.history.roles import Roles, RoleSpan
from core.history.state import Role
from core.history.view import Row, View

_PARTS: Final = frozenset({Role.LEADER, Role.FOLLOWER})
_TAKES_OVER: Final = frozenset({"became_leader"})
_CUTS: Final = frozenset({"truncation_noop", "truncation_not_needed", "truncated"})
_COMES: Final = _CUTS | {"became_follower"}


class EpochEntry(NamedTuple):
    """A replica that takes a role in an epoch in which it had none before."""

    first: int
    """The place from which it has the role."""
    place: int
    """Before this place it has written nothing in the epoch."""
    older: int
    """The epoch in which its log may have grown until then."""
    led: bool
    """It led that epoch."""


def epoch_entries(
    view: View, roles: Mapping[int, Roles], control: Control
) -> dict[int, tuple[EpochEntry, ...]]:
    """The entries of each broker, in order.

    A leader prints its log end before it appends ("starts at leader epoch", Partition.makeLeader), a follower
    when it is asked to agree with its leader, before it fetches (AbstractFetcherThread.maybeTruncate). The
    fetcher of the epoch before may still bring records until then.
    """
    return {broker: tuple(_of_one(view, own, control)) for broker, own in roles.items()}


def _of_one(view: View, own: Roles, control: Control) -> list[EpochEntry]:
    leaders = {tenure.epoch: tenure.leader for tenure in control.tenures}
    found: list[EpochEntry] = []
    for before, one in pairwise(own.spans):
        if before.epoch is None or one.epoch is None or before.epoch >= one.epoch:
            continue
        skipped = range(before.epoch + 1, one.epoch)
        same = leaders.get(before.epoch) == leaders.get(one.epoch) and one.role is Role.FOLLOWER
        if not {before.role, one.role} <= _PARTS or any(leaders.get(epoch) != -1 for epoch in skipped):
            continue
        # To 2.0 its fetches name no epoch: who goes on to lead may have sent it records of the new one.
        row = None if same and view.before(own.broker, 2, 1) else _stated(view, own.broker, one)
        if row is not None:
            found.append(EpochEntry(one.first, row.number + 1, before.epoch, before.role is Role.LEADER))
    return found


def _stated(view: View, broker: int, role: RoleSpan) -> Row | None:
    """The row that states a replica's log end before it appends in its role, if that row follows at once."""
    kinds = _TAKES_OVER if role.role is Role.LEADER else _COMES
    rows = view.rows
    at = rows[role.first - 1].at
    for row in rows.of(kinds):
        if row.number + 1 < role.first or row.replica != broker or row.partition != view.partition:
            continue
        if row.number >= role.end or row.at > at + LOG_END_TOLD_BEFORE_APPENDS_WITHIN.ns:
            return None
        if row.kind in _CUTS or (row.leo is not None and row.epoch in (None, role.epoch)):
            return row
    return None
