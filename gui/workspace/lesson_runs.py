"""The runs that a step of a lesson shows: simulated, or a recording that ships with the program, opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.compare.align import make_run
from core.compare.comparison import Run
from core.teaching.lesson import Scene
from core.teaching.runs import simulated_runs
from core.work import Work


def runs_of(scene: Scene) -> Sequence[Run]:
    """One run for each era of a scenario, or the one of a recording. Raises QuestionError."""
    if scene.scenario:
        return simulated_runs(scene)
    return (_recorded(scene.recording, scene.partition),)


@dataclass(frozen=True, slots=True)
class LessonPreviews:
    """Run what lessons begin with, for their cards: (id, scene) each."""

    scenes: tuple[tuple[str, Scene], ...]

    def answer(self, work: Work) -> dict[str, Run]:
        """The first run of each, by id."""
        found: dict[str, Run] = {}
        for name, scene in self.scenes:
            work.step(len(found), len(self.scenes))
            found[name] = runs_of(scene)[0]
        return found


@lru_cache(maxsize=8)
def _recorded(recording: str, partition: str) -> Run:
    from importers.load import load
    from importers.samples import sample_path

    return make_run(load([sample_path(recording)]), partition or None)
