"""A leader that comes back in its own epoch without the end of its log: no election made that loss."""

from dataclasses import replace

from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.story import story_of
from core.diagnose.verdict.check import diagnose
from core.history.gaps_by_files import torn_tails
from core.trace.trace import Trace
from core.words import text
from tests.stories import SECOND, Story


def came_back_shorter() -> Story:
    """Broker 1 leads epoch 0 to offset 50, loses its power, and leads on in it from 41."""
    story = Story("2.8.2")
    story.begin()
    for broker in (1, 2):
        story.add("leo_sample", broker, leo=50, wait=SECOND)
    story.add("hw_sample", 1, hw=50, wait=0)
    story.process("broker_starting", 1, wait=600 * SECOND)
    story.add("log_loaded", 1, leo=41)
    story.add("became_leader", 1, leader=1, epoch=0, leo=41, hw=41)
    story.add("fetch_offset_reset", 2, leader=1, from_offset=50, offset=41)
    story.add("truncated", 2, offset=41)
    story.add("leo_sample", 2, leo=41)
    return story


def when(trace: Trace) -> list[str]:
    (incident,) = find_incidents(trace, diagnose(trace))
    (field,) = [field for field in account(trace, incident) if field.key == "when"]
    return [text(line) for line in field.lines]


def test_when_names_the_return_and_not_the_first_election() -> None:
    trace = came_back_shorter().trace()
    (loss,) = diagnose(trace).partitions[0].losses
    again = [event for event in map(trace.event, range(len(trace))) if event.kind == "became_leader"][-1]
    lines = when(trace)

    assert (loss.first_offset, loss.end_offset, loss.took_over) == (41, 50, 0)
    assert loss.led_again == again.seq
    told = "broker 1 led t-0 again after its process had ended, in the same epoch"
    assert any(told in line and line.endswith(f"[server.log:{again.seq + 1}]") for line in lines)
    assert not any("first leader" in line for line in lines)


def test_the_incident_begins_when_the_log_was_found_short() -> None:
    trace = came_back_shorter().trace()
    (incident,) = find_incidents(trace, diagnose(trace))

    assert incident.start >= 600 * SECOND
    steps = story_of(trace, diagnose(trace), incident).steps
    assert "Broker 1 led again" in [text(step.message) for step in steps]


def test_what_a_leader_had_written_and_is_loaded_only_after_others_led_is_of_its_own_epoch() -> None:
    """Its disk was full in epoch 0: broker 2 leads epochs 1 and 2 before broker 1 is started again.

    It finds a batch that was half written, so that nothing is known of its log end before. The log of broker
    2 has records of epoch 1 at the offsets that broker 1 loads.
    """
    story = Story("3.9.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("hw_sample", 1, hw=100)
    story.add("leader_elected", 1, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=1, leo=65, hw=64)
    story.add("became_leader", 2, leader=2, epoch=2, leo=168, hw=168)
    story.process("broker_starting", 1)
    story.add("unclean_restart_detected", 1, offset=126)
    loaded = story.now
    story.add("log_loaded", 1, leo=126)
    story.add("became_follower", 1, leader=2, epoch=2, leo=126, hw=100)
    story.add("truncated", 1, offset=65)

    damaged = replace(story.trace(), facts={torn_tails(1): str(loaded)})
    verdict = diagnose(damaged).partitions[0]

    found = [(one.first_offset, one.end_offset, one.epoch, one.took_over) for one in verdict.losses]
    assert found == [(65, 100, 0, 1), (100, 126, 0, 1)]
    assert [one.survives_on for one in verdict.losses] == [(), ()]
