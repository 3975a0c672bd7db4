"""Logs that come as a table out of Splunk, Kibana or Grafana say what the files on the brokers say."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import Facts, SourceError
from importers.containers import exports
from importers.containers.exports import exported, is_export
from importers.limits import MOST_LINE_BYTES, Budget, Stream, Total
from importers.load import load
from tests.archives import unpack_three_logs
from tests.importers.test_containers import rows

Record = tuple[str, str, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three logs of each broker of a recording, and nothing else."""
    made = tmp_path_factory.mktemp
    return unpack_three_logs("k0102-hw-loss", made("sample"), made("part"))


def records(folder: Path) -> list[Record]:
    """(host, file, text) of each record, with its further lines, by time over all brokers."""
    found: list[tuple[str, Record]] = []
    for path in sorted(folder.rglob("*.log")):
        host, name = path.relative_to(folder).as_posix().split("/", 1)
        lines: list[str] = []
        for raw in path.read_text().splitlines():
            if raw.startswith("[20") or not lines:
                lines.append(raw)
            else:
                lines[-1] += "\n" + raw
        found += [(text[1:24], (host, name, text)) for text in lines]
    return [record for _, record in sorted(found, key=lambda pair: pair[0])]


def table(place: Path, names: Sequence[str], cells: Sequence[Sequence[str]], *, mark: str = "") -> Path:
    with place.open("w", newline="", encoding="utf-8") as file:
        file.write(mark)
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(cells)
    return place


@pytest.mark.slow
def test_a_table_latest_first_says_what_the_files_say(folder: Path, tmp_path: Path) -> None:
    cells = [(text[1:24], host, name, text) for host, name, text in reversed(records(folder))]
    place = table(tmp_path / "search.csv", ("_time", "host", "source", "_raw"), cells)

    assert rows(load([place])) == rows(load([folder]))


def test_a_table_in_order_with_a_byte_order_mark_does_so_too(folder: Path, tmp_path: Path) -> None:
    names = ("@timestamp", "kubernetes.pod.name", "log.file.path", "message")
    cells = [("Nov 21, 2026 @ 03:20", host, name, text) for host, name, text in records(folder)]
    place = table(tmp_path / "Untitled discover search.csv", names, cells, mark="\ufeff")

    assert rows(load([place])) == rows(load([folder]))


@pytest.mark.slow
def test_lines_whose_time_is_in_another_column_are_objects(folder: Path, tmp_path: Path) -> None:
    """A collector has parsed the head of each line away: what is left is the message."""
    cells = []
    for host, _name, text in reversed(records(folder)):
        head, _, message = text.partition("] ")
        body = message.split(" ", 1)[-1].rsplit(" (", 1)[0]
        cells.append((head[1:].replace(" ", "T").replace(",", ".") + "Z", host, body))
    place = table(tmp_path / "kibana.csv", ("@timestamp", "host.name", "message"), cells)

    found, wanted = load([place]), load([folder])

    kinds = [found.event(seq).kind for seq in range(len(found))]
    assert (
        kinds.count("truncated") == [wanted.event(n).kind for n in range(len(wanted))].count("truncated") > 0
    )
    assert {int(one.broker_id) for one in found.brokers} == {1, 2, 3}


@pytest.mark.slow
def test_lines_that_are_rows_each_are_records_again(folder: Path, tmp_path: Path) -> None:
    """Grafana has a row for each line of a stack trace."""
    cells = [(host, name, line) for host, name, text in records(folder) for line in text.split("\n")]
    place = table(tmp_path / "Explore-logs.csv", ("host", "filename", "Line"), cells[::-1])

    assert rows(load([place])) == rows(load([folder]))


def test_rows_that_do_not_fit_are_counted(folder: Path, tmp_path: Path) -> None:
    cells = [(host, name, text) for host, name, text in records(folder)]
    place = table(tmp_path / "cut.csv", ("host", "source", "_raw"), [*cells, ("only", "two")])

    paths = {one["file"] for one in load([place]).report["by_file"]}

    assert "rows with other columns" in paths


@pytest.mark.parametrize("size", [200_000, MOST_LINE_BYTES + 1])
def test_a_long_cell_does_not_reject_its_table(folder: Path, tmp_path: Path, size: int) -> None:
    """Python's own reader of such tables refuses a cell of more than 128 KiB, or what it is told."""
    cells = [(host, name, text) for host, name, text in records(folder)]
    long = ("broker-1", "/var/log/server.log", "x" * size)
    place = table(tmp_path / "Explore-logs.csv", ("host", "filename", "Line"), [*cells, long])

    assert rows(load([place])) == rows(load([folder]))


def test_a_log_is_no_table() -> None:
    assert not is_export(b"[2026-11-21 03:20:12,613] INFO host, message, time (kafka.Log)\n")
    assert not is_export(b"message\nTruncating log\n")
    assert not is_export(json.dumps({"host": "a", "message": "b"}).encode() + b"\n")
    assert is_export(b"host,message\nbroker-1,Truncating log\n")


def test_a_table_that_is_too_large_or_torn_is_told_of(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = tmp_path / "torn.csv"
    torn.write_text('host,_raw\nbroker-1,"' + "x" * 200_000 + '"\n')
    with pytest.raises(SourceError, match=r"torn\.csv"):
        load([torn])

    monkeypatch.setattr(exports, "MOST_TABLE_BYTES", 1000)
    cells = [(host, text) for host, _, text in records(folder)]
    with pytest.raises(SourceError, match="larger than"):
        load([table(tmp_path / "large.csv", ("host", "_raw"), cells)])


def test_a_table_is_too_large_though_what_was_looked_at_of_it_is_as_long_as_a_table_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its beginning is handed out first, and alone."""
    monkeypatch.setattr(exports, "MOST_TABLE_BYTES", 1000)
    data = b"host,_raw\n" + b"broker-1,Truncating log\n" * 50
    budget = Budget("large.csv", io.BytesIO(data), len(data), Total("large.csv"))
    stream = Stream(io.BytesIO(data), budget, "large.csv")
    assert len(stream.peek(1000)) == 1000

    ((_, told),) = exported(stream, budget)

    assert isinstance(told, Facts)
