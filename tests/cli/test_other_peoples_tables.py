"""Tables of other people open like any other source, and `validate` says what is wrong with them."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from importers.samples import sample_path
from tests.cli.conftest import Tell
from tests.monitor import monitored


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """What the example of the guide makes with DuckDB."""
    return monitored(tmp_path)


def test_the_example_of_duckdb_fits_and_opens(tell: Tell, events: Path) -> None:
    checked = tell("validate", events, "--json")
    assert (checked.code, checked.json["faults"]) == (0, [])
    assert checked.json["tables"] == [{"table": "events", "files": 1, "rows": 4, "faults": 0}]

    (trace,) = tell("info", events, "--json").json["traces"]
    assert (trace["origin"], trace["events"]) == ("prepared", 4)

    found = tell("check", events, "--json").json
    assert [one["isr"] for one in found["partitions"][0]["isr"]] == [[1, 2, 3], [1, 2], [1], [1, 2, 3]]
    seconds = [one["from"][17:19] for one in found["partitions"][0]["isr"]]
    assert seconds == ["00", "05", "06", "15"]
    assert found["partitions"][0]["leadership"][0]["leader"] == 1


@pytest.mark.slow
def test_it_is_imported_asked_compared_and_exported(tell: Tell, events: Path, tmp_path: Path) -> None:
    assert tell("import", events, "-o", tmp_path / "mine.tide").code == 0
    count = "select count(*) as rows from isrs"
    assert tell("query", tmp_path / "mine.tide", count, "--json").json == {"rows": 4}
    assert tell("query", events, count, "--json").json == {"rows": 4}
    assert tell("compare", events, tmp_path / "mine.tide", "--json").code == 0
    assert tell("export", events, "-o", tmp_path / "mine.csv").code == 0
    rows = [json.loads(line) for line in tell("events", events, "--json").out.splitlines()]
    assert [row["evidence"]["line"] for row in rows] == [2, 3, 4, 5]


@pytest.mark.slow
def test_a_table_of_lines_opens_like_logs(tell: Tell, tmp_path: Path) -> None:
    import tarfile

    made: dict[str, list[object]] = {"host": [], "path": [], "line": [], "message": []}
    with tarfile.open(sample_path("k0102-hw-loss")) as archive:
        for member in archive.getmembers():
            inner = archive.extractfile(member) if member.isfile() and "/logs/" in member.name else None
            for number, line in enumerate(inner.read().decode().splitlines() if inner else (), start=1):
                host, _, path = member.name.split("/", 1)[1].partition("/")
                for name, value in zip(made, (host, path, number, line), strict=True):
                    made[name].append(value)
    (tmp_path / "lines").mkdir()
    parquet.write_table(pa.table(made), tmp_path / "lines" / "part-0.parquet")

    assert tell("validate", tmp_path / "lines").code == 0
    found = tell("check", tmp_path / "lines", "--json").json
    # Of the loss the logs alone show it too: 325 records, README.md of the recording.
    assert found["incidents"][0]["totals"]["records_lost"] == 325


def test_faults_are_named_by_file_row_and_column(tell: Tell, tmp_path: Path) -> None:
    table = pa.table({"time": pa.array([1795231750_000_000], pa.timestamp("us", "UTC")), "kind": ["cut"]})
    (tmp_path / "events").mkdir()
    parquet.write_table(table, tmp_path / "events" / "a.parquet")

    told = tell("validate", tmp_path)
    assert told.code == 1
    assert "events/a.parquet" in told.out
    assert "cut is none of" in told.out

    (fault,) = tell("validate", tmp_path, "--json").json["faults"]
    place = {name: fault[name] for name in ("table", "file", "row", "column")}
    assert place == {"table": "events", "file": "events/a.parquet", "row": 0, "column": "kind"}
    assert json.dumps(fault["message"]).startswith('{"id": "contract.word"')

    refused = tell("check", tmp_path / "events")
    assert (refused.code, refused.out) == (2, "")
    assert "a.parquet, row 0, column kind" in refused.err


@pytest.mark.parametrize("what", ["an empty folder", "nothing", "a text"])
def test_nothing_to_check_is_code_two(what: str, tell: Tell, tmp_path: Path) -> None:
    place = tmp_path / "there"
    if what == "an empty folder":
        place.mkdir()
    elif what == "a text":
        place.write_text("x", encoding="utf-8")

    told = tell("validate", place)

    assert (told.code, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1
