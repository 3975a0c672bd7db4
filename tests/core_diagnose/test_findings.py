"""Each check with a story in which it is true, and one close by in which it is not."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.checks import CHECK, CHECKS
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.trace import Trace
from core.trace.vocabulary import Election, StopReason
from core.words import text
from gui.text.render import renderer
from tests.runs import simulated
from tests.stories import SECOND, Story, of, texts


def test_a_high_watermark_that_moves_back_while_the_process_runs() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=40)
    story.add("hw_sample", 2, hw=30)
    story.add("truncated", 2, offset=20)
    story.add("hw_moved", 2, hw=20)

    assert texts(of(story, "hw-went-back")) == [
        "Broker 2 moved its high watermark from 30 back to 20 while it ran."
    ]


def test_one_that_a_crash_left_in_an_old_checkpoint_is_another_finding() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=40)
    story.add("hw_sample", 2, hw=30)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=40)
    story.add("became_follower", 2, leader=1, epoch=0, leo=40, hw=20)

    assert of(story, "hw-went-back") == []
    assert texts(of(story, "hw-checkpoint-stale")) == [
        (
            "Broker 2 had a high watermark of 30, ended without a clean stop, and began again with 20: its "
            "checkpoint was older."
        )
    ]


def test_a_high_watermark_above_a_log_that_lost_its_end_says_nothing_of_the_checkpoint() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=40)
    story.add("hw_sample", 2, hw=30)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=25)
    story.add("became_follower", 2, leader=1, epoch=0, leo=25, hw=25)

    assert of(story, "hw-checkpoint-stale") == of(story, "hw-went-back") == []
    assert len(of(story, "leo-jumped-back")) == 1


def test_a_checkpoint_that_is_as_new_as_the_crash_is_not_stale() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=40)
    story.add("hw_sample", 2, hw=30)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=40)
    story.add("became_follower", 2, leader=1, epoch=0, leo=40, hw=30)

    assert of(story, "hw-checkpoint-stale") == of(story, "hw-went-back") == []


@pytest.mark.parametrize(("end", "told"), [(290, 1), (300, 0)])
def test_a_log_that_came_back_shorter(end: int, told: int) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=300)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=end)

    assert len(of(story, "leo-jumped-back")) == told


@pytest.mark.parametrize("release", ["2.4.1", "3.2.3"])
def test_a_log_that_is_made_anew_came_back_without_a_checkpoint(release: str) -> None:
    """Its folder is gone. To 2.8 a new log is printed as loaded, then as created (getOrCreateLog)."""
    story = Story(release)
    story.begin()
    story.add("leo_sample", 2, leo=300)
    story.add("hw_sample", 2, hw=290)
    story.process("broker_starting", 2)
    if release == "2.4.1":
        story.add("log_loaded", 2, leo=0)
    created = story.add("log_created", 2, wait=0)
    story.add("hw_loaded", 2, hw=0, wait=0)

    (found,) = of(story, "leo-jumped-back")

    assert text(found.message) == (
        "Broker 2 had a log end of 300 and came back without that log: it made a new, empty one."
    )
    assert created in found.evidence
    assert of(story, "hw-checkpoint-stale") == of(story, "hw-went-back") == []


def test_an_election_that_no_line_calls_unclean_is_known_by_the_isr() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)

    assert texts(of(story, "unclean-election")) == [
        (
            "Broker 2 was elected in epoch 1 although it was out of sync. No line says so: the "
            "in-sync set before "
            "shows it."
        )
    ]


def test_an_election_from_the_isr_is_not_unclean() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=2)

    assert of(story, "unclean-election") == []


def deposed(story: Story, act: str) -> Story:
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(1, 2), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=0, hw=0)
    if act == "follows":
        story.add("became_follower", 1, leader=2, epoch=1, leo=0, hw=0)
    story.add("isr_shrink_proposed", 1, isr=(1,))
    return story


def test_a_leader_that_acts_after_another_was_elected() -> None:
    assert texts(of(deposed(Story("2.8.2"), "leads on"), "zombie-leader")) == [
        "Broker 1 acted as leader of epoch 0 20.0 s after broker 2 had been elected in epoch 1."
    ]
    assert of(deposed(Story("2.8.2"), "follows"), "zombie-leader") == []


def behind(log_end: int, *, anew: bool = False, lasts: int = 10 * SECOND) -> Story:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=50)
    story.process("broker_starting", 2)
    if anew:
        story.add("log_created", 2)
    else:
        story.add("log_loaded", 2, leo=log_end)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=1)
    story.add("hw_sample", 1, hw=40)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0 if anew else log_end, wait=lasts)
    story.add("hw_sample", 1, hw=40, wait=0)
    return story


def test_a_member_of_the_isr_behind_the_high_watermark() -> None:
    (found,) = of(behind(30), "isr-behind-hw")
    assert text(found.message) == (
        "Broker 2 was in the in-sync set with a log end of 30, below the high watermark 40 of broker "
        "1, the leader."
    )
    assert of(behind(40), "isr-behind-hw") == []


@pytest.mark.parametrize(("after", "told"), [(10_000_000, False), (SECOND, True)])
def test_the_moment_of_joining_is_not_sharp(after: int, *, told: bool) -> None:
    """recordings/k39-isr-flap: the record that lets it in is stamped some ms before its last append."""
    story = Story("2.6.3")
    story.begin()
    story.add("leo_sample", 1, leo=40)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=30)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=2)
    story.add("hw_sample", 1, hw=40, wait=0)
    story.add("leo_sample", 2, leo=30, wait=after)
    story.add("leo_sample", 2, leo=40, wait=0)
    story.add("leo_sample", 1, leo=40, wait=0)

    # A member that surely is in the set and ends below the high watermark: its log end cannot be so.
    assert bool(of(story, "sources-disagree")) is told
    assert of(story, "isr-behind-hw") == []


@pytest.mark.parametrize(("lasts", "found"), [(10_000_000, False), (SECOND, True)])
def test_a_member_is_behind_once_that_lasts(lasts: int, *, found: bool) -> None:
    """The time of an append by one broker and of a high watermark by another are not that sharp."""
    story = behind(30, lasts=lasts)

    assert bool(of(story, "isr-behind-hw")) is found


def test_a_log_that_was_cut_is_not_one_that_began_anew() -> None:
    story = behind(0, anew=True)
    assert of(story, "isr-empty-disk")
    # S1 (the scenario): B cuts what it held to its own high watermark 0, and stays in the set.
    assert of(simulated("s1", era("0.10.2")), "isr-empty-disk") == []
    assert of(simulated("s1", era("0.10.2")), "isr-behind-hw")


def test_a_replaced_disk_in_the_isr() -> None:
    (found,) = of(behind(0, anew=True), "isr-empty-disk")
    assert found.brokers == (2,)
    assert of(behind(30), "isr-empty-disk") == []
    # KIP-903 (KAFKA-14139): from 3.5 the controller does not take such a broker into the set.
    assert of(simulated("disk-replaced", era("2.8")), "isr-empty-disk")
    assert of(simulated("disk-replaced", era("3.6")), "isr-empty-disk") == []


def alone(
    back_after: int, replicas: tuple[int, ...] = (1, 2, 3), refused: int = 0, started: int = 0
) -> Story:
    story = Story("2.8.2", replicas)
    story.begin()
    if started:
        story.process("broker_starting", started)
        story.process("broker_started", started)
    if refused:
        story.add("fetch_offset_reset", refused, leader=1, from_offset=0, offset=0)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1, wait=SECOND // 2)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=2, wait=back_after)
    return story


def test_the_last_replica_and_the_pause_of_a_leader_differ_by_the_time() -> None:
    """research/lab-findings-zk.md, 6: a thawed leader shrinks everybody, and both are back 0.1 s later."""
    assert texts(of(alone(SECOND // 10), "leader-paused")) == [
        (
            "Broker 1 put every follower out of the in-sync set and took broker 2 back 100 ms later: "
            "it had paused "
            "itself, the followers had not."
        )
    ]
    assert of(alone(SECOND // 10), "last-replica-standing") == []
    assert of(alone(SECOND // 10, refused=2), "leader-paused") == [], "it ran, and refused that follower"
    assert of(alone(SECOND // 10, refused=3), "leader-paused"), "of the other one nothing is said"
    assert of(alone(9 * SECOND), "leader-paused") == []
    assert of(alone(SECOND // 10, started=2), "leader-paused") == [], "its process had ended, 20 s before"
    assert len(of(alone(9 * SECOND), "last-replica-standing")) == 1


@pytest.mark.parametrize(("kind", "epoch", "told"), [("isr_committed", 0, 1), ("leader_elected", 1, 0)])
def test_a_follower_that_shuts_down_is_put_out_by_the_controller(kind: str, epoch: int, told: int) -> None:
    """It fetches until it is told to stop, and so the leader takes it back (doControlledShutdown)."""
    story = Story("2.4.1", (1, 2))
    story.begin()
    story.add(kind, 1, leader=1, epoch=epoch, isr=(1,), partition_epoch=1)
    story.add("isr_committed", 1, leader=1, epoch=epoch, isr=(1, 2), partition_epoch=2, wait=SECOND // 5)

    assert len(of(story, "leader-paused")) == told


def test_a_partition_of_one_replica_has_no_last_one() -> None:
    story = Story("2.8.2", (1,))
    story.begin()

    assert of(story, "last-replica-standing") == []


@pytest.mark.parametrize(("times", "told"), [(3, 1), (2, 0)])
def test_a_replica_that_leaves_the_isr_again_and_again(times: int, told: int) -> None:
    story = Story("2.8.2", (1, 2, 3))
    story.begin()
    for number in range(times):
        story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 3), partition_epoch=2 * number + 1)
        story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=2 * number + 2)

    assert len(of(story, "isr-flapping")) == told


@pytest.mark.parametrize(("apart", "told"), [(150, 1), (151, 0)])
def test_a_replica_flaps_where_it_leaves_three_times_within_five_minutes(apart: int, told: int) -> None:
    """The sentence of the check: at least 3 times within five minutes, from the first to the last."""
    story = Story("2.8.2", (1, 2, 3))
    story.begin()
    for number in range(3):
        left, back = 2 * number + 1, 2 * number + 2
        story.add("isr_committed", 1, leader=1, epoch=0, isr=(1, 3), partition_epoch=left, wait=SECOND)
        story.add(
            "isr_committed",
            1,
            leader=1,
            epoch=0,
            isr=(1, 2, 3),
            partition_epoch=back,
            wait=(apart - 1) * SECOND,
        )

    assert len(of(story, "isr-flapping")) == told


@pytest.mark.parametrize(("wait", "told"), [(SECOND, 1), (30 * SECOND, 0)])
def test_a_storm_of_epochs(wait: int, told: int) -> None:
    story = Story("2.8.2")
    story.begin()
    for epoch in range(1, 12):
        leader = epoch % 2 + 1
        story.add(
            "leader_elected", 1, leader=leader, epoch=epoch, isr=(1, 2), partition_epoch=epoch, wait=wait
        )

    assert len(of(story, "epoch-storm")) == told


@pytest.mark.parametrize(("grown", "told"), [(0, 1), (1, 0)])
def test_a_follower_that_comes_to_the_same_cut_for_ever(grown: int, told: int) -> None:
    """KAFKA-10706: the cut of the log removes nothing, and the epoch entry at its end stays."""
    story = Story("2.7.0")
    story.begin()
    for _ in range(5):
        story.add("epoch_end_answered", 2, leader=1, epoch=3, offset=20, aux=1)
        story.add("truncation_noop", 2, offset=20, leo=20)
        if grown:
            story.add("appended", 2, epoch=3, from_offset=20, offset=20 + grown, leo=20 + grown)

    assert len(of(story, "follower-stuck")) == told


@pytest.mark.parametrize(("offsets", "told"), [((40, 40, 40), 1), ((40, 41, 42), 0)])
def test_a_fetch_out_of_range_for_ever(offsets: tuple[int, ...], told: int) -> None:
    story = Story("3.9.2")
    story.begin()
    for offset in offsets:
        story.add("fetch_failed", 2, leader=1, offset=offset, aux=StopReason.OFFSET_OUT_OF_RANGE)

    assert len(of(story, "out-of-range-loop")) == told


@pytest.mark.parametrize(("moved", "named"), [(1, True), (2, False)])
def test_a_leader_that_moved_its_log_is_named(moved: int, *, named: bool) -> None:
    """KAFKA-15608: only the move of the leader's own log explains it."""
    story = Story("3.9.2")
    story.begin()
    story.add("log_moved", moved)
    for _ in range(3):
        story.add("fetch_failed", 2, leader=1, offset=40, aux=StopReason.OFFSET_OUT_OF_RANGE)

    (found,) = of(story, "out-of-range-loop")
    assert ("moved its log" in text(found.message)) is named


def exited(line: str, *, speaks_on: bool = False, started_just_before: bool = False) -> Trace:
    story = Story("0.10.2.2")
    story.begin()
    if started_just_before:
        story.process("broker_starting", 2)
    story.process("broker_exited", 2)
    story.texts[-1] = line
    if speaks_on:
        story.add("leo_sample", 2, leo=0, wait=20 * SECOND)
    return story.trace()


def test_a_broker_that_may_not_cut_exits_or_hangs() -> None:
    line = "FATAL [ReplicaFetcherThread-0-1], Exiting because log truncation is not allowed for partition t-0"
    (found,) = of(exited(line), "refused-to-truncate")
    assert "ended itself" in text(found.message)
    (found,) = of(exited(line, speaks_on=True), "refused-to-truncate")
    assert "20.0 s later: it hangs" in text(found.message)
    (found,) = of(exited(line, speaks_on=True, started_just_before=True), "refused-to-truncate")
    assert "20.0 s later: it hangs" in text(found.message)
    assert of(exited("FATAL Exiting Kafka due to fatal exception"), "refused-to-truncate") == []


@pytest.mark.parametrize(("named", "told"), [("topic t", 1), ("topic u", 0), ("partition t-1", 0)])
def test_who_may_not_cut_one_log_says_nothing_of_the_others(named: str, told: int) -> None:
    trace = exited(
        f"FATAL [X], Exiting because log truncation is not allowed for {named}, Current leader 1's"
    )
    found = of(trace, "refused-to-truncate")
    assert [one.partition for one in found] == [0 if told else None]


ANNOUNCED = (
    'The controller chose broker 2 as leader although it was out of sync ("potential data loss"). No line '
    "shows the leader epoch."
)


def test_an_unclean_election_that_only_the_controller_announces() -> None:
    story = Story("0.10.2.2")
    story.begin()
    for _ in range(2):  # The controller tries again: one election.
        story.add("leader_elected", None, leader=2, aux=Election.UNCLEAN, wait=3600 * SECOND)

    assert texts(of(story, "unclean-election")) == [ANNOUNCED]

    story.add("leader_elected", None, leader=2, epoch=4, isr=(2,), partition_epoch=9)

    assert texts(of(story, "unclean-election")) == [
        "Broker 2 was elected in epoch 4 although it was out of sync."
    ]


@pytest.mark.parametrize(("times", "told"), [(3, 1), (2, 0)])
def test_a_leader_whose_changes_of_the_isr_are_refused_again_and_again(times: int, told: int) -> None:
    story = Story("0.10.2.2")
    story.begin()
    for _ in range(times):
        story.add("isr_update_rejected", 1)

    assert len(of(story, "stale-leader")) == told

    story.add("became_follower", 1, leader=2, epoch=1)
    for _ in range(2):
        story.add("isr_update_rejected", 1)

    assert len(of(story, "stale-leader")) == told


def test_a_leader_that_is_refused_for_a_moment_only_is_sound() -> None:
    story = Story("0.10.2.2")
    story.begin()
    for _ in range(9):
        story.add("isr_update_rejected", 1, wait=SECOND // 10)

    assert of(story, "stale-leader") == []


@pytest.mark.parametrize(("wanted", "told"), [("2", 1), ("1", 0), (None, 0)])
def test_under_min_isr_only_where_the_setting_is_known(wanted: str | None, told: int) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("isr_committed", 1, leader=1, epoch=0, isr=(1,), partition_epoch=1)
    facts = {} if wanted is None else {"config.topic-t.min.insync.replicas": wanted}

    assert len(of(replace(story.trace(), facts=MappingProxyType(facts)), "under-min-isr")) == told


@pytest.mark.parametrize(("cut_to", "told"), [(206, 1), (254, 0)])
def test_a_high_watermark_above_the_log_end(cut_to: int, told: int) -> None:
    story = Story("0.10.2.2", simulated=True)
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=256, leo=256)
    story.add("hw_moved", 1, hw=254)
    story.add("truncated", 1, from_offset=256, offset=cut_to, leo=cut_to, aux=4)

    assert len(of(story, "hw-above-leo")) == told


def test_every_check_speaks_both_languages_and_gives_advice() -> None:
    for check in CHECKS:
        for told in (check.sentence, check.advice):
            assert text(told)[0].isupper(), check.id
            assert any("\u4e00" <= letter <= "\u9fff" for letter in renderer("zh")(told)), check.id


@pytest.mark.parametrize("name", ["hw-loss", "hw-divergence", "disk-replaced", "zombie-leader"])
def test_every_finding_has_a_text_in_both_languages_and_evidence(name: str) -> None:
    for era_id in ("0.10.2", "2.8", "4.1"):
        for finding in diagnose_partition(open_history(simulated(name, era(era_id)), 0)).findings:
            assert finding.check in CHECK
            assert finding.evidence, finding
            english, chinese = (renderer(language)(finding.message) for language in ("en", "zh"))
            assert english.endswith(".")
            assert chinese.endswith("。"), finding
            assert "{" not in english + chinese


def transaction(lasts_ms: int, limit_ms: int | None, *, ended: bool) -> Trace:
    """A real log whose segments hold a transaction that began so long before the end."""
    story = Story("3.5.0")
    story.begin()
    story.add("transaction_written", 1, wait=0, epoch=3, from_offset=2, offset=3, stamp=story.now, aux=7)
    if ended:
        story.add("transaction_aborted", 1, wait=0, epoch=3, offset=5, aux=7)
    story.add("log_end_on_disk", 1, wait=lasts_ms * 1_000_000, leo=6, log_start=0, aux=0)
    name = "config.broker-1.transaction.max.timeout.ms"
    facts = {} if limit_ms is None else {name: str(limit_ms)}
    return replace(story.trace(), facts=MappingProxyType(facts))


@pytest.mark.parametrize(
    ("lasts_ms", "limit_ms", "told"),
    [(20_000, 5_000, 1), (14_000, 5_000, 0), (20_000, None, 0), (912_000, None, 1)],
    ids=["hangs", "may-be-aborted-yet", "default-not-over", "default-over"],
)
def test_a_transaction_that_nobody_ends(lasts_ms: int, limit_ms: int | None, told: int) -> None:
    """Kafka: a coordinator aborts what is over its timeout every 10 s; the timeout is at most 15 minutes."""
    assert len(of(transaction(lasts_ms, limit_ms, ended=False), "hanging-transaction")) == told
    assert not of(transaction(lasts_ms, limit_ms, ended=True), "hanging-transaction")


@pytest.mark.parametrize(("which", "told"), [("2.8", 1), ("3.5", 1), ("3.6", 0), ("4.0", 0)])
def test_a_late_batch_hangs_to_3_5(which: str, told: int) -> None:
    """KAFKA-14402."""
    assert len(of(simulated("hanging-transaction", era(which)), "hanging-transaction")) == told
    assert not of(simulated("open-transaction", era(which)), "hanging-transaction")
