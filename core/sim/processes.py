"""Broker processes: they crash, stop, start, load their logs and write checkpoints."""

from core.kafka import epochs as cache
from core.kafka.high_watermark import hw_on_loading
from core.sim import consumer, insync, network, producer, stable
from core.sim.conditions import CHECKPOINT_WRITTEN
from core.sim.engine import Engine
from core.sim.follower import connection_lost
from core.sim.messages.control import ShutdownAnswer
from core.sim.messages.kinds import BrokerExit, CheckpointDue, EpochFileFlushDue
from core.sim.replica import batch_start, begin_anew, checkpoint_hw, data_end
from core.sim.state import LOG_BEGIN, NO_EPOCH, NOBODY, Broker, Replica
from core.trace.ids import Offset, Seq
from core.trace.vocabulary import CutReason


def begin(engine: Engine, broker: Broker) -> None:
    """The timers of a broker that has just started."""
    engine.after(engine.rules.checkpoint_interval, CheckpointDue(broker, broker.life))
    insync.start_checks(engine, broker)


def on_checkpoint(engine: Engine, message: CheckpointDue) -> None:
    """Every 5 s a broker writes its high watermarks to disk."""
    broker = message.broker
    if broker.up and broker.life == message.life:
        write_checkpoint(engine, broker, None)
        engine.after(engine.rules.checkpoint_interval, message)


def write_checkpoint(engine: Engine, broker: Broker, cause: Seq | None) -> None:
    """Write the high watermarks of all replicas of a broker to its disk."""
    for replica in engine.replicas_on(broker.id):
        checkpoint_hw(engine, replica, cause)
    if engine.journal.watch is not None:
        engine.journal.watch.look(CHECKPOINT_WRITTEN, broker.id)


def on_epoch_file_flush(_: Engine, message: EpochFileFlushDue) -> None:
    """The file of leader epochs has what the cache has."""
    replica = message.replica
    if replica.broker.up and replica.broker.life == message.life:
        replica.unflushed_from = None


def crash(
    engine: Engine, broker: Broker, cause: Seq | None, tail_lost: int = 0, *, power_lost: bool = False
) -> None:
    """The process is killed: memory goes, the log and the checkpoint stay.

    `tail_lost` records at the end of each log had not reached the disk: the whole machine died with its page
    cache. Kafka does not flush before it acknowledges.
    """
    engine.journal.tell("broker_crashed", broker.id, broker.id, cause=cause, partition=None)
    broker.tail_lost = tail_lost
    for replica in engine.replicas_on(broker.id):
        if not (power_lost or tail_lost):
            # The page cache stays, and the file with it.
            replica.unflushed_from = None
    _go_down(engine, broker)


def on_exit(engine: Engine, message: BrokerExit) -> None:
    """The broker ends itself, because it may not cut its log (to 2.0.0, see the switch `out-of-range`)."""
    broker, cause = message.broker, message.cause
    if broker.up:
        engine.journal.tell("broker_exited", broker.id, broker.id, cause=cause, partition=None)
        _go_down(engine, broker)


def on_stopped(engine: Engine, message: ShutdownAnswer) -> None:
    """The end of a clean stop: checkpoints are written, and the session is closed, not left to expire."""
    broker, life, cause = message.broker, message.life, message.cause
    if not broker.up or broker.life != life:
        return
    write_checkpoint(engine, broker, cause)
    engine.journal.tell("broker_stopped", broker.id, broker.id, cause=cause, partition=None)
    _go_down(engine, broker, clean=True)


def _go_down(engine: Engine, broker: Broker, *, clean: bool = False) -> None:
    broker.up, broker.silent_since = False, None
    network.forget(engine, broker)
    for replica in engine.replicas_on(broker.id):
        replica.role, replica.leading, replica.fetcher = "none", None, None
        replica.leader, replica.leader_epoch = NOBODY, NO_EPOCH
        replica.allowed = 0
        for other in replica.partition.replicas.values():
            if other is not replica:
                connection_lost(engine, other, broker.id)
    consumer.connection_lost(engine, broker.id)
    producer.connection_lost(engine, broker.id)
    engine.control.gone_down(engine, broker, clean=clean)


def start(engine: Engine, broker: Broker, cause: Seq, *, disk_replaced: bool = False) -> None:
    """A broker starts: it loads logs, epoch caches and checkpoints, and turns to the controller.

    One fetch is allowed to each of its replicas. A new disk holds nothing: neither logs nor checkpoints, nor
    the mark of a clean stop.
    """
    journal, here = engine.journal, broker.id
    broker.up = True
    broker.life += 1
    starting = journal.tell("broker_starting", here, here, cause=cause, partition=None)
    if disk_replaced:
        broker.stopped_cleanly = False
    for replica in engine.replicas_on(here):
        if disk_replaced:
            _lose_log(engine, replica, starting)
        _load(engine, replica, broker.tail_lost, starting)
    broker.tail_lost = 0
    engine.control.come_up(engine, broker, starting)


def finish_start(engine: Engine, broker: Broker, starting: Seq) -> Seq:
    """All is loaded, and the timers run. Gives the Seq of broker_started."""
    seq = engine.journal.tell("broker_started", broker.id, broker.id, cause=starting, partition=None)
    begin(engine, broker)
    return seq


def _load(engine: Engine, replica: Replica, tail_lost: int, starting: Seq) -> None:
    journal, here, index = engine.journal, replica.id, replica.partition.index
    # A torn batch goes as a whole, and a recovered log ends behind its last batch.
    end = batch_start(engine, replica, max(replica.leo - tail_lost, replica.first_on_disk))
    _lose_tail(engine, replica, min(end, data_end(replica)), starting)
    replica.local_start = replica.disk_start
    loaded = journal.tell(
        "log_loaded",
        here,
        here,
        partition=index,
        cause=starting,
        leo=replica.leo,
        log_start=replica.log_start,
    )
    if replica.unflushed_from is not None:
        replica.entries = cache.entries_loaded(replica.unflushed_from, replica.leo)
        replica.unflushed_from = None
    if replica.broker.switches.epoch_entry != "none":
        _load_entries(engine, replica, starting)
    else:
        # A broker of the old format deletes the file (Log.initializeLeaderEpochCache, 2.1.1, KAFKA-7897).
        replica.entries = ()
    rule = replica.broker.switches.hw_after_cut
    replica.hw = Offset(hw_on_loading(rule, replica.checkpointed, replica.leo, replica.log_start))
    seq = journal.tell("hw_loaded", here, here, partition=index, cause=loaded, hw=replica.hw)
    stable.reload(engine, replica, seq)
    replica.allowed = 1


def _lose_log(engine: Engine, replica: Replica, starting: Seq) -> None:
    replica.hw = replica.checkpointed = LOG_BEGIN
    if replica.leo or replica.entries:
        begin_anew(engine, replica, 0, CutReason.RECOVERY, starting)
    replica.disk_start = LOG_BEGIN


def _lose_tail(engine: Engine, replica: Replica, end: int, starting: Seq) -> None:
    """The records that were never flushed are gone; epoch entries at or above the end are dropped."""
    before = replica.leo
    if end == before:
        return
    replica.drop_from(end)
    replica.entries = cache.cut_end(replica.entries, end)
    engine.journal.tell(
        "truncated",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=starting,
        from_offset=before,
        offset=end,
        leo=end,
        aux=CutReason.RECOVERY,
    )


def _load_entries(engine: Engine, replica: Replica, cause: Seq) -> None:
    journal, here, index = engine.journal, replica.id, replica.partition.index
    loaded = journal.tell(
        "epoch_cache_loaded", here, here, partition=index, cause=cause, aux=len(replica.entries)
    )
    for epoch, offset in replica.entries:
        journal.tell("epoch_assigned", here, here, partition=index, cause=loaded, epoch=epoch, offset=offset)
