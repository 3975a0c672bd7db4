"""A file that is large only by its size on paper costs neither memory nor time."""

import os
import struct
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from core.errors import SourceError
from core.kafka.crc32c import crc32c
from core.message_json import stored
from core.words import text
from importers.disk import segments
from importers.disk.checksums import fast_crc32c
from importers.disk.segments import NEW_HEAD, read_segment
from importers.limits import Budget
from importers.load import load
from tests.importers.test_segments import new, old
from tests.in_words import gaps_of

HUGE = 1_900_000_000
MIB = 1 << 20
LINE = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"


def segment_of(folder: Path, data: bytes, size: int) -> Path:
    """A broker's data directory with one segment, which the file system is told to be so long."""
    path = folder / "data" / "orders-0" / f"{0:020}.log"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    os.truncate(path, size)
    (folder / "server.log").write_bytes(LINE)
    (folder / "data" / "meta.properties").write_bytes(b"version=0\nbroker.id=1\n")
    return path


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each reading brought."""
    found: list[int] = []
    real = Budget.take

    def take(self: Budget, count: int) -> None:
        found.append(count)
        real(self, count)

    monkeypatch.setattr(Budget, "take", take)
    return found


def test_zeros_behind_the_batches_of_a_segment_are_not_read(tmp_path: Path, counted: list[int]) -> None:
    segment_of(tmp_path, new(0, 0) + new(1, 9), HUGE)

    trace = load([tmp_path])

    ends = [
        trace.event(at).values["leo"] for at in range(len(trace)) if trace.event(at).kind == "log_end_on_disk"
    ]
    assert ends == [11]
    assert sum(counted) < 8 * MIB
    assert {one["file"]: one["bytes"] for one in trace.report["by_file"]}[
        f"data/orders-0/{0:020}.log"
    ] == HUGE


def test_bytes_behind_a_hole_are_found(tmp_path: Path, counted: list[int]) -> None:
    data = new(0, 0)
    path = segment_of(tmp_path, data, HUGE)
    with path.open("r+b") as file:
        file.seek(HUGE - 10)
        file.write(b"x")

    trace = load([tmp_path])

    assert f"data/orders-0/{0:020}.log cannot be read from byte {len(data)} on" in gaps_of(trace.report)
    assert sum(counted) < 8 * MIB


def lying(size: int) -> bytes:
    """A header of a batch v2 that says how long it is, with nothing behind it."""
    return NEW_HEAD.pack(0, size - 12, 0, 2, 1, 0, 0, 1, 1, -1, -1, -1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "head",
    [
        new(0, 0),
        lying(HUGE),
        new(0, 0) + struct.pack(">qiIbb", 1, HUGE - 4096, 1, 1, 0),
    ],
    ids=["preallocated", "one batch of all", "one message of all"],
)
def test_a_huge_segment_takes_little_memory(head: bytes, tmp_path: Path) -> None:
    segment_of(tmp_path, head, HUGE)
    program = (
        "import resource, sys\n"
        "from importers.load import load\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_600_000_000,) * 2)\n"
        "print(len(load([sys.argv[1]])))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )

    assert done.stderr == ""
    assert int(done.stdout) >= 1


def test_the_digest_is_that_of_all_bytes(tmp_path: Path) -> None:
    data = new(0, 0) + new(1, 0) + b"torn"
    path = segment_of(tmp_path, data, 3 * MIB)

    trace = load([tmp_path])

    digests = {source.path: source.sha256 for source in trace.sources}
    assert digests[f"data/orders-0/{0:020}.log"] == sha256(path.read_bytes()).hexdigest()


def test_a_small_file_of_a_data_directory_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importers.merge.files.MOST_SMALL_BYTES", MIB)
    segment_of(tmp_path, new(0, 0), 4096)
    path = tmp_path / "data" / "replication-offset-checkpoint"
    path.write_bytes(b"0\n1\norders 0 1\n")
    os.truncate(path, HUGE)

    trace = load([tmp_path])

    told = {
        one["file"]: text(stored(one["fault"])) if "fault" in one else None for one in trace.report["by_file"]
    }
    assert told["data/replication-offset-checkpoint"] == "one file is larger than 1 MiB"
    with pytest.raises(SourceError, match="larger than 1 MiB"):
        load([path])


@pytest.mark.parametrize("size", [0, 1, 8191, 8192, 8193, 9 * 1024, 100_003])
def test_the_fast_checksum_is_the_checksum(size: int) -> None:
    data = bytes(at * 7 % 251 for at in range(size))

    assert fast_crc32c(data) == crc32c(data)


def test_a_batch_beyond_the_limit_ends_its_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    good, large = new(0, 0), new(1, 0, value=bytes(1000))
    assert read_segment(good + large, 0).end_offset == 2
    monkeypatch.setattr(segments, "MOST_BATCH_BYTES", 500)

    segment = read_segment(good + large, 0)

    assert (segment.end_offset, segment.torn) == (1, len(good))


def test_batches_beyond_the_limit_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "MOST_BATCHES", 3)
    data = [new(at, 0) for at in range(5)]

    segment = read_segment(b"".join(data), 0)

    assert (segment.end_offset, segment.torn) == (3, 3 * len(data[0]))


@pytest.mark.parametrize("piece", [1, 7, 61, 100])
def test_it_does_not_matter_how_a_segment_comes_in_pieces(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"".join(new(at, 0) for at in range(20)) + old(20) + old(21) + b"torn"
    whole = read_segment(data, 0)
    assert whole.end_offset == 22
    monkeypatch.setattr(segments, "PIECE", piece)

    assert read_segment(data, 0) == whole


def test_an_offset_that_has_no_end_is_damage() -> None:
    last = (1 << 63) - 1
    assert read_segment(new(last - 1, 0), 0).end_offset == last
    assert read_segment(new(last, 0), 0).batches == ()
    assert read_segment(old(last - 1), 0).end_offset == last
    assert read_segment(old(last), 0).batches == ()
