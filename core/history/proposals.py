"""Which changes of the in-sync set that a leader printed are not of the term that stands."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.history.view import Row

PROPOSED: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
_TOLD: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower", "fetcher_added"})
"""Kinds by which a broker says which epoch it was told of."""


def rejected(rows: Iterable[Row]) -> set[int]:
    """Proposals that came to nothing: the leader that printed one says next that its version is too old.

    To 2.7 such a leader tries again and again; ZooKeeper refuses it (KAFKA-2729).
    """
    last: dict[int | None, int] = {}
    found: set[int] = set()
    for row in rows:
        if row.kind in PROPOSED:
            last[row.broker] = row.number
        elif row.kind == "isr_update_rejected" and row.broker in last:
            found.add(last.pop(row.broker))
    return found


class OwnEpochs:
    """Of which epochs each broker says that it was told, and when."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """`rows` are those of the partition, in order."""
        self._told: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            if row.kind in _TOLD and row.epoch is not None and row.broker is not None and not row.disk:
                self._told.setdefault(row.broker, []).append((row.number, row.epoch))

    def last(self, row: Row) -> int | None:
        """The latest epoch that the broker of a row was told of by then."""
        return max(
            (told for number, told in self._told.get(_of(row), ()) if number <= row.number), default=None
        )

    def behind(self, row: Row, epoch: int | None) -> bool:
        """Whether the broker of a row was told of an older epoch than this one, last."""
        told = self.last(row)
        return told is not None and epoch is not None and told < epoch

    def hears(self, row: Row, epoch: int | None) -> bool:
        """Whether it is told of this epoch, or of a later one, after the row."""
        later = (told for number, told in self._told.get(_of(row), ()) if number > row.number)
        return epoch is not None and any(told >= epoch for told in later)


def _of(row: Row) -> int:
    return -1 if row.broker is None else row.broker
