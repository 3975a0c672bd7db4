"""The pipeline from the command line: a data set that every other command opens."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from importers.samples import sample_path
from tests.spark.kept import session

__all__ = ["session"]

Tell = Callable[..., Any]


def test_workers_get_whole_paths_and_addresses_as_they_are(
    tell: Tell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def process(sources: list[str], *_: object, **__: object) -> dict[str, object]:
        given.extend(sources)
        counts = {"events": 12, "partitions": 3, "files": 4, "ranges": 5, "ranges_read": 2}
        return {**counts, "digest": "ab12"}

    monkeypatch.setattr("spark.job.process", process)
    monkeypatch.chdir(tmp_path)

    told = tell("process", "logs", "hdfs://namenode:8020/logs", "-o", "a.parquet")

    assert told.code == 0
    assert [line.split("  ")[0] for line in told.out.splitlines()] == [
        "a.parquet",
        "events",
        "partitions",
        "files",
        "parts of files",
        "parts read now",
        "digest",
    ]
    assert [line.split()[-1] for line in told.out.splitlines()[1:]] == ["12", "3", "4", "5", "2", "ab12"]
    assert given == [str(tmp_path / "logs"), "hdfs://namenode:8020/logs"]


def test_a_stream_tells_each_batch_and_its_end_is_a_run(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"events": 12, "partitions": 3, "files": 4, "ranges": 5, "ranges_read": 2, "digest": "ab12"}
    batches = [{**counts, "records": 70, "late": 0}, {**counts, "records": 90, "late": 4}]

    def follow(*_: object, told: Callable[[Any], None], **how: object) -> None:
        assert how["replace"] is True
        for batch in batches:
            told(batch)

    monkeypatch.setattr("spark.follow.follow", follow)
    monkeypatch.setattr("spark.follow.finish_stream", lambda *_, **__: batches[1])

    told = tell("process", "logs", "-o", "a.parquet", "--follow", "--replace")
    assert told.code == 0
    rows = [line.rsplit(None, 1) for line in told.out.splitlines() if not line.startswith("a.parquet")]
    late = [int(value) for name, value in rows if name == "of them late"]
    assert (len(rows), late) == (16, [0, 4])
    assert tell("process", "logs", "-o", "a.parquet", "--finish", "--json").json == batches[1]


@pytest.mark.spark
@pytest.mark.slow
def test_what_spark_writes_is_checked_like_logs(
    session: SparkSession, tell: Tell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # paths are given relative, and workers have other working directories
    (tmp_path / "case.tar.xz").write_bytes(sample_path("k0102-hw-loss").read_bytes())

    told = tell("process", "case.tar.xz", "-o", "case.parquet", "--master", "local[2]", "--json")

    assert told.code == 0
    answer = tell("check", "case.parquet", "--json")
    assert answer.code == 1
    assert answer.json["origin"] == "prepared"
    lost = {
        (part["topic"], part["partition"]): [
            (one["first_offset"], one["end_offset"]) for one in part["losses"]
        ]
        for part in answer.json["partitions"]
    }
    assert (206, 254) in lost["orders", 0]
    assert tell("info", "case.parquet", "--json").json["traces"][0]["digest"] == told.json["digest"]

    again = tell("process", "case.tar.xz", "-o", "case.parquet", "--master", "local[2]", "--json")
    assert again.json == {**told.json, "ranges_read": 0}
    (tmp_path / "other.log").write_text("\n")
    other = tell("process", "other.log", "-o", "case.parquet", "--master", "local[2]")
    assert (other.code, other.out) == (2, "")
    assert "holds other logs" in other.err
    assert other.err.count("\n") == 1
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["case.parquet", "case.tar.xz", "other.log"]
