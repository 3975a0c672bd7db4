"""Runs of shipped scenarios, each simulated once: a trace is a value, and many tests look at the same one."""

from functools import lru_cache

from core.kafka.eras import Era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace


@lru_cache(maxsize=600)
def simulated(name: str, rules: Era) -> Trace:
    """The run of a shipped scenario in an era. The bound is every scenario in every era."""
    return simulate(scenario(name), rules)
