"""What a later version wrote into a document is told in one sentence, and goes wherever the document goes."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.summary import Triage
from core.document.lane_order import LaneOrder
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from core.work import QUIET
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from gui.panels.parts import BREAK
from gui.window.main_window import MainWindow
from gui.workspace.loading import load_added
from gui.workspace.pinned import Later
from tests.gui_window.conftest import Answers, triaged_once

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


def written(path: Path) -> tuple[list[tuple[object, ...]], ...]:
    """What only a later version knows, without ids: they are those of the file."""
    with closing(sqlite3.connect(path)) as database:
        notes = database.execute(
            "SELECT anchor_key, anchor_position, anchor_partition, anchor_ordinal, text, author, created_ns, "
            "kind, broker, colour, shape FROM note WHERE kind = 'question' ORDER BY text"
        )
        findings = database.execute(
            "SELECT place, severity, partition, brokers, start, seq, message, evidence FROM finding "
            "WHERE check_id = 'clock-went-back' ORDER BY place"
        )
        reasons = database.execute("SELECT message, detail FROM summary WHERE check_id = 'clock-went-back'")
        return notes.fetchall(), findings.fetchall(), reasons.fetchall()


@pytest.fixture(scope="module")
def trace() -> Trace:
    return simulate(scenario("hw-loss"), era("0.10.2"))


@pytest.fixture
def document(tmp_path: Path, trace: Trace) -> Path:
    """A run with four notes and its findings; three notes and a finding are of kinds of a later version."""
    path = tmp_path / "night.tide"
    notes = [
        Note(0, trace.name, anchor_of(trace, place), f"note {place}", "me", place) for place in (1, 2, 3, 4)
    ]
    create(path, [trace], notes=notes, found=[triaged_once(trace)])
    change(path, "UPDATE note SET kind = 'question', shape = 'star' WHERE id > 1")
    change(path, "UPDATE finding SET check_id = 'clock-went-back' WHERE place = 0")
    change(
        path,
        "UPDATE summary SET check_id = 'clock-went-back', message = '{\"id\":\"finding.clock.back\"}'",
    )
    return path


def told(window: MainWindow) -> tuple[str, str]:
    """What is said of notes and of findings; "" where nothing is."""
    labels = (window.notes.later, window.pages.triage.later)
    return tuple("" if one.isHidden() else one.text().replace(BREAK, "") for one in labels)  # type: ignore[return-value]


def save(qtbot: QtBot, window: MainWindow, answers: Answers, path: Path) -> None:
    answers.save = str(path)
    with qtbot.waitSignal(window.store.saved):
        window.actions_["save-as"].trigger()


@pytest.mark.slow
def test_it_is_told_in_one_sentence_and_the_others_are_shown(
    window: MainWindow, opened: Opened, document: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(document),),)))

    assert [note.text for note in window.session.notes] == ["note 1"]
    assert window.notes.list.count() == 1
    assert told(window) == (
        "3 notes were written by a later version and are not shown",
        "1 finding was made by a later version and is not shown",
    )
    (row,) = window.pages.triage.model.table.rows
    assert "clock" not in row.title
    window.actions_["triage"].trigger()
    window.pages.triage.grab()


def test_nothing_is_said_of_a_document_that_has_nothing_of_it(
    window: MainWindow, opened: Opened, document: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(document),),)))
    window.actions_["close"].trigger()
    assert told(window) == ("", "")

    opened(lambda: window.store.open_simulated("hw-loss", ("2.8",)))
    assert told(window) == ("", "")


def test_save_as_keeps_it_in_both_documents(
    qtbot: QtBot, window: MainWindow, opened: Opened, document: Path, tmp_path: Path, answers: Answers
) -> None:
    before = written(document)
    assert [len(part) for part in before] == [3, 1, 1]
    opened(lambda: window.store.open_groups(((str(document),),)))

    save(qtbot, window, answers, tmp_path / "copy.tide")
    window.session.set_lanes(LaneOrder(folded=frozenset({1})))
    window.store.settle()

    assert (written(document), written(tmp_path / "copy.tide")) == (before, before)
    with open_document(tmp_path / "copy.tide") as copy:
        assert [note.text for note in copy.notes()] == ["note 1"]
        assert copy.lanes().folded == {1}


def test_logs_that_are_added_leave_its_notes_where_they_are_anchored(trace: Trace, tmp_path: Path) -> None:
    """What was never saved is in memory alone. What was found of the trace as it was is found anew."""
    note = Note(7, trace.name, anchor_of(trace, 2), "note 2", kind="question")
    create(tmp_path / "import.tide", [trace])

    later = Later((note,), ((trace.name, Triage((), ())),))

    loaded = load_added(str(tmp_path / "import.tide"), trace, None, (), later, trace.name, QUIET)

    assert loaded.later == Later((note,))


def test_a_document_of_both_runs_has_what_each_of_them_had(
    qtbot: QtBot,
    window: MainWindow,
    opened: Opened,
    document: Path,
    trace: Trace,
    tmp_path: Path,
    answers: Answers,
) -> None:
    """The second document's trace has the name of the first, and is given another one beside it."""
    other = tmp_path / "other.tide"
    create(other, [trace], notes=[Note(0, trace.name, anchor_of(trace, 5), "beside", "me", 5)])
    change(other, "UPDATE note SET kind = 'question'")
    opened(lambda: window.store.open_groups(((str(document),),)))
    opened(lambda: window.store.open_groups(((str(other),),), beside=True))
    assert told(window)[0] == "4 notes were written by a later version and are not shown"
    assert window.session.unsaved

    save(qtbot, window, answers, tmp_path / "both.tide")

    with open_document(tmp_path / "both.tide") as both:
        names = [info.name for info in both.infos()]
        assert [(note.text, note.trace_name) for note in both.later_notes()] == [
            ("note 2", names[0]),
            ("note 3", names[0]),
            ("note 4", names[0]),
            ("beside", names[1]),
        ]
        first, second = map(both.triage, names)
        assert first is not None
        assert second is not None
        assert (first.later, second.later) == (1, 0)
    assert written(tmp_path / "both.tide")[1:] == written(document)[1:]
