"""Logs that differ at one offset, and those that do not. What is expected comes from Kafka's rules."""

from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import LossClass
from core.history.open import open_history
from core.kafka.eras import era
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
