"""Displays stay on while a lesson is presented: what the desktop is asked, and what it answers."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from jeepney import MatchRule, message_bus, new_method_return
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields

ROOT: Final = Path(__file__).parents[2]
HELD_UNTIL_A_LINE_COMES: Final = """
import sys
from PySide6.QtCore import QCoreApplication
from gui.lessons.awake import Awake
app, awake = QCoreApplication([]), Awake()
def tell(stays_on):
    print(stays_on, flush=True)
    sys.stdin.readline()
    awake.release()
    print("released", flush=True)
    sys.stdin.readline()
    app.quit()
awake.answered.connect(tell)
from PySide6.QtCore import QTimer
QTimer.singleShot(0, lambda: awake.hold("A lesson is presented"))
app.exec()
"""
SCREEN_SAVER: Final = "org.freedesktop.ScreenSaver"
LONGEST_S: Final = 240.0
Started = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a bus of its own."""
    if not shutil.which("dbus-daemon"):
        pytest.skip("dbus-daemon is not installed")
    words = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
    daemon = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert daemon.stdout is not None
    yield daemon.stdout.readline().strip()
    daemon.terminate()
    daemon.communicate()


@pytest.fixture
def holder(bus: str) -> Iterator[Started]:
    """Starts a process that asks for displays that stay on: a process looks for its bus only once."""
    running: list[subprocess.Popen[str]] = []

    def start() -> "subprocess.Popen[str]":
        words = [sys.executable, "-c", HELD_UNTIL_A_LINE_COMES]
        environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(words, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True))
        return running[-1]

    yield start
    for process in running:
        process.communicate("\n\n", timeout=LONGEST_S)


def _next(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _has(desktop: DBusConnection, name: str) -> bool:
    return bool(desktop.send_and_get_reply(message_bus.NameHasOwner(name), timeout=LONGEST_S).body[0])


def test_the_desktop_is_asked_and_its_answer_ends_with_the_presentation(bus: str, holder: Started) -> None:
    """The part of the desktop: it answers with a number, and forgets who has left the bus."""
    with open_dbus_connection(bus) as desktop:
        desktop.send_and_get_reply(message_bus.RequestName(SCREEN_SAVER), timeout=LONGEST_S)
        asks = MatchRule(type="method_call", interface=SCREEN_SAVER, member="Inhibit")
        with desktop.filter(asks) as asked:
            process = holder()
            call = desktop.recv_until_filtered(asked, timeout=LONGEST_S)
        assert call.body == ("Tidegauge", "A lesson is presented")
        desktop.send(new_method_return(call, "u", (7,)))
        assert _next(process) == "True"
        who = call.header.fields[HeaderFields.sender]
        assert _has(desktop, who)

        assert process.stdin is not None
        leaves = MatchRule(type="signal", interface="org.freedesktop.DBus", member="NameOwnerChanged")
        leaves.add_arg_condition(0, who)
        desktop.send_and_get_reply(message_bus.AddMatch(leaves), timeout=LONGEST_S)
        # The process is done when its end of the connection is closed; the bus tells when it has seen that.
        with desktop.filter(leaves) as left:
            process.stdin.write("\n")
            process.stdin.flush()
            assert _next(process) == "released"
            assert desktop.recv_until_filtered(left, timeout=LONGEST_S).body == (who, who, "")
        assert not _has(desktop, who)


def test_a_desktop_that_takes_no_such_request_is_told_of(holder: Started) -> None:
    assert _next(holder()) == "False"
