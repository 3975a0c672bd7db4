"""A number that does not fit into 64 bits makes its line malformed, wherever it stands; the rest is read."""

import csv
import io
import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from core import words
from core.errors import SourceError
from importers.disk.tool_text import read_tool_text
from importers.kafka.drafts import Fate, Said
from importers.kafka.grammar import RULES
from importers.limits import MOST_LINE_BYTES
from importers.lines.layout import STOCK, find_layout
from importers.lines.parser import parse
from importers.lines.statements import LISTS, SAID_NUMBERS
from importers.load import load

pytestmark = pytest.mark.broad(3)

HUGE: Final = {
    "2**63": str(2**63),
    "2**64": str(2**64),
    "-2**63-1": str(-(2**63) - 1),
    "10**40": str(10**40),
    "5,000 digits": "1" + "0" * 5000,
}
HEAD: Final = "[2026-11-21 03:29:10,161] INFO "
GOOD: Final = HEAD + "[Log partition=t-0, dir=/d] Truncating to offset 206 (kafka.log.Log)\n"


def samples(number: str) -> Iterator[tuple[str, str, str]]:
    """Each sample of each rule with each of its numbers in place of another: rule, sample, changed one."""
    for rule in RULES:
        for sample in rule.samples:
            for found in re.finditer(r"(?<![\w.])-?\d+", sample):
                yield rule.name, sample, sample[: found.start()] + number + sample[found.end() :]


def numbers_in(said: Said) -> set[int]:
    """Every number that a statement has."""
    found = {getattr(said, name) for name in SAID_NUMBERS} - {None}
    for name in LISTS:
        found |= set(getattr(said, name) or ())
    return found | ({said.tp[1]} if said.tp is not None else set())


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE)
def test_in_a_line_of_the_grammar(name: str) -> None:
    changed = list(samples(HUGE[name]))
    assert len(changed) > 2000
    texts = dict.fromkeys(sample for _, sample, _ in changed)
    known: dict[str, set[int]] = {
        text: {
            one for draft in parse(f"{HEAD}{text}\n".encode(), STOCK).drafts for one in numbers_in(draft.said)
        }
        for text in texts
    }

    data = "".join(f"{HEAD}{text}\n{GOOD}" for _, _, text in changed).encode()
    read = parse(data, STOCK)

    assert sum(read.counts.values()) == data.count(b"\n")
    starts = dict.fromkeys(draft.line for draft in read.drafts)
    assert len(starts) >= len(changed)
    lines = data.split(b"\n")
    of_line: dict[int, tuple[str, str]] = {}
    at = 1
    for rule, sample, text in changed:
        of_line[at] = (rule, sample)
        at += text.count("\n") + 2
    for draft in read.drafts:
        if draft.line in of_line:
            rule, sample = of_line[draft.line]
            # A number that a rule does not read changes nothing; nothing is wrapped, cut or made up.
            assert numbers_in(draft.said) <= known[sample], (rule, lines[draft.line - 1][:300])
    # Fewer with a minus: where no pattern allows one, the line is no line of Kafka any more.
    assert read.counts[Fate.MALFORMED] > 300


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
def test_in_an_object_that_carries_a_line(number: str) -> None:
    line = GOOD.rstrip()
    good = f'{{"log":"{line}\\n","stream":"stdout","time":"2026-11-21T03:29:10Z","n":1}}\n'
    bad = good.replace('"n":1', f'"n":{number}').replace('"time":"2026-11-21T03:29:10Z"', f'"time":{number}')
    data = (good * 3 + bad + good).encode()
    layout = find_layout(data)
    assert layout is not None
    assert layout.wrap == "docker"

    read = parse(data, layout)

    assert [draft.line for draft in read.drafts][:3] == [1, 2, 3]
    assert [draft.line for draft in read.drafts][-1] == 5
    assert sum(read.counts.values()) == 5


@pytest.mark.parametrize(
    "stamp", [*HUGE.values(), "\u00b2" * 16, "\u00b2" * 13], ids=[*HUGE, "squares", "fewer"]
)
def test_as_the_time_of_a_record(stamp: str) -> None:
    good = '{"timestamp":"1795231723631","message":"[Log partition=t-0, dir=/d] Truncating to offset 206"}\n'
    data = (good * 3 + good.replace("1795231723631", stamp) + good).encode()
    layout = find_layout(data)
    assert layout is not None
    assert layout.wrap == "json"

    read = parse(data, layout)

    assert [draft.line for draft in read.drafts] == [1, 2, 3, 5]
    assert read.counts[Fate.MALFORMED] == 1
    assert [one.line for one in read.examples] == [4]


DIRS: Final = (
    '{"brokers":[{"broker":1,"logDirs":[{"logDir":"/d","partitions":[{"partition":"t-0","size":{}}]}]}]}\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "broker-1"
    place.mkdir()
    (place / "server.log").write_text(GOOD)
    return place


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("replication-offset-checkpoint", "0\n2\norders 0 5\norders 1 {}\n"),
        ("replication-offset-checkpoint", "0\n2\norders 0 5\norders {} 1\n"),
        ("replication-offset-checkpoint", "0\n{}\norders 0 5\n"),
        ("orders-0/leader-epoch-checkpoint", "0\n2\n0 0\n{} 7\n"),
        ("orders-0/leader-epoch-checkpoint", "0\n{}\n0 0\n"),
        ("meta.properties", "version=0\nbroker.id={}\n"),
        ("dump.txt", f"Dumping /d/orders-0/{0:020}.log\n" + "baseOffset: {} lastOffset: {} isvalid: true\n"),
        ("topics.txt", "Topic: t Partition: 0 Leader: 1 Replicas: 1,2 Isr: {}\n"),
        ("topics-2.txt", "Topic: t\tPartition: 0\tLeader: {}\tReplicas: 1,2\tIsr: 1\n"),
        ("dirs.txt", DIRS),
        ("start.log", HEAD + "Kafka startTimeMs: {} (org.apache.kafka.common.utils.AppInfoParser)\n"),
        ("register.log", HEAD + "Registering broker {} (kafka.zk.KafkaZkClient)\n"),
        ("version.log", HEAD + "Kafka version: {}.{} (org.apache.kafka.common.utils.AppInfoParser)\n"),
    ],
)  # fmt: skip
def test_in_a_file(name: str, text: str, number: str, folder: Path) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace("{}", number))

    trace = load([folder])

    assert "truncated" in {trace.event(at).kind for at in range(len(trace))}


@pytest.mark.parametrize(
    "name",
    [
        f"orders-{2**31}/{0:020}.log",
        f"orders-{10**40}/{0:020}.log",
        f"orders-1{'0' * 5000}/{0:020}.log",
        f"orders-0/{'9' * 20}.log",
        f"__cluster_metadata-0/{'9' * 20}.log",
        f"__cluster_metadata-0/{'9' * 20}-{'9' * 10}.checkpoint",
    ],
    ids=["2**31", "10**40", "5,000 digits", "base offset", "metadata", "snapshot"],
)
def test_in_the_name_of_a_file_in_an_archive(name: str, tmp_path: Path) -> None:
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w") as archive:
        for label, content in (
            ("broker-1/server.log", GOOD.encode()),
            (f"broker-1/data/{name}", b"\1" * 100),
        ):
            info = tarfile.TarInfo(label)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))

    trace = load([path])

    assert {trace.event(at).kind for at in range(len(trace))} >= {"truncated"}


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
def test_what_a_tool_printed(number: str) -> None:
    good = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
    for place in ("Leader: 1", "Replicas: 1", "Isr: 1"):
        read = read_tool_text((good + good.replace(place, place[:-1] + number) + good).encode())

        assert [
            one.line for one in read.lines if one.values.get("leader") == 1 and one.values["isr"] == [1]
        ] == [1, 3]
        assert all(abs(one) < 2**31 for line in read.lines for one in line.values["isr"])
    read = read_tool_text((good + good.replace("Isr: 1", f"Isr: {10**40}") + good).encode())
    assert tuple(map(words.text, read.doubts)) == ("line 2 has a number that no cluster has",)


@pytest.mark.parametrize("number", [*HUGE.values(), "1e400", "-1"], ids=[*HUGE, "infinite", "negative"])
def test_in_the_times_of_an_export(number: str, tmp_path: Path) -> None:
    line = json.dumps(GOOD.rstrip())
    values = ",".join(f"[{ns}, {line}]" for ns in ('"1795231723631000000"', number, '"1795231723631000001"'))
    path = tmp_path / "loki.json"
    path.write_text(
        f'{{"status":"success","data":{{"result":[{{"stream":{{"pod":"kafka-1"}},"values":[{values}]}}]}}}}'
    )

    trace = load([path])

    assert sum(row.get("recognised", 0) for row in trace.report["by_file"]) >= 2


def test_a_cell_that_is_longer_than_a_line_may_be_costs_its_row_alone(tmp_path: Path) -> None:
    def row(at: int, tail: str = "") -> list[str]:
        return ["broker-1", GOOD.replace("206", str(at)).rstrip() + tail]

    path = tmp_path / "table.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["host", "_raw"])
        writer.writerow(row(1))
        writer.writerow(row(2, "\n" + "x" * 200_000))
        writer.writerow(row(3, "\n" + "x" * (MOST_LINE_BYTES + 1)))
        writer.writerow(row(4))

    trace = load([path])

    assert [trace.event(at).values["offset"] for at in range(len(trace))] == [1, 2, 4]
    assert "rows with other columns" in {one["file"] for one in trace.report["by_file"]}


def test_a_quote_that_nothing_ends_costs_no_more_than_a_line_may_have(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    good = "broker-1\t" + GOOD
    count = 2 * MOST_LINE_BYTES // len(good)
    path.write_text("host\t_raw\n" + good * 3 + 'broker-1\t"torn\n' + good * count)

    trace = load([path])

    # The row that begins with the quote holds what follows it, up to the limit.
    assert trace.report["lines"] > count // 3
    assert trace.report["recognised"] > count // 3
    assert "rows with other columns" in {one["file"] for one in trace.report["by_file"]}


def test_a_line_that_is_too_long_is_malformed_and_has_its_place(tmp_path: Path) -> None:
    long = HEAD + "[Log partition=t-0, dir=/d] Truncating to offset 207" + " " * MOST_LINE_BYTES + "\n"
    path = tmp_path / "server.log"
    path.write_text(GOOD + long + GOOD.replace("206", "208"))

    trace = load([path])

    assert [trace.event(at).values["offset"] for at in range(len(trace))] == [206, 208]
    assert trace.report["malformed"] == 1
    told = [(one["file"], one["line"]) for one in trace.report["examples"]]
    assert told == [("server.log", 2)]


def test_a_line_of_thousands_of_partitions_is_read() -> None:
    rows = ", ".join(f"topic-{at % 100}-{at} -> (offset={at}, leaderEpoch=3)" for at in range(10_000))
    line = f"{HEAD}[ReplicaFetcherManager on broker 1] Added fetcher to broker 2 for partitions Map({rows})\n"
    assert 400_000 < len(line) < MOST_LINE_BYTES

    assert len(parse(line.encode(), STOCK).drafts) == 10_000


def test_an_export_that_is_no_list_of_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "loki.json"
    path.write_text('{"status":"success","data":{"result":[{"stream":{},"values":7}]}}')

    with pytest.raises(SourceError):
        load([path])
