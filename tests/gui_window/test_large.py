"""A large document is read one partition at a time; what a person writes on any of them stays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.document.lane_order import LaneOrder
from core.history.state import Role
from core.trace.ids import Nanos
from db.document import create, open_document
from gui.window.main_window import MainWindow
from gui.workspace import loading
from gui.workspace.edits import AddNote
from gui.workspace.pinned import PinnedNote
from tests.gui_window.conftest import triaged_once
from tests.recordings.whole import whole

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A document of several partitions that counts as large."""
    monkeypatch.setattr(loading, "LARGE", 100)
    trace = whole("k28-unclean-loss").trace
    create(tmp_path / "night.tide", [trace], found=[triaged_once(trace)])
    return tmp_path / "night.tide"


def add_note(window: MainWindow, text: str) -> None:
    session = window.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, session.cursors[0], text, 1)))


def shown(window: MainWindow) -> str:
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    return str(history.trace.partitions[history.partition].tp)


def go(qtbot: QtBot, window: MainWindow, partition: str) -> None:
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        window.opening.open_partition(partition)
    assert shown(window) == partition


@pytest.mark.slow
def test_it_opens_with_its_partitions_and_reads_one_of_them(
    window: MainWindow, opened: Opened, night: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))

    assert window.views.currentWidget() is window.pages.triage
    assert shown(window) == "events-0"
    with open_document(night) as document:
        assert len(window.session.traces[0]) == len(document.partition_trace(None, "events-0"))
        assert len(window.session.traces[0]) < len(document.trace())


@pytest.mark.slow
def test_notes_on_every_partition_are_kept(
    qtbot: QtBot, window: MainWindow, opened: Opened, night: Path, tmp_path: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))
    add_note(window, "on the first")
    go(qtbot, window, "events-1")
    add_note(window, "on the second")
    go(qtbot, window, "events-0")

    here = {note.text: window.session.note_position(note) is not None for note in window.session.notes}
    assert here == {"on the first": True, "on the second": False}

    copy = tmp_path / "copy.tide"
    with qtbot.waitSignal(window.store.saved, timeout=30_000):
        window.store.save(str(copy))
    add_note(window, "after it was saved")
    window.close()
    with open_document(copy) as document:
        assert [note.text for note in document.notes()] == [
            "on the first",
            "on the second",
            "after it was saved",
        ]
        assert document.unresolved() == ()
    with open_document(night) as document:
        assert [note.text for note in document.notes()] == ["on the first", "on the second"]


@pytest.mark.slow
def test_its_grid_says_what_was_not_read_and_enter_opens_at_the_time(
    qtbot: QtBot, window: MainWindow, opened: Opened, night: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))
    page = window.pages.triage
    page.as_grid.click()
    names = [row.name for number in range(page.model.rowCount()) if (row := page.model.row(number))]
    here, other = names.index("events-0"), names.index("events-1")
    model = page.grid.model
    cells = {
        number: [model.cell(row, column) for column in range(model.columnCount())]
        for number in (here, other)
        if (row := page.model.row(number)) is not None
    }
    assert all(one is None or one.read for one in cells[here])
    assert any(one is not None and one.role is Role.LEADER for one in cells[other])
    assert any(one is not None and one.role is None for one in cells[other])

    moment = page.moment()
    assert moment is not None
    page.grid.cells.setCurrentIndex(model.index(other, 0))
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        page.grid.activated.emit(page.grid.cells.currentIndex())
    assert shown(window) == "events-1"
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    at = history.time_of(window.session.cursors[0])
    assert at is not None
    assert at <= moment.at
    assert window.session.position == history.rank(history.trace.cursor_at(Nanos(moment.at)))
    # The rows stay; now it is the other one that is known.
    row = page.model.row(other)
    assert row is not None
    one = model.cell(row, 0)
    assert one is None or one.read
    assert model.trace is window.session.traces[0]


@pytest.mark.slow
def test_lanes_stand_alike_in_all_its_partitions(
    qtbot: QtBot, window: MainWindow, opened: Opened, night: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(night),),)))
    arranged = LaneOrder((3, 1), folded=frozenset({1}))
    window.session.set_lanes(arranged)
    go(qtbot, window, "events-1")
    assert window.session.lanes == arranged
    qtbot.waitUntil(lambda: not window.jobs.asked(), timeout=30_000)
    with open_document(night) as document:
        assert document.lanes() == arranged
