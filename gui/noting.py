"""Writing, changing and deleting notes in the window."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.picture.marks import Ref
from gui.edits import AddNote, ChangeNote, DeleteNote
from gui.i18n import tr
from gui.panels.explain import place_label
from gui.session import BOOKMARK, PinnedNote

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def edit_note(window: "MainWindow", key: int) -> None:
    """Open the field for a note; key 0 is a new one at the cursor."""
    content = window.session.content
    if content is None:
        return
    note = window.session.note(key)
    where = place_label(content, window.session.position)[0]
    point = window.stage.canvas.mapTo(window.shown, window.stage.cursor_point().toPoint())
    name = tr("Bookmark") if note is not None and note.kind == BOOKMARK else tr("Note")
    window.note_editor.edit(
        key, note.text if note else "", tr("{name} at {where}", name=name, where=where), point
    )


def write_note(window: "MainWindow", key: int, text: str) -> None:
    """Keep what was written: a new note where the cursor is (key 0), or another text of an old one."""
    session = window.session
    window.stage.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    if session.content is None:
        return
    old = session.note(key)
    if old is not None:
        if old.text != text:
            session.undo.push(ChangeNote(session, old, text))
        return
    run, cursor = anchor_place(window)
    note = PinnedNote(session.new_key(), run, cursor, text, time.time_ns())
    session.undo.push(AddNote(session, note))


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
    window.statusBar().showMessage(
        tr("Bookmark: {text}. F2 names it, Delete removes it", text=mark.text), 4000
    )


def delete_note(window: "MainWindow") -> None:
    """Delete the selected note."""
    session = window.session
    note = session.note(session.selection.key) if session.selection is not None else None
    if note is not None:
        session.undo.push(DeleteNote(session, note))
