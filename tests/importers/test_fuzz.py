"""Whatever the bytes are: a trace or one message, soon, within the memory, and nothing written anywhere."""

import gc
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.diagnose.verdict.check import diagnose
from core.errors import SourceError
from importers import limits
from importers.kafka.drafts import Fate
from importers.limits import MOST_LINE_BYTES
from importers.lines.layout import STOCK
from importers.lines.parser import parse
from importers.load import load
from tests.archives import unpack_sample
from tests.importers.near_misses import near_miss, seconds, yardstick
from tests.importers.test_metadata_log import batch, change, leader, partition, topic
from tests.mutations import seeds, write_case

SECONDS = 30
MOST_MEMORY_MB = 700
MOST_MS = 50
"""Of a line of 1 MiB that is no line of Kafka, in a long run."""
TIMES_THE_YARDSTICK = 40
"""In a short run: the matcher's steps for each byte, of all rules that may fit together."""
NEAR_MISSES = 60
ID = "a" * 22
HEAD = b"[2026-11-21 03:29:10,161] INFO "
WRITES = ("os.mkdir", "os.rename", "os.remove", "os.symlink", "os.link", "os.truncate", "shutil.move")


class Watch:
    """Every attempt to write a file, seen by the interpreter's own audit. A hook can never be taken off."""

    def __init__(self) -> None:
        self.on = False
        self.written: list[str] = []
        sys.addaudithook(self.see)

    def see(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            path, mode, flags = arguments
            writes = any(one in (mode or "") for one in "wax+") or flags & 0o3
            # Python keeps what it compiles, wherever it is imported first.
            if writes and "__pycache__" not in str(path):
                self.written.append(str(path))
        elif event in WRITES:
            self.written.append(f"{event} {arguments}")

    @contextmanager
    def watching(self) -> Generator[None]:
        self.on = True
        try:
            yield
        finally:
            self.on = False


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


def too_long(_number: int, _frame: object) -> None:
    raise AssertionError(f"still reading after {SECONDS} s")


@pytest.mark.slow
def test_spoiled_files(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    wanted = int(request.config.getoption("--fuzz") or 0)
    first = int(request.config.getoption("--fuzz-from") or 0)
    # A bomb is one long before it takes a minute.
    monkeypatch.setattr(limits, "EXPANSION_FLOOR", 4 << 20)
    monkeypatch.setattr(limits, "MOST_EXPANSION", 100)
    files = seeds(unpack_sample("k0102-hw-loss", tmp_path / "sample"))
    files |= seeds_of_kraft()
    ends = {"trace": 0, "message": 0}
    old = signal.signal(signal.SIGALRM, too_long)
    try:
        for number in range(first, first + wanted):
            with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
                path = write_case(number, files, Path(folder))
                signal.alarm(SECONDS)
                try:
                    ends[one_case(path, watch, number)] += 1
                except Exception as error:
                    kept = shutil.copytree(folder, tmp_path / f"case-{number}", symlinks=True)
                    raise AssertionError(
                        f"case {number} ({kept}): {type(error).__name__}: {error}"
                    ) from error
                finally:
                    signal.alarm(0)
                assert watch.written == [], number
    finally:
        signal.signal(signal.SIGALRM, old)
    gc.collect()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{wanted} files: {ends}, {peak} MB at most")  # noqa: T201 - figures of a long run
    assert min(ends.values()) > 0
    if wanted > 1000:
        assert peak < MOST_MEMORY_MB


def seeds_of_kraft() -> dict[str, bytes]:
    """A metadata log and a snapshot of it, and a few lines of a KRaft broker."""
    records = [topic(), partition(), change(isr=[1, 2]), change(leader=2, isr=[2])]
    log = leader(0, 1, 100, [100]) + batch(1, 1, 1_795_231_720_000, records)
    folder = "controller-100/data/__cluster_metadata-0"
    head = b"[2026-11-21 03:28:40,685] INFO "
    lines = (
        b"[BrokerServer id=1] Transition from SHUTDOWN to STARTING (kafka.server.BrokerServer)",
        b"[BrokerLifecycleManager id=1] Successfully registered broker 1 with broker epoch 9 (a.b)",
        b"[Partition t-0 broker=1] ISR updated to 1,2  and version updated to 3 (kafka.cluster.Partition)",
    )
    return {
        f"{folder}/00000000000000000000.log": log,
        f"{folder}/00000000000000000005-0000000001.checkpoint": log,
        "broker-1/logs/kraft.log": b"".join(head + line + b"\n" for line in lines * 20),
    }


def one_case(path: Path, watch: Watch, number: int) -> str:
    """How one case ends; anything but a trace or a message is raised."""
    try:
        with watch.watching():
            trace = load([path])
    except SourceError as error:
        told = str(error)
        assert told
        assert "\n" not in told
        return "message"
    if number % 4 == 0:
        diagnose(trace)
    return "trace"


@pytest.mark.slow
def test_near_misses_of_a_megabyte(request: pytest.FixtureRequest) -> None:
    wanted = int(request.config.getoption("--fuzz") or 0) // 2
    long_run = wanted > 1000
    chance = Random(16)  # noqa: S311 - lines, and no secrets
    slow: list[str] = []
    read = 0
    longest = 0.0
    lines = wanted if long_run else NEAR_MISSES
    for number in range(lines):
        line = HEAD + near_miss(chance, MOST_LINE_BYTES - 1) + b"\n"
        counts = parse(line, STOCK).counts
        assert sum(counts.values()) == 1, number
        if counts[Fate.RECOGNISED]:
            # No miss: what takes the time is what it states.
            read += 1
            continue
        limit = MOST_MS / 1000 if long_run else TIMES_THE_YARDSTICK * yardstick(line)
        took = time_of(line, limit)
        longest = max(longest, took)
        if took > limit:
            slow.append(f"{number}: {took * 1000:.0f} ms, {line[len(HEAD) :][:80]!r}")
    print(f"{lines} lines, {read} of them read, {longest * 1000:.1f} ms at most")  # noqa: T201 - as above
    assert slow == []


def time_of(line: bytes, enough: float) -> float:
    return seconds(lambda: parse(line, STOCK), enough)


@pytest.mark.parametrize(
    ("begin", "unit", "end"),
    [
        ("Log for partition moves-0 is renamed to /d/", "moves-0", "-delete"),
        ("Log in /d/temp-0 marked stray and renamed to /d/", "temp-0.0f", "-stray"),
        (f"[Controller 1] Created partition t-0 with topic ID {ID} and PartitionRegistration(replicas=[], ",
         "isr=[1], leader=1, leaderEpoch=0, ", "x"),
        ("[Controller 1] The request from broker 2 to unfence has been granted because it has ",
         " register broker record 7.", "x"),
        ("[", "Controller", ""),
        ("[ReplicaFetcherThread-0-1]: Error when sending leader epoch request for Map(", "a", ")"),
        ("[QuorumController id=1] partition change for t-0 with topic ID x: ", "a", ""),
    ],
    ids=["set aside", "stray", "created", "unfenced", "key", "partitions", "changes"],
)  # fmt: skip
def test_lines_that_took_seconds(begin: str, unit: str, end: str) -> None:
    line = HEAD + (begin + unit * (40_000 // len(unit)) + end).encode() + b"\n"

    limit = TIMES_THE_YARDSTICK * yardstick(line)

    assert time_of(line, limit) < limit
