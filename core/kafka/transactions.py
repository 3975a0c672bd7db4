"""What transactions keep from consumers: the last stable offset; which batches a leader takes (KIP-98)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.kafka.switches import Transactions


@dataclass(frozen=True, slots=True)
class Transaction:
    """A producer's transaction in one log: its first offset, and that of its marker, if it has one."""

    producer: int
    epoch: int
    first: int
    marker: int | None = None
    aborted: bool = False

    def is_unstable(self, hw: int) -> bool:
        """Whether readers of committed transactions stop before it, while the high watermark is `hw`.

        It has no marker yet, or the marker is not below the high watermark.
        """
        return self.first < hw and (self.marker is None or self.marker >= hw)


def last_stable_offset(hw: int, log_start: int, transactions: Iterable[Transaction]) -> int:
    """The last stable offset: the first offset of the first transaction that is open, or the high watermark.

    0.11 (KIP-98). A transaction whose marker is not below the high watermark counts as open
    (ProducerStateManager.firstUnstableOffset). It is never below the log start
    (UnifiedLog.maybeIncrementFirstUnstableOffset), and of each replica by its own high watermark.
    """
    unstable = [one.first for one in transactions if one.is_unstable(hw)]
    return min(hw, max(min(unstable, default=hw), log_start))


class Taken(StrEnum):
    """What a leader makes of a transactional batch."""

    YES = "yes"
    FENCED = "fenced"
    """INVALID_PRODUCER_EPOCH: the log holds a later epoch of this producer."""
    NOT_IN_TRANSACTION = "not-in-transaction"
    """INVALID_TXN_STATE: the coordinator knows of no such transaction (KIP-890)."""


def takes_batch(
    rule: Transactions, *, epoch: int, latest_epoch: int, open_here: bool, open_at_coordinator: bool
) -> Taken:
    """Whether a leader appends a transactional batch of a producer.

    An epoch below the latest one in the log is fenced (ProducerAppendInfo.checkProducerEpoch). From 3.6
    (KIP-890, KAFKA-14402) the first batch of a transaction is appended only if the coordinator knows that
    the transaction goes on in this partition; before, a batch that comes late, after the marker, begins a
    transaction that nobody ends.
    """
    if epoch < latest_epoch:
        return Taken.FENCED
    if rule == "trusted" or open_here or open_at_coordinator:
        return Taken.YES
    return Taken.NOT_IN_TRANSACTION


def epoch_of_marker(rule: Transactions, epoch: int, *, timed_out: bool = False) -> int:
    """The producer epoch of the marker that ends a transaction, with which the producer goes on.

    From 4.0 (KIP-890, transaction.version 2) each end raises it by one, so that what comes late is fenced. In
    every release the coordinator raises it when it aborts by itself (prepareFenceProducerEpoch).
    """
    return epoch + (timed_out or rule == "new-epoch")


def visible_stable_end(lso: int, hw: int, visible: int) -> int:
    """The offset before which a consumer with isolation.level read_committed may read.

    `visible` is that of other consumers: the high watermark, in every release.
    """
    return lso if lso < hw else visible
