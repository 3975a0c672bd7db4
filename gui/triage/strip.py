"""Brokers over time: how many findings began, darker where more; a dragged stretch selects rows."""

from math import ceil
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.picture.metrics import elide, text_width
from core.shown import shown_in_line
from core.trace.broker_names import broker_name
from core.trace.times import clock
from core.trace.trace import Trace
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.triage.rows import Table, heat, shade

BINS: Final = 240
_HIGH: Final = 15
_LEFT_LEAST, _LEFT_MOST, _RIGHT, _FOOT = 72.0, 160.0, 16, 22
_SIZE: Final = 11
_GAP: Final = 8
"""On both sides of a name."""
_MOST: Final = 12
"""Brokers that have room; the ones with most findings are drawn, the others are said in words."""
_LEAST_DRAG: Final = 4.0


class BrokersOverTime(QWidget):
    """A line a broker."""

    stretch_chosen = Signal(object)
    """(first, last) in ns, or None for all"""
    moment_chosen = Signal(object)
    """A time in ns, where the pointer is; None is that of what is open"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.setAccessibleName(tr("triage.findings-of-each-broker-over-time"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme: Theme | None = None
        self.stretch: tuple[int, int] | None = None
        self.moment: int | None = None
        """A time, ns, at which a line stands."""
        self._table = Table((), (), 0, 0)
        self._trace: Trace | None = None
        self._counts: dict[int, list[int]] = {}
        self.names: dict[int, str] = {}
        """What stands before the line of each broker."""
        self._left = _LEFT_LEAST
        self._left_out = 0
        self._began: float | None = None

    def show_table(self, table: Table, trace: Trace | None) -> None:
        """Draw another table; the trace names the brokers."""
        self._table, self._trace, self.stretch = table, trace, None
        found = heat(table, BINS)
        most = sorted(found, key=lambda broker: -sum(found[broker]))[:_MOST]
        self._counts = {broker: counts for broker, counts in found.items() if broker in most}
        self._left_out = len(found) - len(self._counts)
        self.names = {}
        if trace is not None:
            for broker in self._counts:
                name = shown_in_line(broker_name(trace, broker))
                self.names[broker] = elide(name, _LEFT_MOST - _GAP, _SIZE)
        widest = max((text_width(name, _SIZE) for name in self.names.values()), default=0.0)
        self._left = float(ceil(max(widest + 2 * _GAP, _LEFT_LEAST)))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A line a broker, and the times below."""
        return QSize(400, len(self._counts) * _HIGH + _FOOT + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """All of it: some thousand boxes at most."""
        theme = self.theme
        if theme is None or self._trace is None or not self._counts:
            return
        painter = QPainter(self)
        plot = self.plot()
        width = plot.width() / BINS
        for line, (broker, counts) in enumerate(self._counts.items()):
            y = line * _HIGH
            painter.setFont(font(_SIZE))
            painter.setPen(theme.colour("text.2"))
            box = QRectF(0, y, self._left - _GAP, _HIGH)
            painter.drawText(
                box,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                self.names[broker],
            )
            painter.fillRect(QRectF(plot.left(), y + 1, plot.width(), _HIGH - 2), theme.colour("bg.sunken"))
            for place, count in enumerate(counts):
                if count:
                    part = QRectF(plot.left() + place * width, y + 1, max(width, 2.0), _HIGH - 2)
                    painter.fillRect(part, theme.colour("text", shade(count) / 5))
        self._times(painter, plot, theme)
        if self.stretch is not None:
            left, right = (self._x(at) for at in self.stretch)
            painter.setPen(QPen(theme.colour("text"), 1.5))
            painter.drawRoundedRect(QRectF(left, 0.75, max(right - left, 3.0), plot.height() - 0.5), 3, 3)
        if self.moment is not None and self._table.first <= self.moment <= self._table.last:
            painter.fillRect(
                QRectF(round(self._x(self.moment)) - 1, 0, 2, plot.height()), theme.colour("text")
            )
        painter.end()

    def show_moment(self, moment: int | None) -> None:
        """Draw a line at another time, ns; None is no line."""
        self.moment = moment
        self.update()

    def _times(self, painter: QPainter, plot: QRectF, theme: Theme) -> None:
        painter.setFont(font(11, mono=True))
        painter.setPen(theme.colour("text.2"))
        foot = QRectF(plot.left(), plot.bottom() + 3, plot.width(), _FOOT - 4)
        first, last = clock(self._table.first), clock(self._table.last)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, first)
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, last)
        if self._left_out:
            painter.setFont(font(11))
            words = tr("triage.more-brokers-with-fewer-findings", count=self._left_out)
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, words)

    def plot(self) -> QRectF:
        """Where the lines are: right of the names, above the times."""
        return QRectF(self._left, 0, max(self.width() - self._left - _RIGHT, 10), len(self._counts) * _HIGH)

    def _x(self, at: int) -> float:
        plot, whole = self.plot(), max(self._table.last - self._table.first, 1)
        return plot.left() + (at - self._table.first) / whole * plot.width()

    def _at(self, x: float) -> int:
        plot, whole = self.plot(), self._table.last - self._table.first
        share = min(max((x - plot.left()) / plot.width(), 0.0), 1.0)
        return self._table.first + round(share * whole)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A stretch begins."""
        if event.button() == Qt.MouseButton.LeftButton and self._counts:
            self._began = event.position().x()
            self.moment_chosen.emit(self._at(self._began))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """It grows."""
        if self._began is not None:
            self._select(self._began, event.position())
            self.moment_chosen.emit(self._at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """It is chosen; a click without a drag takes all."""
        if self._began is None:
            return
        self._select(self._began, event.position())
        self._began = None
        self.stretch_chosen.emit(self.stretch)

    def event(self, event: QEvent) -> bool:
        """Esc is for what is chosen here, where something is."""
        ours = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._has_chosen()
        if event.type() == QEvent.Type.ShortcutOverride and ours:
            event.accept()
            return True
        return super().event(event)

    def _has_chosen(self) -> bool:
        return (self.stretch, self.moment) != (None, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes all again, at the time of what is open."""
        if event.key() == Qt.Key.Key_Escape and self._has_chosen():
            self.clear()
            self.stretch_chosen.emit(None)
            self.moment_chosen.emit(None)
            return
        super().keyPressEvent(event)

    def clear(self) -> None:
        """No stretch is chosen."""
        self.stretch = None
        self.update()

    def _select(self, begun: float, now: QPointF) -> None:
        left, right = sorted((begun, now.x()))
        self.stretch = None if right - left < _LEAST_DRAG else (self._at(left), self._at(right))
        self.update()
