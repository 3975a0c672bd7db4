"""From a history to plain rows, one for each change of a replica: for tables outside of the program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.history.state import History, ReplicaHistory, Role
from core.trace.vocabulary import Basis


@dataclass(frozen=True, slots=True)
class StateChange:
    """What is known of one replica from a cursor on, until its next row.

    `at` is the time (ns, UTC) of the event just before the cursor; None for what holds from the beginning.
    Bounds are inclusive, None is no bound.
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

    The cursor of a row is the one right after an event of the partition's view, so that it is the same
    whatever other partitions the trace holds. `cursors` has by cursor of this trace that of the trace of
    which it is a part.
    """
    at = history.trace.columns["at"]
    for replica in history.replicas.values():
        # Of several cursors between the same two events of the view the last one is what holds.
        last_cursors = {history.rank(cursor): cursor for cursor in _cursors(replica)}
        for rank, last in last_cursors.items():
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
    """The cursors at which any value of a replica changes."""
    steps = (replica.role, replica.alive, replica.in_isr, replica.epoch, replica.leo, replica.hw)
    return sorted({int(cursor) for step in steps for cursor in step.cursors})
