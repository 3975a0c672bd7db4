"""Logs that differ at one offset, and those that do not. What is expected comes from Kafka's rules."""

from dataclasses import replace

import pytest

from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.facts import LossClass, Severity
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Partition
from tests.runs import simulated
from tests.stories import Story


def test_in_0_10_the_divergence_stands_and_the_outvoted_record_is_lost() -> None:
    trace = simulated("hw-divergence", era("0.10.2"))

    found = diagnose_partition(open_history(trace, 0))

    # The same offset 2 holds m5 on A and m4 on B; B cut nothing.
    assert [(d.brokers, d.first_offset, d.end_offset) for d in found.divergences] == [((1, 2), 2, 3)]
    committed = [loss for loss in found.losses if loss.loss_class is LossClass.COMMITTED]
    assert [(one.first_offset, one.end_offset, one.survives_on) for one in committed] == [(2, 3, (2,))]


def test_different_batches_at_one_offset_are_a_divergence() -> None:
    story = Story("1.1.1")
    story.begin()
    for broker, crc in ((1, 111), (2, 222)):
        story.add("batch_on_disk", broker, epoch=0, from_offset=0, offset=20, aux=7)
        story.add("batch_on_disk", broker, epoch=0, from_offset=20, offset=30, aux=crc)
    for broker in (1, 2):
        story.add("log_end_on_disk", broker, leo=30, log_start=0)

    found = story.verdict()

    assert [(one.brokers, one.first_offset, one.end_offset) for one in found.divergences] == [
        ((1, 2), 20, 30)
    ]
    assert "divergence" in {finding.check for finding in found.findings}


@pytest.mark.parametrize(
    ("assigned", "members", "severity"),
    [
        pytest.param((1, 3), (1, 3), Severity.NOTICE, id="moved to broker 3"),
        pytest.param((1, 2), (1, 3), Severity.DANGER, id="assigned, and out of sync"),
        pytest.param((1, 3), (1, 2), Severity.DANGER, id="in sync: the assignment is an old one"),
        pytest.param((), (1, 3), Severity.DANGER, id="no line names the assignment"),
    ],
)
def test_a_copy_that_a_reassignment_left_behind_is_no_replica(
    assigned: tuple[int, ...], members: tuple[int, ...], severity: Severity
) -> None:
    """Nobody is to choose between it and the log of the partition, and no follower copies from it."""
    story = Story("3.9.0", (1, 2, 3))
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=members, partition_epoch=2)
    for broker, crc in ((1, 111), (2, 222), (3, 111)):
        story.add("batch_on_disk", broker, epoch=0, from_offset=0, offset=20, aux=crc)
        story.add("log_end_on_disk", broker, leo=20, log_start=0)
    named = Partition(TopicPartition("t", 0), tuple(map(BrokerId, assigned)))
    trace = replace(story.trace(), partitions=(named,))

    verdict = diagnose(trace)

    found = [one for one in verdict.findings if one.check == "divergence"]
    assert {one.severity for one in found} == {severity}
    assert len(find_incidents(trace, verdict)) == (severity is Severity.DANGER)


def test_equal_logs_with_one_longer_do_not_diverge() -> None:
    story = Story("1.1.1")
    story.begin()
    story.add("batch_on_disk", 1, epoch=0, from_offset=0, offset=20, aux=7)
    story.add("batch_on_disk", 1, epoch=0, from_offset=20, offset=30, aux=8)
    story.add("batch_on_disk", 2, epoch=0, from_offset=0, offset=20, aux=7)
    for broker, end in ((1, 30), (2, 20)):
        story.add("log_end_on_disk", broker, leo=end, log_start=0)

    assert story.verdict().divergences == ()


def test_a_divergence_ends_where_the_shorter_log_does() -> None:
    story = Story("1.1.1")
    story.begin()
    story.add("batch_on_disk", 1, epoch=0, from_offset=0, offset=30, aux=111)
    story.add("batch_on_disk", 2, epoch=0, from_offset=0, offset=20, aux=222)
    for broker, end in ((1, 30), (2, 20)):
        story.add("log_end_on_disk", broker, leo=end, log_start=0)

    assert [(one.first_offset, one.end_offset) for one in story.verdict().divergences] == [(0, 20)]
