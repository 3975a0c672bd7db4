"""What a broker states while it starts after a power loss is no event of a running broker."""

from pathlib import Path

import pytest

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.commitment import watermarks
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.holdings import find_holdings
from core.diagnose.verdict.life_lines import life_lines
from core.history.gaps_by_files import lost_ends
from core.history.open import open_history
from core.trace.ids import Nanos
from importers.load import load
from tests.core_diagnose.test_taken import (
    Logs,
    at,
    created,
    follows,
    leads,
    led_by_one,
    loaded,
    notified,
    start,
    verdict_on,
    with_follower,
)
from tests.importers.test_logs_of_brokers import AT_3, SECOND, written
from tests.stories import Story


def loads_watermark(minute: int, second: int, hw: int) -> str:
    text = f"Log loaded for partition orders-0 with initial high watermark {hw}"
    return at(minute, second, f"[Partition orders-0 broker=1] {text} (kafka.cluster.Partition)")


ELECTED = (1_795_230_000 + 6 * 60 + 6) * 1_000_000_000
"""03:06:06 on that day."""
DAMAGED = "[Log partition=orders-0, dir=/data] Corruption found in segment 0, truncating to offset 41 (x.Log)"
OLD_DAMAGED = "Corruption found in segment 0 of log orders-0, truncating to offset 41. (kafka.log.Log)"


def after_power_loss(*second: str) -> Logs:
    """Broker 1 leads with a high watermark of 50, and is started again without a stop."""
    first = start(0, 1) + loaded(0, 0, 50) + loads_watermark(0, 3, 50) + leads(0, 3, 50)
    return {
        "broker-1/server.log": first + start(5, 1) + "".join(second),
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2"),
    }


def found(folder: Path, logs: Logs, *checks: str) -> list[Finding]:
    return [one for one in verdict_on(folder, logs).findings if one.check in checks]


@pytest.mark.parametrize("damaged", [DAMAGED, OLD_DAMAGED])
def test_a_cut_that_recovery_tells_is_named(damaged: str, tmp_path: Path) -> None:
    logs = after_power_loss(at(5, 1, damaged), loaded(5, 0, 41), leads(5, 4, 41))

    (one,) = found(tmp_path, logs, "leo-jumped-back")

    assert one.message.id == "finding.leo-jumped-back.damage"
    assert dict(one.message.values)["to"] == 41
    assert len(one.evidence) > 1


def test_a_log_that_is_shorter_without_a_line_says_so(tmp_path: Path) -> None:
    (one,) = found(tmp_path, after_power_loss(loaded(5, 0, 41), leads(5, 4, 41)), "leo-jumped-back")

    assert one.message.id == "finding.leo-jumped-back"


@pytest.mark.parametrize("hw", [50, 41])
def test_a_watermark_that_is_only_loaded_has_not_fallen_while_the_broker_ran(hw: int, tmp_path: Path) -> None:
    """The checkpoint may name an offset that the log has no more: Kafka lowers it before it leads."""
    logs = after_power_loss(loaded(5, 0, 41), loads_watermark(5, 6, hw), leads(5, 4, 41))
    logs["broker-1/state-change.log"] += notified(5, 1, 4, "1").replace("03:05:06", "03:05:05")

    assert found(tmp_path, logs, "hw-went-back", "broken-promise", "hw-above-leo") == []


def test_a_leader_without_committed_records_is_told_at_its_election(tmp_path: Path) -> None:
    """Its follower cuts four seconds later."""
    verdict = verdict_on(tmp_path, with_follower(led_by_one("", 0, 42)))

    (one,) = [one for one in verdict.findings if one.check == "broken-promise"]
    assert one.start == ELECTED
    assert max(loss.seq for loss in verdict.losses) > one.seq


def shorter_leader(after: str = "") -> Logs:
    """Both brokers end at once, the follower with 60 records and the high watermark 58, the leader with 53.

    It leads on in its epoch, and the follower cuts to where the leader says that the epoch ends (KIP-101).
    """
    mark = loads_watermark(5, 3, 58).replace("broker=1", "broker=2")
    release = at(0, 0, "Kafka version : 2.1.1 (org.apache.kafka.common.utils.AppInfoParser)")
    cut = at(5, 8, "[Log partition=orders-0, dir=/data] Truncating to offset 53 (kafka.log.Log)")
    again = start(5, 2) + loaded(5, 0, 60) + mark + follows(5, 60) + cut
    leader = start(0, 1) + created(0) + leads(0, 3, 0) + start(5, 1) + loaded(5, 0, 53) + leads(5, 3, 53)
    return {
        "broker-1/server.log": release + leader + after,
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2") + notified(5, 1, 3, "1, 2"),
        "broker-2/server.log": release + start(0, 2) + created(0) + follows(0, 0) + again,
        "broker-2/state-change.log": notified(0, 2, 3, "1, 2") + notified(5, 2, 3, "1, 2"),
    }


def test_what_a_follower_cuts_to_agree_with_its_leader_is_lost(tmp_path: Path) -> None:
    """The leader leads in the epoch in which it lost its end: no later epoch shows it."""
    verdict = verdict_on(tmp_path, shorter_leader())

    assert {(loss.first_offset, loss.end_offset) for loss in verdict.losses} >= {(53, 58)}
    assert {loss.loss_class.value for loss in verdict.losses if loss.first_offset == 53} == {"committed"}
    assert found(tmp_path, shorter_leader(), "cut-below-hw") == []


def back_in_its_epoch_and_then_in_a_later_one(led: str = "") -> Logs:
    """Both brokers end at once. The leader is back in epoch 3 with 41 records, and leads epoch 5 with them.

    The follower is back with 60 records after that, and cuts.
    """
    release = at(0, 0, "Kafka version: 2.4.1 (org.apache.kafka.common.utils.AppInfoParser)")
    cut = at(7, 9, "[Log partition=orders-0, dir=/data] Truncating to offset 41 (kafka.log.Log)")
    back = start(5, 1) + at(5, 1, DAMAGED) + loaded(5, 0, 41) + leads(5, 3, 41) + leads(5, 5, 41)
    again = start(7, 2) + loaded(7, 0, 60) + follows(7, 60) + cut
    return {
        "broker-1/server.log": release + start(0, 1) + created(0) + leads(0, 3, 0) + led + back,
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2"),
        "broker-2/server.log": release + start(0, 2) + created(0) + follows(0, 0) + again,
        "broker-2/state-change.log": notified(0, 2, 3, "1, 2") + notified(7, 2, 5, "1"),
    }


def test_what_a_log_holds_as_it_is_loaded_is_of_no_epoch_that_came_while_it_was_down(tmp_path: Path) -> None:
    """The leader of that epoch lacks it: it is lost, though no line tells how long the log was before."""
    verdict = verdict_on(tmp_path, back_in_its_epoch_and_then_in_a_later_one())

    assert {(loss.first_offset, loss.end_offset, loss.took_over) for loss in verdict.losses} == {(41, 60, 5)}


PROPOSED = (
    "[Partition orders-0 broker=1] Shrinking ISR from 1,2 to 1. Leader: (highWatermark: 50, endOffset: 50)."
)
COMMITTED = at(
    2, 0, f"{PROPOSED} Out of sync replicas: (brokerId: 2, endOffset: 45). (kafka.cluster.Partition)"
) + at(2, 1, "[Partition orders-0 broker=1] Expanding ISR from 1 to 1,2 (kafka.cluster.Partition)")


def test_what_the_leader_wrote_before_it_was_back_is_listed_once(tmp_path: Path) -> None:
    """It wrote nothing more in its epoch: its follower's records of it are the same that it lost itself."""
    verdict = verdict_on(tmp_path, back_in_its_epoch_and_then_in_a_later_one(COMMITTED))

    listed = [offset for loss in verdict.losses for offset in range(loss.first_offset, loss.end_offset)]
    assert sorted(listed) == [*range(41, 60)]
    assert {loss.loss_class.value for loss in verdict.losses if loss.first_offset == 41} == {"committed"}
    (both,) = [loss for loss in verdict.losses if loss.first_offset == 41]
    assert both.removed_from == (1, 2)


APPENDED = at(
    6, 0, "[ProducerStateManager partition=orders-0] Writing producer snapshot at offset 70 (x.Log)"
)


def test_no_replica_that_copied_since_still_holds_what_was_lost(tmp_path: Path) -> None:
    """The leader writes other records at these offsets, in the same epoch."""
    for loss in verdict_on(tmp_path, shorter_leader(APPENDED)).losses:
        assert loss.survives_on == ()
        assert loss.collect == ()


def test_records_of_one_epoch_and_offset_have_lives_of_their_own(tmp_path: Path) -> None:
    """Those that were lost, and those that the leader wrote at their offsets when it was back."""
    logs = shorter_leader(APPENDED)
    verdict = verdict_on(tmp_path / "verdict", logs)
    case = open_case(open_history(load([written(tmp_path / "lives", logs)]), 0))

    lines = life_lines(case, find_holdings(case), verdict.truncations, watermarks(case), ())

    there = [line for line in lines if line.first_offset <= 53 < line.end_offset]
    assert [(line.held_by, line.gone is None) for line in there] == [((), False), ((1,), True)]


TORN = "Found invalid messages in log segment /data/audit-0/0.log at byte offset 91: too short (x.LogSegment)"
OTHER_DAMAGED = DAMAGED.replace("orders-0", "audit-0")


def both_end_at_once(damage: str) -> Logs:
    """Both brokers end without a line and start with 53 records; 1 prints `damage` as it loads its logs."""
    first = start(0, 1) + created(0) + leads(0, 3, 0)
    second = start(0, 2) + created(0) + follows(0, 0)
    return {
        "broker-1/server.log": first + start(5, 1) + damage + loaded(5, 0, 53) + leads(5, 4, 53),
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2") + notified(5, 1, 4, "1, 2"),
        "broker-2/server.log": second + start(5, 2) + loaded(5, 0, 53) + follows(5, 53),
        "broker-2/state-change.log": notified(0, 2, 3, "1, 2") + notified(5, 2, 4, "1, 2"),
    }


def most_before_the_end(folder: Path, logs: Logs) -> dict[int, int | None]:
    """How many records of orders-0 each broker had at most, four minutes before both ended at once."""
    trace = load([written(folder, logs)])
    index = trace.partition_index("orders-0")
    assert index is not None
    replicas = open_history(trace, index).replicas
    before = trace.cursor_at(Nanos(AT_3 + 60 * SECOND))
    return {broker: replicas[broker].leo.at(before).hi for broker in (1, 2)}


@pytest.mark.parametrize("damage", [TORN, OTHER_DAMAGED, ""], ids=["2.1", "3.2", "none"])
def test_a_damaged_end_of_another_log_takes_the_bounds_of_all(damage: str, tmp_path: Path) -> None:
    """What a machine loses with its power may be of any log, and of brokers that were down with it."""
    logs = both_end_at_once(at(5, 1, damage) if damage else "")

    assert most_before_the_end(tmp_path, logs) == dict.fromkeys((1, 2), None if damage else 53)


def of_audit(text: str) -> str:
    return text.replace("orders-0", "audit-0")


def with_audit(leader_back: int, follower_back: int, *, stated: int = 0, copied: str = "") -> Logs:
    """Beside orders-0 audit-0, made with it. Broker 1 leads it, and no line says what broker 2 fetched.

    Both load it with so many records. `stated` is a log end with which broker 1 led before.
    """
    logs = both_end_at_once(of_audit(loaded(5, 0, leader_back)))
    audit = of_audit(created(0) + (copied or follows(0, 0)))
    audit_back = start(5, 2) + of_audit(loaded(5, 0, follower_back))
    logs["broker-2/server.log"] = audit + logs["broker-2/server.log"].replace(start(5, 2), audit_back)
    first = of_audit(created(0) + (leads(0, 3, 0) + leads(0, 4, stated) if stated else ""))
    logs["broker-1/server.log"] = logs["broker-1/server.log"].replace(created(0), created(0) + first)
    return logs


@pytest.mark.parametrize(
    ("logs", "shorter"),
    [
        (with_audit(44, 48), True),
        (with_audit(44, 20, stated=48), True),
        (with_audit(48, 48), False),
        (with_audit(48, 44), False),
        (with_audit(44, 48, copied=follows(0, 0).replace("BrokerEndPoint(1", "BrokerEndPoint(3")), False),
        (with_audit(44, 48, copied=" "), False),
    ],
    ids=["copied", "stated", "same", "follower-behind", "of-another-leader", "of-nobody"],
)
def test_a_log_that_comes_back_shorter_shows_a_power_loss(
    logs: Logs, tmp_path: Path, *, shorter: bool
) -> None:
    """A leader that comes back with less than it gave its follower went down with its machine.

    So it did where it had said itself that it had more. A follower that is behind shows nothing: it may not
    have fetched the rest; nor does one of which no line says that it had fetched from this leader.
    """
    assert (lost_ends(1) in load([written(tmp_path, logs)]).facts) is shorter


def test_a_follower_that_fetches_before_its_leader_says_that_it_leads_brings_nothing_back() -> None:
    """All three ended at once. Broker 2 had 48 committed records, the elected 3 has 42 and 1 has 30.

    The log of 1 grows past 42 by copying from 3, and it leads later. Its directory shows when they were made.
    """
    story = Story("3.7.2", replicas=(1, 2, 3))
    story.begin()
    for broker, end in ((1, 30), (2, 48), (3, 42)):
        story.process("broker_starting", broker)
        story.add("log_loaded", broker, leo=end)
        story.add("became_follower", broker, leader=-1, epoch=1, leo=end, hw=end)
    story.add("leader_elected", 3, leader=3, epoch=2, isr=(3,), partition_epoch=2)
    story.add("became_follower", 2, leader=3, epoch=2, leo=48, hw=48)
    story.add("became_follower", 1, leader=3, epoch=2, leo=30, hw=30)
    story.add("fetcher_added", 1, leader=3, offset=30)
    story.add("became_leader", 3, leader=3, epoch=2, leo=42, hw=42)
    story.add("truncated", 2, offset=42)
    copied = story.now + SECOND
    story.add("leader_elected", 1, leader=1, epoch=3, isr=(3, 1), partition_epoch=4)
    story.add("became_leader", 1, leader=1, epoch=3, leo=55, hw=48)
    for epoch, first, end, made in ((0, 0, 42, 0), (2, 42, 55, copied)):
        story.add("batch_on_disk", 1, epoch=epoch, from_offset=first, offset=end, stamp=made, wait=0)
    story.add("log_end_on_disk", 1, leo=55, wait=0)

    found = [(loss.first_offset, loss.end_offset, loss.loss_class.value) for loss in story.verdict().losses]
    assert found == [(42, 48, "committed")]
