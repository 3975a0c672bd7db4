"""What a session tells, to whoever listens."""

from dataclasses import dataclass, field

from core.diagnose.verdict.summary import Triage
from core.document.lane_order import LaneOrder
from core.picture.drawing import Drawing
from core.picture.marks import Ref
from gui.workspace.changes import Change, Told
from gui.workspace.content import Content
from gui.workspace.draft import Draft
from gui.workspace.pinned import PinnedNote


@dataclass(frozen=True, slots=True)
class SessionChanges:
    """What a session tells. Each part of the window listens to what it shows."""

    content_changed: Change[Content | None] = field(default_factory=Told[Content | None])
    causes_changed: Change[Content] = field(default_factory=Told[Content])
    """what is open, with what is responsible for its differences, and nothing else changed"""
    position_changed: Change[int] = field(default_factory=Told[int])
    selection_changed: Change[Ref | None] = field(default_factory=Told[Ref | None])
    window_changed: Change[tuple[int, int] | None] = field(default_factory=Told[tuple[int, int] | None])
    """(first, last) in ns, or None for all"""
    range_changed: Change[tuple[int, int | None] | None] = field(
        default_factory=Told[tuple[int, int | None] | None]
    )
    """(first, last) in positions, last None while only its beginning is marked; or None"""
    lanes_changed: Change[LaneOrder] = field(default_factory=Told[LaneOrder])
    drawing_changed: Change[Drawing] = field(default_factory=Told[Drawing])
    notes_changed: Change[tuple[PinnedNote, ...]] = field(default_factory=Told[tuple[PinnedNote, ...]])
    playing_changed: Change[bool] = field(default_factory=Told[bool])
    speed_changed: Change[float] = field(default_factory=Told[float])
    theme_changed: Change[str] = field(default_factory=Told[str])
    """one of THEMES"""
    triage_changed: Change[Triage | None] = field(default_factory=Told[Triage | None])
    scenario_changed: Change[Draft] = field(default_factory=Told[Draft])
    """the scenario that is edited"""
    path_changed: Change[str] = field(default_factory=Told[str])
    """the document's path, "" for one that was never named"""
    unwritten_changed: Change[int] = field(default_factory=Told[int])
    """how many changes the document does not have"""
    undo_changed: Change[tuple[bool, bool]] = field(default_factory=Told[tuple[bool, bool]])
    """(whether something can be undone, whether something can be done again)"""
