"""Blocks of steps that are repeated: unrolled to the steps that are run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.message import Count, message
from core.sim.script import Produce, Step
from core.sim.toml_reader import Reader

REPEAT: Final = "repeat"
REPEAT_KEYS: Final = ("do", "times", "step")
_MAX_STEPS: Final = 10_000
_MAX_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """A table of a step that is run, and in which round of each block around it, the outermost first."""

    table: Reader
    rounds: tuple[int, ...] = ()


def unrolled(tables: Sequence[Reader], rounds: tuple[int, ...] = ()) -> list[Turn]:
    """The steps one after the other. Raises ScenarioError for a block that is empty, too deep or too long."""
    turns: list[Turn] = []
    for table in tables:
        if table.values.get("do") != REPEAT:
            turns.append(Turn(table, rounds))
            continue
        table.only(*REPEAT_KEYS)
        if len(rounds) == _MAX_DEPTH:
            table.fail(
                "do", message("error.scenario.deep-block"), message("allowed.depth", count=Count(_MAX_DEPTH))
            )
        times = table.number("times", least=1, most=_MAX_STEPS)
        inner = table.tables("step")
        if not inner:
            table.fail("step", message("error.scenario.empty-block"), message("allowed.step-steps"))
        for number in range(1, times + 1):
            turns += unrolled(inner, (*rounds, number))
            if len(turns) > _MAX_STEPS:
                table.fail(
                    "times",
                    message("error.scenario.many-steps", count=_MAX_STEPS),
                    message("allowed.fewer-steps"),
                )
    return turns


def in_round(step: Step, rounds: tuple[int, ...]) -> Step:
    """The step of a round: its label and the names of its records say which."""
    if not rounds:
        return step
    mark = "#" + ".".join(str(number) for number in rounds)
    action = step.action
    if isinstance(action, Produce):
        action = replace(action, records=tuple(f"{name}{mark}" for name in action.records))
    return replace(step, action=action, round=mark)
