"""Notes as the window holds them, and what a later version wrote beside them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.diagnose.verdict.summary import Triage
from core.document.notes import NoteKind

if TYPE_CHECKING:
    from db.notes import Note

NOTE: Final = NoteKind.POSITION
BOOKMARK: Final = NoteKind.BOOKMARK


@dataclass(frozen=True, slots=True)
class PinnedNote:
    """A note as the window holds it. `key` is its name while the window is open.

    `cursor` is None where its anchor does not resolve in what is open: it is listed then, and not drawn.
    """

    key: int
    run: int
    cursor: int | None
    text: str
    created_ns: int
    author: str = ""
    broker: int | None = None
    kind: str = NOTE
    """One of NoteKind."""
    end: int | None = None
    """The cursor at which a range or an arrow ends."""
    end_broker: int | None = None
    colour: str = ""
    shape: str = ""
    """"" is the usual one; else of COLOURS and SHAPES in core/picture/notes.py."""
    stored: "Note | None" = None
    """The note as a document has it: where it is anchored, should it have no place in what is open."""


@dataclass(frozen=True, slots=True)
class Later:
    """What a later version wrote into what is open: nothing of it is shown, and it is saved with the rest."""

    notes: tuple["Note", ...] = ()
    found: tuple[tuple[str, Triage], ...] = ()
    """The triage of each trace, by its name, that has findings of checks that only a later version knows."""


NOTHING_LATER: Final = Later()
