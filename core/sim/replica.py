"""Every change of a replica's log, high watermark and epoch cache, each with its event."""

from typing import Final

from core.kafka import epochs as cache
from core.kafka.high_watermark import hw_of_new_log
from core.kafka.tiers import local_start_of_new_log
from core.kafka.truncation import Cut
from core.sim import stable
from core.sim.consumer import wake
from core.sim.engine import Engine
from core.sim.messages.kinds import EpochFileFlushDue
from core.sim.state import GAP, NONE_OLD, Replica
from core.trace.ids import LeaderEpoch, Offset, Seq
from core.trace.vocabulary import CutReason

_FLUSHED_AFTER: Final = 100_000_000
"""When a thread of the background has flushed a file, in ns. It has no fixed time."""


def create_log(engine: Engine, replica: Replica, cause: Seq | None) -> Seq:
    """A broker hears for the first time that it holds the partition: an empty log."""
    replica.exists = True
    return engine.journal.tell(
        "log_created",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leo=0,
        log_start=0,
    )


def append(
    engine: Engine,
    replica: Replica,
    records: list[int],
    record_epochs: list[LeaderEpoch],
    cause: Seq | None,
    old_format: frozenset[int] = NONE_OLD,
) -> Seq:
    """Append records; one event for each run of one epoch with consecutive record numbers.

    A gap is copied as one, without an event: the next record has its offset from the leader. `old_format`
    has the offsets of those that name no leader epoch. Gives the last Seq.
    """
    start, seq, first = 0, cause, replica.leo
    for end in range(1, len(records) + 1):
        if records[start] == GAP:
            replica.records.append(GAP)
            replica.epochs.append(record_epochs[start])
            start = end
            continue
        goes_on = (
            end < len(records)
            and record_epochs[end] == record_epochs[start]
            and records[end] == records[end - 1] + 1
            and (not old_format or (first + end in old_format) == (first + start in old_format))
        )
        if not goes_on:
            old = first + start in old_format
            seq = _append_run(engine, replica, records[start:end], record_epochs[start], cause, old=old)
            start = end
    assert seq is not None, "nothing to append"  # noqa: S101 - the caller's promise
    return seq


def _append_run(
    engine: Engine,
    replica: Replica,
    records: list[int],
    epoch: LeaderEpoch,
    cause: Seq | None,
    *,
    old: bool,
) -> Seq:
    before = replica.leo
    replica.records.extend(records)
    replica.epochs.extend([epoch] * len(records))
    seq = engine.journal.tell(
        "appended",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        epoch=epoch,
        from_offset=before,
        offset=replica.leo,
        leo=replica.leo,
        aux=records[0],
    )
    if old:
        _note_old(engine, replica, before, seq)
    elif replica.broker.switches.epoch_entry != "none":
        assign_epoch(engine, replica, epoch, before, seq)
    if engine.transactional:
        stable.note(engine, replica, records, before, seq)
    if replica.reads:
        wake(engine, replica)
    return seq


def _note_old(engine: Engine, replica: Replica, start: int, cause: Seq) -> None:
    """Records without a leader epoch are in the log from `start` on (message format before 0.11)."""
    replica.old_format.update(range(start, replica.leo))
    entries = cache.on_old_records(replica.broker.switches.epoch_old_format, replica.entries)
    _put_entries(engine, replica, entries, "epoch_cache_cut", cause, offset=0)


def assign_epoch(engine: Engine, replica: Replica, epoch: LeaderEpoch, start: int, cause: Seq | None) -> None:
    """Put an entry into the epoch cache, if it is new."""
    known = replica.entries
    if known and known[-1][0] == epoch and known[-1][1] <= start:
        return  # As nearly every record: by no rule is it a new one.
    entries = cache.assign(known, epoch, start, replica.broker.switches.epoch_conflict)
    _put_entries(engine, replica, entries, "epoch_assigned", cause, epoch=epoch, offset=start)


def _put_entries(
    engine: Engine,
    replica: Replica,
    entries: cache.Entries,
    kind: str,
    cause: Seq | None,
    *,
    offset: int,
    epoch: LeaderEpoch | None = None,
) -> None:
    """Write other entries into the epoch cache and its file, and tell of it by an event of that kind."""
    if entries != replica.entries:
        replica.entries, replica.unflushed_from = entries, None
        index = replica.partition.index
        engine.journal.tell(
            kind, replica.id, replica.id, partition=index, cause=cause, epoch=epoch, offset=offset
        )


def move_hw(engine: Engine, replica: Replica, hw: int, cause: Seq | None) -> Seq | None:
    """Set the high watermark in memory.

    Gives the Seq of the event, or the cause if it stands there already.
    """
    if hw == replica.hw:
        return cause
    replica.hw = Offset(hw)
    seq = engine.journal.tell(
        "hw_moved", replica.id, replica.id, partition=replica.partition.index, cause=cause, hw=hw
    )
    if replica.transactions is not None:
        stable.settle(engine, replica, seq)
    if replica.reads:
        wake(engine, replica)
    return seq


def checkpoint_hw(engine: Engine, replica: Replica, cause: Seq | None = None) -> None:
    """Write the high watermark to disk. An event only if the file says something new."""
    if replica.checkpointed != replica.hw:
        replica.checkpointed = replica.hw
        engine.journal.tell(
            "hw_checkpointed",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            hw=replica.hw,
        )


def carry_out(engine: Engine, replica: Replica, cut: Cut, cause: Seq | None, said: int | None = None) -> Seq:
    """Do what a decision to cut says.

    `said` is the leader's answer, where there was one. Gives the last Seq.
    """
    switches = replica.broker.switches
    before, journal, broker = replica.leo, engine.journal, replica.id
    if not cut.needed and cut.reason != CutReason.LOCAL_HIGH_WATERMARK:
        answer = cut.offset if said is None else said
        seq: Seq = journal.tell(
            "truncation_not_needed",
            broker,
            broker,
            partition=replica.partition.index,
            cause=cause,
            epoch=replica.leader_epoch,
            offset=answer,
            leo=before,
            aux=cut.reason,
        )
    else:
        decided = journal.tell(
            "truncation_decided",
            broker,
            broker,
            partition=replica.partition.index,
            cause=cause,
            epoch=replica.leader_epoch,
            from_offset=before,
            offset=cut.offset,
            hw=replica.hw,
            aux=cut.reason,
        )
        if cut.needed and switches.hw_after_cut == "lowered" and replica.hw > cut.offset:
            move_hw(engine, replica, cut.offset, decided)
        if cut.offset < replica.first_on_disk:
            return begin_anew(engine, replica, cut.offset, cut.reason, decided)
        seq = _cut_log(engine, replica, cut, decided)
    if cut.needed or switches.epoch_cache_cut == "always":
        _cut_cache(engine, replica, cut.offset, seq)
    return seq


def batch_start(engine: Engine, replica: Replica, offset: int) -> int:
    """The base offset of the batch that holds an offset; the offset itself at the end of the log."""
    records, continues, start = replica.records, engine.continues, replica.log_start
    while start < offset < replica.leo:
        record = records[offset - start]
        if record == GAP or not continues[record]:
            break
        offset -= 1
    return offset


def data_end(replica: Replica) -> int:
    """The offset after the last record: below the log end where a cut has left a gap."""
    records, end = replica.records, len(replica.records)
    while end and records[end - 1] == GAP:
        end -= 1
    return replica.log_start + end


def _cut_log(engine: Engine, replica: Replica, cut: Cut, cause: Seq) -> Seq:
    """Cut the log. A batch goes as a whole (LogSegment.truncateTo).

    But the log end is set to the offset of the cut (Log.truncateTo): inside a batch that leaves a gap.
    """
    before, broker, index = replica.leo, replica.id, replica.partition.index
    if not cut.needed:
        return engine.journal.tell(
            "truncation_noop",
            broker,
            broker,
            partition=index,
            cause=cause,
            from_offset=before,
            offset=cut.offset,
            leo=before,
            aux=cut.reason,
        )
    base = batch_start(engine, replica, cut.offset)
    replica.drop_from(base)
    seq = engine.journal.tell(
        "truncated",
        broker,
        broker,
        partition=index,
        cause=cause,
        from_offset=before,
        offset=base,
        leo=base,
        aux=cut.reason,
        epoch=replica.leader_epoch,
    )
    stable.reload(engine, replica, seq)
    if base == cut.offset:
        return seq
    replica.records += [GAP] * (cut.offset - base)
    replica.epochs += [replica.leader_epoch] * (cut.offset - base)
    return engine.journal.tell(
        "log_gap",
        broker,
        broker,
        partition=index,
        cause=seq,
        from_offset=base,
        offset=cut.offset,
        leo=replica.leo,
    )


def begin_anew(engine: Engine, replica: Replica, start: int, reason: CutReason, cause: Seq | None) -> Seq:
    """Drop the whole log and its epoch cache; the next record will have the offset `start`."""
    before = replica.leo
    replica.records, replica.epochs, replica.entries = [], [], ()
    replica.old_format.clear()
    replica.log_start, switches = Offset(start), replica.broker.switches
    if replica.broker.rules.tiered:
        rule = switches.tiered_storage
        replica.disk_start = replica.log_start
        replica.local_start = Offset(local_start_of_new_log(rule, replica.local_start, start))
    seq: Seq = engine.journal.tell(
        "log_reset",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        from_offset=before,
        offset=start,
        aux=reason,
    )
    move_hw(engine, replica, hw_of_new_log(switches.hw_after_cut, replica.hw, start), seq)
    stable.reload(engine, replica, seq)
    return seq


def _cut_cache(engine: Engine, replica: Replica, offset: int, cause: Seq) -> None:
    entries = cache.cut_end(replica.entries, offset)
    if entries != replica.entries:
        kept = cache.entries_to_flush(replica.broker.switches.epoch_file_flush, replica.entries)
        if kept is not None:
            replica.unflushed_from = replica.unflushed_from or kept
            engine.after(_FLUSHED_AFTER, EpochFileFlushDue(replica, replica.broker.life))
        replica.entries = entries
        engine.journal.tell(
            "epoch_cache_cut",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            offset=offset,
        )
