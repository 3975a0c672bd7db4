"""The import report: each line counted once, per file and per broker, and what would settle more."""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.history.gaps_by_files import unread
from core.message_json import stored
from core.trace.columns import Columns
from core.words import text
from importers.kafka.drafts import Said
from importers.lines.items import Item, items_of
from importers.lines.statements import TYPES, Statements
from importers.load import load
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered
from importers.merge.left_out import left_out
from importers.merge.zones import ASSUMED
from importers.options import ImportOptions
from tests.archives import unpack_recording, unpack_sample
from tests.in_words import gaps_of
from tests.recordings.distorting import each_line

FATES = ("recognised", "noise", "unrecognised", "malformed")
HEAD = "[2026-11-21 03:29:10,161] INFO "


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return unpack_sample("k0102-hw-loss", tmp_path)


def further(report: Mapping[str, Any], broker: int | None) -> list[str]:
    return [text(stored(row["evidence"])) for row in report["further"] if row["broker"] == broker]


def test_every_line_is_counted_once_by_file_and_by_broker(case: Path) -> None:
    report = dict(load([case]).report)

    assert json.loads(json.dumps(report)) == report
    for fate in FATES:
        assert report[fate] == sum(row.get(fate, 0) for row in report["by_file"])
        assert report[fate] == sum(row[fate] for row in report["by_broker"])
    for row in report["by_file"]:
        if row["is"] in ("log", "log of another program"):
            written = (case / row["file"]).read_bytes()
            assert sum(row[fate] for fate in FATES) == written.count(b"\n"), row["file"]
            assert row["bytes"] == len(written)
    assert report["lines"] == sum(report[fate] for fate in FATES)
    brokers = {row["broker"]: row for row in report["by_broker"]}
    assert {number: brokers[number]["version"] for number in (1, 2, 3)} == dict.fromkeys(
        (1, 2, 3), "0.10.2.2"
    )
    assert [text(stored(zone)) for zone in brokers[1]["zones"]] == ["UTC (assumed)"]
    assert brokers[1]["from"].startswith("2026-11-21T03:28:4")
    assert {row["clock"] for row in report["clocks"]} == {"broker 1", "broker 2", "broker 3"}


def test_what_is_there_is_not_asked_for(case: Path) -> None:
    report = load([case]).report

    for broker in (1, 2, 3):
        assert further(report, broker) == [f"its zone: --zone {broker}=ZONE"]
    assert all(one.startswith("next time: ") for one in further(report, None))
    assert not any("LeaderEpochFileCache" in one for one in further(report, None))


def test_what_is_missing_is_asked_for_by_name(case: Path) -> None:
    shutil.rmtree(case / "broker-2")
    shutil.rmtree(case / "broker-1" / "data")
    (case / "broker-3" / "logs" / "state-change.log").unlink()

    report = load([case]).report

    assert any("its logs" in one for one in further(report, 2))
    assert any("data directory" in one for one in further(report, 2))
    assert any("state-change.log, with state.change.logger=TRACE" in one for one in further(report, 3))
    assert "no state-change.log of broker 3" in gaps_of(report)


def test_loggers_are_named_as_the_version_names_them(tmp_path: Path) -> None:
    def asked(version: str) -> str:
        text = f"{HEAD}Kafka version: {version} (org.apache.kafka.common.utils.AppInfoParser)\n"
        text += f"{HEAD}[KafkaServer id=1] started (kafka.server.KafkaServer)\n"
        (tmp_path / "server.log").write_text(text)
        return " ".join(further(load([tmp_path]).report, None))

    assert "kafka.server.epoch.LeaderEpochFileCache=DEBUG" in asked("3.4.1")
    assert "org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache=DEBUG" in asked("3.5.2")
    assert "LeaderEpochFileCache" not in asked("0.10.2.2")


METADATA_LOG = {"__cluster_metadata-0 of one controller"}
ZOOKEEPER_ELECTS = (
    "[Controller id=101] 101 successfully elected as the controller. Epoch incremented to 1 and epoch zk "
    "version is now 1 (kafka.controller.KafkaController)"
)
ZOOKEEPER_3_9 = (
    "[Broker id=103] Handling LeaderAndIsr request correlationId 29 from controller 101 for 3 partitions",
    (
        "[Broker id=103] Leader a_b.c-0 with topic id Some(ouZqEY--RrahkAcIZvNV3g) starts at leader epoch 3 "
        "from offset 88 with partition epoch 5, high watermark 88, ISR [101,103], adding replicas [] and "
        "removing replicas [] . Previous leader Some(101) and previous leader epoch was 2."
    ),
)
"""As Partition.scala prints it to 3.9, with ZooKeeper and with KRaft."""


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (ZOOKEEPER_ELECTS, set[str]()),
        (
            "[BrokerServer id=103] Transition from STARTING to STARTED (kafka.server.BrokerServer)",
            METADATA_LOG,
        ),
        ("", METADATA_LOG),
    ],
    ids=["with ZooKeeper", "with KRaft", "not known"],
)
def test_a_cluster_with_zookeeper_has_no_metadata_log(told: str, wanted: set[str], tmp_path: Path) -> None:
    lines = [f"{line} (state.change.logger)" for line in ZOOKEEPER_3_9]
    (tmp_path / "server.log").write_text("".join(f"{HEAD}{line}\n" for line in [told, *lines] if line))

    asked = further(load([tmp_path], ImportOptions(broker=103)).report, None)

    assert METADATA_LOG.intersection(asked) == wanted


def test_the_settings_of_a_broker_with_zookeeper_say_that_there_is_no_metadata_log(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text("broker.id=103\nzookeeper.connect=zk-1:2181\n")
    (tmp_path / "server.log").write_text(f"{HEAD}{ZOOKEEPER_3_9[1]} (state.change.logger)\n")

    asked = further(load([tmp_path], ImportOptions(broker=103)).report, None)

    assert "controller.log of the controllers" in asked
    assert not METADATA_LOG.intersection(asked)


def test_a_console_has_all_logs_in_one(tmp_path: Path) -> None:
    (tmp_path / "kafka-1.log").write_text(f"{HEAD}[KafkaServer id=1] started (kafka.server.KafkaServer)\n")

    assert not any("no server.log" in gap for gap in gaps_of(load([tmp_path]).report))


def test_lines_that_nobody_understands_are_shown_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(
        f"{HEAD}[KafkaServer id=1] started (kafka.server.KafkaServer)\n"
        f"{HEAD}The leader epoch did something new (kafka.cluster.Partition)\n"
    )

    report = load([tmp_path]).report

    assert report["unrecognised"] == 1
    assert report["examples"] == [
        {
            "file": "server.log",
            "line": 2,
            "fate": "unrecognised",
            "text": "The leader epoch did something new",
        }
    ]


def test_a_wording_that_nobody_understands_is_shown_once(tmp_path: Path) -> None:
    lines = [f"The leader epoch of orders-{one} did something new" for one in range(6)]
    lines[3] = "The high watermark of audit-0 did something new"
    (tmp_path / "server.log").write_text(
        f"{HEAD}[KafkaServer id=1] started (kafka.server.KafkaServer)\n"
        + "".join(f"{HEAD}{line} (kafka.cluster.Partition)\n" for line in lines)
    )

    report = load([tmp_path]).report

    assert report["unrecognised"] == 6
    assert [(one["line"], one["text"]) for one in report["examples"]] == [(2, lines[0]), (5, lines[3])]


def test_an_upgrade_shows_all_versions_of_a_broker(tmp_path: Path) -> None:
    lines = [
        "[2026-11-21 03:00:00,000] INFO Kafka version: 2.7.2 (org.apache.kafka.common.utils.AppInfoParser)",
        "[2026-11-21 03:00:01,000] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)",
        "[2026-11-21 03:10:00,000] INFO Kafka version: 2.8.2 (org.apache.kafka.common.utils.AppInfoParser)",
        "[2026-11-21 03:10:01,000] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)",
    ]
    (tmp_path / "server.log").write_text("".join(f"{line}\n" for line in lines))

    (row,) = load([tmp_path]).report["by_broker"]

    assert (row["version"], row["versions"]) == ("2.8.2", ["2.7.2", "2.8.2"])


def test_brokers_stand_in_the_order_of_their_numbers_and_who_is_not_known_last(tmp_path: Path) -> None:
    for broker in (9, 8, 1):
        (tmp_path / f"{broker}.log").write_text(
            f"[2026-11-21 03:00:01,000] INFO [KafkaServer id={broker}] started (kafka.server.KafkaServer)\n"
        )
    (tmp_path / "other.txt").write_text("no log\n")

    report = load([tmp_path]).report

    assert [row["broker"] for row in report["by_broker"]] == [1, 8, 9, None]


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
def test_logs_of_warnings_alone_are_told_of(tmp_path: Path, *, data: bool) -> None:
    """A server that logs from WARN on tells of no cut, and "nothing found" would be no answer."""
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    below_warn = re.compile(r"\[[^\]]+\] (?:TRACE|DEBUG|INFO) ")
    each_line(lambda line, at: line if at and not below_warn.match(line) else None)(folder, Random(0))  # noqa: S311 - no chance in it
    for path in () if data else folder.glob("*/data*"):
        shutil.rmtree(path)

    trace = load([folder])

    told = {row["reason"]["id"] for row in trace.report["left_out"]}
    assert told == {"report.warnings-alone"}


def test_logs_with_one_line_at_info_are_not_called_warnings_alone(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(
        "[2026-11-21 03:29:10,161] WARN [Partition orders-0 broker=1] Unclean (kafka.cluster.Partition)\n"
        "[2026-11-21 03:29:10,162] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)\n"
    )
    told = {row["reason"]["id"] for row in load([log]).report["left_out"]}
    assert "report.warnings-alone" not in told


@pytest.mark.slow
def test_lines_that_a_tool_cut_at_a_width_are_told_of(tmp_path: Path) -> None:
    """What is left of them is read by no rule: that nothing was found would be no answer."""
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    whole = load([folder])
    assert whole.report["left_out"] == []
    assert not any(name.endswith(".unread") for name in whole.facts)

    each_line(lambda line, _: line if len(line) <= 121 else line[:120] + "\n")(folder, Random(0))  # noqa: S311 - no chance in it

    cut = load([folder])
    told = {row["reason"]["id"] for row in cut.report["left_out"]}
    assert "report.unrecognised-lines" in told
    assert {name for name in cut.facts if name.endswith(".unread")} == set(map(unread, (1, 2, 3)))


OF_CLIENTS = """\
WARN [Producer clientId=p-1] Got error produce response with correlation id 12 on topic-partition orders-0, \
retrying (3 attempts left). Error: NOT_LEADER_OR_FOLLOWER (org.apache.kafka.clients.producer.internals.Sender)
INFO [Consumer clientId=c-1, groupId=g] Truncation detected for partition orders-0 at offset 254, resetting \
offset to 206 (org.apache.kafka.clients.consumer.internals.SubscriptionState)
INFO [Consumer instanceId=i, clientId=c-2, groupId=g] Setting offset for partition orders-0 to 12 \
(org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
INFO [AdminClient clientId=a-1] Leader of partition orders-0 is 2 (org.apache.kafka.clients.admin.Call)
"""
WITHOUT_A_NAME_IN_FRONT = """\
WARN Got error produce response with correlation id 12 on topic-partition orders-0, retrying (3 attempts \
left). Error: NOT_LEADER_FOR_PARTITION (org.apache.kafka.clients.producer.internals.Sender)
INFO WorkerSourceTask{id=x-0} flushing 12 messages for offset commit \
(org.apache.kafka.connect.runtime.WorkerSourceTask)
INFO stream-thread [app-1] partition assignment took 12 ms. \
(org.apache.kafka.streams.processor.internals.StreamThread)
"""
"""Clients to 0.11, and programs that are built on clients."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        OF_CLIENTS.splitlines(),
        [line.rpartition(" (")[0] for line in OF_CLIENTS.splitlines()],
        WITHOUT_A_NAME_IN_FRONT.splitlines(),
    ],
    ids=["from 1.0", "from 1.0, without loggers", "to 0.11"],
)
def test_the_log_of_a_client_is_no_log_that_says_too_little(tmp_path: Path, lines: list[str]) -> None:
    """Clients talk of leaders and offsets all the time: a cluster beside whose logs one lies is whole."""
    folder, _ = unpack_recording("k28-rolling-restart", tmp_path)
    (folder / "client.log").write_text(
        "".join(f"[2026-11-21 03:29:{second:02},161] {line}\n" for second in range(60) for line in lines)
    )

    assert load([folder]).report["left_out"] == []


def test_lines_of_nobody_are_looked_for_once_whatever_the_number_of_logs() -> None:
    """The pipeline has columns on a disk: making one for each log is the whole set for each log."""
    asked: list[str] = []
    count = 40
    held = items_of(
        Item(at, 2, at % count, at, at // count + 1, 0, None if at % count == 7 else 1, "", Said("hw_moved"))
        for at in range(3 * count)
    )

    def make(name: str) -> NDArray[np.int64]:
        asked.append(name)
        return held.said.columns[name]

    said = Statements(Columns(TYPES, len(held), make), held.said.texts, held.said.lists)
    files = tuple(ReadFile(f"{number}.log", "", 0, 0, Role.LOG) for number in range(count))
    gathered = Gathered(files, (Owner(1, "told"),) * count, (ASSUMED,) * count)

    told = left_out(gathered, replace(held, said=said))

    assert [(row["file"], row["lines"]) for row in told] == [("7.log", 3)]
    assert asked == ["line"]
