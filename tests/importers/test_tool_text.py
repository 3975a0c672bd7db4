"""What kafka-topics, kafka-log-dirs, kafka-metadata-quorum and kafka-leader-election print, by release."""

import os
import shutil
from pathlib import Path

import pytest

from importers.disk.tool_text import is_tool_text, read_tool_text
from importers.load import load
from importers.merge.files import Role
from importers.preview import preview
from tests.archives import unpack_sample

DESCRIBED_2_3 = (
    b"Topic:t1\tPartitionCount:1\tReplicationFactor:3\tConfigs:unclean.leader.election.enable=true,retention.ms=1\n"
    b"\tTopic: t1\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: 2\n"
)
DESCRIBED_2_8 = (
    b"Topic: t1\tTopicId: p3mFxbNZRjSN5673ktRmxg\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: \n"
    b"\tTopic: t1\tPartition: 0\tLeader: none\tReplicas: 1,2,3\tIsr: "
    b"\tAdding Replicas: 4\tRemoving Replicas: 1,2\n"
)
DESCRIBED_4 = (
    b"\tTopic: t-1\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: 2,3\tElr: 1\tLastKnownElr: \n"
    b"    Topic: t-1    Partition: 1    Leader: 3    Replicas: 3,1    Isr: 3    Elr: N/A"
    b"    LastKnownElr: N/A\r\n"
)
LOG_DIRS = (
    b"Querying brokers for log directories information\n"
    b"Received log directory information from brokers 1,2\n"
    b'{"brokers":[{"broker":1,"logDirs":[{"partitions":[{"partition":"t-1-0","size":738,"offsetLag":4,"isFuture":false}],'
    b'"error":null,"logDir":"/data1"},{"partitions":[],"error":"KafkaStorageException","logDir":"/data2"}]}],"version":1}\n'
)
STATUS = (
    b"ClusterId:              exzrB3MkQ2yD\nLeaderId:               100\nLeaderEpoch:            7\n"
    b"HighWatermark:          300\nMaxFollowerLag:         0\nMaxFollowerLagTimeMs:   12\n"
    b"CurrentVoters:          [100]\n"
)
REPLICATION = (
    b"NodeId\tDirectoryId           \tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus\n"
    b"100   \tAAAAAAAAAAAAAAAAAAAAAA\t301         \t0  \t1795230000123  \t1795230000123  \tLeader\n"
    b"1     \tAAAAAAAAAAAAAAAAAAAAAA\t299         \t2  \t1795230000100  \t1795230000050  \tObserver\n"
)
ELECTION = b"Successfully completed leader election (UNCLEAN) for partitions t-1-0, orders-2\n"


def told(data: bytes) -> list[dict[str, object]]:
    assert is_tool_text(data)
    return [dict(line.values) for line in read_tool_text(data).lines]


def test_topics_of_2_3() -> None:
    assert told(DESCRIBED_2_3) == [
        {
            "topic": "t1",
            "partitions": 1,
            "configs": {"unclean.leader.election.enable": "true", "retention.ms": "1"},
        },
        {"topic": "t1", "partition": 0, "leader": 2, "replicas": [1, 2, 3], "isr": [2]},
    ]


def test_topics_of_2_8_without_a_leader_and_with_a_reassignment() -> None:
    assert told(DESCRIBED_2_8) == [
        {"topic": "t1", "partitions": 2, "topic_id": "p3mFxbNZRjSN5673ktRmxg"},
        {"topic": "t1", "partition": 0, "leader": -1, "replicas": [1, 2, 3], "isr": [], "adding": [4],
         "removing": [1, 2]},
    ]  # fmt: skip


def test_topics_of_4_with_eligible_leaders_or_none_that_can_be_told() -> None:
    assert told(DESCRIBED_4) == [
        {"topic": "t-1", "partition": 0, "leader": 2, "replicas": [1, 2, 3], "isr": [2, 3], "elr": [1],
         "last_known_elr": []},
        {"topic": "t-1", "partition": 1, "leader": 3, "replicas": [3, 1], "isr": [3]},
    ]  # fmt: skip


def test_log_directories_of_brokers_and_those_that_failed() -> None:
    assert told(LOG_DIRS) == [
        {"topic": "t-1", "partition": 0, "broker": 1, "directory": "/data1", "size": 738, "offset_lag": 4,
         "future": False},
        {"broker": 1, "directory": "/data2", "error": "KafkaStorageException"},
    ]  # fmt: skip


def test_the_quorum_and_a_time_that_its_rows_name() -> None:
    assert {"LeaderEpoch": "7"} in told(STATUS)
    assert told(REPLICATION)[0] == {"node": 100, "leo": 301, "lag": 0, "status": "Leader"}
    assert told(REPLICATION)[1]["lag"] == 2
    assert read_tool_text(REPLICATION).not_before_ns == 1795230000123_000_000
    assert read_tool_text(STATUS).not_before_ns is None


def test_an_election_by_hand() -> None:
    assert told(ELECTION) == [
        {"topic": "t-1", "partition": 0, "election": "unclean"},
        {"topic": "orders", "partition": 2, "election": "unclean"},
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[2026-11-21 03:29:10,161] INFO Topic: t1 Partition: 0 Leader: 2 (kafka.x)\n",
        b'{"brokers": [[[', b"{" * 100_000, b"# Topics\nTopic: what we talk about\n",
    ],
)  # fmt: skip
def test_what_no_tool_printed_is_passed_over(data: bytes) -> None:
    assert not is_tool_text(data)
    assert read_tool_text(data).lines == ()


def test_hostile_json_costs_only_itself() -> None:
    nested = b'{"brokers":' + b"[" * 200_000 + b'"logDirs"'

    assert read_tool_text(nested + b"\n" + ELECTION).lines[0].line == 2
    assert (
        read_tool_text(b'{"brokers":[{"broker":1,"logDirs":[7,{"partitions":{"partition":3}}]}]}').lines == ()
    )


@pytest.mark.slow
def test_a_tool_s_words_are_in_the_report_with_the_time_of_the_file_and_make_no_event(tmp_path: Path) -> None:
    """A description taken in the middle names a leader that may not be the last one: it is no event."""
    folder = unpack_sample("k0102-hw-loss", tmp_path)
    shutil.rmtree(folder / "broker-3")
    before = load([folder])
    (folder / "topics.txt").write_bytes(DESCRIBED_2_3.replace(b"t1", b"orders"))
    os.utime(folder / "topics.txt", ns=(1795230000_000_000_000, 1795230000_000_000_000))

    trace = load([folder])
    seen = next(file for file in preview([folder]).files if file.path == "topics.txt")

    assert len(trace) == len(before)
    assert seen.role is Role.TOOL
    row = trace.report["tools"][1]
    assert (row["file"], row["line"], row["leader"], row["isr"]) == ("topics.txt", 2, 2, [2])
    assert row["not_after"] == "2026-11-21T03:00:00.000000000Z"
    assert row["text"].strip().startswith("Topic: orders")
    assert (
        next(one for one in trace.report["by_file"] if one["file"] == "topics.txt")["is"]
        == "output of a tool"
    )


def test_a_size_is_a_long_of_java() -> None:
    """DescribeLogDirsResponse has int64 for sizes: 2 ** 63 - 1 is the largest, and one more is no size."""
    most = LOG_DIRS.replace(b'"size":738', b'"size":9223372036854775807')
    beyond = LOG_DIRS.replace(b'"size":738', b'"size":9223372036854775808')

    assert told(most)[0]["size"] == 2**63 - 1
    assert read_tool_text(beyond).lines == ()
    assert len(read_tool_text(beyond).doubts) == 1
