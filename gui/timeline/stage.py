"""The centre: the lanes of what is open, the logs at the cursor, and what the mouse means there."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget

from core.picture.drawing import Drawing
from core.picture.folds import Folds
from core.picture.lane import Lane
from core.picture.marks import Picture, Ref
from core.picture.overview import OVERVIEW
from core.trace.units import MILLISECOND_NS
from gui.panels.cells import CellsStrip
from gui.panels.explain import explain
from gui.panels.narration import Narration
from gui.panels.parts import column
from gui.text.spoken import tr
from gui.theme import Theme
from gui.timeline.canvas import Canvas
from gui.timeline.hearing import tell_aloud
from gui.timeline.legend_strip import LegendStrip
from gui.timeline.returns import Returns
from gui.timeline.scenes import (
    GUTTER,
    NARROW_GUTTER,
    ComparisonScene,
    Look,
    TraceScene,
    placed_notes,
    scene_of,
)
from gui.workspace.content import EVENTS, Content, marked_times, with_room
from gui.workspace.edits import arrange, show_hidden
from gui.workspace.noting import lane_of
from gui.workspace.session import PARTS, Session

_LEAST_SHARE = 0.02
"""The least part of a comparison's axis that is shown."""


class Stage(QWidget):
    """Draws the session's content and turns clicks into positions and selections."""

    evidence_wanted = Signal()
    """A mark was clicked: its raw lines are wanted."""
    note_wanted = Signal(int)
    """A note was double clicked; its key."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("stage")
        self._session = session
        self._scene: ComparisonScene | TraceScene | None = None
        self._drawn: ComparisonScene | TraceScene | None = None
        self._head_key: object = None
        self._heads = (0.0, 0.0)
        self._high = 0.0
        """Height of the room that the lanes were drawn in."""
        self._gutter, self._overview = GUTTER, OVERVIEW
        self._returns = Returns()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._turn)
        self._turns = 0
        self.over: Callable[[Picture], Picture] = lambda picture: picture
        """What is laid over the picture."""
        self.kept_right = 0.0
        """Width right of the lanes that is not theirs; what is laid over has it."""
        self.canvas = Canvas(tr("actions.timeline"))
        self.cells, self.narration = CellsStrip(session), Narration(session)
        self.legend = LegendStrip()
        self.below: dict[str, QWidget] = {
            "legend": self.legend,
            "cells": self.cells,
            "narration": self.narration,
        }
        """By the name of their action and setting (STRIPS). One that takes the keyboard has a focus proxy."""
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.canvas)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = column(self)
        outer.addWidget(self._scroll, 1)
        for strip in self.below.values():
            outer.addWidget(strip)
        self._scroll.verticalScrollBar().valueChanged.connect(self._scrolled)
        # Docks that open change its size several times in one turn of the loop: it is laid out for the last.
        self.canvas.resized.connect(self._resized)
        self.legend.appeared.connect(self.redraw_soon)
        self.canvas.clicked.connect(self._clicked)
        self.canvas.double_clicked.connect(self._double_clicked)
        self.canvas.lane_dragged.connect(self._lane_dragged)
        self.canvas.edge_dragged.connect(self._edge_dragged)
        self.canvas.scrubbed.connect(self._scrub)
        self.canvas.range_changed.connect(self._range_changed)
        self.canvas.range_drawn.connect(self._range_drawn)
        session.content_changed.connect(self._show_content)
        session.position_changed.connect(self._follow_cursor)
        session.selection_changed.connect(self.redraw)
        session.notes_changed.connect(self.redraw)
        session.range_changed.connect(self.redraw)
        session.lanes_changed.connect(self.redraw)
        session.drawing_changed.connect(self.redraw)
        session.window_changed.connect(self._show_window)
        self._announce = tell_aloud(session, self.canvas)

    @property
    def scene(self) -> ComparisonScene | TraceScene | None:
        """How what is open is drawn."""
        return self._scene

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.canvas.set_theme(theme)
        self.cells.set_theme(theme)
        self.legend.set_theme(theme)

    def look(self) -> Look:
        """What the picture depends on now."""
        session = self._session
        marked = session.range
        size = self._scroll.viewport().size()
        scrolled = float(self._scroll.verticalScrollBar().value())
        return Look(
            session.position,
            float(size.width()) - self.kept_right,
            float(size.height()),
            session.window,
            placed_notes(session),
            session.selection,
            session.content.title if session.content else "",
            None if marked is None else (marked[0], session.position if marked[1] is None else marked[1]),
            (scrolled, scrolled + size.height()),
            session.lanes,
            session.drawing,
            self._gutter,
            self._overview,
        )

    def give_room(self, *, gutter: bool, overview: bool) -> None:
        """With the whole gutter, else name and log end alone; with all of the overview, else half of it."""
        self._gutter = GUTTER if gutter else NARROW_GUTTER
        self._overview = OVERVIEW if overview else OVERVIEW / 2
        self.redraw_soon()

    def _resized(self) -> None:
        """The lanes have another room: they are laid out anew, unless that alone changes it back again."""
        room, strips = self._scroll.viewport().size(), self.below.values()
        beside = (self.width(), self.height(), *(strip.isHidden() for strip in strips))
        if self._returns.allows((room.width(), room.height()), beside):
            self.redraw_soon()

    def redraw_soon(self) -> None:
        """Lay the picture out anew in a turn of the loop of its own, after all else is painted."""
        # Timers fire at the end of a turn: the first in that of now, the second in the one that paints.
        self._turns = 2
        self._later.start()

    def _turn(self) -> None:
        if self._turns:
            self._turns -= 1
            self._later.start()
        else:
            self._lay_out()

    def redraw(self, *_changed: object) -> None:
        """Lay the picture out anew; what did not change is not painted again."""
        self._returns.begin_anew()
        self._lay_out()

    def _lay_out(self) -> None:
        if self._drawn is not self._scene and self._later.isActive():
            return
        self._later.stop()
        if self._scene is None or not self.isVisible():
            return
        scene, look = self._scene, self._settled(self.look())
        if look.width < 200 or look.height < 60:
            return
        kept = self._told_in_sight() if look.height != self._high else None
        key = (scene, look.width, look.height, look.lanes, look.overview)
        if key != self._head_key:
            self._head_key, self._heads = key, (scene.head(look), scene.stays(look))
        picture = self.over(scene.picture(look))
        head, stays = self._heads
        self.canvas.show_picture(picture, plot_left=look.gutter, head=head, stays=stays, sight=look.sight)
        self.legend.show_marks(picture, stays, look.sight or (0.0, picture.height))
        self._drawn, self._high = scene, look.height
        if kept is not None:
            self._let_scroll()
            self.reveal_lane(kept[1], kept[0])

    def _settled(self, look: Look) -> Look:
        """The look beside the bar that scrolls lanes, if they need one: it comes before they are drawn."""
        if self._scene is None or self._drawn is self._scene or look.width < 200 or look.height < 60:
            return look
        self.canvas.setMinimumHeight(int(max(self._scene.height(look), look.height)))
        self._let_scroll()
        return self.look()

    def _let_scroll(self) -> None:
        """The bar that scrolls lanes learns at once how high they are."""
        QCoreApplication.sendPostedEvents(self._scroll.viewport(), QEvent.Type.LayoutRequest.value)

    def _scrolled(self, by: int) -> None:
        """What is pinned stays; of many lanes, those that come into sight are drawn."""
        self.canvas.pin_head(by)
        self.redraw()

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while hidden."""
        self.redraw_soon()
        self._announce()

    def reveal(self, run: int) -> None:
        """Scroll so that the lanes of a run are in sight, at least the one that is told of."""
        lanes = [strip for strip in self.canvas.strips if strip.run == run]
        if not lanes:
            return
        self._bring_into_sight(lanes[0].top - 32, lanes[-1].bottom)
        told = self._told()
        if told is not None and told[0] == run:
            self.reveal_lane(told[1], run)

    def evidence_seen(self, seen: bool) -> None:
        """The lines behind what is told are seen or not: if so, all of its lane is, too."""
        told = self._told() if seen else None
        if told is not None:
            self.reveal_lane(told[1], told[0])

    def _told(self) -> tuple[int, int] | None:
        """Run and broker of the lane that the other panels tell of."""
        session, selected = self._session, self._session.selection
        if session.content is None:
            return None
        if selected is not None and selected.broker >= 0:
            return selected.run, selected.broker
        told = explain(session.content, session.position, selected, session.notes).evidence
        lanes = ((run, lane_of(session, run, seq)) for run, seq in told)
        return next(((run, broker) for run, broker in lanes if broker is not None), None)

    def _told_in_sight(self) -> tuple[int, int] | None:
        """The same, if all of the lane was in sight in the room that the lanes were drawn in."""
        told, top = self._told(), self._scroll.verticalScrollBar().value()
        for strip in self.canvas.strips if self._drawn is self._scene else ():
            if (strip.run, strip.broker) == told:
                above = strip.top < top + self.canvas.stays
                return None if above or strip.bottom > top + self._high else told
        return None

    def reveal_lane(self, broker: int, run: int = 0) -> None:
        """Scroll so that a lane is in sight; one that stays there is already."""
        boxes = [lane.box for lane in self._lanes() if (lane.run, lane.broker) == (run, broker)]
        if boxes and boxes[0].top >= self.canvas.stays:
            self._bring_into_sight(boxes[0].top, boxes[0].end)

    def _bring_into_sight(self, top: float, bottom: float) -> None:
        bar = self._scroll.verticalScrollBar()
        top -= self.canvas.stays
        if bottom > bar.value() + self._scroll.viewport().height():
            # What has no room is shown from its beginning.
            bar.setValue(round(min(bottom - self._scroll.viewport().height(), max(top, 0.0))))
        elif top < bar.value():
            bar.setValue(max(0, round(top)))

    def pointed_lane(self) -> tuple[int, int] | None:
        """Run and broker of the lane that the mouse is on."""
        pointer = self.canvas.pointer
        if pointer is None:
            return None
        found = (
            (lane.run, lane.broker) for lane in self._lanes() if lane.box.top <= pointer.y() < lane.box.end
        )
        return next(found, None)

    def folds_by_itself(self, broker: int) -> bool:
        """Whether the lanes of a broker are folded because there is no room for them."""
        return self._scene is not None and self._scene.folds_by_itself(broker, self.look())

    def _lanes(self) -> tuple[Lane, ...]:
        """The lanes that are painted."""
        scene = self._scene
        return scene.lanes(self.look()) if scene is not None and self._drawn is scene else ()

    def _lane_dragged(self, ref: Ref, y: float, dropped: bool) -> None:
        """Show where the lane would come to stand; let go, it stands there."""
        session, content = self._session, self._session.content
        others = [lane for lane in self._lanes() if lane.run == ref.run and lane.broker != ref.broker]
        brokers = tuple(content.runs[ref.run].history.replicas) if content else ()
        if ref.broker not in brokers or not others:
            self.canvas.show_drop(None)
            return
        below = sum((lane.box.top + lane.box.end) / 2 < y for lane in others)
        after = session.lanes.move(brokers, ref.broker, below)
        # Pinned lanes stay before the others, wherever one points.
        place = after.brokers(brokers).index(ref.broker)
        end = others[place].box.top if place < len(others) else others[-1].box.end
        self.canvas.show_drop(None if dropped else end)
        if dropped:
            arrange(session, after)

    def _edge_dragged(self, ref: Ref, by: float, dropped: bool) -> None:
        """Show where the lower edge of the lane would be; let go, its log area is so high."""
        box = next((one.box for one in self._lanes() if (one.run, one.broker) == (ref.run, ref.broker)), None)
        if box is None:
            self.canvas.show_drop(None)
            return
        after = self._session.lanes.resize(ref.broker, box.area + by)
        height = after.height_of(ref.broker) or 0
        self.canvas.show_drop(None if dropped else box.end + height - box.area)
        if dropped:
            arrange(self._session, after)

    @property
    def lanes_bar(self) -> QScrollBar:
        """What scrolls the lanes."""
        return self._scroll.verticalScrollBar()

    @property
    def scrolls(self) -> bool:
        """Whether the lanes are higher than the room for them."""
        return self._scroll.verticalScrollBar().maximum() > 0

    def zoom(self, factor: float) -> None:
        """Zoom at the cursor, so that it stays where it is."""
        self.canvas.zoom(factor, self.cursor_point().x())

    def _follow_cursor(self, position: int) -> None:
        """Draw the cursor; where it left the middle of a zoomed timeline, the window moves with it."""
        content, window = self._session.content, self._session.window
        if window is not None and isinstance(self._scene, ComparisonScene):
            place = round(self._scene.place_of(position, self.look()) * PARTS)
            if not window[0] <= place <= window[1]:
                span = window[1] - window[0]
                first = max(0, min(place - span // 2, PARTS - span))
                self._session.set_window((first, first + span))
        elif content is not None and window is not None and isinstance(self._scene, TraceScene):
            time = content.runs[0].history.time_of(content.cursors(position)[0])
            folds, begin, whole = self._along(self._scene)
            first, last = (folds.along(at) for at in window)
            span, here = last - first, 0 if time is None else folds.along(time)
            if time is not None and not first + span // 10 <= here <= last - span // 10:
                first = max(begin, min(here - span // 2, begin + whole - span))
                self._session.set_window((folds.at(first), folds.at(first + span)))
        self.redraw()

    def _show_content(self, content: Content | None) -> None:
        self._scene = scene_of(content) if content else None
        # The picture of what was open before stays until the stage is in sight: no mark of it is meant.
        self.canvas.outlive()
        self.canvas.zoomable = self._scene is not None
        self._tell_range()
        # It is drawn with its notes and its cursor, which the session tells next, in the room that is left
        # once the other parts show it, too.
        self.redraw_soon()

    def _clicked(self, ref: Ref | None, x: float, y: float) -> None:
        self.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        session, content = self._session, self._session.content
        # What was open before may still be what is painted, until the first turn in which this is in sight.
        if content is None or self._scene is None or self._drawn is not self._scene:
            return
        match ref:
            case Ref(kind="stop" | "difference"):
                session.set_position(ref.key)
            case Ref(kind="note"):
                note = session.note(ref.key)
                position = session.note_position(note) if note else None
                if position is not None:
                    session.set_position(position)
                session.select(ref)
            case Ref() if ref.kind in EVENTS:
                self.choose(ref)
                self.evidence_wanted.emit()
            case Ref(kind="step"):
                self.choose(Ref("event", ref.run, ref.key, ref.broker, ref.text))
                self.evidence_wanted.emit()
            case Ref(kind="fold"):
                self._open_fold(ref.key)
            case Ref(kind="group"):
                self._show_apart(content, ref)
            case Ref(kind="hidden"):
                show_hidden(session)
            case Ref(kind="lane") if x < self._gutter:
                session.select(ref)
            case _:
                if x >= self._gutter:
                    session.set_position(self._scene.position_at(x, self.look()))

    def choose(self, ref: Ref) -> None:
        """Go to the event that a mark stands for, and select it."""
        if self._session.content is not None:
            self._session.set_position(self._session.content.position_of(ref.run, ref.key + 1))
            self._session.select(ref)

    def _show_apart(self, content: Content, ref: Ref) -> None:
        """Go to the first of several marks that one stands for, and zoom to all of them where one can."""
        first, last = (content.position_of(ref.run, seq + 1) for seq in (ref.key, ref.last))
        self._session.set_position(first)
        if isinstance(self._scene, TraceScene):
            self._session.set_window(with_room(marked_times(content, first, last)))

    def _open_fold(self, place: int) -> None:
        """Draw a folded stretch in the scale of all others."""
        scene = self._scene
        if scene is not None:
            self._redraw_folds(scene.without_fold(place, self.look()))

    def _redraw_folds(self, drawing: Drawing) -> None:
        """Draw with other folds. A part of a comparison stays the one that is seen: its axis is another."""
        session, scene, look = self._session, self._scene, self.look()
        window = session.window
        if isinstance(scene, ComparisonScene) and window is not None:
            first, last = (scene.stop_of(place / PARTS, look) for place in window)
            session.set_drawing(drawing)
            self.show_stops(first, last)
        else:
            session.set_drawing(drawing)
        self._tell_range()

    def show_stops(self, first: int, last: int) -> None:
        """Show these stops of a comparison, and as much as the axis shows at least."""
        if isinstance(self._scene, ComparisonScene):
            begin, end = (round(self._scene.place_of(stop, self.look()) * PARTS) for stop in (first, last))
            self._session.set_window((begin, max(end, begin + round(_LEAST_SHARE * PARTS))))

    def _double_clicked(self, ref: Ref | None, x: float, y: float) -> None:
        if ref is not None and ref.kind == "note":
            self.note_wanted.emit(ref.key)
        elif ref is not None and ref.kind == "lane" and self._lanes():
            folds = self.folds_by_itself(ref.broker)
            arrange(self._session, self._session.lanes.fold(ref.broker, by_itself=folds))
        elif self._session.content is not None and self.canvas.zoomable:
            self._session.set_window(None)

    def _scrub(self, x: float) -> None:
        if self._scene is not None and self._drawn is self._scene:
            self._session.set_position(self._scene.position_at(x, self.look()))

    def _range_drawn(self, x0: float, x1: float) -> None:
        if self._scene is not None and self._drawn is self._scene:
            look = self.look()
            self._session.set_range((self._scene.position_at(x0, look), self._scene.position_at(x1, look)))

    def _range_changed(self, first: float, last: float) -> None:
        """The ViewBoxes were zoomed or moved: their shares of the whole become a window."""
        if self._scene is None:
            return
        if first <= 0 and last >= 1:
            self._session.set_window(None)
            self.canvas.set_range(0.0, 1.0)
            return
        width = min(last - first, 1.0)
        first = max(0.0, min(first, 1.0 - width))
        if isinstance(self._scene, TraceScene):
            folds, begin, span = self._along(self._scene)
            ends = (begin + round(first * span), begin + round((first + width) * span))
            window = (folds.at(ends[0]), folds.at(ends[1]))
            if window[1] - window[0] >= MILLISECOND_NS:
                self._session.set_window(window)
        elif width >= _LEAST_SHARE:
            self._session.set_window((round(first * PARTS), round((first + width) * PARTS)))
        self._tell_range()

    def _tell_range(self) -> None:
        # All of a comparison is scrubbed by dragging in its lanes; a part of it is moved.
        self.canvas.pans = self._session.window is not None or isinstance(self._scene, TraceScene)
        if isinstance(self._scene, ComparisonScene):
            shown = self._session.window or (0, PARTS)
            self.canvas.set_range(shown[0] / PARTS, shown[1] / PARTS)
        elif isinstance(self._scene, TraceScene):
            folds, begin, span = self._along(self._scene)
            shown = self._session.window or self._scene.whole()
            first, last = ((folds.along(at) - begin) / span for at in shown)
            self.canvas.set_range(first, last)

    def _along(self, scene: TraceScene) -> tuple[Folds, int, int]:
        """The folds, and where the whole axis begins and how long it is, in ns."""
        folds = scene.folds(self.look())
        first, last = (folds.along(at) for at in scene.whole())
        return folds, first, last - first

    def _show_window(self, _window: object) -> None:
        self._tell_range()
        self.redraw()

    def cursor_point(self) -> QPointF:
        """Where the cursor is on the canvas: notes are written beside it."""
        picture = self.canvas.picture
        if picture is None:
            return QPointF(200, 80)
        for layer in picture.layers:
            for mark in layer.marks:
                if getattr(mark, "role", "") == "cursor" and getattr(mark, "points", ()):
                    return QPointF(*mark.points[0])  # pyright: ignore[reportAttributeAccessIssue]
        return QPointF(200, 80)
