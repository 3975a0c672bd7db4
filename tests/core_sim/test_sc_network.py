"""Paused brokers and ways that are cut: what waits, what is given up, what a zombie does.

TCP decides: packets that are lost are sent again, so a message waits for the way until its sender gives up.
"""

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import ScenarioError
from core.kafka.eras import ERAS, era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import StopReason
from tests.in_words import in_words
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
ALL_ERAS = tuple(one.id for one in ERAS)
END = 99
SECOND = 1_000_000_000
HEAD = """\
schema = 1
id = "made"
title = { en = "Made", zh = "编" }
story = { en = "Made for a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
[settings]
"replica.lag.time.max.ms" = 10000
"zookeeper.session.timeout.ms" = 6000
"unclean.leader.election.enable" = false
[start]
remote = { B = 0 }
"""


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def made(era_id: str, *steps: str) -> Trace:
    label = 'label = { en = "s", zh = "步" }'
    text = HEAD + "".join(f"\n[[step]]\n{label}\n{step}\n" for step in steps)
    return simulate(parse_scenario(text, "made.toml"), era(era_id))


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestZombie:
    def test_z1_is_acknowledged_by_a_leader_of_the_past_and_cut(self, era_id: str, replay: Replay) -> None:
        trace = simulated("zombie-leader", era(era_id))
        (told,) = events(trace, "acknowledged", step=5)
        assert (told.values["replica"], told.values["aux"]) == (1, 1)
        written = [one for one in events(trace, "appended", step=5) if one.values["replica"] == 1]
        first = written[0].values
        assert (trace.records[first["aux"]], first["epoch"]) == ("z1", 0)
        assert replay(trace, 4).leader == "B"
        assert [seen.records for seen in replay(trace, END).replicas.values()] == [["m0", "n1", "n2"]] * 3

    def test_what_is_sent_with_acks_all_is_not_acknowledged(self, era_id: str) -> None:
        trace = simulated("zombie-leader", era(era_id))
        told = [one.values["aux"] for one in events(trace, "acknowledged")]
        assert told == [-1, 1, -1]  # n1, z1, n2

    def test_a_paused_broker_says_nothing(self, era_id: str) -> None:
        trace = simulated("zombie-leader", era(era_id))
        (frozen,), (thawed,) = events(trace, "broker_frozen"), events(trace, "broker_thawed")
        between = (trace.event(seq) for seq in range(frozen.seq + 1, thawed.seq))
        assert not [one for one in between if one.get("broker") == 1]


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestCuts:
    def test_a_cut_shorter_than_the_sender_s_patience_only_delays(self, era_id: str) -> None:
        trace = made(
            era_id,
            'do = "disconnect"\nfrom = ["B"]\nto = ["A"]\nfor_ms = 3000',
            'do = "produce"\nrecords = ["m0"]\nacks = "1"\nfor_ms = 1000',
            'do = "heal"\nfrom = ["B"]\nto = ["A"]\nfor_ms = 1000',
        )
        assert not events(trace, "fetch_failed", "fetch_received", step=2)
        assert events(trace, "appended", step=3)[0].values["replica"] == 2

    def test_a_longer_one_breaks_the_connection_and_the_isr(self, era_id: str) -> None:
        trace = made(
            era_id,
            'do = "disconnect"\nfrom = ["A"]\nto = ["B"]\nfor_ms = 100',
            'do = "produce"\nrecords = ["m0"]\nacks = "1"\nfor_ms = 45000',
        )
        assert [one.values["isr"] for one in events(trace, "isr_committed")] != []
        failed = events(trace, "fetch_failed")
        assert {one.values["aux"] for one in failed} == {StopReason.UNREACHABLE}
        # In 3.3 and 3.5 the shrink raises the leader epoch: the follower begins anew, and cannot connect.
        assert (10 if era_id in ("3.3", "3.5") else 30) * SECOND < failed[0].at < 33 * SECOND

    def test_a_leader_that_the_controller_does_not_hear_is_replaced_and_leads_on(
        self, era_id: str, replay: Replay
    ) -> None:
        trace = made(
            era_id,
            'do = "disconnect"\nfrom = ["A"]\nto = ["controller"]\nboth_ways = true\n'
            'until = "B leads"\nwithin_ms = 60000',
            'do = "produce"\nrecords = ["z"]\nacks = "1"\nto = "A"\nfor_ms = 100',
            'do = "heal"\nfrom = ["A"]\nto = ["controller"]\nboth_ways = true\nfor_ms = 5000',
        )
        between = replay(trace, 2)
        assert [seen.role for seen in between.replicas.values()] == ["leader", "leader"]
        assert events(trace, "acknowledged", step=2)[0].values["replica"] == 1
        after = replay(trace, 3)
        assert [seen.role for seen in after.replicas.values()] == ["follower", "leader"]

    def test_what_the_controller_tells_is_not_given_up(self, era_id: str, replay: Replay) -> None:
        trace = made(
            era_id,
            'do = "disconnect"\nfrom = ["controller"]\nto = ["A"]',
            'do = "elect"\nbroker = "B"\nfor_ms = 60000',
            'do = "heal"\nfrom = ["controller"]\nto = ["A"]\nfor_ms = 3000',
        )
        assert replay(trace, 2).replicas["A"].role == "leader"
        assert replay(trace, 3).replicas["A"].role == "follower"

    def test_a_producer_that_is_cut_off_gives_up(self, era_id: str) -> None:
        trace = made(
            era_id,
            'do = "disconnect"\nfrom = ["clients"]\nto = ["A"]',
            'do = "produce"\nrecords = ["m0"]\nacks = "1"\nfor_ms = 31000',
        )
        assert not events(trace, "produced")
        assert len(events(trace, "produce_failed")) == 1

    def test_a_slow_way_is_slow_one_way_and_keeps_the_order(self, era_id: str) -> None:
        trace = made(
            era_id,
            'do = "slow"\nfrom = ["clients"]\nto = ["A"]\nlatency_us = 100000\nfor_ms = 1',
            'do = "produce"\nrecords = ["m0"]\nacks = "1"\nfor_ms = 1',
            'do = "heal"\nfrom = ["clients"]\nto = ["A"]\nfor_ms = 1',
            'do = "produce"\nrecords = ["m1"]\nacks = "1"\nfor_ms = 500',
        )
        first, second = events(trace, "produced")
        assert trace.records == ("m0", "m1")
        assert first.at == 101_000_000
        assert second.at >= first.at


@pytest.mark.parametrize(
    ("step", "key", "allowed"),
    [
        ('do = "disconnect"\nfrom = ["A"]\nto = ["C"]', "to", "A, B, controller, clients"),
        ('do = "disconnect"\nfrom = ["clients"]\nto = ["controller"]', "to", "a broker"),
        ('do = "disconnect"\nfrom = ["A"]\nto = ["A"]', "to", "a broker"),
        ('do = "slow"\nfrom = ["A"]\nto = ["B"]', "latency_us", "from 1"),
        ('do = "freeze"\nbrokers = ["C"]', "brokers", "A, B"),
    ],
)
def test_an_error_names_the_key_and_what_is_allowed(step: str, key: str, allowed: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        made("2.8", step)
    assert f"key step.1.{key}" in in_words(caught.value).where
    assert allowed in in_words(caught.value).advice
