"""docs/scenarios.md tells the truth."""

import re
from pathlib import Path

from core.kafka.eras import ERAS
from core.sim.conditions import FORMS, parse_condition
from core.sim.run import simulate
from core.sim.scenario import parse_scenario

GUIDE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")


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
