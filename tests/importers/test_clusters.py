"""Logs of two clusters in one import: one is read, the other is named, and no history spans both."""

from pathlib import Path

import pytest

from core.trace.trace import Trace
from importers.load import load
from tests.importers.test_logs_of_brokers import written
from tests.in_words import gaps_of

A, B = "HVJ44XNZSlauFiEJDxtJYQ", "AUUcWrmzRmyLn4cI0EmoaQ"


def at(minute: int, text: str, second: int = 0) -> str:
    return f"[2026-11-21 03:{minute:02d}:{second:02d},000] INFO {text}\n"


def start(minute: int, cluster: str, broker: int = 1) -> str:
    """The first lines of a life of 0.10.2: four records."""
    return (
        at(minute, f"KafkaConfig values: \n\tbroker.id = {broker}\n (kafka.server.KafkaConfig)")
        + at(minute, "starting (kafka.server.KafkaServer)")
        + at(minute, f"Cluster ID = {cluster} (kafka.server.KafkaServer)", 1)
        + at(minute, f"[Kafka Server {broker}], started (kafka.server.KafkaServer)", 2)
    )


def held(minute: int, end: int) -> str:
    loaded = f"Completed load of log orders-0 with 1 log segments and log end offset {end} in 3 ms"
    return at(minute, f"{loaded} (kafka.log.Log)", 3)


def cut(minute: int, offset: int) -> str:
    return at(minute, f"Truncating log orders-0 to offset {offset}. (kafka.log.Log)", 30)


def busy(minute: int, lines: int) -> str:
    """Lines about no partition."""
    told = "[Group Metadata Manager on Broker 1]: Removed 0 expired offsets in 0 milliseconds."
    return "".join(at(minute, f"{told} (kafka.coordinator.GroupMetadataManager)", 40) for _ in range(lines))


def told(trace: Trace) -> list[tuple[str, int]]:
    """What is said of logs: where one ends, and to where one is cut."""
    events = [trace.event(seq) for seq in range(len(trace))]
    names = {"log_loaded": "leo", "truncated": "offset"}
    return [(one.kind, one.values[names[one.kind]]) for one in events if one.kind in names]


def rows_of(trace: Trace) -> list[tuple[str, int | None, str]]:
    """What is left out: file, how many lines, and the id of the reason."""
    return [(row["file"], row["lines"], row["reason"]["id"]) for row in trace.report["left_out"]]


def moved_broker(folder: Path) -> Path:
    """The log of a broker that was of cluster A, and is of B from 03:05 on, where its log is new."""
    first = start(0, A) + held(0, 115) + busy(1, 9)
    return written(folder, {"broker-1/server.log": first + start(5, B) + held(5, 0) + cut(5, 0)})


def test_a_broker_that_goes_to_another_cluster_has_the_history_of_one(tmp_path: Path) -> None:
    """Its logs there are others, whatever the names of their topics; that life is left out from its start."""
    trace = load([moved_broker(tmp_path)])

    assert told(trace) == [("log_loaded", 115)]
    assert rows_of(trace) == [("broker-1/server.log", 6, "report.other-cluster")]
    assert [trace.event(seq).kind for seq in range(len(trace))].count("broker_starting") == 1
    sentence = f"6 lines of broker-1/server.log were left out: these lines are of cluster {B}"
    assert any(sentence in one for one in gaps_of(trace.report))


def test_the_other_logs_of_that_broker_are_divided_at_the_same_time(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "broker-1/server.log": start(0, A) + held(0, 115) + busy(1, 9) + start(5, B) + held(5, 0),
            "broker-1/state-change.log": cut(1, 100) + cut(6, 7),
            "broker-1/old.log": cut(2, 90),
        },
    )

    trace = load([tmp_path])

    assert told(trace) == [("log_loaded", 115), ("truncated", 100), ("truncated", 90)]


def test_brokers_of_two_clusters_in_two_folders(tmp_path: Path) -> None:
    """Both have a broker 1. A log that states no cluster is of that of its folder."""
    written(
        tmp_path,
        {
            "prod/1/server.log": start(0, A) + held(0, 115) + busy(1, 9),
            "prod/2/server.log": at(1, "[Kafka Server 2], started (kafka.server.KafkaServer)") + cut(2, 80),
            "test/1/server.log": start(0, B) + held(0, 5),
            "test/2/server.log": at(1, "[Kafka Server 2], started (kafka.server.KafkaServer)") + cut(2, 3),
        },
    )

    trace = load([tmp_path])

    assert told(trace) == [("log_loaded", 115), ("truncated", 80)]
    assert rows_of(trace) == [
        ("test/1/server.log", None, "report.other-cluster"),
        ("test/2/server.log", None, "report.other-cluster"),
    ]


def test_the_cluster_with_most_brokers_is_read_however_much_one_broker_of_another_prints(
    tmp_path: Path,
) -> None:
    """A log of an unrelated cluster slipped in, at TRACE."""
    written(
        tmp_path,
        {
            "broker-1/server.log": start(0, A, 1) + held(0, 115),
            "broker-2/server.log": start(0, A, 2) + held(0, 100),
            "broker-1/old/server.log": start(0, B, 1) + held(0, 7) + busy(1, 500),
        },
    )

    trace = load([tmp_path])

    assert told(trace) == [("log_loaded", 115), ("log_loaded", 100)]
    assert [row for row in rows_of(trace) if row[0] == "broker-1/old/server.log"]


def test_a_log_of_which_the_cluster_is_not_known_is_left_out(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "a/server.log": start(0, A) + held(0, 115) + busy(1, 9),
            "b/server.log": start(0, B, broker=2) + held(0, 5),
            "c/server.log": at(1, "[Kafka Server 3], started (kafka.server.KafkaServer)") + cut(2, 3),
        },
    )

    assert rows_of(load([tmp_path]))[1] == ("c/server.log", None, "report.cluster-not-known")


@pytest.mark.parametrize("cluster", [A, B])
def test_data_directories_decide_which_cluster_is_read(cluster: str, tmp_path: Path) -> None:
    ends = {A: 115, B: 5}
    written(
        tmp_path,
        {
            "a/server.log": start(0, A) + held(0, ends[A]) + busy(1, 9),
            "b/server.log": start(0, B) + held(0, ends[B]),
            "data/meta.properties": f"version=0\nbroker.id=1\ncluster.id={cluster}\n",
            "data/replication-offset-checkpoint": "0\n1\norders 0 4\n",
        },
    )

    assert told(load([tmp_path])) == [("log_loaded", ends[cluster])]


@pytest.mark.parametrize(
    ("line", "logger"),
    [
        (
            "[BrokerLifecycleManager id=1] Incarnation HBEDUZhdTh of broker 1 in cluster {} is now STARTING.",
            "kafka.server.BrokerLifecycleManager",
        ),
        (
            "[QuorumController id=1] Creating new QuorumController with clusterId {}",
            "org.apache.kafka.controller.QuorumController",
        ),
        (
            "[QuorumController id=1] Creating new QuorumController with clusterId {}.",
            "org.apache.kafka.controller.QuorumController",
        ),
    ],
)
def test_nodes_of_kraft_state_their_cluster(line: str, logger: str, tmp_path: Path) -> None:
    lives = [
        at(minute, f"{line.format(one)} ({logger})") + cut(minute, 40)
        for minute, one in ((0, A), (1, A), (5, B))
    ]
    written(tmp_path, {"broker-1/server.log": "".join(lives)})

    assert told(load([tmp_path])) == [("truncated", 40)] * 2
