"""The state before the first step, told as events of step 0."""

from core.sim import controller
from core.sim.follower import resume_following
from core.sim.leader import recall, start_leading
from core.sim.processes import begin
from core.sim.replica import append, checkpoint_hw, move_hw
from core.sim.script import Scenario
from core.sim.state import Engine, Replica


def set_up(engine: Engine, scenario: Scenario) -> None:
    """All brokers run, logs hold what the script says, the leader leads."""
    start = scenario.start
    engine.journal.line = scenario.start_line
    numbers: dict[str, int] = {}
    for replica in engine.partition.replicas.values():
        _load(engine, scenario, replica, numbers)
    isr = tuple(scenario.broker_id(name) for name in start.isr)
    elected = controller.create(engine, scenario.broker_id(start.leader), start.epoch, isr)
    leader_id = scenario.broker_id(start.leader)
    for replica in engine.partition.replicas.values():
        if replica.id == leader_id:
            start_leading(engine, replica, start.epoch, isr, elected)
            for name, leo in start.remote.items():
                recall(engine, replica, scenario.broker_id(name), leo, elected)
        else:
            resume_following(engine, replica, leader_id, start.epoch, elected)


def _load(engine: Engine, scenario: Scenario, replica: Replica, numbers: dict[str, int]) -> None:
    journal, here = engine.journal, replica.id
    started = journal.tell("broker_started", here, here, cause=None, partition=None)
    created = journal.tell("log_created", here, here, cause=started, leo=0, log_start=0)
    held = scenario.start.replicas[replica.broker.name]
    for batch in held.log:
        for name in batch.records:
            if name not in numbers:
                numbers[name] = len(engine.record_names)
                engine.record_names.append(name)
        records = [numbers[name] for name in batch.records]
        append(engine, replica, records, [batch.epoch] * len(records), created)
    if held.checkpoint:
        move_hw(engine, replica, held.checkpoint, created)
        checkpoint_hw(engine, replica, created)
    move_hw(engine, replica, held.high_watermark, created)
    begin(engine, replica.broker)
