"""From where a replica may write in an epoch that it is told: what its log holds then is of earlier ones."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from core.history.roles import Roles, Stretch
from core.history.state import Role
from core.history.view import Row, View

_TAKES_OVER: Final = frozenset({"became_leader"})
_CUTS: Final = frozenset({"truncation_noop", "truncation_not_needed", "truncated"})
_COMES: Final = _CUTS | {"became_follower"}
_SOON: Final = 1_000_000_000
"""Ns after the word on a role within which a replica says this before it appends anything in the role."""


class Entry(NamedTuple):
    """A replica that comes into an epoch in which it never was before."""

    first: int
    """The place from which it has the role."""
    place: int
    """Before this place it has written nothing in the epoch."""
    older: int | None
    """The epoch of the leader that it copied until then; None where there may have been two."""


def entries(view: View, roles: Mapping[int, Roles]) -> dict[int, tuple[Entry, ...]]:
    """By broker, in order.

    A leader prints its log end before it appends ("starts at leader epoch", Partition.makeLeader), a follower
    when it is asked to agree with its leader, before it fetches (AbstractFetcherThread.maybeTruncate). The
    fetcher of the epoch before may still bring records until then.
    """
    return {broker: tuple(_of_one(view, own)) for broker, own in roles.items()}


def _of_one(view: View, own: Roles) -> list[Entry]:
    found: list[Entry] = []
    took_part: Stretch | None = None
    for before, one in pairwise(own.stretches):
        if before.role in (Role.LEADER, Role.FOLLOWER, Role.UNKNOWN):
            took_part = before
        if one.role not in (Role.LEADER, Role.FOLLOWER) or one.epoch is None:
            continue
        earlier = None if took_part is None else took_part.epoch
        if took_part is None or earlier is None or earlier >= one.epoch:
            continue
        row = _said(view, own.broker, one)
        if row is not None:
            # Of a later leader it may have had records without being told of the epoch, to 2.0 (KIP-320).
            older = earlier if before is took_part and earlier + 1 == one.epoch else None
            found.append(Entry(one.first, row.number + 1, older))
    return found


def _said(view: View, broker: int, role: Stretch) -> Row | None:
    """The row by which a replica says that it is about to write in a role, if it comes at once."""
    kinds = _TAKES_OVER if role.role is Role.LEADER else _COMES
    rows = view.rows
    at = rows[role.first - 1].at
    for row in rows.of(kinds):
        if row.number + 1 < role.first or row.replica != broker or row.partition != view.partition:
            continue
        if row.number >= role.end or row.at > at + _SOON:
            return None
        if row.kind in _CUTS or (row.leo is not None and row.epoch in (None, role.epoch)):
            return row
    return None
