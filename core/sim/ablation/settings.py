"""Settings that people reach for, as switches: the value that a script has, and the script with another."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from core.kafka.switches import Switch
from core.message import message
from core.sim.ablation.setup import Setup
from core.sim.scenario import parse_scenario
from core.sim.script import Acks, Produce, Scenario, Settings, Workload

ACKS: Final = "acks"
MIN_ISR: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"
COPIES: Final = 2
"""The least min.insync.replicas that keeps a second copy."""
SETTINGS: Final[tuple[Switch, ...]] = (
    Switch(ACKS, ("1", "all"), "", "", message("setting.acks")),
    Switch(MIN_ISR, ("1", str(COPIES)), "", "", message("setting.min-isr")),
    Switch(UNCLEAN, ("true", "false"), "", "", message("setting.unclean")),
)
"""Each with the value that protects as the last."""
SETTING: Final[Mapping[str, Switch]] = {one.name: one for one in SETTINGS}
FIELDS: Final[Mapping[str, str]] = {ACKS: "acks", MIN_ISR: "min_isr", UNCLEAN: "unclean_election"}
"""The field of `Settings` by Kafka's name."""


def asked_acks(script: Scenario) -> Iterator[Acks]:
    """The acks of each step that writes; the setting takes their place."""
    for step in script.steps:
        if isinstance(step.action, Produce | Workload):
            asked = script.settings.acks
            yield step.action.acks if asked is None else asked


def value_of(setup: Setup, name: str) -> str:
    """Which of the two values of a setting a run has: for `acks` "all" only if every producer asks for it."""
    settings = setup.scenario.settings
    if name == ACKS:
        if settings.acks is not None:
            return "all" if settings.acks == -1 else "1"
        return "all" if all(acks == -1 for acks in asked_acks(setup.scenario)) else "1"
    if name == MIN_ISR:
        return str(COPIES) if settings.min_isr >= COPIES else "1"
    unclean = settings.unclean_election
    allowed = setup.era.switches.unclean_election == "true" if unclean is None else unclean
    return "true" if allowed else "false"


def with_setting(settings: Settings, name: str, value: str) -> Settings:
    """The settings with one at one of its two values."""
    if name == ACKS:
        return replace(settings, acks=-1 if value == "all" else 1)
    if name == MIN_ISR:
        return replace(settings, min_isr=int(value))
    return replace(settings, unclean_election=value == "true")


def with_values(script: Scenario, values: Mapping[str, str]) -> Scenario:
    """The script with these settings, its text too, so that a run carries what it was made from.

    Raises ScenarioError where the text has its settings in a form that cannot be added to.
    """
    text = script.text
    for name, value in values.items():
        text = _text_with(text, name, value)
    parsed = parse_scenario(text, script.path)
    steps = tuple(
        replace(mine, line=other.line) for mine, other in zip(script.steps, parsed.steps, strict=True)
    )
    return replace(script, text=text, settings=parsed.settings, start_line=parsed.start_line, steps=steps)


def _text_with(text: str, name: str, value: str) -> str:
    """The TOML text with a setting. Where no table of settings stands, it comes last, and no line moves."""
    told = f'"{name}" = ' + (f'"{value}"' if name == ACKS else value)
    lines = text.split("\n")
    heads = [place for place, line in enumerate(lines) if line.startswith("[")]
    begun = next((place for place in heads if lines[place].strip() == "[settings]"), None)
    if begun is None:
        return f"{text.rstrip()}\n\n[settings]\n{told}\n"
    end = next((place for place in heads if place > begun), len(lines))
    for place in range(begun + 1, end):
        if lines[place].partition("=")[0].strip().strip("\"'") == name:
            return "\n".join([*lines[:place], told, *lines[place + 1 :]])
    return "\n".join([*lines[: begun + 1], told, *lines[begun + 1 :]])
