"""Another course: a script is kept up to a step, and something else follows."""

import pytest

from core.kafka.eras import era
from core.sim.forking import KINDS, Move, forked, moves, plan_of, steps_kept
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script import Crash, Disconnect, Freeze, Scenario, Start
from core.sim.step_words import label_of
from core.sim.translations import translated

pytestmark = pytest.mark.broad(3)

BLOCK = """\
schema = 1
id = "turns"
title = { en = "t", zh = "轮" }
story = { en = "s", zh = "轮" }

[cluster]
brokers = ["A", "B"]

[[step]]
label = { en = "one", zh = "一" }
do = "produce"
records = ["m"]
acks = "1"

# Three rounds.
[[step]]
do = "repeat"
times = 3

[[step.step]]
label = { en = "turn", zh = "轮" }
do = "produce"
records = ["n"]
acks = "1"

[[step]]
label = { en = "last", zh = "末" }
do = "checkpoint"
brokers = ["A"]

# What holds for all of it.
[settings]
"min.insync.replicas" = 2
"""


def steps(script: Scenario) -> list[tuple[str, object]]:
    return [(label_of(step), step.action) for step in script.steps]


def test_the_first_steps_stay_and_the_new_one_is_the_last() -> None:
    script = scenario("hw-loss")

    fork = translated(parse_scenario(forked(script, 6, plan_of(Move("crash", "B"), script.brokers))))

    assert fork.id == "hw-loss-fork"
    assert steps(fork)[:6] == steps(script)[:6]
    assert steps(fork)[6:] == [("B crashes", Crash("B"))]
    assert fork.steps[-1].for_ns is not None
    assert (fork.title, fork.story, fork.brokers) == (script.title, script.story, script.brokers)


def test_a_fork_of_a_fork_is_not_named_twice() -> None:
    script = scenario("hw-loss")
    text = forked(script, 6, plan_of(Move("crash", "B"), script.brokers))

    again = parse_scenario(forked(parse_scenario(text), 7, plan_of(Move("start", "B"), script.brokers)))

    assert again.id == "hw-loss-fork"
    assert steps(again)[6:] == [("B crashes", Crash("B")), ("B starts", Start("B"))]


def test_what_stands_below_the_steps_stays_with_its_comment() -> None:
    text = forked(parse_scenario(BLOCK), 1, plan_of(Move("freeze", "A"), ("A", "B")))

    fork = parse_scenario(text)
    assert fork.settings.min_isr == 2
    assert "# What holds for all of it.\n[settings]" in text
    assert "Three rounds" not in text
    assert [action for _, action in steps(fork)][1:] == [Freeze(("A",))]


@pytest.mark.parametrize(("asked", "kept"), [(0, 0), (1, 1), (2, 1), (3, 1), (4, 4), (5, 5), (9, 5)])
def test_a_block_is_kept_whole_or_not_at_all(asked: int, kept: int) -> None:
    script = parse_scenario(BLOCK)

    assert steps_kept(script, asked) == kept
    fork = parse_scenario(forked(script, kept, plan_of(Move("stop", "A"), script.brokers)))
    assert steps(fork)[:-1] == steps(script)[:kept]


def test_what_may_happen_depends_on_who_is_up() -> None:
    offered = moves((("A", True), ("B", False)))

    assert [move.kind for move in offered if move.broker == "A"] == list(KINDS)
    assert [move.kind for move in offered if move.broker == "B"] == ["start"]
    assert "cut-from-brokers" not in {move.kind for move in moves((("A", True),))}


def test_a_cut_goes_both_ways_to_every_other_broker() -> None:
    script = scenario("hw-is-min")

    fork = parse_scenario(forked(script, 2, plan_of(Move("cut-from-brokers", "B"), script.brokers)))

    action = fork.steps[-1].action
    assert isinstance(action, Disconnect)
    assert set(action.ways) == {("B", "A"), ("B", "C"), ("A", "B"), ("C", "B")}


@pytest.mark.parametrize("name", scenario_ids())
def test_every_scenario_can_be_forked_at_its_middle(name: str) -> None:
    script = scenario(name)
    kept = steps_kept(script, len(script.steps) // 2)
    for move in moves([(broker, True) for broker in script.brokers])[: len(KINDS)]:
        fork = parse_scenario(forked(script, kept, plan_of(move, script.brokers)))

        assert steps(fork)[:-1] == steps(script)[:kept]


def test_both_runs_are_the_same_until_the_fork() -> None:
    script = scenario("hw-loss")
    fork = parse_scenario(forked(script, 6, plan_of(Move("crash", "A"), script.brokers)))
    first, second = simulate(script, era("0.10.2")), simulate(fork, era("0.10.2"))
    (parting,) = (
        seq
        for seq in range(len(second))
        if second.event(seq).kind == "step" and second.event(seq).get("aux") == 7
    )

    assert [first.event(seq).kind for seq in range(parting)] == [
        second.event(seq).kind for seq in range(parting)
    ]
    assert first.columns["at"][:parting].tolist() == second.columns["at"][:parting].tolist()
    assert second.event(parting + 1).kind == "broker_crashed"
