"""The script of another course: what a script says up to a step, and then something else."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.sim.script import CONTROLLER, Scenario
from core.sim.script_text import StepPlan, step_toml
from core.sim.toml_lines import Path, line_of, lines_of
from core.sim.translations import FORK

_STEP: Final = "step"
_LASTS_MS: Final = 30_000
"""How long the new step is watched: sessions expire and followers leave the ISR within it."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something that may happen instead. `kind` is one of KINDS, `broker` whom it happens to."""

    kind: str
    broker: str


KINDS: Final = (
    "crash",
    "crash-with-controller",
    "stop",
    "freeze",
    "cut-from-brokers",
    "cut-from-controller",
    "elect",
)
"""What may happen to a broker that is up."""
START: Final = "start"
"""What may happen to one that is down."""


def moves(brokers: Sequence[tuple[str, bool]]) -> tuple[Move, ...]:
    """What may happen next to each broker: its name, and whether it is up."""
    return tuple(
        Move(kind, name)
        for name, is_up in brokers
        for kind in (KINDS if is_up else (START,))
        if kind != "cut-from-brokers" or len(brokers) > 1
    )


def plan_of(move: Move, brokers: Sequence[str]) -> StepPlan:
    """The step in which a move happens, with time to see what comes of it."""
    name, lasts = move.broker, {"for_ms": _LASTS_MS}
    others = tuple(other for other in brokers if other != name)
    match move.kind:
        case "freeze":
            return {"do": "freeze", "brokers": (name,), **lasts}
        case "crash-with-controller":
            return {"do": "crash", "broker": name, "controller_fails_over": True, **lasts}
        case "cut-from-brokers":
            return {"do": "disconnect", "from": (name,), "to": others, "both_ways": True, **lasts}
        case "cut-from-controller":
            return {"do": "disconnect", "from": (name,), "to": (CONTROLLER,), "both_ways": True, **lasts}
        case _:
            return {"do": move.kind, "broker": name, **lasts}


def steps_kept(scenario: Scenario, steps: int) -> int:
    """How many of the first `steps` steps a script can keep: a block that is repeated goes as a whole."""
    if steps >= len(scenario.steps):
        return len(scenario.steps)
    lines = lines_of(scenario.text)
    block = _table_at(lines, scenario.steps[steps].line)
    return sum(_table_at(lines, step.line) < block for step in scenario.steps)


def _table_at(lines: Mapping[Path, int], line: int) -> int:
    """The `[[step]]` at the top, counted from 0, in which a line stands."""
    tops = [place for path, place in lines.items() if len(path) == 2 and path[0] == _STEP]
    return sum(top <= line for top in tops) - 1


def forked(scenario: Scenario, steps: int, plan: StepPlan) -> str:
    """The text of a scenario with its first `steps` steps as they stand, and `plan` as the next and last one.

    `steps` is what `steps_kept` gives. Comments above a step go with it; all else stays.
    """
    lines = lines_of(scenario.text)
    end = _table_at(lines, scenario.steps[steps].line) if steps < len(scenario.steps) else None
    kept = [
        line
        for owner, line in _owned(scenario.text.splitlines(), lines)
        if end is None or owner is None or owner < end
    ]
    place = line_of(lines, ("id",)) - 1
    kept[place] = f"id = {json.dumps(scenario.id.removesuffix(FORK) + FORK, ensure_ascii=False)}"
    return "\n".join([*kept, "", *step_toml(plan)]).rstrip() + "\n"


def _owned(texts: Sequence[str], lines: Mapping[Path, int]) -> Iterator[tuple[int | None, str]]:
    """(which step at the top, or None; the line) of every line. A comment belongs to what follows it."""
    begins = {line: path for path, line in sorted(lines.items(), key=lambda one: (one[1], -len(one[0])))}
    owners: list[int | None] = []
    owner: int | None = None
    for number, text in enumerate(texts, start=1):
        path = begins.get(number, ())
        if path and text.lstrip().startswith("["):
            owner = path[1] if len(path) > 1 and path[0] == _STEP and isinstance(path[1], int) else None
            # What stands right above a header, up to the end of the part before it, is about it.
            above = len(owners)
            while above and (not texts[above - 1].strip() or texts[above - 1].lstrip().startswith("#")):
                above -= 1
                owners[above] = owner
        owners.append(owner)
    return zip(owners, texts, strict=True)
