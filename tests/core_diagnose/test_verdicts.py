"""Cuts, losses, divergences and findings on hand-written traces; expected values from Kafka's rules."""

from dataclasses import replace

import pytest

from core.diagnose.verdict.as_json import verdict_dict
from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.checks import CHECK, CHECKS
from core.diagnose.verdict.commitment import watermarks
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Severity, Shown
from core.diagnose.verdict.findings_logs import members_behind_the_watermark
from core.diagnose.verdict.takeovers import find_pieces
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.ids import BrokerId, Place, TopicPartition
from core.trace.trace import Partition
from core.trace.vocabulary import Basis, CutReason
from core.words import text
from tests.runs import simulated
from tests.stories import Story


def verdict(story: Story) -> PartitionVerdict:
    return diagnose_partition(story.history())


def loss_of_0_10(story: Story) -> None:
    """The steps of recordings/k0102-hw-loss on one partition, with its numbers."""
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1, aux=2)
    story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=256)
    story.add("leader_and_isr_received", 1, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("truncated", 1, offset=254)
    story.add("fetcher_added", 1, leader=2, offset=254)
    story.add("fetch_offset_reset", 1, leader=2, from_offset=254, offset=206)
    story.add("truncated", 1, offset=206)


def test_the_loss_case_of_0_10() -> None:
    story = Story("0.10.2.2")
    loss_of_0_10(story)

    found = verdict(story)

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

    tail = [loss for loss in verdict(story).losses if loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED]

    # 2 was a member of the ISR with a log of 254: the leader's high watermark cannot have passed that.
    assert [(loss.first_offset, loss.end_offset) for loss in tail] == [(254, 256)]
    assert tail[0].severity is Severity.NOTICE


def test_a_cut_that_is_fetched_again_loses_nothing() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)
    story.add("leo_sample", 2, leo=254)

    found = verdict(story)

    assert len(found.truncations) == 1
    assert found.losses == ()
    assert all(finding.severity is Severity.NOTICE for finding in found.findings)


def test_a_line_that_removed_nothing_is_no_cut() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=218)
    story.add("became_follower", 2, leader=1)
    story.add("truncated", 2, offset=218)
    story.add("became_follower", 2, leader=1)
    story.add("truncated", 2, offset=300)
    story.add("truncation_noop", 2, offset=300, leo=218, wait=0)

    assert verdict(story).truncations == ()


def test_from_0_11_the_line_alone_proves_a_cut_of_a_record() -> None:
    story = Story("0.11.0.3")
    story.begin()
    story.add("truncated", 2, offset=10)

    (cut,) = verdict(story).truncations

    assert (cut.from_offset, cut.to_offset, cut.basis, cut.rule) == (11, 10, Basis.BOUNDED, "leader-epoch")


def test_the_rule_is_what_the_event_before_says() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1, leo=254, hw=201)
    story.add("truncation_decided", 2, offset=201, hw=201, aux=1)
    story.add("truncated", 2, offset=201)

    (cut,) = verdict(story).truncations

    assert (cut.rule, cut.from_offset) == ("high-watermark", 254)


def test_a_tail_that_never_reached_the_disk() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=300)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=290)

    (cut,) = verdict(story).truncations

    assert (cut.from_offset, cut.to_offset, cut.rule) == (300, 290, "recovery")


def test_a_new_disk_whose_first_start_ended_before_the_log_was_asked_for() -> None:
    """To 2.8 a new log is told of as if it were loaded, and then as created: at the second start here."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=3)
    story.process("broker_starting", 1)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=0)
    story.add("log_created", 1, wait=0)

    cuts = [cut for cut in verdict(story).truncations if cut.broker == 1]

    assert [(cut.from_offset, cut.to_offset, cut.rule) for cut in cuts] == [(3, 0, "recovery")]


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

    found = verdict(story)

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

    found = verdict(story)

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

    classes = [(loss.first_offset, loss.end_offset, loss.loss_class.value) for loss in verdict(story).losses]

    # Its own acks=1 was told for m0; m1 was neither confirmed nor visible.
    assert classes == [(0, 1, "acknowledged"), (1, 2, "uncommitted")]


def test_in_a_simulation_it_is_known_that_a_cut_was_above_every_high_watermark() -> None:
    trace = simulated("hw-divergence", era("0.11"))

    cuts = diagnose_partition(open_history(trace, 0)).truncations

    # domain.md section 3: A's m3 was on A alone; B's m4 had been committed by B alone in the ISR.
    assert [(c.broker, c.from_offset, c.to_offset, c.below_high_watermark) for c in cuts] == [
        (1, 3, 2, False),
        (2, 3, 2, True),
    ]


def test_in_0_10_the_divergence_stands_and_the_outvoted_record_is_lost() -> None:
    trace = simulated("hw-divergence", era("0.10.2"))

    found = diagnose_partition(open_history(trace, 0))

    # The same offset 2 holds m5 on A and m4 on B; B cut nothing.
    assert [(d.brokers, d.first_offset, d.end_offset) for d in found.divergences] == [((1, 2), 2, 3)]
    committed = [loss for loss in found.losses if loss.loss_class is LossClass.COMMITTED]
    assert [(one.first_offset, one.end_offset, one.survives_on) for one in committed] == [(2, 3, (2,))]


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

    assert verdict(story).losses == ()


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

    assert verdict(story).losses == ()
    assert all(mark.value < 296 for mark in watermarks(open_case(story.history())))


def test_different_batches_at_one_offset_are_a_divergence() -> None:
    story = Story("1.1.1")
    story.begin()
    for broker, crc in ((1, 111), (2, 222)):
        story.add("batch_on_disk", broker, epoch=0, from_offset=0, offset=20, aux=7)
        story.add("batch_on_disk", broker, epoch=0, from_offset=20, offset=30, aux=crc)
    for broker in (1, 2):
        story.add("log_end_on_disk", broker, leo=30, log_start=0)

    found = verdict(story)

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

    assert verdict(story).divergences == ()


def test_a_high_watermark_above_the_log_end_is_reported_not_rejected() -> None:
    story = Story("0.10.2.2", simulated=True)
    story.begin()
    story.add("hw_moved", 1, hw=0)
    story.add("appended", 1, epoch=0, from_offset=0, offset=254, leo=254)
    story.add("hw_moved", 1, hw=254)
    story.add("truncated", 1, from_offset=254, offset=206, leo=206, aux=4)

    texts = [text(finding.message) for finding in verdict(story).findings if finding.check == "hw-above-leo"]

    assert texts == ["Broker 1 had a high watermark of 254 above its log end offset 206."]


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
        for loss in verdict(story).losses
        for offset in range(loss.first_offset, loss.end_offset)
    }

    assert set(found) == set(range(5, 20))
    assert {found[offset] for offset in range(10, 20)} == {shown}


def test_a_leaderless_epoch_is_a_term_and_a_finding() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leaderless", 2, leader=-1, epoch=1, isr=(1,), partition_epoch=1)

    found = verdict(story)

    assert [(term.epoch, term.leader) for term in found.leadership] == [(0, 1), (1, -1)]
    assert [finding.check for finding in found.findings] == ["leaderless", "last-replica-standing"]


def test_only_part_of_the_logs_gives_no_strong_claim() -> None:
    story = Story("0.10.2.2")
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("leader_and_isr_received", 2, leader=1, epoch=2, isr=(2, 1), partition_epoch=2)

    for loss in verdict(story).losses:
        assert loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED


def test_ranks_and_severities_come_from_one_table() -> None:
    assert [check.rank for check in CHECKS] == list(range(1, len(CHECKS) + 1))
    order = [Severity.LOSS, Severity.DANGER, Severity.NOTICE]
    # One notice stands above a danger: triage lists a watermark that moved back before unclean elections.
    severities = [order.index(check.severity) for check in CHECKS if check.id != "hw-went-back"]
    assert severities == sorted(severities)
    assert set(CHECK) == {check.id for check in CHECKS}


def test_ranks_are_in_the_order_of_triage() -> None:
    # The order that triage states: proven loss, possible loss, differing logs, HW moved back, and so on.
    stated = (
        "committed-loss",
        "acknowledged-loss",
        "possible-loss",
        "divergence",
        "hw-went-back",
        "unclean-election",
        "epoch-storm",
        "isr-flapping",
        "cut-below-hw",
    )
    ranks = [CHECK[check].rank for check in stated]
    assert ranks == sorted(ranks)
    assert ranks[:6] == [1, 2, 3, 4, 5, 6]


def test_the_verdict_as_json_has_the_names_of_the_design() -> None:
    story = Story("0.10.2.2")
    loss_of_0_10(story)
    trace = story.trace()

    answer = verdict_dict(trace, diagnose(trace), text, document="case")
    partition = answer["partitions"][0]

    assert set(answer) == {
        "schema",
        "document",
        "origin",
        "complete",
        "left_out",
        "kafka_versions",
        "partitions",
        "findings",
        "report",
    }
    assert set(partition) == {
        "topic",
        "partition",
        "replicas",
        "leadership",
        "isr",
        "truncations",
        "losses",
        "divergences",
        "final",
    }
    evidence = partition["losses"][0]["evidence"]
    assert evidence
    assert all(set(one) == {"file", "line", "byte", "text"} for one in evidence)
    assert partition["truncations"][0]["evidence"][0]["text"].endswith("truncated")
    assert answer["findings"][0]["severity"] == "loss"


def test_a_cut_from_where_two_sources_contradict_each_other_is_not_proven() -> None:
    """The line on a start between the two is missing: the high watermark of before is not that of the cut."""
    story = Story("0.10.2.2")
    story.begin()
    story.add("hw_checkpointed", 2, in_a_file=True, hw=92)
    story.add("truncated", 2, wait=1, offset=64, aux=CutReason.LOCAL_HIGH_WATERMARK)

    assert diagnose(story.trace()).partitions[0].truncations == ()


def test_a_divergence_ends_where_the_shorter_log_does() -> None:
    story = Story("1.1.1")
    story.begin()
    story.add("batch_on_disk", 1, epoch=0, from_offset=0, offset=30, aux=111)
    story.add("batch_on_disk", 2, epoch=0, from_offset=0, offset=20, aux=222)
    for broker, end in ((1, 30), (2, 20)):
        story.add("log_end_on_disk", broker, leo=end, log_start=0)

    assert [(one.first_offset, one.end_offset) for one in verdict(story).divergences] == [(0, 20)]


def test_a_follower_that_was_not_told_of_an_epoch_may_be_in_it() -> None:
    """Its own lines state the epoch before, and go on."""
    story = Story("2.8.2", (1, 2, 3))
    story.begin()
    elected = story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2, 3), partition_epoch=1)
    for _ in range(3):
        story.add("leo_sample", 2, leo=0)
    case = open_case(story.history())

    assert not case.may_be_past(case.roles[2], Place(elected))
    assert case.may_be_past(case.roles[2], Place(elected + 1))


def test_the_least_log_end_of_a_run_between_two_places_is_that_after_a_cut() -> None:
    """domain.md section 3: B, which held 2 records, cuts to 1."""
    case = open_case(open_history(simulated("hw-loss", era("0.10.2")), 0))
    cut = next(row for row in case.of(frozenset({"truncated"})) if row.replica == 2)

    assert case.shortest(2, Place(cut.number), Place(cut.number + 1)) == 1
    assert case.shortest(2, Place(cut.number), Place(cut.number)) == 2


def test_a_partition_of_which_nothing_is_said_has_nothing_to_tell() -> None:
    story = Story("2.8.2")
    story.add("leo_sample", 1, leo=3)
    trace = story.trace()
    silent = Partition(TopicPartition("t", 1), (BrokerId(1), BrokerId(2)))
    trace = replace(trace, partitions=(*trace.partitions, silent))

    found = diagnose_partition(open_history(trace, 1))

    assert (found.losses, found.truncations, found.findings) == ((), (), ())
    assert list(members_behind_the_watermark(open_case(open_history(trace, 1)))) == []


def test_no_piece_of_a_log_is_empty() -> None:
    """No line shows how far the leader's log went when it took over: nothing is surely of its epoch."""
    story = Story("2.8.2")
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0, aux=1)
    story.add("log_created", 2)
    story.add("became_follower", 2, leader=1, epoch=0, leo=0, hw=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0)
    story.add("leo_sample", 2, leo=30)
    case = open_case(story.history())

    assert find_pieces(case, ()) == []


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

    assert [(loss.first_offset, loss.end_offset, loss.cause) for loss in verdict(story).losses] == [
        (5, 10, "not-replicated")
    ]


def test_a_member_that_is_behind_at_the_last_event_of_a_run_is_told() -> None:
    """Broker 2 has nothing since its log was created, and the high watermark is 10 all the same."""
    story = Story("2.8.2", simulated=True)
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=10, leo=10)
    last = story.add("hw_moved", 1, hw=10)

    told = [one.seq for one in verdict(story).findings if one.check == "isr-empty-disk"]

    assert told == [last]


def test_a_simulation_does_not_contradict_itself() -> None:
    """Script s1 has a leader whose high watermark rises with its followers, up to its log end."""
    found = diagnose_partition(open_history(simulated("s1", era("2.8")), 0))

    assert "sources-disagree" not in {one.check for one in found.findings}


def test_the_question_and_the_answer_before_a_cut_are_its_evidence_and_those_of_an_earlier_cut_are_not() -> (
    None
):
    """KIP-101: a follower asks for the end of its epoch, is answered, and cuts there."""
    story = Story("2.8.2")
    story.begin()
    for end in (20, 10):
        story.add("leo_sample", 2, leo=30)
        asked = story.add("epoch_end_asked", 2, leader=1, epoch=0)
        answered = story.add("epoch_end_answered", 2, leader=1, epoch=0, offset=end)
        story.add("truncated", 2, offset=end)

    *_, last = verdict(story).x_rays

    assert last.evidence[1:3] == (answered, asked)
    assert min(last.evidence) >= asked - 1
