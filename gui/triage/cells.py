"""How a cell of triage is painted: two lines with a sign, a number, or the band of who led when."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Severity
from core.diagnose.verdict.summary import Spell
from core.picture.metrics import elide, elide_partition
from core.shown import shown_in_line
from gui.glyphs import draw_sign
from gui.panels.signs import sign_of
from gui.text.spoken import tr, worded
from gui.theme import Theme, font
from gui.triage.model import ROW, is_poor
from gui.triage.rows import Column, Row, Table

HIGH: Final = 40
_PAD: Final = 8
_BAND: Final = 12
_HATCH: Final = 5
_APART: Final = 15
_ON_BAND: Final = frozenset(
    {
        "committed-loss",
        "acknowledged-loss",
        "possible-loss",
        "divergence",
        "unclean-election",
        "hw-went-back",
        "cut-below-hw",
    }
)
"""What has a sign on a band of 160 px; the others are colours of the band, or rows of the story."""
_RED: Final = (Severity.LOSS, Severity.DANGER)
_MONO: Final = (Column.PLACE, Column.RECORDS, Column.CUTS, Column.ELECTIONS, Column.ISR, Column.SEEN)


class TriageDelegate(QStyledItemDelegate):
    """Paints all cells. `table` has the stretch of time that bands are drawn on."""

    theme: Theme | None = None
    table = Table((), (), 0, 0)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """All rows are equally high."""
        return QSize(40, HIGH)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One cell in the colours of the theme."""
        row: Row | None = index.data(ROW)
        theme = self.theme
        if theme is None or row is None:
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setClipRect(box)
        painter.fillRect(box, theme.colour("bg.selected" if selected else "bg.panel"))
        if selected and index.column() == Column.PLACE:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.colour("text"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.colour("line.hair"))
        column = Column(index.column())
        room = box.adjusted(_PAD, 0, -_PAD, 0)
        if column is Column.BAND:
            self._band(
                painter, QRectF(room.left(), box.center().y() - _BAND / 2, room.width(), _BAND), row, theme
            )
        elif column is Column.PARTITION:
            replicas = ", ".join(map(str, row.replicas))
            _two_lines(
                painter,
                room,
                (
                    row.name,
                    tr("partition-head.replicas-are", replicas=replicas)
                    if replicas
                    else tr("triage.replicas-not-known"),
                ),
                theme,
                shorten=elide_partition,
            )
        elif column is Column.FINDING:
            self._finding(painter, room, row, theme)
        else:
            painter.setFont(font(12, 500 if column is Column.RECORDS else 400, mono=True))
            painter.setPen(theme.colour(_role(row, column)))
            text = str(index.data(Qt.ItemDataRole.DisplayRole))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        painter.restore()

    def _finding(self, painter: QPainter, room: QRect, row: Row, theme: Theme) -> None:
        check = row.summary.check
        if check is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_sign(painter, replace(sign_of(check), x=room.left() + 8.0, y=room.center().y() + 0.5), theme)
        red = check is not None and CHECK[check].severity in _RED
        _two_lines(
            painter,
            room.adjusted(24, 0, 0, 0),
            (row.title, worded(row.summary.reason) if row.summary.reason else ""),
            theme,
            "loss" if red and check != "unclean-election" else "text" if check else "text.2",
        )

    def _band(self, painter: QPainter, room: QRectF, row: Row, theme: Theme) -> None:
        whole = max(self.table.last - self.table.first, 1)

        def x(at: int) -> float:
            return room.left() + (at - self.table.first) / whole * room.width()

        painter.fillRect(room, theme.colour("bg.sunken"))
        for spell in row.summary.spells:
            part = QRectF(x(spell.start), room.top(), max(x(spell.end) - x(spell.start), 1.0), room.height())
            _spell(painter, part, spell, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken: list[float] = []
        for at, check in sorted(row.summary.marks, key=lambda mark: CHECK[mark[1]].rank):
            place = min(max(x(at), room.left() + 7), room.right() - 7)
            if check not in _ON_BAND or any(abs(place - other) < _APART for other in taken):
                continue
            taken.append(place)
            sign = sign_of(check)
            centre = QPointF(place, room.center().y())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("bg.panel"))
            painter.drawEllipse(centre, 8.0, 8.0)
            small = replace(sign, x=centre.x(), y=centre.y(), size=min(sign.size, 13.0))
            draw_sign(painter, small, theme)


def _spell(painter: QPainter, part: QRectF, spell: Spell, theme: Theme) -> None:
    """A leader's time in the colour of its epoch; hatched where nobody led or nobody knows."""
    if spell.leader is not None and spell.leader >= 0 and spell.epoch is not None:
        painter.fillRect(part, theme.colour(f"e{spell.epoch % 6}"))
        return
    painter.fillRect(part, theme.colour("bg.panel"))
    painter.save()
    painter.setClipRect(part)
    painter.setPen(QPen(theme.colour("loss" if spell.leader == -1 else "unknown"), 1))
    at = part.left() - part.height()
    while at < part.right():
        painter.drawLine(int(at), int(part.bottom()), int(at + part.height()), int(part.top()))
        at += _HATCH
    painter.restore()


def _two_lines(
    painter: QPainter,
    room: QRect,
    lines: tuple[str, str],
    theme: Theme,
    role: str = "text",
    shorten: Callable[[str, float, float, int], str] = elide,
) -> None:
    upper = QRect(room.left(), room.top() + 4, room.width(), 16)
    lower = QRect(room.left(), room.top() + 20, room.width(), 16)
    align = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    first, second = map(shown_in_line, lines)
    painter.setFont(font(12, 600))
    painter.setPen(theme.colour(role))
    painter.drawText(upper, align, shorten(first, room.width(), 12, 600))
    painter.setFont(font(11))
    painter.setPen(theme.colour("text.2"))
    painter.drawText(lower, align, elide(second, room.width(), 11))


def _role(row: Row, column: Column) -> str:
    """The colour of a number: red for lost records, a warning for poor evidence, faint for nothing."""
    if column is Column.RECORDS and (row.summary.records_lost or row.summary.records_possible):
        return "loss"
    if column is Column.SEEN and is_poor(row):
        return "warn"
    counted = {
        Column.CUTS: row.summary.truncations,
        Column.ELECTIONS: row.summary.elections,
        Column.ISR: row.summary.isr_changes,
        Column.RECORDS: 0,
    }
    return "text" if counted.get(column, 1) else "text.3"
