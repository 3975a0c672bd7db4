"""Where a log begins and lies: records deleted by request or retention, a move to another directory."""

from core.kafka.directories import can_move, entries_after_move, is_replaced
from core.kafka.epochs import cut_start
from core.kafka.tiers import copied_end, local_end_deleted
from core.sim import stable
from core.sim.engine import Engine
from core.sim.messages.clients import DeleteRecords
from core.sim.replica import data_end
from core.sim.state import GAP, Replica
from core.trace.ids import Offset, Seq


def move_log_start(engine: Engine, replica: Replica, start: Offset, cause: Seq | None) -> Seq | None:
    """Delete what is below `start`, if the log begins below it. Gives the last Seq, or the cause."""
    start = min(start, replica.leo)
    if start <= replica.log_start:
        return cause
    replica.drop_below(start)
    seq = engine.journal.tell(
        "log_start_moved",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        log_start=start,
    )
    entries = cut_start(replica.entries, start)
    if entries != replica.entries:
        replica.entries = entries
        tell_entries(engine, replica, seq)
    stable.settle(engine, replica, seq)
    return seq


def tell_entries(engine: Engine, replica: Replica, cause: Seq | None) -> None:
    """Say the whole epoch cache anew."""
    here, index = replica.id, replica.partition.index
    told = engine.journal.tell(
        "epoch_cache_loaded", here, here, partition=index, cause=cause, aux=len(replica.entries)
    )
    for epoch, offset in replica.entries:
        engine.journal.tell(
            "epoch_assigned", here, here, partition=index, cause=told, epoch=epoch, offset=offset
        )


def on_delete_records(engine: Engine, message: DeleteRecords) -> None:
    """A request to delete what is below an offset arrives (0.11, KIP-107); None is the high watermark.

    Only a leader does it, and nothing above its high watermark. Its followers hear of it by their fetches.
    """
    replica = message.replica
    wanted = replica.hw if message.offset is None else message.offset
    leads = replica.broker.up and replica.leading is not None
    if leads and replica.broker.rules.switches.log_start == "leader" and wanted <= replica.hw:
        move_log_start(engine, replica, wanted, message.cause)


def retain(engine: Engine, replica: Replica, offset: Offset, cause: Seq) -> None:
    """A broker deletes segments that are old enough: what is below `offset`, nothing above its watermark.

    With tiered storage these go from its disk alone, and none that is not in the remote tier yet.
    """
    if not replica.broker.rules.tiered:
        move_log_start(engine, replica, min(offset, replica.hw), cause)
        return
    copied = copied_end(
        replica.broker.switches.tiered_storage, replica.partition.copied, replica.entries, replica.leo
    )
    end = local_end_deleted(offset, hw=replica.hw, copied=copied)
    if end > replica.first_on_disk:
        move_local_start(engine, replica, end, cause)


def move_local_start(engine: Engine, replica: Replica, start: int, cause: Seq) -> Seq:
    """The disk of a replica holds nothing below `start` any more; the remote tier does (KIP-405)."""
    replica.disk_start = replica.local_start = Offset(start)
    return engine.journal.tell(
        "local_start_moved",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        offset=start,
    )


def change_directory(engine: Engine, replica: Replica, cause: Seq) -> None:
    """A broker moves a log to another of its directories, where the release can (1.1, KIP-113).

    The copy takes no time here. Where it would end below the log, as at a gap, it does not take its place.
    With tiered storage nothing is done: 3.6 refuses more than one directory (BrokerServer).
    """
    switches, index = replica.broker.switches, replica.partition.index
    if not can_move(switches.directory_move) or replica.broker.rules.tiered or not replica.exists:
        return
    if not is_replaced(copied_end=data_end(replica), leo=replica.leo):
        return
    moved = engine.journal.tell("log_moved", replica.id, replica.id, partition=index, cause=cause)
    if replica.broker.switches.epoch_entry == "none":
        return
    held = (
        (epoch, replica.log_start + place)
        for place, (record, epoch) in enumerate(zip(replica.records, replica.epochs, strict=True))
        if record != GAP and replica.log_start + place not in replica.old_format
    )
    rule, conflict = switches.directory_move, switches.epoch_conflict
    replica.entries = entries_after_move(rule, replica.entries, held, conflict)
    replica.unflushed_from = None
    tell_entries(engine, replica, moved)
