"""Every layout says the same: a real log, written anew as other configurations and carriers write it."""

import json
import os
import pickle
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from core.errors import SourceError
from core.trace.trace import Trace
from importers.lines.layout import find_layout, is_unknown_log
from importers.lines.parser import parse
from importers.lines.records import next_record, records
from importers.lines.speakers import layouts_in
from importers.load import load
from importers.options import ImportOptions
from tests.archives import unpack_sample
from tests.in_words import gaps_of

pytestmark = pytest.mark.broad(3)

HEAD = re.compile(r"\[(\S+) (\S+),(\d{3})\] (\w+) (.*?)(?: \(([\w.$]+)\))?")
Line = tuple[str, str, str, str, str, str]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A part of a broker's log, with a configuration dump and stack traces in it."""
    folder = unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("sample"))
    text = (folder / "broker-1" / "logs" / "server.log").read_text()
    return "".join(text.splitlines(keepends=True)[:700])


def parts(text: str) -> list[tuple[Line | None, str]]:
    """Each line, with date, clock, milliseconds, level, message and logger where it begins a record."""
    found = []
    for raw in text.splitlines():
        match = HEAD.fullmatch(raw)
        found.append((match.groups(default="") if match else None, raw))
    return found


def each(text: str, head: Callable[[Line], str], carry: Callable[[Line, str], str] | None = None) -> bytes:
    """Lines anew: `head` writes the first line of a record, `carry` wraps every line."""
    lines, last = [], None
    for line, raw in parts(text):
        last = line or last
        written = raw if line is None else head(line)
        lines.append(written if carry is None or last is None else carry(last, written))
    return ("\n".join(lines) + "\n").encode()


def stock(line: Line) -> str:
    day, clock, ms, level, message, logger = line
    return f"[{day} {clock},{ms}] {level} {message}" + (f" ({logger})" if logger else "")


def ending(logger: str, more: str = "") -> str:
    return f" ({logger}{more})" if logger else ""


def thread(line: Line) -> str:
    """A thread as brokers name them, another one for each logger."""
    return (
        "main-SendThread(localhost:2181)"
        if not line[5]
        else f"kafka-{line[5].rpartition('.')[2].replace('$', '')}-0"
    )


def utc(line: Line) -> str:
    return f"{line[0]}T{line[1]}.{line[2]}123456Z"


BARE: dict[str, Callable[[Line], str]] = {
    "Strimzi, log4j 1": lambda v: f"{v[0]} {v[1]},{v[2]} {v[3]} {v[4]}{ending(v[5])} [main]",
    "Confluent": lambda v: f"{v[0]}T{v[1]},{v[2]} {v[3]} {v[4]}",
    "ISO with Z": lambda v: f"[{v[0]}T{v[1]}.{v[2]}Z] {v[3]} [kafka-scheduler-0] {v[4]}{ending(v[5])}",
    "ISO with offset": lambda v: f"{v[0]}T{v[1]}.{v[2]}+0000 [main] {v[3]:5} {v[5]} - {v[4]}",
    "stock with thread": lambda v: f"[{v[0]} {v[1]},{v[2]}] {v[3]} [main] {v[4]}{ending(v[5])}",
    "system tests": lambda v: f"[{v[0]} {v[1]},{v[2]}] {v[3]} {v[4]}{ending(v[5], ':57')}",
    "spark": lambda v: f"{v[0].replace('-', '/')} {v[1]}.{v[2]} {v[3]} {v[5] or 'x'}: {v[4]}",
    "class alone": lambda v: f"[{v[0]} {v[1]},{v[2]}] {v[3]} {v[4]}{ending(v[5].rpartition('.')[2])}",
    "level first": lambda v: f"{v[3]} [{v[0]} {v[1]},{v[2]}] {v[4]}{ending(v[5])}",
    "tabs": lambda v: f"[{v[0]} {v[1]},{v[2]}]\t{v[3]}\t{v[4]}{ending(v[5])}",
    "tabs, all": lambda v: f"{v[0]} {v[1]},{v[2]}\t{v[3]}\tmain\t{v[5] or 'x'}\t{v[4]}",
    "bars": lambda v: f"{v[0]} {v[1]},{v[2]} | {v[3]} | main | {v[5] or 'x'} | {v[4]}",
    "bars without spaces": lambda v: f"{v[0]} {v[1]},{v[2]}|{v[3]}|{v[5] or 'x'}|{v[4]}",
    "thread behind the logger": lambda v: f"{v[0]} {v[1]},{v[2]} {v[3]} {v[5] or 'x'} [main] {v[4]}",
    "logger in brackets": lambda v: f"{v[0]} {v[1]},{v[2]} {v[3]:5} [main] [{v[5] or 'x'}] {v[4]}",
    "host": lambda v: f"{v[0]} {v[1]},{v[2]} host-1 {v[3]} [main] {v[5] or 'x'} - {v[4]}",
    "process": lambda v: f"{v[0]} {v[1]},{v[2]} 1234 {v[3]} {v[5] or 'x'}: {v[4]}",
    "level first, thread": lambda v: f"{v[3]} {v[0]} {v[1]},{v[2]} [main] {v[4]}{ending(v[5])}",
    "level first, logger": lambda v: f"{v[3]} {v[0]} {v[1]},{v[2]} {v[5] or 'x'} {v[4]}",
    "level first, thread and logger": lambda v: f"{v[3]} {v[0]} {v[1]},{v[2]} [main] {v[5] or 'x'}: {v[4]}",
    "thread in parentheses": lambda v: f"{v[0]} {v[1]}.{v[2]} {v[3]:5} (main) {v[5] or 'x'} - {v[4]}",
    "thread first": lambda v: f"{v[0]} {v[1]},{v[2]}+0000 {thread(v)} {v[3]} [{v[5] or 'x'}] {v[4]}",
    "for Kubernetes": lambda v: f"[{v[3]}] {v[0]} {v[1]},{v[2]} [main] {v[5] or 'x'} log - {v[4]}",
    "elastic": lambda v: f"[{v[0]}T{v[1]},{v[2]}][{v[3]}][{v[5] or 'x'}] {v[4]}",
    "DATE": lambda v: f"21 Nov 2026 {v[1]},{v[2]} {v[3]} {v[4]}",
    "21/11/2026": lambda v: f"{'/'.join(v[0].split('-')[::-1])} {v[1]},{v[2]} {v[3]} {v[4]}{ending(v[5])}",
    "21.11.2026": lambda v: f"{'.'.join(v[0].split('-')[::-1])} {v[1]},{v[2]} {v[3]} {v[4]}{ending(v[5])}",
    "21.11.2026, in brackets": lambda v: f"[21.11.2026, {v[1]}.{v[2]}] {v[3]} {v[4]}{ending(v[5])}",
    "11/21/2026": lambda v: f"[{v[0][5:7]}/{v[0][8:]}/{v[0][:4]} {v[1]}.{v[2]}] {v[3]} {v[4]}{ending(v[5])}",
    "Nov 21, 2026": lambda v: f"[Nov 21, 2026 {v[1]},{v[2]}] {v[3]} {v[4]}{ending(v[5])}",
    "AM": lambda v: f"[{v[0]} {v[1]},{v[2]} AM] {v[3]} {v[4]}{ending(v[5])}",
    "java.util": lambda v: f"Nov 21, 2026 {v[1].removeprefix('0')}.{v[2]} AM {v[3]} {v[4]}",
    "COMPACT": lambda v: f"{v[0].replace('-', '')}{v[1].replace(':', '')}{v[2]} {v[3]} {v[4]}",
    "coloured": lambda v: f"[{v[0]} {v[1]},{v[2]}] \x1b[32m{v[3]}\x1b[m {v[4]}{ending(v[5])}",
}  # fmt: skip
CARRIED: dict[str, Callable[[Line, str], str]] = {
    "CRI": lambda v, raw: f"{utc(v)} stdout F {raw}",
    "docker json-file": lambda v, raw: json.dumps({"log": raw + "\n", "stream": "stdout", "time": utc(v)}),
    "fluent": lambda v, raw: json.dumps({"stream": "stdout", "log": raw, "time": utc(v)}),
    "journal json": lambda _, raw: json.dumps({"_HOSTNAME": "h", "MESSAGE": raw, "_PID": "7"}),
    "docker compose": lambda _, raw: f"broker-1  | {raw}",
    "coloured compose": lambda _, raw: f"\x1b[36mbroker-1  |\x1b[0m {raw}",
    "kubectl timestamps": lambda v, raw: f"{utc(v)} {raw}",
    "kubectl prefix": lambda _, raw: f"[pod/kafka-1/kafka] {raw}",
    "journal short": lambda v, raw: f"Nov 21 {v[1]} host kafka-server-start.sh[1234]: {raw}",
    "journal short-iso": lambda v, raw: f"{v[0]}T{v[1]}+0000 host kafka[1234]: {raw}",
    "journal short-full": lambda v, raw: f"Sat {v[0]} {v[1]} UTC host kafka[1234]: {raw}",
    "journal short-full, zone": lambda v, raw: f"Sat {v[0]} {v[1]} CEST host kafka[1234]: {raw}",
    "docker service": lambda _, raw: f"k_broker.1.qh5c7v09xz8t2yd1wq8ab7rgn@node-2    | {raw}",
    "docker service -t": lambda v, raw: f"{utc(v)} k_broker.1.qh5c7v09xz8t2yd1wq8ab7rgn@n2    | {raw}",
    "grep -n": lambda _, raw: f"123{':' if raw.startswith('[') else '-'}{raw}",
    "RFC 5424": lambda v, raw: f"<14>1 {utc(v)} host kafka 1234 - - {raw}",
    "RFC 5424, counted": lambda v, raw: f"{len(raw) + 55} <14>1 {utc(v)} host kafka 1234 - - {raw}",
    "journal short-unix": lambda v, raw: f"{json_nanos(v) // 10**9}.161000 host kafka[1234]: {raw}",
    "logplex": lambda v, raw: f"{utc(v)} app[kafka.1]: {raw}",
    "aws logs tail": lambda v, raw: f"{utc(v).removesuffix('Z')}+00:00 kafka/broker-1 {raw}",
    "Grafana's text": lambda v, raw: f"{json_nanos(v) // 10**6}\t{utc(v)}\t{raw}",
    "stern --timestamps": lambda v, raw: f"my-kafka-1 kafka {utc(v)} {raw}",
    "kubetail": lambda _, raw: f"[my-kafka-1] {raw}",
    "kail": lambda _, raw: f"kafka/my-kafka-1[kafka]: {raw}",
    "pdsh": lambda _, raw: f"kafka1.example.com: {raw}",
    "cat -n": lambda _, raw: f"    12\t{raw}",
    "less -N": lambda _, raw: f"     12 {raw}",
    "quoted in a mail": lambda _, raw: f"> {raw}".rstrip(),
    "quoted twice": lambda _, raw: f"> > {raw}",
    "added in a diff": lambda _, raw: f"+{raw}",
    "indented": lambda _, raw: f"    {raw}",
}


def ecs(v: Line, tail: str) -> str:
    return json.dumps({"@timestamp": f"{v[0]}T{v[1]}.{v[2]}Z", "log.level": v[3], "message": v[4] + tail,
                       "process.thread.name": "main", "log.logger": v[5], "ecs.version": "1.2"})  # fmt: skip


def template(v: Line, tail: str) -> str:
    ns = json_nanos(v)
    instant = {"epochSecond": ns // 10**9, "nanoOfSecond": ns % 10**9}
    return json.dumps({"instant": instant, "thread": "main", "level": v[3], "loggerName": v[5],
                       "message": v[4] + tail, "endOfBatch": False})  # fmt: skip


def logstash(v: Line, tail: str) -> str:
    return json.dumps({"@version": 1, "source_host": "h", "message": v[4] + tail, "level": v[3],
                       "@timestamp": f"{v[0]}T{v[1]}.{v[2]}Z", "logger_name": v[5]})  # fmt: skip


def log4j_json(v: Line, tail: str) -> str:
    return json.dumps({"timeMillis": json_nanos(v) // 10**6, "level": v[3], "loggerName": v[5],
                       "message": v[4] + tail})  # fmt: skip


def json_nanos(v: Line) -> int:
    moment = datetime.fromisoformat(f"{v[0]}T{v[1]}+00:00")
    return int(moment.timestamp()) * 10**9 + int(v[2]) * 10**6


def gelf(v: Line, tail: str) -> str:
    return json.dumps({"version": "1.1", "host": "h", "short_message": v[4] + tail, "level": 6,
                       "timestamp": json_nanos(v) / 10**9, "_logger": v[5]})  # fmt: skip


OBJECTS: dict[str, Callable[[Line, str], str]] = {
    "ECS": ecs, "JsonTemplate": template, "logstash": logstash, "log4j-json": log4j_json, "GELF": gelf,
    "ECS, CRI": lambda v, tail: f"{utc(v)} stdout F {ecs(v, tail)}",
    "ECS, stern": lambda v, tail: f"my-kafka-1 kafka {ecs(v, tail)}",
    "JsonTemplate, docker compose": lambda v, tail: f"broker-1  | {template(v, tail)}",
    "JsonTemplate, docker json-file": lambda v, tail: json.dumps(
        {"log": template(v, tail) + "\n", "stream": "stdout", "time": utc(v)}
    ),
    "fluentd's file": lambda v, tail: f"{utc(v)}\tkafka.server\t{ecs(v, tail)}",
}  # fmt: skip


def told(data: bytes) -> list:
    """What is said, with the place of each, however it is written."""
    layout = find_layout(data)
    assert layout is not None
    return [(draft.line, draft.local_ns, draft.rule, draft.said) for draft in parse(data, layout).drafts]


@pytest.mark.parametrize("name", BARE)
def test_arrangements_of_a_line(name: str, log: str) -> None:
    assert told(each(log, BARE[name])) == told(log.encode())


def test_a_thread_between_time_and_level_is_not_a_stream_of_its_own(log: str) -> None:
    """`aws logs tail` writes time and stream in front of lines; here a broker's threads stand there."""
    data = each(log, BARE["thread first"])
    layout = find_layout(data)
    assert layout is not None
    assert layouts_in(data, layout) == (layout,)


@pytest.mark.parametrize("name", CARRIED)
def test_carriers_of_lines(name: str, log: str) -> None:
    assert told(each(log, stock, CARRIED[name])) == told(log.encode())


@pytest.mark.parametrize(
    "carrier", ["CRI", "docker json-file", "docker compose", "docker service", "journal short", "grep -n"]
)
@pytest.mark.parametrize("name", ["Confluent", "Strimzi, log4j 1", "ISO with offset"])
def test_arrangements_in_carriers(name: str, carrier: str, log: str) -> None:
    assert told(each(log, BARE[name], CARRIED[carrier])) == told(log.encode())


@pytest.mark.parametrize("name", OBJECTS)
def test_records_as_objects(name: str, log: str) -> None:
    rows: list[tuple[Line, str]] = []
    for line, raw in parts(log):
        if line is not None:
            rows.append((line, ""))
        elif rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]}\n{raw}")
    written = "".join(OBJECTS[name](*row) + "\n" for row in rows).encode()

    assert [row[1:] for row in told(written)] == [row[1:] for row in told(log.encode())]
    assert [row[0] for row in told(written)] != [row[0] for row in told(log.encode())]


def test_strimzi_of_kafka_4_has_no_milliseconds(log: str) -> None:
    def head(v: Line) -> str:
        return f"{v[0]} {v[1]} {v[3]:5} [main] {v[5].rpartition('.')[2] or 'X'}:66 - {v[4]}"

    second = 1_000_000_000
    expected = [(row[0], row[1] // second * second, *row[2:]) for row in told(log.encode())]
    assert told(each(log, head)) == expected


def test_a_part_of_a_line_is_joined_with_the_next(log: str) -> None:
    head = "[2026-11-21 03:29:10,161] INFO "
    long = "Truncating log orders-0 to offset 206."
    utc_ = "2026-11-21T03:29:10.200Z"
    ends = f"{head}{long} (kafka.log.Log)\n"
    cri = f"{utc_} stdout P {head}Truncating log or\n{utc_} stdout F ders-0 to offset 206. (kafka.log.Log)\n"
    docker = "".join(
        json.dumps({"log": part, "stream": "stdout", "time": utc_}) + "\n"
        for part in (f"{head}Truncating log or", "ders-0 to offset 206. (kafka.log.Log)\n", ends, ends)
    )

    cri += "".join(f"{utc_} stdout F {ends}" for _ in range(2))

    assert [row[2:] for row in told(cri.encode())] == [row[2:] for row in told(ends.encode())] * 3
    assert [row[2:] for row in told(docker.encode())] == [row[2:] for row in told(ends.encode())] * 3


@pytest.mark.parametrize("name", ["CRI", "docker json-file", "coloured compose", "journal json"])
def test_ranges_of_carried_logs(name: str, log: str) -> None:
    data = b"".join(each(log, stock, CARRIED[name]).splitlines(keepends=True)[:500])
    layout = find_layout(data)
    assert layout is not None
    layout = pickle.loads(pickle.dumps(layout))  # noqa: S301 - our own value, as a worker gets it
    whole = parse(data, layout)
    found, line = [], 1
    for start in range(0, len(data), 7_001):
        first, end = next_record(data, layout, start), next_record(data, layout, start + 7_001)
        found += parse(data[first:end], layout, first_line=line, base=first).drafts
        line += data[first:end].count(b"\n")
    assert found == list(whole.drafts)
    assert [record.line for record in records(data, layout)] == list(whole.lines)


def test_several_speakers_in_one_file(tmp_path: Path) -> None:
    folder = unpack_sample("k0102-hw-loss", tmp_path)
    logs = {number: (folder / f"broker-{number}/logs/server.log").read_text() for number in (1, 2, 3)}
    mixed: list[str] = ["Attaching to broker-1, broker-2, broker-3"]
    waiting = {number: text.splitlines()[:900] for number, text in logs.items()}
    while any(waiting.values()):
        for number, lines in waiting.items():
            # In turn and by unequal parts, so that records lie in between each other.
            mixed += [f"broker-{number}  | {line}" for line in lines[: 2 + number]]
            del lines[: 2 + number]
    (tmp_path / "compose.log").write_text("\n".join(mixed) + "\n")

    trace = load([tmp_path / "compose.log"])

    assert sorted(int(source.broker) for source in trace.sources) == [1, 2, 3]
    assert {source.path for source in trace.sources} == {"compose.log"}
    for number in (1, 2, 3):
        alone = tmp_path / f"alone-{number}.log"
        alone.write_text("\n".join(logs[number].splitlines()[:900]) + "\n")
        expected = load([alone], ImportOptions(broker=number))
        assert rules(trace, number) == rules(expected, number)
    line = trace.event(40).line
    assert any(kept.line == line and kept.text == mixed[line - 1] for kept in trace.lines)


def test_tasks_of_a_service_are_brokers_over_restarts(tmp_path: Path) -> None:
    """A task that is started again has another number, and its slot is the same broker's."""
    text = "[2026-11-21 03:29:{0},161] INFO Truncating log t-0 to offset {0}. (kafka.log.Log)\n"
    tasks = ("k_broker.1.aa1@n3", "k_broker.2.b7c@n1", "k_broker.12.kafka9@n2", "k_broker.1.ab2@n1")
    lines = [f"{task:24}| {text.format(second)}" for second, task in enumerate(tasks, start=10)]
    (tmp_path / "service.log").write_text("".join(lines))

    trace = load([tmp_path / "service.log"])

    events = [trace.event(seq).values for seq in range(len(trace))]
    found = [(event["broker"], event["offset"]) for event in events]
    assert found == [(1, 10), (2, 11), (12, 12), (1, 13)]


def rules(trace: Trace, broker: int) -> list:
    rows = (trace.event(seq) for seq in range(len(trace)))
    return [
        (event.kind, event.at, event.values.get("leo"), event.values.get("offset"))
        for event in rows
        if event.values.get("broker") == broker
    ]


@pytest.mark.slow
def test_a_log_and_its_container_output_are_one(tmp_path: Path, log: str) -> None:
    (tmp_path / "server.log").write_text(log)
    alone = load([tmp_path])
    for number, (name, head) in enumerate(BARE.items()):
        (tmp_path / "stdout.log").write_bytes(each(log, head))
        assert len(load([tmp_path])) == len(alone), (number, name)
    (tmp_path / "stdout.log").write_bytes(each(log, stock, CARRIED["docker json-file"]))
    trace = load([tmp_path])
    assert len(trace) == len(alone)
    assert {trace.sources[trace.event(seq).source].path for seq in range(len(trace))} == {"server.log"}


def test_a_year_is_asked_for_and_turns(tmp_path: Path) -> None:
    lines = (
        "Dec 31 23:59:58 h kafka[1]: INFO [Kafka Server 1], started (kafka.server.KafkaServer)",
        "Dec 31 23:59:59 h kafka[1]: INFO Truncating log t-0 to offset 1. (kafka.log.Log)",
        "Jan  1 00:00:01 h kafka[1]: INFO Truncating log t-0 to offset 2. (kafka.log.Log)",
        "Feb 29 00:00:01 h kafka[1]: INFO Truncating log t-0 to offset 3. (kafka.log.Log)",
        "Mar  1 00:00:01 h kafka[1]: INFO Truncating log t-0 to offset 4. (kafka.log.Log)",
    )
    (tmp_path / "messages").write_text("\n".join(lines) + "\n")

    os.utime(tmp_path / "messages", (0, 0))
    with pytest.raises(SourceError, match=r"have no year.*--year"):
        load([tmp_path / "messages"])
    trace = load([tmp_path / "messages"], ImportOptions(year=2027))
    at = [datetime.fromtimestamp(trace.event(seq).at / 1e9, UTC).isoformat() for seq in range(len(trace))]
    assert at == [
        "2027-12-31T23:59:58+00:00",
        "2027-12-31T23:59:59+00:00",
        "2028-01-01T00:00:01+00:00",
        "2028-02-29T00:00:01+00:00",
        "2028-03-01T00:00:01+00:00",
    ]


def test_the_year_follows_from_the_time_at_which_the_file_was_last_written(tmp_path: Path) -> None:
    """The log ends on 1 January: written on that day in 2027, it begins in December 2026."""
    lines = (
        "[12-31 23:59:58,001] INFO [Kafka Server 1], started (kafka.server.KafkaServer)",
        "[12-31 23:59:59,001] INFO Truncating log t-0 to offset 1. (kafka.log.Log)",
        "[01-01 00:00:01,001] INFO Truncating log t-0 to offset 2. (kafka.log.Log)",
    )
    log = tmp_path / "server.log"
    log.write_text("\n".join(lines) + "\n")
    written = datetime(2027, 1, 1, 0, 5, tzinfo=UTC).timestamp()
    os.utime(log, (written, written))

    trace = load([log])

    at = [datetime.fromtimestamp(trace.event(seq).at // 10**9, UTC).isoformat() for seq in range(len(trace))]
    assert at == ["2026-12-31T23:59:58+00:00", "2026-12-31T23:59:59+00:00", "2027-01-01T00:00:01+00:00"]
    assert [gap for gap in gaps_of(trace.report) if "it begins in 2026 if the time" in gap]


def test_a_log_without_dates_is_left_out_until_its_first_day_is_said(tmp_path: Path) -> None:
    lines = (
        "[23:59:58,001] INFO [Kafka Server 1], started (kafka.server.KafkaServer)",
        "[23:59:59,001] INFO Truncating log t-0 to offset 1. (kafka.log.Log)",
        "[00:00:01,001] INFO Truncating log t-0 to offset 2. (kafka.log.Log)",
    )
    (tmp_path / "server.log").write_text("\n".join(lines) + "\n")

    with pytest.raises(SourceError, match=r"have no date.*--date 2026-11-21"):
        load([tmp_path])
    trace = load([tmp_path], ImportOptions(day=date(2026, 12, 31)))
    at = [datetime.fromtimestamp(trace.event(seq).at // 10**9, UTC).isoformat() for seq in range(len(trace))]
    assert at == ["2026-12-31T23:59:58+00:00", "2026-12-31T23:59:59+00:00", "2027-01-01T00:00:01+00:00"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_as_what_it_says(tmp_path: Path, log: str, encoding: str) -> None:
    """PowerShell's `>` writes UTF-16 with a mark, other tools leave the mark out."""
    (tmp_path / "plain").mkdir()
    (tmp_path / "wide").mkdir()
    (tmp_path / "plain" / "server.log").write_text(log)
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    (tmp_path / "wide" / "server.log").write_bytes(mark + log.replace("\n", "\r\n").encode(encoding))

    plain, wide = load([tmp_path / "plain"]), load([tmp_path / "wide"])

    assert len(plain) > 20
    assert rules(wide, 1) == rules(plain, 1)


def test_a_carrier_tells_the_zone_of_what_it_carries(tmp_path: Path) -> None:
    line = "[2026-11-21 05:{}:10,161] INFO Truncating log t-0 to offset 206. (kafka.log.Log)"
    text = "".join(f"2026-11-21T00:{m}:10.4Z stdout F {line.format(int(m) - 15)}\n" for m in (30, 31, 32))
    (tmp_path / "0.log").write_text(text.replace("05:15", "05:15"))

    (source,) = load([tmp_path / "0.log"], ImportOptions(broker=1)).sources

    assert (source.zone, source.zone_basis) == ("+04:45", "inferred")


def test_stamps_that_say_their_zone_need_none(tmp_path: Path) -> None:
    line = "2026-11-21T05:15:1{},161+0545 INFO Truncating log t-0 to offset 206.\n"
    (tmp_path / "0.log").write_text("".join(line.format(number) for number in range(4)))

    trace = load([tmp_path / "0.log"], ImportOptions(broker=1, zones={None: "America/New_York"}))

    assert datetime.fromtimestamp(trace.event(0).at / 1e9, UTC).isoformat()[:19] == "2026-11-20T23:30:10"
    assert (trace.sources[0].zone, trace.sources[0].zone_basis) == ("UTC", "stated")


def test_what_is_not_certain_is_left_out_and_told(tmp_path: Path, log: str) -> None:
    def strange(v: Line) -> str:
        return f"{v[1]} <{v[3]}> {v[4]}"

    (tmp_path / "server.log").write_text(log)
    (tmp_path / "odd.log").write_bytes(each(log, lambda v: f"{v[0]} {v[1]} | <{v[3]}> {v[4]}{ending(v[5])}"))
    assert is_unknown_log((tmp_path / "odd.log").read_bytes())
    assert find_layout(each(log, strange)) is None

    trace = load([tmp_path])

    assert any(
        gap.startswith("odd.log was left out: the layout of this log is not known")
        for gap in gaps_of(trace.report)
    )
    with pytest.raises(SourceError, match="layout of this log is not known"):
        load([tmp_path / "odd.log"])


def test_two_lines_are_not_enough_to_learn_from() -> None:
    line = b"2026-11-21T05:15:10,161 INFO Truncating log t-0 to offset 206.\n"

    assert find_layout(line * 2) is None
    assert find_layout(line * 3) is not None
