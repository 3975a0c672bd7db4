"""A history as plain rows, one a change: what stands outside of the program, in tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.history.state import History, ReplicaHistory, Role
from core.trace.vocabulary import Basis


@dataclass(frozen=True, slots=True)
class StateChange:
    """What is known of one replica from a cursor on, until its next row.

    `at` is the time (ns, UTC) of the event that the cursor stands behind; None for what holds from the
    beginning. Bounds are inclusive, None is no bound.
    """

    cursor: int
    at: int | None
    broker: int
    role: Role
    alive: bool | None
    in_isr: bool | None
    epoch: int | None
    leo_lo: int | None
    leo_hi: int | None
    leo_basis: Basis
    hw_lo: int | None
    hw_hi: int | None
    hw_basis: Basis


def state_changes(history: History, cursors: Sequence[int] | None = None) -> Iterator[StateChange]:
    """All changes of all replicas, by replica, then along the cursor.

    A cursor is told as the one right behind an event of the partition's view, so that it is the same whatever
    other partitions the trace holds. `cursors` tells by cursor of the trace that of the one it is a part of.
    """
    at = history.trace.columns["at"]
    for replica in history.replicas.values():
        # Of several cursors between the same two events of the view the last one is what holds.
        asked = {history.rank(cursor): cursor for cursor in _cursors(replica)}
        for rank, last in asked.items():
            cursor = history.cursor_of_rank(rank)
            leo, hw = replica.leo.at(last), replica.hw.at(last)
            yield StateChange(
                cursor=cursor if cursors is None else cursors[cursor],
                at=int(at[cursor - 1]) if cursor else None,
                broker=replica.broker,
                role=replica.role.at(last),
                alive=replica.alive.at(last),
                in_isr=replica.in_isr.at(last),
                epoch=replica.epoch.at(last),
                leo_lo=leo.lo,
                leo_hi=leo.hi,
                leo_basis=leo.basis,
                hw_lo=hw.lo,
                hw_hi=hw.hi,
                hw_basis=hw.basis,
            )


def _cursors(replica: ReplicaHistory) -> list[int]:
    steps = (replica.role, replica.alive, replica.in_isr, replica.epoch, replica.leo, replica.hw)
    return sorted({int(cursor) for step in steps for cursor in step.cursors})
