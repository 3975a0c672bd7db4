"""A behaviour that somebody brings, held against a variant: which step leads from each state to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.model.actions import Step, steps
from core.model.invariants import Invariant
from core.model.plain_engine import World
from core.model.state import Bounds, State, initial
from core.model.variants import Variant

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Replay(Generic[S]):
    """States as far as the variant allows them, and the steps between; both without repeated states.

    States are counted from 1, the initial one included.
    """

    states: tuple[S, ...]
    steps: tuple[Step, ...]
    refused: int | None
    """The number of the first state to which no step leads; 1 where it does not begin as the model does."""
    broken: tuple[tuple[Invariant[S], int | None], ...]
    """Of each invariant the number of the first state in which it does not hold."""


def replay(
    given: Sequence[State], bounds: Bounds, variant: Variant, invariants: Sequence[Invariant[State]]
) -> Replay[State]:
    """What of `given` is a behaviour of `variant`, from the first state on."""
    world = World(initial(bounds), lambda state: steps(state, bounds, variant))
    return replay_in(world, given, invariants)


def replay_in(world: World[S], given: Sequence[S], invariants: Sequence[Invariant[S]]) -> Replay[S]:
    """What of `given` can happen in a world, from the first state on."""
    path = list(_changes(given))
    if path[0] != world.initial:
        return Replay((), (), 1, tuple((one, None) for one in invariants))
    states, taken = [path[0]], list[Step]()
    for goal in path[1:]:
        found = next((step for step, after in world.steps(states[-1]) if after == goal), None)
        if found is None:
            break
        states.append(goal)
        taken.append(found)
    refused = None if len(states) == len(path) else len(states) + 1
    broken = tuple((one, _first_broken(one, states)) for one in invariants)
    return Replay(tuple(states), tuple(taken), refused, broken)


def _changes(given: Sequence[S]) -> Iterator[S]:
    """The states without those that are the same as the one before: nothing happened there."""
    last = None
    for state in given:
        if state != last:
            yield state
        last = state


def _first_broken(invariant: Invariant[S], states: Sequence[S]) -> int | None:
    return next((number for number, state in enumerate(states, start=1) if not invariant.holds(state)), None)
