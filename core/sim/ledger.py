"""What the simulator knows of each record while it runs. Brokers do not, and diagnosis never reads it."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from core.trace.ids import BrokerId, LeaderEpoch, Seq

UNKNOWN: Final = -1
"""It has not happened, or there is none."""


def _numbers() -> "array[int]":
    return array("q")


@dataclass(slots=True)
class Ledger:
    """Columns by record number: where a leader put the record, and the Seqs at which it fared so."""

    partition: "array[int]" = field(default_factory=_numbers)
    """UNKNOWN where the record never came into a log."""
    offset: "array[int]" = field(default_factory=_numbers)
    epoch: "array[int]" = field(default_factory=_numbers)
    broker: "array[int]" = field(default_factory=_numbers)
    acknowledged: "array[int]" = field(default_factory=_numbers)
    committed: "array[int]" = field(default_factory=_numbers)
    """The high watermark of a leader that held the record passed it."""
    read: "array[int]" = field(default_factory=_numbers)
    """A consumer got it."""
    leaders: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """By partition: (epoch, broker) of the leader of the latest epoch that any broker led."""

    def grow(self, count: int) -> None:
        """Room for `count` more records."""
        more = array("q", [UNKNOWN]) * count
        for column in (
            self.partition,
            self.offset,
            self.epoch,
            self.broker,
            self.acknowledged,
            self.committed,
            self.read,
        ):
            column.extend(more)

    def place(
        self, records: Sequence[int], partition: int, broker: BrokerId, epoch: LeaderEpoch, start: int
    ) -> None:
        """These records are put into a log for the first time, from offset `start` on."""
        for offset, record in enumerate(records, start):
            self.partition[record], self.offset[record] = partition, offset
            self.epoch[record], self.broker[record] = epoch, broker

    def lead(self, partition: int, epoch: LeaderEpoch, broker: BrokerId) -> None:
        """A broker leads a partition in an epoch."""
        if epoch >= self.leaders.get(partition, (UNKNOWN, UNKNOWN))[0]:
            self.leaders[partition] = (epoch, broker)


def mark(column: "array[int]", records: Sequence[int], seq: Seq) -> None:
    """Note the Seq at which something first became true of these records. A gap in a log is none."""
    for record in records:
        if record != UNKNOWN and column[record] == UNKNOWN:
            column[record] = seq
