"""One row a partition: counted from the verdict, ranked by the one table of checks."""

from dataclasses import replace

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity
from core.diagnose.verdict.seen import seen_in
from core.diagnose.verdict.summary import PartitionSummary, Spell, ranked, summarise
from core.kafka.eras import era
from core.message import Message
from core.trace.trace import Trace
from tests.runs import simulated
from tests.stories import SECOND, Story


def summary(trace: Trace) -> PartitionSummary:
    return summarise(trace, diagnose(trace).partitions[0], seen_in(trace))


def test_the_loss_of_the_high_watermark_truncation_in_numbers() -> None:
    lost = summary(simulated("hw-loss", era("0.10.2")))
    kept = summary(simulated("hw-loss", era("2.8")))

    assert (lost.check, lost.records_lost, lost.records_possible) == ("committed-loss", 1, 0)
    assert lost.reason is not None
    assert kept.reason is not None
    assert lost.truncations >= 1
    assert lost.seen == 1.0
    assert kept.records_lost == kept.records_possible == 0
    assert [one.records_lost for one in ranked([kept, replace(lost, partition=1)], {0: "a", 1: "b"})] == [
        1,
        0,
    ]


def _loss(first: int, end: int, loss_class: LossClass) -> Loss:
    severity = {
        LossClass.COMMITTED: Severity.LOSS,
        LossClass.ACKNOWLEDGED: Severity.LOSS,
        LossClass.POSSIBLY_ACKNOWLEDGED: Severity.DANGER,
        LossClass.UNCOMMITTED: Severity.NOTICE,
    }[loss_class]
    return Loss(0, first, end, 0, (1,), (), loss_class, "unknown", None, Message("some.loss"), severity)


@pytest.mark.parametrize(
    ("losses", "proven", "possible", "rest"),
    [
        ([(0, 10, LossClass.COMMITTED), (5, 12, LossClass.ACKNOWLEDGED)], 12, 0, 0),
        ([(0, 10, LossClass.COMMITTED), (5, 12, LossClass.POSSIBLY_ACKNOWLEDGED)], 10, 2, 0),
        ([(3, 5, LossClass.COMMITTED), (0, 9, LossClass.UNCOMMITTED)], 2, 0, 7),
    ],
)
def test_a_record_is_counted_once_and_in_its_strongest_class(
    losses: list[tuple[int, int, LossClass]], proven: int, possible: int, rest: int
) -> None:
    story = Story()
    story.begin()
    trace = story.trace()
    found = summarise(trace, PartitionVerdict(0, losses=tuple(_loss(*one) for one in losses)), seen_in(trace))

    assert (found.records_lost, found.records_possible, found.records_uncommitted) == (proven, possible, rest)


def test_ranks_are_those_of_the_table_then_records_then_time_then_name() -> None:
    story = Story()
    story.begin()
    plain = summary(story.trace())

    def row(number: int, check: str | None, lost: int = 0, at: int = 0) -> PartitionSummary:
        return replace(plain, partition=number, check=check, records_lost=lost, at=at)

    rows = [
        row(0, None),
        row(1, "unclean-stop"),
        row(2, "committed-loss", 5, 9),
        row(3, "committed-loss", 5, 2),
        row(4, "committed-loss", 70),
        row(5, "divergence"),
        row(6, None),
        row(7, None),
    ]
    names = {number: f"t-{number}" for number in range(6)} | {6: "a-10", 7: "a-9"}

    assert [one.partition for one in ranked(rows, names)] == [4, 3, 2, 5, 1, 7, 6, 0]
    assert rows[0].rank > max(check.rank for check in CHECK.values())


def test_topics_that_kafka_keeps_come_after_those_of_users() -> None:
    story = Story()
    story.begin()
    plain = replace(summary(story.trace()), check="committed-loss")
    names = {0: "__consumer_offsets-7", 1: "orders-0", 2: "__transaction_state-0", 3: "__own-0"}
    lost = {0: 12_631, 1: 3, 2: 40, 3: 2}
    rows = [replace(plain, partition=number, records_lost=records) for number, records in lost.items()]

    assert [one.partition for one in ranked(rows, names)] == [1, 3, 0, 2]


def test_topics_that_kafka_keeps_come_last_of_those_that_are_as_serious() -> None:
    """A possible loss of a user's topic comes before that of another; a proven loss before both."""
    story = Story()
    story.begin()
    plain = summary(story.trace())
    worst = {
        ("__consumer_offsets-7", "possible-loss"),
        ("orders-0", "unclean-election"),
        ("__transaction_state-0", "acknowledged-loss"),
        ("orders-1", "unclean-stop"),
        ("__consumer_offsets-8", "hw-went-back"),
        ("__consumer_offsets-9", None),
        ("orders-2", None),
        ("__cluster_metadata-0", "leaderless"),
        ("orders-3", "false-alarm"),
    }
    names = dict(enumerate(sorted(name for name, _ in worst)))
    of = dict(worst)
    rows = [replace(plain, partition=number, check=of[name]) for number, name in names.items()]

    assert [names[one.partition] for one in ranked(rows, names)] == [
        "__transaction_state-0",
        "orders-0",
        "__consumer_offsets-7",
        "__consumer_offsets-8",
        "orders-1",
        "orders-3",
        "__cluster_metadata-0",
        "orders-2",
        "__consumer_offsets-9",
    ]


def test_who_led_when_and_what_is_not_known_of_it() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 2, leader=-1, epoch=1, isr=[1], partition_epoch=1, wait=SECOND)
    story.add("leader_elected", 2, leader=2, epoch=2, isr=[2], partition_epoch=2, wait=3 * SECOND)
    story.add("became_leader", 2, leader=2, epoch=2, leo=0, hw=0, wait=SECOND)
    found = summary(story.trace())

    leaders = [spell.leader for spell in found.spells]
    assert leaders == [1, -1, 2]
    assert all(isinstance(spell, Spell) and spell.start <= spell.end for spell in found.spells)
    assert found.spells[1].end - found.spells[1].start == found.leaderless_ns == 3 * SECOND
    assert found.elections == 1
    # The set [2] was said at the very end: how long it stood is not known.
    assert found.under_replicated_ns == 3 * SECOND


def test_silence_lowers_what_was_seen() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=5)
    story.add("leo_sample", 2, leo=5)
    story.process("broker_crashed", 2, wait=0)
    story.builder.add(story.now, "evidence_gap", broker=2, replica=2, aux=100 * SECOND)
    story.process("broker_starting", 2, wait=100 * SECOND)
    story.add("leo_sample", 1, leo=5)
    partial = summary(story.trace())

    assert partial.gaps == 1
    # Of 200 s broker 1 is heard in all; broker 2 from 20 s to 200 s, with 100 s of silence: 280 of 400.
    assert partial.seen == pytest.approx(280 / 400)
