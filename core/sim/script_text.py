"""A scenario as plain values, and its TOML text: what the random search makes, shortens and writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from core.message import message
from core.words import text

Value: TypeAlias = str | int | bool | tuple[str | int, ...]
StepPlan: TypeAlias = Mapping[str, Value]
"""The keys of a step but for its label. `do` is one of them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A scenario as the search makes it."""

    brokers: tuple[str, ...]
    settings: Mapping[str, Value]
    jitter_us: int
    steps: tuple[StepPlan, ...]
    cluster: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """Keys of `[cluster]` beside the brokers."""
    start: tuple[str, ...] = ()
    """The lines of `[start]`."""
    voters: tuple[str, ...] = ()
    """The controllers of `[quorum]`, the first of which leads it; () where it is not simulated itself."""


def as_toml(plan: Plan, scenario_id: str, comment: str = "", story: str = "") -> str:
    """The text of a plan. Each line of `comment` stands above it; without a `story` it is called random."""
    random = text(message("script.story.random"))
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [
        "schema = 1",
        f"id = {toml_value(scenario_id)}",
        f"title = {toml_value(scenario_id)}",
        f"story = {toml_value(story or random)}",
        "",
        "[cluster]",
        f"brokers = {toml_value(plan.brokers)}",
        *(f"{key} = {toml_value(value)}" for key, value in plan.cluster.items()),
    ]
    if plan.settings:
        lines += [
            "",
            "[settings]",
            *(f'"{name}" = {toml_value(value)}' for name, value in plan.settings.items()),
        ]
    if plan.jitter_us:
        lines += ["", "[limits]", f"jitter_us = {plan.jitter_us}"]
    if plan.voters:
        lines += ["", "[quorum]", f"voters = {toml_value(plan.voters)}"]
    if plan.start:
        lines += ["", *plan.start]
    for step in plan.steps:
        lines += ["", *step_toml(step)]
    return "\n".join(lines) + "\n"


def step_toml(step: StepPlan) -> list[str]:
    """The lines of a step. It has no label: it is called by what it does."""
    return ["[[step]]", *(f"{key} = {toml_value(value)}" for key, value in step.items())]


def toml_value(value: Value) -> str:
    """A value as TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(toml_value(one) for one in value)}]"
    # A TOML string, number or boolean of this kind is written as in JSON.
    return json.dumps(value, ensure_ascii=False)
