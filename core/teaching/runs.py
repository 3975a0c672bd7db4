"""The runs that the scene of a simulated step shows, opened."""

from collections.abc import Sequence
from functools import lru_cache

from core.compare.align import make_run
from core.compare.comparison import Run
from core.kafka.eras import era_named
from core.sim.library import scenario
from core.sim.run import simulate
from core.teaching.lesson import Scene


def simulated_runs(scene: Scene) -> Sequence[Run]:
    """One run for each era that the scene names; none for a recording."""
    return tuple(_run(scene.scenario, name) for name in scene.runs)


@lru_cache(maxsize=64)
def _run(scenario_id: str, run: str) -> Run:
    return make_run(simulate(scenario(scenario_id), era_named(run)))
