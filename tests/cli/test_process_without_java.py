"""`tidegauge process` on a cluster whose workers have no Java: one message, exit code 2, nothing left."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.spark.conftest import start_master, start_workers

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Tell = Callable[..., Any]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one log."""
    (tmp_path / "logs").mkdir()
    line = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
    (tmp_path / "logs" / "server.log").write_bytes(line * 40)
    return tmp_path / "logs"


def test_a_worker_without_java(
    tell: Tell, logs: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The worker itself runs; JAVA_HOME of its machine names a folder that is not there."""
    folder = tmp_path_factory.mktemp("no-java")
    with ExitStack() as stack:
        master = start_master(stack, folder / "master")
        start_workers(stack, folder, master, 1, java_home=folder / "nowhere")
        told = tell(
            *("process", logs, "-o", tmp_path / "out.parquet", "--master", master),
            *("--conf", "spark.executor.memory=512m"),
        )
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1), told.err
    assert f"No executor starts on {master}" in told.err
    assert "needs Java 17 or later" in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
