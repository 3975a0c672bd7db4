"""How content becomes a picture, and a place in it a position: a scene for runs, one for a single trace."""

from dataclasses import dataclass, replace
from typing import Protocol

from core.document.lane_order import USUAL, LaneOrder
from core.picture.axis import WHOLE, OrderScale
from core.picture.comparison import ComparisonView, folds_by_itself, geometry, lay_out_comparison
from core.picture.drawing import PLAIN, Drawing
from core.picture.folds import Folds
from core.picture.lane import Lane
from core.picture.letters import x_of
from core.picture.marks import Picture, Ref
from core.picture.notes import PlacedNote
from core.picture.overview import OVERVIEW
from core.picture.quiet_stops import starts_within
from core.picture.ruler import TIME_RULER
from core.picture.timeline import (
    TimelineView,
    folds_in,
    lay_out,
    least_height,
    ruler_top,
    staying_bottom,
    time_scale,
    timeline_lanes,
)
from core.picture.whole import history_window
from gui.panels.explain import place_label
from gui.text.spoken import language
from gui.workspace.content import Content
from gui.workspace.pinned import BOOKMARK
from gui.workspace.session import PARTS, Session

GUTTER = 152.0
NARROW_GUTTER = 64.0


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture depends on besides the content."""

    position: int | None
    width: float
    height: float
    window: tuple[int, int] | None = None
    notes: tuple[PlacedNote, ...] = ()
    selected: Ref | None = None
    title: str = ""
    span: tuple[int, int] | None = None
    """a marked range, in positions"""
    sight: tuple[float, float] | None = None
    """the heights that are seen of a picture that is scrolled"""
    lanes: LaneOrder = USUAL
    drawing: Drawing = PLAIN
    gutter: float = GUTTER
    overview: float = OVERVIEW


class Scene(Protocol):
    """What the timeline needs to know of the kind of content that it shows."""

    def picture(self, look: Look) -> Picture:
        """The picture of the content."""
        ...

    def head(self, look: Look) -> float:
        """Height of the ruler."""
        ...

    def height(self, look: Look) -> float:
        """How high the picture is, where that is more than there is room for."""
        ...

    def stays(self, look: Look) -> float:
        """Down to where the picture stays in sight while it is scrolled: the ruler, and what is pinned."""
        ...

    def lanes(self, look: Look) -> tuple[Lane, ...]:
        """The lanes from top to bottom."""
        ...

    def folds_by_itself(self, broker: int, look: Look) -> bool:
        """Whether the lanes of a broker are folded, though nobody folded them."""
        ...

    def position_at(self, x: float, look: Look) -> int:
        """The position that a click or a scrub at x means."""
        ...


class ComparisonScene:
    """Two to four runs under one row of stops."""

    def __init__(self, content: Content) -> None:
        """`content` has a comparison."""
        if content.comparison is None:
            message = "a comparison scene needs a comparison"
            raise ValueError(message)
        self._comparison = content.comparison

    def _view(self, look: Look) -> ComparisonView:
        return ComparisonView(
            self._comparison,
            look.position,
            look.width,
            look.height,
            notes=look.notes,
            title=look.title,
            gutter=look.gutter,
            selected=look.selected,
            lanes=look.lanes,
            drawing=look.drawing,
            span=look.span,
            shown=WHOLE if look.window is None else (look.window[0] / PARTS, look.window[1] / PARTS),
            lang=language(),
        )

    def place_of(self, stop: int, look: Look) -> float:
        """Where a stop is on the whole axis, from 0 to 1."""
        columns = geometry(self._view(replace(look, window=None))).columns
        left, right = columns.edges[0], columns.edges[-1]
        return (columns.cursor_x(stop) - left) / (right - left)

    def stop_of(self, place: float, look: Look) -> int:
        """The stop at a place of the whole axis, from 0 to 1."""
        columns = geometry(self._view(replace(look, window=None))).columns
        left, right = columns.edges[0], columns.edges[-1]
        return columns.stop_at(left + place * (right - left))

    def without_fold(self, place: int, look: Look) -> Drawing:
        """How it is drawn when one of its folds is opened, by its place; also one that was made by hand."""
        first, end = geometry(self._view(look)).columns.folds[place]
        left = {span for span in look.drawing.folded if span[1] <= first or span[0] >= end}
        opened = look.drawing.opened | starts_within(self._comparison, (first, end))
        return replace(look.drawing, opened=opened, folded=frozenset(left))

    def x_of(self, position: int, look: Look) -> float:
        """Where a position is."""
        return x_of(self._view(look), position)

    def picture(self, look: Look) -> Picture:
        """All runs."""
        return lay_out_comparison(self._view(look))

    def head(self, look: Look) -> float:
        """The script, or the landmarks."""
        return geometry(self._view(look)).ruler

    def height(self, look: Look) -> float:
        """The lanes of all runs, with what is between them."""
        return geometry(self._view(look)).height

    def stays(self, look: Look) -> float:
        """The ruler alone."""
        return self.head(look)

    def lanes(self, look: Look) -> tuple[Lane, ...]:
        """The lanes of all runs from top to bottom."""
        return tuple(lane for lanes in geometry(self._view(look)).lanes for lane in lanes)

    def folds_by_itself(self, broker: int, look: Look) -> bool:
        """Whether the lanes of a broker are folded because there is no room."""
        return folds_by_itself(self._view(look), broker)

    def position_at(self, x: float, look: Look) -> int:
        """The stop whose slot is there."""
        return geometry(self._view(look)).columns.stop_at(x)


class TraceScene:
    """One partition of one trace over time."""

    def __init__(self, content: Content) -> None:
        """`content` has one run."""
        self._run = content.runs[0]
        self._content = content

    def whole(self) -> tuple[int, int]:
        """From the first to the last event of the partition, with a little room, in ns."""
        return history_window(self._run.history)

    def folds(self, look: Look) -> Folds:
        """The quiet time that is drawn narrow."""
        return folds_in(self._view(look))

    def without_fold(self, place: int, look: Look) -> Drawing:
        """How it is drawn when one of its folds is opened, by its place; also one that was made by hand."""
        first, end = self.folds(look).spans[place]
        drawing = look.drawing
        by_itself = self.folds(replace(look, drawing=replace(drawing, folded=frozenset())))
        inside = {start for start in by_itself.starts if first <= start < end}
        left = {span for span in drawing.folded if span[1] <= first or span[0] >= end}
        return replace(drawing, opened=drawing.opened | inside, folded=frozenset(left))

    def _view(self, look: Look) -> TimelineView:
        cursor = None if look.position is None else self._content.cursors(look.position)[0]
        span = None
        if look.span is not None:
            span = (self._content.cursors(look.span[0])[0], self._content.cursors(look.span[1])[0])
        return TimelineView(
            self._run.history,
            self._run.verdict,
            cursor,
            look.window or self.whole(),
            look.width,
            look.height,
            notes=look.notes,
            title=look.title,
            gutter=look.gutter,
            overview=look.overview,
            selected=look.selected,
            span=span,
            sight=look.sight,
            lanes=look.lanes,
            drawing=look.drawing,
            lang=language(),
        )

    def x_of(self, position: int, look: Look) -> float:
        """Where a position is: its last event, or the moment of that."""
        return x_of(self._view(look), self._content.cursors(position)[0])

    def picture(self, look: Look) -> Picture:
        """The lanes of the partition."""
        return lay_out(self._view(look))

    def head(self, look: Look) -> float:
        """The overview and the times."""
        return ruler_top(self._view(look)) + TIME_RULER

    def height(self, look: Look) -> float:
        """These, and all lanes."""
        return least_height(self._view(look))

    def stays(self, look: Look) -> float:
        """These, and the lanes that are pinned."""
        return staying_bottom(self._view(look))

    def lanes(self, look: Look) -> tuple[Lane, ...]:
        """The lanes from top to bottom."""
        return timeline_lanes(self._view(look))

    def folds_by_itself(self, _broker: int, _look: Look) -> bool:
        """Lanes of a timeline are scrolled instead."""
        return False

    def position_at(self, x: float, look: Look) -> int:
        """The last position at or before the moment that is drawn at x."""
        scale, history = time_scale(self._view(look)), self._run.history
        if isinstance(scale, OrderScale):
            place = int((x - scale.left) // scale.slot)
            return history.rank(int(scale.seqs[min(max(place, 0), len(scale.seqs) - 1)]) + 1)
        return history.rank(int(history.trace.columns["at"].searchsorted(scale.at(x), side="right")))


def scene_of(content: Content) -> ComparisonScene | TraceScene:
    """The scene for a content."""
    return ComparisonScene(content) if content.comparison else TraceScene(content)


def placed_notes(session: Session) -> tuple[PlacedNote, ...]:
    """The notes that have a place in what is open, as pictures draw them."""
    content = session.content
    if content is None:
        return ()
    placed: list[PlacedNote] = []
    number = 0
    for note in session.notes:
        number += note.kind != BOOKMARK
        position = session.note_position(note)
        if position is not None:
            end = None if note.end is None else content.position_of(note.run, note.end)
            first, last = (
                place if place is None or content.comparison else content.cursors(place)[0]
                for place in (position, end)
            )
            placed.append(
                PlacedNote(
                    0 if note.kind == BOOKMARK else number,
                    first or 0,
                    note.text,
                    note.broker,
                    place_label(content, position)[0],
                    note.key,
                    note.kind,
                    last,
                    note.end_broker,
                    note.colour,
                    note.shape,
                    note.run,
                )
            )
    return tuple(placed)
