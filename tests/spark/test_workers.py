"""Workers that have nothing of ours, and one that dies in the middle: the same result."""

import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from core.message import Message, message
from core.work import Work
from importers.load import load
from importers.prepared.data_set import load_prepared
from spark.job import process
from spark.session import spark_session
from tests.spark.compare import assert_same_trace

pytestmark = [pytest.mark.spark, pytest.mark.slow]

LIBRARIES = ("numpy", "pyarrow", "zstandard", "cramjam")
"""What docs/spark.md says that a worker's Python needs."""


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with these libraries and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    asked = "import sysconfig; print(sysconfig.get_path('platlib'))"
    told = subprocess.run([str(python), "-c", asked], check=True, capture_output=True, text=True)
    for entry in Path(sysconfig.get_path("platlib")).iterdir():
        if entry.name.split(".")[0].split("-")[0] in LIBRARIES:
            (Path(told.stdout.strip()) / entry.name).symlink_to(entry)
    return python


@pytest.fixture(scope="module")
def on_bare_cluster(bare_python: Path, cluster: str) -> Iterator[tuple[str, SparkSession]]:
    """A cluster whose workers are such interpreters."""
    settings = {"spark.executor.memory": "512m", "spark.pyspark.python": str(bare_python)}
    with spark_session(cluster, settings.items()) as session:
        yield cluster, session


def executors(session: SparkSession) -> set[int]:
    """The Java machines of the executors: each is the parent of the daemon that made a worker."""

    def parent(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        stat = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii")
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"pid": [int(stat.rpartition(")")[2].split()[1])]})

    return {row.pid for row in session.range(0, 8, 1, 8).mapInArrow(parent, "pid long").collect()}


def test_a_worker_has_nothing_but_libraries(bare_python: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for module, there in (*((name, True) for name in LIBRARIES), ("importers", False), ("pandas", False)):
        ran = subprocess.run(
            [str(bare_python), "-c", f"import {module}"], env=env, cwd="/", check=False, capture_output=True
        )
        assert (ran.returncode == 0) == there, module


def test_workers_without_the_package_give_the_same(
    on_bare_cluster: tuple[str, SparkSession], recordings: Path, tmp_path: Path
) -> None:
    master, _ = on_bare_cluster
    source = recordings / "k28-epoch-fix"
    process([source], tmp_path / "out.parquet", master=master, range_bytes=64 * 1024)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), load([source]))


def test_an_executor_that_is_killed_changes_nothing(
    on_bare_cluster: tuple[str, SparkSession], recordings: Path, tmp_path: Path
) -> None:
    master, session = on_bare_cluster
    source = recordings / "k0102-hw-loss"
    victim = min(executors(session))
    killed: list[Message | None] = []

    def kill(done: int, total: int, what: Message | None) -> None:
        if what == message("progress.spark.logs") and total and done < total and not killed:
            killed.append(what)
            os.kill(victim, signal.SIGKILL)

    process([source], tmp_path / "out.parquet", master=master, range_bytes=4 * 1024, work=Work(kill))
    assert killed
    assert victim not in executors(session)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), load([source]))
    assert [file.name for file in tmp_path.iterdir()] == ["out.parquet"]
    assert not list((tmp_path / "out.parquet").rglob("*.part"))
