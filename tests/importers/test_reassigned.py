"""A reassignment: the replicas of a partition are those that its controller listed last, in their order."""

from pathlib import Path

import pytest

from importers.load import load

ZOOKEEPER = (
    "[Controller id=1 epoch=1] Changed partition t-0 state from NonExistentPartition to NewPartition with "
    "assigned replicas 1,2 (state.change.logger)"
)
TO_2_3 = (
    "[Controller id=1] Updated assigned replicas for partition t-0 being reassigned to {} "
    "(kafka.controller.KafkaController)"
)
FROM_2_4 = (
    "[Controller id=1] Successfully updated assignment of partition t-0 to ReplicaAssignment(replicas={}, "
    "addingReplicas={}, removingReplicas={}) (kafka.controller.KafkaController)"
)
KRAFT = (
    "[QuorumController id=1] Created partition t-0 with topic ID p3mFxbNZRjSN5673ktRmxg and "
    "PartitionRegistration(replicas=[1, 2], directories=[], isr=[1, 2], removingReplicas=[], "
    "addingReplicas=[], elr=[], lastKnownElr=[], leader=1, leaderRecoveryState=RECOVERED, leaderEpoch=0, "
    "partitionEpoch=0). (org.apache.kafka.controller.ReplicationControlManager)"
)
CHANGE = (
    "[QuorumController id=1] partition change for t-0 with topic ID p3mFxbNZRjSN5673ktRmxg: {} "
    "(org.apache.kafka.controller.ReplicationControlManager)"
)
BEGINS = (
    "replicas: [1, 2] -> [3, 1, 2], addingReplicas: [] -> [3], removingReplicas: [] -> [2], "
    "partitionEpoch: 0 -> 1"
)
ENDS = (
    "replicas: [3, 1, 2] -> [3, 1], isr: [1, 2] -> [1, 3], addingReplicas: [3] -> [], "
    "removingReplicas: [2] -> [], leader: 1 -> 3, leaderEpoch: 0 -> 1, partitionEpoch: 1 -> 2"
)


@pytest.mark.parametrize(
    ("lines", "replicas", "told"),
    [
        pytest.param((ZOOKEEPER,), (1, 2), [], id="never moved"),
        pytest.param(
            (ZOOKEEPER, TO_2_3.format("2,3,1"), TO_2_3.format("3,1")),
            (3, 1),
            [(2, 3, 1), (3, 1)],
            id="to 2.3",
        ),
        pytest.param((ZOOKEEPER, TO_2_3.format("2,1")), (2, 1), [(2, 1)], id="another order"),
        pytest.param(
            (ZOOKEEPER, FROM_2_4.format("3,1,2", "3", "2"), FROM_2_4.format("3,1", "", "")),
            (3, 1),
            [(3, 1, 2), (3, 1)],
            id="from 2.4",
        ),
        pytest.param(
            (KRAFT, CHANGE.format(BEGINS), CHANGE.format(ENDS)), (3, 1), [(3, 1, 2), (3, 1)], id="KRaft"
        ),
    ],
)
def test_replicas_are_those_that_the_controller_listed_last(
    lines: tuple[str, ...], replicas: tuple[int, ...], told: list[tuple[int, ...]], tmp_path: Path
) -> None:
    logs = tmp_path / "broker-1"
    logs.mkdir()
    rows = [f"[2026-11-21 03:00:{at:02},000] INFO {text}" for at, text in enumerate(lines)]
    (logs / "controller.log").write_text("\n".join(rows) + "\n")

    trace = load([tmp_path])

    assert [one.replicas for one in trace.partitions] == [replicas]
    events = [trace.event(seq) for seq in range(len(trace))]
    assigned = [one for one in events if one.kind == "replicas_assigned"]
    assert [trace.isrs[one.values["isr"]] for one in assigned] == told
