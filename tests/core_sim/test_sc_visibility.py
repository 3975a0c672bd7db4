"""What is below the high watermark, by the figures of the domain; errors in the keys of newer steps."""

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import ScenarioError
from core.kafka.eras import ERAS
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from tests.in_words import in_words
from tests.runs import simulated

Replay = Callable[[Trace, int], Any]


def leader(trace: Trace, replay: Replay, step: int) -> tuple[int, int]:
    seen = replay(trace, step).replicas["A"]
    return seen.hw, seen.leo


@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
class TestVisibility:
    def test_8_of_13_then_8_of_15_then_all_15(self, rules: Any, replay: Replay) -> None:
        trace = simulated("visibility", rules)
        assert [leader(trace, replay, step) for step in (1, 2, 3, 4)] == [(8, 13), (8, 15), (8, 15), (15, 15)]

    def test_8_of_13_then_all_13(self, rules: Any, replay: Replay) -> None:
        trace = simulated("visibility-13", rules)
        assert [leader(trace, replay, step) for step in (0, 1, 2)] == [(8, 13), (8, 13), (13, 13)]


@pytest.mark.parametrize("case", ["loss", "divergence"])
def test_the_name_of_the_fix_means_the_case_that_it_fixes(case: str) -> None:
    assert scenario(f"epoch-fix-{case}").id == f"hw-{case}"


HEAD = """\
schema = 1
id = "made"
title = { en = "Made", zh = "编" }
story = { en = "Made for a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
partitions = 2
[[step]]
label = { en = "s", zh = "步" }
"""


@pytest.mark.parametrize(
    ("step", "key", "allowed"),
    [
        ('do = "elect"\npartition = 2', "partition", "from 0 to 1"),
        ('do = "wait"\nuntil = "A leads in partition 2"\nwithin_ms = 1', "until", "0 to 1"),
        ('do = "produce"\nacks = "1"\ncount = 1\npartitions = [0, 2]', "partitions", "from 0 to 1"),
        ('do = "crash"\nbroker = "A"\ntail_lost = -1', "tail_lost", "from 0"),
        ('do = "hold-controller"\nbrokers = ["C"]', "brokers", "A, B"),
        ('do = "release-controller"\nbrokers = ["A"]\ncount = 0', "count", "from 1"),
        ('do = "produce"\nacks = "1"\ncount = 1\nto = "C"', "to", "A, B"),
    ],
)
def test_an_error_names_the_key_and_what_is_allowed(step: str, key: str, allowed: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(HEAD + step, "made.toml")
    assert f"key step.1.{key}" in in_words(caught.value).where
    assert allowed in in_words(caught.value).advice
