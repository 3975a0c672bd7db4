"""The program that is killed: one operation in a process of its own.

    python -m tests.kills.operation NAME FOLDER    run it, and say what was done
    python -m tests.kills.operation --serve        run one after the other, as lines of stdin ask for it

A server has loaded everything when it forks a child for an operation: a start from nothing costs two seconds,
a fork some milliseconds. A line of stdin is JSON: `name`, `run` (the folder), and perhaps `twin`
(tests/kills/twin.py) and `broken` (tests/kills/broken.py). The child says its process id, waits for one more
byte of stdin, and says of each step `did` or `refused` with its words. Those lines are written by writev, as
nothing else is. The server says at last how the child ended.
"""

import gc
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any

from core.errors import TidegaugeError
from core.state_folder import STATE
from tests.kills import broken, twin
from tests.kills.held import DOCUMENTS, STATES, TEMPORARY
from tests.kills.scenarios import SCENARIOS


def say(line: str) -> None:
    """One line to whoever started this; a kill comes before it or after it."""
    os.writev(1, [f"{' '.join(line.split())}\n".encode()])


def warm_up(asked: dict[str, Any]) -> None:
    """Do the steps in the server itself, without a word: what they load is loaded for all children then."""
    os.environ[STATE] = str(Path(asked["run"]) / STATES)
    for step in SCENARIOS[asked["name"]].steps(Path(asked["run"]) / DOCUMENTS):
        step()
    gc.collect()
    gc.freeze()  # What a child never looks through it need not copy.
    assert threading.active_count() == 1, "threads do not come along into a forked child"


def perform(name: str, folder: Path) -> None:
    """Do the steps, and say of each what became of it."""
    number = 0
    try:
        for step in SCENARIOS[name].steps(folder):
            try:
                step()
            except TidegaugeError as error:
                say(f"refused {number} {error}")
            else:
                say(f"did {number}")
            number += 1
    except TidegaugeError as error:
        say(f"refused {number} {error}")
    except BaseException:  # noqa: BLE001 - whatever it is, the test is to show it
        say(f"defect {traceback.format_exc()}")
    say("finished")


def _child(asked: dict[str, Any]) -> None:
    os.setsid()
    run = Path(asked["run"])
    os.environ[STATE] = str(run / STATES)
    tempfile.tempdir = str(run / TEMPORARY)
    if asked.get("broken"):
        broken.BROKEN[asked["broken"]]()
    say(f"process {os.getpid()}")
    os.read(0, 1)
    if asked.get("twin"):
        twin.install(run, **asked["twin"])
    perform(asked["name"], run / DOCUMENTS)


def serve() -> None:
    """Fork a child for each line of stdin."""
    waiting, child = b"", 0
    while True:
        while b"\n" not in waiting:
            read = os.read(0, 65_536)
            if not read:
                return
            waiting += read
        line, _, waiting = waiting.partition(b"\n")
        if child:
            # Only now is its number free: whoever kills it too late has killed nobody else.
            os.waitpid(child, 0)
            child = 0
        asked = json.loads(line)
        if asked.get("warm"):
            warm_up(asked)
            say("ended")
            continue
        child = os.fork()
        if child == 0:
            try:
                _child(asked)
            finally:
                os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        say("ended")


def main() -> None:
    """See above."""
    os.environ["TIDEGAUGE_TRACEBACK"] = "1"
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        perform(sys.argv[1], Path(sys.argv[2]))


if __name__ == "__main__":
    main()
