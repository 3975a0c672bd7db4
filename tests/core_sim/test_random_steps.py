"""Repeated blocks, random work and random faults."""

from collections import Counter
from itertools import pairwise

import pytest

from core.errors import ScenarioError
from core.kafka.eras import ERAS, era
from core.sim.chance import Chance
from core.sim.random_steps import FAULTS, plan
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script import Crash, Elect, Faults, Produce, Start, Stop, Workload
from core.sim.step_words import label_of
from core.trace.digest import content_digest
from core.trace.trace import Trace
from tests.in_words import in_words

HEAD = """\
schema = 1
id = "random"
title = { en = "Random", zh = "随机" }
story = { en = "Left to chance.", zh = "由随机决定。" }
[cluster]
brokers = ["A", "B", "C"]
partitions = 3
"""
LABEL = 'label = { en = "s", zh = "步" }\n'
PRODUCE = f'{LABEL}do = "produce"\nrecords = ["m", "n"]\nacks = "all"\n'
WORKLOAD = f'[[step]]\n{LABEL}do = "workload"\nrecords_per_s = 100\nlasts_ms = 10_000\nacks = "all"\n'
FAULTS_STEP = (
    f'[[step]]\n{LABEL}do = "faults"\nkinds = ["crash", "stop"]\nevery_ms = 2_000\ndown_ms = 1_000\n'
    "lasts_ms = 30_000\n"
)
SECOND = 1_000_000_000


def labels_of(text: str) -> list[str]:
    return [label_of(step) for step in parse_scenario(text).steps]


def test_a_block_is_run_so_many_times() -> None:
    wait = f'[[step.step]]\n{LABEL}do = "wait"\nfor_ms = 5\n'
    block = f'[[step]]\ndo = "repeat"\ntimes = 3\n[[step.step]]\n{PRODUCE}{wait}'
    script = parse_scenario(f"{HEAD}{block}[[step]]\n{PRODUCE}")

    assert [step.number for step in script.steps] == list(range(1, 8))
    assert [step.line for step in script.steps] == [11, 16, 11, 16, 11, 16, 20]
    assert [label_of(step) for step in script.steps] == [
        "s #1",
        "s #1",
        "s #2",
        "s #2",
        "s #3",
        "s #3",
        "s",
    ]
    assert simulate(script, era("2.8")).records == ("m#1", "n#1", "m#2", "n#2", "m#3", "n#3", "m", "n")


def test_blocks_may_stand_in_blocks() -> None:
    inner = f'[[step.step]]\ndo = "repeat"\ntimes = 2\n[[step.step.step]]\n{PRODUCE}'

    assert labels_of(f'{HEAD}[[step]]\ndo = "repeat"\ntimes = 2\n{inner}') == [
        "s #1.1",
        "s #1.2",
        "s #2.1",
        "s #2.2",
    ]


@pytest.mark.parametrize(
    ("step", "where", "what", "allowed"),
    [
        ('do = "repeat"\n', "line 8, key step.1.times", "times is missing", "from 1 to 10000"),
        ('do = "repeat"\ntimes = 2\n', "line 8, key step.1.step", "has no step", "[[step.step]]"),
        (f'do = "repeat"\n{LABEL}', "line 10, key step.1.label", "'label' is not known", "do, times, step"),
        (
            f'do = "repeat"\ntimes = 10_000\n[[step.step]]\n{PRODUCE}[[step.step]]\n{PRODUCE}',
            "line 10, key step.1.times",
            "more than 10000 steps",
            "fewer",
        ),
        (
            f'do = "repeat"\ntimes = 2\n[[step.step]]\n{LABEL}do = "kick"\n',
            "line 13, key step.1.step.1.do",
            "cannot be 'kick'",
            "produce",
        ),
        (
            WORKLOAD[9:].replace("100", "0"),
            "line 11, key step.1.records_per_s",
            "cannot be 0",
            "from 1 to 100000",
        ),
        (f"{WORKLOAD[9:]}partitions = [3]\n", "key step.1.partitions", "cannot hold 3", "from 0 to 2"),
        (
            FAULTS_STEP[9:].replace('"crash"', '"flood"'),
            "key step.1.kinds",
            "cannot hold 'flood'",
            "crash, crash-with",
        ),
        (f"{FAULTS_STEP[9:]}most_down = 4\n", "line 15, key step.1.most_down", "cannot be 4", "from 1 to 3"),
        (FAULTS_STEP[9:].replace("down_ms", "up_ms"), "key step.1.up_ms", "not known here", "down_ms"),
    ],
)
def test_an_error_names_line_key_what_is_wrong_and_what_is_allowed(
    step: str, where: str, what: str, allowed: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"{HEAD}[[step]]\n{step}", "random.toml")
    facts = in_words(caught.value)
    assert where in facts.where
    assert what in facts.what
    assert allowed in facts.advice


def test_a_workload_writes_at_its_rate_to_all_its_partitions() -> None:
    action = Workload(records_per_s=100, lasts_ns=100 * SECOND, acks=1, partitions=(0, 2))
    planned = plan(Chance(1), action, 4)
    turns = Counter(one.partitions for _, one in planned if isinstance(one, Produce))

    assert 9_500 < len(planned) < 10_500
    assert turns.keys() == {(0,), (2,)}
    assert min(turns.values()) > 4_500
    assert all(0 < at < 100 * SECOND for at, _ in planned)
    assert [at for at, _ in planned] == sorted(at for at, _ in planned)
    gaps = [later - sooner for (sooner, _), (later, _) in pairwise(planned)]
    assert max(gaps) < 2 * SECOND // 100 + 2
    assert min(gaps) < SECOND // 1_000


def test_faults_end_and_never_take_down_too_many() -> None:
    action = Faults(tuple(FAULTS), ("A", "B", "C"), SECOND, 3 * SECOND, 2_000 * SECOND, most_down=2)
    planned = plan(Chance(7), action, 1)
    kinds = Counter(type(one).__name__ for _, one in planned)
    down: set[str] = set()
    most = 0
    for _, one in sorted(planned, key=lambda entry: entry[0]):
        if isinstance(one, Crash | Stop):
            assert one.broker not in down
            down.add(one.broker)
        elif isinstance(one, Start):
            down.remove(one.broker)
        most = max(most, len(down))

    assert most == 2
    assert not down
    assert kinds["Crash"] + kinds["Stop"] == kinds["Start"] > 200
    assert kinds["Hold"] == kinds["Release"] > 100
    assert {one.broker for _, one in planned if isinstance(one, Elect)} == {"A", "B", "C"}


def test_the_same_seed_has_the_same_luck_and_another_has_not() -> None:
    action = Faults(("crash",), ("A", "B", "C"), SECOND, SECOND, 100 * SECOND)

    assert plan(Chance(1), action, 1) == plan(Chance(1), action, 1)
    assert plan(Chance(1), action, 1) != plan(Chance(2), action, 1)
    assert plan(Chance(1), action, 1) != plan(Chance(1), action, 2)


def times_of(trace: Trace, kind: str) -> list[tuple[int, int | None]]:
    events = (trace.event(seq) for seq in range(len(trace)))
    return [(int(one.at), one.get("replica")) for one in events if one.kind == kind]


@pytest.mark.slow
@pytest.mark.thinned(1)
def test_faults_come_at_the_same_moment_in_every_era_beside_a_workload(
    request: pytest.FixtureRequest,
) -> None:
    """The oldest, one amid and the newest era; --every-case: each."""
    # The workload's step ends at once, so that the faults come while it writes.
    script = parse_scenario(f"{HEAD}{WORKLOAD}for_ms = 0\n{FAULTS_STEP}")
    every = request.config.getoption("--every-case")
    traces = [simulate(script, rules) for rules in (ERAS if every else (*ERAS[:-1:6], ERAS[-1]))]

    assert len(times_of(traces[0], "broker_crashed")) >= 3
    assert all(times_of(one, "broker_crashed") == times_of(traces[0], "broker_crashed") for one in traces)
    assert all(900 < len(one.records) < 1_100 for one in traces)
    assert all("condition_not_met" not in [one.event(seq).kind for seq in range(len(one))] for one in traces)
    # The step of the faults is over when all brokers are back.
    assert all(len(times_of(one, "broker_starting")) >= 3 for one in traces)
    assert content_digest(simulate(script, ERAS[0])) == content_digest(traces[0])
    assert content_digest(simulate(script, ERAS[0], seed=2)) != content_digest(traces[0])
