"""Reassignments are found in logs and happen again in a lift: two of real clusters, and none elsewhere."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.lab.choices import STANCES, Stance
from core.lab.lift import lift
from core.lab.material import Material, material_of
from core.lab.moves import moves_of
from core.sim.run import play
from core.sim.script import Reassign
from core.trace.ids import Nanos
from core.trace.times import parse_time
from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.stories import SECOND, Story

MOVED = {
    "k28-isr-flap": ("2026-11-21T03:13:08.326Z", (1, 2), (1, 3)),
    "k39-isr-flap": ("2026-11-21T03:13:45.721Z", (1, 2), (3, 2)),
}
"""When the new replica of moves-0 made its log, from where and to where: by the commands in their README."""


@lru_cache(maxsize=2)
def moved(name: str) -> Material:
    with TemporaryDirectory() as folder:
        path, _ = unpack_recording(name, Path(folder))
        trace = load([path])
    index = trace.partition_index("moves-0")
    assert index is not None
    return material_of(trace, index)


def told(story: Story) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    history = story.history()
    events = [history.trace.event(seq) for seq in range(len(history.trace))]
    return [(one.before, one.brokers) for one in moves_of(history, events)]


def replicas(trace: Trace, kind: str) -> list[int]:
    found = [one for one in map(trace.event, range(len(trace))) if one.kind == kind]
    return [one.values["replica"] for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MOVED))
def test_a_real_reassignment_is_found(name: str) -> None:
    at, before, after = MOVED[name]
    assert [(one.at, one.before, one.brokers) for one in moved(name).moves] == [
        (parse_time(at), before, after)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("name", sorted(MOVED))
def test_lifted_before_it_the_partition_moves_again(name: str, stance: Stance) -> None:
    material, (when, before, after) = moved(name), MOVED[name]
    at = parse_time(when) - SECOND // 2
    found = lift(material, material.trace.cursor_at(Nanos(at)), stance, at=at)

    assert sorted(found.scenario.start.replicas) == sorted(map(str, before))
    (step,) = [one for one in found.scenario.steps if isinstance(one.action, Reassign)]
    assert step.action == Reassign(tuple(map(str, after)))
    assert step.at_ns == SECOND // 2
    trace = play(found.scenario, found.era).trace
    assert set(replicas(trace, "log_deleted")) == set(before) - set(after)
    # From there on the same brokers lead, one after the other.
    real = [one.leader for one in material.verdict.leadership if one.start > at and one.leader >= 0]
    assert replicas(trace, "became_leader") == [before[0], *real]


def test_a_broker_that_was_down_when_the_topic_was_made_is_no_new_replica() -> None:
    story = Story(replicas=(1, 2))
    story.begin()
    story.process("broker_starting", 3)
    story.add("log_created", 3)

    assert told(story) == []


def test_one_that_ran_is_a_new_replica_and_who_deletes_its_log_was_one() -> None:
    story = Story(replicas=(1, 2, 3))
    for broker in (1, 2, 3):
        story.process("broker_starting", broker)
    story.add("log_created", 1, wait=SECOND)
    story.add("log_created", 2, wait=0)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    story.add("log_created", 3, wait=20 * SECOND)
    story.add("log_deleted", 2, wait=SECOND)

    assert told(story) == [((1, 2), (1, 3))]


def test_a_topic_that_is_deleted_moves_nowhere() -> None:
    story = Story(replicas=(1, 2))
    story.begin()
    story.add("log_deleted", 1)
    story.add("log_deleted", 2)

    assert told(story) == []
