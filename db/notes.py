"""Notes: what a person writes on a position. Each edit is one transaction."""

from dataclasses import dataclass, replace
from typing import Final

import sqlalchemy as sa

from core.document.notes import COLOURS, SHAPES, NoteKind
from db.allowed import check_rows
from db.anchors import Anchor
from db.shapes import word
from db.tables import NoteRow, table_of

_NOTES = table_of(NoteRow)
_KNOWN: Final = {
    "kind": frozenset(map(str, NoteKind)),
    "colour": frozenset({"", *COLOURS}),
    "shape": frozenset({"", *SHAPES}),
}
"""The words that this version knows in these columns; "" is the usual look."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text on a place of one trace. `note_id` 0 is a note that was never stored.

    `kind` is one of NoteKind in core/document/notes.py. `broker` is the lane that it belongs to, None for the
    whole position; a range and an arrow have an `end`, with its lane. `colour` and `shape` are names of the
    same module, "" is the usual one. `created_ns` is UTC. A later version may have other words for the three:
    such a note is kept as it is, and not shown (`is_known`).
    """

    note_id: int
    trace_name: str
    anchor: Anchor
    text: str
    author: str = ""
    created_ns: int = 0
    kind: str = "position"
    broker: int | None = None
    end: Anchor | None = None
    end_broker: int | None = None
    colour: str = ""
    shape: str = ""

    @property
    def is_known(self) -> bool:
        """Whether this version can show it: it knows its kind, its colour and its shape."""
        return all(getattr(self, name) in known for name, known in _KNOWN.items())


def read_notes(connection: sa.Connection) -> tuple[Note, ...]:
    """All notes, in the order in which they were written first. One from an older document has no end.

    Those of a later version are among them (`Note.is_known`). Raises ValueError where a row is no note of any
    version.
    """
    check_rows(connection, _NOTES)
    there = {column["name"] for column in sa.inspect(connection).get_columns(_NOTES.name)}
    columns = [column for column in _NOTES.c if column.name in there]
    return tuple(
        _note(row) for row in connection.execute(sa.select(*columns).order_by(_NOTES.c.id)).mappings()
    )


def _note(row: sa.RowMapping) -> Note:
    end = None
    for name, known in _KNOWN.items():
        if row.get(name, "") not in known:
            word(row[name], f"note.{name}")
    if row.get("end_key") is not None:
        if None in (row["end_position"], row["end_partition"], row["end_ordinal"]):
            message = "the end of a note is no place"
            raise ValueError(message)
        end = Anchor(row["end_key"], row["end_position"], row["end_partition"], row["end_ordinal"])
    return Note(
        note_id=row["id"],
        trace_name=row["trace_name"],
        anchor=Anchor(
            row["anchor_key"], row["anchor_position"], row["anchor_partition"], row["anchor_ordinal"]
        ),
        text=row["text"],
        author=row["author"],
        created_ns=row["created_ns"],
        kind=row["kind"],
        broker=row["broker"],
        end=end,
        end_broker=row.get("end_broker"),
        colour=row.get("colour", ""),
        shape=row.get("shape", ""),
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
        "end_key": note.end.key if note.end else None,
        "end_position": note.end.position if note.end else None,
        "end_partition": note.end.partition if note.end else None,
        "end_ordinal": note.end.ordinal if note.end else None,
        "end_broker": note.end_broker,
        "colour": note.colour,
        "shape": note.shape,
    }
    if note.note_id:
        values["id"] = note.note_id
        connection.execute(sa.delete(_NOTES).where(_NOTES.c.id == note.note_id))
    made = connection.execute(sa.insert(_NOTES).values(**values))
    return replace(note, note_id=int(made.inserted_primary_key[0]) if made.inserted_primary_key else 0)


def remove_note(connection: sa.Connection, note_id: int) -> None:
    """Delete a note; one that is not there is no error, since undo may come twice."""
    connection.execute(sa.delete(_NOTES).where(_NOTES.c.id == note_id))
