"""What the page on an incident says: verdicts written by hand, the numbers counted by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from core.diagnose.account.advice import Helps, advised
from core.diagnose.account.find import find_incidents
from core.diagnose.account.page import IncidentPage, page_of
from core.diagnose.account.story import STEPS, StepKind, Story, fault_steps, story_of
from core.diagnose.verdict.facts import (
    Copy,
    Leadership,
    Loss,
    LossClass,
    PartitionVerdict,
    Severity,
    Shown,
    Truncation,
    Verdict,
)
from core.message import Message
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, Partition, Trace
from core.trace.units import SECOND_NS
from core.trace.vocabulary import Basis
from gui.text.render import renderer
from tests.stories import Story as Written

T = 100 * SECOND_NS
CATALOGUE = Path(__file__).parents[2] / "gui" / "locales" / "en" / "incident.po"


def a_trace(*names: str) -> Trace:
    written = Written("2.8.2", (1, 2, 3))
    written.begin()
    written.add("isr_committed", 1, isr=(1, 2), wait=1000 * SECOND_NS)
    partitions = tuple(
        Partition(TopicPartition(name.rpartition("-")[0], int(name[-1])), tuple(map(BrokerId, (1, 2, 3))))
        for name in names
    )
    brokers = tuple(Broker(BrokerId(one), version="2.8.2") for one in (1, 2, 3))
    return replace(written.trace(), partitions=partitions, brokers=brokers, facts={})


def a_copy(broker: int, first: int, end: int, since: int, until: int | None) -> Copy:
    return Copy(broker, first, end, since, since, until, None if until is None else "leader-epoch", 3)


def a_loss(first: int, end: int, *copies: Copy, **said: object) -> Loss:
    loss = Loss(
        seq=3,
        first_offset=first,
        end_offset=end,
        epoch=0,
        removed_from=(1, 2),
        survives_on=tuple(one.broker for one in copies if one.until is None),
        loss_class=LossClass.COMMITTED,
        cause="unclean-election",
        at=T,
        message=Message("a.loss"),
        severity=Severity.LOSS,
        copies=copies,
        commit=Shown.SHOWN,
        acknowledgement=Shown.NO_EVIDENCE,
        took_over=1,
    )
    return replace(loss, **said)


def a_verdict(*losses: tuple[Loss, ...]) -> Verdict:
    led = Leadership(1, 3, 0, T - 2 * SECOND_NS, None, "unclean", Basis.REPORTED)
    return Verdict(
        tuple(PartitionVerdict(number, leadership=(led,), losses=mine) for number, mine in enumerate(losses))
    )


def told(trace: Trace, verdict: Verdict) -> Story:
    return story_of(trace, verdict, find_incidents(trace, verdict)[0])


def the_page(*losses: Loss) -> IncidentPage:
    return page_of(a_trace("t-0"), a_verdict(losses)).pages[0]


def total(page: IncidentPage, key: str) -> str:
    return next(renderer()(one.value) for one in page.totals if one.key == key)


def test_a_broker_holds_what_its_copies_have_from_when_they_were_whole() -> None:
    copies = (a_copy(1, 0, 10, 5 * SECOND_NS, T), a_copy(2, 0, 6, 7 * SECOND_NS, T + SECOND_NS // 2))

    story = told(a_trace("t-0"), a_verdict((a_loss(0, 10, *copies),)))

    held = {one.broker: one.steps for one in story.held}
    assert held[1] == ((5 * SECOND_NS, 10), (T, 0))
    assert held[2] == ((7 * SECOND_NS, 6), (T + SECOND_NS // 2, 0))
    assert story.records == 10


def test_the_last_copy_is_told_of_each_record_by_itself() -> None:
    """Broker 2 had six of ten for longer: their last copy goes there, that of four at the cut of broker 1."""
    copies = (a_copy(1, 0, 10, 5, T), a_copy(2, 0, 6, 5, T + 9 * SECOND_NS))

    story = told(a_trace("t-0"), a_verdict((a_loss(0, 10, *copies),)))

    gone = {one.brokers: one.records for one in story.steps if one.kind is StepKind.GONE}
    assert gone == {(1,): 4, (2,): 6}


def test_what_is_left_somewhere_has_no_last_copy() -> None:
    copies = (a_copy(1, 0, 10, 5, T), a_copy(2, 0, 10, 5, None))

    story = told(a_trace("t-0"), a_verdict((a_loss(0, 10, *copies),)))

    assert [(one.kind, one.records) for one in story.steps if one.records] == [(StepKind.CUT, 10)]


def test_what_partitions_do_at_one_time_is_one_step() -> None:
    losses = [(a_loss(0, 10, a_copy(1, 0, 10, 5, T + number)),) for number in range(3)]

    story = told(a_trace("t-0", "t-1", "t-2"), a_verdict(*losses))

    assert [one.records for one in story.steps if one.kind is StepKind.GONE] == [30]


def test_of_many_steps_nine_are_told_and_the_others_are_counted() -> None:
    """Fourteen cuts of other copies two seconds apart, then the last copy; and the election."""
    copies = [a_copy(1, number, number + 1, 5, T + 2 * number * SECOND_NS) for number in range(14)]
    copies.append(a_copy(2, 0, 14, 5, T + 60 * SECOND_NS))

    story = told(a_trace("t-0"), a_verdict((a_loss(0, 14, *copies),)))

    assert len(story.steps) == STEPS
    assert story.left_out == 14 + 1 + 1 - STEPS
    assert [one.records for one in story.steps if one.kind is StepKind.GONE] == [14]
    assert [one.at for one in story.steps] == sorted(one.at for one in story.steps)


def test_what_nobody_could_tell_is_a_question_mark_and_not_zero() -> None:
    page = the_page(a_loss(0, 10))

    assert total(page, "lost") == "10"
    assert total(page, "acks") == "?"
    assert page.unknown == Message("incident.page.unknown-acks")


def test_what_rows_tell_of_is_counted_and_the_rest_leaves_a_bound() -> None:
    shown = a_loss(0, 4, acknowledgement=Shown.SHOWN)
    other = a_loss(4, 10)

    assert total(the_page(shown), "acks") == "4"
    assert total(the_page(shown, other), "acks") == "≥ 4"
    assert total(the_page(replace(other, acknowledgement=Shown.NOT_SHOWN)), "acks") == "0"


def test_possible_losses_keep_their_bound() -> None:
    possible = a_loss(20, 25, severity=Severity.DANGER, loss_class=LossClass.POSSIBLY_ACKNOWLEDGED)

    both, alone = the_page(a_loss(0, 10), possible), the_page(possible)

    assert total(both, "possible") == "≤ 5"
    assert renderer()(both.headline) == "10 committed records lost in 1 partition, one cause"
    assert renderer()(alone.headline) == "At most 5 records lost in 1 partition, one cause"
    assert not alone.causes[0].proven


def test_the_time_in_which_a_copy_could_be_saved_is_the_shortest() -> None:
    """From the election at T - 2 s to the last copies: after 2 s, and after 10 s."""
    early, late = a_copy(1, 0, 10, 5, T), a_copy(1, 0, 10, 5, T + 8 * SECOND_NS)
    trace = a_trace("t-0", "t-1")

    (page,) = page_of(trace, a_verdict((a_loss(0, 10, early),), (a_loss(0, 10, late),))).pages

    assert total(page, "saved") == "2.0 s"


def test_without_copies_the_time_is_not_known() -> None:
    assert total(the_page(a_loss(0, 10)), "saved") == "?"


def test_partitions_that_lost_the_same_offsets_stand_together() -> None:
    trace = a_trace("t-0", "t-1", "t-2")

    (page,) = page_of(trace, a_verdict((a_loss(0, 10),), (a_loss(5, 8),), (a_loss(0, 10),))).pages

    (cause,) = page.causes
    assert [[chip.partition for chip in group.chips] for group in cause.groups] == [[0, 2], [1]]
    captions = [renderer()(group.caption) for group in cause.groups if group.caption is not None]
    assert captions == ["offsets 0 to 9, 10 each", "offsets 5 to 7"]
    assert renderer()(cause.size) == "3 partitions, 23 records"


def test_nothing_found_says_in_how_many_partitions() -> None:
    (page,) = page_of(a_trace("t-0", "t-1"), a_verdict((), ())).pages

    assert page.incident is None
    assert renderer()(page.headline) == "Nothing lost, nothing diverged in 2 partitions"
    assert page.unknown is None


def test_what_was_left_out_was_not_checked() -> None:
    trace = replace(a_trace("t-0"), report={"left_out": ["a.log", "b.log"]})

    (page,) = page_of(trace, a_verdict(())).pages

    assert page.unknown is not None
    assert renderer()(page.unknown) == "not checked: 2 files that were left out or say too little"


def test_too_little_evidence_is_no_pass() -> None:
    """Records went that no later leader holds, and nothing could show that they had been committed."""
    loss = a_loss(
        0,
        10,
        severity=Severity.NOTICE,
        loss_class=LossClass.POSSIBLY_ACKNOWLEDGED,
        commit=Shown.NO_EVIDENCE,
    )
    cut = Truncation(3, 1, T, 10, 0, "leader-epoch", None, Basis.OBSERVED)
    verdict = Verdict((PartitionVerdict(0, truncations=(cut,), losses=(loss,)),))

    (page,) = page_of(a_trace("t-0"), verdict).pages

    assert renderer()(page.headline) == "1 cut; whether anything was committed is not known"


def test_records_that_went_uncommitted_are_no_pass() -> None:
    """acks=1 may have been answered for them: nobody can say that nothing was lost."""
    said = {"severity": Severity.NOTICE, "loss_class": LossClass.POSSIBLY_ACKNOWLEDGED}
    loss = a_loss(16, 19, commit=Shown.NOT_SHOWN, **said)

    (page,) = page_of(a_trace("t-0", "t-1"), a_verdict((loss,), (loss,))).pages

    assert renderer()(page.headline) == "No committed record is shown to be lost in 2 partitions"
    assert page.unknown is not None
    assert renderer()(page.unknown) == (
        "6 records were removed; nothing shows that they were committed, or that a producer was told of them"
    )


def test_nodes_of_a_cluster_with_a_metadata_log_are_not_all_called_brokers() -> None:
    trace = a_trace("t-0", "__cluster_metadata-0")

    (page,) = page_of(trace, a_verdict((), ())).pages

    assert renderer()(page.release) == "Kafka 2.8.2, 3 nodes"
    assert renderer()(the_page(a_loss(0, 10)).release) == "Kafka 2.8.2, 3 brokers"


def test_every_advice_says_where_it_is_from() -> None:
    with CATALOGUE.open("rb") as file:
        ids = {str(one.id[0] if isinstance(one.id, tuple) else one.id) for one in read_po(file)}
    advices = {one for one in ids if one.startswith("incident.do.")} - {"incident.do.nothing-known"}

    replayed = {one for one in advices if advised(Message(one)).basis.id == "incident.basis.replayed"}

    assert replayed == {one for one in advices if one.startswith("incident.do.replayed")}
    assert advised(Message("incident.do.replayed.nothing")).helps is Helps.NOT
    assert advised(Message("incident.do.save")).helps is Helps.KEEPS
    assert advised(Message("incident.do.unclean.topic")).helps is Helps.PREVENTS
    assert advised(Message("incident.do.not-replayed")).outcome.id == "incident.outcome.unknown"


@pytest.mark.parametrize(
    ("loss_class", "said"),
    [
        (LossClass.COMMITTED, "10 committed records lost in 1 partition, one cause"),
        (LossClass.ACKNOWLEDGED, "10 acknowledged records lost in 1 partition, one cause"),
    ],
)
def test_the_headline_names_the_promise(loss_class: LossClass, said: str) -> None:
    assert renderer()(the_page(a_loss(0, 10, loss_class=loss_class)).headline) == said


def test_ranges_that_touch_are_named_as_one() -> None:
    """Offsets 2 to 4 of one epoch and 5 to 8 of the next: nothing lies between them."""
    page = the_page(a_loss(2, 5), a_loss(5, 9, epoch=1))

    captions = [group.caption for cause in page.causes for group in cause.groups]
    assert [None if one is None else renderer()(one) for one in captions] == ["offsets 2 to 8"]


def test_brokers_that_fall_silent_together_are_one_step_from_the_first_to_the_last() -> None:
    """Of each broker the last silence before the records began to go."""
    trace = a_trace("t-0")
    silent: dict[int, tuple[tuple[int, int], ...]] = {
        1: ((2, 3), (T, T + 9)),
        2: ((T + 1, T + 9), (T + 7, T + 9)),
    }

    (step,) = fault_steps(trace, silent, T + 5)

    assert (step.kind, step.brokers) == (StepKind.SILENT, (1, 2))
    assert (step.at, step.until) == (T, T + 1)
