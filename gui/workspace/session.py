"""The only state that the parts of the window share. Every setter returns early where nothing changes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from core.compare.align import partitions_of_all
from core.diagnose.account.page import AccountPage
from core.diagnose.verdict.summary import Triage
from core.document.lane_order import USUAL, LaneOrder
from core.picture.drawing import PLAIN, Drawing
from core.picture.marks import Ref
from core.trace.trace import Trace
from core.words import Language
from gui.workspace.content import Content
from gui.workspace.draft import Draft
from gui.workspace.parked import Belongings, Held, Looked
from gui.workspace.pinned import NOTHING_LATER, Later, PinnedNote
from gui.workspace.session_changes import SessionChanges
from gui.workspace.undo import UndoStack

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
"""Of playing; 1 is 600 ms a position."""
PARTS: Final = 1_000_000
"""The axis of a comparison has so many: what is shown of it is in whole ones."""


class Session:
    """What is open, where the cursor stands, what is selected, and what a person added."""

    def __init__(
        self, changes: SessionChanges | None = None, language: Callable[[], Language] = lambda: "en"
    ) -> None:
        """Nothing is open. `language` is asked for what is spoken now."""
        self.tell_through(changes or SessionChanges())
        self._language = language
        self.undo = UndoStack(self._tell_undo)
        self._content: Content | None = None
        self._traces: tuple[Trace, ...] = ()
        self._named: tuple[tuple[Trace, ...], tuple[str, ...]] = ((), ())
        """The traces whose partitions were named last, and these names: a trace may have 100,000."""
        self._triage: Triage | None = None
        self._account: AccountPage | None = None
        self._position = 0
        self._selection: Ref | None = None
        self._window: tuple[int, int] | None = None
        self._range: tuple[int, int | None] | None = None
        self._lanes = USUAL
        self._drawing = PLAIN
        self._notes: tuple[PinnedNote, ...] = ()
        self._later = NOTHING_LATER
        self.draft: PinnedNote | None = None
        """The note that is being written, or an arrow that was begun: kept nowhere until it has a text."""
        self.tie: Mapping[int, int] = MappingProxyType({})
        """A tie that was begun: the cursor of each run that is in it."""
        self._keys = 0
        self._playing = False
        self._speed = 1.0
        self._theme = "light"
        self._path = ""
        self._unwritten = 0
        self._scenario = Draft()

    def tell_through(self, changes: SessionChanges) -> None:
        """Tell what changes through these from now on; who listened to others hears nothing any more."""
        self.content_changed, self.causes_changed = changes.content_changed, changes.causes_changed
        self.position_changed = changes.position_changed
        self.selection_changed = changes.selection_changed
        self.window_changed = changes.window_changed
        self.range_changed = changes.range_changed
        self.lanes_changed = changes.lanes_changed
        self.drawing_changed = changes.drawing_changed
        self.notes_changed = changes.notes_changed
        self.playing_changed = changes.playing_changed
        self.speed_changed = changes.speed_changed
        self.theme_changed = changes.theme_changed
        self.triage_changed = changes.triage_changed
        self.scenario_changed = changes.scenario_changed
        self.path_changed = changes.path_changed
        self.unwritten_changed = changes.unwritten_changed
        self.undo_changed = changes.undo_changed

    def _tell_undo(self, can: tuple[bool, bool]) -> None:
        self.undo_changed.emit(can)

    @property
    def language(self) -> Language:
        """What is spoken now."""
        return self._language()

    @property
    def content(self) -> Content | None:
        """What is open."""
        return self._content

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The traces that were opened, whole."""
        return self._traces

    @property
    def partitions(self) -> tuple[str, ...]:
        """The names of the partitions that can be shown: those that all traces have."""
        if self._named[0] is not self._traces:
            self._named = self._traces, partitions_of_all(self._traces)
        return self._named[1]

    @property
    def triage(self) -> Triage | None:
        """What was found of all partitions of the one trace; None with several runs."""
        return self._triage

    @property
    def account(self) -> AccountPage | None:
        """What the page on the incident says of the one trace, all of which is in memory."""
        return self._account

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
        """What is shown; None is all. Of a timeline a time, ns, of a comparison parts of its axis."""
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
    def later(self) -> Later:
        """What a later version wrote into what is open."""
        return self._later

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
    def unwritten(self) -> int:
        """How many changes could not be written into the document so far."""
        return self._unwritten

    @property
    def unsaved(self) -> bool:
        """Whether closing loses something: notes or ties that are in no document of a name."""
        ties = self._content is not None and self._content.ties
        return self._unwritten > 0 or (bool(self._notes or self._later.notes or ties) and not self._path)

    def show(
        self,
        content: Content,
        traces: Sequence[Trace],
        *,
        path: str = "",
        triage: Triage | None = None,
        account: AccountPage | None = None,
        notes: Sequence[PinnedNote] = (),
        position: int = 0,
        lanes: LaneOrder = USUAL,
        later: Later = NOTHING_LATER,
    ) -> None:
        """Open something instead of what was open. The history of undo begins anew."""
        self.set_playing(False)
        before = self._belongings()
        self._traces, self._triage, self._path = tuple(traces), triage, path
        self._account = account
        self._lanes, self._drawing, self._later = lanes, PLAIN, later
        self._keys = max((note.key for note in notes), default=0)
        self._replace(content, notes, position)
        self.undo.clear()
        self._tell_change(before)

    def change_view(self, content: Content, *, position: int, notes: Sequence[PinnedNote] = ()) -> None:
        """Show the same traces otherwise: another partition, other ties. Document, notes and undo stay.

        A content of other traces is not shown: it was asked for before something else was opened, or closed.
        `notes` are not read: a list taken before a job lacks the notes that were written while it ran.
        """
        if not all(any(run.history.trace is trace for trace in self._traces) for run in content.runs):
            return
        self.set_playing(False)
        before = self._belongings()
        self._replace(content, self._notes, position)
        self._tell_change(before)

    def park(self) -> tuple[Held, Looked]:
        """What is open and what is looked at of it, to `resume` later. Nothing is told: it stays."""
        held = Held(
            self._path,
            self._triage,
            self._account,
            self._notes,
            self._later,
            self._lanes,
            self._keys,
            self._unwritten,
            self.undo.edits,
        )
        looked = Looked(
            self._content,
            self._traces,
            self._position,
            self._selection,
            self._window,
            self._range,
            self._drawing,
            self._language(),
        )
        return held, looked

    def resume(self, held: Held, looked: Looked) -> None:
        """Show again what was parked, as it was: nobody sees old beside new."""
        self.set_playing(False)
        before = self._belongings()
        self._path, self._triage, self._account = held.path, held.triage, held.account
        self._later, self._lanes, self._keys = held.later, held.lanes, held.keys
        self._traces = looked.traces
        self._replace(looked.content, held.notes, looked.position)
        self._window, self._range = looked.window, looked.range
        # Notes are those of all tabs of a document: one that was selected here may be removed in another.
        if looked.selection is not None and self.holds(looked.selection):
            self._selection = looked.selection
        self._drawing = looked.drawing
        self.undo.take(held.edits)
        self._tell_change(before)
        self.set_unwritten(held.unwritten)
        # Where a cursor goes the window follows; this one went nowhere.
        self.set_window(looked.window)

    def _replace(self, content: Content | None, notes: Sequence[PinnedNote], position: int) -> None:
        """Hold this content, and nothing that was selected, marked or begun in the one before."""
        self._content = content
        self._selection, self._window, self._range = None, None, None
        self._drawing = replace(self._drawing, opened=frozenset(), folded=frozenset())
        self.draft, self.tie = None, MappingProxyType({})
        self._position = 0 if content is None else max(0, min(position, content.last))
        self._notes = self._in_order(notes)

    def _belongings(self) -> Belongings:
        """What goes, or may be another one, with the content."""
        return Belongings(
            self._path, self._triage, self._selection, self._range, self._window, self._lanes, self._drawing
        )

    def _tell_change(self, before: Belongings) -> None:
        """Tell what is another one than before. All of it holds already: no part sees old beside new.

        The content comes before what is drawn on it, so that nobody draws an old one with new values.
        """
        now = self._belongings()
        if now.path != before.path:
            self.path_changed.emit(now.path)
        if now.triage is not before.triage:
            self.triage_changed.emit(now.triage)
        self.content_changed.emit(self._content)
        self.notes_changed.emit(self._notes)
        self.position_changed.emit(self._position)
        if now.selection != before.selection:
            self.selection_changed.emit(self._selection)
        if now.range != before.range:
            self.range_changed.emit(self._range)
        if now.window != before.window:
            self.window_changed.emit(self._window)
        if now.lanes != before.lanes:
            self.lanes_changed.emit(self._lanes)
        if now.drawing != before.drawing:
            self.drawing_changed.emit(self._drawing)

    def set_causes(self, content: Content) -> None:
        """What is open, with what is responsible for its differences: all else stays, also in pictures."""
        self._content = content
        self.causes_changed.emit(content)

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
        before = self._belongings()
        # The path is told before the lanes: without it nobody writes how they stand.
        self._traces, self._triage, self._path = (), None, ""
        self._account = None
        self._lanes, self._drawing, self._later = USUAL, PLAIN, NOTHING_LATER
        self._replace(None, (), 0)
        self.undo.clear()
        self._tell_change(before)

    def set_position(self, position: int) -> None:
        """Move the cursor, which lets go of the selection; a position outside is moved to the nearer end."""
        last = 0 if self._content is None else self._content.last
        position = max(0, min(position, last))
        if position != self._position:
            self._position = position
            self.select(None)
            self.position_changed.emit(position)

    def select(self, selection: Ref | None) -> None:
        """Select a mark, or nothing. What is open does not have: nothing is selected then."""
        if selection is not None and not self.holds(selection):
            selection = None
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def holds(self, ref: Ref) -> bool:
        """Whether what is open has what a mark stands for: its run, its broker, its event, its note."""
        if self._content is None or not self._content.has(ref):
            return False
        return ref.kind != "note" or self.note(ref.key) is not None

    def set_window(self, window: tuple[int, int] | None) -> None:
        """Show a stretch of time, or parts of the axis of a comparison; None is all of it."""
        if window is not None and window[0] >= window[1]:
            return
        if window != self._window:
            self._window = window
            self.window_changed.emit(window)

    def set_range(self, marked: tuple[int, int | None] | None) -> None:
        """Mark a range of positions, or its beginning, or none; held to the positions that there are.

        One without length is none.
        """
        if self._content is None or marked is None:
            marked = None
        else:
            most = self._content.last
            begin, end = (None if one is None else max(0, min(one, most)) for one in marked)
            if begin is not None and end is not None:
                begin, end = min(begin, end), max(begin, end)
            marked = None if begin is None or begin == end else (begin, end)
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

    def set_unwritten(self, changes: int) -> None:
        """So many changes are not in the document."""
        if changes != self._unwritten:
            self._unwritten = changes
            self.unwritten_changed.emit(changes)

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
