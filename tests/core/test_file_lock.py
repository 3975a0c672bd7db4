import errno
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from core import file_lock
from core.file_lock import HeldError, holder_of, take
from tests.killed import child

HOLD = """
from pathlib import Path
from core.file_lock import take
lock = take(Path({path!r}))
print(os.getpid(), flush=True)
input()
lock.release()
"""


def holding(path: Path) -> "subprocess.Popen[str]":
    """A child that holds the lock until it gets a line or is killed."""
    process = child(HOLD.format(path=str(path)))
    assert process.stdout is not None
    assert int(process.stdout.readline()) == process.pid
    return process


def test_a_lock_that_another_process_holds_is_refused_with_its_process_id(tmp_path: Path) -> None:
    process = holding(tmp_path / "a.lock")

    with pytest.raises(HeldError) as refused:
        take(tmp_path / "a.lock")
    process.communicate("\n")

    assert refused.value.holder is not None
    assert refused.value.holder.process == process.pid
    assert str(process.pid) in str(refused.value)
    assert process.returncode == 0


def test_a_lock_is_refused_to_the_process_that_holds_it(tmp_path: Path) -> None:
    lock = take(tmp_path / "a.lock")

    with pytest.raises(HeldError):
        take(tmp_path / "a.lock")

    lock.release()


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    process = holding(tmp_path / "a.lock")
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert (tmp_path / "a.lock").exists()

    lock = take(tmp_path / "a.lock")
    holder = holder_of(tmp_path / "a.lock")
    lock.release()

    assert holder is not None
    assert holder.process == os.getpid()


def test_release_removes_the_file_and_a_second_release_does_nothing_to_the_next_holder(
    tmp_path: Path,
) -> None:
    first = take(tmp_path / "a.lock")
    first.release()
    assert not (tmp_path / "a.lock").exists()

    second = take(tmp_path / "a.lock")
    first.release()

    with pytest.raises(HeldError):
        take(tmp_path / "a.lock")
    second.release()


RACE = """
from pathlib import Path
from core.file_lock import HeldError, take
folder, rounds = Path({folder!r}), {rounds}
print("ready", flush=True)
input()
held = 0
while held < rounds:
    try:
        lock = take(folder / "a.lock")
    except HeldError:
        continue
    # Only one may be between here and the release: a second one finds the file there.
    os.close(os.open(folder / "inside", os.O_CREAT | os.O_EXCL))
    os.unlink(folder / "inside")
    held += 1
    lock.release()
print(held)
"""


@pytest.mark.slow
def test_of_many_processes_that_take_the_lock_again_and_again_never_two_hold_it(tmp_path: Path) -> None:
    program = RACE.format(folder=str(tmp_path), rounds=300)
    racing = [child(program) for _ in range(6)]
    for process in racing:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in racing:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()

    told = [process.communicate() for process in racing]

    assert [(out, err) for out, err in told] == [("300\n", "")] * 6


UNPRIVILEGED = """
from pathlib import Path
from core.file_lock import take
os.chdir({folder!r})
if os.getuid() == 0:
    os.setuid(65_534)  # Root may write everywhere.
try:
    take(Path("a.lock"))
except OSError as error:
    print(type(error).__name__)
"""


def test_a_folder_that_cannot_be_written_into_gives_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)

    out, err = child(UNPRIVILEGED.format(folder=str(tmp_path / "closed"))).communicate()

    assert (out, err) == ("PermissionError\n", "")


def test_a_full_disk_leaves_no_lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(file_lock.os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        take(tmp_path / "a.lock")
    monkeypatch.undo()

    assert list(tmp_path.iterdir()) == []
    take(tmp_path / "a.lock").release()


def test_a_folder_that_is_not_there_gives_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        take(tmp_path / "none" / "a.lock")


@pytest.mark.parametrize(
    "text",
    ["", "user", "[1, 2]", "[" * 4_000, '{"process": 1e999, "host": "a"}', '{"process": 1}', "\0"],
)
def test_a_file_that_says_nothing_has_no_holder_and_can_be_taken(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.lock").write_text(text)

    assert holder_of(tmp_path / "a.lock") is None
    take(tmp_path / "a.lock").release()


def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    assert file_lock.fcntl is not None
    monkeypatch.setattr(file_lock.fcntl, "flock", refuse)


def test_without_locks_a_living_process_that_the_file_names_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = holding(tmp_path / "a.lock")
    without_locks(monkeypatch)

    with pytest.raises(HeldError) as refused:
        take(tmp_path / "a.lock")
    process.kill()
    process.communicate()

    assert refused.value.holder is not None
    assert refused.value.holder.process == process.pid
    take(tmp_path / "a.lock").release()


def test_without_locks_a_process_of_another_machine_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_locks(monkeypatch)
    (tmp_path / "a.lock").write_text('{"process": 1, "host": "another.example"}')

    with pytest.raises(HeldError, match=r"process 1 on another\.example"):
        take(tmp_path / "a.lock")
