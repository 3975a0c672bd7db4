"""Whatever is wrong: one message on stderr, exit code 2, nothing on stdout, nothing left behind."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from importers.samples import sample_path

pytestmark = pytest.mark.broad(3)

ROOT = Path(__file__).parent.parent.parent
Tell = Callable[..., Any]
OTHER_PROGRAM = '127.0.0.1 - - [01/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 612\n' * 3
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8


def _picture(folder: Path) -> Path:
    (folder / "in.png").write_bytes(PICTURE)
    return folder / "in.png"


def _empty_folder(folder: Path) -> Path:
    (folder / "in").mkdir()
    return folder / "in"


def _truncated_tar(folder: Path) -> Path:
    (folder / "in.tar.xz").write_bytes(sample_path("k0102-hw-loss").read_bytes()[:-20_000])
    return folder / "in.tar.xz"


def _other_log(folder: Path) -> Path:
    (folder / "access.log").write_text(OTHER_PROGRAM, encoding="utf-8")
    return folder / "access.log"


def _nothing(folder: Path) -> Path:
    return folder / "nowhere"


def _under_a_file(folder: Path) -> Path:
    (folder / "file").write_text("", encoding="utf-8")
    return folder / "file" / "logs"


def _newer_document(folder: Path, kept: Path) -> Path:
    target = folder / "newer.tide"
    shutil.copy(kept / "hw.tide", target)
    with sqlite3.connect(target) as database:
        database.execute("UPDATE alembic_version SET version_num = '0099'")
    database.close()
    return target


def _refused(told: Any, *, about: str = "") -> None:
    assert told.code == 2
    assert told.out == ""
    assert told.err.startswith("tidegauge: ")
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    assert about in told.err


@pytest.mark.parametrize(
    "make",
    [_picture, _empty_folder, _truncated_tar, _other_log, _nothing, _under_a_file],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("command", ["check", "state", "info", "events", "import", "export", "compare"])
def test_a_source_that_is_none(
    tell: Tell, tmp_path: Path, command: str, make: Callable[[Path], Path]
) -> None:
    source = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    more = {"import": ["-o", tmp_path / "a.tide"], "export": ["-o", tmp_path / "a.png"]}.get(command, [])

    _refused(tell(command, source, *more), about=str(source))

    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", ["check", "state", "info", "events", "export", "compare"])
def test_a_document_of_a_newer_version(tell: Tell, kept: Path, tmp_path: Path, command: str) -> None:
    document = _newer_document(tmp_path, kept)
    more = ["-o", tmp_path / "a.png"] if command == "export" else []

    _refused(tell(command, document, *more), about="newer version of Tidegauge")

    assert list(tmp_path.iterdir()) == [document]


def test_a_document_that_was_cut_off(tell: Tell, kept: Path, tmp_path: Path) -> None:
    document = tmp_path / "cut.tide"
    document.write_bytes((kept / "hw.tide").read_bytes()[:20_000])

    _refused(tell("check", document, "--trace", "2.8"), about="damaged")


# Not by permissions: tests may run as root, whom they do not stop.
@pytest.mark.parametrize("place", ["file/a", "nowhere/a"])
@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        (("import", "SAMPLE"), ".tide"),
        (("simulate", "hw-loss"), ".tide"),
        (("export", "HW"), ".png"),
        (("export", "HW"), ".svg"),
        (("export", "HW"), ".txt"),
    ],
)
def test_a_place_that_cannot_be_written(
    tell: Tell, kept: Path, tmp_path: Path, arguments: tuple[str, ...], ending: str, place: str
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    named = {"SAMPLE": str(sample_path("k28-epoch-fix")), "HW": str(kept / "hw.tide")}

    told = tell(*(named.get(word, word) for word in arguments), "-o", tmp_path / f"{place}{ending}")

    _refused(told, about=str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(("import", "SAMPLE"), "a.tide"), (("simulate", "hw-loss"), "a.tide"), (("export", "HW"), "a.png")],
)
def test_an_existing_output(
    tell: Tell, kept: Path, tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    target = tmp_path / name
    target.write_text("precious", encoding="utf-8")
    named = {"SAMPLE": str(sample_path("k28-epoch-fix")), "HW": str(kept / "hw.tide")}

    told = tell(*(named.get(word, word) for word in arguments), "-o", target)

    _refused(told, about="--replace")
    assert target.read_text(encoding="utf-8") == "precious"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("arguments", "about"),
    [
        (("chekc",), "chekc"),
        (("check",), "check --help"),
        (("check", "HW"), "--trace"),
        (("check", "HW", "--trace", "3.9"), "3.9"),
        (("check", "HW", "--trace", "2.8", "--partition", "x-1"), "t-0"),
        (("check", "HW", "--trace", "2.8", "--zone", "UTC"), "imported already"),
        (("state", "HW", "--trace", "2.8", "--at", "9999"), "0 to"),
        (("state", "HW", "--trace", "2.8", "--at", "yesterday"), "yesterday"),
        (("state", "HW", "--trace", "2.8", "--at-file", "nowhere.txt"), "nowhere.txt"),
        (("events", "HW", "--trace", "2.8", "--kind", "truncatd"), "truncatd"),
        (("compare", "HW", "--trace", "2.8"), "two to four"),
        (("compare", "HW", "HW"), "two to four"),
        (("compare", "HW", "--trace", "2.8", "--trace", "9"), "'9'"),
        (("simulate", "hw-los"), "hw-loss"),
        (("simulate", "hw-loss", "--era", "0.9"), "0.10.2"),
        (("simulate", "hw-loss", "--set", "truncation"), "SWITCH=VALUE"),
        (("simulate", "hw-loss", "--set", "truncation=never"), "epoch-request"),
        (("simulate", "nowhere.toml"), "nowhere.toml"),
        (("simulate",), "--search N"),
        (("simulate", "hw-loss", "--search", "3"), "Leave out hw-loss"),
        (("simulate", "--search", "3", "--logs", "logs"), "Leave out --logs"),
        (("simulate", "--search", "0"), "--search"),
        (("simulate", "--search", "3", "--era", "2.8", "-o", "a.tide"), "NAME.toml"),
        (("simulate", "--search", "3", "-o", "a.toml"), "--era"),
        (("export", "HW", "-o", "a.bmp"), ".png"),
        (("import", "HW", "SAMPLE", "-o", "never.tide"), "merged"),
        (("import", "SAMPLE", "-o", "never.tide", "--from", "noon"), "noon"),
        (("import", "SAMPLE", "-o", "never.tide", "--zone", "Mars/Olympus"), "Mars/Olympus"),
        (("process", "SAMPLE", "-o", "never.parquet", "--conf", "x"), "spark.driver.memory"),
        (("open", "HW"), "no display"),
        ((), "no display"),
        (("HW",), "no display"),
    ],
)
def test_a_question_that_has_no_answer(
    tell: Tell,
    kept: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    about: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    named = {"SAMPLE": str(sample_path("k28-epoch-fix")), "HW": str(kept / "hw.tide")}

    _refused(tell(*(named.get(word, word) for word in arguments)), about=about)

    assert list(tmp_path.iterdir()) == []


def test_a_wrong_scenario_names_file_and_line(tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('schema = 1\nid = "x"\nsurprise = 3\n', encoding="utf-8")

    _refused(tell("simulate", tmp_path / "mine.toml"), about="mine.toml")


def test_a_defect_is_told_and_can_be_traced(tell: Tell, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("core.diagnose.verdict.check.diagnose", broken)
    with pytest.raises(KeyError):
        tell("check", kept / "loss.tide")
    monkeypatch.delenv("TIDEGAUGE_TRACEBACK")

    _refused(tell("check", kept / "loss.tide"), about="TIDEGAUGE_TRACEBACK=1")


@pytest.mark.slow
def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    """The command waits for standard input when it is interrupted."""
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "PYTHONPATH": str(ROOT)}
    program = subprocess.Popen(
        [sys.executable, "-m", "gui.cli", "import", "-", "-o", str(tmp_path / "a.tide")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        # Where a shell began this run in the background, the signal is ignored, and children inherit that.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    until = time.monotonic() + 240
    while not list((tmp_path / "tmp").rglob("stdin.log")) and time.monotonic() < until:
        assert program.poll() is None
        time.sleep(0.02)  # a file of another process: there is nothing to wait on but its appearance

    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=240)

    assert (program.returncode, out) == (2, b"")
    assert err.decode().strip() == "tidegauge: Stopped. Nothing half-made was kept."
    assert [file.name for file in tmp_path.iterdir()] == ["tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_standard_input_is_a_log_like_any_other(tmp_path: Path) -> None:
    lines = (
        "[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
        "[2026-11-21 03:29:11,161] INFO Truncating log orders-0 to offset 200. (kafka.log.Log)\n"
    )
    program = [
        sys.executable,
        "-m",
        "gui.cli",
        "events",
        "-",
        "--broker",
        "2",
        "--kind",
        "truncated",
        "--json",
    ]

    told = subprocess.run(
        program, input=lines.encode(), capture_output=True, check=False, cwd=ROOT, env={**os.environ}
    )

    assert (told.returncode, told.stderr) == (0, b"")
    assert [b'"offset": 206' in line for line in told.stdout.splitlines()] == [True, False]


@pytest.mark.slow
def test_what_is_wrong_with_standard_input_is_said_of_standard_input() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "gui.cli", "check", "-"],
        input=b"hello\n",
        capture_output=True,
        check=False,
        cwd=ROOT,
    )

    assert (told.returncode, told.stdout) == (2, b"")
    message = told.stderr.decode()
    assert "Where: standard input." in message
    assert "The only file is neither" in message
    assert "stdin.log" not in message


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_error(kept: Path) -> None:
    events = f"'{sys.executable}' -m gui.cli events '{kept / 'loss.tide'}'"
    told = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {events} | head -n 1"],
        capture_output=True,
        check=False,
        cwd=ROOT,
    )

    assert (told.returncode, told.stderr) == (0, b"")
