"""The scenarios that ship with the program: TOML files in core/lessons/scenarios."""

from functools import cache
from types import MappingProxyType
from typing import Final

from core.errors import QuestionError
from core.message import Listing, message
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario
from core.sim.translations import LESSONS, SCENARIOS, scenario_ids, translated

MEANT: Final = MappingProxyType(
    {
        "epoch-fix-loss": "hw-loss",
        "epoch-fix-divergence": "hw-divergence",
        "s3": "unknown-epoch-loss",
        "s4": "silent-divergence",
        "s5": "stale-hw-isr",
        "s6": "stale-leader-truncation",
    }
)
"""Other names of scenarios: a comparison means the script that it runs, in an era with the fix; the numbers
of the canonical losses mean those that have a name already."""


def other_names(scenario_id: str) -> tuple[str, ...]:
    """By which names of MEANT a scenario can be asked for too."""
    return tuple(name for name, meant in MEANT.items() if meant == scenario_id)


@cache
def scenario(scenario_id: str) -> Scenario:
    """The scenario of that id, or of a name of MEANT. Raises QuestionError with the ids that there are."""
    scenario_id = MEANT.get(scenario_id, scenario_id)
    if scenario_id not in scenario_ids():
        ids = Listing(tuple(scenario_ids()))
        raise QuestionError(
            message("error.scenario.none", name=scenario_id),
            advice=message("error.scenario.known", names=ids),
        )
    name = f"{scenario_id}.toml"
    return translated(parse_scenario((LESSONS / SCENARIOS / name).read_text(encoding="utf-8"), name))
