"""Followers that left the in-sync set and show no fault why, by stories of which every time is known.

The first is the course of a real cluster of 1.1: a follower stands still beyond its session, its leader goes
on alone and dies, the follower goes on and is elected uncleanly.
"""

from pathlib import Path

import pytest

from core.lab.choices import STANCES, Stance
from core.lab.faults import BACK, Fault
from core.lab.lift import Lifted, lift
from core.lab.material import Material, material_of
from core.lab.prevent import before, incident_of, prevent
from core.sim.script import Crash, Disconnect, Freeze, Heal, Produce, Thaw
from importers.load import load
from tests.archives import unpack_recording
from tests.stories import SECOND, Story

pytestmark = pytest.mark.broad(3)

LAG = 10 * SECOND
"""replica.lag.time.max.ms of 1.1."""
HELD, ALL = 113, 303
"""Where the log of the follower ended when it stood still, and that of its leader when it died."""


def shrunk(version: str = "1.1.1", wait: int = 60 * SECOND) -> tuple[Story, int]:
    """Broker 1 leads, and takes broker 2 out of the in-sync set at the time that is given, too."""
    story = Story(version)
    story.begin()
    story.add("leo_sample", 1, leo=100)
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1,), wait=wait)
    return story, story.now


def elected(story: Story, held: int = HELD) -> None:
    """Broker 2 is elected uncleanly and states where its log ends; broker 1 comes back with all it had."""
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2, wait=SECOND)
    story.add("became_leader", 2, leader=2, epoch=1, leo=held, wait=SECOND)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=ALL, wait=SECOND)
    story.process("broker_started", 1, wait=SECOND)
    story.add("truncated", 1, offset=held, wait=SECOND)


def frozen() -> tuple[Story, int]:
    """Nothing of broker 2 is seen until broker 1 is dead; then it states that its session is over."""
    story, at = shrunk()
    story.process("broker_crashed", 1, wait=5 * SECOND)
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=HELD)
    story.process("session_expired", 2, wait=SECOND)
    story.process("broker_registered", 2, wait=SECOND)
    elected(story)
    return story, at


def cut() -> tuple[Story, int]:
    """Broker 2 is heard of all the time, and its session goes on."""
    story, at = shrunk()
    story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1,), partition_epoch=1, wait=SECOND)
    story.process("broker_crashed", 1, wait=5 * SECOND)
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=HELD)
    elected(story)
    return story, at


def material(story: Story) -> Material:
    return material_of(story.trace(), 0)


def of(story: Story, kind: str) -> list[Fault]:
    return [one for one in material(story).faults if one.kind == kind]


def lost(story: Story) -> dict[Stance, set[int]]:
    """What the replay of the incident loses."""
    found = material(story)
    incident = incident_of(found)
    assert incident is not None
    told = prevent(found, incident)
    assert told.reproduced
    return {
        stance: {at for one in run.outcome.lost for at in range(one.first_offset, one.end_offset)}
        for stance, run in told.unchanged.items()
    }


def lifted(story: Story, stance: Stance = Stance.WORST) -> Lifted:
    found = material(story)
    incident = incident_of(found)
    assert incident is not None
    cursor, at = before(found, incident)
    return lift(found, cursor, stance, at=at)


def test_one_of_whom_nothing_is_seen_and_whose_session_ended_stood_still() -> None:
    story, at = frozen()

    (freeze,) = of(story, "freeze")
    assert freeze.broker == 2
    assert freeze.hi == at - LAG
    assert freeze.lo <= freeze.at <= freeze.hi
    (thaw,) = of(story, "thaw")
    # It could be elected when it had registered anew, 2 s after its first line.
    assert thaw.at - thaw.lo == 2 * SECOND
    assert not of(story, "cut")


def test_one_that_goes_on_with_its_session_was_cut_from_its_leader_until_that_died() -> None:
    story, at = cut()

    (begin,) = of(story, "cut")
    assert (begin.broker, begin.leader, begin.hi) == (2, 1, at - LAG)
    (end,) = of(story, "heal")
    (crash,) = of(story, "crash")
    assert end.at == crash.at
    assert not of(story, "freeze")


@pytest.mark.parametrize("tell", [frozen, cut])
def test_what_it_held_when_it_led_it_held_when_it_stopped(tell: type) -> None:
    """The records from 113 on are gone, whatever was taken, and no other."""
    story, _ = tell()

    assert lost(story) == {one: set(range(HELD, ALL)) for one in STANCES}


def test_the_steps_stand_in_the_order_of_the_incident() -> None:
    wanted = (Freeze, Thaw, Disconnect, Heal, Crash)
    for tell, expected in ((frozen, [Freeze, Crash, Thaw]), (cut, [Disconnect, Crash, Heal])):
        steps = [type(one.action) for one in lifted(tell()[0]).scenario.steps]
        assert [one for one in steps if one in wanted] == expected


def test_nothing_is_left_out_and_the_head_names_the_times() -> None:
    found = lifted(cut()[0])

    assert found.left_out == ()
    assert {"lab.choice.cut", "lab.choice.heal"} <= {one.what.id for one in found.choices}


def test_the_cut_lasts_until_it_is_let_in_again() -> None:
    story, _ = shrunk()
    story.add("metadata_applied", 2, leader=1, epoch=0, isr=(1,), partition_epoch=1, wait=SECOND)
    story.add("isr_expand_proposed", 1, leader=1, isr=(1, 2), wait=20 * SECOND)
    again = story.now
    story.process("broker_crashed", 1, wait=60 * SECOND)
    story.process("broker_starting", 1)

    (heal,) = of(story, "heal")
    assert heal.at == again


def test_a_crash_before_it_explains_why_it_left() -> None:
    story = Story("1.1.1")
    story.begin()
    story.process("broker_crashed", 2)
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1,), wait=30 * SECOND)
    at = story.now
    story.process("broker_starting", 2, wait=30 * SECOND)

    assert [one.kind for one in material(story).faults] == ["crash", "start"]
    (crash,) = of(story, "crash")
    assert crash.at <= at - LAG


def test_of_two_followers_the_one_that_held_more_stopped_later() -> None:
    story = Story("1.1.1", replicas=(1, 2, 3))
    story.begin()
    story.add("leo_sample", 1, leo=80)
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1,), wait=60 * SECOND)
    story.process("broker_crashed", 1, wait=5 * SECOND)
    story.add("leo_sample", 2, leo=HELD)
    story.process("session_expired", 2, wait=SECOND)
    story.add("leo_sample", 3, leo=87, wait=SECOND)
    story.process("session_expired", 3, wait=SECOND)

    first, second = of(story, "freeze")
    assert (first.broker, second.broker) == (3, 2)
    assert first.at < second.at


def test_of_two_followers_that_died_the_one_that_held_more_died_later() -> None:
    """The session of broker 2 ended at 9 s, so it died at 3 s; broker 3 had fewer records and died before."""
    story = Story("1.1.1", replicas=(1, 2, 3))
    story.begin()
    begun = story.now
    story.process("broker_crashed", 2, wait=SECOND)
    story.process("broker_crashed", 3, wait=SECOND // 10)
    story.process("broker_failure_noticed", 1, about=2, wait=SECOND * 79 // 10)
    for broker, leo in ((2, 80), (3, 79)):
        story.process("broker_starting", broker, wait=SECOND)
        story.add("log_loaded", broker, leo=leo, wait=SECOND)
        story.add("fetcher_added", broker, leader=1, epoch=0, offset=leo, wait=SECOND)

    first, second = of(story, "crash")
    assert (first.broker, second.broker) == (3, 2)
    assert second.at == begun + 3 * SECOND
    assert first.lo < first.at < second.at


def test_a_controller_that_begins_takes_out_who_stood_still() -> None:
    """KAFKA-3143, 2.4: no leader proposed it, and nobody names the broker that is missed but itself."""
    story = Story("2.4.1")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1, wait=60 * SECOND)
    at = story.now
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=HELD)
    story.process("session_expired", 2, wait=SECOND)

    (freeze,) = of(story, "freeze")
    assert freeze.hi == at - 6 * SECOND


def test_one_that_nothing_explains_is_left_out_and_said() -> None:
    """No leader took it out, and its session did not end."""
    story = Story("2.4.1")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1, wait=60 * SECOND)
    story.process("broker_crashed", 1)
    story.process("broker_starting", 1)

    found = material(story)
    assert {one.kind for one in found.faults} == {"crash", "start"}
    assert [one.id for one in lift(found, 8, Stance.WORST).left_out] == ["lab.left-out.isr"]


def test_who_goes_on_and_cannot_fetch_finds_its_leader_dead() -> None:
    """The last file of the leader has a time of whole seconds: it seems to live on after that line."""
    story = Story("1.1.1")
    story.begin()
    story.process("broker_failure_noticed", 1, about=2, wait=20 * SECOND)
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=0)
    story.process("broker_crashed", 1, wait=SECOND // 2)
    story.process("broker_starting", 1)

    (thaw,) = of(story, "thaw")
    (crash,) = of(story, "crash")
    assert thaw.at > crash.at


def test_a_leader_that_leads_on_in_the_next_epoch_has_what_it_appended() -> None:
    """Its log ends at 87 as a follower dies; then the controller gives it the next epoch."""
    story = Story("2.1.1", replicas=(1, 2, 3))
    story.begin()
    cursor = story.process("broker_crashed", 3, wait=20 * SECOND)
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("became_leader", 1, leader=1, wait=SECOND)
    story.process("broker_crashed", 2, wait=20 * SECOND)
    story.process("broker_starting", 3, wait=20 * SECOND)
    story.add("log_loaded", 3, leo=87, wait=SECOND)
    story.process("broker_starting", 2, wait=20 * SECOND)
    story.add("log_loaded", 2, leo=219, wait=SECOND)
    story.add("leo_sample", 1, leo=219, wait=SECOND)

    for stance in STANCES:
        start = lift(material(story), cursor, stance).scenario
        records = sum(len(one.action.records) for one in start.steps if isinstance(one.action, Produce))
        assert start.start.replicas["1"].leo + records == 219


def test_processes_that_stood_still_are_cut_from_their_leader_when_they_did(tmp_path: Path) -> None:
    """Stopped for 9 s each, beyond the lag time and within the session: nothing else shows it."""
    path, truth = unpack_recording("k28-isr-flap", tmp_path)
    trace = load([path])
    index = trace.partition_index("metrics-0")
    assert index is not None
    faults = material_of(trace, index).faults
    cuts = [one for one in faults if one.kind == "cut"]
    heals = [one for one in faults if one.kind == "heal"]

    really = [one for one in truth["steps"] if one["do"] in ("freeze", "thaw")]
    # The fourth was too short to leave the in-sync set.
    began, ended = really[0:6:2], really[1:6:2]
    assert [one.broker for one in cuts] == [one["broker"] for one in began] == [3, 2, 3]
    for one, step in zip(cuts, began, strict=True):
        assert one.lo <= step["at_ns"] <= one.hi
        assert one.at <= step["at_ns"]
    for one, step in zip(heals, ended, strict=True):
        assert one.lo <= step["at_ns"] <= one.hi


def test_a_broker_is_away_and_back_in_turn(tmp_path: Path) -> None:
    """Its leader and the controller miss the same silence, at two times."""
    path, _ = unpack_recording("k39-isr-flap", tmp_path)
    trace = load([path])
    index = trace.partition_index("clicks-0")
    assert index is not None
    of_3 = [one for one in material_of(trace, index).faults if one.broker == 3]

    assert len(of_3) > 4
    assert [one.kind in BACK for one in of_3] == [place % 2 == 1 for place in range(len(of_3))]
