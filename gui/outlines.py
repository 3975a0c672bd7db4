"""A painter whose letters are shapes: for a picture that must look the same where its fonts are not."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QTransform

_LARGER: Final = 32
"""Letters are taken from so large a font: hinting and rounding of the small one change nothing then. What Qt
remembers of glyphs that a thread drew with it still changes last digits, which nobody sees."""


class Outlined(QPainter):
    """Draws text as filled paths, in the two ways in which pictures ask for it: at a point, amid a box."""

    def drawText(self, where: QPointF | QRectF, *told: object) -> None:  # type: ignore[override]
        """`(point, words)` on the baseline, or `(box, AlignCenter, words)`."""
        words, face = str(told[-1]), QFont(self.font())
        face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        face.setPixelSize(face.pixelSize() * _LARGER)
        if isinstance(where, QRectF):
            metrics = QFontMetricsF(face)
            left = where.center().x() - metrics.horizontalAdvance(words) / _LARGER / 2
            base = where.center().y() + (metrics.ascent() - metrics.descent()) / _LARGER / 2
            where = QPointF(left, base)
        path = QPainterPath()
        path.addText(QPointF(0, 0), face, words)
        placed = QTransform.fromTranslate(where.x(), where.y()).scale(1 / _LARGER, 1 / _LARGER).map(path)
        placed.setFillRule(Qt.FillRule.WindingFill)
        self.fillPath(placed, self.pen().color())
