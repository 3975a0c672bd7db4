"""Each scenario in each era, as a text that a person has read line by line.

TIDEGAUGE_UPDATE_GOLDEN=1 writes the texts anew; read the difference before committing it.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace

GOLDEN = Path(__file__).parent.parent / "golden" / "sim"
AFTER = ("two-replica-sync", "three-replica-sync", "hw-loss")
RUNS = [
    *((name, one.id, "") for name in scenario_ids() for one in ERAS),
    *((name, one.id, "-after") for name in AFTER for one in ERAS),
]


@pytest.mark.parametrize(("name", "era_id", "way"), RUNS)
def test_a_run_reads_as_it_was_read(
    name: str, era_id: str, way: str, timeline: Callable[[Trace], str]
) -> None:
    rules = era(era_id)
    if way:
        rules = with_switches(rules, {"fetch-answer-hw": "after"})
    text = timeline(simulate(scenario(name), rules))
    path = GOLDEN / f"{name}-{era_id}{way}.txt"
    if os.environ.get("TIDEGAUGE_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_there_is_no_golden_without_a_run() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted(
        f"{name}-{era_id}{way}" for name, era_id, way in RUNS
    )
