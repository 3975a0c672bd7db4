"""Nodes that are controller and broker: a controller begins before its broker and ends after it."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose, judge_partitions
from core.trace.ids import TopicPartition
from importers.load import load
from tests.bench.diagnosis import many_partitions
from tests.importers.test_logs_of_brokers import written

FOLLOWS = (
    "[RaftManager nodeId=3] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=1, leaderId=2, "
    "voters=[1, 2, 3]) from Unattached(epoch=1, voters=[1, 2, 3], electionTimeoutMs=1998) "
    "(org.apache.kafka.raft.QuorumState)"
)
CREATED = (
    "[Controller 3] Created partition pay-0 with topic ID ptu8b8loTwSzbC82wL-v1Q and PartitionRegistration("
    "replicas=[1, 2, 3], isr=[1, 2, 3], removingReplicas=[], addingReplicas=[], leader=1, "
    "leaderRecoveryState=RECOVERED, leaderEpoch=0, partitionEpoch=0). "
    "(org.apache.kafka.controller.ReplicationControlManager)"
)
LOADED = (
    "Completed load of Log(dir=/data/pay-0, topicId=ptu8b8loTwSzbC82wL-v1Q, topic=pay, partition=0, "
    "highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=42) with 1 segments in 31ms "
    "(1/5 completed in /data) (kafka.log.LogManager)"
)
SNAPSHOT = (
    "[ProducerStateManager partition=__cluster_metadata-0] Wrote producer snapshot at offset 148 with 0 "
    "producer ids in 1 ms. (kafka.log.ProducerStateManager)"
)
STARTED = (
    "Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jControllerRegistration$)",
    FOLLOWS,
    CREATED,
    "[BrokerServer id=3] Transition from SHUTDOWN to STARTING (kafka.server.BrokerServer)",
    LOADED,
    "[BrokerServer id=3] Transition from STARTING to STARTED (kafka.server.BrokerServer)",
)
STOPPED = (
    "[BrokerServer id=3] Transition from STARTED to SHUTTING_DOWN (kafka.server.BrokerServer)",
    "[BrokerServer id=3] shut down completed (kafka.server.BrokerServer)",
    "[RaftManager nodeId=3] Graceful shutdown completed (org.apache.kafka.raft.KafkaRaftClient)",
    SNAPSHOT,
)


def life(minute: int, lines: tuple[str, ...]) -> str:
    return "".join(
        f"[2026-11-21 03:{minute:02}:{second:02},000] INFO {line}\n" for second, line in enumerate(lines)
    )


def unclean_stops(folder: Path, *lives: str) -> list[int]:
    """How often the node is said to have stopped without a clean shutdown: in the quorum, and in pay-0."""
    trace = load([written(folder, {"kafka-3.log": "".join(lives)})])
    assert [one.tp.of_quorum for one in trace.partitions] == [True, False]
    found = [[told.check for told in one.findings] for one in diagnose(trace).partitions]
    return [checks.count("unclean-stop") for checks in found]


def test_what_the_controller_prints_before_the_broker_begins_is_no_life(tmp_path: Path) -> None:
    assert unclean_stops(tmp_path, life(1, STARTED)) == [0, 0]


def test_a_clean_stop_stays_one_whatever_the_controller_prints_after_it(tmp_path: Path) -> None:
    lives = life(1, STARTED), life(2, STOPPED), life(3, STARTED)

    assert unclean_stops(tmp_path, *lives) == [0, 0]


def test_a_start_without_a_stop_is_still_an_unclean_one(tmp_path: Path) -> None:
    assert unclean_stops(tmp_path, life(1, STARTED), life(3, STARTED)) == [1, 1]


FETCHES = (
    "[RaftManager nodeId=3] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=8, leaderId=1, "
    "voters=[1, 2, 3], highWatermark=Optional.empty, fetchingSnapshot=Optional.empty) "
    "(org.apache.kafka.raft.QuorumState)"
)
CUTS = "[UnifiedLog partition=__cluster_metadata-0, dir=/data] Truncating to offset 88 (kafka.log.UnifiedLog)"
HAS_CUT = (
    "[RaftManager nodeId=3] Truncated to offset 88 from Fetch response from leader 1 "
    "(org.apache.kafka.raft.KafkaRaftClient)"
)


def test_a_cut_of_the_quorums_log_that_two_components_print_is_one(tmp_path: Path) -> None:
    release = "Kafka version: 3.3.2 (org.apache.kafka.common.utils.AppInfoParser)"
    after = SNAPSHOT.replace("148", "88")
    text = life(1, (release, *STARTED)) + life(2, (SNAPSHOT, FETCHES, CUTS, after, HAS_CUT))

    trace = load([written(tmp_path, {"kafka-3.log": text})])

    assert [cut.to_offset for cut in diagnose(trace).partitions[0].truncations] == [88]


def test_of_many_partitions_none_asks_all_others_whether_there_is_a_quorum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cluster has a hundred thousand of them: what is the same for all is read once."""
    asked: list[TopicPartition] = []
    monkeypatch.setattr(TopicPartition, "of_quorum", property(lambda one: bool(asked.append(one))))
    made: list[int] = []
    for count in (20, 80):
        trace = many_partitions(count, alike=False)
        asked.clear()
        assert len([verdict for _, verdict in judge_partitions(trace, range(count))]) == count
        made.append(len(asked))

    assert made[1] <= 5 * made[0]
