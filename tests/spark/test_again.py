"""A second run reads only what is new and gives what a first one would; what cannot be read is told of."""

import gzip
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

import spark.job
import spark.parse
from core.errors import CancelledError, DocumentError, SourceError
from core.trace.trace import Trace
from core.words import text
from core.work import QUIET, Work
from importers.load import load
from importers.options import ImportOptions
from importers.prepared.data_set import MANIFEST, TABLES, load_prepared
from importers.prepared.folder import without_secrets
from spark.job import process
from spark.merge import merge
from spark.parse import Digest, Read
from spark.quote import Ask, Quote
from spark.ranges import Range, cut, list_files
from spark.store import PARSED, Stage, held
from tests.in_words import gaps_of, in_words
from tests.spark.compare import assert_same_trace

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

MASTER = "local[2]"
RANGE = 4 * 1024
NAME = "k0102-hw-loss"
LINE = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"


@pytest.fixture
def tree(recordings: Path, tmp_path: Path) -> Path:
    """A recording of which broker-3 comes later."""
    shutil.copytree(recordings / NAME, tmp_path / "tree")
    shutil.move(tmp_path / "tree" / "broker-3", tmp_path / "broker-3")
    return tmp_path / "tree"


@pytest.fixture(scope="module")
def first(
    session: SparkSession, recordings: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, dict[str, Any]]:
    """A recording, a data set of it that tests copy, and what its run answered."""
    out = tmp_path_factory.mktemp("first") / "out.parquet"
    return recordings / NAME, out, again(recordings / NAME, out)


@pytest.fixture
def continued(first: tuple[Path, Path, dict[str, Any]], tmp_path: Path) -> tuple[Path, Path, dict[str, Any]]:
    """A recording, a data set of it for this test alone, and what its run answered."""
    source, made, answer = first
    out = tmp_path / "out.parquet"
    shutil.copytree(made, out)
    return source, out, {**answer, "output": str(out)}


def again(source: Path, out: Path, **more: Any) -> dict[str, Any]:
    return process([source], out, master=MASTER, range_bytes=64 * 1024, **more)


def rejected(out: Path) -> list[tuple[str, str, int | None]]:
    """File, fate and byte of what was not read."""
    rows = parquet.read_table(out / TABLES / "rejects.parquet").to_pylist()
    return [(row["file"], row["fate"], row["byte"]) for row in rows if row["line"] is None]


def imported(source: Path) -> Trace:
    return load([source])


def test_a_grown_tree_is_read_where_it_is_new_and_a_shrunk_one_forgets(
    session: SparkSession, tree: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    first = again(tree, out)
    assert first["ranges_read"] == first["ranges"]
    same = again(tree, out)
    assert same == {**first, "ranges_read": 0}

    shutil.move(tmp_path / "broker-3", tree / "broker-3")
    grown = again(tree, out)
    assert grown["ranges_read"] == grown["ranges"] - first["ranges"]
    assert_same_trace(load_prepared(out), imported(tree))
    assert again(tree, out, replace=True) == {**grown, "ranges_read": grown["ranges"]}

    # Written again with the same size and the same time of another second: another file.
    log = tree / "broker-2" / "logs" / "server.log"
    os.utime(log, ns=(0, log.stat().st_mtime_ns + 1))
    assert 0 < again(tree, out)["ranges_read"] < grown["ranges"]

    shutil.rmtree(tree / "broker-3")
    assert again(tree, out)["ranges_read"] == 0
    assert_same_trace(load_prepared(out), imported(tree))
    assert {mark.label.split("/")[0] for mark in held(out / PARSED)} == {"broker-1", "broker-2"} | {
        path.name for path in tree.iterdir()
    }
    assert {file.name for file in tmp_path.iterdir()} == {"tree", "out.parquet"}


def test_no_file_that_is_the_same_is_opened_by_a_worker_again(
    session: SparkSession, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, opened = watched_tasks(monkeypatch)
    again(tree, tmp_path / "out.parquet")
    assert asked
    assert opened
    asked.clear()
    opened.clear()
    again(tree, tmp_path / "out.parquet")
    assert (asked, opened) == ([], [])
    # Where one log is new, no other is opened, for its lines neither.
    shutil.move(tmp_path / "broker-3" / "logs" / "server.log", tree / "broker-4.log")
    again(tree, tmp_path / "out.parquet")
    labels = [one.label for one in list_files([tree], QUIET)]
    assert {labels[file] for file, _ in opened} == {"broker-4.log"}
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), imported(tree))


def watched_tasks(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[tuple[int, int]]]:
    """What workers are told to read, and the ranges that they open again for raw lines."""
    asked: list[Any] = []
    opened: list[tuple[int, int]] = []
    each, put_lines = spark.job._each, spark.job.put_lines

    def counted(session: SparkSession, groups: Any, *rest: Any) -> Any:
        asked.extend(task for group in groups for task in group)
        return each(session, groups, *rest)

    def put(*arguments: Any) -> Any:
        raw, changed = put_lines(*arguments)
        opened.extend(raw.opened)
        return raw, changed

    monkeypatch.setattr(spark.job, "_each", counted)
    monkeypatch.setattr(spark.job, "put_lines", put)
    return asked, opened


def test_of_a_log_that_has_grown_only_what_is_new_is_parsed(
    session: SparkSession, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, opened = watched_tasks(monkeypatch)
    out, log = tmp_path / "out.parquet", tmp_path / "logs" / "server.log"
    whole = (tree / "broker-2" / "logs" / "server.log").read_bytes()
    log.parent.mkdir()
    assert len(whole) > 5 * RANGE
    # Full ranges stand; of a log that has grown once, all records that were whole but the last one.
    last = [one.start() for one in re.finditer(rb"^\[.*\n", whole[: 5 * RANGE - 7], re.MULTILINE)][-1]
    # It ends in the middle of a line, and then in the middle of the last range that was full.
    for size, stands in ((3 * RANGE + 1_001, 0), (5 * RANGE - 7, 3 * RANGE), (len(whole), last)):
        log.write_bytes(whole[:size])
        asked.clear()
        opened.clear()
        process([log.parent], out, master=MASTER, range_bytes=RANGE)
        assert_same_trace(load_prepared(out), imported(log.parent))
        assert parsed_bytes(asked) == size - stands
        # The first new event may have neighbours in the last range that stands.
        assert min(start for _, start in opened) >= stands - 2 * RANGE

    # The same size and the same ends, but for one byte in the last 4 KiB of the second range: another log.
    at = 2 * RANGE - 100
    log.write_bytes(whole[:at] + b"#" + whole[at + 1 :] + LINE)
    asked.clear()
    process([log.parent], out, master=MASTER, range_bytes=RANGE)
    assert parsed_bytes(asked) == log.stat().st_size
    assert_same_trace(load_prepared(out), imported(log.parent))


def parsed_bytes(asked: Sequence[Any]) -> int:
    """How many bytes of logs the workers were told to parse."""
    reads = [one for stage in asked if isinstance(stage, Stage) for one in stage.tasks]
    return sum(one.range.end - one.range.start for one in reads if isinstance(one, Read))


def test_a_range_stands_for_a_longer_log_only_where_a_record_begins_behind_it(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    record = (
        LINE + b"java.lang.IllegalStateException: a trace\n" + b"\tat kafka.Kafka.main(Kafka.scala)\n" * 40
    )
    log.write_bytes(record * 3)
    (file,) = list_files([log], QUIET)
    ranges = cut([file], len(record) - 10)
    closed = [bool(piece.tail) for one in ranges for piece in Read(file, one)() if piece.read is not None]
    # The fourth begins in the last record, whose trace may go on.
    assert [one.start // (len(record) - 10) for one in ranges] == [0, 1, 2, 3]
    assert closed == [True, True, False, False]


def test_a_stopped_run_goes_on_where_it_was(session: SparkSession, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    seen: list[str] = []
    work = Work(
        lambda _done, _total, what: seen.append(text(what) if what else ""),
        lambda: "keeping raw lines" in seen,
    )
    with pytest.raises(CancelledError):
        again(tree, out, work=work)
    assert not out.exists()
    answer = again(tree, out)
    assert answer["ranges_read"] == 0
    assert_same_trace(load_prepared(out), imported(tree))
    assert {file.name for file in tmp_path.iterdir()} == {"tree", "broker-3", "out.parquet"}


def test_only_a_data_set_of_these_logs_is_continued(
    session: SparkSession, tree: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    again(tree / "broker-1", out)
    before = (out / MANIFEST).read_bytes()
    with pytest.raises(DocumentError, match="holds other logs"):
        again(tree / "broker-2", out)
    with pytest.raises(DocumentError, match="exists"):
        again(tree / "broker-2", tree)
    assert (out / MANIFEST).read_bytes() == before
    answer = process([tree / "broker-1", tree / "broker-2"], out, master=MASTER)
    assert answer["name"] == "broker-1"
    assert {source.broker for source in load_prepared(out).sources} >= {1, 2}
    (out / MANIFEST).write_text((out / MANIFEST).read_text().replace('"counts"', '"cuonts"'))
    with pytest.raises(DocumentError, match="cannot be continued"):
        again(tree / "broker-1", out)


def test_options_are_of_each_run(continued: tuple[Path, Path, dict[str, Any]]) -> None:
    source, out, _ = continued
    options = ImportOptions(zones={None: "+01:00"}, topic="[ao]*", name="mine")
    assert again(source, out, options=options)["ranges_read"] == 0
    assert_same_trace(load_prepared(out), load([source], options))


def test_a_damaged_store_is_read_again(continued: tuple[Path, Path, dict[str, Any]]) -> None:
    source, out, answer = continued
    for file in (out / PARSED).glob("*.arrow"):
        file.write_bytes(file.read_bytes()[:-100])
    assert again(source, out) == answer
    shutil.rmtree(out / PARSED)
    assert again(source, out) == answer


def test_what_cannot_be_read_costs_only_itself_and_is_tried_again(
    session: SparkSession, tree: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    log = (tree / "broker-2" / "logs" / "server.log").read_bytes()
    (tree / "broken.log.gz").write_bytes(gzip.compress(log)[:-2_000])
    work = Work(lambda _done, _total, what: _vanish(tree, text(what) if what else ""))
    again(tree, out, work=work)
    rows = {file: (fate, byte) for file, fate, byte in rejected(out)}
    # What stands before the torn end is read, and told as cut short there.
    fate, byte = rows["broken.log.gz"]
    assert fate == "cut short"
    assert byte is not None
    assert 0 < byte < len(log)
    assert rows["broker-2/logs/controller.log"] == ("unread", 0)
    trace = load_prepared(out)
    assert len(trace) > 0
    assert any("controller.log was left out" in gap for gap in gaps_of(trace.report))

    (tree / "broker-2" / "logs" / "controller.log").write_bytes(log)
    again(tree, out)
    assert [file for file, _, _ in rejected(out)] == ["broken.log.gz"]
    assert_same_trace(load_prepared(out), imported(tree))


def _vanish(tree: Path, what: str) -> None:
    """A file goes away after the sources were listed."""
    if what == "starting Spark" or "reading logs" in what:
        (tree / "broker-2" / "logs" / "controller.log").unlink(missing_ok=True)


def test_a_range_that_cannot_be_read_ends_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server.log").write_bytes(LINE * 40)
    files = list_files([tmp_path], QUIET)
    ranges = cut(files, 10 * len(LINE))
    whole = spark.parse.own_records

    def own_records(file: Any, own: Range, layout: Any) -> Any:
        if own.start == 20 * len(LINE):
            raise OSError(5, "Input/output error")
        return whole(file, own, layout)

    monkeypatch.setattr(spark.parse, "own_records", own_records)
    tasks = [*(Read(files[0], one) for one in ranges), Digest(files[0], Range(0, 0, files[0].size))]
    merged = merge((piece for task in tasks for piece in task()), files, ranges)
    (read,) = merged.files
    assert read.drafts is not None
    assert (len(read.drafts.drafts), read.size, merged.lines) == (20, 20 * len(LINE), (20,))
    assert read.fault is not None
    assert read.fault.why is not None
    assert text(read.fault.why) == "Input/output error"
    (reject,) = spark.job.rejects(merged.files)
    assert (reject.byte, reject.fate) == (20 * len(LINE), "cut short")


@pytest.mark.parametrize("range_bytes", [10 * len(LINE), 1 << 20])
def test_a_log_that_changes_is_not_used_and_one_that_grows_is_read_as_it_was(
    tmp_path: Path, range_bytes: int
) -> None:
    log = tmp_path / "server.log"
    log.write_bytes(LINE * 100)
    files = list_files([tmp_path], QUIET)
    ranges = cut(files, range_bytes)
    tasks = [Read(files[0], one) for one in ranges]
    asked = Quote(files[0], ranges[0], 1, 101, (Ask(0, 0, 0, 0, 1, 101),))

    def lines() -> list[int]:
        return [one for _, table in asked.read({0: np.array([3])}) for one in table["line"].to_pylist()]

    with log.open("ab") as more:
        more.write(LINE * 7)
    merged = merge((piece for task in tasks for piece in task()), files, ranges)
    assert merged.files[0].drafts is not None
    assert len(merged.files[0].drafts.drafts) == 100
    assert lines() == [3]

    log.write_bytes(LINE * 50)
    merged = merge((piece for task in tasks for piece in task()), files, ranges)
    assert merged.files[0].drafts is None
    assert merged.files[0].fault is not None
    assert "changed while it was read" in text(merged.files[0].fault.what)
    with pytest.raises(SourceError, match="changed while it was read"):
        lines()

    log.unlink()
    merged = merge((piece for task in tasks for piece in task()), files, ranges)
    assert merged.files[0].fault is not None
    assert merged.files[0].fault.why is not None
    assert text(merged.files[0].fault.why) == "No such file or directory"


def test_one_damaged_file_alone_is_one_message(session: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(LINE * 400)[:-12])
    with pytest.raises(SourceError, match="damaged") as caught:
        again(tmp_path / "server.log.gz", tmp_path / "out.parquet")
    assert in_words(caught.value).where == str(tmp_path / "server.log.gz")
    assert [file.name for file in tmp_path.iterdir()] == ["server.log.gz"]


def test_keys_in_a_uri_are_not_written_down() -> None:
    assert without_secrets("s3://key:sec%2Fret@bucket/a@b") == "s3://bucket/a@b"
    assert without_secrets("/var/a@b") == "/var/a@b"
