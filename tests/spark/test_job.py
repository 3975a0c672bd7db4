"""The pipeline gives the trace that the importer gives, wherever files are cut, and fails in one message."""

import gzip
import json
import tarfile
from pathlib import Path

import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from core.errors import CancelledError, DocumentError, QuestionError, SourceError, TidegaugeError
from core.trace.digest import content_digest
from core.words import text
from core.work import Work
from importers.load import load
from importers.options import ImportOptions
from importers.prepared.data_set import MANIFEST, TABLES, load_prepared
from spark.job import local_target, process
from tests.in_words import gaps_of, in_words
from tests.spark.compare import assert_same_trace

pytestmark = pytest.mark.spark

MASTER = "local[2]"
NAMES = ("k0102-hw-loss", "k28-epoch-fix")


@pytest.mark.thinned(5)
@pytest.mark.parametrize("range_bytes", [4 * 1024, 64 * 1024, 64 * 1024 * 1024])
@pytest.mark.parametrize("name", NAMES)
def test_byte_ranges_give_the_trace_of_the_importer(
    session: SparkSession, recordings: Path, tmp_path: Path, name: str, range_bytes: int
) -> None:
    answer = process([recordings / name], tmp_path / "out.parquet", master=MASTER, range_bytes=range_bytes)
    prepared = load_prepared(tmp_path / "out.parquet")
    assert_same_trace(prepared, load([recordings / name]))
    assert answer["digest"] == content_digest(prepared)
    assert answer["counts"]["events"] == len(prepared)
    assert (answer["ranges"] > answer["files"]) == (range_bytes < 1024 * 1024)


def test_an_archive_is_read_whole_by_a_worker(
    session: SparkSession, recordings: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "case.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(recordings / NAMES[1], "case")
    answer = process([packed], tmp_path / "out.parquet", master=MASTER, range_bytes=4096)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), load([packed]))
    assert (answer["files"], answer["ranges"]) == (1, 1)


def test_several_sources_choices_of_the_person_and_what_was_not_understood(
    session: SparkSession, recordings: Path, tmp_path: Path
) -> None:
    stray = tmp_path / "broker-7.log"
    whole = (recordings / NAMES[0] / "broker-2" / "logs" / "server.log").read_bytes()
    odd = b"[2026-11-21 03:29:10,161] WARN high watermark went for a walk (kafka.cluster.Partition)\n"
    stray.write_bytes(whole[:9_000] + b"\n" + odd * 3)
    with gzip.open(tmp_path / "more.log.1.gz", "wb") as more:
        more.write(whole[9_000:20_000])
    sources = [
        recordings / NAMES[0] / "broker-1",
        recordings / NAMES[0] / "broker-3",
        stray,
        tmp_path / "more.log.1.gz",
    ]
    sources = [source for source in sources if source.exists()]
    options = ImportOptions(zones={None: "+01:00", "3": "Europe/Berlin"}, topic="[ao]*", name="mine")
    process(sources, tmp_path / "out.parquet", master=MASTER, options=options, range_bytes=4096)
    imported = load(sources, options)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), imported)
    rejects = parquet.read_table(tmp_path / "out.parquet" / TABLES / "rejects.parquet").to_pylist()
    mine = [row for row in rejects if row["file"] == stray.name]
    assert mine == [
        {
            "file": stray.name,
            "line": whole[:9_000].count(b"\n") + 2 + number,
            "byte": None,
            "fate": "unrecognised",
            "text": "high watermark went for a walk",
        }
        for number in range(3)
    ]


def test_the_manifest_says_where_it_came_from(
    session: SparkSession, recordings: Path, tmp_path: Path
) -> None:
    source = recordings / NAMES[0] / "broker-2" / "logs"
    process([source], tmp_path / "out.parquet", master=MASTER, range_bytes=5_000)
    manifest = json.loads((tmp_path / "out.parquet" / MANIFEST).read_text())
    assert manifest["provenance"]["sources"] == [str(source)]
    assert manifest["provenance"]["master"] == MASTER
    assert manifest["provenance"]["range_bytes"] == 5_000
    events = [facts["rows"] for name, facts in manifest["files"].items() if name.startswith("events/")]
    assert sum(events) == manifest["counts"]["events"]


@pytest.fixture
def broken(tmp_path: Path, recordings: Path) -> dict[str, Path]:
    """Sources that cannot be read, by what is wrong with them."""
    log = (recordings / NAMES[0] / "broker-2" / "logs" / "server.log").read_bytes()
    found = {name: tmp_path / "sources" / name for name in ("corrupt", "empty", "picture", "stranger")}
    for folder in found.values():
        folder.mkdir(parents=True)
    (found["empty"] / "inner").mkdir()
    (found["corrupt"] / "server.log").write_bytes(log)
    (found["corrupt"] / "server.log.1.gz").write_bytes(gzip.compress(log)[:-100])
    (found["picture"] / "screen.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 5_000)
    (found["stranger"] / "nginx.log").write_text("127.0.0.1 - - GET /\n" * 500)
    found["nowhere"] = tmp_path / "sources" / "nowhere"
    return found


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("empty", "folder is empty"),
        ("picture", "nothing in this"),
        ("stranger", "nothing in this"),
        ("nowhere", "nothing to open"),
    ],
)
def test_a_bad_source_is_one_message_and_no_output(
    session: SparkSession, broken: dict[str, Path], tmp_path: Path, what: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        process([broken[what]], tmp_path / "out.parquet", master=MASTER, range_bytes=4096)
    assert str(broken[what]) in in_words(caught.value).where
    assert [file.name for file in tmp_path.iterdir()] == ["sources"]


def test_a_damaged_file_costs_only_itself(
    session: SparkSession, broken: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    process([broken["corrupt"]], out, master=MASTER, range_bytes=4096)
    trace = load_prepared(out)
    assert len(trace) > 0
    assert any("server.log.1.gz" in gap and "damaged" in gap for gap in gaps_of(trace.report))


def test_a_picture_by_itself_is_called_a_picture(
    session: SparkSession, broken: dict[str, Path], tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match="PNG picture"):
        process([broken["picture"] / "screen.png"], tmp_path / "out.parquet", master=MASTER)


def test_an_output_that_cannot_be_written_is_told_before_spark_starts(
    recordings: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DocumentError, match="cannot be written"):
        process([recordings], tmp_path / "file" / "out.parquet", master="spark://127.0.0.1:1")


def test_a_wrong_master_leaves_nothing(recordings: Path, tmp_path: Path) -> None:
    for master in ("spark://127.0.0.1:1", "mesos"):
        with pytest.raises(TidegaugeError, match="master"):
            process([recordings], tmp_path / "out.parquet", master=master)
    assert list(tmp_path.iterdir()) == []


def test_no_range_is_empty(recordings: Path, tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="at least one byte"):
        process([recordings], tmp_path / "out.parquet", range_bytes=0)


@pytest.mark.parametrize("moment", ["listing", "reading logs", "putting events in order", "writing events"])
def test_a_stop_leaves_no_output(
    session: SparkSession, recordings: Path, tmp_path: Path, moment: str
) -> None:
    seen: list[str] = []
    work = Work(
        lambda _done, _total, what: seen.append(text(what) if what else ""),
        lambda: any(moment in what for what in seen),
    )
    with pytest.raises(CancelledError):
        process([recordings], tmp_path / "out.parquet", master=MASTER, work=work)
    assert moment in seen[-1]
    assert {file.name for file in tmp_path.iterdir()} <= {".out.parquet.parsed"}
    assert session.range(3).count() == 3


def test_a_relative_output_is_beside_who_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark takes addresses, and a relative path is none: the run failed when it wrote its lines."""
    monkeypatch.chdir(tmp_path)

    assert local_target("night.parquet") == tmp_path / "night.parquet"
