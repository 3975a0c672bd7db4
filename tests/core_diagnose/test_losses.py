"""Losses of hand-written traces: which records, how sure, by which cause, as Kafka's rules have it."""

import pytest

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.commitment import watermarks
from core.diagnose.verdict.facts import LossClass, Severity, Shown
from core.kafka.eras import era
from core.trace.vocabulary import Basis, CutReason
from tests.runs import simulated
from tests.stories import Story, loss_of_0_10


def test_the_loss_case_of_0_10() -> None:
    story = Story("0.10.2.2")
    loss_of_0_10(story)

    found = story.verdict()

    cuts = [(cut.broker, cut.from_offset, cut.to_offset, cut.rule) for cut in found.truncations]
    assert cuts == [
        (2, 254, 206, "high-watermark"),
        (1, 256, 254, "high-watermark"),
        (1, 254, 206, "leader-end"),
    ]
    assert [cut.below_high_watermark for cut in found.truncations] == [True, None, True]
    committed = [loss for loss in found.losses if loss.loss_class is LossClass.COMMITTED]
    assert [(loss.first_offset, loss.end_offset, loss.epoch) for loss in committed] == [(206, 254, 0)]
    assert committed[0].cause == "high-watermark-truncation"
    assert committed[0].removed_from == (1, 2)
    assert committed[0].survives_on == ()
    assert found.findings[0].check == "committed-loss"


def test_the_tail_above_every_high_watermark_may_only_have_been_told_by_acks_1() -> None:
    story = Story("0.10.2.2")
    loss_of_0_10(story)

    tail = [loss for loss in story.verdict().losses if loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED]

    # 2 was a member of the ISR with a log of 254: the leader's high watermark cannot have passed that.
    assert [(loss.first_offset, loss.end_offset) for loss in tail] == [(254, 256)]
    assert tail[0].severity is Severity.NOTICE


def test_a_lost_tail_is_one_cut_and_what_was_committed_before_the_run_is_lost() -> None:
    """The script's start says that the high watermark is 2 on both; one broker comes back with one record."""
    verdict = diagnose(simulated("lost-tail", era("2.8"))).partitions[0]

    cuts = [(cut.broker, cut.from_offset, cut.to_offset, cut.rule) for cut in verdict.truncations]
    assert cuts == [(2, 2, 1, "recovery"), (1, 2, 1, "diverging-epoch")]
    [loss] = verdict.losses
    assert (loss.first_offset, loss.end_offset, loss.loss_class) == (1, 2, LossClass.COMMITTED)


def test_leader_epochs_keep_what_was_committed() -> None:
    story = Story("2.8.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("became_follower", 2, leader=1, epoch=0, leo=254, hw=203)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=254)
    story.add("leader_elected", 2, leader=2, epoch=2, isr=(2,), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=2, leo=254, hw=203, isr=(2,))
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=259)
    story.add("became_follower", 1, leader=2, epoch=2, leo=259, hw=254)
    story.add("truncated", 1, offset=254)

    found = story.verdict()

    # recordings/k28-epoch-fix, orders-0: only the tail goes that nobody but the old leader held.
    assert [(loss.first_offset, loss.end_offset) for loss in found.losses] == [(254, 259)]
    assert found.losses[0].loss_class is LossClass.POSSIBLY_ACKNOWLEDGED
    assert found.losses[0].severity is Severity.NOTICE


def test_an_unclean_election_is_a_danger_and_loses_what_only_others_held() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("leo_sample", 2, leo=20)
    story.add("leo_sample", 1, leo=50)
    story.add("hw_sample", 1, hw=45)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=1, leo=20, hw=20, isr=(2,))
    story.add("became_follower", 1, leader=2, epoch=1, leo=50, hw=45)
    story.add("truncated", 1, offset=20)

    found = story.verdict()

    assert [term.election for term in found.leadership] == ["first", "unclean"]
    ranges = [(loss.first_offset, loss.end_offset, loss.loss_class.value) for loss in found.losses]
    assert ranges == [(20, 45, "committed"), (45, 50, "possibly-acknowledged")]
    assert {loss.cause for loss in found.losses} == {"unclean-election"}
    assert "unclean-election" in {finding.check for finding in found.findings}


def test_what_a_producer_was_told_is_acknowledged() -> None:
    story = Story("2.8.2", simulated=True, records=("m0", "m1"))
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=2, leo=2, aux=0)
    story.add("acknowledged", 1, from_offset=0, offset=1, aux=1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1, aux=5)
    story.add("became_leader", 2, leader=2, epoch=1, leo=0, hw=0)
    story.add("became_follower", 1, leader=2, epoch=1, leo=2, hw=0)
    story.add("truncated", 1, from_offset=2, offset=0, leo=0, aux=3)

    classes = [(loss.first_offset, loss.end_offset, loss.loss_class.value) for loss in story.verdict().losses]

    # Its own acks=1 was told for m0; m1 was neither confirmed nor visible.
    assert classes == [(0, 1, "acknowledged"), (1, 2, "uncommitted")]


def test_a_leader_that_kept_the_records_brings_them_back() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("leo_sample", 1, leo=30)
    story.add("hw_sample", 1, hw=30)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("became_leader", 2, leader=2, epoch=1, leo=20, hw=20)
    story.add("leader_elected", 1, leader=1, epoch=2, isr=(1,), partition_epoch=3)
    story.add("became_leader", 1, leader=1, epoch=2, leo=30, hw=30)

    assert story.verdict().losses == ()


def test_what_a_follower_says_of_no_epoch_was_not_written_in_one_that_was_over() -> None:
    """The word of broker 3 on epoch 2 is missing: it goes on, and its log and high watermark with it."""
    story = Story("0.10.2.2", replicas=(1, 2, 3))
    story.begin()
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2, 3, 1), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1)
    story.add("leo_sample", 2, leo=59)
    story.add("became_follower", 3, leader=2, epoch=1)
    story.add("truncated", 3, offset=59)
    story.add("fetcher_added", 3, leader=2, offset=59)
    story.add("leo_sample", 3, leo=110)
    story.add("became_leader", 1, leader=1, epoch=2)
    story.add("leo_sample", 1, leo=117)
    story.add("leo_sample", 3, leo=296)
    story.add("hw_sample", 3, hw=296)

    assert story.verdict().losses == ()
    assert all(mark.value < 296 for mark in watermarks(open_case(story.history())))


@pytest.mark.parametrize(
    ("version", "after", "members", "shown"),
    [
        ("2.8.2", 2, (1,), Shown.SHOWN),
        ("2.8.2", 2, (1, 2), Shown.NOT_SHOWN),
        ("2.8.2", 3, (1,), Shown.NOT_SHOWN),
        ("3.9.0", 2, (1,), Shown.NOT_SHOWN),
    ],
    ids=["alone to its end", "took one in again", "an epoch between", "may be held"],
)
def test_a_leader_that_dies_alone_had_committed_its_whole_log(
    version: str, after: int, members: tuple[int, ...], shown: Shown
) -> None:
    """It led with 10 records and a high watermark of 5, and comes back with 20; another led from 5 meanwhile.

    Who may have been taken in, or taken out by the controller, may have lacked the records. From 3.7 on
    min.insync.replicas may have held the high watermark.
    """
    story = Story(version)
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1)
    story.add("became_leader", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1, leo=10, hw=5)
    story.process("broker_crashed", 1, basis=Basis.INFERRED)
    story.add("leaderless", 2, leader=-1, epoch=after, isr=members, partition_epoch=after)
    elected = after + 1
    story.add("leader_elected", 2, leader=2, epoch=elected, isr=(2,), partition_epoch=elected, aux=5)
    story.add("became_leader", 2, leader=2, epoch=elected, isr=(2,), partition_epoch=elected, leo=5, hw=5)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=20)
    story.add("became_follower", 1, leader=2, epoch=elected, leo=20, hw=5)
    story.add("truncated", 1, offset=5)

    found = {
        offset: loss.commit
        for loss in story.verdict().losses
        for offset in range(loss.first_offset, loss.end_offset)
    }

    assert set(found) == set(range(5, 20))
    assert {found[offset] for offset in range(10, 20)} == {shown}


def test_only_part_of_the_logs_gives_no_strong_claim() -> None:
    story = Story("0.10.2.2")
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("leader_and_isr_received", 2, leader=1, epoch=2, isr=(2, 1), partition_epoch=2)

    for loss in story.verdict().losses:
        assert loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED


def test_what_no_line_shows_to_be_written_too_late_is_not_from_a_stale_leader() -> None:
    """Logs have no line for an append: broker 1 had 10 records when broker 2, which had 5, was elected."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=10)
    story.add("leo_sample", 2, leo=5)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1, aux=2)
    story.add("became_leader", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1, leo=5, hw=5)
    story.add("became_follower", 1, leader=2, epoch=1, leo=10, hw=5)
    story.add("truncated", 1, offset=5)

    assert [(loss.first_offset, loss.end_offset, loss.cause) for loss in story.verdict().losses] == [
        (5, 10, "not-replicated")
    ]


def test_records_of_an_earlier_epoch_that_were_copied_later_are_not_lost() -> None:
    """Broker 1 has no logs. It led in epochs 0 and 2, and broker 2, which led between, copied from it.

    Up to 1.1 a follower may keep what it wrote itself (KIP-279), so that epochs fall within its log.
    """
    story = Story("0.11.0.3")
    story.process("broker_starting", 2)
    story.add("leader_elected", 3, leader=1, epoch=0, isr=(1, 2))
    story.add("log_created", 2)
    story.add("became_follower", 2, leader=1, epoch=0, leo=0, hw=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0)
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2,))
    story.add("became_leader", 2, leader=2, epoch=1, leo=20)
    story.add("leader_elected", 3, leader=1, epoch=2, isr=(1,))
    story.add("became_follower", 2, leader=1, epoch=2)
    story.add("fetcher_added", 2, leader=1, epoch=2, offset=29)
    for epoch, first, end in ((0, 0, 20), (1, 20, 29), (0, 29, 34), (2, 34, 39)):
        story.add("batch_on_disk", 2, in_a_file=True, epoch=epoch, from_offset=first, offset=end)
    story.add("log_end_on_disk", 2, in_a_file=True, leo=39, log_start=0)

    lost = [(loss.epoch, loss.first_offset, loss.end_offset) for loss in story.verdict().losses]

    assert all(epoch != 0 for epoch, _, _ in lost)


@pytest.mark.parametrize(("reason", "lost"), [(CutReason.LEADER_EPOCH, True), (CutReason.RECOVERY, False)])
def test_a_cut_to_agree_shows_what_a_leader_without_logs_did_not_hold(
    reason: CutReason, *, lost: bool
) -> None:
    """Broker 2 has no logs. Broker 1 asked it, and cut what it had confirmed alone, to 20."""
    story = Story("2.8.2")
    for kind in ("broker_starting", "broker_registered"):
        story.process(kind, 1)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0, aux=1)
    story.add("log_created", 1)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0, hw=0)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("leo_sample", 1, leo=50)
    story.add("hw_sample", 1, hw=45)
    story.add("leader_elected", 3, leader=2, epoch=1, isr=(2,), partition_epoch=2)
    story.add("became_follower", 1, leader=2, epoch=1, leo=50, hw=45)
    story.add("truncated", 1, offset=20, aux=int(reason))

    found = story.verdict()

    ranges = [(loss.first_offset, loss.end_offset, loss.loss_class.value) for loss in found.losses]
    assert ranges == ([(20, 45, "committed"), (45, 50, "possibly-acknowledged")] if lost else [])


def moved_away(*, deletes: tuple[int, ...]) -> Story:
    """Broker 1 has 27 records, of which broker 2 has 21 as it takes over; some brokers delete their log."""
    story = Story("4.1.2")
    story.begin()
    story.add("leo_sample", 1, leo=27)
    story.add("leo_sample", 2, leo=21)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=21, hw=21)
    for broker in deletes:
        story.add("log_deleted", broker)
    return story


def test_what_went_with_a_replica_that_was_moved_away_is_not_held_by_anyone() -> None:
    """A reassignment takes the old leader out of the partition: it deletes its log, and cuts nothing."""
    (loss,) = moved_away(deletes=(1,)).verdict().losses

    assert (loss.first_offset, loss.end_offset, loss.epoch) == (21, 27, 0)
    assert loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED
    assert loss.removed_from == (1,)
    assert loss.survives_on == ()


@pytest.mark.parametrize("deletes", [(1, 2), (2, 1)])
def test_a_topic_that_is_deleted_loses_nothing(deletes: tuple[int, ...]) -> None:
    assert moved_away(deletes=deletes).verdict().losses == ()
