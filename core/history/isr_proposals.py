"""From rows on the in-sync set to those that do not change it, or belong to an earlier tenure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from core.history.view import Row

PROPOSED: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
_NOTIFIED: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower", "fetcher_added"})
"""Kinds that state of which epoch a broker was notified."""


def rejected_proposals(rows: Iterable[Row]) -> set[int]:
    """The numbers of proposals that ZooKeeper refused: the leader prints next that its version is too old.

    To 2.7 such a leader tries again and again (KAFKA-2729).
    """
    last: dict[int | None, int] = {}
    found: set[int] = set()
    for row in rows:
        if row.kind in PROPOSED:
            last[row.broker] = row.number
        elif row.kind == "isr_update_rejected" and row.broker in last:
            found.add(last.pop(row.broker))
    return found


def states_earlier_tenure(row: Row, leader: int, before: int | None) -> bool:
    """Whether a ZooKeeper controller that takes a dead replica out of the set states an earlier tenure.

    It leaves the leader as it is, or leaves none, and the row is printed too where nothing was left to be
    removed (KafkaController.onBrokerFailure, PartitionStateMachine.doRemoveReplicasFromIsr). `leader` is that
    of the row, `before` the leader stated last.
    """
    return row.kind == "isr_committed" and not row.disk and before is not None and leader not in (before, -1)


class NotifiedEpochs:
    """The leader epochs of which each broker was notified, by its own lines, and where."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """`rows` are those of the partition, in order."""
        self._numbers: dict[int | None, list[int]] = {}
        epochs: dict[int | None, list[int]] = {}
        for row in rows:
            if row.kind in _NOTIFIED and row.epoch is not None and not row.disk:
                self._numbers.setdefault(row.broker, []).append(row.number)
                epochs.setdefault(row.broker, []).append(row.epoch)
        self._latest = {broker: list(accumulate(notified, max)) for broker, notified in epochs.items()}

    def last(self, row: Row) -> int | None:
        """The latest epoch of which the broker of a row had been notified at that row; None for none."""
        at = bisect_right(self._numbers.get(row.broker, ()), row.number)
        return self._latest[row.broker][at - 1] if at else None

    def is_behind(self, row: Row, epoch: int | None) -> bool:
        """Whether the broker of a row has been notified of epochs, but only of older ones than this."""
        notified = self.last(row)
        return notified is not None and epoch is not None and notified < epoch

    def is_ever_notified(self, row: Row, epoch: int | None) -> bool:
        """Whether the broker of a row is notified of this epoch or a later one anywhere in the trace."""
        latest = self._latest.get(row.broker)
        return epoch is not None and latest is not None and latest[-1] >= epoch

    def first_notified_at(self, broker: int, epoch: int | None) -> int | None:
        """The number of the row that first notifies a broker of this epoch or a later one; None for none."""
        latest = self._latest.get(broker, ())
        at = len(latest) if epoch is None else bisect_left(latest, epoch)
        return self._numbers[broker][at] if at < len(latest) else None

    def notified_between(self, broker: int, first: int, end: int) -> bool:
        """Whether a broker is notified of any epoch in rows first..end-1."""
        numbers = self._numbers.get(broker, ())
        return bisect_left(numbers, first) < bisect_left(numbers, end)
