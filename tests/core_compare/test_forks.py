"""A run beside the run that it was forked from: they meet at the steps that both have, then part."""

import re

from core.compare.align import compare, make_runs
from core.compare.comparison import Comparison
from core.compare.script import shared_steps
from core.kafka.eras import era
from core.sim.forking import Move, forked, plan_of
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario

KEPT = 7
"""To the death of B: in 0.10.2 the script goes on with its return, which costs m1."""


def fork() -> Scenario:
    script = scenario("hw-loss")
    return parse_scenario(forked(script, KEPT, plan_of(Move("crash", "A"), script.brokers)))


def beside(*scripts: Scenario) -> Comparison:
    return compare(make_runs([simulate(script, era("0.10.2")) for script in scripts]))


def test_runs_of_a_fork_meet_at_every_step_that_they_share() -> None:
    comparison = beside(scenario("hw-loss"), fork())
    anchors = [stop for stop in comparison.stops if stop.anchor]

    assert [stop.anchor for stop in anchors[: KEPT + 2]] == [
        "start",
        *(f"step {number}" for number in range(1, KEPT + 1)),
        "fork",
    ]
    assert all(stop.cursors[0] == stop.cursors[1] for stop in anchors[: KEPT + 2])
    assert [run.title for run in comparison.runs] == ["Kafka 0.10.2 (hw-loss)", "Kafka 0.10.2 (hw-loss-fork)"]


def test_nothing_differs_before_the_fork_and_the_first_difference_comes_after_it() -> None:
    comparison = beside(scenario("hw-loss"), fork())
    parting = next(place for place, stop in enumerate(comparison.stops) if stop.anchor == "fork")

    assert not any(comparison.differing[:parting])
    assert comparison.first is not None
    assert comparison.first.stop >= parting
    # With A dead too, nobody cuts m1 in the fork; in the script B does.
    assert [len(run.verdict.losses) for run in comparison.runs] == [1, 0]


def test_scripts_of_different_worlds_share_nothing() -> None:
    other = scenario("hw-loss").text.replace('fetching = "by-step"', 'fetching = "free"')
    runs = make_runs(
        [simulate(script, era("0.10.2")) for script in (scenario("hw-loss"), parse_scenario(other))]
    )

    assert shared_steps(runs) == 0
    assert (
        shared_steps(make_runs([simulate(one, era("0.10.2")) for one in (scenario("hw-loss"), fork())]))
        == KEPT
    )


def test_a_run_of_an_earlier_version_has_the_script_of_a_new_one_whatever_its_texts_say() -> None:
    script = scenario("hw-loss")
    # Texts were pairs.
    earlier = re.sub(r'^label = (".*")$', r"label = { en = \1, zh = \1 }", script.text, flags=re.MULTILINE)
    earlier = earlier.replace('effect = "A holds it"', 'effect = "hers"')
    assert earlier.count("zh = ") == len(script.steps)
    comparison = beside(script, parse_scenario(earlier))

    assert comparison.axis == "script"
    assert [stop.anchor for stop in comparison.stops if stop.anchor] == [
        "start",
        *(f"step {step.number}" for step in script.steps),
    ]
    assert not any(comparison.differing)
