"""min.insync.replicas set anew while the in-sync set stays: a finding holds while the value does."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from core.diagnose.verdict.check import diagnose
from core.kafka.eras import era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from tests.runs import simulated
from tests.stories import SECOND, Story, of, texts

SCRIPT = """
schema = 1
id = "min-isr-in-a-block"
title = "One replica, and min.insync.replicas goes up and down"
story = "B stops; two replicas are asked for, then one, twice."

[cluster]
brokers = ["A", "B"]

[settings]
"min.insync.replicas" = 1

[[step]]
label = "B is stopped"
do = "stop"
broker = "B"
for_ms = 8_000

[[step]]
do = "repeat"
times = 2

[[step.step]]
label = "two are asked for"
do = "configure"
"min.insync.replicas" = 2
for_ms = 3_000

[[step.step]]
label = "one is asked for"
do = "configure"
"min.insync.replicas" = 1
for_ms = 4_000
"""


def stretches(trace: Trace, check: str) -> list[tuple[int, int]]:
    """From when to when each finding of a check holds, in whole seconds of the run."""
    found = [finding for finding in diagnose(trace).findings if finding.check == check]
    return sorted((one.start // 10**9, (one.end or 0) // 10**9) for one in found)


@pytest.mark.parametrize("era_id", ["3.6", "4.1"])
def test_acks_all_is_refused_only_until_the_setting_is_lowered(era_id: str) -> None:
    """B stops at 0.6 s, min.insync.replicas becomes 1 at 1.6 s, A takes m1 and dies at 2.3 s."""
    trace = simulated("min-isr-lowered", era(era_id))
    found = {one.check: one for one in diagnose(trace).findings if one.brokers == (1,)}

    assert found["under-min-isr"].end == 1_600_000_000
    assert found["last-replica-standing"].start == 1_600_000_000


def test_each_value_of_a_block_that_is_run_twice_holds_for_its_time() -> None:
    trace = simulate(parse_scenario(SCRIPT), era("3.6"))

    assert stretches(trace, "under-min-isr") == [(8, 11), (15, 18)]
    assert [start for start, _ in stretches(trace, "last-replica-standing")][1:] == [11, 18]


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        (None, "if min.insync.replicas was 1, one"),
        ("changed", "if min.insync.replicas was 1, one"),
        ("1", "with min.insync.replicas=1 one"),
        ("2", None),
    ],
)
def test_one_copy_was_enough_only_where_that_is_what_was_asked_for(
    stated: str | None, told: str | None
) -> None:
    """`changed`: of the topic several values are stated, and not which one held when."""
    facts = {} if stated is None else {"config.topic-t.min.insync.replicas": stated}

    story = Story("2.8.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=2, wait=9 * SECOND)
    trace = replace(story.trace(), facts=MappingProxyType(facts))
    said = texts(of(trace, "last-replica-standing"))

    start = "Broker 1 was the only member of the in-sync set for 9.0 s: "
    assert said == ([] if told is None else [f"{start}{told} copy was enough for acks=all."])
