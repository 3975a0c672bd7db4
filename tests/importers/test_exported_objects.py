"""Lines that Loki, Google Cloud Logging and the journal export as objects say what the files say."""

import json
import shutil
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.containers.exported_objects import journal_rows, object_rows
from importers.containers.exports import is_export
from importers.load import load
from tests.importers.test_containers import rows
from tests.importers.test_exports import Record, folder, records

pytestmark = pytest.mark.broad(3)

__all__ = ["folder"]
Writer = Callable[[Sequence[Record]], bytes]


def ns(text: str) -> int:
    """The time at which a line was collected: a second late."""
    moment = datetime.fromisoformat(f"{text[1:11]}T{text[12:20]}+00:00")
    return (int(moment.timestamp()) + 1) * 10**9 + int(text[21:24]) * 10**6


def utc(text: str) -> str:
    return f"{text[1:11]}T{text[12:20]}.{text[21:24]}Z"


def loki(told: Sequence[Record]) -> bytes:
    """The API's answer: a stream for each set of labels, the level one of them, the newest line first."""
    streams: dict[tuple[str, str, str], list[list[str]]] = {}
    for number, (host, name, text) in reversed(list(enumerate(told))):
        level = text[26:30]
        streams.setdefault((host, name, level), []).append([str(ns(text) + number), text])
    result = [
        {"stream": {"host": host, "filename": name, "detected_level": level}, "values": values}
        for (host, name, level), values in streams.items()
    ]
    return json.dumps({"status": "success", "data": {"resultType": "streams", "result": result}}).encode()


def loki_push(told: Sequence[Record]) -> bytes:
    """What a collector sends, with the oldest line first."""
    body = [
        {"stream": {"pod": host, "filename": name}, "values": [[str(ns(text)), text]]}
        for host, name, text in told
    ]
    return json.dumps({"streams": body}, indent=1).encode()


def logcli(told: Sequence[Record]) -> bytes:
    """`logcli query -o jsonl`, with the newest line first."""
    lines = (
        json.dumps({"labels": {"host": host, "filename": name}, "line": text, "timestamp": utc(text)})
        for host, name, text in reversed(told)
    )
    return "\n".join(lines).encode()


def grafana(told: Sequence[Record]) -> bytes:
    return json.dumps(
        [
            {"line": text, "timestamp": str(ns(text)), "date": utc(text),
             "fields": {"host": host, "filename": name}}
            for host, name, text in reversed(told)
        ]
    ).encode()  # fmt: skip


def entry(host: str, name: str, text: str, payload: dict[str, object]) -> dict[str, object]:
    return {"insertId": "1a", "labels": {"k8s-pod/app": "kafka"}, "logName": "projects/p/logs/stdout",
            "resource": {"type": "k8s_container", "labels": {"pod_name": host, "container_name": name}},
            "severity": "INFO", "timestamp": utc(text), **payload}  # fmt: skip


def cloud(told: Sequence[Record]) -> bytes:
    """`gcloud logging read --format json`, with the newest entry first."""
    found = [entry(host, "kafka", text, {"textPayload": text}) for host, _, text in reversed(told)]
    return json.dumps(found, indent=2).encode()


def cloud_sink(told: Sequence[Record]) -> bytes:
    """As a sink writes files: one entry a line, what an agent read as an object."""
    lines = (
        json.dumps(entry(host, "kafka", text, {"jsonPayload": {"message": text, "stream": "stdout"}}))
        for host, _, text in told
    )
    return "\n".join(lines).encode()


def journal(told: Sequence[Record]) -> bytes:
    """`journalctl -o export`: a text of several lines stands there with its length."""
    found: list[bytes] = []
    for host, name, text in told:
        data = text.encode()
        said = b"=" + data if b"\n" not in data else b"\n" + len(data).to_bytes(8, "little") + data
        head = f"__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP={ns(text) // 1000}\n_HOSTNAME={host}\n"
        found.append(head.encode() + b"MESSAGE" + said + f"\n_SYSTEMD_UNIT={name}\n\n".encode())
    return b"".join(found)


def filebeat(told: Sequence[Record]) -> bytes:
    lines = (
        json.dumps({"@timestamp": utc(text), "agent": {"type": "filebeat", "version": "8.15.0"},
                    "host": {"name": host}, "log": {"file": {"path": name}, "offset": 7}, "message": text})
        for host, name, text in told
    )  # fmt: skip
    return "\n".join(lines).encode()


def fluent_bit(told: Sequence[Record]) -> bytes:
    lines = (
        json.dumps({"date": ns(text) / 10**9, "stream": "stdout", "log": text,
                    "kubernetes": {"pod_name": host, "namespace_name": "kafka", "labels": {"app": "kafka"}}})
        for host, _, text in told
    )  # fmt: skip
    return "\n".join(lines).encode()


def cloudwatch(told: Sequence[Record]) -> bytes:
    """`aws logs filter-log-events`."""
    events = [
        {"logStreamName": f"{host}/{name}", "timestamp": ns(text) // 10**6, "message": text, "eventId": "1"}
        for host, name, text in told
    ]
    return json.dumps({"events": events, "searchedLogStreams": []}, indent=4).encode()


def insights(told: Sequence[Record]) -> bytes:
    """Logs Insights, the newest line first."""
    return json.dumps(
        [
            {"@timestamp": utc(text)[:-1].replace("T", " "), "@message": text, "@logStream": f"{host}/{name}"}
            for host, name, text in reversed(told)
        ]
    ).encode()


def splunk(told: Sequence[Record]) -> bytes:
    """`output_mode=json` of a search that goes on: an object a line, the newest first."""
    lines = (
        json.dumps({"preview": False, "offset": 0, "result":
                    {"_raw": text, "host": host, "source": name, "_time": utc(text)}})
        for host, name, text in reversed(told)
    )  # fmt: skip
    return "\n".join(lines).encode()


def splunk_results(told: Sequence[Record]) -> bytes:
    results = [
        {"_raw": text, "host": host, "source": name, "_time": utc(text)}
        for host, name, text in reversed(told)
    ]
    answer = {"preview": False, "init_offset": 0, "messages": [], "fields": [{"name": "_raw"}]}
    return json.dumps({**answer, "results": results}).encode()


def elasticsearch(told: Sequence[Record]) -> bytes:
    """What `_search` answers, sorted by time, the newest first."""
    hits = [
        {"_index": "kafka-1", "_id": "a", "_score": None, "sort": [ns(text) // 10**6],
         "_source": {"@timestamp": utc(text), "message": text, "host": {"name": host},
                     "log": {"file": {"path": name}, "offset": 7}}}
        for host, name, text in reversed(told)
    ]  # fmt: skip
    answer = {"took": 12, "timed_out": False, "_shards": {"total": 1, "successful": 1}}
    return json.dumps({**answer, "hits": {"total": {"value": 9}, "hits": hits}}, indent=2).encode()


def datadog(told: Sequence[Record]) -> bytes:
    """What its API answers, the newest first."""
    data = [
        {"id": "a", "type": "log", "attributes": {"host": host, "service": "kafka", "timestamp": utc(text),
         "tags": ["env:prod"], "filename": name, "message": text}}
        for host, name, text in reversed(told)
    ]  # fmt: skip
    return json.dumps({"data": data, "meta": {"page": {}}}).encode()


def azure(told: Sequence[Record]) -> bytes:
    """Log Analytics: a table, names of columns apart from the rows."""
    columns = ("TimeGenerated", "PodName", "FileName", "LogMessage")
    rows_ = [[utc(text), host, name, text] for host, name, text in told]
    names = [{"name": one, "type": "string"} for one in columns]
    return json.dumps({"tables": [{"name": "PrimaryResult", "columns": names, "rows": rows_}]}).encode()


def journal_pretty(told: Sequence[Record]) -> bytes:
    """`journalctl -o json-pretty`: each entry over several lines."""
    entries = (
        json.dumps({"_HOSTNAME": host, "__REALTIME_TIMESTAMP": str(ns(text) // 1000), "MESSAGE": text,
                    "_SYSTEMD_UNIT": name}, indent="\t")
        for host, name, text in told
    )  # fmt: skip
    return "\n".join(entries).encode()


def journal_lines(told: Sequence[Record]) -> bytes:
    """`journalctl -o json`: each entry in a line; what is not UTF-8 is an array of bytes."""
    lines = (
        json.dumps({"__CURSOR": "s=1;i=2", "__REALTIME_TIMESTAMP": str(ns(text) // 1000), "PRIORITY": "6",
                    "_HOSTNAME": host, "_SYSTEMD_UNIT": name, "SYSLOG_IDENTIFIER": "kafka",
                    "MESSAGE": list(text.encode()) if number % 7 == 0 else text})
        for number, (host, name, text) in enumerate(told)
    )  # fmt: skip
    return "\n".join(lines).encode()


def logcli_lines(told: Sequence[Record]) -> bytes:
    """`logcli query`, the newest line first: times to the second, labels in braces."""
    lines = (
        f'{utc(record)[:19]}Z {{container="kafka", filename="{name}", pod="{host}"}} {text}'
        for host, name, record in reversed(told)
        for text in reversed(record.split("\n"))
    )
    return b"Common labels: {}\n" + "\n".join(lines).encode() + b"\n"


def fluentd(told: Sequence[Record]) -> bytes:
    """What `out_file` writes: time, tag, object."""
    lines = (
        f"{utc(text)[:19]}+00:00\tkafka\t{json.dumps({'log': text, 'hostname': host, 'filename': name})}"
        for host, name, text in told
    )
    return "\n".join(lines).encode() + b"\n"


def logfmt(told: Sequence[Record]) -> bytes:
    """As collectors print it: all that is known of a line by name."""
    lines = (
        f"ts={utc(text)} level=info host={host} filename={name} msg={json.dumps(text)}"
        for host, name, text in told
    )
    return "\n".join(lines).encode() + b"\n"


def framed(told: Sequence[Record]) -> bytes:
    """Syslog over TCP: each message behind its length, and no line end between two."""
    frames = [
        f"<134>1 {utc(text)} {host} {name.replace('/', '-')} 4711 - - {text}".encode()
        for host, name, text in told
    ]
    return b"".join(b"%d %s" % (len(frame), frame) for frame in frames)


def stern(told: Sequence[Record]) -> bytes:
    """`stern -o json`."""
    lines = (
        json.dumps({"message": text + "\n", "nodeName": "ip-10-0-0-1", "podName": host,
                    "containerName": "kafka"})
        for host, _, text in told
    )  # fmt: skip
    return "\n".join(lines).encode()


WRITERS: dict[str, Writer] = {
    one.__name__: one
    for one in (
        loki, loki_push, logcli, grafana, cloud, cloud_sink, journal, filebeat, fluent_bit, cloudwatch,
        insights, splunk, splunk_results, elasticsearch, datadog, azure, journal_pretty, stern,
        journal_lines, logcli_lines, fluentd, logfmt, framed,
    )
}  # fmt: skip
CONSOLES = ("cloud", "cloud_sink", "fluent_bit", "stern", "framed")
"""Who has one log of each broker, by the name of its pod."""


@pytest.fixture(scope="module")
def told(folder: Path) -> Sequence[Record]:
    return records(folder)


@pytest.fixture(scope="module")
def expected(folder: Path) -> list:
    return rows(load([folder]))


@pytest.fixture(scope="module")
def consoles(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list:
    part = tmp_path_factory.mktemp("consoles")
    shutil.copytree(folder, part, ignore=shutil.ignore_patterns("state*", "contr*"), dirs_exist_ok=True)
    return rows(load([part]))


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in CONSOLES])
def test_objects_say_what_the_files_say(
    name: str, told: Sequence[Record], expected: list, tmp_path: Path
) -> None:
    place = tmp_path / "export.json"
    place.write_bytes(WRITERS[name](told))

    assert rows(load([place])) == expected


@pytest.mark.parametrize("name", CONSOLES)
def test_entries_of_pods_say_what_their_logs_say(
    name: str, told: Sequence[Record], consoles: list, tmp_path: Path
) -> None:
    place = tmp_path / "export.json"
    place.write_bytes(WRITERS[name]([one for one in told if one[1].endswith("server.log")]))

    found = rows(load([place]))

    assert [(*row[:3], *row[4:]) for row in found] == [(*row[:3], *row[4:]) for row in consoles]
    assert {row[3].split("/")[0] for row in found} == {"broker-1", "broker-2", "broker-3"}


def test_lines_without_their_time_have_that_of_the_entry(tmp_path: Path) -> None:
    values = [
        [f"179523176{second}000000005", f"Truncating log t-0 to offset {second}."] for second in range(4)
    ]
    body = {"streams": [{"stream": {"pod": "kafka-7"}, "values": values[::-1]}]}
    (tmp_path / "loki.json").write_text(json.dumps(body))

    trace = load([tmp_path / "loki.json"])

    events = [trace.event(seq) for seq in range(len(trace))]
    assert [(one.at, one.values["broker"], one.values["offset"]) for one in events] == [
        (1_795_231_760_000_000_005 + second * 10**9, 7, second) for second in range(4)
    ]


def test_what_is_no_entry_is_kept_as_it_is() -> None:
    text = '{"labels":{},"line":"a"}\ntorn {"\n{"labels":{"pod":"p"}}\n7\n'

    assert list(object_rows(text)) == [
        {"line": "a", "message": "a"}, 'torn {"', '{"labels": {"pod": "p"}}', "7"
    ]  # fmt: skip
    assert [row["message"] for row in journal_rows(b"__CURSOR=a\nMESSAGE\n\x03\0\0\0\0\0\0\0a\nb\n\n\n")] == [
        "a\nb"
    ]
    assert list(journal_rows(b"__CURSOR=a\nMESSAGE\n\xff\xff")) == [{"__cursor": "a", "message": ""}]


def test_other_objects_are_no_export() -> None:
    assert not is_export(b'{"@timestamp":"2026-11-21T03:29:10Z","message":"a","labels":{"a":"b"}}\n')
    assert not is_export(b'{"log":"a","stream":"stdout","time":"2026-11-21T03:29:10Z"}\n')
    assert not is_export(b'{"version":1,"partitions":[]}\n')
    assert not is_export(b'[{"name": "topic-1", "partitions": 3}]\n')


@pytest.mark.parametrize(
    "text",
    [
        '[{"insertId":"a","textPayload":"b"},{"ins',
        '{"streams":[{"stream":{}}]}',
        '{"events": [\n  {"timestamp": 1, "message": "a"},\n  {"timest',
    ],
)
def test_a_torn_export_is_told_of(text: str, tmp_path: Path) -> None:
    (tmp_path / "export.json").write_text(text)

    with pytest.raises(SourceError, match="damaged or incomplete"):
        load([tmp_path / "export.json"])
