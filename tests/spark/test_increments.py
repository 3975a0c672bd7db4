"""Hours that arrive one after the other, to runs or to a stream, give what one run over all of them gives."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import spark.job
import spark.ranges
from core.diagnose.verdict.check import triaged
from importers.load import load
from importers.prepared.data_set import MANIFEST, load_prepared, read_manifest
from importers.prepared.triage import read_triage
from spark.follow import finish_stream, follow
from spark.job import process
from tests.spark.compare import assert_local, assert_same_trace, local_of
from tests.spark.growing import STAMP, with_line

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

ROLLED = (".2026-11-21-01", ".2026-11-21-02", "")
"""How the files of each third of the time are called: a log that is rolled by the hour."""


@pytest.fixture(scope="module")
def thirds(recordings: Path) -> dict[str, list[bytes]]:
    """The logs of a recording by path, each cut where the second and the last third of the time begin."""
    root = recordings / "k0102-hw-loss"
    logs = {one.relative_to(root).as_posix(): one.read_bytes() for one in root.glob("broker-*/logs/*.log")}
    times = sorted(time for log in logs.values() for time in STAMP.findall(log))
    begins = [times[len(times) * part // 3] for part in (1, 2)]
    return {name: cut_at(log, begins) for name, log in logs.items()}


def cut_at(log: bytes, begins: list[bytes]) -> list[bytes]:
    """Three parts of a log: stamps sort as text."""
    places = [
        next((one.start() for one in STAMP.finditer(log) if one[1] >= begin), len(log)) for begin in begins
    ]
    return [log[: places[0]], log[places[0] : places[1]], log[places[1] :]]


def run(source: Path, out: Path) -> dict[str, Any]:
    return process([source], out, master="local[2]")


def assert_as_one_run(source: Path, out: Path) -> None:
    """The data set holds what a first look at all of the source gives."""
    whole = load([source])
    assert_same_trace(load_prepared(out), whole)
    assert read_triage(out) == triaged(whole)


def test_logs_that_grow_are_read_on_from_their_last_record_and_without_news_nothing_runs(
    session: SparkSession, thirds: dict[str, list[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark.ranges, "GROWING_BYTES", 1_024)
    tree, out = tmp_path / "tree", tmp_path / "out.parquet"
    answers: list[dict[str, Any]] = []
    for part in range(3):
        for name, parts in thirds.items():
            log = tree / name
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as more:
                more.write(parts[part])
        answers.append(run(tree, out))
    assert_as_one_run(tree, out)
    # Read whole first; then cut at the last record; then read on from there.
    cuts = [one["ranges"] - one["files"] for one in answers]
    assert cuts[0] == 0 < cuts[1] < cuts[2]
    assert answers[1]["ranges_read"] == answers[1]["ranges"] - unchanged(thirds, 1)
    assert answers[2]["ranges_read"] < answers[2]["ranges"] - unchanged(thirds, 2)

    before = (out / MANIFEST).stat()
    monkeypatch.setattr(spark.job, "spark_session", None)
    assert run(tree, out) == {**answers[2], "ranges_read": 0}
    assert (out / MANIFEST).stat() == before


def unchanged(thirds: dict[str, list[bytes]], part: int) -> int:
    """How many logs had nothing to say in a third."""
    return sum(not parts[part] for parts in thirds.values())


def test_hours_that_arrive_in_another_order_give_the_same(
    session: SparkSession, thirds: dict[str, list[bytes]], tmp_path: Path
) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out.parquet"
    arrived = 0
    for part in (1, 2, 0):
        for name, parts in thirds.items():
            log = tree / (name + ROLLED[part])
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_bytes(parts[part])
        answer = run(tree, out)
        assert answer["ranges_read"] == answer["ranges"] - arrived
        arrived = answer["ranges"]
    assert_as_one_run(tree, out)


def test_a_folder_that_grows_in_three_steps_ends_as_one_run_over_it(
    session: SparkSession, thirds: dict[str, list[bytes]], tmp_path: Path
) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out.parquet"
    told: list[Any] = []
    expected = Expected()
    for part in range(3):
        for name, parts in thirds.items():
            # What broker 3 wrote in the second third comes with the last one.
            comes = name.startswith("broker-3") and part > 0
            text = {1: b"", 2: parts[1] + parts[2]}[part] if comes else parts[part]
            log = tree / name
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as more:
                more.write(text)
        expected.batch(tree)
        follow([tree], out, master="local[2]", told=told.append, rounds=1)
        assert (told[-1]["records"], told[-1]["late"]) == (expected.records, expected.late)
        # Each batch leaves what one run over the logs of that moment gives.
        assert_same_trace(load_prepared(out), load([tree]))
    assert told[2]["late"] > told[1]["late"]

    follow([tree], out, master="local[2]", told=told.append, rounds=1)
    assert told[3] == {**told[2], "ranges_read": 0}
    assert finish_stream([tree], out, master="local[2]") == told[3]
    assert {one.name for one in tmp_path.iterdir()} == {"out.parquet", "tree"}
    assert read_triage(out) == triaged(load([tree]))


class Expected:
    """Which records a stream has read, by their stamps: all of each log but the last, which may go on."""

    def __init__(self) -> None:
        self.records = self.late = 0
        self._read: dict[Path, int] = {}
        self._newest = b""

    def batch(self, tree: Path) -> None:
        """Look at the logs as they are now. One of less than 4 KiB waits."""
        newest = self._newest
        for log in tree.rglob("*.log"):
            times = STAMP.findall(log.read_bytes())[:-1] if log.stat().st_size >= 4096 else []
            new = times[self._read.get(log, 0) :]
            self._read[log] = len(times)
            self.records += len(new)
            self.late += sum(time < self._newest for time in new)
            newest = max([newest, *times])
        self._newest = newest


def test_only_partitions_that_have_news_are_judged_again(
    session: SparkSession, thirds: dict[str, list[bytes]], tmp_path: Path
) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out.parquet"
    for name, parts in thirds.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(b"".join(parts))
    judged: list[int] = []
    for _ in range(3):
        run(with_line(tree), out)
        judged.append(read_manifest(out)["provenance"]["judged"])
    # Then a line behind all others, of one partition; before the first of them others were the last of all.
    assert judged == [7, 1, 1]
    assert_local(out, local_of(tree))
