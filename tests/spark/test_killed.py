"""A driver killed with SIGKILL: what it leaves, what the next start removes, and what the next run uses."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from core.state_folder import STATE, is_anything_made
from core.sweeping import sweep
from importers.prepared.data_set import is_prepared
from spark.job import process
from tests.killed import DIE, ROOT
from tests.spark.kept import session

__all__ = ["session"]
pytestmark = [pytest.mark.spark, pytest.mark.slow]

PATIENCE_MS = 90_000
DRIVER = """
from core.words import text, use
from core.work import Work
from gui.text.render import renderer
from spark.job import process
use(renderer, "en")
def step(done, total, what):
    if what is not None and {moment!r} in text(what):
        {die}
process([{source!r}], {out!r}, master="local[1]", replace={replace}, work=Work(step))
"""
LOG = (
    "[2026-11-21 03:29:10,161] INFO [Broker id=1] Leader orders-0 starts at leader epoch 3 from offset 206 "
    "with high watermark 200 ISR 1,2 addingReplicas removingReplicas . Previous leader epoch was 2. "
    "(state.change.logger)\n"
    "[2026-11-21 03:29:10,261] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
)


class Place:
    """Logs, an output beside them, and a folder for all temporary files."""

    def __init__(self, folder: Path) -> None:
        self.logs, self.temporary = folder / "logs", folder / "temporary"
        self.out = folder / "outputs" / "X.parquet"
        for broker in (1, 2):
            (self.logs / f"broker-{broker}").mkdir(parents=True)
            (self.logs / f"broker-{broker}" / "server.log").write_text(LOG)
        self.temporary.mkdir()
        self.out.parent.mkdir()

    def kill(self, moment: str, *, replace: bool = False, die: str = "die()") -> "subprocess.Popen[str]":
        """A driver that died at a moment, and led the process session of all that it started."""
        program = DIE + DRIVER.format(
            moment=moment, die=die, source=str(self.logs), out=str(self.out), replace=replace
        )
        driver = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        _, self.errors = driver.communicate()
        return driver

    def run(self) -> dict[str, Any]:
        """What the same command answers that nothing kills. Needs the session that modules share."""
        return process([str(self.logs)], self.out, master="local[2]")

    def left(self) -> set[str]:
        """What stands beside the output, by the ends of the names, and in the temporary folder."""
        return {path.name for path in (*self.out.parent.iterdir(), *self.temporary.iterdir())}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv(STATE, str(tmp_path / "state"))
    return Place(tmp_path)


def await_session(leader: int) -> int:
    """Wait until no process of this session is alive. Gives how many there were."""
    seen = 0
    while found := list(_members(leader)):
        for number in found:
            with suppress(ProcessLookupError):
                handle = os.pidfd_open(number)
                ended = select.poll()
                ended.register(handle, select.POLLIN)
                assert ended.poll(PATIENCE_MS), f"process {number} did not end"
                os.close(handle)
        seen += len(found)
    return seen


def _members(leader: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit():
                state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(session) == leader and state != "Z":
                    yield int(entry.name)


def test_a_driver_that_is_killed_while_it_reads_leaves_no_java_and_nothing_on_the_disk(place: Place) -> None:
    driver = place.kill("reading logs")
    assert driver.returncode == -signal.SIGKILL, place.errors

    # Java sees the end of its standard input, and stops its workers.
    assert await_session(driver.pid) >= 1
    assert any(name.startswith("tidegauge-spark-") for name in place.left())
    assert ".X.parquet.lock" in place.left()

    sweep()
    assert place.left() <= {".X.parquet.parsed"}
    assert not place.out.exists()


def test_after_a_kill_while_it_writes_the_same_command_reads_nothing_again(
    session: SparkSession, place: Place
) -> None:
    driver = place.kill("writing events")
    assert driver.returncode == -signal.SIGKILL, place.errors
    await_session(driver.pid)

    told = sweep().told
    assert [(one.kind, one.path.name) for one in told] == [("resume", ".X.parquet.parsed")]
    assert place.left() == {".X.parquet.parsed"}

    assert place.run()["ranges_read"] == 0
    assert place.left() == {"X.parquet"}
    assert is_prepared(place.out)
    sweep()
    assert not is_anything_made()


def test_a_kill_of_java_too_while_a_data_set_is_replaced_leaves_the_old_one_whole(
    session: SparkSession, place: Place
) -> None:
    place.run()
    before = {file: file.read_bytes() for file in place.out.rglob("*") if file.is_file()}

    driver = place.kill("writing events", replace=True, die="os.killpg(0, signal.SIGKILL)")
    assert driver.returncode == -signal.SIGKILL, place.errors
    await_session(driver.pid)
    assert any(name.startswith("tidegauge-java-") for name in place.left())

    sweep()
    assert place.left() == {"X.parquet", ".X.parquet.parsed"}
    assert {file: file.read_bytes() for file in place.out.rglob("*") if file.is_file()} == before
