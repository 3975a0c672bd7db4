"""Redaction: what is hidden is in no string of the trace, one name has one pseudonym, events stay."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from core.errors import QuestionError
from core.kafka.eras import era
from core.message import Count, Listing, Message, SimulatedMoment, message
from core.message_json import from_plain, plain
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.ids import BrokerId, TopicPartition
from core.trace.redact import FACT, USUAL, What, parse_what, redaction_of
from core.trace.redact_names import trie_pattern
from core.trace.trace import Broker, KeptLine, Origin, Partition, Source, Trace
from core.words import speaking


def strings_of(value: Any) -> Iterator[str]:
    """Every string anywhere in a value."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings_of(getattr(value, field.name))
    elif hasattr(value, "items"):
        for key, one in value.items():
            yield from strings_of(key)
            yield from strings_of(one)
    elif not isinstance(value, np.ndarray) and hasattr(value, "__iter__"):
        for one in value:
            yield from strings_of(one)


def incident(*lines: str, broker: str = "", path: str = "server.log", topic: str = "t1") -> Trace:
    base = simulate(scenario("hw-loss"), era("0.10.2"))
    return replace(
        base,
        name="case",
        origin=Origin.IMPORTED,
        brokers=(Broker(BrokerId(7), broker),),
        partitions=(Partition(TopicPartition(topic, 0)),),
        sources=(Source(path, "0" * 64, 1),),
        lines=tuple(KeptLine(0, number, 0, line) for number, line in enumerate(lines, start=1)),
        facts={},
        records=(),
    )


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("advertised PLAINTEXT://kafka-9.acme.example:9092,listener", "kafka-9.acme.example"),
        ("Connection to node 3 (zeus/10.20.30.40:9092) could not be established", "10.20.30.40"),
        ("Connection to node -1 (zeus/fd00:12::7:9) failed", "fd00:12::7:9"),
        ("Bootstrap broker zeus-prod:9092 (id: -1 rack: null) disconnected", "zeus-prod"),
        ("BrokerEndPoint(id=2, host=hera-x1:9094)", "hera-x1"),
        ("EndPoint(hades4,9092,ListenerName(PLAINTEXT),PLAINTEXT)", "hades4"),
        ("resolved the.big.db.acme.internal in 3 ms", "the.big.db.acme.internal"),
        ("[Consumer clientId=billing-7, groupId=acme-billing] Resetting", "billing-7"),
        ("[Consumer clientId=billing-7, groupId=acme-billing] Resetting", "acme-billing"),
        ("transactionalId='pay-77' producerEpoch=3", "pay-77"),
        ("Principal = User:ada.l is Denied", "ada.l"),
        ("Failed record key=iban-DE77, partition", "iban-DE77"),
        ("Loading logs from /srv/acme-vault/kafka", "/srv/acme-vault"),
        ("file /srv/acme-vault/kafka/00000000000000000000.log deleted", "acme-vault"),
        (r"file C:\acme-vault\kafka\00.log deleted", "acme-vault"),
    ],
)
def test_a_name_in_one_of_kafkas_forms_is_hidden_everywhere(line: str, secret: str) -> None:
    trace = incident(line, f"and again {secret} later")
    hidden = redaction_of([trace]).trace(trace)

    assert secret not in "\n".join(strings_of(hidden))
    assert hidden.lines[1].text.startswith("and again ")
    assert hidden.lines[1].text.endswith(" later")


@pytest.mark.parametrize(
    "line",
    [
        "INFO Kafka version : 0.10.2.2 (org.apache.kafka.common.utils.AppInfoParser)",
        "INFO [Partition t1-0 broker=1] t1-0 starts at leader epoch 4 from offset 15",
        "[2026-11-21 02:58:29,999] TRACE Controller 1 epoch 2 sent LeaderAndIsr {isr=[1,2]}",
        "Creating /brokers/ids/1 (is it secure? false)",
        "at kafka.server.ReplicaManager.stop(ReplicaManager.scala:1234)",
        "clientId=broker-2-fetcher-0 correlationId=7",
        "bound to localhost:9092 and 127.0.0.1:9092",
    ],
)
def test_what_names_nobody_stays(line: str) -> None:
    trace = incident(line)
    assert redaction_of([trace]).trace(trace).lines[0].text == line


def test_one_name_has_one_pseudonym_and_a_broker_keeps_its_number() -> None:
    trace = incident("zeus-1.acme.org:9092 left", broker="zeus-1.acme.org:9092", path="acme-a/b/server.log")
    hidden = redaction_of([trace]).trace(trace)

    assert hidden.brokers[0].name == "host-7:9092"
    assert hidden.lines[0].text == "host-7:9092 left"
    assert re.fullmatch(r"dir-\d+/server\.log", hidden.sources[0].path)
    assert hidden.facts[FACT] == (
        "Replaced: host names (1), client ids (0), record keys (0), folders (2), other words (2). "
        "Kept: topic names."
    )


def test_what_was_replaced_is_told_in_the_language_of_the_figure() -> None:
    with speaking("zh"):
        hidden = redaction_of([incident("", path="b/server.log")]).trace(incident("", path="b/server.log"))
    assert hidden.facts[FACT] == (
        "已替换：主机名 (0)、客户端 ID (0)、记录键 (0)、文件夹 (1)、其他词语 (1)。保留：主题名。"
    )


def test_topics_are_hidden_where_they_are_named() -> None:
    trace = incident(
        "Deleted log for partition acme-orders-0", path="b/acme-orders-0/x.log", topic="acme-orders"
    )

    kept = redaction_of([trace]).trace(trace)
    hidden = redaction_of([trace], tuple(What)).trace(trace)

    assert kept.partitions[0].tp.topic == "acme-orders"
    assert kept.lines[0].text == trace.lines[0].text
    assert hidden.lines[0].text == "Deleted log for partition topic-1-0"
    assert str(hidden.partitions[0].tp) == "topic-1-0"
    assert "acme-orders" not in "\n".join(strings_of(hidden))


def test_two_brokers_of_one_number_and_a_topic_called_like_a_pseudonym_are_told_apart() -> None:
    first = incident(broker="zeus-a", topic="host-7")
    second = incident(broker="hera-b")
    redaction = redaction_of([first, second])

    names = [redaction.trace(trace).brokers[0].name for trace in (first, second)]
    assert len({*names, "host-7"}) == 3


@pytest.mark.slow
def test_events_stay_and_every_built_in_scenario_still_explains_itself() -> None:
    from core.compare.script import step_texts

    for name in scenario_ids():
        trace = simulate(scenario(name), era("2.8"))
        hidden = redaction_of([trace], tuple(What)).trace(trace)
        assert all(np.array_equal(trace.columns[one], hidden.columns[one]) for one in trace.columns)
        assert step_texts(hidden).keys() == step_texts(trace).keys()


def test_five_hundred_names_are_in_no_string_of_the_trace() -> None:
    secrets = [
        f"{stem}{number:03}-x" for stem in ("zeus", "bill", "iban", "vault", "purse") for number in range(100)
    ]
    group = [secrets[start : start + 100] for start in range(0, 500, 100)]
    lines = [
        f"[Consumer clientId={client}] at {host}:9092 key={key} dir=/srv/{folder}/x topic {topic}"
        for host, client, key, folder, topic in zip(*group, strict=True)
    ]
    trace = replace(
        incident(*lines),
        partitions=tuple(Partition(TopicPartition(name, 0)) for name in group[4]),
        report={"by_file": [{"file": f"{name}/server.log"} for name in secrets]},
    )
    told = "\n".join(strings_of(redaction_of([trace], tuple(What)).trace(trace)))

    assert [name for name in secrets if name.lower() in told.lower()] == []


def test_a_message_of_a_report_stays_one_and_names_in_its_values_are_hidden() -> None:
    gap = message(
        "report.left-out.why",
        file="/srv/acme-vault/server.log",
        what=message("error.choose-from", names=Listing(("zeus-prod", Count(3), SimulatedMoment(5)))),
        why=message("report.checkpoint.count", announced="acme-vault", found=7),
    )
    trace = replace(incident(broker="zeus-prod:9092"), report={"gaps": [plain(gap)]})

    told = from_plain(redaction_of([trace]).trace(trace).report["gaps"][0])

    assert [name for name, _ in told.values] == ["file", "what", "why"]
    file, what, why = (value for _, value in told.values)
    assert re.fullmatch(r"dir-\d+/server\.log", str(file))
    assert what == message("error.choose-from", names=Listing(("host-7", Count(3), SimulatedMoment(5))))
    assert isinstance(why, Message)
    assert dict(why.values)["found"] == 7
    assert "acme" not in str(told)
    assert "vault" not in str(told)


def test_what_is_hidden_is_asked_by_name() -> None:
    assert parse_what("topics, hosts") == (What.HOSTS, What.TOPICS)
    assert What.TOPICS not in USUAL
    for wrong in ("names", "", "hosts,names"):
        with pytest.raises(QuestionError, match="cannot be hidden"):
            parse_what(wrong)


def test_the_longest_name_wins_and_long_names_do_no_harm() -> None:
    long = "x" * 5000
    pattern = re.compile(trie_pattern(["kafka-1", "kafka-10", "kafka", long, "a.b"]))

    assert pattern.findall(f"kafka-10 kafka-1 kafka a.b axb {long}") == [
        "kafka-10",
        "kafka-1",
        "kafka",
        "a.b",
        long,
    ]
