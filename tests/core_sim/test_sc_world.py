"""Where logs begin: deleted records, the low watermark, a follower out of range at either end."""

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import ScenarioError
from core.history.open import open_history
from core.kafka.eras import ERAS, era, with_switches
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason
from tests.in_words import in_words
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
ALL_ERAS = tuple(one.id for one in ERAS)
WITH_REQUEST = tuple(one for one in ALL_ERAS if one != "0.10.2")
END = 99


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def starts(state: Any) -> list[int]:
    return [seen.start for seen in state.replicas.values()]


class TestDeletedRecords:
    @pytest.mark.parametrize("era_id", WITH_REQUEST)
    def test_the_leader_first_and_a_follower_with_its_next_answer(self, era_id: str, replay: Replay) -> None:
        trace = run("deleted-records", era_id)
        assert starts(replay(trace, 2)) == [4, 0, 0]
        assert starts(replay(trace, 3)) == [4, 4, 0]
        deleted, heard = (one.at for one in events(trace, "log_start_moved") if one.values["log_start"] == 4)
        assert 0 < heard - deleted <= 510_000_000  # a parked fetch, and the messages about it

    @pytest.mark.parametrize("era_id", WITH_REQUEST)
    def test_a_log_can_be_empty_and_begin_at_its_end(self, era_id: str, replay: Replay) -> None:
        leader = replay(run("deleted-records", era_id), 5).replicas["A"]
        assert (leader.start, leader.leo, leader.hw, leader.log) == (8, 8, 8, [])

    @pytest.mark.parametrize("era_id", WITH_REQUEST)
    def test_a_follower_below_the_log_start_begins_anew(self, era_id: str, replay: Replay) -> None:
        trace = run("deleted-records", era_id)
        (reset,) = events(trace, "log_reset")
        assert (reset.values["replica"], reset.values["from_offset"], reset.values["offset"]) == (3, 6, 8)
        assert reset.values["aux"] == CutReason.RESET
        assert replay(trace, 7).replicas["C"].records == ["n8"]

    def test_in_0_10_2_there_is_no_request_and_retention_works(self, replay: Replay) -> None:
        trace = run("deleted-records", "0.10.2")
        assert starts(replay(trace, 7)) == [0, 0, 0]
        assert starts(replay(trace, END)) == [9, 9, 9]

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_history_holds_what_the_events_say(self, era_id: str, replay: Replay) -> None:
        trace = run("deleted-records", era_id)
        state = open_history(trace, 0).at(len(trace))
        for number, seen in enumerate(replay(trace, END).replicas.values(), start=1):
            held = state.replica(number)
            assert (held.log_start.exact, held.leo.exact, held.hw.exact) == (seen.start, seen.leo, seen.hw)
            assert [name for part in held.runs for name in part.records] == seen.records
            assert list(held.epochs or ()) == seen.entries


class TestOutOfRange:
    @pytest.mark.parametrize("era_id", ["0.10.2"])
    def test_to_2_0_0_the_broker_exits(self, era_id: str) -> None:
        (gone,) = events(run("out-of-range", era_id), "broker_exited")
        assert gone.values["replica"] == 1

    def test_the_later_rule_cuts_to_the_leader_s_end(self) -> None:
        trace = run("out-of-range", "0.10.2", out_of_range="cut")
        (cut,) = (one for one in events(trace, "truncated") if one.values["replica"] == 1)
        assert (cut.values["from_offset"], cut.values["offset"]) == (2, 1)
        assert cut.values["aux"] == CutReason.LEADER_END
        assert not events(trace, "broker_exited")

    @pytest.mark.parametrize("era_id", WITH_REQUEST)
    def test_epochs_find_the_fork_before(self, era_id: str) -> None:
        trace = run("out-of-range", era_id)
        assert not events(trace, "broker_exited", "fetch_offset_reset")
        assert [one.values["aux"] for one in events(trace, "truncated") if one.values["replica"] == 1] != []


HEAD = """\
schema = 1
id = "made"
title = { en = "Made", zh = "编" }
story = { en = "Made for a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
"""
STEP = """\
[[step]]
label = { en = "s", zh = "步" }
"""


@pytest.mark.parametrize(
    ("text", "key", "allowed"),
    [
        (STEP + 'do = "delete-records"\npartition = 1', "step.1.partition", "from 0 to 0"),
        (STEP + 'do = "retain"\nbrokers = ["A"]', "step.1.offset", "from 0"),
        (
            '[[start.replica]]\nbroker = "A"\nlog_start = 5\nhigh_watermark = 4\n',
            "start.replica.1.high_watermark",
            "5 to 5",
        ),
        (
            '[[start.replica]]\nbroker = "A"\nlog = [{ count = 2, records = ["a"] }]\n',
            "start.replica.1.log.1.records",
            "a list of names, or a number",
        ),
    ],
)
def test_an_error_names_the_key_and_what_is_allowed(text: str, key: str, allowed: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(HEAD + text + "\n" + STEP + 'do = "wait"\nfor_ms = 1', "made.toml")
    assert f"key {key}" in in_words(caught.value).where
    assert allowed in in_words(caught.value).advice


def test_a_log_may_begin_far_up_without_the_records_below() -> None:
    text = """\
[start]
remote = { B = 1239740603 }
[[start.replica]]
broker = "A"
log_start = 1239740600
log = [{ epoch = 0, count = 3, name = "o" }]
[[start.replica]]
broker = "B"
log_start = 1239740600
log = [{ epoch = 0, count = 3, name = "o" }]
"""
    trace = simulate(parse_scenario(HEAD + text + STEP + 'do = "wait"\nfor_ms = 1'), era("2.8"))
    assert trace.records == ("o1239740600", "o1239740601", "o1239740602")
    state = open_history(trace, 0).at(len(trace)).replica(1)
    assert (state.log_start.exact, state.leo.exact, state.hw.exact) == (1239740600, 1239740603, 1239740603)
