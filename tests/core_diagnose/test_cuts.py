"""Cuts of hand-written traces: from where, to where, by which rule, as Kafka has it."""

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.facts import Severity
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.ids import Place
from core.trace.vocabulary import Basis, CutReason
from tests.runs import simulated
from tests.stories import Story


def test_a_cut_that_is_fetched_again_loses_nothing() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)
    story.add("leo_sample", 2, leo=254)

    found = story.verdict()

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

    assert story.verdict().truncations == ()


def test_from_0_11_the_line_alone_proves_a_cut_of_a_record() -> None:
    story = Story("0.11.0.3")
    story.begin()
    story.add("truncated", 2, offset=10)

    (cut,) = story.verdict().truncations

    assert (cut.from_offset, cut.to_offset, cut.basis, cut.rule) == (11, 10, Basis.BOUNDED, "leader-epoch")


def test_the_rule_is_what_the_event_before_says() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("became_follower", 2, leader=1, epoch=1, leo=254, hw=201)
    story.add("truncation_decided", 2, offset=201, hw=201, aux=1)
    story.add("truncated", 2, offset=201)

    (cut,) = story.verdict().truncations

    assert (cut.rule, cut.from_offset) == ("high-watermark", 254)


def test_a_tail_that_never_reached_the_disk() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=300)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=290)

    (cut,) = story.verdict().truncations

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

    cuts = [cut for cut in story.verdict().truncations if cut.broker == 1]

    assert [(cut.from_offset, cut.to_offset, cut.rule) for cut in cuts] == [(3, 0, "recovery")]


def test_an_empty_log_that_begins_at_an_earlier_offset_loses_nothing() -> None:
    """A follower below the leader's log start begins there, and the first batch that it gets began before."""
    story = Story("3.3.2")
    story.begin()
    story.add("leo_sample", 2, leo=20)
    story.add("log_reset", 2, offset=41)
    story.add("log_reset", 2, offset=40, wait=0)

    assert [(cut.broker, cut.to_offset) for cut in story.verdict().truncations] == [(2, 41)]


def test_in_a_simulation_it_is_known_that_a_cut_was_above_every_high_watermark() -> None:
    trace = simulated("hw-divergence", era("0.11"))

    cuts = diagnose_partition(open_history(trace, 0)).truncations

    # domain.md section 3: A's m3 was on A alone; B's m4 had been committed by B alone in the ISR.
    assert [(c.broker, c.from_offset, c.to_offset, c.below_high_watermark) for c in cuts] == [
        (1, 3, 2, False),
        (2, 3, 2, True),
    ]


def test_a_cut_from_where_two_sources_contradict_each_other_is_not_proven() -> None:
    """The line on a start between the two is missing: the high watermark of before is not that of the cut."""
    story = Story("0.10.2.2")
    story.begin()
    story.add("hw_checkpointed", 2, in_a_file=True, hw=92)
    story.add("truncated", 2, wait=1, offset=64, aux=CutReason.LOCAL_HIGH_WATERMARK)

    assert diagnose(story.trace()).partitions[0].truncations == ()


def test_the_least_log_end_of_a_run_between_two_places_is_that_after_a_cut() -> None:
    """domain.md section 3: B, which held 2 records, cuts to 1."""
    case = open_case(open_history(simulated("hw-loss", era("0.10.2")), 0))
    cut = next(row for row in case.of(frozenset({"truncated"})) if row.replica == 2)

    assert case.shortest(2, Place(cut.number), Place(cut.number + 1)) == 1
    assert case.shortest(2, Place(cut.number), Place(cut.number)) == 2


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

    *_, last = story.verdict().x_rays

    assert last.evidence[1:3] == (answered, asked)
    assert min(last.evidence) >= asked - 1
