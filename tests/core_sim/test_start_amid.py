"""A scenario that begins in the midst of things: brokers down, no controller, epoch caches, times."""

import pytest

from core.errors import ScenarioError
from core.kafka.eras import ERAS, era
from core.sim.run import play
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import Election

ALL_ERAS = tuple(one.id for one in ERAS)


def text(start: str = "", steps: str = "", cluster: str = "", settings: str = "") -> str:
    return f"""schema = 1
id = "amid"
title = "Amid"
story = "It begins in the midst of things."

[cluster]
brokers = ["A", "B"]
{cluster}
[settings]
{settings}
{start}
{steps}
"""


WAIT = '[[step]]\ndo = "wait"\nfor_ms = 60_000\n'
START = """[start]
leader = "A"
isr = ["A", "B"]
{more}
[[start.replica]]
broker = "A"
log = [{{ epoch = 0, count = 10 }}]
high_watermark = 10

[[start.replica]]
broker = "B"
log = [{{ epoch = 0, count = {held} }}]
high_watermark = 5
"""


def run(script: str, era_id: str = "2.8") -> Trace:
    return play(parse_scenario(script), era(era_id)).trace


def events(trace: Trace, *kinds: str) -> list[Event]:
    return [event for event in map(trace.event, range(len(trace))) if event.kind in kinds]


def test_brokers_have_the_ids_that_the_script_gives_them() -> None:
    trace = run(text(cluster="ids = [7, 3]", steps=WAIT))

    assert [(one.broker_id, one.name) for one in trace.brokers] == [(7, "A"), (3, "B")]
    assert trace.partitions[0].replicas == (7, 3)


@pytest.mark.parametrize("ids", ["[1]", "[1, 1]", "[0, 1]", "[1, 2, 3]"])
def test_each_broker_needs_an_id_of_its_own(ids: str) -> None:
    with pytest.raises(ScenarioError):
        parse_scenario(text(cluster=f"ids = {ids}", steps=WAIT))


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_a_broker_that_is_down_leaves_the_isr_when_its_session_is_over(era_id: str) -> None:
    """B has been down for 4 s: its session lasts the timeout of the era less 4 s."""
    trace = run(text(START.format(held=10, more="down = { B = 4_000 }"), WAIT), era_id)

    (noticed,) = events(trace, "broker_failure_noticed", "broker_fenced")
    timeout_ms = int(era(era_id).switches.session_timeout_ms)
    assert noticed.at == (timeout_ms - 4_000) * MILLISECOND_NS
    left = next(one for one in events(trace, "isr_committed") if one.at >= noticed.at)
    assert trace.isrs[left.values["isr"]] == (1,)
    assert not [one for one in events(trace, "fetch_sent") if one.get("broker") == 2]


def test_where_the_session_is_over_already_nothing_is_noticed_any_more() -> None:
    trace = run(text(START.format(held=10, more="down = { B = 60_000 }"), WAIT))

    assert not events(trace, "broker_failure_noticed")


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_without_a_controller_nobody_elects_until_the_next_one_begins(era_id: str) -> None:
    more = "down = { A = 60_000 }\ncontroller_elected_ms = 3_000"
    trace = run(text(START.format(held=10, more=more), WAIT), era_id)

    (begun,) = events(trace, "controller_elected")
    assert begun.at == 3_000 * MILLISECOND_NS
    led = [one for one in events(trace, "leader_elected") if one.get("aux") != Election.FIRST]
    # With KRaft the new controller hears of a fenced leader nothing: it was fenced before.
    assert all(one.at >= begun.at for one in led)
    if era(era_id).switches.controller == "zookeeper":
        assert [one.get("leader") for one in led] == [2]


@pytest.mark.slow
def test_an_epoch_cache_is_as_the_script_states_it_where_the_era_has_one() -> None:
    start = START.format(held=10, more="").replace(
        "high_watermark = 5",
        "high_watermark = 5\nepochs = [{ epoch = 0, start = 0 }, { epoch = 4, start = 8 }]",
    )
    for era_id, expected in (("2.8", {(0, 0), (4, 8)}), ("0.10.2", set())):
        told = events(run(text(start, WAIT), era_id), "epoch_assigned")
        assert {(one.get("epoch"), one.get("offset")) for one in told if one.get("broker") == 2} == expected


def test_the_entries_of_a_cache_rise() -> None:
    falls = START.format(held=10, more="").replace(
        "high_watermark = 5",
        "high_watermark = 5\nepochs = [{ epoch = 4, start = 0 }, { epoch = 0, start = 8 }]",
    )
    with pytest.raises(ScenarioError):
        parse_scenario(text(falls, WAIT))


def test_a_step_begins_at_its_time_and_not_before() -> None:
    steps = """[[step]]
do = "produce"
count = 1
acks = "1"

[[step]]
do = "crash"
broker = "B"
at_ms = 2_500

[[step]]
do = "produce"
count = 1
acks = "1"
at_ms = 1_000
"""
    trace = run(text(steps=steps))

    begun = [one.at // MILLISECOND_NS for one in events(trace, "step")]
    # The third is late already: it begins when the second is over, at once.
    assert begun == [0, 2_500, 2_500]
    assert events(trace, "broker_crashed")[0].at == 2_500 * MILLISECOND_NS


@pytest.mark.parametrize("era_id", ALL_ERAS)
@pytest.mark.parametrize("asked", ["true", "false"])
def test_a_person_may_ask_for_a_leader_that_is_not_in_sync(era_id: str, asked: str) -> None:
    """A, alone in the ISR, dies; unclean elections are off."""
    start = START.format(held=5, more="").replace('isr = ["A", "B"]', 'isr = ["A"]')
    steps = f"""[[step]]
do = "crash"
broker = "A"
until = "nobody leads"
within_ms = 60_000

[[step]]
do = "elect"
broker = "B"
unclean = {asked}
for_ms = 1_000
"""
    settings = '"unclean.leader.election.enable" = false\n"replica.fetch.wait.max.ms" = 500'
    slow = start.replace("[start]", "[limits]\nrecords_per_fetch = { B = 1 }\n\n[start]")
    trace = run(text(slow, steps, settings=settings), era_id)

    led = [one for one in events(trace, "leader_elected") if one.get("aux") == Election.UNCLEAN]
    assert [one.get("leader") for one in led] == ([2] if asked == "true" else [])
