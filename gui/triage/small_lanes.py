"""The lanes of one partition, small: roles, logs and what went wrong, without the words beside them."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.picture.drawing import Drawing
from core.picture.folds import folds_of
from core.picture.marks import Picture, Text
from core.picture.ruler import TIME_RULER
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from core.trace.trace import Trace
from gui.paint import paint
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.workspace.session import Session

_LANE: Final = 104
_MOST: Final = 5
"""Lanes that have room; the picture is cut below them."""
_GUTTER: Final = 72.0
_PLOT: Final = 110.0
"""The least width beside the names in which a story can be read: in less its folds and signs take all."""
_DRAWING: Final = Drawing(messages=False, callouts=False)
_WAITS_MS: Final = 80
"""Somebody who holds an arrow key passes many rows."""


class SmallLanes(QWidget):
    """Shows a partition of the one trace that is open; nothing where it cannot be read."""

    wanted = Signal(object, int)
    """the trace and the partition of it that is to be read; the answer goes to `take`"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Empty until a partition is shown."""
        super().__init__(parent)
        self.setObjectName("smallLanes")
        self.setAccessibleName(tr("triage.small-lanes"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._session = session
        self._theme: Theme | None = None
        self._partition: int | None = None
        self._part: tuple[History, PartitionVerdict] | None = None
        self._room = 0.0
        self.picture: Picture | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_WAITS_MS)
        self._later.timeout.connect(self._ask)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def give_room(self, width: float) -> None:
        """So wide they may be; where that is too little to be read they are not shown."""
        self._room = width
        self.setVisible(self._is_readable())

    def _is_readable(self) -> bool:
        return self._part is not None and self._room >= _GUTTER + _PLOT

    def show_partition(self, partition: int | None) -> None:
        """Show a partition by its index in the trace."""
        self._partition, self._part, self.picture = partition, None, None
        self.hide()
        content, traces = self._session.content, self._session.traces
        if partition is None or len(traces) != 1:
            self._later.stop()
        elif content is not None and content.runs[0].history.partition == partition:
            self.take((content.runs[0].history, content.runs[0].verdict))
        else:
            self._later.start()

    def take(self, part: tuple[History, PartitionVerdict]) -> None:
        """What was read; another one may be wanted by now."""
        history, traces = part[0], self._session.traces
        if len(traces) == 1 and history.trace is traces[0] and history.partition == self._partition:
            self._part = part
            self.setVisible(self._is_readable())
            self._lay_out()

    def _ask(self) -> None:
        traces: tuple[Trace, ...] = self._session.traces
        if self._partition is not None and len(traces) == 1:
            self.wanted.emit(traces[0], self._partition)

    def _lay_out(self) -> None:
        if self._part is None or not self._is_readable():
            return
        history, verdict = self._part
        high = TIME_RULER + _LANE * min(max(len(history.replicas), 1), _MOST)
        view = TimelineView(
            history,
            verdict,
            None,
            _window(history, verdict),
            float(self.width()),
            high,
            gutter=_GUTTER,
            with_overview=False,
            drawing=_DRAWING,
            lang=language(),
        )
        self.picture = _without_words(lay_out(view))
        self.setAccessibleDescription(self.picture.alt)
        self.setFixedHeight(round(high))
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its lanes."""
        return QSize(200, round(TIME_RULER + _LANE))

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out for the width that it has now."""
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lanes."""
        if self._theme is None or self.picture is None:
            return
        painter = QPainter(self)
        painter.setClipRect(event.rect())
        paint(painter, self.picture, self._theme)
        painter.end()


def _without_words(picture: Picture) -> Picture:
    """Signs and counts alone: there is no room for what stands beside a mark."""
    layers = (
        replace(
            layer, marks=tuple(mark for mark in layer.marks if not (isinstance(mark, Text) and mark.plate))
        )
        for layer in picture.layers
    )
    return replace(picture, layers=tuple(layers))


def _window(history: History, verdict: PartitionVerdict) -> tuple[int, int]:
    """The time of what went wrong, without the quiet before and after it; all of it where nothing did."""
    first, last = history_window(history)
    spans = folds_of(history, verdict).spans
    if spans and spans[0][0] <= first:
        first = spans[0][1]
    if spans and spans[-1][1] >= last:
        last = spans[-1][0]
    return (first, last) if first < last else history_window(history)
