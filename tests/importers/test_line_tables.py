"""Log lines in Parquet, as other people's jobs store them, are read as the logs that they are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import SourceError
from core.trace.trace import DTYPES, Trace
from importers.load import load
from tests.archives import unpack_recording

LOGS = ("server.log", "state-change.log", "controller.log")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of the recorded loss, a folder a broker."""
    found = tmp_path_factory.mktemp("logs")
    case, _ = unpack_recording("k0102-hw-loss", tmp_path_factory.mktemp("case"))
    for broker in (1, 2, 3):
        (found / f"broker-{broker}" / "logs").mkdir(parents=True)
        for name in LOGS:
            content = (case / f"broker-{broker}" / "logs" / name).read_bytes()
            (found / f"broker-{broker}" / "logs" / name).write_bytes(content)
    return found


@pytest.fixture(scope="module")
def read(logs: Path) -> Trace:
    return load([logs])


def rows(logs: Path) -> list[dict[str, Any]]:
    """A row a line, file by file."""
    made: list[dict[str, Any]] = []
    for file in sorted(logs.rglob("*.log")):
        at = 0
        for line in file.read_bytes().splitlines(keepends=True):
            path = file.relative_to(logs).as_posix()
            host, _, inner = path.partition("/")
            text = line.rstrip(b"\n").decode()
            made.append({"host": host, "path": inner, "offset": at, "message": text})
            at += len(line)
    return made


def write(place: Path, lines: Sequence[dict[str, Any]]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(list(lines)), place)


def told(trace: Trace) -> list[tuple[Any, ...]]:
    """The events with what indexes mean in their place; files by the end of their names."""
    columns = {name: trace.columns[name].tolist() for name in DTYPES}
    columns["partition"] = [str(trace.partitions[one].tp) if one >= 0 else "" for one in columns["partition"]]
    columns["isr"] = [trace.isrs[one] if one >= 0 else () for one in columns["isr"]]
    columns["source"] = [trace.sources[one].path.rpartition("!/")[2] for one in columns["source"]]
    return list(zip(*(columns[name] for name in DTYPES), strict=True))


def test_one_file_of_parquet(logs: Path, read: Trace, tmp_path: Path) -> None:
    write(tmp_path / "lines.parquet", rows(logs))

    assert told(load([tmp_path / "lines.parquet"])) == told(read)


def test_rows_of_all_files_lie_in_disorder_in_several(logs: Path, read: Trace, tmp_path: Path) -> None:
    some = rows(logs)
    for part in range(4):
        write(tmp_path / "lines" / f"part-{part:05}.parquet", some[part::4][::-1])
    (tmp_path / "lines" / "_SUCCESS").write_bytes(b"")
    (tmp_path / "lines" / ".part-00000.parquet.crc").write_bytes(b"crc")

    trace = load([tmp_path / "lines"])

    assert told(trace) == told(read)
    assert not [row for row in trace.report["by_file"] if row["is"] != "log"]


def test_folders_may_be_columns(logs: Path, read: Trace, tmp_path: Path) -> None:
    for broker in (1, 2, 3):
        mine = [row for row in rows(logs) if row["host"] == f"broker-{broker}"]
        bare = [{name: row[name] for name in ("path", "offset", "message")} for row in mine]
        write(tmp_path / "lines" / f"host=broker-{broker}" / "part-0.parquet", bare)

    assert told(load([tmp_path / "lines"])) == told(read)


def test_names_as_a_collector_has_them(logs: Path, read: Trace, tmp_path: Path) -> None:
    """Filebeat's: host.name, log.file.path, log.offset."""
    names = {"host": "host.name", "path": "log.file.path", "offset": "log.offset", "message": "message"}
    named = [{names[key]: value for key, value in row.items()} for row in rows(logs)]
    write(tmp_path / "filebeat.parquet", named[::-1])

    assert told(load([tmp_path / "filebeat.parquet"])) == told(read)


def test_without_a_place_lines_are_taken_as_they_lie(logs: Path, read: Trace, tmp_path: Path) -> None:
    bare = [{name: row[name] for name in ("host", "path", "message")} for row in rows(logs)]
    write(tmp_path / "lines.parquet", bare)
    write(tmp_path / "latest-first.parquet", bare[::-1])

    assert told(load([tmp_path / "lines.parquet"])) == told(read)
    # Latest first: each log is turned round.
    assert told(load([tmp_path / "latest-first.parquet"])) == told(read)


def test_other_parquet_is_named_for_what_it_is(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")

    with pytest.raises(SourceError) as error:
        load([tmp_path / "a.parquet"])

    assert error.value.facts.what.id == "error.source.no-line-table"


def test_damaged_parquet_is_damage(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + b"\0" * 100)

    with pytest.raises(SourceError):
        load([tmp_path / "a.parquet"])
