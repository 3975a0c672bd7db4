"""A fetch that waits at a leader while its leader epoch ends: it is read anew when it is answered."""

import pytest

from core.kafka.eras import ERAS, Era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.vocabulary import StopReason

SCRIPT = """\
schema = 1
id = "parked"
title = { en = "Parked", zh = "等待" }
story = { en = "Made by a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
[settings]
"replica.fetch.wait.max.ms" = 60_000
[[step]]
label = { en = "wait", zh = "步" }
do = "wait"
for_ms = 10
[[step]]
label = { en = "both hear late", zh = "步" }
do = "hold-controller"
brokers = ["A", "B"]
[[step]]
label = { en = "B is elected", zh = "步" }
do = "elect"
broker = "B"
for_ms = 0
[[step]]
label = { en = "A is elected", zh = "步" }
do = "elect"
broker = "A"
for_ms = 0
[[step]]
label = { en = "A hears of epoch 2", zh = "步" }
do = "release-controller"
brokers = ["A"]
newest_first = true
for_ms = 10
[[step]]
label = { en = "m0", zh = "步" }
do = "produce"
records = ["m0"]
acks = "1"
for_ms = 10
"""
"""A leads epochs 0 and 2, and B, which is still in epoch 0, has a fetch waiting at A when m0 is there."""


@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_from_2_1_a_parked_fetch_of_an_older_leader_epoch_is_refused(rules: Era) -> None:
    run = simulate(parse_scenario(SCRIPT), rules)
    events = [run.event(seq) for seq in range(len(run))]
    parked = [one for one in events if one.kind == "fetch_parked" and one.get("replica") == 2]
    leads = [one.get("epoch") for one in events if one.kind == "became_leader" and one.get("broker") == 1]
    answered = [one for one in events if one.kind == "fetch_answered" and one.get("replica") == 2]
    refused = [one.get("aux") for one in events if one.kind == "fetch_failed" and one.get("replica") == 2]

    assert parked
    assert leads == [0, 2]
    if rules.switches.fencing == "none":
        assert len(answered) == 1
        assert refused == []
    else:
        assert answered == []
        assert StopReason.FENCED_LEADER_EPOCH in refused
