"""The last leader dies after all others of the in-sync set, of whose death the controller never heard."""

import pytest

from core.kafka.eras import era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario

SCRIPT = """\
schema = 1
id = "all-dead"
title = { en = "All dead", zh = "全部停机" }
story = { en = "Made by a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
[settings]
"replica.lag.time.max.ms" = 600_000
"zookeeper.session.timeout.ms" = 3_000
"unclean.leader.election.enable" = false
[[step]]
label = { en = "B and the controller die", zh = "步" }
do = "crash"
broker = "B"
controller_fails_over = true
for_ms = 10_000
[[step]]
label = { en = "A dies", zh = "步" }
do = "crash"
broker = "A"
for_ms = 10_000
"""
"""To 2.2 a new controller leaves B in the in-sync set (KAFKA-3143); A leads and does not miss B so soon."""


@pytest.mark.parametrize("id_", ["0.10.2", "0.11", "1.1", "2.0", "2.1"])
def test_a_dead_leader_leaves_the_in_sync_set_where_nobody_can_follow_it(id_: str) -> None:
    """KafkaController: the election fails, then `removeReplicasFromIsr` takes out whoever is not the last."""
    run = simulate(parse_scenario(SCRIPT), era(id_))
    events = [run.event(seq) for seq in range(len(run))]
    last = [one for one in events if one.kind in ("leader_elected", "leaderless", "isr_committed")][-1]

    assert last.kind == "leaderless"
    assert run.isrs[last.values["isr"]] == (2,)
    assert last.get("epoch") == 1
