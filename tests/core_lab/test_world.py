"""The start of a lifted scenario, by stories: who is down, what the disks hold, how long the logs are."""

import pytest

from core.errors import QuestionError
from core.lab.choices import Stance
from core.lab.lift import Lifted, lift
from core.lab.material import material_of
from core.sim.run import play
from core.sim.script import Start
from tests.stories import SECOND, Story

LONG = 5_000_000
"""So far up a log stands whose beginning nobody needs."""


def with_a_follower_that_returns() -> tuple[Story, int]:
    """Broker 2 dies with 30 records and returns; at the cursor it is down. Its file of the time says 20."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 2, leo=30)
    story.add("hw_checkpointed", 2, hw=20, in_a_file=True)
    story.process("broker_crashed", 2)
    cursor = story.process("evidence_gap", 1) + 1
    story.process("broker_starting", 2, wait=20 * SECOND)
    story.add("log_loaded", 2, leo=30, log_start=0)
    story.add("hw_loaded", 2, hw=25)
    story.process("broker_started", 2)
    return story, cursor


def lifted(story: Story, cursor: int, stance: Stance = Stance.WORST) -> Lifted:
    return lift(material_of(story.trace(), 0), cursor, stance)


def test_a_broker_that_is_down_is_down_and_has_on_disk_what_it_comes_back_with() -> None:
    found = lifted(*with_a_follower_that_returns())

    start = found.scenario.start
    assert list(start.down) == ["2"]
    assert start.replicas["2"].leo == 30
    # What it loads is what its file said when it died, whatever an older copy of the file says.
    assert start.replicas["2"].checkpoint == 25
    assert type(found.scenario.steps[0].action) is Start


@pytest.mark.parametrize("stance", list(Stance))
def test_a_lifted_state_keeps_what_holds_between_its_values(stance: Stance) -> None:
    start = lifted(*with_a_follower_that_returns(), stance).scenario.start

    leader = start.replicas[start.leader]
    for name, one in start.replicas.items():
        assert one.log_start <= one.checkpoint <= one.high_watermark <= one.leo
        if name in start.isr:
            assert leader.high_watermark <= one.leo <= leader.leo


def test_of_a_long_log_only_what_may_move_is_lifted_with_the_epochs_below() -> None:
    story = Story("2.8.2")
    story.begin()
    for broker in (1, 2):
        story.add("leo_sample", broker, leo=LONG)
        story.add("hw_sample", broker, hw=LONG)
        story.add("hw_checkpointed", broker, hw=LONG - 10, in_a_file=True)
        story.add("epoch_cache_loaded", broker, in_a_file=True, aux=1)
        story.add("epoch_assigned", broker, epoch=0, offset=0, in_a_file=True, wait=0)
    cursor = len(story.trace())
    story.process("broker_crashed", 1)
    story.process("broker_starting", 1)
    found = lifted(story, cursor)

    start = found.scenario.start.replicas["1"]
    assert start.leo == LONG
    assert 0 < LONG - start.log_start < 20_000
    assert start.epochs == ((0, 0),)
    trace = play(found.scenario, found.era).trace
    assert len(trace.records) < 20_000


def test_nobody_leads_before_anybody_was_elected() -> None:
    story = Story("2.8.2")
    story.process("broker_starting", 1)
    story.begin()
    with pytest.raises(QuestionError):
        lifted(story, 1)


def test_where_no_release_is_known_no_rules_are() -> None:
    story = Story("")
    story.begin()
    with pytest.raises(QuestionError):
        material_of(story.trace(), 0)
