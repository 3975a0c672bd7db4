"""Writing, changing and deleting notes in the window: on a position, an event, a range, a lane; arrows."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.document.notes import NoteKind
from core.picture.marks import Ref
from gui.panels.explain import place_label
from gui.text.spoken import tr
from gui.workspace.content import EVENTS
from gui.workspace.edits import AddNote, ChangeNote, DeleteNote
from gui.workspace.session import BOOKMARK, PinnedNote, Session

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

NAMES = {
    NoteKind.POSITION: "explain.note",
    NoteKind.BOOKMARK: "explain.bookmark",
    NoteKind.RANGE: "noting.note-on-a-range",
    NoteKind.LANE: "noting.note-on-a-replica",
    NoteKind.ARROW: "noting.arrow",
}


def connect_notes(window: "MainWindow") -> None:
    """Let lists, marks and the field of a note do what they are for."""
    window.stage.note_wanted.connect(partial(edit_note, window))
    window.stage.canvas.joined.connect(partial(join_events, window))
    window.notes.edit_wanted.connect(partial(edit_note, window))
    window.note_editor.written.connect(partial(write_note, window))
    window.session.content_changed.connect(partial(_forget_field, window))


def note_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on notes, by id."""
    return {
        "note": partial(edit_note, window, 0),
        "arrow": partial(draw_arrow, window),
        "bookmark": partial(set_bookmark, window),
        "edit-note": partial(edit_selected, window),
        "delete-note": partial(delete_note, window),
    }


def edit_selected(window: "MainWindow") -> None:
    """Open the field for the note that is selected."""
    selected = window.session.selection
    if selected is not None and selected.kind == "note":
        edit_note(window, selected.key)


def edit_note(window: "MainWindow", key: int) -> None:
    """Open the field for a note; key 0 is a new one on what is selected, or at the cursor."""
    session = window.session
    if session.content is None:
        return
    note = session.note(key)
    if note is None:
        session.draft = _draft(window)
    _open(window, note or session.draft)


def _open(window: "MainWindow", note: PinnedNote | None) -> None:
    content = window.session.content
    if content is None or note is None:
        return
    where = place_label(content, window.session.position)[0]
    if note.kind == NoteKind.LANE and note.broker is not None:
        where = tr("triage.broker", broker=note.broker)
    elif note.end is not None and note.cursor is not None:
        first, last = (content.position_of(note.run, cursor) for cursor in (note.cursor, note.end))
        where = tr("stretch.positions-to", first=first, last=last)
    point = window.stage.canvas.mapTo(window.shown, window.stage.cursor_point().toPoint())
    head = tr("noting.name-at-place", name=tr(NAMES[NoteKind(note.kind)]), where=where)
    window.note_editor.about = note
    window.note_editor.edit(note.key, note.text, head, point, (note.colour, note.shape))


def _forget_field(window: "MainWindow", _content: object) -> None:
    """Close the field of a note that went with what was open: its words would come into another document.

    Keys of notes begin anew with each document; so the note itself is compared.
    """
    writing = window.note_editor.writing()
    if writing is None:
        return
    session = window.session
    note = session.note(writing[0]) if writing[0] else session.draft
    if note is None or note != window.note_editor.about:
        window.note_editor.cancel()


def _draft(window: "MainWindow") -> PinnedNote | None:
    """A note without words on the selected lane or event, on the marked range, else at the cursor."""
    session = window.session
    content, selected, marked = session.content, session.selection, session.range
    if content is None:
        return None
    if selected is not None and selected.kind == "lane":
        return PinnedNote(0, selected.run, 0, "", 0, broker=selected.broker, kind=NoteKind.LANE)
    if marked is not None and marked[1] is not None:
        pairs = list(zip(content.cursors(marked[0]), content.cursors(marked[1]), strict=True))
        # In a comparison the run that moved in between.
        run = next((run for run, (first, last) in enumerate(pairs) if first < last), 0)
        return PinnedNote(0, run, pairs[run][0], "", 0, kind=NoteKind.RANGE, end=pairs[run][1])
    if selected is not None and selected.kind in EVENTS:
        lane = _lane(session, selected.run, selected.key)
        return PinnedNote(0, selected.run, selected.key + 1, "", 0, broker=lane)
    run, cursor = anchor_place(window)
    return PinnedNote(0, run, cursor, "", 0)


def _lane(session: Session, run: int, seq: int) -> int | None:
    """The broker in whose lane an event stands; None where it concerns the whole partition."""
    if session.content is None:
        return None
    history = session.content.runs[run].history
    event = history.trace.event(seq)
    told = (event.get("replica"), event.get("broker"))
    return next((broker for broker in told if broker in history.replicas), None)


def write_note(window: "MainWindow", key: int, text: str, colour: str, shape: str) -> None:
    """Keep what was written: the new note (key 0), or other words or looks of an old one."""
    session = window.session
    window.stage.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    if session.content is None:
        return
    old = session.note(key)
    if old is not None:
        new = replace(old, text=text, colour=colour, shape=shape)
        if new != old:
            session.undo.push(ChangeNote(session, old, new))
        return
    draft = session.draft or _draft(window)
    session.draft = None
    if draft is not None:
        made = replace(
            draft, key=session.new_key(), text=text, created_ns=time.time_ns(), colour=colour, shape=shape
        )
        session.undo.push(AddNote(session, made))


def draw_arrow(window: "MainWindow") -> None:
    """The first time an arrow begins at the event of the cursor, the second time it ends there."""
    found = event_here(window)
    if found is None:
        window.statusBar().showMessage(tr("noting.an-arrow-goes-from-event-to"), 4000)
        return
    _go_on(window, *found)


def join_events(window: "MainWindow", start: Ref | None, end: Ref | None) -> None:
    """An arrow from one mark to another, as it was drawn with the mouse."""
    both = [ref for ref in (start, end) if ref is not None and ref.kind in EVENTS]
    if len(both) < 2:
        window.statusBar().showMessage(tr("noting.an-arrow-goes-from-event-to"), 4000)
        return
    window.session.draft = None
    for ref in both:
        _go_on(window, ref.run, ref.key + 1, _lane(window.session, ref.run, ref.key))


def event_here(window: "MainWindow") -> tuple[int, int, int | None] | None:
    """Run, cursor and lane of the selected event, or of the last one before the cursor."""
    session = window.session
    content, selected = session.content, session.selection
    if content is None:
        return None
    if selected is not None and selected.kind in EVENTS:
        return selected.run, selected.key + 1, _lane(session, selected.run, selected.key)
    for run, _, now in content.moved(session.position):
        return run, now, _lane(session, run, now - 1)
    return None


def _go_on(window: "MainWindow", run: int, cursor: int, lane: int | None) -> None:
    session = window.session
    begun = session.draft
    if lane is None:
        window.statusBar().showMessage(tr("noting.this-event-stands-in-no-lane"), 4000)
    elif begun is None or not is_begun_arrow(session):
        session.draft = PinnedNote(0, run, cursor, "", 0, broker=lane, kind=NoteKind.ARROW)
        window.statusBar().showMessage(tr("noting.the-arrow-begins-here-shift-a"), 6000)
    elif run != begun.run or (cursor, lane) == (begun.cursor, begun.broker):
        window.statusBar().showMessage(tr("noting.an-arrow-ends-at-another-event"), 4000)
    else:
        window.statusBar().clearMessage()
        session.draft = replace(begun, end=cursor, end_broker=lane)
        _open(window, session.draft)


def is_begun_arrow(session: Session) -> bool:
    """Whether an arrow was begun and has no end yet."""
    return session.draft is not None and session.draft.kind == NoteKind.ARROW and session.draft.end is None


def anchor_place(window: "MainWindow") -> tuple[int, int]:
    """The run and cursor that a note is tied to: a run that moved here, so that it comes back here."""
    content, session = window.session.content, window.session
    if content is None:
        return 0, 0
    moved = [run for run, _, _ in content.moved(session.position)]
    selected = session.selection
    run = selected.run if selected is not None and selected.run in moved else (moved or [0])[0]
    return run, session.cursors[run]


def set_bookmark(window: "MainWindow") -> None:
    """Put a bookmark at the cursor, named by its place; one that is there is selected, to be named anew."""
    session = window.session
    content = session.content
    if content is None:
        return
    marked = [note for note in session.notes if note.kind == BOOKMARK]
    mark = next((note for note in marked if session.note_position(note) == session.position), None)
    if mark is None:
        run, cursor = anchor_place(window)
        place, name = place_label(content, session.position)
        text = f"{name}, {place}" if name else place
        mark = PinnedNote(session.new_key(), run, cursor, text, time.time_ns(), kind=BOOKMARK)
        session.undo.push(AddNote(session, mark))
    session.select(Ref("note", mark.run, mark.key, text=mark.text))
    window.statusBar().showMessage(tr("noting.bookmark-f2-names-it-delete-removes", text=mark.text), 4000)


def delete_note(window: "MainWindow") -> None:
    """Delete the selected note."""
    session = window.session
    note = session.note(session.selection.key) if session.selection is not None else None
    if note is not None:
        session.undo.push(DeleteNote(session, note))
