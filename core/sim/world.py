"""What the steps of a script do to the world around the brokers: deleted records, pauses, the network."""

from core.sim import disks
from core.sim.script import DeleteRecords, Retain, Scenario, World
from core.sim.state import NOBODY, Engine


def act(engine: Engine, scenario: Scenario, action: World, begun: int) -> None:
    """Do one such step. `begun` is the Seq of its event."""
    if isinstance(action, DeleteRecords):
        partition = engine.partitions[action.partition]
        if partition.leader != NOBODY:
            leader = partition.replicas[partition.leader]
            engine.send("delete-records", 0, leader.id, leader, action.offset, begun)
    elif isinstance(action, Retain):
        held = engine.partitions[action.partition].replicas
        for name in action.brokers:
            replica = held.get(scenario.broker_id(name))
            if replica is not None and replica.broker.up:
                disks.retain(engine, replica, action.offset, begun)
