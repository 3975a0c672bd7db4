"""The domain's signs as shapes, drawn from roles so that they follow the theme and export as paths."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPolygonF

from core.picture.marks import Glyph, Sign
from gui.theme import Theme, font

Draw = Callable[[QPainter, Sign, Theme], None]
_NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)


def draw_sign(painter: QPainter, sign: Sign, theme: Theme) -> None:
    """Draw a domain sign, centred at its place."""
    _DRAW[sign.glyph](painter, sign, theme)


def _pen(theme: Theme, role: str, width: float) -> QPen:
    pen = QPen(theme.colour(role), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _octagon(x: float, y: float, w: float, h: float, corner: float) -> QPolygonF:
    left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    return _polygon(
        (left + corner, top),
        (right - corner, top),
        (right, top + corner),
        (right, bottom - corner),
        (right - corner, bottom),
        (left + corner, bottom),
        (left, bottom - corner),
        (left, top + corner),
    )


def _text(painter: QPainter, theme: Theme, role: str, box: QRectF, words: str, size: float) -> None:
    painter.setFont(font(size, 700))
    painter.setPen(theme.colour(role))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _loss(painter: QPainter, sign: Sign, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    if sign.label:
        box = QRectF(sign.x - sign.size / 2, sign.y - 9, sign.size, 18)
        painter.drawPolygon(_octagon(sign.x, sign.y, sign.size, 18, 5.5))
        _text(painter, theme, "text.inverse", box, sign.label, 11)
        return
    s = sign.size
    painter.drawPolygon(_octagon(sign.x, sign.y, s, s, s * 0.3))
    painter.setPen(_pen(theme, "text.inverse", 2.0))
    r = s * 0.19
    painter.drawLine(QPointF(sign.x - r, sign.y - r), QPointF(sign.x + r, sign.y + r))
    painter.drawLine(QPointF(sign.x - r, sign.y + r), QPointF(sign.x + r, sign.y - r))


def _possible(painter: QPainter, sign: Sign, theme: Theme) -> None:
    s = sign.size - 1.4
    painter.setPen(_pen(theme, sign.role, 1.4))
    painter.setBrush(theme.colour("bg.lane"))
    painter.drawPolygon(_octagon(sign.x, sign.y, s, s, s * 0.3))
    _text(painter, theme, sign.role, QRectF(sign.x - s / 2, sign.y - s / 2, s, s), "?", 10)


def _diamond(painter: QPainter, sign: Sign, theme: Theme) -> None:
    r = sign.size / 2 - 0.7
    painter.setPen(_pen(theme, sign.role, 1.4))
    painter.setBrush(theme.colour("bg.lane"))
    painter.drawPolygon(
        _polygon((sign.x, sign.y - r), (sign.x + r, sign.y), (sign.x, sign.y + r), (sign.x - r, sign.y))
    )
    for dy in (-1.6, 1.6):
        painter.drawLine(QPointF(sign.x - 3, sign.y + dy), QPointF(sign.x + 3, sign.y + dy))
    painter.drawLine(QPointF(sign.x - 1.8, sign.y + 3.6), QPointF(sign.x + 1.8, sign.y - 3.6))


def _truncation(painter: QPainter, sign: Sign, theme: Theme) -> None:
    r = sign.size / 2 - 1.2
    painter.setPen(_pen(theme, sign.role, 1.4))
    painter.setBrush(theme.colour("bg.lane"))
    painter.drawRoundedRect(QRectF(sign.x - r, sign.y - r, 2 * r, 2 * r), 3, 3)
    painter.drawLine(QPointF(sign.x, sign.y - r + 2.4), QPointF(sign.x, sign.y + 1))
    painter.drawLine(QPointF(sign.x - 4, sign.y + 4), QPointF(sign.x + 4, sign.y + 4))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    painter.drawPolygon(
        _polygon((sign.x - 3, sign.y - 0.6), (sign.x + 3, sign.y - 0.6), (sign.x, sign.y + 3))
    )


def _flag(painter: QPainter, sign: Sign, theme: Theme) -> None:
    w, h = sign.size, 15.0
    left, top = sign.x - w / 2, sign.y - h / 2
    unclean, known = sign.glyph is Glyph.UNCLEAN_ELECTION, sign.epoch >= 0
    if unclean and not known:
        # Of no certain epoch, as in a list: there is no flag to show.
        _warning(painter, theme, sign.x, sign.y)
        return
    painter.setPen(_pen(theme, "text", 1.2))
    painter.setBrush(theme.colour(f"e{sign.epoch}" if known else "bg.lane"))
    if unclean:
        notch = (left + w - 5, top + h / 2)
        painter.drawPolygon(
            _polygon((left, top), (left + w, top), notch, (left + w, top + h), (left, top + h))
        )
        _warning(painter, theme, left + w + 10, sign.y)
    else:
        painter.drawRect(QRectF(left + 0.5, top + 0.5, w - 1, h - 1))
    box = QRectF(left, top, w - (6 if unclean else 0), h)
    painter.setFont(font(10, 600))
    painter.setPen(theme.colour(f"e{sign.epoch}.ink" if known else "text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign.label)


def _warning(painter: QPainter, theme: Theme, x: float, y: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("warn"))
    painter.drawPolygon(_polygon((x, y - 7), (x + 7.5, y + 6.5), (x - 7.5, y + 6.5)))
    painter.setPen(_pen(theme, "text.inverse", 1.6))
    painter.drawLine(QPointF(x, y - 2.2), QPointF(x, y + 2.2))
    painter.drawLine(QPointF(x, y + 3.6), QPointF(x, y + 5.0))


def _water(painter: QPainter, sign: Sign, theme: Theme) -> None:
    """Tip on the line (4 below the centre), two strokes under it."""
    half, tip = sign.size / 2, sign.y + 4
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    painter.drawPolygon(_polygon((sign.x - half, tip - 7), (sign.x + half, tip - 7), (sign.x, tip)))
    painter.setPen(_pen(theme, sign.role, 1.2))
    painter.drawLine(QPointF(sign.x - 3.4, tip + 4), QPointF(sign.x + 3.4, tip + 4))
    painter.drawLine(QPointF(sign.x - 1.6, tip + 6.5), QPointF(sign.x + 1.6, tip + 6.5))


def _crash(painter: QPainter, sign: Sign, theme: Theme) -> None:
    """A torn edge: a zigzag of amplitude 3 as high as the band."""
    top, bottom, step = sign.y - sign.size / 2, sign.y + sign.size / 2, 3.0
    path = QPainterPath(QPointF(sign.x - 1.5, top))
    y, side = top + step, 1
    while y < bottom:
        path.lineTo(QPointF(sign.x + 1.5 * side, y))
        y, side = y + step, -side
    painter.setPen(_pen(theme, "bg.lane", 4.0))
    painter.setBrush(_NO_BRUSH)
    painter.drawPath(path)
    painter.setPen(_pen(theme, sign.role, 1.8))
    painter.drawPath(path)


def _stop(painter: QPainter, sign: Sign, theme: Theme) -> None:
    s = sign.size - 1
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    painter.drawRect(QRectF(round(sign.x - s / 2), round(sign.y - s / 2), s, s))


def _start(painter: QPainter, sign: Sign, theme: Theme) -> None:
    s = sign.size
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    painter.drawPolygon(
        _polygon(
            (sign.x - s * 0.42, sign.y - s / 2),
            (sign.x + s * 0.5, sign.y),
            (sign.x - s * 0.42, sign.y + s / 2),
        ),
    )


def _gap(painter: QPainter, sign: Sign, theme: Theme) -> None:
    s = sign.size / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("bg.lane"))
    painter.drawRect(QRectF(sign.x - s - 1, sign.y - s - 1, 2 * s + 2, 2 * s + 2))
    painter.setPen(_pen(theme, sign.role, 1.4))
    painter.setBrush(_NO_BRUSH)
    for side in (-1, 1):
        edge = sign.x + side * s
        painter.drawPolyline(
            _polygon(
                (edge - side * 3, sign.y - s),
                (edge, sign.y - s),
                (edge, sign.y + s),
                (edge - side * 3, sign.y + s),
            ),
        )
    _text(painter, theme, sign.role, QRectF(sign.x - s, sign.y - s, 2 * s, 2 * s), "?", 10)


def _chevrons(painter: QPainter, sign: Sign, theme: Theme) -> None:
    painter.setPen(_pen(theme, sign.role, 1.6))
    painter.setBrush(_NO_BRUSH)
    inwards = sign.glyph is Glyph.ISR_SHRINK
    for side in (-1, 1):
        base = sign.x + side * (5.5 if inwards else 2.0)
        tip = sign.x + side * (1.6 if inwards else 5.9)
        painter.drawPolyline(_polygon((base, sign.y - 3.8), (tip, sign.y), (base, sign.y + 3.8)))


def _ack(painter: QPainter, sign: Sign, theme: Theme) -> None:
    r = sign.size / 2 - 0.7
    every = sign.glyph is Glyph.ACK_ALL
    painter.setPen(_pen(theme, sign.role, 1.3))
    painter.setBrush(theme.colour(sign.role) if every else theme.colour("bg.lane"))
    painter.drawEllipse(QPointF(sign.x, sign.y), r, r)
    painter.setPen(_pen(theme, "bg.lane" if every else sign.role, 1.3))
    painter.setBrush(_NO_BRUSH)
    painter.drawPolyline(
        _polygon((sign.x - 2.6, sign.y), (sign.x - 0.6, sign.y + 2.1), (sign.x + 2.8, sign.y - 2))
    )


def _sample(painter: QPainter, sign: Sign, theme: Theme) -> None:
    ring = sign.glyph is Glyph.REPORTED
    painter.setPen(_pen(theme, sign.role, 1.5) if ring else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(theme.colour("bg.lane" if ring else sign.role))
    r = sign.size / 2 - (0.75 if ring else 0)
    painter.drawEllipse(QPointF(sign.x, sign.y), r, r)


def _note(painter: QPainter, sign: Sign, theme: Theme) -> None:
    """A plate with a tail: what a person wrote is never mistaken for an event."""
    s = sign.size
    left, top = round(sign.x - s / 2), round(sign.y - s / 2)
    box = QRectF(left, top, s, s - 3)
    middle = left + s / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(sign.role))
    match sign.glyph:
        case Glyph.NOTE_ROUND:
            painter.drawEllipse(box)
        case Glyph.NOTE_POINTED:
            edge = 3.0
            painter.drawPolygon(
                _polygon(
                    (left + edge, top),
                    (left + s - edge, top),
                    (left + s + 1, top + box.height() / 2),
                    (left + s - edge, box.bottom()),
                    (left + edge, box.bottom()),
                    (left - 1, top + box.height() / 2),
                )
            )
        case _:
            painter.drawRoundedRect(box, 2, 2)
    painter.drawPolygon(
        _polygon((middle - 4, top + s - 3.2), (middle + 4, top + s - 3.2), (middle, top + s + 1))
    )
    _text(painter, theme, "text.inverse", box, sign.label, 10)


_DRAW: Final[dict[Glyph, Draw]] = {
    Glyph.LOSS: _loss,
    Glyph.POSSIBLE_LOSS: _possible,
    Glyph.DIVERGENCE: _diamond,
    Glyph.DIFFERENCE: _diamond,
    Glyph.TRUNCATION: _truncation,
    Glyph.UNCLEAN_ELECTION: _flag,
    Glyph.ELECTION: _flag,
    Glyph.HW_BACK: _water,
    Glyph.HW_RISE: _water,
    Glyph.CRASH: _crash,
    Glyph.STOP: _stop,
    Glyph.START: _start,
    Glyph.GAP: _gap,
    Glyph.ISR_SHRINK: _chevrons,
    Glyph.ISR_GROW: _chevrons,
    Glyph.ACK_ONE: _ack,
    Glyph.ACK_ALL: _ack,
    Glyph.OBSERVED: _sample,
    Glyph.REPORTED: _sample,
    Glyph.NOTE: _note,
    Glyph.NOTE_ROUND: _note,
    Glyph.NOTE_POINTED: _note,
}
