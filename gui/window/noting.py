"""Writing, changing and deleting notes in the window: on a position, an event, a range, a lane; arrows."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.document.notes import NoteKind
from core.picture.marks import Ref
from gui.panels.explain import place_label
from gui.panels.note_editor import NoteEditor
from gui.text.spoken import tr
from gui.timeline.stage import Stage
from gui.window.person import Say
from gui.workspace.content import EVENTS
from gui.workspace.edits import AddNote, ChangeNote, DeleteNote
from gui.workspace.noting import anchor_place, draft_here, event_here, is_begun_arrow, lane_of
from gui.workspace.pinned import BOOKMARK, PinnedNote
from gui.workspace.session import Session

NAMES = {
    NoteKind.POSITION: "explain.note",
    NoteKind.BOOKMARK: "explain.bookmark",
    NoteKind.RANGE: "noting.note-on-a-range",
    NoteKind.LANE: "noting.note-on-a-replica",
    NoteKind.ARROW: "noting.arrow",
}


class Notes:
    """Writes, changes and deletes the notes of a session, in a field over the timeline."""

    def __init__(self, session: Session, stage: Stage, editor: NoteEditor, over: QWidget, say: Say) -> None:
        """The field `editor` opens over a widget that holds the stage, at the cursor."""
        self._session, self._stage, self._editor, self._over, self._say = session, stage, editor, over, say
        self._stage.note_wanted.connect(self.edit_note)
        self._stage.canvas.joined.connect(self.join_events)
        self._editor.written.connect(self.write_note)
        self._session.content_changed.connect(self._forget_field)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on notes, by id."""
        return {
            "note": partial(self.edit_note, 0),
            "arrow": self.draw_arrow,
            "bookmark": self.set_bookmark,
            "edit-note": self.edit_selected,
            "delete-note": self.delete_note,
        }

    def edit_selected(self) -> None:
        """Open the field for the note that is selected."""
        selected = self._session.selection
        if selected is not None and selected.kind == "note":
            self.edit_note(selected.key)

    def edit_note(self, key: int) -> None:
        """Open the field for a note; key 0 is a new one on what is selected, or at the cursor."""
        session = self._session
        if session.content is None:
            return
        note = session.note(key)
        if note is None:
            session.draft = draft_here(session)
        self._open(note or session.draft)

    def _open(self, note: PinnedNote | None) -> None:
        content = self._session.content
        if content is None or note is None:
            return
        where = place_label(content, self._session.position)[0]
        if note.kind == NoteKind.LANE and note.broker is not None:
            where = tr("triage.broker", broker=note.broker)
        elif note.end is not None and note.cursor is not None:
            first, last = (content.position_of(note.run, cursor) for cursor in (note.cursor, note.end))
            where = tr("stretch.positions-to", first=first, last=last)
        point = self._stage.canvas.mapTo(self._over, self._stage.cursor_point().toPoint())
        head = tr("noting.name-at-place", name=tr(NAMES[NoteKind(note.kind)]), where=where)
        self._editor.about = note
        self._editor.edit(note.key, note.text, head, point, (note.colour, note.shape))

    def _forget_field(self, _content: object) -> None:
        """Close the field of a note that went with what was open: its words would come into another document.

        Keys of notes begin anew with each document; so the note itself is compared.
        """
        writing = self._editor.writing()
        if writing is None:
            return
        session = self._session
        note = session.note(writing[0]) if writing[0] else session.draft
        if note is None or note != self._editor.about:
            self._editor.cancel()

    def write_note(self, key: int, text: str, colour: str, shape: str) -> None:
        """Keep what was written: the new note (key 0), or other words or looks of an old one."""
        session = self._session
        self._stage.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        if session.content is None:
            return
        old = session.note(key)
        if old is not None:
            new = replace(old, text=text, colour=colour, shape=shape)
            if new != old:
                session.undo.push(ChangeNote(session, old, new))
            return
        draft = session.draft or draft_here(session)
        session.draft = None
        if draft is not None:
            made = replace(
                draft, key=session.new_key(), text=text, created_ns=time.time_ns(), colour=colour, shape=shape
            )
            session.undo.push(AddNote(session, made))

    def draw_arrow(self) -> None:
        """The first time an arrow begins at the event of the cursor, the second time it ends there."""
        found = event_here(self._session)
        if found is None:
            self._say(tr("noting.an-arrow-goes-from-event-to"), 4000)
            return
        self._go_on(*found)

    def join_events(self, start: Ref | None, end: Ref | None) -> None:
        """An arrow from one mark to another, as it was drawn with the mouse."""
        both = [ref for ref in (start, end) if ref is not None and ref.kind in EVENTS]
        if len(both) < 2:
            self._say(tr("noting.an-arrow-goes-from-event-to"), 4000)
            return
        self._session.draft = None
        for ref in both:
            self._go_on(ref.run, ref.key + 1, lane_of(self._session, ref.run, ref.key))

    def _go_on(self, run: int, cursor: int, lane: int | None) -> None:
        session = self._session
        begun = session.draft
        if lane is None:
            self._say(tr("noting.this-event-stands-in-no-lane"), 4000)
        elif begun is None or not is_begun_arrow(session):
            session.draft = PinnedNote(0, run, cursor, "", 0, broker=lane, kind=NoteKind.ARROW)
            self._say(tr("noting.the-arrow-begins-here-shift-a"), 6000)
        elif run != begun.run or (cursor, lane) == (begun.cursor, begun.broker):
            self._say(tr("noting.an-arrow-ends-at-another-event"), 4000)
        else:
            self._say("", 0)
            session.draft = replace(begun, end=cursor, end_broker=lane)
            self._open(session.draft)

    def set_bookmark(self) -> None:
        """Put a bookmark at the cursor, named by its place; one that is there is selected, to be renamed."""
        session = self._session
        content = session.content
        if content is None:
            return
        marked = [note for note in session.notes if note.kind == BOOKMARK]
        mark = next((note for note in marked if session.note_position(note) == session.position), None)
        if mark is None:
            run, cursor = anchor_place(session)
            place, name = place_label(content, session.position)
            text = f"{name}, {place}" if name else place
            mark = PinnedNote(session.new_key(), run, cursor, text, time.time_ns(), kind=BOOKMARK)
            session.undo.push(AddNote(session, mark))
        session.select(Ref("note", mark.run, mark.key, text=mark.text))
        self._say(tr("noting.bookmark-f2-names-it-delete-removes", text=mark.text), 4000)

    def delete_note(self) -> None:
        """Delete the selected note."""
        session = self._session
        note = session.note(session.selection.key) if session.selection is not None else None
        if note is not None:
            session.undo.push(DeleteNote(session, note))
