"""Both engines against the numbers that TLC printed of the published specifications."""

from collections.abc import Sequence

import pytest

from core.model.exploration import Exploration
from core.model.fast_engine import FastEngine, world_of
from core.model.invariants import INVARIANTS, named
from core.model.plain_engine import explore
from core.model.state import Bounds, State
from core.model.variants import ABLATIONS as GUARDS
from core.model.variants import ablated, variant
from tests.core_model.published import (
    ABLATIONS,
    ASKED,
    COUNTS,
    LARGE,
    LENGTHS,
    ORBITS,
    SMALL_ABLATIONS,
)

pytestmark = pytest.mark.broad(5)

Four = tuple[int, int, int, int]
THREE = tuple(named(INVARIANTS, name) for name in ASKED)


def lengths(found: Exploration[State]) -> list[int]:
    """States of the shortest counterexample of each invariant, 0 where it holds."""
    assert found.exhausted
    return [0 if one.counterexample is None else len(one.counterexample) for one in found.verdicts]


def compare(found: Sequence[int], published: Sequence[int | None]) -> None:
    assert [
        one if wanted is not None else None for one, wanted in zip(found, published, strict=True)
    ] == list(published)


@pytest.mark.parametrize(("name", "bounds"), COUNTS)
def test_the_fast_engine_finds_the_states_and_the_depth_of_tlc(name: str, bounds: Four) -> None:
    found = FastEngine(Bounds(*bounds), variant(name)).explore(())

    assert (found.distinct, found.depth) == COUNTS[name, bounds]


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("name", "bounds"),
    [one if one[1][0] == 2 else pytest.param(*one, marks=pytest.mark.slow) for one in COUNTS],
)
def test_the_plain_engine_finds_the_states_and_the_depth_of_tlc(name: str, bounds: Four) -> None:
    found = explore(world_of(Bounds(*bounds), variant(name)), ())

    assert (found.distinct, found.depth) == COUNTS[name, bounds]


@pytest.mark.parametrize(("name", "bounds"), ORBITS)
def test_the_fast_engine_finds_the_orbits_of_tlc(name: str, bounds: Four) -> None:
    found = FastEngine(Bounds(*bounds), variant(name), symmetry=True).explore(())

    assert (found.distinct, found.depth) == ORBITS[name, bounds]


@pytest.mark.parametrize(("name", "bounds"), LENGTHS)
def test_counterexamples_are_as_short_as_those_of_tlc(name: str, bounds: Four) -> None:
    found = FastEngine(Bounds(*bounds), variant(name)).explore(THREE)

    compare(lengths(found), LENGTHS[name, bounds])


@pytest.mark.parametrize("guard", GUARDS)
def test_each_guard_of_kip_320_prevents_what_tlc_says(guard: str) -> None:
    found = FastEngine(Bounds(3, 2, 2, 2), ablated(guard)).explore(THREE)

    compare(lengths(found), ABLATIONS[guard])


@pytest.mark.parametrize("guard", GUARDS)
def test_one_failover_shows_only_what_the_expansion_guards_prevent(guard: str) -> None:
    found = FastEngine(Bounds(3, 2, 2, 1), ablated(guard)).explore(THREE)

    compare(lengths(found), SMALL_ABLATIONS.get(guard, (0, 0, 0)))


@pytest.mark.parametrize("guard", GUARDS)
def test_two_replicas_never_show_what_a_guard_of_kip_320_is_for(guard: str) -> None:
    found = FastEngine(Bounds(2, 2, 2, 2), ablated(guard)).explore(THREE)

    assert lengths(found) == [0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("bounds", LARGE)
def test_kip_320_holds_in_the_largest_worlds_that_tlc_has_exhausted(bounds: Four) -> None:
    asked = (*THREE, named(INVARIANTS, "LeaderInIsr"))
    found = FastEngine(Bounds(*bounds), variant("kip-320"), symmetry=True).explore(asked)

    assert lengths(found) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", [name for name, bounds in COUNTS if bounds == (2, 2, 2, 2)])
def test_the_corrected_leader_in_isr_holds_and_the_controller_may_remove_everybody(name: str) -> None:
    """Anchors A.1.5: the one holds wherever it was tried, the other fails in 3 states in every variant."""
    asked = (named(INVARIANTS, "LeaderInIsr"), named(INVARIANTS, "IsrNotEmpty"))
    found = FastEngine(Bounds(2, 2, 2, 2), variant(name)).explore(asked)

    assert lengths(found) == [0, 3]
