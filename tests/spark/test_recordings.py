"""Every recording, cut into ranges of every size: what the workers find is what the local import finds.

Some of them in each run of the tests; all of them with `--recordings all`, as `make fuzz` does.
"""

from functools import lru_cache
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from spark.job import process
from tests.archives import recording_names, unpack_recording
from tests.importers.test_speakers import one_after_the_other
from tests.recordings.test_parts_of_recordings import SEGMENT, turn_round
from tests.spark.compare import Local, assert_local, local_of

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

SIZES = (4 * 1024, 64 * 1024, 64 * 1024 * 1024)
FEW = (
    ("k0102-divergence", 64 * 1024),
    ("k28-unclean-loss", 4 * 1024),
    ("k41-console", 4 * 1024),
    ("k43-failover", 64 * 1024 * 1024),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Which recordings, in ranges of which size."""
    if "range_bytes" not in metafunc.fixturenames:
        return
    every = metafunc.config.getoption("--recordings") == "all"
    chosen = [(name, size) for name in recording_names() for size in SIZES] if every else FEW
    metafunc.parametrize(("name", "range_bytes"), chosen)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("unpacked")


@lru_cache(maxsize=1)
def source_of(name: str, folder: Path) -> tuple[Path, Local]:
    """A recording as an engineer has it, and what this machine finds in it; the last one is kept."""
    source, _ = unpack_recording(name, folder)
    return source, local_of(source)


def test_a_recording_in_ranges_is_the_local_import(
    session: SparkSession, unpacked: Path, tmp_path: Path, name: str, range_bytes: int
) -> None:
    source, local = source_of(name, unpacked)
    # Where ranges are small, workers are asked of few items at a time.
    out, few = tmp_path / "out.parquet", range_bytes // 64
    process([source], out, master="local[2]", range_bytes=range_bytes, part_items=few)
    assert_local(out, local)


def test_logs_of_brokers_one_after_the_other_and_in_parts_that_stand_wrong(
    session: SparkSession, tmp_path: Path
) -> None:
    source, _ = unpack_recording("k28-rolling-restart", tmp_path)
    logs = {f"broker-{number}": source / f"broker-{number}/logs/server.log" for number in (1, 2, 3)}
    servers = {name: log.read_text().splitlines() for name, log in logs.items()}
    for log in logs.values():
        log.unlink()
    for log in source.rglob("*.log"):
        if not SEGMENT.fullmatch(log.name):
            turn_round(log, 2)
    (source / "compose.log").write_text(one_after_the_other(servers))
    local = local_of(source)

    process([source], tmp_path / "out.parquet", master="local[2]", range_bytes=64 * 1024)

    assert_local(tmp_path / "out.parquet", local)
