"""What the steps of a script do to the world around the brokers: deleted records, pauses, the network."""

from core.sim import assignment, disks, network, protocols, tiers
from core.sim.controller import CONTROLLER as CONTROLLER_ID
from core.sim.engine import Engine
from core.sim.messages.clients import DeleteRecords as DeleteRecordsRequest
from core.sim.script import (
    CLIENTS,
    CONTROLLER,
    Configure,
    DeleteRecords,
    Disconnect,
    Freeze,
    Heal,
    MoveLog,
    Reassign,
    Retain,
    Scenario,
    Slow,
    Thaw,
    World,
)
from core.sim.script_quorum import ChangeVoter, SnapshotMetadata
from core.sim.script_tiers import CleanTier, CopyToTier
from core.sim.state import CLIENTS as CLIENTS_ID
from core.sim.state import NOBODY, Replica, Way
from core.sim.voters import changes, snapshots
from core.trace.ids import BrokerId, Seq


def act(engine: Engine, scenario: Scenario, action: World, begun: Seq) -> None:
    """Do one such step. `begun` is the Seq of its event."""
    if isinstance(action, DeleteRecords):
        partition = engine.partitions[action.partition]
        if partition.leader != NOBODY:
            leader = partition.replicas[partition.leader]
            engine.send(DeleteRecordsRequest(leader, action.offset, begun), 0, leader.id)
    elif isinstance(action, Retain | MoveLog):
        held = engine.partitions[action.partition].replicas
        for name in action.brokers:
            replica = held.get(scenario.broker_id(name))
            if replica is not None and runs(engine, replica.broker.id):
                _act_on_log(engine, replica, action, begun)
    elif isinstance(action, CopyToTier):
        tiers.copy(engine, engine.partitions[action.partition], action, begun)
    elif isinstance(action, CleanTier):
        tiers.clean(engine, engine.partitions[action.partition], action.offset, begun)
    elif isinstance(action, Reassign):
        target = tuple(scenario.broker_id(name) for name in action.brokers)
        assignment.move(engine, engine.partitions[action.partition], target, begun)
    elif isinstance(action, Configure | ChangeVoter | SnapshotMetadata):
        _act_on_control(engine, scenario, action, begun)
    elif isinstance(action, Freeze | Thaw):
        for name in action.brokers:
            broker = engine.brokers[scenario.broker_id(name)]
            (network.freeze if isinstance(action, Freeze) else network.thaw)(engine, broker, begun)
    else:
        for way in action.ways:
            for one in _each(engine, _ids(scenario, way)):
                _act_on_way(engine, one, action, begun)


def _act_on_control(
    engine: Engine, scenario: Scenario, action: Configure | ChangeVoter | SnapshotMetadata, begun: Seq
) -> None:
    if isinstance(action, ChangeVoter):
        changes.ask(engine, scenario.broker_id(action.controller), adds=action.adds, cause=begun)
        return
    if isinstance(action, SnapshotMetadata):
        for name in action.controllers:
            if engine.voters is not None:
                voter = engine.voters.members[scenario.broker_id(name)]
                (snapshots.clean if action.deletes else snapshots.write)(engine, voter, begun)
        return
    if action.metadata_version:
        protocols.raise_metadata_version(engine, action.metadata_version)
    if action.min_isr is not None:
        engine.control.configure(engine, action.min_isr, begun)


def _act_on_log(engine: Engine, replica: Replica, action: Retain | MoveLog, begun: Seq) -> None:
    if isinstance(action, Retain):
        disks.retain(engine, replica, action.offset, begun)
    else:
        disks.change_directory(engine, replica, begun)


def runs(engine: Engine, broker: BrokerId) -> bool:
    """Whether a broker is up and not paused."""
    return engine.brokers[broker].up and broker not in engine.world.paused


def _act_on_way(engine: Engine, way: Way, action: Disconnect | Heal | Slow, begun: Seq) -> None:
    if isinstance(action, Disconnect):
        network.disconnect(engine, way)
    elif isinstance(action, Heal):
        network.heal(engine, way, begun)
    else:
        network.slow_down(engine, way, action.latency_ns)


def _each(engine: Engine, way: Way) -> list[Way]:
    """The way itself; with a quorum one from or to each controller for one from or to the controller."""
    if engine.voters is None or CONTROLLER_ID not in way:
        return [way]
    source, target = way
    members = engine.voters.members
    return [(one, target) if source == CONTROLLER_ID else (source, one) for one in members]


def _ids(scenario: Scenario, way: tuple[str, str]) -> Way:
    known = {CONTROLLER: CONTROLLER_ID, CLIENTS: CLIENTS_ID}
    source, target = (known[name] if name in known else scenario.broker_id(name) for name in way)
    return source, target
