"""Help is there at once, and says what there is."""

import re
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gui.cli import COMMANDS
from gui.commands.screen import has_screen
from gui.text.spoken import tr

ROOT = Path(__file__).parent.parent.parent
Tell = Callable[..., Any]
HEAVY = ("PySide6", "pyqtgraph", "pyspark", "sqlalchemy", "alembic", "pyarrow", "pandas", "numpy", "rich")


@pytest.mark.slow
def test_help_costs_little_beside_the_reader_of_commands() -> None:
    """In CPU time, each the best of three, in turn: machines differ, and other work is not ours."""

    def cost(*asked: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *asked], cwd=ROOT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    pairs = [(cost("-m", "gui.cli", "--help"), cost("-c", "import click")) for _ in range(3)]

    assert min(one for one, _ in pairs) <= 3 * min(other for _, other in pairs)


def test_help_loads_nothing_that_is_heavy() -> None:
    program = (
        "import sys; from gui.cli import run; code = run(['--help']); "
        f"print([name for name in {HEAVY} if name in sys.modules], code, file=sys.stderr)"
    )

    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert told.stderr.strip() == "[] 0"


@pytest.mark.slow
def test_answers_do_not_start_qt(kept: Path) -> None:
    program = (
        "import sys; from gui.cli import run; "
        f"codes = [run(['check', '{kept}/loss.tide']), run(['compare', '{kept}/hw.tide'])]; "
        "print(codes, [name for name in ('PySide6', 'pyspark') if name in sys.modules], file=sys.stderr)"
    )

    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert told.stderr.strip() == "[1, 1] []"


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help(tell: Tell, command: str) -> None:
    told = tell(command, "--help")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"Usage: tidegauge {command}")


def test_help_lists_every_command(tell: Tell) -> None:
    out = tell("--help").out

    assert all(name in out and tr(id_) in out for name, (_module, id_) in COMMANDS.items())


@pytest.mark.parametrize("arguments", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_every_command_has_help_in_the_language_that_is_asked_for(
    tell: Tell, arguments: tuple[str, ...]
) -> None:
    told = tell(*arguments, "--lang", "zh", "--help")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("用法： tidegauge")
    for option in told.out.splitlines()[5:]:
        _, _, text = option.strip().partition("  ")
        assert not text or re.search(r"[\u4e00-\u9fff]", text), option


@pytest.mark.slow
def test_every_command_answers_in_the_language_that_is_asked_for(tell: Tell) -> None:
    for arguments in (("eras",), ("scenarios",), ("doctor",)):
        asked, other = tell(*arguments, "--lang", "zh"), tell(*arguments)
        assert re.search(r"[\u4e00-\u9fff]", asked.out), arguments
        assert not re.search(r"[\u4e00-\u9fff]", other.out), arguments


def test_every_command_is_under_its_name() -> None:
    import importlib

    for name, (module, _text) in COMMANDS.items():
        assert importlib.import_module(f"gui.commands.{module}").command.name == name


@pytest.mark.parametrize(
    ("environment", "there"),
    [
        ({}, False),
        ({"DISPLAY": ":987"}, False),
        ({"DISPLAY": "localhost:987.0"}, False),
        ({"WAYLAND_DISPLAY": "wayland-987"}, False),
        ({"DISPLAY": ":987", "QT_QPA_PLATFORM": "offscreen"}, False),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, True),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_display_has_to_answer(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, there: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert has_screen() is there


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_display_that_answers_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert has_screen()
    assert not has_screen()
