"""The scenarios that ship with the program: TOML files in core/lessons/scenarios."""

from functools import cache
from importlib.resources import files
from typing import Final

from core.errors import QuestionError
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario

_FOLDER: Final = files("core.lessons") / "scenarios"
_ENDING: Final = ".toml"


@cache
def scenario_ids() -> tuple[str, ...]:
    """The ids of all scenarios, in alphabetical order."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


@cache
def scenario(scenario_id: str) -> Scenario:
    """The scenario of that id. Raises QuestionError with the ids that there are."""
    if scenario_id not in scenario_ids():
        ids = ", ".join(scenario_ids())
        raise QuestionError(f"There is no scenario {scenario_id!r}", advice=f"Scenarios are {ids}")
    name = f"{scenario_id}{_ENDING}"
    return parse_scenario((_FOLDER / name).read_text(encoding="utf-8"), name)
