"""Logs that state no cluster and contradict others: one side is read, and it is said why."""

from pathlib import Path

from core.trace.trace import Trace
from importers.load import load
from tests.importers.test_clusters import A, at, cut, held, start, told
from tests.importers.test_logs_of_brokers import written
from tests.in_words import gaps_of


def leads(
    minute: int, leader: int, epoch: int, *, of: int = 1, partition: str = "orders-0", second: int = 0
) -> str:
    """What broker `of` is told by a controller of 2.8: leader and epoch."""
    role = "Leader" if leader == of else "Follower"
    rest = " ISR [1,2] addingReplicas [] removingReplicas []" if leader == of else ""
    line = (
        f"[Broker id={of}] {role} {partition} starts at leader epoch {epoch} from offset 7 "
        f"with high watermark 7{rest}. Previous leader epoch was -1."
    )
    return at(minute, f"{line} (state.change.logger)", second)


def elected(minute: int, leader: int, epoch: int, isr: str, version: int) -> str:
    """What a controller of 2.8 decides of orders-0."""
    state = f"LeaderAndIsr(leader={leader}, leaderEpoch={epoch}, isr=List({isr}), zkVersion={version})"
    changed = "Changed partition orders-0 from OfflinePartition to OnlinePartition with state"
    return at(minute, f"[Controller id=1 epoch=1] {changed} {state} (state.change.logger)")


def started(minute: int, broker: int = 1) -> str:
    return at(minute, f"[KafkaServer id={broker}] started (kafka.server.KafkaServer)")


def reasons(trace: Trace) -> dict[str, str]:
    """By file the id of the reason why it is left out."""
    return {row["file"]: row["reason"]["id"] for row in trace.report["left_out"]}


def test_two_leaders_of_one_epoch_are_of_two_clusters(tmp_path: Path) -> None:
    """The end of another cluster's log states no cluster; the note names both lines. By whichever clock."""
    written(
        tmp_path,
        {
            "broker-1/server.log": start(0, A) + held(0, 115),
            "broker-1/state-change.log": elected(1, 1, 3, "1, 2", 4) + elected(2, 2, 4, "2", 5),
            "old/broker-1/server.log": started(31) + cut(31, 3),
            "old/broker-1/state-change.log": elected(31, 3, 4, "3", 9),
        },
    )

    trace = load([tmp_path])

    assert told(trace) == [("log_loaded", 115)]
    assert reasons(trace) == {
        "old/broker-1/state-change.log": "report.other-leader",
        "old/broker-1/server.log": "report.beside-left-out",
    }
    sentence = "broker 3 lead orders-0 in leader epoch 4, line 2 of broker-1/state-change.log has broker 2"
    assert any(sentence in one for one in gaps_of(trace.report))


def test_two_sets_of_one_state_are_of_two_clusters_also_in_one_folder(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "broker-1/server.log": start(0, A) + held(0, 115),
            "broker-1/state-change.log": elected(1, 1, 3, "1, 2", 4),
            "broker-1/found-in-tmp.log": elected(2, 1, 3, "1, 3", 4) + cut(2, 3),
        },
    )

    trace = load([tmp_path])

    assert reasons(trace) == {"broker-1/found-in-tmp.log": "report.other-set"}
    assert told(trace) == [("log_loaded", 115)]


def test_an_epoch_that_falls_from_one_folder_to_another_one(tmp_path: Path) -> None:
    """No epoch is in both; the other cluster was minutes before."""
    written(
        tmp_path,
        {
            "a/broker-1/server.log": start(9, A) + held(9, 115),
            "a/broker-1/state-change.log": leads(9, 1, 0, second=9) + leads(12, 2, 1),
            "b/broker-1/state-change.log": started(1) + leads(1, 1, 6) + cut(1, 3),
        },
    )

    trace = load([tmp_path])

    assert reasons(trace) == {"b/broker-1/state-change.log": "report.epoch-falls"}
    assert told(trace) == [("log_loaded", 115)]


def test_epochs_that_go_on_in_another_folder_are_of_one_history(tmp_path: Path) -> None:
    """Logs of yesterday and of today, and a topic that was made anew between them, of which no line tells."""
    others = [f"clicks-{number}" for number in range(2)] + ["audit-0"]
    old = "".join(leads(1, 1, 3, partition=one) for one in (*others, "orders-0"))
    new = "".join(leads(30, 1, 4, partition=one) for one in others) + leads(30, 1, 0)
    written(
        tmp_path,
        {"yesterday/broker-1/server.log": started(1) + old, "today/broker-1/server.log": started(30) + new},
    )

    assert reasons(load([tmp_path])) == {}


def test_a_topic_that_is_deleted_and_made_anew_contradicts_nothing(tmp_path: Path) -> None:
    """Epoch 0 has another leader then, and the broker that deleted its log tells of it."""
    gone = "orders-0 is renamed to /data/orders-0.b1becb48bee64c259ddfb3db1bf99b16-delete"
    deleted = at(2, f"Log for partition {gone} and is scheduled for deletion (kafka.log.LogManager)")
    made = "Created log for partition orders-0 in /data/orders-0 with properties {}"
    written(
        tmp_path,
        {
            "broker-1/server.log": start(0, A) + deleted + at(3, f"{made} (kafka.log.LogManager)"),
            "broker-1/state-change.log": leads(1, 1, 0) + leads(3, 2, 0, second=5),
            "broker-2/server.log": started(0, 2) + leads(1, 1, 0, of=2) + leads(3, 2, 0, of=2, second=5),
        },
    )

    assert reasons(load([tmp_path])) == {}


def test_of_two_sides_without_a_cluster_that_with_most_brokers_is_read(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "a/broker-1/server.log": started(1) + leads(1, 1, 3) + "".join(cut(2, to) for to in range(9, 40)),
            "b/broker-1/server.log": started(1) + elected(1, 2, 3, "2", 4) + cut(2, 5),
            "b/broker-2/server.log": started(1, 2) + leads(1, 2, 3, of=2) + cut(2, 6),
        },
    )

    trace = load([tmp_path])

    assert reasons(trace) == {"a/broker-1/server.log": "report.other-leader"}
    assert told(trace) == [("truncated", 5), ("truncated", 6)]


def test_logs_in_one_folder_belong_together_by_what_stands_before_kafkas_names(tmp_path: Path) -> None:
    """Nothing in old-server.log contradicts anything; an epoch that falls shows whose it is."""
    written(
        tmp_path,
        {
            "broker-1/server.log": start(9, A) + held(9, 115),
            "broker-1/state-change.log": leads(9, 1, 0, second=9),
            "broker-1/old-server.log": started(1) + cut(1, 3),
            "broker-1/old-state-change.log": leads(1, 1, 6),
        },
    )

    trace = load([tmp_path])

    assert reasons(trace) == {
        "broker-1/old-state-change.log": "report.epoch-falls",
        "broker-1/old-server.log": "report.beside-left-out",
    }
    assert told(trace) == [("log_loaded", 115)]
