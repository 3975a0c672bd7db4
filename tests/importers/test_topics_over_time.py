"""Settings of topics that change while a cluster runs: what held at which time, from hand-written logs."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.kafka.metadata_records import encode_record
from core.trace.settings import topic_setting, topic_setting_over_time
from core.trace.trace import Trace
from importers.load import load
from tests.importers.test_metadata_log import OTHER, batch, leader, partition, topic

LEAST = "min.insync.replicas"
UNCLEAN = "unclean.leader.election.enable"
DAY = "2026-11-21"
ALL = f"compression.type -> producer, {LEAST} -> 1, cleanup.policy -> [delete], {UNCLEAN} -> false"


def ns(clock: str) -> int:
    """A time of that day in ns."""
    at = datetime.fromisoformat(f"{DAY}T{clock}").replace(tzinfo=UTC)
    return int(at.timestamp() * 1_000) * 1_000_000


def line(clock: str, said: str, logger: str = "kafka.server.KafkaServer") -> str:
    return f"[{DAY} {clock},000] INFO {said} ({logger})"


def starts(clock: str, broker: int = 1) -> Sequence[str]:
    """A start with ZooKeeper, which takes five seconds."""
    return (
        line(clock, "starting"),
        line(clock, f"Creating /brokers/ids/{broker} (is it secure? false)", "kafka.zk.KafkaZkClient"),
        line(f"{clock[:-1]}5", f"[KafkaServer id={broker}] started"),
    )


def made(clock: str, listed: str = "") -> str:
    return line(
        clock, f"Created log for partition t-0 in /d/t-0 with properties {{{listed}}}", "kafka.log.LogManager"
    )


def noticed(clock: str, listed: str) -> str:
    return line(
        clock,
        f"Processing override for entityPath: topics/t with config: Map({listed})",
        "kafka.server.DynamicConfigManager",
    )


def published(clock: str, listed: str, broker: int = 1) -> str:
    said = f"[DynamicConfigPublisher broker id={broker}] Updating topic t with new configuration : {listed}"
    return line(clock, said, "kafka.server.metadata.DynamicConfigPublisher")


def alive(clock: str) -> str:
    return line(clock, "[Log partition=t-0, dir=/d] Truncating to offset 3", "kafka.log.Log")


def loaded(folder: Path, logs: Mapping[int, Sequence[str]]) -> Trace:
    for broker, lines in logs.items():
        path = folder / f"broker-{broker}" / "server.log"
        path.parent.mkdir()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load([folder])


def at_times(trace: Trace, name: str, *clocks: str) -> list[str | None]:
    return [topic_setting(trace, "t", name, ns(clock)) for clock in clocks]


def test_a_change_holds_from_its_line_on_and_the_value_before_it_up_to_it(tmp_path: Path) -> None:
    """unclean.leader.election.enable is set by hand after an outage: at the outage it was not."""
    trace = loaded(
        tmp_path,
        {
            broker: [
                *starts("10:00:00", broker),
                made("10:00:10", "min.insync.replicas -> 2"),
                alive("10:30:00"),
                noticed("10:40:00", f"min.insync.replicas -> 2, {UNCLEAN} -> true"),
                alive("11:00:00"),
            ]
            for broker in (1, 2)
        },
    )

    assert at_times(trace, LEAST, "10:30:00", "10:50:00") == ["2", "2"]
    assert topic_setting(trace, "t", LEAST) == "2"
    # Brokers state nothing of unclean elections here: before, the topic had no value of its own.
    assert at_times(trace, UNCLEAN, "10:30:00", "10:50:00") == [None, "true"]
    assert topic_setting(trace, "t", UNCLEAN) is None


def test_until_brokers_are_told_of_a_change_it_is_not_known_to_have_come(tmp_path: Path) -> None:
    """A controller reads the new value from ZooKeeper before any broker prints it."""
    trace = loaded(
        tmp_path,
        {
            1: [
                *starts("10:00:00"),
                made("10:00:10", "min.insync.replicas -> 2"),
                noticed("10:40:00", f"{LEAST} -> 1"),
            ]
        },
    )

    assert at_times(trace, LEAST, "10:39:54", "10:39:56", "10:40:00") == ["2", None, "1"]


def test_a_change_that_no_line_tells_of_came_at_a_time_that_is_not_known(tmp_path: Path) -> None:
    """Two logs of a topic are made with other settings: nothing says when they were changed between."""
    trace = loaded(
        tmp_path,
        {
            1: [
                *starts("10:00:00"),
                made("10:10:00", f"{LEAST} -> 2"),
                alive("10:30:00"),
                made("10:50:00", f"{LEAST} -> 1"),
            ]
        },
    )

    assert at_times(trace, LEAST, "10:10:00", "10:30:00", "10:50:00", "11:00:00") == ["2", None, "1", "1"]


def test_the_value_before_the_first_line_on_a_change_is_not_known(tmp_path: Path) -> None:
    trace = loaded(
        tmp_path, {1: [alive("10:00:00"), noticed("10:30:00", f"{LEAST} -> 1"), alive("11:00:00")]}
    )

    assert at_times(trace, LEAST, "10:00:00", "10:30:00", "11:00:00") == [None, "1", "1"]
    assert topic_setting(trace, "t", LEAST) is None


@pytest.mark.parametrize(("again", "then"), [("10:20:00", "2"), ("10:50:00", None)])
def test_a_start_tells_of_changes_of_the_last_quarter_of_an_hour(
    tmp_path: Path, again: str, then: str | None
) -> None:
    """What was changed while no broker ran is told at the start, unless its notice has expired."""
    trace = loaded(
        tmp_path,
        {
            1: [
                *starts("10:00:00"),
                made("10:00:10", f"{LEAST} -> 2"),
                alive("10:15:00"),
                *starts(again),
                noticed("10:58:00", f"{LEAST} -> 1"),
            ]
        },
    )

    assert at_times(trace, LEAST, "10:14:00", "10:52:00", "10:58:00") == ["2", then, "1"]


def test_a_setting_that_a_start_tells_of_was_changed_while_the_broker_was_down(tmp_path: Path) -> None:
    lines = [*starts("10:00:00"), made("10:00:10", f"{LEAST} -> 2"), alive("10:15:00")]
    anew = [line("10:20:00", "starting"), noticed("10:20:01", f"{LEAST} -> 1"), *starts("10:20:00")[1:]]
    trace = loaded(tmp_path, {1: [*lines, *anew, alive("10:30:00")]})

    assert at_times(trace, LEAST, "10:15:00", "10:18:00", "10:20:01", "10:30:00") == ["2", None, "1", "1"]


def test_a_broker_with_kraft_prints_what_holds_when_it_starts(tmp_path: Path) -> None:
    begun = line(
        "10:00:00", "[BrokerServer id=1] Transition from SHUTDOWN to STARTING", "kafka.server.BrokerServer"
    )
    up = line(
        "10:00:05", "[BrokerServer id=1] Transition from STARTING to STARTED", "kafka.server.BrokerServer"
    )
    early, late = published("10:00:02", f"{LEAST} -> 2"), published("10:30:00", f"{LEAST} -> 1")
    trace = loaded(tmp_path, {1: [begun, early, up, alive("10:20:00"), late, alive("10:40:00")]})

    assert at_times(trace, LEAST, "10:00:00", "10:20:00", "10:30:00") == ["2", "2", "1"]


def test_brokers_that_tell_otherwise_leave_the_value_unknown(tmp_path: Path) -> None:
    """One of them missed a change, or its line on it is missing."""
    both = {broker: [*starts("10:00:00", broker), made("10:00:10", f"{LEAST} -> 2")] for broker in (1, 2)}
    told = [*both[1], noticed("10:30:00", f"{LEAST} -> 1"), alive("10:50:00")]
    trace = loaded(tmp_path, {1: told, 2: [*both[2], alive("10:50:00")]})

    assert at_times(trace, LEAST, "10:20:00", "10:40:00") == ["2", None]


def test_lists_of_all_settings_are_held_against_what_brokers_have(tmp_path: Path) -> None:
    """To 2.7 a log is made "with properties" of the brokers, too; a change has those of the topic alone."""
    dump = [
        "[2026-11-21 10:00:01,000] INFO KafkaConfig values: ",
        f"\t{UNCLEAN} = false",
        f"\t{LEAST} = 1",
        " (kafka.server.KafkaConfig)",
    ]
    first, *rest = starts("10:00:00")
    told = [made("10:00:10", ALL), noticed("10:30:00", f"{LEAST} -> 2"), alive("10:50:00")]
    trace = loaded(tmp_path, {1: [first, *dump, *rest, *told]})

    assert topic_setting(trace, "t", UNCLEAN) == "false"
    assert at_times(trace, LEAST, "10:20:00", "10:40:00") == ["1", "2"]
    assert [value for _, value in topic_setting_over_time(trace, "t", LEAST)] == ["1", None, "2"]


def test_a_controller_prints_each_setting_that_it_takes_over(tmp_path: Path) -> None:
    replayed = "Replayed ConfigRecord for ConfigResource(type=TOPIC, name='t') which set configuration"
    lines = [
        made("10:00:00"),
        line(
            "10:00:01",
            f"[QuorumController id=1] {replayed} {LEAST} to 2",
            "org.apache.kafka.controller.ConfigurationControlManager",
        ),
        alive("10:20:00"),
        line(
            "10:30:00",
            f"[QuorumController id=1] {replayed} {LEAST} to null",
            "org.apache.kafka.controller.ConfigurationControlManager",
        ),
        line(
            "10:40:00",
            f"[QuorumController id=1] {replayed} {UNCLEAN} to true",
            "org.apache.kafka.controller.ConfigurationControlManager",
        ),
        alive("10:50:00"),
    ]
    trace = loaded(tmp_path, {1: lines})

    assert at_times(trace, LEAST, "10:20:00", "10:40:00") == ["2", None]
    assert at_times(trace, UNCLEAN, "10:20:00", "10:40:00") == [None, "true"]


def test_a_controller_with_zookeeper_says_that_it_allows_unclean_elections(tmp_path: Path) -> None:
    said = "[Controller id=1] Unclean leader election has been enabled for topic t"
    lines = [alive("10:00:00"), line("10:30:00", said, "kafka.controller.KafkaController"), alive("10:40:00")]
    trace = loaded(tmp_path, {1: lines})

    assert at_times(trace, UNCLEAN, "10:10:00", "10:30:00") == [None, "true"]


def recorded(folder: Path, *batches: bytes) -> Trace:
    """A node with KRaft whose metadata log has these batches, and a log from ten to eleven."""
    path = folder / "broker-1" / "data" / "__cluster_metadata-0" / "00000000000000000000.log"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(batches))
    lines = ["10:00:00", "11:00:00"]
    dump = [line("10:00:00", "KafkaConfig values: "), f"\t{LEAST} = 3", "\tnode.id = 1"]
    log = folder / "broker-1" / "server.log"
    log.write_text("\n".join([*dump, *map(alive, lines)]) + "\n", encoding="utf-8")
    return load([folder])


def at_ms(clock: str) -> int:
    return ns(clock) // 1_000_000


def config(name: str, value: str | None, *, of: str = "t", kind: int = 2) -> bytes:
    data = {"resourceType": kind, "resourceName": of, "name": name, "value": value}
    return encode_record("ConfigRecord", 0, data)


def test_the_metadata_log_has_each_setting_with_its_time(tmp_path: Path) -> None:
    trace = recorded(
        tmp_path,
        leader(0, 1, 1, [1], at_ms("10:00:00")),
        batch(1, 1, at_ms("10:01:00"), [topic(), config(LEAST, "2"), partition()]),
        batch(4, 1, at_ms("10:20:00"), [config(UNCLEAN, "true")]),
        batch(5, 1, at_ms("10:30:00"), [config(LEAST, "1")]),
        batch(6, 1, at_ms("10:40:00"), [config(LEAST, None)]),
    )

    assert at_times(trace, LEAST, "10:10:00", "10:29:59", "10:30:00", "10:45:00") == ["2", "2", "1", "3"]
    assert at_times(trace, UNCLEAN, "10:19:59", "10:20:00", "11:00:00") == [None, "true", "true"]


def test_what_the_metadata_log_has_of_brokers_stands_above_what_they_print(tmp_path: Path) -> None:
    """A setting of one broker stands above one of all, and that above what a broker was started with."""
    trace = recorded(
        tmp_path,
        leader(0, 1, 1, [1], at_ms("10:00:00")),
        batch(1, 1, at_ms("10:01:00"), [topic(), partition()]),
        batch(3, 1, at_ms("10:20:00"), [config(LEAST, "2", of="", kind=4)]),
        batch(4, 1, at_ms("10:30:00"), [config(LEAST, "1", of="1", kind=4)]),
        batch(5, 1, at_ms("10:40:00"), [config(LEAST, None, of="1", kind=4)]),
    )

    times = ("10:10:00", "10:20:00", "10:30:00", "10:50:00")
    assert at_times(trace, LEAST, *times) == ["3", "2", "1", "2"]
    assert topic_setting(trace, "t", LEAST) is None


def test_records_that_are_missing_leave_settings_unknown(tmp_path: Path) -> None:
    trace = recorded(
        tmp_path,
        leader(0, 1, 1, [1], at_ms("10:00:00")),
        batch(1, 1, at_ms("10:01:00"), [topic(), config(LEAST, "2"), partition()]),
        batch(9, 1, at_ms("10:30:00"), [config(LEAST, "1")]),
    )

    assert at_times(trace, LEAST, "10:00:30", "10:20:00", "10:30:00") == ["2", None, "1"]


def test_a_topic_that_is_made_anew_begins_without_the_settings_of_the_old_one(tmp_path: Path) -> None:
    trace = recorded(
        tmp_path,
        leader(0, 1, 1, [1], at_ms("10:00:00")),
        batch(1, 1, at_ms("10:01:00"), [topic(), config(LEAST, "2"), partition()]),
        batch(4, 1, at_ms("10:30:00"), [topic(topic_id=OTHER), partition(OTHER)]),
    )

    assert at_times(trace, LEAST, "10:20:00", "10:30:00") == ["2", "3"]
