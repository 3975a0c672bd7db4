"""What a folder of documents holds, as far as a person sees it, and how it is looked at after a kill."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from core import sweeping
from core.document.lane_order import USUAL, LaneOrder
from core.state_folder import STATE
from core.trace.digest import content_digest
from core.trace.trace import Trace
from db.document import Document, open_document
from db.notes import Note
from db.ties import Tie

DOCUMENTS, STATES, TEMPORARY = "documents", "state", "temporary"
"""The folders of one run: what a person sees, what Tidegauge remembers, the system's temporary files."""


@dataclass(frozen=True, slots=True)
class Held:
    """A document: the content digest of each trace by its name, notes without their ids, ties, lanes."""

    traces: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()
    ties: tuple[Tie, ...] = ()
    lanes: LaneOrder = USUAL


Files = Mapping[str, "Held | str"]
"""What lies in the folder of documents: a document, or the digest of another file, by name."""


def held(
    traces: Iterable[Trace], notes: Iterable[Note] = (), ties: Iterable[Tie] = (), lanes: LaneOrder = USUAL
) -> Held:
    """What a document made of these must hold."""
    return Held(
        tuple((trace.name, content_digest(trace)) for trace in traces),
        tuple(replace(note, note_id=0) for note in notes),
        tuple(ties),
        lanes,
    )


def read(document: Document) -> Held:
    """What an open document holds; every chunk of every trace is read for it."""
    return held(
        [document.trace(info.name) for info in document.infos()],
        document.notes(),
        document.ties(),
        document.lanes(),
    )


def after_the_next_start(run: Path, *, registered: bool = True) -> tuple[Files, list[str]]:
    """Start Tidegauge again after a kill: what the folder of documents holds, and what is wrong with it.

    Each document is opened for reading and for writing, and must hold the same both times. `registered`:
    whether the list of half-made files outlived (a power loss may take it, core/leftovers.py); else such
    files may stay.
    """
    os.environ[STATE] = str(run / STATES)
    folder = run / DOCUMENTS
    wrong: list[str] = []
    found: dict[str, Held | str] = {}
    names = sorted(path.name for path in folder.iterdir() if path.suffix == ".tide")
    for name in names:
        with open_document(folder / name) as document:
            found[name] = read(document)
    sweeping.sweep()
    for name in names:
        with open_document(folder / name, write=True) as document:
            if read(document) != found[name]:
                wrong.append(f"{name} holds something else when it is opened for writing")
        wrong.extend(unsound(folder / name))
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in found:
            if _is_left_over(name):
                if registered:
                    wrong.append(f"{name} is left in the folder of documents")
            else:
                found[name] = sha256(path.read_bytes()).hexdigest()
    if registered:
        wrong.extend(f"{path.name} is left in {path.parent.name}" for path in _left(run))
    return found, wrong


def _is_left_over(name: str) -> bool:
    return name.endswith(("-journal", "-wal", "-shm", ".lock", ".part", ".old")) or "tidegauge-" in name


def _left(run: Path) -> list[Path]:
    return [path for name in (STATES, TEMPORARY) for path in (run / name).rglob("*") if path.name != "making"]


def unsound(path: Path) -> list[str]:
    """What SQLite's own check says against a document; nothing for a sound one."""
    with closing(sqlite3.connect(path)) as database:
        rows = [row[0] for row in database.execute("PRAGMA integrity_check")]
        rows += [str(row) for row in database.execute("PRAGMA foreign_key_check")]
    return [f"{path.name}: {row}" for row in rows if row != "ok"]
