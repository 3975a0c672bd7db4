"""Broker processes: they crash, start, load their logs and write checkpoints."""

from core.kafka.high_watermark import hw_on_loading
from core.sim import insync
from core.sim.follower import connection_lost
from core.sim.replica import checkpoint_hw
from core.sim.state import NOBODY, Broker, Engine, Replica


def begin(engine: Engine, broker: Broker) -> None:
    """The timers of a broker that has just started."""
    engine.after(engine.rules.checkpoint_interval, "checkpoint", broker, broker.life)
    insync.start_checks(engine, broker)


def on_checkpoint(engine: Engine, broker: Broker, life: int) -> None:
    """Every 5 s a broker writes its high watermarks to disk."""
    if broker.up and broker.life == life:
        checkpoint_hw(engine, engine.partition.replicas[broker.id])
        engine.after(engine.rules.checkpoint_interval, "checkpoint", broker, life)


def crash(engine: Engine, broker: Broker, cause: int) -> None:
    """The process is killed: memory goes, the log and the checkpoint stay."""
    engine.journal.tell("broker_crashed", broker.id, broker.id, cause=cause, partition=None)
    _go_down(engine, broker)


def on_exit(engine: Engine, broker: Broker, cause: int) -> None:
    """The broker ends itself, because it may not cut its log (to 2.0.0, see the switch `out-of-range`)."""
    if broker.up:
        engine.journal.tell("broker_exited", broker.id, broker.id, cause=cause, partition=None)
        _go_down(engine, broker)


def _go_down(engine: Engine, broker: Broker) -> None:
    replica = engine.partition.replicas[broker.id]
    broker.up = False
    replica.role, replica.leading, replica.fetcher = "none", None, None
    replica.leader, replica.leader_epoch = NOBODY, -1
    replica.allowed = 0
    for other in engine.partition.replicas.values():
        if other is not replica:
            connection_lost(engine, other, broker.id)
    engine.after(engine.rules.session_timeout, "session-expired", broker, broker.life)


def start(engine: Engine, broker: Broker, cause: int) -> None:
    """A broker starts: it loads log, epoch cache and checkpoint, and registers.

    One fetch is allowed to it.
    """
    replica = engine.partition.replicas[broker.id]
    journal, here = engine.journal, broker.id
    broker.up, broker.registered = True, True
    broker.life += 1
    starting = journal.tell("broker_starting", here, here, cause=cause, partition=None)
    loaded = journal.tell("log_loaded", here, here, cause=starting, leo=replica.leo)
    if engine.rules.switches.epoch_entry != "none":
        _load_entries(engine, replica, starting)
    replica.hw = hw_on_loading(replica.checkpointed, replica.leo)
    journal.tell("hw_loaded", here, here, cause=loaded, hw=replica.hw)
    journal.tell("broker_registered", here, here, cause=starting, partition=None)
    started = journal.tell("broker_started", here, here, cause=starting, partition=None)
    replica.allowed = 1
    begin(engine, broker)
    engine.send("registered", here, 0, broker, broker.life, started)


def _load_entries(engine: Engine, replica: Replica, cause: int) -> None:
    journal, here = engine.journal, replica.id
    loaded = journal.tell("epoch_cache_loaded", here, here, cause=cause, aux=len(replica.entries))
    for epoch, offset in replica.entries:
        journal.tell("epoch_assigned", here, here, cause=loaded, epoch=epoch, offset=offset)
