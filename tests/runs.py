"""Runs of shipped scenarios, each simulated once: a trace is a value, and many tests look at the same one."""

from functools import cache, lru_cache

from core.kafka.eras import ERAS, Era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace


def simulated(name: str, rules: Era) -> Trace:
    """The run of a shipped scenario in an era, or in one with other switches.

    All runs in eras take 25 MB and are kept. Tests go through them in the same order again and again: a bound
    below their number would let each go before it is asked for again.
    """
    return _in_an_era(name, rules) if rules in _ERAS else _elsewhere(name, rules)


_ERAS = frozenset(ERAS)


@cache
def _in_an_era(name: str, rules: Era) -> Trace:
    return simulate(scenario(name), rules)


@lru_cache(maxsize=2_000)
def _elsewhere(name: str, rules: Era) -> Trace:
    return simulate(scenario(name), rules)
