"""Documents of strangers: a small valid one, spoiled in one named way each, and what is said of it.

`python -m tests.hostile DOC…` asks the command line about each of them, in one process with little memory,
and prints what it said as JSON.
"""

import json
import resource
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from time import process_time
from typing import Any, Final

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import triage
from core.document.lane_order import LaneOrder
from core.errors import TidegaugeError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from db.ties import tie_of
from tests.memory import peak_kib

Spoil = Callable[[sqlite3.Connection], object]

IMPORTED: Final = "incident"
"""The trace of the document that was made from logs; the other one was simulated, as SIMULATED."""
SIMULATED: Final = "hw-loss 0.10.2"
MIB: Final = 1024**2
REPORT: Final[dict[str, Any]] = {
    "files": 2,
    "lines": 21,
    "recognised": 21,
    "noise": 0,
    "unrecognised": 0,
    "malformed": 0,
    "gaps": ["server.log of broker 2 is missing"],
    "contradictions": [{"file": "b.log", "line": 3}],
    "by_broker": [
        {
            "broker": 1,
            "version": "2.8.2",
            "versions": ["2.8.2"],
            "files": 2,
            "recognised": 21,
            "noise": 0,
            "unrecognised": 0,
            "malformed": 0,
            "from": "2026-11-21T03:29:10.161000000Z",
            "to": None,
            "zones": ["UTC (stated)"],
            "clock": None,
        }
    ],
    "clocks": [
        {
            "clock": "broker 1",
            "reference": False,
            "from": None,
            "to": None,
            "add_ns": {"lo": -5, "hi": 7},
            "added_ns": 1,
        }
    ],
    "further": [{"broker": None, "evidence": "controller.log", "settles": "who elected"}],
    "tools": [],
    "by_file": [{"file": "broker-1/server.log", "is": "log", "broker": 1, "recognised": 21}],
    "examples": [{"file": "b.log", "line": 1, "fate": "malformed", "text": "?"}],
}


def make_valid(path: Path) -> None:
    """A document that has something in every table."""
    from tests.db.conftest import build

    built = build(IMPORTED, facts={"clock": "one host", "whole_seconds": "1", "log.broker-1.until": "1020"})
    logs = replace(built, report=REPORT)
    run = replace(simulate(scenario("hw-loss"), era("0.10.2")), name=SIMULATED)
    traces = [logs, run]
    note = Note(0, IMPORTED, anchor_of(logs, 3), "here", kind="range", end=anchor_of(logs, 5), broker=1)
    create(
        path,
        traces,
        notes=[note, Note(0, SIMULATED, anchor_of(run, 4), "there", colour="ok", shape="round")],
        ties=[tie_of(traces, (3, 4))],
        lanes=LaneOrder(order=(2, 1), folded=frozenset({1}), heights=((2, 60),)),
        found=[triage(one, diagnose(one)) for one in traces],
    )


COMMANDS: Final = (
    ("info",),
    ("info", "--json"),
    ("check", "--trace", IMPORTED),
    ("check", "--trace", SIMULATED, "--json"),
    ("events", "--trace", IMPORTED),
    ("events", "--trace", SIMULATED, "--json"),
    ("state", "--trace", IMPORTED, "--at", "0"),
    ("state", "--trace", SIMULATED),
    ("explain", "--trace", IMPORTED),
    ("explain", "--trace", SIMULATED, "--json"),
)
"""What a person may ask of a document on the command line."""


def ask_all(path: Path, *, write: bool = False) -> list[str]:
    """Everything that the program asks of a document. Gives the errors in words; any other is raised."""
    told: list[str] = []

    def asked(question: Callable[[], object]) -> None:
        try:
            question()
        except TidegaugeError as error:
            told.append(str(error))

    try:
        document = open_document(path, write=write)
    except TidegaugeError as error:
        return [str(error)]
    with document:
        for question in (document.infos, document.notes, document.ties, document.lanes, document.unresolved):
            asked(question)
        for name in (IMPORTED, SIMULATED):
            asked(lambda name=name: document.trace(name))
            asked(lambda name=name: document.triage(name))
        asked(lambda: document.partition_trace(IMPORTED, "orders-1"))
        asked(lambda: document.partition_seqs(IMPORTED, "orders-1"))
        asked(lambda: document.partition_trace(SIMULATED, "t-0"))
    return told


def spoiled(valid: Path, path: Path, spoil: Spoil) -> Path:
    """A copy of the valid document, spoiled."""
    path.write_bytes(valid.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for pragma in ("foreign_keys=OFF", "synchronous=OFF", "journal_mode=MEMORY"):
            database.execute(f"PRAGMA {pragma}")
        spoil(database)
    return path


def loosen(database: sqlite3.Connection) -> None:
    """Let every column hold NULL, as a stranger's program may."""
    database.execute("PRAGMA writable_schema=ON")
    database.execute("UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
    database.execute("PRAGMA writable_schema=RESET")


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said of a document, and the processor time in seconds that it took."""

    name: str
    command: tuple[str, ...]
    code: int
    out: str
    err: str
    seconds: float


def say(path: Path, name: str, command: tuple[str, ...]) -> Said:
    """Run a command in this process."""
    from gui.cli import run

    began = process_time()
    with (
        redirect_stdout(TextIOWrapper(BytesIO(), "utf-8")) as out,
        redirect_stderr(TextIOWrapper(BytesIO(), "utf-8")) as err,
    ):
        code = run([command[0], str(path), *command[1:]])
    texts: list[str] = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Said(name, command, code, texts[0], texts[1], process_time() - began)


def main(paths: Sequence[Path]) -> None:
    """Ask about each document, and print: a line a command, the most memory held, in MB, last."""
    resource.setrlimit(resource.RLIMIT_AS, (2048 * MIB, 2048 * MIB))
    for path in paths:
        for command in COMMANDS:
            sys.stdout.write(json.dumps(asdict(say(path, path.stem, command))) + "\n")
    sys.stdout.write(json.dumps(peak_kib() // 1024) + "\n")


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
