"""The logs at the cursor: which record each replica holds at which offset, under the lanes."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.picture.cells import CellsView, lay_out_cells
from core.picture.hit import bounds, mark_at
from core.picture.marks import Layer, Picture, Ref
from core.picture.outline import Part, outline_of_cells
from core.picture.selection import cell_frames, selection_frame
from gui.accessible import parts_changed
from gui.paint import paint
from gui.panels.parts import tip
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.workspace.content import Content
from gui.workspace.session import Session

MOST: Final = 7
"""Replicas with a row of their own: the lanes need the room."""


class CellsStrip(QWidget):
    """Shows the picture of the cells at the session's position."""

    swept = Signal(int, int, bool)
    """while cells are marked: the first and the last offset the mouse went over, and whether it begins"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("cells")
        self.setAccessibleName(tr("actions.logs-at-the-cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._session = session
        self._theme: Theme | None = None
        self.picture: Picture | None = None
        self.marked: frozenset[int] = frozenset()
        """Offsets whose cells have a frame: an answer."""
        self._takes_marks = False
        self._swept_from: Ref | None = None
        # Docks that open change its size several times in one turn of the loop: it is laid out for the last.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.redraw)
        for signal in (session.content_changed, session.position_changed):
            signal.connect(self.redraw)
        session.selection_changed.connect(self._frame_anew)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def mark(self, offsets: frozenset[int], *, takes: bool) -> None:
        """Frame the cells of some offsets; `takes`: a click or a sweep over cells means them."""
        self.marked, self._takes_marks = offsets, takes
        self.setCursor(Qt.CursorShape.CrossCursor if takes else Qt.CursorShape.ArrowCursor)
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(400, round(self.picture.height) if self.picture else 0)

    def redraw(self, *_changed: object) -> None:
        """Lay the cells out for where the cursor is."""
        content = self._session.content
        if content is None or not self.isVisible():
            self.picture = None
            parts_changed(self)
            return
        width = float(max(self.width(), 300))
        view = CellsView(content.runs, self._session.cursors, width, most=MOST, lang=language())
        before, self.picture = self.picture, lay_out_cells(view)
        self.setAccessibleDescription(self.picture.alt)
        if self.height() != round(self.picture.height):
            self.setFixedHeight(round(self.picture.height))
        self.update(self.rect() if before is None else self._changed(before, self.picture))
        parts_changed(self)

    def accessible_parts(self) -> tuple[Part, ...]:
        """A row a replica, with its cells, for those who do not see them."""
        content = self._session.content
        if self.picture is None or content is None:
            return ()
        rows = outline_of_cells(self.picture)
        return (
            rows
            if len(content.runs) == 1
            else tuple(replace(row, name=_of_run(content, row)) for row in rows)
        )

    def press_part(self, part: Part) -> None:
        """What a click does: of a cell, tell what became of its record, or mark it."""
        if part.ref.kind == "cell" and self._takes_marks:
            self._sweep(part.ref, part.ref, begins=True)
        elif part.ref.kind == "cell":
            self._session.select(part.ref)

    def _changed(self, before: Picture, after: Picture) -> QRect:
        """The rows in which anything is another than before."""
        if (before.width, before.height) != (after.width, after.height):
            return self.rect()
        # Most marks are the very same: only the others are compared.
        old, new = (tuple(picture.marks()) for picture in (before, after))
        kept = set(map(id, old)) & set(map(id, new))
        other = {mark for mark in old if id(mark) not in kept} ^ {
            mark for mark in new if id(mark) not in kept
        }
        heights = [(y, y + h) for _, y, _, h in map(bounds, other)]
        if not heights:
            return QRect()
        top, bottom = min(first for first, _ in heights) - 4, max(last for _, last in heights) + 4
        return QRect(0, int(top), self.width(), int(bottom - top) + 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        if self.picture is None:
            self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        if self.picture is None or self.picture.width != max(self.width(), 300):
            self._later.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks."""
        if self._theme is None or self.picture is None:
            return
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.colour("bg.lane"))
        top, bottom = event.rect().top() - 4, event.rect().bottom() + 4
        boxes = ((mark, bounds(mark)) for mark in self.picture.marks())
        shown = tuple(mark for mark, (_, y, _, h) in boxes if y <= bottom and y + h >= top)
        paint(
            painter, Picture(self.picture.width, self.picture.height, (Layer("static", shown),)), self._theme
        )
        framed = (
            *cell_frames(shown, self.marked),
            *selection_frame(tuple(self.picture.marks()), self._selected()),
        )
        if framed:
            chosen = Layer("selection", framed)
            paint(painter, Picture(self.picture.width, self.picture.height, (chosen,)), self._theme)
        painter.end()

    def _frame_anew(self, _selected: object) -> None:
        self.update()

    def _selected(self) -> Ref | None:
        """The cell that is selected, if one is."""
        ref = self._session.selection
        return ref if ref is not None and ref.kind == "cell" else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell: the inspector tells what became of its record. Or begin to mark cells."""
        ref = self._under(event.position())
        if ref is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if not self._takes_marks:
            self._session.select(ref)
        elif ref.kind == "cell":
            self._swept_from = ref
            self._sweep(ref, ref, begins=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark all from where it began to here, in whatever row."""
        ref, begun = self._under(event.position()), self._swept_from
        if begun is not None and ref is not None and ref.kind == "cell":
            self._sweep(begun, ref, begins=False)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """What is marked is marked."""
        self._swept_from = None

    def _under(self, at: QPointF) -> Ref | None:
        return None if self.picture is None else mark_at(self.picture, at.x(), at.y())

    def _sweep(self, one: Ref, other: Ref, *, begins: bool) -> None:
        first, last = min(one.key, other.key), max(one.key, one.last, other.key, other.last)
        self.swept.emit(first, last, begins)

    def event(self, event: QEvent) -> bool:
        """Tips: what a cell is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            ref = mark_at(self.picture, event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), tip(ref.text) if ref else "", self)
            return True
        return super().event(event)


def _of_run(content: Content, row: Part) -> str:
    """What a row of a comparison is called: its run, then its broker."""
    run = row.ref.run
    return tr("lane-state.of-run", run=run + 1, title=content.runs[run].title, name=row.name)
