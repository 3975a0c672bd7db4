"""Tables for other people: the documents and the list of columns, and a trace there and back."""

import errno
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.diagnose.verdict.check import diagnose
from core.trace.trace import DTYPES, Trace
from gui.workspace.query_tables import TraceTables
from importers.contract.columns import TABLES, arrow_schema, as_json
from importers.contract.reading import load_events
from importers.contract.tables_at import parts_at
from importers.contract.validate import validate
from importers.load import load
from importers.options import ImportOptions
from importers.samples import sample_path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_schema_is_the_list_of_columns() -> None:
    assert json.loads((DOCS / "contract.schema.json").read_text(encoding="utf-8")) == as_json()


@pytest.mark.parametrize("table", sorted(TABLES))
def test_the_guide_names_every_column_and_marks_the_required_ones(table: str) -> None:
    guide = (DOCS / "contract.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## {table}$(.*?)(?=^## |\Z)|\*\*{table}\*\*(.*?)(?=\*\*|\Z)", guide, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    told = found[1] or found[2]

    missing = [
        one.name
        for one in TABLES[table]
        if re.search(rf"\b{one.name}{re.escape('*') if one.required else ''}(?![\w*])", told) is None
    ]

    assert missing == []


def written(trace: Trace, folder: Path, *tables: str) -> Path:
    """Tables of a trace as a job would write them: plain strings, one file each."""
    made = TraceTables(trace)
    for name in tables:
        columns = [one.name for one in TABLES[name]]
        told = made.read(name, columns)
        plain = {
            one: pa.array(told.column(one).to_pylist(), arrow_schema(name).field(one).type) for one in columns
        }
        (folder / name).mkdir(parents=True)
        parquet.write_table(pa.table(plain), folder / name / "part-0.parquet")
    return folder


@pytest.fixture(scope="module")
def recorded() -> Trace:
    return load([sample_path("k0102-hw-loss")])


@pytest.fixture(scope="module")
def tables(recorded: Trace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(recorded, tmp_path_factory.mktemp("tables"), *TABLES)


@pytest.mark.slow
def test_the_programs_own_tables_fit(tables: Path) -> None:
    checked = validate(tables)

    assert {one.table for one in checked} == set(TABLES)
    assert [fault for one in checked for fault in one.faults] == []


def _numbered(trace: Trace) -> dict[str, list[Any]]:
    """Columns with what indexes mean in their place."""
    names = [str(one.tp) for one in trace.partitions]
    columns: dict[str, list[Any]] = {name: trace.columns[name].tolist() for name in DTYPES}
    columns["partition"] = [names[one] if one >= 0 else None for one in columns["partition"]]
    columns["isr"] = [trace.isrs[one] if one >= 0 else None for one in columns["isr"]]
    columns["source"] = [trace.sources[one].path if one >= 0 else None for one in columns["source"]]
    return columns


def test_events_are_the_same_there_and_back(recorded: Trace, tables: Path) -> None:
    again = load_events(tables)

    assert _numbered(again) == _numbered(recorded)
    assert [(one.broker_id, one.version) for one in again.brokers] == [
        (one.broker_id, one.version) for one in recorded.brokers
    ]
    assert {str(one.tp): one.replicas for one in again.partitions} == {
        str(one.tp): one.replicas for one in recorded.partitions
    }
    assert len(again.lines) == len(recorded.lines)


def test_events_alone_find_what_was_lost(tables: Path) -> None:
    """325 acknowledged records are gone: README.md of the recording. Without versions no cause is named."""
    verdict = diagnose(load_events(tables / "events"))

    lost = {
        (one.partition, offset)
        for one in verdict.partitions
        for loss in one.losses
        if loss.severity.value == "loss"
        for offset in range(loss.first_offset, loss.end_offset)
    }
    assert len(lost) == 325


def test_rows_in_any_order_and_without_seq_are_put_in_the_order_of_time(
    recorded: Trace, tables: Path, tmp_path: Path
) -> None:
    table = parquet.read_table(tables / "events").drop_columns(["seq", "cause"])
    shuffled = table.take(pa.array(list(range(len(table)))[::-1]))
    parquet.write_table(shuffled, tmp_path / "events.parquet")

    again = load_events(tmp_path / "events.parquet")

    assert again.columns["at"].tolist() == recorded.columns["at"].tolist()
    assert sorted(again.columns["kind"].tolist()) == sorted(recorded.columns["kind"].tolist())


def test_topics_and_times_are_chosen(tables: Path) -> None:
    some = load_events(tables / "events", ImportOptions(topic="aud*"))

    assert [str(one.tp) for one in some.partitions] == ["audit-0"]
    assert (some.columns["partition"] == -1).any()


def test_few_columns_under_another_name_are_enough(tmp_path: Path) -> None:
    table = pa.table(
        {
            "at": pa.array([1795231750_000_000], pa.timestamp("us", "Europe/Berlin")),
            "kind": ["isr_committed"],
            "topic": pa.array(["t"], pa.large_string()),
            "partition": pa.array([3], pa.int64()),
            "broker": [1],
            "isr": pa.array([[1, 2]], pa.list_(pa.int64())),
            "of our own": ["x"],
        }
    )
    parquet.write_table(table, tmp_path / "mine.parquet")

    trace = load_events(tmp_path / "mine.parquet")

    assert str(trace.partitions[0].tp) == "t-3"
    assert trace.partitions[0].replicas == (1, 2)
    assert trace.columns["at"].tolist() == [1795231750_000_000_000]


def test_a_word_alone_says_how(tmp_path: Path) -> None:
    table = pa.table(
        {
            "time": pa.array([1795231750_000_000], pa.timestamp("us", "UTC")),
            "kind": ["leader_elected"],
            "topic": ["t"],
            "partition": [0],
            "leader": [2],
            "leader_epoch": [1],
            "how": ["unclean"],
        }
    )
    parquet.write_table(table, tmp_path / "events.parquet")

    trace = load_events(tmp_path / "events.parquet")

    assert TraceTables(trace).read("events", ["how", "aux"]).to_pylist() == [{"how": "unclean", "aux": 5}]


def test_the_name_and_the_release_of_a_broker_come_from_the_table_of_brokers(
    tables: Path, tmp_path: Path
) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "brokers").mkdir()
    events = parquet.read_table(tables / "events")
    parquet.write_table(events, tmp_path / "events" / "part-0.parquet")
    told = {"broker": [1, 2], "name": ["kafka-a", None], "version": ["0.10.2.2", None]}
    rows = pa.table(
        {name: pa.array(values, arrow_schema("brokers").field(name).type) for name, values in told.items()}
    )
    parquet.write_table(rows, tmp_path / "brokers" / "part-0.parquet")

    trace = load_events(tmp_path)

    named = {int(one.broker_id): (one.name, one.version) for one in trace.brokers}
    assert (named[1], named[2], named[3]) == (("kafka-a", "0.10.2.2"), ("", ""), ("", ""))


def test_a_folder_that_is_gone_while_it_is_looked_through_is_passed_over(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "around" / "gone"
    gone.mkdir(parents=True)
    shutil.copytree(tables, tmp_path / "around" / "tables")
    really = os.scandir

    def scandir(place: str | os.PathLike[str]) -> object:
        if Path(place) == gone:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))
        return really(place)

    monkeypatch.setattr(os, "scandir", scandir)

    assert {part.table for part in parts_at(tmp_path / "around")} >= {"events"}
