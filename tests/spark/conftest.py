"""A Spark session, and a real cluster: a master and two workers, each a process of its own."""

import os
import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark
import pytest

from importers.samples import SAMPLES
from tests.archives import unpack_sample
from tests.spark.kept import kept, session

__all__ = ["session"]
"""A fixture."""

PATIENCE_S = 90.0


class Daemon:
    """A Spark process whose output is read to its end, so that a line in it can be awaited.

    `java_home` is where it looks for the Java of processes that it starts, whatever it runs on itself.
    """

    def __init__(self, folder: Path, *arguments: str, java_home: Path | None = None) -> None:
        home = Path(pyspark.__path__[0])
        command, more = [str(home / "bin" / "spark-class")], dict[str, str]()
        if java_home is not None:
            command = [_java(), "-cp", str(home / "jars" / "*")]
            more = {"JAVA_HOME": str(java_home), "SPARK_HOME": str(home)}
        self.seen: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            env={
                **_without_ours(),
                "SPARK_LOCAL_IP": "127.0.0.1",
                "SPARK_WORKER_DIR": str(folder),
                # Executors get it, too: a worker passes on its environment.
                "JAVA_TOOL_OPTIONS": os.environ["SPARK_SUBMIT_OPTS"],
                **more,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def await_line(self, pattern: str) -> str:
        """Group 1 of the first line that matches."""
        while True:
            line = self._lines.get(timeout=PATIENCE_S)
            assert line is not None, "".join(self.seen)
            self.seen.append(line)
            if match := re.search(pattern, line):
                return match[1]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java") if home is None else str(Path(home) / "bin" / "java")
    assert found is not None
    return found


def _without_ours() -> dict[str, str]:
    """The environment without the way to our code: it has to travel."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def start_master(stack: ExitStack, folder: Path) -> str:
    """The URL of a new standalone master."""
    folder.mkdir()
    listen = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
    master = Daemon(folder, "org.apache.spark.deploy.master.Master", *listen)
    stack.callback(master.stop)
    url = master.await_line(r"Starting Spark master at (spark://\S+)")
    # Until it leads it ignores applications, which then try again only after 20 s.
    master.await_line("(elected leader)")
    return url


def start_workers(
    stack: ExitStack, folder: Path, master: str, count: int, java_home: Path | None = None
) -> None:
    """Workers that are registered with the master, one core each. `java_home`: see Daemon."""
    listen = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0", "--cores", "1", "--memory", "1g")
    workers: list[Daemon] = []
    for number in range(count):
        (folder / f"worker-{number}").mkdir(parents=True)
        worker = "org.apache.spark.deploy.worker.Worker", *listen, master
        workers.append(Daemon(folder / f"worker-{number}", *worker, java_home=java_home))
        stack.callback(workers[-1].stop)
    for worker in workers:
        worker.await_line(r"Successfully registered with master (\S+)")


@contextmanager
def _two_workers(folder: Path) -> Generator[str]:
    with ExitStack() as stack:
        master = start_master(stack, folder / "master")
        start_workers(stack, folder, master, 2)
        yield master


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a standalone master with two workers, all of them processes of their own."""
    return kept("cluster", lambda: _two_workers(tmp_path_factory.mktemp("cluster")))


@pytest.fixture(scope="module")
def empty_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a standalone master without a worker."""
    with ExitStack() as stack:
        yield start_master(stack, tmp_path_factory.mktemp("empty-cluster") / "master")


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first two recordings that ship, without their truth: each unpacked under its id."""
    folder = tmp_path_factory.mktemp("recordings")
    for sample in SAMPLES[:2]:
        unpack_sample(sample.id, folder)
    return folder
