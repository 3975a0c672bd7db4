"""What a session has of what is open: set aside while it shows something else, or told to have changed."""

from dataclasses import dataclass

from core.diagnose.account.page import AccountPage
from core.diagnose.verdict.summary import Triage
from core.document.lane_order import LaneOrder
from core.picture.drawing import Drawing
from core.picture.marks import Ref
from core.trace.trace import Trace
from core.words import Language
from gui.workspace.content import Content
from gui.workspace.pinned import Later, PinnedNote
from gui.workspace.undo import Edits


@dataclass(frozen=True, slots=True)
class Belongings:
    """What belongs to a content, or comes with it: as it was before another one was shown."""

    path: str
    triage: Triage | None
    selection: Ref | None
    range: tuple[int, int | None] | None
    window: tuple[int, int] | None
    lanes: LaneOrder
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class Held:
    """What belongs to a source, whichever of its partitions is looked at."""

    path: str
    triage: Triage | None
    account: AccountPage | None
    notes: tuple[PinnedNote, ...]
    later: Later
    lanes: LaneOrder
    keys: int
    """The key of the last note that was made."""
    unwritten: int
    edits: Edits


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked at of a source, and where in it one is."""

    content: Content | None
    traces: tuple[Trace, ...]
    position: int
    selection: Ref | None
    window: tuple[int, int] | None
    range: tuple[int, int | None] | None
    drawing: Drawing
    language: Language
    """In which it is told."""
