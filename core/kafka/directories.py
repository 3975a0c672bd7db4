"""A log that moves to another directory of its broker (1.1, KIP-113): which leader epochs it knows there."""

from collections.abc import Iterable

from core.kafka.epochs import Entries, assign
from core.kafka.switches import DirectoryMove, EpochConflict


def can_move(rule: DirectoryMove) -> bool:
    """Whether a broker can be asked to move a log between its directories (AlterReplicaLogDirs, 1.1)."""
    return rule != "none"


def is_replaced(*, copied_end: int, leo: int) -> bool:
    """Whether the copy takes the place of the log: when both end at one offset.

    (Partition.maybeReplaceCurrentWithFutureReplica.)
    """
    return copied_end == leo


def entries_after_move(
    rule: DirectoryMove, before: Entries, held: Iterable[tuple[int, int]], conflict: EpochConflict
) -> Entries:
    """The epoch cache of a log that has moved. `held` is (epoch, offset) of each of its records.

    The copy is filled record by record, as a follower's log is, and makes an entry for each epoch of which it
    gets a record. Where it takes the place of the log, the high watermark goes with it and the cache does not
    (LogManager.replaceCurrentWithFutureLog, read at 1.1.1 to 3.9.0 and in 2026's trunk): an epoch that began
    without a record is unknown from then on (KAFKA-15608, KAFKA-20961). That the entries are carried over is
    proposed (apache/kafka PR 14553 and 23205), and no release does it.
    """
    if rule == "epochs-carried":
        return before
    entries: Entries = ()
    for epoch, offset in held:
        entries = assign(entries, epoch, offset, conflict)
    return entries
