"""Each set of switches that is named as responsible, held against runs with the switches flipped.

A sample of the pairs runs with `make test`, all of them with `make referee`. The runs are made here by
`with_switches` alone, so that the search is held against something else than itself.
"""

from collections.abc import Collection
from functools import cache
from itertools import combinations, pairwise

import pytest

from core.kafka.eras import ERAS, Era, changed, era_named, with_switches
from core.kafka.switches import SWITCHES
from core.sim.ablation.causes import causes
from core.sim.ablation.outcome import Aspect, Outcome, outcome_of, rounds_in_vain
from core.sim.ablation.setup import Setup
from core.sim.chance import Chance
from core.sim.library import scenario, scenario_ids
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

RANDOM_PAIRS = 200
SEED = 19


@cache
def outcome(name: str, rules: Era) -> Outcome:
    return outcome_of(simulated(name, rules))


def random_pairs() -> list[tuple[str, str, str]]:
    """Two eras, each with up to three switches flipped, by one seed."""
    chance = Chance(SEED)

    def side(pair: int, which: str) -> str:
        flips: dict[str, str] = {}
        for flip in range(chance.below(4, pair, which, "flips")):
            switch = SWITCHES[chance.below(len(SWITCHES), pair, which, flip, "switch")]
            flips[switch.name] = switch.values[chance.below(len(switch.values), pair, which, flip, "value")]
        return with_switches(ERAS[chance.below(len(ERAS), pair, which, "era")], flips).name

    names = scenario_ids()
    return [
        (names[chance.below(len(names), pair, "scenario")], side(pair, "left"), side(pair, "right"))
        for pair in range(RANDOM_PAIRS)
    ]


def part(aspect: Aspect, one: Outcome, pair: tuple[Outcome, Outcome]) -> object:
    """What is compared: a time without a leader by its seconds only where both runs have one."""
    if aspect is Aspect.LOST:
        return one.lost
    if aspect is Aspect.DIVERGED:
        return one.diverged
    return one.leaderless_s if all(each.leaderless_s for each in pair) else bool(one.leaderless_s)


def aspects(name: str, left: Era, right: Era) -> list[Aspect]:
    pair = (outcome(name, left), outcome(name, right))
    return [aspect for aspect in Aspect if part(aspect, pair[0], pair) != part(aspect, pair[1], pair)]


def endless(name: str, rules: Era) -> bool:
    """Whether a follower asks the same without end, as with some mixtures of rules that no release has."""
    return bool(rounds_in_vain(simulated(name, rules)))


def turns(name: str, left: Era, right: Era, aspect: Aspect, switches: Collection[str]) -> bool:
    """Whether these switches, flipped both ways, turn an aspect, with leaders as in one of the two runs."""
    there, back = dict(changed(left.switches, right.switches)), dict(changed(right.switches, left.switches))
    pair = (outcome(name, left), outcome(name, right))
    flipped = (
        with_switches(left, {one: there[one] for one in switches}),
        with_switches(right, {one: back[one] for one in switches}),
    )
    on, off = (outcome(name, one) for one in flipped)
    if any(endless(name, one) for one in flipped) and not any(endless(name, one) for one in (left, right)):
        return False
    led = [part(Aspect.LEADERLESS, one, pair) for one in pair]
    if any(part(Aspect.LEADERLESS, one, pair) not in led for one in (on, off)):
        return False
    return part(aspect, on, pair) == part(aspect, pair[1], pair) and part(aspect, off, pair) == part(
        aspect, pair[0], pair
    )


def hold(name: str, left: Era, right: Era, *, some: bool) -> None:
    """Each named set turns, none of its proper subsets does; with `some` there is one for each aspect.

    Where brokers have releases or protocols of their own, more than switches tells two eras apart: no set is
    named.
    """
    script = scenario(name)
    found = causes(Setup(script, left), Setup(script, right))
    assert [one.aspect for one in found.carried] == aspects(name, left, right)
    if left.id != right.id and script.has_own_releases:
        assert [one.sets for one in found.carried if one.sets] == []
        return
    for one in found.carried:
        assert one.sets or not some
        for responsible in one.sets:
            switches = [factor.name for factor in responsible.factors]
            assert turns(name, left, right, one.aspect, switches)
            assert not any(
                turns(name, left, right, one.aspect, subset)
                for size in range(1, len(switches))
                for subset in combinations(switches, size)
            )


@pytest.mark.thinned(7)
@pytest.mark.parametrize("name", scenario_ids())
def test_neighbouring_eras(name: str) -> None:
    for left, right in pairwise(ERAS):
        hold(name, left, right, some=True)


@pytest.mark.thinned(12)
@pytest.mark.parametrize(("name", "left", "right"), random_pairs())
def test_random_pairs_of_switch_sets(name: str, left: str, right: str) -> None:
    hold(name, era_named(left), era_named(right), some=False)
