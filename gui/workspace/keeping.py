"""Write what people add to a document as they add it. It runs in the documents' thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.document.lane_order import USUAL, LaneOrder
from core.errors import DocumentError, Facts, MissingDocumentError
from core.trace.trace import Trace
from core.work import Work
from gui.workspace.loading import to_store, write_document
from gui.workspace.pinned import NOTHING_LATER, Later, PinnedNote

if TYPE_CHECKING:
    from db.document import Document, Identity


@dataclass(frozen=True, slots=True)
class Added:
    """What a person added to what is open: notes by key, ties, how the lanes are arranged.

    `later` is what was added with a later version. It is in the document; a new one is given it.
    """

    notes: tuple[PinnedNote, ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    lanes: LaneOrder = USUAL
    later: Later = NOTHING_LATER


@dataclass(slots=True)
class Kept:
    """The document behind what is open, what it has of what was added, and the id of each note by its key.

    It is opened for writing when there is something to write, and then no other process can write it.
    """

    path: str
    identity: "Identity | None"
    ids: dict[int, int]
    written: Added
    document: "Document | None" = None
    missing: bool = field(default=False)
    """Whether the file was found not to be in its place any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many changes the document does not have, and why; none where all went well."""

    unwritten: int = 0
    facts: Facts | None = None


def keep(kept: Kept, added: Added, traces: tuple[Trace, ...]) -> Outcome:
    """Write what differs from what the document has, one transaction a change.

    What could not be written is tried again with the next change.
    """
    try:
        _write(kept, added, traces)
    except DocumentError as error:
        kept.missing = isinstance(error, MissingDocumentError)
        return Outcome(_differences(kept.written, added), error.facts)
    kept.missing = False
    return Outcome()


def save(
    kept: Kept | None, source: str, path: str, added: Added, traces: tuple[Trace, ...], work: Work
) -> Kept:
    """Write the document under this name, and give it. What stood there is replaced, in one step.

    `source` is the document that partitions are read from one at a time, "" where all are in memory.
    """
    from db.owner import real

    if source and kept is not None:
        identity = _copy(kept, path, work)
        return Kept(path, identity, dict(kept.ids), kept.written)
    if kept is not None and real(kept.path) == real(path):
        close(kept)
    ids, identity = write_document(
        path, traces, added.notes, added.ties, added.lanes, work, later=added.later
    )
    return Kept(path, identity, dict(ids), added)


def close(kept: Kept) -> None:
    """Let others write the document."""
    if kept.document is not None:
        kept.document.close()
        kept.document = None


def opened(kept: Kept) -> "Document":
    """The document, open for writing.

    Raises DocumentError; MissingDocumentError where it is another one now.
    """
    from db.document import open_document

    if kept.document is None:
        kept.document = open_document(kept.path, write=True, expected=kept.identity)
        kept.identity = kept.document.identity
    return kept.document


def _write(kept: Kept, added: Added, traces: tuple[Trace, ...]) -> None:
    before = {note.key: note for note in kept.written.notes}
    for note in sorted(added.notes, key=lambda one: one.key):
        if before.get(note.key) != note:
            stored = opened(kept).put_note(to_store(note, traces, kept.ids.get(note.key, 0)))
            kept.ids[note.key] = stored.note_id
            before[note.key] = note
            kept.written = replace(kept.written, notes=tuple(before.values()))
    for key in set(before) - {note.key for note in added.notes}:
        if key in kept.ids:
            opened(kept).delete_note(kept.ids[key])
            del kept.ids[key]
        del before[key]
        kept.written = replace(kept.written, notes=tuple(before.values()))
    if added.ties != kept.written.ties:
        _write_ties(kept, added.ties, traces)
        kept.written = replace(kept.written, ties=added.ties)
    if added.lanes != kept.written.lanes:
        opened(kept).put_lanes(added.lanes)
        kept.written = replace(kept.written, lanes=added.lanes)


def _write_ties(kept: Kept, ties: Sequence[Sequence[int]], traces: tuple[Trace, ...]) -> None:
    """Keep these ties between the traces, and those between others."""
    from db.ties import tied_among

    if len(traces) > 1:
        document = opened(kept)
        document.put_ties(tied_among(document.ties(), traces, ties))


def _differences(written: Added, added: Added) -> int:
    before, now = set(written.notes), set(added.notes)
    keys = {note.key for note in before ^ now}
    return len(keys) + (written.ties != added.ties) + (written.lanes != added.lanes)


def _copy(kept: Kept, path: str, work: Work) -> "Identity":
    """Copy a document that is read one partition at a time; from the open file, even if it was deleted."""
    from db.document import open_document

    if kept.document is not None:
        if not (Path(path).exists() and Path(path).samefile(kept.path)) or kept.missing:
            kept.document.copy(path, work)
        return kept.document.identity
    with open_document(kept.path, expected=kept.identity) as document:
        if not (Path(path).exists() and Path(path).samefile(kept.path)):
            document.copy(path, work)
        return document.identity
