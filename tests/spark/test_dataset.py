"""The data set: every column comes back, only what is needed is read, nothing half-written stands."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset, parquet
from pyspark.sql import SparkSession

from core.errors import CancelledError, DocumentError, QuestionError, SourceError, because
from core.trace.builder import TraceBuilder
from core.trace.digest import content_digest
from core.trace.ids import UNSAID, BrokerId, Nanos, TopicPartition
from core.trace.trace import DTYPES, EMPTY, Broker, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import KINDS, NAME, Basis
from core.work import QUIET
from importers.contract.validate import validate
from importers.options import ImportOptions
from importers.prepared.data_set import (
    EVENTS,
    LINES,
    MANIFEST,
    OF_MANY,
    TABLES,
    event_schema,
    is_prepared,
    load_prepared,
)
from importers.prepared.rows import EVENT_NAMES
from spark.clustered import SHARED_BY
from spark.dataset import staged, write_dataset
from spark.event_files import EVENT_GROUP
from spark.merge import Reject
from spark.schema import event_table
from tests.spark.placed import placed

pytestmark = pytest.mark.spark

PARTITIONS = 4
REJECTS = (
    Reject("b/server.log", 7, None, "malformed", "\ufffd?"),
    Reject("b/server.log", None, 900, "cut short", "The file cannot be read"),
)


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Every column is said somewhere and left out somewhere; every third has a cause."""
    builder = TraceBuilder()
    for number in range(3_000):
        builder.add(
            1_700_000_000_000_000_000 + number // 2,
            "became_leader",
            basis=Basis.REPORTED if number % 5 else Basis.OBSERVED,
            partition=None if number % 10 == 0 else number % PARTITIONS,
            broker=number % 2 + 1,
            replica=number % 2 + 1,
            leader=-1 if number % 2 else number % 3,
            epoch=number,
            leo=number * 2**33,
            hw=number if number % 7 else None,
            isr=(2, 1) if number % 11 == 0 else None,
            cause=number - 1 if number % 3 == 2 else None,
            source=number % 2,
            position=number * 100,
            line=number + 1,
            at_least=("leo",) if number % 13 == 0 else (),
        )
    return builder.build(
        "night",
        Origin.IMPORTED,
        brokers=(Broker(BrokerId(1), "b1", "2.8.2"), Broker(BrokerId(2))),
        partitions=[
            Partition(TopicPartition(topic, number, "" if number else "old"), (BrokerId(1), BrokerId(2)))
            for number, topic in enumerate(("orders", "orders", "clicks", "clicks"))
        ],
        sources=(
            Source("case.zip!/broker-1/server.log", "ab" * 32, 2**40, BrokerId(1), "+01:00", "stated"),
            Source("stray.log", "cd" * 32, 7),
        ),
        facts={"clock": "2: +3 ms", "version": "2.8.2"},
        lines=[
            KeptLine(source, n + 1, n * 100, f"line {n} \U0001f4c8")
            for source in (0, 1)
            for n in range(source, 3_000, 2)
        ],
        report={"files": 2, "gaps": []},
    )


@pytest.fixture(scope="module")
def folder(trace: Trace, session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data") / "night.parquet"
    with staged(out, replace=False) as part:
        write_dataset(
            session,
            trace,
            part,
            raw=placed(trace, part),
            rejects=REJECTS,
            provenance={"master": "local[2]"},
            work=QUIET,
        )
    return out


def test_the_schema_is_the_columns_of_a_trace(session: SparkSession, folder: Path) -> None:
    schema = event_schema()
    assert schema.names == ["seq", *DTYPES]
    assert {name: schema.field(name).type.to_pandas_dtype() for name in DTYPES} == {
        name: dtype.type for name, dtype in DTYPES.items()
    }


def test_every_table_is_read_by_the_name_of_its_folder_with_the_rows_of_the_manifest(
    session: SparkSession, trace: Trace, folder: Path
) -> None:
    """Spark 4 reads no nanoseconds: as numbers it does."""
    tables: dict[str, int] = json.loads((folder / MANIFEST).read_text())["tables"]
    assert {name for name in tables if not (folder / name).is_dir()} == set()
    assert {path.name for path in folder.iterdir() if path.is_dir() and path.name[0] != "_"} == set(tables)
    assert tables["events"] == len(trace)
    session.conf.set("spark.sql.legacy.parquet.nanosAsLong", "true")
    for name, rows in tables.items():
        place = folder / name
        assert len(pd.read_parquet(place)) == rows, name
        assert pl.read_parquet(place).height == rows, name
        assert dataset.dataset(place).count_rows() == rows, name
        assert counted(place) == rows, name
        assert session.read.parquet(str(place)).count() == rows, name


def counted(place: Path) -> int:
    """How many rows DuckDB finds."""
    with duckdb.connect() as asked:
        found = asked.execute(f"select count(*) from '{place}/*.parquet'").fetchone()  # noqa: S608 - ours
    assert found is not None
    return int(found[0])


def test_tables_have_names_words_and_times(trace: Trace, folder: Path) -> None:
    table = dataset.dataset(folder / EVENTS).to_table().sort_by("seq")
    assert table.schema.field("time").type == pa.timestamp("ns", "UTC")
    assert table.column("time").cast(pa.int64()).to_pylist() == trace.columns["at"].tolist()
    assert table.column("kind").to_pylist() == [NAME[one] for one in trace.columns["kind"].tolist()]
    owner = trace.columns["partition"].tolist()
    assert table.column("topic").to_pylist() == [
        None if one < 0 else trace.partitions[one].tp.topic for one in owner
    ]
    assert table.column("partition").to_pylist() == [
        None if one < 0 else trace.partitions[one].tp.partition for one in owner
    ]
    seen: Counter[int] = Counter()
    for one, ordinal in zip(owner, table.column("ordinal").to_pylist(), strict=True):
        assert ordinal == (None if one < 0 else seen[one])
        seen[one] += 1
    assert [fault for checked in validate(folder) for fault in checked.faults if fault.column != "time"] == []


def test_what_is_not_said_is_null_in_the_files(trace: Trace, folder: Path) -> None:
    table = dataset.dataset(folder / EVENTS).to_table().sort_by("seq")
    for name in ("hw", "isr", "cause", "partition", "log_start"):
        unsaid = int(np.count_nonzero(trace.columns[name] == EMPTY[name]))
        assert 0 < unsaid == table.column(EVENT_NAMES[name]).null_count
    assert table.column("isr").null_count == table.column("_isr").null_count
    assert table.column("leader").to_pylist()[1] == -1
    assert UNSAID not in table.column("high_watermark").to_pylist()


def test_a_trace_comes_back_whole(trace: Trace, folder: Path) -> None:
    loaded = load_prepared(folder)
    assert content_digest(loaded) == content_digest(replace(trace, origin=Origin.PREPARED))
    assert (loaded.name, loaded.origin) == ("night", Origin.PREPARED)
    assert loaded.lines == trace.lines
    assert dict(loaded.report) == {"files": 2, "gaps": []}
    assert json.loads((folder / MANIFEST).read_text())["digest"] == content_digest(loaded)
    assert [Reject(**row) for row in parquet.read_table(folder / TABLES / "rejects.parquet").to_pylist()] == [
        *REJECTS
    ]
    assert [row["name"] for row in parquet.read_table(folder / TABLES / "kinds.parquet").to_pylist()] == [
        kind.name for kind in KINDS
    ]


def test_one_partition_is_read_with_the_events_of_no_partition(trace: Trace, folder: Path) -> None:
    loaded = load_prepared(folder, partitions=["orders-1"])
    rows = np.flatnonzero(np.isin(trace.columns["partition"], (1, -1)))
    assert len(loaded) == len(rows) < len(trace)
    for name in DTYPES:
        if name != "cause":
            assert np.array_equal(loaded.columns[name], trace.columns[name][rows]), name
    for seq, row in enumerate(rows.tolist()):
        before = int(trace.columns["cause"][row])
        place = np.flatnonzero(rows == before)
        assert loaded.columns["cause"][seq] == (place[0] if len(place) else UNSAID)
    near = {(int(trace.columns["source"][row]), int(trace.columns["line"][row]) + side)
            for row in rows for side in range(-2, 3)}  # fmt: skip
    assert {(line.source, line.line) for line in loaded.lines} == near & {
        (line.source, line.line) for line in trace.lines
    }


def test_topic_and_time_choose(trace: Trace, folder: Path) -> None:
    first, last = Nanos(1_700_000_000_000_000_100), Nanos(1_700_000_000_000_000_199)
    loaded = load_prepared(folder, ImportOptions(topic="cl*", start=first, end=last, name="short"))
    at = trace.columns["at"]
    chosen = np.isin(trace.columns["partition"], (2, 3, -1)) & (at >= first) & (at <= last)
    assert loaded.name == "short"
    assert np.array_equal(loaded.columns["epoch"], trace.columns["epoch"][chosen])


def test_row_groups_without_the_partition_are_not_read(session: SparkSession, tmp_path: Path) -> None:
    builder = TraceBuilder()
    for number in range(400_000):
        builder.add(number, "hw_moved", partition=number % 8, replica=1, broker=1, hw=number)
    partitions = [Partition(TopicPartition("t", n)) for n in range(8)]
    trace = builder.build("big", Origin.IMPORTED, brokers=(Broker(BrokerId(1)),), partitions=partitions)
    with staged(tmp_path / "big", replace=False) as part:
        write_dataset(session, trace, part, raw=placed(trace, part), provenance={}, work=QUIET)
    rows = dataset.field("_partition").isin([3]) | dataset.field("_partition").is_null()
    fragments = list(dataset.dataset(tmp_path / "big" / EVENTS).get_fragments())
    kept = [piece for fragment in fragments for piece in fragment.split_by_row_group(rows)]
    read = sum(group.num_rows for piece in kept for group in piece.row_groups)
    assert 50_000 <= read <= 50_000 + 2 * EVENT_GROUP
    assert len(load_prepared(tmp_path / "big", partitions=["t-3"])) == 50_000


def test_a_line_of_many_partitions_is_there_once(session: SparkSession, tmp_path: Path) -> None:
    """Line 10 of the first log is of nine partitions; another log speaks of a tenth, and of its broker."""
    builder = TraceBuilder()
    for number in range(SHARED_BY + 1):
        builder.add(number, "hw_moved", partition=number, broker=1, replica=1, hw=1, source=0, line=10)
    builder.add(20, "hw_moved", partition=SHARED_BY + 1, broker=2, replica=2, hw=1, source=1, line=3)
    builder.add(30, "broker_started", broker=2, source=1, line=50)
    near = {OF_MANY: (0, 10), SHARED_BY + 1: (1, 3), None: (1, 50)}
    expected = {(key, source, line + side) for key, (source, line) in near.items() for side in range(-2, 3)}
    trace = builder.build(
        "night",
        Origin.IMPORTED,
        brokers=(Broker(BrokerId(1)), Broker(BrokerId(2))),
        partitions=[Partition(TopicPartition("t", n)) for n in range(SHARED_BY + 2)],
        sources=(Source("a.log", "ab" * 32, 7), Source("b.log", "cd" * 32, 7)),
        lines=[KeptLine(*place, 9, "text") for place in sorted(one[1:] for one in expected)],
    )
    with staged(tmp_path / "night", replace=False) as part:
        write_dataset(session, trace, part, raw=placed(trace, part), provenance={}, work=QUIET)

    rows = dataset.dataset(tmp_path / "night" / LINES).to_table().to_pylist()
    assert sorted(((row["_partition"], row["_source"], row["line"]) for row in rows), key=str) == sorted(
        expected, key=str
    )
    for name, key in (("t-0", OF_MANY), (f"t-{SHARED_BY + 1}", SHARED_BY + 1)):
        lines = load_prepared(tmp_path / "night", partitions=[name]).lines
        assert {(one.source, one.line) for one in lines} == {
            (source, line) for of, source, line in expected if of in (key, None)
        }


def test_questions_that_a_data_set_cannot_answer(folder: Path) -> None:
    with pytest.raises(QuestionError, match="orders-9"):
        load_prepared(folder, partitions=["orders-9"])
    for options in (ImportOptions(zones={None: "UTC"}), ImportOptions(year=2024), ImportOptions(broker=3)):
        with pytest.raises(QuestionError, match="cannot be changed"):
            load_prepared(folder, options)


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy.parquet"))


def test_a_folder_that_is_no_data_set(tmp_path: Path) -> None:
    assert not is_prepared(tmp_path)
    assert not is_prepared(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="There is no data set here"):
        load_prepared(tmp_path)
    (tmp_path / MANIFEST).write_text('{"format": "something else"}')
    assert not is_prepared(tmp_path)
    with pytest.raises(SourceError, match="is not a Tidegauge data set"):
        load_prepared(tmp_path)


def test_a_newer_data_set_is_refused(copy: Path) -> None:
    manifest = json.loads((copy / MANIFEST).read_text())
    (copy / MANIFEST).write_text(json.dumps({**manifest, "schema": manifest["schema"] + 1}))
    assert is_prepared(copy)
    with pytest.raises(SourceError, match="newer Tidegauge"):
        load_prepared(copy)
    (copy / MANIFEST).write_text(json.dumps({**manifest, "schema": 1}))
    with pytest.raises(SourceError, match="older Tidegauge"):
        load_prepared(copy)


@pytest.mark.parametrize("name", [f"{TABLES}/brokers.parquet", "lines", "events", MANIFEST])
@pytest.mark.parametrize("harm", ["cut", "garbled", "gone"])
def test_damage_is_one_message(copy: Path, name: str, harm: str) -> None:
    file = next(copy.glob(f"{name}/*.parquet"), copy / name)
    data = file.read_bytes()
    if harm == "gone":
        file.unlink()
    elif harm == "cut":
        file.write_bytes(data[: len(data) // 2])
    else:
        file.write_bytes(b"\xff" * len(data))
    with pytest.raises(SourceError):
        load_prepared(copy)


def test_a_file_of_another_data_set_is_noticed(trace: Trace, copy: Path) -> None:
    whole = dataset.dataset(copy / EVENTS).to_table()
    for old in (copy / EVENTS).iterdir():
        old.unlink()
    parquet.write_table(whole.slice(0, 100), copy / EVENTS / "part.parquet")
    manifest = json.loads((copy / MANIFEST).read_text())
    file = copy / EVENTS / "part.parquet"
    kept = {name: facts for name, facts in manifest["files"].items() if not name.startswith(EVENTS)}
    manifest["files"] = {**kept, f"{EVENTS}/part.parquet": {"bytes": file.stat().st_size}}
    (copy / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(SourceError, match="100 events are there, 3000 were written"):
        load_prepared(copy)


def test_an_existing_output_is_refused_and_a_stranger_is_never_replaced(copy: Path, tmp_path: Path) -> None:
    before = (copy / MANIFEST).read_bytes()
    with pytest.raises(DocumentError, match="exists"), staged(copy, replace=False):
        pass
    assert (copy / MANIFEST).read_bytes() == before
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear")
    (tmp_path / "file").write_text("Dear")
    for stranger in (tmp_path / "letters", tmp_path / "file"):
        with pytest.raises(DocumentError, match="not replaced"), staged(stranger, replace=True):
            pass
    with staged(copy, replace=True) as part:
        (part / "new").write_text("new")
    assert [file.name for file in copy.iterdir()] == ["new"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.parquet", "file", "letters"]


def test_nothing_half_written_stays(copy: Path, tmp_path: Path) -> None:
    before = (copy / MANIFEST).read_bytes()

    def stopped(out: Path, *, replace: bool) -> None:
        with staged(out, replace=replace) as part:
            (part / "half").write_text("half")
            raise CancelledError(because("stopped"))

    for out, again in ((copy, True), (tmp_path / "new.parquet", False)):
        with pytest.raises(CancelledError):
            stopped(out, replace=again)
    assert [file.name for file in tmp_path.iterdir()] == ["copy.parquet"]
    assert (copy / MANIFEST).read_bytes() == before


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for out in (tmp_path / "nowhere" / "x.parquet", tmp_path / "file" / "x.parquet"):
        with pytest.raises(DocumentError, match="cannot be written"), staged(out, replace=False):
            pass


def test_an_empty_table_keeps_its_types() -> None:
    empty = TraceBuilder().build("empty", Origin.IMPORTED)
    assert event_table(empty).schema.equals(event_schema())
    assert isinstance(event_table(empty), pa.Table)
