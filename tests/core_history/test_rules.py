"""A leader that is alone in the in-sync set, and how far what it appends is committed."""

import pytest

from core.history.visible_bands import crossed
from tests.core_history.bands_after import bounds, hw, leo
from tests.stories import Story


def test_a_leader_alone_in_sync_commits_what_it_appends() -> None:
    story = Story("2.7.2")
    story.begin()
    story.process("broker_stopped", 1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=254, hw=203)
    later = story.add("metadata_applied", 2, leader=2, epoch=1)
    story.add("leo_sample", 2, leo=260)

    # recordings/k28-epoch-fix: "high watermark 203" at the election, 254 committed at once.
    assert hw(story.history(), 2, later).lo == 254


@pytest.mark.parametrize(("version", "committed"), [("3.6.2", 254), ("3.7.0", 203), ("3.9.2", 203)])
def test_from_3_7_a_leader_alone_in_sync_may_commit_nothing(version: str, committed: int) -> None:
    """KAFKA-15583, in 3.7.0: the high watermark stays where the ISR is smaller than min.insync.replicas."""
    story = Story(version)
    story.begin()
    story.process("broker_stopped", 1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=254, hw=203)
    later = story.add("metadata_applied", 2, leader=2, epoch=1)
    story.add("leo_sample", 2, leo=260)
    # The next version of the set: until then broker 2 was alone in it.
    story.add("isr_committed", 2, leader=2, isr=(1, 2), partition_epoch=2)

    assert hw(story.history(), 2, later).lo == committed


def test_a_leader_that_has_not_heard_that_it_is_alone_waits_for_the_others() -> None:
    """The set of epoch 1 has it alone; in epoch 0, which it still leads, its followers are in the set."""
    story = Story("2.7.2")
    story.begin()
    story.add("leader_elected", 2, leader=1, epoch=1, isr=(1,), partition_epoch=1)
    story.add("leo_sample", 1, leo=30)
    later = story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("leo_sample", 1, leo=30)

    history = story.history()

    assert bounds(leo(history, 1, later)) == (30, 30)
    assert hw(history, 1, later).lo == 0


def test_the_row_that_leaves_a_leader_alone_finds_the_high_watermark_of_before() -> None:
    """The high watermark rises after the append, or after the set is smaller: from the next row on."""
    story = Story("2.7.2")
    story.begin()
    story.process("broker_stopped", 1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    begun = story.add("became_leader", 2, leader=2, epoch=1, leo=254, hw=203)
    appended = story.add("leo_sample", 2, leo=260)
    story.add("metadata_applied", 2, leader=2, epoch=1)

    history = story.history()

    # recordings/k28-epoch-fix: the leader says "high watermark 203" while its log ends at 254.
    assert hw(history, 2, begun).lo == 203
    assert hw(history, 2, appended).lo == 254
    assert hw(history, 2, appended + 1).lo == 260


def test_the_line_that_begins_a_tenure_finds_the_high_watermark_of_before() -> None:
    """state-change.log says before it that the broker is "starting the become-leader transition"."""
    story = Story("2.4.1")
    story.begin()
    story.process("broker_stopped", 1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("leo_sample", 2, leo=41)
    begins = story.add("became_leader", 2, leader=2)
    begun = story.add("became_leader", 2, leader=2, epoch=1, leo=41, hw=1)
    later = story.add("metadata_applied", 2, leader=2, epoch=1)

    history = story.history()

    assert not crossed(hw(history, 2, begins))
    assert hw(history, 2, begun).lo == 1
    assert hw(history, 2, later).lo == 41
