"""The operations that are killed: what lies there before, their steps, and what each step makes of it.

Whatever is called of the program stands in this file. `prepare` fills a folder and says what it holds then;
`steps` is run in the child, which says of each step that it is done *after* the call returned: from then on
the window would show it as saved. `effects` are what the steps do to what a person sees, in their order.
"""

import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config

import db
from core.document.lane_order import USUAL, LaneOrder
from core.errors import DocumentError, because
from core.trace.trace import Trace
from core.work import QUIET
from db.anchors import anchor_of
from db.document import create, open_document
from db.engine import make
from db.notes import Note
from db.rebuild import rebuild
from db.ties import Tie, tie_of
from gui.cli import run
from gui.workspace.loading import write_document
from gui.workspace.pinned import PinnedNote
from tests.archives import unpack_sample
from tests.db.conftest import build
from tests.kills.held import Files, Held, held

Step = Callable[[], object]
Effect = Callable[[Files], Files]

DOC: Final = "a.tide"
ONE: Final = build("one", sizes=(3, 2))
TWO: Final = build("two", sizes=(2, 4))
GROWN: Final = build("one", sizes=(6, 5))
TIE: Final = tie_of((ONE, TWO), (2, 3))
LANES: Final = LaneOrder(order=(2, 1), folded=frozenset({1}))


def _note(text: str, cursor: int, trace: Trace = ONE, **more: Any) -> Note:
    return Note(0, trace.name, anchor_of(trace, cursor), text, created_ns=7, **more)


KEPT: Final = (_note("kept", 1), _note("kept, too", 2, TWO))
LONG: Final = "long " * 3_000
"""Several pages of the database."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One operation, on files in a folder of its own."""

    name: str
    prepare: Callable[[Path], Files]
    steps: Callable[[Path], Iterator[Step]]
    effects: tuple[Effect, ...]
    starts_qt: bool = False
    """Such a process must not be forked afterwards."""


def _nothing(_folder: Path) -> Files:
    return {}


def _written(folder: Path, name: str = DOC) -> Files:
    """A document with notes, a tie and lanes."""
    create(folder / name, [ONE, TWO], notes=KEPT, ties=[TIE], lanes=LANES)
    return {name: held([ONE, TWO], KEPT, [TIE], LANES)}


def _becomes(name: str, now: Held | str) -> Effect:
    return lambda files: {**files, name: now}


def _changes(change: Callable[[Held], Held], name: str = DOC) -> Effect:
    def effect(files: Files) -> Files:
        before = files[name]
        assert isinstance(before, Held)
        return {**files, name: change(before)}

    return effect


def _stays(files: Files) -> Files:
    return files


def _adds(note: Note, name: str = DOC) -> Effect:
    return _changes(lambda before: replace(before, notes=(*before.notes, note)), name)


# ---- create, replace ------------------------------------------------------------------------------------
def _create(folder: Path) -> Iterator[Step]:
    yield lambda: create(folder / DOC, [ONE, TWO], notes=KEPT, ties=[TIE], lanes=LANES)


def _replace(folder: Path) -> Iterator[Step]:
    yield lambda: create(folder / DOC, [GROWN], notes=[_note("new", 3, GROWN)], replace=True)


# ---- notes, ties, lanes ---------------------------------------------------------------------------------
def _notes(folder: Path) -> Iterator[Step]:
    with open_document(folder / DOC, write=True) as document:
        first, second = document.notes()
        yield lambda: document.put_note(_note("added", 3))
        yield lambda: document.put_note(_note(LONG, 4, end=anchor_of(ONE, 5), kind="range"))
        yield lambda: document.put_note(replace(first, text="changed"))
        yield lambda: document.delete_note(second.note_id)
        yield lambda: document.put_ties([TIE, tie_of((ONE, TWO), (1, 1))])
        yield lambda: document.put_lanes(USUAL)
        yield lambda: document.put_note(_note("the last one", 0))


def _changed(before: Held) -> Held:
    notes = tuple(replace(note, text="changed") if note.text == "kept" else note for note in before.notes)
    return replace(before, notes=notes)


_NOTES: Final = (
    _adds(_note("added", 3)),
    _adds(_note(LONG, 4, end=anchor_of(ONE, 5), kind="range")),
    _changes(_changed),
    _changes(
        lambda before: replace(before, notes=tuple(note for note in before.notes if note.text != "kept, too"))
    ),
    _changes(lambda before: replace(before, ties=(TIE, tie_of((ONE, TWO), (1, 1))))),
    _changes(lambda before: replace(before, lanes=USUAL)),
    _adds(_note("the last one", 0)),
)


# ---- save, Save As --------------------------------------------------------------------------------------
def _save(folder: Path) -> Iterator[Step]:
    notes = tuple(PinnedNote(key, 0, key, f"saved {key}", 7) for key in (1, 2, 3))
    yield lambda: write_document(str(folder / DOC), (ONE, TWO), notes, [(2, 3)], LANES, QUIET)


_SAVED: Final = held([ONE, TWO], [_note(f"saved {key}", key) for key in (1, 2, 3)], [TIE], LANES)


def _two_documents(folder: Path) -> Files:
    return {**_written(folder), **_written(folder, "b.tide")}


def _save_as(folder: Path) -> Iterator[Step]:
    with open_document(folder / DOC, write=True) as document:
        yield lambda: document.put_note(_note("before the copy", 3))
        yield lambda: document.copy(folder / "b.tide")
        yield lambda: document.copy(folder / "c.tide")


def _copied(name: str) -> Effect:
    return lambda files: {**files, name: files[DOC]}


# ---- documents of earlier versions, and what a killed process left --------------------------------------
def _of_version(version: str) -> Callable[[Path], Files]:
    """A document as the program wrote it up to this version: its own migrations, taken back."""

    def prepare(folder: Path) -> Files:
        create(folder / DOC, [ONE, TWO], notes=KEPT, ties=[TIE], lanes=LANES)
        config = Config()
        config.set_main_option("script_location", str(Path(db.__file__).parent / "migrations"))
        engine = make(folder / DOC)
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, version)
        engine.dispose()
        ties: tuple[Tie, ...] = (TIE,) if version >= "0003" else ()
        return {DOC: held([ONE, TWO], KEPT, ties)}

    return prepare


def _migrate(folder: Path) -> Iterator[Step]:
    with open_document(folder / DOC, write=True) as document:
        # A document that is opened to be written is migrated first.
        yield document.notes
        yield lambda: document.put_note(_note("added", 3))


_LEAVE_JOURNAL: Final = """
database.isolation_level = None
database.execute("PRAGMA cache_size=1")
database.execute("PRAGMA cache_spill=1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE note SET text = 'half'")
database.execute("CREATE TABLE rubbish (text TEXT)")
database.executemany("INSERT INTO rubbish VALUES (?)", [("x" * 2_000,)] * 20)
"""
_LEAVE_WAL: Final = """
database.execute("PRAGMA journal_mode=WAL")
database.execute("UPDATE note SET text = 'in the log' WHERE text = 'kept'")
database.commit()
"""


def _left(by: str, ending: str, text: str) -> Callable[[Path], Files]:
    """A document whose writer was killed: unfinished (a journal), or not yet moved into it (a log)."""

    def prepare(folder: Path) -> Files:
        files = _written(folder)
        opened = f"import os, sqlite3\ndatabase = sqlite3.connect({str(folder / DOC)!r})\n"
        code = f"{opened}{by}os.kill(os.getpid(), 9)"
        subprocess.run([sys.executable, "-c", code], check=False)
        assert (folder / f"{DOC}{ending}").stat().st_size > 0
        return _changes(
            lambda before: replace(before, notes=(replace(before.notes[0], text=text), *before.notes[1:]))
        )(files)

    return prepare


def _read(folder: Path) -> Iterator[Step]:
    with open_document(folder / DOC) as document:
        yield document.notes


# ---- rebuild, and the command line ----------------------------------------------------------------------
def _rebuild(folder: Path) -> Iterator[Step]:
    yield lambda: rebuild(folder / DOC, GROWN)


def _called(*arguments: object) -> Step:
    def call() -> None:
        said = io.StringIO()
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            code = run([str(argument) for argument in arguments])
        if code:
            raise DocumentError(because(said.getvalue().strip()))

    return call


def _import_into(folder: Path) -> Iterator[Step]:
    yield _called("import", folder.parent / "logs" / "controller.log", "--into", folder / DOC)


def _logs(folder: Path) -> Files:
    """A document of the server.log of one broker, with a note, and its controller.log beside it."""
    case = unpack_sample("k0102-hw-loss", folder.parent / "sample") / "broker-1" / "logs"
    logs = folder.parent / "logs"
    logs.mkdir()
    for name in ("server.log", "controller.log"):
        lines = (case / name).read_bytes().splitlines(keepends=True)
        (logs / name).write_bytes(b"".join(lines[:400]))
    _called("import", logs / "server.log", "-o", folder / DOC)()
    with open_document(folder / DOC, write=True) as document:
        trace = document.trace()
        note = document.put_note(_note("look here", 3, trace))
        return {DOC: held([trace], [note])}


def _simulate(folder: Path) -> Iterator[Step]:
    yield _called("simulate", "s1", "--era", "2.8", "-o", folder / DOC, "--replace")


def _export(folder: Path) -> Iterator[Step]:
    yield _called("export", folder / DOC, "--trace", "one", "--partition", "orders-0", "-o", folder / "x.svg")


ANYTHING: Final = "?"
"""A file of which a run that nobody stops shows what must be in it: all of that, or what was there before."""


SCENARIOS: Final = {
    one.name: one
    for one in (
        Scenario("create", _nothing, _create, (_becomes(DOC, held([ONE, TWO], KEPT, [TIE], LANES)),)),
        Scenario("replace", _written, _replace, (_becomes(DOC, held([GROWN], [_note("new", 3, GROWN)])),)),
        Scenario("notes", _written, _notes, _NOTES),
        Scenario("save", _written, _save, (_becomes(DOC, _SAVED),)),
        Scenario(
            "save-as",
            _two_documents,
            _save_as,
            (_adds(_note("before the copy", 3)), _copied("b.tide"), _copied("c.tide")),
        ),
        *(
            Scenario(f"migrate-{version}", _of_version(version), _migrate, (_stays, _adds(_note("added", 3))))
            for version in ("0001", "0002", "0003", "0004")
        ),
        Scenario("journal-read", _left(_LEAVE_JOURNAL, "-journal", "kept"), _read, (_stays,)),
        Scenario(
            "journal-replace",
            _left(_LEAVE_JOURNAL, "-journal", "kept"),
            _replace,
            (_becomes(DOC, held([GROWN], [_note("new", 3, GROWN)])),),
        ),
        Scenario("log-read", _left(_LEAVE_WAL, "-wal", "in the log"), _read, (_stays,)),
        Scenario(
            "log-write",
            _left(_LEAVE_WAL, "-wal", "in the log"),
            _migrate,
            (_stays, _adds(_note("added", 3))),
        ),
        Scenario(
            "rebuild",
            _written,
            _rebuild,
            (_changes(lambda before: replace(before, traces=(*held([GROWN]).traces, *before.traces[1:]))),),
        ),
        Scenario("import-into", _logs, _import_into, (_becomes(DOC, ANYTHING),)),
        Scenario("simulate", _written, _simulate, (_becomes(DOC, ANYTHING),)),
        Scenario("export", _written, _export, (_becomes("x.svg", ANYTHING),), starts_qt=True),
    )
}
