"""The same scenario, era and seed give the same digest, under every hash seed and in every Python at hand."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace

PROGRAM = """
import json, sys
from core.kafka.eras import ERAS
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.digest import content_digest
names, text, share = json.loads(sys.argv[1])
scripts = [*map(scenario, names), parse_scenario(text)]
runs = [simulate(script, era) for at, script in enumerate(scripts) for era in ERAS[at % share :: share]]
print(json.dumps(list(map(content_digest, runs))))
"""
RANDOM = """\
schema = 1
id = "random"
title = { en = "Random", zh = "随机" }
story = { en = "Left to chance.", zh = "由随机决定。" }
[cluster]
brokers = ["A", "B", "C"]
partitions = 3
[settings]
"zookeeper.session.timeout.ms" = 3_000
[limits]
jitter_us = 900
[[step]]
label = { en = "traffic", zh = "流量" }
do = "workload"
records_per_s = 20
lasts_ms = 10_000
acks = "all"
for_ms = 0
[[step]]
label = { en = "faults", zh = "故障" }
do = "faults"
kinds = ["crash", "crash-with-controller", "stop", "elect", "freeze", "hold-controller"]
every_ms = 1_000
down_ms = 1_500
lasts_ms = 12_000
most_down = 2
"""
OTHERS = [name for minor in range(11, 20) if shutil.which(name := f"python3.{minor}")]


def digests(python: str, hash_seed: str, names: tuple[str, ...], share: int = 1) -> list[str]:
    """Digests of these scenarios and of RANDOM from a process of its own, each in one of so many eras.

    The next one in the eras behind those.
    """
    done = subprocess.run(
        [python, "-c", PROGRAM, json.dumps([names, RANDOM, share])],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.thinned(1)
def test_no_digest_of_any_scenario_depends_on_the_hash_seed(request: pytest.FixtureRequest) -> None:
    """Each in a third of the eras; --every-case: in all of them."""
    names = tuple(scenario_ids())
    share = 1 if request.config.getoption("--every-case") else 3
    first, *others = (digests(sys.executable, seed, names, share) for seed in ("0", "7"))
    assert all(other == first for other in others)
    # Every script in every era is a content of its own.
    runs = sum(len(ERAS[at % share :: share]) for at in range(len(names) + 1))
    assert len(set(first)) == len(first) == runs


@pytest.mark.skipif(not OTHERS, reason="no python3.11 or later is on the path")
@pytest.mark.parametrize("python", OTHERS)
def test_another_python_gives_the_same_digest(python: str) -> None:
    # What this Python has installed is not for another one: it needs a numpy of its own.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for program, why in (("", "does not start"), ("import numpy", "has no numpy")):
        asked = subprocess.run([python, "-c", program], env=own, capture_output=True, check=False)
        if asked.returncode != 0:
            pytest.skip(f"{shutil.which(python)} {why}")
    root = next(path for path in sys.path if os.path.isfile(f"{path}/core/sim/run.py"))  # noqa: PTH113
    done = subprocess.run(
        [python, "-c", PROGRAM, json.dumps([["hw-loss"], RANDOM, 1])],
        env={**own, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == digests(sys.executable, "0", ("hw-loss",))


LUCK = """\
schema = 1
id = "luck"
title = { en = "Luck", zh = "运气" }
story = { en = "Messages take as long as they are lucky.", zh = "消息延迟由随机决定。" }
[cluster]
brokers = ["A", "B"]
[limits]
jitter_us = 5_000
[[step]]
label = { en = "produce", zh = "写入" }
do = "produce"
count = 20
every_ms = 40
acks = "all"
[[step]]
label = { en = "B crashes", zh = "B 宕机" }
do = "crash"
broker = "B"
[[step]]
label = { en = "B starts", zh = "B 启动" }
do = "start"
broker = "B"
[[step]]
label = { en = "produce", zh = "写入" }
do = "produce"
count = 20
every_ms = 40
acks = "all"
"""


def latencies(trace: Trace, sent: str, received: str) -> dict[int, int]:
    """How long each message took, by its place among all of its kind. What never arrived is not there."""
    events = [trace.event(seq) for seq in range(len(trace))]
    place = {event.seq: number for number, event in enumerate(one for one in events if one.kind == sent)}
    arrived = (event for event in events if event.kind == received and event.cause in place)
    return {place[one.cause]: int(one.at - events[one.cause].at) for one in arrived if one.cause is not None}


def count(trace: Trace, kind: str) -> int:
    return sum(trace.event(seq).kind == kind for seq in range(len(trace)))


def test_one_more_message_in_one_era_does_not_change_the_luck_of_the_others() -> None:
    script = parse_scenario(LUCK)
    asking, plain = (simulate(script, era(one)) for one in ("0.11", "0.10.2"))

    # 0.11 sends a question and an answer more, before the fetches of the second half.
    assert count(asking, "epoch_end_asked") == 1
    assert count(plain, "epoch_end_asked") == 0
    for sent, received in (("fetch_sent", "fetch_received"), ("fetch_answered", "fetch_delivered")):
        assert_same_luck(latencies(asking, sent, received), latencies(plain, sent, received))


def assert_same_luck(one: dict[int, int], other: dict[int, int]) -> None:
    both = one.keys() & other.keys()
    assert len(both) > 30
    assert len({one[number] for number in both}) > 20
    assert all(one[number] == other[number] for number in both)


def test_one_more_message_of_the_same_kind_takes_the_luck_of_its_place() -> None:
    script = parse_scenario(LUCK)
    # An answer more whenever the high watermark has moved.
    often = with_switches(era("2.1"), {"hw-sending": "when-behind"})
    one, other = (
        latencies(simulate(script, rules), "fetch_answered", "fetch_delivered")
        for rules in (often, era("2.1"))
    )

    assert len(one) > len(other)
    assert_same_luck(one, other)
