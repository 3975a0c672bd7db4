"""Texts of the lessons in other languages than English: a folder for each language in core/lessons."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from core.sim.script import Scenario, Texts
from core.sim.toml_reader import one_line

LESSONS: Final = files("core.lessons")
SCENARIOS: Final = "scenarios"
"""The folder of the scenarios, and in the folder of a language that of their texts."""
QUESTIONS: Final = "questions.toml"
ARTICLES: Final = "articles.toml"
NEW: Final = "new.toml"
"""The scenario that a new draft begins with."""
_ID_OF_NEW: Final = "mine"
FORK: Final = "-fork"
"""With which the id of a fork ends. Its steps are those of the scenario before it, but for the last."""
_ENDING: Final = ".toml"


@cache
def scenario_ids() -> tuple[str, ...]:
    """The ids of all scenarios of the library, in alphabetical order."""
    names = (entry.name for entry in (LESSONS / SCENARIOS).iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have texts, without English."""
    names = (one.name for one in LESSONS.iterdir() if one.is_dir() and one.name != SCENARIOS)
    return tuple(sorted(name for name in names if (LESSONS / name / SCENARIOS).is_dir()))


@cache
def texts_of_scenario(scenario_id: str) -> Mapping[str, Texts]:
    """By English text those in other languages, of a scenario that ships with the program; else {}."""
    if scenario_id not in (*scenario_ids(), _ID_OF_NEW):
        return {}
    parts = (NEW,) if scenario_id == _ID_OF_NEW else (SCENARIOS, f"{scenario_id}{_ENDING}")
    english = _read(LESSONS.joinpath(*parts))
    found: dict[str, dict[str, str]] = {}
    for language in languages():
        place = LESSONS.joinpath(language, *parts)
        if place.is_file():
            for text, other in _pairs(english, _read(place)):
                found.setdefault(one_line(text), {})[language] = one_line(other)
    return found


def _pairs(english: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((english[key], other[key]) for key in ("title", "story") if key in other)
    yield from other.get("steps", {}).items()


@cache
def texts_of_page(name: str) -> Mapping[str, Texts]:
    """The same of the texts of a page: QUESTIONS or ARTICLES."""
    found: dict[str, dict[str, str]] = {}
    for language in languages():
        place = LESSONS / language / name
        for text, other in _read(place).items() if place.is_file() else ():
            found.setdefault(text, {})[language] = other
    return found


def _read(place: Traversable) -> Mapping[str, Any]:
    return tomllib.loads(place.read_text(encoding="utf-8"))


def translated(scenario: Scenario) -> Scenario:
    """The scenario with the texts of the library in other languages, also where it is a fork or was changed.

    What its own script says in a language stays. A text that the library does not have is in English alone.
    """
    known = texts_of_scenario(scenario.id.removesuffix(FORK))
    if not known:
        return scenario

    def more(texts: Texts) -> Texts:
        return {**texts, **known.get(texts.get("en", ""), {}), **texts}

    return replace(
        scenario,
        title=more(scenario.title),
        story=more(scenario.story),
        steps=tuple(
            replace(step, label=more(step.label), effect=more(step.effect)) for step in scenario.steps
        ),
    )
