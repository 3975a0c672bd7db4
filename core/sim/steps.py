"""The steps of a script: what each does, and when it is over."""

from dataclasses import replace
from typing import Final

from core.message import message
from core.sim import consumer, controller, processes, protocols, transactions, world
from core.sim.engine import Engine
from core.sim.follower import try_fetch
from core.sim.messages.kinds import ActionDue
from core.sim.producer import produce
from core.sim.random_steps import plan
from core.sim.script import (
    Action,
    Checkpoint,
    Consume,
    Crash,
    Elect,
    EndTransaction,
    Faults,
    Fetch,
    Hold,
    Pace,
    Produce,
    Release,
    Scenario,
    Start,
    Step,
    Stop,
    Wait,
    Workload,
    World,
)
from core.sim.state import NOBODY, Broker, Replica
from core.sim.step_words import label_of
from core.sim.voters import processes as voters
from core.sim.waiting import holds, watch
from core.trace.ids import BrokerId, Nanos, Seq
from core.work import Work

_ASK_EVERY: Final = 4096
"""How many items of the heap are run between two looks at whether the person stopped the work."""


def run_step(engine: Engine, scenario: Scenario, step: Step, work: Work) -> None:
    """Do a step, and let time pass until it is over."""
    journal = engine.journal
    if step.at_ns is not None:
        _run_to(engine, scenario, step, work)
    journal.step, journal.line = step.number, step.line
    begun = journal.tell("step", None, None, cause=None, partition=None, aux=step.number)
    watch(engine, scenario, step.until)
    act(engine, scenario, step.action, begun)
    met = _run_until(engine, scenario, step, work)
    journal.watch = None
    if not met:
        journal.tell("condition_not_met", None, None, cause=begun, partition=None, aux=step.number)


def _run_to(engine: Engine, scenario: Scenario, step: Step, work: Work) -> None:
    """Let time pass until the step is due. What happens by then belongs to the step before."""
    wait = replace(step, action=Wait(), until=None, for_ns=max((step.at_ns or 0) - engine.now, 0))
    _run_until(engine, scenario, wait, work)


def _run_until(engine: Engine, scenario: Scenario, step: Step, work: Work) -> bool:
    """Run until the step is over; False if its limit passed first. Time stands at the limit then."""
    timed = step.for_ns is not None
    limit = engine.now + (step.within_ns + _length(step.action) if step.for_ns is None else step.for_ns)
    done, heap = 0, engine.heap
    while timed or not holds(engine, scenario, step.until):
        if not heap or heap[0][0] > limit:
            engine.journal.now = Nanos(limit)
            return timed
        engine.run_next()
        done += 1
        if done % _ASK_EVERY == 0:
            work.step(step.number - 1, len(scenario.steps), message("progress.named", name=label_of(step)))
    return True


def _length(action: Action) -> int:
    """How long the action itself takes, in ns: a producer may write for longer than a step waits."""
    if isinstance(action, Workload):
        return action.lasts_ns
    if isinstance(action, Faults):
        return action.lasts_ns + 2 * action.down_ns
    return len(action.records) * action.every_ns if isinstance(action, Produce) else 0


def act(engine: Engine, scenario: Scenario, action: Action, begun: Seq) -> None:
    """Do what a step does. `begun` is the Seq of its event."""
    if isinstance(action, Produce | Consume | EndTransaction):
        _act_on_clients(engine, scenario, action, begun)
    elif isinstance(action, Workload | Faults):
        for delay, one in plan(engine.chance, action, engine.journal.step):
            engine.soon(delay, ActionDue(scenario, one, begun))
    elif isinstance(action, Checkpoint):
        for name in action.brokers:
            _write_checkpoint(engine, engine.brokers[scenario.broker_id(name)], begun)
    elif isinstance(action, Fetch | Pace):
        for name in action.brokers:
            for replica in engine.replicas_on(scenario.broker_id(name)):
                _act_on_replica(engine, replica, action, begun)
    elif isinstance(action, Elect):
        wanted = scenario.broker_id(action.broker) if action.broker else None
        appoint = engine.control.appoint_uncleanly if action.unclean else engine.control.appoint
        appoint(engine, engine.partitions[action.partition], wanted, begun)
    elif isinstance(action, Hold | Release):
        for name in action.brokers:
            _act_on_messages(engine, scenario.broker_id(name), action)
    elif isinstance(action, World):
        world.act(engine, scenario, action, begun)
    elif isinstance(action, Crash | Stop | Start):
        _act_on_node(engine, scenario.broker_id(action.broker), action, begun)


def on_due(engine: Engine, message: ActionDue) -> None:
    """A part of a step is due that was left to chance."""
    act(engine, message.scenario, message.action, message.begun)


def _act_on_clients(
    engine: Engine, scenario: Scenario, action: Produce | Consume | EndTransaction, begun: Seq
) -> None:
    if isinstance(action, Produce):
        to = scenario.broker_id(action.to) if action.to else NOBODY
        produce(engine, action, to, begun)
    elif isinstance(action, EndTransaction):
        transactions.end(engine, action, begun)
    else:
        for name in action.consumers:
            consumer.allow(engine, name, action.times)


def _act_on_node(engine: Engine, node: BrokerId, action: Crash | Stop | Start, begun: Seq) -> None:
    """A broker, or a controller where there is a quorum."""
    voter = None if engine.voters is None else engine.voters.members.get(node)
    if node in engine.brokers:
        _act_on_broker(engine, engine.brokers[node], action, begun)
    elif voter is not None and isinstance(action, Start):
        voters.start(engine, voter, begun, disk_replaced=action.disk_replaced)
    elif voter is not None:
        voters.crash(engine, voter, begun)


def _act_on_broker(engine: Engine, broker: Broker, action: Crash | Stop | Start, begun: Seq) -> None:
    if isinstance(action, Crash) and action.controller_fails_over:
        engine.control.fail_over(engine)
    runs = world.runs(engine, broker.id)
    if isinstance(action, Start) == broker.up or (isinstance(action, Stop) and not runs):
        return
    if isinstance(action, Start):
        if action.plan is not None:
            protocols.adopt(engine, broker, action.plan)
        processes.start(engine, broker, begun, disk_replaced=action.disk_replaced)
    elif isinstance(action, Crash):
        processes.crash(engine, broker, begun, action.tail_lost, power_lost=action.power_lost)
    else:
        engine.control.shut_down(engine, broker, begun)


def _act_on_messages(engine: Engine, broker: BrokerId, action: Hold | Release) -> None:
    if isinstance(action, Hold):
        controller.hold(engine, broker)
    else:
        controller.release(engine, broker, action.count, newest_first=action.newest_first)


def _write_checkpoint(engine: Engine, broker: Broker, begun: Seq) -> None:
    if world.runs(engine, broker.id):
        processes.write_checkpoint(engine, broker, begun)


def _act_on_replica(engine: Engine, replica: Replica, action: Fetch | Pace, begun: Seq) -> None:
    if isinstance(action, Pace):
        replica.free, replica.allowed = action.free, 0
    if not world.runs(engine, replica.id):
        return
    if isinstance(action, Fetch):
        replica.allowed += action.times
    try_fetch(engine, replica, begun)
