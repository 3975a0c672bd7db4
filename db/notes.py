"""Notes: what a person writes on a position. Each edit is one transaction."""

from dataclasses import dataclass, replace

import sqlalchemy as sa

from db.anchors import Anchor
from db.tables import NoteRow, table_of

_NOTES = table_of(NoteRow)


@dataclass(frozen=True, slots=True)
class Note:
    """A text on a position of one trace. `note_id` 0 is a note that was never stored.

    `kind` is "position" for a note and "bookmark" for the name of a position. `broker` is the lane that it
    belongs to, None for the whole position. `created_ns` is UTC.
    """

    note_id: int
    trace_name: str
    anchor: Anchor
    text: str
    author: str = ""
    created_ns: int = 0
    kind: str = "position"
    broker: int | None = None


def read_notes(connection: sa.Connection) -> tuple[Note, ...]:
    """All notes, in the order in which they were written first."""
    return tuple(
        Note(
            note_id=row.id,
            trace_name=row.trace_name,
            anchor=Anchor(row.anchor_key, row.anchor_position, row.anchor_partition, row.anchor_ordinal),
            text=row.text,
            author=row.author,
            created_ns=row.created_ns,
            kind=row.kind,
            broker=row.broker,
        )
        for row in connection.execute(sa.select(_NOTES).order_by(_NOTES.c.id))
    )


def write_note(connection: sa.Connection, note: Note) -> Note:
    """Store a new note (id 0) or the new state of an old one, even of a deleted one. Gives it with its id."""
    values = {
        "trace_name": note.trace_name,
        "anchor_key": note.anchor.key,
        "anchor_position": note.anchor.position,
        "anchor_partition": note.anchor.partition,
        "anchor_ordinal": note.anchor.ordinal,
        "text": note.text,
        "author": note.author,
        "created_ns": note.created_ns,
        "kind": note.kind,
        "broker": note.broker,
    }
    if note.note_id:
        values["id"] = note.note_id
        connection.execute(sa.delete(_NOTES).where(_NOTES.c.id == note.note_id))
    made = connection.execute(sa.insert(_NOTES).values(**values))
    return replace(note, note_id=int(made.inserted_primary_key[0]) if made.inserted_primary_key else 0)


def remove_note(connection: sa.Connection, note_id: int) -> None:
    """Delete a note; one that is not there is no error, since undo may come twice."""
    connection.execute(sa.delete(_NOTES).where(_NOTES.c.id == note_id))
