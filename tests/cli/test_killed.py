"""What a killed command leaves, and that the next command of any kind removes it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.state_folder import STATE, is_anything_made
from gui.commands.folders import write_folder
from gui.workspace.files import whole
from tests.cli.conftest import Tell
from tests.killed import child, killed

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder and a folder for temporary files of this test alone; gives the latter."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv(STATE, str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("TMPDIR", str(temporary))
    return temporary


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


RUN = """
import sys
import {module} as module
module.{at} = die
from gui.cli import main
sys.argv[1:] = {arguments!r}
main()
"""

BEFORE_RENAME = ("gui.workspace.files", "put_file")
AFTER_RENAME = ("core.placing", "sync_folder")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", ".html", ".parquet"])
@pytest.mark.parametrize(("place", "expected"), [(BEFORE_RENAME, "old"), (AFTER_RENAME, "new")])
def test_an_export_that_is_killed_leaves_the_old_or_the_new_file_and_after_the_next_start_nothing_else(
    tell: Tell, tmp_path: Path, kept: Path, suffix: str, place: tuple[str, str], expected: str
) -> None:
    target = tmp_path / f"loss{suffix}"
    arguments = ["export", str(kept / "loss.tide"), "-o", str(target), "--replace"]
    whole_export = 0
    if expected == "new":
        # By a process of its own, too: windows of earlier tests change how wide letters are drawn here.
        alone = [sys.executable, "-m", "gui.cli", *arguments]
        assert subprocess.run(alone, cwd=ROOT, check=False, capture_output=True).returncode == 0
        whole_export = target.stat().st_size
    target.write_text("old")
    module, at = place

    killed(RUN.format(module=module, at=at, arguments=arguments))
    if expected == "old":
        assert len(names(tmp_path)) == 2, "the killed run was writing beside it"

    assert tell("eras").code == 0
    assert names(tmp_path) == {target.name}
    assert (target.read_bytes() == b"old") == (expected == "old")
    assert expected == "old" or target.stat().st_size == whole_export
    assert not is_anything_made()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (("gui.commands.folders", "put_folder"), {"user"}),
        (("core.placing", "exchange"), {"user"}),
        (("core.placing", "discard"), {"broker-1", "broker-2"}),
        (("os", "utime"), {"user"}),
    ],
    ids=["written", "before the exchange", "after the exchange", "first file"],
)
def test_simulated_logs_that_are_killed_leave_the_old_or_the_new_folder(
    tell: Tell, tmp_path: Path, place: tuple[str, str], expected: set[str]
) -> None:
    target = tmp_path / "logs"
    (target / "broker-1" / "user").mkdir(parents=True)
    module, at = place

    arguments = ["simulate", "hw-loss", "--era", "0.10.2", "--logs", str(target), "--replace"]
    killed(RUN.format(module=module, at=at, arguments=arguments))
    found = names(target / "broker-1") if "user" in expected else names(target)

    assert found >= expected
    assert ("user" in names(target / "broker-1")) == ("user" in expected)
    assert len(names(tmp_path)) == 2
    assert tell("eras").code == 0
    assert names(tmp_path) == {"logs"}
    assert not is_anything_made()


@pytest.mark.slow
def test_standard_input_that_is_killed_leaves_no_copy_of_it(tell: Tell, environment: Path) -> None:
    program = """
import importers.load
importers.load.load = die
from gui.cli import run
run(["events", "-", "--broker", "2"])
"""
    line = "[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
    killed(program, stdin=line)
    assert [file.read_text() for file in environment.rglob("stdin.log")] == [line]

    assert tell("eras").code == 0
    assert names(environment) == set()
    assert not is_anything_made()


@pytest.mark.slow
def test_the_temporary_folder_of_a_window_that_is_killed_is_removed(tell: Tell, environment: Path) -> None:
    out = killed("""
from gui.app import application
application()
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session
from gui.workspace.store import Store
store = Store(Session(), JobRunner())
from core.state_folder import making_folder
print(sum("scratch" in file.read_text() for file in making_folder().glob("*.entries")), flush=True)
die()
""")
    assert out == "1\n"
    assert len([name for name in names(environment) if name.startswith("tidegauge-")]) == 1

    assert tell("eras").code == 0
    assert names(environment) == set()


def test_help_and_the_version_do_not_look_for_leftovers(tell: Tell, tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    killed(f"""
from pathlib import Path
from gui.workspace.files import whole
with whole(Path({str(target)!r})) as part:
    part.touch()
    die()
""")

    for arguments in (["--help"], ["export", "--help"], ["--version"]):
        assert tell(*arguments).code == 0
        assert len(names(tmp_path)) == 1
    assert tell("eras").code == 0
    assert names(tmp_path) == set()


def test_a_command_that_runs_beside_another_one_leaves_what_that_is_writing(
    tell: Tell, tmp_path: Path
) -> None:
    with whole(tmp_path / "a.svg") as part:
        part.write_text("half")

        assert tell("eras").code == 0

        assert part.read_text() == "half"
    assert names(tmp_path) == {"a.svg"}


def test_two_that_export_to_one_file_at_once_are_both_well_and_the_last_one_stands(tmp_path: Path) -> None:
    target = tmp_path / "a.svg"

    with whole(target) as one:
        one.write_text("one")
        with whole(target) as other:
            other.write_text("other")

    assert target.read_text() == "one"
    assert names(tmp_path) == {"a.svg"}


def test_a_file_of_the_user_that_is_called_part_stays(tmp_path: Path) -> None:
    (tmp_path / "a.svg.part").write_text("a download of the user")
    with whole(tmp_path / "a.svg") as part:
        part.write_text("whole")
    (tmp_path / "logs.part").mkdir()
    (tmp_path / "logs.old").mkdir()
    write_folder(tmp_path / "logs", {"broker-1/a": b""}, {"broker-1/a": 0}, replace=False)

    assert names(tmp_path) == {"a.svg", "a.svg.part", "logs", "logs.part", "logs.old"}
    assert (tmp_path / "a.svg.part").read_text() == "a download of the user"


def kept_by_process(place: Path) -> Path:
    """What a `process` that was killed has read; no Spark is needed for it."""
    killed(f"""
from pathlib import Path
from spark.store import staging
from spark.target import only_run
with only_run(Path({str(place / "out.parquet")!r})):
    with staging(Path({str(place / "out.parquet")!r}), afresh=False) as folder:
        (folder / "a.arrow").touch()
        die()
""")
    return place / ".out.parquet.parsed"


@pytest.mark.slow
def test_what_a_killed_process_has_read_is_told_of_once_and_stays(tell: Tell, tmp_path: Path) -> None:
    folder = kept_by_process(tmp_path)

    first, second = tell("eras"), tell("eras")

    assert first.code == 0
    assert first.err.count("\n") == 1
    assert str(folder) in first.err
    assert f"read for {tmp_path / 'out.parquet'} is kept" in first.err
    assert "doctor --clean" in first.err
    assert second.err == ""
    assert names(tmp_path) == {folder.name}, "the lock file is gone"


@pytest.mark.slow
def test_doctor_lists_what_stays_and_removes_it_when_asked(tell: Tell, tmp_path: Path) -> None:
    folder = kept_by_process(tmp_path)
    tell("eras")

    listed = {one["what"]: one for one in tell("doctor", "--json").json}
    assert listed["kept from a stopped run"]["found"] == str(folder)
    assert "same command goes on" in tell("doctor").out.replace("\n", " ")

    removed = {one["what"]: one for one in tell("doctor", "--clean", "--json").json}
    assert removed["removed"]["found"] == str(folder)
    assert "kept from a stopped run" not in removed
    assert names(tmp_path) == set()
    assert not is_anything_made()


def test_a_folder_that_was_put_back_is_told_of(tell: Tell, tmp_path: Path) -> None:
    killed(f"""
from pathlib import Path
from core.leftovers import staging, swapping
target = Path({str(tmp_path / "logs")!r})
target.mkdir()
with staging(target) as part:
    part.mkdir()
    with swapping(part, target) as old:
        target.rename(old)
        die()
""")
    assert not (tmp_path / "logs").exists()

    told = tell("eras")

    assert f"{tmp_path / 'logs'} was being replaced" in told.err
    assert names(tmp_path) == {"logs"}


HOLD = """
from pathlib import Path
from spark.target import only_run
with only_run(Path({out!r})):
    print(os.getpid(), flush=True)
    input()
"""


def test_a_second_process_for_one_data_set_is_told_at_once_who_writes_it(tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "server.log").touch()
    out = tmp_path / "out.parquet"
    first = child(HOLD.format(out=str(out)))
    assert first.stdout is not None
    assert int(first.stdout.readline()) == first.pid

    told = tell("process", tmp_path / "server.log", "-o", out)
    other = tell("process", tmp_path / "none.log", "-o", tmp_path / "other.parquet")
    first.kill()
    first.communicate()

    assert told.code == 2
    assert "Another run is writing this data set" in told.err
    assert f"process {first.pid} on " in told.err
    assert "Another run" not in other.err
    after = tell("process", tmp_path / "none.log", "-o", out)
    assert "Another run" not in after.err, "the lock of a killed run is taken over"
    assert names(tmp_path) == {"server.log"}


REPLACE_DATA_SET = """
import core.placing, json
from pathlib import Path
from spark.dataset import staged
core.placing.{at} = die
with staged(Path({out!r}), replace=True) as part:
    (part / "manifest.json").write_text(json.dumps(dict(format="tidegauge data set", new=True)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("at", "new"), [("exchange", False), ("discard", True)])
def test_a_data_set_that_is_replaced_when_the_run_is_killed_is_the_old_or_the_new_one(
    tell: Tell, tmp_path: Path, at: str, *, new: bool
) -> None:
    out = tmp_path / "out.parquet"
    out.mkdir()
    (out / "manifest.json").write_text(json.dumps({"format": "tidegauge data set", "new": False}))

    killed(REPLACE_DATA_SET.format(out=str(out), at=at))

    assert json.loads((out / "manifest.json").read_text())["new"] == new
    assert len(names(tmp_path)) == 2
    tell("eras")
    assert names(tmp_path) == {"out.parquet"}
    assert json.loads((out / "manifest.json").read_text())["new"] == new
