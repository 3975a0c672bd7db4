"""The program on a screen that nobody sees, in a session of its own, and a screen reader beside it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tests.screen_reader import Bus, Node

_NEEDED: Final = (
    ("Xvfb", shutil.which("Xvfb")),
    ("dbus-daemon", shutil.which("dbus-daemon")),
    ("at-spi2-core", next(Path("/usr").glob("lib*/**/at-spi-bus-launcher"), None)),
)
_MISSING: Final = ", ".join(name for name, found in _NEEDED if not found)
SCREEN: Final = "1600x1000x24"
Started = Callable[..., tuple[Bus, Node]]


def _first_line(words: list[str], environment: dict[str, str], stack: ExitStack) -> str:
    """Start something that lives as long as the test; the first line that it prints."""
    process = subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    stack.callback(_end, process)
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    process.communicate()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Started]:
    """Start the program with some words; the bus of its screen reader, and the program on it."""
    if _MISSING:
        pytest.skip(f"not installed: {_MISSING}")
    with ExitStack() as stack:
        home = tmp_path / "home"
        home.mkdir(mode=0o700)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "QT_"))}
        environment = {**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "LANG": "C.UTF-8"}
        # Else it begins anew when its last client goes, and refuses who comes in that moment.
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]
        number = _first_line(screen, environment, stack)
        environment["DISPLAY"] = f":{number}"
        address = _first_line(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], environment, stack
        )
        environment["DBUS_SESSION_BUS_ADDRESS"] = address

        def run(*words: str) -> tuple[Bus, Node]:
            bus = Bus(address)
            stack.callback(bus.close)
            process = subprocess.Popen(
                [sys.executable, "-m", "gui.cli", *words],
                env={**environment, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            stack.callback(_end, process)
            return bus, bus.program()

        yield run
