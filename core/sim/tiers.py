"""Tiered storage (KIP-405): a leader copies segments to the remote tier, a follower begins behind them."""

from collections.abc import Sequence

from core.kafka.tiers import (
    RemoteSegment,
    copied_end,
    epoch_at,
    expired,
    first_in_tier,
    is_copied,
    segment_holding,
)
from core.sim import stable
from core.sim.disks import move_local_start, move_log_start, tell_entries
from core.sim.engine import Engine
from core.sim.follower import retry_later, try_fetch
from core.sim.messages.replication import ListLocalStartAnswer
from core.sim.replica import move_hw
from core.sim.script_tiers import CopyToTier
from core.sim.state import GAP, NOBODY, Partition, Replica, TierSegment
from core.trace.ids import LeaderEpoch, Offset, Seq
from core.trace.vocabulary import StopReason


def copy(engine: Engine, partition: Partition, action: CopyToTier, cause: Seq) -> None:
    """The leader copies what is below an offset and not there yet to the remote tier, as one segment.

    Its segment may begin lower, as segments of brokers end at different offsets: some overlap then.
    """
    leader = _leader(partition)
    if leader is None:
        return
    _find_log_start(engine, leader, cause)
    rule = leader.broker.switches.tiered_storage
    start = max(copied_end(rule, partition.copied, leader.entries, leader.leo), leader.log_start)
    last_stable = leader.hw if leader.transactions is None else leader.transactions.stable
    if not is_copied(action.offset, start=start, last_stable=last_stable):
        return
    if action.start is not None:
        start = max(min(start, action.start), leader.first_on_disk)
    entries = tuple(entry for entry in leader.entries if entry[1] < action.offset)
    records, epochs = leader.read(start, action.offset)
    segment = RemoteSegment(start, action.offset, entries)
    partition.copied.append(segment)
    partition.tier.append(TierSegment(segment, tuple(records), tuple(epochs)))
    _tell_tier(engine, "tier_copied", leader, segment, cause)


def clean(engine: Engine, partition: Partition, old_end: Offset, cause: Seq) -> None:
    """The leader deletes what retention no longer keeps in the remote tier, and what no epoch of it leads to.

    Its log begins higher before anything is deleted; followers hear of that with their fetches. Above the
    high watermark it cannot begin: the task fails then, and is tried again (OffsetOutOfRangeException,
    UnifiedLog.maybeIncrementLogStartOffset).
    """
    leader = _leader(partition)
    if leader is None:
        return
    _find_log_start(engine, leader, cause)
    tier = partition.tier
    found = expired(
        leader.broker.switches.tier_expiry,
        [one.segment for one in tier],
        leader.entries,
        log_start=leader.log_start,
        leo=leader.leo,
        old_end=old_end,
    )
    if found.log_start > leader.hw:
        return
    seq = move_log_start(engine, leader, Offset(found.log_start), cause) or cause
    for segment, reason in found.deletions:
        _tell_tier(engine, "tier_deleted", leader, segment, seq, aux=reason)
    gone = {id(segment) for segment, _ in found.deletions}
    partition.tier = [one for one in tier if id(one.segment) not in gone]


def _leader(partition: Partition) -> Replica | None:
    """The leader, if there is one and it has tiered storage."""
    leader = partition.replicas[partition.leader] if partition.leader != NOBODY else None
    if leader is None or not leader.broker.rules.tiered or leader.leading is None:
        return None
    return leader


def _find_log_start(engine: Engine, leader: Replica, cause: Seq) -> None:
    """Once in each leadership: the log begins where the remote tier does, if that is above (KAFKA-15351)."""
    if leader.leading is None or leader.leading.tier_seen:
        return
    leader.leading.tier_seen = True
    known = [one.segment for one in leader.partition.tier]
    start = first_in_tier(known, leader.entries, leader.local_start)
    if start <= leader.hw:
        move_log_start(engine, leader, Offset(start), cause)


def _tell_tier(
    engine: Engine, kind: str, leader: Replica, segment: RemoteSegment, cause: Seq, aux: int | None = None
) -> None:
    engine.journal.tell(
        kind,
        leader.id,
        leader.id,
        partition=leader.partition.index,
        cause=cause,
        from_offset=segment.start,
        offset=segment.end,
        aux=aux,
    )


def on_local_start(engine: Engine, answer: ListLocalStartAnswer) -> None:
    """A follower hears where its leader's disk begins: it begins there too, behind the remote tier.

    Where the tier does not hold what lies before, it tries again later (AbstractFetcherThread,
    handleOffsetsMovedToTieredStorage).
    """
    replica, fetcher = answer.follower, answer.fetcher
    if not replica.broker.up or replica.fetcher is not fetcher:
        return
    fetcher.token = None
    tier = replica.partition.tier
    segment = segment_holding([one.segment for one in tier], answer.epoch_before, answer.local_start - 1)
    if segment is None:
        engine.journal.tell(
            "fetch_failed",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=answer.cause,
            leader=fetcher.leader,
            offset=replica.leo,
            aux=StopReason.REMOTE_STATE_MISSING,
        )
        retry_later(engine, replica)
        return
    seq = _join(engine, replica, segment, answer.log_start, answer.cause)
    try_fetch(engine, replica, seq)


def _join(engine: Engine, replica: Replica, segment: RemoteSegment, start: Offset, cause: Seq) -> Seq:
    """Drop what the disk holds, and begin behind a remote segment, with its leader epochs.

    What the remote tier holds from the log start on belongs to the log, as in Kafka's UnifiedLog. The high
    watermark is the new log end (UnifiedLog.truncateFullyAndStartAt).
    """
    kept_local_start = replica.local_start
    seq = cause
    if replica.log_start != start:
        seq = _tell_log_start(engine, replica, start, cause)
    replica.records, replica.epochs, replica.log_start = [], [], start
    replica.entries, replica.unflushed_from = segment.entries, None
    for first, records, epoch in _held(replica.partition.tier, segment, start):
        replica.records += records
        replica.epochs += [epoch] * len(records)
        if records[0] != GAP:
            seq = _tell_joined(engine, replica, first, records[0], epoch, seq)
    if replica.broker.switches.epoch_entry != "none":
        tell_entries(engine, replica, seq)
    seq = move_local_start(engine, replica, segment.end, seq)
    if replica.broker.switches.tiered_storage == "start-kept":
        replica.local_start = kept_local_start
    move_hw(engine, replica, segment.end, seq)
    stable.reload(engine, replica, seq)
    return seq


def _tell_log_start(engine: Engine, replica: Replica, start: Offset, cause: Seq) -> Seq:
    return engine.journal.tell(
        "log_start_moved",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        log_start=start,
    )


def _tell_joined(
    engine: Engine, replica: Replica, first: int, record: int, epoch: LeaderEpoch, cause: Seq
) -> Seq:
    return engine.journal.tell(
        "tier_joined",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        epoch=epoch,
        from_offset=first,
        offset=replica.leo,
        leo=replica.leo,
        aux=record,
    )


def _held(
    tier: Sequence[TierSegment], last: RemoteSegment, start: Offset
) -> list[tuple[int, list[int], LeaderEpoch]]:
    """What the tier holds from `start` to the end of a segment, along its leader epochs.

    Runs of one epoch with consecutive record numbers: first offset, numbers, epoch. What is missing is a run
    of gaps.
    """
    found: dict[int, int] = {}
    for one in tier:
        for place, (record, epoch) in enumerate(zip(one.records, one.epochs, strict=True)):
            offset = one.segment.start + place
            if epoch == epoch_at(last.entries, offset):
                found[offset] = record
    runs: list[tuple[int, list[int], LeaderEpoch]] = []
    for offset in range(start, last.end):
        record, epoch = found.get(offset, GAP), LeaderEpoch(epoch_at(last.entries, offset))
        goes_on = runs and runs[-1][2] == epoch and _follows(runs[-1][1][-1], record)
        if goes_on:
            runs[-1][1].append(record)
        else:
            runs.append((offset, [record], epoch))
    return runs


def _follows(before: int, record: int) -> bool:
    return record == GAP if before == GAP else record == before + 1
