"""The plain engine: breadth first over states as values. To be read, and to hold the fast one against."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from core.message import message
from core.model.exploration import UNLIMITED, Counterexample, EndedBy, Exploration, Limits, Verdict
from core.model.invariants import Invariant
from core.work import QUIET, Work, without_collector

S = TypeVar("S")

BYTES_A_STATE: Final = 500
"""Measured with sixty thousand states of three replicas."""
ASKED_EVERY: Final = 1000
"""States between two looks at cancel and limits."""


def itself(state: S) -> S:
    """The same state: no symmetry."""
    return state


@dataclass(frozen=True, slots=True)
class World(Generic[S]):
    """Where it begins and what can happen. `canonical` gives one state for all that differ in names alone."""

    initial: S
    steps: Callable[[S], Iterable[tuple[Any, S]]]
    canonical: Callable[[S], S] = itself


def explore(
    world: World[S], invariants: Sequence[Invariant[S]], limits: Limits = UNLIMITED, work: Work = QUIET
) -> Exploration[S]:
    """All states that can be reached, level by level. Raises CancelledError."""
    with without_collector():
        return _explore(world, invariants, limits, work)


def _explore(
    world: World[S], invariants: Sequence[Invariant[S]], limits: Limits, work: Work
) -> Exploration[S]:
    first = world.canonical(world.initial)
    came_from: dict[S, S | None] = {first: None}
    level, depth = [first], 0
    broken: dict[str, S] = {}
    ended_by: EndedBy = ""
    while level:
        depth += 1
        for state in level:
            for one in invariants:
                if one.name not in broken and not one.holds(state):
                    broken[one.name] = state
        ended_by = limits.end_after(depth, all_broken=len(broken) == len(invariants) > 0)
        if ended_by:
            break
        after, ended_by = _next_level(world, level, came_from, limits, work)
        if ended_by:
            for state in after:
                del came_from[state]
            break
        level = after
    verdicts = [_verdict(world, one, broken, came_from, exhausted=not ended_by) for one in invariants]
    return Exploration(len(came_from), depth, ended_by, tuple(verdicts))


def _next_level(
    world: World[S], level: list[S], came_from: dict[S, S | None], limits: Limits, work: Work
) -> tuple[list[S], EndedBy]:
    """The states not seen before, now in `came_from`, and why there are not all of them."""
    after: list[S] = []
    for place, state in enumerate(level):
        if place % ASKED_EVERY == 0:
            work.step(len(came_from), 0, message("model.progress", states=len(came_from)))
            ended_by = limits.end_before(len(came_from), BYTES_A_STATE * len(came_from))
            if ended_by:
                return after, ended_by
        for _step, reached in world.steps(state):
            one = world.canonical(reached)
            if one not in came_from:
                came_from[one] = state
                after.append(one)
    return after, limits.end_before(len(came_from), BYTES_A_STATE * len(came_from))


def _verdict(
    world: World[S],
    invariant: Invariant[S],
    broken: dict[str, S],
    came_from: dict[S, S | None],
    *,
    exhausted: bool,
) -> Verdict[S]:
    at = broken.get(invariant.name)
    if at is None:
        return Verdict(invariant, True if exhausted else None, None)
    path: list[S] = []
    while at is not None:
        path.append(at)
        at = came_from[at]
    return Verdict(invariant, holds=False, counterexample=replayed(world, path[::-1]))


def replayed(world: World[S], path: Sequence[S]) -> Counterexample[S]:
    """The behaviour whose states are those of `path`, up to names, with the steps between them."""
    state = world.initial
    states, steps = [state], list[Any]()
    for goal in path[1:]:
        step, state = next(
            (step, reached) for step, reached in world.steps(state) if world.canonical(reached) == goal
        )
        states.append(state)
        steps.append(step)
    return Counterexample(tuple(states), tuple(steps))
