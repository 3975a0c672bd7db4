"""Work in several processes: the same verdicts, one progress, one cancel, and no process that is left."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core import processes
from core.diagnose.verdict.check import diagnose, jobs_for
from core.errors import CancelledError, EndedError
from core.message import Message
from core.processes import cores, in_processes
from core.trace.trace import Trace
from core.work import Work
from tests.bench.diagnosis import many_partitions
from tests.incidents import run_of
from tests.trips import read_again

pytestmark = pytest.mark.broad(9)

HERE = Path(__file__).parents[2]


def seen_by(trace: Trace, place: int) -> tuple[int, int, int]:
    """What a process sees of a trace, and which one it is."""
    return os.getpid(), len(trace), int(trace.columns["at"][place])


def killed(trace: Trace, place: int) -> int:
    """A process that ends in the midst of its work."""
    os.kill(os.getpid(), signal.SIGKILL)
    return len(trace) + place


def test_verdicts_and_findings_are_the_same_to_the_byte() -> None:
    trace = read_again(run_of(7))
    alone = diagnose(trace)

    together = diagnose(trace, jobs=2)

    assert alone.findings
    assert repr(together) == repr(alone)


def test_results_come_in_order_from_other_processes() -> None:
    trace = many_partitions(20)
    found = list(in_processes(trace, seen_by, range(50), 2, lambda: None))

    assert [row[1:] for row in found] == [(200, int(trace.columns["at"][place])) for place in range(50)]
    assert os.getpid() not in {row[0] for row in found}


def test_one_progress_and_one_cancel() -> None:
    told: list[int] = []
    trace = many_partitions(600)

    def progress(done: int, total: int, _what: Message | None) -> None:
        assert total == 600
        told.append(done)

    with pytest.raises(CancelledError):
        diagnose(trace, Work(progress, lambda: bool(told) and told[-1] >= 100), jobs=2)

    assert told == sorted(told)
    assert 100 <= max(told) < 600
    assert not _children()


def test_a_process_that_is_killed_ends_the_work_with_an_error() -> None:
    with pytest.raises(EndedError, match="one of its processes was killed"):
        list(in_processes(many_partitions(2), killed, [0], 2, lambda: None))


def test_processes_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    places = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, cwd=HERE, text=True, env=places
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "begun\n"
        assert list(tmp_path.glob("tidegauge-*"))
        parent.kill()

        # Each process of the work holds the other end: the pipe ends with the last of them.
        assert parent.stdout.read() == ""
    assert not list(tmp_path.glob("tidegauge-*"))


_PARENT = """
import sys, time
sys.path.insert(0, ".")
from core.processes import in_processes
from tests.bench.diagnosis import many_partitions
from tests.core.test_processes import seen_by

if __name__ == "__main__":
    found = in_processes(many_partitions(2), seen_by, range(10), 2, lambda: None)
    next(found)
    print("begun", flush=True)
    time.sleep(600)
"""


def test_without_room_for_a_temporary_file_this_process_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Trace) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(processes, "_shared", full)
    found = list(in_processes(many_partitions(2), seen_by, range(3), 2, lambda: None))

    assert [row[0] for row in found] == [os.getpid()] * 3


def test_few_events_are_judged_by_one_process_and_many_by_all_cores() -> None:
    assert jobs_for(many_partitions(100)) == 1
    assert jobs_for(many_partitions(5_000 * (cores() + 1))) == cores()


def _children() -> list[str]:
    """The processes that this one has begun and that still run, without Python's own for semaphores."""
    listed = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return [line for line in listed.stdout.splitlines() if "spawn_main" in line]
