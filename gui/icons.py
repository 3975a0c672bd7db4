"""Icons as strokes on a grid of 16, drawn in code: they take the theme's colours at every resolution."""

from functools import cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

STROKES: Final[dict[str, str]] = {
    "home": "M2.5 8 L8 3 L13.5 8 M4 7 V13 H12 V7",
    "timeline": "M2 4.5 H14 M2 8 H14 M2 11.5 H14 M5 3 V6 M10 6.5 V9.5 M7 10 V13",
    "compare": "R2 2.5 12 4.5 R2 9 12 4.5",
    "incident": "M5.5 2.5 H10.5 L13.5 5.5 V10.5 L10.5 13.5 H5.5 L2.5 10.5 V5.5 Z M6 6 L10 10 M10 6 L6 10",
    "triage": "M2.5 3.5 H13.5 M2.5 6.5 H11 M2.5 9.5 H8.5 M2.5 12.5 H6",
    "report": "M8 2.5 V9.5 M5 7 L8 10 L11 7 M2.5 10.5 V13.5 H13.5 V10.5",
    "book": "M8 4.5 L5.5 3.5 H2 V12 H5.5 L8 13 L10.5 12 H14 V3.5 H10.5 L8 4.5 V13",
    "script": "M5.5 4 L2 8 L5.5 12 M10.5 4 L14 8 L10.5 12 M9 3 L7 13",
    "keys": "R1.5 4 13 8 M4 6.5 H4.6 M7 6.5 H7.6 M10 6.5 H10.6 M4 9.5 H12",
    "theme": (
        "O8 8 3.2 M8 1.5 V3 M8 13 V14.5 M1.5 8 H3 M13 8 H14.5 "
        "M3.4 3.4 L4.4 4.4 M11.6 11.6 L12.6 12.6 M12.6 3.4 L11.6 4.4 M4.4 11.6 L3.4 12.6"
    ),
    "search": "O7 7 4.2 M10.2 10.2 L13.5 13.5",
    "export": "M8 10 V2.5 M5 5 L8 2 L11 5 M3 9.5 V13.5 H13 V9.5",
    "note": "M2.5 3 H13.5 V11 H7 L4.5 13.5 V11 H2.5 Z",
    "first": "M4 4 V12 F12 4 L6 8 L12 12 Z",
    "last": "M12 4 V12 F4 4 L10 8 L4 12 Z",
    "back": "F10 4 L4 8 L10 12 Z",
    "forward": "F6 4 L12 8 L6 12 Z",
    "play": "F5 3.5 L12 8 L5 12.5 Z",
    "pause": "M6 4 V12 M10 4 V12",
    "open": "M2 12.5 V4 H6 L7.5 5.5 H13 V7.5 M2 12.5 L4.5 7.5 H14.5 L12.5 12.5 Z",
    "drop": "M8 2.5 V9 M5 6.5 L8 9.5 L11 6.5 M2.5 9 V13.5 H13.5 V9",
    "swap": "M2.5 5.5 H13 M10 2.5 L13 5.5 L10 8.5 M13.5 10.5 H3 M6 7.5 L3 10.5 L6 13.5",
    "close": "M4 4 L12 12 M12 4 L4 12",
    "menu": "M3 4.5 H13 M3 8 H13 M3 11.5 H13",
    "pane-left": "R2 3 12 10 M6 3 V13",
    "pane-right": "R2 3 12 10 M10 3 V13",
    "pane-bottom": "R2 3 12 10 M2 9.5 H14",
}
"""M, L, H, V, Z as in SVG; R x y w h is a box, O x y r a circle; F begins a filled polygon."""


def stroke_path(strokes: str) -> tuple[QPainterPath, QPainterPath]:
    """(outline, filled) of a text of STROKES. Raises KeyError for a letter that is none of them."""
    outline, filled = QPainterPath(), QPainterPath()
    target = outline
    for letter, numbers in _words(strokes):
        match letter:
            case "M":
                target = outline
                target.moveTo(*numbers)
            case "F":
                target = filled
                target.moveTo(*numbers)
            case "L":
                target.lineTo(*numbers)
            case "H":
                target.lineTo(numbers[0], target.currentPosition().y())
            case "V":
                target.lineTo(target.currentPosition().x(), numbers[0])
            case "Z":
                target.closeSubpath()
            case "R":
                outline.addRoundedRect(QRectF(*numbers), 1.2, 1.2)
            case "O":
                outline.addEllipse(QPointF(numbers[0], numbers[1]), numbers[2], numbers[2])
            case _:
                raise KeyError(letter)
    return outline, filled


def _words(strokes: str) -> list[tuple[str, list[float]]]:
    words: list[tuple[str, list[float]]] = []
    for word in strokes.split():
        number = word
        if word[0].isalpha():
            words.append((word[0], []))
            number = word[1:]
        if number:
            words[-1][1].append(float(number))
    return words


def paint_icon(painter: QPainter, name: str, colour: QColor, box: QRectF) -> None:
    """Draw an icon into a square box. Raises KeyError for an unknown name."""
    outline, filled = stroke_path(STROKES[name])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / 16, box.height() / 16)
    pen = QPen(colour, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(outline, pen)
    painter.fillPath(filled, colour)
    painter.restore()


def icon(name: str, colour: QColor, size: int = 16) -> QIcon:
    """An icon in one colour, sharp at 100 to 300 %. Who adds a picture to it adds it to no other."""
    return QIcon(_icon(name, colour.rgba(), size))


@cache
def _icon(name: str, rgba: int, size: int) -> QIcon:
    """Kept: each window has thirty-six, and to draw them takes an eighth of the time in which it is made."""
    made, colour = QIcon(), QColor.fromRgba(rgba)
    for factor in (1, 2, 3):
        pixmap = QPixmap(size * factor, size * factor)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint_icon(painter, name, colour, QRectF(0, 0, size * factor, size * factor))
        painter.end()
        pixmap.setDevicePixelRatio(factor)
        made.addPixmap(pixmap)
    return made
