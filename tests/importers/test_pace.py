"""Progress while files are read: how far, how fast, how long; a stop at once; memory without the noise."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import CancelledError
from core.message import Message
from core.words import text
from core.work import Work
from importers.containers.pace import said
from importers.lines import reading
from importers.load import load

LINE = b"[2026-11-21 03:29:10,161] INFO [Kafka Server 1], started (kafka.server.KafkaServer)\n"


def test_rate_and_time_left_are_told_when_they_mean_something() -> None:
    assert text(said("a", 0, 1000, 5.0)) == "a"
    assert text(said("a", 10_000_000, 100_000_000, 0.5)) == "a"
    assert text(said("a", 20_000_000, 100_000_000, 4.0)) == "a, 5.0 MB/s, 16 s left"
    assert text(said("a", 20_000_000, 2_000_000_000, 10.0)) == "a, 2.0 MB/s, 16 min left"


def test_progress_goes_over_all_files_and_ends_at_their_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", 4096)
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_bytes(LINE * 1000)
    told: list[tuple[int, int, Message | None]] = []

    load([tmp_path], work=Work(progress=lambda *step: told.append(step)))

    size = 2 * 1000 * len(LINE) // 1024
    steps = [(done, what and text(what)) for done, total, what in told if total == size]
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1][0] == size
    assert {what for _, what in steps} == {"a.log", "b.log"}


def test_a_stop_is_heard_within_one_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PIECE", 4096)
    (tmp_path / "a.log").write_bytes(LINE * 1000)
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    with pytest.raises(CancelledError):
        load([tmp_path], work=Work(stopped=stopped))
    assert asked == 6


@pytest.mark.slow
def test_memory_does_not_grow_with_lines_that_say_nothing(tmp_path: Path) -> None:
    noise = b"[2026-11-21 03:29:10,161] INFO [GroupCoordinator 1]: Member c-%d has left group g (kafka.X)\n"
    log = tmp_path / "server.log"
    with log.open("wb") as file:
        file.write(LINE)
        for block in range(60):
            file.write(b"".join(noise % (block * 10_000 + number) for number in range(10_000)))
    program = (
        "import sys\n"
        "from importers.load import load\n"
        "from tests.memory import peak_kib\n"
        "before = peak_kib()\n"
        "load([sys.argv[1]])\n"
        "print(peak_kib() - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(log)], capture_output=True, text=True, check=True
    )
    assert log.stat().st_size > 50_000_000
    # A time, a byte and a line of each record are kept; not the text.
    assert int(done.stdout) < 75_000
