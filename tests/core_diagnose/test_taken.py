"""What retention, delete-records or the deletion of a topic took is not lost."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from importers.load import load
from tests.importers.test_logs_of_brokers import written

Logs = dict[str, str]


def at(minute: int, second: int, text: str) -> str:
    return f"[2026-11-21 03:{minute:02d}:{second:02d},000] INFO {text}\n"


def start(minute: int, broker: int) -> str:
    return (
        at(minute, 0, f"KafkaConfig values: \n\tbroker.id = {broker}\n (kafka.server.KafkaConfig)")
        + at(minute, 0, "starting (kafka.server.KafkaServer)")
        + at(minute, 1, f"[KafkaServer id={broker}] started (kafka.server.KafkaServer)")
    )


def stop(minute: int, broker: int) -> str:
    return at(minute, 50, f"[KafkaServer id={broker}] shut down completed (kafka.server.KafkaServer)")


def loaded(minute: int, first: int, end: int) -> str:
    text = (
        f"Completed load of log with 1 segments, log start offset {first} and log end offset {end} in 57 ms"
    )
    return at(minute, 2, f"[Log partition=orders-0, dir=/data] {text} (kafka.log.Log)")


def created(minute: int) -> str:
    text = "Created log for partition orders-0 in /data/orders-0 with properties {}."
    return at(minute, 5, f"{text} (kafka.log.LogManager)")


def leads(minute: int, epoch: int, end: int) -> str:
    text = f"orders-0 starts at leader epoch {epoch} from offset {end} with high watermark {end}."
    more = f"Previous leader epoch was {epoch - 1}. (kafka.cluster.Partition)"
    return at(minute, 7, f"[Partition orders-0 broker=1] {text} {more}")


def follows(minute: int, end: int) -> str:
    text = (
        f"Added fetcher for partitions List([orders-0, initOffset {end} to broker BrokerEndPoint(1,h,9092)] )"
    )
    return at(minute, 8, f"[ReplicaFetcherManager on broker 2] {text} (kafka.server.ReplicaFetcherManager)")


def notified(minute: int, broker: int, epoch: int, isr: str) -> str:
    state = (
        "LeaderAndIsrPartitionState(topicName='orders', partitionIndex=0, controllerEpoch=1, leader=1, "
        f"leaderEpoch={epoch}, isr=[{isr}], zkVersion={epoch}, replicas=[1, 2], addingReplicas=[], "
        "removingReplicas=[], isNew=false)"
    )
    text = f"Received LeaderAndIsr request {state} correlation id 1 from controller 1 epoch 1"
    return at(minute, 6, f"[Broker id={broker}] {text} (state.change.logger)")


CUT = at(0, 10, "[Log partition=orders-0, dir=/data] Truncating to offset 0 (kafka.log.Log)")


def led_by_one(took: str, first: int, end: int) -> Logs:
    """Broker 1 leads, is started again with a log of [first, end), and at last with a new disk."""
    return {
        "broker-1/server.log": start(0, 1) + created(0) + leads(0, 3, 0) + took + stop(2, 1)
        + start(3, 1) + loaded(3, first, end) + leads(3, 4, end)
        + start(6, 1) + created(6) + leads(6, 5, 0),
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2") + notified(3, 1, 4, "1, 2")
        + notified(6, 1, 5, "1"),
    }  # fmt: skip


def with_follower(logs: Logs) -> Logs:
    """Broker 2 has copied 42 records, whose first ones it still has, and cuts to the end of its leader."""
    server = (
        start(0, 2)
        + created(0)
        + follows(0, 0)
        + follows(3, 42)
        + follows(6, 42)
        + CUT.replace("03:00", "03:06")
    )
    told = notified(0, 2, 3, "1, 2") + notified(3, 2, 4, "1, 2") + notified(6, 2, 5, "1")
    return {**logs, "broker-2/server.log": server, "broker-2/state-change.log": told}


def verdict_on(folder: Path, logs: Logs) -> PartitionVerdict:
    return diagnose_partition(open_history(load([written(folder, logs)]), 0))


def lost(verdict: PartitionVerdict) -> list[tuple[int, int]]:
    return sorted({(loss.first_offset, loss.end_offset) for loss in verdict.losses})


MOVED = at(2, 0, "[Log partition=orders-0, dir=/data] Incrementing log start offset to 42 (kafka.log.Log)")
DELETED = at(
    2,
    0,
    "Log for partition orders-0 is renamed to /data/orders-0.0f16e07cea784958a91f77488c4018b6-delete and "
    "is scheduled for deletion (kafka.log.LogManager)",
)


def test_what_had_been_taken_before_a_disk_was_replaced_is_not_lost(tmp_path: Path) -> None:
    """Log start and log end are both 42: no record is there that could be lost."""
    verdict = verdict_on(tmp_path, led_by_one("", 42, 42))

    assert verdict.losses == ()
    assert not [one for one in verdict.findings if one.check in ("committed-loss", "broken-promise")]


def test_only_what_was_still_there_is_lost(tmp_path: Path) -> None:
    assert lost(verdict_on(tmp_path, led_by_one("", 42, 50))) == [(42, 50)]


def test_a_log_that_begins_at_0_is_lost_whole(tmp_path: Path) -> None:
    assert lost(verdict_on(tmp_path, led_by_one("", 0, 42))) == [(0, 42)]


@pytest.mark.parametrize("took", ["", MOVED])
def test_what_a_follower_still_holds_below_its_leaders_log_start_is_not_lost(
    took: str, tmp_path: Path
) -> None:
    """No client can read it, and its retention would have removed it next."""
    verdict = verdict_on(tmp_path, with_follower(led_by_one(took, 42, 42)))

    assert verdict.losses == ()
    assert [cut.below_high_watermark for cut in verdict.truncations] == [None, None]


def test_a_new_log_does_not_keep_the_start_of_the_one_before(tmp_path: Path) -> None:
    """Of the new log 30 records are lost with the next disk: 42 was the start of another log."""
    logs = led_by_one("", 42, 42)
    logs["broker-1/server.log"] += stop(7, 1) + start(8, 1) + loaded(8, 0, 30) + leads(8, 6, 30)
    logs["broker-1/server.log"] += start(9, 1) + created(9) + leads(9, 7, 0)
    logs["broker-1/state-change.log"] += notified(8, 1, 6, "1") + notified(9, 1, 7, "1")

    assert lost(verdict_on(tmp_path, logs)) == [(0, 30)]


def test_records_of_a_topic_that_was_deleted_and_made_anew_are_not_lost(tmp_path: Path) -> None:
    """A broker that was down meanwhile has the old log, and cuts it to the new one's end."""
    first = start(0, 1) + created(0) + leads(0, 3, 0) + DELETED + created(5) + leads(5, 4, 0)
    second = start(0, 2) + created(0) + follows(0, 0) + stop(1, 2)
    second += start(7, 2) + loaded(7, 0, 42) + follows(7, 42) + CUT.replace("03:00", "03:07")
    logs = {
        "broker-1/server.log": first,
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2") + notified(5, 1, 4, "1"),
        "broker-2/server.log": second,
        "broker-2/state-change.log": notified(0, 2, 3, "1, 2") + notified(7, 2, 4, "1"),
    }

    assert verdict_on(tmp_path, logs).losses == ()


def test_a_log_that_ends_before_its_leaders_begins_drops_nothing_that_counts(tmp_path: Path) -> None:
    """The leader's retention had removed all of it; the log begins anew at the leader's log start."""
    leader = start(0, 1) + created(0) + leads(0, 3, 0) + MOVED.replace("42", "640")
    leader += at(
        3,
        0,
        "[Partition orders-0 broker=1] Shrinking ISR from 1,2 to 1. Leader: (highWatermark: 980, "
        "endOffset: 980). Out of sync replicas: (brokerId: 2, endOffset: 160). (kafka.cluster.Partition)",
    )
    reset = (
        "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Reset fetch offset for partition orders-0 "
        "from 160 to current leader's start offset 640 (kafka.server.ReplicaFetcherThread)"
    )
    logs = {
        "broker-1/server.log": leader,
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2"),
        "broker-2/server.log": start(0, 2) + created(0) + follows(0, 0)
        + start(4, 2) + loaded(4, 0, 160) + follows(4, 160) + at(4, 9, reset),
        "broker-2/state-change.log": notified(0, 2, 3, "1, 2") + notified(4, 2, 3, "1"),
    }  # fmt: skip

    verdict = verdict_on(tmp_path, logs)

    assert [(cut.to_offset, cut.below_high_watermark) for cut in verdict.truncations] == [(640, False)]
    assert [one.check for one in verdict.findings if one.check == "cut-below-hw"] == []
