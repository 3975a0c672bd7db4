"""A live lane for a card: where most goes wrong; of a case who was up, until it is solved."""

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.compare.comparison import Run
from core.picture.drawing import Drawing
from core.picture.hit import reaches
from core.picture.marks import Box, Line, Mark, Picture
from core.picture.memo import Same, keeping
from core.picture.timeline import TimelineView, lay_out
from core.picture.who_was_up import who_was_up
from core.picture.whole import history_window
from gui.paint import paint
from gui.text.spoken import language
from gui.theme import Theme

GUTTER = 152.0
HEIGHT = 96
INSET = 8
_BELOW: Final = 1.5
"""So much further down than the baseline the column of a fold reaches."""
_KEPT: Final = 128
"""So many lanes are kept: all cards of two pages. Another window or theme shows them without a layout."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture and the part of it that a card shows."""

    picture: Picture
    left: float
    top: float


def preview(run: Run, width: int) -> Preview:
    """One lane of a run, `width` wide: of the replica that cut its log last, else of the last replica."""
    return _preview(Same((run,), run), width, language())


@keeping(_KEPT)
def _preview(same: Same[Run], width: int, lang: str) -> Preview:
    run = same.value
    history = run.history
    cuts = [cut.broker for cut in run.verdict.truncations if cut.records]
    broker = cuts[-1] if cuts else list(history.replicas)[-1]
    view = TimelineView(
        history,
        run.verdict,
        None,
        history_window(history),
        GUTTER - INSET + width,
        0.0,
        gutter=GUTTER,
        drawing=Drawing(messages=False, callouts=False),
        with_overview=False,
        lang=lang,
    )
    picture = lay_out(view)
    lane = next(
        mark
        for mark in picture.marks()
        if isinstance(mark, Box)
        and mark.ref is not None
        and mark.ref.kind == "lane"
        and mark.ref.broker == broker
    )
    picture = _slashes_in(picture, lane)
    top = lane.y + 2
    # A card is painted some thirty times until its page stands: of what it does not show nothing is drawn.
    layers = tuple(
        replace(layer, marks=tuple(mark for mark in layer.marks if reaches(mark, top, top + HEIGHT)))
        for layer in picture.layers
    )
    return Preview(replace(picture, layers=layers), GUTTER - INSET, top)


def _slashes_in(picture: Picture, lane: Box) -> Picture:
    """The same with the slashes of its folds on the lane's own baseline: a card does not show the ruler."""
    feet = [
        mark.y + mark.h - _BELOW
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.fill == "bg.sunken" and lane.y < mark.y < lane.y + lane.h
    ]
    if not feet:
        return picture

    def moved(mark: Mark) -> Mark:
        if not isinstance(mark, Line) or mark.ref is None or mark.ref.kind != "fold":
            return mark
        heights = [height for _, height in mark.points]
        by = feet[0] - (min(heights) + max(heights)) / 2
        return replace(mark, points=tuple((x, height + by) for x, height in mark.points))

    layers = (replace(layer, marks=tuple(map(moved, layer.marks))) for layer in picture.layers)
    return replace(picture, layers=tuple(layers))


class LaneView(QWidget):
    """The lane of a preview, clipped to its width."""

    def __init__(self) -> None:
        """Empty until the preview is there."""
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.run: Run | None = None
        self.theme: Theme | None = None
        self._shown: Preview | None = None

    def show_run(self, run: Run) -> None:
        """Draw a lane of a run."""
        self.run, self._shown = run, None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self._shown = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks of the lane."""
        if self.run is None or self.theme is None:
            return
        if self._shown is None:
            self._shown = preview(self.run, self.width())
        painter = QPainter(self)
        painter.setClipRect(self.rect())
        painter.translate(-self._shown.left, -self._shown.top)
        paint(painter, self._shown.picture, self.theme)
        painter.end()


class CaseView(LaneView):
    """Who was up in a recording, and nothing of what was lost; the lane once the case is solved."""

    def __init__(self) -> None:
        """Not solved."""
        super().__init__()
        self._solved = False

    @property
    def solved(self) -> bool:
        """Whether the lane is shown."""
        return self._solved

    def show_solved(self, *, solved: bool) -> None:
        """Show the lane, or who was up."""
        self._solved = solved
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A row a broker, or the marks of the lane."""
        if self._solved:
            super().paintEvent(event)
        elif self.run is not None and self.theme is not None:
            painter = QPainter(self)
            paint(painter, who_was_up(self.run.history, self.width(), self.height()), self.theme)
            painter.end()
