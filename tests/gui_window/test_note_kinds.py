"""Notes on a range, on a replica, on an event, and arrows: made, changed, undone, kept and exported."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.notes import NoteKind
from core.picture.hit import mark_at
from core.picture.marks import Line, Ref, Sign
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from gui.cli import run
from gui.timeline.scenes import GUTTER
from gui.window.main_window import MainWindow
from gui.workspace.pinned import PinnedNote
from importers.load import load
from tests.archives import unpack_recording
from tests.gui_window.conftest import Answers, anew
from tests.recordings.whole import whole as recording

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


@pytest.fixture
def alone(opened: Opened, window: MainWindow) -> MainWindow:
    """The loss as one timeline."""
    return opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))


def write(window: MainWindow, text: str) -> PinnedNote:
    """Type into the field that is open, and keep it."""
    assert window.note_editor.isVisible()
    QTest.keyClicks(window.note_editor.field, text)
    QTest.keyClick(window.note_editor.field, Qt.Key.Key_Return)
    return next(note for note in window.session.notes if note.text == text)


def marks_of(window: MainWindow, key: int) -> list[object]:
    picture = window.stage.canvas.picture
    assert picture is not None
    return [
        mark
        for mark in picture.marks()
        if getattr(mark, "ref", None) is not None and (mark.ref.kind, mark.ref.key) == ("note", key)  # type: ignore[union-attr]
    ]


def event_in_lane(window: MainWindow, broker: int, after: int = 0) -> Ref:
    """An event of a replica's lane, as a click on its mark selects it."""
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    for seq in history.seqs.tolist():
        event = history.trace.event(seq)
        if seq > after and event.get("replica") == broker:
            return Ref("event", 0, seq, broker)
    raise AssertionError(broker)


def select(window: MainWindow, ref: Ref) -> None:
    content = window.session.content
    assert content is not None
    window.session.set_position(content.position_of(0, ref.key + 1))
    window.session.select(ref)


def test_a_note_on_a_marked_range_is_a_bracket_between_its_ends(alone: MainWindow) -> None:
    alone.session.set_range((20, 40))
    alone.actions_["note"].trigger()
    assert alone.note_editor.where() == "Note on a range at positions 20 to 40"
    note = write(alone, "only copy")
    content = alone.session.content
    assert content is not None
    assert (note.kind, note.cursor, note.end) == (
        NoteKind.RANGE, content.cursors(20)[0], content.cursors(40)[0]
    )  # fmt: skip
    (bracket,) = [mark for mark in marks_of(alone, note.key) if isinstance(mark, Line)]
    assert bracket.points[0][0] < bracket.points[1][0]
    assert "to position 40" in alone.notes.list.item(0).toolTip()
    alone.actions_["undo"].trigger()
    assert alone.session.notes == ()
    alone.actions_["redo"].trigger()
    assert alone.session.notes == (note,)


@pytest.mark.slow
def test_a_note_on_a_replica_stands_in_the_gutter(alone: MainWindow) -> None:
    alone.session.select(Ref("lane", 0, 2, 2, "broker 2"))
    alone.actions_["note"].trigger()
    note = write(alone, "slow disk")
    assert (note.kind, note.broker) == (NoteKind.LANE, 2)
    (tag,) = [mark for mark in marks_of(alone, note.key) if isinstance(mark, Sign)]
    assert tag.x < GUTTER
    assert "broker 2" in alone.notes.list.item(0).toolTip()


def test_a_note_on_an_event_stands_in_its_lane(alone: MainWindow) -> None:
    select(alone, event_in_lane(alone, 2))
    alone.actions_["note"].trigger()
    note = write(alone, "this append")
    assert (note.kind, note.broker) == (NoteKind.POSITION, 2)
    lane = next(strip for strip in alone.stage.canvas.strips if strip.broker == 2)
    (tag,) = [mark for mark in marks_of(alone, note.key) if isinstance(mark, Sign)]
    assert lane.top < tag.y < lane.bottom


def test_an_arrow_goes_from_one_event_to_another(alone: MainWindow) -> None:
    first, last = event_in_lane(alone, 1), event_in_lane(alone, 2, after=30)
    select(alone, first)
    alone.stage.canvas.setFocus()
    QTest.keyClick(alone.stage.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert not alone.note_editor.isVisible()
    select(alone, last)
    QTest.keyClick(alone.stage.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    note = write(alone, "because of this")
    assert (note.kind, note.cursor, note.end, note.broker, note.end_broker) == (
        NoteKind.ARROW, first.key + 1, last.key + 1, 1, 2
    )  # fmt: skip
    (line,) = [mark for mark in marks_of(alone, note.key) if isinstance(mark, Line)]
    assert line.arrow == 7.0
    alone.actions_["undo"].trigger()
    assert alone.session.notes == ()


def test_an_arrow_that_was_begun_is_forgotten_with_escape(alone: MainWindow) -> None:
    select(alone, event_in_lane(alone, 1))
    alone.actions_["arrow"].trigger()
    assert alone.session.draft is not None
    alone.actions_["clear"].trigger()
    assert alone.session.draft is None
    assert alone.session.notes == ()


def test_alt_and_the_mouse_draw_an_arrow(alone: MainWindow) -> None:
    canvas = alone.stage.canvas
    picture = canvas.picture
    assert picture is not None
    signs = [
        mark
        for mark in picture.marks()
        if isinstance(mark, Sign) and mark.ref is not None and mark.ref.kind == "event" and mark.label == ""
    ]
    free = [mark for mark in signs if mark_at(picture, mark.x, mark.y) == mark.ref]
    first, last = free[0], free[-1]
    assert first.ref is not None
    assert last.ref is not None
    assert first.ref.key != last.ref.key
    for kind, mark in (
        (QEvent.Type.MouseButtonPress, first),
        (QEvent.Type.MouseMove, last),
        (QEvent.Type.MouseButtonRelease, last),
    ):
        at = QPointF(mark.x, mark.y)
        button, alt = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier
        event = QMouseEvent(kind, at, canvas.mapToGlobal(at), button, button, alt)
        handlers = {
            QEvent.Type.MouseButtonPress: canvas.mousePressEvent,
            QEvent.Type.MouseMove: canvas.mouseMoveEvent,
            QEvent.Type.MouseButtonRelease: canvas.mouseReleaseEvent,
        }
        handlers[kind](event)
    note = write(alone, "seen")
    assert (note.kind, note.cursor, note.end) == (NoteKind.ARROW, first.ref.key + 1, last.ref.key + 1)


def test_colour_and_shape_are_chosen_changed_and_undone(alone: MainWindow) -> None:
    alone.actions_["note"].trigger()
    editor = alone.note_editor
    editor.colour.setCurrentIndex(editor.colour.findData("ok"))
    note = write(alone, "fine")
    assert (note.colour, note.shape) == ("ok", "")
    alone.session.select(Ref("note", 0, note.key))
    alone.actions_["edit-note"].trigger()
    assert editor.colour.currentData() == "ok"
    editor.shape.setCurrentIndex(editor.shape.findData("round"))
    changed = write(alone, "fine again")
    assert changed == replace(note, text="fine again", shape="round")
    (tag,) = [mark for mark in marks_of(alone, note.key) if isinstance(mark, Sign)]
    assert (tag.role, tag.glyph) == ("ok", "round note")
    alone.actions_["undo"].trigger()
    assert alone.session.notes == (note,)


def kinds(trace: Trace) -> list[Note]:
    """One note of each kind."""
    first, last = anchor_of(trace, 40), anchor_of(trace, 90)
    return [
        Note(0, trace.name, first, "on a position", colour="hw", shape="pointed"),
        Note(0, trace.name, first, "on a range", kind="range", end=last),
        Note(0, trace.name, anchor_of(trace, 0), "on a replica", kind="lane", broker=1),
        Note(0, trace.name, first, "an arrow", kind="arrow", broker=1, end=last, end_broker=2),
    ]


@pytest.mark.slow
def test_all_kinds_are_kept_and_in_every_picture(
    opened: Opened, window: MainWindow, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    trace = recording("k28-epoch-fix").trace
    path = tmp_path / "case.tide"
    create(path, [trace], notes=kinds(trace))
    opened(lambda: window.store.open_groups(((str(path),),)))
    notes = {note.kind: note for note in window.session.notes}
    assert len(notes) == 4
    assert (notes[NoteKind.ARROW].cursor, notes[NoteKind.ARROW].end) == (40, 90)
    # Another name: all of it is written again, from the window.
    answers.save = str(tmp_path / "again.tide")
    with qtbot.waitSignal(window.store.saved, timeout=60_000):
        window.actions_["save-as"].trigger()
    window.close()
    with open_document(tmp_path / "again.tide") as document:
        kept = [replace(note, note_id=0) for note in document.notes()]
    assert sorted(kept, key=str) == sorted(kinds(trace), key=str)
    for ending in (".svg", ".html"):
        target = tmp_path / f"a{ending}"
        assert run(["export", str(path), "-o", str(target)]) == 0
        text = target.read_text(encoding="utf-8")
        assert all(note.text in text for note in kinds(trace))


@pytest.mark.slow
def test_ends_stay_with_their_evidence_when_logs_are_added(tmp_path: Path) -> None:
    """One broker's logs first, then all: the same lines are at other cursors."""
    from db.rebuild import rebuild

    folder, _ = unpack_recording("k28-epoch-fix", tmp_path)
    part = load([next(path for path in sorted(folder.iterdir()) if path.is_dir())])
    whole = replace(recording("k28-epoch-fix").trace, name=part.name)
    path = tmp_path / "case.tide"
    before = Note(0, part.name, anchor_of(part, 20), "x", kind="range", end=anchor_of(part, len(part) - 5))
    create(path, [part], notes=[before])
    assert rebuild(path, whole) == ()
    from db.anchors import resolve

    with open_document(path) as document:
        (note,) = document.notes()
        trace = document.trace(None)
        assert note.end is not None
        ends = [resolve(trace, note.anchor), resolve(trace, note.end)]
    for old, new in zip((20, len(part) - 5), ends, strict=True):
        assert new is not None
        said, says = part.event(old - 1), trace.event(new - 1)
        assert (said.kind, said.line, said.values) == (says.kind, says.line, says.values)
