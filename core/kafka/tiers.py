"""Tiered storage (3.6, KIP-405): what lies in the remote tier, and what a follower below it begins with."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.kafka.epochs import UNDEFINED, Entries, cut_end, cut_start, end_of_epoch
from core.kafka.switches import TieredStorage, TierExpiry
from core.trace.vocabulary import TierDeletion


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


def copied_end(rule: TieredStorage, segments: Iterable[RemoteSegment], entries: Entries, leo: int) -> int:
    """Up to where a log has been copied, as far as its own leader epochs lead; 0 where nothing is.

    From its latest epoch down: the highest offset that was copied of the first that has one
    (RemoteLogManager.findHighestRemoteOffset). `segments` are all that were ever copied: one that is deleted
    counts too (RemoteLogLeaderEpochState.highestLogOffset never falls). From 3.7 (KAFKA-15241) no higher
    than the epoch ends in this log.
    """
    known = tuple(segments)
    for epoch, _ in reversed(entries):
        ends = [one.end_of(epoch) for one in known if any(own == epoch for own, _ in one.epochs)]
        if ends:
            own_end = next((start for later, start in entries if later > epoch), leo)
            return min(max(ends), own_end) if rule == "start-set" else max(ends)
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

    `segments` are in the order in which they were copied: one that covers others of its epoch takes their
    place (RemoteLogLeaderEpochState.handleSegmentWithCopySegmentFinishedState, 3.6, KAFKA-15168). None: a
    consumer is out of range (OffsetOutOfRangeException), and a follower cannot build its state, and tries
    again later (RemoteStorageException).
    """
    by_start: dict[int, RemoteSegment] = {}
    highest = 0
    for one in segments:
        begins = dict(one.epochs).get(epoch)
        if begins is None:
            continue
        if highest <= one.end_of(epoch):
            by_start = {start: other for start, other in by_start.items() if start < begins}
        by_start[begins] = one
        highest = max(highest, one.end_of(epoch))
    begun = [start for start in by_start if start <= offset]
    if not begun:
        return None
    found = by_start[max(begun)]
    return found if offset < found.end_of(epoch) else None


def first_in_tier(segments: Sequence[RemoteSegment], entries: Entries, local_start: int) -> int:
    """Where a log begins, as a broker that has become its leader finds it (KAFKA-15351).

    The start of the first remote segment of its earliest epoch that has one; without any its local log start
    (RemoteLogManager.findLogStartOffset, 3.6.0).
    """
    for epoch, _ in entries:
        of_epoch = _of_epoch(segments, epoch)
        if of_epoch:
            return of_epoch[0].start
    return local_start


class Deletion(NamedTuple):
    """A remote segment that a leader deletes, and why."""

    segment: RemoteSegment
    reason: TierDeletion


class Expiry(NamedTuple):
    """What a leader deletes from the remote tier, in this order, and where its log begins then."""

    deletions: tuple[Deletion, ...]
    log_start: int


def expired(
    rule: TierExpiry,
    segments: Sequence[RemoteSegment],
    entries: Entries,
    *,
    log_start: int,
    leo: int,
    old_end: int,
) -> Expiry:
    """What a leader deletes of the remote tier, where segments wholly below `old_end` are old or too much.

    Along its leader epochs, as long as segments are deleted or do not belong to them; then those of which all
    epochs are earlier than the first that is left when the log begins higher
    (RemoteLogManager.cleanupExpiredRemoteLogSegments, 3.6.2). To 3.7 the log begins where the last deleted
    segment ended, from 3.8 where the highest did (KAFKA-16890).
    """
    known, start = with_records(entries), log_start
    if not known:
        return Expiry((), log_start)
    deleted: list[Deletion] = []
    for one, reason in _along_epochs(rule, segments, known, log_start=log_start, leo=leo, old_end=old_end):
        deleted.append(Deletion(one, reason))
        if reason is TierDeletion.RETENTION:
            start = max(start, one.end) if rule == "start-of-highest" else one.end
    start = max(start, log_start)
    gone, earliest = {id(one) for one, _ in deleted}, cut_start(entries, start)[0][0]
    deleted += [
        Deletion(one, TierDeletion.NO_EPOCH)
        for one in segments
        if id(one) not in gone and all(epoch < earliest for epoch, _ in one.epochs)
    ]
    return Expiry(tuple(deleted), start)


def _along_epochs(
    rule: TierExpiry,
    segments: Sequence[RemoteSegment],
    known: Entries,
    *,
    log_start: int,
    leo: int,
    old_end: int,
) -> Iterable[Deletion]:
    """The segments that retention or the log start deletes, epoch by epoch, each by its start."""
    seen: set[int] = set()
    for epoch, _ in known:
        for one in _of_epoch(segments, epoch):
            if id(one) in seen:
                continue
            seen.add(id(one))
            if one.end <= log_start and all(own <= known[0][0] for own, _ in one.epochs):
                yield Deletion(one, TierDeletion.LOG_START)
            elif is_of_lineage(rule, one, known, leo):
                if one.end > old_end:
                    return
                yield Deletion(one, TierDeletion.RETENTION)


def _of_epoch(segments: Sequence[RemoteSegment], epoch: int) -> list[RemoteSegment]:
    """The segments with records of an epoch, by their start (RemoteLogLeaderEpochState, 3.6.2)."""
    found = [one for one in segments if any(own == epoch for own, _ in one.epochs)]
    return sorted(found, key=lambda one: one.start)


def with_records(entries: Entries) -> Entries:
    """The epochs that have records: of those with one start the latest (buildFilteredLeaderEpochMap)."""
    return tuple({start: (epoch, start) for epoch, start in entries}.values())


def is_of_lineage(rule: TierExpiry, segment: RemoteSegment, known: Entries, leo: int) -> bool:
    """Whether the leader epochs of a log lead to a remote segment (isRemoteSegmentWithinLeaderEpochs).

    In 3.6 (3.6.2) not where it has records of an epoch before the first of the log, or from below the log's
    first entry: retention passes over a segment in which the log begins. From 3.7 (3.7.1, KAFKA-16511) those
    do not count. `known` has only epochs with records.
    """
    own, starts = with_records(segment.epochs), dict(known)
    first, last = known[0][0], known[-1][0]
    if not first <= own[-1][0] <= last or segment.end > leo:
        return False
    if rule == "leaks":
        counted = own
        fits = own[0][0] >= first and own[0][1] >= starts.get(own[0][0], leo)
    else:
        counted = tuple((epoch, start) for epoch, start in own if epoch >= first)
        epoch, start = counted[0]
        fits = epoch == first or start >= starts.get(epoch, leo)
    following = next((start for epoch, start in known if epoch > own[-1][0]), leo)
    inner = {epoch: start for epoch, start in known if counted[0][0] < epoch <= counted[-1][0]}
    return fits and counted[0][0] in starts and inner == dict(counted[1:]) and segment.end <= following
