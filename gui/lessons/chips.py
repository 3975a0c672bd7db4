"""What a scenario costs in each era, as chips with a sign and a number."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton

from core.message import Count, Listing, Message, message
from core.picture.marks import Glyph, Sign
from core.picture.metrics import text_width
from core.sim.ablation.by_era import CostOfEras
from gui.glyphs import draw_sign
from gui.text.spoken import tr
from gui.theme import Theme, font

_HIGH: Final = 22
_SIGN: Final = 14.0
_GAP: Final = 6.0


class CostChip(QPushButton):
    """Eras and what they cost: lost records, else offsets that differ, else time without a leader."""

    def __init__(self, one: CostOfEras) -> None:
        """A click is up to the row."""
        super().__init__()
        self.cost = one
        self.eras = one.first if one.first == one.last else f"{one.first}–{one.last}"
        self.theme: Theme | None = None
        self.setObjectName("costChip")
        self.setAutoDefault(True)
        words = tr("lesson.chip", eras=self.eras, cost=Listing(_words(one)))
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        number = _number(self.cost)
        wide = text_width(self.eras, 11, 600) + 3 * _GAP + _SIGN
        wide += text_width(number, 11, 600) + _GAP if number else 0
        return QSize(round(wide), _HIGH)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A frame, the eras, a sign and its number."""
        theme = self.theme
        if theme is None:
            return
        cost = self.cost
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role = "loss" if cost.lost or cost.diverged else "line.edge"
        painter.setPen(QPen(theme.colour("focus" if self.hasFocus() else role), 2 if self.hasFocus() else 1))
        painter.setBrush(theme.colour("bg.hover" if self.underMouse() else "bg.panel"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        painter.setPen(theme.colour("text"))
        painter.setFont(font(11, 600))
        painter.drawText(
            QRectF(_GAP, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, self.eras
        )
        middle = QPointF(2 * _GAP + text_width(self.eras, 11, 600) + _SIGN / 2, self.height() / 2)
        _draw_kind(painter, cost, middle, theme)
        painter.setPen(theme.colour("text"))
        left = middle.x() + _SIGN / 2 + _GAP
        painter.drawText(
            QRectF(left, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, _number(cost)
        )
        painter.end()


def _draw_kind(painter: QPainter, cost: CostOfEras, middle: QPointF, theme: Theme) -> None:
    """The octagon of a loss, the diamond of a divergence, a clock, or a tick where nothing is lost."""
    x, y = middle.x(), middle.y()
    if cost.lost:
        draw_sign(painter, Sign(x, y, Glyph.LOSS, _SIGN, "loss"), theme)
    elif cost.diverged:
        draw_sign(painter, Sign(x, y, Glyph.DIVERGENCE, _SIGN, "loss"), theme)
    elif cost.leaderless_s[1]:
        painter.setPen(QPen(theme.colour("text"), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, 5.5, 5.5)
        painter.drawPolyline([QPointF(x, y - 3.5), QPointF(x, y), QPointF(x + 2.8, y + 1.6)])
    else:
        painter.setPen(QPen(theme.colour("ok"), 2))
        painter.drawPolyline([QPointF(x - 4, y), QPointF(x - 1, y + 3.5), QPointF(x + 4.5, y - 3.5)])


def _number(cost: CostOfEras) -> str:
    if cost.lost or cost.diverged:
        return str(cost.lost or cost.diverged)
    return tr("lesson.chip.seconds", seconds=_seconds(cost)) if cost.leaderless_s[1] else ""


def _seconds(cost: CostOfEras) -> str:
    least, most = cost.leaderless_s
    return str(least) if least == most else f"{least}–{most}"


def _words(cost: CostOfEras) -> tuple[Message, ...]:
    """All that an era costs, in words."""
    told: list[Message] = []
    if cost.committed:
        told.append(message("lesson.chip.committed", count=Count(cost.committed)))
    if cost.acknowledged:
        told.append(message("lesson.chip.acknowledged", count=Count(cost.acknowledged)))
    if cost.diverged:
        told.append(message("lesson.chip.diverged", count=Count(cost.diverged)))
    if cost.leaderless_s[1]:
        told.append(message("lesson.chip.leaderless", seconds=_seconds(cost)))
    return tuple(told) or (message("lesson.chip.nothing"),)
