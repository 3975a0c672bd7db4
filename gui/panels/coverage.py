"""A bar for each file over the time of the whole import, with what is missing hatched."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.theme import Theme

SPANS: Final = int(Qt.ItemDataRole.UserRole)
"""Under this role an item holds (spans, gaps), each pairs of (first, last) as shares of the whole, 0 to 1."""
_HIGH: Final = 8
_LEAST: Final = 3.0
_STEP: Final = 5

Shares = tuple[tuple[float, float], ...]


def shares(spans: Sequence[tuple[int, int]], whole: tuple[int, int] | None) -> Shares:
    """Stretches of time as shares of the whole stretch, cut where they go beyond it."""
    if whole is None:
        return ()
    begin, end = whole

    def share(at: int) -> float:
        return min(max((at - begin) / max(end - begin, 1), 0.0), 1.0)

    inside = (span for span in spans if span[0] <= end and span[1] >= begin)
    return tuple((share(first), share(last)) for first, last in inside)


class CoverageDelegate(QStyledItemDelegate):
    """Paints the bar of one file: a track, what it covers, hatches where nothing is known."""

    theme: Theme | None = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The cell's ground as in any other, then the bar."""
        super().paint(painter, option, index)
        found: tuple[Shares, Shares] | None = index.data(SPANS)
        if found is None or self.theme is None or not found[0]:
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        room = QRectF(box.left() + 8, box.center().y() - _HIGH / 2 + 0.5, box.width() - 16, _HIGH)
        painter.save()
        painter.fillRect(room, self.theme.colour("bg.sunken"))
        for share in found[0]:
            painter.fillRect(_part(room, share), self.theme.colour("text.2"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for share in found[1]:
            self._hatch(painter, _part(room, share, least=0.0))
        painter.restore()

    def _hatch(self, painter: QPainter, part: QRectF) -> None:
        if self.theme is None:
            return
        painter.save()
        painter.setClipRect(part)
        painter.fillRect(part, self.theme.colour("bg.panel"))
        painter.setPen(QPen(self.theme.colour("line.edge"), 1))
        # The phase is that of the table, so that hatches of neighbouring rows join.
        at = part.left() - part.height() - part.left() % _STEP
        while at < part.right():
            painter.drawLine(QLineF(at, part.bottom(), at + part.height(), part.top()))
            at += _STEP
        painter.restore()


def _part(room: QRectF, share: tuple[float, float], least: float = _LEAST) -> QRectF:
    left = room.left() + share[0] * room.width()
    width = max((share[1] - share[0]) * room.width(), least)
    return QRectF(min(left, room.right() - width), room.top(), width, room.height())
