"""docs/scenarios.md tells the truth."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from core.kafka.eras import ERAS
from core.kafka.promises import INVARIANTS
from core.sim.conditions import FORMS, parse_condition
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from tests.core_sim.test_scenario_text import LONGEST_LABEL

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "scenarios.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", GUIDE, flags=re.DOTALL)
SCHEMA = json.loads((DOCS / "scenario.schema.json").read_text(encoding="utf-8"))


@cache
def run_in_every_era(text: str) -> list[Trace]:
    traces = [simulate(parse_scenario(text), rules) for rules in ERAS]
    kinds = [trace.event(seq).kind for trace in traces for seq in range(len(trace))]
    assert "condition_not_met" not in kinds
    return traces


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(EXAMPLES)))
def test_each_example_is_a_whole_scenario_that_runs_in_every_era(place: int) -> None:
    assert all(trace.records for trace in run_in_every_era(EXAMPLES[place]))


@pytest.mark.slow
def test_what_the_text_says_of_the_examples_is_so() -> None:
    alone, faults, rounds = (run_in_every_era(text) for text in EXAMPLES)
    for trace in alone:
        kinds = [trace.event(seq).kind for seq in range(len(trace))]
        assert kinds.count("leader_elected") == 2
        assert trace.records == ("m0",)
    for trace in faults:
        # 50 a second for 20 s.
        assert 800 <= len(trace.records) <= 1_200
        assert {"broker_stopped", "broker_crashed"} & {trace.event(seq).kind for seq in range(len(trace))}
    assert all(trace.records == ("m#1", "m#2", "m#3") for trace in rounds)


def test_the_first_example_could_ship_with_the_program() -> None:
    found = parse_scenario(EXAMPLES[0])

    assert all(step.effect for step in found.steps)
    assert all(len(step.label["en"]) <= LONGEST_LABEL for step in found.steps)


def test_it_lists_every_condition_and_nothing_else() -> None:
    table = GUIDE[GUIDE.index("| condition | holds when |") :].split("\n\n")[0]
    words = [text for row in table.splitlines()[2:] for text in re.findall(r"`([^`]+)`", row.split("|")[1])]
    kinds = [condition.kind for text in words if (condition := parse_condition(text)) is not None]
    assert len(kinds) == len(words)
    assert set(kinds) == {kind for kind, *_ in FORMS}


def test_it_tells_every_key_of_every_step_and_table() -> None:
    rows = [row for row in GUIDE.splitlines() if row.startswith("| ")]
    shared = {"do", "label", "effect", "at_ms", "until", "within_ms", "for_ms"}
    assert all(f"`{key}`" in GUIDE for key in shared)
    for step in SCHEMA["$defs"]["step"]["oneOf"]:
        keys = step["properties"]
        do = keys["do"]["const"]
        (row,) = [row for row in rows if f"`{do}`" in row.split("|")[1]]
        told = row.split("|")[2]
        untold = [key for key in set(keys) - shared - {"step"} if f"`{key}`" not in told]
        assert not untold, do
    top = SCHEMA["properties"]
    replica = top["start"]["properties"]["replica"]["items"]["properties"]
    for part in (top, *(top[name]["properties"] for name in ("cluster", "settings", "limits", "start"))):
        assert all(f"`{key}`" in GUIDE or f"[{key}]" in GUIDE or f".{key}]" in GUIDE for key in part)
    for part in (top["consumer"]["items"]["properties"], replica, replica["log"]["items"]["properties"]):
        assert all(re.search(rf"`[^`]*\b{re.escape(key)}\b[^`]*`", GUIDE) for key in part)


def test_it_tells_every_option_of_the_command() -> None:
    from gui.commands.simulate import command

    options = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert {"--era", "--seed", "--set", "--logs", "--search"} <= options
    assert all(f"`{name}" in GUIDE or f" {name} " in GUIDE for name in options - {"--output"})


def test_it_tells_every_promise_that_a_search_asks_for() -> None:
    assert all(f"`{name}`" in GUIDE for name in INVARIANTS)
