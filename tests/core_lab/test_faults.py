"""What happened to processes, by stories of which every time is known: faults with their bounds."""

from core.history.open import open_history
from core.lab.choices import within
from core.lab.faults import Fault, faults_of, timed
from core.lab.material import material_of
from tests.stories import SECOND, Story

SESSION = 6 * SECOND
CHECKPOINTS = 5 * SECOND


def faults(story: Story, *, over_zookeeper: bool = True) -> list[Fault]:
    history = open_history(story.trace(), 0)
    return list(timed(faults_of(history, SESSION, CHECKPOINTS, over_zookeeper=over_zookeeper), SESSION))


def only(found: list[Fault], kind: str) -> Fault:
    (one,) = [fault for fault in found if fault.kind == kind]
    return one


def test_a_crash_lies_between_the_last_sign_of_life_and_the_first_of_absence() -> None:
    story = Story()
    story.begin()
    story.process("broker_crashed", 1)
    last = story.now
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=0, wait=2 * SECOND)
    story.process("broker_starting", 1)

    crash = only(faults(story), "crash")
    assert (crash.broker, crash.lo, crash.hi) == (1, last, last + 2 * SECOND)
    assert crash.lo <= crash.at <= crash.hi


def test_a_session_that_ended_tells_when_the_broker_was_heard_of_last() -> None:
    """Missed at 20 s with a timeout of 6 s: it died at 14 s."""
    story = Story()
    story.begin()
    story.process("broker_crashed", 2)
    last = story.now
    story.process("broker_failure_noticed", 1, about=2, wait=20 * SECOND)
    story.process("broker_starting", 2)

    crash = only(faults(story), "crash")
    assert crash.at == last + 14 * SECOND
    assert crash.noticed == last + 20 * SECOND


def test_the_controller_that_died_is_followed_by_another_one() -> None:
    story = Story()
    story.begin()
    story.add("controller_elected", 1, epoch=1)
    story.process("broker_crashed", 1)
    last = story.now
    story.add("controller_elected", 2, epoch=2, wait=9 * SECOND)
    story.process("broker_starting", 1)

    crash = only(faults(story), "crash")
    assert crash.with_controller
    # The session of 6 s, and a second in which the next one reads the state of all.
    assert crash.at == last + 2 * SECOND
    assert not only(faults(story, over_zookeeper=False), "crash").with_controller


def test_a_controlled_stop_is_no_crash_and_a_start_is_where_the_broker_serves_again() -> None:
    story = Story()
    story.begin()
    story.process("shutdown_requested", 2)
    asked = story.now
    story.process("broker_stopped", 2)
    story.process("broker_starting", 2)
    began = story.now
    story.process("broker_started", 2)

    found = faults(story)
    assert [fault.kind for fault in found] == ["stop", "start"]
    assert only(found, "stop").at == asked
    assert (only(found, "start").lo, only(found, "start").at) == (began, story.now)


def test_a_broker_that_is_missed_and_goes_on_without_a_start_stood_still() -> None:
    story = Story()
    story.begin()
    last = story.now
    story.process("broker_fenced", 1, about=2, wait=8 * SECOND)
    story.process("broker_fenced", 1, about=2, wait=0)
    story.add("fetch_failed", 2, leader=1, epoch=0, offset=0, wait=4 * SECOND)

    found = faults(story)
    assert [fault.kind for fault in found] == ["freeze", "thaw"]
    assert only(found, "freeze").at == last + 2 * SECOND
    assert only(found, "thaw").at == last + 12 * SECOND


def test_the_timeout_is_no_longer_than_the_shortest_that_was_seen() -> None:
    """Missed 4 s after its last sign of life: not every cluster has the release's own 6 s."""
    story = Story()
    story.begin()
    story.process("broker_crashed", 2)
    story.process("broker_failure_noticed", 1, about=2, wait=4 * SECOND)
    story.process("broker_starting", 2)

    assert material_of(story.trace(), 0).settings["zookeeper.session.timeout.ms"] == 4_000


def test_a_value_is_taken_within_its_bounds() -> None:
    assert [within(value, 2, 5) for value in (1, 3, 9)] == [2, 3, 5]
    assert (within(9, None, None), within(9, None, 5), within(1, 2, None)) == (9, 5, 2)
