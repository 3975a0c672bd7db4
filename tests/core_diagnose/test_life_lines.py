"""Life lines and the details of the ledger. Expected values: the scripts' numbers and the recordings."""

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.commitment import acknowledged, watermarks
from core.diagnose.verdict.facts import Loss, LossClass, Told
from core.diagnose.verdict.holdings import find_holdings
from core.diagnose.verdict.life_lines import LifeLine, life_lines
from core.diagnose.verdict.truncations import truncations
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.words import text
from tests.recordings.whole import sampled
from tests.stories import Story


def lines_of(history: History) -> tuple[LifeLine, ...]:
    case = open_case(history)
    marks = watermarks(case)
    return life_lines(case, find_holdings(case), truncations(case, lambda: marks), marks, acknowledged(case))


def simulated(script: str, era_id: str) -> History:
    return open_history(simulate(scenario(script), era(era_id)), 0)


def recorded() -> History:
    trace = sampled("k0102-hw-loss")
    index = trace.partition_index("orders-0")
    assert index is not None
    return open_history(trace, index)


def test_the_record_that_hw_loss_loses_has_a_whole_life() -> None:
    (lost,) = [line for line in lines_of(simulated("hw-loss", "0.10.2")) if line.gone is not None]

    # m1: A appended it at offset 1, B copied it, A's high watermark passed it; B cut it, then A.
    assert (lost.epoch, lost.first_offset, lost.end_offset, lost.appended_by) == (0, 1, 2, 1)
    assert [(copy.broker, copy.removed_by) for copy in lost.copies] == [
        (1, "leader-end"),
        (2, "high-watermark"),
    ]
    assert [(below.broker, below.hw) for below in lost.below] == [(1, 2)]
    assert lost.held_by == ()
    assert lost.told == Told("nothing", "yes", "yes")
    since = [copy.since or 0 for copy in lost.copies]
    assert since == sorted(since)


def test_a_recordings_lines_are_runs_and_meet_its_truth() -> None:
    lines = lines_of(recorded())

    # truth.json of k0102-hw-loss: 206 to 253 committed and lost, 254 and 255 only on the old leader.
    found = [(line.epoch, line.first_offset, line.end_offset, line.held_by) for line in lines]
    assert found == [(0, 0, 206, (1, 2)), (0, 206, 254, ()), (0, 254, 256, ()), (1, 206, 218, (1, 2))]
    assert [line.appended_by for line in lines] == [1, 1, 1, 2]


def losses_of(story: Story) -> tuple[Loss, ...]:
    return diagnose_partition(story.history()).losses


def test_the_ledger_says_who_had_copies_until_when_and_what_was_told() -> None:
    losses = diagnose_partition(recorded()).losses

    (lost,) = [loss for loss in losses if loss.loss_class is LossClass.COMMITTED]

    assert [(copy.broker, copy.removed_by) for copy in lost.copies] == [
        (2, "high-watermark"),
        (1, "leader-end"),
    ]
    assert all(copy.until is not None for copy in lost.copies)
    assert lost.told == Told("nothing", "yes", "yes")
    assert lost.collect == ()
    (tail,) = [loss for loss in losses if loss.loss_class is not LossClass.COMMITTED]
    assert tail.told == Told("nothing", "possibly", "no")


def unclean_election() -> Story:
    """LinkedIn's example (KAFKA-10751): A has 10 records, B 5, C 2; A and B die, and C is elected."""
    story = Story("2.4.1", replicas=(1, 2, 3))
    for broker in (1, 2, 3):
        story.process("broker_starting", broker, wait=0)
        story.add("log_created", broker, wait=0, leo=0, log_start=0)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0, aux=1)
    story.add("became_leader", 1, leader=1, epoch=0, leo=0)
    for broker in (2, 3):
        story.add("became_follower", broker, leader=1, epoch=0, leo=0)
    story.add("leo_sample", 3, leo=2)
    story.add("leo_sample", 2, leo=5)
    story.add("leo_sample", 1, leo=10)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    return story


def test_linkedins_example_has_eight_records_lost_where_a_had_ten() -> None:
    story = unclean_election()
    story.process("broker_crashed", 2)
    story.process("broker_crashed", 1)
    story.add("leader_elected", 3, leader=3, epoch=1, isr=(3,), partition_epoch=2, aux=5)
    story.add("became_leader", 3, leader=3, epoch=1, leo=2)

    losses = losses_of(story)

    # C leads with 2 records: 8 of the 10 that A held are gone, 3 of those on B too.
    assert sum(loss.end_offset - loss.first_offset for loss in losses) == 8
    assert {loss.cause for loss in losses} == {"unclean-election"}
    spans = {(one.broker, one.end_offset) for loss in losses for one in loss.collect}
    assert spans >= {(1, 10), (2, 5)}
    assert all("before it is gone" in text(one.message) for loss in losses for one in loss.collect)


def test_the_copies_of_linkedins_example_go_one_after_the_other() -> None:
    story = unclean_election()
    story.process("broker_crashed", 2)
    story.process("broker_crashed", 1)
    story.add("leader_elected", 3, leader=3, epoch=1, isr=(3,), partition_epoch=2, aux=5)
    story.add("became_leader", 3, leader=3, epoch=1, leo=2)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=10, log_start=0)
    story.add("became_follower", 1, leader=3, epoch=1, leo=10)
    story.add("truncated", 1, offset=2, aux=2)

    losses = losses_of(story)

    copies = {(one.broker, one.removed_by) for loss in losses for one in loss.copies}
    assert (1, "leader-epoch") in copies
    assert (2, None) in copies
    # Only B's three records are left to be collected.
    left = [one for loss in losses for one in loss.collect]
    assert sum(one.end_offset - one.first_offset for one in left) == 3
    assert {one.broker for one in left} == {2}


def test_kafka_3919_has_the_figures_of_its_ticket() -> None:
    history = simulated("kafka-3919", "0.10.2")
    verdict = diagnose_partition(history)

    cuts = [(cut.to_offset, cut.rule) for cut in verdict.truncations]
    lines = lines_of(history)

    # The ticket: 2011 recovers to 1239740602, 2012 cuts to 1239742830, "2,228 records ahead".
    assert (1239740602, "recovery") in cuts
    assert (1239742830, "high-watermark") in cuts
    (ahead,) = [line for line in lines if (line.epoch, line.first_offset) == (0, 1239740602)]
    assert ahead.end_offset == 1239742830
    assert ahead.end_offset - ahead.first_offset == 2228
    assert ahead.held_by == (2,)
    (unlike,) = verdict.divergences
    assert (unlike.first_offset, unlike.end_offset) == (1239740602, 1239742830)


def test_a_watermark_that_a_follower_was_told_commits_nothing_that_its_leader_does_not_hold() -> None:
    # silent-divergence (KIP-279): B keeps its own record at offset 1, and follows A past it to the end.
    lines = lines_of(simulated("silent-divergence", "1.1"))

    kept = next(line for line in lines if line.held_by == (2,))
    other = next(
        line for line in lines if line.first_offset == kept.first_offset and line.epoch != kept.epoch
    )
    assert kept.below == ()
    assert [one.broker for one in other.below] == [1]


def test_what_went_with_a_disk_was_in_the_log_of_the_process_before() -> None:
    """Seen in 2.6.3: broker 1, alone in the set, is killed, and comes back with an empty disk."""
    story = Story("2.6.3")
    story.begin()
    story.add("leo_sample", 2, leo=10)
    story.add("isr_committed", 1, isr=(1,), epoch=0)
    story.add("leo_sample", 1, leo=20)
    story.process("broker_crashed", 1)
    story.process("broker_starting", 1)
    story.add("log_created", 1)
    story.add("became_leader", 1, leader=1, epoch=1, leo=0, isr=(1,))

    lines = lines_of(story.history())

    copies = {
        (line.first_offset, line.end_offset): [(copy.broker, copy.removed_by) for copy in line.copies]
        for line in lines
        if line.epoch == 0
    }
    assert all((1, "recovery") in found for found in copies.values())
    assert max(end for _, end in copies) == 20
