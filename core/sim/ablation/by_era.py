"""What each scenario of the library costs in each era: computed once, and kept in `by_era.json`.

It is made anew with docs/scenarios-by-era.md, and tests/core_sim/test_by_era.py holds it against the runs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from core.kafka.eras import ERAS
from core.sim.ablation.outcome import Outcome
from core.sim.truth import Promise

FILE: Final = "by_era.json"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run costs, counted as everywhere in the program and its documents.

    Records lost that had been committed, and those that had been acknowledged and never committed; offsets
    at which logs differ at the end, of brokers that are down, too; seconds without a leader.
    """

    committed: int = 0
    acknowledged: int = 0
    diverged: int = 0
    leaderless_s: int = 0


@dataclass(frozen=True, slots=True)
class CostOfEras:
    """Neighbouring eras in which a scenario costs the same; `first` and `last` are their ids.

    As long as each has some time without a leader it is the same: `leaderless_s` is the least and the most.
    """

    first: str
    last: str
    committed: int
    acknowledged: int
    diverged: int
    leaderless_s: tuple[int, int]

    @property
    def lost(self) -> int:
        """How many records are lost that had been promised."""
        return self.committed + self.acknowledged


def cost_of(outcome: Outcome) -> Cost:
    """The numbers of an outcome."""
    committed, acknowledged = map(outcome.lost_of, (Promise.COMMITTED, Promise.ACKNOWLEDGED))
    return Cost(committed, acknowledged, outcome.offsets_diverged, outcome.leaderless_s)


def costs_by_era(scenario_id: str) -> tuple[CostOfEras, ...]:
    """What a scenario costs, neighbours that cost the same together; () for one of another library."""
    known = _table().get(scenario_id, {})
    told = [(one.id, known[one.id]) for one in ERAS if one.id in known]
    found: list[CostOfEras] = []
    for (committed, acknowledged, diverged, _), group in groupby(told, lambda one: _alike(one[1])):
        eras = list(group)
        seconds = [cost.leaderless_s for _, cost in eras]
        numbers = committed, acknowledged, diverged, (min(seconds), max(seconds))
        found.append(CostOfEras(eras[0][0], eras[-1][0], *numbers))
    return tuple(found)


def _alike(cost: Cost) -> tuple[int, int, int, bool]:
    return cost.committed, cost.acknowledged, cost.diverged, cost.leaderless_s > 0


def as_json(costs: Mapping[str, Mapping[str, Cost]]) -> str:
    """The text of `by_era.json`: by scenario and era the numbers of the cost, a line a scenario."""
    lines = [
        f"{json.dumps(name)}: {json.dumps({era: _numbers(cost) for era, cost in eras.items()})}"
        for name, eras in sorted(costs.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _numbers(cost: Cost) -> Sequence[int]:
    return [cost.committed, cost.acknowledged, cost.diverged, cost.leaderless_s]


@cache
def _table() -> Mapping[str, Mapping[str, Cost]]:
    raw = json.loads(files("core.sim.ablation").joinpath(FILE).read_text(encoding="utf-8"))
    return {name: {era: Cost(*numbers) for era, numbers in eras.items()} for name, eras in raw.items()}
