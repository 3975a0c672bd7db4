"""Checks of what was given to be read: each with a story in which it is true, and one close by."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from core.diagnose.verdict.facts import Finding
from core.words import text
from tests.stories import SECOND, Story, of, texts

WARNING = (
    "Non-monotonic update of high watermark from (offset={} segment=[{}]) to (offset=90 segment=[0:900])"
)


@pytest.mark.parametrize(
    ("own", "segment", "told"),
    [(80, "-1:-1", 1), (96, "-1:-1", 0), (80, "0:960", 0)],
    ids=["taken-over", "its-own-from-the-checkpoint", "its-own-from-its-log"],
)
def test_a_high_watermark_taken_over_just_before_the_cut_is_a_false_alarm(
    own: int, segment: str, told: int
) -> None:
    """KAFKA-14704; recordings/k28-unclean-loss has both, in the same words."""
    story = Story("2.8.2")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1, leo=96, hw=own)
    story.add("truncated", 2, offset=90)
    story.add("hw_moved", 2, hw=90)
    story.texts[-1] = WARNING.format(96, segment)

    assert len(of(story, "false-alarm")) == told


@pytest.mark.parametrize(("gone_at", "told"), [(186, 1), (190, 0)])
def test_an_epoch_entry_of_an_epoch_without_records_is_no_conflict(gone_at: int, told: int) -> None:
    story = Story("2.1.1")
    story.begin()
    story.add("epoch_assigned", 1, epoch=2, offset=186)
    story.texts[-1] = (
        "[LeaderEpochCache cart-0] New epoch entry EpochEntry(epoch=2, startOffset=186) caused truncation of "
        f"conflicting entries ListBuffer(EpochEntry(epoch=1, startOffset={gone_at})). Cache now "
        f"contains 2 entries."
    )

    assert len(of(story, "false-alarm")) == told


def test_sources_that_cannot_both_be_right() -> None:
    def story(checkpoint_end: int) -> Story:
        told = Story("2.8.2")
        told.begin()
        told.add("leo_sample", 2, leo=50)
        told.add("leo_sample", 2, leo=checkpoint_end, wait=0)
        return told

    assert len(of(story(40), "sources-disagree")) == 1
    assert of(story(60), "sources-disagree") == []


def test_a_gap_is_a_finding_of_the_evidence_not_of_a_partition() -> None:
    story = Story("2.8.2")
    story.begin()
    seq = story.process("evidence_gap", 2)
    trace = story.trace()
    columns = {name: column.copy() for name, column in trace.columns.items()}
    columns["aux"][seq] = 90 * SECOND
    (found,) = of(replace(trace, columns=MappingProxyType(columns)), "evidence-gap")

    assert (found.partition, found.brokers, found.end) == (None, (2,), found.start + 90 * SECOND)
    assert "says nothing for 1 min 30 s" in text(found.message)


def test_an_order_that_other_evidence_contradicts() -> None:
    story = Story("2.8.2")
    story.begin()
    report = {"contradictions": [{"file": "server.log", "line": 4}]}

    (found,) = of(replace(story.trace(), report=report), "clock-contradiction")

    said = "Other evidence contradicts the order of the lines of server.log at line 4."
    assert text(found.message) == said
    assert of(story, "clock-contradiction") == []


def test_a_log_that_became_shorter_without_a_word() -> None:
    def found(later: int) -> list[Finding]:
        story = Story("2.4.1")
        story.begin()
        story.add("leo_sample", 2, leo=50)
        story.add("fetch_sent", 2, leader=1, offset=50)
        story.add("fetch_sent", 2, leader=1, offset=later)
        return of(story, "evidence-gap")

    assert texts(found(40)) == [
        (
            "The log of broker 2 ended at 50 or above, and later at 40 or below; what made it shorter is in "
            "no line that was given."
        )
    ]
    assert found(40)[0].start < (found(40)[0].end or 0)
    assert found(60) == []


@pytest.mark.parametrize("registers", [False, True])
def test_a_broker_that_may_have_started_anew_did_not_move_its_watermark_back(*, registers: bool) -> None:
    """A cluster of 4.2.1 of which the middle of each log is missing: broker 1 registered, as at a start."""
    story = Story("4.2.1")
    story.begin()
    story.add("leo_sample", 1, leo=17)
    story.add("hw_sample", 1, hw=17)
    if registers:
        story.process("broker_registered", 2, about=1)
    story.add("leaderless", None, leader=-1, epoch=1, isr=(), partition_epoch=3)
    story.add("became_follower", 1, leader=-1, epoch=1, leo=12, hw=0)

    assert bool(of(story, "hw-went-back")) is not registers
