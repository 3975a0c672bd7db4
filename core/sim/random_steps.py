"""Random work and random faults: what a step of that kind does when, by the luck of the run's seed alone.

The plan does not look at the engine, so that a step does the same at the same time in every era.
"""

from collections.abc import Callable, Mapping
from typing import Final

from core.sim.chance import Chance
from core.sim.script import (
    CONTROLLER,
    Action,
    Crash,
    Disconnect,
    Elect,
    Fault,
    Faults,
    Freeze,
    Heal,
    Hold,
    Produce,
    Random,
    Release,
    Start,
    Stop,
    Thaw,
    Workload,
)
from core.trace.units import SECOND_NS


def _ways_to_controller(broker: str) -> tuple[tuple[str, str], ...]:
    return ((broker, CONTROLLER), (CONTROLLER, broker))


FAULTS: Final[Mapping[Fault, tuple[Callable[[str], Action], Callable[[str], Action] | None]]] = {
    "crash": (Crash, Start),
    "crash-with-controller": (lambda broker: Crash(broker, controller_fails_over=True), Start),
    "stop": (Stop, Start),
    "elect": (Elect, None),
    "freeze": (lambda broker: Freeze((broker,)), lambda broker: Thaw((broker,))),
    "cut-from-controller": (
        lambda broker: Disconnect(_ways_to_controller(broker)),
        lambda broker: Heal(_ways_to_controller(broker)),
    ),
    "hold-controller": (lambda broker: Hold((broker,)), lambda broker: Release((broker,))),
}
"""What a fault does to a broker, and what ends it, if anything."""
_DOWN: Final = ("crash", "crash-with-controller", "stop")


def plan(chance: Chance, action: Random, step: int) -> list[tuple[int, Action]]:
    """(delay in ns, action), for the step of that number."""
    return _workload(chance, action, step) if isinstance(action, Workload) else _faults(chance, action, step)


def _workload(chance: Chance, action: Workload, step: int) -> list[tuple[int, Action]]:
    """Records one by one, with gaps of any length up to twice the mean."""
    gap = SECOND_NS // action.records_per_s
    planned: list[tuple[int, Action]] = []
    at = 0
    for number in range(1, action.records_per_s * action.lasts_ns // SECOND_NS * 2 + 2):
        at += 1 + chance.below(2 * gap, "workload", step, number)
        if at >= action.lasts_ns:
            break
        turn = chance.below(len(action.partitions), "workload partition", step, number)
        record = Produce((f"w{step}.{number}",), action.acks, partitions=(action.partitions[turn],))
        planned.append((at, record))
    return planned


def _faults(chance: Chance, action: Faults, step: int) -> list[tuple[int, Action]]:
    """Faults and their ends, in the order in which they are drawn.

    A fault is left out that would hit a broker that another one has not left yet, or take down one too many.
    """
    planned: list[tuple[int, Action]] = []
    hit_until = dict.fromkeys(action.brokers, 0)
    down_until = dict.fromkeys(action.brokers, 0)
    at = number = 0
    while True:
        number += 1
        at += 1 + chance.below(2 * action.every_ns, "fault", step, number)
        if at >= action.lasts_ns:
            return planned
        kind = action.kinds[chance.below(len(action.kinds), "fault kind", step, number)]
        broker = action.brokers[chance.below(len(action.brokers), "fault broker", step, number)]
        end = at + 1 + chance.below(2 * action.down_ns, "fault end", step, number)
        down = sum(until > at for until in down_until.values())
        if hit_until[broker] > at or (kind in _DOWN and down >= action.most_down):
            continue
        do, undo = FAULTS[kind]
        planned.append((at, do(broker)))
        if undo is not None:
            planned.append((end, undo(broker)))
            hit_until[broker] = end
        if kind in _DOWN:
            down_until[broker] = end
