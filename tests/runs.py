"""Runs of shipped scenarios, each simulated and judged once for all tests of a process.

A trace, a truth and a verdict are values: many tests look at the same ones.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Verdict
from core.kafka.eras import ERAS, Era
from core.sim.library import scenario, scenario_ids
from core.sim.run import Played, play
from core.trace.trace import Trace

_ERAS = frozenset(ERAS)


def simulated(name: str, rules: Era) -> Trace:
    """The run of a shipped scenario in an era, or in one with other switches."""
    return played(name, rules).trace


def played(name: str, rules: Era) -> Played:
    """The same with its truth.

    All runs in eras are kept: their traces take 25 MB. Tests go through them in the same order again and
    again, and a bound below their number would let each go before it is asked for again.
    """
    return _in_an_era(name, rules) if rules in _ERAS else _elsewhere(name, rules)


@cache
def diagnosed(name: str, rules: Era) -> Verdict:
    """What diagnosis says of the run of a scenario in an era."""
    return diagnose(simulated(name, rules))


@cache
def _in_an_era(name: str, rules: Era) -> Played:
    return play(scenario(name), rules)


@lru_cache(maxsize=1_000)
def _elsewhere(name: str, rules: Era) -> Played:
    return play(scenario(name), rules)


def one_of(share: int, name: str, eras: Sequence[Era] = ERAS) -> Sequence[Era]:
    """Every so many of the eras, beginning elsewhere for the next scenario: each era has its scenarios."""
    return eras[scenario_ids().index(name) % share :: share]
