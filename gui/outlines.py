"""A painter whose letters are shapes: for a picture that must look the same where its fonts are not."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath


class Outlined(QPainter):
    """Draws text as filled paths, in the two ways in which pictures ask for it: at a point, amid a box."""

    def drawText(self, where: QPointF | QRectF, *told: object) -> None:  # type: ignore[override]
        """`(point, words)` on the baseline, or `(box, AlignCenter, words)`."""
        words, face = str(told[-1]), QFont(self.font())
        # Unhinted, letters stand as the font was designed, whatever else was drawn with it before.
        face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if isinstance(where, QRectF):
            metrics = QFontMetricsF(face)
            left = where.center().x() - metrics.horizontalAdvance(words) / 2
            base = where.center().y() + (metrics.ascent() - metrics.descent()) / 2
            where = QPointF(left, base)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addText(where, face, words)
        self.fillPath(path, self.pen().color())
