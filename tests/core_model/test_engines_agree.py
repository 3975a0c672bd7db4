"""The plain engine, the fast one and a second transcription in tests give the same graph, node for node."""

import pytest

from core.model.actions import steps
from core.model.canonical import canonical
from core.model.fast_engine import FastEngine, world_of
from core.model.invariants import INVARIANTS
from core.model.plain_engine import explore
from core.model.state import Bounds, State, initial
from core.model.variants import ABLATIONS, VARIANTS, Variant, ablated
from tests.core_model.transcription import Spec, same_form

pytestmark = pytest.mark.broad(42)

SMALL = ((2, 1, 1, 0), (2, 1, 1, 1), (2, 2, 2, 1), (3, 1, 1, 1))
ALL = (*VARIANTS, *map(ablated, ABLATIONS))


def graph(bounds: Bounds, one: Variant) -> dict[State, set[State]]:
    found: dict[State, set[State]] = {}
    waiting = [initial(bounds)]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = {after for _step, after in steps(state, bounds, one)}
            waiting += found[state]
    return found


@pytest.mark.thinned(5)
@pytest.mark.parametrize("bounds", SMALL)
@pytest.mark.parametrize("one", VARIANTS, ids=lambda one: one.name)
def test_a_second_transcription_gives_the_same_graph(one: Variant, bounds: tuple[int, int, int, int]) -> None:
    ours = graph(Bounds(*bounds), one)

    told = {same_form(state): set(map(same_form, after)) for state, after in ours.items()}
    assert told == Spec(one.name, *bounds).graph()


@pytest.mark.thinned(5)
@pytest.mark.parametrize("bounds", [*SMALL, (2, 2, 2, 2), (2, 3, 3, 1)])
@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_the_fast_engine_sees_the_very_states_of_the_plain_one(
    one: Variant, bounds: tuple[int, int, int, int]
) -> None:
    engine = FastEngine(Bounds(*bounds), one)
    engine.explore(())

    seen = list(engine.states())
    assert len(seen) == len(set(seen))
    assert set(seen) == set(graph(Bounds(*bounds), one))


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_both_engines_give_the_same_verdicts(one: Variant) -> None:
    """In a world in which every invariant but one is broken by some variant."""
    bounds = Bounds(2, 2, 2, 2)
    fast = FastEngine(bounds, one).explore(INVARIANTS)
    plain = explore(world_of(bounds, one), INVARIANTS)

    assert (fast.distinct, fast.depth) == (plain.distinct, plain.depth)
    for left, right in zip(fast.verdicts, plain.verdicts, strict=True):
        assert (left.invariant.name, left.holds) == (right.invariant.name, right.holds)
        if left.counterexample is not None:
            assert right.counterexample is not None
            assert len(left.counterexample) == len(right.counterexample)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("one", VARIANTS, ids=lambda one: one.name)
def test_symmetry_leaves_one_state_of_each_orbit(one: Variant) -> None:
    """The orbits of all states, counted one by one, are those that either engine finds."""
    bounds = Bounds(3, 1, 1, 1)
    least = canonical(3)
    orbits = {least(state) for state in graph(bounds, one)}
    fast = FastEngine(bounds, one, symmetry=True)
    found = fast.explore(INVARIANTS)

    assert {least(state) for state in fast.states()} == orbits
    assert found.distinct == len(orbits)
    assert explore(world_of(bounds, one, symmetry=True), ()).distinct == len(orbits)


@pytest.mark.parametrize("symmetry", [False, True])
def test_a_counterexample_is_a_behaviour_that_ends_where_its_invariant_fails(*, symmetry: bool) -> None:
    bounds = Bounds(3, 2, 2, 1)
    found = FastEngine(bounds, VARIANTS[0], symmetry=symmetry).explore(INVARIANTS)
    broken = [one for one in found.verdicts if one.counterexample is not None]

    assert [one.invariant.name for one in broken] == ["WeakIsr", "StrongIsr"]
    for one in broken:
        assert one.counterexample is not None
        states, told = one.counterexample.states, one.counterexample.steps
        assert states[0] == initial(bounds)
        assert [one.invariant.holds(state) for state in states] == [True] * (len(states) - 1) + [False]
        for before, step, after in zip(states, told, states[1:], strict=False):
            assert (step, after) in list(steps(before, bounds, VARIANTS[0]))
