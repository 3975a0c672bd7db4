"""The state before the first step, told as events of step 0."""

from collections.abc import Mapping, Sequence

from core.sim import controller
from core.sim.consumer import begin_reading
from core.sim.disks import tell_entries
from core.sim.engine import Engine
from core.sim.follower import resume_following
from core.sim.leader import recall, start_leading
from core.sim.ledger import UNKNOWN
from core.sim.messages.control import ControllerElected
from core.sim.processes import begin, crash
from core.sim.replica import append, checkpoint_hw, move_hw
from core.sim.script import Scenario, StartReplica
from core.sim.state import NONE_OLD, Partition, Replica
from core.trace.ids import BrokerId, LeaderEpoch, Offset, Seq


def set_up(engine: Engine, scenario: Scenario) -> None:
    """All brokers run, logs hold what the script says, the leaders lead.

    What the script says of the start is said of the first partition. The others are empty, each led by the
    first of its replicas.
    """
    start = scenario.start
    engine.journal.line = scenario.start_line
    numbers: dict[str, int] = {}
    for broker in engine.brokers.values():
        started = engine.journal.tell("broker_started", broker.id, broker.id, cause=None, partition=None)
        for replica in engine.replicas_on(broker.id):
            _load(engine, scenario, replica, numbers, started)
        begin(engine, broker)
    first, *others = engine.partitions
    isr = tuple(scenario.broker_id(name) for name in start.isr)
    remote = {scenario.broker_id(name): leo for name, leo in start.remote.items()}
    down = [scenario.broker_id(name) for name in start.down]
    _lead(engine, first, (scenario.broker_id(start.leader), start.epoch, isr), remote, down)
    for partition in others:
        assigned = partition.assigned
        _lead(engine, partition, (assigned[0], LeaderEpoch(0), assigned), {})
    engine.control.begin(engine)
    _take_down(engine, scenario)
    begin_reading(engine, scenario.consumers)


def _take_down(engine: Engine, scenario: Scenario) -> None:
    """Brokers that are down before the first step, and a controller that is."""
    start = scenario.start
    for name, since in start.down.items():
        broker = engine.brokers[scenario.broker_id(name)]
        crash(engine, broker, None)
        engine.control.was_down(engine, broker, since)
        for partition in engine.partitions:
            for replica in partition.replicas.values():
                remote = None if replica.leading is None else replica.leading.remotes.get(broker.id)
                if remote is not None:
                    remote.caught_up_at = engine.now - since
    if start.controller_elected_ns is not None:
        engine.controller.up = False
        engine.controller.deaths += 1
        engine.after(start.controller_elected_ns, ControllerElected(engine.controller.deaths))


def _lead(
    engine: Engine,
    partition: Partition,
    state: tuple[BrokerId, LeaderEpoch, tuple[BrokerId, ...]],
    remote: Mapping[BrokerId, Offset],
    down: Sequence[BrokerId] = (),
) -> None:
    leader, epoch, isr = state
    elected = controller.create(engine, partition, leader, epoch, isr)
    for replica in [partition.replicas[broker] for broker in partition.assigned]:
        if replica.id == leader:
            start_leading(engine, replica, epoch, isr, 0, elected)
            for follower, leo in remote.items():
                recall(engine, replica, follower, leo, elected)
        elif replica.id not in down:
            resume_following(engine, replica, leader, epoch, elected)


def _load(
    engine: Engine, scenario: Scenario, replica: Replica, numbers: dict[str, int], started: Seq
) -> None:
    journal, here, index = engine.journal, replica.id, replica.partition.index
    held = StartReplica() if index > 0 else scenario.start.replicas[replica.broker.name]
    start = replica.log_start = replica.hw = replica.checkpointed = held.log_start
    created = journal.tell(
        "log_created", here, here, partition=index, cause=started, leo=start, log_start=start
    )
    for batch in held.log:
        new = [name for name in dict.fromkeys(batch.records) if name not in numbers]
        numbers.update(zip(new, engine.name_records(new), strict=True))
        records = [numbers[name] for name in batch.records]
        for offset, record in enumerate(records, replica.leo):
            if engine.ledger.partition[record] == UNKNOWN:
                engine.ledger.place((record,), index, here, batch.epoch, offset)
        end = replica.leo + len(records)
        old = frozenset(range(replica.leo, end)) if replica.broker.writes_old else NONE_OLD
        append(engine, replica, records, [batch.epoch] * len(records), created, old)
    if held.checkpoint > start:
        move_hw(engine, replica, held.checkpoint, created)
        checkpoint_hw(engine, replica, created)
    move_hw(engine, replica, max(held.high_watermark, start), created)
    if held.epochs is not None and replica.broker.switches.epoch_entry != "none":
        replica.entries = held.epochs
        tell_entries(engine, replica, created)
