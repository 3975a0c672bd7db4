"""Each condition of the language: it holds at the event that it is about, and not for another broker."""

import pytest

from core.kafka.eras import era
from core.sim.conditions import FORMS, OF_QUORUM, parse_condition
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event

HEAD = """\
schema = 1
id = "waits"
title = { en = "Waits", zh = "等待" }
story = { en = "A step that waits.", zh = "等待的步骤。" }
[cluster]
brokers = ["A", "B"]
partitions = 2
fetching = "by-step"
"""
STEP = '[[step]]\nlabel = { en = "s", zh = "步" }\n'
PRODUCE = 'do = "produce"\nrecords = ["m0"]\nacks = "all"\n'
PRODUCE_TWO = 'do = "produce"\nrecords = ["m0", "m1"]\nacks = "all"\n'
FETCH = 'do = "fetch"\nbrokers = ["B"]\n'
FETCH_TWICE = 'do = "fetch"\nbrokers = ["B"]\ntimes = 2\n'
CHECKPOINT = 'do = "checkpoint"\nbrokers = ["B"]\n'
FETCH_A = 'do = "fetch"\nbrokers = ["A"]\n'
LATER = 'do = "wait"\nfor_ms = 9_000\n'
WAIT = 'do = "wait"\n'
CRASH_A = 'do = "crash"\nbroker = "A"\n'
CRASH_B = 'do = "crash"\nbroker = "B"\n'
BOTH_DIE = 'do = "crash"\nbroker = "B"\ncontroller_fails_over = true\n'
START_A = 'do = "start"\nbroker = "A"\n'
START_B = 'do = "start"\nbroker = "B"\n'
STOP_B = 'do = "stop"\nbroker = "B"\n'


TO_THE_CUT = [
    'do = "produce"\nrecords = ["m0"]\nacks = "1"\n',
    CRASH_A,
    LATER,
    'do = "produce"\nrecords = ["m1"]\nacks = "1"\n',
    START_A,
]

# The condition; the steps, of which the last waits for it; the event at which it holds: kind, broker,
# replica, and a value of it.
CASES: list[tuple[str, list[str], str, int | None, int | None, dict[str, int]]] = [
    ("B has appended offset 0", [PRODUCE, FETCH], "appended", 2, 2, {"leo": 1}),
    ("B has log end offset 1", [PRODUCE, FETCH], "appended", 2, 2, {"leo": 1}),
    (
        "A has log end offset 1 in partition 1",
        [f"{PRODUCE}partitions = [1]\n", FETCH_A],
        "appended",
        1,
        1,
        {"leo": 1},
    ),
    ("A has high watermark 1", [PRODUCE, FETCH_TWICE], "acknowledged", 1, 1, {"offset": 1}),
    ("A has checkpointed high watermark 1", [PRODUCE, FETCH_TWICE, WAIT], "hw_checkpointed", 1, 1, {"hw": 1}),
    ("A remembers log end offset 1 of B", [PRODUCE, FETCH_TWICE], "follower_leo_recorded", 1, 2, {"leo": 1}),
    ("B sends a fetch", [FETCH], "fetch_sent", 2, 2, {"offset": 0}),
    ("B sends a fetch at offset 1", [PRODUCE, FETCH_TWICE], "fetch_sent", 2, 2, {"offset": 1}),
    ("A parks a fetch of B", [FETCH], "fetch_parked", 1, 2, {"offset": 0}),
    ("A answers a fetch of B", [FETCH], "fetch_answered", 1, 2, {"offset": 0}),
    (
        "B asks for the end of an epoch",
        [PRODUCE, FETCH, CRASH_B, START_B],
        "epoch_end_asked",
        2,
        2,
        {"leader": 1},
    ),
    ("A cuts its log", TO_THE_CUT, "truncated", 1, 1, {"offset": 0}),
    ("A cuts its log to offset 0", TO_THE_CUT, "truncated", 1, 1, {"from_offset": 1}),
    ("A acknowledges offset 1", [PRODUCE_TWO, f"{FETCH}times = 3\n"], "acknowledged", 1, 1, {"offset": 2}),
    ("A proposes an ISR", [PRODUCE, WAIT], "isr_shrink_proposed", 1, 1, {"leader": 1}),
    ("B leads", [CRASH_A], "became_leader", 2, 2, {"epoch": 1}),
    ("B is in leader epoch 1", [CRASH_A], "became_leader", 2, 2, {"epoch": 1}),
    ("A follows B", [CRASH_A, LATER, START_A], "became_follower", 1, 1, {"leader": 2}),
    ("nobody leads", [STOP_B, CRASH_A], "leaderless", None, None, {"leader": -1}),
    ("B is not in the ISR", [STOP_B], "isr_committed", None, None, {"leader": 1}),
    ("B is in the ISR", [STOP_B, START_B], "isr_committed", 1, None, {"leader": 1}),
    ("B is down", [STOP_B], "broker_stopped", 2, 2, {}),
    ("B is not registered", [CRASH_B], "session_expired", None, 2, {}),
    ("B is registered", [CRASH_B, START_B], "broker_registered", 2, 2, {}),
    ("a controller is elected", [BOTH_DIE], "controller_elected", None, None, {"epoch": 2}),
]


def run(condition: str, steps: list[str]) -> list[Event]:
    """The events, in 0.11, of steps of which the last waits for the condition."""
    waiting = f'{steps[-1]}until = "{condition}"\nwithin_ms = 30_000\n'
    quiet = [f"{step}for_ms = 1\n" if step == WAIT else step for step in steps[:-1]]
    trace = simulate(parse_scenario(HEAD + "".join(STEP + step for step in [*quiet, waiting])), era("0.11"))
    return [trace.event(seq) for seq in range(len(trace))]


@pytest.mark.parametrize(
    ("condition", "steps", "kind", "broker", "replica", "said"), CASES, ids=[one[0] for one in CASES]
)
def test_a_step_ends_at_the_event_that_it_waits_for(
    condition: str, steps: list[str], kind: str, broker: int | None, replica: int | None, said: dict[str, int]
) -> None:
    events = run(condition, steps)
    assert events[-1].position == len(steps)
    about = [one for one in events if one.kind == kind and one.position == len(steps)]
    assert about, [one.kind for one in events]
    assert (about[-1].get("broker"), about[-1].get("replica")) == (broker, replica)
    assert {name: about[-1].get(name) for name in said} == said
    # What happens at the same instant by the same message may follow; nothing later does.
    assert events[-1].at == about[-1].at
    assert "condition_not_met" not in [one.kind for one in events]


def test_a_condition_on_an_event_does_not_hold_for_another_broker_or_offset() -> None:
    for condition in (
        "A sends a fetch",
        "B sends a fetch at offset 3",
        "B parks a fetch of A",
        "B proposes an ISR",
    ):
        assert run(condition, [FETCH])[-1].kind == "condition_not_met"


def test_what_happened_before_the_step_does_not_count() -> None:
    assert run("B sends a fetch", [FETCH, WAIT])[-1].kind == "condition_not_met"


def test_a_step_goes_on_after_the_next_checkpoint_even_if_it_says_nothing_new() -> None:
    events = run("B writes a checkpoint", [LATER, WAIT])

    # Every 5 s from the start on; nothing was produced, so that no file says anything new.
    assert "hw_checkpointed" not in [one.kind for one in events]
    begun = next(one.at for one in events if one.kind == "step" and one.position == 2)
    after = simulate_then_mark("B writes a checkpoint", [LATER, WAIT])
    assert begun == 9_000_000_000
    assert after == 10_000_000_000


def simulate_then_mark(condition: str, steps: list[str]) -> int:
    """The time at which the step after the one that waits begins."""
    waiting = f'{steps[-1]}until = "{condition}"\nwithin_ms = 30_000\n'
    parts = [*steps[:-1], waiting, f"{WAIT}for_ms = 1\n"]
    trace = simulate(parse_scenario(HEAD + "".join(STEP + step for step in parts)), era("0.11"))
    found = [trace.event(seq) for seq in range(len(trace))]
    return next(one.at for one in found if one.kind == "step" and one.position == len(steps) + 1)


def test_every_kind_of_condition_is_tried_here() -> None:
    tried = {condition.kind for words, *_ in CASES if (condition := parse_condition(words)) is not None}

    assert {kind for kind, *_ in FORMS} - tried == {"quiet", "writes_checkpoint", *OF_QUORUM}


@pytest.mark.parametrize(
    "words", ["quiet", "B is registered", "B writes a checkpoint", "a controller is elected"]
)
def test_what_is_not_about_a_partition_names_none(words: str) -> None:
    assert parse_condition(words) is not None
    assert parse_condition(f"{words} in partition 1") is None
