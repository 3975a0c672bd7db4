"""The only code that draws pictures: on a widget, into an image, SVG or PDF."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, pi, sin

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from core.picture.hit import PLATE_X, PLATE_Y, bounds
from core.picture.marks import Align, Box, Fill, Line, Mark, Picture, Segments, Sign, Text
from core.picture.metrics import elide
from gui.glyphs import draw_sign
from gui.theme import Theme, font, load_theme

_SMOOTH = QPainter.RenderHint.Antialiasing
_NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_PLATE = 0.82


def paint(painter: QPainter, picture: Picture, theme: Theme, layers: Collection[str] | None = None) -> None:
    """Draw the layers named (all if None), from back to front, in logical pixels of the painter."""
    painter.save()
    painter.setRenderHint(_SMOOTH)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    for layer in picture.layers:
        if layers is not None and layer.name not in layers:
            continue
        if layer.clip is not None:
            painter.save()
            painter.setClipRect(QRectF(*layer.clip))
        smooth = True
        for mark in layer.marks:
            # Said only where it changes: Qt's names of hints cost as much as a small mark.
            if _on_whole_pixels(mark) is smooth:
                smooth = not smooth
                painter.setRenderHint(_SMOOTH, smooth)
            _draw(painter, mark, theme)
        if layer.clip is not None:
            painter.restore()
        elif not smooth:
            painter.setRenderHint(_SMOOTH)
    painter.restore()


def _on_whole_pixels(mark: Mark) -> bool:
    """Columns and steps lie on whole pixels: smoothing would change nothing and take five times as long."""
    return isinstance(mark, Fill) or (isinstance(mark, Line) and mark.width > 0 and _is_upright(mark))


def _is_upright(line: Line) -> bool:
    """Whether all of a line runs along x or y."""
    return all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(line.points))


def _draw(painter: QPainter, mark: Mark, theme: Theme) -> None:
    match mark:
        case Box():
            _box(painter, mark, theme)
        case Segments():
            _segments(painter, mark, theme)
        case Fill():
            _fill(painter, mark, theme)
        case Line():
            _line(painter, mark, theme)
        case Text():
            _text(painter, mark, theme)
        case Sign():
            draw_sign(painter, mark, theme)


@lru_cache(maxsize=512)
def _colour(theme: str, role: str, opacity: float = 1.0) -> QColor:
    """A colour of a theme, which nobody changes. Colours are few, as pens are."""
    return load_theme(theme).colour(role, opacity)


@lru_cache(maxsize=512)
def _pen(theme: str, role: str, width: float, opacity: float, dash: tuple[float, ...]) -> QPen:
    """A pen for the lines of a theme. Pens are few: to make one takes as long as to draw with it."""
    pen = QPen(_colour(theme, role, opacity), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash:
        # Qt counts dashes in pen widths, marks count them in pixels.
        pen.setDashPattern([length / max(width, 0.5) for length in dash])
    return pen


def _box(painter: QPainter, box: Box, theme: Theme) -> None:
    if not box.fill and not box.edge:
        return
    painter.setBrush(_colour(theme.name, box.fill, box.opacity) if box.fill else _NO_BRUSH)
    painter.setPen(_pen(theme.name, box.edge, box.edge_width, 1.0, box.dash) if box.edge else _NO_PEN)
    rect = QRectF(box.x, box.y, box.w, box.h)
    if box.radius:
        painter.drawRoundedRect(rect, box.radius, box.radius)
    else:
        painter.drawRect(rect)


def _segments(painter: QPainter, mark: Segments, theme: Theme) -> None:
    painter.setPen(_pen(theme.name, mark.role, mark.width, mark.opacity, ()))
    painter.drawLines([QLineF(*line) for line in mark.lines])


def _fill(painter: QPainter, mark: Fill, theme: Theme) -> None:
    """One polygon: where a column is empty its outline runs there and back, and fills nothing."""
    # Only here: whoever draws no columns shall not wait for it.
    from pyqtgraph.functions import arrayToQPolygonF

    drawn = (mark.tops < mark.bottoms).nonzero()[0]
    if not len(drawn):
        return
    first, end = int(drawn[0]), int(drawn[-1]) + 1
    painter.setPen(_NO_PEN)
    painter.setBrush(_colour(theme.name, mark.role, mark.opacity))
    tops, bottoms = mark.tops[first:end], mark.bottoms[first:end]
    # Corners only: most columns are as high as the one before.
    steps = ((tops[1:] != tops[:-1]) | (bottoms[1:] != bottoms[:-1])).nonzero()[0] + 1
    edges = np.concatenate(((0,), steps, (end - first,)))
    begun, xs = edges[:-1], edges.repeat(2)[1:-1] + (first + mark.x)
    ys = np.concatenate((tops[begun].repeat(2), bottoms[begun].repeat(2)[::-1]))
    painter.drawPolygon(arrayToQPolygonF(np.concatenate((xs, xs[::-1])), ys))


def _line(painter: QPainter, line: Line, theme: Theme) -> None:
    points = [QPointF(x, y) for x, y in line.points]
    if line.width > 0:
        painter.setBrush(_NO_BRUSH)
        if len(points) == 2 and line.opacity < 1.0 and not line.dash and _is_upright(line):
            # The same pixels as a pen's: Qt strokes what is see-through thirty times as slowly.
            painter.setPen(_NO_PEN)
            painter.setBrush(_colour(theme.name, line.role, line.opacity))
            painter.drawRect(_thick(points, line.width))
        else:
            painter.setPen(_pen(theme.name, line.role, line.width, line.opacity, line.dash))
            painter.drawPolyline(points)
    if line.arrow and len(points) > 1:
        rough = _on_whole_pixels(line)
        if rough:
            painter.setRenderHint(_SMOOTH)
        _head(painter, points[-2], points[-1], line, theme)
        if rough:
            painter.setRenderHint(_SMOOTH, False)


def _thick(points: Sequence[QPointF], width: float) -> QRectF:
    """What an upright line of two points covers."""
    half = width / 2
    box = QRectF(*points).normalized()
    flat = points[0].y() == points[1].y()
    return box.adjusted(0, -half, 0, half) if flat else box.adjusted(-half, 0, half, 0)


def _head(painter: QPainter, start: QPointF, tip: QPointF, line: Line, theme: Theme) -> None:
    angle = atan2(tip.y() - start.y(), tip.x() - start.x())
    spread = pi / 4.4 if not line.width else pi / 5.5 if line.width >= 2 else pi / 7
    corners = [
        QPointF(tip.x() - line.arrow * cos(angle + side), tip.y() - line.arrow * sin(angle + side))
        for side in (-spread, spread)
    ]
    painter.setPen(_NO_PEN)
    painter.setBrush(_colour(theme.name, line.role, line.opacity))
    painter.drawPolygon(QPolygonF([tip, *corners]))


def _text(painter: QPainter, text: Text, theme: Theme) -> None:
    words = text.text
    if text.max_width:
        words = elide(words, text.max_width, text.size, text.weight, mono=text.mono)
    if text.plate:
        x, y, w, h = bounds(text)
        painter.setPen(_NO_PEN)
        painter.setBrush(_colour(theme.name, "bg.lane", _PLATE))
        painter.drawRoundedRect(QRectF(x - PLATE_X, y - PLATE_Y, w + 2 * PLATE_X, h + 2 * PLATE_Y), 3, 3)
    painter.setFont(font(text.size, text.weight, mono=text.mono))
    painter.setPen(_colour(theme.name, text.role))
    left = text.x
    if text.align is not Align.LEFT:
        width = painter.fontMetrics().horizontalAdvance(words)
        left -= width / 2 if text.align is Align.CENTRE else width
    painter.drawText(QPointF(left, round(text.y)), words)
