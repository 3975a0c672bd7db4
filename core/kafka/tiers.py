"""Tiered storage (3.6, KIP-405): what lies in the remote tier, and what a follower below it begins with."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.kafka.epochs import UNDEFINED, Entries, cut_end, cut_start, end_of_epoch
from core.kafka.switches import TieredStorage


class RemoteSegment(NamedTuple):
    """A segment in the remote tier: offsets [start, end), and the leader epochs of the log up to its end.

    A leader copies both (RemoteLogManager.copyLogSegment, getLeaderEpochCheckpoint(log, -1, end)).
    """

    start: int
    end: int
    entries: Entries

    @property
    def epochs(self) -> Entries:
        """Its own leader epochs: those of which it holds records (segmentLeaderEpochs)."""
        return cut_start(cut_end(self.entries, self.end), self.start)

    def end_of(self, epoch: int) -> int:
        """Where the records of an epoch end in it (RemoteLogMetadataCache.highestOffsetForEpoch + 1)."""
        return next((start for other, start in self.epochs if other > epoch), self.end)


def is_moved(offset: int, *, log_start: int, local_start: int) -> bool:
    """Whether a follower that fetches at `offset` hears OFFSET_MOVED_TO_TIERED_STORAGE.

    The log has the offset, the disk of the leader has not (3.6, ReplicaManager.handleOffsetOutOfRangeError).
    Below the log start it is out of range as ever.
    """
    return log_start <= offset < local_start


def is_missed(offset: int, *, local_start: int, disk_start: int) -> bool:
    """Whether a broker looks on its disk for an offset that is in the remote tier alone.

    It takes `local_start` for its local log start, and its first segment begins at `disk_start`: what is
    between is out of range for followers and consumers (KAFKA-15695).
    """
    return local_start <= offset < disk_start


def local_start_of_new_log(rule: TieredStorage, before: int, start: int) -> int:
    """What a replica takes for its local log start after it has dropped its log and begun anew at `start`.

    In 3.6 it is what it was before; from 3.7 (KAFKA-15695, UnifiedLog.truncateFullyAndStartAt) `start`.
    """
    return start if rule == "start-set" else before


def copied_end(segments: Iterable[RemoteSegment], entries: Entries) -> int:
    """Up to where a log has been copied, as far as its own leader epochs lead; 0 where nothing is.

    From its latest epoch down: the highest offset in the tier of the first that is there
    (RemoteLogManager.findHighestRemoteOffset).
    """
    known = tuple(segments)
    for epoch, _ in reversed(entries):
        ends = [one.end_of(epoch) for one in known if any(own == epoch for own, _ in one.epochs)]
        if ends:
            return max(ends)
    return 0


def is_copied(end: int, *, start: int, last_stable: int) -> bool:
    """Whether a leader copies the segments below `end`, of which those below `start` are there already.

    None that ends above the last stable offset (RemoteLogManager.candidateLogSegments).
    """
    return start < end <= last_stable


def local_end_deleted(end: int, *, hw: int, copied: int) -> int:
    """Up to where local retention deletes segments that are old enough up to `end`.

    Never what has not been copied, nor what is above the high watermark (UnifiedLog.deleteOldSegments).
    """
    return min(end, hw, copied)


def epoch_at(entries: Entries, offset: int) -> int:
    """The leader epoch of an offset, or UNDEFINED (LeaderEpochFileCache.epochForOffset)."""
    return next((epoch for epoch, start in reversed(entries) if start <= offset), UNDEFINED)


def epoch_before(entries: Entries, leo: int, local_start: int) -> int:
    """The leader epoch of the last offset below the leader's local log start, as its follower finds it.

    It hears the epoch of the local log start itself (EARLIEST_LOCAL_TIMESTAMP), and asks where the epoch
    before that ends: behind the offset, it is the one (TierStateMachine.buildRemoteLogAuxState). `entries`
    and `leo` are the leader's, who answers both.
    """
    epoch = epoch_at(entries, local_start)
    if epoch == 0:
        return epoch
    earlier = end_of_epoch(entries, leo, epoch - 1, "lowest-start")
    return earlier.epoch if earlier.offset > local_start - 1 else epoch


def segment_holding(segments: Sequence[RemoteSegment], epoch: int, offset: int) -> RemoteSegment | None:
    """The remote segment with an offset of that epoch (RemoteLogMetadataCache.remoteLogSegmentMetadata).

    None: a follower cannot build its state, and tries again later (RemoteStorageException).
    """
    begun = [
        (start, place)
        for place, one in enumerate(segments)
        for own, start in one.epochs
        if own == epoch and start <= offset
    ]
    if not begun:
        return None
    found = segments[max(begun)[1]]
    return found if offset < found.end_of(epoch) else None
