"""`tidegauge process` where the world does not play along: one message, exit code 2, nothing half-written."""

import ctypes
import gc
import gzip
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import spark.job
from importers.samples import sample_path
from tests.archives import unpack_sample
from tests.spark.kept import end_kept, session

__all__ = ["session"]
pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
LINE = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
Tell = Callable[..., Any]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one log."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "server.log").write_bytes(LINE * 400)
    return tmp_path / "logs"


@pytest.fixture
def no_session() -> None:
    """A program that has started nothing yet."""
    end_kept()


@pytest.fixture
def limited(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes a step of the job one during which the files of some processes may have 100 bytes at most."""

    def limit(step: str, whose: str) -> None:
        whole = getattr(spark.job, step)

        def within(*arguments: Any, **more: Any) -> Any:
            _limit(session, whose, 100)
            try:
                return whole(*arguments, **more)
            finally:
                _limit(session, whose, None)

        monkeypatch.setattr(spark.job, step, within)

    return limit


def refused(told: Any, *words: str) -> None:
    """Exit code 2, nothing on stdout, one line on stderr with these words."""
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1), told.err
    assert told.err.startswith("tidegauge: ")
    for word in words:
        assert word in told.err
    assert "Traceback" not in told.err
    assert "defect" not in told.err


def left(folder: Path) -> list[str]:
    """What is in a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir())


def test_without_java(
    no_session: None, tell: Tell, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("JAVA_HOME", str(tmp_path / "no-java")), ("PATH", str(tmp_path))):
        with monkeypatch.context() as patch:
            patch.delenv("JAVA_HOME", raising=False)
            patch.setenv(name, value)
            told = tell("process", logs, "-o", tmp_path / "out.parquet")
            refused(told, "Spark needs Java 17 or later", "No Java was found that runs", "openjdk-17")
            assert (f"JAVA_HOME={value}" in told.err) == (name == "JAVA_HOME")
    assert left(tmp_path) == ["logs"]


@pytest.mark.parametrize(
    ("master", "words"),
    [
        ("spark://127.0.0.1:1", ("The Spark master spark://127.0.0.1:1 cannot be reached", "refused")),
        ("spark://no-such-host.invalid:7077", ("cannot be reached", "no-such-host.invalid")),
        ("sprak://127.0.0.1:7077", ("'sprak://127.0.0.1:7077' is not a Spark master", "local[4]")),
    ],
)
def test_a_wrong_master(tell: Tell, logs: Path, tmp_path: Path, master: str, words: tuple[str, ...]) -> None:
    refused(tell("process", logs, "-o", tmp_path / "out.parquet", "--master", master), *words)
    assert left(tmp_path) == ["logs"]


def test_an_output_without_rights(logs: Path, tmp_path: Path) -> None:
    """The superuser, who may write everywhere, gives that right up."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    refused(_alone("process", logs, "-o", locked / "out.parquet"), "cannot be written", "Permission denied")
    assert left(locked) == []


def test_an_output_in_a_folder_that_is_not_there(tell: Tell, logs: Path, tmp_path: Path) -> None:
    told = tell("process", logs, "-o", tmp_path / "no" / "out.parquet")
    refused(told, "cannot be written", "No such file or directory", str(tmp_path / "no" / "out.parquet"))
    assert left(tmp_path) == ["logs"]


@pytest.mark.slow
def test_no_room_for_the_working_files_of_spark(logs: Path, tmp_path: Path) -> None:
    """Every file may have 20,000 bytes, and our code, on its way to the workers of a cluster, has more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        master = f"spark://127.0.0.1:{server.getsockname()[1]}"
        told = _alone(
            *("process", logs, "-o", tmp_path / "out.parquet", "--master", master), most_bytes=20_000
        )
    refused(told, "no room for its working files", "File too large", "TMPDIR")
    assert left(tmp_path) == ["logs"]


# pyspark leaves the file open to which it could not write.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "whose", "words", "keeps"),
    [
        ("read", "worker", ("The data set cannot be written", "has room"), []),
        ("_assembled", "driver", ("The data set cannot be written", "has room"), []),
        ("write_dataset", "driver", ("The data set cannot be written", "has room"), []),
        ("write_dataset", "Java", ("Spark gave up while writing lines",), [".out.parquet.parsed"]),
    ],
)
def test_a_full_disk(
    limited: Callable[[str, str], None],
    tell: Tell,
    tmp_path: Path,
    step: str,
    whose: str,
    words: tuple[str, ...],
    keeps: list[str],
) -> None:
    """During one step no file of one of the processes may have more than 100 bytes."""
    source = unpack_sample("k28-epoch-fix", tmp_path)
    limited(step, whose)
    told = tell("process", source, "-o", tmp_path / "out.parquet", "--master", "local[2]")
    gc.collect()
    refused(told, *words, "File too large")
    assert left(tmp_path) == [*keeps, source.name]
    assert ("What was read is kept in" in told.err) == bool(keeps)


def test_a_log_that_is_written_again_while_it_is_read(
    session: SparkSession, tell: Tell, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_files = spark.job.list_files

    def listed(*arguments: Any) -> Any:
        found = list_files(*arguments)
        (logs / "server.log").write_bytes(LINE * 300)
        return found

    monkeypatch.setattr("spark.job.list_files", listed)
    told = tell("process", logs, "-o", tmp_path / "out.parquet", "--master", "local[2]")
    refused(told, "The file changed while it was read", str(logs / "server.log"), "when nobody writes it")
    assert left(tmp_path) == ["logs"]


def test_a_corrupt_archive(session: SparkSession, tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(LINE * 400)[:-12])
    told = tell("process", tmp_path / "server.log.gz", "-o", tmp_path / "out.parquet", "--master", "local[2]")
    refused(told, "damaged", str(tmp_path / "server.log.gz"))
    assert left(tmp_path) == ["server.log.gz"]


def test_an_empty_tree_and_one_that_is_not_there(tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "empty" / "inner").mkdir(parents=True)
    refused(tell("process", tmp_path / "empty", "-o", tmp_path / "out.parquet"), "The folder is empty")
    refused(tell("process", tmp_path / "nowhere", "-o", tmp_path / "out.parquet"), "nothing to open")
    assert left(tmp_path) == ["empty"]


@pytest.mark.slow
def test_ctrl_c_says_what_is_kept_and_the_next_run_goes_on_from_there(tell: Tell, tmp_path: Path) -> None:
    """The whole foreground group is interrupted, as a terminal does, as soon as something was read."""
    (tmp_path / "case.tar.xz").write_bytes(sample_path("k0102-hw-loss").read_bytes())
    out, kept = tmp_path / "out.parquet", tmp_path / ".out.parquet.parsed"
    command = ["process", "case.tar.xz", "-o", "out.parquet", "--master", "local[2]", "--json"]
    program = subprocess.Popen(
        [sys.executable, "-m", "gui.cli", *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    tick = threading.Event()
    while not list(kept.glob("*.arrow")):
        assert program.poll() is None, program.communicate()
        tick.wait(0.02)
    os.killpg(program.pid, signal.SIGINT)
    said, err = program.communicate(timeout=900)

    assert (program.returncode, said) == (2, "")
    assert err == (
        f"tidegauge: Stopped. No data set was written. What was read is kept in {kept}: the same command "
        "goes on from there. To start anew, delete that folder or say --replace.\n"
    )
    assert left(tmp_path) == [".out.parquet.parsed", "case.tar.xz"]

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert tell(*command).json["ranges_read"] == 0
    assert left(tmp_path) == ["case.tar.xz", "out.parquet"]
    assert json.loads((out / "manifest.json").read_text())["counts"]["events"] > 0


def _alone(*arguments: object, most_bytes: int | None = None) -> Any:
    """The program in a process of its own, without the superuser's rights over files."""
    from tests.cli.conftest import Told

    def before() -> None:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    ran = subprocess.run(
        [sys.executable, "-m", "gui.cli", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    return Told(ran.returncode, ran.stdout, ran.stderr)


def _pids(session: SparkSession, whose: str) -> list[int]:
    """The processes of one kind: this one, the Java machine, or those Pythons that it started."""
    if whose == "driver":
        return [os.getpid()]
    context: Any = session.sparkContext
    java = int(context._jvm.java.lang.ProcessHandle.current().pid())
    # Workers get their limits from the Java machine that starts them.
    return [java] if whose == "Java" else [java, *_below(java)]


def _limit(session: SparkSession, whose: str, most_bytes: int | None) -> None:
    """How large a file of those processes may be; None for as large as ever."""
    for pid in _pids(session, whose):
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if most_bytes is None else most_bytes, hard))


def _below(parent: int) -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                above = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if above == parent:
                found += [int(entry.name), *_below(int(entry.name))]
    return found
