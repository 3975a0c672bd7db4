"""The only state that the parts of the window share. Every setter returns early where nothing changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from core.diagnose.summary import Triage
from core.picture.drawing import PLAIN, Drawing
from core.picture.lane_order import USUAL, LaneOrder
from core.picture.marks import Ref
from core.picture.notes import NoteKind
from core.trace.trace import Trace
from gui.content import Content
from gui.scenarios.draft import Draft

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
"""Of playing; 1 is 600 ms a position."""

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


class Session(QObject):
    """What is open, where the cursor stands, what is selected, and what a person added."""

    content_changed = Signal(object)
    """Content or None"""
    position_changed = Signal(int)
    selection_changed = Signal(object)
    """Ref or None"""
    window_changed = Signal(object)
    """(first, last) in ns, or None for all"""
    range_changed = Signal(object)
    """(first, last) in positions, last None while only its beginning is marked; or None"""
    lanes_changed = Signal(object)
    """LaneOrder"""
    drawing_changed = Signal(object)
    """Drawing"""
    notes_changed = Signal(object)
    """tuple of PinnedNote"""
    playing_changed = Signal(bool)
    speed_changed = Signal(float)
    theme_changed = Signal(str)
    """one of THEMES"""
    triage_changed = Signal(object)
    """Triage or None"""
    scenario_changed = Signal(object)
    """Draft: the scenario that is edited"""
    path_changed = Signal(str)
    """the document's path, "" for one that was never named"""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is open."""
        super().__init__(parent)
        self.undo = QUndoStack(self)
        self._content: Content | None = None
        self._traces: tuple[Trace, ...] = ()
        self._triage: Triage | None = None
        self._position = 0
        self._selection: Ref | None = None
        self._window: tuple[int, int] | None = None
        self._range: tuple[int, int | None] | None = None
        self._lanes = USUAL
        self._drawing = PLAIN
        self._notes: tuple[PinnedNote, ...] = ()
        self.draft: PinnedNote | None = None
        """The note that is being written, or an arrow that was begun: kept nowhere until it has a text."""
        self.tie: Mapping[int, int] = MappingProxyType({})
        """A tie that was begun: the cursor of each run that is in it."""
        self._keys = 0
        self._playing = False
        self._speed = 1.0
        self._theme = "light"
        self._path = ""
        self._scenario = Draft()

    @property
    def content(self) -> Content | None:
        """What is open."""
        return self._content

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The traces that were opened, whole."""
        return self._traces

    @property
    def triage(self) -> Triage | None:
        """What was found of all partitions of the one trace; None with several runs."""
        return self._triage

    @property
    def position(self) -> int:
        """0..content.last; 0 where nothing is open."""
        return self._position

    @property
    def cursors(self) -> tuple[int, ...]:
        """The cursor of each run; () where nothing is open."""
        return () if self._content is None else self._content.cursors(self._position)

    @property
    def selection(self) -> Ref | None:
        """The mark that is selected."""
        return self._selection

    @property
    def window(self) -> tuple[int, int] | None:
        """The stretch of time that the timeline shows, ns; None is all."""
        return self._window

    @property
    def range(self) -> tuple[int, int | None] | None:
        """The range that was marked, in positions, first before last; last None while it has no end."""
        return self._range

    @property
    def lanes(self) -> LaneOrder:
        """How the lanes of a timeline are arranged, in all partitions of what is open."""
        return self._lanes

    @property
    def drawing(self) -> Drawing:
        """How lanes are drawn."""
        return self._drawing

    @property
    def notes(self) -> tuple[PinnedNote, ...]:
        """All notes, by position; those that do not resolve are last."""
        return self._notes

    @property
    def playing(self) -> bool:
        """Whether the cursor runs by itself."""
        return self._playing

    @property
    def speed(self) -> float:
        """One of SPEEDS."""
        return self._speed

    @property
    def theme(self) -> str:
        """One of THEMES in gui/theme.py."""
        return self._theme

    @property
    def path(self) -> str:
        """The document's path, "" where it was never named."""
        return self._path

    @property
    def scenario(self) -> Draft:
        """The scenario that is being edited; it is apart from what is open."""
        return self._scenario

    @property
    def unsaved(self) -> bool:
        """Whether closing loses something: notes or ties in a document that was never named."""
        ties = self._content is not None and self._content.ties
        return bool(self._notes or ties) and not self._path

    def show(
        self,
        content: Content,
        traces: Sequence[Trace],
        *,
        path: str = "",
        triage: Triage | None = None,
        notes: Sequence[PinnedNote] = (),
        position: int = 0,
        lanes: LaneOrder = USUAL,
    ) -> None:
        """Open something instead of what was open. The history of undo begins anew."""
        self.set_playing(False)
        self.set_range(None)
        self.set_lanes(lanes)
        self.set_drawing(PLAIN)
        self.undo.clear()
        self.draft, self.tie = None, MappingProxyType({})
        self._content, self._traces = content, tuple(traces)
        self._selection, self._window = None, None
        self._keys = max((note.key for note in notes), default=0)
        self._notes = self._in_order(notes)
        self._position = max(0, min(position, content.last))
        self.set_path(path)
        if triage is not self._triage:
            self._triage = triage
            self.triage_changed.emit(triage)
        self.content_changed.emit(content)
        self.notes_changed.emit(self._notes)
        self.position_changed.emit(self._position)

    def change_view(self, content: Content, *, notes: Sequence[PinnedNote], position: int) -> None:
        """Show the same traces otherwise: another partition, other ties. Document, notes and undo stay."""
        self.set_playing(False)
        self.set_range(None)
        self.draft, self.tie = None, MappingProxyType({})
        self._content = content
        self._selection, self._window = None, None
        self._notes = self._in_order(notes)
        self._position = max(0, min(position, content.last))
        self.content_changed.emit(content)
        self.notes_changed.emit(self._notes)
        self.position_changed.emit(self._position)

    def reword(self, content: Content) -> None:
        """What is open is told in another language. Its positions are the same, and all else stays."""
        self._content = content
        self.content_changed.emit(content)
        self.tell_view()

    def tell(self) -> None:
        """Tell all there is as if it had just come: parts that are made anew listen now."""
        self.triage_changed.emit(self._triage)
        self.content_changed.emit(self._content)
        self.scenario_changed.emit(self._scenario)
        self.path_changed.emit(self._path)
        self.speed_changed.emit(self._speed)
        self.playing_changed.emit(self._playing)
        self.tell_view()

    def tell_view(self) -> None:
        """Tell where one is in what is open."""
        window = self._window
        self.notes_changed.emit(self._notes)
        self.position_changed.emit(self._position)
        self.selection_changed.emit(self._selection)
        self.range_changed.emit(self._range)
        # Where a cursor goes the window follows; this one went nowhere.
        self._window = window
        self.window_changed.emit(window)

    def close(self) -> None:
        """Let go of what is open."""
        if self._content is None:
            return
        self.set_playing(False)
        self.set_range(None)
        self.undo.clear()
        self._content, self._traces, self._triage, self._notes = None, (), None, ()
        self._position, self._selection, self._window = 0, None, None
        # Without a path nobody writes how the lanes stand any more.
        self.set_path("")
        self.set_lanes(USUAL)
        self.set_drawing(PLAIN)
        self.triage_changed.emit(None)
        self.content_changed.emit(None)
        self.notes_changed.emit(())
        self.position_changed.emit(0)

    def set_position(self, position: int) -> None:
        """Move the cursor, which lets go of the selection; a position outside is moved to the nearer end."""
        last = 0 if self._content is None else self._content.last
        position = max(0, min(position, last))
        if position != self._position:
            self._position = position
            self.select(None)
            self.position_changed.emit(position)

    def select(self, selection: Ref | None) -> None:
        """Select a mark, or nothing."""
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def set_window(self, window: tuple[int, int] | None) -> None:
        """Show a stretch of time; None is all of it."""
        if window is not None and window[0] >= window[1]:
            return
        if window != self._window:
            self._window = window
            self.window_changed.emit(window)

    def set_range(self, marked: tuple[int, int | None] | None) -> None:
        """Mark a range of positions, or its beginning, or none. One without length is none."""
        if marked is not None and marked[1] is not None:
            first, last = sorted((marked[0], marked[1]))
            marked = None if first == last else (first, last)
        if marked != self._range:
            self._range = marked
            self.range_changed.emit(marked)

    def set_lanes(self, lanes: LaneOrder) -> None:
        """Arrange the lanes of the timeline."""
        if lanes != self._lanes:
            self._lanes = lanes
            self.lanes_changed.emit(lanes)

    def set_drawing(self, drawing: Drawing) -> None:
        """Draw the lanes so."""
        if drawing != self._drawing:
            self._drawing = drawing
            self.drawing_changed.emit(drawing)

    def set_playing(self, playing: bool) -> None:
        """Start or stop playing."""
        if playing != self._playing and not (playing and self._content is None):
            self._playing = playing
            self.playing_changed.emit(playing)

    def set_speed(self, speed: float) -> None:
        """Play at another speed; one that is not in SPEEDS is not taken."""
        if speed != self._speed and speed in SPEEDS:
            self._speed = speed
            self.speed_changed.emit(speed)

    def set_theme(self, theme: str) -> None:
        """Wear one of THEMES."""
        if theme != self._theme:
            self._theme = theme
            self.theme_changed.emit(theme)

    def set_scenario(self, draft: Draft) -> None:
        """The scenario that is edited, or how it is run, is another one now."""
        if draft != self._scenario or draft.origin is not self._scenario.origin:
            self._scenario = draft
            self.scenario_changed.emit(draft)

    def set_path(self, path: str) -> None:
        """The document has a name now, or none."""
        if path != self._path:
            self._path = path
            self.path_changed.emit(path)

    def new_key(self) -> int:
        """A key for a new note."""
        self._keys += 1
        return self._keys

    def put_note(self, note: PinnedNote) -> None:
        """Add a note, or the new state of one with the same key."""
        if note in self._notes:
            return
        self._notes = self._in_order((*(kept for kept in self._notes if kept.key != note.key), note))
        self.notes_changed.emit(self._notes)

    def drop_note(self, key: int) -> None:
        """Remove a note."""
        left = tuple(note for note in self._notes if note.key != key)
        if len(left) != len(self._notes):
            self._notes = left
            if self._selection is not None and self._selection.kind == "note" and self._selection.key == key:
                self.select(None)
            self.notes_changed.emit(left)

    def note(self, key: int) -> PinnedNote | None:
        """The note with a key."""
        return next((note for note in self._notes if note.key == key), None)

    def note_position(self, note: PinnedNote) -> int | None:
        """Where a note stands in what is open; None where it does not resolve."""
        if note.cursor is None or self._content is None:
            return None
        return self._content.position_of(note.run, note.cursor)

    def _in_order(self, notes: Sequence[PinnedNote]) -> tuple[PinnedNote, ...]:
        def place(note: PinnedNote) -> tuple[bool, int, int]:
            position = self.note_position(note)
            return position is None, position or 0, note.key

        return tuple(sorted(notes, key=place))
