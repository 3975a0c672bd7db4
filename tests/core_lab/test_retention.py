"""What was deleted at the start of logs is deleted again at its time, by the one that began it.

k39-isr-flap: of clicks-0 somebody deletes below 11, then retention deletes below 60, at its leader and at
broker 2. Broker 3 stands still; it held 41 records, so it is out of range and begins anew at 60.
"""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.kafka.switches import LogStart
from core.lab.choices import STANCES, Stance
from core.lab.lift import Lifted, lift
from core.lab.material import Material, material_of
from core.lab.retention import deletions_of
from core.sim.run import play
from core.sim.script import Retain
from core.trace.ids import Nanos
from core.trace.times import parse_time
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS
from importers.load import load
from tests.archives import unpack_recording
from tests.stories import SECOND, Story

BEFORE = "2026-11-21T03:13:46.100Z"
UNTIL = "2026-11-21T03:14:13Z"


@lru_cache(maxsize=1)
def clicks() -> Material:
    with TemporaryDirectory() as folder:
        path, _ = unpack_recording("k39-isr-flap", Path(folder))
        trace = load([path])
    index = trace.partition_index("clicks-0")
    assert index is not None
    return material_of(trace, index)


def lifted(stance: Stance) -> Lifted:
    at = parse_time(BEFORE)
    material = clicks()
    return lift(material, material.trace.cursor_at(Nanos(at)), stance, at=at, until=parse_time(UNTIL))


def deletions(story: Story, rule: LogStart) -> list[tuple[int, int]]:
    return [(one.broker, one.offset) for one in deletions_of(story.history(), rule)]


def of(trace: Trace, kind: str) -> list[Event]:
    return [one for one in map(trace.event, range(len(trace))) if one.kind == kind]


@pytest.mark.parametrize("stance", STANCES)
def test_the_leader_deletes_again_and_at_its_time(stance: Stance) -> None:
    found = lifted(stance)
    retained = [one.action for one in found.scenario.steps if isinstance(one.action, Retain)]
    assert [(one.brokers, one.offset) for one in retained] == [(("1",), 11), (("1",), 60)]
    assert [one.at_ns for one in found.scenario.steps if isinstance(one.action, Retain)] == [
        421 * MILLISECOND_NS,
        7487 * MILLISECOND_NS,
    ]


@pytest.mark.parametrize("stance", STANCES)
def test_who_stood_still_meanwhile_begins_anew_where_the_log_of_its_leader_starts(stance: Stance) -> None:
    found = lifted(stance)
    trace = play(found.scenario, found.era).trace

    moved = [(one.values["replica"], one.values["log_start"]) for one in of(trace, "log_start_moved")]
    assert {(1, 11), (2, 11), (3, 11)} <= set(moved)
    assert {(1, 60), (2, 60)} <= set(moved)
    (reset,) = of(trace, "log_reset")
    assert (reset.values["replica"], reset.values["from_offset"], reset.values["offset"]) == (3, 41, 60)


def test_to_0_10_every_replica_deletes_by_itself_and_later_ones_follow_their_leader() -> None:
    story = Story()
    story.begin()
    story.add("log_start_moved", 1, log_start=20)
    story.add("log_start_moved", 2, log_start=20)
    story.add("log_start_moved", 2, log_start=30)

    assert deletions(story, "own") == [(1, 20), (2, 20), (2, 30)]
    assert deletions(story, "leader") == [(1, 20), (2, 30)]


def test_a_log_that_is_made_anew_starts_at_0_again() -> None:
    story = Story()
    story.begin()
    story.add("log_start_moved", 1, log_start=20)
    story.add("log_created", 1)
    story.add("log_start_moved", 1, log_start=20, wait=SECOND)

    assert deletions(story, "leader") == [(1, 20), (1, 20)]


def test_what_a_file_says_again_is_no_deletion() -> None:
    story = Story()
    story.begin()
    at = story.add("log_start_moved", 1, log_start=20)
    story.add("log_start_moved", 1, log_start=20, in_a_file=True)

    assert [one.seq for one in deletions_of(story.history(), "leader")] == [at]
