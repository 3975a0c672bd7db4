"""docs/scenarios.md tells the truth."""

import json
import re
from pathlib import Path

from core.kafka.eras import ERAS
from core.kafka.promises import INVARIANTS
from core.sim.conditions import FORMS, parse_condition
from core.sim.run import simulate
from core.sim.scenario import parse_scenario

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "scenarios.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "scenario.schema.json").read_text(encoding="utf-8"))


def test_the_example_runs_in_every_era_with_the_steps_that_are_shown() -> None:
    example, *steps = re.findall(r"```toml\n(.*?)```", GUIDE, flags=re.DOTALL)
    assert len(steps) == 2
    for rules in ERAS:
        trace = simulate(parse_scenario(example), rules)
        kinds = [trace.event(seq).kind for seq in range(len(trace))]
        assert "condition_not_met" not in kinds
        assert kinds.count("leader_elected") == 2
        longer = simulate(parse_scenario(example + "".join(steps)), rules)
        assert {"m#1", "m#2", "m#3", "w3.1"} <= set(longer.records)


def test_it_lists_every_condition_and_nothing_else() -> None:
    table = GUIDE[GUIDE.index("| condition | holds when |") :].split("\n\n")[0]
    words = [text for row in table.splitlines()[2:] for text in re.findall(r"`([^`]+)`", row.split("|")[1])]
    kinds = [condition.kind for text in words if (condition := parse_condition(text)) is not None]
    assert len(kinds) == len(words)
    assert set(kinds) == {kind for kind, *_ in FORMS}


def test_it_tells_every_key_of_every_step_and_table() -> None:
    rows = [row for row in GUIDE.splitlines() if row.startswith("| ")]
    shared = {"do", "label", "effect", "until", "within_ms", "for_ms"}
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
